"""18TN: stock rounds, the 30 % certificate, the green section, the end of the game (rulebook 3.2-3.6, 6)."""

from engine.core.events import EndTriggered
from engine.play.shares import holdings
from engine.play.shares.certificate_and_holding_limits import certificate_limit
from tests.titles.builders import (
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
