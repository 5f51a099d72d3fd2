"""Moves: a visitor's offers and moves, by the same rules as on Discord."""

from functools import partial
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.errors import BelongsToAnother, Refused
from bot.table.live import LiveGame, ask_position, move_queue
from bot.table.moves.menus import ActingAs, MenuPlace, picked_move
from bot.table.moves.moves import SEARCHED_KIND, OneClickMove, confirmation_question
from bot.table.orders.sealed_auction import KINDS_WITHOUT_BUTTON, is_sealing
from bot.table.rate_limits import RequestKind
from bot.table.votes.absent_seats import absent_seat, absent_seats
from bot.table.votes.acting_as import move_or_propose, offer_in_capacity, require_no_secret
from bot.web.change_requests import (
    RequestBody,
    carry_out,
    done_answer,
    read_request,
    require_current_position,
    require_seq,
    require_visible_thread,
    user_id_of,
)
from bot.web.context import GAME_PATH, Page
from bot.web.entry.access import Denied, json_answer, visitor_of
from bot.web.offers_as_json import packed_offers, packed_step
from bot.web.position_answers import packed_answer
from bot.web.wire import plain_text
from engine import PlayerId

ACTING_AS_BY_WORD: Final = {"": ActingAs.SELF, "moderator": ActingAs.MODERATOR, "table": ActingAs.GROUP}
"""The capacity in which a visitor moves, by the word in the page's request."""
MODERATORS_ONLY: Final = "Only moderators of games can do this."


def routes(page: Page) -> list[web.RouteDef]:
    """Routes of offers and moves."""
    return [
        web.get(f"{GAME_PATH}/offers", partial(show_offers, page)),
        web.post(f"{GAME_PATH}/walk", partial(show_step, page)),
        web.post(f"{GAME_PATH}/play", partial(make_move, page)),
    ]


async def show_offers(page: Page, request: web.Request) -> web.Response:
    """The visitor's offers, or those of another seat in another capacity."""
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
            return json_answer({"seq": live.seq, "for": None, "name": None, "offers": []})
        buttons = await page.services.buttons.buttons_of(live)
        found_moves = [
            entry.move for entry in buttons if entry.kind == SEARCHED_KIND and entry.move is not None
        ]
        stepwise_kinds = KINDS_WITHOUT_BUTTON if await is_sealing(page.tables.db, live) else frozenset()
        queue, position, answer_start = move_queue(live), live.game.dump(), {"seq": live.seq}
    arguments = player, acting_as is ActingAs.SELF, found_moves, stepwise_kinds, answer_start
    packed = await ask_position(page.tables.workers, queue, position, packed_offers, *arguments)
    return packed_answer(request, packed)


async def show_step(page: Page, request: web.Request) -> web.Response:
    """The next step of an offer, or the preview of the complete move."""
    visitor, body = await read_request(page, request, RequestKind.MOVE)
    async with page.tables.reading(visitor.game_id) as live:
        require_seq(live, body)
        _offer_actor(page, live, visitor, _menu_place(visitor, body))
        queue, position, answer_start = move_queue(live), live.game.dump(), {"seq": live.seq}
    arguments = body.key, body.picks, body.browser_pictures(page.pictures), answer_start
    packed = await ask_position(page.tables.workers, queue, position, packed_step, *arguments)
    return packed_answer(request, packed)


async def make_move(page: Page, request: web.Request) -> web.Response:
    """Make a complete move."""
    visitor, body = await read_request(page, request, RequestKind.MOVE)
    await require_current_position(page, visitor, body)
    await require_visible_thread(page, visitor)
    menu_place = _menu_place(visitor, body)
    one_click, actor = await _chosen_move(page, visitor, body, menu_place)
    if one_click.needs_confirmation and not body.sure:
        await _ask_for_confirmation(page, visitor, body, one_click)
    coroutine = move_or_propose(
        page.tables, page.services.proposals, user_id_of(visitor), menu_place, actor, one_click
    )
    done_text, _ = await carry_out(page, visitor, coroutine)
    return await done_answer(page, visitor, done_text.split("\n"), menu_place.acting_as is ActingAs.GROUP)


async def _chosen_move(
    page: Page, visitor: Visitor, body: RequestBody, menu_place: MenuPlace
) -> tuple[OneClickMove, PlayerId]:
    """The move, and its player."""
    if body.move:
        await page.services.buttons.search_routes(visitor.game_id)
    async with page.tables.reading(visitor.game_id) as live:
        require_seq(live, body)
        if body.move:
            player = page.tables.seat_of(live, user_id_of(visitor))
            return await page.services.buttons.move_of_button(live, player, body.move), player
        actor = _offer_actor(page, live, visitor, menu_place)
        queue, position = move_queue(live), live.game.dump()
    one_click = await ask_position(
        page.tables.workers, queue, position, picked_move, menu_place.key, menu_place.picks
    )
    return one_click, actor


def _offer_actor(page: Page, live: LiveGame, visitor: Visitor, menu_place: MenuPlace) -> PlayerId:
    """The player of the page's offer; raises BelongsToAnother for another visitor's."""
    if menu_place.acting_as is ActingAs.MODERATOR and not visitor.moderates:
        raise BelongsToAnother(MODERATORS_ONLY)
    return offer_in_capacity(page.tables, live, user_id_of(visitor), menu_place).actor


async def _ask_for_confirmation(
    page: Page, visitor: Visitor, body: RequestBody, one_click: OneClickMove
) -> None:
    """Raise Denied with the confirmation question of a move."""
    async with page.tables.reading(visitor.game_id) as live:
        require_seq(live, body)
        queue, position = move_queue(live), live.game.dump()
    question_text = await ask_position(page.tables.workers, queue, position, confirmation_question, one_click)
    question = plain_text(question_text)
    raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, question, question=question)


def _acting_as(word: str) -> ActingAs:
    """The capacity named by the page; raises Denied for an unknown one."""
    if word not in ACTING_AS_BY_WORD:
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, f"As: {', '.join(filter(None, ACTING_AS_BY_WORD))}.")
    return ACTING_AS_BY_WORD[word]


def _menu_place(visitor: Visitor, body: RequestBody) -> MenuPlace:
    """The visitor's place in an offer; a one-click move is always the visitor's own."""
    acting_as = ActingAs.SELF if body.move else _acting_as(body.capacity)
    return MenuPlace(visitor.game_id, body.seq, body.key, body.picks, acting_as=acting_as)


def _player_of(live: LiveGame, visitor: Visitor, acting_as: ActingAs, player_id: str) -> PlayerId | None:
    """The player for whom a visitor decides; None for a spectator. Raises BelongsToAnother, Refused."""
    user = user_id_of(visitor)
    if acting_as is ActingAs.SELF:
        return live.player_of(user)
    player = next((seat.player_id for seat in live.seats if seat.player_id == player_id), None)
    if player is None:
        raise Refused(f"Players: {', '.join(seat.player_id for seat in live.seats)}.")
    if acting_as is ActingAs.GROUP:
        absent_seat(live, user)
        if player not in absent_seats(live, user):
            raise BelongsToAnother(f"The group does not play for {live.name_of(player)}.")
    elif not visitor.moderates:
        raise BelongsToAnother(MODERATORS_ONLY)
    require_no_secret(live, player)
    return player
