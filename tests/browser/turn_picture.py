"""`python -m tests.browser.turn_picture FILE`: a turn message with its buttons, from the sandbox's page, as PNG."""

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from bot.tools.showcase import Showcase
from tests.bot.support.sandbox_bot import SandboxBot
from tests.browser.conftest import visiting
from tests.browser.windows import NAMES, Browser

WIDTH = 900
"""Pixels of the window; the picture is twice as sharp in print."""


async def draw(path: Path) -> None:
    """Open a game that ships with the bot in its middle, and take a picture of its last messages."""
    chromium = next(filter(None, map(shutil.which, NAMES)))
    with tempfile.TemporaryDirectory() as folder:
        async with (
            SandboxBot.opened(Path(folder) / "games.db") as sandbox,
            Browser.started(chromium) as browser,
        ):
            sandbox.world.offer(Showcase(sandbox.client.tables))
            async with visiting(browser, sandbox.server.url, WIDTH, Path(folder)) as visitor:
                await visitor.press("Continue a game")
                await visitor.sees("Recorded move 181 of 405")
                await visitor.becomes("Bob")
                await visitor.quiet()
                await visitor.page.locator(".message").last.screenshot(path=path)


if __name__ == "__main__":
    asyncio.run(draw(Path(sys.argv[1])))
