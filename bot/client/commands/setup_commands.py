"""`/setup`: how games are played on a server, for who manages it."""

from typing import Final, get_args

import discord
from discord import app_commands

from bot.client.administration.setup import PINGS, RATINGS, WITHOUT
from bot.client.bot_client import BotInteraction
from bot.client.commands.completion import Completed, Verbal, completed, titles
from bot.client.commands.typed import Name
from bot.client.entry.requirements import needs
from bot.client.texts.theme_texts import LETTERS, LOOKS
from bot.table.moves.autocomplete import LONGEST, Item
from bot.table.settings.readings import PROFILES
from bot.table.settings.server_settings import Setting


async def _profiles(interaction: BotInteraction, typed: str) -> Completed:
    del interaction
    return completed((Item(name, f"{name}: {says}") for name, says in PROFILES.items()), typed)


def _choices(words: dict[str, str]) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=says[:LONGEST], value=name) for name, says in words.items()]


@app_commands.command(
    name="setup",
    extras=needs("manage"),
)
@app_commands.describe(
    channel="A text channel, or a forum: games are opened there, wherever they are asked for",
    moderators="Members with this role moderate games",
    pings="How the next player is pinged",
    title="What is played here usually: `/game new` offers it first",
    profile="Its reading of the rules",
    ratings="Whether finished games rate their players (OpenSkill), shown by `/stats`",
    look="Colours of pictures, for everybody who has chosen nothing",
    letters="How large the text in pictures is",
    back="Take a choice back",
)
@app_commands.autocomplete(title=titles, profile=_profiles)
@app_commands.choices(
    pings=_choices(PINGS),
    ratings=_choices(RATINGS),
    look=_choices(LOOKS),
    letters=_choices(LETTERS),
    back=_choices({name: f"{name}: {WITHOUT[name]}" for name in get_args(Setting)}),
)
@app_commands.default_permissions(manage_guild=True)
@app_commands.guild_only()
async def setup(
    interaction: BotInteraction,
    channel: app_commands.AppCommandChannel | app_commands.AppCommandThread | None = None,
    moderators: discord.Role | None = None,
    pings: str | None = None,
    title: Name | None = None,
    profile: Name | None = None,
    ratings: str | None = None,
    look: str | None = None,
    letters: str | None = None,
    back: str | None = None,
) -> None:
    """How games are played on this server, and what is missing for it."""
    typed: dict[Setting, str | None] = {
        "moderators": None if moderators is None else str(moderators.id),
        "pings": pings,
        "title": title,
        "profile": profile,
        "ratings": ratings,
    }
    chosen = {setting: value for setting, value in typed.items() if value is not None}
    taken_back = next((setting for setting in get_args(Setting) if setting == back), None)
    await interaction.client.setup.change(interaction, chosen, channel, (look, letters), taken_back)


COMMANDS: Final[tuple[Verbal, ...]] = (setup,)
