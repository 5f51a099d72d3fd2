"""Settings of a Discord server, including its defaults for new games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from bot.table.errors import Refused
from bot.table.settings.table_settings import BANK, GRACE, REMINDERS, SEALED, setting_named
from engine import TitleSpec
from storage import GUILD_SETTINGS, Database

Setting = Literal[
    "channel", "moderators", "pings", "title", "profile", "ratings", "announcements", "pinged_role"
]
PingStyle: TypeAlias = Literal["loud", "quiet"]
"""The way to ping the next player: by a normal or a silent mention."""
RatingsSwitch: TypeAlias = Literal["off", "on"]
"""`on` if finished games change players' ratings on this server."""
NewGameSetting = Literal["bank", "grace", "reminders", "sealed"]
"""Game settings for which a server can choose the default in new games."""
NEW_GAME_SETTINGS: Final = (BANK, GRACE, REMINDERS, SEALED)
_MODERATORS_KEY: Final = "moderators"
_ROLE_REFUSAL_TEXTS: Final = {
    _MODERATORS_KEY: "Choose a role that only moderators have: @everyone would make every member a moderator.",
    "pinged_role": "Choose a role for members who want to be pinged: I do not ping @everyone.",
}


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """A server's settings; None where nothing was chosen."""

    channel: int | None = None
    """The text channel or forum in which all games are opened; None: the channel of the command."""
    moderators: int | None = None
    """The role of moderators of games."""
    pings: PingStyle = "loud"
    titles: tuple[str, ...] = ()
    """Titles to list first when a game is opened, in this order."""
    profile: str | None = None
    """Default rules profile of new games, for titles that have it."""
    ratings: RatingsSwitch = "off"
    """`on` if finished games change players' ratings."""
    announcements: int | None = None
    """The channel for announcements; None: the channel of the games."""
    pinged_role: int | None = None
    """The role that is mentioned in the post of each new lobby."""
    new_games: Mapping[str, str] = field(default_factory=dict)
    """Default values of game settings in new games, by name."""

    @property
    def announcement_channel(self) -> int | None:
        """The channel for announcements, or else the channel for games; None if neither is set."""
        return self.channel if self.announcements is None else self.announcements

    def settings_of_new_game(self, spec: TitleSpec) -> dict[str, str]:
        """The settings of a new game of this title. Sealed bids are left out if the title has no privates."""
        return {name: value for name, value in self.new_games.items() if name != SEALED.name or spec.privates}


async def server_settings(db: Database, guild_id: int) -> ServerSettings:
    """All settings of a server."""
    value_by_key = await GUILD_SETTINGS.settings_of(db, guild_id)
    return ServerSettings(
        channel=_parse_id(value_by_key.get("channel")),
        moderators=_parse_id(value_by_key.get(_MODERATORS_KEY)),
        pings="quiet" if value_by_key.get("pings") == "quiet" else "loud",
        titles=tuple(filter(None, value_by_key.get("title", "").split(","))),
        profile=value_by_key.get("profile"),
        ratings="on" if value_by_key.get("ratings") == "on" else "off",
        announcements=_parse_id(value_by_key.get("announcements")),
        pinged_role=_parse_id(value_by_key.get("pinged_role")),
        new_games={
            setting.name: value_by_key[key]
            for setting in NEW_GAME_SETTINGS
            if (key := _new_game_key(setting.name)) in value_by_key
        },
    )


async def choose_server_setting(db: Database, guild_id: int, setting: Setting, value: str | None) -> None:
    """Set one setting of a server; the value None resets it. Raises Refused."""
    if setting in _ROLE_REFUSAL_TEXTS and value == str(guild_id):  # the role that every member has
        raise Refused(_ROLE_REFUSAL_TEXTS[setting])
    await _store_setting(db, guild_id, setting, value)


async def choose_new_game_setting(db: Database, guild_id: int, name: NewGameSetting, value: str) -> None:
    """Set the default value of a game setting in new games. Raises Refused."""
    setting = setting_named(name)
    setting.meaning_of(value)
    await _store_setting(db, guild_id, _new_game_key(name), None if value == setting.default else value)


async def choose_titles(db: Database, guild_id: int, titles: Sequence[str]) -> None:
    """Set the titles that are listed first when a game is opened, in this order; an empty list resets them."""
    await _store_setting(db, guild_id, "title", ",".join(dict.fromkeys(titles)) or None)


async def moderator_role(db: Database, guild_id: int) -> int | None:
    """The role of a server's moderators of games; None if not chosen."""
    return _parse_id(await GUILD_SETTINGS.get(db, guild_id, _MODERATORS_KEY))


async def choose_moderator_role(db: Database, guild_id: int, role_id: int | None) -> None:
    """Set the role of a server's moderators of games; None resets it. Raises Refused."""
    await choose_server_setting(db, guild_id, "moderators", None if role_id is None else str(role_id))


def _new_game_key(name: str) -> str:
    return f"new game {name}"


async def _store_setting(db: Database, guild_id: int, key: str, value: str | None) -> None:
    if value is None:
        await GUILD_SETTINGS.forget(db, guild_id, key)
    else:
        await GUILD_SETTINGS.put(db, guild_id, key, value)


def _parse_id(text: str | None) -> int | None:
    return int(text) if text else None
