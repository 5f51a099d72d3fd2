"""How pictures look: what a person has chosen for a server, else what was chosen for the server, else the bot's."""

from typing import Final, Literal, TypeAlias, get_args

from storage import Database, guilds

Theme: TypeAlias = Literal["ours", "safe", "dark"]
THEMES: Final[tuple[str, ...]] = get_args(Theme)
_KEY: Final = "theme"


class Themes:
    """Chosen themes, kept among the settings of each server."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def chosen(self, server: int, person: int | None) -> str | None:
        """What a person sees in a server (None: what everybody sees there); None where nothing was chosen."""
        own = None if person is None else await guilds.get(self._db, server, _key(person))
        found = own or await guilds.get(self._db, server, _key(None))
        return found if found in THEMES else None

    async def choose(self, server: int, person: int | None, theme: str) -> None:
        """Choose for a person, or (None) for everybody who has chosen nothing."""
        await guilds.put(self._db, server, _key(person), theme)


def _key(person: int | None) -> str:
    return _KEY if person is None else f"{_KEY}:{person}"
