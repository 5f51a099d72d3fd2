"""Random games of 18C2C come to all that the title has: mergers, both nationals, bull tokens, proofs, ruin."""

from collections import Counter
from collections.abc import Iterator

import pytest

from engine.core import events as e
from engine.core.actions import Action
from engine.game import Game
from tests.support.players.c2c_player import Magnate

MAX_ACTIONS = 30_000
FAR_ENOUGH = 1000
SOON = ("redeemed", "private sold", "buy_tokens", "removed", "run_routes")
ALWAYS = ("redeemed", "reissued", "private sold", "united", "place_token")
SOMETIMES = (
    *("AMTK formed", "CR formed", "united by consent", "united by one president", "merger refused"),
    *("shuffled", "discarded", "closed", "president changed", "destination of a merged corporation"),
    *("bull received", "bull placed", "bull in a full city", "privatized", "marker bought"),
    *("destination reached", "destination in an extra place", "redeemed from the pool"),
    *("redeemed by consent", "forced purchase", "removed", "packet cheaper", "given up"),
    *("city relabelled", "private used for a lay", "tokens received", "ended by bank"),
)
SHORT = ("ended by bankruptcy", "ended by standstill")
FULL = ("run proven between the coasts", "twenty shares", "exchange_private")
FIRST = 22
"""Number, and so chance, of the first game: it soon comes to all of these."""
MANY, MANY_FULL = 40, 5
OPTIONS = ("", "three_eliminations", "no_eliminations")
"""Tables with all that is removed, with some, and with the whole packet."""
NAMES: dict[type, str] = {
    e.Shuffled: "shuffled",
    e.CoastsJoined: "run proven between the coasts",
    e.GivenUp: "given up",
    e.MarkerBought: "marker bought",
    e.PresidentChanged: "president changed",
    e.PriceReduced: "packet cheaper",
    e.PrivateSold: "private sold",
    e.Relabelled: "city relabelled",
    e.CompanyClosed: "closed",
    e.PrivateRemoved: "removed",
    e.Privatized: "privatized",
    e.Reissued: "reissued",
    e.TokensReceived: "tokens received",
    e.TrainDiscarded: "discarded",
    e.BullPlaced: "bull placed",
    e.DestinationReached: "destination reached",
    e.Redeemed: "redeemed",
    e.United: "united",
}


def test_random_games_come_to_everything(pytestconfig: pytest.Config) -> None:
    """One game, or two for each of many `--games`; many together may not miss anything."""
    asked = pytestconfig.getoption("--games")
    games = 1 if asked == 1 else 2 * asked
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
        seen += _events("18c2c-full", 2 + seed % 7, 602 + seed, MAX_ACTIONS if whole_games else FAR_ENOUGH)
    wanted = SOON + (ALWAYS + SOMETIMES + FULL if games >= MANY_FULL else ())
    assert not [name for name in wanted if not seen[name]], seen


def _events(title: str, players: int, seed: int, most: int = MAX_ACTIONS) -> Counter[str]:
    seats = [(f"p{n}", f"Player {n}") for n in range(players)]
    game = Game(title, seats, seed, options=frozenset({OPTIONS[seed // 5 % 3]} - {""}))
    player, seen = Magnate(seed), Counter[str]()
    while not game.over and game.seq < most:
        action = player.choose(game)
        seen[action.kind] += 1
        seen.update(name for event in game.apply(action) for name in _names(action, event))
    assert game.over or most == FAR_ENOUGH, "the game does not end"
    return seen


def _names(action: Action, event: e.Event) -> Iterator[str]:
    if (name := NAMES.get(type(event))) is not None:
        yield name
    match event:
        case e.BullPlaced(beside=True):
            yield "bull in a full city"
        case e.DestinationReached():
            yield from ["destination in an extra place"] * bool(event.beside)
            yield from ["destination of a merged corporation"] * (event.of != event.company)
        case e.TileLaid() if event.private:
            yield "private used for a lay"
        case e.Redeemed():
            yield "redeemed from the pool" if event.source == "market" else "redeemed by consent"
        case e.TokensBought() if event.bulls:
            yield "bull received"
        case e.United():
            yield "united by consent" if action.kind == "answer" else "united by one president"
        case e.ProposalEnded() if event.action.kind == "propose_merger":
            yield "merger refused"
        case e.NationalFormed():
            yield from (f"{event.company} formed", *["twenty shares"] * (event.percent == 5))
        case e.TrainBought() if event.contribution:
            yield "forced purchase"
        case e.GameOver():
            yield f"ended by {event.reason}"
        case _:
            pass
