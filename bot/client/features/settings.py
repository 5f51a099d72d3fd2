"""`/game settings` (reminders, time banks, absence, sealed auctions) and `/theme` (the look of pictures)."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.command_groups import game, mod
from bot.client.entry.replies import defer, reply, reply_after_storing
from bot.client.entry.rights import needs, require_right, server_id_here
from bot.client.features.lobby_messages import update_message_after_change
from bot.client.parameters import Completions, GameNumber, Name, matching_choices
from bot.client.which_game import chosen_game, lobby_choices
from bot.table import game_setting_changes
from bot.table.moves.completions import MAX_ITEM_LABEL_LENGTH, MenuItem
from bot.table.rights import Right
from bot.table.settings import table_settings
from bot.table.settings.table_settings import SETTINGS
from render import LARGE_SUFFIX

CHANGE_HINT: Final = f"-# To change one, type `setting:` and `value:`. Settings: {', '.join(SETTINGS)}."


async def _complete_setting(interaction: BotInteraction, typed_text: str) -> Completions:
    return matching_choices(
        (MenuItem(name, f"{name}: {setting.description}") for name, setting in SETTINGS.items()), typed_text
    )


async def _complete_value(interaction: BotInteraction, typed_text: str) -> Completions:
    setting = SETTINGS.get(str(interaction.namespace.setting))
    if setting is None:
        return []
    return matching_choices(
        (MenuItem(value, f"{value}: {meaning}") for value, meaning in setting.values.items()), typed_text
    )


def _add_settings_command(group: app_commands.Group, right: Right) -> None:
    """Add the command `settings` to a group. Users need `right`; only moderators may change a started game."""

    @group.command(name="settings", extras=needs(right, game="number"))
    @app_commands.describe(
        setting="Which setting to change; default: show all",
        value="The new value",
        number="The game's number; default: the game of this thread, or the newest in this channel",
    )
    @app_commands.autocomplete(setting=_complete_setting, value=_complete_value, number=lobby_choices)
    async def settings(
        interaction: BotInteraction,
        setting: Name | None = None,
        value: Name | None = None,
        number: GameNumber | None = None,
    ) -> None:
        """Show or change reminders, time banks, absence, sealed auctions and the start."""
        await defer(interaction)
        bot, user_id = interaction.client, interaction.user.id
        game_id = await chosen_game(interaction, number)
        if setting is None or value is None:
            await reply(
                interaction,
                "\n".join([*await table_settings.settings_summary(bot.tables.db, game_id), CHANGE_HINT]),
            )
            return
        done_text = await game_setting_changes.choose_game_setting(
            bot.tables, bot.lobbies, game_id, user_id, setting, value, is_moderator=right == "moderate"
        )
        await update_message_after_change(bot, game_id, done_text)
        await reply_after_storing(interaction, done_text)


_add_settings_command(game, "sit")
_add_settings_command(mod, "moderate")


# --- themes of pictures ----------------------------------------------------------------------------------------------

TEXT_BY_LETTER_SIZE: Final = {
    "usual": "normal text",
    "large": "large text: pictures show less at once, and close-ups fewer hexes",
}
"""Descriptions of the text sizes in pictures, by option of `/theme`."""
TEXT_BY_COLOUR_THEME: Final = {
    "ours": "light",
    "safe": "colours that colour-blind players can tell apart",
    "dark": "dark",
}
"""Descriptions of the colour themes of pictures, by id."""


def parameter_choices(description_by_value: dict[str, str]) -> list[app_commands.Choice[str]]:
    """The choices for a command's parameter. `description_by_value` has the shown description of each value."""
    return [
        app_commands.Choice(name=description[:MAX_ITEM_LABEL_LENGTH], value=name)
        for name, description in description_by_value.items()
    ]


@app_commands.command(name="theme", extras=needs("ask"))
@app_commands.describe(
    look="Which colours; default: unchanged",
    letters="How large the text is; default: unchanged",
    everybody="Set it for the whole server (only for members who manage the server)",
)
@app_commands.choices(
    look=parameter_choices(TEXT_BY_COLOUR_THEME), letters=parameter_choices(TEXT_BY_LETTER_SIZE)
)
@app_commands.guild_only()
async def theme(
    interaction: BotInteraction,
    look: str | None = None,
    letters: str | None = None,
    everybody: bool = False,
) -> None:
    """Choose the look of pictures, for you or for this server."""
    await defer(interaction)
    if everybody:
        await require_right(interaction, "manage")
    target_user_id = None if everybody else interaction.user.id
    new_theme = await choose_theme(interaction, target_user_id, look, letters)
    subject = "Pictures on this server" if everybody else "Your own pictures"
    await reply(interaction, f"{subject} will now look like this: {theme_description(new_theme)}.")


def theme_description(theme: str) -> str:
    """Description of a picture theme: `light, large text`."""
    return TEXT_BY_COLOUR_THEME[theme.removesuffix(LARGE_SUFFIX)] + (
        ", large text" if theme.endswith(LARGE_SUFFIX) else ""
    )


async def choose_theme(
    interaction: BotInteraction, user_id: int | None, look: str | None, letters: str | None
) -> str:
    """Set the picture theme of a user, or of the server if `user_id` is None; returns the new theme.

    If `look` or `letters` is None, that part of the theme stays unchanged.
    """
    themes, server_id = interaction.client.tables.themes, server_id_here(interaction)
    current_theme = await themes.theme_of(server_id, user_id) or interaction.client.pictures.theme
    colour_theme = look or current_theme.removesuffix(LARGE_SUFFIX)
    is_large = current_theme.endswith(LARGE_SUFFIX) if letters is None else letters == "large"
    new_theme = f"{colour_theme}{LARGE_SUFFIX}" if is_large else colour_theme
    await themes.choose(server_id, user_id, new_theme)
    return new_theme
