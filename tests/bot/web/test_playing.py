"""Moves, what-ifs and standing orders at the board: the same offers, rights and writer as in Discord."""

from typing import Any

import pytest

from bot.table.clocks.away import begin_substitution, end_substitution
from bot.table.orders import sealed_auction
from bot.table.votes.pauses import begin_pause
from storage import GAME_SETTINGS, DatabaseUnreachable
from tests.bot.support.table_service import ANN, CY
from tests.bot.web.visitors import Answer, Browser, Site

DEE, MODERATOR = 14, 99


async def offers(browser: Browser, query: str = "") -> dict[str, Any]:
    found: dict[str, Any] = (await browser.get(f"/offers{query}")).json
    return found


def offered(found: dict[str, Any], kind: str) -> dict[str, Any]:
    offer: dict[str, Any] = next(one for one in found["offers"] if one["kind"] == kind)
    return offer


def passing(found: dict[str, Any]) -> dict[str, str]:
    return {"move_key": offered(found, "pass")["one_click_moves"][0]["move_key"]}


async def walk(browser: Browser, seq: int, key: str, *picks: str) -> dict[str, Any]:
    found = await browser.post("/walk", {"seq": seq, "offer_key": key, "picks": picks})
    assert found.status == 200, found.body
    step: dict[str, Any] = found.json["step"]
    return step


async def play(browser: Browser, **asked: object) -> Answer:
    found = await offers(browser)
    return await browser.post("/play", {"seq": found["seq"], **(asked or passing(found))})


# --- moves -----------------------------------------------------------------------------------------------------------


async def test_offers_are_the_engines(site: Site, ann: Browser, bob: Browser) -> None:
    async with site.service.tables.reading(ann.game) as live:
        kinds = [offer.kind for offer in live.game.offers("p1") if offer.kind != "end_game"]
    found = await offers(ann)
    assert (found["player"], [offer["kind"] for offer in found["offers"]]) == ("p1", kinds)
    assert not any(offer["is_blocking"] for offer in (await offers(bob))["offers"])
    spectator = await site.browser(ann.game, None)
    assert (await offers(spectator))["offers"] == []
    await GAME_SETTINGS.put(site.service.db, ann.game, sealed_auction.SEALED_SETTING, "on")
    site.service.tables.forget(ann.game)
    found = await offers(ann)
    assert {one["kind"]: len(one["one_click_moves"]) for one in found["offers"]} == {"bid": 0, "pass": 1}


async def test_move_is_made_and_announced(site: Site, ann: Browser) -> None:
    woken, answer = site.service.woken(), (await play(ann)).json
    async with site.service.tables.reading(ann.game) as live:
        assert (answer["seq"], live.seq) == (2, 2)
    assert (woken, site.seen) == ([ann.game], [(ann.game, ANN)])
    assert answer["lines"][0] == "Done, move 2: Ann passes."


async def test_move_is_walked_to(ann: Browser) -> None:
    found = await offers(ann)
    bid = offered(found, "bid")
    assert bid["slot_names"] == ["private", "amount"]
    first = await walk(ann, found["seq"], bid["key"])
    assert (first["input_kind"], first["slot"]) == ("choice", "private")
    pick = first["choices"][-1]["picks"]
    second = await walk(ann, found["seq"], bid["key"], *pick)
    assert (second["input_kind"], second["picks"], second["picks_before"]) == ("amount", pick, [])
    assert second["minimum"] < second["maximum"]
    amount = second["minimum"] + second["increment"]
    whole = await walk(ann, found["seq"], bid["key"], *pick, str(amount))
    assert (whole["input_kind"], whole["picks"]) == ("nothing", [*pick, str(amount)])
    assert f"${amount}" in whole["summary"]
    made = await play(ann, offer_key=bid["key"], picks=[*pick, str(amount)])
    assert (made.status, f"${amount}" in made.json["lines"][0]) == (200, True)


async def test_rules_refuse_in_their_words(site: Site, ann: Browser) -> None:
    found, before = await offers(ann), await site.service.digest(ann.game)
    key = offered(found, "bid")["key"]
    pick = (await walk(ann, found["seq"], key))["choices"][-1]["picks"]
    for path in ("/walk", "/play"):
        answer = await ann.post(path, {"seq": found["seq"], "offer_key": key, "picks": [*pick, "1000000"]})
        assert (answer.status, "$" in answer.error) == (422, True)
    assert await site.service.digest(ann.game) == before


async def test_nobody_moves_out_of_turn(site: Site, ann: Browser, bob: Browser) -> None:
    found = await offers(ann)
    spectator, key = await site.browser(ann.game, None), offered(found, "bid")["key"]
    for path, body in (
        ("/play", passing(found)),
        ("/play", {"offer_key": key, "picks": []}),
        ("/walk", {"offer_key": key}),
    ):
        answer = await bob.post(path, {"seq": found["seq"], **body})
        assert (answer.status, "turn" in answer.error) == (403, True)
    answer = await spectator.post("/play", {"seq": found["seq"], **passing(found), "is_confirmed": True})
    assert (answer.status, answer.error) == (403, "You are a spectator here: only players can move.")
    await site.service.pass_on(ann.game)
    digest = await site.service.digest(ann.game)
    for path, body in (("/play", passing(found)), ("/walk", {"offer_key": key}), ("/undo", {})):
        answer = await ann.post(path, {"seq": found["seq"], **body})
        assert (answer.status, answer.json["seq"], "moved on" in answer.error) == (409, 2, True)
    assert await site.service.digest(ann.game) == digest


async def test_own_moves_are_undone_and_redone(site: Site, ann: Browser) -> None:
    before = await site.service.digest(ann.game)
    await play(ann)
    after = await site.service.digest(ann.game)
    assert (await ann.get("/position")).json["you"]["may_undo"]
    undone = await ann.post("/undo", {"seq": 2})
    assert (undone.status, await site.service.digest(ann.game)) == (200, before)
    redone = await ann.post("/redo", {"seq": undone.json["seq"]})
    assert (redone.status, await site.service.digest(ann.game)) == (200, after)


async def test_pausing_game_takes_no_move(site: Site, ann: Browser) -> None:
    await begin_pause(site.service.tables, ann.game, ANN, None)
    position = (await ann.get("/position")).json
    assert (position["you"]["may_play"], "is paused" in position["move_obstacle"]) == (False, True)
    answer = await play(ann)
    assert (answer.status, "is paused" in answer.error) == (422, True)


async def test_moderator_moves_for_a_player(site: Site, game: int) -> None:
    officer = await site.browser(game, MODERATOR, moderates=True)
    query = "?as=moderator&player=p1"
    found = await offers(officer, query)
    key = offered(found, "pass")["key"]
    body = {"seq": found["seq"], "offer_key": key, "picks": [], "acting_as": "moderator"}
    plain = await site.browser(game, MODERATOR)
    assert (await plain.get(f"/offers{query}")).status == (await plain.post("/play", body)).status == 403
    made = await officer.post("/play", body)
    assert (made.status, "as a moderator" in "".join(made.json["lines"])) == (200, True)


async def test_page_moves_in_three_capacities(ann: Browser) -> None:
    found = await offers(ann)
    for capacity in ("what-if", "own", "m"):
        for path in ("/play", "/walk"):
            body = {"seq": found["seq"], "offer_key": found["offers"][0]["key"], "acting_as": capacity}
            answer = await ann.post(path, body)
            assert (answer.status, answer.error) == (422, "As: moderator, table.")


async def test_substitute_plays_while_they_substitute(site: Site, game: int) -> None:
    await begin_substitution(site.service.tables, game, ANN, (DEE, "Dee"), None)
    browser = await site.browser(game, DEE)
    assert (await offers(browser))["player_name"] == "Ann"
    assert (await play(browser)).status == 200
    async with site.service.tables.reading(game) as live:
        assert (live.effective_rows[-1].actor, live.effective_rows[-1].user_id) == ("p1", DEE)
    await end_substitution(site.service.tables, game, ANN)
    assert (await browser.get("/position")).json["you"]["is_spectator"]
    assert (await offers(browser))["offers"] == []


async def test_stored_move_is_said_to_be_stored(
    site: Site, ann: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit = site.service.tables.submit

    async def then_blind(*values: Any) -> Any:
        outcome = await submit(*values)

        def reading(game_id: int) -> Any:
            raise DatabaseUnreachable("no route to it")

        monkeypatch.setattr(site.service.tables, "reading", reading)  # the database goes away
        return outcome

    monkeypatch.setattr(site.service.tables, "submit", then_blind)  # just after the move is stored
    made = await play(ann)
    assert (made.status, made.json["seq"], "passes" in made.json["lines"][0]) == (200, None, True)


async def test_page_waits_for_the_database(site: Site, ann: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: Any) -> Any:
        raise DatabaseUnreachable("no route to it")

    monkeypatch.setattr(site.links, "visitor", away)  # the database goes away
    answer = await ann.get("/position")
    assert (answer.status, answer.headers["Retry-After"]) == (503, "2")


# --- what-ifs and orders ---------------------------------------------------------------------------------------------


async def test_moves_are_tried_and_not_stored(site: Site, ann: Browser) -> None:
    before, found = await site.service.digest(ann.game), await offers(ann)
    first = {"move_key": offered(found, "bid")["one_click_moves"][0]["move_key"]}
    tried = (await ann.post("/whatif", {"seq": found["seq"], "tried_moves": [first]})).json
    assert (len(tried["lines_by_move"]), tried["own_move_count"], tried["note"]) == (1, 1, "")
    assert "**" not in tried["lines_by_move"][0][0]
    assert any("cash" in line or "worth" in line for line in tried["changes"])
    assert tried["map"]["svg"].startswith("<svg ")
    further = (await ann.post("/whatif", {"seq": found["seq"], "tried_moves": [first, passing(tried)]})).json
    assert (len(further["lines_by_move"]), further["own_move_count"]) == (2, 1)
    assert further["turn"]["actors"] != tried["turn"]["actors"]
    asked = {"seq": found["seq"], "tried_moves": [passing(found)], "picks": []}
    then = (await ann.post("/whatif", asked)).json
    step = (await ann.post("/whatif/walk", {**asked, "offer_key": offered(then, "bid")["key"]})).json["step"]
    assert (step["input_kind"], step["slot"]) == ("choice", "private")
    nothing = {"seq": found["seq"], "tried_moves": [passing(found), {"move_key": "00000000"}]}
    answer = (await ann.post("/whatif", nothing)).json
    assert (len(answer["lines_by_move"]), answer["note"]) == (1, "This is no longer possible.")
    assert await site.service.digest(ann.game) == before


async def test_spectator_plans_nothing(site: Site, game: int) -> None:
    spectator = await site.browser(game, None)
    for answer in (
        await spectator.post("/whatif", {"seq": 1, "tried_moves": []}),
        await spectator.get("/orders"),
        await spectator.post("/orders", {"seq": 1, "choice": "pass"}),
    ):
        assert answer.status == 403


async def test_order_is_its_owners(site: Site, game: int, bob: Browser) -> None:
    cy = await site.browser(game, CY)
    async with site.service.tables.reading(game) as live:
        names = list(live.game.title.spec.privates)
    shown = (await bob.get("/orders")).json
    assert (shown["standing_order_numbers"], set(shown["name_by_private"]) <= set(names)) == ([], True)
    assert "max" in [one["choice"] for one in shown["quick_orders"]]
    order = {
        "seq": 1,
        "choice": "max",
        "private": list(shown["name_by_private"])[-1],
        "max_bid": 300,
        "when_outbid": "ask",
    }
    given = await bob.post("/orders", order)
    assert (given.status, given.json["lines"][0].startswith("Order 1")) == (200, True), given.body
    assert [(await browser.get("/orders")).json["standing_order_numbers"] for browser in (bob, cy)] == [
        [1],
        [],
    ]
    withdraw = {"seq": 1, "choice": "withdraw", "order_details": "1"}
    stolen = await cy.post("/orders", withdraw)
    assert (stolen.status, "You have no order 1" in stolen.error) == (422, True)
    assert (await bob.post("/orders", withdraw)).status == 200
    assert (await bob.get("/orders")).json["standing_order_numbers"] == []


async def test_senseless_order_is_refused(ann: Browser) -> None:
    for body in (
        {"choice": "steal"},
        {"choice": "seal", "bids": {"CV": "1"}},
        {"choice": "seal", "bids": []},
        {"choice": "max", "private": "CV", "max_bid": 1.5},
        {"choice": "max", "private": "no such", "max_bid": 10},
        {"choice": "run", "order_details": "no such"},
    ):
        answer = await ann.post("/orders", {"seq": 1, **body})
        assert answer.status in {400, 422}, (body, answer.body)
