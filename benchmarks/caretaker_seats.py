"""Benchmark of the caretaker (computer player) in the seats of people's recorded games.

`python -m benchmarks.caretaker_seats LOG... [--by caretaker|greedy|weighted...] [--others greedy|caretaker|weighted]
[--strength NAME] [--kept FILE]` replays the first half of each log. From that position it plays the game to its end
once for each seat: the measured player has that seat, and another player has all other seats. The result compares the
seat's share of all players' final net worth with its share at the end of the record.

If the other seats are played worse than people played them, the measured player looks better than it is. Therefore the
table also shows what the other seats' player gets in the same seats (`--by greedy --others greedy`). It also compares
the net worth of all players with the record, since well-run companies earn more for all their shareholders.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from math import sqrt
from pathlib import Path
from statistics import mean, median, stdev
from typing import Final

from benchmarks.greedy import Greedy
from benchmarks.measure import Source
from engine.caretaker import DEFAULT_STRENGTH, STRENGTHS, choose_move
from engine.core.actions import Action
from engine.core.ids import PlayerId
from engine.game import Game
from engine.play.saved import read_position

MOST: Final = 5_000
"""Number of moves after halfway at which a game is left unfinished; the scores at that time count."""
PLAYERS: Final = ("caretaker", "greedy", "weighted")
HEAD: Final = (
    "title",
    "games",
    "seats",
    "by",
    "others",
    "record",
    "part",
    "more than the record",
    "all have",
)

Plays = Callable[[Game, PlayerId], Action]
"""A function that chooses the action of a player who must act."""


@dataclass(frozen=True)
class Seated:
    """One seat of a recorded game, played on from halfway."""

    title: str
    log: str
    player: str
    by: str
    others: str
    recorded: float
    """The seat's fraction of all players' net worth at the end of the record."""
    part: float
    """The seat's fraction of all players' net worth when played on from halfway."""
    all_have: float
    """Net worth of all players, as a fraction of their net worth at the end of the record."""
    over: bool

    @property
    def gained_part(self) -> float:
        """Increase of the seat's fraction of all net worth over the record."""
        return self.part - self.recorded


@dataclass(frozen=True)
class HalfwayGame:
    """A recorded game: its position halfway, as text, and its final scores."""

    log: str
    title: str
    position: str
    scores: dict[PlayerId, int]


def load_halfway_game(path: Path) -> HalfwayGame:
    """The halfway position and the final scores of a recorded game; raises EngineError."""
    source = Source(path)
    game = source.begin()
    positions = [game.dump()]
    for _, _, do in source.steps(game):
        do()
        positions.append(game.dump())
    return HalfwayGame(source.name, game.title.id, positions[(len(positions) - 1) // 2], game.scores())


def begin(half: HalfwayGame) -> Game:
    """A game that continues from the halfway position under the current rules."""
    saved = read_position(half.position)
    return Game.resume(replace(saved, from_log=0))


def played(
    half: HalfwayGame, seat: PlayerId, by: str, others: str, strength: str = DEFAULT_STRENGTH
) -> Seated:
    """Play the game on from halfway: the measured player `by` has one seat, `others` all other seats."""
    game = begin(half)
    first = game.seq
    own, other = _player(by, half.title, strength), _player(others, half.title, strength)
    while not game.is_over and game.seq < first + MOST:
        player = game.actors()[0]
        game.apply((own if player == seat else other)(game, player))
    scores, before, now = game.scores(), sum(half.scores.values()), sum(game.scores().values())
    return Seated(
        half.title,
        half.log,
        seat,
        by,
        others,
        half.scores[seat] / before,
        scores[seat] / max(1, now),
        now / before,
        game.is_over,
    )


def _player(name: str, title: str, strength: str) -> Plays:
    if name == "caretaker":
        return lambda game, player: choose_move(game, player, game.seed, strength)
    if name == "greedy":
        greedy = Greedy()
        return lambda game, _: greedy.choose(game)
    from tests.support.players.random_players import player_of

    random = player_of(title, 1)

    def weighted(game: Game, player: PlayerId) -> Action:
        """A random player's move."""
        while (action := random.choose(game)).actor != player:
            pass
        return action

    return weighted


def main() -> int:
    """Run the benchmark and print a table: a row for each title, and one for all titles."""
    options = _options()
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|")
    halves = [load_halfway_game(path) for path in options.logs]
    for by in options.by:
        seated = [_kept(options, half, seat, by) for half in halves for seat in half.scores]
        for title in dict.fromkeys(seat.title for seat in seated):
            print(_row(title, [seat for seat in seated if seat.title == title]), flush=True)
        print(_row("all", seated), flush=True)
    return 0


def _kept(options: argparse.Namespace, half: HalfwayGame, seat: PlayerId, by: str) -> Seated:
    """The seat's result from the file, or else played now and appended to it."""
    file, others, strength = options.kept, options.others, options.strength
    if file is None:
        return played(half, seat, by, others, strength)
    named = [half.log, seat, by, others, strength]
    for line in file.read_text().splitlines() if file.exists() else ():
        name, fields = json.loads(line)
        if name == named:
            return Seated(**fields)
    new = played(half, seat, by, others, strength)
    with file.open("a") as lines:
        lines.write(json.dumps([named, asdict(new)]) + "\n")
    return new


def _row(title: str, seats: Sequence[Seated]) -> str:
    gained = [seat.gained_part for seat in seats]
    cells = [
        title,
        str(len({seat.log for seat in seats})),
        str(len(seats)),
        seats[0].by,
        seats[0].others,
        f"{mean(one.recorded for one in seats):.1%}",
        f"{mean(one.part for one in seats):.1%}",
        f"{100 * mean(gained):+.1f} ± {100 * _error(gained):.1f} points",
        f"{median(one.all_have for one in seats):.0%}",
    ]
    return "| " + " | ".join(cells) + " |"


def _error(values: Sequence[float]) -> float:
    """The standard error of the mean."""
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.caretaker_seats", description=__doc__)
    parser.add_argument("logs", type=Path, nargs="+", help="logs of 18xx.games, or records of this program")
    parser.add_argument("--by", nargs="+", default=["caretaker"], choices=PLAYERS, help="who is measured")
    parser.add_argument("--others", default="greedy", choices=PLAYERS, help="who has the other seats")
    parser.add_argument(
        "--strength", choices=list(STRENGTHS), default=DEFAULT_STRENGTH, help="of the caretaker"
    )
    parser.add_argument("--kept", type=Path, help="a file of seats that have been played")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
