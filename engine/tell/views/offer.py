"""An offer that one player has made to another, ready to show."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PartyView:
    """A player or company that the offer changes: its name, and what it has before and after in words."""

    name: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OfferView:
    """Who asks whom, who pays whom what for what, and what everybody concerned has before and after."""

    asker: str
    asked: str
    what: str
    parties: tuple[PartyView, ...]
    lines: tuple[str, ...] = ()
    """What else would happen, where nothing changes hands at once."""
