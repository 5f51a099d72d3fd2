"""`stationmaster replay`: one line of JSON a file, and a clear word about every file that is not as it should be."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from bot.tools.cli import main
from engine.core.errors import IllegalAction
from engine.core.facts import fact
from engine.record import load_game

GOLDEN = Path(__file__).parents[1] / "golden" / "18chesapeake-agreement-2p.json"


def replayed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """Exit code and reports of the command."""
    code = main(["replay", *arguments])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def changed(tmp_path: Path, **changes: Any) -> Path:
    """The golden game with some fields of the file changed by hand."""
    path = tmp_path / "changed.json"
    path.write_text(json.dumps({**json.loads(GOLDEN.read_text("utf-8")), **changes}), "utf-8")
    return path


def site_log(tmp_path: Path, *actions: dict[str, Any], **changes: Any) -> Path:
    """A short log in the form of 18xx.games."""
    log = {
        "id": 1,
        "title": "18Chesapeake",
        "players": [{"id": number, "name": f"Player {number}"} for number in (1, 2, 3)],
        "settings": {"seed": 3},
        "actions": [{"id": number, **action} for number, action in enumerate(actions, 1)],
        **changes,
    }
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log), "utf-8")
    return path


BUY = {"type": "bid", "entity": 1, "entity_type": "player", "company": "D&R", "price": 20}
PASS = {"type": "pass", "entity": 2, "entity_type": "player"}


def test_a_whole_game_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """File, title, players, actions, finished, end, scores, and whether it ends as recorded."""
    code, (report,) = replayed(capsys, str(GOLDEN))
    assert code == 0
    assert report["file"] == str(GOLDEN)
    assert (report["title"], report["players"], report["actions"]) == ("18Chesapeake", 2, 123)
    assert (report["finished"], report["end"], report["matches_recorded_result"]) == (
        True,
        "manually_ended",
        True,
    )
    assert report["scores"] == json.loads(GOLDEN.read_text("utf-8"))["scores"]


def test_one_bad_file_among_good_ones_makes_the_exit_code_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Every file is reported all the same."""
    code, reports = replayed(capsys, str(GOLDEN), str(changed(tmp_path, scores={"p1": 1, "p2": 2})))
    assert code == 1
    assert [report["matches_recorded_result"] for report in reports] == [True, False]


@pytest.mark.parametrize("keep", [0, 1, 150, 4000])
def test_a_truncated_log_is_refused_with_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, keep: int
) -> None:
    """However much of it is left."""
    path = tmp_path / "cut.json"
    path.write_bytes(GOLDEN.read_bytes()[:keep])
    code, (report,) = replayed(capsys, str(path))
    assert code == 1
    assert "not complete" in report["problem"]


def test_a_hand_edited_action_is_refused_with_its_number(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The rule it breaks is named."""
    actions = json.loads(GOLDEN.read_text("utf-8"))["actions"]
    actions[0] = {"kind": "bid", "actor": "p1", "entity": "p1", "private": "CV", "amount": 100_000}
    code, (report,) = replayed(capsys, str(changed(tmp_path, actions=actions)))
    assert code == 1
    assert report["problem"].startswith("action 1: ")
    assert "(9)" in report["problem"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"title": "18Nowhere"}, "no title '18Nowhere'"),
        ({"profile": "house"}, "no profile 'house'"),
        ({"players": [["p1", "Ann"]]}, "2 to 6 players, not 1"),
        ({"actions": "none"}, "damaged: actions: Input should be a valid list"),
        ({"actions": ["pass"]}, "damaged: actions.0: Input should be a valid dictionary"),
        ({"scores": [1, 2]}, "damaged: scores: Input should be a valid dictionary"),
        ({"seed": "x"}, "damaged: seed: Input should be a valid integer"),
        ({"seed": float("inf")}, "Infinity is not a number"),
        ({"players": None}, "damaged: players: Input should be a valid list"),
    ],
)
def test_a_damaged_record_says_what_is_wrong(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    """Fields of the wrong kind, unknown titles and profiles."""
    code, (report,) = replayed(capsys, str(changed(tmp_path, **changes)))
    assert code == 1
    assert said in report["problem"]


def test_a_missing_file_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Like any other failure: a line, and exit code 1."""
    code, (report,) = replayed(capsys, str(tmp_path / "nowhere.json"))
    assert code == 1
    assert "nowhere.json" in report["problem"]


def test_passes_that_end_nothing_are_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A log of 18xx.games may have some; here it has none."""
    _, (report,) = replayed(capsys, str(site_log(tmp_path, BUY, PASS)))
    assert report["skipped_passes"] == 0


def test_a_log_without_a_result_may_stop_anywhere(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Nothing recorded, nothing contradicted."""
    code, (report,) = replayed(capsys, str(site_log(tmp_path, BUY, PASS)))
    assert code == 0
    assert (report["actions"], report["finished"]) == (2, False)


def test_undone_actions_do_not_count(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """An undo removes the last action, a redo restores it, a message is nothing."""
    undo = {"type": "undo", "entity": 1, "entity_type": "player"}
    redo = {"type": "redo", "entity": 1, "entity_type": "player"}
    message = {"type": "message", "entity": 1, "entity_type": "player", "message": "hello"}
    _, (report,) = replayed(capsys, str(site_log(tmp_path, BUY, undo, message, redo, PASS, undo)))
    assert report["actions"] == 1


def test_an_illegal_action_of_a_log_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Its number, kind and doer, and why."""
    code, (report,) = replayed(capsys, str(site_log(tmp_path, BUY, {**PASS, "entity": 3})))
    assert code == 1
    assert report["problem"].startswith("action 2 (pass by 3): It is not your turn")


def test_unknown_actions_of_a_log_are_not_passed_over(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A kind of action that no title has, or one with fields missing."""
    code, (report,) = replayed(capsys, str(site_log(tmp_path, {"type": "teleport", "entity": 1})))
    assert code == 1
    assert "teleport" in report["problem"]
    code, (report,) = replayed(capsys, str(site_log(tmp_path, {"type": "bid", "entity": 1})))
    assert code == 1
    assert "values of the action cannot be read" in report["problem"]


def test_a_missing_trace_counts_as_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Only with --trace."""
    log = site_log(tmp_path, BUY)
    assert replayed(capsys, str(log))[0] == 0
    code, (report,) = replayed(capsys, str(log), "--trace")
    assert code == 1
    assert "no trace" in report["problem"]


def test_the_first_difference_from_a_trace_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Action, value, ours and the recorded one."""
    log = site_log(tmp_path, BUY)
    with gzip.open(tmp_path / "log.trace.jsonl.gz", "wt", encoding="utf-8") as trace:
        line = {"i": 1, "type": "bid", "entity": 1, "phase": "3", "round": "AUCTION", "active": [2]}
        trace.write(json.dumps(line) + "\n")
    code, (report,) = replayed(capsys, str(log), "--trace")
    assert code == 1
    assert report["problem"] == "action 1 (bid by 1): phase is 2, recorded 3."


def test_a_log_that_ends_for_another_reason_does_not_match(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The scores alone are not enough."""
    end = {"type": "end_game", "entity": 1, "entity_type": "player"}
    totals = {"1": 800, "2": 800, "3": 800}
    for reason, code in (("manually_ended", 0), ("bank", 1)):
        log = site_log(tmp_path, BUY, end, result=totals, game_end_reason=reason)
        assert replayed(capsys, str(log))[0] == code


def test_a_position_is_named_by_the_id_of_an_action_as_the_game_stood_then(tmp_path: Path) -> None:
    """What is undone later still counts; ids may leave some numbers out."""
    undo = {"type": "undo", "entity": 1, "entity_type": "player"}
    text = site_log(tmp_path, {**BUY, "id": 7}, {**PASS, "id": 9}, {**undo, "id": 10}).read_text("utf-8")
    played = [load_game(text, until).seq for until in (0, 6, 7, 8, 9, 10, None)]
    assert played == [0, 0, 1, 1, 2, 1, 1]
    with pytest.raises(IllegalAction) as refused:
        load_game(text, 11)
    assert refused.value.reason == fact("log.ends_before", last=10, wanted=11)
