"""Planning: what-ifs, which are not stored, and the visitor's standing orders."""

import re
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from aiohttp import web

from bot.table.orders import player_orders
from bot.table.orders.player_orders import list_orders, more_quick_orders, order_behind, quick_orders
from bot.table.rate_limits import Kind
from bot.table.what_ifs import WhatIf, WhatIfs
from bot.web.change_requests import (
    NONSENSE,
    Body,
    done_answer,
    make_change,
    read_request,
    require_here,
    require_player,
    require_seq,
    user_of,
)
from bot.web.context import GAME, Page
from bot.web.entry.access import Denied, json_answer
from bot.web.offers_as_json import TrialRequest, tried_packed, tried_step_packed
from bot.web.position_answers import packed_answer, question_of
from bot.web.wire import plain_text
from bot.workers.workers import Queue
from engine import Game, PlayerId
from engine import orders as order_rules
from storage import orders

QUICK: Final = frozenset({"pass", "over", "buy", "run", "skip"})
"""Orders that say all by what they are about."""


def routes(page: Page) -> list[web.RouteDef]:
    """Routes of what-ifs and orders."""
    return [
        web.post(f"{GAME}/whatif", partial(try_moves, page)),
        web.post(f"{GAME}/whatif/walk", partial(walk, page)),
        web.get(f"{GAME}/orders", partial(show_orders, page)),
        web.post(f"{GAME}/orders", partial(order, page)),
    ]


async def try_moves(page: Page, request: web.Request) -> web.Response:
    """Try moves in order on a copy of the game."""
    body, queue, what_if = await _what_if(page, request)
    values = body.tried, body.picture_looks(page.pictures), {"seq": body.seq}
    return packed_answer(request, await page.tables.workers.run(queue, tried_packed, what_if, *values))


async def walk(page: Page, request: web.Request) -> web.Response:
    """The next step of an offer after tried moves."""
    body, queue, what_if = await _what_if(page, request)
    asked = TrialRequest(key=body.key, picks=body.picks)
    values = body.tried, asked, body.picture_looks(page.pictures), {"seq": body.seq}
    return packed_answer(request, await page.tables.workers.run(queue, tried_step_packed, what_if, *values))


async def _what_if(page: Page, request: web.Request) -> tuple[Body, Queue, WhatIf]:
    """A request's body, its queue, and a what-if from the current position."""
    visitor, body = await read_request(page, request, Kind.COMPLETION)
    async with page.tables.reading(visitor.game_id) as live:
        require_seq(live, body)
        queue = question_of(visitor, live.row.guild_id, visitor.game_id)
        return body, queue, WhatIfs().begin(live, user_of(visitor))


async def show_orders(page: Page, request: web.Request) -> web.Response:
    """The visitor's standing, ended and possible orders."""
    visitor = await require_player(page, request)
    tables, game_id, user_id = page.tables, visitor.game_id, user_of(visitor)
    listed = await list_orders(tables, game_id, user_id)
    async with tables.reading(game_id) as live:
        player = tables.seat_of(live, user_id)
        acting = player in live.game.actors()
        quick = quick_orders(live, sealing=listed.seals) if acting else ()
        privates = live.game.title.spec.privates
        names = {name: privates[name].name for name in order_rules.biddable(live.game)}
        sealed = await player_orders.sealed_by(tables, live, player)
    await orders.mark_notified(tables.db, game_id, listed.ended)
    skips = [
        ("skip", f"{skip.company},{skip.step}", f"{skip.company}: skip {skip.step}") for skip in listed.skips
    ]
    offered = dict.fromkeys([*quick, *more_quick_orders(listed), *skips])
    return json_answer(
        {
            "lines": [plain_text(line) for line in listed.text.split("\n")],
            "standing": listed.standing,
            "offers": [{"choice": choice, "what": what, "label": label} for choice, what, label in offered],
            "privates": names,
            "sealed": sealed,
        }
    )


async def order(page: Page, request: web.Request) -> web.Response:
    """Give or withdraw an order."""
    visitor, body = await read_request(page, request, Kind.MOVE)
    await require_here(page, visitor)
    tables, game_id, user_id = page.tables, visitor.game_id, user_of(visitor)
    if body.choice == "withdraw":
        number = int(body.what) if re.fullmatch("[0-9]{1,9}", body.what) else 0
        done = await player_orders.withdraw_order(tables, game_id, user_id, number)
        return await done_answer(page, visitor, [done])
    return await make_change(
        page, visitor, lambda: player_orders.give_order(tables, game_id, user_id, _order(body))
    )


def _order(body: Body) -> player_orders.OrderBuilder:
    """The requested order; raises Denied if invalid."""

    def make(game: Game, player: PlayerId) -> order_rules.Order:
        del player
        if body.choice in QUICK:
            return order_behind(game, body.choice, body.what)
        if body.choice == "max":
            then: Any = "ask" if body.then == "ask" else "pass"
            return order_rules.bid_up_to(game, body.private, body.most, then)
        return order_rules.seal(game, body.bids)

    if body.choice not in {*QUICK, "max", "seal"}:
        raise Denied(HTTPStatus.BAD_REQUEST, NONSENSE)
    return make
