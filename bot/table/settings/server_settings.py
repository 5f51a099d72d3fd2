"""Settings of a server, each under its own name."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from bot.table.errors import Refused
from storage import GUILD_SETTINGS, Database

Setting = Literal["channel", "moderators", "pings", "title", "profile", "ratings"]
PingStyle: TypeAlias = Literal["loud", "quiet"]
"""Ways to ping the next player: a mention as usual, or a silent one."""
RatingsSwitch: TypeAlias = Literal["off", "on"]
"""`on` if finished games change the ratings of their players."""
_MODERATORS_KEY: Final = "moderators"


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """A server's settings; None if not set."""

    channel: int | None = None
    """The text channel or forum in which games are opened, wherever they are asked for."""
    moderators: int | None = None
    """The role whose holders moderate games."""
    pings: PingStyle = "loud"
    title: str | None = None
    """The usual title here, offered first."""
    profile: str | None = None
    """The rules profile for that title."""
    ratings: RatingsSwitch = "off"
    """True if finished games rate the members who have played them."""


async def server_settings(db: Database, guild_id: int) -> ServerSettings:
    """All settings of a server."""
    chosen = await GUILD_SETTINGS.settings_of(db, guild_id)
    return ServerSettings(
        channel=_parse_id(chosen.get("channel")),
        moderators=_parse_id(chosen.get(_MODERATORS_KEY)),
        pings="quiet" if chosen.get("pings") == "quiet" else "loud",
        title=chosen.get("title"),
        profile=chosen.get("profile"),
        ratings="on" if chosen.get("ratings") == "on" else "off",
    )


async def choose_server_setting(db: Database, guild_id: int, setting: Setting, value: str | None) -> None:
    """Set a server's setting, or (None) reset it. Raises Refused."""
    if setting == _MODERATORS_KEY and value == str(guild_id):  # the role that every member has
        raise Refused(
            "Choose a role that only moderators have: @everyone would make every member a moderator."
        )
    if value is None:
        await GUILD_SETTINGS.forget(db, guild_id, setting)
    else:
        await GUILD_SETTINGS.put(db, guild_id, setting, value)


async def moderator_role(db: Database, guild_id: int) -> int | None:
    """The role of a server's moderators; None if not set."""
    return _parse_id(await GUILD_SETTINGS.get(db, guild_id, _MODERATORS_KEY))


async def choose_moderator_role(db: Database, guild_id: int, role_id: int | None) -> None:
    """Set the role of a server's moderators, or (None) none. Raises Refused."""
    await choose_server_setting(db, guild_id, "moderators", None if role_id is None else str(role_id))


def _parse_id(text: str | None) -> int | None:
    return int(text) if text else None
