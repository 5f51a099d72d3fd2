"""Every legal value of a slot, listed in menus or not, and the whole walks that they lead to."""

from collections.abc import Iterator

from engine.core.offers import Domain, OfferCursor, Routes
from engine.play.track.lay_rules import ROTATIONS, LegalRotations


def legal_values(domain: Domain) -> Iterator[str | int]:
    """Those that are listed, and rotations that look like one of them."""
    listed = [choice.value for choice in domain.choices()]
    return (
        value for value in (ROTATIONS if isinstance(domain, LegalRotations) else listed) if value in domain
    )


def filled(walk: OfferCursor) -> Iterator[OfferCursor]:
    """Whole walks from here, the first values first; of routes those that are suggested."""
    if walk.slot is None:
        yield walk
    elif isinstance(walk.domain, Routes):
        yield from (walk.pick(ready.chosen[walk.slot.name]) for ready in walk.offer.suggest())
    else:
        for value in legal_values(walk.domain):
            yield from filled(walk.pick(value))
