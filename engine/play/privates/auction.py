"""Auction of privates: bids and free cash, contests, and the end of the sale (18Chesapeake 9)."""

from engine.core.events import BidUnpaid, PriceReduced, PrivateBought, ShareReceived
from engine.core.ids import BANK, OFFERING, PlayerId, PrivateId
from engine.core.spec import SharePower
from engine.play.end_of_stock_round import end_stock_turn
from engine.play.shares.holdings import give_certificate, give_shares
from engine.play.table import Table
from engine.play.trains.phases import export_train
from engine.play.turn_order import next_round, pay_incomes

RAISE = 5
"""Bids rise by at least this many dollars (18Chesapeake 9)."""

REDUCTION = 5
"""The first private becomes cheaper by N dollars when nobody wants it (18Chesapeake 9)."""


def free_cash(t: Table, player: PlayerId, private: PrivateId | None = None) -> int:
    """Cash not committed to bids: to high bids (18Chesapeake 9) or to all (18AL 3.1(b)).

    Rules: R-AL-023, R-C2C-026, R-CH-022, R-TN-022.
    """
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


def least_bid(t: Table, private: PrivateId) -> int:
    """The lowest bid that may follow those standing, in dollars (18Chesapeake 9).

    Rules: R-AL-022, R-C2C-026, R-CH-021, R-TN-022.
    """
    return max(t.spec.privates[private].value, high_bid(t, private)) + RAISE


def _own_bids(t: Table, player: PlayerId) -> dict[PrivateId, int]:
    return {private: bids[player] for private, bids in t.auction.bids.items() if player in bids}


def _own_high_bids(t: Table, player: PlayerId) -> dict[PrivateId, int]:
    return {
        private: bids[player]
        for private, bids in t.auction.bids.items()
        if player in bids and bids[player] == max(bids.values())
    }


def top_privates(t: Table) -> list[PrivateId]:
    """Privates for sale at their price: the cheapest (18Chesapeake 9), or the top of each column of a packet.

    Rules: R-AL-021, R-C2C-025, R-CH-020, R-TN-021.
    """
    left = unsold(t)
    tops = (next((name for name in column if name in left), None) for column in columns(t))
    return [name for name in tops if name is not None]


def asking_price(t: Table, private: PrivateId) -> int:
    """Price in dollars: face value less reductions after passes (18Chesapeake 9).

    Rules: R-AL-021, R-C2C-025, R-CH-020, R-TN-021.
    """
    first = next(iter(t.state.privates))
    less = t.auction.discount if private == first else t.auction.discounts.get(private, 0)
    return t.spec.privates[private].value - less


def must_be_taken(t: Table) -> list[PrivateId]:
    """Privates whose price fell to $0: the next player to act must take one."""
    return [private for private in top_privates(t) if asking_price(t, private) == 0]


def is_bought(t: Table, private: PrivateId) -> bool:
    """True if the private is bought at its price now, rather than bid on (18Chesapeake 9)."""
    return private in top_privates(t) and not t.auction.contested


def settle_bids(t: Table) -> None:
    """Settle bids on the new top private: sale to the only bidder, contest, or wait for a turn (18Chesapeake 9).

    Rules: R-AL-025, R-AL-026, R-C2C-027, R-CH-023, R-TN-024.
    """
    auction = t.auction
    while auction.resolving and not auction.contested and not auction.par_due:
        top = next((private for private in top_privates(t) if auction.bids.get(private)), None)
        if top is None:
            _end_resolution(t)
            return
        bidders = auction.bids[top]
        if len(bidders) == 1:
            player, amount = next(iter(bidders.items()))
            _settle(t, player, top, amount)
        else:
            auction.contested = top
            _begin_contest(t)


def _settle(t: Table, player: PlayerId, private: PrivateId, amount: int) -> None:
    """Sell to the only bidder; a bid above their free cash is void.

    High bids tie up money, so this happens only in logs whose site counts outbid bids as money, too.
    """
    free = free_cash(t, player, private)
    if amount <= free:
        _sell(t, player, private, amount)
    else:
        del t.auction.bids[private]
        t.emit(BidUnpaid(player, private, amount, free))


def _end_resolution(t: Table) -> None:
    """Finish the settling of bids: the turn goes to the left of the last buyer, or the auction ends.

    Rules: R-AL-025, R-AL-034, R-CH-025, R-CH-029, R-TN-024, R-TN-02A.
    """
    auction = t.auction
    auction.resolving = False
    if t.state.auction is not None:
        if not unsold(t):
            t.state.auction = None
            t.stock.first = t.spec.auction.sales_wait and t.stock.number > 1
        end_stock_turn(t, acted=True)
        return
    left = (auction.last_buyer + 1) % len(t.state.players)
    auction.turn = left
    if not unsold(t):
        t.state.priority = left
        next_round(t)


def reduce_price(t: Table) -> None:
    """Reduce prices of unwanted privates; at $0 one must be taken (18AL 3.1.2).

    Rules: R-AL-030, R-AL-031, R-C2C-028, R-TN-027.
    """
    if t.state.auction is None or t.stock.number == 1:
        return
    for private in unwanted(t):
        _lower(t, private)
    free = must_be_taken(t)
    if free:
        buy_at_face(t, t.state.players[t.stock.turn].id, free[0], 0)


def unwanted(t: Table) -> list[PrivateId]:
    """Privates that become cheaper when all pass: the very first only, or all on top.

    Rules: R-AL-032, R-C2C-028, R-TN-027.
    """
    if t.spec.auction.cheaper == "top":
        return top_privates(t)
    return [
        private for private in top_privates(t) if private in {column[0] for column in columns(t) if column}
    ]


def columns(t: Table) -> list[list[PrivateId]]:
    """All privates, sold or not, by column from the top.

    Rules: R-C2C-020, R-C2C-023.
    """
    listed = t.spec.auction.columns or (tuple(t.state.privates),)
    return [[name for name in column if not t.state.privates[name].removed] for column in listed]


def _lower(t: Table, private: PrivateId) -> None:
    if private == next(iter(t.state.privates)):
        t.auction.discount += REDUCTION
    else:
        t.auction.discounts[private] = t.auction.discounts.get(private, 0) + REDUCTION
    t.emit(PriceReduced(private, asking_price(t, private)))


def unsold(t: Table) -> list[PrivateId]:
    """Privates that nobody owns yet, cheapest first."""
    return [
        private.id for private in t.state.privates.values() if private.owner is None and not private.closed
    ]


def on_sale(t: Table) -> list[PrivateId]:
    """Privates that may be bought or bid on now."""
    return [t.auction.contested] if t.auction.contested else unsold(t)


def bidder(t: Table) -> PlayerId:
    """The player on turn."""
    if t.auction.contested:
        return _next_in_contest(t)
    turn = t.auction.turn if t.state.auction is None else t.stock.turn
    return t.state.players[turn].id


def next_bidding_turn(t: Table) -> None:
    """Pass the turn to the left; in a stock round the player on turn counts as having acted."""
    if t.state.auction is not None:
        end_stock_turn(t, acted=True)
        return
    t.auction.turn = (t.auction.turn + 1) % len(t.state.players)


def buy_at_face(t: Table, player: PlayerId, private: PrivateId, price: int) -> None:
    """Sell a top private at its price, then settle bids on the next ones."""
    t.auction.last_buyer = t.state.seat(player)
    t.auction.resolving = True
    _sell(t, player, private, price)
    settle_bids(t)


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
        give_shares(company, OFFERING, player, company.share)
    percent = company.certificate if power.president else company.share
    t.emit(ShareReceived(player, linked, percent, power.president))


def all_bidders_passed(t: Table) -> None:
    """All passed: privates pay and a train is exported.

    If none is sold, the first to pass gets priority (18Chesapeake 9).

    Rules: R-CH-027, R-CH-028.
    """
    first = next(iter(t.state.privates))
    if top_privates(t) != [first]:
        pay_incomes(t)
        export_train(t)
        return
    t.state.priority = t.auction.turn
    _lower(t, first)
    if asking_price(t, first) == 0:
        buy_at_face(t, t.state.players[t.auction.turn].id, first, 0)


# --- several bidders for one private (18Chesapeake 9) -------------------------------------------------------------


def _begin_contest(t: Table) -> None:
    """Start a contest: bidders clockwise from the left of the high bidder; in some titles the lowest bidder acts."""
    t.auction.contest_passes = 0
    t.auction.contest_turn = t.state.seat(high_bidder(t))
    _next_bidder(t)


def high_bidder(t: Table) -> PlayerId:
    """The player with the highest bid in the contest."""
    bids = _bids(t)
    return max(bids, key=lambda player: bids[player])


def _next_in_contest(t: Table) -> PlayerId:
    """The bidder on turn in the contest.

    Rules: R-AL-027, R-C2C-027, R-CH-024, R-TN-025.
    """
    if t.spec.auction.contest == "lowest_bidder":
        bids = _bids(t)
        return min(bids, key=lambda player: bids[player])
    return t.state.players[t.auction.contest_turn].id


def contest_raised(t: Table) -> None:
    """A bidder raised in the contest; the others continue."""
    t.auction.contest_passes = 0
    _next_bidder(t)


def pass_contest(t: Table, player: PlayerId) -> bool:
    """A bidder passed in the contest; returns whether the private was sold.

    Rules: R-AL-028, R-AL-029, R-C2C-027, R-CH-024, R-TN-026.
    """
    if t.spec.auction.contest == "clockwise":
        t.auction.contest_passes += 1
        _next_bidder(t)
        return t.auction.contest_passes == len(_bids(t)) - 1
    del _bids(t)[player]
    if t.spec.auction.contest == "clockwise_once":
        _next_bidder(t)
    return len(_bids(t)) == 1


def _bids(t: Table) -> dict[PlayerId, int]:
    assert t.auction.contested is not None
    return t.auction.bids[t.auction.contested]


def _next_bidder(t: Table) -> None:
    count = len(t.state.players)
    turns = [(t.auction.contest_turn + step) % count for step in range(1, count + 1)]
    t.auction.contest_turn = next(turn for turn in turns if t.state.players[turn].id in _bids(t))
