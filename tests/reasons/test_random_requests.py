"""Random requests in random positions: what is refused is refused for a cause that is true by plain facts."""

from collections.abc import Iterator
from random import Random

import pytest

from engine.game import Game
from engine.tell.teller import Teller
from engine.titles import TITLES
from tests.reasons.examples import ONLY_18C2C, all_truths, refusal_keys
from tests.reasons.requests import FOR_A_TRAIN, Requester
from tests.reasons.truths import UNJUDGED, Seen
from tests.support.players.poor_presidents import BUYERS, emptied, forced_position
from tests.support.players.random_play import RandomPlayer
from tests.support.players.random_players import player_of

JUDGED = ("18chesapeake", "18chesapeake-off-the-rails", "18al", "18tn", "18newengland")
MOST_ACTIONS = 900
"""How far a game is followed: into the last phases."""
POSITIONS = 20
"""Tiny positions of forced purchases, and copies of a game with empty pockets."""
ACTIONS = 4
"""How many follow in each of them."""
WISHES = 3
"""How many before each of these."""


@pytest.mark.parametrize("title", JUDGED)
def test_a_refusal_names_a_true_cause(title: str, game_seed: int) -> None:
    """One request before each action of a game."""
    requester = Requester(game_seed)
    for game in followed(title, game_seed):
        judge(game, requester)


@pytest.mark.parametrize("title", JUDGED)
def test_a_refusal_names_a_true_cause_to_a_president_with_empty_pockets(title: str, game_seed: int) -> None:
    """Train steps of a game, after company and president have lost what they had."""
    chance, requester, left = Random(game_seed), Requester(game_seed, FOR_A_TRAIN), POSITIONS
    for game in followed(title, game_seed):
        step = game.step()
        if step is not None and step.name == "trains" and not game.table.state.proposal:
            left -= 1
            ask_on(
                Game.load(emptied(game, chance).dump()), requester, player_of(title, chance.randrange(10**6))
            )
        if not left:
            return
    assert left < POSITIONS


@pytest.mark.parametrize("title", BUYERS)
def test_a_refusal_in_a_forced_purchase_names_a_true_cause(title: str, game_seed: int) -> None:
    """Tiny positions."""
    chance, requester = Random(f"{title} {game_seed}"), Requester(game_seed, FOR_A_TRAIN)
    for _ in range(POSITIONS):
        ask_on(forced_position(title, chance), requester, RandomPlayer(chance.randrange(10**6)))


def followed(title: str, seed: int) -> Iterator[Game]:
    """A random game before each of its actions."""
    counts = sorted(TITLES[title].spec.players)
    seats = [(f"p{n}", f"Player {n}") for n in range(counts[seed % len(counts)])]
    game, player = Game(title, seats, seed), player_of(title, seed)
    while not game.over and game.seq < MOST_ACTIONS:
        yield game
        game.apply(player.choose(game))


def ask_on(game: Game, requester: Requester, player: RandomPlayer) -> None:
    """Requests before each of the next actions."""
    for _ in range(ACTIONS):
        if game.over:
            return
        for _ in range(WISHES):
            judge(game, requester)
        game.apply(player.choose(game))


def judge(game: Game, requester: Requester) -> None:
    """A request; if it is refused, the reason must be true."""
    request = requester.request(game)
    problem = game.obstacle(request)
    if problem is not None and problem.reason.name not in UNJUDGED:
        said = Teller(game.rules.spec, game.table.state).refusal(problem)
        assert all_truths()[problem.reason.name](Seen.of(game, request, problem.reason)), (
            game.seq,
            request,
            said,
        )


def test_every_refusal_key_is_judged_or_said_not_to_be() -> None:
    """A new one fails here until somebody says when it is so; `referees/c2c/causes` does for those of 18C2C alone."""
    assert refusal_keys() - all_truths().keys() - UNJUDGED.keys() - ONLY_18C2C == set()
    assert all_truths().keys() & UNJUDGED.keys() == set()
