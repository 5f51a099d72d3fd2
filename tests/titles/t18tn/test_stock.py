"""18TN: stock rounds, the 30 % certificate, the green section, the end of the game (rulebook 3.2-3.6, 6)."""

from engine.play.shares import holdings
from engine.play.shares.certificate_and_holding_limits import certificate_limit
from tests.titles.t18tn.tennessee import first_position, position


def test_limits_of_yellow_and_green_stock() -> None:
    """R-TN-040, R-TN-061, R-TN-062, R-TN-063, R-TN-064, worked example 8 (3.2, 3.3, 4.2.5.2): an excess of a
    company's shares is sold before the purchase or after it; green stock may be sold, but does not help
    against the certificate limit."""
    built = position(5).start("SR", 90, a=60).start("GMO", 90, a=60).cash(a=500)
    game = built.start("TC", 70, at=(5, 2), b=40, a=10).start("IC", 75, b=40).game()
    game.refused("3.3", "buy_share", "a", company="IC", source="offering")
    game.do("buy_share", "a", company="TC", source="offering")
    game = position().start("TC", 70, at=(5, 2), a=70).cash(a=500).game()
    assert game.kinds() == ["sell_shares", "par"]
    game.sell("a", "TC")
    assert "pass" in game.kinds()
    game = position().start("TC", 70, at=(5, 2), a=70).cash(a=500).game()
    game.do("par", "a", company="SR", price=90)
    assert game.kinds() == ["sell_shares"]
    game.refused("3.3", "pass", "a")
    game.sell("a", "TC")
    game.passes("a")
    assert game.on_turn() == "b"
    built = position(5).start("SR", 90, a=50, market=50).start("GMO", 90, a=50, market=50).cash(a=0)
    built.owns("a", "MCR", "OWR", "TCC").start("TC", 70, at=(5, 1), b=40, a=20)
    game = built.game()
    assert holdings.certificate_count(game.table, "a") > certificate_limit(game.table)
    assert game.values("sell_shares", "a", "company") == ["TC"]
    game.passes("a")
    assert game.on_turn() == "b"


def test_scores_of_18tn() -> None:
    """R-TN-213 (6.1)"""
    game = position().start("SR", 90, a=60).owns("a", "MCR").cash(a=100, b=0, c=0).game()
    assert game.scores() == {"a": 100 + 540 + 70, "b": 0, "c": 0}
    assert first_position().scores() == {"a": 600, "b": 600, "c": 600}
