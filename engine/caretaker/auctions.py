"""Bids of the computer player in private auctions: up to a private's value, while it keeps money for a company."""

from collections.abc import Iterator

from engine.caretaker.privates import private_worth
from engine.caretaker.stock_rounds import shares_beyond_certificate
from engine.caretaker.weighed_move import WeighedMove, completed_moves
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import Offer
from engine.core.spec import SharePower
from engine.core.state import Company, Stock
from engine.play.privates.auction import free_cash, high_bid, private_asking_price, privates_at_asking_price
from engine.play.table import Table
from engine.seat import SeatedPlayer


def weigh_bids(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Purchases and lowest possible bids, up to what each private is worth to the player."""
    t = seat.table
    for cursor in completed_moves(offer):
        amount, private = int(cursor.chosen["amount"]), str(cursor.chosen["private"])
        gain = private_worth(t, seat.player, private) - amount
        is_bid = private in t.spec.privates and amount > private_asking_price(t, private)
        if is_bid and not (gain > 0 and _needs_bid(t, seat.player, private, amount)):
            continue
        if amount <= free_cash(t, seat.player, private) - reserved_money(t, seat.player, private):
            yield WeighedMove(gain, cursor)


def _needs_bid(t: Table, player: PlayerId, private: PrivateId, amount: int) -> bool:
    """True if the player would lose the private without this bid.

    Any bid, however low, lets the player compete for the private later. No bid is needed if no rival can pay this
    amount.
    """
    own_bid = t.auction.bids.get(private, {}).get(player, 0)
    if t.auction.contested:
        return own_bid < high_bid(t, private)
    rival_ids = [other.id for other in t.state.players if other.id != player]
    return not own_bid and (
        t.spec.secret_cash or any(free_cash(t, rival_id, private) >= amount for rival_id in rival_ids)
    )


def reserved_money(t: Table, player: PlayerId, private: PrivateId) -> float:
    """Dollars that the player must not spend on this private.

    The player keeps them to float a company. If the private is not yet for sale, they also keep the price of the
    private that is sold first. Players who have passed are expected to buy one share each of the company.
    """
    asking_prices = [private_asking_price(t, name) for name in privates_at_asking_price(t)]
    is_not_yet_for_sale = not t.auction.contested and private not in privates_at_asking_price(t)
    return _cost_to_float(t, player, private) + (min(asking_prices, default=0) if is_not_yet_for_sale else 0)


def _cost_to_float(t: Table, player: PlayerId, private: PrivateId) -> float:
    """Dollars that the player must keep to float a company at the lowest par.

    If the player has bid on privates that bring a presidency, this is the highest cost over all possible results of
    those bids.
    """
    companies = t.state.companies.values()
    own_company = next((c for c in companies if c.president == player and not c.closed), None)
    if own_company is not None:
        return 0.0 if own_company.floated else t.price(own_company) * _further_shares(t, own_company)
    lowest_par = min(price for price, _ in t.grid.pars())
    company_by_private = {
        name: private_state.linked
        for name, private_state in t.state.privates.items()
        if private_state.linked and _brings_presidency(t, name)
    }
    unstarted_companies = [
        c for c in companies if not c.is_started and c.id not in company_by_private.values()
    ]
    cost = lowest_par * min(
        (c.certificate / c.share + _further_shares(t, c) for c in unstarted_companies), default=0.0
    )
    for name, company in company_by_private.items():
        further_cost = lowest_par * _further_shares(t, t.state.companies[company])
        if name == private:
            cost = further_cost
        elif player in t.auction.bids.get(name, {}):
            committed_dollars = free_cash(t, player, name) - free_cash(t, player)
            cost = max(further_cost, cost - committed_dollars)
    return cost


def _further_shares(t: Table, company: Company) -> float:
    """Number of shares that the player must buy to float the company, in addition to the president's certificate.

    Each player who has passed is expected to buy one of the missing shares.
    """
    current_round = t.state.round
    pass_count = current_round.passes if isinstance(current_round, Stock) else t.auction.passes
    return (
        max(0.0, shares_beyond_certificate(t, company) - pass_count)
        if pass_count < len(t.state.players) - 1
        else 0.0
    )


def _brings_presidency(t: Table, private: PrivateId) -> bool:
    return any(
        isinstance(power, SharePower) and power.is_president_certificate
        for power in t.spec.privates[private].powers
    )
