"""What is proposed to a table: its message in the thread, with the buttons by which it is answered."""

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import discord

from bot.client.buttons import rows_of, vote_button
from bot.client.entry.replies import after, edit_pressed, say, unless_stopped
from bot.client.entry.rights import moderates
from bot.client.places.threads import Threads
from bot.client.requests.permission_problems import Problem
from bot.table.errors import Refused
from bot.table.outbox import notices
from bot.table.tables import Tables
from bot.table.votes.proposals import WITHDRAW, Compose, Proposals, message_of
from bot.table.votes.subjects import Asking, Subject, asking_text, made_text, settled_text
from storage import games
from storage.errors import StorageError
from storage.posts import outbox
from storage.posts.outbox import Posting
from storage.tables import proposals
from storage.tables.proposals import Proposal
from storage.timestamps import moment, stored

_log = logging.getLogger("stationmaster.announce")

ANSWERS: Final = {"yes": "Agree", "no": "Refuse", WITHDRAW: "Withdraw"}
"""What can be answered, and what the button says."""
QUIET_FOR: Final = timedelta(minutes=10)
"""For this long after a ping for a proposal of a game nobody is pinged for another one."""


class ProposalPosts:
    """Posts proposals, and takes the votes."""

    def __init__(self, tables: Tables, proposals: Proposals, threads: Threads) -> None:
        self._tables = tables
        self._proposals = proposals
        self._threads = threads

    async def propose(
        self, interaction: discord.Interaction, game_id: int, compose: Compose, why: str = ""
    ) -> None:
        """Put a matter to the table; the thread is asked. `why` says to the proposer why others decide."""
        async with unless_stopped(interaction):
            proposal = await self._proposals.put(game_id, interaction.user.id, compose)
        done = f"{why} {made_text(proposal)}".lstrip()
        with after(done):
            await say(interaction, done)

    async def propose_or_join(self, interaction: discord.Interaction, game_id: int, compose: Compose) -> None:
        """The same with a proposal of a kind that is open only once: proposing it again is a yes."""
        async with unless_stopped(interaction):
            asking = await self._proposals.put_or_join(game_id, interaction.user.id, compose)
        agreed = len([vote for vote in asking.votes if vote.agrees])
        done = f"You agree to proposal {asking.proposal.number}" if agreed > 1 else made_text(asking.proposal)
        if asking.proposal.state == "accepted" and agreed == 1:
            done = f"Proposal {asking.proposal.number} is accepted: no one else must agree."
        with after(done):
            await self.show(asking.proposal, asking)
            await say(interaction, done)

    async def post(self, game_id: int, posting: Posting, found: Sequence[discord.Message]) -> None:
        """Ask the players, unless that was done just before a crash, or stands in the thread already."""
        number = notices.proposal_of(posting.payload)
        asking = await self._proposals.asking(game_id, number)
        if await message_of(self._tables.db, asking.proposal) is not None:
            return
        sent = next((message for message in found if _asks(message, asking.proposal)), None)
        if sent is None and asking.proposal.why is not None:
            return  # it was over before anybody could answer
        if sent is None:
            sent = await self._send(game_id, posting, asking)
        for old in await proposals.replaced_by(self._tables.db, game_id, number):
            await self.settle(old)
        await outbox.mark_shown(self._tables.db, [posting.id], sent.id)

    async def _send(self, game_id: int, posting: Posting, asking: Asking) -> discord.Message:
        """Post a proposal; of those who are asked, the ones are pinged who were not pinged lately for another one."""
        db, now = self._tables.db, self._tables.clock()
        lately = await proposals.pinged_since(db, game_id, stored(moment(now) - QUIET_FOR))
        others = [user for user in asking.electorate.asked if user != asking.proposal.by_user]
        pinged = [user for user in others if user not in lately and asking.proposal.state == "open"]
        users = [discord.Object(user) for user in pinged]
        only = discord.AllowedMentions(users=users)
        thread = await self._threads.of(game_id)
        text, nonce = _text(asking), f"proposal.{posting.id}"
        sent = await thread.send(text, view=_view(asking.proposal), allowed_mentions=only, nonce=nonce)
        await proposals.mark_pinged(db, game_id, pinged, now)
        return sent

    async def answer(self, interaction: discord.Interaction, game_id: int, number: int, choice: str) -> None:
        """A press on a proposal's message, which then shows its state."""
        user_id, officer = interaction.user.id, await moderates(interaction)
        try:
            async with unless_stopped(interaction):
                asking = await self._proposals.answer(game_id, number, user_id, choice, moderates=officer)
        except Refused:
            proposal, subject = await self._proposals.settled(game_id, number)
            if proposal.state != "open":
                await edit_pressed(interaction, content=settled_text(proposal, subject), view=None)
            raise
        with after("Your proposal is withdrawn." if choice == WITHDRAW else "Your answer is noted."):
            await edit_pressed(interaction, content=_text(asking), view=_view(asking.proposal))

    async def settle(self, proposal: Proposal) -> None:
        """Remove the buttons from the message of a closed proposal; where it cannot be reached, they stay."""
        now, subject = await self._proposals.settled(proposal.game_id, proposal.number)
        await self._edit(now, settled_text(now, subject))

    async def show(self, proposal: Proposal, asking: Asking) -> None:
        """Bring the message of a proposal up to date."""
        await self._edit(proposal, _text(asking))

    async def renew(self, game_id: int, number: int) -> None:
        """Bring the message of a proposal up to date that was answered elsewhere, such as at the board page."""
        try:
            asking = await self._proposals.asking(game_id, number)
            await self.show(asking.proposal, asking)
        except (Refused, StorageError) as error:
            _log.info("game %s: the message of proposal %s stays as it is: %s", game_id, number, error)

    async def _edit(self, proposal: Proposal, text: str) -> None:
        row = await games.get_game(self._tables.db, proposal.game_id)
        number = await message_of(self._tables.db, proposal)
        if number is None or row.thread_id is None:
            return
        try:
            if await self._threads.ready(row.thread_id):
                thread = await self._threads.of(proposal.game_id)
                await thread.get_partial_message(number).edit(content=text, view=_view(proposal))
        except Problem as error:
            _log.info("game %s: proposal %s keeps its buttons: %r", proposal.game_id, proposal.number, error)


def _text(asking: Asking) -> str:
    subject: Subject = asking.subject
    return asking_text(asking) if asking.proposal.state == "open" else settled_text(asking.proposal, subject)


def _view(proposal: Proposal) -> discord.ui.View:
    """The buttons; none once it is settled."""
    answers = ANSWERS if proposal.state == "open" else {}
    return rows_of(
        vote_button(proposal.game_id, proposal.number, choice, label) for choice, label in answers.items()
    )


def _asks(message: discord.Message, proposal: Proposal) -> bool:
    return message.content.startswith(f"Proposal {proposal.number}:")


class SeenPlayers:
    """Notes that people act."""

    def __init__(self, proposals: Proposals, posts: ProposalPosts) -> None:
        self._proposals = proposals
        self._posts = posts

    async def note(self, game_id: int, user_id: int) -> None:
        """Somebody acts in a game, whatever comes of it."""
        try:
            over = await self._proposals.seen(game_id, user_id)
        except (Refused, StorageError) as error:
            # What they ask for says the same, or asks for nothing that needs the game.
            _log.info("game %s: cannot check whether a player was away: %s", game_id, error)
            return
        for proposal in over:
            await self._posts.settle(proposal)
