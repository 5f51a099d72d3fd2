"""`python -m tests.browser.turn_picture FILE`: a turn message with its buttons and the hexes to lay on, as PNG."""

import asyncio
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from playwright.async_api import FloatRect

from bot.table.imports import store_recorded_game
from bot.tools.showcase import SANDBOX_TABLE, Showcase
from tests.bot.support.sandbox_bot import SandboxBot
from tests.browser.conftest import visiting
from tests.browser.visitor import Visitor
from tests.browser.windows import NAMES, Browser
from tests.golden.positions import golden

WIDTH = 1000
"""Pixels of the window."""
GAME, PLAYED = "1830-bank-3p", 473
"""A company that may lay track in three places."""


async def draw(path: Path) -> None:
    """Open a recorded game, press "Lay track" and take a picture of both messages."""
    chromium = next(filter(None, map(shutil.which, NAMES)))
    with tempfile.TemporaryDirectory() as folder:
        async with (
            SandboxBot.opened(Path(folder) / "games.db") as sandbox,
            Browser.started(chromium) as browser,
        ):
            tables, record = sandbox.client.tables, golden(GAME)
            game = await store_recorded_game(
                tables, replace(record, actions=record.actions[:PLAYED]), SANDBOX_TABLE
            )
            await Showcase(tables).thread(game)
            await sandbox.settled()
            async with visiting(browser, sandbox.server.url, WIDTH, Path(folder)) as visitor:
                await visitor.page.get_by_text("1830 1").first.click()
                await visitor.becomes("Ann")
                await visitor.press("Lay track …")
                await visitor.quiet()
                await _last_two(visitor, path)


async def _last_two(visitor: Visitor, path: Path) -> None:
    await visitor.page.set_viewport_size({"width": WIDTH, "height": 1600})
    messages = visitor.page.locator(".message")
    first, last = [await messages.nth(n).bounding_box() for n in (await messages.count() - 2, -1)]
    assert first is not None
    assert last is not None
    clip = FloatRect(
        x=first["x"], y=first["y"], width=first["width"], height=last["y"] + last["height"] - first["y"]
    )
    await visitor.page.screenshot(path=path, clip=clip)


if __name__ == "__main__":
    asyncio.run(draw(Path(sys.argv[1])))
