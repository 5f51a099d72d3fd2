"""Random play to the end: whatever is offered is accepted, whatever is not is refused, and nothing is lost."""

from random import Random
from typing import Any

import pytest

from engine.core.errors import IllegalAction
from engine.game import Game
from engine.play.steps.base import Request
from engine.tell.teller import Teller
from engine.titles import TITLES
from tests.support.invariants import assert_sound
from tests.support.long_runs import VARIED_TITLES, some_named, some_of_each
from tests.support.players.random_play import RandomPlayer
from tests.support.players.random_players import player_of

MAX_ACTIONS = 30_000
FAR = 500
LONG = {"18c2c-full": (2, 3, 4, 5, 6, 7, 8), "18c2c": (2, 3, 4, 5, 6), "18newengland": (2, 4, 5)}
"""Games of N players take many actions: they are followed this far, and to their end in long runs."""
BY_THAT_SITE = [name for name, title in TITLES.items() if "18xx.games" in title.spec.profiles]
SELDOM = {"18c2c-full"}
"""Games that take minutes: in long runs one for each number of players is played to its end."""


def tables() -> list[Any]:
    """A title and how many play: a number of its own for each title, in long runs every number."""
    found = []
    for place, (name, title) in enumerate(TITLES.items()):
        counts = sorted(title.spec.players)
        first = counts[place % len(counts)]
        found += [(name, first), *((name, count) for count in counts if count != first)]
    return some_of_each(found, lambda table: table[0], lambda table: f"{table[0]}-{table[1]}", len(found))


@pytest.mark.parametrize("table", tables())
def test_random_play_keeps_invariants(table: tuple[str, int], game_seed: int, whole_games: bool) -> None:
    """Invariants after every action; a replay of the actions leads to the same digest."""
    title, players = table
    profiles = list(TITLES[title].spec.profiles)
    whole = whole_games and (title not in SELDOM or game_seed == 0)
    most = FAR if players in LONG.get(title, ()) and not whole else MAX_ACTIONS
    _play(title, players, game_seed, profiles[game_seed % len(profiles)], most)


@pytest.mark.parametrize("title", some_named(VARIED_TITLES, BY_THAT_SITE))
def test_random_play_by_the_other_profile(title: str, whole_games: bool) -> None:
    """A table of some titles; in long runs of each, to its end. Many games alternate between the profiles."""
    _play(title, 4, 1, "18xx.games", MAX_ACTIONS if whole_games else FAR)


def _play(title: str, players: int, game_seed: int, profile: str, most: int) -> None:
    seats = [(f"p{number}", f"Player {number}") for number in range(1, players + 1)]
    game = Game(title, seats, game_seed, profile)
    player = player_of(title, 1000 * players + game_seed)
    chance = Random(game_seed)
    actions = []
    while not game.is_over and game.seq < most:
        if chance.random() < 0.05:
            _refuses_what_was_not_offered(game, player)
        action = player.choose(game)
        assert game.obstacle(Request(action.kind, action.actor, action.entity, action.chosen())) is None
        game.apply(action)
        actions.append(action)
        assert_sound(game)
    assert game.is_over or most == FAR, "the game does not end"
    assert game.is_over == (game.offers() == ())
    again = Game(title, seats, game_seed, profile)
    again.apply_all(actions)
    assert again.digest() == game.digest()
    assert again.scores() == game.scores()


def _refuses_what_was_not_offered(game: Game, player: RandomPlayer) -> None:
    before = game.digest()
    with pytest.raises(IllegalAction) as refusal:
        game.apply(player.wild(game))
    sentence = Teller(game.rules.spec, game.table.state).refusal(refusal.value)
    assert sentence.endswith((".", "?"))
    assert game.digest() == before
