"""Proposals on which players vote, such as an undo: making, posting, voting, and closing."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import discord

from bot.client.bot_client import BotClient, BotInteraction, PeriodicCheck
from bot.client.buttons import VOTE_BUTTON_PATTERN, view_with_items, vote_button
from bot.client.component import Component
from bot.client.entry.replies import (
    edit_clicked_message,
    reply,
    reply_after_storing,
    report_if_cancelled,
    wrap_as_stored_but_failed,
)
from bot.client.entry.rights import moderates
from bot.client.requests.permission_problems import DISCORD_ERRORS
from bot.client.requests.retries import MINUTE_SECONDS
from bot.client.thread.apply import MessageDeleted
from bot.client.thread.desired import PROPOSAL_ROLE, Post
from bot.client.thread.doubts import UnconfirmedMessages
from bot.table.errors import Refused
from bot.table.outbox import notices
from bot.table.outbox.sender import MarkSent
from bot.table.votes.proposal_kinds import (
    ProposalWithVotes,
    closed_proposal_text,
    open_proposal_text,
    proposal_made_text,
)
from bot.table.votes.proposals import (
    WITHDRAW_CHOICE,
    SubjectBuilder,
    proposal_message_id,
    users_to_ping_about,
)
from storage import (
    Posting,
    StorageError,
    StoredProposal,
    games,
    messages,
    proposals,
)

_log = logging.getLogger("stationmaster.announce")

ANSWER_LABELS: Final = {"yes": "Agree", "no": "Refuse", WITHDRAW_CHOICE: "Withdraw"}
"""Labels of the buttons below a proposal, by answer."""

# --- making proposals ------------------------------------------------------------------------------------------------


async def propose(
    interaction: BotInteraction, game_id: int, build_subject: SubjectBuilder, intro: str = ""
) -> None:
    """Make a proposal to a game's players. The sentence `intro`, if given, is put before the reply."""
    async with report_if_cancelled(interaction):
        proposal = await interaction.client.proposals.propose(game_id, interaction.user.id, build_subject)
    done_text = f"{intro} {proposal_made_text(proposal)}".lstrip()
    await reply_after_storing(interaction, done_text)


async def propose_or_agree(interaction: BotInteraction, game_id: int, build_subject: SubjectBuilder) -> None:
    """Make a proposal, or vote yes if an identical proposal is open."""
    async with report_if_cancelled(interaction):
        open_proposal = await interaction.client.proposals.propose_or_vote(
            game_id, interaction.user.id, build_subject
        )
    yes_vote_count = len([vote for vote in open_proposal.votes if vote.agrees])
    done_text = (
        f"You agree to proposal {open_proposal.proposal.number}"
        if yes_vote_count > 1
        else proposal_made_text(open_proposal.proposal)
    )
    if open_proposal.proposal.state == "accepted" and yes_vote_count == 1:
        done_text = f"Proposal {open_proposal.proposal.number} is accepted at once: nobody else had to agree."
    with wrap_as_stored_but_failed(done_text):
        await update_message(interaction.client, open_proposal)
        await reply(interaction, done_text)


# --- the messages of proposals ---------------------------------------------------------------------------------------


async def post_proposal(
    client: BotClient,
    game_id: int,
    posting: Posting,
    unconfirmed_messages: UnconfirmedMessages,
    mark_sent: MarkSent,
) -> None:
    """Post a proposal in the game's thread, and remove the buttons of proposals that it replaces.

    A proposal that was already posted is not posted again.
    """
    number, db = notices.proposal_number_in(posting.payload), client.tables.db
    open_proposal = await client.proposals.proposal_with_votes(game_id, number)
    for replaced_proposal in await proposals.proposals_replaced_by(db, game_id, number):
        await close_message(client, replaced_proposal)
    is_posted = await proposal_message_id(db, open_proposal.proposal) is not None
    if is_posted or (
        open_proposal.proposal.why is not None
        and not unconfirmed_messages.was_sent(PROPOSAL_ROLE, str(number))
    ):
        await mark_sent([posting], None, ())
        return  # it was closed before it was posted
    await _send_proposal(client, game_id, posting, open_proposal, unconfirmed_messages, mark_sent)


async def _send_proposal(
    client: BotClient,
    game_id: int,
    posting: Posting,
    open_proposal: ProposalWithVotes,
    unconfirmed_messages: UnconfirmedMessages,
    mark_sent: MarkSent,
) -> None:
    """Post a proposal and ping its voters, except those just pinged for another proposal."""
    db, now = client.tables.db, client.tables.clock()
    pinged_users = await users_to_ping_about(db, open_proposal, now)
    vote_post = replace(
        _proposal_post(open_proposal.proposal, _proposal_text(open_proposal)),
        users=tuple(pinged_users),
        rows=[posting],
        silent=False,
    )
    await client.applier.send(game_id, vote_post, unconfirmed_messages, mark_sent)
    await proposals.mark_pinged(db, game_id, pinged_users, now)


def _proposal_post(proposal: StoredProposal, text: str) -> Post:
    return Post(PROPOSAL_ROLE, text, str(proposal.number), _vote_buttons(proposal))


async def update_message(client: BotClient, open_proposal: ProposalWithVotes) -> None:
    """Update a proposal's message, with its votes or result."""
    await _edit_proposal(client, open_proposal.proposal, _proposal_text(open_proposal))


async def update_message_after_vote(client: BotClient, game_id: int, number: int) -> None:
    """Update a proposal's message after a vote that was cast outside Discord, on the board page."""
    try:
        await update_message(client, await client.proposals.proposal_with_votes(game_id, number))
    except (Refused, StorageError) as error:
        _log.info("game %s: cannot update the message of proposal %s: %s", game_id, number, error)


async def close_message(client: BotClient, proposal: StoredProposal) -> None:
    """Remove the buttons of a closed proposal's message, if the message still exists."""
    closed_proposal, subject = await client.proposals.proposal_of_unloaded_game(
        proposal.game_id, proposal.number
    )
    await _edit_proposal(client, closed_proposal, closed_proposal_text(closed_proposal, subject))


async def _edit_proposal(client: BotClient, proposal: StoredProposal, text: str) -> None:
    row = await games.get_game(client.tables.db, proposal.game_id)
    message_row = await messages.newest_message_of_role(
        client.tables.db, row.id, PROPOSAL_ROLE, str(proposal.number)
    )
    if message_row is None or row.thread_id is None:
        return
    try:
        if await client.threads.open_if_exists(row.thread_id):
            # Votes by its buttons edit the message as well.
            post = replace(
                _proposal_post(proposal, text), message=replace(message_row, shows=""), pictures=None
            )
            await client.applier.edit(row.id, post)
    except (MessageDeleted, *DISCORD_ERRORS) as error:
        _log.info(
            "game %s: cannot remove the buttons of proposal %s: %r", proposal.game_id, proposal.number, error
        )


def _proposal_text(open_proposal: ProposalWithVotes) -> str:
    return (
        open_proposal_text(open_proposal)
        if open_proposal.proposal.state == "open"
        else closed_proposal_text(open_proposal.proposal, open_proposal.subject)
    )


def _vote_buttons(proposal: StoredProposal) -> discord.ui.View:
    vote_labels = ANSWER_LABELS if proposal.state == "open" else {}
    return view_with_items(
        vote_button(proposal.game_id, proposal.number, choice, label) for choice, label in vote_labels.items()
    )


# --- voting ----------------------------------------------------------------------------------------------------------


class VoteButton(Component):
    """A button that votes on a proposal or withdraws it."""

    id_pattern = VOTE_BUTTON_PATTERN
    # A newcomer to the game has no seat yet, so the right follows from the proposal.
    user_right = "look"

    async def act(self, interaction: BotInteraction) -> None:
        """Store the user's vote, carry out the proposal if it is now accepted, and update its message."""
        proposal_service, is_moderator = interaction.client.proposals, await moderates(interaction)
        try:
            async with report_if_cancelled(interaction):
                open_proposal = await proposal_service.vote(
                    self.game, self.number, interaction.user.id, self.choice, is_moderator=is_moderator
                )
        except Refused:
            proposal, subject = await proposal_service.proposal_of_unloaded_game(self.game, self.number)
            if proposal.state != "open":
                await edit_clicked_message(
                    interaction, content=closed_proposal_text(proposal, subject), view=None
                )
            raise
        with wrap_as_stored_but_failed(
            "Your proposal is withdrawn."
            if self.choice == WITHDRAW_CHOICE
            else "The bot has received your answer."
        ):
            await edit_clicked_message(
                interaction, content=_proposal_text(open_proposal), view=_vote_buttons(open_proposal.proposal)
            )


# --- closing proposals -----------------------------------------------------------------------------------------------


async def record_presence(client: BotClient, game_id: int, user_id: int) -> None:
    """Record that a user acts in a game. An absent user gets their seat back, and votes on their absence close."""
    try:
        closed_proposals = await client.proposals.record_activity(game_id, user_id)
    except (Refused, StorageError) as error:
        # The user's own request reports the same problem, or does not need the game.
        _log.info("game %s: cannot check whether a player was away: %s", game_id, error)
        return
    for proposal in closed_proposals:
        await close_message(client, proposal)


async def close_outdated_proposals(client: BotClient, game_id: int) -> None:
    """Close a game's proposals that no longer apply after a move."""
    try:
        await _close_expired_proposals(client, await client.proposals.outdated_proposals(game_id))
    except StorageError as error:
        _log.info("game %s: outdated proposals stay open for now: %s", game_id, error)


async def _close_all_expired_proposals(client: BotClient) -> None:
    """Close this process's proposals that have expired or no longer apply."""
    tables = client.tables
    expired_proposals = await proposals.expired_proposals(tables.db, tables.clock(), tables.shards)
    await _close_expired_proposals(client, [*expired_proposals, *await client.proposals.outdated_proposals()])


async def _close_expired_proposals(client: BotClient, ended_proposals: Sequence[StoredProposal]) -> None:
    for proposal in ended_proposals:
        await client.proposals.expire(proposal)
        await close_message(client, proposal)


EXPIRY_CHECK: Final = PeriodicCheck("expired proposals", _close_all_expired_proposals, MINUTE_SECONDS)
