"""1882: components, auction and stock rounds (1 to 3)."""

import pytest

from engine.core.chance import Chance
from tests.titles.builders import new_game
from tests.titles.t1882.assiniboia import PROFILE, TITLE, Assiniboia


def test_cash_bank_and_companies() -> None:
    """R-1882-001, R-1882-002, R-1882-003 (1)"""
    state = new_game(5, title=TITLE, profile=PROFILE).table.state
    assert {player.cash for player in state.players} == {360}
    assert state.bank == 9000 - 5 * 360
    assert state.companies["CPR"].tokens == [0, 40, 100, 100]
    assert [name for name, company in state.companies.items() if company.held] == [
        "CNR",
        "HBR",
        "GT",
        "SC",
        "QLL",
    ]


@pytest.mark.parametrize("seed", [1, 10526])
def test_rebellion_and_share_are_drawn(seed: int) -> None:
    """R-1882-004 (1): in this order."""
    state, chance = new_game(title=TITLE, profile=PROFILE, seed=seed).table.state, Chance(seed)
    assert state.event_train == "3456"[chance.draw(4)]
    assert state.privates["TB"].linked == ("CNR", "CPR", "GT", "HBR", "QLL")[chance.draw(5)]


def test_the_cheapest_private_left_gets_cheaper() -> None:
    """R-1882-010, R-1882-011 (2): whenever all pass, without incomes; at $0 the next player takes it."""
    game = new_game(title=TITLE, profile=PROFILE)
    game.bid("a", "HB", 20)
    game.refused("2", "bid", "b", private="NWR", amount=88)
    game.passes("b", "c", "a")
    assert game.cash()["a"] == 580
    game.bid("b", "SCP", 45)
    game.passes(*"cab" * 16)
    assert game.owner("NWR") == "c"
    assert game.cash()["c"] == 600


def test_tb_and_cp_bring_shares() -> None:
    """R-1882-012 (2): the share of the TB is free; the buyer of the CP sets the par of the CPR at once."""
    game = new_game(title=TITLE, profile=PROFILE)
    linked = str(game.table.state.privates["TB"].linked)
    game.bid("a", "CP", 185)
    game.bid("b", "TB", 145)
    game.bid("c", "HB", 20)
    game.bid("a", "SCP", 50)
    game.bid("b", "NWR", 80)
    assert game.company(linked).shares["b"] == 10
    game.refused("2", "pass", "a")
    game.do("par", "a", company="CPR", price=82)
    assert game.company("CPR").percent("a") == 20
    assert game.cash()["a"] == 600 - 185 - 50


def founder(cash: int = 82) -> Assiniboia:
    """Ann owns the private of the SC."""
    return Assiniboia().owns("a", "SCP").cash(a=cash).phase("3")


def test_sc_is_founded_for_the_price_of_a_share() -> None:
    """R-1882-021, R-1882-022, R-1882-023 (3): it chooses its home at once; a train is added to the bank."""
    game = founder().game()
    left = game.table.state.depot["3"] or 0
    game.refused("3", "par", "SCP", company="SC", price=90)
    game.do("par", "SCP", company="SC", price=82)
    assert game.cash()["a"] == 0
    assert game.company("SC").percent("a") == 20
    assert game.table.state.privates["SCP"].closed
    assert game.table.state.depot["3"] == left + 1
    game.refused("4", "pass", "a")
    game.refused("4", "place_token", "SC", hex="G11", city=0)
    game.do("place_token", "SC", hex="K3", city=0)
    assert game.table.map.token_stops_of("SC") == [("K3", 0)]
    assert game.on_turn() == "b"


def test_sc_takes_the_place_of_a_neutral_token() -> None:
    """R-1882-022 (3): which is destroyed."""
    game = founder().tile("G7", "57").neutral("G7").game()
    game.do("par", "SCP", company="SC", price=67)
    game.do("place_token", "CN", actor="a", hex="G7", city=0)
    assert game.table.map.slots("G7", 0) == ("SC",)


def test_only_the_owner_of_its_private_founds_sc() -> None:
    """R-1882-021 (3): once, as the purchase of a turn, and for cash."""
    game = founder().stock("b").game()
    game.refused("3", "par", "b", company="SC", price=67)
    founder(70).game().refused("3", "par", "SCP", company="SC", price=71)


def test_sc_leaves_with_its_private() -> None:
    """R-1882-024 (3): sold to a company, or closed unused by the first 6."""
    game = founder().start("CPR", 100, b=60).operating("CPR").game()
    game.do("buy_private", "CPR", private="SCP", price=100)
    game.do("answer", "a", reply="agree")
    assert game.company("SC").closed
    late = founder().start("CPR", 100, b=60).phase("5").depot(t5=0).operating("CPR", "trains").game()
    late.buy("CPR", "6", 630)
    assert late.table.state.privates["SCP"].closed
    assert late.company("SC").closed


def test_cn_needs_a_neutral_token() -> None:
    """R-1882-025 (3)"""
    game = Assiniboia().cash(a=500).game()
    game.refused("3", "par", "a", company="CN", price=67)
    game = Assiniboia().cash(a=500).neutral("K3").game()
    game.do("par", "a", company="CN", price=67)


def test_added_train_comes_without_rebellion() -> None:
    """R-1882-023, R-1882-060 (6): the phase begins with it, the rebellion with the train behind it."""
    position = founder().rebellion("4").phase("3").depot(t3=0).start("CPR", 100, b=60).tile("C5", "7")
    game = position.game()
    game.do("par", "SCP", company="SC", price=82)
    assert game.table.state.depot["4"] == 4
    game = position.operating("CPR", "trains").game()
    game.buy("CPR", "4", 300)
    assert (game.table.state.phase, game.table.map.tile("C5")) == ("4", "7")
    game.buy("CPR", "4", 300)
    assert game.table.map.tile("C5") is None
    assert game.table.state.event_train == ""


def test_a_price_of_350_ends_the_stock_round() -> None:
    """R-1882-071 (7): the current round is the last."""
    game = Assiniboia().start("CPR", 100, at=(2, 16), a=60, b=40).start("GT", 100, c=60).stock("a").game()
    game.table.move_price(game.company("CPR"), (0, 15))
    game.passes("a", "b", "c")
    assert game.is_over


def test_sales_on_both_sides_of_a_purchase() -> None:
    """R-1882-020 (3): none in the first round; players trade no privates."""
    built = Assiniboia().cash(a=500).start("CPR", 67, b=40, a=20).start("GT", 67, c=40).owns("b", "HB")
    first = built.stock("a", number=1).game()
    first.refused("3", "sell_shares", "a", company="CPR", shares=1)
    game = built.stock("a", number=2).game()
    game.refused("", "buy_private", "a", private="HB", price=20)
    game.sell("a", "CPR")
    game.do("buy_share", "a", company="GT", source="offering")
    game.sell("a", "CPR")
    game.refused("3", "buy_share", "a", company="GT", source="offering")


def test_brown_shares_of_market_and_offering() -> None:
    """R-1882-020 (3): several of one company in a turn."""
    built = Assiniboia().cash(a=500).start("CPR", 67, at=(11, 2), market=20, b=40)
    game = built.start("GT", 67, at=(11, 2), market=20, c=40).stock("a").game()
    for source in ("offering", "market", "offering"):
        game.do("buy_share", "a", company="CPR", source=source)
    game.refused("3", "buy_share", "a", company="GT", source="market")


def test_the_lowest_bidder_acts() -> None:
    """D-1882-1 (2)"""
    game = new_game(title=TITLE, profile=PROFILE)
    for player, amount in (("a", 85), ("b", 90), ("c", 95)):
        game.bid(player, "NWR", amount)
    game.bid("a", "HB", 20)
    game.bid("b", "SCP", 50)
    assert game.on_turn() == "a"
    game.bid("a", "NWR", 100)
    assert game.on_turn() == "b"
