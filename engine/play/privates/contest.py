"""Several bidders for one private: who acts, and when it is decided (18Chesapeake 9)."""

from engine.core.ids import PlayerId
from engine.play.table import Table


def begin(t: Table) -> None:
    """The bidders go round, from the left of the high bidder; in other games the lowest bidder acts."""
    t.auction.contest_passes = 0
    t.auction.contest_turn = t.state.seat(high_bidder(t))
    _next_bidder(t)


def high_bidder(t: Table) -> PlayerId:
    """Who has the highest bid on the private being fought for."""
    bids = _bids(t)
    return max(bids, key=lambda player: bids[player])


def bidder(t: Table) -> PlayerId:
    """Whose turn it is among the bidders.

    Rules: R-AL-027, R-C2C-027, R-CH-024, R-TN-025.
    """
    if t.spec.auction.contest == "lowest_bidder":
        bids = _bids(t)
        return min(bids, key=lambda player: bids[player])
    return t.state.players[t.auction.contest_turn].id


def raised(t: Table) -> None:
    """A bidder has raised: the others may still do so."""
    t.auction.contest_passes = 0
    _next_bidder(t)


def passed(t: Table, player: PlayerId) -> bool:
    """A bidder has passed; whether the private is sold now.

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
