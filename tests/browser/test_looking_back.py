"""Looking back is cheap and true: few questions, the newest counts, and each answer is about the position shown.

A plan looks ahead: one's own, kept in the browser, judged anew with every position, shared as a link.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bot.support.table_service import ANN, BOB
from tests.browser.axe import violations
from tests.browser.board_room import Player, Room, seated
from tests.browser.test_board_page import BY_PHONE
from tests.browser.windows import DESKTOP

if TYPE_CHECKING:
    from playwright.async_api import Locator, Route

    from tests.browser.windows import Browser

LATE = ("18al-price-3p", 181)
TRACK = ("18al-price-3p", 97)
ONE_KIND = ("18al-price-3p", 135)
"""One kind of tile fits L5, in four directions."""
STEPS = 20
MERGERS = ("18newengland-bank-3p", 260)
SAME_AS_SENT = """async (at) => {
    const found = await (await fetch(`${location.pathname.replace("/film", "")}/position?at=${at}&theme=ours`)).json();
    const lines = (roots) => roots.flatMap((root) => [...root.children])
        .map((node) => new XMLSerializer().serializeToString(node).replace(/ tabindex="-?\\d"|\\n/g, ""));
    const sent = new DOMParser().parseFromString(found.map.svg, "image/svg+xml").documentElement;
    const shown = [...document.querySelectorAll("#stage svg:not(.cover)")];
    return JSON.stringify(lines([sent])) === JSON.stringify(lines(shown));
}"""
"""True if the map on the page, which was changed line by line, is what the server draws of that position."""
APART = 150
"""Milliseconds between two steps of a hand that does not rest."""
PLANNED = ("18al-price-3p", 149)
"""Ann is on turn with M&O, which is about to lay #5 in K2."""
LINK = "#company=M%26O&trains=4D&plan=K2:5:1,K2:15:0,L5:57:0,L5:444m:2"
"""That tile and an upgrade, a tile that does not fit, and one of a later phase."""


async def test_slide_asks_for_one_position(browser: Browser, room: Room, tmp_path: Path) -> None:
    """That at which the hand rests."""
    game = await room.recorded(*LATE)
    async with browser.window(DESKTOP, tmp_path / "last.png", new=True) as page:
        await page.clock.install()
        await Player(page, tmp_path).open(await room.link(game, ANN))
        asked: list[str] = []
        page.on("request", lambda one: asked.append(one.url) if "?at=" in one.url else None)
        await page.locator("#past input[type=range]").focus()
        soon = await page.evaluate("Date.now() / 1000 + 1")
        await page.clock.pause_at(datetime.fromtimestamp(soon, UTC))
        for _ in range(STEPS):
            await page.keyboard.press("ArrowLeft")
            await page.clock.run_for(APART)
        assert asked == []
        await page.clock.resume()
        await page.locator("#whose", has_text="Earlier position").wait_for()
        assert len(asked) == 1
        assert await page.locator("#past .move", has_text=f"Move {LATE[1] + 1 - STEPS} of").count() == 1


async def test_redrawn_map_is_the_servers(room: Room) -> None:
    """After steps of one move and of many, in both directions."""
    game = await room.recorded(*MERGERS)
    async with room.seat(game, None) as watcher:
        for move in (255, 140, 139, 200, 20):
            async with watcher.page.expect_response("**/position*"):
                await watcher.page.locator("#past input[type=range]").fill(str(move))
            await watcher.rest()
            assert await watcher.page.evaluate(SAME_AS_SENT, move + 1)


async def test_position_no_longer_wanted_is_given_up(room: Room) -> None:
    """The first question stays on the way; the next move of the hand ends it."""
    game = await room.recorded(*LATE)
    async with room.seat(game, ANN, new=True) as ann:
        held = asyncio.Event()

        async def hold(route: Route) -> None:
            await held.wait()
            await route.continue_()

        await ann.page.route("**/position*", hold, times=1)
        async with ann.page.expect_event("requestfailed", lambda one: "/position" in one.url, timeout=20_000):
            back = ann.page.get_by_role("button", name="One move back")
            async with ann.page.expect_request("**/position*"):
                await back.dispatch_event("click")
            await ann.page.locator("#past input[type=range]").fill("20")
        held.set()
        await ann.page.locator("#past .move", has_text="Move 21 of").wait_for()
        await ann.page.locator("#whose", has_text="Earlier position").wait_for()


async def test_card_of_a_hex_follows_the_game(browser: Browser, room: Room, tmp_path: Path) -> None:
    """It stays open while a tile is laid there, and looks back with the map."""
    game = await room.recorded(*TRACK)
    link = await room.link(game, await room.acting(game))
    async with (
        room.seat(game, None) as watcher,
        seated(browser, link, DESKTOP, tmp_path) as cy,
    ):
        card = watcher.page.locator("#hex")
        await watcher.hex("B3")
        await card.locator("h2", has_text="B3").wait_for()
        assert "7, yellow" not in await card.inner_text()
        await cy.hex("B3")
        await cy.play.locator(".tile").first.click()
        await cy.confirm()
        await watcher.reads("lays #7")
        await card.get_by_text("7, yellow").wait_for(timeout=20_000)
        await watcher.page.get_by_role("button", name="One move back").click()
        await card.get_by_text("7, yellow").wait_for(state="detached", timeout=20_000)


async def test_only_tile_that_fits_is_shown(room: Room) -> None:
    game = await room.recorded(*ONE_KIND)
    async with room.seat(game, await room.acting(game)) as player:
        await player.hex("L5")
        await player.play.locator(".tile").wait_for()
        await player.play.locator("[data-key=confirm]").wait_for()
        await player.page.locator("#stage .over > g").wait_for(state="attached")
        assert await player.play.locator(".tile").count() == 1


# --- looking ahead --------------------------------------------------------------------------------------------------


def _parts(player: Player) -> Locator:
    return player.page.locator("#panel-plan .parts li")


def _run(player: Player) -> Locator:
    return player.page.get_by_role("region", name="Best run")


async def test_plan_is_kept_in_the_browser(room: Room) -> None:
    """Off turn; the other sheets show the map as it is."""
    async with room.seat(await room.recorded(*PLANNED), BOB, DESKTOP) as bob:
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
        await bob.page.locator("[data-key=bare]").check()
        await bob.rest()
        assert await planned.count() == 0
        await bob.keep("plan")
        await bob.sheet("table")
        assert await planned.count() == 0


@BY_PHONE
async def test_link_shows_a_plan_to_spectators(room: Room, width: int) -> None:
    """As their own it follows the game."""
    game = await room.recorded(*PLANNED)
    async with room.seat(game, None, width) as watcher:
        await watcher.page.goto(f"{room.url}/board/{game}{LINK}")
        await watcher.page.locator("[data-key=keep]").click()
        await watcher.rest()
        texts = [text.split("\n", 1)[1] for text in await _parts(watcher).all_inner_texts()]
        assert texts[:2] == ["#5 on K2 (York), track SW-NW", "#15 on K2 (York), track S-SW-NW-N"]
        assert "Tile 57 may not be laid in L5 next." in texts[2]
        assert "Brown tiles come in phase 5." in texts[3]
        assert await watcher.page.locator(".ring.misfit").count() == 1
        await room.service.do(game, ANN, "lay_tile", hex="K2", tile="5", rotation=1)
        await watcher.page.locator("#notices", has_text="no longer in your plan: #5 on K2").wait_for()
        await watcher.rest()
        assert await _parts(watcher).count() == 3
        assert await violations(watcher) == []
        await watcher.keep(f"shared-{width}")


async def test_run_and_dividends_of_any_trains(room: Room) -> None:
    async with room.seat(await room.recorded(*PLANNED), None, DESKTOP) as watcher:
        await watcher.sheet("plan")
        assert "Best run $70" in await _run(watcher).inner_text()
        await watcher.page.locator("[data-key='train-4D']").fill("1")
        await watcher.page.locator("[data-key='train-3']").fill("0")
        await _run(watcher).get_by_text("Best run $140").wait_for()
        last = watcher.page.locator("#panel-plan tbody tr").last
        assert await last.locator("td, th").all_inner_texts() == [
            *("$140", "$14", "$70", "$0", "$14", "$0", "$80", "$70")
        ]
