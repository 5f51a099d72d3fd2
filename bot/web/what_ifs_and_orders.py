"""HTTP routes for what-ifs (moves tried on a copy of the game, not stored) and for standing orders."""

import re
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from aiohttp import web

from bot.table.orders import player_orders
from bot.table.orders.player_orders import (
    list_orders,
    order_of_button,
    quick_orders_of_list,
    quick_orders_of_turn,
)
from bot.table.rate_limits import RequestKind
from bot.table.what_ifs import WhatIf, WhatIfs
from bot.web.change_requests import (
    INVALID_REQUEST,
    RequestBody,
    change_response,
    make_change,
    read_request,
    require_player,
    require_seq,
    require_writing_process,
    user_id_of,
)
from bot.web.context import GAME_PATH, PageContext
from bot.web.entry.access import Denied, uncached_json_response
from bot.web.offers_as_json import TrialRequest, packed_what_if, packed_what_if_step
from bot.web.position_answers import packed_response, question_queue
from bot.web.wire import plain_text
from bot.workers.workers import QueuePlace
from engine import Game, PlayerId
from engine import orders as order_rules
from storage import orders

ONE_CLICK_ORDER_KINDS: Final = frozenset({"pass", "over", "buy", "run", "skip"})
"""Kinds of standing orders that need no details except a company or private."""


def routes(page: PageContext) -> list[web.RouteDef]:
    """HTTP routes for what-ifs and standing orders."""
    return [
        web.post(f"{GAME_PATH}/whatif", partial(try_moves, page)),
        web.post(f"{GAME_PATH}/whatif/walk", partial(show_step, page)),
        web.get(f"{GAME_PATH}/orders", partial(show_orders, page)),
        web.post(f"{GAME_PATH}/orders", partial(change_order, page)),
    ]


async def try_moves(page: PageContext, request: web.Request) -> web.Response:
    """Respond with the position after moves tried on a copy of the game."""
    body, queue, what_if = await _requested_what_if(page, request)
    worker_arguments = body.tried_moves, body.browser_pictures(page.pictures), {"seq": body.seq}
    return packed_response(
        request, await page.tables.workers.run(queue, packed_what_if, what_if, *worker_arguments)
    )


async def show_step(page: PageContext, request: web.Request) -> web.Response:
    """Respond with the next question of an offer after moves tried on a copy of the game."""
    body, queue, what_if = await _requested_what_if(page, request)
    trial = TrialRequest(offer_key=body.offer_key, picks=body.picks)
    worker_arguments = body.tried_moves, trial, body.browser_pictures(page.pictures), {"seq": body.seq}
    return packed_response(
        request, await page.tables.workers.run(queue, packed_what_if_step, what_if, *worker_arguments)
    )


async def _requested_what_if(
    page: PageContext, request: web.Request
) -> tuple[RequestBody, QueuePlace, WhatIf]:
    """The request's body, its worker queue, and a what-if that starts at the current position."""
    visitor, body = await read_request(page, request, RequestKind.COMPLETION)
    async with page.tables.reading(visitor.game_id) as live:
        require_seq(live, body)
        queue = question_queue(visitor, live.row.guild_id, visitor.game_id)
        return body, queue, WhatIfs().begin(live, user_id_of(visitor))


async def show_orders(page: PageContext, request: web.Request) -> web.Response:
    """Respond with the visitor's standing orders, in effect or ended, and with orders that they can give.

    The ended orders are marked as notified.
    """
    visitor = await require_player(page, request)
    tables, game_id, user_id = page.tables, visitor.game_id, user_id_of(visitor)
    order_list = await list_orders(tables, game_id, user_id)
    async with tables.reading(game_id) as live:
        player = tables.seat_of(live, user_id)
        is_acting = player in live.game.actors()
        quick_orders = quick_orders_of_turn(live, is_sealing=order_list.is_sealing) if is_acting else ()
        privates = live.game.title.spec.privates
        name_by_private = {name: privates[name].name for name in order_rules.privates_to_bid_on(live.game)}
        sealed_bids = await player_orders.sealed_bids_of(tables, live, player)
    await orders.mark_notified(tables.db, game_id, order_list.ended_orders)
    skip_orders = [
        (
            "skip",
            f"{step_to_skip.company},{step_to_skip.step}",
            f"{step_to_skip.company}: skip {step_to_skip.step}",
        )
        for step_to_skip in order_list.steps_to_skip
    ]
    offered_orders = dict.fromkeys([*quick_orders, *quick_orders_of_list(order_list), *skip_orders])
    return uncached_json_response(
        {
            "lines": [plain_text(line) for line in order_list.text.split("\n")],
            "standing_order_numbers": order_list.standing_orders,
            "quick_orders": [
                {"choice": choice, "details": details, "label": label}
                for choice, details, label in offered_orders
            ],
            "name_by_private": name_by_private,
            "sealed_bid_by_private": sealed_bids,
        }
    )


async def change_order(page: PageContext, request: web.Request) -> web.Response:
    """Give or withdraw a standing order."""
    visitor, body = await read_request(page, request, RequestKind.MOVE)
    await require_writing_process(page, visitor)
    tables, game_id, user_id = page.tables, visitor.game_id, user_id_of(visitor)
    if body.choice == "withdraw":
        number = int(body.order_details) if re.fullmatch("[0-9]{1,9}", body.order_details) else 0
        done_text = await player_orders.withdraw_order(tables, game_id, user_id, number)
        return await change_response(page, visitor, [done_text])
    return await make_change(
        page, visitor, lambda: player_orders.give_order(tables, game_id, user_id, _order_builder(body))
    )


def _order_builder(body: RequestBody) -> player_orders.OrderBuilder:
    """A function that builds the requested standing order; raises Denied if the request is invalid."""

    def build_order(game: Game, player: PlayerId) -> order_rules.Order:
        del player
        if body.choice in ONE_CLICK_ORDER_KINDS:
            return order_of_button(game, body.choice, body.order_details)
        if body.choice == "max":
            then: Any = "ask" if body.when_outbid == "ask" else "pass"
            return order_rules.bid_up_to_order(game, body.private, body.max_bid, then)
        return order_rules.seal_bids_order(game, body.bids)

    if body.choice not in {*ONE_CLICK_ORDER_KINDS, "max", "seal"}:
        raise Denied(HTTPStatus.BAD_REQUEST, INVALID_REQUEST)
    return build_order
