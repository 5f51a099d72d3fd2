"""Random games of 18C2C come to all that the title has: mergers, both nationals, bull tokens, ruin."""

from collections import Counter
from collections.abc import Iterable, Iterator

import pytest
from c2c_player import Magnate

from engine.core.events import Event
from engine.core.events.mergers import NationalFormed, Shuffled, United
from engine.core.events.operating import (
    BullPlaced,
    DestinationReached,
    GivenUp,
    MarkerBought,
    PrivateSold,
    Relabelled,
)
from engine.core.events.stock import (
    CompanyClosed,
    PrivateRemoved,
    Privatized,
    Redeemed,
    Reissued,
    TokensReceived,
)
from engine.core.events.table import GameOver
from engine.core.events.trains import TrainBought, TrainDiscarded
from engine.game import Game

MOST_ACTIONS = 8000
ALWAYS = ("redeemed", "reissued", "private sold", "united", "ended by bank or bankruptcy")
"""What hardly two games go without."""
SOMETIMES = (
    *("AMTK formed", "CR formed", "shuffled", "discarded", "closed"),
    *("bull placed", "bull in a full city", "destination reached", "destination in an extra place"),
    *("privatized", "forced purchase", "removed", "given up", "city relabelled", "marker bought"),
    *("tokens received", "ended by bank", "ended by bankruptcy"),
)
"""What many games together come to."""
MANY = 40
NAMES: dict[type, str] = {
    United: "united",
    Shuffled: "shuffled",
    DestinationReached: "destination reached",
    GivenUp: "given up",
    MarkerBought: "marker bought",
    PrivateSold: "private sold",
    Relabelled: "city relabelled",
    CompanyClosed: "closed",
    PrivateRemoved: "removed",
    Privatized: "privatized",
    Redeemed: "redeemed",
    Reissued: "reissued",
    TokensReceived: "tokens received",
    TrainDiscarded: "discarded",
    BullPlaced: "bull placed",
}
OPTIONS = ("", "three_eliminations", "no_eliminations")
"""Tables with all that is removed, with some, and with the whole packet."""


def test_random_games_come_to_every_corner(pytestconfig: pytest.Config) -> None:
    """Two games for each of `--games`; many together may not miss anything."""
    games = 2 * pytestconfig.getoption("--games")
    seen: Counter[str] = Counter()
    for seed in range(games):
        seen.update(_play(2 + seed % 5, seed, OPTIONS[seed // 5 % 3]))
    wanted = ALWAYS + (SOMETIMES if games >= MANY else ())
    assert not [name for name in wanted if not seen[name]], seen


def _play(players: int, seed: int, option: str) -> Counter[str]:
    seats = [(f"p{n}", f"Player {n}") for n in range(players)]
    game = Game("18c2c", seats, seed, options=frozenset({option} - {""}))
    player, seen = Magnate(seed), Counter[str]()
    while not game.over and game.seq < MOST_ACTIONS:
        seen.update(name for event in game.apply(player.choose(game)) for name in _names(event))
    assert game.over, "the game does not end"
    return seen


def _names(event: Event) -> Iterator[str]:
    if (name := NAMES.get(type(event))) is not None:
        yield name
    yield from _details(event)


def _details(event: Event) -> Iterable[str]:
    match event:
        case NationalFormed():
            return (f"{event.company} formed", *(("twenty shares",) if event.percent == 5 else ()))
        case BullPlaced(beside=True):
            return ("bull in a full city",)
        case DestinationReached(beside=True):
            return ("destination in an extra place",)
        case TrainBought() if event.contribution:
            return ("forced purchase",)
        case GameOver():
            return (f"ended by {event.reason}", "ended by bank or bankruptcy")
    return ()
