"""Bidding for privates (rulebook 9)."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import Bid, Pass
from engine.core.events import BidPlaced, Passed
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import Among, Between, Choice, Chosen, Domain, Offer, Suggestion, Those
from engine.play.flow import end_stock_turn
from engine.play.privates import contest
from engine.play.privates.auction import (
    RAISE,
    all_passed,
    asking_price,
    bidder,
    buy_at_face,
    cheapest,
    free_cash,
    high_bid,
    next_turn,
    on_sale,
    resolve,
)
from engine.play.steps.base import Step, Wish
from engine.play.table import Table


class BidStep(Step):
    """Buy the cheapest private, bid on a dearer one, raise in a contest, or pass."""

    name = "bid"
    kinds = frozenset({"bid", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The player on turn, or in a contest the lowest bidder."""
        player = bidder(t)
        biddable = [private for private in on_sale(t) if _amounts(t, player, private)]
        if biddable:
            yield t.offer(
                "bid",
                player,
                "Bid",
                t.slot(
                    "private",
                    lambda _: Those(biddable, lambda _p: True, lambda p: _label(t, player, p)),
                    lambda _, p: _why_not(t, player, p),
                ),
                t.slot(
                    "amount", lambda c: _amounts(t, player, c["private"]), lambda c, _: _rule(t, player, c)
                ),
                suggest=lambda: [_suggestion(t, player, private) for private in biddable],
            )
        yield t.offer("pass", player, _pass_label(t))

    def apply(self, t: Table, action: Bid | Pass) -> None:
        """Place the bid, sell, or note the pass."""
        if isinstance(action, Pass):
            _pass(t, action.actor)
        elif t.auction.contested:
            _raise(t, action)
            contest.raised(t)
        elif action.private == cheapest(t):
            t.auction.passes = 0
            buy_at_face(t, action.actor, action.amount)
        else:
            t.auction.passes = 0
            _raise(t, action)
            next_turn(t)

    def why_not(self, t: Table, wish: Wish) -> Fact | str | None:
        """Why nobody can bid."""
        if wish.kind == "bid":
            return f"{t.state.player(bidder(t)).name} has not enough cash left for any bid (9)."
        return "Only bids and passes are possible in the private auction (9)."


def _amounts(t: Table, player: PlayerId, private: PrivateId) -> Domain:
    free = free_cash(t, player, private)
    if private == cheapest(t) and not t.auction.contested:
        price = asking_price(t, private)
        if t.rules.flag("face_price_unchecked"):
            return Between(1, free)
        return Among([Choice(price, f"${price}")] if price <= free else [])
    lowest = max(t.spec.privates[private].value, high_bid(t, private)) + RAISE
    multiple = t.spec.auction.multiple
    return Between(lowest, free - (free - lowest) % multiple, multiple)


def _pass_label(t: Table) -> str:
    contested = t.auction.contested
    if contested is None:
        return "Pass"
    return (
        f"No raise for {contested}"
        if t.spec.auction.contest == "clockwise"
        else f"Leave the auction of {contested}"
    )


def _label(t: Table, player: PlayerId, private: PrivateId) -> str:
    name = t.spec.privates[private].name
    if private == cheapest(t) and not t.auction.contested:
        return f"{private} {name}: buy for ${asking_price(t, private)}"
    lowest = next(_amounts(t, player, private).choices()).value
    return f"{private} {name}: bid at least ${lowest}"


def _suggestion(t: Table, player: PlayerId, private: PrivateId) -> Suggestion:
    amount = next(_amounts(t, player, private).choices()).value
    verb = "Buy" if private == cheapest(t) and not t.auction.contested else "Bid"
    preposition = "for" if verb == "Buy" else "on"
    label = f"Buy {private} for ${amount}" if verb == "Buy" else f"Bid ${amount} {preposition} {private}"
    return Suggestion(label, {"private": private, "amount": amount})


def _why_not(t: Table, player: PlayerId, private: Any) -> str | None:
    if private not in t.state.privates:
        return f"There is no private {private}."
    if private not in on_sale(t):
        return f"{private} is not up for bids now (9)."
    return f"{t.state.player(player).name} has ${free_cash(t, player, private)} free, not enough for {private} (9)."


def _rule(t: Table, player: PlayerId, chosen: Chosen) -> str:
    private = chosen["private"]
    if private == cheapest(t) and not t.auction.contested:
        return f"{private} is the cheapest private: it is bought at its price, not bid on (9)."
    free = free_cash(t, player, private)
    multiple = t.spec.auction.multiple
    kind = "in whole dollars" if multiple == 1 else f"a multiple of ${multiple}"
    return (
        f"A bid on {private} is {kind}, at least ${RAISE} above the price or the high bid, and "
        f"within the ${free} that {t.state.player(player).name} has free (9)."
    )


def _pass(t: Table, player: PlayerId) -> None:
    auction = t.auction
    contested = auction.contested
    if contested:
        declined = "declined.raise" if t.spec.auction.contest == "clockwise" else "declined.auction"
        t.emit(Passed(player, fact(declined, private=contested)))
        if contest.passed(t, player):
            winner = contest.high_bidder(t)
            auction.bids[contested] = {winner: auction.bids[contested][winner]}
            auction.contested = None
            resolve(t)
        return
    t.emit(Passed(player))
    if t.state.auction is not None:
        end_stock_turn(t, acted=False)
        return
    auction.passes += 1
    next_turn(t)
    if auction.passes == len(t.state.players):
        auction.passes = 0
        all_passed(t)


def _raise(t: Table, action: Bid) -> None:
    t.auction.bids.setdefault(action.private, {})[action.actor] = action.amount
    t.emit(BidPlaced(action.actor, action.private, action.amount))
