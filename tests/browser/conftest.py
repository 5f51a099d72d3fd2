"""A page of the sandbox in a real browser, where there is one: `pip install -e .[browser]` and a Chromium of the system."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tools.showcase import Showcase
from tests.bot.house import House
from tests.browser.visitor import Visitor

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture
def chromium() -> str:
    """The path of a browser; skips where there is none, or nothing to drive it."""
    if importlib.util.find_spec("playwright") is None:
        pytest.skip("playwright is not installed: pip install -e .[browser]")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"none of these browsers is installed: {', '.join(BROWSERS)}")
    return found


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A bot and a sandbox with the games that ship with it."""
    async with House.opened(tmp_path / "games.db") as opened:
        opened.world.shows = Showcase(opened.client.tables)
        yield opened


@pytest.fixture(params=[1280, 390], ids=["desktop", "phone"])
async def visitor(
    request: pytest.FixtureRequest, house: House, chromium: str, tmp_path: Path
) -> AsyncIterator[Visitor]:
    """Somebody who opens the page for the first time, in a window this wide."""
    from playwright.async_api import async_playwright

    size = {"width": request.param, "height": 800}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium)
        context = await browser.new_context(viewport=size, has_touch=request.param < 500)
        visitor = Visitor(await context.new_page(), tmp_path)
        await visitor.visit(house.server.url)
        yield visitor
        await visitor.page.screenshot(path=tmp_path / "last.png")
        await browser.close()
    assert visitor.troubles == []
