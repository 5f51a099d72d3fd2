"""The log of the board page: rounds, companies, bids of computers, hexes of a line."""

from __future__ import annotations

from bot.table.orders.caretakers import play_caretakers
from tests.bot.orders.caretaken import against
from tests.bot.support.table_service import ANN
from tests.browser.axe import violations
from tests.browser.board_room import Room

TRACK = ("18chesapeake-bankruptcy-3p", 250)


async def test_log_has_headers_and_filters_companies(room: Room) -> None:
    game = await room.recorded(*TRACK)
    async with room.seat(game, None) as watcher:
        log = watcher.page.locator("#log")
        assert await log.locator(".round strong").last.inner_text() == "OR 10.2"
        assert await log.locator(".line .seq").last.inner_text() == "251"
        await log.get_by_label("Whose moves").select_option(label="B&O")
        lines = await log.locator(".line").all_inner_texts()
        assert lines
        assert all("B&O" in line for line in lines)
        assert await violations(watcher, "#log") == []


async def test_line_marks_its_hexes_and_shows_its_move(room: Room) -> None:
    game = await room.recorded(*TRACK)
    async with room.seat(game, None) as watcher:
        line, rings = (
            watcher.page.locator("#log .line", has_text="lays #8 (rotation 4) on E9"),
            watcher.page.locator("#stage .ring.told"),
        )
        await line.focus()
        assert await rings.count() == 1
        await line.press("Enter")
        await watcher.page.locator("#past.back").wait_for()
        await watcher.page.locator("#nearer").focus()
        assert await rings.count() == 0
        await watcher.page.locator("#past input[type=range]").fill("20")
        await watcher.page.locator("#log [data-seq='21'][aria-current]").wait_for()


async def test_bids_of_computers_are_folded(room: Room) -> None:
    game = await against(room.service, "apprentice", "apprentice", "apprentice")
    async with room.seat(game, ANN) as ann:
        await ann.press("^Pass")
        await play_caretakers(room.service.tables, game)
        folded = ann.page.locator("#log summary", has_text="by computer players")
        await folded.wait_for()
        lines = ann.page.locator("#log details .line")
        assert not await lines.first.is_visible()
        await folded.click()
        assert await lines.count() == 3
        assert await lines.first.is_visible()
