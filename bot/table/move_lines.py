"""The public log lines of moves.

Lines about steps in which nothing happened are marked, so that the thread can leave them out. Several automatic bids
and passes in a row become one line: the number of bids and the highest bid on each private, and the players who passed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple, Self

from bot.table.markdown import MARKDOWN, markdown_teller, strong
from engine import Coord, Event, Game, Offer, OfferCursor, Teller, narrate
from engine import events as game_events
from storage import NewLogRow

UNEVENTFUL_PASSES: Final = frozenset(
    f"declined.{step}" for step in ("issue", "free_token", "token", "track", "trains", "merger", "shares")
)
"""Steps that a company can decline without a line in the thread, since its turn goes on with the next step."""
EVENTS_WITHOUT_MOVER: Final = (
    game_events.TrainExported,
    game_events.RoundStarted,
    game_events.EndTriggered,
    game_events.GameOver,
)
"""Events that no player's move causes directly, such as a new round."""
_MAP_CHANGING_EVENTS: Final = game_events.TileLaid | game_events.TokenPlaced | game_events.HomePlaced
MIN_JOINED_BIDS: Final = 3
"""Minimum number of consecutive automatic bids and passes that are joined into one line."""


class UneventfulLine(str):
    """A line about a step in which nothing happened. The log shows it; the thread does not."""

    __slots__ = ()


class RoundLine(str):
    """The first line about a new round. The thread begins a new post with it."""

    __slots__ = ()


class BiddingLine(str):
    """A line about a bid or pass. The thread does not show it while the bot resolves a sealed auction."""

    __slots__ = ()


class DescribedMove(NamedTuple):
    """A move that was made: its log entry, its events, and its public lines (at least one)."""

    entry: NewLogRow
    events: tuple[Event, ...]
    lines: tuple[str, ...]


def play_and_describe(game: Game, cursor: OfferCursor) -> tuple[tuple[Event, ...], tuple[str, ...]]:
    """Make a complete move; returns its events and its public lines (at least one).

    Raises IllegalAction, which changes nothing.
    """
    events = game.apply_cursor(cursor)
    return events, move_lines(events, game, cursor.offer)


def changed_hexes(events: Iterable[Event]) -> tuple[Coord, ...]:
    """The hexes in which these events laid a tile or placed a token, each once."""
    return tuple(dict.fromkeys(event.hex for event in events if isinstance(event, _MAP_CHANGING_EVENTS)))


def with_mark(lines: tuple[str, ...], mark: str) -> tuple[str, ...]:
    """The lines of a move, with `mark` appended to the first line that is not an UneventfulLine."""
    if not mark:
        return lines
    marked_index = next((n for n, line in enumerate(lines) if not isinstance(line, UneventfulLine)), 0)
    line_class = type(lines[marked_index])
    return (*lines[:marked_index], line_class(f"{lines[marked_index]} {mark}"), *lines[marked_index + 1 :])


def move_lines(events: Sequence[Event], game: Game, offer: Offer) -> tuple[str, ...]:
    """The public lines of a move (at least one)."""
    lines: list[str] = []
    for group in narrate.sentence_groups(narrate.events_with_causes_first(events)):
        first_event, sentences = group[0], narrate.sentences(group, game, MARKDOWN)
        if not eventful_lines(lines) and _is_outside_move(first_event, offer):
            # The company whose move it was comes first, then what happened to others.
            lines.append(_company_done_line(markdown_teller(game), offer))
        lines += map(_class_of_line(first_event), sentences)
    return tuple(lines) or (UneventfulLine(_line_without_event(markdown_teller(game), offer)),)


def eventful_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """These lines without each UneventfulLine (a line about a step in which nothing happened)."""
    return tuple(line for line in lines if not isinstance(line, UneventfulLine))


def _is_outside_move(event: Event, offer: Offer) -> bool:
    """True if the event is not part of the move itself: a new round, or an event of another company after a pass."""
    is_pass = offer.kind == "pass"
    return isinstance(event, EVENTS_WITHOUT_MOVER) or (
        is_pass and getattr(event, "company", offer.entity) != offer.entity
    )


def _class_of_line(event: Event) -> type[str]:
    match event:
        case game_events.StepSkipped() | game_events.CardDrafted():
            return UneventfulLine
        case game_events.Passed(declined=declined):
            return (
                UneventfulLine if declined is not None and declined.name in UNEVENTFUL_PASSES else BiddingLine
            )
        case game_events.BidPlaced():
            return BiddingLine
        case game_events.RoundStarted():
            return RoundLine
        case _:
            return str


def _company_done_line(teller: Teller, offer: Offer) -> str:
    return f"{strong(teller.name_of(offer.entity))} is done."


def _line_without_event(teller: Teller, offer: Offer) -> str:
    """The line of a move without events: `PRR is done.` for a pass, else the action's label."""
    if offer.kind == "pass":
        return _company_done_line(teller, offer)
    return f"{strong(teller.name_of(offer.entity))}: {teller.say(offer.label).lower()}."


class BidMade(NamedTuple):
    """A bid on a private, in dollars, or a pass (empty private, no amount). `mark` is appended to its line."""

    bidder: str
    private: str
    amount: int | None
    mark: str


class BidLine(str):
    """The line of an automatic move that was only a bid or a pass; several can be joined."""

    bid: BidMade

    @classmethod
    def of(cls, text: str, bid: BidMade) -> Self:
        """The line with its bid attached."""
        line = cls(text)
        line.bid = bid
        return line


def with_bid_line(made_move: DescribedMove, bidder: str, mark: str) -> DescribedMove:
    """The move, with a BidLine as its only line if the move was nothing but a bid or a pass."""
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
    """Consecutive moves that are shown together: the log row of the first move, and their lines."""

    first_seq: int
    lines: tuple[str, ...]


def move_batches(
    first_seq: int, lines_by_move: Sequence[Sequence[str]], currency: str
) -> Iterator[MoveBatch]:
    """The lines of moves, grouped for posting. Several automatic bids and passes in a row become one line.

    `lines_by_move` has the lines of each move, beginning with log row `first_seq`. `currency` is the currency sign.
    """
    numbered_moves = enumerate(lines_by_move, start=first_seq)
    for are_bids, group in groupby(numbered_moves, key=lambda move: _bid_of_lines(move[1]) is not None):
        rows = list(group)
        if are_bids and len(rows) >= MIN_JOINED_BIDS:
            bids = [bid for _, lines in rows if (bid := _bid_of_lines(lines)) is not None]
            yield MoveBatch(rows[0][0], (f"to `{rows[-1][0]}`: {_bids_summary(bids, currency)}",))
        else:
            yield from (MoveBatch(number, tuple(lines)) for number, lines in rows)


def _bid_of_lines(lines: Sequence[str]) -> BidMade | None:
    return lines[0].bid if len(lines) == 1 and isinstance(lines[0], BidLine) else None


def _bids_summary(bids: Sequence[BidMade], currency: str) -> str:
    """A summary of several bids: the highest bid on each private, and the players who passed."""
    last_bid_by_private = {bid.private: bid for bid in bids if bid.private}
    bid_count_by_private = Counter(bid.private for bid in bids)
    pass_counts = Counter((bid.bidder, bid.mark) for bid in bids if not bid.private)
    marked_texts = [
        (_bid_text(bid, bid_count_by_private[private], currency), bid.mark)
        for private, bid in last_bid_by_private.items()
    ]
    marked_texts += [(_passes_text(bidder, count), mark) for (bidder, mark), count in pass_counts.items()]
    # A mark is written once, behind consecutive parts that have it.
    texts_and_marks = [(list(group), mark) for mark, group in groupby(marked_texts, key=lambda part: part[1])]
    return "; ".join(f"{'; '.join(text for text, _ in group)} {mark}" for group, mark in texts_and_marks)


def _bid_text(bid: BidMade, count: int, currency: str) -> str:
    if count == 1:
        return f"{strong(bid.bidder)} bids {currency}{bid.amount} on {bid.private}"
    return f"{count} bids on {bid.private}, the highest {currency}{bid.amount} by {strong(bid.bidder)}"


def _passes_text(player_name: str, count: int) -> str:
    return f"{strong(player_name)} passes" + ("" if count == 1 else f" {count} times")
