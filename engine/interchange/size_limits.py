"""How much a file of a game may hold: what is beyond is refused before anything is played.

The longest game of 18xx.games at hand has 1,008 actions, 142 undos and redos among them, in 165,000 bytes; the longest
of ours, 18C2C to its end, has 4,024 in 374,000 bytes.
"""

from collections.abc import Iterable
from typing import Final

from engine.core.errors import Unreadable
from engine.core.facts import Fact, fact

LARGEST: Final = 2_000_000
"""Bytes of a file: five times the longest game."""
DEEPEST: Final = 16
"""Levels of lists and objects in each other: the connections of a route are the deepest, at 7."""
MOST_ACTIONS: Final = 12_000
"""Actions, automatic ones and those that were undone included: three times the longest game."""
MOST_UNDOS: Final = 2_000
"""Undos and redos: fourteen times what people have needed in one game."""
LONGEST_NAME: Final = 100
"""Characters of a player's name or id: three times what Discord shows of one."""


def require_size(text: str | bytes) -> None:
    """Raise Unreadable for a file that is larger than any game."""
    _require(len(text) <= LARGEST, fact("log.too_large", size=len(text), most=LARGEST))


def require_depth(depth: int) -> None:
    """Raise Unreadable for lists and objects in each other that no game has."""
    _require(depth <= DEEPEST, fact("log.too_deep", most=DEEPEST))


def require_actions(actions: int) -> None:
    """Raise Unreadable for more actions than any game has."""
    _require(actions <= MOST_ACTIONS, fact("log.too_many_actions", count=actions, most=MOST_ACTIONS))


def require_undos(undos: int) -> None:
    """Raise Unreadable for more undos and redos than any game has."""
    _require(undos <= MOST_UNDOS, fact("log.too_many_undos", count=undos, most=MOST_UNDOS))


def require_names(names: Iterable[str]) -> None:
    """Raise Unreadable for a name or id of a player that nobody has."""
    for name in names:
        short = fact("log.name_too_long", begins=name[:20], count=len(name), most=LONGEST_NAME)
        _require(len(name) <= LONGEST_NAME, short)


def _require(holds: bool, problem: Fact) -> None:
    if not holds:
        raise Unreadable(problem)
