"""Bidding for privates (rulebook 9)."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import Bid, Pass
from engine.core.events import BidPlaced, Passed, PriceReduced, PrivateBought, ShareReceived
from engine.core.ids import BANK, OFFERING, PlayerId, PrivateId
from engine.core.offers import Among, Between, Choice, Chosen, Domain, Offer, Suggestion, Those
from engine.core.spec import SharePower
from engine.play.flow import end_stock_turn, start_stock_round
from engine.play.privates.income import pay_incomes
from engine.play.shares.holdings import give, give_certificate
from engine.play.steps import contest
from engine.play.steps.base import Step
from engine.play.table import Table
from engine.play.trains.phases import export_train

RAISE = 5
"""Bids rise by at least this many dollars (9)."""


class BidStep(Step):
    """Buy the cheapest private, bid on a dearer one, raise in a contest, or pass."""

    name = "bid"
    words = "auction"

    def offers(self, t: Table) -> Iterator[Offer]:
        """The player on turn, or in a contest the lowest bidder."""
        player = _bidder(t)
        biddable = [private for private in _on_sale(t) if _amounts(t, player, private)]
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
            _buy_at_face(t, action.actor, action.amount)
        else:
            t.auction.passes = 0
            _raise(t, action)
            _next_turn(t)

    def why_not(self, t: Table, kind: str) -> str | None:
        """Why nobody can bid."""
        if kind == "bid":
            return f"{t.state.player(_bidder(t)).name} has not enough cash left for any bid (9)."
        return "Only bids and passes are possible in the private auction (9)."


def cheapest(t: Table) -> PrivateId:
    """The cheapest private not sold yet; only it can be bought outright (9)."""
    return _unsold(t)[0]


def asking_price(t: Table, private: PrivateId) -> int:
    """Face value, less what nobody wanted to pay for the very first one (9)."""
    first = next(iter(t.state.privates))
    return t.spec.privates[private].value - (t.auction.discount if private == first else 0)


def free_cash(t: Table, player: PlayerId, private: PrivateId | None = None) -> int:
    """Cash less what is set aside for the player's bids on other privates: high bids only, or all of them (9)."""
    bids = t.auction.bids
    own = _own_bids(t, player) if t.spec.auction.all_bids_bind else _own_high_bids(t, player)
    tied = sum(bid for name, bid in own.items() if name != private)
    cash = t.cash(player) - tied
    if private and t.rules.flag("bid_cap_counts_own_losing_bid"):
        outbid = private not in _own_high_bids(t, player)
        cash += bids.get(private, {}).get(player, 0) if outbid else 0
    return cash


def high_bid(t: Table, private: PrivateId) -> int:
    """The highest standing bid in dollars, 0 without one."""
    return max(t.auction.bids.get(private, {}).values(), default=0)


def resolve(t: Table) -> None:
    """Sell on: the next cheapest private goes to its only bidder, is fought for, or waits for the next turn (9)."""
    auction = t.auction
    while auction.resolving and not auction.contested and not auction.par_due:
        unsold = _unsold(t)
        bidders = _payable(t, unsold[0]) if unsold else {}
        if not bidders:
            _end_resolution(t)
        elif len(bidders) == 1:
            player, amount = next(iter(bidders.items()))
            _sell(t, player, unsold[0], amount)
        else:
            auction.contested = unsold[0]
            contest.begin(t)


def _payable(t: Table, private: PrivateId) -> dict[PlayerId, int]:
    """The standing bids; a high bid above its bidder's cash falls.

    High bids tie up money, so this happens only in a profile that counts outbid bids as money too.
    """
    bids = t.auction.bids.get(private, {})
    while bids:
        player = max(bids, key=lambda bidder: bids[bidder])
        if bids[player] <= t.cash(player):
            break
        del bids[player]
        t.emit(Passed(player, f"the auction of {private}"))
    return bids


def _end_resolution(t: Table) -> None:
    auction = t.auction
    auction.resolving = False
    if t.state.auction is not None:
        if not _unsold(t):
            t.state.auction = None
        end_stock_turn(t, acted=True)
        return
    left = (auction.last_buyer + 1) % len(t.state.players)
    auction.turn = left
    if not _unsold(t):
        t.state.priority = left
        start_stock_round(t, 1)


def open_stock_round(t: Table) -> None:
    """Privates sold in stock rounds: the very first one gets cheaper, and at last must be taken (18AL 3.1.2)."""
    first = next(iter(t.state.privates))
    if t.state.auction is None or cheapest(t) != first or t.stock.number == 1:
        return
    t.auction.discount += RAISE
    price = asking_price(t, first)
    t.emit(PriceReduced(first, price))
    if price == 0:
        _buy_at_face(t, t.state.players[t.stock.turn].id, 0)


def _own_bids(t: Table, player: PlayerId) -> dict[PrivateId, int]:
    return {private: bids[player] for private, bids in t.auction.bids.items() if player in bids}


def _own_high_bids(t: Table, player: PlayerId) -> dict[PrivateId, int]:
    return {
        private: bids[player]
        for private, bids in t.auction.bids.items()
        if player in bids and bids[player] == max(bids.values())
    }


def _unsold(t: Table) -> list[PrivateId]:
    return [
        private.id for private in t.state.privates.values() if private.owner is None and not private.closed
    ]


def _on_sale(t: Table) -> list[PrivateId]:
    return [t.auction.contested] if t.auction.contested else _unsold(t)


def _bidder(t: Table) -> PlayerId:
    if t.auction.contested:
        return contest.bidder(t)
    turn = t.auction.turn if t.state.auction is None else t.stock.turn
    return t.state.players[turn].id


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
        f"No raise for {contested}" if t.rules.contest_goes_round() else f"Leave the auction of {contested}"
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
    if private not in _on_sale(t):
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


def _raise(t: Table, action: Bid) -> None:
    t.auction.bids.setdefault(action.private, {})[action.actor] = action.amount
    t.emit(BidPlaced(action.actor, action.private, action.amount))


def _next_turn(t: Table) -> None:
    if t.state.auction is not None:
        end_stock_turn(t, acted=True)
        return
    t.auction.turn = (t.auction.turn + 1) % len(t.state.players)


def _buy_at_face(t: Table, player: PlayerId, price: int) -> None:
    t.auction.last_buyer = t.state.seat(player)
    t.auction.resolving = True
    _sell(t, player, cheapest(t), price)
    resolve(t)


def _sell(t: Table, player: PlayerId, private: PrivateId, price: int) -> None:
    t.pay(player, BANK, price)
    t.state.privates[private].owner = player
    t.auction.bids.pop(private, None)
    t.auction.contested = None
    t.emit(PrivateBought(player, private, price))
    for power in t.spec.privates[private].powers:
        if isinstance(power, SharePower):
            _give_share(t, player, private, power)


def _give_share(t: Table, player: PlayerId, private: PrivateId, power: SharePower) -> None:
    linked = t.state.privates[private].linked
    assert linked is not None
    company = t.state.companies[linked]
    if power.president:
        give_certificate(company, player)
        t.auction.par_due = (player, linked)
    else:
        give(company, OFFERING, player, 10)
    percent = company.certificate if power.president else 10
    t.emit(ShareReceived(player, linked, percent, power.president))


def _pass(t: Table, player: PlayerId) -> None:
    auction = t.auction
    contested = auction.contested
    if contested:
        declined = "a raise for" if t.rules.contest_goes_round() else "the auction of"
        t.emit(Passed(player, f"{declined} {contested}"))
        if contest.passed(t, player):
            winner = contest.high_bidder(t)
            auction.bids[contested] = {winner: auction.bids[contested][winner]}
            auction.contested = None
            resolve(t)
        return
    t.emit(Passed(player, ""))
    if t.state.auction is not None:
        end_stock_turn(t, acted=False)
        return
    auction.passes += 1
    _next_turn(t)
    if auction.passes == len(t.state.players):
        auction.passes = 0
        _all_passed(t)


def _all_passed(t: Table) -> None:
    first = next(iter(t.state.privates))
    if cheapest(t) != first:
        pay_incomes(t)
        export_train(t)
        return
    t.auction.discount += RAISE
    price = asking_price(t, first)
    t.emit(PriceReduced(first, price))
    if price == 0:
        _buy_at_face(t, t.state.players[t.auction.turn].id, 0)
