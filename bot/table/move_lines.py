"""The public lines of moves: uneventful ones marked, and runs of bids joined.

Bids and passes that nobody made by hand, several in a row, are one line: it says how many bids each private
had, what stands now, and who has passed; what the sale leads to keeps lines of its own.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple, Self

from bot.table.markdown import MARKDOWN, markdown_teller, strong
from engine import Coord, Cursor, Event, Game, Offer, Teller, narrate
from engine import events as game_events
from storage import Entry

UNEVENTFUL_PASSES: Final = frozenset(
    f"declined.{step}" for step in ("issue", "free_token", "token", "track", "trains", "merger", "shares")
)
"""Declined steps when a company only continues with its next step."""
EVENTS_OF_NOBODY: Final = (
    game_events.TrainExported,
    game_events.RoundStarted,
    game_events.EndTriggered,
    game_events.GameOver,
)
"""Events at the table when a turn has ended."""
_MAP_EVENTS: Final = game_events.TileLaid | game_events.TokenPlaced | game_events.HomePlaced
"""Events that change the map."""
FEWEST_JOINED_BIDS: Final = 3
"""The fewest bids and passes in a row that become one line."""


class UneventfulLine(str):
    """A line about a step in which nothing happened, shown in the log but not in the thread."""

    __slots__ = ()


class BiddingLine(str):
    """A line about a bid or pass, which a sealed sale does not post."""

    __slots__ = ()


class DescribedMove(NamedTuple):
    """A move that was made: its log row, its events, and at least one public line."""

    entry: Entry
    events: tuple[Event, ...]
    lines: tuple[str, ...]


def play_and_describe(game: Game, cursor: Cursor) -> tuple[tuple[Event, ...], tuple[str, ...]]:
    """Make a move; returns its events and at least one public line.

    Raises IllegalAction, and changes nothing then.
    """
    events = game.play(cursor)
    return events, move_lines(events, game, cursor.offer)


def changed_hexes(events: Iterable[Event]) -> tuple[Coord, ...]:
    """The hexes changed by events, in order."""
    return tuple(dict.fromkeys(event.hex for event in events if isinstance(event, _MAP_EVENTS)))


def with_mark(lines: tuple[str, ...], mark: str) -> tuple[str, ...]:
    """The lines of a move, with the mark after the first one about an action."""
    if not mark:
        return lines
    first = next((n for n, line in enumerate(lines) if not isinstance(line, UneventfulLine)), 0)
    line_class = type(lines[first])
    return (*lines[:first], line_class(f"{lines[first]} {mark}"), *lines[first + 1 :])


def move_lines(events: Sequence[Event], game: Game, offer: Offer) -> tuple[str, ...]:
    """The public lines of a move, at least one."""
    lines: list[str] = []
    for group in narrate.grouped_by_sentence(narrate.causes_first(events)):
        first_event, sentences = group[0], narrate.sentences(group, game, MARKDOWN)
        if not eventful_lines(lines) and _is_outside_move(first_event, offer):
            # Whose move it was stands before what happened to others.
            lines.append(_done_line(markdown_teller(game), offer))
        lines += map(_kind_of_line(first_event), sentences)
    return tuple(lines) or (UneventfulLine(_line_without_event(markdown_teller(game), offer)),)


def eventful_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """Lines about events."""
    return tuple(line for line in lines if not isinstance(line, UneventfulLine))


def _is_outside_move(event: Event, offer: Offer) -> bool:
    """True if an event belongs to nobody's move, or to another company's."""
    is_pass = offer.kind == "pass"
    return isinstance(event, EVENTS_OF_NOBODY) or (
        is_pass and getattr(event, "company", offer.entity) != offer.entity
    )


def _kind_of_line(event: Event) -> type[str]:
    """The class of a line: uneventful for skipped or declined steps."""
    match event:
        case game_events.Skipped():
            return UneventfulLine
        case game_events.Passed(declined=declined):
            return (
                UneventfulLine if declined is not None and declined.name in UNEVENTFUL_PASSES else BiddingLine
            )
        case game_events.BidPlaced():
            return BiddingLine
        case _:
            return str


def _done_line(teller: Teller, offer: Offer) -> str:
    return f"{strong(teller.name_of(offer.entity))} is done."


def _line_without_event(teller: Teller, offer: Offer) -> str:
    """The line of a move without events: the button's label, except for the end of a step."""
    if offer.kind == "pass":
        return _done_line(teller, offer)
    return f"{strong(teller.name_of(offer.entity))}: {teller.say(offer.label).lower()}."


class BidMade(NamedTuple):
    """A bid on a private in dollars, or a pass (without private and amount), with its player and mark."""

    bidder: str
    private: str
    amount: int | None
    mark: str


class BidLine(str):
    """The line of a move that was only a bid or pass."""

    bid: BidMade

    @classmethod
    def of(cls, text: str, bid: BidMade) -> Self:
        """The line of this bid."""
        line = cls(text)
        line.bid = bid
        return line


def as_bid(made_move: DescribedMove, bidder: str, mark: str) -> DescribedMove:
    """A move in an auction, its line marked as a bid or pass if it had no other effect."""
    lines = eventful_lines(made_move.lines)
    if len(lines) != 1 or len(made_move.events) != 1:
        return made_move
    match made_move.events[0]:
        case game_events.BidPlaced(private=private, amount=amount):
            bid = BidMade(bidder, private, amount, mark)
        case game_events.Passed(declined=None):
            bid = BidMade(bidder, "", None, mark)
        case _:
            return made_move
    return made_move._replace(lines=(BidLine.of(lines[0], bid),))


class MoveBatch(NamedTuple):
    """Moves posted as one: the first number, and lines."""

    first_seq: int
    lines: tuple[str, ...]


def move_batches(
    first_seq: int, columns_of_text: Sequence[Sequence[str]], currency: str
) -> Iterator[MoveBatch]:
    """The numbered lines of moves, with runs of bids joined; `currency` is the sign of their amounts."""
    numbered_moves = enumerate(columns_of_text, start=first_seq)
    for are_bids, group in groupby(numbered_moves, key=lambda move: _bid_of_lines(move[1]) is not None):
        rows = list(group)
        if are_bids and len(rows) >= FEWEST_JOINED_BIDS:
            bids = [bid for _, lines in rows if (bid := _bid_of_lines(lines)) is not None]
            yield MoveBatch(rows[0][0], (f"to `{rows[-1][0]}`: {_bids_summary(bids, currency)}",))
        else:
            yield from (MoveBatch(number, tuple(lines)) for number, lines in rows)


def _bid_of_lines(lines: Sequence[str]) -> BidMade | None:
    return lines[0].bid if len(lines) == 1 and isinstance(lines[0], BidLine) else None


def _bids_summary(bids: Sequence[BidMade], currency: str) -> str:
    """The standing bid on each private, in order of first bids, and the players who passed."""
    last_bids = {bid.private: bid for bid in bids if bid.private}
    bid_counts = Counter(bid.private for bid in bids)
    pass_counts = Counter((bid.bidder, bid.mark) for bid in bids if not bid.private)
    marked_texts = [
        (_bid_text(bid, bid_counts[private], currency), bid.mark) for private, bid in last_bids.items()
    ]
    marked_texts += [(_passes_text(by, count), mark) for (by, mark), count in pass_counts.items()]
    # A mark stands behind the last of those that came about in the same way.
    texts_by_mark = [
        (list(same_mark), mark) for mark, same_mark in groupby(marked_texts, key=lambda part: part[1])
    ]
    return "; ".join(
        f"{'; '.join(text for text, _ in same_mark)} {mark}" for same_mark, mark in texts_by_mark
    )


def _bid_text(bid: BidMade, count: int, currency: str) -> str:
    if count == 1:
        return f"{strong(bid.bidder)} bids {currency}{bid.amount} on {bid.private}"
    return f"{count} bids on {bid.private}, the highest {currency}{bid.amount} by {strong(bid.bidder)}"


def _passes_text(player_name: str, count: int) -> str:
    return f"{strong(player_name)} passes" + ("" if count == 1 else f" {count} times")
