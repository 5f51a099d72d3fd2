"""Games that were played when some steps asked less: their moves lead to the same end by today's rules."""

from pathlib import Path

import pytest

from engine.core.actions import Pass
from engine.core.errors import IllegalAction
from engine.interchange.earlier import EarlierMoves
from engine.record import load, load_record, read_record, write_record

GAMES = sorted((Path(__file__).parent / "format_1").glob("*.json"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_game_of_the_first_form_comes_to_the_same_end(path: Path) -> None:
    """What was not asked then is passed now, and nothing else changes."""
    text = path.read_text("utf-8")
    written = read_record(text)
    game, done = written.played()
    assert game.over
    assert game.scores() == written.scores
    passed = [action for action in done if action not in written.actions or isinstance(action, Pass)]
    assert passed
    assert [a for a in done if not isinstance(a, Pass)] == [
        a for a in written.actions if not isinstance(a, Pass)
    ]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_game_of_the_first_form_is_written_as_todays(path: Path) -> None:
    """With the passes, so that it replays like any other."""
    again = read_record(write_record(load_record(path.read_text("utf-8"))))
    assert again.play().scores() == read_record(path.read_text("utf-8")).scores


def test_a_position_of_a_game_of_the_first_form_is_named_by_its_own_numbers() -> None:
    """Passes that are added count for nothing."""
    text = GAMES[0].read_text("utf-8")
    assert load(text, 50).digest() != load(text, 51).digest()
    assert len(read_record(text).actions) < load(text).seq


def test_a_move_that_today_is_refused_stops_the_game_there() -> None:
    """Passing goes only as far as a turn that somebody has begun."""
    written = read_record(GAMES[0].read_text("utf-8"))
    game = written.begin()
    moves = EarlierMoves(game)
    last = written.actions[-1]
    assert last.kind != "bid"
    with pytest.raises(IllegalAction):
        moves.makes_way(last)
    assert (moves.passed, game.seq) == ([], 0)
