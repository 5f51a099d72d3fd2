"""Picture themes: a user's own, or their server's."""

from render import THEME_NAMES
from storage import GUILD_SETTINGS, Database


async def theme_of(db: Database, server: int, person: int | None) -> str | None:
    """The theme a user sees in a server (None: the server's default); None if not set."""
    setting_keys = dict.fromkeys((_key(person), _key(None)))
    chosen = await db.ask(*(GUILD_SETTINGS.question(server, key).query for key in setting_keys))
    theme = next((theme for rows in chosen for (theme,) in rows), None)
    return theme if theme in THEME_NAMES else None


async def set_theme(db: Database, server: int, person: int | None, theme: str) -> None:
    """Set a user's theme in a server, or (None) the server's default."""
    await GUILD_SETTINGS.put(db, server, _key(person), theme)


def _key(person: int | None) -> str:
    return "theme" if person is None else f"theme:{person}"
