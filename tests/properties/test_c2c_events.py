"""Random games of 18C2C come to all that the title has: mergers, both nationals, bull tokens, proofs, ruin."""

from collections import Counter
from collections.abc import Iterator

import pytest

from engine.core.actions import Action
from engine.game import Game
from tests.support.c2c_events import counted
from tests.support.players.c2c_player import Magnate

MOST_ACTIONS = 30_000
FAR_ENOUGH = 1500
SOON = ("redeemed", "private sold", "buy_tokens", "removed", "run_routes")
ALWAYS = ("redeemed", "reissued", "private sold", "united", "place_token")
SOMETIMES = (
    *("AMTK formed", "CR formed", "united by consent", "united by one president", "merger refused"),
    *("shuffled", "discarded", "closed", "president changed", "destination of a merged corporation"),
    *("bull received", "bull placed", "bull in a full city"),
    *(
        "destination reached",
        "destination in an extra place",
        "redeemed from the pool",
        "redeemed by consent",
    ),
    *(
        "privatized",
        "marker bought",
        "forced purchase",
        "removed",
        "packet cheaper",
        "given up",
        "city relabelled",
    ),
    *("private used for a lay", "tokens received", "ended by bank"),
)
SHORT = ("ended by bankruptcy", "ended by standstill")
FULL = ("run proven between the coasts", "twenty shares", "exchange_private")
FIRST = 22
"""Number, and so chance, of the first game: it soon comes to all of these."""
MANY, MANY_FULL = 40, 5
OPTIONS = ("", "three_eliminations", "no_eliminations")
"""Tables with all that is removed, with some, and with the whole packet."""


def test_random_games_come_to_everything(pytestconfig: pytest.Config) -> None:
    """One game, or two for each of many `--games`; many together may not miss anything."""
    games = _count(pytestconfig)
    seen: Counter[str] = Counter()
    for seed in range(FIRST, FIRST + games):
        seen += _events("18c2c", 2 + seed % 5, seed)
    wanted = ALWAYS + (SOMETIMES + SHORT if games >= MANY else ())
    assert not [name for name in wanted if not seen[name]], seen


def test_random_games_of_the_whole_board(pytestconfig: pytest.Config, whole_games: bool) -> None:
    """One game for each seven of `--games`, for two players, three, and so on; five together may not miss anything.

    Where only one of a kind is played, it is followed so far.
    """
    games = pytestconfig.getoption("--games") // 7 or 1
    seen: Counter[str] = Counter()
    for seed in range(games):
        seen += _events("18c2c-full", 2 + seed % 7, 602 + seed, MOST_ACTIONS if whole_games else FAR_ENOUGH)
    wanted = SOON + (ALWAYS + SOMETIMES + FULL if games >= MANY_FULL else ())
    assert not [name for name in wanted if not seen[name]], seen


def _count(config: pytest.Config) -> int:
    games: int = config.getoption("--games")
    return 1 if games == 1 else 2 * games


def _events(title: str, players: int, seed: int, most: int = MOST_ACTIONS) -> Counter[str]:
    seats = [(f"p{n}", f"Player {n}") for n in range(players)]
    game = Game(title, seats, seed, options=frozenset({OPTIONS[seed // 5 % 3]} - {""}))
    seen = counted(game, _choices(game, Magnate(seed), most))
    assert game.over or most == FAR_ENOUGH, "the game does not end"
    return seen


def _choices(game: Game, player: Magnate, most: int) -> Iterator[Action]:
    while not game.over and game.seq < most:
        yield player.choose(game)
