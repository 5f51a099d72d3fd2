"""18C2C: dividends, trains, forced purchases and bankruptcy (sections 9 and 10 of its rules)."""

from typing import Any

import pytest

from engine.core.events import Paid, WentBankrupt
from engine.core.ids import MARKET, OFFERING, REISSUED
from engine.game import Game
from tests.titles.builders import (
    Position,
    cash,
    company,
    do,
    find,
    kinds,
    labels,
    offered,
    refused,
    round_name,
    values,
)
from tests.titles.t18c2c.rails import rails

TITLE = "18c2c"


def earning(
    amount: int, *trains: str, at: tuple[int, int] = (1, 7), market: int = 0, **shares: int
) -> Position:
    """The Wabash decides about so much revenue."""
    position = (
        Position(title=TITLE).phase("3D").start("WAB", 100, at=at, market=market, **(shares or {"a": 60}))
    )
    position.trains("WAB", *(trains or ("5",))).treasury("WAB", 0)
    return position.operating("WAB", "dividend", revenue=amount)


def decided(position: Position, option: str) -> tuple[Game, Paid]:
    """The game after this decision, and what it said."""
    game = position.game()
    (paid,) = (event for event in do(game, "dividend", "WAB", option=option) if isinstance(event, Paid))
    return game, paid


# --- dividends ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("option", "price"), [("pay", 110), ("half", 100), ("withhold", 90)])
def test_the_price_goes_right_stays_or_goes_left(option: str, price: int) -> None:
    """R-C2C-200, example 5."""
    game, paid = decided(earning(100), option)
    assert (paid.new, game.table.price(company(game, "WAB"))) == (price, price)


def test_no_revenue_counts_as_withheld() -> None:
    """R-C2C-200: one to the left, without a decision."""
    game = earning(0).game()
    assert game.table.price(company(game, "WAB")) == 90


def test_half_pay_rounds_up_for_each_share() -> None:
    """R-C2C-201, example 12: of 130 a share earns 7; the treasury has the rest and 7 for each share of the offering."""
    game, _ = decided(earning(130, market=20, a=60), "half")
    assert (cash(game)["a"], company(game, "WAB").cash) == (800 + 42, 60 + 14)


def test_shares_of_the_pool_pay_nobody() -> None:
    """R-C2C-202, example 12: of 130 paid in full the president has 78, the treasury 26 for the offering."""
    game, _ = decided(earning(130, market=20, a=60), "pay")
    assert (cash(game)["a"], company(game, "WAB").cash) == (800 + 78, 26)


def test_redeemed_and_reissued_shares_pay_the_treasury() -> None:
    """R-C2C-202: as those of the offering do."""
    position = earning(100, a=60)
    shares = position.state.companies["WAB"].shares
    shares[OFFERING] -= 20
    shares |= {"WAB": 10, REISSUED: 10}
    position.state.companies["WAB"].reissue_prices = [100]
    game, _ = decided(position, "pay")
    assert company(game, "WAB").cash == 40


def test_under_its_house_rule_the_pool_pays_the_corporation() -> None:
    """R-C2C-202: one account of the base game has it so."""
    position = earning(100, market=20, a=60)
    house = position.t.spec.house
    rule = house["pool_shares_pay"]
    rules = position.t.rules
    rules.spec = position.t.spec = position.t.spec.model_copy(
        update={"house": {**house, "pool_shares_pay": rule.model_copy(update={"value": "corporation"})}}
    )
    game, _ = decided(position, "pay")
    assert company(game, "WAB").cash == 40


def test_a_single_corporation_moves_one_column_whatever_it_pays() -> None:
    """R-C2C-203: three times its price is one column, too."""
    _, paid = decided(earning(3000), "pay")
    assert paid.new == 110


def test_a_merger_corporation_moves_a_column_for_each_shell_with_a_train() -> None:
    """R-C2C-204, example 13: 180 to 225 with trains on both shells, to 200 with one; half stays, withheld one left."""
    for trains, second, option, price in (
        (("5", "5"), ["5"], "pay", 225),
        (("5", "5"), [], "pay", 200),
        (("5", "5"), ["5"], "half", 180),
        (("5", "5"), ["5"], "withhold", 160),
    ):
        position = earning(100, *trains, at=(1, 12))
        merged = position.state.companies["WAB"]
        merged.parts, merged.second = ["WAB", "ERIE"], second
        assert decided(position, option)[1].new == price


def test_a_move_of_two_columns_may_pass_the_end_of_the_market_on_its_way() -> None:
    """R-C2C-204, R-C2C-052: from 475 to 500, then on to 250 where a share counts double."""
    position = earning(100, "5", "5", at=(1, 24))
    merged = position.state.companies["WAB"]
    merged.parts, merged.second = ["WAB", "ERIE"], ["5"]
    game, paid = decided(position, "pay")
    assert (paid.old, paid.new) == (475, 500)
    assert company(game, "WAB").cell == (0, 14)
    assert company(game, "WAB").split


def test_a_corporation_of_twenty_shares_rounds_half_pay_by_share_and_full_pay_by_holder() -> None:
    """R-C2C-201, R-C2C-241: of 130 a share of 5 % earns 4 by halves; in full ten shares earn 65, and one of them 7."""
    for option, amounts in (("half", (800 + 40, 800 + 4)), ("pay", (800 + 65, 800 + 7))):
        position = earning(130, a=60)
        national = position.state.companies["WAB"]
        national.share, national.certificate = 5, 10
        national.shares = {"a": 40, "b": 5, MARKET: 45}
        game, _ = decided(position, option)
        assert (cash(game)["a"], cash(game)["b"]) == amounts


def test_a_price_that_leaves_the_market_closes_the_corporation_and_its_turn_ends() -> None:
    """R-C2C-200, R-C2C-053, example 5: withheld at 10; its trains go to the pool."""
    game, paid = decided(earning(100, at=(8, 1)), "withhold")
    assert (paid.old, paid.new) == (10, 0)
    assert company(game, "WAB").closed
    assert "5" in game.table.state.pool
    assert kinds(game)[0] != "buy_train"


# --- trains ------------------------------------------------------------------------------------------------------


def buying(treasury: int, *trains: str, phase: str = "4D", route: bool = True, **facts: Any) -> Position:
    """The Southern buys trains; it has a route to Savannah."""
    position = Position(title=TITLE).phase(phase).start("SOU", 82, a=60).trains("SOU", *trains)
    position.treasury("SOU", treasury).operating("SOU", "trains", **facts)
    return rails(position, "S62-S64-T65-U66") if route else position


def test_trains_come_from_bank_pool_and_other_corporations() -> None:
    """R-C2C-210: face value from bank and pool, any price from another corporation, whose president agrees."""
    position = buying(1000, "5").pool("5").start("WAB", 82, b=60).trains("WAB", "4D")
    game = position.game()
    assert values(game, "buy_train", "SOU", "source", train="5") == ["pool"]
    assert values(game, "buy_train", "SOU", "source", train="4D") == ["bank", "WAB"]
    prices = values(game, "buy_train", "SOU", "price", train="4D", source="WAB", trade_in="")
    assert (prices[0], prices[-1]) == (1, 1000)
    do(game, "buy_train", "SOU", train="4D", source="WAB", trade_in="", price=1)
    assert game.actors() == ("b",)


def test_at_its_limit_a_corporation_buys_no_train() -> None:
    """R-C2C-210: and there is no other limit in a turn."""
    game = buying(3000, "5").game()
    do(game, "buy_train", "SOU", train="4D", source="bank", trade_in="", price=800)
    assert not offered(game, "buy_train")
    game = buying(3000).game()
    for _ in range(2):
        do(game, "buy_train", "SOU", train="4D", source="bank", trade_in="", price=800)
    assert not offered(game, "buy_train")


def test_trains_above_a_falling_limit_go_to_the_pool_unpaid() -> None:
    """R-C2C-211: the first 5 lowers the limit to two; every corporation discards in operating order."""
    position = buying(450, "4", phase="4").depot(t4=0).start("WAB", 90, b=60).trains("WAB", "3", "4", "4")
    game = position.game()
    do(game, "buy_train", "SOU", train="5", source="bank", trade_in="", price=450)
    assert game.actors() == ("b",)
    do(game, "discard_train", "WAB", train="4")
    assert game.table.state.pool == ["4"]
    assert company(game, "WAB").cash == 900


def test_trains_rust_everywhere_and_d_trains_never_do() -> None:
    """R-C2C-211: the first 6D takes the 5s of corporations and pool."""
    position = buying(1100, "5", phase="5D").depot(t5D=0).pool("5", "3D")
    position.start("WAB", 90, b=60).trains("WAB", "5", "3D")
    game = position.game()
    do(game, "buy_train", "SOU", train="6D", source="bank", trade_in="", price=1100)
    assert (company(game, "SOU").trains, company(game, "WAB").trains) == (["6D"], ["3D"])
    assert game.table.state.pool == ["3D"]


# --- forced purchases --------------------------------------------------------------------------------------------


def test_a_corporation_with_a_route_must_own_a_train() -> None:
    """R-C2C-212: without a route it may stop."""
    assert not offered(buying(800).game(), "pass")
    assert offered(buying(800, route=False).game(), "pass")


def test_a_national_need_not_own_a_train() -> None:
    """R-C2C-247: although it has a route."""
    position = rails(Position(title=TITLE).phase("4D").start("AMTK", 100, a=60), "S62-S64-T65-U66")
    position.state.companies["AMTK"].operated = True
    position.t.map.place_token("U66", 0, "AMTK")
    assert offered(position.operating("AMTK", "trains").game(), "pass")


def test_the_president_pays_what_the_treasury_lacks_for_the_cheapest_train() -> None:
    """R-C2C-213, example 15: of 800 the treasury has 90, the president pays 710."""
    game = buying(90).cash(a=1000).game()
    assert values(game, "buy_train", "SOU", "train") == ["4D"]
    do(game, "buy_train", "SOU", train="4D", source="bank", trade_in="", price=800)
    assert (cash(game)["a"], company(game, "SOU").cash) == (290, 0)


def test_their_money_buys_no_train_of_another_corporation_but_the_treasury_may() -> None:
    """R-C2C-213: and the cheapest of bank or pool."""
    position = buying(90).cash(a=1000).pool("5").start("WAB", 90, b=60).trains("WAB", "3D")
    game = position.game()
    assert values(game, "buy_train", "SOU", "train") == ["5", "3D"]
    prices = values(game, "buy_train", "SOU", "price", train="3D", source="WAB", trade_in="")
    assert (prices[0], prices[-1]) == (1, 90)


def test_the_president_sells_as_few_shares_as_the_train_needs() -> None:
    """R-C2C-214, example 15: 110 are missing, so one share of 82, or two at once, but not three; 54 are left."""
    position = buying(90).cash(a=600).start("WAB", 82, b=40, a=30)
    game = position.game()
    assert values(game, "sell_shares", "a", "shares", company="WAB") == [1, 2]
    do(game, "sell_shares", "a", company="WAB", shares=2)
    do(game, "buy_train", "SOU", train="4D", source="bank", trade_in="", price=800)
    assert cash(game)["a"] == 54


def test_the_operating_corporation_keeps_its_president() -> None:
    """R-C2C-214: the player may sell its shares as long as nobody has more."""
    position = Position(title=TITLE).phase("4D").start("SOU", 82, a=40, b=30).treasury("SOU", 90)
    position.cash(a=600).operating("SOU", "trains")
    game = rails(position, "S62-S64-T65-U66").game()
    assert values(game, "sell_shares", "a", "shares", company="SOU") == [1]
    assert "presidency" in refused(game, "10", "sell_shares", "a", company="SOU", shares=2)


def test_another_corporations_train_stays_possible_after_a_sale() -> None:
    """R-C2C-213: from the treasury."""
    position = buying(90).cash(a=400).start("WAB", 82, b=60, a=30).trains("WAB", "4D")
    game = position.game()
    do(game, "sell_shares", "a", company="WAB", shares=1)
    assert values(game, "buy_train", "SOU", "source", train="4D") == ["WAB"]


def test_who_cannot_pay_is_bankrupt_once_nothing_is_left_to_sell() -> None:
    """R-C2C-215, example 15: the sales stand, the cash goes to the bank, and the game is over."""
    position = buying(90).cash(a=100).start("WAB", 82, b=60, a=10)
    game = position.game()
    assert kinds(game) == ["sell_shares"]
    assert "must sell every certificate" in refused(game, "10", "declare_bankruptcy", "SOU")
    while offered(game, "sell_shares"):
        name = values(game, "sell_shares", "a", "company")[0]
        counts = values(game, "sell_shares", "a", "shares", company=name)
        do(game, "sell_shares", "a", company=name, shares=counts[-1])
    assert WentBankrupt("a", "SOU") in do(game, "declare_bankruptcy", "SOU")
    assert game.over
    assert cash(game)["a"] == 0
    assert company(game, "SOU").percent("a")


def test_without_a_train_in_bank_and_pool_nobody_has_to_own_one() -> None:
    """R-C2C-213: the turn may end."""
    position = buying(90)
    position.state.depot = dict.fromkeys(position.state.depot, 0)
    assert round_name(position.game()) == "SR 3"


def test_between_bank_and_pool_the_president_chooses() -> None:
    """R-C2C-213: two trains of the same price."""
    game = buying(90).cash(a=1000).pool("4D").game()
    assert values(game, "buy_train", "SOU", "source", train="4D") == ["bank", "pool"]
    assert "4D" in labels(game, find(game, "buy_train").slots[0].domain({}))[0]
