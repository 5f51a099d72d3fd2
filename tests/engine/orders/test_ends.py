"""When orders end: not before, not after, and for what concerns their player."""

from typing import Any

import pytest

from engine.core.events import (
    Event,
    MadeObsolete,
    MinorStarted,
    Parred,
    PresidentChanged,
    Rusted,
    SharesExchanged,
    SharesSold,
)
from engine.game import Game
from engine.orders import Standing, stopped, would_do
from engine.orders.order_kinds import BuyShares, DoneAfter, Order, PassMerger, PassStock, RunBest, SkipStep
from engine.orders.order_moves import concerns
from engine.seat import SeatedPlayer
from tests.titles.builders import Position, do, passes
from tests.titles.t18al.alabama import Alabama
from tests.titles.t18newengland.newengland import NewEngland


def ends(game: Game, player: str, order: Order, *events: Event) -> list[str]:
    """Why it ends now."""
    return [one.why.name for one in stopped(game, [Standing(1, player, order, 0)], events)]


def does(game: Game, player: str, order: Order) -> Any:
    """What it does now."""
    return would_do(game, player, [Standing(1, player, order, 0)])


def stock(number: int = 2) -> Game:
    """Ann's PRR lacks two shares to float; Bob has one of it."""
    place = Position().cash(a=500, b=500, c=500).start("PRR", 70, a=30, b=10)
    return place.stock("a", number=number).game()


def operating(set_: int) -> Game:
    """An operating round of Ann's LV."""
    return Position().start("LV", 70, a=60).operating("LV", set=set_).game()


def buying(shares: int | None = None) -> BuyShares:
    """In the second stock round."""
    return BuyShares(round=2, company="PRR", source="offering", shares=shares)


# --- stock rounds ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [PassStock(round=2, until="over"), buying(9)])
def test_an_order_for_a_stock_round_stands_until_that_round_is_over(order: Order) -> None:
    assert [ends(stock(number), "a", order) for number in (1, 2, 3)] == [[], [], ["order.round_over"]]
    assert [ends(operating(set_), "a", order) for set_ in (1, 2)] == [[], ["order.round_over"]]


def test_an_order_to_buy_does_nothing_in_another_round_or_turn() -> None:
    assert [does(game, "a", buying()) is None for game in (stock(1), stock(2), stock(3))] == [
        True,
        False,
        True,
    ]
    assert does(operating(2), "a", buying()) is None
    assert does(stock(), "b", buying()) is None


def test_an_order_that_has_bought_ends_once_its_player_is_no_more_on_turn() -> None:
    """With as many shares as were wanted; with one more to come it stands."""
    game = Position().cash(b=500).start("PRR", 70, a=20, b=10).stock("b").game()
    do(game, "buy_share", "b", company="PRR", source="offering")
    assert game.actors() != ("b",)
    assert (ends(game, "b", buying(2)), ends(game, "b", buying(3))) == (["order.has_shares"], [])


def test_while_its_player_may_still_act_an_order_that_has_bought_stands() -> None:
    """18AL: Bob may sell shares of the M&O after a purchase that floats the L&N."""
    place = Alabama().cash(b=500).start("L&N", 70, a=40, b=10).start("M&O", 70, a=20, b=30)
    game = place.stock("b").game()
    events = do(game, "buy_share", "b", company="L&N", source="offering")
    assert game.actors() == ("b",)
    orders = [BuyShares(round=2, company="L&N", source="offering", shares=shares) for shares in (None, 2)]
    for order in orders:
        assert ends(game, "b", order, *events) == []
        assert does(game, "b", order).walk.offer.kind == "pass"
    passes(game, "b")
    assert [ends(game, "b", order) for order in orders] == [["order.floated"], ["order.has_shares"]]


@pytest.mark.parametrize(
    ("player", "event", "why"),
    [
        ("a", Parred("c", "LV", 80, 20, 160), ["order.started"]),
        ("c", Parred("c", "LV", 80, 20, 160), []),
        ("a", SharesSold("b", "PRR", 1, 70, 70, 65), ["order.sold"]),
        ("b", SharesSold("b", "PRR", 1, 70, 70, 65), []),
        ("c", SharesSold("b", "PRR", 1, 70, 70, 65), []),
        ("b", PresidentChanged("PRR", "a", "c"), ["order.new_president"]),
        ("c", PresidentChanged("PRR", "a", "b"), []),
        ("a", Rusted("2", (("PRR", 1),)), ["order.rusted"]),
        ("b", Rusted("2", (("PRR", 1),)), []),
    ],
)
def test_an_order_to_buy_ends_with_what_happens_in_its_company(
    player: str, event: Event, why: list[str]
) -> None:
    """And with any new one of somebody else."""
    assert ends(stock(), player, buying(9), event) == why


def test_an_order_to_buy_stands_whatever_happens_in_other_companies() -> None:
    game = Position().start("PRR", 70, a=30).start("LV", 80, b=30, a=10).stock("a").game()
    for event in (SharesSold("b", "LV", 1, 80, 80, 75), PresidentChanged("LV", "b", "c")):
        assert ends(game, "a", buying(9), event) == []
        assert ends(game, "a", PassStock(round=2, until="concerned"), event) != []


def test_what_concerns_a_player_names_the_company_it_is_about() -> None:
    """Trains only where they preside; a minor as any new company."""
    game = Position().start("PRR", 70, a=30).start("LV", 80, b=30, a=10).stock("a").game()
    events: list[Event] = [
        MinorStarted("b", "N&W", 70, "top", 70),
        Rusted("2", (("LV", 1), ("PRR", 1))),
        MadeObsolete("3", ("LV",), ("PRR",)),
        MadeObsolete("3", ("PRR",), ()),
        SharesExchanged("LV", (("a", 1, 0),)),
        SharesExchanged("LV", (("b", 1, 0),)),
    ]
    assert [(about, why.name) for about, why in concerns(SeatedPlayer(game, "a"), events)] == [
        ("N&W", "order.started"),
        ("PRR", "order.rusted"),
        ("PRR", "order.obsolete"),
        ("PRR", "order.obsolete"),
        ("LV", "order.exchanged"),
    ]


# --- merger rounds -----------------------------------------------------------------------------------------------


def merging(number: int = 1) -> Game:
    """Ann's minor HRR is asked first, in the second set."""
    place = NewEngland().minor("HRR", 70, "a", "2").minor("AWS", 60, "b", "2")
    return place.merging(number=number).game()


def test_an_order_passes_its_merger_round_and_no_other() -> None:
    own = PassMerger(set=2, number=1)
    assert does(merging(), "a", own).walk.offer.kind == "pass"
    assert does(merging(2), "a", own) is None
    assert does(merging(), "a", PassMerger(set=3, number=1)) is None
    assert does(merging(), "b", own) is None, "Ann is asked"


def test_an_order_for_a_merger_round_ends_after_it() -> None:
    """It stands in the operating round before it, which has the same number."""
    own = PassMerger(set=2, number=1)
    place = NewEngland().minor("HRR", 70, "a", "2")
    assert [ends(game, "a", own) for game in (merging(), merging(2))] == [[], ["order.round_over"]]
    assert ends(place.operating("HRR", number=1, of=2).game(), "a", own) == []
    assert ends(place.operating("HRR", number=2, of=2).game(), "a", own) == ["order.round_over"]
    assert [ends(place.stock("a", number=number).game(), "a", own) for number in (2, 3)] == [
        [],
        ["order.round_over"],
    ]


# --- turns of companies ------------------------------------------------------------------------------------------


def test_an_order_to_be_done_with_a_step_ends_with_that_step_of_that_company() -> None:
    place = Position().start("PRR", 70, a=60).trains("PRR", "2").operating("PRR", "track")
    game = place.game()
    assert ends(game, "a", DoneAfter(step="track", entity="PRR")) == []
    for other in (DoneAfter(step="token", entity="PRR"), DoneAfter(step="track", entity="LV")):
        assert ends(game, "a", other) == ["order.step_over"]
    assert ends(game, "b", DoneAfter(step="track", entity="PRR")) == ["order.step_over"]


def test_an_order_for_a_company_ends_with_the_presidency() -> None:
    game = Position().start("PRR", 70, a=30, b=20).operating("PRR").game()
    for order in (RunBest(company="PRR", dividend="pay"), SkipStep(company="PRR", step="track")):
        assert (ends(game, "a", order), ends(game, "b", order)) == ([], ["order.not_president"])


def test_skipping_for_a_phase_ends_in_any_other_phase() -> None:
    place = Position().phase("3").start("PRR", 70, a=60).operating("PRR")
    found = {
        phase: ends(place.game(), "a", SkipStep(company="PRR", step="track", phase=phase))
        for phase in ("2", "3", None)
    }
    assert found == {"2": ["order.phase_over"], "3": [], None: []}


def test_an_order_to_run_does_nothing_before_the_run() -> None:
    """18Chesapeake: its track is the president's."""
    place = Position().start("LV", 95, a=60).tile("J2", "57", 1).trains("LV", "2").treasury("LV", 500)
    order = RunBest(company="LV", dividend="pay")
    assert does(place.operating("LV", "track").game(), "a", order) is None
    assert does(place.operating("LV", "trains").game(), "a", order) is None
    assert does(place.operating("LV", "run").game(), "a", order).walk.offer.kind == "run_routes"
    assert (
        does(place.operating("LV", "dividend", revenue=40).game(), "a", order).walk.offer.kind == "dividend"
    )
