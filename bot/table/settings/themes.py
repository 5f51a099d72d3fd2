"""Picture themes of users and servers."""

from render import THEME_NAMES
from storage import GUILD_SETTINGS, Database


async def theme_of(db: Database, server: int, person: int | None) -> str | None:
    """A user's theme on a server, or the server's default (`person` None); None if not chosen."""
    setting_keys = dict.fromkeys((_key(person), _key(None)))
    chosen = await db.ask(*(GUILD_SETTINGS.question(server, key).query for key in setting_keys))
    theme = next((theme for rows in chosen for (theme,) in rows), None)
    return theme if theme in THEME_NAMES else None


async def set_theme(db: Database, server: int, person: int | None, theme: str) -> None:
    """Set a user's theme on a server, or the server's default (`person` None)."""
    await GUILD_SETTINGS.put(db, server, _key(person), theme)


def _key(person: int | None) -> str:
    return "theme" if person is None else f"theme:{person}"
