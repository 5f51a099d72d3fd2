"""HTTP routes for a visitor's offers (decisions open to them) and moves, under the same rules as on Discord."""

from functools import partial
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.errors import NotPermitted, Refused
from bot.table.live import LiveGame, ask_about_position, search_queue
from bot.table.moves.menus import ActingAs, MenuState, picked_move
from bot.table.moves.moves import RUN_TRAINS_KIND, OneClickMove, confirmation_question
from bot.table.orders.sealed_auction import KINDS_WITHOUT_SEALING_BUTTON, is_sealing
from bot.table.rate_limits import RequestKind
from bot.table.votes.absent_seats import absent_seats, seat_to_propose_for
from bot.table.votes.acting_as import move_or_propose, offer_in_capacity, require_no_secret
from bot.web.change_requests import (
    RequestBody,
    carry_out,
    change_response,
    read_request,
    require_current_position,
    require_seq,
    require_visible_thread,
    user_id_of,
)
from bot.web.context import GAME_PATH, PageContext
from bot.web.entry.access import Denied, uncached_json_response, visitor_of
from bot.web.offers_as_json import packed_offers, packed_step
from bot.web.position_answers import packed_response
from bot.web.wire import plain_text
from engine import PlayerId

ACTING_AS_BY_WORD: Final = {"": ActingAs.SELF, "moderator": ActingAs.MODERATOR, "table": ActingAs.GROUP}
"""For each word in a page's request, the ActingAs value: on whose behalf the visitor decides."""
MODERATORS_ONLY: Final = "Only moderators of games can do this."


def routes(page: PageContext) -> list[web.RouteDef]:
    """HTTP routes for offers and moves."""
    return [
        web.get(f"{GAME_PATH}/offers", partial(show_offers, page)),
        web.post(f"{GAME_PATH}/walk", partial(show_step, page)),
        web.post(f"{GAME_PATH}/play", partial(make_move, page)),
    ]


async def show_offers(page: PageContext, request: web.Request) -> web.Response:
    """Respond with the decisions open to the visitor, or to a player for whom the visitor decides."""
    visitor = await visitor_of(page, request)
    acting_as = _acting_as(request.query.get("as", ""))
    if visitor.user_id is not None:
        await page.services.buttons.search_routes(visitor.game_id)
    async with page.tables.reading(visitor.game_id) as live:
        player = None
        if visitor.user_id is not None:
            page.limits.count_request(visitor, RequestKind.COMPLETION, live.row.guild_id)
            player = _player_of(live, visitor, acting_as, request.query.get("player", ""))
        if player is None:
            return uncached_json_response(
                {"seq": live.seq, "player": None, "player_name": None, "offers": []}
            )
        buttons = await page.services.buttons.buttons_of(live)
        found_moves = [
            entry.move for entry in buttons if entry.kind == RUN_TRAINS_KIND and entry.move is not None
        ]
        stepwise_kinds = (
            KINDS_WITHOUT_SEALING_BUTTON if await is_sealing(page.tables.db, live) else frozenset()
        )
        queue, position, response_start = search_queue(live), live.game.dump(), {"seq": live.seq}
    worker_arguments = player, acting_as is ActingAs.SELF, found_moves, stepwise_kinds, response_start
    packed = await ask_about_position(page.tables.workers, queue, position, packed_offers, *worker_arguments)
    return packed_response(request, packed)


async def show_step(page: PageContext, request: web.Request) -> web.Response:
    """Respond with the next question of an offer, or with a preview of the complete move."""
    visitor, body = await read_request(page, request, RequestKind.MOVE)
    async with page.tables.reading(visitor.game_id) as live:
        require_seq(live, body)
        _offer_actor(page, live, visitor, _requested_menu_state(visitor, body))
        queue, position, response_start = search_queue(live), live.game.dump(), {"seq": live.seq}
    worker_arguments = body.offer_key, body.picks, body.browser_pictures(page.pictures), response_start
    packed = await ask_about_position(page.tables.workers, queue, position, packed_step, *worker_arguments)
    return packed_response(request, packed)


async def make_move(page: PageContext, request: web.Request) -> web.Response:
    """Make a complete move, or propose it to the group if it is a move of an absent player."""
    visitor, body = await read_request(page, request, RequestKind.MOVE)
    await require_current_position(page, visitor, body)
    await require_visible_thread(page, visitor)
    menu_state = _requested_menu_state(visitor, body)
    one_click_move, actor = await _chosen_move(page, visitor, body, menu_state)
    if one_click_move.needs_confirmation and not body.is_confirmed:
        await _ask_for_confirmation(page, visitor, body, one_click_move)
    coroutine = move_or_propose(
        page.tables, page.services.proposals, user_id_of(visitor), menu_state, actor, one_click_move
    )
    done_text, _ = await carry_out(page, visitor, coroutine)
    return await change_response(page, visitor, done_text.split("\n"), menu_state.acting_as is ActingAs.GROUP)


async def _chosen_move(
    page: PageContext, visitor: Visitor, body: RequestBody, menu_state: MenuState
) -> tuple[OneClickMove, PlayerId]:
    if body.move_key:
        await page.services.buttons.search_routes(visitor.game_id)
    async with page.tables.reading(visitor.game_id) as live:
        require_seq(live, body)
        if body.move_key:
            player = page.tables.seat_of(live, user_id_of(visitor))
            return await page.services.buttons.move_of_button(live, player, body.move_key), player
        actor = _offer_actor(page, live, visitor, menu_state)
        queue, position = search_queue(live), live.game.dump()
    one_click_move = await ask_about_position(
        page.tables.workers, queue, position, picked_move, menu_state.key, menu_state.picks
    )
    return one_click_move, actor


def _offer_actor(page: PageContext, live: LiveGame, visitor: Visitor, menu_state: MenuState) -> PlayerId:
    """The player to whom the requested offer is open; raises NotPermitted if they must decide themselves."""
    if menu_state.acting_as is ActingAs.MODERATOR and not visitor.moderates:
        raise NotPermitted(MODERATORS_ONLY)
    return offer_in_capacity(page.tables, live, user_id_of(visitor), menu_state).actor


async def _ask_for_confirmation(
    page: PageContext, visitor: Visitor, body: RequestBody, one_click_move: OneClickMove
) -> None:
    """Raise Denied with the question that the visitor must answer before making this move."""
    async with page.tables.reading(visitor.game_id) as live:
        require_seq(live, body)
        queue, position = search_queue(live), live.game.dump()
    question_text = await ask_about_position(
        page.tables.workers, queue, position, confirmation_question, one_click_move
    )
    question = plain_text(question_text)
    raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, question, question=question)


def _acting_as(word: str) -> ActingAs:
    if word not in ACTING_AS_BY_WORD:
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, f"As: {', '.join(filter(None, ACTING_AS_BY_WORD))}.")
    return ACTING_AS_BY_WORD[word]


def _requested_menu_state(visitor: Visitor, body: RequestBody) -> MenuState:
    """The requested offer and the picks made for it. A one-click move is always made for the visitor."""
    acting_as = ActingAs.SELF if body.move_key else _acting_as(body.acting_as)
    return MenuState(visitor.game_id, body.seq, body.offer_key, body.picks, acting_as=acting_as)


def _player_of(live: LiveGame, visitor: Visitor, acting_as: ActingAs, player_id: str) -> PlayerId | None:
    """The player for whom the visitor decides; None for a spectator. Raises NotPermitted, Refused."""
    user = user_id_of(visitor)
    if acting_as is ActingAs.SELF:
        return live.player_of(user)
    player = next((seat.player_id for seat in live.seats if seat.player_id == player_id), None)
    if player is None:
        raise Refused(f"Players: {', '.join(seat.player_id for seat in live.seats)}.")
    if acting_as is ActingAs.GROUP:
        seat_to_propose_for(live, user)
        if player not in absent_seats(live, user):
            raise NotPermitted(f"The group does not play for {live.name_of(player)}.")
    elif not visitor.moderates:
        raise NotPermitted(MODERATORS_ONLY)
    require_no_secret(live, player)
    return player
