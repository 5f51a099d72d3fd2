"""Bids that nobody makes by hand are one line: how many, what stands, who passed."""

import pytest

from bot.table.move_lines import (
    MIN_JOINED_BIDS,
    BidLine,
    BidMade,
    DescribedMove,
    MoveBatch,
    move_batches,
    with_bid_line,
)
from engine.core.events import BidPlaced, Event, Passed, PrivateSold
from engine.core.facts import fact
from storage import NewLogRow

CARED, AUTOMATIC = "*(caretaker)*", "*(automatic)*"
SOLD = PrivateSold("b", "D&R", "bank", 20)


def bid(by: str, private: str = "", amount: int = 0, mark: str = CARED) -> tuple[str, ...]:
    """The lines of a bid, or of a pass."""
    said = f"{by} bids ${amount} on {private}. {mark}" if private else f"{by} passes. {mark}"
    return (BidLine.of(said, BidMade(by, private, amount, mark)),)


def made(*events: Event) -> DescribedMove:
    return DescribedMove(NewLogRow("action", "{}", "", "p1"), events, ("A line.",))


def test_run_of_bids_is_one_line() -> None:
    lines = [bid("Bo", "CV", 205), bid("Ann", mark=AUTOMATIC), bid("Cy", "CV", 210), bid("Bo", "D&R", 25)]
    text = (
        "to `6`: 2 bids on CV, the highest $210 by **Cy**; **Bo** bids $25 on D&R *(caretaker)*; "
        "**Ann** passes *(automatic)*"
    )
    assert list(move_batches(3, lines, "$")) == [MoveBatch(3, (text,))]


def test_passes_are_counted() -> None:
    lines = [bid("Ann", mark=AUTOMATIC)] * MIN_JOINED_BIDS
    assert list(move_batches(1, lines, "$")) == [
        MoveBatch(1, (f"to `3`: **Ann** passes {MIN_JOINED_BIDS} times *(automatic)*",))
    ]


@pytest.mark.parametrize(
    "lines",
    [
        [bid("Bo", "CV", 205), bid("Cy", "CV", 210)],
        [(f"Ann runs for ${10 * number}.",) for number in range(MIN_JOINED_BIDS)],
        [
            *(bid("Ann", "CV", 200 + 5 * number) for number in range(2)),
            (*bid("Ann", "CV", 210), "-# As a moderator."),
            ("Bob passes.", "All have passed."),
        ],
    ],
)
def test_other_lines_stay_apart(lines: list[tuple[str, ...]]) -> None:
    assert list(move_batches(3, lines, "$")) == [
        MoveBatch(number, one) for number, one in enumerate(lines, 3)
    ]


def test_sale_between_bids_keeps_its_line() -> None:
    run = [bid("Bo", "CV", 205 + 5 * n) for n in range(MIN_JOINED_BIDS)]
    won = ("Cy drops out.", "Bo wins CV.")
    found = list(move_batches(10, [*run, won, *run], "$"))
    assert [one.first_seq for one in found] == [10, 13, 14]
    assert found[1].lines == won


@pytest.mark.parametrize(
    ("events", "is_bid"),
    [
        ((BidPlaced("b", "CV", 205),), True),
        ((Passed("b"),), True),
        ((Passed("b", fact("declined.auction", private="CV")),), False),
        ((SOLD,), False),
        ((Passed("b"), SOLD), False),
    ],
)
def test_only_eventless_bids_are_batched(events: tuple[Event, ...], *, is_bid: bool) -> None:
    assert isinstance(with_bid_line(made(*events), "Bo", CARED).lines[0], BidLine) == is_bid


def test_bid_with_a_note_keeps_its_lines() -> None:
    more = made(BidPlaced("b", "CV", 205))._replace(lines=("Bo bids $205 on CV.", "-# As a moderator."))
    assert with_bid_line(more, "Bo", CARED) == more
