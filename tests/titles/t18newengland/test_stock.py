"""Stock rounds of 18NewEngland (10)."""

import pytest

from engine.core.events import Event, MinorStarted, PresidentChanged, PriceMoved, ShareBought
from engine.core.ids import BANK, MARKET, OFFERING
from engine.core.state import Operating
from engine.game import Game
from engine.play.operating_order import operating_order
from engine.play.shares.holdings import certificates
from engine.play.steps.base import Request
from engine.tell.narrate import sentences
from engine.tell.view_builders.sheet_views import holding_views
from tests.titles.builders import (
    cash,
    company,
    do,
    domain,
    find,
    kinds,
    labels,
    offered,
    on_turn,
    passes,
    refused,
    round_name,
    tell,
    values,
)
from tests.titles.t18newengland.newengland import NewEngland


def stock(game: Game) -> list[str]:
    """What the player on turn may do."""
    return sorted(kinds(game))


# --- a turn --------------------------------------------------------------------------------------------------------


def test_a_turn_is_sales_and_then_one_purchase() -> None:
    """R-NE-040"""
    game = NewEngland().cash(a=500, b=100).major("B&A", 100, a=40, b=20).major("CN", 100, b=40, a=20).game()
    do(game, "sell_shares", "a", company="CN", shares=1)
    do(game, "sell_shares", "a", company="B&A", shares=1)
    do(game, "start_minor", "a", company="PE", value=50, space="top")
    assert on_turn(game) == "b"
    assert cash(game)["a"] == 500 + 100 + 100 - 100


def test_the_priority_deal_goes_left_of_who_acted_last() -> None:
    """R-NE-040"""
    game = NewEngland().cash(a=300, b=300, c=300).game()
    passes(game, "a")
    do(game, "start_minor", "b", company="PE", value=50, space="top")
    passes(game, "c", "a", "b")
    assert game.table.state.priority == 2
    assert isinstance(game.table.state.round, Operating)


# --- starting minors -----------------------------------------------------------------------------------------------


def test_a_minor_of_a_stock_round_gets_twice_its_value_and_no_train() -> None:
    """R-NE-041"""
    game = NewEngland().cash(a=300).game()
    events = do(game, "start_minor", "a", company="PE", value=90, space="bottom")
    minor = company(game, "PE")
    assert events[0] == MinorStarted("a", "PE", 90, "bottom", 180)
    assert (minor.cash, minor.trains, minor.cell, minor.president) == (180, [], (1, 9), "a")
    assert cash(game)["a"] == 120
    assert game.table.state.bank == 12000 - 180 - sum(cash(game).values())


def test_green_spaces_are_open_from_phase_3() -> None:
    """R-NE-005, R-NE-041"""
    yellow = [50, 55, 60, 65, 70]
    early = NewEngland().phase("2").cash(a=300).game()
    assert values(early, "start_minor", "a", "value", company="PE") == yellow
    late = NewEngland().cash(a=300).game()
    assert values(late, "start_minor", "a", "value", company="PE") == [*yellow, 80, 90, 100]


def test_a_flipped_marker_keeps_its_space() -> None:
    """R-NE-005"""
    position = NewEngland().cash(a=300)
    position.state.flipped = [(0, 3), (1, 3), (1, 4)]
    game = position.game()
    assert 50 not in values(game, "start_minor", "a", "value", company="PE")
    assert values(game, "start_minor", "a", "space", company="PE", value=55) == ["top"]


def test_minors_that_were_not_drawn_come_with_phase_3() -> None:
    """R-NE-004, R-NE-041"""
    position = NewEngland().phase("2").cash(a=300)
    position.state.companies["GR"].waiting = True
    why = refused(position.game(), "10.2", "start_minor", "a", company="GR", value=50, space="top")
    assert "was not drawn" in why


def test_closed_companies_are_refused_by_their_kind() -> None:
    """Minors by the section that starts them, majors by that which closes them, and neither is formed again."""
    position = NewEngland().cash(a=500).minor("HRR", 50, "a", "2")
    for name in ("PE", "NYC"):
        position.state.companies[name].closed = True
    game = position.stock("a").game()
    assert "PE has closed" in refused(game, "10.2", "start_minor", "a", company="PE", value=50, space="top")
    assert "PE has closed" in refused(game, "10.2", "buy_share", "a", company="PE", source=OFFERING)
    assert "NYC has closed" in refused(game, "11.8", "buy_share", "a", company="NYC", source=OFFERING)
    merging = position.merging().game()
    assert "NYC has closed" in refused(merging, "12", "convert", "HRR", major="NYC")


def test_who_can_pay_no_space_is_refused_with_the_cheapest_one() -> None:
    """R-NE-041"""
    game = NewEngland().cash(a=99).major("CN", 100, b=20, a=10).game()
    why = refused(game, "10.2", "start_minor", "a", company="PE", value=50, space="top")
    assert "Ann has $99; a minor of $50 costs $100" in why


def test_a_minor_needs_room_under_the_certificate_limit() -> None:
    """Thirteen certificates are the limit of five players (R-NE-041, R-NE-046)."""
    position = NewEngland(5).cash(a=300).major("B&A", 100, a=60).major("CN", 100, a=60)
    position.minor("PE", 50, "a").minor("WNR", 55, "a").minor("CV", 60, "a")
    game = position.game()
    assert certificates(game.table, "a") == 13
    assert "13" in refused(game, "10.6", "start_minor", "a", company="GR", value=65, space="top")
    do(game, "sell_shares", "a", company="CN", shares=1)
    assert offered(game, "start_minor", "a")


def test_nobody_starts_a_major() -> None:
    """R-NE-042"""
    game = NewEngland().cash(a=1000).game()
    assert not offered(game, "par", "a")
    assert "B&A" in refused(game, "10.3", "par", "a", company="B&A", price=100)
    assert "B&A" in refused(game, "", "start_minor", "a", company="B&A", value=50, space="top")
    why = game.obstacle(Request("par", "a"))
    assert why is not None
    assert "by buying its president's certificate (10.3)" in tell(game).refusal(why)
    assert "B&A has not been formed" in refused(
        game, "10.3", "buy_share", "a", company="B&A", source=OFFERING
    )


def test_the_home_station_is_placed_before_the_next_operating_round() -> None:
    """R-NE-062"""
    game = NewEngland().cash(a=300, b=0, c=0).game()
    do(game, "start_minor", "a", company="PE", value=50, space="top")
    assert game.table.map.tokens_of("PE") == []
    while not isinstance(game.table.state.round, Operating):
        passes(game, on_turn(game))
    assert game.table.map.tokens_of("PE") == [("B11", 0)]
    assert company(game, "PE").trains == []


# --- three prices of a share -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "price", "treasury", "bank"),
    [(OFFERING, 65, 130, 65 - 130), ("B&A", 65, 65, 0), (MARKET, 65, 0, 65)],
)
def test_a_share_costs_the_present_price_wherever_it_lies(
    source: str, price: int, treasury: int, bank: int
) -> None:
    """Example 11: the offering brings the company par 130, a redeemed share the price (R-NE-043)."""
    position = NewEngland().cash(a=100).major("B&A", 130, price=65, b=20, market=10)
    shares = position.state.companies["B&A"].shares
    shares["B&A"] = 10
    shares[OFFERING] -= 10
    game = position.game()
    before = game.table.state.bank
    events = do(game, "buy_share", "a", company="B&A", source=source)
    assert events[0] == ShareBought("a", "B&A", 10, price, source, treasury)
    assert cash(game)["a"] == 100 - price
    assert company(game, "B&A").cash == treasury
    assert game.table.state.bank == before + bank
    assert game.table.price(company(game, "B&A")) == 65


def test_a_share_of_the_offering_may_cost_more_than_it_brings() -> None:
    """Example 11: par 100, price 180 (R-NE-043)."""
    game = NewEngland().cash(a=200).major("B&A", 100, price=180, b=20).game()
    do(game, "buy_share", "a", company="B&A", source=OFFERING)
    assert (cash(game)["a"], company(game, "B&A").cash) == (20, 100)


def test_the_buyer_picks_where_a_share_comes_from() -> None:
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


def test_purchases_move_no_price_and_nothing_rises_at_the_end() -> None:
    """A company that players hold whole stays (R-NE-045)."""
    game = NewEngland().cash(a=300, b=0, c=0).major("B&A", 100, b=50, c=40).game()
    do(game, "buy_share", "a", company="B&A", source=OFFERING)
    events: list[Event] = []
    while round_name(game) == "SR 2":
        events += do(game, "pass", on_turn(game))
    assert not any(isinstance(event, PriceMoved) for event in events)


# --- what may not be bought -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [OFFERING, MARKET, "B&A"])
def test_no_share_of_a_company_sold_in_the_round_is_bought(source: str) -> None:
    """Wherever it lies (R-NE-044, D-NE-10)."""
    position = NewEngland().cash(a=300).major("B&A", 100, b=30, a=20)
    position.state.companies["B&A"].shares["B&A"] = 10
    position.state.companies["B&A"].shares[OFFERING] -= 10
    game = position.game()
    do(game, "sell_shares", "a", company="B&A", shares=1)
    refused(game, "10.6", "buy_share", "a", company="B&A", source=source)


@pytest.mark.parametrize("source", [OFFERING, MARKET])
def test_nobody_holds_more_than_60_percent(source: str) -> None:
    """R-NE-044, D-NE-10"""
    game = NewEngland().cash(a=300).major("B&A", 100, a=60, market=10).game()
    refused(game, "10.6", "buy_share", "a", company="B&A", source=source)


def test_at_the_certificate_limit_nothing_is_bought() -> None:
    """Of the offering no more than of the market (R-NE-044, R-NE-046, D-NE-10)."""
    position = NewEngland(5).cash(a=300).major("B&A", 100, a=60).major("CN", 100, a=60)
    position.minor("PE", 50, "a").minor("WNR", 55, "a").minor("CV", 60, "a").major("NYC", 100, b=20)
    game = position.game()
    assert "13" in refused(game, "10.6", "buy_share", "a", company="NYC", source=OFFERING)


def test_above_the_certificate_limit_a_turn_begins_with_selling() -> None:
    """Minors count one each, and cannot be sold (R-NE-046)."""
    position = NewEngland(5).cash(a=300).major("B&A", 100, a=60).major("CN", 100, a=60)
    position.minor("PE", 50, "a").minor("WNR", 55, "a").minor("CV", 60, "a").minor("GR", 65, "a")
    game = position.game()
    assert stock(game) == ["sell_shares"]
    assert values(game, "sell_shares", "a", "company") == ["B&A", "CN"]
    do(game, "sell_shares", "a", company="CN", shares=1)
    assert "pass" in kinds(game, "a")


# --- selling ----------------------------------------------------------------------------------------------------------


def test_minors_are_never_sold() -> None:
    """R-NE-050"""
    game = NewEngland().cash(a=300).minor("PE", 50, "a").game()
    assert not offered(game, "sell_shares", "a")
    assert "never sold" in refused(game, "10.4", "sell_shares", "a", company="PE", shares=1)


def test_the_market_takes_half_of_a_company() -> None:
    """R-NE-050"""
    game = NewEngland().major("B&A", 100, b=40, a=30, market=30).game()
    assert values(game, "sell_shares", "a", "shares", company="B&A") == [1, 2]
    assert "50%" in refused(game, "10.4", "sell_shares", "a", company="B&A", shares=3)


def test_a_block_brings_the_price_before_the_sale_for_each_share() -> None:
    """The president's marker goes one left a share (R-NE-050, R-NE-051)."""
    game = NewEngland().cash(a=0).major("B&A", 100, a=50).game()
    do(game, "sell_shares", "a", company="B&A", shares=3)
    assert cash(game)["a"] == 300
    assert game.table.price(company(game, "B&A")) == 70


def test_single_sales_of_the_president_are_paid_at_the_falling_price() -> None:
    """R-NE-050, R-NE-051"""
    game = NewEngland().cash(a=0).major("B&A", 100, a=50).game()
    for _ in range(3):
        do(game, "sell_shares", "a", company="B&A", shares=1)
    assert cash(game)["a"] == 100 + 90 + 80


def test_sales_of_others_leave_the_price() -> None:
    """And menus say so (R-NE-051)."""
    game = NewEngland().cash(a=0).major("B&A", 100, b=40, a=30).game()
    assert (
        labels(game, domain(game, "sell_shares", "a", "shares", company="B&A"))[1]
        == "2 for $200, price $100 → $100"
    )
    do(game, "sell_shares", "a", company="B&A", shares=2)
    assert game.table.price(company(game, "B&A")) == 100


def test_a_price_falls_to_35_and_no_further() -> None:
    """R-NE-051"""
    game = NewEngland().cash(a=0).major("B&A", 100, price=40, a=60).game()
    do(game, "sell_shares", "a", company="B&A", shares=4)
    assert game.table.price(company(game, "B&A")) == 35


def test_a_marker_goes_below_those_it_meets() -> None:
    """R-NE-051"""
    game = NewEngland().cash(a=0).major("B&A", 100, a=40).major("CN", 100, price=90, b=40).game()
    do(game, "sell_shares", "a", company="B&A", shares=1)
    assert game.table.state.in_cell((2, 9)) == ["CN", "B&A"]
    assert [c.id for c in operating_order(game.table)] == ["CN", "B&A"]


# --- presidency -------------------------------------------------------------------------------------------------------


def test_a_president_sells_into_the_hands_of_another() -> None:
    """Example 16: 30 % against 20 %, three in the market: two may be sold, not three (R-NE-050, R-NE-051, R-NE-055)."""
    game = NewEngland().cash(a=0, b=0).major("B&A", 100, a=30, b=20, market=30).game()
    assert values(game, "sell_shares", "a", "shares", company="B&A") == [1, 2]
    events = do(game, "sell_shares", "a", company="B&A", shares=2)
    sold = company(game, "B&A")
    assert PresidentChanged("B&A", "a", "b") in events
    assert (sold.certificate_holder, sold.percent("b"), sold.percent("a"), sold.percent(MARKET)) == (
        "b",
        20,
        10,
        50,
    )
    assert (game.table.price(sold), cash(game)["a"]) == (80, 200)


def test_who_is_not_president_moves_nothing_by_the_same_sale() -> None:
    """Example 16 (R-NE-051)."""
    game = NewEngland().cash(a=0, b=0).major("B&A", 100, a=30, b=20, market=30).stock("b").game()
    do(game, "sell_shares", "b", company="B&A", shares=2)
    assert game.table.price(company(game, "B&A")) == 100


def test_a_tie_makes_no_president() -> None:
    """More than the president does, and by a purchase as well (R-NE-055)."""
    game = NewEngland().cash(b=500).major("B&A", 100, a=20, b=10).stock("b").game()
    do(game, "buy_share", "b", company="B&A", source=OFFERING)
    assert company(game, "B&A").president == "a"
    game = NewEngland().cash(b=500).major("B&A", 100, a=20, b=20).stock("b").game()
    do(game, "buy_share", "b", company="B&A", source=OFFERING)
    assert company(game, "B&A").president == "b"
    assert company(game, "B&A").shares["a"] == 20


@pytest.mark.parametrize(("percents", "new"), [({"b": 20, "c": 30}, "c"), ({"c": 20, "b": 20}, "b")])
def test_the_largest_holding_takes_the_presidency_then_the_nearest_on_the_left(
    percents: dict[str, int], new: str
) -> None:
    """R-NE-055"""
    game = NewEngland().cash(a=0).major("B&A", 100, a=30, **percents).game()
    do(game, "sell_shares", "a", company="B&A", shares=2)
    assert company(game, "B&A").president == new


# --- what is shown ----------------------------------------------------------------------------------------------------


def test_a_minor_is_shown_with_twice_its_value() -> None:
    """R-NE-133"""
    game = NewEngland().minor("PE", 70, "a").major("B&A", 100, a=40).game()
    assert [(one.percent, one.value) for one in holding_views(game.table, "a")] == [(40, 400), (100, 140)]


def test_the_bank_has_what_nobody_has() -> None:
    """Whatever a purchase moves."""
    game = NewEngland().cash(a=500).major("B&A", 130, price=65, b=20).game()
    do(game, "buy_share", "a", company="B&A", source=OFFERING)
    state = game.table.state
    held = sum(p.cash for p in state.players) + sum(c.cash for c in state.companies.values())
    assert game.table.cash(BANK) + held == 12000
    assert find(game, "pass", "b")


def test_where_nobody_can_do_anything_any_more_the_game_is_over() -> None:
    """Without a company empty rounds would follow each other for ever."""
    game = NewEngland().cash(a=10, b=20, c=30).game()
    assert game.over
    assert list(game.scores().items()) == [("c", 30), ("b", 20), ("a", 10)]
