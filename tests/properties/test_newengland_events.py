"""Random games of 18NewEngland come to all that the title has: mergers, ruin, shares moved to and fro."""

from collections import Counter

import pytest

from engine.core import events as e
from engine.game import Game
from tests.support.players.newengland_player import Speculator

MAX_ACTIONS = 5000
ALWAYS = ("converted", "issued")
SOMETIMES = (
    *("merged from two hexes", "merged in one hex", "station returned", "liquidated", "redeemed"),
    *("discarded", "relinquished", "eliminated", "ended by bank", "ended by last_player"),
)
MANY = 50
NAMES = {
    e.Liquidated: "liquidated",
    e.TokenReturned: "station returned",
    e.Issued: "issued",
    e.Redeemed: "redeemed",
    e.Eliminated: "eliminated",
    e.Relinquished: "relinquished",
    e.TrainDiscarded: "discarded",
}


def test_random_games_come_to_everything(pytestconfig: pytest.Config) -> None:
    """Two games for each of `--games`; many together may not miss anything."""
    games = 2 * pytestconfig.getoption("--games")
    seen: Counter[str] = Counter()
    for seed in range(games):
        seen.update(_play(2 + seed % 4, seed, ("rulebook", "18xx.games")[seed // 4 % 2]))
    wanted = ALWAYS + (SOMETIMES if games >= MANY else ())
    assert not [name for name in wanted if not seen[name]], seen


def _play(players: int, seed: int, profile: str) -> Counter[str]:
    game = Game("18newengland", [(f"p{n}", f"Player {n}") for n in range(players)], seed, profile)
    player, seen = Speculator(seed), Counter[str]()
    while not game.over and game.seq < MAX_ACTIONS:
        seen.update(map(_name, game.apply(player.choose(game))))
    assert game.over, "the game does not end"
    return seen


def _name(event: e.Event) -> str:
    match event:
        case e.Formed():
            several = "merged in one hex" if len(set(event.tokens)) == 1 else "merged from two hexes"
            return "converted" if len(event.minors) == 1 else several
        case e.GameOver():
            return f"ended by {event.reason}"
        case _:
            return NAMES.get(type(event), "")
