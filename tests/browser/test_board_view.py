"""What is seen of a board: the map in every size, the table of all companies, and earlier positions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.bot.support.table_service import BOB
from tests.browser.axe import violations
from tests.browser.board_room import Player, Room, seated
from tests.browser.test_board_page import DEVELOPED, LATE, WIDTHS
from tests.browser.windows import DESKTOP, HEIGHT, PHONE

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Route

    from tests.browser.windows import Browser

MAP_WIDTH = "() => Math.round(document.querySelector('#stage svg').getBoundingClientRect().width)"
PLACE_WIDTH = "() => document.querySelector('#stage').clientWidth"
MARK_HEXES = "() => document.querySelectorAll('#stage [id^=hex-]').forEach((node) => { node.isOld = true; })"
MARK_SPACES = MARK_HEXES.replace("#stage [id^=hex-]", "[id^=space-]")
UNMARKED_SPACES = """() => [...document.querySelectorAll("[id^=space-]")]
    .filter((node) => !node.isOld).map((node) => node.id)"""
UNMARKED_HEXES = """() => [...document.querySelectorAll("#stage [id^=hex-]")]
    .filter((node) => !node.isOld).map((node) => node.id)"""
STILL = """() => Promise.all(document.getAnimations().map((one) => one.finished))
    .then(() => new Promise((done) => setTimeout(done, 100)))"""
MIDDLE_OF_PLACE = """() => {
    const box = document.querySelector("#stage").getBoundingClientRect();
    const scale = document.querySelector("#stage svg").getScreenCTM();
    const middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(scale.inverse());
    return [scale.a, middle.x, middle.y].map((number) => Math.round(100 * number) / 100);
}"""
"""The scale of the map, and the point of it in the middle of its place."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def late(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Room, int]]:
    """A game that nobody moves in, for all who only look at it."""
    async with Room.opened(tmp_path_factory.mktemp("late"), browser=browser) as room:
        yield room, await room.recorded(*LATE)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def watcher(late: tuple[Room, int]) -> AsyncIterator[Player]:
    """A spectator with a phone."""
    room, game = late
    async with room.seat(game, None, PHONE) as player:
        yield player


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def bob(late: tuple[Room, int]) -> AsyncIterator[Player]:
    """The player on turn, with a phone."""
    room, game = late
    async with room.seat(game, BOB, PHONE) as player:
        yield player


async def test_full_table_fits(browser: Browser, room: Room, tmp_path: Path) -> None:
    """Eight players with long names, who all hold shares of every company, of which each has four trains."""
    game = await room.recorded(*DEVELOPED)

    async def crowded(route: Route) -> None:
        answer = await route.fetch()
        found = await answer.json()
        table = found["table"]
        names = [f"Benjamin Featherstonehaugh {number}" for number in range(8)]
        table["players"] = [
            {**table["players"][0], "player": f"p{i}", "name": name} for i, name in enumerate(names, 1)
        ]
        for company in table["companies"]:
            company["holders"] = [[name, 100, name == names[0]] for name in names]
            company["trains"] = [["6D", None]] * 4
            company |= {
                "treasury": 12_345,
                "price": 300,
                "par": 100,
                "offering_percent": 10,
                "market_percent": 10,
            }
        await route.fulfill(response=answer, json=found)

    link = await room.link(game, None)
    async with seated(browser, link, DESKTOP, tmp_path, routes={"**/position*": crowded}) as watcher:
        for width in (DESKTOP, PHONE):
            await watcher.page.set_viewport_size({"width": width, "height": HEIGHT})
            await watcher.sheet("table")
            await watcher.page.locator("td.trains .train").first.wait_for()
            await watcher.keep(f"crowded-{width}")
            wide = await watcher.page.locator("#panel-table").bounding_box()
            last = await watcher.page.locator("#panel-table td.run:visible").first.bounding_box()
            assert wide is not None
            assert last is not None
            assert last["x"] + last["width"] <= wide["x"] + wide["width"]


@WIDTHS
async def test_map_is_as_wide_as_its_place(room: Room, width: int) -> None:
    async with room.seat(await room.service.game(), None, width) as watcher:
        await watcher.see_map()
        assert await watcher.page.evaluate(MAP_WIDTH) == await watcher.page.evaluate(PLACE_WIDTH)


async def test_map_keeps_its_middle_in_the_next_round(room: Room) -> None:
    """The pane below it has another height then."""
    game = await room.recorded("18chesapeake-bankruptcy-3p", 76)
    async with room.seat(game, None) as watcher:
        await watcher.page.locator("#nearer").click()
        await watcher.rest()
        before = await watcher.page.evaluate(MIDDLE_OF_PLACE)
        await room.service.pass_on(game)
        await watcher.page.locator("#panel-table").wait_for()
        await watcher.page.evaluate(STILL)
        assert await watcher.page.evaluate(MIDDLE_OF_PLACE) == pytest.approx(before, abs=2)


async def test_sheet_of_the_round_is_above_on_a_phone(room: Room) -> None:
    """The cards of an auction, the market in a stock round; its tab opens the map, which is above in between."""
    for sheet, game in (
        ("cards", await room.service.game()),
        ("market", await room.recorded("18chesapeake-bankruptcy-3p", 40)),
    ):
        async with room.seat(game, await room.acting(game), PHONE) as player:
            assert await player.page.locator("#panel-" + sheet).is_visible()
            assert await player.play.is_visible()
            await player.keep(f"above-{sheet}")
            assert await violations(player) == []
            await player.sheet(sheet)
            assert await player.page.locator("#map").is_visible()
            await player.sheet("table")
            assert not await player.page.locator("#map").is_visible()


async def _go(watcher: Player, move: int) -> None:
    """Look at the position after a move."""
    async with watcher.page.expect_response("**/position*"):
        await watcher.page.locator("#past input[type=range]").fill(str(move))
    await watcher.rest()


async def test_market_that_grows_keeps_its_spaces(room: Room) -> None:
    """Its picture is higher then: only the spaces that changed are drawn again."""
    game = await room.recorded("18al-price-3p", 165)
    async with room.seat(game, None) as watcher:
        await _go(watcher, 162)
        await watcher.sheet("market")
        await watcher.page.evaluate(MARK_SPACES)
        low = await watcher.page.locator("#panel-market svg").first.get_attribute("height")
        await _go(watcher, 163)
        assert await watcher.page.locator("#panel-market svg").first.get_attribute("height") != low
        assert len(await watcher.page.evaluate(UNMARKED_SPACES)) < 4


async def test_move_of_another_redraws_no_other_hex(room: Room) -> None:
    game = await room.recorded("18c2c_full-bank-2p", 597)
    async with room.seat(game, None) as watcher:
        await watcher.page.evaluate(MARK_HEXES)
        await room.service.do(game, BOB, "lay_tile", hex="E82", tile="7", rotation=1)
        await watcher.reads("lays #7 (rotation 1) on E82")
        await watcher.rest()
        assert await watcher.page.evaluate(UNMARKED_HEXES) == ["hex-E82"]
        assert "tile 7" in (await watcher.page.locator("#hex-E82").get_attribute("aria-label") or "")


# --- a spectator -----------------------------------------------------------------------------------------------------


async def test_hex_says_what_lies_there(watcher: Player) -> None:
    await watcher.hex("L5")
    panel = watcher.page.locator("#hex")
    await panel.locator("h2", has_text="L5 Montgomery").wait_for()
    assert "Possible tiles" in await panel.inner_text()
    await watcher.keep("hex")
    await panel.get_by_role("button", name="Close").click()
    assert not await panel.is_visible()
    await watcher.sheet("play")
    await watcher.play.get_by_text("You are a spectator.").wait_for()
    assert await watcher.page.locator("#stage .ring.legal").count() == 0


async def test_best_run_is_drawn_over_the_map(watcher: Player) -> None:
    await watcher.sheet("table")
    await watcher.page.locator("[data-key=company-ABC]").click()
    await watcher.page.get_by_role("button", name="Show its best run").click()
    banner = watcher.page.locator("#banner", has_text="best run $")
    await banner.wait_for()
    await watcher.keep("best")
    await banner.get_by_role("button", name="Close").click()


async def test_two_fingers_zoom(watcher: Player) -> None:
    await watcher.page.locator("#whole").click()
    hexagon = watcher.page.locator("#hex-K6")
    before = await hexagon.bounding_box()
    session = await watcher.page.context.new_cdp_session(watcher.page)
    for far in range(20, 90, 10):
        points = [{"x": 195 - far, "y": 180}, {"x": 195 + far, "y": 180}]
        await session.send(
            "Input.dispatchTouchEvent",
            {"type": "touchStart" if far == 20 else "touchMove", "touchPoints": points},
        )
    await session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await watcher.rest()
    after = await hexagon.bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] > 2 * before["width"]


# --- the player on turn ----------------------------------------------------------------------------------------------


async def test_wheel_zooms_and_drag_moves(bob: Player) -> None:
    """Neither is a press on a hex."""
    hexagon, mouse = bob.page.locator("#hex-K6"), bob.page.mouse
    await bob.page.locator("#whole").click()
    before = await hexagon.bounding_box()
    assert before is not None
    await mouse.move(before["x"] + 10, before["y"] + 10)
    await mouse.wheel(0, -400)
    await bob.rest()
    near = await hexagon.bounding_box()
    assert near is not None
    assert near["width"] > 1.5 * before["width"]
    await mouse.down()
    await mouse.move(near["x"] + 90, near["y"] + 60, steps=6)
    await mouse.up()
    await bob.rest()
    moved = await hexagon.bounding_box()
    assert moved is not None
    assert abs(moved["x"] - near["x"]) > 20
    assert await bob.play.locator(".tile").count() == 0


async def test_slider_goes_through_every_move(bob: Player) -> None:
    """Backwards, forwards, and to what has happened since one's own last move; two positions are compared."""
    label, slider = bob.page.locator("#past .move"), bob.page.locator("#past input[type=range]")
    await bob.page.get_by_role("button", name="Since my last move").click()
    await bob.rest()
    await bob.page.locator("#past.back").wait_for()
    own = await label.inner_text()
    await bob.page.get_by_role("button", name="One move forward").click()
    await bob.rest()
    assert await label.inner_text() != own
    await bob.page.get_by_role("button", name="Compare").click()
    before = await bob.page.locator("#stage svg [id^=hex-][aria-label*=tile]").count()
    await slider.fill("20")
    await bob.rest()
    await bob.page.locator(".different", has_text="compared with move 21").wait_for()
    assert await bob.page.locator("#stage svg [id^=hex-][aria-label*=tile]").count() < before
    assert await bob.page.locator("#stage .ring.changed").count() > 0
    await bob.keep("compared")
    await bob.page.get_by_role("button", name="Now", exact=True).click()
    await bob.rest()
    assert (await label.inner_text()).startswith("Now")


async def test_earlier_position_offers_no_move(bob: Player) -> None:
    assert await bob.page.locator("#stage .ring.legal").count() > 0
    await bob.page.get_by_role("button", name="One move back").click()
    await bob.rest()
    assert await bob.page.locator("#stage .ring.legal").count() == 0
    await bob.sheet("play")
    assert await bob.play.get_by_role("button").all_inner_texts() == ["Back to now", "Undo to here…"]
    await bob.press("Back to now")
    assert await bob.page.locator("#stage .ring.legal").count() > 0
