"""18AL: trains, forced purchases, bankruptcy and the end of the game (rulebook 4.2.4, 4.2.5, 5)."""

import pytest

from engine.core.events import ObsoleteTrainsRemoved, TrainsMadeObsolete
from engine.play.trains.phases import counted_train_count
from tests.titles.builders import TitleGame
from tests.titles.t18al.alabama import Alabama


def test_train_limit_falls_with_first_5() -> None:
    """R-AL-184, example 18: the excess goes to the open market, all privates close."""
    position = Alabama().start("ATN", 60, a=60).start("TAG", 60, b=60).phase("4").depot(t4=0)
    position.trains("ATN", "3", "3", "4").owns("c", "BLC")
    game = position.treasury("TAG", 700).operating("TAG", "trains").game()
    game.buy("TAG", "5", 450)
    assert game.actors() == ("a",)
    assert game.table.state.privates["BLC"].closed
    game.do("discard_train", "ATN", train="3")
    assert game.table.state.pool == ["3"]
    assert ("3", "pool", "", 180, 180) in list(game.train_deals("TAG"))


def _before_the_seventh(profile: str = "rulebook", options: tuple[str, ...] = ()) -> TitleGame:
    position = Alabama(profile=profile, options=options).phase("6").depot(t6=0).pool("4")
    position.start("TAG", 60, a=60).start("ABC", 60, b=60).trains("TAG", "4").trains("ABC", "4", "5")
    return position.treasury("TAG", 2000).operating("TAG", "trains").game()


def test_first_7_makes_4_trains_obsolete() -> None:
    """R-AL-185, R-AL-186, R-AL-187, D-AL-8, D-AL-9 (4.2.5.1, 4.2.5(g)), example 20: but takes those of its
    buyer, except on that site; by option all leave. They leave after the dividend."""
    game = _before_the_seventh()
    assert TrainsMadeObsolete("4", ("ABC",), ("TAG",)) in game.buy("TAG", "7", 700)
    assert (game.company("TAG").runnable_trains, game.company("ABC").obsolete) == (["7"], ["4"])
    assert game.table.state.pool == []
    assert "4" not in [train for train, *_ in game.train_deals("TAG")]
    game = _before_the_seventh("18xx.games")
    game.buy("TAG", "7", 700)
    assert game.company("TAG").obsolete == ["4"]
    game = _before_the_seventh(options=("hard_rust_t4",))
    game.buy("TAG", "7", 700)
    assert game.company("ABC").runnable_trains == ["5"]
    position = Alabama().start("ABC", 60, b=60).phase("7").trains("ABC", "5").obsolete("ABC", "4")
    game = position.treasury("ABC", 0).operating("ABC", "dividend", revenue=90).game()
    happened = game.do("dividend", "ABC", option="withhold")
    assert ObsoleteTrainsRemoved("ABC", ("4",)) in happened
    limited = Alabama().start("ABC", 60, b=60).phase("7").trains("ABC", "5").obsolete("ABC", "4").game()
    free = Alabama(profile="18xx.games").start("ABC", 60, b=60).phase("7").trains("ABC", "5")
    assert counted_train_count(limited.table, limited.company("ABC")) == 2
    assert counted_train_count(free.obsolete("ABC", "4").game().table, free.game().company("ABC")) == 1


def _montgomery(treasury: int, president: int) -> Alabama:
    """WRA without a train but with a run from Montgomery to Selma; only 4D-trains are left."""
    position = Alabama().phase("4D").cash(a=president).tiles(L5=("57", 2))
    position.start("WRA", 75, at=(2, 5), a=60, b=20)
    return position.treasury("WRA", treasury)


def test_president_pays_for_a_4d() -> None:
    """R-AL-191, R-AL-192, R-AL-193, R-AL-194, D-AL-7, example 21: and only for trains of the bank."""
    position = _montgomery(410, 107).start("ATN", 75, at=(2, 6), b=60, a=20)
    game = position.operating("WRA", "trains").game()
    assert "pass" not in game.kinds()
    game.sell("a", "ATN", 2)
    assert game.table.price(game.company("ATN")) == 70
    game.sell("a", "WRA", 2)
    assert game.table.price(game.company("WRA")) == 65
    assert not game.offered("sell_shares", "a")
    game.buy("WRA", "4D", 800)
    assert (game.company("WRA").cash, game.cash()["a"]) == (0, 27)
    for profile, most in (("rulebook", 100), ("18xx.games", 450)):
        position = Alabama(profile=profile).phase("4D").cash(a=900).tiles(L5=("57", 2))
        position.start("WRA", 75, a=60, b=20).treasury("WRA", 100).start("TAG", 60, b=60).trains("TAG", "5")
        game = position.operating("WRA", "trains").game()
        assert [deal[4] for deal in game.train_deals("WRA") if deal[1] == "TAG"] == [most]


def test_bankruptcy_of_a_president() -> None:
    """R-AL-190, R-AL-193, R-AL-197, R-AL-213 (4.2.5.2), example 23; without a run no train need be bought."""
    position = Alabama().phase("4D").cash(a=27).tiles(G6=("57", 1))
    position.start("ABC", 60, at=(4, 9), a=60, market=20)
    position.start("WRA", 60, at=(3, 4), a=40, b=10, c=10).treasury("ABC", 232)
    game = position.operating("ABC", "trains").game()
    assert "declare_bankruptcy" in game.kinds()
    game.do("declare_bankruptcy", "ABC")
    assert game.is_over
    assert game.scores()["a"] == 380
    game = _montgomery(100, 0).depot(t4D=0).operating("WRA", "trains").game()
    assert not game.offered("buy_train", "WRA")
    position = Alabama().phase("4D").start("WRA", 60, a=60).treasury("WRA", 900)
    game = position.operating("WRA", "trains").game()
    assert "pass" in game.kinds()
    game.no_deal("4.2.5", "WRA", "7", 700)


@pytest.mark.parametrize(("options", "count"), [((), 5), (("unlimited_4d",), None)])
def test_4d_trains_are_limited(options: tuple[str, ...], count: int | None) -> None:
    """R-AL-007, section 7."""
    assert Alabama(options=options).game().table.state.depot["4D"] == count


def test_home_of_the_l_and_n_may_be_moved() -> None:
    position = Alabama(options=("LN_home_city_moved",)).start("L&N", 60, a=60).operating("L&N")
    game = position.game()
    assert game.table.map.token_stops_of("L&N") == [("C4", 0)]
    assert [stop.kind for stop in game.table.map.topology("A4").stops] == ["offboard"]
