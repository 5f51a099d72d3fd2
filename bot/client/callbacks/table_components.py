"""Presses about a game and its users, not about moves: lobby, proposals, moderators, pings, rematch."""

from typing import Final

from bot.client.bot_client import BotInteraction
from bot.client.callbacks.component import Press
from bot.client.components import buttons
from bot.client.entry.replies import say


class MendPress(Press, template=buttons.MEND_ID):
    """The `yes` to repairing or ending a damaged game."""

    async def act(self, interaction: BotInteraction) -> None:
        """Do it."""
        await interaction.client.mends.confirm(interaction, self.game, self.seq, self.wish)


class MotionPress(Press, template=buttons.MOTION_ID):
    """The answer to what is proposed to a table."""

    async def act(self, interaction: BotInteraction) -> None:
        """Note it, and do what is agreed then."""
        await interaction.client.motions.answer(interaction, self.game, self.number, self.wish)


class DeedPress(Press, template=buttons.DEED_ID):
    """The `yes` to what a moderator is about to do."""

    async def act(self, interaction: BotInteraction) -> None:
        """Do it."""
        await interaction.client.moderation.confirm(interaction, self.game, self.seq, self.wish, self.number)


class LobbyPress(Press, template=buttons.LOBBY_ID):
    """Join, leave or start on a lobby message, or seat computer players."""

    async def act(self, interaction: BotInteraction) -> None:
        """Do it, and bring the lobby message up to date."""
        await interaction.client.flows.lobby_press(interaction, self.game, self.wish)


class PrivacyPress(Press, template=buttons.PRIVACY_ID):
    """The user's stored data, and its removal; belongs to no game."""

    game = 0

    async def act(self, interaction: BotInteraction) -> None:
        """Answer, or do it."""
        await interaction.client.privacy.press(interaction, self.wish)


class MutePress(Press, template=buttons.MUTE_ID):
    """No more pings in a game until the user has acted; in direct messages, too."""

    async def act(self, interaction: BotInteraction) -> None:
        """Note it, and say so privately."""
        await say(interaction, await interaction.client.calls.mute(self.game, interaction.user.id))


class ClaimPress(Press, template=buttons.CLAIM_ID):
    """A seat of a game that was imported; there is no game yet."""

    game = 0

    async def act(self, interaction: BotInteraction) -> None:
        """Take the seat or give it back; the last one continues the game."""
        await interaction.client.imports.claim(interaction, self.number)


class ImportPress(Press, template=buttons.IMPORT_ID):
    """The `yes` to importing a file again; there is no game yet."""

    game = 0

    async def act(self, interaction: BotInteraction) -> None:
        """Let its seats be claimed."""
        await interaction.client.imports.again(interaction)


class RematchPress(Press, template=buttons.REMATCH_ID):
    """Another game like one that has ended."""

    async def act(self, interaction: BotInteraction) -> None:
        """Open it, or take a seat in the one that somebody has opened."""
        await interaction.client.rematches.press(interaction, self.game)


class RulesPick(Press, template=buttons.RULES_ID):
    """Profile or options on a lobby message."""

    async def act(self, interaction: BotInteraction) -> None:
        """Change what was agreed, and bring the lobby message up to date."""
        await interaction.client.flows.lobby_rules(interaction, self.game, self.what, self.values)


TABLE_PRESSES: Final = (
    MendPress,
    MotionPress,
    DeedPress,
    LobbyPress,
    PrivacyPress,
    MutePress,
    ClaimPress,
    ImportPress,
    RematchPress,
    RulesPick,
)
"""Every one of them, on components of old messages, too."""
