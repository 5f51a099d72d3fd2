"""Looking closer and looking back: answers are about the position shown, and spectators take none from players."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.table.imports import TablePlace, add_recorded
from bot.table.rate_limits import RateLimiter
from tests.bot.support.positions import first_moves
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService
from tests.bot.web.visitors import Browser, Desk

GOLDEN = Path(__file__).parents[2] / "golden"
PEOPLE = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"))
EARLY, LATE = 207, 259
"""Moves of a recorded game between which tiles are laid and trains are bought."""
LOOPS = 24
"""Spectators who ask without a pause."""


async def recorded(desk: Desk, moves: int) -> int:
    """A recorded game of 18AL after N moves; its number."""
    begun = first_moves((GOLDEN / "18al-price-3p.json").read_text("utf-8"), moves)
    return await add_recorded(desk.service.tables, begun, TablePlace(GUILD, CHANNEL, PEOPLE))


async def seqs(browser: Browser) -> list[int]:
    """The numbers of all positions, from the start."""
    return [move["seq"] for move in (await browser.get("/history")).json["moves"]]


def without(found: dict[str, Any], *names: str) -> dict[str, Any]:
    """An answer but for these fields."""
    return {name: value for name, value in found.items() if name not in names}


@pytest.mark.parametrize("path", ["/hex/K6", "/hex/C4", "/hex/L5", "/routes/L&N", "/routes/ABC"])
async def test_a_closer_look_is_at_the_position_shown(desk: Desk, path: str) -> None:
    """What is said of an earlier position was said when it was the last."""
    game, was = await recorded(desk, LATE), await recorded(desk, EARLY)
    browser = await desk.browser(game, BOB)
    seq = (await seqs(browser))[EARLY]
    then = (await browser.get(f"{path}?at={seq}")).json
    asked_then = (await (await desk.browser(was, BOB)).get(path)).json
    assert then["at"] == seq
    assert without(then, "at") == without(asked_then, "at")


async def test_a_closer_look_says_of_which_position_it_is(desk: Desk) -> None:
    """Of the last one where none is named."""
    game = await recorded(desk, LATE)
    browser = await desk.browser(game, BOB)
    *_, before, last = await seqs(browser)
    for path, at in (("", last), (f"?at={last}", last), (f"?at={before}", before)):
        assert (await browser.get(f"/hex/C4{path}")).json["at"] == at


async def test_a_closer_look_at_an_undone_move_is_refused(desk: Desk) -> None:
    game = await desk.service.game()
    async with desk.service.tables.reading(game) as live:
        user = live.user_of(live.game.actors()[0])
    outcome = await desk.service.pass_on(game)
    await desk.service.undo(game, user)
    found = await (await desk.browser(game, BOB)).get(f"/hex/J2?at={outcome.seq}")
    assert (found.status, "was undone" in found.error) == (422, True)


async def test_a_hand_that_slides_fast_is_answered(desk: Desk) -> None:
    """However many positions a player asks for at a time: one after the other is looked up."""
    game = await recorded(desk, LATE)
    browser = await desk.browser(game, BOB)
    wanted = (await seqs(browser))[-21:-1]
    found = await asyncio.gather(*(browser.get(f"/position?at={seq}") for seq in wanted))
    assert [one.status for one in found] == [200] * len(wanted)
    assert [one.json["at"] for one in found] == wanted


async def test_what_is_given_up_costs_no_allowance(service: TableService) -> None:
    """A browser that waits no more has not asked."""
    async with Desk.open_on(service, pace=RateLimiter(clock=lambda: 0.0)) as desk:
        browser = await desk.browser(await desk.service.game(), BOB)
        asked = [asyncio.create_task(browser.get("/hex/J2")) for _ in range(100)]
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        for one in asked:
            one.cancel()
        found = [(await browser.get("/hex/J2")).status for _ in range(40)]
        assert found == [200] * 40


async def loop(browser: Browser, path: str) -> None:
    """Ask the same again and again."""
    while True:
        await browser.get(path)


async def test_spectators_take_no_answer_from_a_player(desk: Desk) -> None:
    """They ask all the time, over one link: what players ask waits in a line of its own."""
    game = await recorded(desk, LATE)
    player = await desk.browser(game, BOB)
    watching = [await desk.browser(game, None) for _ in range(LOOPS)]
    loops = [asyncio.create_task(loop(one, "/routes/L&N")) for one in watching]
    found = [(await player.get(f"/hex/{coord}")).status for coord in ("K6", "C4", "L5", "B3") * 3]
    for one in loops:
        one.cancel()
    assert found == [200] * 12


async def test_spectators_use_up_no_players_allowance(service: TableService) -> None:
    async with Desk.open_on(service, pace=RateLimiter(clock=lambda: 0.0)) as desk:
        game = await service.game()
        for _ in range(8):
            browser = await desk.browser(game, None)
            for _ in range(20):
                await browser.get("/routes/B&O")
        assert (await browser.get("/routes/B&O")).status == 429
        assert (await (await desk.browser(game, BOB)).get("/routes/B&O")).status == 422
