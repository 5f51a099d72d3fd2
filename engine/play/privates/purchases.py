"""Which privates the operating company may buy from players, for how much, and what stops it (rulebook 7.1, 11)."""

from typing import Any

from engine.core.actions import BuyPrivate
from engine.core.events import PrivateSold
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import Between
from engine.play.privates.powers import receive_markers
from engine.play.table import Table


def purchasable(t: Table) -> list[PrivateId]:
    """Privates of players that the operating company could buy now (7.1)."""
    if t.rules.private_prices(t) is None:
        return []
    return [name for name in t.state.privates if _rule_against(t, name) is None and _affordable(t, name)]


def prices(t: Table, private: PrivateId) -> Between:
    """Whole dollars between the percentages of face value allowed now, at least $1, within the treasury (7.1)."""
    low, high = _window(t)
    face = t.spec.privates[private].value
    return Between(max(1, -(-face * low // 100)), min(face * high // 100, t.company.cash), face=face)


def owner_of(t: Table, private: PrivateId) -> PlayerId:
    """The owner of a private that somebody owns."""
    owner = t.state.privates[private].owner
    assert owner is not None
    return owner


def buy_private(t: Table, action: BuyPrivate) -> None:
    """Pay the owner from the treasury; the private belongs to the company for good."""
    private = t.state.privates[action.private]
    seller = owner_of(t, private.id)
    t.pay(action.entity, seller, action.price)
    private.owner = action.entity
    t.operating.private_sellers.append(seller)
    t.emit(PrivateSold(action.entity, private.id, seller, action.price))
    receive_markers(t, t.state.companies[action.entity], private.id)


# --- what stops a purchase ---------------------------------------------------------------------------------------


def why_none(t: Table) -> Fact:
    """Why the operating company can buy no private at all now."""
    if t.rules.private_prices(t) is None:
        return fact("privates.not_now", phases=tuple(p.name for p in t.spec.phases if p.buy_privates))
    held = [name for name, private in t.state.privates.items() if t.state.is_player(private.owner)]
    sold = [name for name in held if t.spec.privates[name].sold_to_companies]
    if not sold:
        return fact("privates.none_with_players")
    return next((why for name in sold if (why := why_not(t, name))), fact("privates.none_with_players"))


def why_not(t: Table, private: Any) -> Fact | None:
    """What keeps the operating company from buying this private now, its exact price apart; None: nothing."""
    if private not in t.state.privates:
        return fact("unknown.private", private=private)
    if t.rules.private_prices(t) is None:
        return why_none(t)
    rule = _rule_against(t, private)
    if rule is not None or _affordable(t, private):
        return rule
    low, cash = prices(t, private).low, t.company.cash
    return fact("privates.too_dear", private=private, low=low, company=t.company.id, cash=cash)


def why_not_price(t: Table, private: PrivateId) -> Fact:
    """Between which prices a private is sold."""
    low, high = _window(t)
    face = t.spec.privates[private].value
    name = "privates.price_is_face" if low == high == 100 else "privates.price_range"
    return fact(name, private=private, face=face, low=low, high=high)


def _rule_against(t: Table, private: PrivateId) -> Fact | None:
    state = t.state.privates[private]
    if not t.spec.privates[private].sold_to_companies:
        return fact("privates.never_sold", private=private)
    if state.closed:
        return fact("privates.closed", private=private)
    if not t.state.is_player(state.owner):
        return fact("privates.of_no_player", private=private)
    return t.rules.why_not_private(t, state)


def _affordable(t: Table, private: PrivateId) -> bool:
    return prices(t, private).low <= t.company.cash


def _window(t: Table) -> tuple[int, int]:
    window = t.rules.private_prices(t)
    assert window is not None
    return window
