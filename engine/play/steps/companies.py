"""Companies buy privates from players (rulebook 7.1, 11)."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import BuyPrivate, Pass
from engine.core.events import PrivateSold
from engine.core.facts import Fact
from engine.core.ids import PrivateId
from engine.core.offers import Between, Chosen, Offer, Suggestion, Those
from engine.core.spec import TileLayPower
from engine.play.privates.powers import receive_markers
from engine.play.steps.base import CompanyStep, Wish
from engine.play.steps.consent import propose
from engine.play.table import Table


class BuyPrivateStep(CompanyStep):
    """At any moment of its turn, in the phases that allow it, from any player who agrees."""

    name = "buy_private"
    kinds = frozenset({"buy_private"})
    blocking = False

    def offers(self, t: Table) -> Iterator[Offer]:
        """Privates of players whose lowest price the treasury can pay."""
        names = purchasable(t)
        if not names:
            return
        yield t.offer(
            "buy_private",
            t.company.id,
            "Buy a private",
            t.slot(
                "private",
                lambda _: Those(names, lambda _n: True, lambda p: _label(t, p)),
                lambda _, p: _why_not(t, p),
            ),
            t.slot("price", lambda c: prices(t, c["private"]), lambda c, _: _price_rule(t, c)),
            suggest=lambda: [
                Suggestion(f"Buy {p} for ${prices(t, p).high}", {"private": p, "price": prices(t, p).high})
                for p in names
            ],
            blocking=self.blocking,
        )

    def apply(self, t: Table, action: BuyPrivate) -> None:
        """Buy, or ask the owner."""
        owner = t.state.privates[action.private].owner
        assert owner is not None
        if owner == action.actor or t.rules.flag("consent_is_implied"):
            buy_private(t, action)
        else:
            propose(t, action, owner)

    def agreed(self, t: Table, action: BuyPrivate) -> None:
        """The owner agrees."""
        buy_private(t, action)

    def why_not(self, t: Table, wish: Wish) -> Fact | str | None:
        """Why no private can be bought."""
        if t.rules.private_prices(t) is None:
            phases = ", ".join(p.name for p in t.spec.phases if p.buy_privates)
            return f"Companies buy privates only in phases {phases} (7.1)."
        return f"No private is for sale that {t.company.id} could pay with ${t.company.cash} (7.1)."


class LastChanceStep(BuyPrivateStep):
    """The end of the turn: the last moment to buy a private, unless the president has closed the turn already."""

    name = "last_chance"
    kinds = frozenset({"buy_private", "pass"})
    blocking = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """The same purchases, and the end of the turn."""
        if t.rules.flag("first_round_purchases_hold_no_step") and t.phase.buy_privates is None:
            return
        if t.turn.closed and not t.rules.flag("asks_when_nothing_is_legal"):
            return
        found = list(super().offers(t))
        yield from found
        if found:
            yield t.offer("pass", t.company.id, "End the turn")

    def apply(self, t: Table, action: BuyPrivate | Pass) -> None:
        """Buy, or end the turn."""
        if isinstance(action, Pass):
            self.over(t)
        else:
            super().apply(t, action)

    def why_not(self, t: Table, wish: Wish) -> Fact | str | None:
        """What is left in the turn."""
        if wish.kind == "buy_private":
            return super().why_not(t, wish)
        return f"{t.company.id} may still buy privates, or end its turn (11)."


def purchasable(t: Table) -> list[PrivateId]:
    """Privates of players that the operating company could buy now (7.1)."""
    if t.rules.private_prices(t) is None:
        return []
    return [
        private.id
        for private in t.state.privates.values()
        if t.state.is_player(private.owner)
        and t.spec.privates[private.id].sold_to_companies
        and t.rules.may_buy_private(t, private)
        and prices(t, private.id).low <= t.company.cash
    ]


def prices(t: Table, private: PrivateId) -> Between:
    """Whole dollars between the percentages of face value allowed now, at least $1, within the treasury (7.1)."""
    window = t.rules.private_prices(t)
    assert window is not None
    low, high = window
    face = t.spec.privates[private].value
    return Between(max(1, -(-face * low // 100)), min(face * high // 100, t.company.cash))


def buy_private(t: Table, action: BuyPrivate) -> None:
    """Pay the owner from the treasury; the private belongs to the company for good."""
    private = t.state.privates[action.private]
    seller = private.owner
    assert seller is not None
    t.pay(action.entity, seller, action.price)
    private.owner = action.entity
    t.operating.private_sellers.append(seller)
    t.emit(PrivateSold(action.entity, private.id, seller, action.price))
    receive_markers(t, t.state.companies[action.entity], private.id)


def _owns_unused_power(t: Table) -> bool:
    return any(
        private.owner == t.company.id
        and not private.power_used
        and any(isinstance(power, TileLayPower) for power in t.spec.privates[private.id].powers)
        for private in t.state.privates.values()
    )


def _label(t: Table, private: PrivateId) -> str:
    owner = t.state.privates[private].owner
    assert owner is not None
    return f"{private} {t.spec.privates[private].name}, owned by {t.state.player(owner).name}"


def _why_not(t: Table, private: Any) -> str | None:
    if private not in t.state.privates:
        return f"There is no private {private}."
    if not t.spec.privates[private].sold_to_companies:
        return f"{private} is never sold to a company (7.1)."
    if not t.state.is_player(t.state.privates[private].owner):
        return f"{private} belongs to no player (7.1)."
    if not t.rules.may_buy_private(t, t.state.privates[private]):
        return f"In this round each company buys one private at most, and each player sells one; not {private} (7.1)."
    return f"{private} costs at least ${prices(t, private).low}; {t.company.id} has ${t.company.cash} (7.1)."


def _price_rule(t: Table, chosen: Chosen) -> str:
    private = chosen["private"]
    window = t.rules.private_prices(t)
    assert window is not None
    low, high = window
    face = t.spec.privates[private].value
    return f"{private} has a face value of ${face}: the price is {low} % to {high} % of it, from the treasury (7.1)."
