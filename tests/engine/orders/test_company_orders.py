"""Running by order, skipped steps, merger rounds, and moves that leave nothing to choose."""

import pytest

from engine.core.actions import RunRoutes
from engine.core.events import Event, TrainsMadeObsolete, TrainsRusted
from engine.game import Game
from engine.orders import AutomaticMove, StandingOrder, forced_move, next_order_move, stopped_orders
from engine.orders.new_orders import run_best_order, skip_step_order
from engine.orders.order_kinds import Order, PassMerger, RunBest, SkipStep
from tests.engine.orders.acting import does, ends, in_short
from tests.golden.positions import golden
from tests.titles.builders import Position, do, kinds, new_game
from tests.titles.t18newengland.newengland import NewEngland

PAY, WITHHOLD = (RunBest(company="LV", dividend=dividend) for dividend in ("pay", "withhold"))


def lehigh(step: str, **facts: int) -> Game:
    """Ann's LV has track and a train."""
    place = Position().start("LV", 95, a=60, b=20).tile("J2", "57", 1).trains("LV", "2").treasury("LV", 500)
    return place.operating("LV", step, **facts).game()


def minors() -> NewEngland:
    """Ann's HRR is asked first in the merger round, then Bob's AWS."""
    return NewEngland().minor("HRR", 70, "a", "2").minor("AWS", 60, "b", "2")


TRACK, TOKEN = (SkipStep(company="LV", step=step) for step in ("track", "token"))
OWN = PassMerger(set=2, number=1)


@pytest.mark.parametrize(
    ("game", "player", "order", "found"),
    [
        # a run is ordered, and what is done with it; its track and trains are the president's
        (lehigh("track"), "a", PAY, ""),
        (lehigh("trains"), "a", PAY, ""),
        (lehigh("run"), "a", PAY, "run_routes"),
        (lehigh("run"), "a", RunBest(company="PRR", dividend="pay"), ""),
        (lehigh("dividend", revenue=40), "a", PAY, "dividend pay"),
        (lehigh("dividend", revenue=40), "a", WITHHOLD, "dividend withhold"),
        # one step of one company is skipped
        (lehigh("track"), "a", TRACK, "pass"),
        (lehigh("track"), "a", TOKEN, ""),
        (lehigh("track"), "a", SkipStep(company="B&O", step="track"), ""),
        # one merger round is passed, once Ann is asked
        (minors().merging(number=1).game(), "a", OWN, "pass"),
        (minors().merging(number=2).game(), "a", OWN, ""),
        (minors().merging(number=1).game(), "a", PassMerger(set=3, number=1), ""),
        (minors().merging(number=1).game(), "b", OWN, ""),
    ],
)
def test_company_order(game: Game, player: str, order: Order, found: str) -> None:
    assert does(game, player, order) == found


@pytest.mark.parametrize(
    ("game", "player", "order", "events", "why"),
    [
        # with the presidency, and with the trains of the company
        *((lehigh("track"), player, PAY, [], why) for player, why in (("a", ""), ("b", "not_president"))),
        *((lehigh("track"), player, TRACK, [], why) for player, why in (("a", ""), ("b", "not_president"))),
        (lehigh("track"), "a", PAY, [TrainsRusted("2", (("LV", 1),))], "rusted"),
        (lehigh("track"), "a", PAY, [TrainsMadeObsolete("2", ("LV",), ())], "obsolete"),
        (lehigh("track"), "a", PAY, [TrainsRusted("2", (("B&O", 1),))], ""),
        # with the phase it was given for
        (lehigh("track"), "a", SkipStep(company="LV", step="track", phase="2"), [], ""),
        (lehigh("track"), "a", SkipStep(company="LV", step="track", phase="3"), [], "phase_over"),
        # with the merger round: the operating round before it has the same number
        (minors().merging(number=1).game(), "a", OWN, [], ""),
        (minors().merging(number=2).game(), "a", OWN, [], "round_over"),
        (minors().operating("HRR", number=1, of=2).game(), "a", OWN, [], ""),
        (minors().operating("HRR", number=2, of=2).game(), "a", OWN, [], "round_over"),
        (minors().stock("a", number=2).game(), "a", OWN, [], ""),
        (minors().stock("a", number=3).game(), "a", OWN, [], "round_over"),
    ],
)
def test_company_order_ends(game: Game, player: str, order: Order, events: list[Event], why: str) -> None:
    assert ends(game, player, order, *events) == why


def test_orders_of_runs_and_steps() -> None:
    """A run is ordered when shares are sold, too, and is the best of a whole game; track bought at once is
    not skipped."""
    stock = Position().start("PRR", 70, a=60, b=10).stock("b").game()
    order = StandingOrder(1, "a", run_best_order(stock, "PRR", "pay"), 0)
    assert stopped_orders(stock, [order], do(stock, "sell_shares", "b", company="PRR", shares=1)) == ()
    written = golden("18chesapeake-bank-4p")
    number, action = next((n, one) for n, one in enumerate(written.actions) if isinstance(one, RunRoutes))
    game = written.play(number)
    most = game.best_run()
    order = StandingOrder(1, action.actor, run_best_order(game, action.entity, "withhold"), 0)
    found = next_order_move(game, action.actor, [order])
    assert isinstance(found, AutomaticMove)
    game.apply_cursor(found.cursor)
    assert game.table.turn.revenue == most.revenue
    assert in_short(next_order_move(game, action.actor, [order])) == "dividend withhold"
    game = lehigh("track")
    skip = skip_step_order(game, "LV", "track", "withdrawn")
    game.table.turn.at_once.append("CV")
    assert (does(game, "a", skip), ends(game, "a", skip)) == ("", "")


@pytest.mark.parametrize("name", ["18chesapeake-bankruptcy-3p", "18tn-bank-3p", "18al-price-3p"])
def test_forced_move_was_made(name: str) -> None:
    """Through whole games: nobody could do anything else there."""
    written = golden(name)
    game, forced = written.initial_game(), 0
    for action in written.actions:
        found = forced_move(game)
        if found is not None:
            forced += 1
            assert found.cursor.action() == action
            assert found.order_number is None
        game.apply(action)
    assert forced > 0
    assert forced_move(game) is None


def test_choice_and_bankruptcy_are_never_forced() -> None:
    """Even where nothing else is possible: Ann's only shares are those of a company that Bob would get."""
    assert forced_move(new_game(2)) is None
    assert forced_move(Position().cash(a=500, b=500).start("PRR", 70, a=40).stock("a").game()) is None
    place = Position().cash(a=50).phase("5").start("LV", 95, a=60).tile("J2", "57", 1)
    place.treasury("LV", 30).operating("LV", "trains")
    company = place.state.companies["LV"]
    company.shares.update({"a": 20, "b": 40})
    del company.shares["offering"]
    place.t.move_price(company, (4, 2))
    game = place.game()
    assert kinds(game) == ["declare_bankruptcy"]
    assert forced_move(game) is None
