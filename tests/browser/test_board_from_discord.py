"""From the turn message to the board and back: a link, a laid tile, and its line in the thread."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest_asyncio

from bot.tools.board_page import behind_page
from bot.web.board_server import BoardPage
from tests.bot.support.sandbox_bot import SandboxBot
from tests.browser.board_room import Player
from tests.browser.visitor import Visitor

if TYPE_CHECKING:
    from playwright.async_api import Page

OFTEN = 1000.0
"""Requests that may be made at once: nobody is slowed down."""


@pytest_asyncio.fixture(loop_scope="session")
async def boards(sandbox: SandboxBot) -> AsyncIterator[SandboxBot]:
    """A house whose bot serves boards, too."""
    client = sandbox.client
    page = BoardPage(behind_page(client), client.admission.rate_limiter, OFTEN)
    async with page.serving(0):
        yield sandbox


async def on_turn(visitor: Visitor) -> None:
    """Open a game in its middle and sit down as who is on turn."""
    await visitor.press("Continue a game")
    await visitor.sees("Recorded move 181 of 405")
    await visitor.becomes("Bob")
    await visitor.quiet()


async def test_turn_message_leads_to_a_laid_tile(visitor: Visitor, boards: SandboxBot) -> None:
    await on_turn(visitor)
    await visitor.press("Board")
    link = visitor.page.locator(".message.ephemeral a[href*='/board/open/']").last
    await link.wait_for()
    async with visitor.page.context.expect_page() as opening:
        await link.click()
    await lay(visitor, await opening.value)
    await boards.settled()
    await visitor.sees("lays #14")


async def test_table_of_the_sandbox_has_its_board(visitor: Visitor, boards: SandboxBot) -> None:
    await on_turn(visitor)
    async with visitor.page.context.expect_page() as opening:
        await visitor.page.locator("#board").click()
    board = Player(await opening.value, visitor.folder)
    await board.page.locator("#stage svg [id^=hex-]").first.wait_for()
    await board.play.get_by_role("heading", name="Your turn: ABC").wait_for()
    assert board.troubles == []


async def lay(visitor: Visitor, page: Page) -> None:
    """Lay the first tile that may come to G6."""
    board = Player(page, visitor.folder, pictures=visitor.pictures)
    await board.page.locator("#stage svg [id^=hex-]").first.wait_for()
    await board.rest()
    await board.press("Lay track")
    await board.hex("G6")
    await board.play.locator(".tile", has_text="#14").click()
    await board.rest()
    await board.keep("board")
    await board.confirm()
    assert board.troubles == []
