"""18TN: stock rounds, the 30 % certificate, the green section, the end of the game (rulebook 3.2-3.6, 6)."""

import pytest

from engine.core.events import EndTriggered
from engine.play.shares import holdings
from engine.play.shares.certificate_and_holding_limits import certificate_limit
from tests.titles.builders import (
    cash,
    company,
    do,
    kinds,
    on_turn,
    passes,
    price,
    refused,
    sell,
    values,
)
from tests.titles.t18tn.tennessee import first_position, position


def test_illinois_central_costs_three_times_par() -> None:
    """R-TN-048, R-TN-070, worked example 3 (3.2(c), 3.4)."""
    game = position().stock("a", 1).game()
    do(game, "par", "a", company="IC", price=65)
    assert cash(game)["a"] == 600 - 195
    for _ in range(3):
        passes(game, "b", "c")
        assert not company(game, "IC").floated
        do(game, "buy_share", "a", company="IC", source="offering")
    found = company(game, "IC")
    assert (found.floated, found.cash, found.percent("a")) == (True, 650, 60)
    assert cash(game)["a"] == 600 - 390
    dear = position().stock("a", 1).cash(a=269).game()
    refused(dear, "3.2(c)", "par", "a", company="IC", price=90)
    do(dear, "par", "a", company="IC", price=80)


@pytest.mark.parametrize(("blocks", "brings"), [([3], 195), ([1, 1, 1], 180)])
def test_sales_together_and_singly(blocks: list[int], brings: int) -> None:
    """R-TN-042, R-TN-043, R-TN-041, worked example 5 (3.2(a)): none in the first stock round."""
    game = position().start("SR", 65, b=40, a=30).cash(a=0).game()
    for shares in blocks:
        sell(game, "a", "SR", shares)
    assert (cash(game)["a"], price(game, "SR")) == (brings, 50)
    game = position().start("SR", 80, a=40).stock("a", 1).game()
    refused(game, "3.2(a)", "sell_shares", "a", company="SR", shares=1)


def test_30_percent_certificate_needs_a_successor() -> None:
    """R-TN-045, R-TN-046, R-TN-071, worked example 4 (3.2(a)(3), (4))."""
    game = position().start("IC", 65, a=40, b=30).cash(a=0).game()
    sell(game, "a", "IC", 2)
    found = company(game, "IC")
    assert found.president == "b"
    assert (found.percent("a"), found.percent("b"), found.percent("market")) == (20, 30, 20)
    assert (cash(game)["a"], price(game, "IC")) == (130, 55)
    only_one = position().start("IC", 65, a=40, b=20).game()
    assert values(only_one, "sell_shares", "a", "shares", company="IC") == [1]
    whole = position().start("IC", 65, a=30, b=30).game()
    assert values(whole, "sell_shares", "a", "shares", company="IC") == [1, 2, 3]
    nothing = position().start("IC", 65, a=30, b=20).game()
    refused(nothing, "3.5", "sell_shares", "a", company="IC", shares=1)


def test_purchase_comes_before_or_after_all_sales() -> None:
    """R-TN-040, R-TN-050 (3.2)."""
    game = position().start("SR", 80, a=60).start("TC", 70, b=60, a=20).cash(a=500).game()
    do(game, "buy_share", "a", company="TC", source="offering")
    assert on_turn(game) == "a"
    assert "buy_share" not in kinds(game)
    sell(game, "a", "TC", 1)
    sell(game, "a", "SR", 1)
    do(game, "pass", "a")
    assert on_turn(game) == "b"
    game = position().start("SR", 80, a=60).start("TC", 70, b=60, a=20).cash(a=500).game()
    sell(game, "a", "SR", 1)
    do(game, "buy_share", "a", company="TC", source="offering")
    assert on_turn(game) == "b"


def test_green_section_has_no_holding_limit() -> None:
    """R-TN-060, R-TN-062, worked example 8 (3.3)."""
    green = position().start("TC", 70, at=(5, 1), a=60).cash(a=500).game()
    do(green, "buy_share", "a", company="TC", source="offering")
    assert company(green, "TC").percent("a") == 70
    yellow = position().start("TC", 70, at=(5, 2), a=60).cash(a=500).game()
    refused(yellow, "3.3", "buy_share", "a", company="TC", source="offering")


def test_yellow_stock_does_not_count() -> None:
    """R-TN-062, R-TN-063, worked example 8 (3.3(b))."""
    built = position(5).start("SR", 90, a=60).start("GMO", 90, a=60).cash(a=500)
    game = built.start("TC", 70, at=(5, 2), b=40, a=10).start("IC", 75, b=40).game()
    refused(game, "3.3", "buy_share", "a", company="IC", source="offering")
    do(game, "buy_share", "a", company="TC", source="offering")


def test_excess_holding_is_sold_in_the_turn() -> None:
    """R-TN-040, R-TN-061 (3.2, 3.3(a), 4.2.5.2): before the purchase or after it."""
    game = position().start("TC", 70, at=(5, 2), a=70).cash(a=500).game()
    assert kinds(game) == ["sell_shares", "par"]
    sell(game, "a", "TC")
    assert "pass" in kinds(game)
    game = position().start("TC", 70, at=(5, 2), a=70).cash(a=500).game()
    do(game, "par", "a", company="SR", price=90)
    assert kinds(game) == ["sell_shares"]
    refused(game, "3.3", "pass", "a")
    sell(game, "a", "TC")
    passes(game, "a")
    assert on_turn(game) == "b"


def test_excess_of_green_stock_may_stay() -> None:
    """R-TN-064, R-TN-062 (3.3(b)): green stock may be sold, but does not help."""
    built = position(5).start("SR", 90, a=50, market=50).start("GMO", 90, a=50, market=50).cash(a=0)
    built.owns("a", "MCR", "OWR", "TCC").start("TC", 70, at=(5, 1), b=40, a=20)
    game = built.game()
    assert holdings.certificates(game.table, "a") > certificate_limit(game.table)
    assert values(game, "sell_shares", "a", "company") == ["TC"]
    passes(game, "a")
    assert on_turn(game) == "b"


def test_company_held_by_players_alone_rises() -> None:
    """R-TN-072, worked example 7 (3.6)."""
    built = position().start("TC", 70, a=60, b=40).start("SR", 90, at=(1, 15), a=60, b=40)
    game = built.stock("a").game()
    passes(game, "a", "b", "c")
    assert (price(game, "TC"), price(game, "SR")) == (80, 275)


def test_price_of_300_ends_the_game() -> None:
    """R-TN-211, worked example 6 (6(b))."""
    built = position().start("SR", 90, at=(1, 15), a=60).trains("SR", "2", "2").phase("5")
    built.trains("SR", "5").tile("F17", "5", 3).tile("F19", "9", 1).tile("F21", "8", 1)
    game = built.operating("SR", "run", of=3).game()
    do(game, "run_routes", "SR", routes=("5:F17.a-4 F19.1-4 F21.1-3 E22.0-a",))
    events = do(game, "dividend", "SR", option="pay")
    assert price(game, "SR") == 300
    (ending,) = [event for event in events if isinstance(event, EndTriggered)]
    assert (ending.during, ending.after) == ("operating", "nothing")
    do(game, "pass", "SR")
    assert game.over
    assert game.table.state.ending is not None
    assert game.table.state.ending.reason == "price"


def test_broken_bank_ends_after_the_round() -> None:
    """R-TN-210, D-TN-15 (6(a)): it is broken at $0 already, on that site only below."""
    for profile, over in (("rulebook", True), ("18xx.games", False)):
        built = position(profile=profile).start("SR", 90, a=60).trains("SR", "2")
        built.tile("F17", "5", 3).tile("F19", "9", 1).tile("F21", "8", 1)
        game = built.operating("SR", "run", of=3).game()
        do(game, "run_routes", "SR", routes=("2:F17.a-4 F19.1-4 F21.1-3 E22.0-a",))
        game.table.state.bank = 48
        do(game, "dividend", "SR", option="pay")
        assert game.table.state.bank == 0
        do(game, "pass", "SR")
        assert game.over is over


def test_scores_of_18tn() -> None:
    """R-TN-213 (6.1)"""
    game = position().start("SR", 90, a=60).owns("a", "MCR").cash(a=100, b=0, c=0).game()
    assert game.scores() == {"a": 100 + 540 + 70, "b": 0, "c": 0}
    assert first_position().scores() == {"a": 600, "b": 600, "c": 600}
