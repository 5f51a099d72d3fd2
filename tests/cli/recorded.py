"""Recorded games as commands read them."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.tools.cli import main

GOLDEN = Path(__file__).parents[1] / "golden" / "18chesapeake-agreement-2p.json"
BUY = {"type": "bid", "entity": 1, "entity_type": "player", "company": "D&R", "price": 20}
PASS = {"type": "pass", "entity": 2, "entity_type": "player"}


def record(count: int | None = None, /, **changes: Any) -> dict[str, Any]:
    """The beginning of a golden game, or all of it, with some fields of the file changed by hand."""
    whole: dict[str, Any] = json.loads(GOLDEN.read_text("utf-8"))
    return {**whole, "actions": whole["actions"][:count], **changes}


def site_log(*actions: object, **changes: Any) -> dict[str, Any]:
    """A short log in the form of 18xx.games; actions are numbered unless they have a number."""
    numbered = [{"id": n, **one} if isinstance(one, dict) else one for n, one in enumerate(actions, 1)]
    return {
        "id": 1,
        "title": "18Chesapeake",
        "players": [{"id": number, "name": f"Player {number}"} for number in (1, 2, 3)],
        "settings": {"seed": 3, "optional_rules": []},
        "actions": numbered,
        **changes,
    }


def replayed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, list[dict[str, Any]]]:
    """Exit code and reports of `replay`."""
    code = main(["replay", *map(str, arguments)])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def problem(capsys: pytest.CaptureFixture[str], path: Path) -> str:
    code, (report,) = replayed(capsys, path)
    assert code == (0 if report["matches_recorded_result"] else 1)
    return str(report.get("problem", ""))
