"""Colour themes of pictures, chosen by users and servers."""

from typing import Final

from bot.table.bounded_caches import BoundedDict
from render import THEME_NAMES
from storage import GUILD_SETTINGS, Database

MAX_CACHED_THEMES: Final = 10_000
"""Maximum number of users and servers whose theme is cached."""


class Themes:
    """Picture themes that users and servers have chosen, cached in memory. Only this process changes them."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._theme_by_key: BoundedDict[tuple[int, int | None], str | None] = BoundedDict(MAX_CACHED_THEMES)

    async def theme_of(self, server_id: int, user_id: int | None) -> str | None:
        """A user's theme on a server or, if the user has not chosen any, the server's theme; None without either."""
        keys = dict.fromkeys(((server_id, user_id), (server_id, None)))
        if any(key not in self._theme_by_key for key in keys):
            queries = [
                GUILD_SETTINGS.value_query(server_id, _theme_key(key_user_id)).query
                for _, key_user_id in keys
            ]
            for key, rows in zip(keys, await self._db.fetch(*queries), strict=True):
                self._theme_by_key[key] = next((theme for (theme,) in rows), None)
        theme = next((theme for key in keys if (theme := self._theme_by_key.get(key)) is not None), None)
        return theme if theme in THEME_NAMES else None

    async def choose(self, server_id: int, user_id: int | None, theme: str) -> None:
        """Set a user's theme on a server. With `user_id` None, set the server's default."""
        self.forget_all()
        await GUILD_SETTINGS.put(self._db, server_id, _theme_key(user_id), theme)
        self.forget_all()

    def forget_all(self) -> None:
        """Empty the cache, so that themes are read again."""
        self._theme_by_key.clear()


def _theme_key(user_id: int | None) -> str:
    return "theme" if user_id is None else f"theme:{user_id}"
