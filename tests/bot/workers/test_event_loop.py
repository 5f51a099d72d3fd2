"""The event loop is free while anything heavy is done: moves are made on it, searches and pictures are not."""

import asyncio
import gc
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.table.imports import moves_with_seated_players
from bot.table.moves.moves import OneClickMove
from bot.table.moves.turn_buttons import Buttons
from bot.table.orders.player_orders import give_order
from engine.core.actions import Action
from engine.orders.order_kinds import RunBest
from engine.record import read_record
from engine.tell.view_builders import map_part_in_play, map_view, market_view
from engine.titles import TITLES
from storage import seats
from tests.bot.support.positions import actor_of, played_to, seated_at
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import TableService

GOLDEN = Path(__file__).parents[2] / "golden"
LONGEST = (
    [("18c2c-bank-3p", 1409), pytest.param("18c2c_full-bank-2p", 3930, marks=pytest.mark.long)]
    if "18c2c" in TITLES
    else [("18newengland-bank-3p", 790)]
)
"""The games in which most must be worked out, up to an action near their end."""
LAST = 30
"""Moves of each that are made, in long runs all: by then the track is at its densest."""
HELD = 0.5
"""Seconds of the processor that no callback takes: ten times what is allowed, since a test machine may be slow."""
HEAVY = (
    "engine.play.steps.run_trains.best_run",
    "engine.caretaker.choose_move",
    "bot.table.moves.lays.lay_views",
    "bot.table.moves.menus.preview",
    "bot.table.drawing.render_map",
    "bot.table.drawing.render_numbered_tiles",
    "bot.table.drawing.render_numbered_hexes",
    "bot.table.moves.slot_values.map_view",
    "engine.tell.differences.run_changes",
)


class Loop:
    """Work of the event loop: the longest callback, and heavy work that was done on it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, heavy: Sequence[str] = HEAVY) -> None:
        self.longest = 0.0
        self.done_here, self.done_elsewhere = set[str](), set[str]()
        self._thread = threading.get_ident()
        self._patch, self._heavy = monkeypatch, heavy

    def begin(self) -> None:
        """Look from now on, when the position is there."""
        run = asyncio.events.Handle._run

        def timed(handle: asyncio.Handle) -> None:
            before = time.thread_time()
            run(handle)
            self.longest = max(self.longest, time.thread_time() - before)

        self._patch.setattr(asyncio.events.Handle, "_run", timed)
        for name in self._heavy:
            module, _, function = name.rpartition(".")
            found: Callable[..., Any] = getattr(__import__(module, fromlist=[function]), function)
            self._patch.setattr(name, self._guarded(name, found))

    def _guarded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*given: Any, **named: Any) -> Any:
            here = threading.get_ident() == self._thread
            (self.done_here if here else self.done_elsewhere).add(name)
            return function(*given, **named)

        return guarded


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loop]:
    """The event loop of the test; garbage of other tests is not looked through meanwhile."""
    gc.disable()
    yield Loop(monkeypatch)
    gc.enable()


@pytest.mark.parametrize(("name", "end"), LONGEST)
async def test_move_of_a_long_game_holds_no_loop(
    service: TableService, loop: Loop, name: str, end: int, whole_games: bool
) -> None:
    """Each is stored as a table stores it; then its buttons are found, and what its pictures show."""
    written = read_record((GOLDEN / f"{name}.json").read_text("utf-8"))
    start = 0 if whole_games else end - LAST
    number = await service.at(replace(written, actions=written.actions[:start]))
    actions = moves_with_seated_players(written, await seats.seats(service.db, number))
    buttons, made = Buttons(service.tables), start
    loop.begin()
    while made < end:
        made = await _made(service, number, actions[made], buttons)
    assert made == end
    assert loop.longest < HELD
    assert loop.done_here == set()
    assert "engine.play.steps.run_trains.best_run" in loop.done_elsewhere


async def _made(service: TableService, number: int, action: Action, buttons: Buttons) -> int:
    """Make a move, and prepare what is posted; how many were made, automatic ones among them."""
    async with service.tables.reading(number) as live:
        user = live.user_of(action.actor)
    await service.tables.submit(number, user, OneClickMove("", action))
    await buttons.search_routes(number)
    async with service.tables.reading(number) as live:
        assert live.game.is_over or await buttons.buttons_of(live)
        map_part_in_play(live.game, map_view(live.game))
        market_view(live.game)
        return live.game.seq


async def test_questions_are_worked_out_elsewhere(sandbox: SandboxBot, loop: Loop) -> None:
    game = await seated_at(sandbox, played_to("lay_tile"))
    name = actor_of(game)
    loop.begin()
    for command, values in (
        ("map", {"around": "F6"}),
        ("why", {"move": "lay", "details": "G5 57 2"}),
        ("what-if", {}),
        ("status", {}),
    ):
        result = await game.slash(name, command, **values)
        assert result.text or result.ephemeral, command
    asked = await game.press(name, "Lay track …")
    assert asked.ephemeral[0].attachments
    assert loop.done_here == set()
    assert {
        "bot.table.drawing.render_map",
        "bot.table.drawing.render_numbered_tiles",
        "bot.table.moves.lays.lay_views",
    } <= loop.done_elsewhere


async def test_best_routes_are_searched_elsewhere(sandbox: SandboxBot, loop: Loop) -> None:
    game = await seated_at(sandbox, played_to("run_routes"))
    name = actor_of(game)
    loop.begin()
    assert "Other routes" in (await game.slash(name, "run")).text
    assert loop.done_here == set()
    assert {
        "engine.play.steps.run_trains.best_run",
        "bot.table.moves.slot_values.map_view",
    } <= loop.done_elsewhere


async def test_order_to_run_searches_elsewhere(service: TableService, loop: Loop) -> None:
    record = played_to("run_routes")
    number = await service.at(record)
    async with service.tables.reading(number) as live:
        [offer] = [one for one in live.game.offers() if one.kind == "run_routes"]
        user = live.user_of(offer.actor)
    loop.begin()
    order = RunBest(company=offer.entity, dividend="pay")
    await give_order(service.tables, number, user, lambda *_: order)
    async with service.tables.reading(number) as live:
        assert live.seq > len(record.actions) + 1
    assert loop.done_here == set()
    assert "engine.play.steps.run_trains.best_run" in loop.done_elsewhere
