"""Running by order, merger rounds, and moves that leave nothing to choose, in steps of whole games."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from engine.core.actions import Action, Dividend, Pass, RunRoutes
from engine.core.errors import IllegalAction
from engine.core.events import MadeObsolete, Rusted
from engine.game import Game
from engine.orders import Move, Standing, forced_move, stopped, would_do
from engine.orders.new_orders import pass_merger, run_best, skip_step
from engine.orders.order_kinds import RunBest, SkipStep
from engine.record import Record, read_record
from tests.titles.builders import Position, do, kinds, new_game

GOLDEN = Path(__file__).parents[2] / "golden"


@cache
def recorded(name: str) -> Record:
    return read_record((GOLDEN / f"{name}.json").read_text("utf-8"))


def before(name: str, wanted: Callable[[Game, Action], bool]) -> tuple[Game, Action]:
    """The position of a whole game before the first action for which this holds."""
    written = recorded(name)
    game = Game(
        written.title,
        written.players,
        written.seed,
        written.profile,
        frozenset(written.options),
        from_log=written.from_log,
    )
    for action in written.actions:
        if wanted(game, action):
            return game, action
        game.apply(action)
    raise AssertionError(f"{name} has no such action")


def running(dividend: str = "withhold") -> tuple[Game, str, Standing]:
    game, action = before("18chesapeake-bank-4p", lambda _, one: isinstance(one, RunRoutes))
    order = run_best(game, action.entity, dividend)  # type: ignore[arg-type]
    return game, action.actor, Standing(1, action.actor, order, 0)


def test_the_best_routes_are_run_and_what_was_ordered_is_done_with_it() -> None:
    game, player, order = running()
    most = game.best_run()
    found = would_do(game, player, [order])
    assert isinstance(found, Move)
    game.play(found.walk)
    assert game.table.turn.revenue == most.revenue
    then = would_do(game, player, [order])
    assert isinstance(then, Move)
    action = then.walk.action()
    assert isinstance(action, Dividend)
    assert action.option == "withhold"


def test_what_the_title_does_not_allow_is_not_ordered() -> None:
    """Nobody pays half in 18Chesapeake."""
    with pytest.raises(IllegalAction, match="no_such_option"):
        running("half")


def test_another_company_of_the_same_president_is_left_to_them() -> None:
    game, player, order = running()
    others = [name for name in game.table.state.companies if name != order.order.company]  # type: ignore[union-attr]
    assert (
        would_do(game, player, [Standing(1, player, RunBest(company=others[0], dividend="pay"), 0)]) is None
    )


def test_a_rusted_train_of_the_company_ends_it_and_so_does_another_president() -> None:
    game, player, order = running()
    company = order.order.company  # type: ignore[union-attr]
    assert stopped(game, [order], ()) == ()
    (rusted,) = stopped(game, [order], [Rusted("2", ((company, 1),))])
    assert rusted.why.name == "order.rusted"
    (obsolete,) = stopped(game, [order], [MadeObsolete("2", (company,), ())])
    assert obsolete.why.name == "order.obsolete"
    other = next(p for p in game.in_game() if p != player)
    (gone,) = stopped(game, [Standing(2, other, order.order, 0)], ())
    assert gone.why.name == "order.not_president"


def test_a_rusted_train_of_another_company_of_the_president_lets_it_stand() -> None:
    place = Position().start("PRR", 70, a=60).start("B&O", 70, a=60).trains("PRR", "3").trains("B&O", "2")
    game = place.operating("PRR").game()
    order = Standing(1, "a", run_best(game, "PRR", "pay"), 0)
    assert stopped(game, [order], [Rusted("2", (("B&O", 1),))]) == ()


def test_what_else_concerns_the_president_lets_it_stand() -> None:
    game = Position().start("PRR", 70, a=60, b=10).stock("b").game()
    order = Standing(1, "a", run_best(game, "PRR", "pay"), 0)
    assert stopped(game, [order], do(game, "sell_shares", "b", company="PRR", shares=1)) == ()


def test_nothing_is_forced_when_the_game_is_over() -> None:
    game = new_game(2)
    for player in ("a", "b"):
        do(game, "end_game", player)
    assert game.over
    assert forced_move(game) is None


def test_a_merger_round_is_passed_and_then_it_is_over() -> None:
    """18New England: each president of minors decides about them."""
    game, action = before("18newengland-bank-3p", lambda g, _: "merge" in {o.kind for o in g.offers()})
    order = Standing(1, action.actor, pass_merger(game), 0)
    found = would_do(game, action.actor, [order])
    assert isinstance(found, Move)
    assert isinstance(found.walk.action(), Pass)
    here = game.table.state.round
    while game.table.state.round is here:
        game.apply(next(o for o in game.offers(game.actors()[0]) if o.kind == "pass").fill())
    (ended,) = stopped(game, [order], ())
    assert ended.why.name == "order.round_over"


def test_the_next_merger_round_is_passed_and_none_where_there_are_none() -> None:
    """After each operating round in 18New England."""
    england = new_game(3, title="18newengland")
    assert (pass_merger(england).set, pass_merger(england).number) == (1, 1)
    with pytest.raises(IllegalAction, match="no_mergers"):
        pass_merger(new_game(3))


@pytest.mark.parametrize("name", ["18chesapeake-bankruptcy-3p", "18tn-bank-3p", "18al-price-3p"])
def test_where_a_move_is_forced_that_move_was_made(name: str) -> None:
    """Through whole games: nobody could do anything else there."""
    written = recorded(name)
    game, _ = before(name, lambda *_: True)
    forced = 0
    for action in written.actions:
        found = forced_move(game)
        if found is not None:
            forced += 1
            assert found.walk.action() == action
            assert found.order is None
        game.apply(action)
    assert forced > 0


def test_giving_up_is_nobodys_forced_move() -> None:
    """Even where nothing else is possible: Ann's only shares are those of a company that Bob would get."""
    place = Position().cash(a=50).phase("5").start("LV", 95, a=60).tile("J2", "57", 1)
    place.treasury("LV", 30).operating("LV", "trains")
    company = place.state.companies["LV"]
    company.shares.update({"a": 20, "b": 40})
    del company.shares["offering"]
    place.t.move_price(company, (4, 2))
    game = place.game()
    assert kinds(game) == ["declare_bankruptcy"]
    assert forced_move(game) is None


def skipping(step: str, until: str = "withdrawn") -> tuple[Game, Standing]:
    place = Position().start("PRR", 70, a=60).trains("PRR", "2").treasury("PRR", 500)
    game = place.operating("PRR", step).game()
    return game, Standing(1, "a", skip_step(game, "PRR", step, until), 0)  # type: ignore[arg-type]


def test_track_that_is_skipped_by_order_is_declined() -> None:
    game, order = skipping("track")
    found = would_do(game, "a", [order])
    assert isinstance(found, Move)
    assert isinstance(found.walk.action(), Pass)
    game.play(found.walk)
    assert would_do(game, "a", [order]) is None


def test_an_order_to_skip_track_leaves_tokens_and_other_companies_to_the_president() -> None:
    game, _ = skipping("track")
    for company, step in (("PRR", "token"), ("B&O", "track")):
        other = Standing(1, "a", SkipStep(company=company, step=step), 0)  # type: ignore[arg-type]
        assert would_do(game, "a", [other]) is None


def test_track_of_a_private_bought_for_this_turn_is_the_presidents_decision() -> None:
    game, order = skipping("track")
    game.table.turn.at_once.append("CV")
    assert would_do(game, "a", [order]) is None
    assert stopped(game, [order], ()) == ()


def test_skipping_ends_with_the_presidency_and_with_the_phase_it_was_given_for() -> None:
    game, order = skipping("track", "phase")
    assert stopped(game, [order], ()) == ()
    (gone,) = stopped(game, [Standing(2, "b", order.order, 0)], ())
    assert gone.why.name == "order.not_president"
    game.table.state.phase = "3"
    (over,) = stopped(game, [order], ())
    assert over.why.name == "order.phase_over"
    assert stopped(game, [Standing(3, "a", skip_step(game, "PRR", "track", "withdrawn"), 0)], ()) == ()
