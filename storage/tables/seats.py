"""Who sits where: seats change freely in the lobby, and not any more once the game runs."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Literal

from storage import games
from storage.contract import Database, Transaction, query
from storage.errors import LobbyFull, NotSeated, WrongOrder
from storage.questions import Question, ask


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table: number from 1 in playing order, the player it plays ("p1"), and who holds it."""

    game_id: int
    seat: int
    player_id: str
    user_id: int
    display_name: str


@dataclass(frozen=True, slots=True)
class Membership:
    """One line of a table's history: somebody took a seat, or left it, at a time (ISO 8601 in UTC).

    `seat` is the number the seat had then; numbers still move in the lobby.
    """

    seat: int
    user_id: int
    display_name: str
    event: Literal["joined", "left"]
    at: str


async def seats(db: Database, game_id: int) -> list[Seat]:
    """Return the seats of a game in playing order; raises NoSuchGame."""

    _, found = await ask(db, games.question(game_id), question(game_id))
    return found


def question(game_id: int) -> Question[list[Seat]]:
    """Ask for the seats of a game in playing order."""
    columns = (
        "SELECT game_id, seat, player_id, user_id, display_name FROM seats WHERE game_id = ? ORDER BY seat"
    )
    return Question(query(columns, game_id), lambda rows: [Seat(*row) for row in rows])


async def history(db: Database, game_id: int) -> list[Membership]:
    """Return everybody's coming and going at a table, oldest first; raises NoSuchGame."""

    async def query(tx: Transaction) -> list[Membership]:
        await games.find(tx, game_id)
        rows = await tx.rows(
            "SELECT seat, user_id, display_name, event, at FROM memberships WHERE game_id = ? ORDER BY id",
            game_id,
        )
        return [Membership(*row) for row in rows]

    return await db.read(query)


async def join(
    db: Database, game_id: int, user_id: int, display_name: str, *, most: int | None = None, now: str
) -> Seat:
    """Give a person the next seat of a game in the lobby, of at most `most`, and return it.

    One person may hold several seats. Raises NoSuchGame, WrongStatus, LobbyFull.
    """

    async def change(tx: Transaction) -> Seat:
        taken = await _in_lobby(tx, game_id)
        if most is not None and len(taken) >= most:
            raise LobbyFull(game_id, most)
        seat = _seat(game_id, len(taken) + 1, user_id, display_name)
        await _insert(tx, seat)
        await _record(tx, seat, "joined", now)
        return seat

    return await db.write(change)


async def leave(db: Database, game_id: int, user_id: int, *, now: str) -> Seat:
    """Free the last seat a person holds in a lobby, close up the others, and return the seat that was freed.

    Raises NoSuchGame, WrongStatus, NotSeated.
    """

    async def change(tx: Transaction) -> Seat:
        taken = await _in_lobby(tx, game_id)
        held = [seat for seat in taken if seat.user_id == user_id]
        if not held:
            raise NotSeated(f"You have no seat in game {game_id}.")
        await _record(tx, held[-1], "left", now)
        await _renumber(tx, game_id, [seat for seat in taken if seat is not held[-1]])
        return held[-1]

    return await db.write(change)


async def reorder(db: Database, game_id: int, user_ids: Sequence[int]) -> list[Seat]:
    """Seat the people of a lobby in the order of `user_ids` and return the seats.

    People are named, not seat numbers, so that somebody leaving meanwhile cannot turn it into another order.
    Who holds several seats is named as often. Raises NoSuchGame, WrongStatus, WrongOrder.
    """

    async def change(tx: Transaction) -> list[Seat]:
        taken = await _in_lobby(tx, game_id)
        if sorted(user_ids) != sorted(seat.user_id for seat in taken):
            raise WrongOrder("The new order must name everybody at the table, once for each seat they hold.")
        order = []
        for user_id in user_ids:
            seat = next(seat for seat in taken if seat.user_id == user_id)
            taken.remove(seat)
            order.append(seat)
        await _renumber(tx, game_id, order)
        return await _seats(tx, game_id)

    return await db.write(change)


async def _in_lobby(tx: Transaction, game_id: int) -> list[Seat]:
    games.require(await games.hold(tx, game_id), ("lobby",))
    return await _seats(tx, game_id)


async def _seats(tx: Transaction, game_id: int) -> list[Seat]:
    return await ask(tx, question(game_id))


def _seat(game_id: int, number: int, user_id: int, display_name: str) -> Seat:
    return Seat(game_id, number, f"p{number}", user_id, display_name)


async def _insert(tx: Transaction, *seats: Seat) -> None:
    await tx.run_many(
        "INSERT INTO seats (game_id, seat, player_id, user_id, display_name) VALUES (?, ?, ?, ?, ?)",
        [astuple(seat) for seat in seats],
    )


async def _renumber(tx: Transaction, game_id: int, order: Sequence[Seat]) -> None:
    await tx.run("DELETE FROM seats WHERE game_id = ?", game_id)
    numbered = enumerate(order, start=1)
    await _insert(tx, *(_seat(game_id, number, seat.user_id, seat.display_name) for number, seat in numbered))


async def _record(tx: Transaction, seat: Seat, event: Literal["joined", "left"], now: str) -> None:
    await tx.run(
        "INSERT INTO memberships (game_id, seat, user_id, display_name, event, at) VALUES (?, ?, ?, ?, ?, ?)",
        *(seat.game_id, seat.seat, seat.user_id, seat.display_name, event, now),
    )
