"""18TN: stock rounds, the 30 % certificate, the green section, the end of the game (rulebook 3.2-3.6, 6)."""

from engine.core.events import EndTriggered
from engine.game import Game
from engine.play.shares import holdings
from engine.play.shares.certificate_and_holding_limits import certificate_limit
from tests.titles.builders import cash, company, do, kinds, on_turn, passes, refused, values
from tests.titles.t18tn.tennessee import first_position, position


def price(game: Game, name: str) -> int:
    """Present share price."""
    return game.table.price(company(game, name))


# --- founding and floating -------------------------------------------------------------------------------------------


def test_founding_the_illinois_central_costs_three_times_par() -> None:
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


# --- sales -----------------------------------------------------------------------------------------------------------


def test_nobody_sells_stock_in_the_first_stock_round() -> None:
    """R-TN-041 (3.2(a)(1))."""
    game = position().start("SR", 80, a=40).stock("a", 1).game()
    refused(game, "3.2(a)", "sell_shares", "a", company="SR", shares=1)


def test_sales_together_and_one_by_one() -> None:
    """R-TN-042, R-TN-043, worked example 5 (3.2(a))."""
    game = position().start("SR", 65, b=40, a=30).cash(a=0).game()
    do(game, "sell_shares", "a", company="SR", shares=3)
    assert (cash(game)["a"], price(game, "SR")) == (195, 50)
    game = position().start("SR", 65, b=40, a=30).cash(a=0).game()
    for _ in range(3):
        do(game, "sell_shares", "a", company="SR", shares=1)
    assert (cash(game)["a"], price(game, "SR")) == (180, 50)


def test_part_of_the_30_percent_certificate_is_sold_when_somebody_has_30_percent() -> None:
    """R-TN-045, R-TN-046, R-TN-071, worked example 4 (3.2(a)(3), (4))."""
    game = position().start("IC", 65, a=40, b=30).cash(a=0).game()
    do(game, "sell_shares", "a", company="IC", shares=2)
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


def test_the_purchase_may_come_before_all_sales_or_after_all_sales() -> None:
    """R-TN-040, R-TN-050 (3.2)."""
    game = position().start("SR", 80, a=60).start("TC", 70, b=60, a=20).cash(a=500).game()
    do(game, "buy_share", "a", company="TC", source="offering")
    assert on_turn(game) == "a"
    assert "buy_share" not in kinds(game)
    do(game, "sell_shares", "a", company="TC", shares=1)
    do(game, "sell_shares", "a", company="SR", shares=1)
    do(game, "pass", "a")
    assert on_turn(game) == "b"
    game = position().start("SR", 80, a=60).start("TC", 70, b=60, a=20).cash(a=500).game()
    do(game, "sell_shares", "a", company="SR", shares=1)
    do(game, "buy_share", "a", company="TC", source="offering")
    assert on_turn(game) == "b"


# --- limits ----------------------------------------------------------------------------------------------------------


def test_in_the_green_section_one_player_may_hold_everything() -> None:
    """R-TN-060, R-TN-062, worked example 8 (3.3)."""
    green = position().start("TC", 70, at=(5, 1), a=60).cash(a=500).game()
    do(green, "buy_share", "a", company="TC", source="offering")
    assert company(green, "TC").percent("a") == 70
    yellow = position().start("TC", 70, at=(5, 2), a=60).cash(a=500).game()
    refused(yellow, "3.3", "buy_share", "a", company="TC", source="offering")


def test_yellow_and_green_stock_does_not_count_for_the_certificate_limit() -> None:
    """R-TN-062, R-TN-063, worked example 8 (3.3(b))."""
    built = position(5).start("SR", 90, a=60).start("GMO", 90, a=60).cash(a=500)
    game = built.start("TC", 70, at=(5, 2), b=40, a=10).start("IC", 75, b=40).game()
    do(game, "buy_share", "a", company="TC", source="offering")
    built = position(5).start("SR", 90, a=60).start("GMO", 90, a=60).cash(a=500)
    game = built.start("TC", 70, at=(5, 2), b=40, a=10).start("IC", 75, b=40).game()
    refused(game, "3.3", "buy_share", "a", company="IC", source="offering")


def test_above_60_percent_outside_the_green_section_a_player_sells_on_their_turn() -> None:
    """R-TN-061 (3.3(a), 4.2.5.2)."""
    game = position().start("TC", 70, at=(5, 2), a=70).cash(a=500).game()
    assert kinds(game) == ["sell_shares", "par"]
    assert "Ann holds 70% of TC, and has to sell first: the limit is 60%" in refused(game, "3.3", "pass", "a")
    do(game, "sell_shares", "a", company="TC", shares=1)
    assert "pass" in kinds(game)


def test_what_is_above_60_percent_may_be_sold_after_the_purchase_of_the_turn() -> None:
    """R-TN-040, R-TN-061 (3.2, 3.3(a)): but in the same turn."""
    game = position().start("TC", 70, at=(5, 2), a=70).cash(a=500).game()
    do(game, "par", "a", company="SR", price=90)
    assert kinds(game) == ["sell_shares"]
    refused(game, "3.3", "pass", "a")
    do(game, "sell_shares", "a", company="TC", shares=1)
    passes(game, "a")
    assert on_turn(game) == "b"


def test_above_the_limit_only_certificates_that_count_must_be_sold() -> None:
    """R-TN-064, R-TN-062 (3.3(b)): green stock may be sold, but does not help."""
    built = position(5).start("SR", 90, a=50, market=50).start("GMO", 90, a=50, market=50).cash(a=0)
    built.owns("a", "MCR", "OWR", "TCC").start("TC", 70, at=(5, 1), b=40, a=20)
    game = built.game()
    assert holdings.certificates(game.table, "a") > certificate_limit(game.table)
    assert values(game, "sell_shares", "a", "company") == ["TC"]
    passes(game, "a")
    assert on_turn(game) == "b"


# --- the end of the round and of the game --------------------------------------------------------------------------


def test_companies_held_by_players_alone_rise() -> None:
    """R-TN-072, worked example 7 (3.6)."""
    built = position().start("TC", 70, a=60, b=40).start("SR", 90, at=(1, 15), a=60, b=40)
    game = built.stock("a").game()
    passes(game, "a", "b", "c")
    assert (price(game, "TC"), price(game, "SR")) == (80, 275)


def test_the_game_ends_with_the_operating_round_in_which_a_price_reaches_300() -> None:
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


def test_a_broken_bank_lets_the_operating_round_be_finished() -> None:
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


def test_scores_are_cash_stock_and_open_privates() -> None:
    """R-TN-213 (6.1)"""
    game = position().start("SR", 90, a=60).owns("a", "MCR").cash(a=100, b=0, c=0).game()
    assert game.scores() == {"a": 100 + 540 + 70, "b": 0, "c": 0}
    assert first_position().scores() == {"a": 600, "b": 600, "c": 600}
