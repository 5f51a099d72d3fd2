"""Seats in the lobby, and the history of the users who play each seat of a running game."""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from typing import Literal

from storage import clocks, games, outbox, proposals
from storage.contract import Database, ParsedQuery, RowValues, Transaction, fetch, query
from storage.errors import InvalidSeatingOrder, LobbyFull, NotSeated
from storage.outbox import OutboxMessage
from storage.personal_data import ANONYMISED_USER, CARETAKER_USER
from storage.proposals import StoredProposal
from storage.shards import ALL_SHARDS, ShardSet


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a game: its number from 1 in playing order, its player id (such as "p1"), and its user."""

    game_id: int
    seat: int
    player_id: str
    user_id: int
    display_name: str


@dataclass(frozen=True, slots=True)
class LobbyChange:
    """A change in a lobby: a user took or left a seat at the time `at` (ISO 8601 in UTC).

    `seat` is the seat's number at that time; seats can be renumbered later.
    """

    seat: int
    user_id: int
    display_name: str
    event: Literal["joined", "left"]
    at: str


async def seats(db: Database, game_id: int) -> list[Seat]:
    """Return the seats of a game in playing order; raises NoSuchGame."""

    _, found_seats = await fetch(db, games.game_query(game_id), seats_query(game_id))
    return found_seats


def seats_query(game_id: int) -> ParsedQuery[list[Seat]]:
    """Return the query for a game's seats in playing order; run it with `fetch`."""
    select_sql = (
        "SELECT game_id, seat, player_id, user_id, display_name FROM seats WHERE game_id = ? ORDER BY seat"
    )
    return ParsedQuery(query(select_sql, game_id), lambda rows: [Seat(*row) for row in rows])


async def lobby_changes(db: Database, game_id: int) -> list[LobbyChange]:
    """Return the history of a game's lobby: users who took or left seats, oldest first. Raises NoSuchGame."""
    select_sql = (
        "SELECT seat, user_id, display_name, event, at FROM memberships WHERE game_id = ? ORDER BY id"
    )
    memberships_query = ParsedQuery(
        query(select_sql, game_id), lambda rows: [LobbyChange(*row) for row in rows]
    )
    return (await fetch(db, games.game_query(game_id), memberships_query))[1]


async def join_game(
    db: Database, game_id: int, user_id: int, display_name: str, *, max_seats: int | None = None, now: str
) -> Seat:
    """Give a user the next free seat of a game in the lobby and return it; `max_seats` is the number of seats.

    A user may hold several seats. Raises NoSuchGame, WrongStatus, LobbyFull.
    """

    async def in_transaction(tx: Transaction) -> Seat:
        current_seats = await _lobby_seats(tx, game_id)
        if max_seats is not None and len(current_seats) >= max_seats:
            raise LobbyFull(game_id, max_seats)
        seat = _new_seat(game_id, len(current_seats) + 1, user_id, display_name)
        await _insert_seats(tx, seat)
        await _record_membership(tx, seat, "joined", now)
        return seat

    return await db.write(in_transaction)


async def take_seats(
    tx: Transaction, game_id: int, users_and_names: Sequence[tuple[int, str]], now: str
) -> None:
    """Seat users in a new game, in a transaction; `users_and_names` are (user id, display name) in playing order."""
    for number, (user_id, display_name) in enumerate(users_and_names, start=1):
        seat = _new_seat(game_id, number, user_id, display_name)
        await _insert_seats(tx, seat)
        await _record_membership(tx, seat, "joined", now)


async def leave_game(db: Database, game_id: int, user_id: int, *, now: str) -> Seat:
    """Free a user's last seat in a lobby, renumber the seats after it, and return the freed seat.

    Raises NoSuchGame, WrongStatus, NotSeated.
    """

    async def in_transaction(tx: Transaction) -> Seat:
        current_seats = await _lobby_seats(tx, game_id)
        seats_of_user = [seat for seat in current_seats if seat.user_id == user_id]
        if not seats_of_user:
            raise NotSeated(f"You have no seat in game {game_id}.")
        await _record_membership(tx, seats_of_user[-1], "left", now)
        await _renumber_seats(tx, game_id, [seat for seat in current_seats if seat is not seats_of_user[-1]])
        return seats_of_user[-1]

    return await db.write(in_transaction)


async def reorder_seats(db: Database, game_id: int, user_ids: Sequence[int]) -> list[Seat]:
    """Reorder a lobby's seats by `user_ids` and return them.

    A user with several seats is listed once for each seat. Unlike seat numbers, user ids stay valid if somebody leaves
    meanwhile. Raises NoSuchGame, WrongStatus, InvalidSeatingOrder.
    """

    async def in_transaction(tx: Transaction) -> list[Seat]:
        current_seats = await _lobby_seats(tx, game_id)
        if sorted(user_ids) != sorted(seat.user_id for seat in current_seats):
            raise InvalidSeatingOrder("The new order must name every player, once for each of their seats.")
        reordered_seats = []
        for user_id in user_ids:
            seat = next(seat for seat in current_seats if seat.user_id == user_id)
            current_seats.remove(seat)
            reordered_seats.append(seat)
        await _renumber_seats(tx, game_id, reordered_seats)
        return await _seats_of_game(tx, game_id)

    return await db.write(in_transaction)


async def _lobby_seats(tx: Transaction, game_id: int) -> list[Seat]:
    games.require_status(await games.lock_and_read(tx, game_id), ("lobby",))
    return await _seats_of_game(tx, game_id)


async def _seats_of_game(tx: Transaction, game_id: int) -> list[Seat]:
    return await fetch(tx, seats_query(game_id))


def _new_seat(game_id: int, number: int, user_id: int, display_name: str) -> Seat:
    return Seat(game_id, number, f"p{number}", user_id, display_name)


async def _insert_seats(tx: Transaction, *seats: Seat) -> None:
    await tx.run_many(
        "INSERT INTO seats (game_id, seat, player_id, user_id, display_name) VALUES (?, ?, ?, ?, ?)",
        [astuple(seat) for seat in seats],
    )


async def _renumber_seats(tx: Transaction, game_id: int, reordered_seats: Sequence[Seat]) -> None:
    await tx.run("DELETE FROM seats WHERE game_id = ?", game_id)
    numbered_seats = enumerate(reordered_seats, start=1)
    await _insert_seats(
        tx, *(_new_seat(game_id, number, seat.user_id, seat.display_name) for number, seat in numbered_seats)
    )


async def _record_membership(tx: Transaction, seat: Seat, event: Literal["joined", "left"], now: str) -> None:
    await tx.run(
        "INSERT INTO memberships (game_id, seat, user_id, display_name, event, at) VALUES (?, ?, ?, ?, ?, ?)",
        *(seat.game_id, seat.seat, seat.user_id, seat.display_name, event, now),
    )


SeatRole = Literal["holder", "substitute", "group", "caretaker"]
"""Player of a seat.

A substitute plays for the holder temporarily. While the holder is away, the group (all players together) or a caretaker
(computer player) plays. A caretaker also plays a seat without a holder.
"""


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """An entry in a seat's history: who plays the seat from log row `since` on.

    If `role` is `holder` or `substitute`, the user plays the seat. If it is `group` (the other players together) or
    `caretaker` (a computer player), the user is the holder, who does not play. `until` is the planned end of a
    substitution, if it has one. Times are ISO 8601 in UTC.
    """

    player_id: str
    role: SeatRole
    user_id: int
    display_name: str
    since: int
    until: str | None
    at: str


_LATER_ENTRY_SQL = (
    "SELECT 1 FROM seat_history later WHERE later.game_id = seat_history.game_id "
    "AND later.player_id = seat_history.player_id AND later.id > seat_history.id"
)
IS_SUBSTITUTED_SQL = f"role = 'substitute' AND NOT EXISTS ({_LATER_ENTRY_SQL})"
"""SQL condition on `seat_history`: the seat's latest row is a substitute's row."""
ENTRY_COLUMNS = "player_id, role, user_id, display_name, since, until, at"


async def record_start(tx: Transaction, game_id: int, now: str) -> None:
    """Begin the history of a game's seats at its start, within a transaction."""
    await tx.put(
        "INSERT INTO seat_history (game_id, player_id, role, user_id, display_name, since, at) "
        f"SELECT game_id, player_id, CASE user_id WHEN {CARETAKER_USER} THEN 'caretaker' ELSE 'holder' END, "
        "user_id, display_name, 0, ? FROM seats WHERE game_id = ? ORDER BY seat",
        *(now, game_id),
    )


async def seat_entries(db: Database, game_id: int) -> list[SeatEntry]:
    """Return the history of a game's seats, oldest first; raises NoSuchGame."""

    _, found_entries = await fetch(db, games.game_query(game_id), seat_entries_query(game_id))
    return found_entries


def seat_entries_query(game_id: int) -> ParsedQuery[list[SeatEntry]]:
    """Return the query for the history of a game's seats, oldest first; run it with `fetch`."""
    select_sql = f"SELECT {ENTRY_COLUMNS} FROM seat_history WHERE game_id = ? ORDER BY id"
    return ParsedQuery(query(select_sql, game_id), lambda rows: [SeatEntry(*row) for row in rows])


def user_settings_query(game_id: int) -> ParsedQuery[dict[int, dict[str, str]]]:
    """Return the query for the settings of all users who have played in a game; run it with `fetch`.

    The result maps each user id to the user's settings by key.
    """

    def read(rows: list[RowValues]) -> dict[int, dict[str, str]]:
        settings_by_user: dict[int, dict[str, str]] = {}
        for user_id, key, value in rows:
            settings_by_user.setdefault(user_id, {})[str(key)] = str(value)
        return settings_by_user

    settings_sql = (
        "SELECT user_id, key, value FROM person_settings "
        "WHERE user_id IN (SELECT user_id FROM seat_history WHERE game_id = ?)"
    )
    return ParsedQuery(query(settings_sql, game_id), read)


def substitutes(seat_entries: Iterable[SeatEntry], now: str) -> dict[str, SeatEntry]:
    """The current substitute of each player who has one; anonymised substitutes are left out.

    `seat_entries` are oldest first.
    """
    newest_entry_by_player = {entry.player_id: entry for entry in seat_entries}
    return {
        player: entry
        for player, entry in newest_entry_by_player.items()
        if entry.role == "substitute"
        and entry.user_id != ANONYMISED_USER
        and (entry.until is None or entry.until > now)
    }


async def ended_substitutions(db: Database, now: str, shards: ShardSet = ALL_SHARDS) -> list[tuple[int, str]]:
    """Return the substitutions that must end in running games of these shards, as (game id, player id).

    Their planned end has passed, or the substitute was anonymised.
    """
    rows = await db.rows(
        "SELECT game_id, player_id FROM seat_history JOIN games ON games.id = game_id "
        f"WHERE {IS_SUBSTITUTED_SQL} AND (until <= ? OR user_id = {ANONYMISED_USER}) "
        f"AND games.status = 'running' AND {shards.sql_condition()} ORDER BY seat_history.id",
        now,
    )
    return [(game_id, player) for game_id, player in rows]


async def running_games_of_user(db: Database, user_id: int) -> list[games.GameRow]:
    """Return the running games in which a user holds a seat, or has played one at any time, oldest first."""
    clause = (
        "WHERE status = 'running' AND games.id IN (SELECT game_id FROM seats WHERE user_id = ? "
        "UNION SELECT game_id FROM seat_history WHERE user_id = ?) ORDER BY games.id"
    )
    return await games.select_games(db, clause, user_id, user_id)


def players_with_role(role: SeatRole, seat_entries: Iterable[SeatEntry]) -> frozenset[str]:
    """The players whose seats are now played in this role; `seat_entries` are oldest first."""
    newest_entry_by_player = {entry.player_id: entry for entry in seat_entries}
    return frozenset(player for player, entry in newest_entry_by_player.items() if entry.role == role)


async def games_with_caretaker(db: Database, shards: ShardSet = ALL_SHARDS) -> list[int]:
    """Return the running games of these shards in which a caretaker (computer player) plays a seat."""
    return await db.numbers(
        "SELECT DISTINCT game_id FROM seat_history JOIN games ON games.id = game_id "
        f"WHERE role = 'caretaker' AND games.status = 'running' AND {shards.sql_condition()} "
        f"AND NOT EXISTS ({_LATER_ENTRY_SQL}) ORDER BY game_id"
    )


async def replace_holder(
    db: Database,
    game_id: int,
    entry: SeatEntry,
    *,
    leaving_user: int,
    proposal: StoredProposal | None = None,
    notices: Sequence[OutboxMessage],
) -> None:
    """Give the seat of `leaving_user` in a running game to the user of `entry`, and queue notices.

    `proposal`, if given, becomes accepted. Raises NoSuchGame, WrongStatus, and NotSeated if `leaving_user` no longer
    holds the seat; nothing is changed then.
    """

    async def in_transaction(tx: Transaction) -> None:
        games.require_status(await games.lock_and_read(tx, game_id), ("running",))
        changed_count = await tx.run(
            "UPDATE seats SET user_id = ?, display_name = ? WHERE game_id = ? AND player_id = ? AND user_id = ?",
            *(entry.user_id, entry.display_name, game_id, entry.player_id, leaving_user),
        )
        if not changed_count:
            raise NotSeated(f"That seat of game {game_id} now has another player.")
        await clocks.restart_turns(tx, game_id, entry.player_id)
        if proposal is not None:
            await proposals.close_in_transaction(tx, proposal, "accepted")
        await _add_entry(tx, game_id, entry, notices)

    await db.write(in_transaction)


async def record_seat_change(
    db: Database,
    game_id: int,
    entry: SeatEntry,
    *,
    proposal: StoredProposal | None = None,
    notices: Sequence[OutboxMessage],
) -> None:
    """Record who plays a seat from now on, such as a substitute or the returning holder, and queue notices.

    `proposal`, if given, becomes accepted. Raises NoSuchGame, WrongStatus; nothing is changed then.
    """

    async def in_transaction(tx: Transaction) -> None:
        games.require_status(await games.lock_and_read(tx, game_id), ("running",))
        if proposal is not None:
            await proposals.close_in_transaction(tx, proposal, "accepted")
        await _add_entry(tx, game_id, entry, notices)

    await db.write(in_transaction)


async def _add_entry(
    tx: Transaction, game_id: int, entry: SeatEntry, notices: Sequence[OutboxMessage]
) -> None:
    await tx.put(
        f"INSERT INTO seat_history (game_id, {ENTRY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        *(game_id, entry.player_id, entry.role, entry.user_id, entry.display_name),
        *(entry.since, entry.until, entry.at),
    )
    await outbox.add_notices(tx, game_id, entry.since, notices, entry.at)
