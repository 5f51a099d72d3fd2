"""Events (seasons and tournaments) of a server: entrants, table assignments, and games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from storage import direct_messages, games, log, outbox, seats
from storage.contract import Database, ParsedQuery, QuerySource, RowValues, Transaction, fetch, query
from storage.errors import NoSuchEvent, NotEntered, WrongEventStatus
from storage.games import GameRow
from storage.outbox import OutboxMessage
from storage.personal_data import CARETAKER_USER
from storage.settings import GAME_SETTINGS
from storage.shards import ALL_SHARDS, ShardSet

EventStatus: TypeAlias = Literal["open", "drawn", "running", "ended", "cancelled"]
"""The status of an event: open (users can enter), drawn (tables are assigned), running, finished, or cancelled."""
EntrantStatus: TypeAlias = Literal["entered", "reserve", "withdrawn"]
UNFINISHED_STATUSES: Final[tuple[EventStatus, ...]] = ("open", "drawn", "running")
"""Statuses of events that are neither finished nor cancelled."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """A season or tournament; `settings` is JSON text, times are ISO 8601 in UTC.

    `stage` is the current round of a tournament, from 1. `previous_id` is the event before this one, such as the
    previous season.
    """

    id: int
    guild_id: int
    channel_id: int
    name: str
    status: EventStatus
    stage: int
    settings: str
    seed: int
    opened_by: int
    created_at: str
    closes_at: str | None
    deadline: str | None
    previous_id: int | None


@dataclass(frozen=True, slots=True)
class Entrant:
    """An entrant of an event: number from 1, user, and division from 1 (None before the draw).

    `last_message_stage` is the last stage (tournament round) for which the user got a message about their games; 0 for
    none.
    """

    number: int
    user_id: int
    display_name: str
    status: EntrantStatus
    division: int | None = None
    last_message_stage: int = 0


@dataclass(frozen=True, slots=True)
class EventTable:
    """A table of an event: the entrants who play a game together.

    `game_id` is None until the game is opened. `number` and `division` count from 1.
    """

    stage: int
    number: int
    division: int
    title: str
    entrants: tuple[int, ...]
    game_id: int | None = None


@dataclass(frozen=True, slots=True)
class EventGame:
    """A table of an event whose game is opened.

    `places` are (entrant number, place from 1, total in dollars), empty until the game is finished.
    """

    event_table: EventTable
    game_id: int
    status: games.Status
    thread_id: int | None
    places: tuple[tuple[int, int, int], ...] = ()


_EVENT_COLUMNS: Final = (
    "id, guild_id, channel_id, name, status, stage, settings, seed, opened_by, created_at, "
    "closes_at, deadline, previous_id"
)


async def create_event(
    db: Database,
    *,
    guild_id: int,
    channel_id: int,
    name: str,
    settings: str,
    seed: int,
    opened_by: int,
    now: str,
    closes_at: str | None = None,
    previous_id: int | None = None,
) -> EventRow:
    """Add an event that is open for entrants and return it; `seed` must fit in 63 bits."""

    async def in_transaction(tx: Transaction) -> EventRow:
        row = await tx.row(
            "INSERT INTO events (guild_id, channel_id, name, status, settings, seed, opened_by, created_at, "
            f"closes_at, previous_id) VALUES (?, ?, ?, 'open', ?, ?, ?, ?, ?, ?) RETURNING {_EVENT_COLUMNS}",
            *(guild_id, channel_id, name, settings, seed, opened_by, now, closes_at, previous_id),
        )
        assert row is not None
        return EventRow(*row)

    return await db.write(in_transaction)


async def get_event(source: QuerySource, event_id: int) -> EventRow:
    """Return the event with this id; raises NoSuchEvent."""

    def read(rows: list[RowValues]) -> EventRow:
        if not rows:
            raise NoSuchEvent(event_id)
        return EventRow(*rows[0])

    return await fetch(
        source, ParsedQuery(query(f"SELECT {_EVENT_COLUMNS} FROM events WHERE id = ?", event_id), read)
    )


async def events_of_server(db: Database, guild_id: int) -> list[EventRow]:
    """Return the events of a server (guild), newest first."""
    rows = await db.rows(f"SELECT {_EVENT_COLUMNS} FROM events WHERE guild_id = ? ORDER BY id DESC", guild_id)
    return [EventRow(*row) for row in rows]


async def unfinished_events(db: Database, last_role: str, shards: ShardSet = ALL_SHARDS) -> list[EventRow]:
    """Return the unfinished events of these shards, oldest first, and finished ones without a sent `last_role` post."""
    statuses_sql = ", ".join(f"'{status}'" for status in UNFINISHED_STATUSES)
    last_post_sql = "SELECT 1 FROM event_posts WHERE event_id = events.id AND role = ? AND message_id > 0"
    rows = await db.rows(
        f"SELECT {_EVENT_COLUMNS} FROM events WHERE (status IN ({statuses_sql}) OR "
        f"(status = 'ended' AND NOT EXISTS ({last_post_sql}))) AND {shards.sql_condition()} ORDER BY id",
        last_role,
    )
    return [EventRow(*row) for row in rows]


async def event_of_game(db: Database, game_id: int) -> EventRow | None:
    """Return the event to which a game belongs; None if it belongs to no event."""
    row = await db.row("SELECT event_id FROM event_tables WHERE game_id = ?", game_id)
    return None if row is None else await get_event(db, row[0])


async def next_event(db: Database, event_id: int) -> EventRow | None:
    """Return the event whose `previous_id` is this event; None if there is none, or if it was cancelled."""
    sql = "SELECT id FROM events WHERE previous_id = ? AND status <> 'cancelled' ORDER BY id DESC LIMIT 1"
    row = await db.row(sql, event_id)
    return None if row is None else await get_event(db, row[0])


async def posts_of_event(db: Database, event_id: int) -> dict[str, tuple[int, str]]:
    """Return an event's Discord posts by role: message id (0 if perhaps not sent) and digest of the content."""
    rows = await db.rows("SELECT role, message_id, shows FROM event_posts WHERE event_id = ?", event_id)
    return {role: (message_id, shows) for role, message_id, shows in rows}


async def set_post(db: Database, event_id: int, role: str, message_id: int, shows: str) -> None:
    """Record an event's Discord post in a role, such as its standings; `shows` is a digest of the post's content.

    `message_id` is 0 before the post is sent.
    """
    statement = (
        "INSERT INTO event_posts (event_id, role, message_id, shows) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (event_id, role) DO UPDATE SET message_id = excluded.message_id, shows = excluded.shows"
    )
    await db.write(lambda tx: tx.put(statement, event_id, role, message_id, shows))


async def change_settings(db: Database, event_id: int, settings: str, deadline: str | None) -> None:
    """Replace an event's settings (JSON text) and its deadline."""
    statement = "UPDATE events SET settings = ?, deadline = ? WHERE id = ?"
    await db.write(lambda tx: tx.put(statement, settings, deadline, event_id))


async def change_status(
    db: Database,
    event_id: int,
    allowed_statuses: Sequence[EventStatus],
    status: EventStatus,
    deadline: str | None = None,
) -> EventRow:
    """Change an event's status and, if given, its deadline; return the event as it was. Raises WrongEventStatus."""

    async def in_transaction(tx: Transaction) -> EventRow:
        event = await _lock_event(tx, event_id, allowed_statuses)
        statement = "UPDATE events SET status = ?, deadline = COALESCE(?, deadline) WHERE id = ?"
        await tx.put(statement, status, deadline, event_id)
        return event

    return await db.write(in_transaction)


async def _lock_event(tx: Transaction, event_id: int, allowed_statuses: Sequence[EventStatus]) -> EventRow:
    await tx.put(f"SELECT id FROM events WHERE id = ?{tx.for_update}", event_id)
    event = await get_event(tx, event_id)
    if event.status not in allowed_statuses:
        raise WrongEventStatus(event.name, event.status)
    return event


# --- entrants --------------------------------------------------------------------------------------------------------


async def entrants_of_event(source: QuerySource, event_id: int) -> list[Entrant]:
    """Return an event's entrants by number, including reserves and withdrawn entrants."""
    columns = "number, user_id, display_name, status, division, told"
    sql = f"SELECT {columns} FROM entrants WHERE event_id = ? ORDER BY number"
    return await fetch(
        source, ParsedQuery(query(sql, event_id), lambda rows: [Entrant(*row) for row in rows])
    )


async def enter(
    db: Database, event_id: int, user_id: int, display_name: str, *, places: int | None, now: str
) -> Entrant:
    """Enter a user in an open event; the user becomes a reserve if all `places` are taken (None: no limit).

    A user who has already entered keeps their place; computer players may enter several times. Raises NoSuchEvent,
    WrongEventStatus.
    """

    async def in_transaction(tx: Transaction) -> Entrant:
        event = await _lock_event(tx, event_id, UNFINISHED_STATUSES)
        entrants = await entrants_of_event(tx, event_id)
        existing_entrant = next(
            (
                candidate
                for candidate in entrants
                if candidate.user_id == user_id and candidate.status != "withdrawn"
            ),
            None,
        )
        if existing_entrant is not None and user_id != CARETAKER_USER:
            return existing_entrant
        entered_count = sum(entrant.status == "entered" for entrant in entrants)
        is_full = event.status != "open" or (places is not None and entered_count >= places)
        number = max((entrant.number for entrant in entrants), default=0) + 1
        entrant = Entrant(number, user_id, display_name, "reserve" if is_full else "entered")
        await tx.put(
            "INSERT INTO entrants (event_id, number, user_id, display_name, status, joined_at) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            *(event_id, number, user_id, display_name, entrant.status, now),
        )
        return entrant

    return await db.write(in_transaction)


async def leave(db: Database, event_id: int, user_id: int) -> Entrant | None:
    """Remove a user (after the draw only a reserve); return the reserve who takes their place, if any.

    Raises NoSuchEvent, NotEntered, WrongEventStatus.
    """

    async def in_transaction(tx: Transaction) -> Entrant | None:
        event = await _lock_event(tx, event_id, UNFINISHED_STATUSES)
        entrants = await entrants_of_event(tx, event_id)
        leaving_entrant = next(
            (entrant for entrant in entrants if entrant.user_id == user_id and entrant.status != "withdrawn"),
            None,
        )
        if leaving_entrant is None:
            raise NotEntered(event.name)
        if leaving_entrant.status == "entered" and event.status != "open":
            raise WrongEventStatus(event.name, event.status)
        await tx.put(
            "DELETE FROM entrants WHERE event_id = ? AND number = ?", event_id, leaving_entrant.number
        )
        first_reserve = next(
            (
                entrant
                for entrant in entrants
                if entrant.status == "reserve" and entrant is not leaving_entrant
            ),
            None,
        )
        if leaving_entrant.status == "reserve" or first_reserve is None:
            return None
        await _set_entrant_status(tx, event_id, first_reserve.number, "entered")
        return replace(first_reserve, status="entered")

    return await db.write(in_transaction)


async def withdraw(db: Database, event_id: int, number: int) -> None:
    """Mark entrant `number` of a drawn or running event as withdrawn; raises NoSuchEvent, WrongEventStatus."""

    async def in_transaction(tx: Transaction) -> None:
        await _lock_event(tx, event_id, ("drawn", "running"))
        await _set_entrant_status(tx, event_id, number, "withdrawn")

    await db.write(in_transaction)


async def substitute(db: Database, event_id: int, number: int, user_id: int, display_name: str) -> None:
    """Give an entrant's place to another user, who has got no messages yet. Raises NoSuchEvent, WrongEventStatus."""

    async def in_transaction(tx: Transaction) -> None:
        await _lock_event(tx, event_id, ("drawn", "running"))
        await tx.put(
            "DELETE FROM entrants WHERE event_id = ? AND user_id = ? AND status = 'reserve'",
            event_id,
            user_id,
        )
        await tx.put(
            "UPDATE entrants SET user_id = ?, display_name = ?, status = 'entered', told = 0 "
            "WHERE event_id = ? AND number = ?",
            *(user_id, display_name, event_id, number),
        )

    await db.write(in_transaction)


@dataclass(frozen=True, slots=True)
class EntrantMessage:
    """A direct message to an entrant about their games in a stage (tournament round).

    `game_id` is one of these games. If `notice` is given, it is posted in this game instead of the direct message.
    """

    entrant: int
    user_id: int
    text: str
    game_id: int
    notice: OutboxMessage | None = None


async def message_entrants(
    db: Database, event_id: int, stage: int, messages: Sequence[EntrantMessage], now: str
) -> None:
    """Queue these messages, except to entrants who already got a message about this stage (tournament round)."""

    async def in_transaction(tx: Transaction) -> None:
        for message in messages:
            is_new = await tx.run(
                "UPDATE entrants SET told = ? WHERE event_id = ? AND number = ? AND told < ?",
                *(stage, event_id, message.entrant, stage),
            )
            if is_new and message.notice is not None:
                seq = await log.newest_seq(tx, message.game_id)
                await outbox.add_notices(tx, message.game_id, seq, [message.notice], now)
            elif is_new:
                await direct_messages.queue_message(
                    tx, message.user_id, message.text, (), message.game_id, now
                )

    await db.write(in_transaction)


async def _set_entrant_status(tx: Transaction, event_id: int, number: int, status: EntrantStatus) -> None:
    statement = "UPDATE entrants SET status = ? WHERE event_id = ? AND number = ?"
    await tx.put(statement, status, event_id, number)


# --- tables and games ------------------------------------------------------------------------------------------------


async def store_draw(
    db: Database,
    event_id: int,
    allowed_statuses: Sequence[EventStatus],
    stage: int,
    seed: int,
    divisions: Mapping[int, int],
    tables: Sequence[EventTable],
) -> bool:
    """Store the draw of a stage (the entrants' divisions and the tables), replacing an earlier draw of this stage.

    Returns False if users have entered or left since `divisions` was drawn for the first stage. Raises NoSuchEvent, and
    WrongEventStatus (also if a game of the stage has been opened).
    """

    async def in_transaction(tx: Transaction) -> bool:
        event = await _lock_event(tx, event_id, allowed_statuses)
        opened_game_sql = (
            "SELECT 1 FROM event_tables WHERE event_id = ? AND stage = ? AND game_id IS NOT NULL"
        )
        if await tx.row(opened_game_sql, event_id, stage):
            raise WrongEventStatus(event.name, "running")
        entered_numbers = [
            entrant.number for entrant in await entrants_of_event(tx, event_id) if entrant.status == "entered"
        ]
        if stage == 1 and entered_numbers != sorted(divisions):
            return False
        for name in ("event_seats", "event_tables"):
            await tx.put(f"DELETE FROM {name} WHERE event_id = ? AND stage = ?", event_id, stage)
        await tx.run_many(
            "INSERT INTO event_tables (event_id, stage, number, division, title) VALUES (?, ?, ?, ?, ?)",
            [(event_id, stage, table.number, table.division, table.title) for table in tables],
        )
        await tx.run_many(
            "INSERT INTO event_seats (event_id, stage, number, seat, entrant) VALUES (?, ?, ?, ?, ?)",
            [
                (event_id, stage, table.number, seat, entrant)
                for table in tables
                for seat, entrant in enumerate(table.entrants, start=1)
            ],
        )
        await tx.run_many(
            "UPDATE entrants SET division = ? WHERE event_id = ? AND number = ?",
            [(division, event_id, entrant) for entrant, division in divisions.items()],
        )
        statement = "UPDATE events SET status = 'drawn', stage = ?, seed = ? WHERE id = ?"
        await tx.put(statement, stage, seed, event_id)
        return True

    return await db.write(in_transaction)


async def tables_of_event(source: QuerySource, event_id: int) -> list[EventTable]:
    """Return all tables of an event, by stage and number."""
    sql = (
        "SELECT event_tables.stage, event_tables.number, division, title, game_id, entrant FROM event_tables "
        "JOIN event_seats ON event_seats.event_id = event_tables.event_id "
        "AND event_seats.stage = event_tables.stage AND event_seats.number = event_tables.number "
        "WHERE event_tables.event_id = ? ORDER BY event_tables.stage, event_tables.number, seat"
    )
    return await fetch(source, ParsedQuery(query(sql, event_id), _read_tables))


def _read_tables(rows: list[RowValues]) -> list[EventTable]:
    tables: dict[tuple[int, int], EventTable] = {}
    for stage, number, division, title, game_id, entrant in rows:
        table = tables.setdefault((stage, number), EventTable(stage, number, division, title, (), game_id))
        tables[stage, number] = replace(table, entrants=(*table.entrants, entrant))
    return list(tables.values())


async def games_of_event(db: Database, event_id: int) -> list[EventGame]:
    """Return an event's tables with opened games, with results, by stage and number."""
    games_sql = (
        "SELECT games.id, status, thread_id FROM games JOIN event_tables ON game_id = games.id "
        "WHERE event_id = ?"
    )
    results_sql = (
        "SELECT results.game_id, entrant, place, total FROM results "
        "JOIN event_tables ON event_tables.game_id = results.game_id "
        "JOIN event_seats ON event_seats.event_id = event_tables.event_id "
        "AND event_seats.stage = event_tables.stage AND event_seats.number = event_tables.number "
        "AND results.player_id = 'p' || event_seats.seat WHERE event_tables.event_id = ? ORDER BY place, seat"
    )
    game_rows, result_rows = await db.fetch(query(games_sql, event_id), query(results_sql, event_id))
    status_and_thread_by_game = {game_id: (status, thread_id) for game_id, status, thread_id in game_rows}
    places_by_game: dict[int, list[tuple[int, int, int]]] = {}
    for game_id, entrant, place, total in result_rows:
        places_by_game.setdefault(game_id, []).append((entrant, place, total))
    return [
        EventGame(
            table,
            table.game_id,
            *status_and_thread_by_game[table.game_id],
            tuple(places_by_game.get(table.game_id, ())),
        )
        for table in await tables_of_event(db, event_id)
        if table.game_id is not None and table.game_id in status_and_thread_by_game
    ]


def _user_and_name_of_seat(entrant: Entrant) -> tuple[int, str]:
    """The user id and display name for an entrant's seat; a caretaker takes the seat of a withdrawn entrant."""
    user_id = CARETAKER_USER if entrant.status == "withdrawn" else entrant.user_id
    return user_id, entrant.display_name


@dataclass(frozen=True, slots=True)
class NewEventGame:
    """The values for opening a table's game; `options` is JSON text, `settings` are game settings by key."""

    name: str
    profile: str
    options: str
    seed: int
    settings: Mapping[str, str]


async def open_game(
    db: Database, event: EventRow, table: EventTable, game: NewEventGame, now: str
) -> GameRow:
    """Open a table's game in the lobby with its entrants seated; return the game, even if it was opened before.

    Raises NoSuchEvent, and WrongEventStatus unless the event is running.
    """

    async def in_transaction(tx: Transaction) -> GameRow:
        await _lock_event(tx, event.id, ("running",))
        key = (event.id, table.stage, table.number)
        key_sql = "WHERE event_id = ? AND stage = ? AND number = ?"
        table_row = await tx.row(f"SELECT game_id FROM event_tables {key_sql}", *key)
        if table_row is not None and table_row[0] is not None:
            return await games.get_game(tx, table_row[0])
        row = await games.insert_game(
            tx,
            guild_id=event.guild_id,
            channel_id=event.channel_id,
            title=table.title,
            profile=game.profile,
            options=game.options,
            seed=game.seed,
            name=game.name,
            now=now,
        )
        entrant_by_number = {entrant.number: entrant for entrant in await entrants_of_event(tx, event.id)}
        users_and_names = [_user_and_name_of_seat(entrant_by_number[number]) for number in table.entrants]
        await seats.take_seats(tx, row.id, users_and_names, now)
        for name, value in game.settings.items():
            await GAME_SETTINGS.write(tx, row.id, name, value)
        await tx.put(f"UPDATE event_tables SET game_id = ? {key_sql}", row.id, *key)
        return row

    return await db.write(in_transaction)
