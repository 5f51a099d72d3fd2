"""`/setup`: a server's settings for games, and missing permissions."""

from typing import Final, get_args

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.entry.replies import defer, reply, stored_but_not_shown
from bot.client.entry.rights import needs
from bot.client.features.settings import COLOUR_THEMES, LETTER_SIZES, choices_of, choose_theme, theme_words
from bot.client.parameters import Completions, Name, complete_title, matches_of
from bot.client.places.forum_posts_and_tags import STATE_TAGS, may_make_tags
from bot.client.places.game_channels import Venue, missing_in, permissions_in, suitable_venue
from bot.client.requests.permission_problems import missing_permissions_text
from bot.client.requests.permissions_and_invitation import PERMISSION_NAMES, missing_permissions
from bot.table.errors import Refused
from bot.table.markdown import strong
from bot.table.moves.completions import MenuItem
from bot.table.settings.game_rules import PROFILE_MEANINGS, read_profile, read_title
from bot.table.settings.server_settings import ServerSettings, Setting, choose_server_setting, server_settings
from bot.table.settings.themes import theme_of
from engine import TITLES
from storage import Database

PING_WAYS: Final = {
    "loud": "the next player gets a normal ping",
    "quiet": "the next player gets a silent ping",
}
"""Ways to ping the next player, by setting."""
RATING_WAYS: Final = {
    "off": "games do not change ratings",
    "on": "finished games change their players' ratings, by title",
}
"""Descriptions of ratings, by setting."""
DEFAULT_TEXTS: Final = {
    "channel": "games open in the channel where somebody uses `/game new`",
    "moderators": "members who may manage threads moderate games",
    "pings": PING_WAYS["loud"],
    "title": "`/game new` suggests no title",
    "profile": "games use the rulebook",
    "ratings": RATING_WAYS["off"],
}
"""Texts of the defaults, by setting."""


async def _complete_profile(interaction: BotInteraction, typed_text: str) -> Completions:
    del interaction
    return matches_of(
        (MenuItem(name, f"{name}: {says}") for name, says in PROFILE_MEANINGS.items()), typed_text
    )


@app_commands.command(name="setup", extras=needs("manage"))
@app_commands.describe(
    channel="A text channel or forum in which all games of this server open",
    moderators="Members with this role moderate games",
    pings="Ping the next player with sound or silently",
    title="The usual title here: `/game new` offers it first",
    profile="The rules profile for that title",
    ratings="Rate players after finished games (OpenSkill); `/stats` shows ratings",
    look="Colours of pictures, for members who have not chosen their own",
    letters="Text size in pictures",
    back="Reset one setting",
)
@app_commands.autocomplete(title=complete_title, profile=_complete_profile)
@app_commands.choices(
    pings=choices_of(PING_WAYS),
    ratings=choices_of(RATING_WAYS),
    look=choices_of(COLOUR_THEMES),
    letters=choices_of(LETTER_SIZES),
    back=choices_of({name: f"{name}: {DEFAULT_TEXTS[name]}" for name in get_args(Setting)}),
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
    """Choose how games work on this server, and check the bot's permissions."""
    typed: dict[Setting, str | None] = {
        "moderators": None if moderators is None else str(moderators.id),
        "pings": pings,
        "title": title,
        "profile": profile,
        "ratings": ratings,
    }
    chosen = {setting: value for setting, value in typed.items() if value is not None}
    reset_setting = next((setting for setting in get_args(Setting) if setting == back), None)
    await defer(interaction)
    guild, db = _require_guild(interaction), interaction.client.tables.db
    if channel is not None:
        chosen["channel"] = str(await _usable_channel_id(channel))
    await _check_title_and_profile(db, guild.id, chosen)
    for setting, value in chosen.items():
        await choose_server_setting(db, guild.id, setting, value)
    if reset_setting is not None:
        await choose_server_setting(db, guild.id, reset_setting, None)
    if look is not None or letters is not None:
        await choose_theme(interaction, None, look, letters)
    with stored_but_not_shown("Settings saved."):
        await reply(interaction, await _overview(interaction, guild))


async def _check_title_and_profile(db: Database, server_id: int, chosen: dict[Setting, str]) -> None:
    """Raise Refused for an unknown title or profile."""
    current = await server_settings(db, server_id)
    title = chosen.get("title", current.title)
    if "title" in chosen:
        chosen["title"] = read_title(chosen["title"]).id
    if "profile" in chosen and title is None:
        raise Refused("A rules profile belongs to a title: give the title, too.")
    if "profile" in chosen and title is not None:
        chosen["profile"] = read_profile(read_title(title), chosen["profile"])


async def _overview(interaction: BotInteraction, guild: discord.Guild) -> str:
    settings = await server_settings(interaction.client.tables.db, guild.id)
    theme = await theme_of(interaction.client.tables.db, guild.id, None)
    venue = _venue(interaction, guild, settings)
    return "\n".join(
        [
            strong("Games on this server"),
            *(f"- {_setting_name(setting)}: {_value_text(settings, setting)}" for setting in DEFAULT_TEXTS),
            f"- pictures: {'default' if theme is None else theme_words(theme)}",
            *_permission_lines(venue),
            "-# Change these with `/setup`; `back:` resets one.",
        ]
    )


async def _usable_channel_id(channel: object) -> int:
    """The id of a typed channel, if games can be played there with our permissions."""
    if isinstance(channel, discord.app_commands.AppCommandChannel | discord.app_commands.AppCommandThread):
        channel = channel.resolve() or await channel.fetch()
    venue = suitable_venue(channel)
    missing_names = missing_in(venue, permissions_in(venue))
    if missing_names:
        raise Refused(f"Nothing was changed. {missing_permissions_text(missing_names, venue.id)}")
    return venue.id


def _venue(interaction: BotInteraction, guild: discord.Guild, settings: ServerSettings) -> Venue | str:
    """The channel for games opened from here, or the reason why there is none."""
    channel = interaction.channel if settings.channel is None else guild.get_channel(settings.channel)
    if channel is None:
        return "The channel for games was deleted, or I may not see it: choose another."
    try:
        return suitable_venue(channel)
    except Refused as error:
        return str(error)


def _permission_lines(venue: Venue | str) -> list[str]:
    """Missing required and optional permissions in a channel for games."""
    if isinstance(venue, str):
        return [f"{strong('No game can be opened here.')} {venue}"]
    permissions = permissions_in(venue)
    missing_names = missing_in(venue, permissions)
    if missing_names:
        return [f"{strong('No game can be opened.')} {missing_permissions_text(missing_names, venue.id)}"]
    lines = [f"Games can be played in <#{venue.id}>: I have all permissions."]
    if missing_permissions(permissions, ["pin_messages"]):
        lines.append(f"With {PERMISSION_NAMES['pin_messages']} I would pin the board of each game, too.")
    if isinstance(venue, discord.ForumChannel) and not may_make_tags(venue):
        lines.append(
            "If I had Manage Channels there, I would make tags for titles and game states. Without "
            "it, posts get only these existing tags: "
            + ", ".join(sorted({*STATE_TAGS.values()}))
            + " and titles' names."
        )
    return lines


def _setting_name(setting: str) -> str:
    return {"channel": "where", "profile": "rules"}.get(setting, setting)


def _value_text(settings: ServerSettings, setting: str) -> str:
    value = getattr(settings, setting)
    if value is None:
        return DEFAULT_TEXTS[setting]
    if setting == "title":
        return TITLES[value].name if value in TITLES else str(value)
    value_texts = {
        "channel": f"<#{value}>",
        "moderators": f"<@&{value}>",
        "ratings": RATING_WAYS.get(value, ""),
    }
    return value_texts.get(setting, PING_WAYS.get(value, str(value)))


def _require_guild(interaction: BotInteraction) -> discord.Guild:
    if interaction.guild is None:
        raise Refused("Use this command on a server.")
    return interaction.guild
