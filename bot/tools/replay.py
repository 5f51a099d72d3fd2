"""`stationmaster replay`: replays recorded games and compares them with their recorded results and traces."""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bot.table.errors import Refused
from engine import EngineError, Game, ReplayDiverged, describe_error, interchange, is_record, read_record

Report = dict[str, Any]


def replay_reports(files: Iterable[Path], *, compares_trace: bool) -> Iterator[Report]:
    """A report on the replay of each file. Its `matches_recorded_result` is true if the game ended as recorded."""
    for file in files:
        try:
            yield _replay_file(file, compares_trace=compares_trace)
        except EngineError as error:
            yield _refusal_report(file, describe_error(error))
        except (Refused, OSError) as error:
            yield _refusal_report(file, str(error))


def _replay_file(file: Path, *, compares_trace: bool) -> Report:
    text = file.read_text("utf-8", "replace")
    return (
        _replay_record(file, text)
        if is_record(text)
        else _replay_log(file, text, compares_trace=compares_trace)
    )


def _replay_record(file: Path, text: str) -> Report:
    record = read_record(text)
    try:
        game = record.play()
    except ReplayDiverged as error:
        return _refusal_report(file, describe_error(error, record.initial_game()))
    is_as_recorded = record.scores is None or record.scores == game.scores()
    return _replay_report(file, game, len(record.actions), is_as_recorded)


def _replay_log(file: Path, text: str, *, compares_trace: bool) -> Report:
    log = interchange.read_log(text)
    watcher = interchange.trace_watcher(read_trace(file)) if compares_trace else None
    outcome = interchange.replay(log, watcher=watcher)
    if outcome.game is None:
        assert outcome.problem is not None
        return _refusal_report(file, describe_error(outcome.problem))
    report = _replay_report(file, outcome.game, outcome.last_action_number, outcome.matches_record(log))
    report["skipped_passes"] = outcome.skipped_passes
    if outcome.problem is not None:
        report["problem"] = describe_error(outcome.problem, outcome.game)
    return report


def _replay_report(file: Path, game: Game, action_count: int, is_as_recorded: bool) -> Report:
    return {
        "file": str(file),
        "title": game.title.name,
        "players": len(game.players),
        "actions": action_count,
        "finished": game.is_over,
        "end": interchange.recorded_ending(game),
        "scores": game.scores(),
        "matches_recorded_result": is_as_recorded,
    }


def _refusal_report(file: Path, reason: str) -> Report:
    return {
        "file": str(file),
        "title": None,
        "players": None,
        "actions": 0,
        "finished": False,
        "end": None,
        "scores": None,
        "matches_recorded_result": False,
        "problem": reason,
    }


def read_trace(file: Path) -> dict[tuple[int, int], interchange.RecordedPosition]:
    """A recorded game's trace file: the position after each (action, sub-action) number. Raises Refused."""
    trace_path = file.with_suffix(".trace.jsonl.gz")
    if not trace_path.exists():
        raise Refused(f"There is no trace {trace_path.name} next to the log.")
    try:
        with gzip.open(trace_path, "rt", encoding="utf-8") as lines:
            trace_lines = [json.loads(line) for line in lines]
        return {(line["i"], line.get("sub", 0)): line for line in trace_lines}
    except (OSError, EOFError, ValueError, LookupError, TypeError, RecursionError, zlib.error) as error:
        raise Refused(f"Cannot read the trace {trace_path.name}: {error}.") from error
