"""What an order is about, what it may say, its name, and when it says that it stops."""

import pytest
from pydantic import ValidationError

from engine.core.errors import Unreadable
from engine.orders import StandingOrder, have_same_subject, read_order, replaced_order_numbers, write_order
from engine.orders.order_kinds import (
    BidUpTo,
    BuyShares,
    DoneAfter,
    Order,
    PassMerger,
    PassStock,
    RunBest,
    SealBids,
    SkipStep,
    end_condition,
    order_description,
)
from tests.engine.orders.acting import standing, up_to
from tests.titles.builders import new_game, tell

PASS = PassStock(round=2, until="over")
QUIET = PassStock(round=2, until="concerned")
BUY = BuyShares(round=2, company="PRR", source="offering")
BUY_3 = BuyShares(round=2, company="PRR", source="market", shares=3)
RUN, WITHHOLD, HALF = (RunBest(company="PRR", dividend=dividend) for dividend in ("pay", "withhold", "half"))
TRACK = SkipStep(company="PRR", step="track")
TOKEN = SkipStep(company="PRR", step="token", phase="3")
TEXTS: list[tuple[Order, str, str]] = [
    (PASS, "Pass in stock round 2", "until the round ends, whatever happens"),
    (QUIET, "Pass in stock round 2", "until the round ends, somebody sells a share of one of your companies"),
    (BUY, "Buy a share of PRR each turn from the IPO, then pass", "until PRR floats"),
    (BUY_3, "Buy a share of PRR each turn from the market, then pass", "until you hold 3 shares"),
    (up_to("CV", 250), "Bid on CV up to $250, then pass", "until CV is sold, all players pass"),
    (
        up_to("CV", 250, "ask"),
        "Bid on CV up to $250, then ask me",
        "until CV is sold, or costs more than your maximum",
    ),
    (
        SealBids(maxima={"D&R": 20, "C-P": 0, "CV": 1}),
        "Sealed bids: D&R $20, CV $1",
        "until the round ends",
    ),
    (SealBids(maxima={"D&R": 0}), "Sealed bids: none", "until the round ends"),
    (RUN, "Run the best routes of PRR and pay out", "until a train of PRR rusts"),
    (WITHHOLD, "Run the best routes of PRR and withhold", "until a train of PRR rusts"),
    (HALF, "Run the best routes of PRR and pay half", "until a train of PRR rusts"),
    (TRACK, "Skip track of PRR", "until you withdraw it"),
    (TOKEN, "Skip tokens of PRR", "until phase 3 ends, or you are no longer president"),
    (PassMerger(set=3, number=0), "Pass in the merger round after SR 3", "until that merger round ends"),
    (PassMerger(set=3, number=1), "Pass in the merger round after OR 3.1", "until that merger round ends"),
    (
        DoneAfter(step="track", entity="PRR"),
        "PRR: after the next move, end the step (track)",
        "until that step ends",
    ),
]


@pytest.mark.parametrize(("order", "name", "until"), TEXTS)
def test_texts_of_orders(order: Order, name: str, until: str) -> None:
    say = tell(new_game()).say
    assert say(order_description(order)) == name
    assert say(end_condition(order)).startswith(until)
    assert read_order(write_order(order)) == order


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (RUN, PASS, False),
        (RUN, BUY, False),
        (RUN, TRACK, False),
        (RUN, WITHHOLD, True),
        (RUN, RunBest(company="B&O", dividend="pay"), False),
        (TRACK, TOKEN, False),
        (TRACK, SkipStep(company="PRR", step="track", phase="3"), True),
        (TRACK, SkipStep(company="LV", step="track"), False),
        (BUY, BuyShares(round=3, company="PRR", source="market"), True),
        (BUY, BuyShares(round=2, company="LV", source="offering"), False),
        (up_to("CV", 1, "ask"), up_to("CV", 2), True),
        (up_to("CV", 1), up_to("D&R", 1), False),
        (SealBids(maxima={"CV": 1}), SealBids(maxima={}), True),
        (DoneAfter(step="track", entity="PRR"), DoneAfter(step="trade", entity="a"), True),
    ],
)
def test_same_subject(one: Order, other: Order, same: bool) -> None:
    assert have_same_subject(one, other) == same


def test_later_order_replaces_its_like() -> None:
    """It cannot be changed."""
    assert replaced_order_numbers(standing(("a", RUN), ("b", RUN), ("a", PASS), ("a", RUN))) == [1]
    assert replaced_order_numbers([StandingOrder(1, "a", RUN, 0)]) == []
    with pytest.raises(ValidationError):
        BidUpTo(private="CV", most=250, then="pass").most = 300  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ('{"kind": "pass_stock", "round": 2, "until": "over", "most": 3}', False),
        ('{"kind": "pass_stock", "round": "2", "until": "over"}', False),
        *(
            (text % number, readable)
            for text, least in (
                ('{"kind": "bid_up_to", "private": "CV", "most": %d, "then": "pass"}', 0),
                (
                    '{"kind": "buy_shares", "round": 2, "company": "PRR", "source": "offering", "shares": %d}',
                    1,
                ),
                ('{"kind": "seal", "maxima": {"CV": %d}}', 0),
            )
            for number, readable in ((least, True), (least - 1, False))
        ),
    ],
)
def test_readable_orders(text: str, readable: bool) -> None:
    if readable:
        assert read_order(text)
        return
    with pytest.raises(Unreadable):
        read_order(text)
