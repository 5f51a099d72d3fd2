"""What a server has chosen, each setting under its own name."""

from typing import Final

from storage import Database, guilds

_MODERATORS: Final = "moderators"


async def moderator_role(db: Database, guild_id: int) -> int | None:
    """The role whose holders moderate games; None where none was chosen."""
    found = await guilds.get(db, guild_id, _MODERATORS)
    return int(found) if found else None


async def choose_moderator_role(db: Database, guild_id: int, role_id: int | None) -> None:
    """Let the holders of a role moderate games, or (None) nobody by a role."""
    await guilds.put(db, guild_id, _MODERATORS, "" if role_id is None else str(role_id))
