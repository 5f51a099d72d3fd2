"""The event loop is free while the board is looked at and played on: workers see, draw, compare and compress."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.table.imports import ImportTarget, store_recorded_game
from engine.record import read_record
from tests.bot.support.table_service import CHANNEL, GUILD
from tests.bot.web.visitors import Browser, Site
from tests.bot.workers.test_event_loop import HELD, Loop

GOLDEN = Path(__file__).parents[2] / "golden"
LAID = 250
"""Moves after which tracks are there to be upgraded and run on."""
HEAVY = (
    "bot.web.position_as_json.position_fields",
    "bot.web.position_as_json.map_picture",
    "bot.web.position_as_json.market_picture",
    "bot.web.wire.line_edits",
    "bot.web.offers_as_json.lay_views",
    "bot.web.offers_as_json.lay_hex_views",
    "bot.web.offers_as_json.preview",
    "bot.web.offers_as_json.hex_svg",
    "bot.web.offers_as_json.map_picture",
    "bot.web.plans_as_json.best_run_view",
    "bot.web.plans_as_json.payouts_view",
    "bot.web.plans_as_json.plan_view",
    "bot.web.plans_as_json.planned_lays",
    "bot.web.position_as_json.upgrade_views",
)


async def browser_at(site: Site, moves: int) -> Browser:
    """The browser of who acts after N moves of a recorded game."""
    whole = read_record((GOLDEN / "18newengland-bank-3p.json").read_text("utf-8"))
    people = tuple(zip((11, 12, 13), (name for _, name in whole.players), strict=True))
    record = replace(whole, actions=whole.actions[:moves])
    game = await store_recorded_game(site.service.tables, record, ImportTarget(GUILD, CHANNEL, people))
    async with site.service.tables.reading(game) as live:
        user = live.user_of(live.game.actors()[0])
    return await site.browser(game, user)


async def test_event_loop_does_nothing_heavy(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_record((GOLDEN / "18newengland-bank-3p.json").read_text("utf-8"))
    actions = list(enumerate(whole.actions))[LAID:]
    lay, run = (next(n for n, one in actions if one.kind == kind) for kind in ("lay_tile", "run_routes"))
    laying, running = await browser_at(site, lay), await browser_at(site, run)
    loop = Loop(monkeypatch, HEAVY)
    loop.begin()
    first = (await laying.get("/position")).json
    offers = (await laying.get("/offers")).json
    key = next(offer["key"] for offer in offers["offers"] if offer["kind"] == "lay_tile")
    asked = {"seq": offers["seq"], "offer_key": key}
    hexes = (await laying.post("/walk", {**asked, "picks": []})).json["step"]["choices"]
    for one in hexes:
        several = (await laying.post("/walk", {**asked, "picks": one["picks"]})).json["step"]
        if several["input_kind"] == "choice":
            break
    picks = [*several["picks"], *several["choices"][0]["picks"]]
    assert (await laying.post("/walk", {**asked, "picks": picks})).json["step"]["input_kind"] == "nothing"
    assert (await laying.post("/play", {**asked, "picks": picks, "is_confirmed": True})).status == 200
    changed = (await laying.get(f"/position?map_id={first['map']['id']}")).json
    assert changed["map"]["edits"]
    assert (await laying.get(f"/hex/{hexes[0]['hex']}")).status == 200
    ran = (await running.get("/offers")).json
    company = next(offer["entity"] for offer in ran["offers"] if offer["kind"] == "run_routes")
    routes = (await running.get(f"/routes/{company}")).json
    assert (routes["total"] > 0, routes["is_proven_best"]) == (True, True)
    assert (await laying.get(f"/plan/{hexes[0]['hex']}?plan=A1:1:0")).status == 200
    assert (await laying.get("/plan?plan=A1:1:0")).json["parts"][0]["state"] == "misfit"
    assert loop.done_here == set()
    assert loop.done_elsewhere == set(HEAVY)
    assert loop.longest < HELD
