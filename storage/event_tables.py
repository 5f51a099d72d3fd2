"""Tables of an event: the draw, opened games with their results, and messages to entrants."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from storage import direct_messages, games, log, outbox, seats
from storage.contract import Database, ParsedQuery, QuerySource, RowValues, Transaction, fetch, query
from storage.errors import WrongEventStatus
from storage.events import Entrant, EventRow, EventStatus, entrants_of_event, lock_event
from storage.games import GameRow
from storage.outbox import OutboxMessage
from storage.personal_data import CARETAKER_USER
from storage.settings import GAME_SETTINGS


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


async def store_draw(
    db: Database,
    event_id: int,
    allowed_statuses: Sequence[EventStatus],
    stage: int,
    seed: int,
    division_by_entrant: Mapping[int, int],
    tables: Sequence[EventTable],
) -> bool:
    """Store the draw of a stage (the entrants' divisions and the tables), replacing an earlier draw of this stage.

    Returns False if users have entered or left since `division_by_entrant` was drawn for the first stage. Raises
    NoSuchEvent, and WrongEventStatus (also if a game of the stage has been opened).
    """

    async def in_transaction(tx: Transaction) -> bool:
        event = await lock_event(tx, event_id, allowed_statuses)
        opened_game_sql = (
            "SELECT 1 FROM event_tables WHERE event_id = ? AND stage = ? AND game_id IS NOT NULL"
        )
        if await tx.row(opened_game_sql, event_id, stage):
            raise WrongEventStatus(event.name, "running")
        entered_numbers = [
            entrant.number for entrant in await entrants_of_event(tx, event_id) if entrant.status == "entered"
        ]
        if stage == 1 and entered_numbers != sorted(division_by_entrant):
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
            [(division, event_id, entrant) for entrant, division in division_by_entrant.items()],
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
        await lock_event(tx, event.id, ("running",))
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
