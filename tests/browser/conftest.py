"""A page of the sandbox in a real browser, where the system has a Chromium.

One browser is started for all tests, so all of them share one event loop.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio

from bot.client.features.events.posts import advance_event_safely
from bot.sandbox.redirect import discord_redirected_to
from bot.sandbox.server import LoopbackServer
from bot.tools.showcase import Showcase
from tests.bot.sandbox.toy import Toy
from tests.bot.support.sandbox_bot import SandboxBot
from tests.browser.board_room import Room
from tests.browser.visitor import Visitor
from tests.browser.windows import DESKTOP, NAMES, PHONE, Browser

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a browser; skips where the system has none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"none of these browsers is installed: {', '.join(NAMES)}")
    return found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chromium: str, pytestconfig: pytest.Config) -> AsyncIterator[Browser]:
    """The browser of all tests; in long runs it takes pictures."""
    async with Browser.started(chromium, pictures=pytestconfig.getoption("--games") > 1) as started:
        yield started


@pytest_asyncio.fixture(loop_scope="session")
async def room(browser: Browser, tmp_path: Path) -> AsyncIterator[Room]:
    """Tables whose boards are served."""
    async with Room.opened(tmp_path, browser=browser) as opened:
        yield opened


@asynccontextmanager
async def visiting(browser: Browser, url: str, width: int, folder: Path) -> AsyncIterator[Visitor]:
    """Somebody who opens the page for the first time, in a window this wide."""
    async with browser.window(width, folder / "last.png") as page:
        visitor = Visitor(page, folder, pictures=browser.pictures)
        await visitor.visit(url)
        yield visitor
        visitor.leave()
        assert visitor.troubles == []


@pytest_asyncio.fixture(loop_scope="session")
async def sandbox(chromium: str, tmp_path: Path) -> AsyncIterator[SandboxBot]:
    """A bot, and a sandbox with the games that ship with it."""
    async with SandboxBot.opened(tmp_path / "games.db") as opened:
        opened.world.offer_games(Showcase(opened.client.tables, partial(advance_event_safely, opened.client)))
        yield opened


@pytest_asyncio.fixture(
    loop_scope="session",
    params=[DESKTOP, pytest.param(PHONE, marks=pytest.mark.long)],
    ids=["desktop", "phone"],
)
async def visitor(
    request: pytest.FixtureRequest, sandbox: SandboxBot, browser: Browser, tmp_path: Path
) -> AsyncIterator[Visitor]:
    """Somebody at the house, with a desk; in long runs, and where a test says so, with a phone."""
    async with visiting(browser, sandbox.server.url, request.param, tmp_path) as visitor:
        yield visitor


@pytest_asyncio.fixture(loop_scope="session")
async def server(chromium: str) -> AsyncIterator[LoopbackServer]:
    """A sandbox in which nothing is posted but by the test."""
    async with LoopbackServer() as server:
        with discord_redirected_to(server.url):
            yield server


@pytest_asyncio.fixture(loop_scope="session")
async def bot(server: LoopbackServer) -> AsyncIterator[Toy]:
    """A small bot in it."""
    bot = Toy()
    running = asyncio.create_task(bot.start(server.token))
    await server.wait_until_ready()
    await bot.wait_until_ready()
    yield bot
    await bot.close()
    await running


@pytest_asyncio.fixture(loop_scope="session")
async def guest(browser: Browser, server: LoopbackServer, tmp_path: Path) -> AsyncIterator[Visitor]:
    """Somebody with a desk, at that sandbox."""
    async with visiting(browser, server.url, DESKTOP, tmp_path) as visitor:
        yield visitor
