"""`/why`: the referee's reason for a move with whatever was typed of it."""

import pytest
from builders import Position

from bot.table.errors import Refused
from bot.table.moves import Typed
from bot.table.style import in_words
from bot.table.verbs import VERBS
from engine.game import Game


def why(game: Game, player: str, verb: str, details: str = "") -> str:
    """What `/why verb details` answers; empty where nothing stops the move."""
    try:
        with in_words(game):
            Typed(VERBS[verb].kind, VERBS[verb].given(details)).walk(game, player)
    except Refused as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize("typed", ["LV", "lv", "LV offering"])
@pytest.mark.parametrize("other", [True, False])
def test_a_company_of_which_one_holds_the_most_is_named_with_the_limit(typed: str, other: bool) -> None:
    """Whether some other share could be bought or not."""
    position = Position().start("LV", 95, a=60)
    game = (position.start("PRR", 80, b=60) if other else position).game()
    assert "60 %" in why(game, "a", "buy", typed)


def test_what_is_possible_so_far_is_not_refused() -> None:
    game = Position().start("LV", 95, a=60).start("PRR", 80, b=60).game()
    assert why(game, "a", "buy") == ""
    assert why(game, "a", "buy", "PRR") == ""
    assert why(game, "a", "pass") == ""


def test_a_value_that_is_not_legal_is_refused_with_those_that_are() -> None:
    game = Position().start("LV", 95, a=60).game()
    assert "Allowed: LV" in why(game, "a", "sell", "XYZ 1")
    assert "Allowed" in why(game, "a", "sell", "lv 9")
    assert "left is not a legal number of shares here" in why(game, "a", "sell", "lv left")


def test_a_move_of_another_step_is_refused_with_the_step() -> None:
    game = Position().start("LV", 95, a=60).operating("LV", "track").game()
    assert "later" in why(game, "a", "buy-train", "2")
    assert "LV" in why(game, "a", "pay")
    assert "Ann" in why(game, "b", "lay", "H4 57")


@pytest.mark.parametrize("details", ["", "nonsense", "nowhere at all -1", "H4", "h4 57", "H4 57 left", "B&O"])
@pytest.mark.parametrize("verb", VERBS)
def test_whatever_is_typed_gets_an_answer(verb: str, details: str) -> None:
    """Half a move, or values that are none, in an auction, a stock round and a company's turn."""
    for game in (
        Game("18chesapeake", (("a", "Ann"), ("b", "Bob"), ("c", "Cy")), 5),
        Position().start("LV", 95, a=60).game(),
        Position().start("LV", 95, a=60).operating("LV", "track").game(),
    ):
        for player in ("a", "b"):
            assert "said.so" not in why(game, player, verb, details)
