"""Auctions of privates for the caretaker: bids up to a private's worth, and the money kept for a company."""

from collections.abc import Iterator

from engine.caretaker.privates import private_worth
from engine.caretaker.stock_rounds import further_shares
from engine.caretaker.weighed_move import WeighedMove, complete_fillings
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import Offer
from engine.core.spec import SharePower
from engine.core.state import Company, Stock
from engine.play.privates.auction import asking_price, free_cash, high_bid, top_privates
from engine.play.table import Table
from engine.seat import SeatedPlayer


def bids(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Purchases and needed bids at the lowest legal amount, up to the private's worth and without the money kept."""
    t = seat.table
    for cursor in complete_fillings(offer):
        amount, private = int(cursor.chosen["amount"]), str(cursor.chosen["private"])
        gain = private_worth(t, seat.player, private) - amount
        is_bid = private in t.spec.privates and amount > asking_price(t, private)
        if is_bid and not (gain > 0 and _needs_bid(t, seat.player, private, amount)):
            continue
        if amount <= free_cash(t, seat.player, private) - money_kept(t, seat.player, private):
            yield WeighedMove(gain, cursor)


def _needs_bid(t: Table, player: PlayerId, private: PrivateId, amount: int) -> bool:
    """True if the player would lose the private without this bid.

    A bid makes its bidder part of the later contest, however low it is. No bid is needed where nobody else can pay it.
    """
    own_bid = t.auction.bids.get(private, {}).get(player, 0)
    if t.auction.contested:
        return own_bid < high_bid(t, private)
    rivals = [other.id for other in t.state.players if other.id != player]
    return not own_bid and (
        t.spec.secret_cash or any(free_cash(t, rival, private) >= amount for rival in rivals)
    )


def money_kept(t: Table, player: PlayerId, private: PrivateId) -> float:
    """Dollars that a bidder on a private keeps: to float a company, and for the top private until it is sold.

    Each player who has passed keeps money too, and is expected to buy one of the company's shares.
    """
    top_prices = [asking_price(t, name) for name in top_privates(t)]
    is_early = not t.auction.contested and private not in top_privates(t)
    return _company_cost(t, player, private) + (min(top_prices, default=0) if is_early else 0)


def _company_cost(t: Table, player: PlayerId, private: PrivateId) -> float:
    """Dollars that the player needs for a company at the lowest par, whether or not their bids for presidencies win."""
    companies = t.state.companies.values()
    own_company = next((c for c in companies if c.president == player and not c.closed), None)
    if own_company is not None:
        return 0.0 if own_company.floated else t.price(own_company) * _further_shares(t, own_company)
    lowest_par = min(price for price, _ in t.grid.pars())
    linked = {
        name: one.linked
        for name, one in t.state.privates.items()
        if one.linked and _brings_presidency(t, name)
    }
    unstarted = [c for c in companies if not c.started and c.id not in linked.values()]
    cost = lowest_par * min((c.certificate / c.share + _further_shares(t, c) for c in unstarted), default=0.0)
    for name, company in linked.items():
        further_cost = lowest_par * _further_shares(t, t.state.companies[company])
        if name == private:
            cost = further_cost
        elif player in t.auction.bids.get(name, {}):
            bound_dollars = free_cash(t, player, name) - free_cash(t, player)
            cost = max(further_cost, cost - bound_dollars)
    return cost


def _further_shares(t: Table, company: Company) -> float:
    """Shares beyond the certificate that the president must pay: one fewer for each pass, none if all others passed."""
    now = t.state.round
    passes = now.passes if isinstance(now, Stock) else t.auction.passes
    return max(0.0, further_shares(t, company) - passes) if passes < len(t.state.players) - 1 else 0.0


def _brings_presidency(t: Table, private: PrivateId) -> bool:
    return any(isinstance(power, SharePower) and power.president for power in t.spec.privates[private].powers)
