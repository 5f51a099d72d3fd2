"""A file costs no more than a game does: limits are checked first, and undos cost nothing for what they undo."""

import json
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from engine.core.errors import Unreadable
from engine.interchange import log_reader, read_log
from engine.interchange.log_reader import effective_actions, read_json
from engine.record import load_game
from tests.engine.interchange.logs import RawAction
from tests.golden.positions import FOLDER
from tests.support.work_done import lines_run


def moves(count: int) -> list[RawAction]:
    return [{"type": "pass"} for _ in range(count)]


def undo(to: int | None = None) -> RawAction:
    """An undo of the last action, or back to the one with this id."""
    return {"type": "undo"} if to is None else {"type": "undo", "action_id": to}


REDO: RawAction = {"type": "redo"}


@pytest.mark.parametrize(
    ("most", "require"),
    [
        (2_000_000, lambda size: read_json(f'"{"x" * (size - 2)}"')),
        (16, lambda levels: read_json("[" * levels + "]" * levels)),
        (12_000, log_reader.require_few_actions),
        (2_000, lambda undos: read_log(log_with(actions=[undo()] * undos))),
        (100, lambda length: log_reader.require_short_names(["Ann", "x" * length])),
    ],
)
def test_limits_are_exact(most: int, require: Callable[[int], None]) -> None:
    require(most)
    with pytest.raises(Unreadable):
        require(most + 1)


@pytest.mark.parametrize(
    ("text", "found"), [("1.5", 1.5), ("[2]", [2]), (b'\xef\xbb\xbf{"a": -0.25}', {"a": -0.25})]
)
def test_json_numbers_are_read(text: str | bytes, found: object) -> None:
    assert read_json(text) == found


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        *((text, text) for text in ("1e999", "-1e999", "NaN", "Infinity")),
        ("1.2345678901234567890e999", "1.234567890123456789"),
    ],
)
def test_json_number_that_is_none_is_quoted(text: str, quoted: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_json(f"[{text}]")
    assert f"{quoted} is not a number" in str(refused.value.reason.values["detail"])


@pytest.mark.parametrize(
    "log",
    [
        lambda size: moves(size) + [undo(0), REDO] * size,  # everything undone and redone, again and again
        lambda size: moves(size) + ([undo()] * size + [REDO] * size) * 3,  # one by one
        lambda size: moves(size) + [entry for to in range(size) for entry in (undo(to), REDO)],
        lambda size: [*moves(3), undo(0), undo(0), undo()] * size,  # with undos of nothing
    ],
)
def test_undos_take_linear_work(log: Callable[[int], list[RawAction]]) -> None:
    small, large = (lines_run(partial(effective_actions, [*enumerate(log(size), 1)])) for size in (200, 800))
    assert large < 4 * small * 1.3


def plainly(log: list[RawAction]) -> list[RawAction]:
    kept: list[tuple[int, RawAction]] = []
    undone: list[list[tuple[int, RawAction]]] = []
    for number, action in enumerate(log, 1):
        if action["type"] == "undo":
            to = action.get("action_id")
            gone = kept[-1:] if to is None else [one for one in kept if one[0] > to]
            kept = kept[: len(kept) - len(gone)]
            undone.append(gone)
        elif action["type"] == "redo":
            kept += undone.pop() if undone else []
        elif action["type"] != "message":
            undone.clear()
            kept.append((number, action))
    return [action for _, action in kept]


@pytest.mark.parametrize("seed", range(50))
def test_undos_and_redos_of_a_log(seed: int) -> None:
    """Any mixture of moves, messages, undos of one, undos back to an action or a message, and redos."""
    chance = random.Random(seed)
    log: list[RawAction] = []
    for number in range(80):
        kind = chance.choice(["pass", "pass", "message", "undo", "redo"])
        back = kind == "undo" and chance.random() < 0.5
        log.append({"type": kind, **({"action_id": chance.randint(0, number + 2)} if back else {})})
    assert [one for _, one in effective_actions(list(enumerate(log, 1)))] == plainly(log)


def log_with(**more: Any) -> str:
    players = [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]
    return json.dumps({"title": "18AL", "players": players, "actions": [], **more})


def own_with(**more: Any) -> str:
    """A file of ours with something else; its form is said last."""
    own = json.loads((FOLDER / "18chesapeake-bank-4p.json").read_text("utf-8")) | more
    return json.dumps(dict(reversed(own.items())))


def deep(levels: int) -> list[Any]:
    return [deep(levels - 1)] if levels else []


LONG_NAME = "x" * (log_reader.MAX_NAME_LENGTH + 1)
UNREADABLE: list[tuple[str | bytes, str]] = [
    ("{", "log.incomplete"),
    (b"PK\x03\x04\x9a\xe3", "log.not_text"),
    ("[]", "log.not_a_game"),
    ('{"title": "18AL", "players": []}', "log.field_missing"),
    (own_with(actions=[], format="stationmaster 9"), "log.newer_form"),
    (own_with(actions=[], seed=2**63), "log.damaged"),
    (log_with(description="x" * log_reader.MAX_LOG_BYTES), "log.too_large"),
    (log_with(description=deep(log_reader.MAX_JSON_DEPTH)), "log.too_deep"),
    (log_with(description=deep(500)), "log.too_deep"),
    (log_with(description=[{"x": deep(log_reader.MAX_JSON_DEPTH - 3)}, ["]" * 99]]), "log.too_deep"),
    ('{"title": "18AL", "x": ' + "[" * 100_000, "log.too_deep"),
    (log_with(actions=moves(log_reader.MAX_ACTIONS + 1)), "log.too_many_actions"),
    (log_with(actions=[{"auto_actions": moves(log_reader.MAX_ACTIONS)}]), "log.too_many_actions"),
    (log_with(actions=[undo(), REDO] * log_reader.MAX_UNDOS), "log.too_many_undos"),
    (log_with(players=[{"name": LONG_NAME}]), "log.name_too_long"),
    (log_with(players=[{"id": LONG_NAME, "name": "Ann"}]), "log.name_too_long"),
    (log_with(actions=[{"id": 2, "type": "pass"}, {"id": 1, "type": "pass"}]), "log.ids_out_of_order"),
    (own_with(actions=moves(log_reader.MAX_ACTIONS + 1)), "log.too_many_actions"),
    (own_with(players=[["p1", LONG_NAME], ["p2", "Bob"]]), "log.name_too_long"),
    (own_with(digest=deep(log_reader.MAX_JSON_DEPTH)), "log.too_deep"),
]


@pytest.mark.parametrize(("text", "problem"), UNREADABLE, ids=[problem for _, problem in UNREADABLE])
def test_unreadable_file_is_refused(text: str | bytes, problem: str) -> None:
    """Cut off, of another kind or version; or too many bytes, levels, actions, undos or letters, in either form."""
    with pytest.raises(Unreadable) as refused:
        load_game(text)
    assert refused.value.reason.name == problem
