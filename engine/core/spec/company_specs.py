"""The public companies: homes, tokens, certificates."""

from typing import Literal, Self, TypeAlias

from pydantic import model_validator

from engine.core.ids import Coord
from engine.core.spec.base import Spec

Capital: TypeAlias = Literal["float", "sales"]
"""A company gets the par price of all its shares when it floats, or of each share sold from the IPO at once."""


class HomeSpec(Spec):
    """Where a company's first token goes: hex and index of the stop in that hex."""

    hex: Coord
    """The hex of the city."""
    stop: int = 0
    """The stop of the hex, from 0."""


class ObjectiveSpec(Spec):
    """A city that brings the company dollars from the bank, once, when it places a token there."""

    hex: Coord
    """Where the city is."""
    bonus: int
    """Dollars from the bank."""


class CompanySpec(Spec):
    """A public company: token prices in dollars (home first), certificates in percent.

    The president's certificate comes first; the others are of one size, and that is one share.
    """

    name: str
    """Full name; the key of the table is its abbreviation."""
    colour: str
    """Colour of its tokens, as `#rrggbb`."""
    kind: str = "public"
    """The title's name for companies of one kind: rules may differ by it."""
    home: HomeSpec | None = None
    """None: it starts where it takes over a token."""
    tokens: tuple[int, ...]
    """Price in dollars of each token; the first is the home token."""
    certificates: tuple[int, ...] = (20, 10, 10, 10, 10, 10, 10, 10, 10)
    """Percent of each certificate, the president's first."""
    shares: int = 1
    """How many shares a certificate of 100 % counts for."""
    float_percent: int = 60
    """Percent that must be sold from the IPO before it floats."""
    capital: Capital = "float"
    """When it gets money for its shares."""
    objective: ObjectiveSpec | None = None
    """None: no objective."""
    base: str = ""
    """The zone of the board it is based in."""
    destination: tuple[Coord, ...] = ()
    """Where its destination run leads: a place of one or more hexes."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        president, *others = self.certificates
        if president + sum(others) != 100 or len(set(others)) > 1 or president % (others or [president])[0]:
            raise ValueError(f"{self.name}: certificates are 100 %, the president's some of the equal others")
        return self
