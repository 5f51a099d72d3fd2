"""Benchmark of how well the caretaker (computer player) plays.

`python -m benchmarks.caretaker [--title T...] [--players N...] [--games N] [--strength NAME] [--kept FILE] [--against
weighted|uniform|greedy|itself]`. The caretaker has one seat, a different one in each game, or all seats (`itself`). The
others are played by the random player of `make torture` (weighted), by one that takes any offer with equal chance
(uniform), or by one that looks one move ahead (greedy). The column `worth` is the caretaker's share of all players'
final net worth. Raises of its own bids, shares sold in stock rounds, and final cash are averages per game. Milliseconds
are processor time. With --kept, finished games are stored in a file and not played again.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any, Final

from benchmarks.greedy import Greedy
from engine.caretaker import DEFAULT_STRENGTH, STRENGTHS, choose_move
from engine.core.actions import Action
from engine.core.ids import PlayerId
from engine.core.offers import OfferCursor
from engine.core.state import Operating, Stock
from engine.game import Game
from engine.titles import TITLES

Picks = Callable[[Game], Action]
"""A player for all seats that the caretaker does not have."""

MOST: Final = {"weighted": 30_000, "uniform": 30_000, "greedy": 5_000, "itself": 5_000}
"""Number of moves, by opponent, after which a game is left unfinished; the leader then counts as the winner."""
SEATS: Final = "abcdefgh"
HEAD: Final = (
    *("title", "players", "against", "won", "of", "worth", "ends", "operating rounds (least, median, most)"),
    *("stock rounds", "bankrupt", "own bids raised", "shares sold", "cash", "ms median", "ms 99 %"),
)
LONG: Final = frozenset({"18c2c-full"})
"""Titles that are measured only if named."""


@dataclass
class Played:
    """Result of a game: winner, ending, length, and milliseconds of the caretaker's moves."""

    won: bool
    ended: str
    rounds: int
    """Number of operating rounds."""
    sets: int
    """Number of sets of operating rounds, which the table reports as stock rounds."""
    bankrupt: int
    worth: float = 0.0
    """The caretaker's fraction of all players' final net worth."""
    raised: int = 0
    """Number of times the caretaker raised its own highest bid."""
    sold: int = 0
    """Number of shares that the caretaker sold in stock rounds."""
    cash: float = 0.0
    """The caretaker's final cash in dollars, averaged over its seats."""
    ms: list[float] = field(default_factory=list)


def main() -> int:
    """Run the benchmark and print a table."""
    options = _options()
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|")
    for title in options.title:
        for count in options.players or TITLES[title].spec.players:
            if count in TITLES[title].spec.players:
                seeds = range(options.first, options.first + options.games)
                games = [_kept(options, title, count, seed) for seed in seeds]
                print(_row(title, count, options.against, games), flush=True)
    return 0


def _kept(options: argparse.Namespace, title: str, players: int, seed: int) -> Played:
    """The game's result from the file, or else played now and appended to it."""
    file, against, strength = options.kept, options.against, options.strength
    if file is None:
        return play(title, players, seed, against, strength)
    named = [title, players, seed, against, strength]
    for line in file.read_text().splitlines() if file.exists() else ():
        game, played = json.loads(line)
        if game == named:
            return Played(**played)
    found = play(title, players, seed, against, strength)
    with file.open("a") as lines:
        lines.write(json.dumps([named, asdict(found)]) + "\n")
    return found


def play(title: str, players: int, seed: int, against: str, strength: str = DEFAULT_STRENGTH) -> Played:
    """Play one game to its end, or up to the most moves for this opponent."""
    game = Game(title, [(SEATS[n], SEATS[n].upper()) for n in range(players)], seed)
    own = SEATS[seed % players]
    cared = set(SEATS[:players]) if against == "itself" else {own}
    pick, played = _others(title, seed, against), Played(False, "unfinished", 0, 0, 0)
    seen: set[tuple[int, int]] = set()
    while not game.is_over and game.seq < MOST[against]:
        player = game.actors()[0]
        if player in cared:
            _move(game, player, seed, strength, played)
        else:
            action = pick(game)
            if action.actor not in cared:
                game.apply(action)
        now = game.table.state.round
        if isinstance(now, Operating):
            seen.add((now.set, now.number))
    _judge(game, own, cared, played)
    played.rounds, played.sets = len(seen), len({number for number, _ in seen})
    return played


def _move(game: Game, player: PlayerId, seed: int, strength: str, played: Played) -> None:
    start = time.process_time()
    action = choose_move(game, player, seed, strength)
    played.ms.append((time.process_time() - start) * 1000)
    if action.kind == "bid":
        standing = game.table.auction.bids.get(action.chosen()["private"], {})
        played.raised += player in standing and standing[player] == max(standing.values())
    if action.kind == "sell_shares" and isinstance(game.table.state.round, Stock):
        played.sold += action.chosen()["shares"]
    game.apply(action)


def _judge(game: Game, own: PlayerId, cared: set[PlayerId], played: Played) -> None:
    scores = game.scores()
    played.won = game.ranks()[own] == 1
    played.worth = scores[own] / max(1, sum(scores.values()))
    played.cash = sum(game.table.cash(player) for player in cared) / len(cared)
    ending = game.table.state.ending
    if game.is_over and ending is not None:
        played.ended = ending.reason
    played.bankrupt = sum(player.bankrupt for player in game.table.state.players)


def _others(title: str, seed: int, against: str) -> Picks:
    if against == "uniform":
        return UniformPlayer(seed).choose
    if against == "greedy":
        return Greedy().choose
    from tests.support.players.random_players import player_of

    return player_of(title, seed).choose


class UniformPlayer:
    """A player that takes any offer (open decision) and any value with equal probability."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, game: Game) -> Action:
        """A random action for any player with an open decision."""
        offer = self._random.choice([offer for offer in game.offers() if offer.kind != "end_game"])
        cursor = OfferCursor(offer)
        while cursor.slot is not None:
            cursor = cursor.pick(self._value(cursor))
        return cursor.action()

    def _value(self, cursor: OfferCursor) -> Any:
        domain = cursor.domain
        values = list(domain.values())
        if values:
            return self._random.choice(values)
        return () if () in domain else cursor.offer.suggest()[0].chosen["routes"]


def _row(title: str, players: int, against: str, games: Sequence[Played]) -> str:
    ends = Counter(game.ended for game in games)
    ms = sorted(value for game in games for value in game.ms)
    cells = [
        title,
        str(players),
        against,
        "" if against == "itself" else str(sum(game.won for game in games)),
        str(len(games)),
        "" if against == "itself" else f"{mean(game.worth for game in games):.1%}",
        ", ".join(f"{reason} {count}" for reason, count in ends.most_common()),
        _spread([game.rounds for game in games]),
        _spread([game.sets for game in games]),
        str(sum(game.bankrupt for game in games)),
        f"{mean(game.raised for game in games):.1f}",
        f"{mean(game.sold for game in games):.1f}",
        f"${mean(game.cash for game in games):.0f}",
        f"{median(ms):.1f}",
        f"{ms[int(len(ms) * 0.99)]:.0f}",
    ]
    return "| " + " | ".join(cells) + " |"


def _spread(values: Sequence[int]) -> str:
    """Minimum, median and maximum, as text."""
    return f"{min(values)} {median(values):g} {max(values)}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.caretaker", description=__doc__)
    usual = [name for name in TITLES if name not in LONG]
    parser.add_argument("--title", nargs="+", default=usual, choices=list(TITLES), help="titles")
    parser.add_argument("--players", nargs="+", type=int, help="numbers of players; default: all")
    parser.add_argument("--games", type=int, default=20, help="games of each title and number of players")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first game")
    parser.add_argument("--against", choices=list(MOST), default="weighted", help="who has the other seats")
    parser.add_argument(
        "--strength", choices=list(STRENGTHS), default=DEFAULT_STRENGTH, help="of the caretaker"
    )
    parser.add_argument("--kept", type=Path, help="a file of games that have been played")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
