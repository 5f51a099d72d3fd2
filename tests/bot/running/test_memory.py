"""What stays in memory: nothing of a game that was dropped, and of all games only those asked for last."""

import asyncio
import gc
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from bot.table import live as live_games
from bot.table.bounded_caches import BoundedDict
from bot.table.game_cache import MOST_LIVE, GameCache, Locks, Places
from bot.table.games.loading import load
from bot.table.imports import TablePlace, add_recorded
from bot.table.live import LiveGame
from bot.workers.workers import Workers
from engine.board.map import Map
from engine.board.reach import Explorer
from engine.board.track import Chain, Track
from engine.core.offers import Cursor
from engine.core.state import State
from engine.game import Game
from engine.record import Record, load_record
from storage import Database, shards
from tests.bot.support.records import history_of
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

GOLDEN: Final = Path(__file__).parents[2] / "golden"
DAN: Final = 14
THREE: Final = (("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy"))
OF_A_GAME: Final = (LiveGame, Game, Map, State, Track, Chain, Explorer, asyncio.Lock)
"""What is made for one game, and has to go with it."""


def alive() -> Counter[str]:
    """How many of each there are, once everything is collected that nobody can reach."""
    gc.collect()
    return Counter(type(thing).__name__ for thing in gc.get_objects() if type(thing) in OF_A_GAME)


def before_a_lay(name: str, after: int) -> Record:
    """A golden game just before the first tile that is laid after this many actions."""
    whole = load_record((GOLDEN / f"{name}.json").read_text("utf-8"))
    lays = (number for number, action in enumerate(whole.actions) if action.kind == "lay_tile")
    return load_record((GOLDEN / f"{name}.json").read_text("utf-8"), next(n for n in lays if n >= after))


def explore(game: Game) -> int:
    """Ask for every lay, and for the best routes of every company with a token; how many lays there are."""
    lays = [offer for offer in game.offers() if offer.kind == "lay_tile"]
    game.best_run()
    return sum(
        1 for lay in lays for _, here in Cursor(lay).ways() for _, tile in here.ways() for _ in tile.ways()
    )


async def play_a_little(service: TableService, number: int) -> None:
    """Look for lays and routes, make a move, undo it, write the whole log, and do so after a reload again."""
    for _ in range(2):
        async with service.tables.reading(number) as live:
            assert explore(live.game)
            mover = live.user_of(live.game.actors()[0])
        await service.do(number, mover, "pass")
        await service.undo(number, mover)
        await history_of(service.tables, number)
        service.tables.forget(number)


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("18chesapeake-bank-4p", 330),
        pytest.param("18al-price-3p", 200, marks=pytest.mark.long),
        pytest.param("18tn-bank-3p", 300, marks=pytest.mark.long),
    ],
)
async def test_nothing_stays_of_a_game_that_was_dropped(service: TableService, name: str, after: int) -> None:
    recorded = before_a_lay(name, after)
    people = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"), (DAN, "Dan"))
    number = await add_recorded(service.tables, recorded, TablePlace(GUILD, CHANNEL, people))
    before = alive()
    await play_a_little(service, number)
    assert alive() == before


async def test_the_longest_idle_game_leaves_when_there_are_too_many(service: TableService) -> None:
    shelf = GameCache(Locks(), most=2)
    lives = await _lives(service, 3)
    shelf.keep(lives[0])
    shelf.keep(lives[1])
    shelf.keep(lives[0])
    shelf.keep(lives[2])
    assert _cached(shelf, lives) == [True, False, True]


async def test_a_game_that_is_being_changed_or_waited_for_never_leaves(service: TableService) -> None:
    locks = Locks()
    shelf = GameCache(locks, most=1)
    lives = await _lives(service, 3)
    holding, waiting = lives[0], lives[1]
    async with locks.of(holding.id):
        shelf.keep(holding)
        first = asyncio.create_task(_hold(locks, waiting.id))
        second = asyncio.create_task(_hold(locks, waiting.id))
        await asyncio.sleep(0)
        shelf.keep(waiting)
        shelf.keep(lives[2])
        assert _cached(shelf, lives) == [True, True, False]
    await asyncio.gather(first, second)
    shelf.keep(lives[2])
    assert _cached(shelf, lives) == [False, False, True]


async def test_a_lock_is_there_as_long_as_it_is_used() -> None:
    locks = Locks()
    async with locks.of(1):
        assert 1 in locks
        assert locks.of(1).locked()
        assert 1 in locks, "to ask for it drops none that is held"
    assert 1 not in locks


async def test_a_game_that_left_is_read_again_when_asked_for(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service.tables, "_live", GameCache(Locks(), most=1))
    first = await service.game()
    await service.do(first, ANN, "bid", private="D&R", amount=20)
    digest = await service.digest(first)
    second = await service.game()
    await service.digest(second)
    assert service.tables.cached(first) is None
    assert await service.digest(first) == digest
    assert service.tables.cached(second) is None


async def test_many_games_asked_for_leave_a_limited_number_in_memory(service: TableService) -> None:
    [live] = await _lives(service, 1)
    shelf = GameCache(Locks())
    for number in range(MOST_LIVE + 50):
        shelf.keep(_numbered(live, number))
    assert len(shelf) == MOST_LIVE
    assert shelf.find(49) is None
    assert shelf.find(50) is not None


async def test_games_with_long_logs_leave_sooner(service: TableService) -> None:
    [live] = await _lives(service, 1)
    shelf = GameCache(Locks(), most_rows=100)
    for number in range(20):
        shelf.keep(replace(_numbered(live, number), counting=live.counting[:1] * 10))
    assert len(shelf) == 10
    assert shelf.find(9) is None
    assert shelf.find(10) is not None


async def test_after_a_start_a_game_of_each_title_is_taken_up_before_all_others(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = TablePlace(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"), (DAN, "Dan")))
    names = ("18chesapeake-bank-4p", "18chesapeake-bank-4p", "18al-price-3p")
    records = [load_record((GOLDEN / f"{name}.json").read_text("utf-8"), 1) for name in names]
    one, two, other = [await add_recorded(service.tables, record, place) for record in records]
    again, taken = TableService.on(service.db), list[int]()

    async def noted(db: Database, game_id: int, workers: Workers) -> LiveGame:
        taken.append(game_id)
        return await load(db, game_id, workers)

    monkeypatch.setattr("bot.table.games.loading.load", noted)
    await again.tables.review()
    assert taken == [one, other, two]


async def test_between_two_games_that_nobody_asked_for_a_pause_leaves_time_to_others(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _lives(service, 2)
    monkeypatch.setattr("bot.table.tables.GENTLY", 3600)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(service.tables.review(), 0.1)
    assert not service.tables.reviewed


async def test_a_live_game_is_read_again_where_another_process_may_have_changed_it(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moves anybody may have made; seats and pauses are changed by the process of the server alone."""
    monkeypatch.setattr(service.db, "shared", True)
    game, elsewhere = await service.game(), TableService.on(service.db)
    elsewhere.tables.share = shards.NOWHERE

    async def live(at: TableService) -> LiveGame:
        async with at.tables.reading(game) as found:
            return found

    here, there = await live(service), await live(elsewhere)
    assert await live(service) is here
    assert await live(elsewhere) is there
    await service.db.write(lambda tx: tx.run("UPDATE seats SET display_name = 'Anna' WHERE user_id = ?", ANN))
    assert await live(service) is here
    seated = await live(elsewhere)
    assert [seat.display_name for seat in seated.seats] == ["Anna", "Bob", "Cy"]
    await service.do(game, ANN, "pass")
    assert (await live(elsewhere)).seq == here.seq == 2
    await elsewhere.do(game, BOB, "pass")
    assert (await live(service)).seq == 3


def test_a_worker_keeps_the_positions_asked_about_last(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: OrderedDict[str, Game] = OrderedDict()
    monkeypatch.setattr(live_games, "_games", kept)
    texts = [Game("18chesapeake", THREE, seed).dump() for seed in range(live_games.KEPT + 1)]
    for text in (*texts[:-1], texts[0], texts[-1]):
        assert live_games._answered(text, Game.dump, ()) == text
    assert list(kept) == [*texts[2:-1], texts[0], texts[-1]]


def test_what_was_noted_last_stays() -> None:
    noted: BoundedDict[str, int] = BoundedDict(2)
    noted["a"], noted["b"] = 1, 2
    noted["a"] = 3
    noted["c"] = 4
    assert noted == {"a": 3, "c": 4}


async def _hold(locks: Locks, number: int) -> None:
    async with locks.of(number):
        await asyncio.sleep(0)


async def _lives(service: TableService, count: int) -> list[LiveGame]:
    lives = []
    for _ in range(count):
        async with service.tables.reading(await service.game()) as live:
            lives.append(live)
    return lives


def _numbered(live: LiveGame, number: int) -> LiveGame:
    return replace(live, row=replace(live.row, id=number))


async def test_who_waits_until_nobody_holds_a_lock_waits_for_each_of_them() -> None:
    locks = Locks()
    held = [locks.of(1), locks.of(2)]
    for lock in held:
        await lock.acquire()
    waiting = asyncio.create_task(locks.drain())
    for lock in held:
        await asyncio.sleep(0)
        assert not waiting.done()
        lock.release()
    await asyncio.wait_for(waiting, 10)


def _cached(shelf: GameCache, lives: Iterable[LiveGame]) -> list[bool]:
    return [shelf.find(live.id) is not None for live in lives]


def test_a_channel_stands_for_the_only_game_that_lost_its_thread_there() -> None:
    places = Places()
    places.show(100, 1)
    assert (places.game_in(100), places.game_in(7)) == (1, None)
    places.leave(100)
    places.leave(100)
    places.lose(1, 7)
    assert (places.game_in(100), places.game_in(7)) == (None, 1)
    places.lose(2, 7)
    assert (places.game_in(7), places.lost_in(7)) == (None, [1, 2])
    places.find(2)
    assert places.game_in(7) == 1
    assert [places.is_lost(game) for game in (1, 2)] == [True, False]
