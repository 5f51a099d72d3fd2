"""Which game was opened to play another one again, noted with both of them; and who is asked to it."""

from collections.abc import Iterable
from typing import Final

from storage import Database, seats
from storage.people import ANONYMISED, CARETAKER
from storage.settings import GAMES

NEXT: Final = "played again as"
"""Under this an old game has the number of the new one, as a setting that no table chooses."""
BEFORE: Final = "plays again"
"""Under this the new game has the number of the old one."""


async def next_of(db: Database, game_id: int) -> int | None:
    """The game that was opened to play this one again; None where there is none."""
    return _number(await GAMES.get(db, game_id, NEXT))


async def note(db: Database, old: int, new: int) -> None:
    """The one game was opened to play the other again."""
    await GAMES.put(db, new, BEFORE, str(old))
    await GAMES.put(db, old, NEXT, str(new))


async def asked(db: Database, game_id: int, joined: Iterable[int]) -> tuple[int, ...]:
    """Who sat at the table that a game plays again, and has not joined; nobody, where it plays none again."""
    old = _number(await GAMES.get(db, game_id, BEFORE))
    sat = [] if old is None else [seat.user_id for seat in await seats.seats(db, old)]
    there = {ANONYMISED, CARETAKER, *joined}
    return tuple(user for user in dict.fromkeys(sat) if user not in there)


def _number(text: str | None) -> int | None:
    return int(text) if text else None
