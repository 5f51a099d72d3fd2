"""The page tells the truth about itself: live, asleep, cut off, older than its server."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest_asyncio

from tests.bot.support.table_service import ANN, BOB
from tests.browser.board_room import Player, Room
from tests.browser.relay import Relay
from tests.browser.windows import DESKTOP

if TYPE_CHECKING:
    from playwright.async_api import Page, Route

    from tests.browser.windows import Browser

SOON = 1.0
"""Seconds from one sign of life to the next."""
LONG = 20_000
"""Milliseconds after which a page has noticed silence, and has tried again."""
ATTEMPTS = 7
HIDDEN = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Hides a tab, or shows it again: without a screen the browser takes every tab for seen."""
TEXTS = """() => {
    const line = document.querySelector("#line");
    window.texts = [line.textContent];
    const note = () => { if (window.texts.at(-1) !== line.textContent) window.texts.push(line.textContent); };
    new MutationObserver(note).observe(line, { childList: true });
}"""
"""Notes what the line about the connection says from now on."""
EARLIER = "meta[name=version][content=earlier]"
RENEWED = "meta[name=version]:not([content=earlier])"
SHELL = re.compile(r"/board/\d+$")


@pytest_asyncio.fixture(loop_scope="session")
async def room(browser: Browser, tmp_path: Path) -> AsyncIterator[Room]:
    """Tables whose boards are served."""
    async with Room.opened(tmp_path, SOON, browser) as opened:
        yield opened


async def refuse(route: Route) -> None:
    """Let nothing through."""
    await route.abort()


async def outdate(route: Route) -> None:
    """The page as an earlier release had it."""
    answer = await route.fetch()
    text = re.sub('(?<=name="version" content=")[^"]*', "earlier", await answer.text())
    await route.fulfill(response=answer, body=text)


async def test_silent_stream_is_not_live(browser: Browser, room: Room, tmp_path: Path) -> None:
    """Nobody closes it: nothing comes any more."""
    game = await room.service.game()
    async with (
        Relay.before(room.url) as relay,
        browser.window(DESKTOP, tmp_path / "last.png", new=True) as page,
    ):
        await page.clock.install()
        bob = Player(page, tmp_path)
        await bob.open((await room.link(game, BOB)).replace(room.url, relay.url))
        relay.silent = True
        await page.clock.fast_forward(LONG)
        await page.locator("#line", has_text="Connection lost").wait_for()
        await room.service.pass_on(game)
        relay.silent = False
        await page.clock.fast_forward(LONG)
        await page.locator("#line", has_text="Live").wait_for()
        await bob.reads("Ann passes")


async def test_quiet_stream_stays_live(room: Room) -> None:
    """Nobody moves for longer than a dead stream is waited for."""
    async with room.seat(await room.service.game(), BOB) as bob:
        await bob.page.evaluate(TEXTS)
        await beats(bob.page, 4)
        assert await bob.page.evaluate("window.texts") == ["Live"]


async def test_first_load_waits_for_the_server(browser: Browser, room: Room, tmp_path: Path) -> None:
    """The page is there, and then nothing answers for longer than it asks again."""
    link = await room.link(await room.service.game(), BOB)
    async with browser.window(DESKTOP, tmp_path / "last.png", new=True) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url) if "/position" in request.url else None)
        await page.clock.install()
        for path in ("**/position*", "**/events*"):
            await page.route(path, refuse)
        await page.goto(link)
        while len(asked) < ATTEMPTS:
            await page.clock.fast_forward(LONG)
            await page.wait_for_timeout(20)
        await page.locator("#line", has_text="Connection lost").wait_for()
        for path in ("**/position*", "**/events*"):
            await page.unroute(path)
        await page.clock.fast_forward(LONG)
        await page.locator("#stage svg [id^=hex-]").first.wait_for()
        await page.locator("#line", has_text="Live").wait_for()


async def test_hidden_tab_takes_no_connection(room: Room) -> None:
    """A browser has six for all its tabs; one that is seen again shows what it has missed."""
    game = await room.service.game()
    async with room.seat(game, BOB, new=True) as bob:
        async with bob.page.expect_event("requestfailed", lambda one: "/events" in one.url):
            await bob.page.evaluate(HIDDEN, True)
        await room.service.pass_on(game)
        await bob.rest()
        assert await bob.page.locator("#log .line", has_text="Ann passes").count() == 0
        await bob.page.evaluate(HIDDEN, False)
        await bob.page.locator("#line", has_text="Live").wait_for()
        await bob.reads("Ann passes")


async def test_older_page_reloads(browser: Browser, room: Room, tmp_path: Path) -> None:
    game = await room.service.game()
    async with browser.window(DESKTOP, tmp_path / "last.png", new=True) as page:
        board = await entered(page, await room.link(game, BOB))
        await page.route(SHELL, outdate, times=1)
        await page.goto(board, wait_until="commit")
        await page.locator(RENEWED).wait_for(state="attached")
        await page.locator("#line", has_text="Live").wait_for()
        assert await page.locator("#renew").count() == 0


async def test_no_page_reloads_for_ever(browser: Browser, room: Room, tmp_path: Path) -> None:
    """Behind one address an older process may send the page, and a newer one the news."""
    game = await room.service.game()
    async with browser.window(DESKTOP, tmp_path / "last.png", new=True) as page:
        board, loads = await entered(page, await room.link(game, BOB)), list[str]()
        page.on("request", lambda request: loads.append(request.url) if SHELL.search(request.url) else None)
        await page.route(SHELL, outdate)
        await page.goto(board, wait_until="commit")
        await page.locator("#renew", has_text="newer version").wait_for()
        await beats(page, 3)
        # By its address, and one reload.
        assert len(loads) == 2


async def test_what_is_begun_outlasts_a_new_version(browser: Browser, room: Room, tmp_path: Path) -> None:
    """Once it is left the page reloads."""
    game = await room.service.game()
    async with browser.window(DESKTOP, tmp_path / "last.png", new=True) as page:
        ann, board = Player(page, tmp_path), await entered(page, await room.link(game, ANN))
        await page.route(SHELL, outdate, times=1)
        await page.route("**/events*", refuse)
        await page.goto(board, wait_until="commit")
        await ann.press("Bid…")
        await ann.press("CV")
        await page.unroute("**/events*")
        await page.locator("#renew").wait_for()
        await beats(page, 2)
        assert await page.locator(EARLIER).count() == 1
        await ann.press("Lowest")
        assert "Bid" in await ann.play.locator("[data-key=confirm]").inner_text()
        await ann.play.get_by_role("button", name="Cancel").click()
        await page.locator(RENEWED).wait_for(state="attached")


async def entered(page: Page, link: str) -> str:
    """Open a link; the address of the board to which it leads."""
    await page.goto(link)
    return page.url


async def beats(page: Page, count: int) -> None:
    """Wait for N signs of life of the server."""
    await page.evaluate(
        """(count) => new Promise((done) => {
            const source = new EventSource(`${location.pathname}/events`);
            source.addEventListener("alive", () => { if (--count === 0) { source.close(); done(); } });
        })""",
        count,
    )
