"""The command `/setup`: a server's settings for games, and a check of the bot's permissions."""

from typing import get_args

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.entry.replies import defer, reply, wrap_as_stored_but_failed
from bot.client.entry.rights import needs
from bot.client.features.settings import (
    TEXT_BY_COLOUR_THEME,
    TEXT_BY_LETTER_SIZE,
    choose_theme,
    parameter_choices,
)
from bot.client.features.setup.menus import guild_of, page_text, page_view, usable_channel_id
from bot.client.parameters import Completions, Name, NameList, known_titles, matching_choices
from bot.client.setup_texts import DEFAULT_SETTING_TEXTS, PING_SETTING_TEXTS, RATING_SETTING_TEXTS
from bot.table.errors import Refused
from bot.table.moves.completions import MAX_ITEM_LABEL_LENGTH, MenuItem, ranked_items
from bot.table.settings.game_rules import PROFILE_MEANINGS, read_title
from bot.table.settings.server_settings import (
    ServerSettingKey,
    choose_server_setting,
)


async def _complete_profile(interaction: BotInteraction, typed_text: str) -> Completions:
    del interaction
    return matching_choices(
        (MenuItem(name, f"{name}: {meaning}") for name, meaning in PROFILE_MEANINGS.items()), typed_text
    )


async def _complete_titles(interaction: BotInteraction, typed_text: str) -> Completions:
    """Autocomplete for a list of titles: suggests the titles already typed, followed by one more."""
    del interaction
    earlier_titles_text, separator, last_title = typed_text.rpartition(",")
    items = (
        (f"{earlier_titles_text}{separator} {label}".strip(), f"{earlier_titles_text}{separator}{value}")
        for value, label in ranked_items(known_titles(), last_title)
    )
    return [
        app_commands.Choice(name=label, value=value)
        for label, value in items
        if max(len(label), len(value)) <= MAX_ITEM_LABEL_LENGTH
    ]


@app_commands.command(name="setup", extras=needs("manage"))
@app_commands.describe(
    channel="A text channel or forum in which all games of this server open",
    moderators="Members with this role moderate games",
    pings="Ping the next player with sound or silently",
    title="The usual titles here, separated by commas: `/game new` offers them first",
    profile="The rules profile of new games",
    ratings="Rate players after finished games (OpenSkill); `/stats` shows ratings",
    look="Colours of pictures, for members who have not chosen their own",
    letters="Text size in pictures",
    back="Reset one setting",
)
@app_commands.autocomplete(title=_complete_titles, profile=_complete_profile)
@app_commands.choices(
    pings=parameter_choices(PING_SETTING_TEXTS),
    ratings=parameter_choices(RATING_SETTING_TEXTS),
    look=parameter_choices(TEXT_BY_COLOUR_THEME),
    letters=parameter_choices(TEXT_BY_LETTER_SIZE),
    back=parameter_choices(
        {name: f"{name}: {DEFAULT_SETTING_TEXTS[name]}" for name in get_args(ServerSettingKey)}
    ),
)
@app_commands.default_permissions(manage_guild=True)
@app_commands.guild_only()
async def setup(
    interaction: BotInteraction,
    channel: app_commands.AppCommandChannel | app_commands.AppCommandThread | None = None,
    moderators: discord.Role | None = None,
    pings: str | None = None,
    title: NameList | None = None,
    profile: Name | None = None,
    ratings: str | None = None,
    look: str | None = None,
    letters: str | None = None,
    back: str | None = None,
) -> None:
    """Choose how games work on this server, and check the bot's permissions."""
    typed_values: dict[ServerSettingKey, str | None] = {
        "moderators": None if moderators is None else str(moderators.id),
        "pings": pings,
        "title": title,
        "profile": profile,
        "ratings": ratings,
    }
    chosen_values = {setting: value for setting, value in typed_values.items() if value is not None}
    reset_setting = next((setting for setting in get_args(ServerSettingKey) if setting == back), None)
    await defer(interaction)
    guild, db = guild_of(interaction), interaction.client.tables.db
    if channel is not None:
        chosen_values["channel"] = str(usable_channel_id(channel.resolve() or await channel.fetch()))
    _normalise_titles_and_profile(chosen_values)
    for setting, value in chosen_values.items():
        await choose_server_setting(db, guild.id, setting, value)
    if reset_setting is not None:
        await choose_server_setting(db, guild.id, reset_setting, None)
    if look is not None or letters is not None:
        await choose_theme(interaction, None, look, letters)
    with wrap_as_stored_but_failed("Settings saved."):
        view = await page_view(interaction, "server")
        await reply(interaction, await page_text(interaction, "server"), view=view)


def _normalise_titles_and_profile(chosen_values: dict[ServerSettingKey, str]) -> None:
    """Replace typed names of titles and rules profile by their ids. Raises Refused for unknown names."""
    if "title" in chosen_values:
        names = filter(None, map(str.strip, chosen_values["title"].split(",")))
        chosen_values["title"] = ",".join(dict.fromkeys(read_title(name).id for name in names))
    if "profile" in chosen_values:
        chosen_values["profile"] = chosen_values["profile"].strip().casefold()
        if chosen_values["profile"] not in PROFILE_MEANINGS:
            raise Refused(
                f"There is no rules profile {chosen_values['profile']}. Profiles: {', '.join(PROFILE_MEANINGS)}."
            )
