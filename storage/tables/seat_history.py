"""Who plays for which seat of a running game, from which move on: rows are added, and never changed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from storage import games
from storage.contract import Cells, Database, Transaction, query
from storage.errors import NotSeated
from storage.leases import WHOLE, Share
from storage.people import ANONYMISED, CARETAKER
from storage.posts import outbox
from storage.posts.outbox import OutboxMessage
from storage.questions import Question, ask
from storage.tables import clocks, proposals
from storage.tables.proposals import Proposal

Role = Literal["holder", "substitute", "group", "caretaker"]
"""A holder has the seat; a substitute plays for its holder for a time; the table does while the holder is away, or a
caretaker, who plays a seat that nobody has, too.
"""


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """Somebody plays for a player from the row after `since` on, and a substitute `until` a time, if one is set.

    Times are ISO 8601 in UTC. A holder's row after that of a substitute, of the table or of a caretaker (which name the
    holder, too) says that the holder is back.
    """

    player_id: str
    role: Role
    user_id: int
    display_name: str
    since: int
    until: str | None
    at: str


_LATER = (
    "SELECT 1 FROM seat_history later WHERE later.game_id = seat_history.game_id "
    "AND later.player_id = seat_history.player_id AND later.id > seat_history.id"
)
COLUMNS = "player_id, role, user_id, display_name, since, until, at"


async def begin(tx: Transaction, game_id: int, now: str) -> None:
    """Note who has which seat as a game starts, within a transaction."""
    await tx.put(
        "INSERT INTO seat_history (game_id, player_id, role, user_id, display_name, since, at) "
        f"SELECT game_id, player_id, CASE user_id WHEN {CARETAKER} THEN 'caretaker' ELSE 'holder' END, "
        "user_id, display_name, 0, ? FROM seats WHERE game_id = ? ORDER BY seat",
        *(now, game_id),
    )


async def history(db: Database, game_id: int) -> list[SeatEntry]:
    """Return who played for which seat, oldest first; raises NoSuchGame."""

    _, found = await ask(db, games.question(game_id), question(game_id))
    return found


def question(game_id: int) -> Question[list[SeatEntry]]:
    """Ask who played for which seat, oldest first."""
    columns = f"SELECT {COLUMNS} FROM seat_history WHERE game_id = ? ORDER BY id"
    return Question(query(columns, game_id), lambda rows: [SeatEntry(*row) for row in rows])


def settings_question(game_id: int) -> Question[dict[int, dict[str, str]]]:
    """Ask for all that the users in the seat history of a game have chosen, by user and key."""

    def read(rows: list[Cells]) -> dict[int, dict[str, str]]:
        found: dict[int, dict[str, str]] = {}
        for user_id, key, value in rows:
            found.setdefault(user_id, {})[str(key)] = str(value)
        return found

    chosen = (
        "SELECT user_id, key, value FROM person_settings "
        "WHERE user_id IN (SELECT user_id FROM seat_history WHERE game_id = ?)"
    )
    return Question(query(chosen, game_id), read)


def substitutes(found: Iterable[SeatEntry], now: str) -> dict[str, SeatEntry]:
    """The entries of current substitutes, by player, without anonymised users; `found` are oldest first."""
    newest = {seat_entry.player_id: seat_entry for seat_entry in found}
    return {
        player: seat_entry
        for player, seat_entry in newest.items()
        if seat_entry.role == "substitute"
        and seat_entry.user_id != ANONYMISED
        and (seat_entry.until is None or seat_entry.until > now)
    }


async def run_out(db: Database, now: str, share: Share = WHOLE) -> list[tuple[int, str]]:
    """Return the running games of a share, and the players in them, for whom a substitute plays no longer.

    Their time is over, or they were anonymised.
    """
    found = await db.rows(
        "SELECT game_id, player_id FROM seat_history JOIN games ON games.id = game_id "
        f"WHERE role = 'substitute' AND (until <= ? OR user_id = {ANONYMISED}) "
        f"AND games.status = 'running' AND {share.where()} AND NOT EXISTS ({_LATER}) ORDER BY seat_history.id",
        now,
    )
    return [(game_id, player) for game_id, player in found]


async def running_with(db: Database, user_id: int) -> list[games.Game]:
    """Return the running games in which a person has a seat, or has stood in for somebody, oldest first."""
    clause = (
        "WHERE status = 'running' AND games.id IN (SELECT game_id FROM seats WHERE user_id = ? "
        "UNION SELECT game_id FROM seat_history WHERE user_id = ?) ORDER BY games.id"
    )
    return await games.select(db, clause, user_id, user_id)


def by_group(found: Iterable[SeatEntry]) -> frozenset[str]:
    """Of a game's seat_entries, oldest first, the players for whom the table plays."""
    newest = {seat_entry.player_id: seat_entry for seat_entry in found}
    return frozenset(player for player, seat_entry in newest.items() if seat_entry.role == "group")


def by_caretaker(found: Iterable[SeatEntry]) -> frozenset[str]:
    """Of a game's seat_entries, oldest first, the players for whom a caretaker plays."""
    newest = {seat_entry.player_id: seat_entry for seat_entry in found}
    return frozenset(player for player, seat_entry in newest.items() if seat_entry.role == "caretaker")


async def cared_for(db: Database, share: Share = WHOLE) -> list[int]:
    """Return the running games of a share in which a caretaker plays for somebody."""
    found = await db.rows(
        "SELECT DISTINCT game_id FROM seat_history JOIN games ON games.id = game_id "
        f"WHERE role = 'caretaker' AND games.status = 'running' AND {share.where()} "
        f"AND NOT EXISTS ({_LATER}) ORDER BY game_id"
    )
    return [game_id for (game_id,) in found]


async def replace(
    db: Database,
    game_id: int,
    seat_entry: SeatEntry,
    *,
    leaving: int,
    proposal: Proposal | None = None,
    notices: Sequence[OutboxMessage],
) -> None:
    """Give a seat of a running game, which `leaving` holds, to somebody else, with the notices that tell of it.

    A proposal that is given is accepted with it. All or nothing.
    Raises NoSuchGame, WrongStatus, NotSeated where that person has the seat no more.
    """

    async def change(tx: Transaction) -> None:
        games.require(await games.hold(tx, game_id), ("running",))
        changed = await tx.run(
            "UPDATE seats SET user_id = ?, display_name = ? WHERE game_id = ? AND player_id = ? AND user_id = ?",
            *(seat_entry.user_id, seat_entry.display_name, game_id, seat_entry.player_id, leaving),
        )
        if not changed:
            raise NotSeated(f"That seat of game {game_id} has a new player by now.")
        await clocks.restart(tx, game_id, seat_entry.player_id)
        if proposal is not None:
            await proposals.settle(tx, proposal, "accepted")
        await _add(tx, game_id, seat_entry, notices)

    await db.write(change)


async def assign(
    db: Database,
    game_id: int,
    seat_entry: SeatEntry,
    *,
    proposal: Proposal | None = None,
    notices: Sequence[OutboxMessage],
) -> None:
    """Note that a substitute, the table or a caretaker begins, or the holder is back, with the notices that tell of it.

    A proposal that is given is accepted with it. All or nothing. Raises NoSuchGame, WrongStatus.
    """

    async def change(tx: Transaction) -> None:
        games.require(await games.hold(tx, game_id), ("running",))
        if proposal is not None:
            await proposals.settle(tx, proposal, "accepted")
        await _add(tx, game_id, seat_entry, notices)

    await db.write(change)


async def _add(
    tx: Transaction, game_id: int, seat_entry: SeatEntry, notices: Sequence[OutboxMessage]
) -> None:
    await tx.put(
        f"INSERT INTO seat_history (game_id, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        *(game_id, seat_entry.player_id, seat_entry.role, seat_entry.user_id, seat_entry.display_name),
        *(seat_entry.since, seat_entry.until, seat_entry.at),
    )
    await outbox.add(tx, game_id, seat_entry.since, notices, seat_entry.at)
