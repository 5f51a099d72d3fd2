"""How much may be bid on a private: the least raise, and the cash that other bids leave free (18Chesapeake 9)."""

from engine.core.ids import PlayerId, PrivateId
from engine.play.table import Table

RAISE = 5
"""Bids rise by at least this many dollars (18Chesapeake 9)."""


def free_cash(t: Table, player: PlayerId, private: PrivateId | None = None) -> int:
    """Cash less what bids on other privates set aside: high bids only (18Chesapeake 9), or all of them
    (18AL 3.1(b)).

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
