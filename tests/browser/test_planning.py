"""A plan on the map: one's own, kept in the browser, judged anew with every position, shared as a link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bot.support.table_service import BOB
from tests.browser.axe import violations
from tests.browser.board_room import Player, Room
from tests.browser.test_board_page import BY_PHONE
from tests.browser.windows import DESKTOP

if TYPE_CHECKING:
    from playwright.async_api import Locator

TRACK = ("18al-price-3p", 150)
"""Ann is on turn with M&O, which runs two 3-trains for $90."""
LINK = "#company=M%26O&trains=4D&plan=K2:5:1,G4:441a:0,L5:57:0,L5:444m:2"
"""Track that lies there already, a tile, one that does not fit, and one of a later phase."""


def _parts(player: Player) -> Locator:
    return player.page.locator("#panel-plan .parts li")


def _run(player: Player) -> Locator:
    return player.page.get_by_role("region", name="Best run")


async def test_plan_is_kept_in_the_browser(room: Room) -> None:
    """Off turn; the other sheets show the map as it is."""
    async with room.seat(await room.recorded(*TRACK), BOB, DESKTOP) as bob:
        await bob.sheet("plan")
        await bob.hex("G4")
        await bob.page.locator("#panel-plan .tile").click()
        await bob.page.locator("[data-key=plan-tile]").click()
        await bob.rest()
        await bob.page.reload()
        await bob.page.locator("#line", has_text="Live").wait_for()
        await bob.sheet("plan")
        assert await _parts(bob).all_inner_texts() == ["×\n#441a on G4 (Birmingham), track S, $60"]
        planned = bob.page.locator("#hex-G4[aria-label*='441a']")
        assert await planned.count() == 1
        await bob.keep("plan")
        await bob.sheet("table")
        assert await planned.count() == 0


@BY_PHONE
async def test_link_shows_a_plan_to_spectators(room: Room, width: int) -> None:
    game = await room.recorded(*TRACK)
    async with room.seat(game, None, width) as watcher:
        await watcher.page.goto(f"{room.url}/board/{game}{LINK}")
        await watcher.page.locator("[data-key=mine]").wait_for()
        await watcher.rest()
        texts = [text.split("\n", 1)[1] for text in await _parts(watcher).all_inner_texts()]
        assert texts[0] == "#441a on G4 (Birmingham), track S, $60"
        assert "Tile 57 may not be laid in L5 next." in texts[1]
        assert "Brown tiles come in phase 5." in texts[2]
        assert await watcher.page.locator(".ring.misfit").count() == 1
        assert "Best run $180" in await _run(watcher).inner_text()
        await watcher.page.locator("[data-key=keep]").click()
        await watcher.page.locator("#notices", has_text="came true: #5 on K2").wait_for()
        await watcher.rest()
        assert await violations(watcher) == []
        await watcher.keep(f"shared-{width}")


async def test_run_and_dividends_of_any_trains(room: Room) -> None:
    async with room.seat(await room.recorded(*TRACK), None, DESKTOP) as watcher:
        await watcher.sheet("plan")
        assert "Best run $90" in await _run(watcher).inner_text()
        await watcher.page.locator("[data-key='train-4D']").fill("1")
        await watcher.page.locator("[data-key='train-3']").fill("0")
        await _run(watcher).get_by_text("Best run $180").wait_for()
        last = watcher.page.locator("#panel-plan tbody tr").last
        assert await last.locator("td, th").all_inner_texts() == [
            *("$180", "$18", "$90", "$0", "$18", "$0", "$80", "$70")
        ]
