"""Companies buy markers of a private: what nobody has had from bank or the private's buyer, else from one that has one
(18C2C 4b).
"""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import BuyMarker
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, PrivateId
from engine.core.offers import Choice, Choices, Filtered, Offer
from engine.play.privates.markers import buy_marker, marker_powers, only_one, sellers
from engine.play.steps.agreements import propose
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table


class BuyMarkerStep(AnytimeStep):
    """At any time of its turn a company without such a marker may buy one, at its fixed price.

    Rules: R-C2C-164.
    """

    name = "buy_marker"
    kinds = frozenset({"buy_marker"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Markers that the treasury can pay and somebody has."""
        privates = [private for private in marker_powers(t.spec) if sellers(t, private)]
        if not privates:
            return
        yield t.offer(
            "buy_marker",
            t.company.id,
            fact("offer.buy_marker"),
            t.slot(
                "private",
                lambda _: Filtered(privates, lambda _p: True, lambda p: _label(t, p)),
                lambda _, private: _why_not(t, private),
            ),
            t.slot(
                "source",
                lambda c: Choices([Choice(s, _seller(s)) for s in sellers(t, c["private"])]),
                lambda c, source: fact("privates.marker_not_from", private=c["private"], seller=source),
            ),
            blocking=False,
        )

    def apply(self, t: Table, action: BuyMarker) -> None:
        """Buy it; who parts with its only one is asked."""
        if only_one(t, action.private, action.source):
            holder = t.president(action.source).id
            if holder != action.actor:
                propose(t, action, holder)
                return
        buy_marker(t, action.private, action.source)

    def agreed(self, t: Table, action: BuyMarker) -> None:
        """The holder agrees."""
        buy_marker(t, action.private, action.source)

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """Why no such marker can be bought."""
        named = request.given.get("private")
        return _why_not(t, next(iter(marker_powers(t.spec))) if named is None else named)


def _label(t: Table, private: PrivateId) -> Fact:
    power = marker_powers(t.spec)[private]
    return fact("choice.marker_of", marker=power.name, private=private, price=power.price)


def _seller(source: str) -> Fact:
    return fact("seller.bank") if source == BANK else fact("seller.company", company=source)


def _why_not(t: Table, private: Any) -> Fact:
    power, company = marker_powers(t.spec).get(private), t.company
    if power is None:
        return fact("privates.sells_no_markers", private=private)
    if company.held.get(power.name):
        return fact("privates.one_marker_is_enough", company=company.id, marker=power.name)
    if company.cash < power.price:
        return fact("privates.marker_too_dear", marker=power.name, price=power.price, company=company.id)
    return fact("privates.marker_not_sold", marker=power.name)
