"""Settings of a server, each under its own name, and its defaults of new games."""

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
"""Ways to ping the next player: a mention as usual, or a silent one."""
RatingsSwitch: TypeAlias = Literal["off", "on"]
"""`on` if finished games change the ratings of their players."""
NewGameSetting = Literal["bank", "grace", "reminders", "sealed"]
"""Settings of tables for which a server chooses the value of new games."""
NEW_GAME_SETTINGS: Final = (BANK, GRACE, REMINDERS, SEALED)
_MODERATORS_KEY: Final = "moderators"
_ROLE_REFUSALS: Final = {
    _MODERATORS_KEY: "Choose a role that only moderators have: @everyone would make every member a moderator.",
    "pinged_role": "Choose a role for members who want to be pinged: I do not ping @everyone.",
}
"""Why a setting cannot be the role that every member has."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """A server's settings; None if not set."""

    channel: int | None = None
    """The text channel or forum in which games are opened, wherever they are asked for."""
    moderators: int | None = None
    """The role whose holders moderate games."""
    pings: PingStyle = "loud"
    titles: tuple[str, ...] = ()
    """The usual titles here, in the order in which they are offered before all others."""
    profile: str | None = None
    """The rules profile of new games whose title has it."""
    ratings: RatingsSwitch = "off"
    """True if finished games rate the members who have played them."""
    announcements: int | None = None
    """The channel for announcements; None: where the games are."""
    pinged_role: int | None = None
    """The role that the post of a new lobby mentions."""
    new_games: Mapping[str, str] = field(default_factory=dict)
    """Values of table settings, by name, with which new games begin."""

    @property
    def announcement_channel(self) -> int | None:
        """The channel for announcements, else that of the games; None if neither is set."""
        return self.channel if self.announcements is None else self.announcements

    def settings_of_new_game(self, spec: TitleSpec) -> dict[str, str]:
        """The table settings with which a game of a title begins; privates are sealed only where a title has some."""
        return {name: value for name, value in self.new_games.items() if name != SEALED.name or spec.privates}


async def server_settings(db: Database, guild_id: int) -> ServerSettings:
    """All settings of a server."""
    chosen = await GUILD_SETTINGS.settings_of(db, guild_id)
    return ServerSettings(
        channel=_parse_id(chosen.get("channel")),
        moderators=_parse_id(chosen.get(_MODERATORS_KEY)),
        pings="quiet" if chosen.get("pings") == "quiet" else "loud",
        titles=tuple(filter(None, chosen.get("title", "").split(","))),
        profile=chosen.get("profile"),
        ratings="on" if chosen.get("ratings") == "on" else "off",
        announcements=_parse_id(chosen.get("announcements")),
        pinged_role=_parse_id(chosen.get("pinged_role")),
        new_games={
            setting.name: chosen[key]
            for setting in NEW_GAME_SETTINGS
            if (key := _new_game_key(setting.name)) in chosen
        },
    )


async def choose_server_setting(db: Database, guild_id: int, setting: Setting, value: str | None) -> None:
    """Set a server's setting, or (None) reset it. Raises Refused."""
    if setting in _ROLE_REFUSALS and value == str(guild_id):  # the role that every member has
        raise Refused(_ROLE_REFUSALS[setting])
    await _put(db, guild_id, setting, value)


async def choose_new_game_setting(db: Database, guild_id: int, name: NewGameSetting, value: str) -> None:
    """Set the value of a table setting for new games; the usual one is as good as none. Raises Refused."""
    setting = setting_named(name)
    setting.meaning_of(value)
    await _put(db, guild_id, _new_game_key(name), None if value == setting.default else value)


async def choose_titles(db: Database, guild_id: int, titles: Sequence[str]) -> None:
    """Set the titles that are offered first, in this order; none resets them."""
    await _put(db, guild_id, "title", ",".join(dict.fromkeys(titles)) or None)


async def moderator_role(db: Database, guild_id: int) -> int | None:
    """The role of a server's moderators; None if not set."""
    return _parse_id(await GUILD_SETTINGS.get(db, guild_id, _MODERATORS_KEY))


async def choose_moderator_role(db: Database, guild_id: int, role_id: int | None) -> None:
    """Set the role of a server's moderators, or (None) none. Raises Refused."""
    await choose_server_setting(db, guild_id, "moderators", None if role_id is None else str(role_id))


def _new_game_key(name: str) -> str:
    return f"new game {name}"


async def _put(db: Database, guild_id: int, key: str, value: str | None) -> None:
    if value is None:
        await GUILD_SETTINGS.forget(db, guild_id, key)
    else:
        await GUILD_SETTINGS.put(db, guild_id, key, value)


def _parse_id(text: str | None) -> int | None:
    return int(text) if text else None
