"""From the turn message to the board and back: a link, a laid tile, and its line in the thread."""

from __future__ import annotations

from bot.tools.board_page import page_services
from bot.web.board_server import BoardPage
from tests.bot.support.sandbox_bot import SandboxBot
from tests.browser.board_room import OFTEN, Player
from tests.browser.visitor import Visitor


async def test_turn_message_leads_to_a_laid_tile(visitor: Visitor, sandbox: SandboxBot) -> None:
    client = sandbox.client
    async with BoardPage(page_services(client), client.admission.rate_limiter, OFTEN).serving(0):
        await visitor.press("Continue a game")
        await visitor.sees("Recorded move 181 of 405")
        await visitor.becomes("Bob")
        await visitor.quiet()
        await visitor.press("Board")
        link = visitor.page.locator(".message.ephemeral a[href*='/board/open/']").last
        await link.wait_for()
        async with visitor.page.context.expect_page() as opening:
            await link.click()
        board = Player(await opening.value, visitor.folder, pictures=visitor.pictures)
        await board.page.locator("#stage svg [id^=hex-]").first.wait_for()
        await board.rest()
        await board.press("Lay track")
        await board.hex("G6")
        await board.play.locator(".tile", has_text="#14").click()
        await board.rest()
        await board.keep("board")
        await board.confirm()
        assert board.troubles == []
        await sandbox.settled()
        await visitor.sees("lays #14")
