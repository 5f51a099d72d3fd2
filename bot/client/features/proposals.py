"""Proposals to a game's players: created, posted, voted on, and closed."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import discord

from bot.client.bot_client import BotClient, BotInteraction, PeriodicCheck
from bot.client.buttons import VOTE_ID, view_of, vote_button
from bot.client.component import Component
from bot.client.entry.replies import (
    edit_pressed,
    reply,
    reply_stored,
    report_if_cancelled,
    stored_but_not_shown,
)
from bot.client.entry.rights import moderates
from bot.client.requests.permission_problems import Problem
from bot.client.requests.retries import MINUTE
from bot.client.thread.apply import MessageGone
from bot.client.thread.desired import PROPOSAL, Post
from bot.client.thread.doubts import DoubtfulMessages
from bot.table.errors import Refused
from bot.table.outbox import notices
from bot.table.outbox.sender import MarkSent
from bot.table.votes.proposal_kinds import OpenProposal, asking_text, made_text, settled_text
from bot.table.votes.proposals import WITHDRAW, SubjectBuilder, message_of, pinged_for
from storage import (
    Posting,
    StorageError,
    StoredProposal,
    games,
    messages,
    proposals,
)

_log = logging.getLogger("stationmaster.announce")

ANSWERS: Final = {"yes": "Agree", "no": "Refuse", WITHDRAW: "Withdraw"}
"""The answers to a proposal, and the labels of their buttons."""

# --- making them -----------------------------------------------------------------------------------------------------


async def propose(
    interaction: BotInteraction, game_id: int, build_subject: SubjectBuilder, why: str = ""
) -> None:
    """Propose something in a game; the thread asks. `why`: the reason for asking, for the proposer."""
    async with report_if_cancelled(interaction):
        proposal = await interaction.client.proposals.propose(game_id, interaction.user.id, build_subject)
    done = f"{why} {made_text(proposal)}".lstrip()
    await reply_stored(interaction, done)


async def propose_or_join(interaction: BotInteraction, game_id: int, build_subject: SubjectBuilder) -> None:
    """Propose, or vote yes if such a proposal, of a kind open only once, exists."""
    async with report_if_cancelled(interaction):
        asking = await interaction.client.proposals.propose_or_vote(
            game_id, interaction.user.id, build_subject
        )
    agreed = len([vote for vote in asking.votes if vote.agrees])
    done = f"You agree to proposal {asking.proposal.number}" if agreed > 1 else made_text(asking.proposal)
    if asking.proposal.state == "accepted" and agreed == 1:
        done = f"Proposal {asking.proposal.number} is accepted at once: nobody else had to agree."
    with stored_but_not_shown(done):
        await show(interaction.client, asking)
        await reply(interaction, done)


# --- their messages --------------------------------------------------------------------------------------------------


async def post(
    client: BotClient, game_id: int, posting: Posting, doubts: DoubtfulMessages, mark_sent: MarkSent
) -> None:
    """Post a proposal, unless it is posted, and remove the buttons of those it replaces."""
    number, db = notices.proposal_of(posting.payload), client.tables.db
    asking = await client.proposals.asking(game_id, number)
    for old in await proposals.replaced_by(db, game_id, number):
        await settle(client, old)
    is_asked = await message_of(db, asking.proposal) is not None
    if is_asked or (asking.proposal.why is not None and not doubts.has(PROPOSAL, str(number))):
        await mark_sent([posting], None, ())
        return  # or it was over before anybody could answer
    await _send(client, game_id, posting, asking, doubts, mark_sent)


async def _send(
    client: BotClient,
    game_id: int,
    posting: Posting,
    asking: OpenProposal,
    doubts: DoubtfulMessages,
    mark_sent: MarkSent,
) -> None:
    """Post a proposal; pings the asked users who were not pinged recently for another one."""
    db, now = client.tables.db, client.tables.clock()
    pinged = await pinged_for(db, asking, now)
    asked = replace(_post(asking.proposal, _text(asking)), users=tuple(pinged), rows=[posting], silent=False)
    await client.applier.send(game_id, asked, doubts, mark_sent)
    await proposals.mark_pinged(db, game_id, pinged, now)


def _post(proposal: StoredProposal, text: str) -> Post:
    return Post(PROPOSAL, text, str(proposal.number), _view(proposal))


async def show(client: BotClient, asking: OpenProposal) -> None:
    """Update a proposal's message."""
    await _edit(client, asking.proposal, _text(asking))


async def renew(client: BotClient, game_id: int, number: int) -> None:
    """Update the message of a proposal that was voted on elsewhere, such as at the board page."""
    try:
        await show(client, await client.proposals.asking(game_id, number))
    except (Refused, StorageError) as error:
        _log.info("game %s: cannot update the message of proposal %s: %s", game_id, number, error)


async def settle(client: BotClient, proposal: StoredProposal) -> None:
    """Remove the buttons of a closed proposal's message, if it can be reached."""
    now, subject = await client.proposals.closed_proposal(proposal.game_id, proposal.number)
    await _edit(client, now, settled_text(now, subject))


async def _edit(client: BotClient, proposal: StoredProposal, text: str) -> None:
    row = await games.get_game(client.tables.db, proposal.game_id)
    at = await messages.newest_of_role(client.tables.db, row.id, PROPOSAL, str(proposal.number))
    if at is None or row.thread_id is None:
        return
    try:
        if await client.threads.open_if_there(row.thread_id):
            # Answers to presses edit it, too.
            shown = replace(_post(proposal, text), message=replace(at, shows=""), pictures=None)
            await client.applier.edit(row.id, shown)
    except (MessageGone, *Problem) as error:
        _log.info(
            "game %s: cannot remove the buttons of proposal %s: %r", proposal.game_id, proposal.number, error
        )


def _text(asking: OpenProposal) -> str:
    return (
        asking_text(asking)
        if asking.proposal.state == "open"
        else settled_text(asking.proposal, asking.subject)
    )


def _view(proposal: StoredProposal) -> discord.ui.View:
    """The buttons of an open proposal."""
    answers = ANSWERS if proposal.state == "open" else {}
    return view_of(
        vote_button(proposal.game_id, proposal.number, choice, label) for choice, label in answers.items()
    )


# --- answering them --------------------------------------------------------------------------------------------------


class VoteButton(Component):
    """A vote button of a proposal."""

    template = VOTE_ID
    # The newcomer has no seat yet; the proposal knows who is asked.
    right = "look"

    async def act(self, interaction: BotInteraction) -> None:
        """Store the vote, carry out an accepted proposal, and update its message."""
        known, officer = interaction.client.proposals, await moderates(interaction)
        try:
            async with report_if_cancelled(interaction):
                asking = await known.vote(
                    self.game, self.number, interaction.user.id, self.choice, moderates=officer
                )
        except Refused:
            proposal, subject = await known.closed_proposal(self.game, self.number)
            if proposal.state != "open":
                await edit_pressed(interaction, content=settled_text(proposal, subject), view=None)
            raise
        with stored_but_not_shown(
            "Your proposal is withdrawn." if self.choice == WITHDRAW else "The bot has your answer."
        ):
            await edit_pressed(interaction, content=_text(asking), view=_view(asking.proposal))


# --- closing them ----------------------------------------------------------------------------------------------------


async def note_seen(client: BotClient, game_id: int, user_id: int) -> None:
    """Record that a user acts in a game, which closes proposals about their absence."""
    try:
        closed = await client.proposals.note_activity(game_id, user_id)
    except (Refused, StorageError) as error:
        # What they ask for says the same, or asks for nothing that needs the game.
        _log.info("game %s: cannot check whether a player was away: %s", game_id, error)
        return
    for proposal in closed:
        await settle(client, proposal)


async def expire_overtaken(client: BotClient, game_id: int) -> None:
    """Close proposals made obsolete by a move."""
    try:
        await _expire(client, await client.proposals.obsolete(game_id))
    except StorageError as error:
        _log.info("game %s: outdated proposals stay open for now: %s", game_id, error)


async def _expire_all(client: BotClient) -> None:
    """Close expired and obsolete proposals of these shards."""
    tables = client.tables
    late = await proposals.expired(tables.db, tables.clock(), tables.share)
    await _expire(client, [*late, *await client.proposals.obsolete()])


async def _expire(client: BotClient, over: Sequence[StoredProposal]) -> None:
    for proposal in over:
        await client.proposals.expire(proposal)
        await settle(client, proposal)


EXPIRY: Final = PeriodicCheck("expired proposals", _expire_all, MINUTE)
