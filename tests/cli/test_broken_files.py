"""Whatever is wrong with a file, commands say so in a sentence and end with exit code 1."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.tools.cli import main
from bot.tools.environment import Environment
from tests.support.damage import damaged

GOLDEN = Path(__file__).parents[1] / "golden" / "18chesapeake-agreement-2p.json"
MINE = [str(field.validation_alias) for field in Environment.model_fields.values()]
"""Settings of the user who runs the tests."""
ROUNDS = 150
"""How many damages of each file are tried; more of them are other seeds."""


def record(actions: int) -> dict[str, Any]:
    """The beginning of a golden game."""
    whole: dict[str, Any] = json.loads(GOLDEN.read_text("utf-8"))
    return {**whole, "actions": whole["actions"][:actions]}


def site_log(**changes: Any) -> dict[str, Any]:
    """A short log in the form of 18xx.games, with what its actions carry."""
    actions = [
        {"type": "bid", "entity": 1, "company": "D&R", "price": 20},
        {"type": "message", "entity": 1, "message": "hello"},
        {"type": "bid", "entity": 2, "company": "C&OC", "price": 65, "auto_actions": [PASS]},
        {"type": "undo", "entity": 2, "action_id": 1},
        {"type": "redo", "entity": 2},
        {"type": "pass", "entity": 3},
    ]
    return {
        "id": 1,
        "title": "18Chesapeake",
        "players": [{"id": number, "name": f"Player {number}"} for number in (1, 2, 3)],
        "settings": {"seed": 3, "optional_rules": []},
        "actions": [
            {"id": number, "entity_type": "player", **action} for number, action in enumerate(actions, 1)
        ],
        "result": {"1": 800},
        **changes,
    }


PASS = {"type": "pass", "entity": 3}
ACTIONS: tuple[dict[str, Any], ...] = (
    {"type": "par", "corporation": "B&O", "share_price": "80,0,4"},
    {"type": "buy_shares", "shares": ["B&O_1"], "percent": 10},
    {"type": "sell_shares", "shares": ["B&O_1", "B&O_2"], "percent": 20},
    {"type": "buy_company", "company": "D&R", "price": 20},
    {"type": "lay_tile", "tile": "57-0", "hex": "H6", "rotation": 0},
    {"type": "place_token", "city": "57-0-0", "slot": 0},
    {"type": "run_routes", "routes": [{"train": "2-0", "connections": [["H6", "H4"]]}]},
    {"type": "dividend", "kind": "payout"},
    {"type": "buy_train", "train": "2-0", "price": 80, "exchange": "2-1"},
    {"type": "discard_train", "train": "2-0"},
    {"type": "assign", "target": "H6"},
)


def problem(capsys: pytest.CaptureFixture[str], path: Path) -> str:
    """What `replay` says is wrong; nothing where the file is sound all the same."""
    code = main(["replay", str(path)])
    [line] = capsys.readouterr().out.splitlines()
    report = json.loads(line)
    assert code == (0 if report["matches_recorded_result"] else 1)
    return str(report.get("problem", ""))


BROKEN: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "not complete"),
    "not JSON": ("A game of 1830", "not complete"),
    "binary": (bytes(range(256)) * 20, "not complete"),
    "a number": ("18", "not a game"),
    "a list": ("[]", "not a game"),
    "infinite": (json.dumps(site_log(id=float("inf"))), "Infinity is not a number"),
    "no number": (json.dumps(site_log(id=float("nan"))), "NaN is not a number"),
    "too large": (json.dumps(site_log()).replace("800", "1e999"), "1e999 is not a number"),
    "too many digits": (json.dumps(site_log()).replace("800", "8" * 5000), "not complete"),
    "nested": ("[" * 100_000, "levels deep"),
    "nested in a record": (json.dumps(record(1)).replace('"p1"', "[" * 100_000, 1), "levels deep"),
    "no owners": (json.dumps(site_log(players=[{}, {}])), "damaged: KeyError 'name'"),
    "odd automatic actions": (json.dumps(site_log(actions=[{**PASS, "auto_actions": 3}])), "entry 1 of its actions"),
    "odd automatic action": (json.dumps(site_log(actions=[{**PASS, "auto_actions": [3]}])), "entry 1 of its actions"),
    "an action that is none": (json.dumps(site_log(actions=[None])), "entry 1 of its actions"),
    "nobody acts": (json.dumps(site_log(actions=[{"id": 1, "type": "pass"}])), "KeyError 'entity'"),
    "odd options": (json.dumps(site_log(settings={"optional_rules": [3, {}]})), "no option"),
    "scores of a list": (json.dumps({**record(1), "scores": [1, 2]}), "scores: Input should be a valid dictionary"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_with_what_is_wrong(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str | bytes, said: str
) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    assert said in problem(capsys, path)
    for command in (["render", "--out", str(tmp_path / "out")], ["routes"]):
        assert main([*command, str(path)]) == 1
        assert capsys.readouterr().err.startswith("stationmaster: ")
    assert not (tmp_path / "out").exists()


def test_a_folder_is_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "directory" in problem(capsys, tmp_path)
    assert main(["render", str(tmp_path)]) == 1
    assert "directory" in capsys.readouterr().err


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("source", ["head of a record", "record", "log"])
def test_any_damage_is_answered(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, source: str, seed: int
) -> None:
    whole = {"head of a record": record(1), "record": record(25), "log": site_log()}[source]
    path = tmp_path / "damaged.json"
    for damage in range(ROUNDS // 3):
        path.write_text(damaged(whole, 1000 * seed + damage), "utf-8")
        problem(capsys, path)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: str(action["type"]))
def test_any_damage_to_an_action_of_a_log_is_answered(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, action: dict[str, Any]
) -> None:
    path = tmp_path / "damaged.json"
    for damage in range(ROUNDS // 5):
        [odd] = json.loads(damaged([{"id": 1, "entity": 1, **action}], damage) or "[]")[:1] or [None]
        path.write_text(json.dumps(site_log(actions=[odd])), "utf-8")
        assert problem(capsys, path)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("restore copy.db", "There is no database copy.db: the file is missing."),
        ("restore letter.txt", "is not a database"),
        ("export 1 game.json", "There is no database stationmaster.db"),
        ("play none.json", "none.json"),
        ("render none.json", "There is no file none.json."),
    ],
)
def test_what_is_not_there_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: str,
    words: str,
) -> None:
    """Nothing is left in the folder."""
    for name in MINE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letter.txt").write_text("to somebody else")
    assert main(command.split()) == 1
    assert words in capsys.readouterr().err
    assert not [file for file in tmp_path.iterdir() if file.name.endswith("-restored")]
