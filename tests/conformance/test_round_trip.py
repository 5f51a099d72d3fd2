"""Games recorded elsewhere, written again as logs: the same game with the same trace."""

from pathlib import Path

import pytest

from bot.tools.replay import read_trace
from engine.core.facts import Fact, fact
from engine.game import Game
from engine.interchange import read_log, replay
from engine.interchange.log_replay import TraceLine, first_difference
from engine.interchange.writer import refused_there, write_log
from engine.record import make_record
from engine.titles import TITLES
from tests.support.long_runs import one_of

RECORDINGS = Path(__file__).parents[3] / "shared" / "conformance"
THERE = sorted(known.id for known in TITLES.values() if known.spec.on_18xx_games)
LOGS = [log for title in THERE for log in sorted((RECORDINGS / title).glob("*.json"))[:1]]
"""One of each title; `stationmaster export --form 18xx.games` and `replay` take any."""


def _name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.skipif(not LOGS, reason="the recorded games are not part of the project")
@pytest.mark.parametrize("path", one_of(2, LOGS, _name))
def test_recorded_game_survives_the_round_trip(path: Path) -> None:
    """Every action is read again, every value of the trace is the recorded one, and that site would read it."""
    trace, lines = read_trace(path), dict[int, TraceLine]()

    def note(game: Game, number: int, sub: int) -> None:
        lines.setdefault(game.seq, trace[number, sub])

    def compare(game: Game, number: int, sub: int) -> Fact | None:
        del number, sub
        found = first_difference(game, lines[game.seq]) if game.seq in lines else None
        return None if found is None else fact("log.differs", what=found.what, ours=found.ours, recorded="")

    first = replay(read_log(path.read_text("utf-8")), watch=note)
    assert first.game is not None
    own = make_record(first.game, first.applied)
    written = write_log(own.begin(), own.actions)
    again = replay(read_log(written), watch=compare)
    assert again.problem is None
    assert again.game is not None
    assert again.game.fits(own.digest)
    assert refused_there(written) is None
