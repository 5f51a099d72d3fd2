"""What-ifs and standing orders at the board: nothing of the first is stored, the second are their owner's."""

from typing import Any

import pytest

from tests.bot.support.table_service import ANN, BOB, CY
from tests.bot.web.test_playing_there import offers
from tests.bot.web.visitors import Browser, Desk


@pytest.fixture
async def on_turn(desk: Desk) -> Browser:
    """The browser of who must act in a new game."""
    game = await desk.service.game()
    async with desk.service.tables.reading(game) as live:
        user = live.user_of(live.game.actors()[0])
    return await desk.browser(game, user)


def passing(found: dict[str, Any]) -> dict[str, str]:
    """The move that passes."""
    offer = next(one for one in found["offers"] if one["kind"] == "pass")
    return {"move": offer["quick"][0]["move"]}


async def test_moves_are_tried_one_after_the_other_and_nothing_is_stored(
    desk: Desk, on_turn: Browser
) -> None:
    before, found = await desk.service.digest(on_turn.game), await offers(on_turn)
    bid = next(one for one in found["offers"] if one["kind"] == "bid")
    first = {"move": bid["quick"][0]["move"]}
    tried = (await on_turn.post("/whatif", {"seq": found["seq"], "tried": [first]})).json
    assert (len(tried["tried"]), tried["own"], tried["note"]) == (1, 1, "")
    assert "**" not in tried["tried"][0][0]
    assert any("cash" in line or "worth" in line for line in tried["changes"])
    assert tried["map"]["svg"].startswith("<svg ")
    others = passing(tried)
    further = (await on_turn.post("/whatif", {"seq": found["seq"], "tried": [first, others]})).json
    assert (len(further["tried"]), further["own"]) == (2, 1)
    assert further["turn"]["actors"] != tried["turn"]["actors"]
    assert await desk.service.digest(on_turn.game) == before


async def test_a_walk_after_tried_moves_asks_what_comes_then(desk: Desk, on_turn: Browser) -> None:
    found = await offers(on_turn)
    first = passing(found)
    then = (await on_turn.post("/whatif", {"seq": found["seq"], "tried": [first]})).json
    bid = next(one for one in then["offers"] if one["kind"] == "bid")
    asked = {"seq": found["seq"], "tried": [first], "key": bid["key"], "picks": []}
    step = (await on_turn.post("/whatif/walk", asked)).json["step"]
    assert (step["ask"], step["slot"]) == ("choice", "private")


async def test_what_is_not_possible_after_tried_moves_is_said(desk: Desk, on_turn: Browser) -> None:
    found = await offers(on_turn)
    tried = [passing(found), {"move": "00000000"}]
    answer = (await on_turn.post("/whatif", {"seq": found["seq"], "tried": tried})).json
    assert (len(answer["tried"]), answer["note"]) == (1, "That is not possible any more.")


async def test_a_spectator_plans_nothing(desk: Desk, on_turn: Browser) -> None:
    spectator = await desk.browser(on_turn.game, None)
    for answer in (
        await spectator.post("/whatif", {"seq": 1, "tried": []}),
        await spectator.get("/orders"),
        await spectator.post("/orders", {"seq": 1, "choice": "pass"}),
    ):
        assert answer.status == 403


async def test_an_order_stands_is_listed_for_its_owner_alone_and_is_withdrawn(desk: Desk) -> None:
    game = await desk.service.game()
    async with desk.service.tables.reading(game) as live:
        on_turn = {live.user_of(player) for player in live.game.actors()}
        name = next(iter(live.game.title.spec.privates))
    idle = next(user for user in (ANN, BOB, CY) if user not in on_turn)
    browser = await desk.browser(game, idle)
    offered = (await browser.get("/orders")).json
    assert (offered["standing"], name in offered["privates"]) == ([], True)
    assert "max" in [one["choice"] for one in offered["offers"]]
    name = list(offered["privates"])[-1]
    given = await browser.post(
        "/orders", {"seq": 1, "choice": "max", "private": name, "most": 300, "then": "ask"}
    )
    assert (given.status, given.json["lines"][0].startswith("Order 1")) == (200, True), given.body
    mine = (await browser.get("/orders")).json
    assert mine["standing"] == [1]
    other = await desk.browser(game, next(user for user in (ANN, BOB, CY) if user != idle))
    assert (await other.get("/orders")).json["standing"] == []
    stolen = await other.post("/orders", {"seq": 1, "choice": "withdraw", "what": "1"})
    assert (stolen.status, "You have no order 1" in stolen.error) == (422, True)
    assert (await browser.post("/orders", {"seq": 1, "choice": "withdraw", "what": "1"})).status == 200
    assert (await browser.get("/orders")).json["standing"] == []


@pytest.mark.parametrize(
    "body",
    [
        {"choice": "steal"},
        {"choice": "seal", "maxima": {"CV": "1"}},
        {"choice": "seal", "maxima": []},
        {"choice": "max", "private": "CV", "most": 1.5},
        {"choice": "max", "private": "no such", "most": 10},
        {"choice": "run", "what": "no such"},
    ],
)
async def test_an_order_that_makes_no_sense_is_refused(
    desk: Desk, on_turn: Browser, body: dict[str, Any]
) -> None:
    answer = await on_turn.post("/orders", {"seq": 1, **body})
    assert answer.status in {400, 422}, answer.body
