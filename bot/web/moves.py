"""Moves: a visitor's offers and moves, by the same rules as on Discord."""

from functools import partial
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.errors import NotYours, Refused
from bot.table.live import LiveGame, ask_position, move_queue
from bot.table.moves.menus import Capacity, MenuPlace, picked_move
from bot.table.moves.moves import SEARCHED, OneClickMove, confirm_question
from bot.table.orders.sealed_auction import OPEN, is_sealing
from bot.table.rate_limits import Kind
from bot.table.votes.absent_seats import absent_seat, absent_seats
from bot.table.votes.acting_as import make_as, offer_as
from bot.web.change_requests import (
    Body,
    carry_out,
    done_answer,
    read_request,
    require_seq,
    require_shown,
    require_turn,
    user_of,
)
from bot.web.context import GAME, Page
from bot.web.entry.access import Denied, json_answer, visitor_of
from bot.web.offers_as_json import offers_packed, step_packed
from bot.web.position_answers import packed_answer
from bot.web.wire import plain_text
from engine import PlayerId

CAPACITIES: Final = {"": Capacity.OWN, "moderator": Capacity.MODERATOR, "table": Capacity.TABLE}
"""In what capacity somebody moves, by what the page says."""
OFFICERS_ONLY: Final = "Only moderators of games can do this."


def routes(page: Page) -> list[web.RouteDef]:
    """Routes of offers and moves."""
    return [
        web.get(f"{GAME}/offers", partial(offers, page)),
        web.post(f"{GAME}/walk", partial(walk, page)),
        web.post(f"{GAME}/play", partial(play, page)),
    ]


async def offers(page: Page, request: web.Request) -> web.Response:
    """The visitor's offers, or those of another seat in another capacity."""
    visitor = await visitor_of(page, request)
    capacity = _capacity(request.query.get("as", ""))
    if visitor.user_id is not None:
        await page.behind.buttons.search(visitor.game_id)
    async with page.tables.reading(visitor.game_id) as live:
        player = None
        if visitor.user_id is not None:
            page.limits.require(visitor, Kind.COMPLETION, live.row.guild_id)
            player = _player_of(live, visitor, capacity, request.query.get("player", ""))
        if player is None:
            return json_answer({"seq": live.seq, "for": None, "name": None, "offers": []})
        buttons = await page.behind.buttons.of(live)
        searched = [entry.quick for entry in buttons if entry.kind == SEARCHED and entry.quick is not None]
        stepwise = OPEN if await is_sealing(page.tables.db, live) else frozenset()
        queue, position, begun = move_queue(live), live.game.dump(), {"seq": live.seq}
    asked = player, capacity is Capacity.OWN, searched, stepwise, begun
    text = await ask_position(page.tables.workers, queue, position, offers_packed, *asked)
    return packed_answer(request, text)


async def walk(page: Page, request: web.Request) -> web.Response:
    """The next step of an offer, or the preview of the complete move."""
    visitor, body = await read_request(page, request, Kind.MOVE)
    async with page.tables.reading(visitor.game_id) as live:
        require_seq(live, body)
        _offer(page, live, visitor, _menu_place(visitor, body))
        queue, position, begun = move_queue(live), live.game.dump(), {"seq": live.seq}
    asked = body.key, body.picks, body.picture_looks(page.pictures), begun
    text = await ask_position(page.tables.workers, queue, position, step_packed, *asked)
    return packed_answer(request, text)


async def play(page: Page, request: web.Request) -> web.Response:
    """Make a complete move."""
    visitor, body = await read_request(page, request, Kind.MOVE)
    await require_turn(page, visitor, body)
    await require_shown(page, visitor)
    place = _menu_place(visitor, body)
    quick, actor = await _chosen_move(page, visitor, body, place)
    if quick.confirm and not body.sure:
        await _ask_first(page, visitor, body, quick)
    move = make_as(page.tables, page.behind.proposals, user_of(visitor), place, actor, quick)
    done, _ = await carry_out(page, visitor, move)
    return await done_answer(page, visitor, done.split("\n"), place.capacity is Capacity.TABLE)


async def _chosen_move(
    page: Page, visitor: Visitor, body: Body, menu_place: MenuPlace
) -> tuple[OneClickMove, PlayerId]:
    """The move, and its player."""
    if body.move:
        await page.behind.buttons.search(visitor.game_id)
    async with page.tables.reading(visitor.game_id) as live:
        require_seq(live, body)
        if body.move:
            player = page.tables.seat_of(live, user_of(visitor))
            return await page.behind.buttons.move_of_button(live, player, body.move), player
        actor = _offer(page, live, visitor, menu_place)
        queue, position = move_queue(live), live.game.dump()
    quick = await ask_position(
        page.tables.workers, queue, position, picked_move, menu_place.key, menu_place.picks
    )
    return quick, actor


def _offer(page: Page, live: LiveGame, visitor: Visitor, menu_place: MenuPlace) -> PlayerId:
    """The player of the page's offer; raises NotYours for another visitor's."""
    if menu_place.capacity is Capacity.MODERATOR and not visitor.moderates:
        raise NotYours(OFFICERS_ONLY)
    return offer_as(page.tables, live, user_of(visitor), menu_place).actor


async def _ask_first(page: Page, visitor: Visitor, body: Body, quick: OneClickMove) -> None:
    """Raise Denied with the confirmation question of a move."""
    async with page.tables.reading(visitor.game_id) as live:
        require_seq(live, body)
        queue, position = move_queue(live), live.game.dump()
    asked = await ask_position(page.tables.workers, queue, position, confirm_question, quick)
    question = plain_text(asked)
    raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, question, question=question)


def _capacity(named: str) -> Capacity:
    """The capacity named by the page; raises Denied for an unknown one."""
    if named not in CAPACITIES:
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, f"As: {', '.join(filter(None, CAPACITIES))}.")
    return CAPACITIES[named]


def _menu_place(visitor: Visitor, body: Body) -> MenuPlace:
    """The visitor's place in an offer; a one-click move is always the visitor's own."""
    capacity = Capacity.OWN if body.move else _capacity(body.capacity)
    return MenuPlace(visitor.game_id, body.seq, body.key, body.picks, capacity=capacity)


def _player_of(live: LiveGame, visitor: Visitor, capacity: Capacity, named: str) -> PlayerId | None:
    """The player for whom a visitor decides; None for a spectator. Raises NotYours, Refused."""
    user = user_of(visitor)
    if capacity is Capacity.OWN:
        return live.player_of(user)
    player = next((seat.player_id for seat in live.seats if seat.player_id == named), None)
    if player is None:
        raise Refused(f"Players: {', '.join(seat.player_id for seat in live.seats)}.")
    if capacity is Capacity.TABLE:
        absent_seat(live, user)
        if player not in absent_seats(live, user):
            raise NotYours(f"The group does not play for {live.name_of(player)}.")
    elif not visitor.moderates:
        raise NotYours(OFFICERS_ONLY)
    return player
