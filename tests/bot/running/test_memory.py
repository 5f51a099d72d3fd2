"""Memory: nothing of a dropped game stays, and of all games only those asked for last."""

import asyncio
import gc
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from bot.table.game_cache import GameCache, GameLocks
from bot.table.imports import TablePlace, add_recorded
from bot.table.live import LiveGame
from engine.board.map import Map
from engine.board.reach import Explorer
from engine.board.track import Chain, Track
from engine.core.offers import OfferCursor
from engine.core.state import State
from engine.game import Game
from engine.record import Record, load_record
from tests.bot.support.records import history_of
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

GOLDEN: Final = Path(__file__).parents[2] / "golden"
PLACE: Final = TablePlace(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"), (14, "Dan")))
OF_A_GAME: Final = (LiveGame, Game, Map, State, Track, Chain, Explorer, asyncio.Lock)


def alive() -> Counter[str]:
    gc.collect()
    return Counter(type(thing).__name__ for thing in gc.get_objects() if type(thing) in OF_A_GAME)


def recorded(name: str, until: int | None = None) -> Record:
    return load_record((GOLDEN / f"{name}.json").read_text("utf-8"), until)


def before_a_lay(name: str, after: int) -> Record:
    """A golden game just before the first tile that is laid after this many actions."""
    lays = (number for number, action in enumerate(recorded(name).actions) if action.kind == "lay_tile")
    return recorded(name, next(n for n in lays if n >= after))


def explore(game: Game) -> int:
    """Ask for every lay, and for the best routes of every company with a token; how many lays there are."""
    lays = [offer for offer in game.offers() if offer.kind == "lay_tile"]
    game.best_run()
    return sum(
        1
        for lay in lays
        for _, here in OfferCursor(lay).choices_and_cursors()
        for _, tile in here.choices_and_cursors()
        for _ in tile.choices_and_cursors()
    )


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("18chesapeake-bank-4p", 330),
        pytest.param("18al-price-3p", 200, marks=pytest.mark.long),
        pytest.param("18tn-bank-3p", 300, marks=pytest.mark.long),
    ],
)
async def test_dropped_game_leaves_nothing(service: TableService, name: str, after: int) -> None:
    """After lays and routes, a move that was undone, the whole log, and all that again after a reload."""
    number = await add_recorded(service.tables, before_a_lay(name, after), PLACE)
    before = alive()
    for _ in range(2):
        async with service.tables.reading(number) as live:
            assert explore(live.game)
            mover = live.user_of(live.game.actors()[0])
        await service.do(number, mover, "pass")
        await service.undo(number, mover)
        await history_of(service.tables, number)
        service.tables.forget(number)
        del live
    assert alive() == before


@pytest.fixture
async def live(service: TableService) -> LiveGame:
    async with service.tables.reading(await service.game()) as live:
        return live


def numbered(live: LiveGame, *numbers: int) -> list[LiveGame]:
    """Games like this one with these numbers."""
    return [replace(live, row=replace(live.row, id=number)) for number in numbers]


def kept(shelf: GameCache, lives: Iterable[LiveGame]) -> list[int]:
    return [live.id for live in lives if shelf.find(live.id) is not None]


async def test_game_in_use_never_leaves(live: LiveGame) -> None:
    locks = GameLocks()
    shelf = GameCache(locks, maximum=1)
    lives = numbered(live, 0, 1, 2)
    waiting = locks.lock_of(1)
    async with locks.lock_of(0):
        shelf.keep(lives[0])
        await waiting.acquire()
        waits = asyncio.create_task(waiting.acquire())
        await asyncio.sleep(0)
        waiting.release()  # the next one has it as soon as it runs
        for number in (1, 2):
            shelf.keep(lives[number])
        assert kept(shelf, lives) == [0, 1]
    await waits
    waiting.release()
    del waiting, waits
    shelf.keep(lives[2])
    assert kept(shelf, lives) == [2]


async def test_titles_are_taken_up_first(service: TableService, tmp_path: Path) -> None:
    """After a start: a game of each before all others; each of these is damaged, and says so."""
    names = ("18chesapeake-bank-4p", "18chesapeake-bank-4p", "18al-price-3p")
    one, two, other = [await add_recorded(service.tables, recorded(name, 1), PLACE) for name in names]
    with closing(sqlite3.connect(tmp_path / "games.db")) as conn, conn:
        conn.execute("UPDATE seats SET player_id = 'p9' WHERE seat = 1")
        conn.execute("UPDATE states SET state = '{'")
    again = TableService.on(service.db)
    taken = again.woken()
    await again.tables.check_running_games()
    assert (taken, again.tables.are_games_checked) == ([one, other, two], True)
