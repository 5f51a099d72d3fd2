"""Components about a game and its users, not about moves: lobby, proposals, moderators."""

from typing import Final

from bot.client.bot_client import BotInteraction
from bot.client.callbacks.component import Component
from bot.client.components import buttons


class RepairButton(Component):
    """The `yes` to repairing or ending a damaged game."""

    template = buttons.REPAIR_ID
    right = "moderate"

    async def act(self, interaction: BotInteraction) -> None:
        """Do it."""
        await interaction.client.damaged_games.confirm(interaction, self.game, self.seq, self.choice)


class VoteButton(Component):
    """The answer to what is proposed to a table."""

    template = buttons.VOTE_ID
    # The newcomer has no seat yet; the proposal knows who is asked.
    right = "look"

    async def act(self, interaction: BotInteraction) -> None:
        """Note it, and do what is agreed then."""
        await interaction.client.proposal_posts.answer(interaction, self.game, self.number, self.choice)


class ModerationButton(Component):
    """The `yes` to what a moderator is about to do."""

    template = buttons.MODERATION_ID
    right = "moderate"

    async def act(self, interaction: BotInteraction) -> None:
        """Do it."""
        await interaction.client.moderation.confirm(
            interaction, self.game, self.seq, self.choice, self.number
        )


class LobbyButton(Component):
    """Join, leave or start on a lobby message, or seat computer players."""

    template = buttons.LOBBY_ID
    # A user who joins has no seat yet; the lobby knows who has one.
    right = "look"

    async def act(self, interaction: BotInteraction) -> None:
        """Do it, and bring the lobby message up to date."""
        await interaction.client.flows.lobby_choice(interaction, self.game, self.choice)


class RulesSelect(Component):
    """Profile or options on a lobby message."""

    template = buttons.RULES_ID
    right = "sit"

    async def act(self, interaction: BotInteraction) -> None:
        """Change what was agreed, and bring the lobby message up to date."""
        await interaction.client.flows.lobby_rules(interaction, self.game, self.what, self.values)


TABLE_COMPONENTS: Final[tuple[type[Component], ...]] = (
    RepairButton,
    VoteButton,
    ModerationButton,
    LobbyButton,
    RulesSelect,
)
"""Components about a game and its users."""
