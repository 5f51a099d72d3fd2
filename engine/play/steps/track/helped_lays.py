"""The company's own lays with the help of a private that it owns: cheaper ground, or a bridge (18C2C)."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import LayTile
from engine.core.facts import Fact, fact
from engine.core.offers import Offer
from engine.core.state import Private
from engine.play.privates.aids import bridges, is_at_home, ready
from engine.play.steps.track.own_lay import own_lay, why_no_own_lay
from engine.play.table import Table
from engine.play.track.lays import count_lay, lay, next_lay
from engine.play.trains.phases import close_private


def helped_lays(t: Table) -> Iterator[Offer]:
    """A lay by each private that can help with one somewhere now."""
    for private in ready(t):
        if next_lay(t) is not None or bridges(t, private):
            offer = own_lay(t, private)
            if offer is not None:
                yield offer


def lay_with_help(t: Table, action: LayTile, private: Private) -> None:
    """Lay the tile for less; a private that made the ground cheaper closes, a bridge stays and is used up.

    The bridge at the company's home is a lay more than those of the turn.
    """
    if not is_at_home(t, private.id, action.hex):
        count_lay(t, action)
    lay(t, action, private.id)
    if bridges(t, private.id):
        private.power_used = True
    else:
        close_private(t, private.id)


def why_no_help(t: Table, private: Private, coord: Any) -> Fact:
    """Why a private does not help with a lay now."""
    if private.owner != t.company.id:
        return fact("privates.lays_for_its_owner", private=private.id, company=t.company.id)
    if private.power_used:
        return fact("privates.has_helped", private=private.id)
    if coord is None and next_lay(t) is not None:
        return fact("privates.helps_nowhere", private=private.id, company=t.company.id)
    return why_no_own_lay(t, coord, private.id)
