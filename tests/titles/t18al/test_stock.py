"""18AL: stock rounds (rulebook 3.2 to 3.6)."""

from engine.play.shares import holdings
from engine.play.steps.base import Request
from tests.titles.builders import TitleGame
from tests.titles.t18al.alabama import Alabama


def test_no_purchase_of_what_was_sold() -> None:
    """R-AL-053 (3.2)"""
    game = Alabama().cash(a=600).start("TAG", 60, b=40, a=20).game()
    game.sell("a", "TAG", 1)
    game.refused("3.2(c)", "buy_share", "a", company="TAG", source="market")


def test_18xx_games_has_no_private_sales() -> None:
    """D-AL-5 under 18xx.games: there only buyers trade privates, and nobody is asked again for one."""
    position = Alabama(profile="18xx.games").cash(a=600).owns("a", "BLC").start("TAG", 60, c=40, b=20)
    game = position.stock("a", 1).game()
    game.do("buy_share", "a", company="TAG", source="offering")
    assert game.on_turn() == "b"


def above_the_limit(**yellow: int) -> Alabama:
    """Five players; one holds eleven certificates that count, and the TAG is in the yellow section."""
    position = Alabama(5).cash(a=400).start("ABC", 90, a=60, b=20).start("M&O", 90, a=60, b=20)
    return position.start("WRA", 90, c=50, a=10, b=10).start("TAG", 60, at=(5, 1), b=40, **yellow)


def test_excess_is_sold_after_a_yellow_purchase() -> None:
    """R-AL-041, R-AL-062, R-AL-063 (3.2, 3.3(b)): it must comply on that turn, not first; the turn is not
    over before. A player who has sold, sells down before they buy."""
    game = above_the_limit().game()
    assert holdings.certificate_count(game.table, "a") == 11
    assert game.kinds("a") == ["sell_shares", "buy_share"]
    assert game.values("buy_share", "a", "company") == ["TAG"]
    game.do("buy_share", "a", company="TAG", source="offering")
    assert game.kinds("a") == ["sell_shares"]
    game.sell("a", "WRA")
    game.passes("a")
    assert game.on_turn() == "b"
    game = above_the_limit(a=10).game()
    game.sell("a", "TAG", 1)
    assert game.kinds("a") == ["sell_shares"]
    assert "must sell first" in game.refused("3.3", "par", "a", company="L&N", price=60)
    game.sell("a", "WRA", 1)
    assert "pass" in game.kinds("a")


def test_purchases_have_number_and_price() -> None:
    """R-AL-041, R-AL-051, R-AL-052 (3.2, 3.2(c)): a share, a private or a certificate; `/buy` and `/par` with
    or without values. The offering sells at par, the market at the present price."""

    def rich() -> TitleGame:
        position = Alabama().cash(a=600).owns("a", "TR").owns("b", "BLC")
        return position.start("TAG", 60, c=40, b=20).game()

    with_private, with_par = rich(), rich()
    with_private.do("buy_private", "a", private="BLC", price=7)
    with_private.do("answer", "b", reply="agree")
    with_par.do("par", "a", company="ABC", price=60)
    for game in (with_private, with_par):
        for wanted in ("buy_share", "par", "buy_private"):
            for given in ({}, {"company": "TAG"}):
                problem = game.obstacle(Request(wanted, "a", None, given))
                assert problem is not None
                assert "Ann has already bought this turn (3.2)." in game.tell().refusal(problem)
    game = Alabama().cash(a=70).start("TAG", 60, at=(1, 5), b=40, market=10).start("ABC", 60, b=60).game()
    dear = game.refused("3.2(c)", "buy_share", "a", company="TAG", source="market")
    assert "A share of TAG from the market costs $" in dear
    none = game.refused("3.2(c)", "buy_share", "a", company="ABC", source="market")
    assert "No share of ABC is for sale from the market" in none
