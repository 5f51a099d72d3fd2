"""`python -m benchmarks.caretaker [--title T...] [--players N...] [--games N] [--against weighted|uniform|itself]
[--kept FILE]`: how well the caretaker plays.

Against the random players of `make torture` (weighted), or one that takes whatever is offered (uniform), it has one
seat, a different one in each game; or it has every seat, and what counts is how such games end. Milliseconds are those
of the processor. Games are written into a file as they end, and those that stand there are not played again.
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
from statistics import median
from typing import Any, Final

from engine.caretaker import choose
from engine.core.actions import Action
from engine.core.cursor import Cursor
from engine.core.ids import PlayerId
from engine.core.state import Operating
from engine.game import Game
from engine.titles import TITLES

Picks = Callable[[Game], Action]
"""A player for all other seats."""

MOST: Final = {"weighted": 30_000, "uniform": 30_000, "itself": 5_000}
"""Moves after which a game is left unfinished; who is ahead then has won."""
SEATS: Final = "abcdefgh"
HEAD: Final = (
    *("title", "players", "against", "won", "of", "ends", "operating rounds (least, median, most)"),
    *("stock rounds", "bankrupt", "ms median", "ms 99 %"),
)
LONG: Final = frozenset({"18c2c-full"})
"""Titles that are measured only where they are named."""


@dataclass
class Played:
    """One game: who won, how it ended, how long it was, and the milliseconds of every move of the caretaker."""

    won: bool
    ended: str
    rounds: int
    """Operating rounds."""
    sets: int
    """Stock rounds."""
    bankrupt: int
    ms: list[float] = field(default_factory=list)


def main() -> int:
    """Measure and print a table."""
    options = _options()
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|")
    for title in options.title:
        for count in options.players or TITLES[title].spec.players:
            if count in TITLES[title].spec.players:
                seeds = range(options.first, options.first + options.games)
                games = [_kept(options.kept, title, count, seed, options.against) for seed in seeds]
                print(_row(title, count, options.against, games), flush=True)
    return 0


def _kept(file: Path | None, title: str, players: int, seed: int, against: str) -> Played:
    """The game as it stands in the file, a line for each, or played and written there."""
    if file is None:
        return play(title, players, seed, against)
    named = [title, players, seed, against]
    for line in file.read_text().splitlines() if file.exists() else ():
        game, played = json.loads(line)
        if game == named:
            return Played(**played)
    found = play(title, players, seed, against)
    with file.open("a") as lines:
        lines.write(json.dumps([named, asdict(found)]) + "\n")
    return found


def play(title: str, players: int, seed: int, against: str) -> Played:
    """One game to its end, or to the last move that is waited for."""
    game = Game(title, [(SEATS[n], SEATS[n].upper()) for n in range(players)], seed)
    own = SEATS[seed % players]
    cared = set(SEATS[:players]) if against == "itself" else {own}
    pick, played = _others(title, seed, against), Played(False, "unfinished", 0, 0, 0)
    seen: set[tuple[int, int]] = set()
    while not game.over and game.seq < MOST[against]:
        _move(game, cared, pick, seed, played.ms)
        now = game.table.state.round
        if isinstance(now, Operating):
            seen.add((now.set, now.number))
    _judge(game, own, played)
    played.rounds, played.sets = len(seen), len({number for number, _ in seen})
    return played


def _move(game: Game, cared: set[PlayerId], pick: Picks, seed: int, ms: list[float]) -> None:
    player = game.actors()[0]
    if player in cared:
        start = time.process_time()
        action = choose(game, player, seed)
        ms.append((time.process_time() - start) * 1000)
        game.apply(action)
        return
    action = pick(game)
    if action.actor not in cared:
        game.apply(action)


def _judge(game: Game, own: PlayerId, played: Played) -> None:
    scores = game.scores()
    played.won = scores[own] == max(scores.values())
    ending = game.table.state.ending
    if game.over and ending is not None:
        played.ended = ending.reason
    played.bankrupt = sum(player.bankrupt for player in game.table.state.players)


def _others(title: str, seed: int, against: str) -> Picks:
    if against == "uniform":
        return Anything(seed).choose
    from tests.support.players.random_players import player_of

    return player_of(title, seed).choose


class Anything:
    """Takes any offer, and any value of it, as likely as any other."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, game: Game) -> Action:
        """An action of a player who has an offer."""
        offer = self._random.choice([offer for offer in game.offers() if offer.kind != "end_game"])
        walk = Cursor(offer)
        while walk.slot is not None:
            walk = walk.pick(self._value(walk))
        return walk.action()

    def _value(self, walk: Cursor) -> Any:
        domain = walk.domain
        values = list(domain.values())
        if values:
            return self._random.choice(values)
        return () if () in domain else walk.offer.suggest()[0].chosen["routes"]


def _row(title: str, players: int, against: str, games: Sequence[Played]) -> str:
    ends = Counter(game.ended for game in games)
    ms = sorted(value for game in games for value in game.ms)
    cells = [
        title,
        str(players),
        against,
        "" if against == "itself" else str(sum(game.won for game in games)),
        str(len(games)),
        ", ".join(f"{reason} {count}" for reason, count in ends.most_common()),
        _spread([game.rounds for game in games]),
        _spread([game.sets for game in games]),
        str(sum(game.bankrupt for game in games)),
        f"{median(ms):.1f}",
        f"{ms[int(len(ms) * 0.99)]:.0f}",
    ]
    return "| " + " | ".join(cells) + " |"


def _spread(values: Sequence[int]) -> str:
    """Least, median and most."""
    return f"{min(values)} {median(values):g} {max(values)}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.caretaker", description=__doc__)
    usual = [name for name in TITLES if name not in LONG]
    parser.add_argument("--title", nargs="+", default=usual, choices=list(TITLES), help="titles")
    parser.add_argument("--players", nargs="+", type=int, help="numbers of players; default: all")
    parser.add_argument("--games", type=int, default=20, help="games of each title and number of players")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first game")
    parser.add_argument("--against", choices=list(MOST), default="weighted", help="who has the other seats")
    parser.add_argument("--kept", type=Path, help="a file of games that have been played")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
