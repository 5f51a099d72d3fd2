"""Amtrak and Conrail (section 12 of the digest of 18C2C)."""

import pytest

from engine.core.events import NationalNotFormed
from engine.core.ids import MARKET, OFFERING
from engine.core.state import Operating
from engine.play.trains.forced_purchase import must_buy_train
from engine.titles.t18c2c.nationals import form_national
from tests.titles.t18c2c.merging import Merging, bought, example_14


def southern(players: int = 3) -> Merging:
    """SOU is about to buy the first 3D, with which corporations that have 3s only lose all their trains."""
    position = Merging(players, phase="5").single("SOU", 8, a=60, treasury=700, trains="5").depot(t5=0)
    return position.operating("SOU", "trains")


def test_amtrak_takes_over_trainless() -> None:
    """Example 14: the first 3D, after the 3s have gone; only those that lost their last train just then, or
    by `national_absorbs` all trainless; of a merger two shells are one again. Amtrak loses its 4 and
    continues without (R-C2C-240, R-C2C-244, R-C2C-247)."""
    game = bought(example_14().single("PRR", 7, 3, c=60, trains="3 5").single("ERIE", 7, 6, c=60))
    assert game.company("AMTK").parts == ["WAB", "IC"]
    assert [game.company(name).closed for name in ("IC", "WAB", "PRR", "ERIE")] == [True, True, False, False]
    assert game.company("PRR").trains == ["5"]
    position = example_14().single("ERIE", 7, 6, c=60)
    nationals = position.t.spec.nationals
    assert nationals is not None
    every = nationals.model_copy(update={"absorbs": "all_trainless"})
    position.t.spec = position.t.spec.model_copy(update={"nationals": every})
    assert bought(position).company("AMTK").parts == ["WAB", "ERIE", "IC"]
    game = bought(example_14())
    t = game.table
    t.state.companies["AMTK"].trains = ["4"]
    t.state.companies["SOU"].trains = ["5"]
    form_national(t, ["AMTK"])
    assert not game.company("CR").is_started
    assert game.company("AMTK").is_started
    position = example_14()
    found = position.state.companies["IC"]
    found.parts, found.second = ["IC", "L&N"], ["3"]
    game = bought(position)
    assert game.company("AMTK").parts == ["WAB", "IC"]
    assert not game.company("AMTK").is_merged


def test_exchange_for_shares_of_a_national() -> None:
    """R-C2C-007, R-C2C-241, R-C2C-242, R-C2C-243, example 14: A 3 and $72, B 3, the pool 3 to 1, the
    offerings vanish; N = 7, three for sale at 100; Bob of the higher-priced WAB presides. Without a holder of
    two none forms, and they continue without a train. 160 and 90 are 125 on the average: 120 in the top row.
    Three corporations held by players: shares of 5 %, the president's certificate 10 %."""
    game = bought(example_14().cash(a=0, b=0, c=0))
    found = game.company("AMTK")
    assert [found.percent(holder) for holder in ("a", "b", MARKET, OFFERING)] == [30, 30, 10, 30]
    assert (game.cash(), found.par, found.share, found.cell) == ({"a": 72, "b": 0, "c": 0}, 100, 10, (0, 6))
    assert found.president == "b"
    position = southern()
    position.single("IC", 1, b=20, market=40, trains="3")
    game = position.game()
    events = game.buy("SOU", "3D", 630)
    assert NationalNotFormed("AMTK", ("IC",)) in events
    assert (game.company("IC").president, game.company("AMTK").is_started) == ("b", False)
    position = southern()
    position.single("IC", 11, b=60, trains="3").single("WAB", 7, 2, c=60, trains="3")
    game = bought(position)
    average = (game.table.grid.price((0, 10)) + 90) // 2
    assert game.company("AMTK").par == game.table.grid.price(game.table.grid.cell_priced_at_most(average))
    position = southern()
    for name, column in (("IC", 2), ("WAB", 3), ("ERIE", 4)):
        position.single(name, column, b=60, c=40, trains="3")
    game = bought(position)
    found = game.company("AMTK")
    assert (found.share, found.certificate, found.percent("b"), found.percent("c")) == (5, 10, 45, 30)
    assert found.percent(OFFERING) == 25


@pytest.mark.parametrize(
    ("held", "shares", "paid"),
    [({"b": 60, "c": 20, "market": 20}, [15, 5, 0, 0], 0), ({"b": 60, "c": 40}, [10, 10, 0, 0], 5)],
)
def test_above_twenty_the_pool_loses_first(held: dict[str, int], shares: list[int], paid: int) -> None:
    """Five corporations and 25 new shares: the pool's go, or players are paid the start price (R-C2C-241)."""
    position = southern().cash(b=0, c=0)
    for column, name in enumerate(("IC", "WAB", "ERIE", "L&N", "NYC"), start=1):
        position.single(name, column, trains="3", **held)
    game = bought(position)
    found = game.company("AMTK")
    assert [found.percent(holder) // found.share for holder in ("b", "c", MARKET, OFFERING)] == shares
    assert (game.cash()["b"], found.president) == (paid * (found.par or 0), "b")


def test_above_twenty_president_keeps_certificate() -> None:
    """Five of 25 new shares go: four of the president's six, and one of the player before them (R-C2C-241)."""
    position = southern(5)
    first = {"b": 40, "a": 20, "c": 20, "d": 20}
    for column, name in enumerate(("IC", "WAB", "ERIE", "L&N", "NYC"), start=1):
        position.single(name, column, trains="3", **(first if column == 1 else dict.fromkeys("bacde", 20)))
    found = bought(position).company("AMTK")
    assert found.president == "b"
    assert [found.percent(who) // found.share for who in "abcde"] == [4, 2, 5, 5, 4]


def test_national_has_eight_tokens() -> None:
    """Example 14: IC 3 and WAB 2 on the map with one city shared, two unplaced: 4 on the map, 4 in all (R-C2C-245)."""
    position = example_14().station("IC", "Q58").station("IC", "J57", 0).station("WAB", "J57", 1)
    position.state.companies["IC"].tokens = [0]
    position.reserved("WAB")
    game = bought(position)
    found, placed = game.company("AMTK"), game.table.map.token_stops_of("AMTK")
    assert placed == [("J57", 1), ("L59", 0), ("Q58", 0), ("T53", 0)]
    assert found.extra is not None
    assert (found.tokens, found.extra.reserved) == ([0, 0, 0, 0], [])


def test_turn_of_a_national() -> None:
    """R-C2C-246, R-C2C-247, R-C2C-248: it operates at once. WAB must buy a train in the same place, Amtrak
    need not. It places two tokens, in Cincinnati, then beyond it in Louisville; a third one waits."""
    game = bought(example_14())
    assert isinstance(game.table.state.round, Operating)
    assert "AMTK" not in game.table.operating_round.done
    late = example_14().single("ERIE", 7, 6, c=60)
    assert isinstance(late.state.round, Operating)
    late.state.round.done = ["IC"]
    assert "AMTK" in bought(late).table.operating_round.done

    def waits(name: str) -> Merging:
        position = Merging(phase="5").depot(t5=0).single(name, 7, a=60, treasury=10)
        return position.tile("L59", "57", 2).tile("M60", "8", 2).tile("M62", "5", 0)

    forced = waits("WAB").cash(a=2000).operating("WAB", "trains").game()
    assert "pass" not in forced.kinds()
    national = waits("WAB")
    amtrak, wabash = (national.state.companies[name] for name in ("AMTK", "WAB"))
    national.t.map.replace_token("L59", 0, "WAB", "AMTK")
    amtrak.shares, amtrak.certificate_holder, amtrak.par = wabash.shares, "a", 100
    national.t.leave_market(wabash)
    national.t.enter_market(amtrak, (0, 6))
    amtrak.floated = amtrak.operated = True
    assert not must_buy_train(national.operating("AMTK", "trains").t)
    position = example_14().single("L&N", 7, 6, c=60, trains="5")
    position.tile("L59", "57", 2).tile("M60", "8", 2).tile("M62", "5", 0).tile("N61", "8", 1)
    position.tile("N59", "57", 1).tile("N59", "14", 0)
    game = bought(position)
    assert game.table.turn.company == "AMTK"
    game.passes("AMTK")  # no track
    before = game.company("AMTK").cash
    game.do("place_token", "AMTK", hex="M62", city=0)
    game.do("place_token", "AMTK", hex="N59", city=0)
    assert (game.company("AMTK").cash, len(game.company("AMTK").tokens)) == (before, 4)
    assert not game.offered("place_token")


def test_no_nationals_option() -> None:
    """The option `no_nationals` (R-C2C-240)."""
    position = Merging(phase="5", options=["no_nationals"]).single("SOU", 8, a=60, treasury=700, trains="5")
    position.single("IC", 1, b=60, trains="3").depot(t5=0).operating("SOU", "trains")
    assert bought(position).company("IC").is_started
