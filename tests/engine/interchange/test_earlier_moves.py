"""Moves recorded by earlier rules: what was not asked then is passed, what was legal then is made."""

from typing import Any

import pytest

from engine.core.actions import Action, Pass, build_action
from engine.core.errors import IllegalAction, ReplayDiverged, Unreadable
from engine.game import Game
from engine.interchange.old_exports import EarlierMoves, apply_earlier
from tests.titles.builders import Position, company, do


def position(step: str = "track", **facts: Any) -> Position:
    """The PRR, of Ann, is at this step of its turn; Bob's LV operates after it."""
    place = Position().phase("3").cash(a=500, b=500).start("PRR", 80, a=60).start("LV", 80, b=60)
    place.treasury("PRR", 800).treasury("LV", 800).operated("PRR", "LV")
    return place.operating("PRR", step, **facts)


def lays(actor: str, entity: str, coord: str) -> Action:
    """A yellow tile somewhere."""
    return build_action("lay_tile", actor, entity, hex=coord, tile="9", rotation=0)


def buys_train(actor: str, entity: str, price: int) -> Action:
    """A 3-train from the bank."""
    return build_action("buy_train", actor, entity, train="3", source="bank", trade_in="", price=price)


def step(game: Game) -> tuple[str, str]:
    """The company that operates and the step that waits."""
    found = game.step()
    assert found is not None
    return game.table.turn.company, found.name


def test_questions_before_a_move_are_passed() -> None:
    """The track is passed for a company that bought a train at once."""
    game = position().game()
    assert EarlierMoves(game).apply(buys_train("a", "PRR", 180))
    assert company(game, "PRR").trains == ["3"]
    assert game.seq == 2


def test_the_rest_of_a_turn_is_passed_for_a_move_of_the_next_company() -> None:
    game = position().game()
    assert EarlierMoves(game).apply(buys_train("b", "LV", 180))
    assert (company(game, "PRR").trains, company(game, "LV").trains) == ([], ["3"])


def test_a_move_that_the_waiting_step_would_refuse_now_is_made_there() -> None:
    """Nothing is passed: D4 is far from the tracks of the PRR."""
    game = position().game()
    assert EarlierMoves(game).apply(lays("a", "PRR", "D4"))
    assert (game.seq, game.table.map.tile("D4")) == (1, "9")


def test_such_a_move_of_another_player_is_made_in_their_companys_turn() -> None:
    """Ann's turn is passed first."""
    game = position().game()
    assert EarlierMoves(game).apply(lays("b", "LV", "D4"))
    assert (game.table.turn.company, game.table.map.tile("D4")) == ("LV", "9")


def test_a_pass_of_another_company_of_the_same_player_waits_for_its_turn() -> None:
    place = Position().phase("3").start("PRR", 80, a=60).start("LV", 80, a=60).treasury("LV", 800)
    game = place.treasury("PRR", 800).operated("PRR", "LV").operating("PRR").game()
    assert EarlierMoves(game).apply(Pass(actor="a", entity="LV"))
    assert step(game) == ("LV", "trains")


def test_a_move_that_no_question_leads_to_is_refused() -> None:
    """The auction is over; after two turns a new stock round begins, and who is on turn there has begun nothing."""
    game = position().game()
    with pytest.raises(IllegalAction):
        EarlierMoves(game).apply(build_action("bid", "a", "a", private="CV", amount=200))
    assert game.table.state.round.kind == "stock"


def test_no_more_questions_are_passed_than_a_turn_may_have() -> None:
    """Six companies have two each."""
    place = Position().phase("3")
    names = ("PRR", "LV", "PLE", "SRR", "B&O", "C&O")
    for name in names:
        place.start(name, 70, a=60).treasury(name, 800)
    game = place.operated(*names).operating("PRR").game()
    with pytest.raises(IllegalAction):
        EarlierMoves(game).apply(build_action("bid", "a", "a", private="CV", amount=200))
    assert game.seq == 8


def test_the_rest_of_a_turn_in_a_stock_round_is_passed_and_no_whole_turn() -> None:
    """Ann has sold shares and is asked for more; Bob has done nothing yet."""
    game = Position().cash(a=500, b=500, c=500).start("PRR", 80, b=40, a=20).stock("a").game()
    moves = EarlierMoves(game)
    with pytest.raises(IllegalAction):
        moves.apply(build_action("par", "b", "b", company="LV", price=70))
    assert game.seq == 0
    do(game, "sell_shares", "a", company="PRR", shares=1)
    assert moves.apply(build_action("par", "b", "b", company="LV", price=70))
    assert game.seq == 3


def test_a_pass_that_ended_a_turn_which_is_over_is_left_out() -> None:
    """And again; that of a company whose turn has not come is none of these."""
    game = position("trains").game()
    moves = EarlierMoves(game)
    assert moves.apply(Pass(actor="a", entity="PRR"))
    assert game.table.turn.company == "LV"
    for _ in range(2):
        assert moves.apply(Pass(actor="a", entity="PRR")) == ()
    assert game.seq == 1


@pytest.mark.parametrize(("from_log", "then"), [(0, 0), (1, 2), (3, 4)])
def test_a_question_that_is_passed_counts_among_the_moves_read_with_leniency(
    from_log: int, then: int
) -> None:
    """What was read so then is read so now; what was not is not."""
    game = position().game()
    game.from_log = from_log
    EarlierMoves(game).apply(buys_train("a", "PRR", 180))
    assert game.from_log == then


def test_a_move_that_no_rules_allow_is_unreadable_and_no_defect() -> None:
    """There is no tile on A3: rules that are gone around fail in any way."""
    with pytest.raises(Unreadable) as refused:
        EarlierMoves(position().game()).apply(lays("a", "PRR", "A3"))
    assert refused.value.reason.name == "log.impossible"


def test_a_defect_in_a_move_that_the_rules_allow_is_shown_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game = position().game()

    def broken(action: Action) -> None:
        raise RuntimeError(action.kind)

    monkeypatch.setattr(game, "apply", broken)
    with pytest.raises(RuntimeError, match="pass"):
        EarlierMoves(game).apply(Pass(actor="a", entity="PRR"))


def test_the_first_move_that_is_refused_is_named_by_its_number() -> None:
    game = position().game()
    with pytest.raises(ReplayDiverged) as stopped:
        apply_earlier(
            game, [buys_train("a", "PRR", 180), build_action("bid", "a", "a", private="CV", amount=200)]
        )
    assert stopped.value.seq == 2
