"""Standing orders of a game, each private to whoever gave it, and which moves were made by them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from storage import games
from storage.contract import Database, Transaction

TIME_UP: Final = 0
"""In place of the number of an order: the move was made because its player's time was up."""
State = Literal["standing", "stopped", "withdrawn"]
"""What has become of an order: it stands, has ended by itself, or its owner has taken it back."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order by its number in the game; `payload` means what the bot wants it to mean.

    `since` counts the moves made when it was given; `why` says in words why it has ended by itself.
    """

    number: int
    player_id: str
    user_id: int
    payload: str
    since: int
    at: str
    state: State = "standing"
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """An order that ends by itself: its number, and why, in words."""

    number: int
    why: str


@dataclass(frozen=True, slots=True)
class Stood:
    """How an order stood before an undo: its number, what had become of it, why, and with which row of the log."""

    number: int
    state: State
    why: str | None
    ended_seq: int | None


@dataclass(frozen=True, slots=True)
class Changes:
    """What rows of the log do to the orders of their game, to be stored with them.

    `automatic` are the moves made by themselves: their rows, with the order (None: nothing else was possible;
    TIME_UP: no order). An undo that goes back to a row gives back the orders that have ended since (`back_to`),
    then ends others; how they stood before is kept with it. Where its moves are put back, they stand again as they
    stood (`stand`).
    """

    given: tuple[Order, ...] = ()
    ended: tuple[Ended, ...] = ()
    automatic: tuple[tuple[int, int | None], ...] = ()
    back_to: int | None = None
    stand: tuple[Stood, ...] = ()

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        """Store all of it, within a transaction; `seq` is the last row of the log that it comes with."""
        if self.back_to is not None:
            await _give_back(tx, game_id, seq, self.back_to)
        await tx.run_many(
            "UPDATE orders SET state = ?, why = ?, ended_seq = ? "
            "WHERE game_id = ? AND number = ? AND state <> 'withdrawn'",
            [(one.state, one.why, one.ended_seq, game_id, one.number) for one in self.stand],
        )
        await tx.run_many(
            f"INSERT INTO orders (game_id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (game_id, o.number, o.player_id, o.user_id, o.payload, o.since, o.at, o.state, o.why)
                for o in self.given
            ],
        )
        for one in self.ended:
            await tx.run(
                "UPDATE orders SET state = 'stopped', why = ?, ended_seq = ? WHERE game_id = ? AND number = ?",
                *(one.why, seq, game_id, one.number),
            )
        await tx.run_many(
            "INSERT INTO automatic (game_id, seq, number) VALUES (?, ?, ?)",
            [(game_id, row, number) for row, number in self.automatic],
        )


NONE = Changes()
"""Nothing becomes of any order."""
_COLUMNS = "number, player_id, user_id, payload, since, at, state, why"


async def _give_back(tx: Transaction, game_id: int, undo: int, to: int) -> None:
    """Let the orders stand again that have ended since row `to`, after keeping how they stood."""
    await tx.run(
        "INSERT INTO orders_before (game_id, seq, number, state, why, ended_seq) "
        "SELECT game_id, ?, number, state, why, ended_seq FROM orders "
        "WHERE game_id = ? AND (state = 'standing' OR state = 'stopped' AND ended_seq > ?)",
        *(undo, game_id, to),
    )
    await tx.run(
        "UPDATE orders SET state = 'standing', why = NULL, ended_seq = NULL "
        "WHERE game_id = ? AND state = 'stopped' AND ended_seq > ?",
        *(game_id, to),
    )


async def standing(db: Database, game_id: int) -> list[Order]:
    """Return the orders that stand in a game, oldest first."""
    query = f"SELECT {_COLUMNS} FROM orders WHERE game_id = ? AND state = 'standing' ORDER BY number"
    return [Order(*row) for row in await db.read(lambda tx: tx.rows(query, game_id))]


async def standing_after(db: Database, game_id: int, seq: int) -> list[Order]:
    """Return the orders that stand, or would if the game went back to this row of its log, oldest first."""
    query = (
        f"SELECT {_COLUMNS} FROM orders WHERE game_id = ? "
        "AND (state = 'standing' OR state = 'stopped' AND ended_seq > ?) ORDER BY number"
    )
    return [Order(*row) for row in await db.read(lambda tx: tx.rows(query, game_id, seq))]


async def before(db: Database, game_id: int, undo: int) -> list[Stood]:
    """Return how the orders that an undo may have changed stood before it, oldest first."""
    query = "SELECT number, state, why, ended_seq FROM orders_before WHERE game_id = ? AND seq = ? ORDER BY number"
    return [Stood(*row) for row in await db.read(lambda tx: tx.rows(query, game_id, undo))]


async def given(db: Database, game_id: int) -> dict[int, Order]:
    """Return all orders of a game by their numbers, whatever has become of them."""
    query = f"SELECT {_COLUMNS} FROM orders WHERE game_id = ? ORDER BY number"
    return {row[0]: Order(*row) for row in await db.read(lambda tx: tx.rows(query, game_id))}


async def given_by(db: Database, game_id: int, user_id: int) -> list[Order]:
    """Return all that a person has ordered in a game, oldest first."""
    query = f"SELECT {_COLUMNS} FROM orders WHERE game_id = ? AND user_id = ? ORDER BY number"
    return [Order(*row) for row in await db.read(lambda tx: tx.rows(query, game_id, user_id))]


async def next_number(db: Database, game_id: int) -> int:
    """Return the number that the next order of a game gets."""
    query = "SELECT 1 + COALESCE(MAX(number), 0) FROM orders WHERE game_id = ?"
    found = await db.read(lambda tx: tx.row(query, game_id))
    assert found is not None
    return int(found[0])


async def give(db: Database, game_id: int, order: Order) -> None:
    """Store an order that does nothing yet; raises NoSuchGame, and WrongStatus unless the game is running."""

    async def change(tx: Transaction) -> None:
        games.require(await games.hold(tx, game_id), ("running",))
        await Changes(given=(order,)).write(tx, game_id, 0)

    await db.write(change)


async def withdraw(db: Database, game_id: int, number: int, user_id: int) -> bool:
    """Take back an order that stands; False, and nothing, if this person has none of this number."""
    statement = (
        "UPDATE orders SET state = 'withdrawn' "
        "WHERE game_id = ? AND number = ? AND user_id = ? AND state = 'standing'"
    )
    return await db.write(lambda tx: tx.run(statement, game_id, number, user_id)) > 0


async def automatic(db: Database, game_id: int) -> dict[int, int | None]:
    """Return the rows of a game's log that were moves made by themselves, with the order that made each."""
    query = "SELECT seq, number FROM automatic WHERE game_id = ?"
    return dict(_pairs(await db.read(lambda tx: tx.rows(query, game_id))))


def _pairs(rows: Sequence[Sequence[int]]) -> list[tuple[int, int | None]]:
    return [(seq, number) for seq, number in rows]
