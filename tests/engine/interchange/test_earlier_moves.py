"""Moves recorded by earlier rules: what was not asked then is passed, what was legal then is made."""

from typing import Any

import pytest

from engine.core.actions import Action, Pass, build_action
from engine.core.errors import IllegalAction, ReplayDiverged, Unreadable
from engine.game import Game
from engine.interchange.old_exports import OldRulesReplay, replay_old_rules
from tests.titles.builders import Position, company, do


def position(step: str = "track", **facts: Any) -> Position:
    """The PRR, of Ann, is at this step of its turn; Bob's LV operates after it."""
    place = Position().phase("3").cash(a=500, b=500).start("PRR", 80, a=60).start("LV", 80, b=60)
    place.treasury("PRR", 800).treasury("LV", 800).operated("PRR", "LV")
    return place.operating("PRR", step, **facts)


def lays(actor: str, entity: str, coord: str) -> Action:
    return build_action("lay_tile", actor, entity, hex=coord, tile="9", rotation=0)


def buys_train(actor: str, entity: str, price: int) -> Action:
    return build_action("buy_train", actor, entity, train="3", source="bank", trade_in="", price=price)


def step(game: Game) -> tuple[str, str]:
    found = game.step()
    assert found is not None
    return game.table.turn.company, found.name


def test_what_once_was_not_asked_is_passed() -> None:
    """The track for a company that bought a train at once, the rest of a turn, or nothing: D4 is far from the
    tracks of the PRR. Of another company the steps are passed."""
    game = position().game()
    assert OldRulesReplay(game).apply(buys_train("a", "PRR", 180))
    assert company(game, "PRR").trains == ["3"]
    assert game.seq == 2
    game = position().game()
    assert OldRulesReplay(game).apply(buys_train("b", "LV", 180))
    assert (company(game, "PRR").trains, company(game, "LV").trains) == ([], ["3"])
    game = position().game()
    assert OldRulesReplay(game).apply(lays("a", "PRR", "D4"))
    assert (game.seq, game.table.map.tile("D4")) == (1, "9")
    place = Position().phase("3").start("PRR", 80, a=60).start("LV", 80, a=60).treasury("LV", 800)
    game = place.treasury("PRR", 800).operated("PRR", "LV").operating("PRR").game()
    assert OldRulesReplay(game).apply(Pass(actor="a", entity="LV"))
    assert step(game) == ("LV", "trains")


def test_unreachable_move_is_refused() -> None:
    """The auction is over; after two turns a new stock round begins, and who is on turn there has begun nothing."""
    game = position().game()
    with pytest.raises(IllegalAction):
        OldRulesReplay(game).apply(build_action("bid", "a", "a", private="CV", amount=200))
    assert game.table.state.round.kind == "stock"


def test_stock_turn_begun_is_passed() -> None:
    """Ann has sold shares and is asked for more; Bob has done nothing yet. A pass after the turn is left out,
    and again; that of a company whose turn has not come is none of these."""
    game = Position().cash(a=500, b=500, c=500).start("PRR", 80, b=40, a=20).stock("a").game()
    moves = OldRulesReplay(game)
    with pytest.raises(IllegalAction):
        moves.apply(build_action("par", "b", "b", company="LV", price=70))
    assert game.seq == 0
    do(game, "sell_shares", "a", company="PRR", shares=1)
    assert moves.apply(build_action("par", "b", "b", company="LV", price=70))
    assert game.seq == 3
    game = position("trains").game()
    moves = OldRulesReplay(game)
    assert moves.apply(Pass(actor="a", entity="PRR"))
    assert game.table.turn.company == "LV"
    for _ in range(2):
        assert moves.apply(Pass(actor="a", entity="PRR")) == ()
    assert game.seq == 1


@pytest.mark.parametrize(("from_log", "then"), [(0, 0), (1, 2), (3, 4)])
def test_passed_questions_count_for_leniency(from_log: int, then: int) -> None:
    game = position().game()
    game.from_log = from_log
    OldRulesReplay(game).apply(buys_train("a", "PRR", 180))
    assert game.from_log == then


def test_impossible_move_is_unreadable() -> None:
    """There is no tile on A3: rules that are gone around fail in any way. The number of a move is said."""
    with pytest.raises(Unreadable) as refused:
        OldRulesReplay(position().game()).apply(lays("a", "PRR", "A3"))
    assert refused.value.reason.name == "log.impossible"
    game = position().game()
    with pytest.raises(ReplayDiverged) as stopped:
        replay_old_rules(
            game, [buys_train("a", "PRR", 180), build_action("bid", "a", "a", private="CV", amount=200)]
        )
    assert stopped.value.seq == 2
