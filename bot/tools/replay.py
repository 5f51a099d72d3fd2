"""`stationmaster replay`: whether recorded games end as recorded, and where they first differ from a trace."""

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bot.table.style import without_game
from engine.core.errors import EngineError, IllegalAction, ReplayDiverged
from engine.game import Game
from engine.interchange.log import read_log
from engine.interchange.replay import Watcher, ending, replay
from engine.interchange.trace import Line, first_difference
from engine.record import Record, is_record, read_record
from engine.tell.viewing import tell

Report = dict[str, Any]


def reports(files: Iterable[Path], *, trace: bool) -> Iterator[Report]:
    """One report a file, ready to be printed as a line of JSON; `matches_recorded_result` says whether it passed."""
    for file in files:
        try:
            yield _replay_file(file, trace=trace)
        except EngineError as error:
            yield _refused(file, without_game(error))
        except OSError as error:
            yield _refused(file, str(error))


def _replay_file(file: Path, *, trace: bool) -> Report:
    text = file.read_text("utf-8", "replace")
    return _replay_record(file, text) if is_record(text) else _replay_log(file, text, trace=trace)


def _replay_record(file: Path, text: str) -> Report:
    own = read_record(text)
    try:
        game = own.play()
    except ReplayDiverged as error:
        return _refused(file, _why(own, error))
    matches = own.scores is None or own.scores == game.scores()
    return _report(file, game, len(own.actions), matches, None)


def _why(own: Record, diverged: ReplayDiverged) -> str:
    """Why a record does not go on, in the words of the game as it stands there."""
    if diverged.reason is None:
        return str(diverged)
    refusal = tell(own.play(diverged.seq - 1)).refusal(IllegalAction(diverged.reason))
    return f"action {diverged.seq}: {refusal}"


def _replay_log(file: Path, text: str, *, trace: bool) -> Report:
    log = read_log(text)
    watch = _watcher(_read_trace(file)) if trace else None
    outcome = replay(log, watch=watch)
    if outcome.game is None:
        return _refused(file, outcome.problem or "refused")
    return _report(file, outcome.game, outcome.actions, outcome.matches(log), outcome.problem)


def _report(file: Path, game: Game, actions: int, matches: bool, problem: str | None) -> Report:
    report: Report = {
        "file": str(file),
        "title": game.title.name,
        "players": len(game.players),
        "actions": actions,
        "finished": game.over,
        "end": ending(game),
        "scores": game.scores(),
        "matches_recorded_result": matches,
    }
    if problem:
        report["problem"] = problem
    return report


def _refused(file: Path, why: str) -> Report:
    return {
        "file": str(file),
        "title": None,
        "players": None,
        "actions": 0,
        "finished": False,
        "end": None,
        "scores": None,
        "matches_recorded_result": False,
        "problem": why,
    }


def _read_trace(file: Path) -> dict[tuple[int, int], Line]:
    """The trace next to a log, by action and sub-action; raises IllegalAction when it is missing or damaged."""
    path = file.with_suffix(".trace.jsonl.gz")
    if not path.exists():
        raise IllegalAction(f"there is no trace {path.name} next to the log")
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            read = [json.loads(line) for line in lines]
        return {(line["i"], line.get("sub", 0)): line for line in read}
    except (OSError, EOFError, ValueError, KeyError) as error:
        raise IllegalAction(f"the trace {path.name} cannot be read: {error}") from error


def _watcher(lines: dict[tuple[int, int], Line]) -> Watcher:
    def watch(game: Game, number: int, sub: int) -> str | None:
        line = lines.get((number, sub))
        where = f"action {number}" + (f".{sub}" if sub else "")
        if line is None:
            return f"{where} is not in the trace"
        found = first_difference(game, line)
        if found is None:
            return None
        by = f"{line['type']} by {line.get('entity')}"
        return f"{where} ({by}): {found.what} is {found.ours}, recorded {found.recorded}"

    return watch
