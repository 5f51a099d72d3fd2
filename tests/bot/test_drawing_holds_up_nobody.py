"""The board has a lane of its own: while it is drawn and shown, lines and turns are posted."""

import asyncio

import pytest

from bot.client.pictures import Pictures
from engine.tell.views import MapView
from tests.bot.house import House


async def test_a_line_is_posted_while_the_board_is_still_being_drawn(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await house.game()
    drawing, drawn = asyncio.Event(), asyncio.Event()
    whole = Pictures.map

    async def slowly(self: Pictures, view: MapView, around: tuple[str, ...] = ()) -> bytes:
        drawing.set()
        await drawn.wait()
        return await whole(self, view, around)

    monkeypatch.setattr(Pictures, "map", slowly)
    await house.person("Ann").press(game.turn, "Pass")
    await asyncio.wait_for(drawing.wait(), 20)
    bob = house.person("Bob").mention
    assert await house.world.until(lambda: game.turn.content.startswith(bob), timeout=20)
    await house.person("Bob").press(game.turn, "Pass")
    try:
        assert await house.world.until(lambda: any("`3`" in line for line in game.lines), timeout=5)
    finally:
        drawn.set()
    await house.settled()
