"""Random wishes in random positions: what is refused is refused for a cause that is true by plain facts."""

import pytest

from engine.game import Game
from engine.tell.teller import Teller
from engine.titles import TITLES
from tests.reasons.examples import ONLY_18C2C, all_truths, refusal_keys
from tests.reasons.truths import UNJUDGED, Seen
from tests.reasons.wishes import Wisher
from tests.support.players.random_players import player_of

JUDGED = ("18chesapeake", "18chesapeake-off-the-rails", "18al", "18tn", "18newengland")
MOST_ACTIONS = 900
"""How far a game is followed: into the last phases."""


@pytest.mark.parametrize("title", JUDGED)
def test_a_refusal_tells_a_true_cause(title: str, game_seed: int) -> None:
    """One wish before each action of a game."""
    counts = sorted(TITLES[title].spec.players)
    seats = [(f"p{n}", f"Player {n}") for n in range(counts[game_seed % len(counts)])]
    game, player, wisher = Game(title, seats, game_seed), player_of(title, game_seed), Wisher(game_seed)
    while not game.over and game.seq < MOST_ACTIONS:
        wish = wisher.wish(game)
        problem = game.why_not(wish)
        if problem is not None and problem.reason.name not in UNJUDGED:
            said = Teller(game.rules.spec, game.table.state).refusal(problem)
            assert all_truths()[problem.reason.name](Seen.of(game, wish, problem.reason)), (
                game.seq,
                wish,
                said,
            )
        game.apply(player.choose(game))


def test_every_refusal_key_is_judged_or_said_not_to_be() -> None:
    """A new one fails here until somebody says when it is so; of 18C2C `referees/test_c2c_causes.py` does."""
    assert refusal_keys() - all_truths().keys() - UNJUDGED.keys() - ONLY_18C2C == set()
    assert all_truths().keys() & UNJUDGED.keys() == set()
