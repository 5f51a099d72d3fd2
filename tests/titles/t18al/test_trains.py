"""18AL: trains, forced purchases, bankruptcy and the end of the game (rulebook 4.2.4, 4.2.5, 5)."""

import pytest

from engine.core.events import MadeObsolete, ObsoleteGone
from engine.game import Game
from engine.play.trains.phases import counted_trains
from tests.titles.builders import cash, company, do, kinds, offered, refused, train_deals, values
from tests.titles.t18al.alabama import Alabama


def buy(game: Game, entity: str, train: str, price: int, source: str = "bank") -> tuple[object, ...]:
    """Buy a train."""
    return do(game, "buy_train", entity, train=train, source=source, trade_in="", price=price)


def test_dividend() -> None:
    """R-AL-160, R-AL-161, R-AL-162, R-AL-163, example 12."""

    def revenue() -> Game:
        position = Alabama().cash(a=0).start("TAG", 70, a=60, market=20).treasury("TAG", 0)
        return position.operating("TAG", "dividend", revenue=180).game()

    game = revenue()
    do(game, "dividend", "TAG", option="pay")
    assert (cash(game)["a"], company(game, "TAG").cash) == (108, 36)
    assert game.table.price(company(game, "TAG")) == 75
    game = revenue()
    do(game, "dividend", "TAG", option="withhold")
    assert (cash(game)["a"], company(game, "TAG").cash) == (0, 180)
    assert game.table.price(company(game, "TAG")) == 65


@pytest.mark.parametrize(
    ("cell", "option", "price"),
    [((2, 15), "pay", 270), ((1, 1), "withhold", 55), ((7, 1), "withhold", 30), ((1, 15), "pay", 300)],
)
def test_edges_of_the_chart(cell: tuple[int, int], option: str, price: int) -> None:
    """R-AL-162, R-AL-163, example 13."""
    position = Alabama().start("TAG", 60, a=60, at=cell).operating("TAG", "dividend", revenue=50)
    game = position.game()
    do(game, "dividend", "TAG", option=option)
    assert game.table.price(company(game, "TAG")) == price


def test_the_game_ends_after_the_operating_round_in_which_a_price_reaches_300() -> None:
    """R-AL-211 (5(b)): not after the set."""
    position = Alabama().start("TAG", 60, a=60, at=(1, 15)).treasury("TAG", 0).trains("TAG", "2")
    game = position.operating("TAG", "dividend", revenue=50, of=3).game()
    do(game, "dividend", "TAG", option="pay")
    assert game.over
    assert game.table.state.ending is not None
    assert game.table.state.ending.reason == "price"


def test_the_game_ends_after_the_operating_round_in_which_the_bank_breaks() -> None:
    """R-AL-210 (5(a)): it stands at $0 or cannot pay."""
    position = Alabama().start("TAG", 60, a=60).treasury("TAG", 0).trains("TAG", "2")
    game = position.operating("TAG", "dividend", revenue=50, of=3).bank(50).game()
    do(game, "dividend", "TAG", option="withhold")
    assert game.over
    assert game.table.state.bank == 0


def test_one_bank_train_a_turn_before_the_first_4() -> None:
    """R-AL-181, example 19."""
    game = Alabama().start("TAG", 60, a=60).phase("3").treasury("TAG", 700).operating("TAG", "trains").game()
    buy(game, "TAG", "3", 180)
    assert not offered(game, "buy_train", "TAG")


def test_the_first_4_train() -> None:
    """R-AL-181, R-AL-183, example 19: 2-trains leave, the limit is 3, the buyer may continue."""
    position = Alabama().start("TAG", 60, a=60).phase("3").depot(t3=0).trains("TAG", "2")
    game = position.treasury("TAG", 700).operating("TAG", "trains").game()
    buy(game, "TAG", "4", 300)
    assert company(game, "TAG").trains == ["4"]
    buy(game, "TAG", "4", 300)
    assert game.table.state.phase == "4"


def test_the_limit_falls_with_the_first_5_train() -> None:
    """R-AL-184, example 18: the excess goes to the open market, all privates close."""
    position = Alabama().start("ATN", 60, a=60).start("TAG", 60, b=60).phase("4").depot(t4=0)
    position.trains("ATN", "3", "3", "4").owns("c", "BLC")
    game = position.treasury("TAG", 700).operating("TAG", "trains").game()
    buy(game, "TAG", "5", 450)
    assert game.actors() == ("a",)
    assert game.table.state.privates["BLC"].closed
    do(game, "discard_train", "ATN", train="3")
    assert game.table.state.pool == ["3"]
    assert ("3", "pool", "", 180, 180) in list(train_deals(game, "TAG"))


def _before_the_seventh(profile: str = "rulebook", options: tuple[str, ...] = ()) -> Game:
    position = Alabama(profile=profile, options=options).phase("6").depot(t6=0).pool("4")
    position.start("TAG", 60, a=60).start("ABC", 60, b=60).trains("TAG", "4").trains("ABC", "4", "5")
    return position.treasury("TAG", 2000).operating("TAG", "trains").game()


def test_the_7_train_makes_4_trains_obsolete_but_takes_those_of_its_buyer() -> None:
    """R-AL-185, example 20."""
    game = _before_the_seventh()
    happened = buy(game, "TAG", "7", 700)
    assert MadeObsolete("4", ("ABC",), ("TAG",)) in happened
    assert company(game, "TAG").running == ["7"]
    assert company(game, "ABC").obsolete == ["4"]
    assert game.table.state.pool == []
    assert offered(game, "buy_train", "TAG")
    assert "4" not in [train for train, *_ in train_deals(game, "TAG")]


def test_the_buyer_keeps_obsolete_4_trains_under_the_other_profile() -> None:
    """D-AL-8, example 20."""
    game = _before_the_seventh("18xx.games")
    buy(game, "TAG", "7", 700)
    assert company(game, "TAG").obsolete == ["4"]


def test_all_4_trains_leave_at_once_by_option() -> None:
    """Section 7: no exception."""
    game = _before_the_seventh(options=("hard_rust_t4",))
    buy(game, "TAG", "7", 700)
    assert company(game, "ABC").running == ["5"]


def test_obsolete_trains_count_for_the_limit_and_leave_after_the_dividend() -> None:
    """R-AL-186, R-AL-187 (4.2.5.1, 4.2.5(g)), D-AL-9."""
    position = Alabama().start("ABC", 60, b=60).phase("7").trains("ABC", "5").obsolete("ABC", "4")
    game = position.treasury("ABC", 0).operating("ABC", "dividend", revenue=90).game()
    happened = do(game, "dividend", "ABC", option="withhold")
    assert ObsoleteGone("ABC", ("4",)) in happened
    limited = Alabama().start("ABC", 60, b=60).phase("7").trains("ABC", "5").obsolete("ABC", "4").game()
    free = Alabama(profile="18xx.games").start("ABC", 60, b=60).phase("7").trains("ABC", "5")
    assert counted_trains(limited.table, company(limited, "ABC")) == 2
    assert counted_trains(free.obsolete("ABC", "4").game().table, company(free.game(), "ABC")) == 1


# --- forced purchases --------------------------------------------------------------------------------------------


def _montgomery(treasury: int, president: int) -> Alabama:
    """WRA without a train but with a run from Montgomery to Selma; only 4D-trains are left."""
    position = Alabama().phase("4D").cash(a=president).tiles(L5=("57", 2))
    position.start("WRA", 75, at=(2, 5), a=60, b=20)
    return position.treasury("WRA", treasury)


def test_a_forced_purchase() -> None:
    """R-AL-191, R-AL-192, R-AL-193, R-AL-194, example 21."""
    position = _montgomery(410, 107).start("ATN", 75, at=(2, 6), b=60, a=20)
    game = position.operating("WRA", "trains").game()
    assert "pass" not in kinds(game)
    do(game, "sell_shares", "a", company="ATN", shares=2)
    assert game.table.price(company(game, "ATN")) == 70
    do(game, "sell_shares", "a", company="WRA", shares=2)
    assert game.table.price(company(game, "WRA")) == 65
    assert not offered(game, "sell_shares", "a")
    buy(game, "WRA", "4D", 800)
    assert (company(game, "WRA").cash, cash(game)["a"]) == (0, 27)


def test_a_president_does_not_oversell() -> None:
    """R-AL-194, example 22: a share at 105 alone; with one at 50 sold too, more than that would be left."""
    position = Alabama().phase("4D").cash(a=110).tiles(L5=("57", 2))
    position.start("WRA", 75, a=20, b=10, c=10, market=30).treasury("WRA", 600)
    position.start("ATN", 60, at=(3, 1), b=60, a=10).start("M&O", 105, b=60, a=10)
    game = position.operating("WRA", "trains").game()
    assert values(game, "sell_shares", "a", "company") == ["M&O"]
    refused(game, "4.2.5.2", "sell_shares", "a", company="ATN", shares=1)
    do(game, "sell_shares", "a", company="M&O", shares=1)
    buy(game, "WRA", "4D", 800)
    assert cash(game)["a"] == 15


def test_a_small_share_may_come_first_where_it_is_needed() -> None:
    """R-AL-194: 50 and 105 for 140."""
    position = Alabama().phase("4D").cash(a=60).tiles(L5=("57", 2))
    position.start("WRA", 75, a=20, b=10, c=10, market=30).treasury("WRA", 600)
    position.start("ATN", 60, at=(3, 1), b=60, a=10).start("M&O", 105, b=60, a=10)
    game = position.operating("WRA", "trains").game()
    do(game, "sell_shares", "a", company="ATN", shares=1)
    do(game, "sell_shares", "a", company="M&O", shares=1)
    buy(game, "WRA", "4D", 800)
    assert cash(game)["a"] == 15


def test_the_presidents_money_buys_bank_trains_only() -> None:
    """R-AL-192, D-AL-7."""
    for profile, most in (("rulebook", 100), ("18xx.games", 450)):
        position = Alabama(profile=profile).phase("4D").cash(a=900).tiles(L5=("57", 2))
        position.start("WRA", 75, a=60, b=20).treasury("WRA", 100).start("TAG", 60, b=60).trains("TAG", "5")
        game = position.operating("WRA", "trains").game()
        assert [deal[4] for deal in train_deals(game, "WRA") if deal[1] == "TAG"] == [most]


def test_bankruptcy() -> None:
    """R-AL-193, R-AL-197, R-AL-213, example 23."""
    position = (
        Alabama().phase("4D").cash(a=27).tiles(G6=("57", 1)).start("ABC", 60, at=(4, 9), a=60, market=20)
    )
    position.start("WRA", 60, at=(3, 4), a=40, b=10, c=10).treasury("ABC", 232)
    game = position.operating("ABC", "trains").game()
    assert "declare_bankruptcy" in kinds(game)
    do(game, "declare_bankruptcy", "ABC")
    assert game.over
    assert game.scores()["a"] == 380


def test_privates_may_be_sold_to_pay_for_a_train() -> None:
    """R-AL-195 (4.2.5.2)"""
    position = Alabama().phase("4").cash(a=50, b=300).tiles(L5=("57", 2)).owns("a", "NDY")
    position.start("WRA", 60, a=60, b=20).treasury("WRA", 100)
    game = position.operating("WRA", "trains").game()
    do(game, "sell_private", "a", private="NDY", buyer="b", price=160)
    do(game, "answer", "b", reply="agree")
    buy(game, "WRA", "4", 300)
    assert cash(game)["a"] == 10


def test_no_train_need_be_bought_when_none_is_left_or_there_is_no_run() -> None:
    """R-AL-190 (4.2.5.2)"""
    game = _montgomery(100, 0).depot(t4D=0).operating("WRA", "trains").game()
    assert not offered(game, "buy_train", "WRA")
    position = Alabama().phase("4D").start("WRA", 60, a=60).treasury("WRA", 900)
    game = position.operating("WRA", "trains").game()
    assert "pass" in kinds(game)
    refused(game, "4.2.5", "buy_train", "WRA", train="7", source="bank", trade_in="", price=700)


@pytest.mark.parametrize(("options", "count"), [((), 5), (("unlimited_4d",), None)])
def test_4d_trains_are_limited_but_for_the_option(options: tuple[str, ...], count: int | None) -> None:
    """R-AL-007, section 7."""
    assert Alabama(options=options).game().table.state.depot["4D"] == count


def test_the_home_of_the_l_and_n_may_be_moved() -> None:
    """Section 7: Decatur, and Nashville is a plain red area."""
    position = Alabama(options=("LN_home_city_moved",)).start("L&N", 60, a=60).operating("L&N")
    game = position.game()
    assert game.table.map.tokens_of("L&N") == [("C4", 0)]
    assert [stop.kind for stop in game.table.map.topology("A4").stops] == ["offboard"]


def test_a_player_whose_money_cannot_end_the_sales_well_is_refused_with_the_reason() -> None:
    """R-AL-194 (4.2.5.2): after $10 for the private, three shares at $60 would leave $40, and two are too few."""
    position = Alabama().phase("4").cash(a=50, b=150, c=10).tiles(L5=("57", 2)).owns("a", "TR")
    position.start("WRA", 60, a=60, b=20).treasury("WRA", 100)
    game = position.operating("WRA", "trains").game()
    refusal = refused(game, "4.2.5.2", "sell_private", "a", private="TR", buyer="c", price=10)
    assert "$150 is missing: after this no other sales would pay it" in refusal
    assert "There is no company ?" in refused(game, "", "sell_shares", "a", company="?", shares=1)
