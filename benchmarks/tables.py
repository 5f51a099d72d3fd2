"""Benchmark of live games in memory: kilobytes per game, growth by reloads, and cold starts."""

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

from bot.table.imports import ImportTarget, store_recorded_game
from bot.table.past.past_games import GameToReplay
from bot.table.tables import Tables
from bot.table.undo import undo
from bot.workers.workers import Priority, QueuePlace
from engine.core.offers import OfferCursor
from engine.game import Game
from engine.record import Record, load_record
from storage import Database, NewLogRow, games, log, open_database, seats
from tests.bot.support.positions import quick_moves

MOVES: Final = 400
"""The most moves played in each game; it stops before a tile lay."""
MADE: Final = 5
"""Number of times a move is made and undone in each live game."""
WARM: Final = 200
"""Number of reloads before growth is measured, by which caches of limited size are full."""


@dataclass(frozen=True)
class Memory:
    """Kilobytes of a live game, and the number of memory blocks left over by reloads."""

    live: float
    reloads: int
    grown: int


@dataclass(frozen=True)
class ColdStart:
    """Seconds to open a database of running games, to check them, and to answer first questions."""

    games: int
    started: float
    reviewed: float
    first: float
    slowest: float


def start_positions(paths: Sequence[Path]) -> list[Record]:
    """The recorded games, each cut before the last tile lay of its first MOVES moves."""
    return [record for path in paths if (record := _position(path)) is not None]


def _position(path: Path) -> Record | None:
    whole = load_record(path.read_text("utf-8"))
    lays = [number for number, action in enumerate(whole.actions[:MOVES]) if action.kind == "lay_tile"]
    return replace(whole, actions=whole.actions[: lays[-1]]) if lays else None


async def measure_memory(records: Sequence[Record], reloads: int) -> Memory:
    """Load these games, use them, then reload them repeatedly."""
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
    """Mean kilobytes in memory of a game that has been used."""
    tracemalloc.start()
    before = _held()
    for number in numbers:
        await _used(tables, number)
    live = (_held() - before) / len(numbers)
    tracemalloc.stop()
    return live


async def _grown(tables: Tables, numbers: Sequence[int], reloads: int) -> int:
    """Number of memory blocks left over by this many reloads, after WARM others."""
    held = 0
    for count in range(WARM + reloads):
        if count == WARM:
            held = _blocks()
        number = numbers[count % len(numbers)]
        tables.forget(number)
        async with tables.reading(number) as live:
            _hexes(live.game)
        if count % 50 == 0:
            await tables.replayer.history(GameToReplay.of(live), QueuePlace(Priority.QUESTION))
    return _blocks() - held


async def measure_cold(records: Sequence[Record], count: int) -> ColdStart:
    """Open a database of this many running games, and ask a first question in each."""
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
    """Seconds until the next player's one-click moves are computed."""
    begin = time.perf_counter()
    async with tables.reading(number) as live:
        quick_moves(live.game, live.game.actors()[0])
    return time.perf_counter() - begin


async def _table(tables: Tables, record: Record) -> int:
    people = tuple((10 + place, name) for place, (_, name) in enumerate(record.players))
    return await store_recorded_game(tables, record, ImportTarget(1, 2, people))


async def _copy(db: Database, number: int) -> int:
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
    entries = [NewLogRow(each.kind, each.payload, each.digest, each.actor) for each in rows]
    await log.commit_start(db, copy.id, entries, now=row.created_at, state=kept.state)
    return copy.id


async def _used(tables: Tables, number: int) -> None:
    """Load a game and use it: list lays, search routes, and make and undo a move several times."""
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
    """List all lays and search the best routes; returns the number of lays."""
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
    """Number of hexes in which a tile can be laid; computing it explores the track network."""
    lays = [offer for offer in game.offers() if offer.kind == "lay_tile"]
    return sum(1 for lay in lays for _ in OfferCursor(lay).choices_and_cursors())


def _held() -> float:
    """Kilobytes in use after a garbage collection."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0] / 1024


def _blocks() -> int:
    gc.collect()
    return sys.getallocatedblocks()


def measure_tables(paths: Sequence[Path], reloads: int, running: int) -> tuple[Memory, ColdStart]:
    """Measure memory and cold starts with these recorded games; raises EngineError."""
    records = start_positions(paths)
    cold = asyncio.run(measure_cold(records, running))
    return asyncio.run(measure_memory(records, reloads)), cold
