"""Where somebody is in the questions of an offer, and in what capacity they answer them."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple


class Capacity(Enum):
    """In what capacity somebody acts."""

    OWN = "own"
    """For oneself, or for whom one substitutes."""
    MODERATOR = "moderator"
    """As a moderator, for any seat."""
    TABLE = "table"
    """As a proposer, for a seat that the group plays."""
    WHAT_IF = "what-if"
    """On a copy of the game."""


class Place(NamedTuple):
    """Where somebody is: the game, its last move then, the key of the offer, picks so far, page, and capacity."""

    game: int
    seq: int
    key: str
    picks: Sequence[str] = ()
    page: int = 0
    capacity: Capacity = Capacity.OWN
