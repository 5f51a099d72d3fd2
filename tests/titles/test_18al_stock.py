"""18AL: stock rounds (rulebook 3.2 to 3.6)."""

from alabama import Alabama, owner
from builders import cash, company, do, kinds, offered, on_turn, passes, refused, values


def test_a_company_floats_at_sixty_percent_with_ten_times_par() -> None:
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


def test_the_purchase_is_before_all_sales_or_after_all_of_them() -> None:
    """R-AL-041, R-AL-054 (3.2)"""
    position = Alabama().cash(a=600).start("TAG", 60, a=40, b=20, c=10).start("ABC", 60, b=40, a=20)
    game = position.game()
    do(game, "sell_shares", "a", company="ABC", shares=1)
    do(game, "buy_share", "a", company="TAG", source="offering")
    assert on_turn(game) == "b"
    game = Alabama().cash(a=600).start("TAG", 60, a=40, b=20, c=10).start("ABC", 60, b=40, a=20).game()
    do(game, "buy_share", "a", company="TAG", source="offering")
    assert on_turn(game) == "a"
    refused(game, "3.2", "buy_share", "a", company="TAG", source="offering")
    do(game, "sell_shares", "a", company="ABC", shares=1)
    do(game, "sell_shares", "a", company="ABC", shares=1)
    do(game, "sell_shares", "a", company="TAG", shares=1)
    passes(game, "a")
    assert on_turn(game) == "b"


def test_no_purchase_of_what_was_sold_in_the_round() -> None:
    """R-AL-053 (3.2)"""
    game = Alabama().cash(a=600).start("TAG", 60, b=40, a=20).game()
    do(game, "sell_shares", "a", company="TAG", shares=1)
    refused(game, "3.2(c)", "buy_share", "a", company="TAG", source="market")


def test_sale_together_and_one_by_one() -> None:
    """R-AL-043, R-AL-061 (3.2(a)), example 6."""
    game = Alabama().cash(a=0).start("TAG", 60, b=50, a=30).game()
    do(game, "sell_shares", "a", company="TAG", shares=3)
    assert cash(game)["a"] == 180
    assert game.table.price(company(game, "TAG")) == 45
    game = Alabama().cash(a=0).start("TAG", 60, b=50, a=30).game()
    for _ in range(3):
        do(game, "sell_shares", "a", company="TAG", shares=1)
    assert cash(game)["a"] == 165


def test_short_rows_have_no_cell_below() -> None:
    """R-AL-044 (3.2(a)), example 7."""
    game = Alabama().cash(a=0).start("TAG", 60, at=(4, 9), b=50, a=30).game()
    do(game, "sell_shares", "a", company="TAG", shares=3)
    assert cash(game)["a"] == 270
    assert game.table.price(company(game, "TAG")) == 90


def test_at_most_half_of_a_company_lies_in_the_market() -> None:
    """R-AL-045 (3.2(a)(2)), example 8."""
    game = Alabama().start("TAG", 60, b=40, a=20, market=40).game()
    assert values(game, "sell_shares", "a", "shares", company="TAG") == [1]
    refused(game, "3.2(a)", "sell_shares", "a", company="TAG", shares=2)


def test_a_president_sells_his_certificate_only_to_a_successor() -> None:
    """R-AL-046, R-AL-047, R-AL-082 (3.2(a)(3), (4), 3.5), example 9."""
    game = Alabama().start("TAG", 60, a=30, b=20).game()
    do(game, "sell_shares", "a", company="TAG", shares=2)
    found = company(game, "TAG")
    assert (found.president, found.percent("a"), found.percent("market")) == ("b", 10, 20)
    game = Alabama().start("TAG", 60, a=30, b=10).game()
    assert values(game, "sell_shares", "a", "shares", company="TAG") == [1]
    game = Alabama().start("TAG", 60, a=20, b=20).game()
    do(game, "sell_shares", "a", company="TAG", shares=1)
    assert (company(game, "TAG").president, company(game, "TAG").percent("a")) == ("b", 10)


def test_ties_for_the_presidency_go_clockwise() -> None:
    """R-AL-081 (3.5(a)), example 10."""
    game = Alabama().start("TAG", 60, a=30, b=20, c=20).game()
    do(game, "sell_shares", "a", company="TAG", shares=2)
    assert company(game, "TAG").president == "b"


def test_sold_out_companies_rise() -> None:
    """R-AL-091 (3.6), example 11."""
    position = Alabama().start("TAG", 75, a=60, b=40).start("ABC", 90, b=60, a=40)
    game = position.cash(a=0, b=0, c=0).game()
    passes(game, "a", "b")
    prices = {name: game.table.price(company(game, name)) for name in ("TAG", "ABC")}
    assert prices == {"TAG": 80, "ABC": 90}


def test_privates_change_hands_on_the_buyers_turn_as_his_purchase() -> None:
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
    assert on_turn(game) == "b"


def test_privates_change_hands_on_the_sellers_turn_beside_his_purchase() -> None:
    """R-AL-049 (3.2(b)), D-AL-5."""
    game = Alabama().cash(a=600, b=90).owns("a", "BLC").start("TAG", 60, c=40, b=20).game()
    refused(game, "", "sell_private", "a", private="BLC", buyer="b", price=91)
    do(game, "sell_private", "a", private="BLC", buyer="b", price=90)
    do(game, "answer", "b", reply="agree")
    assert (owner(game, "BLC"), cash(game)["b"]) == ("b", 0)
    do(game, "buy_share", "a", company="TAG", source="offering")
    assert company(game, "TAG").percent("a") == 10


def test_the_certificate_limit_also_stops_buyers_of_privates() -> None:
    """R-AL-062 (3.3(b)), D-AL-6."""

    def position(profile: str) -> Alabama:
        found = Alabama(5, profile).cash(a=400).owns("b", "BLC")
        found.start("TAG", 90, a=60, b=40).start("ABC", 90, a=60, b=40)
        return found.start("WRA", 90, c=60, b=40)

    assert not offered(position("rulebook").game(), "buy_private", "a")
    assert offered(position("18xx.games").game(), "buy_private", "a")


def test_nobody_holds_more_than_sixty_percent() -> None:
    """R-AL-060 (3.3(a))"""
    game = Alabama().cash(a=600).start("TAG", 60, a=60, b=20).game()
    refused(game, "3.3", "buy_share", "a", company="TAG", source="offering")
    assert "par" in kinds(game, "a")
