"""`/setup`: what a server has chosen, what is missing for games there and how it is given, and choosing."""

from typing import Final

import discord

from bot.client.answers.themes import Themes
from bot.client.entry.replies import after, say, think
from bot.client.places import forums
from bot.client.places.game_channels import Venue, absent_in, permissions_in, suited
from bot.client.requests.permission_problems import PERMISSION_NAMES, lacking, missing
from bot.client.texts.theme_texts import theme_words
from bot.table.errors import Refused
from bot.table.settings.readings import read_profile, read_title
from bot.table.settings.server_settings import (
    ServerSettings,
    Setting,
    choose,
    require_not_everyone,
    server_settings,
)
from bot.table.style import strong
from engine.titles import TITLES
from storage import Database

PINGS: Final = {
    "loud": "the next player is mentioned, as usual",
    "quiet": "the next player is mentioned without a sound",
}
"""How the next player is pinged, by setting."""
RATINGS: Final = {
    "off": "games rate nobody",
    "on": "finished games rate those who have played them, by title",
}
"""Whether games are rated, by setting."""
WITHOUT: Final = {
    "channel": "games are opened where they are asked for",
    "moderators": "members who may manage threads moderate games",
    "pings": PINGS["loud"],
    "title": "no title is offered before the others",
    "profile": "the rulebook is played",
    "ratings": RATINGS["off"],
}
"""What holds where nothing was chosen."""


class Setup:
    """Shows and changes what a server has chosen."""

    def __init__(self, db: Database, themes: Themes) -> None:
        self._db = db
        self._themes = themes

    async def change(
        self,
        interaction: discord.Interaction,
        chosen: dict[Setting, str],
        channel: object,
        look: tuple[str | None, str | None],
        back: Setting | None,
    ) -> None:
        """Choose what was said, all of it or, where something is refused, nothing; then show how things stand."""
        await think(interaction)
        guild = _guild(interaction)
        if channel is not None:
            chosen["channel"] = str(await _usable(channel))
        if "moderators" in chosen:
            require_not_everyone(guild.id, int(chosen["moderators"]))
        await self._check_rules(guild.id, chosen)
        for setting, value in chosen.items():
            await choose(self._db, guild.id, setting, value)
        if back is not None:
            await choose(self._db, guild.id, back, None)
        if any(look):
            await self._themes.choose(guild.id, None, *look)
        with after("This is chosen."):
            await say(interaction, await self._overview(interaction, guild))

    async def _check_rules(self, server: int, chosen: dict[Setting, str]) -> None:
        """Raise Refused for a title, or a reading of its rules, that is not known."""
        usual = await server_settings(self._db, server)
        title = chosen.get("title", usual.title)
        if "title" in chosen:
            chosen["title"] = read_title(chosen["title"]).id
        if "profile" in chosen and title is None:
            raise Refused("A reading of the rules is chosen for a title: say the title, too.")
        if "profile" in chosen and title is not None:
            chosen["profile"] = read_profile(read_title(title), chosen["profile"])

    async def _overview(self, interaction: discord.Interaction, guild: discord.Guild) -> str:
        found = await server_settings(self._db, guild.id)
        look = await self._themes.chosen(guild.id, None)
        venue = _venue(interaction, guild, found)
        return "\n".join(
            [
                strong("Games on this server"),
                *(f"- {_setting_name(setting)}: {_value(found, setting)}" for setting in WITHOUT),
                f"- pictures: {'as the bot has them' if look is None else theme_words(look)}",
                *_state(venue),
                "-# Changed by the parameters of `/setup`; `back:` takes a choice back.",
            ]
        )


async def _usable(channel: object) -> int:
    """The number of a channel that was typed, if games can be played there and we may do what they need."""
    if isinstance(channel, discord.app_commands.AppCommandChannel | discord.app_commands.AppCommandThread):
        channel = channel.resolve() or await channel.fetch()
    venue = suited(channel)
    absent = absent_in(venue, permissions_in(venue))
    if absent:
        raise Refused(f"Nothing was chosen. {missing(absent, venue.id)}")
    return venue.id


def _venue(interaction: discord.Interaction, guild: discord.Guild, found: ServerSettings) -> Venue | str:
    """Where games are opened that are asked for here, or why none can be."""
    channel = interaction.channel if found.channel is None else guild.get_channel(found.channel)
    if channel is None:
        return "The channel for games is gone, or I may not see it: choose another."
    try:
        return suited(channel)
    except Refused as error:
        return str(error)


def _state(venue: Venue | str) -> list[str]:
    """What is missing in a channel for games, and what goes better with more."""
    if isinstance(venue, str):
        return [f"{strong('Here no game can be opened.')} {venue}"]
    held = permissions_in(venue)
    absent = absent_in(venue, held)
    if absent:
        return [f"{strong('No game can be opened.')} {missing(absent, venue.id)}"]
    lines = [f"Games can be played in <#{venue.id}>: nothing is missing."]
    if lacking(held, ["pin_messages"]):
        lines.append(f"With {PERMISSION_NAMES['pin_messages']} I would pin the board of each game, too.")
    if isinstance(venue, discord.ForumChannel) and not forums.may_make_tags(venue):
        lines.append(
            "With Manage Channels there I would make tags for titles and for how far games are; without, posts "
            "get those that are there: "
            + ", ".join(sorted({*forums.STATES.values()}))
            + " and names of titles."
        )
    return lines


def _setting_name(setting: str) -> str:
    return {"channel": "where", "profile": "rules"}.get(setting, setting)


def _value(found: ServerSettings, setting: str) -> str:
    value = getattr(found, setting)
    if value is None:
        return WITHOUT[setting]
    if setting == "title":
        return TITLES[value].name if value in TITLES else str(value)
    words = {"channel": f"<#{value}>", "moderators": f"<@&{value}>", "ratings": RATINGS.get(value, "")}
    return words.get(setting, PINGS.get(value, str(value)))


def _guild(interaction: discord.Interaction) -> discord.Guild:
    if interaction.guild is None:
        raise Refused("That is for servers.")
    return interaction.guild
