"""18Chesapeake: a train that the treasury cannot pay, and bankruptcy (rulebook 11.8)."""

import pytest

from engine.core.events import TrainPurchaseAgreed
from engine.play.operating_order import operating_order
from tests.titles.builders import Position
from tests.titles.t18chesapeake.lehigh import agreed, dear, forced, held, lehigh, ruined


def test_president_sells_for_cheapest_train() -> None:
    """R-CH-150, R-CH-151, R-CH-152, R-CH-154 (11.8), worked example 19: nothing is sold while treasury and
    cash pay, or before the company is at its trains."""
    game = forced().game()
    assert game.values("sell_shares", "a", "shares", company="PRR") == [1, 2]
    assert "You need $160" in game.refused("11.8", "sell_shares", "a", company="PRR", shares=3)
    game.refused("", "sell_shares", "a", company="PRR", shares=0)
    game.refused("11.7", "pass", "LV")
    why = game.refused("11.8", "declare_bankruptcy", "LV")
    assert "treasury, cash and every legal sale" in why
    assert "costs $300; LV and Ann have $140 together" in game.no_deal("11.8", "LV", "4", 300, "pool")
    game.sell("a", "PRR", 2)
    assert game.price("PRR") == 80
    assert not game.offered("sell_shares")
    assert list(game.train_deals("LV")) == [("4", "pool", "", 300, 300)]
    why = game.no_deal("11.8", "LV", "5", 500)
    assert "only for the cheapest train in the bank or pool, which costs $300" in why
    game.buy("LV", "4", 300, "pool")
    assert (game.cash()["a"], game.company("LV").cash, game.company("LV").trains) == (20, 0, ["4"])
    game = forced(260).game()
    assert not game.offered("sell_shares")
    why = game.refused("11.8", "sell_shares", "a", company="PRR", shares=1)
    assert "Ann may sell nothing: their cash, $260" in why
    game.buy("LV", "4", 300, "pool")
    assert (game.cash()["a"], game.company("LV").cash) == (0, 0)
    rich = lehigh("5", 300).pool("4").start("PRR", 95, at=(2, 4), b=40, a=30).game()
    assert "The treasury of LV can pay" in rich.refused("11.8", "sell_shares", "a", company="PRR", shares=1)
    early = lehigh("5", 0).cash(a=0).start("PRR", 95, b=40, a=30).operating("LV", "track").game()
    why = early.refused("11.8", "sell_shares", "a", company="PRR", shares=1)
    assert "only for a train that LV must buy" in why


@pytest.mark.parametrize(("profile", "most"), [("rulebook", 200), ("18xx.games", 300)])
def test_rich_company_gets_no_help(profile: str, most: int) -> None:
    """R-CH-150 (11.8), D-CH-4, worked example 20: that site lets the president help with a more expensive train."""
    position = lehigh("3", 200, profile=profile).start("PRR", 80, b=60).trains("PRR", "4").cash(a=500)
    game = position.game()
    assert ("4", "PRR", "", 1, most) in list(game.train_deals("LV"))
    game.no_deal("", "LV", "4", most + 1, "PRR")
    assert not game.offered("sell_shares")
    game.buy("LV", "4", most, "PRR")
    game.do("answer", "b", reply="agree")
    assert (game.company("LV").cash, game.cash()["a"]) == (0, 700 - most)


def test_train_of_another_at_face_value() -> None:
    """R-CH-151 (11.8): with the president's money."""
    game = lehigh("5", 40).start("PRR", 80, b=60).trains("PRR", "4").cash(a=1000).game()
    assert ("4", "PRR", "", 1, 300) in list(game.train_deals("LV"))
    assert "face value, $300" in game.no_deal("11.8", "LV", "4", 301, "PRR")
    game.buy("LV", "4", 300, "PRR")
    game.do("answer", "b", reply="agree")
    assert (game.company("LV").cash, game.cash()["a"]) == (0, 740)


def test_train_is_agreed_on_before_sales() -> None:
    """R-CH-151, R-CH-152 (11.8), D-CH-5: the bank's train needs no sale, the one agreed on does, but not on
    18xx.games. One of one's own other company is agreed on at once, and what the sale brings too much is
    kept."""
    game = dear().game()
    assert not game.offered("sell_shares")
    game.buy("LV", "5", 390, "PRR")
    assert not game.offered("sell_shares")
    assert game.do("answer", "b", reply="agree") == (TrainPurchaseAgreed("LV", "5", "PRR", 390, 90),)
    assert (game.kinds(), game.company("LV").trains) == (["sell_shares"], [])
    assert game.values("sell_shares", "a", "shares", company="PRR") == [1]
    game.sell("a", "PRR")
    assert (game.company("LV").trains, game.company("LV").cash, game.cash()["a"]) == (["5"], 0, 0)
    position = lehigh("5", 40, profile="18xx.games").pool("4").start("PRR", 95, at=(2, 4), b=60, a=30)
    assert not position.trains("PRR", "5").cash(a=260).game().offered("sell_shares")
    game = dear(owner="a").start("N&W", 80, c=40, a=20).game()
    game.buy("LV", "5", 350, "PRR")
    assert game.kinds() == ["sell_shares"]
    game.sell("a", "N&W")
    assert (game.company("LV").trains, game.company("PRR").trains, game.cash()["a"]) == (["5"], [], 30)


def test_refusal_changes_nothing() -> None:
    """R-CH-151, R-CH-152 (11.8): only the train then bought bounds the sales, and it has to need them; what
    is needed for one that is agreed on goes nowhere else."""
    game = dear(200).game()
    for _ in range(2):
        game.buy("LV", "5", 390, "PRR")
        game.do("answer", "b", reply="refuse")
    assert game.values("sell_shares", "a", "shares", company="PRR") == [1]
    game.sell("a", "PRR")
    assert not game.offered("sell_shares")
    game.buy("LV", "4", 300, "pool")
    assert game.cash()["a"] == 30
    game = dear(100).game()
    game.sell("a", "PRR")
    deals = [("5", "PRR", "", 141, 400)]
    assert list(game.train_deals("LV")) == deals
    game.buy("LV", "5", 200, "PRR")
    game.do("answer", "b", reply="refuse")
    assert list(game.train_deals("LV")) == deals
    assert "You already had $140 before" in game.no_deal("11.8", "LV", "5", 140, "PRR")
    assert game.offered("sell_shares")
    game = agreed(dear().owns("b", "D&R"), 390)
    why = game.no_deal("11.8", "LV", "4", 300, "pool")
    assert "its president must first raise the missing $90" in why
    game.refused("11.8", "buy_private", "LV", private="D&R", price=20)
    game.refused("11.8", "pass", "LV")
    game.refused("11.8", "declare_bankruptcy", "LV")
    assert "You need $90" in game.refused("11.8", "sell_shares", "a", company="PRR", shares=2)


def test_presidency_of_seller_stays() -> None:
    """R-CH-152 (11.8): until it has sold; another president would have to agree anew."""
    position = held(lehigh("5", 40)).pool("4").start("PRR", 95, at=(2, 4), a=30, b=20, c=20)
    game = position.start("N&W", 80, c=50, a=10).trains("PRR", "5").cash(a=260).game()
    assert ("5", "PRR", "", 1, 470) in list(game.train_deals("LV"))
    game.buy("LV", "5", 380, "PRR")
    assert game.values("sell_shares", "a", "shares", company="PRR") == [1]
    game.sell("a", "N&W")
    assert game.company("LV").trains == ["5"]


@pytest.mark.parametrize(("profile", "sells"), [("rulebook", False), ("18xx.games", True)])
def test_unforced_purchase_sells_no_shares(profile: str, sells: bool) -> None:
    """R-CH-152 (11.8), D-CH-6: that site sells even where a train is not forced."""
    position = lehigh("3", 79, "2", profile=profile).start("PRR", 95, b=40, a=30).trains("PRR", "2").cash(a=0)
    game = position.game()
    assert game.step_name() == "trains"
    assert game.offered("sell_shares") is sells
    if not sells:
        game.refused("11.8", "sell_shares", "a", company="PRR", shares=1)


def test_presidency_of_buyer_stays() -> None:
    """R-CH-153, R-CH-152 (11.8): those of other companies move at once."""
    position = lehigh("5", 0).cash(a=0)
    position.state.companies["LV"].shares.update({"a": 20, "b": 40})
    game = position.start("PRR", 95, at=(2, 4), a=30, b=20).game()
    assert game.values("sell_shares", "a", "company") == ["PRR"]
    why = game.refused("11.8", "sell_shares", "a", company="LV", shares=1)
    assert "would change the presidency of LV" in why
    game.sell("a", "PRR", 2)
    assert game.company("PRR").president == "b"


def test_forced_sales_change_operating_order() -> None:
    """R-CH-081 (11): the falling company now comes after the other."""
    position = lehigh("5", 40).cash(a=100).pool("4").start("PRR", 95, at=(1, 4), b=60, a=30)
    game = position.trains("PRR", "5").start("SRR", 80, at=(2, 4), c=60).game()
    assert [c.id for c in operating_order(game.table) if c.id != "LV"] == ["PRR", "SRR"]
    game.sell("a", "PRR", 2)
    assert [c.id for c in operating_order(game.table) if c.id != "LV"] == ["SRR", "PRR"]
    game.buy("LV", "4", 300, "pool")
    assert game.table.turn.company == "SRR"


def test_bankruptcy_ends_the_game() -> None:
    """R-CH-154, R-CH-181 (11.8, 12), worked example 21: the unsellable shares and privates at face are the
    score."""
    game = ruined().game()
    why = game.refused("11.8", "sell_shares", "a", company="LV", shares=1)
    assert "Ann has no share to sell" in why
    assert game.kinds() == ["declare_bankruptcy"]
    game.do("declare_bankruptcy", "LV")
    assert (game.is_over, game.offers(), game.cash()["a"], game.scores()["a"]) == (True, (), 0, 280)
    assert game.table.state.player("a").bankrupt
    position = lehigh("4", 10).cash(a=0).owns("a", "D&R").start("PRR", 95, at=(1, 1), b=60, a=10)
    position.state.companies["LV"].shares = {"a": 20, "b": 40}
    game = position.game()
    assert {"sell_shares", "declare_bankruptcy"} <= set(game.kinds())
    game.do("declare_bankruptcy", "LV")
    assert (game.company("PRR").percent("a"), game.scores()["a"]) == (0, 4 * 95 + 20)


def test_ruined_player_may_ask_for_a_train() -> None:
    """R-CH-154 (11.8): of another company, again and again."""
    game = ruined().start("PRR", 80, b=60).trains("PRR", "4").game()
    assert set(game.kinds()) == {"buy_train", "declare_bankruptcy"}
    for reply in ("refuse", "agree"):
        game.buy("LV", "4", 80, "PRR")
        game.do("answer", "b", reply=reply)
    assert (game.is_over, game.company("LV").trains) == (False, ["4"])


@pytest.mark.parametrize(("profile", "early"), [("rulebook", False), ("18xx.games", True)])
def test_bankruptcy_waits_for_forced_purchase(profile: str, early: bool) -> None:
    """R-CH-154 (11.8), D-CH-7: that site takes it in any step of the turn."""
    position = Position(profile=profile).phase("5").start("LV", 70, a=40, b=40, c=20)
    position.treasury("LV", 30).cash(a=0).state.companies["LV"].floated = True
    game = position.tile("J2", "57", 1).operating("LV", "track").game()
    assert game.step_name() == "track"
    assert game.offered("declare_bankruptcy") is early
    if not early:
        game.refused("11.8", "declare_bankruptcy", "LV")
