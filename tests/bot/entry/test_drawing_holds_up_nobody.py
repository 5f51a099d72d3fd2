"""While a board is drawn and shown, lines and turns are posted, and other tables have their pictures drawn."""

import asyncio

import pytest

from bot.client.pictures import Pictures
from bot.table import drawing
from engine.game import Game
from engine.tell.view_builders import map_view
from engine.tell.views import MapView, MarketView
from render import raster
from render.hexes import hex_art, label_plan
from render.maps import map_art
from tests.bot.support.sandbox_bot import SandboxBot


async def test_a_line_is_posted_while_the_board_is_still_being_drawn(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await sandbox.game()
    begun, drawn = asyncio.Event(), asyncio.Event()
    whole = Pictures.board

    async def slowly(self: Pictures, on_map: MapView, on_market: MarketView) -> tuple[bytes, bytes]:
        begun.set()
        await drawn.wait()
        return await whole(self, on_map, on_market)

    monkeypatch.setattr(Pictures, "board", slowly)
    await sandbox.person("Ann").press(game.turn, "Pass")
    await asyncio.wait_for(begun.wait(), 20)
    bob = sandbox.person("Bob").mention
    assert await sandbox.world.until(lambda: game.turn_text.startswith(bob), timeout=20)
    await sandbox.person("Bob").press(game.turn, "Pass")
    try:
        assert await sandbox.world.until(lambda: any("`3`" in line for line in game.lines), timeout=5)
    finally:
        drawn.set()
    await sandbox.settled()


async def test_another_table_has_its_turn_while_a_large_map_is_drawn_for_the_first_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drawing, "AT_ONCE", 60)
    for kept in (label_plan._plan, raster._stamp, hex_art.hex_items, map_art.hex_sprite):
        kept.cache_clear()
    pictures, done = Pictures(), []

    async def draw(title: str, server: int, *around: str) -> None:
        view = map_view(Game(title, [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cleo")], 1))
        await pictures.in_server(server).map(view, around)
        done.append(title)

    await asyncio.gather(draw("18newengland", 1), draw("18tn", 2, "F11"))
    assert done == ["18tn", "18newengland"]
