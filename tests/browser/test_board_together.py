"""The board page between players: who decides at the same moment, who is asked for consent, who decides for whom."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from bot.table.votes.absent_seats import propose_absence
from bot.table.votes.proposals import Proposals
from tests.bot.support.table_service import ANN, BOB, CY
from tests.browser.axe import violations
from tests.browser.board_room import Player, Room
from tests.browser.windows import DESKTOP, PHONE

if TYPE_CHECKING:
    from playwright.async_api import Route


WIDTHS = pytest.mark.parametrize(
    "width", [pytest.param(DESKTOP, marks=pytest.mark.long), PHONE], ids=["desktop", "phone"]
)
ASKED = ("18newengland-bank-3p", 30)
"""Bob's company has asked Ann for a train: Ann may answer, and Bob may still buy another."""


@pytest.fixture
def absent_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every player counts as absent for long enough."""

    async def absent(*_: object) -> None:
        return

    monkeypatch.setattr("bot.table.votes.absent_seats.require_absent", absent)


async def held(player: Player) -> asyncio.Event:
    """A player's next moves stay on the way until this is set."""
    there = asyncio.Event()

    async def hold(route: Route) -> None:
        await there.wait()
        await route.continue_()

    await player.page.route("**/play", hold)
    return there


async def test_second_of_two_decisions_waits(room: Room) -> None:
    """Bob's purchase is on its way while Ann answers: Bob sees the answer, and the purchase waits for another press."""
    game = await room.recorded(*ASKED)
    async with (
        room.seat(game, ANN) as ann,
        room.seat(game, BOB) as bob,
    ):
        before = await room.moves(game)
        await bob.press("Buy a train")
        while not await bob.play.locator("[data-key=confirm]").count():
            await bob.play.locator(".step [data-first]").first.click()
            await bob.rest()
        meant = await bob.play.locator("[data-key=confirm]").inner_text()
        arrived = await held(bob)
        await bob.play.locator("[data-key=confirm]").click()
        await ann.press("Refuse")
        arrived.set()
        await bob.page.get_by_text("Somebody else moved first").wait_for()
        await bob.reads("refuses")
        await bob.keep("second")
        assert await room.moves(game) == before + 1
        assert await bob.confirm() == meant
        assert await room.moves(game) == before + 2


async def test_late_answer_answers_nothing_else(room: Room) -> None:
    """Ann's answer is on its way while Bob withdraws: Ann sees that, and nothing is agreed to."""
    game = await room.recorded(*ASKED)
    async with (
        room.seat(game, ANN) as ann,
        room.seat(game, BOB) as bob,
    ):
        before = await room.moves(game)
        arrived = await held(ann)
        await ann.play.get_by_role("button", name="Agree").first.click()
        await bob.press("Withdraw")
        arrived.set()
        await ann.page.get_by_text("Somebody else moved first").wait_for()
        await ann.reads("withdraws")
        await ann.rest()
        assert await ann.play.get_by_role("button", name="Agree").count() == 0
        assert await room.moves(game) == before + 1


@WIDTHS
async def test_undo_is_answered_at_the_board(room: Room, width: int) -> None:
    game = await room.service.game()
    async with (
        room.seat(game, ANN, width) as ann,
        room.seat(game, BOB) as bob,
    ):
        await ann.press("Pass")
        await bob.press("Pass")
        await ann.reads("Bob passes")
        await ann.press("Undo my last move…")
        await ann.play.get_by_text("will be undone if Bob agrees").wait_for()
        await ann.keep("1-lost")
        assert await violations(ann, "#play") == []
        await ann.press("Ask them")
        await ann.play.get_by_text("Waiting for Bob.").wait_for()
        await ann.keep("2-asked")
        await bob.play.get_by_text("Proposed by Ann.").wait_for()
        await bob.keep("3-bob")
        assert await violations(bob, "#play") == []
        await bob.press("Agree")
        await ann.reads("undone by")
        await ann.page.locator("#whose", has_text="Your turn").wait_for()
        assert await room.acting(game) == ANN
        assert await ann.play.locator(".proposal").count() == 0


@pytest.mark.usefixtures("absent_players")
@WIDTHS
async def test_move_for_an_absent_seat_is_agreed_to(room: Room, width: int) -> None:
    """The page says for whom one decides, and that another must agree."""
    game, proposals = await room.service.game(), Proposals(room.service.tables)
    asked = await proposals.propose(game, BOB, lambda live: propose_absence(live, BOB, "p1"))
    await proposals.vote(game, asked.number, CY, "yes")
    async with (
        room.seat(game, BOB, width) as bob,
        room.seat(game, CY) as cy,
    ):
        await bob.press("Propose a move for Ann")
        await bob.play.get_by_text("The group plays the seat of Ann").wait_for()
        await bob.keep("1-for-ann")
        assert await violations(bob, "#play") == []
        await bob.press("For Ann: Bid…")
        await bob.press("CV")
        await bob.press("Lowest")
        await bob.keep("2-propose")
        assert (await bob.confirm()).startswith("Propose for Ann: ")
        await bob.play.get_by_text("1 more of these players must agree: Cy.").wait_for()
        assert await room.moves(game) == 1
        await cy.play.locator(".proposal", has_text="for Ann: Bid").wait_for()
        await cy.press("Agree")
        await bob.reads("Ann bids")
        assert await room.moves(game) == 2
