"""`stationmaster routes` on recorded games of our own."""

import json
from pathlib import Path

import pytest

from bot.tools.cli import main
from engine.record import read_record

GAME = Path(__file__).parents[1] / "golden" / "18chesapeake-bank-4p.json"


def run_positions(count: int) -> list[int]:
    """Numbers of actions after which a company runs its trains."""
    actions = read_record(GAME.read_bytes()).actions
    return [n for n, action in enumerate(actions) if action.kind == "run_routes"][-count:]


def test_the_best_routes_are_printed_for_people_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    for number in run_positions(3):
        assert main(["routes", str(GAME), "--at", str(number), "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["proven"]
        assert report["revenue"] == sum(route["revenue"] for route in report["routes"]) > 0
        for route in report["routes"]:
            assert route["train"] in report["trains"]
            assert sum(map(int, route["sum"].split("+"))) == route["revenue"]
        assert main(["routes", str(GAME), "--at", str(number)]) == 0
        text = capsys.readouterr().out
        assert f"revenue ${report['revenue']} (proven best)" in text
        assert all(route["sum"] in text and "-".join(route["stops"]) in text for route in report["routes"])


def test_the_number_of_the_run_itself_will_do(capsys: pytest.CaptureFixture[str]) -> None:
    for number in run_positions(2):
        printed = []
        for at in (number, number + 1):
            assert main(["routes", str(GAME), "--at", str(at), "--json"]) == 0
            printed.append({**json.loads(capsys.readouterr().out), "ms": 0})
        assert printed[0] == printed[1]


def test_where_nobody_runs_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["routes", str(GAME), "--at", "0"]) == 1
    assert "No company runs trains in this position" in capsys.readouterr().err


def test_a_log_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["routes", str(tmp_path / "none.json")]) == 1
    assert "cannot be read" in capsys.readouterr().err
