"""18AL: stock rounds (rulebook 3.2 to 3.6)."""

from typing import Any

import pytest

from engine.game import Game
from engine.play.shares import holdings
from engine.play.steps.base import Request
from tests.titles.builders import (
    cash,
    company,
    do,
    kinds,
    offered,
    on_turn,
    owner,
    passes,
    price,
    refused,
    sell,
    tell,
    values,
)
from tests.titles.t18al.alabama import Alabama


def test_company_floats_with_ten_times_par() -> None:
    """R-AL-050, R-AL-070, R-AL-071 (3.2(c)(1), 3.4), example 5."""
    game = Alabama().cash(a=600).game()
    refused(game, "3.2(c)", "par", "a", company="TAG", price=80)
    do(game, "par", "a", company="TAG", price=75)
    assert cash(game)["a"] == 450
    for player in "bcab":
        passes(game, *(["a"] if on_turn(game) == "a" and player != "a" else []))
        do(game, "buy_share", player, company="TAG", source="offering")
        if on_turn(game) == player:
            passes(game, player)
    assert company(game, "TAG").floated
    assert company(game, "TAG").cash == 750


def test_purchase_precedes_or_follows_all_sales() -> None:
    """R-AL-041, R-AL-054 (3.2)"""
    position = Alabama().cash(a=600).start("TAG", 60, a=40, b=20, c=10).start("ABC", 60, b=40, a=20)
    game = position.game()
    sell(game, "a", "ABC", 1)
    do(game, "buy_share", "a", company="TAG", source="offering")
    assert on_turn(game) == "b"
    game = Alabama().cash(a=600).start("TAG", 60, a=40, b=20, c=10).start("ABC", 60, b=40, a=20).game()
    do(game, "buy_share", "a", company="TAG", source="offering")
    assert on_turn(game) == "a"
    refused(game, "3.2", "buy_share", "a", company="TAG", source="offering")
    sell(game, "a", "ABC", 1)
    sell(game, "a", "ABC", 1)
    sell(game, "a", "TAG", 1)
    passes(game, "a")
    assert on_turn(game) == "b"


def test_no_purchase_of_what_was_sold() -> None:
    """R-AL-053 (3.2)"""
    game = Alabama().cash(a=600).start("TAG", 60, b=40, a=20).game()
    sell(game, "a", "TAG", 1)
    refused(game, "3.2(c)", "buy_share", "a", company="TAG", source="market")


@pytest.mark.parametrize(
    ("cell", "blocks", "brings", "after"),
    [(None, [3], 180, 45), (None, [1, 1, 1], 165, 45), ((4, 9), [3], 270, 90)],
    ids=["together", "singly", "short row"],
)
def test_sales_move_the_price_down(
    cell: tuple[int, int] | None, blocks: list[int], brings: int, after: int
) -> None:
    """R-AL-043, R-AL-044, R-AL-061 (3.2(a)), examples 6 and 7."""
    game = Alabama().cash(a=0).start("TAG", 60, at=cell, b=50, a=30).game()
    for shares in blocks:
        sell(game, "a", "TAG", shares)
    assert (cash(game)["a"], price(game, "TAG")) == (brings, after)


def test_market_holds_at_most_half() -> None:
    """R-AL-045 (3.2(a)(2)), example 8."""
    game = Alabama().start("TAG", 60, b=40, a=20, market=40).game()
    assert values(game, "sell_shares", "a", "shares", company="TAG") == [1]
    refused(game, "3.2(a)", "sell_shares", "a", company="TAG", shares=2)


@pytest.mark.parametrize(
    ("held", "shares", "president"),
    [({"a": 30, "b": 20}, 2, "b"), ({"a": 20, "b": 20}, 1, "b"), ({"a": 30, "b": 20, "c": 20}, 2, "b")],
)
def test_presidents_certificate_needs_a_successor(held: dict[str, Any], shares: int, president: str) -> None:
    """R-AL-046, R-AL-047, R-AL-081, R-AL-082 (3.2(a)(3), (4), 3.5), examples 9 and 10: ties go clockwise."""
    game = Alabama().start("TAG", 60, **held).game()
    sell(game, "a", "TAG", shares)
    assert (company(game, "TAG").president, company(game, "TAG").percent("a")) == (president, 10)
    game = Alabama().start("TAG", 60, a=30, b=10).game()
    assert values(game, "sell_shares", "a", "shares", company="TAG") == [1]


def test_sold_out_company_rises_a_row() -> None:
    """R-AL-091 (3.6), example 11."""
    position = Alabama().start("TAG", 75, a=60, b=40).start("ABC", 90, b=60, a=40)
    game = position.cash(a=0, b=0, c=0).game()
    passes(game, "a", "b")
    prices = {name: game.table.price(company(game, name)) for name in ("TAG", "ABC")}
    assert prices == {"TAG": 80, "ABC": 90}


def test_private_is_bought_of_a_player() -> None:
    """R-AL-049 (3.2(c)(4)): the owner has to agree."""
    game = Alabama().cash(a=600).owns("b", "BLC").start("TAG", 60, c=40, b=20).game()
    do(game, "buy_private", "a", private="BLC", price=7)
    assert on_turn(game) == "b"
    do(game, "answer", "b", reply="refuse")
    assert owner(game, "BLC") == "b"
    do(game, "buy_private", "a", private="BLC", price=200)
    do(game, "answer", "b", reply="agree")
    assert (owner(game, "BLC"), cash(game)["a"]) == ("a", 400)
    assert not offered(game, "buy_share", "a")
    sentence = refused(game, "3.2", "buy_private", "a", private="BLC", price=1)
    assert "Ann has already bought this turn" in sentence


def test_private_may_be_sold_after_the_purchase() -> None:
    """R-AL-041, R-AL-049 (3.2): one just bought, too; not after sales that came before the purchase."""
    game = Alabama().cash(a=600).owns("b", "BLC").start("TAG", 60, c=40, b=20).game()
    do(game, "buy_private", "a", private="BLC", price=200)
    do(game, "answer", "b", reply="agree")
    assert kinds(game, "a") == ["sell_private", "pass"]
    do(game, "sell_private", "a", private="BLC", buyer="c", price=9)
    do(game, "answer", "c", reply="agree")
    assert (owner(game, "BLC"), on_turn(game)) == ("c", "b")
    sold = Alabama().cash(a=600).owns("a", "BLC", "TR").start("TAG", 60, c=40, b=20).game()
    do(sold, "sell_private", "a", private="BLC", buyer="b", price=9)
    do(sold, "answer", "b", reply="agree")
    do(sold, "buy_share", "a", company="TAG", source="offering")
    assert on_turn(sold) == "b"


def test_18xx_games_has_no_private_sales() -> None:
    """D-AL-5 under 18xx.games: there only buyers trade privates, and nobody is asked again for one."""
    position = Alabama(profile="18xx.games").cash(a=600).owns("a", "BLC").start("TAG", 60, c=40, b=20)
    game = position.stock("a", 1).game()
    do(game, "buy_share", "a", company="TAG", source="offering")
    assert on_turn(game) == "b"


def test_private_sale_is_no_purchase() -> None:
    """R-AL-049 (3.2(b)), D-AL-5."""
    game = Alabama().cash(a=600, b=90).owns("a", "BLC").start("TAG", 60, c=40, b=20).game()
    refused(game, "", "sell_private", "a", private="BLC", buyer="b", price=91)
    do(game, "sell_private", "a", private="BLC", buyer="b", price=90)
    do(game, "answer", "b", reply="agree")
    assert (owner(game, "BLC"), cash(game)["b"]) == ("b", 0)
    do(game, "buy_share", "a", company="TAG", source="offering")
    assert company(game, "TAG").percent("a") == 10


def test_certificate_limit_stops_private_buyers() -> None:
    """R-AL-062 (3.3(b)), D-AL-6."""

    def position(profile: str) -> Alabama:
        found = Alabama(5, profile).cash(a=400).owns("b", "BLC")
        found.start("TAG", 90, a=60, b=40).start("ABC", 90, a=60, b=40)
        return found.start("WRA", 90, c=60, b=40)

    game = position("rulebook").game()
    assert not offered(game, "buy_private", "a")
    sentence = refused(game, "3.3", "buy_private", "a", private="BLC", price=70)
    assert "Ann is at the certificate limit of 10" in sentence
    assert offered(position("18xx.games").game(), "buy_private", "a")


def test_holding_limit_is_60_percent() -> None:
    """R-AL-060 (3.3(a))"""
    game = Alabama().cash(a=600).start("TAG", 60, a=60, b=20).game()
    refused(game, "3.3", "buy_share", "a", company="TAG", source="offering")
    assert "par" in kinds(game, "a")


def above_the_limit(**yellow: int) -> Alabama:
    """Five players; one holds eleven certificates that count, and the TAG is in the yellow section."""
    position = Alabama(5).cash(a=400).start("ABC", 90, a=60, b=20).start("M&O", 90, a=60, b=20)
    return position.start("WRA", 90, c=50, a=10, b=10).start("TAG", 60, at=(5, 1), b=40, **yellow)


def test_excess_is_sold_after_a_yellow_purchase() -> None:
    """R-AL-063, R-AL-062 (3.3(b)): it must comply on that turn, not first; the turn is not over before."""
    game = above_the_limit().game()
    assert holdings.certificates(game.table, "a") == 11
    assert kinds(game, "a") == ["sell_shares", "buy_share"]
    assert values(game, "buy_share", "a", "company") == ["TAG"]
    do(game, "buy_share", "a", company="TAG", source="offering")
    assert kinds(game, "a") == ["sell_shares"]
    sell(game, "a", "WRA")
    passes(game, "a")
    assert on_turn(game) == "b"


def test_seller_above_the_limit_sells_down_first() -> None:
    """R-AL-063, R-AL-041 (3.2, 3.3(b)): a player who has sold, sells down before they buy."""
    game = above_the_limit(a=10).game()
    sell(game, "a", "TAG", 1)
    assert kinds(game, "a") == ["sell_shares"]
    assert "must sell first" in refused(game, "3.3", "par", "a", company="L&N", price=60)
    sell(game, "a", "WRA", 1)
    assert "pass" in kinds(game, "a")


def test_incomplete_purchase_names_the_limit() -> None:
    """R-AL-060 (3.3(a)): `/buy TAG` at 60 %, and `/buy` with a single company started."""
    game = Alabama(5).cash(a=600).start("TAG", 60, a=60, b=20).game()
    for given in ({}, {"company": "TAG"}, {"company": ""}):
        problem = game.obstacle(Request("buy_share", "a", None, given))
        assert problem is not None
        assert "may not hold more than 60% of TAG (3.3)." in tell(game).refusal(problem)


def test_second_purchase_is_refused() -> None:
    """R-AL-041 (3.2): a share, a private or a certificate; `/buy` and `/par` with or without values."""

    def rich() -> Game:
        position = Alabama().cash(a=600).owns("a", "TR").owns("b", "BLC")
        return position.start("TAG", 60, c=40, b=20).game()

    with_private, with_par = rich(), rich()
    do(with_private, "buy_private", "a", private="BLC", price=7)
    do(with_private, "answer", "b", reply="agree")
    do(with_par, "par", "a", company="ABC", price=60)
    for game in (with_private, with_par):
        for wanted in ("buy_share", "par", "buy_private"):
            for given in ({}, {"company": "TAG"}):
                problem = game.obstacle(Request(wanted, "a", None, given))
                assert problem is not None
                assert "Ann has already bought this turn (3.2)." in tell(game).refusal(problem)


def test_share_sources_have_their_prices() -> None:
    """R-AL-051, R-AL-052 (3.2(c)): the offering sells at par, the market at the present price."""
    game = Alabama().cash(a=70).start("TAG", 60, at=(1, 5), b=40, market=10).start("ABC", 60, b=60).game()
    dear = refused(game, "3.2(c)", "buy_share", "a", company="TAG", source="market")
    assert "A share of TAG from the market costs $" in dear
    none = refused(game, "3.2(c)", "buy_share", "a", company="ABC", source="market")
    assert "No share of ABC is for sale from the market" in none
