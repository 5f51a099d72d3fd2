"""Texts of `/setup`: a server's settings, and permissions that the bot lacks."""

from typing import Final

import discord

from bot.client.places.forum_posts_and_tags import TAG_BY_GAME_STATUS, may_make_tags
from bot.client.places.game_channels import Venue, missing_permissions_in, permissions_in, suitable_venue
from bot.client.requests.permission_problems import missing_permissions_text
from bot.client.requests.permissions_and_invitation import PERMISSION_NAMES, missing_permissions
from bot.table.errors import Refused
from bot.table.markdown import strong
from bot.table.settings.durations_and_zones import QuietHours
from bot.table.settings.server_settings import ServerSettings
from bot.table.settings.table_settings import SEALED, SETTINGS, GameSetting
from engine import TITLES

PING_SETTING_TEXTS: Final = {
    "loud": "the next player gets a normal ping",
    "quiet": "the next player gets a silent ping",
}
"""Descriptions of the ways to ping the next player, by value of the setting."""
RATING_SETTING_TEXTS: Final = {
    "off": "games do not change ratings",
    "on": "finished games change their players' ratings, by title",
}
"""Descriptions of the setting for ratings, by its value."""
PRIVATE_AUCTION_TEXTS: Final = {"off": "open bids", "on": "sealed bids"}
"""Descriptions of the ways to auction the privates, by value of the setting."""
DEFAULT_SETTING_TEXTS: Final = {
    "channel": "games open in the channel where somebody uses `/game new`",
    "announcements": "events and results are posted where the games are",
    "moderators": "members who may manage threads moderate games",
    "pinged_role": "nobody",
    "pings": PING_SETTING_TEXTS["loud"],
    "ratings": RATING_SETTING_TEXTS["off"],
    "title": "`/game new` suggests no title",
    "profile": "games use the rulebook",
}
"""Descriptions of a server's default settings, by setting."""
SETTING_NAMES: Final = {
    "channel": "where",
    "profile": "rules",
    "title": "titles",
    "pinged_role": "new games ping",
}
"""Names of settings in the overview, where they differ from the parameter names of `/setup`."""


def server_text(
    settings: ServerSettings,
    quiet_hours: QuietHours | None,
    theme_text: str,
    current_channel: object,
    guild: discord.Guild,
) -> str:
    """The overview of a server's settings, with permissions that the bot lacks for games opened in channel
    `current_channel`.
    """
    venue = _venue_or_reason(current_channel, guild, settings)
    return "\n".join(
        [
            strong("Games on this server"),
            *(
                f"- {SETTING_NAMES.get(setting, setting)}: {_setting_value_text(settings, setting)}"
                for setting in DEFAULT_SETTING_TEXTS
            ),
            f"- new games: {new_games_text(settings)}",
            f"- quiet hours: {quiet_hours_text(quiet_hours)}",
            f"- pictures: {theme_text}",
            *_permission_lines(venue),
            *_role_lines(venue, settings),
            "-# Change these below or with `/setup`; `back:` resets one.",
        ]
    )


def new_games_text(settings: ServerSettings) -> str:
    """The server's default settings of new games, in words."""
    return (
        "; ".join(new_game_label(SETTINGS[name], value) for name, value in settings.new_games.items())
        or "the usual settings"
    )


def new_game_label(setting: GameSetting, value: str) -> str:
    """A default setting of new games in a few words: `Time bank: 5 days`."""
    return f"{setting.description}: {PRIVATE_AUCTION_TEXTS[value] if setting is SEALED else value}"


def quiet_hours_text(quiet_hours: QuietHours | None) -> str:
    """A server's quiet hours, in which the bot pings nobody, in words."""
    if quiet_hours is None:
        return "only those that members choose with `/pings`"
    return (
        f"{quiet_hours.start_time:%H:%M} to {quiet_hours.end_time:%H:%M} ({quiet_hours.zone}), unless members choose "
        "their own with `/pings`"
    )


def title_names(titles: tuple[str, ...]) -> str:
    """Names of these titles, joined by commas."""
    return ", ".join(TITLES[title].name if title in TITLES else title for title in titles)


def _role_lines(venue: Venue | str, settings: ServerSettings) -> list[str]:
    """A warning if the bot cannot mention the role that new games ping."""
    if settings.pinged_role_id is None or isinstance(venue, str):
        return []
    role = venue.guild.get_role(settings.pinged_role_id)
    if role is None:
        return ["The role that new games ping was deleted: choose another."]
    if role.mentionable or permissions_in(venue).mention_everyone:
        return []
    return [
        f"I cannot ping <@&{role.id}>: allow everybody to mention this role (Server Settings, Roles), or give me "
        "the permission Mention @everyone, @here and All Roles."
    ]


def _venue_or_reason(current_channel: object, guild: discord.Guild, settings: ServerSettings) -> Venue | str:
    """The channel for games opened in `current_channel`; a sentence with the reason if there is none."""
    channel = (
        current_channel if settings.game_channel_id is None else guild.get_channel(settings.game_channel_id)
    )
    if channel is None:
        return "The channel for games was deleted, or I may not see it: choose another."
    try:
        return suitable_venue(channel)
    except Refused as error:
        return str(error)


def _permission_lines(venue: Venue | str) -> list[str]:
    if isinstance(venue, str):
        return [f"{strong('No game can be opened here.')} {venue}"]
    permissions = permissions_in(venue)
    missing_permission_names = missing_permissions_in(venue, permissions)
    if missing_permission_names:
        return [
            f"{strong('No game can be opened.')} {missing_permissions_text(missing_permission_names, venue.id)}"
        ]
    lines = [f"Games can be played in <#{venue.id}>: I have all permissions."]
    if missing_permissions(permissions, ["pin_messages"]):
        lines.append(f"With {PERMISSION_NAMES['pin_messages']} I would pin the board of each game, too.")
    if isinstance(venue, discord.ForumChannel) and not may_make_tags(venue):
        lines.append(
            "Without Manage Channels there I cannot make tags for titles and game states. Posts get only "
            "tags that exist already: titles' names, "
            + ", ".join(sorted({*TAG_BY_GAME_STATUS.values()}))
            + "."
        )
    return lines


def _setting_value_text(settings: ServerSettings, setting: str) -> str:
    if setting == "title":
        return title_names(settings.titles) or DEFAULT_SETTING_TEXTS[setting]
    text_by_setting = {
        "channel": settings.game_channel_id and f"<#{settings.game_channel_id}>",
        "announcements": settings.announcement_channel_id and f"<#{settings.announcement_channel_id}>",
        "moderators": settings.moderator_role_id and f"<@&{settings.moderator_role_id}>",
        "pinged_role": settings.pinged_role_id and f"<@&{settings.pinged_role_id}>",
        "pings": PING_SETTING_TEXTS[settings.ping_style],
        "profile": settings.profile,
        "ratings": RATING_SETTING_TEXTS[settings.ratings],
    }
    return text_by_setting[setting] or DEFAULT_SETTING_TEXTS[setting]
