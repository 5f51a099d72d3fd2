"""Picture themes of users and servers."""

from typing import Final

from bot.table.bounded_caches import BoundedDict
from render import THEME_NAMES
from storage import GUILD_SETTINGS, Database

MAX_CACHED_THEMES: Final = 10_000
"""The most users and servers whose theme is kept in memory."""


class Themes:
    """The chosen themes of users and servers, kept in memory: only this process writes those of its servers."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._known: BoundedDict[tuple[int, int | None], str | None] = BoundedDict(MAX_CACHED_THEMES)

    async def theme_of(self, server: int, person: int | None) -> str | None:
        """A user's theme on a server, or the server's default (`person` None); None if not chosen."""
        keys = dict.fromkeys(((server, person), (server, None)))
        if any(key not in self._known for key in keys):
            questions = [GUILD_SETTINGS.question(server, _key(of)).query for _, of in keys]
            for key, rows in zip(keys, await self._db.ask(*questions), strict=True):
                self._known[key] = next((theme for (theme,) in rows), None)
        theme = next((theme for key in keys if (theme := self._known.get(key)) is not None), None)
        return theme if theme in THEME_NAMES else None

    async def choose(self, server: int, person: int | None, theme: str) -> None:
        """Set a user's theme on a server, or the server's default (`person` None)."""
        self.forget_all()
        await GUILD_SETTINGS.put(self._db, server, _key(person), theme)
        self.forget_all()

    def forget_all(self) -> None:
        """Read themes again, since some were changed."""
        self._known.clear()


def _key(person: int | None) -> str:
    return "theme" if person is None else f"theme:{person}"
