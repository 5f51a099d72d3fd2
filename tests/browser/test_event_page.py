"""The page of an event in a browser: readable everywhere, and a row opens the games behind its numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.table.events.event_links import event_link
from tests.bot.events.seasons import NAMES, running_season
from tests.bot.support.table_service import ANN
from tests.browser.axe import violations
from tests.browser.board_room import Player, Room
from tests.browser.windows import DESKTOP, PHONE

if TYPE_CHECKING:
    from tests.browser.windows import Browser

ENTRANTS = [f"{name} {group}" for group in ("the Magnificent", "Two") for name in NAMES]


@pytest.mark.parametrize("width", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_event_page_opens_games(room: Room, browser: Browser, tmp_path: Path, width: int) -> None:
    """By day and at night."""
    event = await running_season(room.service, ENTRANTS, over=9)
    link = await event_link(room.service.tables, event.id, ANN)
    assert link is not None
    async with browser.window(
        width, tmp_path / "last.png", rest=f"{room.url}/board/static/board.css"
    ) as page:
        player = Player(page, tmp_path, pictures=browser.pictures)
        await page.goto(link)
        row = page.locator("details").first
        await row.locator("summary").click()
        for scheme in ("light", "dark"):
            await page.emulate_media(color_scheme=scheme)
            await player.keep(f"event-{width}-{scheme}")
            assert await violations(player) == []
        game = row.get_by_role("link").first
        title, _, number = (await game.inner_text()).partition(", ")
        await game.click()
        assert title in await page.locator(":target h4").inner_text()
        assert f"{number}, over" in await page.locator(":target").inner_text()
        await page.locator(":target").get_by_role("link", name="Board").click()
        await page.locator("#stage svg [id^=hex-]").first.wait_for(state="attached")
        assert player.troubles == []
        player.leave()
