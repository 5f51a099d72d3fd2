"""Writes the games kept in tests/golden, one per way to end, after a change on purpose.

`python -m tests.support.make_golden --renew` keeps their actions and writes the scores and digests they lead to
now: for a corrected rule, or another form of state or digest. Look at the
scores before you commit them. Where an action is refused, or the end is another one, the game must be played anew:
`python -m tests.support.make_golden 18al-price-3p`. Its seed may then need to change, too.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from bot.tools.showcase import GAMES_FOLDER as SHIPPED
from engine.caretaker import choose_move
from engine.core.actions import Action, EndGame
from engine.core.errors import ReplayDiverged
from engine.game import Game
from engine.record import Record, make_record, read_record, write_record
from tests.support.players.newengland_player import Speculator
from tests.support.players.random_play import RandomPlayer
from tests.support.players.random_players import player_of

FOLDER = Path(__file__).parents[1] / "golden"
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay")
MAX_ACTIONS = 5000


def main() -> int:
    """Write the games asked for; returns how many could not be renewed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--renew", action="store_true", help="keep the actions, write what they lead to")
    parser.add_argument("games", nargs="*", help="games to play anew")
    asked = parser.parse_args()
    failed = [path.stem for path in sorted(FOLDER.glob("*.json")) if not renew(path)] if asked.renew else []
    for name in asked.games:
        _write(FOLDER / f"{name}.json", PLAYED[name]())
    return len(failed)


def renew(path: Path) -> bool:
    """Write what the actions of a golden game lead to now; says why, and returns False, where they do not."""
    # These games were played here: nothing in them is read with the leniency for logs.
    written = replace(read_record(path.read_text("utf-8")), from_log=0)
    game = written.initial_game()
    try:
        game.apply_all(written.actions)
    except ReplayDiverged as problem:
        print(f"{path.stem}: {problem}")  # noqa: T201 - a command prints
        return False
    if game.scores() != written.scores:
        print(f"{path.stem}: {written.scores} is now {game.scores()}")  # noqa: T201
    _write(path, make_record(game, written.actions))
    return True


def _write(path: Path, played: Record) -> None:
    """Write a golden game, and its copy if it is one of those that ship with the bot."""
    for copy in (path, SHIPPED / path.name):
        if copy == path or copy.exists():
            copy.write_text(write_record(played), "utf-8")


def _table(players: int, seed: int, title: str, *options: str) -> Game:
    seats = [(f"p{i}", name) for i, name in enumerate(NAMES[:players], 1)]
    return Game(title, seats, seed, options=frozenset(options))


def _play(game: Game, player: Callable[[Game], Action], most: int = MAX_ACTIONS) -> Iterator[Action]:
    while not game.is_over and game.seq < most:
        action = player(game)
        game.apply(action)
        yield action


def _whole(players: int, seed: int, title: str, player: Callable[[Game], Action], *options: str) -> Record:
    game = _table(players, seed, title, *options)
    return make_record(game, list(_play(game, player)))


def _caretaker(game: Game) -> Action:
    """A move with good sense, for games that look like games."""
    return choose_move(game, game.actors()[0], 1)


def _agreed() -> Record:
    game = _table(2, 2, "18chesapeake")
    actions = list(_play(game, RandomPlayer(2002).choose, 120))
    votes = [EndGame(actor=player, entity=player) for player, _ in game.players]
    game.apply_all(votes)
    return make_record(game, [*actions, *votes])


PLAYED: dict[str, Callable[[], Record]] = {
    "18chesapeake-bank-4p": lambda: _whole(4, 3, "18chesapeake", _caretaker),
    "18chesapeake-bankruptcy-3p": lambda: _whole(3, 0, "18chesapeake", RandomPlayer(3000).choose),
    "18chesapeake-agreement-2p": _agreed,
    "1830-bank-3p": lambda: _whole(3, 1, "1830", _caretaker),
    "1830-bankruptcy-3p": lambda: _whole(3, 6, "1830", RandomPlayer(6).choose),
    "1846-all_closed-3p": lambda: _whole(3, 3, "1846", RandomPlayer(3).choose),
    "1846-bank-3p": lambda: _whole(3, 7, "1846", RandomPlayer(7).choose),
    "1846-bank-4p": lambda: _whole(4, 2, "1846", RandomPlayer(2).choose, "first_ed"),
    "1846-last_player-3p": lambda: _whole(3, 21, "1846", RandomPlayer(21).choose),
    "1882-bank-2p": lambda: _whole(2, 12, "1882", RandomPlayer(12).choose),
    "1882-bankruptcy-3p": lambda: _whole(3, 3, "1882", RandomPlayer(3).choose),
    "1882-price-3p": lambda: _whole(3, 3, "1882", _caretaker),
    "1889-bank-3p": lambda: _whole(3, 1, "1889", _caretaker),
    "1889-bankruptcy-3p": lambda: _whole(3, 7, "1889", RandomPlayer(7).choose),
    "18al-price-3p": lambda: _whole(3, 0, "18al", _caretaker),
    "18al-bankruptcy-3p": lambda: _whole(3, 7, "18al", RandomPlayer(7).choose),
    "18tn-bankruptcy-3p": lambda: _whole(3, 7, "18tn", RandomPlayer(7).choose),
    "18tn-bank-3p": lambda: _whole(3, 2, "18tn", RandomPlayer(2).choose),
    "18c2c-bank-3p": lambda: _whole(3, 101, "18c2c", player_of("18c2c", 101).choose, "no_eliminations"),
    "18ga-bank-3p": lambda: _whole(3, 4, "18ga", RandomPlayer(4).choose),
    "18ga-bankruptcy-3p": lambda: _whole(3, 6, "18ga", RandomPlayer(6).choose),
    "18ga-price-3p": lambda: _whole(3, 0, "18ga", _caretaker),
    "18ms-last_round-2p": lambda: _whole(2, 14, "18ms", RandomPlayer(14).choose),
    "18ms-last_round-3p": lambda: _whole(3, 1, "18ms", _caretaker),
    "18newengland-bank-3p": lambda: _whole(3, 7, "18newengland", Speculator(7).choose),
    "18newengland-last_player-2p": lambda: _whole(2, 4, "18newengland", Speculator(4).choose),
}


if __name__ == "__main__":
    raise SystemExit(main())
