"""The auction of privates: bids, free cash, contests between bidders, and the end of the auction (18Chesapeake 9)."""

from engine.core.events import BidUnpaid, PriceReduced, PrivateBought, ShareReceived
from engine.core.ids import BANK, OFFERING, PlayerId, PrivateId
from engine.core.spec import SharePower
from engine.play.end_of_stock_round import end_stock_turn
from engine.play.shares.holdings import give_presidents_certificate, give_shares
from engine.play.table import Table
from engine.play.trains.phases import export_train
from engine.play.turn_order import pay_incomes, start_next_round

MIN_RAISE_DOLLARS = 5
"""Minimum raise in dollars: how much a bid must exceed the previous one (18Chesapeake 9)."""

PRICE_REDUCTION_DOLLARS = 5
"""Reduction in dollars of a private's price when all players pass (18Chesapeake 9)."""


def free_cash(t: Table, player: PlayerId, private: PrivateId | None = None) -> int:
    """The player's cash in dollars that is not committed to bids.

    In most titles only high bids commit money (18Chesapeake 9), in others all bids (18AL 3.1(b)). A bid on `private` is
    not counted.

    Rules: R-AL-023, R-C2C-026, R-CH-022, R-TN-022.
    """
    bids = t.auction.bids
    own_bids = _own_bids(t, player) if t.spec.auction.all_bids_bind else _own_high_bids(t, player)
    committed_cash = sum(bid for name, bid in own_bids.items() if name != private)
    cash = t.cash(player) - committed_cash
    if private and t.rules.has_flag("bid_cap_counts_own_losing_bid"):
        is_outbid = private not in _own_high_bids(t, player)
        cash += bids.get(private, {}).get(player, 0) if is_outbid else 0
    return cash


def high_bid(t: Table, private: PrivateId) -> int:
    """The highest bid on the private in dollars; 0 if it has no bid."""
    return max(t.auction.bids.get(private, {}).values(), default=0)


def minimum_bid(t: Table, private: PrivateId) -> int:
    """The lowest legal bid on a private, in dollars (18Chesapeake 9).

    Rules: R-AL-022, R-C2C-026, R-CH-021, R-TN-022.
    """
    return max(t.spec.privates[private].face_value, high_bid(t, private)) + MIN_RAISE_DOLLARS


def _own_bids(t: Table, player: PlayerId) -> dict[PrivateId, int]:
    return {private: bids[player] for private, bids in t.auction.bids.items() if player in bids}


def _own_high_bids(t: Table, player: PlayerId) -> dict[PrivateId, int]:
    return {
        private: bids[player]
        for private, bids in t.auction.bids.items()
        if player in bids and bids[player] == max(bids.values())
    }


def privates_at_asking_price(t: Table) -> list[PrivateId]:
    """Privates for sale at their asking price.

    Either the cheapest one (18Chesapeake 9), or the top one of each column of a packet.

    Rules: R-AL-021, R-C2C-025, R-CH-020, R-TN-021.
    """
    unsold_names = unsold_privates(t)
    top_privates = (
        next((name for name in column if name in unsold_names), None) for column in initial_packet_columns(t)
    )
    return [name for name in top_privates if name is not None]


def private_asking_price(t: Table, private: PrivateId) -> int:
    """Asking price of a private in dollars: face value minus reductions after passes (18Chesapeake 9).

    Rules: R-AL-021, R-C2C-025, R-CH-020, R-TN-021.
    """
    first_private = next(iter(t.state.privates))
    discount = t.auction.discount if private == first_private else t.auction.discounts.get(private, 0)
    return t.spec.privates[private].face_value - discount


def privates_priced_at_zero(t: Table) -> list[PrivateId]:
    """Privates whose price has fallen to $0; the next player must take one."""
    return [private for private in privates_at_asking_price(t) if private_asking_price(t, private) == 0]


def has_fixed_price(t: Table, private: PrivateId) -> bool:
    """True if the private sells now at a fixed price, not by bids (18Chesapeake 9)."""
    return private in privates_at_asking_price(t) and not t.auction.contested


def resolve_bids(t: Table) -> None:
    """Resolve bids on the privates that are now for sale.

    A single bidder buys the private; several bidders start a contest (18Chesapeake 9).

    Rules: R-AL-025, R-AL-026, R-C2C-027, R-CH-023, R-TN-024.
    """
    auction = t.auction
    while auction.resolving and not auction.contested and not auction.par_due:
        top_private = next(
            (private for private in privates_at_asking_price(t) if auction.bids.get(private)), None
        )
        if top_private is None:
            _finish_resolving_bids(t)
            return
        bidders = auction.bids[top_private]
        if len(bidders) == 1:
            player, amount = next(iter(bidders.items()))
            _sell_to_only_bidder(t, player, top_private, amount)
        else:
            auction.contested = top_private
            _begin_contest(t)


def _sell_to_only_bidder(t: Table, player: PlayerId, private: PrivateId, amount: int) -> None:
    """Sell a private to its only bidder; the bid is void if it exceeds the bidder's free cash.

    This happens only in logs of 18xx.games, where the money of outbid bids counts as free cash.
    """
    free_dollars = free_cash(t, player, private)
    if amount <= free_dollars:
        _sell_private(t, player, private, amount)
    else:
        del t.auction.bids[private]
        t.emit(BidUnpaid(player, private, amount, free_dollars))


def _finish_resolving_bids(t: Table) -> None:
    """Finish resolving bids: the player left of the last buyer has the turn, or the auction ends.

    Rules: R-AL-025, R-AL-034, R-CH-025, R-CH-029, R-TN-024, R-TN-02A.
    """
    auction = t.auction
    auction.resolving = False
    if t.state.auction is not None:
        if not unsold_privates(t):
            t.state.auction = None
            t.stock_round.first = t.spec.auction.share_sales_wait and t.stock_round.number > 1
        end_stock_turn(t, has_acted=True)
        return
    next_seat = (auction.last_buyer + 1) % len(t.state.players)
    auction.turn = next_seat
    if not unsold_privates(t):
        t.state.priority = next_seat
        start_next_round(t)


def reduce_private_prices(t: Table) -> None:
    """Lower the prices of privates after all players passed; a private at $0 must be taken (18AL 3.1.2).

    Rules: R-AL-030, R-AL-031, R-C2C-028, R-TN-027.
    """
    if t.state.auction is None or t.stock_round.number == 1:
        return
    for private in privates_to_discount(t):
        _lower_price(t, private)
    zero_price_privates = privates_priced_at_zero(t)
    if zero_price_privates:
        sell_at_asking_price(t, t.state.players[t.stock_round.turn].id, zero_price_privates[0], 0)


def privates_to_discount(t: Table) -> list[PrivateId]:
    """Privates that become cheaper when all players pass.

    Either the very first private of the title, or the top private of each column.

    Rules: R-AL-032, R-C2C-028, R-TN-027.
    """
    if t.spec.auction.cheaper_when_all_pass == "top":
        return privates_at_asking_price(t)
    return [
        private
        for private in privates_at_asking_price(t)
        if private in {column[0] for column in initial_packet_columns(t) if column}
    ]


def initial_packet_columns(t: Table) -> list[list[PrivateId]]:
    """The packet at the start of the game: all privates of each column from the top, sold or not.

    Rules: R-C2C-020, R-C2C-023.
    """
    listed_columns = t.spec.auction.columns or (tuple(t.state.privates),)
    return [[name for name in column if not t.state.privates[name].removed] for column in listed_columns]


def _lower_price(t: Table, private: PrivateId) -> None:
    if private == next(iter(t.state.privates)):
        t.auction.discount += PRICE_REDUCTION_DOLLARS
    else:
        t.auction.discounts[private] = t.auction.discounts.get(private, 0) + PRICE_REDUCTION_DOLLARS
    t.emit(PriceReduced(private, private_asking_price(t, private)))


def unsold_privates(t: Table) -> list[PrivateId]:
    """Privates without an owner, cheapest first."""
    return [
        private.id for private in t.state.privates.values() if private.owner is None and not private.closed
    ]


def privates_on_sale(t: Table) -> list[PrivateId]:
    """Privates that players can buy or bid on at this moment."""
    return [t.auction.contested] if t.auction.contested else unsold_privates(t)


def current_bidder(t: Table) -> PlayerId:
    """The player whose turn it is in the auction."""
    if t.auction.contested:
        return _current_contest_bidder(t)
    seat = t.auction.turn if t.state.auction is None else t.stock_round.turn
    return t.state.players[seat].id


def start_next_bidding_turn(t: Table) -> None:
    """Give the turn to the next player on the left. In a stock round, record that the current player has acted."""
    if t.state.auction is not None:
        end_stock_turn(t, has_acted=True)
        return
    t.auction.turn = (t.auction.turn + 1) % len(t.state.players)


def sell_at_asking_price(t: Table, player: PlayerId, private: PrivateId, price: int) -> None:
    """Sell a private at its asking price, then resolve bids on the privates that follow it."""
    t.auction.last_buyer = t.state.seat(player)
    t.auction.resolving = True
    _sell_private(t, player, private, price)
    resolve_bids(t)


def _sell_private(t: Table, player: PlayerId, private: PrivateId, price: int) -> None:
    t.pay(player, BANK, price)
    t.state.privates[private].owner = player
    t.auction.bids.pop(private, None)
    t.auction.contested = None
    t.emit(PrivateBought(player, private, price))
    for power in t.spec.privates[private].powers:
        if isinstance(power, SharePower):
            _give_share(t, player, private, power)


def _give_share(t: Table, player: PlayerId, private: PrivateId, power: SharePower) -> None:
    linked_company = t.state.privates[private].linked
    assert linked_company is not None
    company = t.state.companies[linked_company]
    if power.is_president_certificate:
        give_presidents_certificate(company, player)
        t.auction.par_due = (player, linked_company)
    else:
        give_shares(company, OFFERING, player, company.share)
    percent = company.certificate if power.is_president_certificate else company.share
    t.emit(ShareReceived(player, linked_company, percent, power.is_president_certificate))


def handle_passes_by_all(t: Table) -> None:
    """Handle passes by all players: privates pay income, and a train is exported.

    If no private is sold yet, the first player to pass gets priority instead, and the first private becomes cheaper
    (18Chesapeake 9). In some titles the cheapest unsold private always becomes cheaper, without payments or export.

    Rules: R-1882-011, R-CH-027, R-CH-028, D-1882-4.
    """
    first_private, [private, *_] = next(iter(t.state.privates)), privates_at_asking_price(t)
    if private != first_private and t.spec.auction.cheaper_when_all_pass != "top":
        pay_incomes(t)
        export_train(t)
        return
    if private == first_private:
        t.state.priority = t.auction.turn
    _lower_price(t, private)
    if private_asking_price(t, private) == 0:
        sell_at_asking_price(t, t.state.players[t.auction.turn].id, private, 0)


# --- several bidders for one private (18Chesapeake 9) -------------------------------------------------------------


def _begin_contest(t: Table) -> None:
    t.auction.contest_passes = 0
    t.auction.contest_turn = t.state.seat(high_bidder(t))
    _go_to_next_bidder(t)


def high_bidder(t: Table) -> PlayerId:
    """The player with the highest bid in the current contest for a private."""
    bids = _contest_bids(t)
    return max(bids, key=lambda player: bids[player])


def _current_contest_bidder(t: Table) -> PlayerId:
    """The bidder who must act in the current contest for a private.

    Rules: R-AL-027, R-C2C-027, R-CH-024, R-TN-025.
    """
    if t.spec.auction.contest == "lowest_bidder":
        bids = _contest_bids(t)
        return min(bids, key=lambda player: bids[player])
    return t.state.players[t.auction.contest_turn].id


def continue_contest(t: Table) -> None:
    """Let the next bidder act after a raise in the contest for a private."""
    t.auction.contest_passes = 0
    _go_to_next_bidder(t)


def pass_in_contest(t: Table, player: PlayerId) -> bool:
    """Pass for a bidder in the contest for a private. Returns True if only the winner is left.

    Rules: R-AL-028, R-AL-029, R-C2C-027, R-CH-024, R-TN-026.
    """
    if t.spec.auction.contest == "clockwise":
        t.auction.contest_passes += 1
        _go_to_next_bidder(t)
        return t.auction.contest_passes == len(_contest_bids(t)) - 1
    del _contest_bids(t)[player]
    if t.spec.auction.contest == "clockwise_once":
        _go_to_next_bidder(t)
    return len(_contest_bids(t)) == 1


def _contest_bids(t: Table) -> dict[PlayerId, int]:
    assert t.auction.contested is not None
    return t.auction.bids[t.auction.contested]


def _go_to_next_bidder(t: Table) -> None:
    player_count = len(t.state.players)
    seats_in_contest_order = [
        (t.auction.contest_turn + step) % player_count for step in range(1, player_count + 1)
    ]
    t.auction.contest_turn = next(
        seat for seat in seats_in_contest_order if t.state.players[seat].id in _contest_bids(t)
    )
