"""Themes of pictures: a user's own, else their server's."""

from render import THEME_NAMES
from storage import GUILDS, Database


async def theme_of(db: Database, server: int, person: int | None) -> str | None:
    """The theme that a person sees in a server (None: that everybody sees there); None if nothing was chosen."""
    own = await GUILDS.get(db, server, _key(person))
    found = own or await GUILDS.get(db, server, _key(None))
    return found if found in THEME_NAMES else None


async def set_theme(db: Database, server: int, person: int | None, theme: str) -> None:
    """Choose a person's theme in a server, or (None) that of everybody there who has chosen none."""
    await GUILDS.put(db, server, _key(person), theme)


def _key(person: int | None) -> str:
    return "theme" if person is None else f"theme:{person}"
