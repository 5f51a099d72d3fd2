"""Giving up a private to pay for the ground under the tiles of a turn (18C2C 4a)."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import ClosePrivate
from engine.core.events import GivenUp
from engine.core.facts import Fact, fact
from engine.core.ids import EntityId
from engine.core.offers import Offer
from engine.core.state import Private
from engine.play.steps.base import Request
from engine.play.steps.track.lay_track import TrackStep
from engine.play.table import Table
from engine.play.track.lays import next_lay
from engine.play.track.terrain import turn_discount
from engine.play.trains.phases import close_private


class PurseTrackStep(TrackStep):
    """Track as usual, before which privates may be given up that pay for the ground.

    Rules: R-C2C-151.
    """

    kinds = TrackStep.kinds | {"close_private"}

    def helps(self, t: Table) -> Iterator[Offer]:
        """What privates do for the lays, and those that may be given up for them."""
        yield from super().helps(t)
        yield from _purses(t)

    def apply(self, t: Table, action: Any) -> None:
        """Give up a private for the tiles of the turn; all else as usual."""
        if isinstance(action, ClosePrivate):
            _open_purse(t, t.state.privates[action.entity])
        else:
            super().apply(t, action)

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """Why a private cannot be given up now; all else as usual."""
        return (
            _why_no_purse(t, request.entity)
            if request.kind == "close_private"
            else super().why_not(t, request)
        )


def _purses(t: Table) -> Iterator[Offer]:
    """Privates that the company may give up now, before the lays that they pay for."""
    if next_lay(t) is None:
        return
    for private in t.state.privates.values():
        power = turn_discount(t, private.id)
        if power is not None and private.owner == t.company.id and not private.power_used:
            label = fact("offer.open_purse", private=private.id, dollars=power.amount)
            yield t.offer("close_private", private.id, label)


def _open_purse(t: Table, private: Private) -> None:
    """It closes, and its dollars pay for the terrain of this turn's tiles in its zone; what is left over is lost."""
    power = turn_discount(t, private.id)
    assert power is not None
    t.turn.purses[private.id] = power.amount
    t.emit(GivenUp(t.company.id, private.id, power.amount))
    close_private(t, private.id)


def _why_no_purse(t: Table, private: EntityId | None) -> Fact | None:
    """Why the private that was named pays for no tiles of this turn."""
    known = t.state.privates.get(private or "")
    if known is None or turn_discount(t, known.id) is None:
        return None
    if known.owner != t.company.id:
        return fact("privates.closed_by_its_owner", private=known.id, company=t.company.id)
    if known.power_used:
        return fact("privates.label_given", private=known.id)
    return fact("track.points_used_up", company=t.company.id)
