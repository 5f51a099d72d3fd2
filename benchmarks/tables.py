"""Tables in memory: kilobytes, growth by reloads, and cold starts."""

import asyncio
import gc
import sys
import time
import tracemalloc
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bot.table.imports import TablePlace, add_recorded
from bot.table.past.past_games import PastGame
from bot.table.tables import Tables
from bot.table.undo import undo
from bot.workers.workers import Priority, Queue
from engine.core.offers import OfferCursor
from engine.game import Game
from engine.record import Record, load_record
from storage import Database, Entry, games, log, open_database, seats
from tests.bot.support.positions import quick_moves

MOVES: Final = 400
"""Moves of a game that are played at most; it stops before a tile is laid."""
MADE: Final = 5
"""Moves that are made in each live game and undone."""
WARM: Final = 200
"""Reloads after which growth is counted: caches of limited size are filled by then."""


@dataclass(frozen=True)
class Memory:
    """Kilobytes of a live game, and memory blocks left by reloads."""

    live: float
    reloads: int
    grown: int


@dataclass(frozen=True)
class ColdStart:
    """Seconds from opening a database of N running games to readiness, and to first answers."""

    games: int
    started: float
    reviewed: float
    first: float
    slowest: float


def start_positions(paths: Sequence[Path]) -> list[Record]:
    """The positions of these games after nearly this many moves, before any tile."""
    return [record for path in paths if (record := _position(path)) is not None]


def _position(path: Path) -> Record | None:
    whole = load_record(path.read_text("utf-8"))
    lays = [number for number, action in enumerate(whole.actions[:MOVES]) if action.kind == "lay_tile"]
    return replace(whole, actions=whole.actions[: lays[-1]]) if lays else None


async def measure_memory(records: Sequence[Record], reloads: int) -> Memory:
    """Load games in turn, use them, then reload them."""
    with TemporaryDirectory() as folder:
        async with await open_database(Path(folder) / "games.db") as db:
            tables = Tables(db)
            numbers = [await _table(tables, record) for record in records]
            for number in numbers:
                await _used(tables, number)
                tables.forget(number)
            live = await _live(tables, numbers)
            return Memory(live, reloads, await _grown(tables, numbers, reloads))


async def _live(tables: Tables, numbers: Sequence[int]) -> float:
    """Mean kilobytes of a used game in memory."""
    tracemalloc.start()
    before = _held()
    for number in numbers:
        await _used(tables, number)
    live = (_held() - before) / len(numbers)
    tracemalloc.stop()
    return live


async def _grown(tables: Tables, numbers: Sequence[int], reloads: int) -> int:
    """Memory blocks left by this many reloads, without the first."""
    held = 0
    for count in range(WARM + reloads):
        if count == WARM:
            held = _blocks()
        number = numbers[count % len(numbers)]
        tables.forget(number)
        async with tables.reading(number) as live:
            _hexes(live.game)
        if count % 50 == 0:
            await tables.past.history(PastGame.of(live), Queue(Priority.QUESTION))
    return _blocks() - held


async def measure_cold(records: Sequence[Record], count: int) -> ColdStart:
    """Open a database of this many running games, and ask each in turn."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        async with await open_database(path) as db:
            tables = Tables(db)
            played = [await _table(tables, record) for record in records[:count]]
            copies = range(count - len(played))
            numbers = played + [await _copy(db, played[place % len(played)]) for place in copies]
        begin = time.perf_counter()
        async with await open_database(path) as db:
            tables = Tables(db)
            await tables.open()
            started = time.perf_counter()
            await tables.check_running_games()
            reviewed = time.perf_counter()
            took = [await _answered(tables, number) for number in numbers]
        return ColdStart(count, started - begin, reviewed - started, took[0], max(took))


async def _answered(tables: Tables, number: int) -> float:
    """Seconds until the next player's one-click moves are known."""
    begin = time.perf_counter()
    async with tables.reading(number) as live:
        quick_moves(live.game, live.game.actors()[0])
    return time.perf_counter() - begin


async def _table(tables: Tables, record: Record) -> int:
    people = tuple((10 + place, name) for place, (_, name) in enumerate(record.players))
    return await add_recorded(tables, record, TablePlace(1, 2, people))


async def _copy(db: Database, number: int) -> int:
    """A copy of a game, without replaying."""
    row, taken = await games.get_game(db, number), await seats.seats(db, number)
    rows, kept = await log.read_rows(db, number), await log.stored_state(db, number)
    assert kept is not None
    copy = await games.create_game(
        db,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        title=row.title,
        profile=row.profile,
        options=row.options,
        seed=row.seed,
        name=row.name,
        now=row.created_at,
    )
    for seat in taken:
        await seats.join_game(db, copy.id, seat.user_id, seat.display_name, now=row.created_at)
    entries = [Entry(each.kind, each.payload, each.digest, each.actor) for each in rows]
    await log.commit_start(db, copy.id, entries, now=row.created_at, state=kept.state)
    return copy.id


async def _used(tables: Tables, number: int) -> None:
    """Load a game, and use it: lays, routes, a move and its undo."""
    async with tables.reading(number) as live:
        explore(live.game)
        move = quick_moves(live.game, live.game.actors()[0])[0]
        mover = live.user_of(live.game.actors()[0])
    for _ in range(MADE):
        await tables.submit(number, mover, move)
        await undo(tables, number, mover)
        async with tables.reading(number) as live:
            move = quick_moves(live.game, live.game.actors()[0])[0]


def explore(game: Game) -> int:
    """Compute all lays and the best routes; returns the number of lays."""
    game.best_run()
    lays = [offer for offer in game.offers() if offer.kind == "lay_tile"]
    return sum(
        1
        for lay in lays
        for _, here in OfferCursor(lay).choices_and_cursors()
        for _, tile in here.choices_and_cursors()
        for _ in tile.choices_and_cursors()
    )


def _hexes(game: Game) -> int:
    """Number of hexes for lays, which explores the network."""
    lays = [offer for offer in game.offers() if offer.kind == "lay_tile"]
    return sum(1 for lay in lays for _ in OfferCursor(lay).choices_and_cursors())


def _held() -> float:
    """Kilobytes in use after a full collection."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0] / 1024


def _blocks() -> int:
    gc.collect()
    return sys.getallocatedblocks()


def measure_tables(paths: Sequence[Path], reloads: int, running: int) -> tuple[Memory, ColdStart]:
    """Memory and cold starts with these games; raises EngineError."""
    records = start_positions(paths)
    cold = asyncio.run(measure_cold(records, running))
    return asyncio.run(measure_memory(records, reloads)), cold
