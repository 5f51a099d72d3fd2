"""Games recorded elsewhere, compared after every action; written again as logs; skipped where they are not at hand."""

from pathlib import Path

import pytest

from bot.tools.replay import read_trace, replay_reports
from engine.core.facts import Fact, fact
from engine.game import Game
from engine.interchange import read_log, replay
from engine.interchange.log_replay import RecordedPosition, first_difference
from engine.interchange.writer import refusal_on_18xx_games, write_log
from engine.record import make_record
from engine.titles import TITLES
from tests.support.long_runs import VARIED_TITLES, some_named, some_of_each

SHARED = Path(__file__).parents[3] / "shared"
RECORDINGS = (SHARED / "conformance", SHARED / "more-titles" / "conformance")
OLDER_RULES = {"67889"}
"""Games played by rules that their site has changed since: a token in New Orleans earned more in phase 6, too."""
LOGS = sorted(
    log
    for folder in RECORDINGS
    for title in TITLES
    for log in (folder / title).glob("*.json")
    if log.stem not in OLDER_RULES
)
REFUSED_TODAY = {"314"}
"""Old games that their site would not accept today: a train runs through a full city."""
FIRSTS = [
    next(log for log in LOGS if log.parent.name == title and log.stem not in REFUSED_TODAY)
    for title in sorted({log.parent.name for log in LOGS})
    if TITLES[title].spec.is_on_18xx_games
]
"""One of each title; `stationmaster export --form 18xx.games` and `replay` take any."""
absent = pytest.mark.skipif(not LOGS, reason="the recorded games are not part of the project")


def _kind(log: Path) -> tuple[str, bool]:
    """Title, and True if moves were chosen by chance there; of each kind one is for every run."""
    return log.parent.name, log.stem.startswith("sp")


@absent
@pytest.mark.parametrize("log", some_of_each(LOGS, _kind, lambda log: log.stem, len(LOGS)))
def test_recorded_game_replays(log: Path) -> None:
    """Every action is accepted and every value of the trace is ours."""
    (report,) = replay_reports([log], compares_trace=True)
    assert report.get("problem") is None
    assert report["matches_recorded_result"]


@absent
@pytest.mark.parametrize("path", some_named(VARIED_TITLES, FIRSTS, lambda log: log.parent.name))
def test_recorded_game_survives_the_round_trip(path: Path) -> None:
    """Every action is read again, every value of the trace is the recorded one, and that site would read it."""
    trace, lines = read_trace(path), dict[int, RecordedPosition]()

    def note(game: Game, number: int, sub: int) -> None:
        lines.setdefault(game.seq, trace[number, sub])

    def compare(game: Game, number: int, sub: int) -> Fact | None:
        del number, sub
        found = first_difference(game, lines[game.seq]) if game.seq in lines else None
        if found is None:
            return None
        return fact("log.differs", what=found.value_name, ours=found.our_value, recorded="")

    first = replay(read_log(path.read_text("utf-8")), watcher=note)
    assert first.game is not None
    own = make_record(first.game, first.applied_actions)
    written = write_log(own.initial_game(), own.actions)
    again = replay(read_log(written), watcher=compare)
    assert again.problem is None
    assert again.game is not None
    assert again.game.matches_digest(own.digest)
    assert refusal_on_18xx_games(written) is None
