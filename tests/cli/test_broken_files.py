"""Broken files are refused in a sentence, with exit code 1."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from bot.tools.cli import main
from tests.cli.recorded import BUY, GOLDEN, PASS, problem, record, site_log

ROUNDS = 90
WHOLE = GOLDEN.read_bytes()
RICH = {"kind": "bid", "actor": "p1", "entity": "p1", "private": "CV", "amount": 100_000}
SITE = site_log(BUY, {"type": "message", "entity": 1, "message": "hello"}, {**BUY, "entity": 2, "company": "C&OC",
                "price": 65, "auto_actions": [PASS]}, {"type": "undo", "entity": 2, "action_id": 1},
                {"type": "redo", "entity": 2}, {**PASS, "entity": 3}, result={"1": 800})  # fmt: skip
BROKEN: dict[str, tuple[str | bytes | dict[str, Any], str]] = {
    "empty": ("", "not complete"),
    "cut after a byte": (WHOLE[:1], "not complete"),
    "cut in its head": (WHOLE[:150], "not complete"),
    "cut in its actions": (WHOLE[:4000], "not complete"),
    "not JSON": ("A game of 1830", "not complete"),
    "binary": (bytes(range(256)) * 20, "not complete"),
    "too many digits": (json.dumps(SITE).replace("800", "8" * 5000), "not complete"),
    "a number": ("18", "not a game"),
    "a list": ("[]", "not a game"),
    "infinite": (site_log(id=float("inf")), "Infinity is not a number"),
    "an infinite seed": (record(seed=float("inf")), "Infinity is not a number"),
    "no number": (site_log(id=float("nan")), "NaN is not a number"),
    "too large": (json.dumps(SITE).replace("800", "1e999"), "1e999 is not a number"),
    "nested": ("[" * 100_000, "levels deep"),
    "nested in a record": (json.dumps(record(1)).replace('"p1"', "[" * 100_000, 1), "levels deep"),
    "no owners": (site_log(players=[{}, {}]), "damaged: KeyError 'name'"),
    "odd automatic actions": (site_log({**PASS, "auto_actions": 3}), "entry 1 of its actions"),
    "an odd automatic action": (site_log({**PASS, "auto_actions": [3]}), "entry 1 of its actions"),
    "an action that is none": (site_log(None), "entry 1 of its actions"),
    "no president to act": (site_log({"type": "pass"}), "KeyError 'entity'"),
    "an unknown action": (site_log({"type": "teleport", "entity": 1}), "teleport"),
    "an action without values": (site_log({"type": "bid", "entity": 1}), "values of the action cannot be read"),
    "an illegal action of a log": (site_log(BUY, {**PASS, "entity": 3}), "action 2 (pass by 3): It is not your turn"),
    "odd options": (site_log(settings={"optional_rules": [3, {}]}), "no option"),
    "an unknown title": (record(title="18Nowhere"), "no title '18Nowhere'"),
    "an unknown profile": (record(profile="house"), "no profile 'house'"),
    "one player": (record(players=[["p1", "Ann"]]), "2 to 6 players, not 1"),
    "no players": (record(players=None), "damaged: players: Input should be a valid list"),
    "actions in a word": (record(actions="none"), "damaged: actions: Input should be a valid list"),
    "an action in a word": (record(actions=["pass"]), "damaged: actions.0: Input should be a valid dictionary"),
    "scores of a list": (record(1, scores=[1, 2]), "damaged: scores: Input should be a valid dictionary"),
    "a seed in a word": (record(seed="x"), "damaged: seed: Input should be a valid integer"),
    "a bid beyond all cash": (record(actions=[RICH]), "action 1: "),
    "a bid beyond all cash, its rule": (record(actions=[RICH]), "(9)"),
}  # fmt: skip


def written(folder: Path, content: str | bytes | dict[str, Any]) -> Path:
    """A file with this in it."""
    path = folder / "broken.json"
    text = json.dumps(content) if isinstance(content, dict) else content
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(("content", "said"), BROKEN.values(), ids=BROKEN)
def test_broken_file_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str | bytes | dict[str, Any], said: str
) -> None:
    path = written(tmp_path, content)
    assert said in problem(capsys, path)
    for command in (["render", "--out", str(tmp_path / "out")], ["routes"]):
        assert main([*command, str(path)]) == 1
        assert capsys.readouterr().err.startswith("stationmaster: ")
    assert not (tmp_path / "out").exists()


def test_folder_is_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "directory" in problem(capsys, tmp_path)
    assert main(["render", str(tmp_path)]) == 1
    assert "directory" in capsys.readouterr().err


ODD: Final[tuple[Any, ...]] = (
    None, True, 0, -1, 3.5, 10**30, -(10**400), float("inf"), float("nan"), "", "x", "p1", "²", "1" * 5000, "\u0000",
    [], {}, [[]], [None], ["x"], {"x": 1}, [["p1", "Ann"]], "bank", "offering", "B&O", 2**63,
)  # fmt: skip


def damaged(content: Any, seed: int) -> str:
    """The content as JSON text: one place anywhere in it, by the seed, is changed, taken away or doubled."""
    random = Random(seed)
    whole = deepcopy(content)
    holder, key = random.choice(list(_places(whole)))
    match random.randrange(4):
        case 0 if isinstance(holder, dict):
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.append(deepcopy(holder[key]))
        case 2 if isinstance(holder, list):
            del holder[key:]
        case _:
            holder[key] = deepcopy(random.choice(ODD))
    return json.dumps(whole)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a container, those nearer to the top not drowned in the others."""
    ahead = [value]
    for found in ahead:
        keys = range(len(found)) if isinstance(found, list) else list(found)
        yield from ((found, key) for key in keys)
        ahead.extend(found[key] for key in keys if isinstance(found[key], list | dict))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("source", ["head of a record", "record", "log"])
def test_any_damage_is_answered(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, source: str, seed: int
) -> None:
    whole = {"head of a record": record(1), "record": record(25), "log": SITE}[source]
    for damage in range(ROUNDS // 3):
        problem(capsys, written(tmp_path, damaged(whole, 1000 * seed + damage)))


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


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: str(action["type"]))
def test_any_damage_to_an_action_is_answered(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, action: dict[str, Any]
) -> None:
    for damage in range(ROUNDS // 5):
        [odd] = json.loads(damaged([{"id": 1, "entity": 1, **action}], damage) or "[]")[:1] or [None]
        assert problem(capsys, written(tmp_path, site_log() | {"actions": [odd]}))


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("restore copy.db", "There is no database copy.db: the file is missing."),
        ("restore letter.txt", "is not a database"),
        ("backup copy.db", "There is no database"),
        ("check letter.txt", "is not a database"),
        ("export 1 game.json", "There is no database stationmaster.db"),
        (f"export {GOLDEN} none/game.json", "Cannot write none/game.json: there is no folder none."),
        ("play none.json", "none.json"),
        ("render none.json", "There is no file none.json."),
        ("routes none.json", "Cannot read none.json"),
        ("migrate none.db other.db", "There is no database"),
    ],
)
def test_missing_file_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, words: str
) -> None:
    """Nothing is left in the folder."""
    (tmp_path / "letter.txt").write_text("to somebody else")
    assert main(command.split()) == 1
    assert words in "".join(capsys.readouterr())
    assert [file.name for file in tmp_path.iterdir() if file.suffix != ".lock"] == ["letter.txt"]
