"""Stock rounds of 18NewEngland (10)."""

import pytest

from engine.core.events import Event, MinorStarted, PresidentChanged, PriceMoved, ShareBought
from engine.core.ids import MARKET, OFFERING
from engine.core.state import Operating
from engine.play.operating_order import operating_order
from engine.play.shares.holdings import certificates
from engine.play.steps.base import Request
from engine.tell.narrate import sentences
from tests.titles.builders import (
    cash,
    company,
    do,
    domain,
    kinds,
    labels,
    offered,
    on_turn,
    passes,
    price,
    refused,
    round_name,
    sell,
    tell,
    values,
)
from tests.titles.t18newengland.newengland import NewEngland


def test_turn_is_sales_and_then_a_purchase() -> None:
    """R-NE-040"""
    game = NewEngland().cash(a=500, b=100).major("B&A", 100, a=40, b=20).major("CN", 100, b=40, a=20).game()
    sell(game, "a", "CN", 1)
    sell(game, "a", "B&A", 1)
    do(game, "start_minor", "a", company="PE", value=50, space="top")
    assert on_turn(game) == "b"
    assert cash(game)["a"] == 500 + 100 + 100 - 100


def test_priority_goes_left_of_last_actor() -> None:
    """R-NE-040"""
    game = NewEngland().cash(a=300, b=300, c=300).game()
    passes(game, "a")
    do(game, "start_minor", "b", company="PE", value=50, space="top")
    passes(game, "c", "a", "b")
    assert game.table.state.priority == 2
    assert isinstance(game.table.state.round, Operating)


def test_minor_of_a_stock_round_gets_no_train() -> None:
    """R-NE-041"""
    game = NewEngland().cash(a=300).game()
    events = do(game, "start_minor", "a", company="PE", value=90, space="bottom")
    minor = company(game, "PE")
    assert events[0] == MinorStarted("a", "PE", 90, "bottom", 180)
    assert (minor.cash, minor.trains, minor.cell, minor.president) == (180, [], (1, 9), "a")
    assert cash(game)["a"] == 120
    assert game.table.state.bank == 12000 - 180 - sum(cash(game).values())


def test_flipped_marker_keeps_its_space() -> None:
    """R-NE-005"""
    position = NewEngland().cash(a=300)
    position.state.flipped = [(0, 3), (1, 3), (1, 4)]
    game = position.game()
    assert 50 not in values(game, "start_minor", "a", "value", company="PE")
    assert values(game, "start_minor", "a", "space", company="PE", value=55) == ["top"]


def test_undrawn_minors_come_with_phase_3() -> None:
    """R-NE-004, R-NE-041"""
    position = NewEngland().phase("2").cash(a=300)
    position.state.companies["GR"].waiting = True
    why = refused(position.game(), "10.2", "start_minor", "a", company="GR", value=50, space="top")
    assert "not available before phase 3" in why


def test_minor_counts_as_a_certificate() -> None:
    """Thirteen certificates are the limit of five players (R-NE-041, R-NE-046)."""
    position = NewEngland(5).cash(a=300).major("B&A", 100, a=60).major("CN", 100, a=60)
    position.minor("PE", 50, "a").minor("WNR", 55, "a").minor("CV", 60, "a")
    game = position.game()
    assert certificates(game.table, "a") == 13
    assert "13" in refused(game, "10.6", "start_minor", "a", company="GR", value=65, space="top")
    sell(game, "a", "CN", 1)
    assert offered(game, "start_minor", "a")


def test_no_major_is_started_by_purchase() -> None:
    """R-NE-042"""
    game = NewEngland().cash(a=1000).game()
    assert not offered(game, "par", "a")
    assert "B&A" in refused(game, "10.3", "par", "a", company="B&A", price=100)
    assert "B&A" in refused(game, "", "start_minor", "a", company="B&A", value=50, space="top")
    why = game.obstacle(Request("par", "a"))
    assert why is not None
    assert "by buying its president's certificate (10.3)" in tell(game).refusal(why)
    assert "B&A has not formed" in refused(game, "10.3", "buy_share", "a", company="B&A", source=OFFERING)


def test_home_token_is_placed_before_operating() -> None:
    """R-NE-062"""
    game = NewEngland().cash(a=300, b=0, c=0).game()
    do(game, "start_minor", "a", company="PE", value=50, space="top")
    assert game.table.map.tokens_of("PE") == []
    while not isinstance(game.table.state.round, Operating):
        passes(game, on_turn(game))
    assert game.table.map.tokens_of("PE") == [("B11", 0)]
    assert company(game, "PE").trains == []


@pytest.mark.parametrize(
    ("source", "cost", "treasury", "bank"),
    [(OFFERING, 65, 130, 65 - 130), ("B&A", 65, 65, 0), (MARKET, 65, 0, 65)],
)
def test_share_costs_the_present_price(source: str, cost: int, treasury: int, bank: int) -> None:
    """Example 11: the offering brings the company par 130, a redeemed share the price (R-NE-043)."""
    position = NewEngland().cash(a=100).major("B&A", 130, price=65, b=20, market=10)
    shares = position.state.companies["B&A"].shares
    shares["B&A"] = 10
    shares[OFFERING] -= 10
    game = position.game()
    before = game.table.state.bank
    events = do(game, "buy_share", "a", company="B&A", source=source)
    assert events[0] == ShareBought("a", "B&A", 10, cost, source, treasury)
    assert cash(game)["a"] == 100 - cost
    assert company(game, "B&A").cash == treasury
    assert game.table.state.bank == before + bank
    assert price(game, "B&A") == 65


def test_buyer_picks_source_of_share() -> None:
    """R-NE-043"""
    position = NewEngland().cash(a=100).major("B&A", 130, price=65, b=20, market=10)
    position.state.companies["B&A"].shares.update({"B&A": 10, OFFERING: 60})
    game = position.game()
    assert values(game, "buy_share", "a", "source", company="B&A") == [OFFERING, MARKET, "B&A"]
    assert labels(game, domain(game, "buy_share", "a", "source", company="B&A")) == [
        "B&A from the IPO, $65",
        "B&A from the market, $65",
        "B&A from its treasury, $65",
    ]
    lines = sentences(do(game, "buy_share", "a", company="B&A", source="B&A"), game)
    assert lines[0] == "Ann buys a 10% share of B&A from its treasury for $65."


def test_purchases_move_no_price() -> None:
    """A company that players hold whole stays (R-NE-045)."""
    game = NewEngland().cash(a=300, b=0, c=0).major("B&A", 100, b=50, c=40).game()
    do(game, "buy_share", "a", company="B&A", source=OFFERING)
    events: list[Event] = []
    while round_name(game) == "SR 2":
        events += do(game, "pass", on_turn(game))
    assert not any(isinstance(event, PriceMoved) for event in events)


@pytest.mark.parametrize("source", [OFFERING, MARKET, "B&A"])
def test_share_sold_in_round_is_not_bought(source: str) -> None:
    """Wherever it lies (R-NE-044, D-NE-10)."""
    position = NewEngland().cash(a=300).major("B&A", 100, b=30, a=20)
    position.state.companies["B&A"].shares["B&A"] = 10
    position.state.companies["B&A"].shares[OFFERING] -= 10
    game = position.game()
    sell(game, "a", "B&A", 1)
    refused(game, "10.6", "buy_share", "a", company="B&A", source=source)


@pytest.mark.parametrize("source", [OFFERING, MARKET])
def test_holding_limit_of_18newengland(source: str) -> None:
    """R-NE-044, D-NE-10"""
    game = NewEngland().cash(a=300).major("B&A", 100, a=60, market=10).game()
    refused(game, "10.6", "buy_share", "a", company="B&A", source=source)


def test_certificate_limit_stops_share_purchases() -> None:
    """Of the offering no more than of the market (R-NE-044, R-NE-046, D-NE-10)."""
    position = NewEngland(5).cash(a=300).major("B&A", 100, a=60).major("CN", 100, a=60)
    position.minor("PE", 50, "a").minor("WNR", 55, "a").minor("CV", 60, "a").major("NYC", 100, b=20)
    game = position.game()
    assert "13" in refused(game, "10.6", "buy_share", "a", company="NYC", source=OFFERING)


def test_excess_certificates_open_the_turn() -> None:
    """Minors count one each, and cannot be sold (R-NE-046)."""
    position = NewEngland(5).cash(a=300).major("B&A", 100, a=60).major("CN", 100, a=60)
    position.minor("PE", 50, "a").minor("WNR", 55, "a").minor("CV", 60, "a").minor("GR", 65, "a")
    game = position.game()
    assert kinds(game) == ["sell_shares"]
    assert values(game, "sell_shares", "a", "company") == ["B&A", "CN"]
    sell(game, "a", "CN", 1)
    assert "pass" in kinds(game, "a")


def test_minors_are_never_sold_to_the_market() -> None:
    """R-NE-050"""
    game = NewEngland().cash(a=300).minor("PE", 50, "a").game()
    assert not offered(game, "sell_shares", "a")
    assert "never be sold" in refused(game, "10.4", "sell_shares", "a", company="PE", shares=1)


def test_market_takes_half_of_a_company() -> None:
    """R-NE-050"""
    game = NewEngland().major("B&A", 100, b=40, a=30, market=30).game()
    assert values(game, "sell_shares", "a", "shares", company="B&A") == [1, 2]
    assert "50%" in refused(game, "10.4", "sell_shares", "a", company="B&A", shares=3)


@pytest.mark.parametrize(
    ("start", "blocks", "brings", "after"),
    [(100, [3], 300, 70), (100, [1, 1, 1], 100 + 90 + 80, 70), (40, [4], 160, 35)],
    ids=["block", "singly", "end of row"],
)
def test_sales_of_president_move_the_price(start: int, blocks: list[int], brings: int, after: int) -> None:
    """One left a share, to 35 and no further, after the sale was paid (R-NE-050, R-NE-051)."""
    game = NewEngland().cash(a=0).major("B&A", 100, price=start, a=60).game()
    for shares in blocks:
        sell(game, "a", "B&A", shares)
    assert (cash(game)["a"], price(game, "B&A")) == (brings, after)


def test_sales_of_others_leave_the_price() -> None:
    """Example 16; and menus say so (R-NE-051)."""
    game = NewEngland().cash(a=0).major("B&A", 100, b=40, a=30).game()
    shares = labels(game, domain(game, "sell_shares", "a", "shares", company="B&A"))
    assert shares[1] == "2 for $200, price $100 → $100"
    sell(game, "a", "B&A", 2)
    assert price(game, "B&A") == 100


def test_falling_marker_goes_below_others() -> None:
    """R-NE-051"""
    game = NewEngland().cash(a=0).major("B&A", 100, a=40).major("CN", 100, price=90, b=40).game()
    sell(game, "a", "B&A", 1)
    assert game.table.state.in_cell((2, 9)) == ["CN", "B&A"]
    assert [c.id for c in operating_order(game.table)] == ["CN", "B&A"]


def test_president_sells_to_a_successor() -> None:
    """Example 16: 30 % against 20 %, three in the market: two may be sold (R-NE-050, R-NE-051, R-NE-055)."""
    game = NewEngland().cash(a=0, b=0).major("B&A", 100, a=30, b=20, market=30).game()
    assert values(game, "sell_shares", "a", "shares", company="B&A") == [1, 2]
    assert PresidentChanged("B&A", "a", "b") in sell(game, "a", "B&A", 2)
    sold = company(game, "B&A")
    assert (sold.percent("b"), sold.percent("a"), sold.percent(MARKET)) == (20, 10, 50)
    assert (sold.certificate_holder, price(game, "B&A"), cash(game)["a"]) == ("b", 80, 200)


@pytest.mark.parametrize(("held", "president"), [(10, "a"), (20, "b")])
def test_purchase_beyond_a_tie_makes_president(held: int, president: str) -> None:
    """R-NE-055"""
    game = NewEngland().cash(b=500).major("B&A", 100, a=20, b=held).stock("b").game()
    do(game, "buy_share", "b", company="B&A", source=OFFERING)
    assert company(game, "B&A").president == president


@pytest.mark.parametrize(("percents", "new"), [({"b": 20, "c": 30}, "c"), ({"c": 20, "b": 20}, "b")])
def test_largest_holder_succeeds(percents: dict[str, int], new: str) -> None:
    """R-NE-055"""
    game = NewEngland().cash(a=0).major("B&A", 100, a=30, **percents).game()
    sell(game, "a", "B&A", 2)
    assert company(game, "B&A").president == new


def test_standstill_ends_the_game() -> None:
    game = NewEngland().cash(a=10, b=20, c=30).game()
    assert game.over
    assert list(game.scores().items()) == [("c", 30), ("b", 20), ("a", 10)]
