"""`stationmaster render` and `stationmaster routes` on positions of recorded games."""

import json
from pathlib import Path

import pytest

from bot.tools.cli import main
from engine.record import read_record
from tests.cli.recorded import GOLDEN

RUNS = GOLDEN.with_name("18chesapeake-bank-4p.json")


def runs(count: int) -> list[int]:
    """Numbers of the last actions after which a company runs its trains."""
    actions = read_record(RUNS.read_bytes()).actions
    return [n for n, action in enumerate(actions) if action.kind == "run_routes"][-count:]


@pytest.mark.parametrize(
    ("at", "names"), [(["--at", "60"], {"map", "market"}), ([], {"map", "market", "scores"})]
)
def test_position_is_drawn(tmp_path: Path, at: list[str], names: set[str]) -> None:
    """The last one without --at."""
    assert main(["render", str(GOLDEN), *at, "--out", str(tmp_path / "new")]) == 0
    pictures = {path.name: path.read_bytes() for path in (tmp_path / "new").iterdir()}
    assert set(pictures) == {f"{name}.png" for name in names}
    assert all(picture.startswith(b"\x89PNG") for picture in pictures.values())


@pytest.mark.parametrize("at", ["9999", "-1"])
def test_unknown_position(tmp_path: Path, capsys: pytest.CaptureFixture[str], at: str) -> None:
    assert main(["render", str(GOLDEN), "--at", at, "--out", str(tmp_path / "none")]) == 1
    assert "action" in capsys.readouterr().err.lower()
    assert not (tmp_path / "none").exists()


def test_best_routes(capsys: pytest.CaptureFixture[str]) -> None:
    """For people and as JSON; the number of the run itself will do."""

    def printed(number: int, *more: str) -> str:
        assert main(["routes", str(RUNS), "--at", str(number), *more]) == 0
        return capsys.readouterr().out

    for number in runs(3):
        report, same = (json.loads(printed(at, "--json")) for at in (number, number + 1))
        assert {**report, "ms": 0} == {**same, "ms": 0}
        assert report["proven"]
        assert report["revenue"] == sum(route["revenue"] for route in report["routes"]) > 0
        text = printed(number)
        assert f"revenue ${report['revenue']} (proven best)" in text
        for route in report["routes"]:
            assert route["train"] in report["trains"]
            assert sum(map(int, route["sum"].split("+"))) == route["revenue"]
            assert route["sum"] in text
            assert "-".join(route["stops"]) in text


def test_nobody_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["routes", str(RUNS), "--at", "0"]) == 1
    assert "No company runs trains in this position" in capsys.readouterr().err
