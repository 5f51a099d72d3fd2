"""How pictures look: what a person has chosen for a server, else what was chosen for the server, else the bot's."""

from typing import Final

from render import LARGE, THEME_NAMES
from storage import Database
from storage.settings import GUILDS

_KNOWN: Final = frozenset(THEME_NAMES)
_KEY: Final = "theme"


class Themes:
    """Chosen themes, kept among the settings of each server."""

    def __init__(self, db: Database, usual: str = "ours") -> None:
        self._db = db
        self._usual = usual

    async def chosen(self, server: int, person: int | None) -> str | None:
        """What a person sees in a server (None: what everybody sees there); None where nothing was chosen."""
        own = await GUILDS.get(self._db, server, _key(person))
        found = own or await GUILDS.get(self._db, server, _key(None))
        return found if found in _KNOWN else None

    async def choose(self, server: int, person: int | None, theme: str | None, letters: str | None) -> str:
        """Choose for a person, or (None) for everybody who has chosen nothing; what is None stays as it is seen now.

        Returns the whole choice.
        """
        seen = await self.chosen(server, person) or self._usual
        colours = theme or seen.removesuffix(LARGE)
        large = seen.endswith(LARGE) if letters is None else letters == "large"
        whole = f"{colours}{LARGE}" if large else colours
        await GUILDS.put(self._db, server, _key(person), whole)
        return whole


def _key(person: int | None) -> str:
    return _KEY if person is None else f"{_KEY}:{person}"
