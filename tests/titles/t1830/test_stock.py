"""1830: auction and stock rounds (2, 3)."""

import pytest

from engine.core.ids import OFFERING
from tests.titles.builders import TitleGame, new_game
from tests.titles.t1830.classic import PROFILE, TITLE, Classic

BROWN = (8, 2)
"""Row and column from 1 of the brown cell with 20."""


def auction(players: int = 3) -> TitleGame:
    return new_game(players, profile=PROFILE, title=TITLE)


def test_cash_bank_and_companies() -> None:
    """R-1830-001, R-1830-002 (1)"""
    game = auction(2)
    assert game.cash() == {"a": 1200, "b": 1200}
    assert game.table.state.bank == 12000 - 2400
    assert game.company("NYNH").tokens == [0, 40]
    assert game.company("PRR").certificate == 20


def test_bids_bind_all_cash() -> None:
    """R-1830-010 (2): outbid ones, too, until the private is sold; any amount from 5 more."""
    game = auction(4)
    game.bid("a", "CS", 47)
    game.bid("b", "CS", 53)
    game.bid("c", "DH", 75)
    game.passes("d")
    game.refused("2", "bid", "a", private="BO", amount=560)
    game.bid("a", "BO", 553)


def test_ca_brings_a_share_of_the_prr() -> None:
    """R-1830-011 (2): at once; before the PRR is founded the share is worth nothing and cannot be sold."""
    game = auction()
    game.bid("a", "CA", 165)
    for player, private, amount in (("b", "SV", 20), ("c", "CS", 40), ("a", "DH", 70), ("b", "MH", 110)):
        game.bid(player, private, amount)
    assert game.owner("CA") == "a"
    assert game.company("PRR").percent("a") == 10
    assert game.price("PRR") == 0


def test_bo_brings_the_presidency_of_the_b_and_o() -> None:
    """R-1830-012, R-1830-013 (2): its buyer sets par first; priority goes on from who last bought the cheapest."""
    game = auction()
    game.bid("a", "BO", 225)
    sold = (("b", "SV", 20), ("c", "CS", 40), ("a", "DH", 70), ("b", "MH", 110), ("c", "CA", 160))
    for player, private, amount in sold:
        game.bid(player, private, amount)
    assert (game.step_name(), game.on_turn()) == ("par_due", "a")
    game.refused("2", "pass", "a")
    game.do("par", "a", company="B&O", price=100)
    assert game.company("B&O").president == "a"
    assert game.cash()["a"] == 800 - 225 - 70
    assert (game.round_name(), game.on_turn()) == ("SR 1", "a")


def test_sales_before_and_after_the_purchase() -> None:
    """R-1830-020 (3)"""
    position = Classic().cash(a=500).start("PRR", 67, b=40, a=20).start("NYC", 67, c=40, a=20)
    game = position.stock("a", 2).game()
    game.sell("a", "PRR")
    game.do("buy_share", "a", company="NYC", source="offering")
    game.sell("a", "PRR")
    assert game.company("PRR").percent("a") == 0
    game.refused("3", "buy_share", "a", company="B&O", source="offering")


def test_no_sales_in_the_first_round() -> None:
    """R-1830-020 (3)"""
    game = Classic().cash(a=500).start("PRR", 67, b=40, a=20).stock("a", 1).game()
    game.refused("3", "sell_shares", "a", company="PRR", shares=1)


def test_no_purchase_of_what_was_sold() -> None:
    """R-1830-022 (3): a block is paid at the price before, and each of its shares lowers the price."""
    game = Classic().cash(a=0).start("PRR", 100, b=40, a=20).stock("a").game()
    game.sell("a", "PRR", 2)
    assert game.cash()["a"] == 200
    assert game.price("PRR") == 82
    game.refused("3", "buy_share", "a", company="PRR", source="market")


def brown(options: tuple[str, ...] = ()) -> Classic:
    """The PRR is in a brown cell, with shares in the market and in the offering; so is the NYC."""
    position = Classic(options=options).cash(a=500, b=500)
    position.start("PRR", 67, at=BROWN, market=30, b=40).start("NYC", 67, at=BROWN, market=30, c=40)
    return position.stock("a")


def test_several_brown_shares_from_the_market() -> None:
    """R-1830-021, R-1830-004 (3): of one company, also with sales between them."""
    game = brown().start("C&O", 67, c=40, a=20).game()
    game.do("buy_share", "a", company="PRR", source="market")
    game.refused("3", "buy_share", "a", company="PRR", source="offering")
    game.refused("3", "buy_share", "a", company="NYC", source="market")
    game.sell("a", "C&O")
    game.do("buy_share", "a", company="PRR", source="market")
    assert game.company("PRR").percent("a") == 20


def test_brown_share_of_the_ipo_is_the_last() -> None:
    """R-1830-021 (3)"""
    game = brown().start("C&O", 67, c=40, a=20).game()
    game.do("buy_share", "a", company="PRR", source="offering")
    game.refused("3", "buy_share", "a", company="PRR", source="market")


def test_option_several_brown_shares_from_ipo() -> None:
    """R-1830-070 (7)"""
    game = brown(("multiple_brown_from_ipo",)).game()
    game.do("buy_share", "a", company="PRR", source="offering")
    game.do("buy_share", "a", company="PRR", source="market")
    game.do("buy_share", "a", company="PRR", source="offering")
    assert game.company("PRR").percent("a") == 30


def test_option_third_6_train() -> None:
    """R-1830-071 (7)"""
    assert Classic().t.state.depot["6"] == 2
    assert Classic(options=("optional_6_train",)).t.state.depot["6"] == 3


def test_more_than_60_percent_in_orange() -> None:
    """R-1830-004, R-1830-024 (3): above it after a rise, a player sells first."""
    orange = Classic().cash(a=500).start("PRR", 67, at=(5, 1), a=60).game()
    orange.do("buy_share", "a", company="PRR", source="offering")
    assert orange.company("PRR").percent("a") == 70
    yellow = Classic().cash(a=500).start("PRR", 67, at=(4, 2), a=60).game()
    yellow.refused("3", "buy_share", "a", company="PRR", source="offering")
    above = Classic().cash(a=500).start("PRR", 67, at=(4, 2), a=70).game()
    assert above.kinds("a") == ["sell_shares"]


def test_privates_are_traded_from_sr_2_on() -> None:
    """R-1830-025 (3): as the purchase of the buyer's turn, at any price from 1, but never BO."""
    first = Classic().cash(a=200).owns("b", "CS", "BO").stock("a", 1).game()
    first.refused("3", "buy_private", "a", private="CS", price=1)
    game = Classic().cash(a=200).owns("b", "CS", "BO").start("PRR", 67, c=60).stock("a", 2).game()
    assert game.values("buy_private", "a", "private") == ["CS"]
    assert "BO" in game.refused("3", "buy_private", "a", private="BO", price=50)
    game.do("buy_private", "a", private="CS", price=1)
    game.do("answer", "b", reply="agree")
    assert game.owner("CS") == "a"
    assert not game.offered("buy_share", "a")


def test_only_buyers_trade_privates() -> None:
    """R-1830-025, D-1830-4 (3)"""
    game = Classic().cash(a=200, b=200).owns("a", "CS").start("PRR", 67, c=60, a=20).stock("a").game()
    game.refused("3", "sell_private", "a", private="CS", buyer="b", price=40)


def test_brown_shares_after_a_private() -> None:
    """R-1830-021 (3): from the market, although a private was the purchase of the turn."""
    game = brown().owns("b", "CS").start("C&O", 67, c=40, b=20).game()
    game.do("buy_private", "a", private="CS", price=34)
    game.do("answer", "b", reply="agree")
    game.refused("3", "buy_share", "a", company="C&O", source="offering")
    game.refused("3", "buy_share", "a", company="PRR", source="offering")
    game.do("buy_share", "a", company="PRR", source="market")


@pytest.mark.parametrize("cell", [(8, 1), (9, 2), (10, 3)])
def test_no_price_below_the_last_cell(cell: tuple[int, int]) -> None:
    """R-1830-003 (1): at the edge of the missing cells a price stays where it is."""
    game = Classic().start("PRR", 67, at=cell, b=40, a=20).stock("a").game()
    game.sell("a", "PRR")
    assert game.price("PRR") == 10


def test_sold_out_companies_rise() -> None:
    """R-1830-026 (3): one row, at the end of the round."""
    position = Classic().start("PRR", 90, at=(2, 7), a=60, b=40)
    game = position.stock("a").game()
    game.passes("a", "b", "c")
    assert game.table.state.companies["PRR"].cell == (0, 6)
    assert not game.company("PRR").shares.get(OFFERING)
