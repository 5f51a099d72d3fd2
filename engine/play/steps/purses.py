"""Giving up a private to pay for the ground under the tiles of a turn (18C2C 4a)."""

from collections.abc import Iterator

from engine.core.events import GivenUp
from engine.core.facts import Fact, fact
from engine.core.ids import EntityId
from engine.core.offers import Offer
from engine.core.state import Private
from engine.play.lays import next_lay
from engine.play.table import Table
from engine.play.terrain import turn_discount
from engine.play.trains.phases import close_private


def purses(t: Table) -> Iterator[Offer]:
    """Privates that the company may give up now, before the lays that they pay for."""
    if next_lay(t) is None:
        return
    for private in t.state.privates.values():
        power = turn_discount(t, private.id)
        if power is not None and private.owner == t.company.id and not private.power_used:
            label = fact("offer.open_purse", private=private.id, dollars=power.amount)
            yield t.offer("close_private", private.id, label)


def open_purse(t: Table, private: Private) -> None:
    """It closes, and its dollars pay for the terrain of this turn's tiles in its zone; what is left over is lost."""
    power = turn_discount(t, private.id)
    assert power is not None
    t.turn.purses[private.id] = power.amount
    t.emit(GivenUp(t.company.id, private.id, power.amount))
    close_private(t, private.id)


def why_no_purse(t: Table, private: EntityId | None) -> Fact | None:
    """Why the private that was named pays for no tiles of this turn."""
    known = t.state.privates.get(private or "")
    if known is None or turn_discount(t, known.id) is None:
        return None
    if known.owner != t.company.id:
        return fact("privates.closed_by_its_owner", private=known.id, company=t.company.id)
    if known.power_used:
        return fact("privates.label_given", private=known.id)
    return fact("track.points_used_up", company=t.company.id)
