"""`stationmaster replay`: a line of JSON for each file."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import IllegalAction
from engine.core.facts import fact
from engine.record import load_game
from tests.cli.recorded import BUY, GOLDEN, PASS, record, replayed, site_log

UNDO, REDO = ({"type": kind, "entity": 1, "entity_type": "player"} for kind in ("undo", "redo"))
SAID = {"type": "message", "entity": 1, "entity_type": "player", "message": "hello"}


def log(folder: Path, *actions: dict[str, Any], **changes: Any) -> Path:
    path = folder / "log.json"
    path.write_text(json.dumps(site_log(*actions, **changes)), "utf-8")
    return path


def test_whole_game_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    code, (report,) = replayed(capsys, GOLDEN)
    whole = record()
    assert code == 0
    assert (report["file"], report["scores"]) == (str(GOLDEN), whole["scores"])
    assert (report["title"], report["players"], report["actions"]) == ("18Chesapeake", 2, 123)
    assert (report["finished"], report["end"]) == (True, "manually_ended")
    assert report["matches_recorded_result"] is True


def test_one_bad_file_fails_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Every file is reported all the same; a missing one, too."""
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(record(scores={"p1": 1, "p2": 2})), "utf-8")
    code, reports = replayed(capsys, GOLDEN, path, tmp_path / "nowhere.json")
    assert code == 1
    assert [report["matches_recorded_result"] for report in reports[:2]] == [True, False]
    assert "nowhere.json" in reports[2]["problem"]


def test_log_may_stop_anywhere(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Without a result; what was undone does not count."""
    code, (report,) = replayed(capsys, log(tmp_path, BUY, PASS))
    assert (code, report["actions"], report["finished"], report["skipped_passes"]) == (0, 2, False, 0)
    _, (report,) = replayed(capsys, log(tmp_path, BUY, UNDO, SAID, REDO, PASS, UNDO))
    assert report["actions"] == 1


def test_difference_from_a_trace_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A trace that is missing is a problem."""
    path = log(tmp_path, BUY)
    assert replayed(capsys, path)[0] == 0
    code, (report,) = replayed(capsys, path, "--trace")
    assert (code, "no trace" in report["problem"]) == (1, True)
    with gzip.open(tmp_path / "log.trace.jsonl.gz", "wt", encoding="utf-8") as trace:
        line = {"i": 1, "type": "bid", "entity": 1, "phase": "3", "round": "AUCTION", "active": [2]}
        trace.write(json.dumps(line) + "\n")
    code, (report,) = replayed(capsys, path, "--trace")
    assert (code, report["problem"]) == (1, "action 1 (bid by 1): phase is 2; the log says 3.")


def test_problem_has_the_number_that_at_takes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The id in the log, which counts what was undone."""
    wrong = {**BUY, "id": 9}
    path = log(tmp_path, {**BUY, "id": 4}, {**UNDO, "id": 5}, {**BUY, "id": 7}, wrong)
    code, (report,) = replayed(capsys, path)
    assert (code, report["actions"]) == (1, 1)
    assert report["problem"].startswith("action 9 (bid by 1): ")
    assert load_game(path.read_text("utf-8"), 7).seq == 1


def test_reason_of_the_end_must_match(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    end = {"type": "end_game", "entity": 1, "entity_type": "player"}
    totals = {"1": 800, "2": 800, "3": 800}
    for reason, code in (("manually_ended", 0), ("bank", 1)):
        path = log(tmp_path, BUY, end, result=totals, game_end_reason=reason)
        assert replayed(capsys, path)[0] == code


def test_position_by_the_id_of_an_action() -> None:
    text = json.dumps(site_log({**BUY, "id": 7}, {**PASS, "id": 9}, {**UNDO, "id": 10}))
    assert [load_game(text, until).seq for until in (0, 6, 7, 8, 9, 10, None)] == [0, 0, 1, 1, 2, 1, 1]
    with pytest.raises(IllegalAction) as refused:
        load_game(text, 11)
    assert refused.value.reason == fact("log.ends_before", last=10, wanted=11)
