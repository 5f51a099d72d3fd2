"""Components about a game and its users, not about moves: lobby, proposals, moderators, pings, rematch."""

from typing import Final

from bot.client.bot_client import BotInteraction
from bot.client.callbacks.component import Component
from bot.client.components import buttons
from bot.client.entry.replies import say


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


class PrivacyButton(Component):
    """The user's stored data, and its removal; belongs to no game."""

    template = buttons.PRIVACY_ID
    # Users ask about themselves.
    right = "ask"

    async def act(self, interaction: BotInteraction) -> None:
        """Answer, or do it."""
        await interaction.client.privacy.click(interaction, self.choice)


class MuteButton(Component):
    """No more pings in a game until the user has acted; in direct messages, too."""

    template = buttons.MUTE_ID
    # In a direct message there is no server; without a ping there is nothing to mute.
    right = "ask"

    async def act(self, interaction: BotInteraction) -> None:
        """Note it, and say so privately."""
        await say(interaction, await interaction.client.ping_loop.mute(self.game, interaction.user.id))


class ClaimButton(Component):
    """A seat of a game that was imported; there is no game yet."""

    template = buttons.CLAIM_ID
    # There is no game yet; the message knows whose seats are taken.
    right = "ask"

    async def act(self, interaction: BotInteraction) -> None:
        """Take the seat or give it back; the last one continues the game."""
        await interaction.client.imports.claim(interaction, self.number)


class ImportButton(Component):
    """The `yes` to importing a file again; there is no game yet."""

    template = buttons.IMPORT_ID
    # Like /game import itself.
    right = "ask"

    async def act(self, interaction: BotInteraction) -> None:
        """Let its seats be claimed."""
        await interaction.client.imports.again(interaction)


class RematchButton(Component):
    """Another game like one that has ended."""

    template = buttons.REMATCH_ID
    # Those who played may play again, and ask the others.
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Open it, or take a seat in the one that somebody has opened."""
        await interaction.client.rematches.click(interaction, self.game)


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
    PrivacyButton,
    MuteButton,
    ClaimButton,
    ImportButton,
    RematchButton,
    RulesSelect,
)
"""Components about a game and its users."""
