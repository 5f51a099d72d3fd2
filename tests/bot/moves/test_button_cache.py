"""The buttons of a position: found once, and by a worker where routes are searched for."""

from collections.abc import Callable

import pytest

from bot.table.games.imported import Place, add_recorded
from bot.table.moves.button_cache import Buttons
from bot.table.moves.turn_buttons import offered
from engine.game import Game
from tests.bot.support.positions import played_to
from tests.bot.support.tables import ANN, BOB, CHANNEL, CY, GUILD, Bench

PLACE = Place(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")))


async def test_buttons_are_found_once_for_a_position(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that need a search are asked for beforehand, while the game is free."""
    asked: list[str] = []

    async def answered(workers: object, queue: object, text: str, function: Callable[..., object]) -> object:
        asked.append(text)
        return function(Game.load(text))

    monkeypatch.setattr("bot.table.moves.button_cache.ask", answered)
    number = await add_recorded(bench.tables, played_to("run_routes"), PLACE)
    buttons = Buttons(bench.tables)
    await buttons.search(number)
    assert asked == []
    async with bench.tables.reading(number) as live:
        assert buttons.known(live) is None
    for _ in range(2):
        await buttons.search(number)
    async with bench.tables.reading(number) as live:
        assert buttons.known(live) == await buttons.of(live) == offered(live.game)
    assert len(asked) == 1


async def test_buttons_without_a_search_are_known_at_once(bench: Bench) -> None:
    game, buttons = await bench.game(), Buttons(bench.tables)
    async with bench.tables.reading(game) as live:
        assert buttons.known(live) == await buttons.of(live) == offered(live.game)
