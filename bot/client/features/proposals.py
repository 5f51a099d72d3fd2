"""The answer to what is proposed to a table."""

from bot.client.bot_client import BotInteraction
from bot.client.buttons import VOTE_ID
from bot.client.component import Component


class VoteButton(Component):
    """The answer to what is proposed to a table."""

    template = VOTE_ID
    # The newcomer has no seat yet; the proposal knows who is asked.
    right = "look"

    async def act(self, interaction: BotInteraction) -> None:
        """Note it, and do what is agreed then."""
        await interaction.client.proposal_posts.answer(interaction, self.game, self.number, self.choice)
