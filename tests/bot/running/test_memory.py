"""Memory: nothing of a dropped game stays, and of all games only those asked for last."""

import asyncio
import gc
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from bot.table.game_cache import GameCache, GameLocks
from bot.table.live import LiveGame
from engine.board.map import Map
from engine.board.reach import RouteExplorer
from engine.board.track import Chain, Track
from engine.core.offers import OfferCursor
from engine.core.state import State
from engine.game import Game
from engine.record import Record, load_record
from tests.bot.support.records import history_of
from tests.bot.support.table_service import TableService

GOLDEN: Final = Path(__file__).parents[2] / "golden"
OF_A_GAME: Final = (LiveGame, Game, Map, State, Track, Chain, RouteExplorer, asyncio.Lock)


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
    number = await service.at(before_a_lay(name, after))
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


def kept(cache: GameCache, lives: Iterable[LiveGame]) -> list[int]:
    return [live.id for live in lives if cache.find(live.id) is not None]


async def test_game_in_use_stays_in_memory(service: TableService) -> None:
    """Of the others, the one asked for longest ago leaves first."""
    async with service.tables.reading(await service.game()) as live:
        lives = [replace(live, row=replace(live.row, id=number)) for number in range(4)]
    locks = GameLocks()
    cache = GameCache(locks, max_games=2)
    async with locks.lock_of(0):
        for one in lives[:3]:
            cache.add(one)
        assert kept(cache, lives) == [0, 2]
    cache.add(lives[3])
    assert kept(cache, lives) == [2, 3]
