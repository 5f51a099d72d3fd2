"""18C2C: dividends, trains, forced purchases and bankruptcy (sections 9 and 10 of its rules)."""

from typing import Any

from engine.core.events import DividendDecided, WentBankrupt
from engine.core.ids import MARKET, OFFERING, REISSUED
from tests.titles.builders import Position, TitleGame
from tests.titles.t18c2c.rails import rails

TITLE = "18c2c"


def earning(
    amount: int, *trains: str, at: tuple[int, int] = (1, 7), market: int = 0, **shares: int
) -> Position:
    position = (
        Position(title=TITLE).phase("3D").start("WAB", 100, at=at, market=market, **(shares or {"a": 60}))
    )
    position.trains("WAB", *(trains or ("5",))).treasury("WAB", 0)
    return position.operating("WAB", "dividend", revenue=amount)


def decided(position: Position, option: str) -> tuple[TitleGame, DividendDecided]:
    game = position.game()
    (paid,) = (
        event for event in game.do("dividend", "WAB", option=option) if isinstance(event, DividendDecided)
    )
    return game, paid


def test_half_dividend_rounds_up_by_share() -> None:
    """R-C2C-200, R-C2C-201, example 12: of 130 a share earns 7; the treasury has the rest and 7 for each
    share of the offering. Nothing earned is one to the left, without a decision."""
    game = earning(0).game()
    assert game.price("WAB") == 90
    game, _ = decided(earning(130, market=20, a=60), "half")
    assert (game.cash()["a"], game.company("WAB").cash) == (800 + 42, 60 + 14)


def test_redeemed_shares_pay_the_treasury() -> None:
    """R-C2C-202: as those of the offering do; the pool's by a house rule, as one account of the base game has
    it."""
    position = earning(100, a=60)
    shares = position.state.companies["WAB"].shares
    shares[OFFERING] -= 20
    shares |= {"WAB": 10, REISSUED: 10}
    position.state.companies["WAB"].reissue_prices = [100]
    game, _ = decided(position, "pay")
    assert game.company("WAB").cash == 40
    position = earning(100, market=20, a=60)
    house = position.t.spec.house
    rule = house["pool_shares_pay"]
    rules = position.t.rules
    rules.spec = position.t.spec = position.t.spec.model_copy(
        update={"house": {**house, "pool_shares_pay": rule.model_copy(update={"value": "corporation"})}}
    )
    game, _ = decided(position, "pay")
    assert game.company("WAB").cash == 40


def test_merged_corporation_moves_by_shells() -> None:
    """R-C2C-052, R-C2C-204, example 13: 180 to 225 with trains on both shells, to 200 with one; half stays,
    withheld one left; from 475 to 500, then on to 250 where a share counts double."""
    for trains, second, option, after in (
        (("5", "5"), ["5"], "pay", 225),
        (("5", "5"), [], "pay", 200),
        (("5", "5"), ["5"], "half", 180),
        (("5", "5"), ["5"], "withhold", 160),
    ):
        position = earning(100, *trains, at=(1, 12))
        merged = position.state.companies["WAB"]
        merged.parts, merged.second = ["WAB", "ERIE"], second
        assert decided(position, option)[1].new_price == after
    position = earning(100, "5", "5", at=(1, 24))
    merged = position.state.companies["WAB"]
    merged.parts, merged.second = ["WAB", "ERIE"], ["5"]
    game, paid = decided(position, "pay")
    assert (paid.old_price, paid.new_price) == (475, 500)
    assert game.company("WAB").cell == (0, 14)
    assert game.company("WAB").split


def test_twenty_shares_round_by_holder() -> None:
    """R-C2C-201, R-C2C-241: of 130 a share of 5 % earns 4 by halves; in full ten shares earn 65, and one of them 7."""
    for option, amounts in (("half", (800 + 40, 800 + 4)), ("pay", (800 + 65, 800 + 7))):
        position = earning(130, a=60)
        national = position.state.companies["WAB"]
        national.share, national.certificate = 5, 10
        national.shares = {"a": 40, "b": 5, MARKET: 45}
        game, _ = decided(position, option)
        assert (game.cash()["a"], game.cash()["b"]) == amounts


def buying(treasury: int, *trains: str, phase: str = "4D", route: bool = True, **facts: Any) -> Position:
    position = Position(title=TITLE).phase(phase).start("SOU", 82, a=60).trains("SOU", *trains)
    position.treasury("SOU", treasury).operating("SOU", "trains", **facts)
    return rails(position, "S62-S64-T65-U66") if route else position


def test_trains_come_and_rust() -> None:
    """R-C2C-210, R-C2C-211: face value from bank and pool, any price from another corporation, whose
    president agrees. The first 6D takes the 5s of corporations and pool, no D train ever rusts."""
    position = buying(1000, "5").pool("5").start("WAB", 82, b=60).trains("WAB", "4D")
    game = position.game()
    assert game.values("buy_train", "SOU", "source", train="5") == ["pool"]
    assert game.values("buy_train", "SOU", "source", train="4D") == ["bank", "WAB"]
    prices = game.values("buy_train", "SOU", "price", train="4D", source="WAB", trade_in="")
    assert (prices[0], prices[-1]) == (1, 1000)
    game.buy("SOU", "4D", 1, "WAB")
    assert game.actors() == ("b",)
    position = buying(1100, "5", phase="5D").depot(t5D=0).pool("5", "3D")
    position.start("WAB", 90, b=60).trains("WAB", "5", "3D")
    game = position.game()
    game.buy("SOU", "6D", 1100)
    assert (game.company("SOU").trains, game.company("WAB").trains) == (["6D"], ["3D"])
    assert game.table.state.pool == ["3D"]


def test_corporation_with_a_route_must_buy() -> None:
    """R-C2C-212, R-C2C-247: without a route it may stop; a national may, although it has one."""
    assert not buying(800).game().offered("pass")
    assert buying(800, route=False).game().offered("pass")
    position = rails(Position(title=TITLE).phase("4D").start("AMTK", 100, a=60), "S62-S64-T65-U66")
    position.state.companies["AMTK"].operated = True
    position.t.map.place_token("U66", 0, "AMTK")
    assert position.operating("AMTK", "trains").game().offered("pass")


def test_president_pays_sells_or_is_bankrupt() -> None:
    """R-C2C-213, R-C2C-214, R-C2C-215, example 15: of 800 the treasury has 90, the president pays 710; if 110
    are missing, they sell one share of 82, or two at once, but not three. At last the sales stand, the cash
    goes to the bank, and the game is over."""
    game = buying(90).cash(a=1000).game()
    assert game.values("buy_train", "SOU", "train") == ["4D"]
    game.buy("SOU", "4D", 800)
    assert (game.cash()["a"], game.company("SOU").cash) == (290, 0)
    position = buying(90).cash(a=600).start("WAB", 82, b=40, a=30)
    game = position.game()
    assert game.values("sell_shares", "a", "shares", company="WAB") == [1, 2]
    game.sell("a", "WAB", 2)
    game.buy("SOU", "4D", 800)
    assert game.cash()["a"] == 54
    position = buying(90).cash(a=100).start("WAB", 82, b=60, a=10)
    game = position.game()
    assert game.kinds() == ["sell_shares"]
    assert "must sell every certificate" in game.refused("10", "declare_bankruptcy", "SOU")
    while game.offered("sell_shares"):
        name = game.values("sell_shares", "a", "company")[0]
        counts = game.values("sell_shares", "a", "shares", company=name)
        game.do("sell_shares", "a", company=name, shares=counts[-1])
    assert WentBankrupt("a", "SOU") in game.do("declare_bankruptcy", "SOU")
    assert game.is_over
    assert game.cash()["a"] == 0
    assert game.company("SOU").percent("a")
