"""What is proposed to a table: its message in the thread, with the buttons by which it is answered."""

from collections.abc import Sequence
from typing import Final

import discord

from bot.client import panel
from bot.client.buttons import motion_button
from bot.client.holding import edit_pressed
from bot.client.replies import after, say, think, unless_stopped
from bot.client.threads import Threads
from bot.table import notices
from bot.table.seating import Asking, Seating, Warrant, asking_text
from storage.outbox import Posting

ANSWERS: Final = {"yes": "Agree", "no": "Refuse"}
"""What can be answered, and what the button says."""


class MotionPosts:
    """Puts motions to a table, and takes the answers."""

    def __init__(self, seating: Seating, threads: Threads) -> None:
        self._seating = seating
        self._threads = threads

    async def propose(
        self,
        interaction: discord.Interaction,
        game_id: int,
        leaving: int,
        newcomer: discord.abc.User,
        warrant: Warrant,
    ) -> None:
        """Propose that a newcomer takes over a seat; the thread is asked."""
        by = interaction.user.id
        async with unless_stopped(interaction):
            motion = await self._seating.propose(
                game_id, by, leaving, (newcomer.id, newcomer.display_name), warrant
            )
        done = f"Proposal {motion.number} is made; the thread asks whoever has to agree."
        with after(done):
            await say(interaction, done)

    async def post(self, game_id: int, posting: Posting, found: Sequence[discord.Message]) -> None:
        """Ask the table, unless that was done just before a crash."""
        number = notices.motion_of(posting.payload)
        asking = await self._seating.asking(game_id, number)
        if any(_asks(message, asking) for message in found):
            return
        thread = await self._threads.of(game_id)
        asked = [asking.handing.newcomer, asking.handing.leaving, *asking.others]
        called = [discord.Object(user) for user in dict.fromkeys(asked) if user != asking.motion.by_user]
        only = discord.AllowedMentions(everyone=False, roles=False, users=called, replied_user=False)
        await thread.send(
            asking_text(asking), view=_view(asking), allowed_mentions=only, nonce=f"motion.{posting.id}"
        )

    async def answer(self, interaction: discord.Interaction, game_id: int, number: int, wish: str) -> None:
        """A press on a motion's message, which shows then how it stands."""
        await think(interaction)
        async with unless_stopped(interaction):
            asking = await self._seating.answer(game_id, number, interaction.user.id, wish)
        with after("Your answer is noted."):
            await edit_pressed(interaction, content=asking_text(asking), view=_view(asking))


def _view(asking: Asking) -> discord.ui.View:
    """The buttons; none once it is settled."""
    game_id, number = asking.motion.game_id, asking.motion.number
    answers = ANSWERS if asking.motion.state == "open" else {}
    return panel.rows_of(motion_button(game_id, number, wish, label) for wish, label in answers.items())


def _asks(message: discord.Message, asking: Asking) -> bool:
    return message.content.startswith(f"Proposal {asking.motion.number}:")
