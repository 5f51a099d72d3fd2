"""`/game settings` (reminders, time banks, absence, sealed auctions) and `/theme` (pictures)."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.command_groups import game, mod
from bot.client.entry.replies import defer, reply, reply_stored
from bot.client.entry.rights import needs, require, server_here
from bot.client.features.lobby_messages import update_after
from bot.client.parameters import Completed, GameNumber, Name, matches_of
from bot.client.which_game import game_meant, lobby_choices
from bot.table import changing_settings
from bot.table.moves.completions import LONGEST, MenuItem
from bot.table.rights import Right
from bot.table.settings import table_settings
from bot.table.settings.table_settings import SETTINGS
from bot.table.settings.themes import set_theme, theme_of
from render import LARGE

HOW: Final = f"-# `setting:` {', '.join(SETTINGS)}; add `value:` to change it."


async def _settings(interaction: BotInteraction, typed_text: str) -> Completed:
    return matches_of(
        (MenuItem(name, f"{name}: {setting.description}") for name, setting in SETTINGS.items()), typed_text
    )


async def _values(interaction: BotInteraction, typed_text: str) -> Completed:
    setting = SETTINGS.get(str(interaction.namespace.setting))
    if setting is None:
        return []
    return matches_of(
        (MenuItem(value, f"{value}: {says}") for value, says in setting.values.items()), typed_text
    )


def _add(group: app_commands.Group, right: Right) -> None:
    """Add the command to a group, for users with this right; moderators may change a game that has started."""

    @group.command(name="settings", extras=needs(right, game="number"))
    @app_commands.describe(
        setting="Which setting to change; default: show all",
        value="The new value",
        number="The game's number; default: the game of this thread, or the newest in this channel",
    )
    @app_commands.autocomplete(setting=_settings, value=_values, number=lobby_choices)
    async def settings(
        interaction: BotInteraction,
        setting: Name | None = None,
        value: Name | None = None,
        number: GameNumber | None = None,
    ) -> None:
        """Show or change reminders, time banks, absence and sealed auctions."""
        await defer(interaction)
        bot, by = interaction.client, interaction.user.id
        game = await game_meant(interaction, number)
        if setting is None or value is None:
            await reply(interaction, "\n".join([*await table_settings.summary(bot.tables.db, game), HOW]))
            return
        done = await changing_settings.choose_game_setting(
            bot.tables, bot.lobbies, game, by, setting, value, moderator=right == "moderate"
        )
        await update_after(bot, game, done)
        await reply_stored(interaction, done)


_add(game, "sit")
_add(mod, "moderate")


# --- how pictures look -----------------------------------------------------------------------------------------------

LETTERS: Final = {
    "usual": "normal text",
    "large": "large text: pictures show less at once, and close-ups fewer hexes",
}
"""Sizes of the text in pictures, in words."""
LOOKS: Final = {
    "ours": "light",
    "safe": "colours that colour-blind players can tell apart",
    "dark": "dark",
}
"""Colours of pictures, in words."""


def choices(words: dict[str, str]) -> list[app_commands.Choice[str]]:
    """Command choices with these words for each value."""
    return [app_commands.Choice(name=says[:LONGEST], value=name) for name, says in words.items()]


@app_commands.command(name="theme", extras=needs("ask"))
@app_commands.describe(
    look="Which colours; default: unchanged",
    letters="How large the text is; default: unchanged",
    everybody="Set it for the whole server (only for members who manage the server)",
)
@app_commands.choices(look=choices(LOOKS), letters=choices(LETTERS))
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
        await require(interaction, "manage")
    person = None if everybody else interaction.user.id
    whole = await choose_theme(interaction, person, look, letters)
    whose = "Pictures on this server" if everybody else "Your own pictures"
    await reply(interaction, f"{whose} will now look like this: {theme_words(whole)}.")


def theme_words(theme: str) -> str:
    """A theme as people read it: `light, large text`."""
    return LOOKS[theme.removesuffix(LARGE)] + (", large text" if theme.endswith(LARGE) else "")


async def choose_theme(
    interaction: BotInteraction, person: int | None, look: str | None, letters: str | None
) -> str:
    """Choose a theme for a person, or (None) as this server's default; None keeps a part. Returns the theme."""
    db, server = interaction.client.tables.db, server_here(interaction)
    seen = await theme_of(db, server, person) or interaction.client.pictures.theme
    colours = look or seen.removesuffix(LARGE)
    large = seen.endswith(LARGE) if letters is None else letters == "large"
    whole = f"{colours}{LARGE}" if large else colours
    await set_theme(db, server, person, whole)
    return whole
