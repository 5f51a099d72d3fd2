"""Bids for privates, and par prices of companies whose president's certificate comes with one (18Chesapeake 7.1, 9)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from engine.core.actions import Bid, Par, Pass
from engine.core.events import BidPlaced, Parred, Passed
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import Choice, Choices, Domain, FilteredChoices, IntRange, Offer, Slot, Suggestion
from engine.core.spec import SharePower
from engine.core.state import Company
from engine.play.end_of_stock_round import end_stock_turn
from engine.play.privates import auction
from engine.play.privates.auction import (
    MIN_RAISE_DOLLARS,
    current_bidder,
    free_cash,
    handle_passes_by_all,
    has_fixed_price,
    minimum_bid,
    private_asking_price,
    privates_at_asking_price,
    privates_on_sale,
    privates_priced_at_zero,
    resolve_bids,
    sell_at_asking_price,
    start_next_bidding_turn,
)
from engine.play.shares.starting_and_floating import float_if_sold, set_par
from engine.play.steps.base import Request, Step
from engine.play.table import Table
from engine.play.trains.phases import close_private


class BidStep(Step):
    """A player's turn in the auction: buy a private at its asking price, bid on another one, raise in a contest, or
    pass.

    Rules: R-AL-024, R-C2C-025, R-CH-020, R-CH-030, R-TN-023.
    """

    name = "bid"
    kinds = frozenset({"bid", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The player's bids and purchases, or a bidder's raises in a contest. A private at $0 must be taken."""
        player = current_bidder(t)
        permitted_privates = FilteredChoices(
            _privates_to_take_first(t) or privates_on_sale(t),
            partial(_private_obstacle, t, player),
            partial(_private_label, t, player),
        )
        if permitted_privates:
            yield t.offer(
                "bid",
                player,
                fact("offer.bid"),
                Slot("private", lambda _: permitted_privates),
                Slot("amount", lambda c: _bid_amounts(t, player, c["private"])),
                suggest=lambda: [
                    _bid_suggestion(t, player, str(private)) for private in permitted_privates.values()
                ],
            )
        if not _privates_to_take_first(t):
            yield t.offer("pass", player, _pass_label(t))

    def apply(self, t: Table, action: Bid | Pass) -> None:
        if isinstance(action, Pass):
            _apply_pass(t, action.actor)
        elif t.auction.contested:
            _place_bid(t, action)
            auction.continue_contest(t)
        elif action.private in privates_at_asking_price(t):
            t.auction.passes = 0
            sell_at_asking_price(t, action.actor, action.private, action.amount)
        else:
            t.auction.passes = 0
            _place_bid(t, action)
            start_next_bidding_turn(t)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if any(offer.kind == request.kind for offer in self.offers(t)):
            return None
        if request.kind == "bid":
            return fact("auction.no_cash", player=current_bidder(t))
        zero_price_privates = _privates_to_take_first(t)
        return (
            fact("auction.taken_first", private=zero_price_privates[0])
            if zero_price_privates
            else fact("auction.only_bids")
        )


def _privates_to_take_first(t: Table) -> list[PrivateId]:
    return [] if t.auction.contested else privates_priced_at_zero(t)


def _private_obstacle(t: Table, player: PlayerId, private: Any) -> Fact | None:
    if private not in t.state.privates:
        return fact("choice.no_private", private=private)
    if private not in privates_on_sale(t):
        return fact("auction.not_up", private=private)
    zero_price_privates = _privates_to_take_first(t)
    if zero_price_privates:
        return (
            None
            if private in zero_price_privates
            else fact("auction.taken_first", private=zero_price_privates[0])
        )
    if _bid_amounts(t, player, private):
        return None
    return fact("auction.too_dear", player=player, private=private, free=free_cash(t, player, private))


def _bid_amounts(t: Table, player: PlayerId, private: PrivateId) -> Domain:
    cash_left = free_cash(t, player, private)
    if has_fixed_price(t, private):
        price = private_asking_price(t, private)
        if t.rules.has_flag("face_price_unchecked"):
            return IntRange(1, cash_left)
        choices = [Choice(price, fact("choice.dollars", amount=price))] if price <= cash_left else []
        return Choices(choices, lambda _: fact("auction.at_its_price", private=private))
    lowest_bid, bid_multiple = minimum_bid(t, private), t.spec.auction.bid_multiple
    name = "auction.whole_dollars" if bid_multiple == 1 else "auction.multiples"
    obstacle = fact(
        name, private=private, player=player, free=cash_left, least=MIN_RAISE_DOLLARS, multiple=bid_multiple
    )
    return IntRange(
        lowest_bid,
        cash_left - (cash_left - lowest_bid) % bid_multiple,
        bid_multiple,
        obstacle=lambda _: obstacle,
    )


def _pass_label(t: Table) -> Fact:
    contested_private = t.auction.contested
    if contested_private is None:
        return fact("offer.pass_auction_turn")
    is_contest_clockwise = t.spec.auction.contest == "clockwise"
    return fact(
        "offer.no_raise" if is_contest_clockwise else "offer.leave_auction", private=contested_private
    )


def _private_label(t: Table, player: PlayerId, private: PrivateId) -> Fact:
    has_fixed_asking_price = has_fixed_price(t, private)
    amount = (
        private_asking_price(t, private)
        if has_fixed_asking_price
        else next(_bid_amounts(t, player, private).choices()).value
    )
    name = "choice.private_to_buy" if has_fixed_asking_price else "choice.private_to_bid_on"
    spec = t.spec.privates[private]
    return fact(name, private=private, name=spec.name, value=spec.face_value, amount=amount)


def _bid_suggestion(t: Table, player: PlayerId, private: PrivateId) -> Suggestion:
    amount = next(_bid_amounts(t, player, private).choices()).value
    name = "choice.buy_named" if has_fixed_price(t, private) else "choice.bid_on_named"
    label = fact(name, private=private, name=t.spec.privates[private].name, amount=amount)
    return Suggestion(label, {"private": private, "amount": amount})


def _apply_pass(t: Table, player: PlayerId) -> None:
    auction_state = t.auction
    contested_private = auction_state.contested
    if contested_private:
        fact_key = "declined.raise" if t.spec.auction.contest == "clockwise" else "declined.auction"
        t.emit(Passed(player, fact(fact_key, private=contested_private)))
        if auction.pass_in_contest(t, player):
            winner = auction.high_bidder(t)
            auction_state.bids[contested_private] = {winner: auction_state.bids[contested_private][winner]}
            auction_state.contested = None
            resolve_bids(t)
        return
    t.emit(Passed(player))
    if t.state.auction is not None:
        end_stock_turn(t, has_acted=False)
        return
    auction_state.passes += 1
    start_next_bidding_turn(t)
    if auction_state.passes == len(t.state.players):
        auction_state.passes = 0
        handle_passes_by_all(t)


def _place_bid(t: Table, action: Bid) -> None:
    t.auction.bids.setdefault(action.private, {})[action.actor] = action.amount
    t.emit(BidPlaced(action.actor, action.private, action.amount))


class SetParStep(Step):
    """Set the par price of a company whose president's certificate came with a private; its buyer decides.

    Rules: R-C2C-02A, R-CH-026, R-TN-029.
    """

    name = "par_due"
    kinds = frozenset({"par"})
    is_exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """The legal par prices, for the player who got the president's certificate."""
        if t.auction.par_due is None:
            return
        player, company = t.auction.par_due
        prices = [price for price, _ in t.grid.pars()]
        price_choices = [Choice(price, fact("choice.dollars", amount=price)) for price in prices]
        yield t.offer(
            "par",
            player,
            fact("offer.set_par", company=company),
            Slot(
                "company",
                lambda _: Choices(
                    [Choice(company)], lambda c: fact("auction.par_of_another", company=company, other=c)
                ),
            ),
            Slot("price", lambda _: Choices(price_choices, lambda p: fact("buying.not_a_par", price=p))),
            suggest=lambda: [
                Suggestion(
                    fact("choice.company_at_par", company=company, price=price),
                    {"company": company, "price": price},
                )
                for price in prices
            ],
        )

    def apply(self, t: Table, action: Par) -> None:
        """Start the company at this par price without payment, then continue the auction."""
        company = t.state.companies[action.company]
        set_par(t, company, action.price)
        t.auction.par_due = None
        t.emit(Parred(action.actor, company.id, action.price, company.certificate, 0))
        float_if_sold(t, company)
        _close_certificate_privates(t, company)
        resolve_bids(t)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if t.auction.par_due is None or request.kind == "par":
            return None
        player, company = t.auction.par_due
        return fact("auction.par_first", player=player, company=company)


def _close_certificate_privates(t: Table, company: Company) -> None:
    for private in t.state.privates.values():
        powers = t.spec.privates[private.id].powers
        if private.linked == company.id and any(
            isinstance(p, SharePower) and p.closes_private for p in powers
        ):
            close_private(t, private.id)
