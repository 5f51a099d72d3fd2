"""`/game settings`, and the same of moderators: reminders, time banks, absence and sealed auctions of a game."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.entry.replies import after, say, think
from bot.client.entry.requirements import needs
from bot.client.features.lobby import game, show_lobby
from bot.client.features.moderation import mod
from bot.client.parameters import Completed, GameNumber, Name, completed
from bot.client.which_game import game_meant, lobby_choices
from bot.table.moves.autocomplete import Item
from bot.table.rights import Right
from bot.table.seats import changing_settings
from bot.table.settings import table_settings
from bot.table.settings.table_settings import SETTINGS

HOW: Final = f"-# `setting:` {', '.join(SETTINGS)}; with `value:` it is changed."


async def _settings(interaction: BotInteraction, typed: str) -> Completed:
    return completed((Item(name, f"{name}: {setting.about}") for name, setting in SETTINGS.items()), typed)


async def _values(interaction: BotInteraction, typed: str) -> Completed:
    setting = SETTINGS.get(str(interaction.namespace.setting))
    if setting is None:
        return []
    return completed((Item(value, f"{value}: {says}") for value, says in setting.values.items()), typed)


def _add(group: app_commands.Group, right: Right) -> None:
    """Add the command to a group, for users with this right; moderators change a game that has started, too."""

    @group.command(name="settings", extras=needs(right, game="number"))
    @app_commands.describe(
        setting="What to change; default: show all",
        value="To what",
        number="The game's number; default: the game of this thread, or the newest in this channel",
    )
    @app_commands.autocomplete(setting=_settings, value=_values, number=lobby_choices)
    async def settings(
        interaction: BotInteraction,
        setting: Name | None = None,
        value: Name | None = None,
        number: GameNumber | None = None,
    ) -> None:
        """Reminders, time banks, absence and sealed auctions of this game."""
        await think(interaction)
        bot, by = interaction.client, interaction.user.id
        game = await game_meant(interaction, number)
        if setting is None or value is None:
            await say(interaction, "\n".join([*await table_settings.summary(bot.tables.db, game), HOW]))
            return
        done = await changing_settings.choose(
            bot.tables, bot.lobbies, game, by, setting, value, moderator=right == "moderate"
        )
        await show_lobby(interaction, game, done)
        with after(done):
            await say(interaction, done)


_add(game, "sit")
_add(mod, "moderate")
