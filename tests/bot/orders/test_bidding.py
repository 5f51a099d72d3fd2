"""Bids that nobody makes by hand are one line: how many, what stands, who passed."""

from bot.table.move_lines import FEWEST, Batch, BidLine, BidMade, Made, as_bid, batched
from engine.core.events import BidPlaced, Event, Passed, PrivateSold
from engine.core.facts import fact
from storage import Entry

CARED, AUTOMATIC = "*(caretaker)*", "*(automatic)*"


def bid(by: str, private: str = "", amount: int = 0, mark: str = CARED) -> tuple[str, ...]:
    """The lines of a bid, or of a pass."""
    said = f"{by} bids ${amount} on {private}. {mark}" if private else f"{by} passes. {mark}"
    return (BidLine.of(said, BidMade(by, private, amount, mark)),)


def made(*events: Event) -> Made:
    return Made(Entry("action", "{}", "", "p1"), events, ("A line.",))


def test_a_run_of_bids_is_one_line_with_what_stands() -> None:
    lines = [bid("Bo", "CV", 205), bid("Ann", mark=AUTOMATIC), bid("Cy", "CV", 210), bid("Bo", "D&R", 25)]
    assert list(batched(3, lines)) == [
        Batch(
            3,
            (
                "to `6`: 2 bids on CV, the highest $210 by **Cy**; **Bo** bids $25 on D&R *(caretaker)*; "
                "**Ann** passes *(automatic)*",
            ),
        )
    ]


def test_who_passes_more_than_once_is_counted() -> None:
    lines = [bid("Ann", mark=AUTOMATIC)] * FEWEST
    assert list(batched(1, lines)) == [Batch(1, (f"to `3`: **Ann** passes {FEWEST} times *(automatic)*",))]


def test_few_bids_keep_lines_of_their_own() -> None:
    lines = [bid("Bo", "CV", 205), bid("Cy", "CV", 210)]
    assert list(batched(3, lines)) == [Batch(3, lines[0]), Batch(4, lines[1])]


def test_other_moves_keep_lines_of_their_own_however_many_they_are() -> None:
    said = [(f"Ann runs for ${10 * number}.",) for number in range(FEWEST)]
    assert list(batched(3, said)) == [Batch(number, lines) for number, lines in enumerate(said, 3)]


def test_what_a_sale_leads_to_keeps_its_line_and_its_number() -> None:
    run = [bid("Bo", "CV", 205 + 5 * n) for n in range(FEWEST)]
    won = ("Cy drops out.", "Bo wins CV.")
    found = list(batched(10, [*run, won, *run]))
    assert [one.first for one in found] == [10, 13, 14]
    assert found[1].lines == won


def test_only_bids_and_passes_of_which_nothing_else_came_become_one_line() -> None:
    def is_bid(*events: Event) -> bool:
        return isinstance(as_bid(made(*events), "Bo", CARED).lines[0], BidLine)

    assert is_bid(BidPlaced("b", "CV", 205))
    assert is_bid(Passed("b"))
    assert not is_bid(Passed("b", fact("declined.auction", private="CV")))
    assert not is_bid(PrivateSold("b", "D&R", "bank", 20))
    assert not is_bid(Passed("b"), PrivateSold("b", "D&R", "bank", 20))
    more = made(BidPlaced("b", "CV", 205))._replace(lines=("Bo bids $205 on CV.", "-# As a moderator."))
    assert as_bid(more, "Bo", CARED) == more


def test_a_bid_of_which_more_is_said_keeps_its_lines() -> None:
    bids = [bid("Ann", "CV", 200 + 5 * number) for number in range(3)]
    said = [*bids[:2], (*bids[2], "-# As a moderator."), ("Bob passes.", "All have passed.")]
    assert list(batched(4, said)) == [Batch(number, tuple(lines)) for number, lines in enumerate(said, 4)]
