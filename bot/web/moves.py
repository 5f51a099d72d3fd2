"""Moves: the offers for a visitor, and their moves, by the same offers, rights and writer as in Discord."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.table.board_access import Visitor
from bot.table.errors import NotYours, Refused
from bot.table.live import LiveGame, ask_position, move_queue
from bot.table.moves.menus import Capacity, Place, picked_move
from bot.table.moves.moves import SEARCHED, Quick, confirm_question
from bot.table.moves.turn_buttons import Buttons
from bot.table.orders.sealed_auction import OPEN, is_sealing
from bot.table.rate_limits import Kind
from bot.table.votes.absent_seats import absent_seat, absent_seats
from bot.table.votes.acting_as import make_as, offer_as
from bot.table.votes.proposals import Proposals
from bot.web.change_requests import Body, ChangeRequests, user_of
from bot.web.entry.access import Denied, json_answer
from bot.web.offers_as_json import offers_packed, step_packed
from bot.web.position_answers import packed_answer
from bot.web.wire import Picture, plain_text
from engine import PlayerId

CAPACITIES: Final = {"": Capacity.OWN, "moderator": Capacity.MODERATOR, "table": Capacity.TABLE}
"""In what capacity somebody moves, by what the page says."""
OFFICERS_ONLY: Final = "That is for moderators of games."


class Playing:
    """Answers to who decides."""

    def __init__(
        self,
        requests: ChangeRequests,
        buttons: Buttons,
        proposals: Proposals,
        known: Callable[[str], Picture | None],
    ) -> None:
        """`known`: a picture that a page has, by its id."""
        self._requests = requests
        self._tables = requests.tables
        self._limits = requests.limits
        self._buttons = buttons
        self._proposals = proposals
        self._known = known

    async def offers(self, request: web.Request) -> web.Response:
        """All that a visitor may decide now, or in another capacity for somebody else."""
        visitor = await self._requests.access.visitor(request)
        capacity = _capacity(request.query.get("as", ""))
        if visitor.user_id is None:
            async with self._tables.reading(visitor.game_id) as live:
                return json_answer({"seq": live.seq, "for": None, "name": None, "offers": []})
        await self._buttons.search(visitor.game_id)
        async with self._tables.reading(visitor.game_id) as live:
            self._limits.require(visitor, Kind.COMPLETION, live.row.guild_id)
            player = _whose(live, visitor, capacity, request.query.get("player", ""))
            if player is None:
                return json_answer({"seq": live.seq, "for": None, "name": None, "offers": []})
            found = await self._buttons.of(live)
            searched = [entry.quick for entry in found if entry.kind == SEARCHED and entry.quick is not None]
            stepwise = OPEN if await is_sealing(self._tables.db, live) else frozenset()
            queue, position, begun = move_queue(live), live.game.dump(), {"seq": live.seq}
        asked = player, capacity is Capacity.OWN, searched, stepwise, begun
        text = await ask_position(self._tables.workers, queue, position, offers_packed, *asked)
        return packed_answer(request, text)

    async def walk(self, request: web.Request) -> web.Response:
        """The next question of an offer, or what the whole move would do."""
        visitor, body = await self._requests.begun(request, Kind.MOVE)
        async with self._tables.reading(visitor.game_id) as live:
            self._requests.require_seq(live, body)
            self._offer(live, visitor, _place(visitor, body))
            queue, position, begun = move_queue(live), live.game.dump(), {"seq": live.seq}
        asked = body.key, body.picks, body.looks(self._known), begun
        text = await ask_position(self._tables.workers, queue, position, step_packed, *asked)
        return packed_answer(request, text)

    async def play(self, request: web.Request) -> web.Response:
        """Make a whole move."""
        visitor, body = await self._requests.begun(request, Kind.MOVE)
        await self._requests.require_turn(visitor, body)
        await self._requests.require_shown(visitor)
        place = _place(visitor, body)
        quick, actor = await self._meant(visitor, body, place)
        if quick.confirm and not body.sure:
            await self._ask_first(visitor, body, quick)
        deed = make_as(self._tables, self._proposals, user_of(visitor), place, actor, quick)
        done, _ = await self._requests.made(visitor, deed)
        return await self._requests.answer(visitor, done.split("\n"), place.capacity is Capacity.TABLE)

    async def _meant(self, visitor: Visitor, body: Body, place: Place) -> tuple[Quick, PlayerId]:
        """The move, and whose it is."""
        if body.move:
            await self._buttons.search(visitor.game_id)
            async with self._tables.reading(visitor.game_id) as live:
                self._requests.require_seq(live, body)
                player = self._tables.seat_of(live, user_of(visitor))
                return await self._buttons.named(live, player, body.move), player
        async with self._tables.reading(visitor.game_id) as live:
            self._requests.require_seq(live, body)
            actor = self._offer(live, visitor, place)
            queue, position = move_queue(live), live.game.dump()
        quick = await ask_position(self._tables.workers, queue, position, picked_move, place.key, place.picks)
        return quick, actor

    def _offer(self, live: LiveGame, visitor: Visitor, place: Place) -> PlayerId:
        """The player whose offer the page names; raises NotYours where it is not for this visitor."""
        if place.capacity is Capacity.MODERATOR and not visitor.moderates:
            raise NotYours(OFFICERS_ONLY)
        return offer_as(self._tables, live, user_of(visitor), place).actor

    async def _ask_first(self, visitor: Visitor, body: Body, quick: Quick) -> None:
        """Raise Denied with the question that players are asked before such a move."""
        async with self._tables.reading(visitor.game_id) as live:
            self._requests.require_seq(live, body)
            queue, position = move_queue(live), live.game.dump()
        question = plain_text(
            await ask_position(self._tables.workers, queue, position, confirm_question, quick)
        )
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, question, question=question)


def _capacity(named: str) -> Capacity:
    """The capacity that the page names; raises Denied for none."""
    if named not in CAPACITIES:
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, f"As: {', '.join(filter(None, CAPACITIES))}.")
    return CAPACITIES[named]


def _place(visitor: Visitor, body: Body) -> Place:
    """The place of the visitor in the questions of an offer; a move of one press is always one's own."""
    capacity = Capacity.OWN if body.move else _capacity(body.capacity)
    return Place(visitor.game_id, body.seq, body.key, body.picks, capacity=capacity)


def _whose(live: LiveGame, visitor: Visitor, capacity: Capacity, named: str) -> PlayerId | None:
    """For which player a visitor decides; None for an onlooker. Raises NotYours, Refused."""
    user = user_of(visitor)
    if capacity is Capacity.OWN:
        return live.player_of(user)
    player = next((seat.player_id for seat in live.seats if seat.player_id == named), None)
    if player is None:
        raise Refused(f"Players: {', '.join(seat.player_id for seat in live.seats)}.")
    if capacity is Capacity.TABLE:
        absent_seat(live, user)
        if player not in absent_seats(live, user):
            raise NotYours(f"The table does not play for {live.name_of(player)}.")
    elif not visitor.moderates:
        raise NotYours(OFFICERS_ONLY)
    return player
