"""`/theme`: how pictures look to a user, or to everybody in a server who has chosen nothing."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.entry.replies import say, think
from bot.client.entry.requirements import needs
from bot.client.entry.rights import require, server_here
from render import LARGE

LETTERS: Final = {
    "usual": "usual size",
    "large": "large: less stands side by side, and close-ups show fewer hexes",
}
"""Sizes of the text in pictures, in words."""
LOOKS: Final = {
    "ours": "light",
    "safe": "colours that colour-blind eyes tell apart",
    "dark": "dark",
}
"""Colours of pictures, in words."""


@app_commands.command(name="theme", extras=needs("ask"))
@app_commands.describe(
    look="Which colours; default: as they are",
    letters="How large the text is; default: unchanged",
    everybody="For everybody here who has chosen nothing; for who manages the server",
)
@app_commands.choices(look=[app_commands.Choice(name=words, value=name) for name, words in LOOKS.items()])
@app_commands.choices(
    letters=[app_commands.Choice(name=words, value=name) for name, words in LETTERS.items()]
)
@app_commands.guild_only()
async def theme(
    interaction: BotInteraction,
    look: str | None = None,
    letters: str | None = None,
    everybody: bool = False,
) -> None:
    """How pictures look to you, or in this server."""
    await think(interaction)
    if everybody:
        await require(interaction, "manage")
    person = None if everybody else interaction.user.id
    whole = await interaction.client.themes.choose(server_here(interaction), person, look, letters)
    whose = "Pictures in this server" if everybody else "Pictures that you ask for"
    await say(interaction, f"{whose} are drawn so from now on: {theme_words(whole)}.")


def theme_words(theme: str) -> str:
    """A theme as people read it: `light, large text`."""
    return LOOKS[theme.removesuffix(LARGE)] + (", large text" if theme.endswith(LARGE) else "")
