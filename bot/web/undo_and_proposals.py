"""Undo and redo, with proposals where others must agree, and votes."""

import re
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.live import LiveGame
from bot.table.markdown import message_link
from bot.table.rate_limits import Kind
from bot.table.redo import asks_others, redo, redoable, require_whose
from bot.table.undo import loss_of, undo
from bot.table.votes.proposal_kinds import OpenProposal, made_text
from bot.table.votes.proposals import WITHDRAW, message_of
from bot.table.votes.undo_proposals import propose_redo, propose_undo, undo_question
from bot.web.change_requests import (
    NONSENSE,
    carry_out,
    done_answer,
    make_change,
    read_request,
    require_here,
    require_seq,
    require_turn,
    user_of,
)
from bot.web.context import GAME, Page
from bot.web.entry.access import Denied
from bot.web.wire import SOMEBODY, plain_text
from storage import Database

ANSWERS: Final = ("yes", "no")
DONE: Final = {
    "yes": "You agreed to proposal {}.",
    "no": "You refused proposal {}.",
    WITHDRAW: "You withdrew proposal {}.",
}
_USER: Final = re.compile(r"<@([0-9]+)>")


def routes(page: Page) -> list[web.RouteDef]:
    """Routes of undo, redo, and votes."""
    return [
        web.post(f"{GAME}/undo", partial(undo_moves, page)),
        web.post(f"{GAME}/redo", partial(redo_moves, page)),
        web.post(f"{GAME}/answer", partial(answer, page)),
    ]


async def undo_moves(page: Page, request: web.Request) -> web.Response:
    """Undo the visitor's last move, or with `to` all after a move, which may need a proposal."""
    visitor, body = await read_request(page, request, Kind.MOVE)
    await require_turn(page, visitor, body)
    tables, user, game, to = page.tables, user_of(visitor), visitor.game_id, body.to
    if to is None:
        return await make_change(page, visitor, lambda: undo(tables, game, user, body.seq))
    async with tables.reading(game) as live:
        require_seq(live, body)
        loss = await loss_of(tables, live, to, tables.seat_of(live, user))
        asked = None if loss.is_own else await undo_question(tables, live, loss)
    if asked is None:
        return await make_change(page, visitor, lambda: undo(tables, game, user, body.seq, to))
    if not body.sure:
        text = plain_text(asked)
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, text, question=text, ask="Ask them")
    async with tables.reading(game) as live:
        subject = await propose_undo(tables, live, user, to, body.seq)
    proposal = await carry_out(
        page, visitor, page.behind.proposals.propose(game, user, subject.unless_overtaken)
    )
    return await done_answer(page, visitor, [made_text(proposal)], proposed=True)


async def redo_moves(page: Page, request: web.Request) -> web.Response:
    """Redo the last undo, which may need a proposal."""
    visitor, body = await read_request(page, request, Kind.MOVE)
    await require_turn(page, visitor, body)
    tables, user, game, moderates = page.tables, user_of(visitor), visitor.game_id, visitor.moderates
    async with tables.reading(game) as live:
        taken = redoable(live)
        require_whose(live, taken, user, moderates=moderates)
        asks = asks_others(live, taken, user)
    if not asks:
        return await make_change(
            page, visitor, lambda: redo(tables, game, user, body.seq, moderates=moderates)
        )
    asking = await carry_out(
        page,
        visitor,
        page.behind.proposals.propose_or_vote(game, user, lambda live: propose_redo(tables, live, user)),
    )
    page.behind.answered(game, asking.proposal.number)
    proposed = asking.proposal.state == "open"
    return await done_answer(page, visitor, [made_text(asking.proposal)] if proposed else [], proposed)


async def answer(page: Page, request: web.Request) -> web.Response:
    """Vote on a proposal, or withdraw one."""
    visitor, body = await read_request(page, request, Kind.MOVE)
    if body.choice not in DONE:
        raise Denied(HTTPStatus.BAD_REQUEST, NONSENSE)
    await require_here(page, visitor)
    game, user, number = visitor.game_id, user_of(visitor), body.number
    vote = page.behind.proposals.vote(game, number, user, body.choice, moderates=visitor.moderates)
    try:
        await carry_out(page, visitor, vote)
    finally:
        # Also where it was settled meanwhile: its message says so then.
        page.behind.answered(game, number)
    return await done_answer(page, visitor, [DONE[body.choice].format(number)])


async def proposals_json(
    db: Database, live: LiveGame, visitor: Visitor, asked: Sequence[OpenProposal]
) -> list[dict[str, Any]]:
    """The open proposals as JSON: whom each waits for, and the visitor's possible votes."""
    return [_proposal_json(live, visitor, asking, await message_of(db, asking.proposal)) for asking in asked]


def _proposal_json(
    live: LiveGame, visitor: Visitor, asking: OpenProposal, message: int | None
) -> dict[str, Any]:
    proposal, electorate = asking.proposal, asking.electorate
    said = {vote.user_id: vote.agrees for vote in asking.votes}
    left = electorate.needed - electorate.agreed_count(asking.votes)
    voters = [user for user in electorate.voters if user not in said] if left > 0 else []
    return {
        "number": proposal.number,
        "what": plain_text(_named(live, asking.subject.says())),
        "by": _name(live, proposal.by_user),
        "waits_for": [_name(live, user) for user in electorate.must if not said.get(user)],
        "voters": [_name(live, user) for user in voters],
        "needed": max(0, left),
        "moderator": electorate.moderator,
        "until": proposal.until,
        "said": None if visitor.user_id is None else said.get(visitor.user_id),
        "answers": _answers(asking, visitor),
        "link": None if message is None else message_link(live.row, message),
    }


def _answers(asking: OpenProposal, visitor: Visitor) -> list[str]:
    user = visitor.user_id
    if user is None:
        return []
    if user == asking.proposal.by_user:
        return [WITHDRAW]
    return list(ANSWERS) if asking.electorate.may_answer(user, moderates=visitor.moderates) else []


def _named(live: LiveGame, text: str) -> str:
    """A text with player names in place of mentions."""
    return _USER.sub(lambda found: _name(live, int(found[1])), text)


def _name(live: LiveGame, user: int) -> str:
    player = live.player_of(user)
    return SOMEBODY if player is None else live.name_of(player)
