"""Bids and passes that nobody made by hand: several in a row, by computers and orders, are one line.

The line says how many bids each private had, what stands now, and who has passed; what the sale leads to keeps lines of
its own.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple, Self

from bot.table.live import Made, eventful
from bot.table.markdown import strong
from engine.core.events import BidPlaced, Passed

FEWEST: Final = 3
"""How many bids and passes in a row become one line, at least."""


class Bid(NamedTuple):
    """A bid on a private in dollars, or a pass (no private, no amount), by whom, and how it came about."""

    by: str
    private: str
    amount: int | None
    mark: str


class BidLine(str):
    """The line of a move that was nothing but such a bid or pass."""

    bid: Bid

    @classmethod
    def of(cls, text: str, bid: Bid) -> Self:
        """The line of this bid."""
        line = cls(text)
        line.bid = bid
        return line


def as_bid(made: Made, by: str, mark: str) -> Made:
    """A move in an auction, its line marked as that of a bid or a pass where nothing else came of it."""
    lines = eventful(made.lines)
    if len(lines) != 1 or len(made.events) != 1:
        return made
    match made.events[0]:
        case BidPlaced(private=private, amount=amount):
            bid = Bid(by, private, amount, mark)
        case Passed(declined=None):
            bid = Bid(by, "", None, mark)
        case _:
            return made
    return made._replace(lines=(BidLine.of(lines[0], bid),))


class Batch(NamedTuple):
    """Moves that are posted as one, by the number of the first, as lines."""

    first: int
    lines: tuple[str, ...]


def batched(first: int, said: Sequence[Sequence[str]]) -> Iterator[Batch]:
    """The lines of moves, numbered from `first`; a run of bids as one."""
    numbered = enumerate(said, start=first)
    for are_bids, found in groupby(numbered, key=lambda one: _bid(one[1]) is not None):
        rows = list(found)
        if are_bids and len(rows) >= FEWEST:
            bids = [bid for _, lines in rows if (bid := _bid(lines)) is not None]
            yield Batch(rows[0][0], (f"to `{rows[-1][0]}`: {_summary(bids)}",))
        else:
            yield from (Batch(number, tuple(lines)) for number, lines in rows)


def _bid(lines: Sequence[str]) -> Bid | None:
    return lines[0].bid if len(lines) == 1 and isinstance(lines[0], BidLine) else None


def _summary(bids: Sequence[Bid]) -> str:
    """What stands on each private after its bids, the first that was bid on first, and who has passed how often."""
    last = {bid.private: bid for bid in bids if bid.private}
    counts = Counter(bid.private for bid in bids)
    passes = Counter((bid.by, bid.mark) for bid in bids if not bid.private)
    parts = [(_stands(bid, counts[private]), bid.mark) for private, bid in last.items()]
    parts += [(_passes(by, count), mark) for (by, mark), count in passes.items()]
    # A mark stands behind the last of those that came about in the same way.
    found = [(list(same), mark) for mark, same in groupby(parts, key=lambda part: part[1])]
    return "; ".join(f"{'; '.join(text for text, _ in same)} {mark}" for same, mark in found)


def _stands(bid: Bid, count: int) -> str:
    if count == 1:
        return f"{strong(bid.by)} bids ${bid.amount} on {bid.private}"
    return f"{count} bids on {bid.private}, the highest ${bid.amount} by {strong(bid.by)}"


def _passes(by: str, count: int) -> str:
    return f"{strong(by)} passes" + ("" if count == 1 else f" {count} times")
