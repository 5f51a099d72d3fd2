"""Settings of a server, each under its own name."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from bot.table.errors import Refused
from storage import GUILDS, Database

Setting = Literal["channel", "moderators", "pings", "title", "profile", "ratings"]
Pings: TypeAlias = Literal["loud", "quiet"]
"""Ways to ping the next player: a mention as usual, or a silent one."""
Ratings: TypeAlias = Literal["off", "on"]
"""True if games rate those who have played them."""
_MODERATORS: Final = "moderators"


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """A server's settings; None if not set."""

    channel: int | None = None
    """The text channel or forum in which games are opened, wherever they are asked for."""
    moderators: int | None = None
    """The role whose holders moderate games."""
    pings: Pings = "loud"
    title: str | None = None
    """The usual title here, offered first."""
    profile: str | None = None
    """The rules profile for that title."""
    ratings: Ratings = "off"
    """True if finished games rate the members who have played them."""


async def server_settings(db: Database, guild_id: int) -> ServerSettings:
    """All settings of a server."""
    chosen = await GUILDS.all_of(db, guild_id)
    return ServerSettings(
        channel=_number(chosen.get("channel")),
        moderators=_number(chosen.get(_MODERATORS)),
        pings="quiet" if chosen.get("pings") == "quiet" else "loud",
        title=chosen.get("title"),
        profile=chosen.get("profile"),
        ratings="on" if chosen.get("ratings") == "on" else "off",
    )


async def choose_server_setting(db: Database, guild_id: int, setting: Setting, value: str | None) -> None:
    """Set a server's setting, or (None) reset it. Raises Refused."""
    if setting == _MODERATORS and value == str(guild_id):  # the role that every member has
        raise Refused(
            "Choose a role that only moderators have: @everyone would make every member a moderator."
        )
    if value is None:
        await GUILDS.forget(db, guild_id, setting)
    else:
        await GUILDS.put(db, guild_id, setting, value)


async def moderator_role(db: Database, guild_id: int) -> int | None:
    """The role of a server's moderators; None if not set."""
    return _number(await GUILDS.get(db, guild_id, _MODERATORS))


async def choose_moderator_role(db: Database, guild_id: int, role_id: int | None) -> None:
    """Set the role of a server's moderators, or (None) none. Raises Refused."""
    await choose_server_setting(db, guild_id, "moderators", None if role_id is None else str(role_id))


def _number(text: str | None) -> int | None:
    return int(text) if text else None
