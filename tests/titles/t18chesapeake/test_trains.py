"""18Chesapeake: trains, forced purchases, bankruptcy, export (rulebook 8, 11.7-11.9)."""

import pytest

from engine.core.events import TrainAgreed
from engine.game import Game
from engine.play.operating_order import operating_order
from tests.titles.builders import (
    Position,
    cash,
    company,
    do,
    domain,
    kinds,
    offered,
    on_turn,
    passes,
    refused,
    round_name,
    tell,
    train_deals,
    values,
)

ROUTE = ("J2", "57", 1)
"""With this tile LV has a route of two stops."""


def buy(
    game: Game, train: str, price: int, source: str = "bank", trade_in: str = "", entity: str = "LV"
) -> None:
    """Buy a train that must be legal."""
    do(game, "buy_train", entity, train=train, source=source, trade_in=trade_in, price=price)


def no_deal(
    game: Game,
    section: str,
    train: str,
    price: int,
    source: str = "bank",
    trade_in: str = "",
    entity: str = "LV",
) -> str:
    """Try to buy a train: it is refused."""
    return refused(
        game, section, "buy_train", entity, train=train, source=source, trade_in=trade_in, price=price
    )


def lehigh(
    phase: str,
    treasury: int,
    *trains: str,
    profile: str = "rulebook",
    route: bool = True,
    from_log: int = 0,
) -> Position:
    """LV in its train step; Ann holds 60 percent."""
    position = (
        Position(profile=profile, from_log=from_log).phase(phase).start("LV", 95, a=60).trains("LV", *trains)
    )
    if route:
        position.tile(*ROUTE)
    return position.treasury("LV", treasury).operating("LV", "trains")


# --- ordinary purchases --------------------------------------------------------------------------------------------


def test_trains_of_bank_and_pool_cost_their_face_value() -> None:
    """R-CH-140 (11.7), D-CH-18: the cheapest new one, any of the pool."""
    game = lehigh("3", 600, "2").pool("4", "2", "2").game()
    assert list(train_deals(game, "LV")) == [
        ("3", "bank", "", 180, 180),
        ("4", "pool", "", 300, 300),
        ("2", "pool", "", 80, 80),
    ]
    no_deal(game, "11.7", "3", 1)
    no_deal(game, "11.7", "3", 181)
    no_deal(game, "11.7", "4", 300)
    no_deal(game, "11.7", "5", 500)
    no_deal(game, "", "9", 500)
    no_deal(game, "11.7", "3", 180, source="pool")
    no_deal(game, "11.7", "3", 180, source="LV")
    no_deal(game, "11.7", "3", 180, source="nobody")
    no_deal(game, "11.7", "3", 180, trade_in="2")
    buy(game, "3", 180)
    buy(game, "2", 80, "pool")
    assert company(game, "LV").trains == ["2", "3", "2"]
    assert company(game, "LV").cash == 340
    assert game.table.state.pool == ["4", "2"]
    passes(game, "LV")


def test_the_compatible_profile_also_sells_at_face_value_only() -> None:
    """D-CH-18 in the other profile."""
    game = lehigh("3", 600, "2", profile="18xx.games").game()
    no_deal(game, "11.7", "3", 1)
    buy(game, "3", 180)


@pytest.mark.parametrize(
    ("phase", "left", "kinds_"), [("6", 1, ["6", "D"]), ("D", 1, ["6", "D"]), ("6", 0, ["D"])]
)
def test_sixes_stay_for_sale_along_with_diesels(phase: str, left: int, kinds_: list[str]) -> None:
    """R-CH-140 (11.7), D-CH-16."""
    game = lehigh(phase, 2000, "5").depot(t6=left).game()
    assert [deal[0] for deal in train_deals(game, "LV") if not deal[2]] == kinds_


def test_before_phase_6_no_diesel_is_for_sale() -> None:
    """R-CH-140, R-CH-145 (8, 11.7)"""
    game = lehigh("5", 2000, "5").game()
    no_deal(game, "11.7", "D", 900)
    no_deal(game, "11.7", "D", 700, trade_in="5")


def test_a_train_of_another_company_costs_a_dollar_up_to_the_treasury() -> None:
    """R-CH-141 (11.7)"""
    game = lehigh("3", 150, "2").start("PRR", 80, a=60).trains("PRR", "3").game()
    assert list(train_deals(game, "LV")) == [("3", "PRR", "", 1, 150)]
    no_deal(game, "11.7", "3", 0, "PRR")
    no_deal(game, "11.7", "3", 151, "PRR")
    no_deal(game, "11.7", "2", 100, "PRR")
    buy(game, "3", 150, "PRR")
    assert (company(game, "PRR").trains, company(game, "PRR").cash) == ([], 950)


def test_a_train_of_another_president_needs_their_consent() -> None:
    """R-CH-141, D-CH-17 (11.7): nothing moves until the owner has agreed."""
    game = lehigh("3", 150, "2").start("PRR", 80, b=60).trains("PRR", "3").game()
    buy(game, "3", 90, "PRR")
    assert company(game, "PRR").trains == ["3"]
    assert game.actors() == ("b",)
    do(game, "answer", "b", reply="refuse")
    assert (company(game, "LV").trains, company(game, "LV").cash, on_turn(game)) == (["2"], 150, "a")
    buy(game, "3", 91, "PRR")
    do(game, "answer", "a", reply="withdraw")
    buy(game, "3", 92, "PRR")
    do(game, "answer", "b", reply="agree")
    assert (company(game, "LV").trains, company(game, "PRR").trains) == (["2", "3"], [])
    assert company(game, "PRR").cash == 892
    refused(game, "", "answer", "b", reply="agree")


def test_in_a_recorded_game_the_seller_has_agreed() -> None:
    """D-CH-17 under 18xx.games."""
    position = lehigh("3", 150, "2", profile="18xx.games", from_log=10**9)
    game = position.start("PRR", 80, b=60).trains("PRR", "3").game()
    buy(game, "3", 90, "PRR")
    assert company(game, "LV").trains == ["2", "3"]


def test_at_the_limit_no_train_is_bought_even_if_others_would_rust() -> None:
    """R-CH-142 (11.7), worked example 16."""
    game = lehigh("3", 600, "2", "2", "3", "3").depot(t3=0).operating("LV", "trains", of=2).game()
    assert not offered(game, "buy_train", "LV")
    assert company(game, "LV").trains == ["2", "2", "3", "3"]


def test_at_the_limit_the_sentence_says_so() -> None:
    """R-CH-142 (11.7)"""
    game = lehigh("6", 2000, "4", "5").depot(t6=1).game()
    assert "limit of 2 trains" in no_deal(game, "11.7", "6", 630)
    game = lehigh("4", 600, "3", "3", "4").owns("a", "D&R").game()
    assert "Buying trains is over" in no_deal(game, "11", "4", 300)


def test_the_first_four_rusts_the_twos_before_the_limit_counts() -> None:
    """R-CH-142, R-CH-144 (8, 11.7), worked example 16."""
    position = lehigh("3", 600, "2", "2", "3").depot(t3=0).pool("2")
    game = position.start("PRR", 80, b=60).trains("PRR", "2", "2", "3", "3").game()
    buy(game, "4", 300)
    assert company(game, "LV").trains == ["3", "4"]
    assert company(game, "PRR").trains == ["3", "3"]
    assert game.table.state.pool == []
    assert not offered(game, "discard_train")
    buy(game, "4", 300)


def test_below_the_limit_one_may_buy_a_train_that_lowers_it() -> None:
    """R-CH-142, R-CH-143 (11.7), worked example 16: the owner chooses what to give up."""
    game = lehigh("3", 600, "3", "3", "3").depot(t3=0).game()
    buy(game, "4", 300)
    assert values(game, "discard_train", "LV", "train") == ["3", "4"]
    refused(game, "11.7", "discard_train", "LV", train="2")
    refused(game, "11.7", "pass", "LV")
    no_deal(game, "11.7", "4", 300)
    do(game, "discard_train", "LV", train="3")
    assert company(game, "LV").trains == ["3", "3", "4"]
    assert game.table.state.pool == ["3"]
    assert company(game, "LV").cash == 300


@pytest.mark.parametrize(("profile", "first"), [("rulebook", "SRR"), ("18xx.games", "PRR")])
def test_several_companies_discard_in_operating_order(profile: str, first: str) -> None:
    """R-CH-143 (11.7), D-CH-3: the compatible profile takes the order of the company list."""
    position = lehigh("3", 300, "3", profile=profile).depot(t3=0).start("SRR", 95, at=(1, 9), b=60)
    position.trains("SRR", "3", "3", "3", "3").start("PRR", 80, at=(1, 7), b=60).trains(
        "PRR", "3", "3", "3", "3"
    )
    game = position.game()
    buy(game, "4", 300)
    (offer,) = [o for o in game.offers() if o.kind == "discard_train"]
    assert offer.entity == first
    do(game, "discard_train", first, train="3")
    second = "SRR" if first == "PRR" else "PRR"
    do(game, "discard_train", second, train="3")
    assert game.table.state.pool == ["3", "3"]


def test_in_a_log_companies_discard_in_any_order() -> None:
    """D-CH-3 (11.7): the SRR may before the PRR, which is asked; at a table it waits for its turn."""
    position = lehigh("3", 300, "3", profile="18xx.games", from_log=9).depot(t3=0)
    position.start("SRR", 95, at=(1, 9), b=60).trains("SRR", "3", "3", "3", "3")
    game = position.start("PRR", 80, at=(1, 7), b=60).trains("PRR", "3", "3", "3", "3").game()
    buy(game, "4", 300)
    assert [(offer.entity, offer.blocking) for offer in game.offers(kind="discard_train")] == [
        ("PRR", True),
        ("SRR", False),
    ]
    do(game, "discard_train", "SRR", train="3")
    do(game, "discard_train", "PRR", train="3")
    assert not offered(game, "discard_train")


@pytest.mark.parametrize(
    ("before", "train", "price", "gone"), [("5", "6", 630, "3"), ("6", "D", 900, "4"), ("3", "4", 300, "2")]
)
def test_trains_rust_when_their_time_has_come(before: str, train: str, price: int, gone: str) -> None:
    """R-CH-008, R-CH-144 (8): in companies and in the pool."""
    position = lehigh(before, 1000).pool(gone, gone).start("PRR", 80, b=60).trains("PRR", gone)
    position.depot(**{f"t{before}": 0}) if before != "6" else None
    game = position.game()
    buy(game, train, price)
    assert company(game, "PRR").trains == []
    assert game.table.state.pool == []
    assert game.table.state.phase == train


def test_a_trade_in_is_allowed_at_the_limit() -> None:
    """R-CH-145 (11.7), worked example 18: a traded 4 rusts with the others."""
    game = lehigh("6", 720, "4", "5").depot(t6=1).game()
    assert list(train_deals(game, "LV")) == [("D", "bank", "4", 700, 700), ("D", "bank", "5", 700, 700)]
    no_deal(game, "11.7", "D", 900)
    no_deal(game, "11.7", "D", 700, trade_in="6")
    buy(game, "D", 700, trade_in="4")
    lv = company(game, "LV")
    assert (lv.cash, lv.trains, game.table.state.pool, game.table.state.phase) == (20, ["5", "D"], [], "D")


def test_a_traded_five_is_for_sale_in_the_pool() -> None:
    """R-CH-145 (11.7), worked example 18: and the own 4 rusts."""
    game = lehigh("6", 720, "4", "5").depot(t6=1).game()
    buy(game, "D", 700, trade_in="5")
    assert (company(game, "LV").trains, game.table.state.pool) == (["D"], ["5"])


def test_the_president_adds_nothing_to_a_trade_in() -> None:
    """R-CH-145 (11.7)"""
    game = lehigh("6", 699, "4", "5").cash(a=1000).owns("a", "D&R").game()
    assert not offered(game, "buy_train", "LV")


def test_a_trade_in_needs_no_room_but_a_purchase_does() -> None:
    """R-CH-142, R-CH-145: the compatible profile takes any train there and discards."""
    game = lehigh("6", 2000, "5", "6", profile="18xx.games").depot(t6=1).game()
    assert ("D", "bank", "", 900, 900) in list(train_deals(game, "LV"))
    game = lehigh("6", 2000, "5", "6").depot(t6=1).game()
    assert ("D", "bank", "", 900, 900) not in list(train_deals(game, "LV"))


def test_a_company_with_a_route_must_buy_a_train() -> None:
    """R-CH-146, R-CH-147 (11.7): any it can pay."""
    game = lehigh("4", 600).pool("3").game()
    assert kinds(game) == ["buy_train"]
    assert "has to buy one" in refused(game, "11.7", "pass", "LV")
    assert [deal[0] for deal in train_deals(game, "LV")] == ["4", "3"]
    buy(game, "4", 300)
    passes(game, "LV")


def test_a_company_without_a_route_need_not_buy() -> None:
    """R-CH-146 (11.7)"""
    game = lehigh("4", 600, route=False).game()
    assert set(kinds(game)) == {"buy_train", "pass"}
    passes(game, "LV")
    assert company(game, "LV").trains == []


def test_a_company_without_a_route_and_money_is_not_forced() -> None:
    """R-CH-146, R-CH-150 (11.7, 11.8): its president may not help."""
    game = lehigh("4", 10, route=False).cash(a=1000).game()
    assert not offered(game, "buy_train", "LV")
    assert company(game, "LV").trains == []


# --- forced purchases ----------------------------------------------------------------------------------------------


def forced(cash_: int = 100, *, profile: str = "rulebook") -> Position:
    """Worked example 19: treasury 40, new 5 at 500, a discarded 4 at 300; Ann may sell PRR at 90."""
    position = lehigh("5", 40, profile=profile).pool("4").start("PRR", 95, at=(2, 4), b=40, a=30)
    return position.cash(a=cash_)


def test_the_president_sells_what_the_cheapest_train_needs() -> None:
    """R-CH-151, R-CH-152 (11.8), worked example 19."""
    game = forced().game()
    assert values(game, "sell_shares", "a", "shares", company="PRR") == [1, 2]
    assert "$160 is missing" in refused(game, "11.8", "sell_shares", "a", company="PRR", shares=3)
    refused(game, "", "sell_shares", "a", company="PRR", shares=0)
    refused(game, "11.7", "pass", "LV")
    refused(game, "11.8", "declare_bankruptcy", "LV")
    do(game, "sell_shares", "a", company="PRR", shares=2)
    assert game.table.price(company(game, "PRR")) == 80
    assert not offered(game, "sell_shares")
    assert list(train_deals(game, "LV")) == [("4", "pool", "", 300, 300)]
    assert "cheapest" in no_deal(game, "11.8", "5", 500)
    buy(game, "4", 300, "pool")
    assert (cash(game)["a"], company(game, "LV").cash, company(game, "LV").trains) == (20, 0, ["4"])


def test_single_sales_stop_as_soon_as_the_train_is_paid() -> None:
    """R-CH-152 (11.8)"""
    game = forced().game()
    do(game, "sell_shares", "a", company="PRR", shares=1)
    do(game, "sell_shares", "a", company="PRR", shares=1)
    refused(game, "11.8", "sell_shares", "a", company="PRR", shares=1)
    buy(game, "4", 300, "pool")


def test_the_presidents_cash_comes_first() -> None:
    """R-CH-152 (11.8)"""
    game = forced(260).game()
    assert not offered(game, "sell_shares")
    buy(game, "4", 300, "pool")
    assert (cash(game)["a"], company(game, "LV").cash) == (0, 0)


def test_a_rich_company_gets_nothing_from_its_president() -> None:
    """R-CH-150 (11.8), worked example 20."""
    position = lehigh("3", 200).start("PRR", 80, b=60).trains("PRR", "4").cash(a=500)
    game = position.game()
    assert list(train_deals(game, "LV")) == [("3", "bank", "", 180, 180), ("4", "PRR", "", 1, 200)]
    no_deal(game, "11.7", "4", 201, "PRR")
    assert not offered(game, "sell_shares")


def test_the_compatible_profile_lets_the_president_help_with_a_higher_priced_train() -> None:
    """D-CH-4 under 18xx.games, worked example 20."""
    position = lehigh("3", 200, profile="18xx.games").start("PRR", 80, b=60).trains("PRR", "4").cash(a=500)
    game = position.game()
    assert ("4", "PRR", "", 1, 300) in list(train_deals(game, "LV"))
    buy(game, "4", 300, "PRR")
    do(game, "answer", "b", reply="agree")
    assert (company(game, "LV").cash, cash(game)["a"]) == (0, 400)


def test_a_train_of_another_company_costs_at_most_its_face_value_with_the_presidents_money() -> None:
    """R-CH-151 (11.8)"""
    position = lehigh("5", 40).start("PRR", 80, b=60).trains("PRR", "4").cash(a=1000)
    game = position.game()
    assert ("4", "PRR", "", 1, 300) in list(train_deals(game, "LV"))
    assert "face value, $300" in no_deal(game, "11.8", "4", 301, "PRR")
    buy(game, "4", 300, "PRR")
    do(game, "answer", "b", reply="agree")
    assert (company(game, "LV").cash, cash(game)["a"]) == (0, 740)


# --- a train agreed on ---------------------------------------------------------------------------------------------


def dear(cash_: int = 260, *, owner: str = "b", shares: int = 30, treasury: int = 40) -> Position:
    """A 4 in the pool for $300; PRR, at $90 a share, has a 5. Ann can sell nothing but her shares of PRR."""
    holders = {owner: 60} if owner == "a" else {owner: 60, "a": shares}
    position = held(lehigh("5", treasury)).pool("4").start("PRR", 95, at=(2, 4), **holders)
    return position.trains("PRR", "5").cash(a=cash_)


def held(position: Position) -> Position:
    """Bob has as much of LV as Ann, so she can sell nothing of it."""
    position.state.companies["LV"].shares = {"a": 20, "b": 40, "market": 20}
    return position


def agreed(position: Position, price: int) -> Game:
    """Bob has agreed to sell the 5 of PRR at this price."""
    game = position.game()
    buy(game, "5", price, "PRR")
    do(game, "answer", "b", reply="agree")
    return game


def test_a_train_of_another_company_is_agreed_on_before_shares_are_sold_for_it() -> None:
    """R-CH-151, R-CH-152 (11.8), D-CH-5: the bank's train needs no sale, the one agreed on does; it ends with it."""
    game = dear().game()
    assert not offered(game, "sell_shares")
    buy(game, "5", 390, "PRR")
    assert not offered(game, "sell_shares")
    happened = do(game, "answer", "b", reply="agree")
    assert happened == (TrainAgreed("LV", "5", "PRR", 390, 90),)
    assert (kinds(game), company(game, "LV").trains) == (["sell_shares"], [])
    assert values(game, "sell_shares", "a", "shares", company="PRR") == [1]
    do(game, "sell_shares", "a", company="PRR", shares=1)
    assert (company(game, "LV").trains, company(game, "LV").cash, cash(game)["a"]) == (["5"], 0, 0)
    assert game.table.turn.company != "LV" or not offered(game, "sell_shares")


def test_a_train_of_ones_own_other_company_needs_no_answer() -> None:
    """R-CH-151, R-CH-152 (11.8): it is agreed on at once, and what the sale brings too much is kept."""
    position = dear(owner="a").start("N&W", 80, c=40, a=20)
    game = position.game()
    buy(game, "5", 350, "PRR")
    assert kinds(game) == ["sell_shares"]
    do(game, "sell_shares", "a", company="N&W", shares=1)
    assert (company(game, "LV").trains, company(game, "PRR").trains, cash(game)["a"]) == (["5"], [], 30)


def test_a_refused_train_leaves_nothing_sold_in_vain() -> None:
    """R-CH-151, R-CH-152 (11.8): whatever is proposed, only the train then bought bounds the sales."""
    game = dear(200).game()
    for _ in range(2):
        buy(game, "5", 390, "PRR")
        do(game, "answer", "b", reply="refuse")
    assert values(game, "sell_shares", "a", "shares", company="PRR") == [1]
    refused(game, "11.8", "sell_shares", "a", company="PRR", shares=2)
    do(game, "sell_shares", "a", company="PRR", shares=1)
    assert not offered(game, "sell_shares")
    assert ("4", "pool", "", 300, 300) in list(train_deals(game, "LV"))
    buy(game, "4", 300, "pool")
    assert cash(game)["a"] == 30


def test_after_a_sale_a_refusal_changes_nothing() -> None:
    """R-CH-152 (11.8): another company's train has to need the share sold before, asked once or twice."""
    game = dear(100).game()
    do(game, "sell_shares", "a", company="PRR", shares=1)
    deals = list(train_deals(game, "LV"))
    assert deals == [("5", "PRR", "", 141, 400)]
    buy(game, "5", 200, "PRR")
    do(game, "answer", "b", reply="refuse")
    assert list(train_deals(game, "LV")) == deals
    assert "were $140 before" in no_deal(game, "11.8", "5", 140, "PRR")
    assert offered(game, "sell_shares")


def test_the_price_agreed_on_is_at_most_what_can_be_raised() -> None:
    """R-CH-151, R-CH-152 (11.8): treasury, cash and every legal sale; never more than face value."""
    assert ("5", "PRR", "", 1, 480) in list(train_deals(dear(260, shares=20).game(), "LV"))
    assert ("5", "PRR", "", 1, 500) in list(train_deals(dear(260, shares=30).game(), "LV"))
    assert "legal sales can pay: $480" in no_deal(dear(260, shares=20).game(), "11.8", "5", 481, "PRR")


def test_sales_leave_the_train_agreed_on_in_reach() -> None:
    """R-CH-152 (11.8): one by one the shares would bring less than what was agreed on."""
    game = agreed(dear(shares=20), 480)
    assert values(game, "sell_shares", "a", "shares", company="PRR") == [2]
    assert "could not be raised" in refused(game, "11.8", "sell_shares", "a", company="PRR", shares=1)
    do(game, "sell_shares", "a", company="PRR", shares=2)
    assert (company(game, "LV").trains, cash(game)["a"]) == (["5"], 0)


def test_nothing_else_is_done_before_the_train_agreed_on_is_paid() -> None:
    """R-CH-152 (11.8): what is needed for it goes nowhere else."""
    position = dear().owns("b", "D&R")
    game = agreed(position, 390)
    assert "first its president sells shares for the $90" in no_deal(game, "11.8", "4", 300, "pool")
    refused(game, "11.8", "buy_private", "LV", private="D&R", price=20)
    refused(game, "11.8", "pass", "LV")
    refused(game, "11.8", "declare_bankruptcy", "LV")
    assert "needs; $90 is missing" in refused(game, "11.8", "sell_shares", "a", company="PRR", shares=2)


def test_the_presidency_of_the_selling_company_stays_until_it_has_sold() -> None:
    """R-CH-152 (11.8): another president would have to agree anew."""
    position = held(lehigh("5", 40)).pool("4").start("PRR", 95, at=(2, 4), a=30, b=20, c=20)
    game = position.start("N&W", 80, c=50, a=10).trains("PRR", "5").cash(a=260).game()
    assert ("5", "PRR", "", 1, 470) in list(train_deals(game, "LV"))
    buy(game, "5", 380, "PRR")
    assert values(game, "sell_shares", "a", "shares", company="PRR") == [1]
    sentence = refused(game, "11.8", "sell_shares", "a", company="PRR", shares=2)
    assert "presidency of PRR may not change before it has sold" in sentence
    do(game, "sell_shares", "a", company="N&W", shares=1)
    assert company(game, "LV").trains == ["5"]


def test_the_compatible_profile_sells_for_the_cheapest_train_only() -> None:
    """D-CH-5 under 18xx.games."""
    position = lehigh("5", 40, profile="18xx.games").pool("4").start("PRR", 95, at=(2, 4), b=60, a=30)
    game = position.trains("PRR", "5").cash(a=260).game()
    assert not offered(game, "sell_shares")


@pytest.mark.parametrize(("profile", "sells"), [("rulebook", False), ("18xx.games", True)])
def test_shares_are_sold_in_an_operating_round_only_in_a_forced_purchase(profile: str, sells: bool) -> None:
    """R-CH-152 (11.8), D-CH-6: the compatible profile sells even where a train is not forced."""
    position = lehigh("3", 79, "2", profile=profile).start("PRR", 95, b=40, a=30).trains("PRR", "2").cash(a=0)
    game = position.game()
    assert game.step().name == "trains"  # type: ignore[union-attr]
    assert offered(game, "sell_shares") is sells
    if not sells:
        refused(game, "11.8", "sell_shares", "a", company="PRR", shares=1)


def test_the_presidency_of_the_buying_company_may_not_move() -> None:
    """R-CH-153 (11.8)"""
    position = lehigh("5", 0).cash(a=0)
    position.state.companies["LV"].shares.update({"a": 20, "b": 40})
    game = position.start("PRR", 95, at=(2, 4), a=30, b=20).game()
    assert values(game, "sell_shares", "a", "company") == ["PRR"]
    sentence = refused(game, "11.8", "sell_shares", "a", company="LV", shares=1)
    assert "presidency of LV may not change" in sentence


def test_presidencies_of_other_companies_move_at_once() -> None:
    """R-CH-152 (11.8)"""
    position = lehigh("5", 40).cash(a=0).start("PRR", 95, at=(1, 6), a=30, b=20, c=20).pool("4")
    game = position.game()
    do(game, "sell_shares", "a", company="PRR", shares=2)
    assert company(game, "PRR").president == "b"
    assert not game.over


def test_forced_sales_change_the_order_of_those_who_still_operate() -> None:
    """R-CH-081 (11): the falling company now comes after the other."""
    position = lehigh("5", 40).cash(a=100).pool("4").start("PRR", 95, at=(1, 4), b=60, a=30)
    game = position.trains("PRR", "5").start("SRR", 80, at=(2, 4), c=60).game()
    assert [c.id for c in operating_order(game.table) if c.id != "LV"] == ["PRR", "SRR"]
    do(game, "sell_shares", "a", company="PRR", shares=2)
    assert [c.id for c in operating_order(game.table) if c.id != "LV"] == ["SRR", "PRR"]
    buy(game, "4", 300, "pool")
    assert game.table.turn.company == "SRR"


def test_normal_rules_of_selling_hold_in_a_forced_purchase() -> None:
    """R-CH-152 (10.2, 11.8): half of a company in the pool, and the certificate."""
    game = lehigh("5", 40).cash(a=0).start("PRR", 95, b=30, a=30, market=40).game()
    assert "50%" in refused(game, "10.2", "sell_shares", "a", company="PRR", shares=2)
    position = lehigh("5", 40).cash(a=0).start("PRR", 95, a=30, b=10)
    game = position.game()
    assert "take the presidency" in refused(game, "10.3", "sell_shares", "a", company="PRR", shares=2)


def test_the_share_of_a_company_that_was_not_started_is_not_sold() -> None:
    """R-CH-051, R-CH-152 (10.2)"""
    game = lehigh("5", 40).cash(a=0).start("PRR", 95, b=30, a=30).share_of("B&O", "a").game()
    assert "no price" in refused(game, "10.2", "sell_shares", "a", company="B&O", shares=1)


# --- true words ----------------------------------------------------------------------------------------------------


def test_too_little_money_for_the_cheapest_train_is_said() -> None:
    """R-CH-151, R-CH-154 (11.8): it is the cheapest, but cannot be paid."""
    game = forced().game()
    sentence = no_deal(game, "11.8", "4", 300, "pool")
    assert "costs $300; LV and Ann have $140 together" in sentence
    assert "only the cheapest train of the bank and its pool, for $300" in no_deal(game, "11.8", "5", 500)


def test_another_companys_train_is_named_only_where_there_is_one() -> None:
    """R-CH-151 (11.8)"""
    assert "another company" not in no_deal(forced().game(), "11.8", "5", 500)
    game = forced().start("N&W", 80, c=60).trains("N&W", "4").game()
    assert "for $300, or one of another company" in no_deal(game, "11.8", "5", 500)
    assert "No 6-train is for sale" in no_deal(game, "11.7", "6", 630)


def test_shares_are_not_sold_while_cash_and_treasury_pay() -> None:
    """R-CH-150, R-CH-152 (11.8): two different reasons."""
    game = forced(260).game()
    sentence = refused(game, "11.8", "sell_shares", "a", company="PRR", shares=1)
    assert "The cash of Ann, $260, comes first" in sentence
    rich = lehigh("5", 300).pool("4").start("PRR", 95, at=(2, 4), b=40, a=30).game()
    assert "The treasury of LV pays" in refused(rich, "11.8", "sell_shares", "a", company="PRR", shares=1)
    early = lehigh("5", 0).cash(a=0).start("PRR", 95, b=40, a=30).operating("LV", "track").game()
    sentence = refused(early, "11.8", "sell_shares", "a", company="PRR", shares=1)
    assert "only to pay for a train LV is forced to buy" in sentence


def test_a_sale_with_nothing_to_sell_is_refused_with_the_reason() -> None:
    """R-CH-154 (11.8)"""
    sentence = refused(ruined().game(), "11.8", "sell_shares", "a", company="LV", shares=1)
    assert "Ann has no share that may be sold" in sentence


def test_a_diesel_without_money_is_refused_with_both_prices() -> None:
    """R-CH-145 (11.7): with a train to hand in, without one, and at the limit."""
    game = lehigh("6", 650, "5").depot(t6=1).start("PRR", 80, a=60).trains("PRR", "5").game()
    assert "costs $900, or $700 with a trade-in; LV has $650" in no_deal(game, "11.7", "D", 900)
    game = lehigh("6", 650, route=False).depot(t6=1).game()
    assert "A D-train costs $900; LV has $650" in no_deal(game, "11.7", "D", 900)
    game = lehigh("6", 720, "4", "5").depot(t6=1).game()
    assert "only sold for a trade-in" in no_deal(game, "11.7", "D", 900)
    assert "No 6-train can be traded in" in no_deal(game, "11.7", "D", 700, trade_in="6")


def test_a_diesel_before_its_time_is_not_for_sale() -> None:
    """R-CH-140 (11.7): whatever money there is."""
    assert "No D-train is for sale; the bank sells 5" in no_deal(
        lehigh("5", 2000, "5").game(), "11.7", "D", 900
    )


def test_a_seller_is_named_as_people_say_it() -> None:
    """R-CH-140, R-CH-141 (11.7)"""
    game = lehigh("3", 600, "2").pool("2").start("PRR", 80, a=60).trains("PRR", "2").game()
    assert "from the pool" in no_deal(game, "11.7", "3", 180, source="pool")
    assert "from PRR" in no_deal(game, "11.7", "3", 180, source="PRR")
    assert "has a fixed price, $180" in no_deal(game, "11.7", "3", 1)
    assert "at least $1" in no_deal(game, "11.7", "2", 0, source="PRR")
    assert "LV has $600 for a train of PRR" in no_deal(game, "11.7", "2", 601, source="PRR")
    labels = [tell(game).label(one) for one in domain(game, "buy_train", "LV", "source", train="2").choices()]
    assert labels == ["2-train from the pool $80", "2-train from PRR $1 to $600"]


# --- bankruptcy ----------------------------------------------------------------------------------------------------


def ruined() -> Position:
    """Worked example 21: Ann's only shares are those of the company, and Bob would take its presidency."""
    position = lehigh("5", 30).cash(a=50)
    lv = position.state.companies["LV"]
    lv.shares.update({"a": 20, "b": 40})
    del lv.shares["offering"]
    position.t.move_price(lv, (4, 2))
    return position


def test_who_cannot_pay_the_forced_train_is_bankrupt_and_the_game_ends() -> None:
    """R-CH-154, R-CH-181 (11.8, 12), worked example 21."""
    game = ruined().game()
    assert kinds(game) == ["declare_bankruptcy"]
    do(game, "declare_bankruptcy", "LV")
    assert game.over
    assert game.scores()["a"] == 280
    assert cash(game)["a"] == 0
    assert game.table.state.player("a").bankrupt
    assert game.offers() == ()
    refused(game, "", "pass", "LV")


def test_a_bankrupt_player_sells_what_they_can_and_keeps_their_privates() -> None:
    """R-CH-154 (11.8): the unsellable shares and privates at face are their score."""
    position = lehigh("4", 10, "3").cash(a=0).owns("a", "D&R")
    position.trains("LV").start("PRR", 95, at=(1, 1), b=60, a=10)
    position.state.companies["LV"].shares.update({"a": 20, "b": 40})
    position.state.companies["LV"].shares.pop("offering")
    game = position.game()
    assert {"sell_shares", "declare_bankruptcy"} <= set(kinds(game))
    do(game, "declare_bankruptcy", "LV")
    assert company(game, "PRR").percent("a") == 0
    assert game.scores()["a"] == 4 * 95 + 20


def test_who_can_pay_by_selling_is_not_bankrupt() -> None:
    """R-CH-154 (11.8)"""
    game = forced().game()
    assert "treasury, cash and all legal sales" in refused(game, "11.8", "declare_bankruptcy", "LV")


def test_one_may_still_ask_for_a_train_of_another_company_before_giving_up() -> None:
    """R-CH-154 (11.8)"""
    game = ruined().start("PRR", 80, b=60).trains("PRR", "4").game()
    assert set(kinds(game)) == {"buy_train", "declare_bankruptcy"}
    buy(game, "4", 80, "PRR")
    do(game, "answer", "b", reply="refuse")
    buy(game, "4", 80, "PRR")
    do(game, "answer", "b", reply="agree")
    assert not game.over
    assert company(game, "LV").trains == ["4"]


@pytest.mark.parametrize(("profile", "early"), [("rulebook", False), ("18xx.games", True)])
def test_bankruptcy_comes_only_out_of_the_forced_purchase(profile: str, early: bool) -> None:
    """R-CH-154 (11.8), D-CH-7: the compatible profile takes it in any step of the turn."""
    position = (
        Position(profile=profile).phase("5").start("LV", 70, a=40, b=40, c=20).treasury("LV", 30).cash(a=0)
    )
    position.state.companies["LV"].floated = True
    game = position.tile("J2", "57", 1).operating("LV", "track").game()
    assert game.step().name == "track"  # type: ignore[union-attr]
    assert offered(game, "declare_bankruptcy") is early
    if not early:
        refused(game, "11.8", "declare_bankruptcy", "LV")


# --- export --------------------------------------------------------------------------------------------------------


def end_of_set(position: Position) -> Game:
    """LV without a route ends the set."""
    others = [c.id for c in position.state.companies.values() if c.floated and c.id != "LV"]
    game = position.operating("LV", "trains", operated=others).game()
    while round_name(game).startswith("OR"):
        passes(game, "LV")
    return game


def test_a_train_leaves_after_each_set() -> None:
    """R-CH-170 (11.9), worked example 17: the last 3, no change of phase."""
    position = Position().phase("3").depot(t3=1).start("LV", 95, a=60)
    game = end_of_set(position)
    assert (game.table.state.depot["3"], game.table.state.phase, round_name(game)) == (0, "3", "SR 3")


def test_the_first_of_a_kind_that_leaves_starts_its_phase() -> None:
    """R-CH-170 (11.9), worked example 17: discards come before the stock round."""
    position = Position().phase("3").depot(t3=0).start("LV", 95, a=60).start("PRR", 80, b=60)
    game = end_of_set(position.trains("LV", "3", "3", "3", "3").trains("PRR", "2", "3"))
    assert game.table.state.phase == "4"
    assert company(game, "PRR").trains == ["3"]
    assert (round_name(game), kinds(game)) == ("SR 3", ["discard_train"])
    refused(game, "11.7", "pass", "a")
    do(game, "discard_train", "LV", train="3")
    assert company(game, "LV").trains == ["3", "3", "3"]
    assert set(kinds(game)) >= {"pass"}
    passes(game, "a", "b", "c")
    assert game.table.operating.of == 2


@pytest.mark.parametrize("phase", ["5", "6", "D"])
def test_permanent_trains_never_leave(phase: str) -> None:
    """R-CH-170 (11.9), worked example 17."""
    position = Position().phase(phase).pool("4").start("LV", 95, a=60)
    before = dict(position.state.depot)
    game = end_of_set(position)
    assert game.table.state.depot == before
    assert game.table.state.pool == ["4"]


def test_no_train_leaves_between_the_rounds_of_a_set() -> None:
    """R-CH-170 (11.9)"""
    position = Position().phase("3").start("LV", 95, a=60)
    game = position.operating("LV", "trains", number=1, of=2).game()
    passes(game, "LV")
    assert round_name(game) == "OR 2.2"
    assert game.table.state.depot["3"] == 5
