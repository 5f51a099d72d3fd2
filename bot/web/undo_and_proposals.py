"""HTTP routes for undo and redo, for proposals to undo or redo, and for votes."""

import re
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.live import LiveGame
from bot.table.markdown import message_link
from bot.table.rate_limits import RequestKind
from bot.table.redo import moves_to_redo, player_who_redoes, redo, redo_needs_consent
from bot.table.undo import undo, undo_loss_of
from bot.table.votes.proposal_kinds import ProposalWithVotes, proposal_made_text
from bot.table.votes.proposals import WITHDRAW_CHOICE, proposal_message_id
from bot.table.votes.undo_proposals import propose_redo, propose_undo, undo_question
from bot.web.answers import ProposalJson
from bot.web.change_requests import (
    INVALID_REQUEST,
    carry_out,
    change_response,
    make_change,
    read_request,
    require_current_position,
    require_seq,
    require_writing_process,
    user_id_of,
)
from bot.web.context import GAME_PATH, PageContext
from bot.web.entry.access import Denied
from bot.web.wire import UNNAMED_USER, plain_text
from storage import Database

VOTE_ANSWERS: Final = ("yes", "no")
DONE_SENTENCE_BY_CHOICE: Final = {
    "yes": "You agreed to proposal {}.",
    "no": "You refused proposal {}.",
    WITHDRAW_CHOICE: "You withdrew proposal {}.",
}
_USER_MENTION: Final = re.compile(r"<@([0-9]+)>")


def routes(page: PageContext) -> list[web.RouteDef]:
    """HTTP routes for undo, redo and votes."""
    return [
        web.post(f"{GAME_PATH}/undo", partial(undo_moves, page)),
        web.post(f"{GAME_PATH}/redo", partial(redo_moves, page)),
        web.post(f"{GAME_PATH}/answer", partial(answer_proposal, page)),
    ]


async def undo_moves(page: PageContext, request: web.Request) -> web.Response:
    """Undo the visitor's last move, or all moves after a log row that the request names.

    If other players must agree, propose the undo to them instead.
    """
    visitor, body = await read_request(page, request, RequestKind.MOVE)
    await require_current_position(page, visitor, body)
    tables, user, game_id, target_seq = page.tables, user_id_of(visitor), visitor.game_id, body.target_seq
    if target_seq is None:
        return await make_change(page, visitor, lambda: undo(tables, game_id, user, body.seq))
    async with tables.reading(game_id) as live:
        require_seq(live, body)
        undo_loss = await undo_loss_of(tables, live, target_seq, tables.seat_of(live, user))
        question_text = None if undo_loss.needs_no_consent else await undo_question(tables, live, undo_loss)
    if question_text is None:
        return await make_change(page, visitor, lambda: undo(tables, game_id, user, body.seq, target_seq))
    if not body.is_confirmed:
        text = plain_text(question_text)
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, text, question=text, confirm_label="Ask them")
    async with tables.reading(game_id) as live:
        subject = await propose_undo(tables, live, user, target_seq, body.seq)
    proposal = await carry_out(
        page, visitor, page.services.proposals.propose(game_id, user, subject.require_not_outdated)
    )
    return await change_response(page, visitor, [proposal_made_text(proposal)], is_proposed=True)


async def redo_moves(page: PageContext, request: web.Request) -> web.Response:
    """Redo the last undo; if other players must agree, propose the redo to them instead."""
    visitor, body = await read_request(page, request, RequestKind.MOVE)
    await require_current_position(page, visitor, body)
    tables, user, game_id, is_moderator = page.tables, user_id_of(visitor), visitor.game_id, visitor.moderates
    async with tables.reading(game_id) as live:
        undone_moves = moves_to_redo(live)
        player_who_redoes(live, undone_moves, user, is_moderator=is_moderator)
        needs_consent = redo_needs_consent(live, undone_moves, user)
    if not needs_consent:
        return await make_change(
            page, visitor, lambda: redo(tables, game_id, user, body.seq, is_moderator=is_moderator)
        )
    open_proposal = await carry_out(
        page,
        visitor,
        page.services.proposals.propose_or_vote(game_id, user, lambda live: propose_redo(tables, live, user)),
    )
    page.services.on_vote(game_id, open_proposal.proposal.number)
    is_open = open_proposal.proposal.state == "open"
    return await change_response(
        page, visitor, [proposal_made_text(open_proposal.proposal)] if is_open else [], is_open
    )


async def answer_proposal(page: PageContext, request: web.Request) -> web.Response:
    """Vote on a proposal, or withdraw a proposal that the visitor made."""
    visitor, body = await read_request(page, request, RequestKind.MOVE)
    if body.choice not in DONE_SENTENCE_BY_CHOICE:
        raise Denied(HTTPStatus.BAD_REQUEST, INVALID_REQUEST)
    await require_writing_process(page, visitor)
    game_id, user, proposal_number = visitor.game_id, user_id_of(visitor), body.proposal_number
    vote_coroutine = page.services.proposals.vote(
        game_id, proposal_number, user, body.choice, is_moderator=visitor.moderates
    )
    try:
        await carry_out(page, visitor, vote_coroutine)
    finally:
        # Also where it was settled meanwhile: its message says so then.
        page.services.on_vote(game_id, proposal_number)
    return await change_response(
        page, visitor, [DONE_SENTENCE_BY_CHOICE[body.choice].format(proposal_number)]
    )


async def proposals_json(
    db: Database, live: LiveGame, visitor: Visitor, open_proposals: Sequence[ProposalWithVotes]
) -> list[ProposalJson]:
    """Open proposals as JSON, each with the players it waits for, and the answers that the visitor may give."""
    return [
        _proposal_json(live, visitor, open_proposal, await proposal_message_id(db, open_proposal.proposal))
        for open_proposal in open_proposals
    ]


def _proposal_json(
    live: LiveGame, visitor: Visitor, open_proposal: ProposalWithVotes, message_id: int | None
) -> ProposalJson:
    proposal, electorate = open_proposal.proposal, open_proposal.electorate
    agreement_by_user = {vote.user_id: vote.agrees for vote in open_proposal.votes}
    missing_vote_count = electorate.votes_needed - electorate.agreed_count(open_proposal.votes)
    missing_voters = (
        [user for user in electorate.voters if user not in agreement_by_user]
        if missing_vote_count > 0
        else []
    )
    return {
        "number": proposal.number,
        "description": plain_text(_text_with_names(live, open_proposal.subject.describe())),
        "proposer_name": _player_name(live, proposal.by_user),
        "must_still_agree": [
            _player_name(live, user)
            for user in electorate.users_who_must_agree
            if not agreement_by_user.get(user)
        ],
        "missing_voters": [_player_name(live, user) for user in missing_voters],
        "missing_vote_count": max(0, missing_vote_count),
        "needs_moderator": electorate.needs_moderator,
        "expires_at": proposal.until,
        "own_vote": None if visitor.user_id is None else agreement_by_user.get(visitor.user_id),
        "possible_answers": _possible_answers(open_proposal, visitor),
        "message_url": None if message_id is None else message_link(live.row, message_id),
    }


def _possible_answers(open_proposal: ProposalWithVotes, visitor: Visitor) -> list[str]:
    user = visitor.user_id
    if user is None:
        return []
    if user == open_proposal.proposal.by_user:
        return [WITHDRAW_CHOICE]
    return (
        list(VOTE_ANSWERS)
        if open_proposal.electorate.may_answer(user, is_moderator=visitor.moderates)
        else []
    )


def _text_with_names(live: LiveGame, text: str) -> str:
    """A text in which player names replace Discord mentions."""
    return _USER_MENTION.sub(lambda match: _player_name(live, int(match[1])), text)


def _player_name(live: LiveGame, user: int) -> str:
    player = live.player_of(user)
    return UNNAMED_USER if player is None else live.name_of(player)
