"""Random requests in random positions: the most common reasons are true by plain facts."""

from collections.abc import Iterator
from random import Random

import pytest

from engine.game import Game
from engine.titles import TITLES
from tests.support.players.poor_presidents import BUYERS, emptied, forced_position
from tests.support.players.random_play import RandomPlayer
from tests.support.players.random_players import player_of
from tests.titles.builders import tell
from tests.titles.refusals.requests import FOR_A_TRAIN, Requester
from tests.titles.refusals.seen import Seen
from tests.titles.refusals.truths import TRUTHS

JUDGED = ("18chesapeake", "18chesapeake-off-the-rails", "18al", "18tn", "18newengland")
MOST_ACTIONS = 900
POSITIONS = 20
LAST_RESORT = {"game.not_possible", "choice.not_legal"}


@pytest.mark.parametrize("title", JUDGED)
def test_reasons_in_a_game_are_true(title: str, game_seed: int) -> None:
    requester = Requester(game_seed)
    for game in followed(title, game_seed):
        judge(game, requester)


@pytest.mark.parametrize("title", JUDGED)
def test_reasons_for_the_poor_are_true(title: str, game_seed: int) -> None:
    chance, requester, left = Random(game_seed), Requester(game_seed, FOR_A_TRAIN), POSITIONS
    for game in followed(title, game_seed):
        step = game.step()
        if left and step is not None and step.name == "trains" and not game.table.state.proposal:
            left -= 1
            poor = Game.load(emptied(game, chance).dump())
            ask_on(poor, requester, player_of(title, chance.randrange(10**6)))
    assert left < POSITIONS


@pytest.mark.parametrize("title", BUYERS)
def test_reasons_in_forced_purchases_are_true(title: str, game_seed: int) -> None:
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
    """Three requests before each of the next four actions."""
    for _ in range(4):
        if game.over:
            return
        for _ in range(3):
            judge(game, requester)
        game.apply(player.choose(game))


def judge(game: Game, requester: Requester) -> None:
    request = requester.request(game)
    problem = game.obstacle(request)
    if problem is not None:
        key = problem.reason.name
        assert key not in LAST_RESORT, request
        if key in TRUTHS:
            true = TRUTHS[key](Seen.of(game, request, problem.reason))
            assert true, (game.seq, request, tell(game).refusal(problem))
