"""The board page: from the link to every kind of decision, on a desk and on a phone; looking back; nothing is lost."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.bot.support.table_service import ANN, BOB, CY
from tests.browser.axe import violations
from tests.browser.board_room import Player, Room, seated
from tests.browser.windows import DESKTOP, PHONE

if TYPE_CHECKING:
    from tests.browser.windows import Browser

NAMES = ["desktop", "phone"]
WIDTHS = pytest.mark.parametrize("width", [DESKTOP, PHONE], ids=NAMES)
LATER = pytest.mark.long
AT_A_DESK = pytest.mark.parametrize("width", [DESKTOP, pytest.param(PHONE, marks=LATER)], ids=NAMES)
BY_PHONE = pytest.mark.parametrize("width", [pytest.param(DESKTOP, marks=LATER), PHONE], ids=NAMES)
"""In long runs both: every sheet is looked at in both widths in any case."""
TRACK = ("18al-price-3p", 97)
"""A company that lays, places a token, runs, pays and buys a train in one turn."""
LATE = ("18al-price-3p", 181)
FIRST_PAR = ("18al-price-3p", 11)
SHARES = ("18al-price-3p", 17)
FOREIGN_TRAIN = ("18al-price-3p", 261)
OVER = ("18al-price-3p", 405)
MERGER = ("18newengland-bank-3p", 139)
DEVELOPED = ("18c2c_full-bank-2p", 600)
SENT = "() => performance.getEntriesByType('resource').reduce((sum, one) => sum + one.transferSize, 0)"
"""Bytes that came over the wire."""
FIRST_VIEW, A_MOVE = 400_000, 30_000
"""The most bytes that may come with the first view of a game, and with a move."""
ROUTE = "#stage .trace"
FOCUSED = "() => document.activeElement.id || document.activeElement.dataset.key || document.activeElement.textContent"


async def begin_route(player: Player, *stops: str) -> None:
    """Press stops of a route on the map, where it is drawn."""
    await player.press("Run trains")
    for coord in stops or ("A4", "C4"):
        await player.hex(coord)
    await player.page.locator(ROUTE).first.wait_for(state="attached")


@BY_PHONE
async def test_from_the_link_to_a_train(room: Room, width: int) -> None:
    """A whole turn of a company: track on a marked hex, a token, the best run, the dividend, a train."""
    game = await room.recorded(*TRACK)
    async with room.seat(game, await room.acting(game), width) as cy:
        await cy.keep("1-turn")
        await cy.hex("B3")
        await cy.play.locator(".tile", has_text="#8").click()
        await cy.rest()
        await cy.press("Turn right")
        await cy.keep("2-tile")
        assert await cy.page.locator("#stage .over g").count() >= 1, "the tile lies on the map for a look"
        assert "#8 in B3" in await cy.confirm()
        await cy.reads("lays #8")
        await cy.hex("C4")
        await cy.keep("3-token")
        assert await cy.confirm() == "Token in C4 Decatur, $40"
        await cy.reads("places a token on C4")
        await cy.press("Run trains")
        await cy.keep("4-run")
        assert "Run for $" in await cy.confirm()
        await cy.reads("runs for")
        await cy.press("Pay out \\$")
        await cy.reads("pays out")
        await cy.press("2-train from the bank")
        await cy.reads("buys a 2-train")
        await cy.keep("5-train")
        assert (
            await cy.page.locator("#past .move").inner_text()
            == "Now: L&N (Cy) buys a 2-train from the bank for $100. Treasury $790."
        )


async def test_routes_are_clicked_along_the_track(room: Room) -> None:
    """A route that breaks a rule is refused in words, and the next press puts it right."""
    game = await room.recorded(*TRACK)
    async with room.seat(game, await room.acting(game)) as cy:
        await cy.press("Done with track")
        await cy.press("Place no token")
        await begin_route(cy, "A4", "E6")
        await cy.play.get_by_text("No track runs").wait_for()
        await cy.press("Clear")
        for coord in ("A4", "C4"):
            await cy.hex(coord)
        await cy.keep("routes")
        await cy.play.get_by_role("button", name="Run for $").wait_for()
        assert "2-train" in await cy.play.inner_text()


@AT_A_DESK
async def test_auction_on_its_cards(room: Room, width: int) -> None:
    game = await room.service.game()
    async with room.seat(game, ANN, width) as ann:
        await ann.sheet("cards")
        await ann.keep("1-cards")
        card = ann.page.locator(".card", has_text="Cornelius Vanderbilt")
        await card.get_by_role("button", name="Bid…").click()
        await ann.rest()
        await ann.page.get_by_label("price").or_(ann.page.locator("#amount")).fill("230")
        await ann.press("Continue")
        await ann.keep("2-bid")
        assert "$230" in await ann.confirm()
        await ann.reads("bids $230 on CV")
        await ann.sheet("cards")
        await ann.page.locator(".card", has_text="Ann $230 leads").wait_for()


async def test_par_is_chosen_on_the_market(room: Room) -> None:
    """The market opens with the question, and only its spaces for pars are marked."""
    game = await room.recorded(*FIRST_PAR)
    async with room.seat(game, BOB) as bob:
        await bob.press("Start a company")
        await bob.press("L&N")
        rings = bob.page.locator("#panel-market .ring.legal")
        assert await rings.count() == 5
        await bob.keep("1-par")
        await bob.page.locator("#panel-market [aria-label^='$90, par']").click()
        await bob.rest()
        assert "$90" in await bob.confirm()
        await bob.reads("Bob pars L&N at $90")


@BY_PHONE
async def test_share_is_bought_from_the_charter(room: Room, width: int) -> None:
    """A company's letters open its charter, with what may be done with it now."""
    game = await room.recorded(*SHARES)
    async with room.seat(game, await room.acting(game), width) as player:
        await player.sheet("table")
        await player.page.locator("[data-key=company-ABC]").click()
        dialog = player.page.locator("dialog[open]")
        await player.keep("charter")
        await dialog.get_by_role("button", name="ABC").first.click()
        await player.rest()
        await player.reads("of ABC from the IPO")


@AT_A_DESK
async def test_merger(room: Room, width: int) -> None:
    """A merger says what the new company will have; then one of two tokens is given back by a press on its city."""
    game = await room.recorded(*MERGER)
    async with room.seat(game, ANN, width) as ann:
        await ann.press("Merge NYNH with HNH")
        await ann.press("P&W")
        await ann.keep("1-merger")
        assert await ann.confirm() == "Merge NYNH with HNH into P&W, par $110"
        await ann.reads("merges NYNH and HNH into P&W")
        rings = ann.page.locator("#stage circle.ring")
        await rings.nth(1).wait_for()
        assert await ann.page.locator("#stage .stop-number").all_text_contents() == ["1", "2"]
        box = await rings.nth(1).bounding_box()
        assert box is not None
        await ann.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await ann.rest()
        assert (await ann.confirm()).endswith("city 2")
        await ann.reads("returns a token from F13")
        await ann.keep("2-merged")


async def test_move_by_keys_alone(room: Room) -> None:
    """Arrows go from hex to hex, with Shift along those that may be chosen; Enter chooses, r turns the tile."""
    game = await room.recorded(*LATE)
    async with room.seat(game, await room.acting(game)) as player:
        keyboard, page = player.page.keyboard, player.page
        for _ in range(20):
            await keyboard.press("Tab")
            if str(await page.evaluate(FOCUSED)).startswith("hex-"):
                break
        await keyboard.press("ArrowDown")
        await keyboard.press("Shift+ArrowDown")
        await keyboard.press("Shift+ArrowDown")
        coord = str(await page.evaluate(FOCUSED)).removeprefix("hex-")
        assert await page.locator("#stage .ring.focused").count() == 1
        await player.keep("1-focus")
        await keyboard.press("Enter")
        await player.rest()
        for _ in range(3):
            if await player.play.locator("[data-key=confirm]").count():
                break
            await keyboard.press("Enter")
            await player.rest()
        await player.keep("2-chosen")
        for _ in range(20):
            if await page.evaluate(FOCUSED) == "confirm":
                break
            await keyboard.press("Tab")
        await keyboard.press("Enter")
        await player.reads(f"on {coord}")


@AT_A_DESK
async def test_keys_undo_and_redo_a_turn(room: Room, width: int) -> None:
    """Step by step, without asking anybody, and not while a field has the focus."""
    game = await room.recorded(*TRACK)
    async with room.seat(game, await room.acting(game), width) as cy:
        before, steps = await room.service.digest(game), ("Done with track", "Place no token")
        for label in steps:
            await cy.press(label)
        done = await room.service.digest(game)
        await cy.keep("undo-keys")
        for key, digest in (("Control+z", before), ("Control+Shift+Z", done), ("Meta+z", before)):
            for _ in steps:
                await cy.page.keyboard.press(key)
                await cy.rest()
            assert await room.service.digest(game) == digest
        await cy.page.locator("#look").focus()
        await cy.page.keyboard.press("Control+Shift+Z")
        await cy.rest()
        assert await room.service.digest(game) == before


@AT_A_DESK
async def test_moves_are_tried_and_then_made(room: Room, width: int) -> None:
    """A what-if shows the map and what is different; nothing is kept until it is made in the game."""
    game = await room.recorded(*TRACK)
    async with room.seat(game, await room.acting(game), width) as cy:
        before = await room.moves(game)
        await cy.press("What if")
        await cy.hex("B3")
        await cy.play.locator(".tile", has_text="#8").click()
        await cy.rest()
        assert (await cy.confirm()).startswith("Try: Lay #8 in B3")
        assert "tile 8" in (await cy.page.locator("#hex-B3").get_attribute("aria-label") or "")
        await cy.press("Token in C4")
        await cy.keep("what-if")
        assert await cy.play.locator(".tried li").count() == 2
        assert await room.moves(game) == before
        await cy.press("Make these 2 moves in the game")
        await cy.reads("places a token on C4")
        assert await room.moves(game) == before + 2


@BY_PHONE
async def test_standing_order_is_given_and_withdrawn(room: Room, width: int) -> None:
    game = await room.service.game()
    async with room.seat(game, BOB, width) as bob:
        await bob.press("Standing orders")
        dialog = bob.page.locator("dialog[open]")
        await dialog.get_by_label("Private").select_option("CV")
        await dialog.get_by_label("Your highest bid").fill("240")
        await dialog.get_by_role("button", name="Order", exact=True).click()
        await dialog.get_by_role("button", name="Withdraw 1").wait_for()
        await bob.keep("orders")
        assert await violations(bob, "dialog[open]") == []
        await dialog.get_by_role("button", name="Withdraw 1").click()
        await dialog.get_by_role("button", name="Withdraw 1").wait_for(state="detached")


async def test_moderator_decides_for_a_player(browser: Browser, room: Room, tmp_path: Path) -> None:
    """What was begun for a player is left with their seat."""
    game = await room.recorded(*TRACK)
    link = await room.link(game, BOB, moderates=True)
    async with seated(browser, link, DESKTOP, tmp_path) as bob:
        whose = bob.play.get_by_label("For whom you decide")
        await whose.select_option(label="for Cy as a moderator")
        await bob.rest()
        await bob.keep("moderator")
        await bob.press("Done with track")
        await bob.press("Place no token")
        await begin_route(bob)
        await whose.select_option(index=0)
        await bob.rest()
        assert await bob.page.locator(ROUTE).count() == 0
        assert await room.moves(game) == TRACK[1] + 3


async def test_largest_board_is_light_and_legible(room: Room) -> None:
    """Of its pictures only what is different comes with a move; trains are seen beside everybody's shares."""
    game = await room.recorded(*DEVELOPED)
    async with room.seat(game, BOB, new=True) as bob:
        first = await bob.page.evaluate(SENT)
        assert 0 < first < FIRST_VIEW
        box = await bob.page.locator("td.trains .train").first.bounding_box()
        sheet = await bob.page.locator("#panel-table").bounding_box()
        assert box is not None
        assert sheet is not None
        assert box["x"] + box["width"] <= sheet["x"] + sheet["width"]
        await bob.page.get_by_role("button", name="Price", exact=True).click()
        await bob.page.locator("th[aria-sort=descending]", has_text="Price").wait_for()
        await bob.keep("table")
        await bob.press("Best run")
        await bob.reads("runs for $120")
        await bob.rest()
        assert 0 < await bob.page.evaluate(SENT) - first < A_MOVE


@BY_PHONE
async def test_offer_between_players_is_answered(room: Room, width: int) -> None:
    """A train of another president's company: a price is named; who is asked sees what both would have, and agrees."""
    game = await room.recorded(*FOREIGN_TRAIN)
    async with (
        room.seat(game, ANN) as ann,
        room.seat(game, CY, width) as cy,
    ):
        await ann.press("Buy a train")
        await ann.press("5-train")
        await ann.press("L&N")
        await ann.press("Highest")
        await ann.confirm()
        await cy.play.get_by_text("Ann asks Cy.").wait_for()
        await cy.keep("asked")
        await cy.press("Agree")
        await cy.reads("buys a 5-train from L&N")


async def test_game_that_is_over_shows_its_scores(room: Room) -> None:
    game = await room.recorded(*OVER)
    async with room.seat(game, None, PHONE) as watcher:
        await watcher.play.get_by_role("heading", name="The game is over").wait_for()
        await watcher.sheet("table")
        await watcher.page.get_by_role("heading", name="Final scores").wait_for()
        assert (
            "A share price reached the end of the market"
            in await watcher.page.locator("#panel-table").inner_text()
        )
        await watcher.keep("scores")
        texts = [await watcher.page.locator("#where").inner_text()]
        for name in ("table", "market", "trains", "charts"):
            await watcher.sheet(name)
            texts.append(await watcher.page.locator("body").inner_text())
    assert re.search(r"bank \$\d{4}", texts[0]), "money has one form on every sheet"
    assert re.search(r"\$\d{4}", texts[1])
    assert re.findall(r"\$\d+,\d+", "\n".join(texts)) == []
