"""18C2C privates that sell markers to companies or that pay for terrain (18C2C 4a, 4b)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from engine.core.actions import BuyMarker, ClosePrivate
from engine.core.events import PrivateGivenUp
from engine.core.facts import Fact, fact
from engine.core.ids import PrivateId
from engine.core.offers import Choice, Choices, FilteredChoices, Offer, Slot
from engine.core.state import Private
from engine.play.private_markers import buy_marker, is_last_marker, marker_power_by_private, marker_sellers
from engine.play.steps.agreements import propose
from engine.play.steps.base import AnytimeStep, Request
from engine.play.steps.lay_track import TrackStep
from engine.play.table import Table
from engine.play.track.lay_rules import next_own_lay
from engine.play.track.terrain import turn_discount_power
from engine.play.trains.phases import close_private
from engine.play.trains.train_prices import seller_name


class BuyMarkerStep(AnytimeStep):
    """At any time of its turn, a company buys a private's marker at a fixed price, unless it has one already.

    Rules: R-C2C-164.
    """

    name = "buy_marker"
    kinds = frozenset({"buy_marker"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The offer to buy a marker that is for sale and that the company can pay for."""
        privates = list(marker_power_by_private(t.spec))
        marker_choices = FilteredChoices(privates, partial(_marker_obstacle, t), partial(_marker_label, t))
        if not marker_choices:
            return
        yield t.offer(
            "buy_marker",
            t.company.id,
            fact("offer.buy_marker"),
            Slot("private", lambda _: marker_choices),
            Slot(
                "source",
                lambda c: Choices(
                    [Choice(seller, seller_name(seller)) for seller in marker_sellers(t, c["private"])],
                    lambda seller: fact("privates.marker_not_from", private=c["private"], seller=seller),
                ),
            ),
            blocking=False,
        )

    def apply(self, t: Table, action: BuyMarker) -> None:
        """Buy the marker. A company sells its last one only with its president's consent."""
        if is_last_marker(t, action.private, action.source):
            selling_president = t.president(action.source).id
            if selling_president != action.actor:
                propose(t, action, selling_president)
                return
        buy_marker(t, action.private, action.source)

    def carry_out_proposal(self, t: Table, action: BuyMarker) -> None:
        buy_marker(t, action.private, action.source)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        named_private = request.given_values.get("private")
        return _marker_obstacle(
            t, next(iter(marker_power_by_private(t.spec))) if named_private is None else named_private
        )


def _marker_label(t: Table, private: PrivateId) -> Fact:
    power = marker_power_by_private(t.spec)[private]
    return fact("choice.marker_of", marker=power.name, private=private, price=power.price)


def _marker_obstacle(t: Table, private: Any) -> Fact | None:
    power, company = marker_power_by_private(t.spec).get(private), t.company
    if power is None:
        return fact("privates.sells_no_markers", private=private)
    if company.held.get(power.name):
        return fact("privates.one_marker_is_enough", company=company.id, marker=power.name)
    if company.cash < power.price:
        return fact("privates.marker_too_dear", marker=power.name, price=power.price, company=company.id)
    return None if marker_sellers(t, private) else fact("privates.marker_not_sold", marker=power.name)


class FundedTrackStep(TrackStep):
    """Track step. The company can also close a private to pay for terrain.

    Rules: R-C2C-151.
    """

    kinds = TrackStep.kinds | {"close_private"}

    def lay_offers_from_privates(self, t: Table) -> Iterator[Offer]:
        """Offers to lay tiles with private powers, and to close a private to pay for terrain."""
        yield from super().lay_offers_from_privates(t)
        yield from _terrain_fund_offers(t)

    def apply(self, t: Table, action: Any) -> None:
        if isinstance(action, ClosePrivate):
            _close_for_terrain(t, t.state.privates[action.entity])
        else:
            super().apply(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if request.kind != "close_private":
            return super().obstacle(t, request)
        private = t.state.privates.get(request.entity or "")
        if private is None or turn_discount_power(t, private.id) is None:
            return None
        return _close_for_terrain_obstacle(t, private)


def _terrain_fund_offers(t: Table) -> Iterator[Offer]:
    for private in t.state.privates.values():
        power = turn_discount_power(t, private.id)
        if power is not None and _close_for_terrain_obstacle(t, private) is None:
            label = fact("offer.open_purse", private=private.id, dollars=power.amount)
            yield t.offer("close_private", private.id, label)


def _close_for_terrain_obstacle(t: Table, private: Private) -> Fact | None:
    """The reason why the company cannot close the private to pay for terrain; None if it can."""
    if private.owner != t.company.id:
        return fact("privates.closed_by_its_owner", private=private.id, company=t.company.id)
    if private.power_used:
        return fact("privates.label_given", private=private.id)
    return None if next_own_lay(t) is not None else fact("track.points_used_up", company=t.company.id)


def _close_for_terrain(t: Table, private: Private) -> None:
    """Close the private. Its fixed sum pays for terrain in its zone during this turn; the rest is lost."""
    power = turn_discount_power(t, private.id)
    assert power is not None
    t.turn.purses[private.id] = power.amount
    t.emit(PrivateGivenUp(t.company.id, private.id, power.amount))
    close_private(t, private.id)
