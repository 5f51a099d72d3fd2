"""The caretaker has a legal answer in every position, always the same, and leaves the position as it was."""

import pytest

from engine.caretaker import STRENGTHS, choose_move
from engine.caretaker.choosing import RUIN_VALUE, best_move, weighed_moves
from engine.game import Game
from engine.play.steps.base import Request
from tests.engine.caretaker.opinions import KEPT_OF_POSITIONS, kept, opinion, opinions_of
from tests.engine.caretaker.positions import POSITIONS, lehigh, ruined
from tests.golden.positions import FOLDER, golden
from tests.support.long_runs import VARIED_GAMES, some_named

GOLDEN = sorted(path.stem for path in FOLDER.glob("*.json"))


@pytest.mark.parametrize("name", some_named(VARIED_GAMES, GOLDEN))
def test_opinions_of_golden_games(name: str) -> None:
    """Whatever is decided in the games of our own, also where it is another one's turn."""
    record, thoughts = golden(name), kept()[name]
    assert thoughts
    game = record.initial_game()
    for thought in thoughts:
        game.apply_all(record.actions[game.seq : thought["seq"]])
        found, action = opinion(game, thought["player"], thought["strength"])
        assert found == thought
        assert action.actor == thought["player"]
        assert game.obstacle(Request.of_action(action)) is None, action


@pytest.mark.parametrize("name", POSITIONS)
def test_opinions_of_tiny_positions(name: str) -> None:
    assert opinions_of(name) == kept(KEPT_OF_POSITIONS)[name]


@pytest.mark.parametrize("strength", STRENGTHS)
def test_choice_is_repeatable(strength: str) -> None:
    record = golden(GOLDEN[1])
    for number in range(20, len(record.actions), 61):
        game = record.play(number)
        before = game.digest()
        for player in game.actors():
            action = choose_move(game, player, 3, strength)
            assert game.obstacle(Request.of_action(action)) is None, action
            assert choose_move(Game.load(game.dump()), player, 3, strength) == action
        assert game.digest() == before


def test_chance_decides_between_equal_moves() -> None:
    """A player without an offer is an error."""
    game = POSITIONS["merger with 0"]()
    candidate_moves = weighed_moves(game, "a")
    game.seq = 5
    found = [choose_move(game, "a", seed) for seed in range(20)]
    assert found == [best_move(candidate_moves, seed + 5) for seed in range(20)]
    assert len(set(found)) > 3
    game = golden(GOLDEN[0]).initial_game()
    with pytest.raises(ValueError, match="nothing is offered to nobody"):
        choose_move(game, "nobody", 1)


def test_bankruptcy_is_the_last_resort() -> None:
    """Worse than a forced sale and any move that is not weighed; worse still is to ask again and again for
    the only train."""
    assert {weighed_move.worth for weighed_move in weighed_moves(ruined(0), "a")} == {RUIN_VALUE}
    found = {
        weighed_move.cursor.offer.kind: weighed_move.worth
        for weighed_move in weighed_moves(ruined(0, "4", "5", owner="b"), "a")
    }
    assert found == {"declare_bankruptcy": RUIN_VALUE, "buy_train": 2 * RUIN_VALUE}
    game = lehigh().phase("4").treasury("LV", 10).game()
    weighed = weighed_moves(game, "a", "Apprentice")
    weighed_move = next(
        weighed_move for weighed_move in weighed if weighed_move.cursor.offer.kind == "sell_shares"
    )
    assert weighed_move.worth > RUIN_VALUE


def test_strengths_have_views() -> None:
    apprentice, conductor, superintendent = STRENGTHS.values()
    assert conductor.keys() - apprentice.keys() == {"place_token", "return_token", "sell_private"}
    assert conductor.keys() == superintendent.keys() > apprentice.keys()
    same = {kind for kind in apprentice if apprentice[kind] is conductor[kind]}
    assert apprentice.keys() - same == {"lay_tile", "sell_shares", "dividend", "buy_train", "buy_private"}
