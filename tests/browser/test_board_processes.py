"""The board page of several processes: whichever serves it, a move reaches the one that makes the table's moves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest_asyncio

from storage import WHOLE, shards
from tests.bot.support.table_service import ANN
from tests.browser.board_room import Room, seated
from tests.browser.windows import DESKTOP

if TYPE_CHECKING:
    from tests.browser.windows import Browser


@pytest_asyncio.fixture(loop_scope="session")
async def standby(chromium: str, tmp_path: Path) -> AsyncIterator[Room]:
    """Tables at which this process makes no moves yet."""
    async with Room.opened(tmp_path / "games.db") as opened:
        yield opened


async def test_a_move_waits_until_the_process_takes_over(
    browser: Browser, standby: Room, tmp_path: Path
) -> None:
    """The page sends it again, and says meanwhile why that takes so long."""
    game = await standby.service.game()
    standby.service.tables.share = shards.NOWHERE
    async with seated(browser, await standby.link(game, ANN), DESKTOP, tmp_path) as ann:
        before = await standby.moves(game)
        await ann.play.get_by_role("button", name="Pass").click()
        await ann.page.locator("#waits", has_text="Your move is kept").wait_for()
        assert await standby.moves(game) == before
        standby.service.tables.share = WHOLE
        await ann.reads("Ann passes")
        await ann.page.locator("#waits").wait_for(state="detached")
        assert await standby.moves(game) == before + 1


async def test_a_decision_stays_where_no_process_makes_it(
    browser: Browser, standby: Room, tmp_path: Path
) -> None:
    """After many attempts the page says so, and the bid stands there to be sent by another press."""
    game = await standby.service.game()
    standby.service.tables.share = shards.NOWHERE
    async with seated(browser, await standby.link(game, ANN), DESKTOP, tmp_path, new=True) as ann:
        await ann.page.clock.install()
        await ann.sheet("cards")
        card = ann.page.locator(".card", has_text="Cornelius Vanderbilt")
        await card.get_by_role("button", name="Bid…").click()
        await ann.page.locator("#amount").fill("230")
        await ann.play.get_by_role("button", name="Go on").click()
        await ann.play.locator("[data-key=confirm]").click()
        said = ann.play.get_by_role("alert").filter(has_text="Nothing was done")
        while not await said.count():
            await ann.page.clock.run_for(5_000)
        assert await ann.page.locator("#waits").count() == 0
        standby.service.tables.share = WHOLE
        await ann.page.clock.resume()
        await ann.play.locator("[data-key=confirm]").click()
        await ann.reads("bids $230 on CV")
