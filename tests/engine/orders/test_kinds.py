"""What an order is about, what it may say, its name, and when it says that it stops."""

import pytest
from pydantic import ValidationError

from engine.core.errors import Unreadable
from engine.orders import outdated, read_order, same_subject, write_order
from engine.orders.order_kinds import (
    SKIPPED,
    BidUpTo,
    BuyShares,
    DoneAfter,
    Order,
    PassMerger,
    PassStock,
    RunBest,
    Seal,
    SkipStep,
    Standing,
    description,
    ends_when,
)
from tests.titles.builders import new_game, tell

PASS = PassStock(round=2, until="over")
BUY = BuyShares(round=2, company="PRR", source="offering")
BID = BidUpTo(private="CV", most=250, then="pass")
RUN = RunBest(company="PRR", dividend="pay")


@pytest.mark.parametrize(
    ("order", "name", "until"),
    [
        (PASS, "Pass in stock round 2", "until the round is over, whatever happens"),
        (
            PassStock(round=2, until="concerned"),
            "Pass in stock round 2",
            "until the round is over, a share of a company of yours is sold",
        ),
        (BUY, "Buy a share of PRR in each turn, from the IPO, then pass", "until PRR floats"),
        (
            BuyShares(round=2, company="PRR", source="market", shares=3),
            "Buy a share of PRR in each turn, from the market, then pass",
            "until you hold 3 shares",
        ),
        (BID, "Bid on CV up to $250, then pass", "until CV is sold, all have passed"),
        (
            BidUpTo(private="CV", most=250, then="ask"),
            "Bid on CV up to $250, then ask me",
            "until CV is sold, or costs more",
        ),
        (Seal(maxima={"CV": 1, "D&R": 0}), "Sealed maxima: CV $1", "until all are sold"),
        (Seal(maxima={"D&R": 0}), "Sealed maxima: none; no private is wanted", "until all are sold"),
        (RUN, "Run the best routes of PRR and pay", "until trains of PRR rust"),
        (
            RunBest(company="PRR", dividend="withhold"),
            "Run the best routes of PRR and withhold",
            "until trains of PRR rust",
        ),
        (
            RunBest(company="PRR", dividend="half"),
            "Run the best routes of PRR and pay half",
            "until trains of PRR rust",
        ),
        (SkipStep(company="PRR", step="track"), "Skip track of PRR", "until you withdraw it"),
        (
            SkipStep(company="PRR", step="token", phase="3"),
            "Skip tokens of PRR",
            "until phase 3 is over, or you are not president",
        ),
        (
            PassMerger(set=3, number=0),
            "Pass in the merger round after SR 3",
            "until that merger round is over",
        ),
        (
            PassMerger(set=3, number=1),
            "Pass in the merger round after OR 3.1",
            "until that merger round is over",
        ),
        (
            DoneAfter(step="track", entity="PRR"),
            "PRR: be done with track after the next move",
            "until that step is over",
        ),
    ],
)
def test_an_order_says_what_it_does_and_until_when(order: Order, name: str, until: str) -> None:
    say = tell(new_game()).say
    assert say(description(order)) == name
    assert say(ends_when(order)).startswith(until)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (PASS, False),
        (BUY, False),
        (BID, False),
        (RunBest(company="PRR", dividend="withhold"), True),
        (RunBest(company="B&O", dividend="pay"), False),
        (SkipStep(company="PRR", step="track"), False),
    ],
)
def test_orders_are_about_the_same_where_they_do_the_same_with_one_company(other: Order, same: bool) -> None:
    assert same_subject(RUN, other) == same


def test_track_and_tokens_of_a_company_are_skipped_by_two_orders() -> None:
    track, token = (SkipStep(company="PRR", step=step) for step in SKIPPED)
    assert not same_subject(track, token)
    assert same_subject(track, SkipStep(company="PRR", step="track", phase="3"))


def test_a_later_order_of_the_same_player_takes_the_place_of_one_about_the_same() -> None:
    orders = [
        Standing(1, "a", RUN, 0),
        Standing(2, "b", RUN, 0),
        Standing(3, "a", PASS, 0),
        Standing(4, "a", RUN, 0),
    ]
    assert outdated(orders) == [1]


def test_an_order_stays_as_it_was_given() -> None:
    order = read_order(write_order(BID))
    assert order == BID
    with pytest.raises(ValidationError):
        order.most = 300  # type: ignore[misc]


@pytest.mark.parametrize(
    "text",
    [
        '{"kind": "pass_stock", "round": 2, "until": "over", "most": 3}',
        '{"kind": "pass_stock", "round": "2", "until": "over"}',
        '{"kind": "bid_up_to", "private": "CV", "most": -1, "then": "pass"}',
        '{"kind": "buy_shares", "round": 2, "company": "PRR", "source": "offering", "shares": 0}',
        '{"kind": "seal", "maxima": {"CV": -5}}',
    ],
)
def test_an_order_that_says_too_much_or_too_little_is_not_read(text: str) -> None:
    with pytest.raises(Unreadable):
        read_order(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"kind": "bid_up_to", "private": "CV", "most": 0, "then": "pass"}',
        '{"kind": "buy_shares", "round": 2, "company": "PRR", "source": "offering", "shares": 1}',
        '{"kind": "seal", "maxima": {"CV": 0}}',
    ],
)
def test_the_least_that_an_order_may_say_is_read(text: str) -> None:
    assert read_order(text)
