"""Every legal value of a slot, listed in menus or not."""

from collections.abc import Iterator

from engine.core.offers import Domain
from engine.play.lays import ROTATIONS, Turns


def legal_values(domain: Domain) -> Iterator[str | int]:
    """Those that are listed, and rotations that look like one of them."""
    listed = [choice.value for choice in domain.choices()]
    return (value for value in (ROTATIONS if isinstance(domain, Turns) else listed) if value in domain)
