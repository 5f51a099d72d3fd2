"""What a newcomer finds on the page: games to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bot.sandbox.guild.world import GAME_IN_PREPARATION
from bot.table.imports import read_recorded_game
from bot.tools.board_page import page_services
from bot.tools.environment import Environment
from bot.tools.sandbox_run import show_recorded_game
from bot.web.board_server import BoardPage
from tests.bot.support.sandbox_bot import SandboxBot
from tests.browser.board_room import OFTEN
from tests.browser.conftest import visiting
from tests.browser.visitor import Visitor
from tests.browser.windows import DESKTOP, PHONE

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.windows import Browser

GOLDEN = Path(__file__).parents[1] / "golden"


async def test_newcomer_watches_and_plays(visitor: Visitor, sandbox: SandboxBot) -> None:
    await visitor.keep("greeting")
    await visitor.press("Watch a recorded game")
    await visitor.sees("Recorded move 0 of 439")
    await visitor.press("Next move")
    await visitor.sees("Recorded move 1 of 439")
    await visitor.press("Next 10")
    await visitor.sees("Recorded move 11 of 439")
    assert await visitor.plays_as() == "Ann"
    await visitor.keep("watched")
    await visitor.press("Games")
    await visitor.press("Continue a game")
    await visitor.sees("Recorded move 181 of 405")
    await visitor.becomes("Bob")  # automatically: it is Bob's turn
    await visitor.press("Done with track")
    await visitor.sees("Best run")
    await visitor.keep("continued")
    # A move of one's own, and it is one's own game.
    await visitor.page.locator("#tape").wait_for(state="hidden")
    await visitor.page.reload()
    await visitor.sees("Best run")
    assert not await visitor.dialog().count(), "greeted once"


async def test_played_game_opens_without_a_greeting(
    browser: Browser, sandbox: SandboxBot, tmp_path: Path
) -> None:
    settings = Environment(STATIONMASTER_SANDBOX_STATE=tmp_path)
    recorded = read_recorded_game(GOLDEN / "18chesapeake-bank-4p.json", 1)
    sandbox.world.shown_channel_id = GAME_IN_PREPARATION
    async with visiting(browser, sandbox.server.url, PHONE, tmp_path) as visitor:
        assert not await visitor.dialog().count()
        await show_recorded_game(sandbox.client.tables, sandbox.world, recorded, settings)
        await visitor.sees("Game 1")
        await visitor.keep("opened")
    async with visiting(browser, sandbox.server.url, DESKTOP, tmp_path) as visitor:
        await visitor.sees("Game 1")
        assert not await visitor.dialog().count()


async def test_each_seat_leads_to_its_board(visitor: Visitor, sandbox: SandboxBot) -> None:
    """One browser plays every seat, and each seat has a page of its own."""
    await visitor.press("Continue a game")
    await visitor.sees("Recorded move 181 of 405")
    assert not await visitor.page.locator("#board").is_visible(), "no page is served"
    client = sandbox.client
    page = BoardPage(page_services(client), client.admission.rate_limiter, OFTEN)
    async with page.serving(0):
        await visitor.page.reload()
        pages = [await _opened(visitor, name) for name in ("Ann", "Bob")]
        for opened, name in zip(pages, ("Ann", "Bob"), strict=True):
            # Asked when both are open: neither has taken the place of the other.
            asked = "fetch(`${location.pathname}/position`).then((found) => found.json())"
            assert (await opened.evaluate(asked))["you"]["name"] == name
            heading = "Your turn: ABC" if name == "Bob" else "Waiting for Bob"
            await opened.locator("#play").get_by_role("heading", name=heading).wait_for()
            await opened.close()


async def _opened(visitor: Visitor, name: str) -> Page:
    """The board page that a seat's button opens."""
    await visitor.becomes(name)
    async with visitor.page.context.expect_page() as coming:
        await visitor.page.locator("#board").click()
    page = await coming.value
    await page.wait_for_url("**/board/**")
    await page.locator("#line").filter(has_text="Live").wait_for()
    return page
