"""An 18xx.games log of one game: its JSON within limits, its players, and its effective actions.

A larger file is refused before anything is played. The longest game of 18xx.games at hand has 1,008
actions, 142 undos and redos among them, in 165,000 bytes; the longest of ours, 18C2C to its end, has 4,024
in 374,000 bytes.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import isfinite
from typing import Any, Final, NoReturn

from engine.core.chance import MODULUS
from engine.core.errors import IllegalAction, Unreadable
from engine.core.facts import Fact, fact

LARGEST: Final = 2_000_000
"""Bytes of a file: five times the longest game."""
DEEPEST: Final = 16
"""Levels of lists and objects in each other: the connections of a route are the deepest, at 7."""
MOST_ACTIONS: Final = 12_000
"""Actions, automatic ones and those that were undone included: three times the longest game."""
MOST_UNDOS: Final = 2_000
"""Undos and redos: fourteen times what people have needed in one game."""
LONGEST_NAME: Final = 100
"""Characters of a player's name or id: three times what Discord shows of one."""
PROFILE = "18xx.games"
"""The rules under which that site recorded its games."""
ASKED_THERE = "asked_there"
"""Marks an action in a log of ours that only that site asks for."""
HERE = "here"
"""The field of an action in a log of ours with the actions it stands for, where that site writes them otherwise."""
INNER = ("auto_actions", HERE)
"""The fields of an action that hold actions."""
Raw = dict[str, Any]
"""One action as the log has it."""
_NOT_NESTING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[^"\[\]{}]+', re.DOTALL)
"""Strings, and all between them but brackets."""
_NESTING: Final = {"[": 1, "{": 1, "]": -1, "}": -1}


@dataclass(frozen=True)
class Log:
    """A recorded game: players in seating order as (id, name), effective actions, recorded scores and ending."""

    title: str
    players: tuple[tuple[str, str], ...]
    seed: int
    options: frozenset[str]
    actions: tuple[Raw, ...]
    result: dict[str, int]
    ended_by: str | None
    profile: str = PROFILE
    from_log: int | None = None
    """Number of our actions that are read with the leniency that the profile has for logs; None: all."""

    def numbered_actions(self) -> list[tuple[int, int, Raw]]:
        """Every action to apply: its number (from 1), 0 or the number of the automatic action attached to it, and
        the action.
        """
        steps = []
        for number, action in enumerate(self.actions, 1):
            steps.append((number, 0, action))
            steps += [(number, sub, auto) for sub, auto in enumerate(action.get("auto_actions") or [], 1)]
        return steps


def read_log(text: str | bytes, until: int | None = None) -> Log:
    """Read a log, up to the action with the id `until` as the game stood then; None: to its end.

    Raises Unreadable for a text that is truncated or no such log, IllegalAction where the log ends before
    `until`.
    """
    data = read_json(text)
    if not isinstance(data, dict):
        raise Unreadable(fact("log.not_a_game"))
    for field, kind in (("title", str), ("players", list), ("actions", list)):
        if not isinstance(data.get(field), kind):
            raise Unreadable(fact("log.field_missing", field=field))
    _require_actions(data["actions"])
    try:
        return _read(data, until)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Unreadable(fact("log.damaged", detail=f"{type(error).__name__} {error}")) from error


def _require_actions(entries: list[Any]) -> None:
    """Raise Unreadable for entries that are not actions or have anything but actions inside, and for too many."""
    for number, entry in enumerate(entries, 1):
        if not _is_action(entry):
            raise Unreadable(fact("log.no_action", number=number))
    require_actions(sum(map(_actions_in, entries)))
    undos = sum(entry.get("type") in ("undo", "redo") for entry in entries)
    _require(undos <= MOST_UNDOS, fact("log.too_many_undos", count=undos, most=MOST_UNDOS))


def _is_action(entry: Any) -> bool:
    return isinstance(entry, dict) and all(
        isinstance(inner, list) and all(map(_is_action, inner)) for inner in _inner(entry)
    )


def _actions_in(entry: Raw) -> int:
    return 1 + sum(_actions_in(action) for inner in _inner(entry) for action in inner)


def _inner(entry: Raw) -> list[Any]:
    return [entry.get(field) or [] for field in INNER]


def _require_order(ids: Sequence[int]) -> None:
    """Raise Unreadable unless ids increase: an undo that names one takes back everything after it."""
    for before, number in pairwise(ids):
        if number <= before:
            raise Unreadable(fact("log.ids_out_of_order", number=number, before=before))


def _read(data: Raw, until: int | None) -> Log:
    settings, own = data.get("settings") or {}, data.get("stationmaster") or {}
    numbered = [(int(action.get("id", place)), action) for place, action in enumerate(data["actions"], 1)]
    _require_order([number for number, _ in numbered])
    last = numbered[-1][0] if numbered else 0
    if until is not None and until > last:
        raise IllegalAction(fact("log.ends_before", last=last, wanted=until))
    players = tuple(
        (str(player.get("id", player["name"])), str(player["name"])) for player in data["players"]
    )
    require_names(name for player in players for name in player)
    actions = effective_actions([entry for entry in numbered if until is None or entry[0] <= until])
    return Log(
        title=data["title"],
        players=players,
        seed=_seed(settings.get("seed"), data.get("id")),
        options=frozenset(map(str, [*(settings.get("optional_rules") or ()), *own.get("options", ())])),
        actions=_as_made_here(actions) if own else tuple(actions),
        result={str(player): int(total) for player, total in (data.get("result") or {}).items()},
        ended_by=data.get("game_end_reason"),
        profile=str(own.get("profile", PROFILE)),
        from_log=None if own.get("from_log") is None else int(own["from_log"]),
    )


def _as_made_here(actions: Sequence[Raw]) -> tuple[Raw, ...]:
    asked_here = (action for action in actions if not action.get(ASKED_THERE))
    return tuple(made for action in asked_here for made in action.get(HERE, [action]))


def _seed(seed: Any, game: Any) -> int:
    """A number that draws the same as the log's seed, whatever its size."""
    if seed in (None, ""):
        return int("".join(c for c in str(game) if c.isdecimal()) or 0) % MODULUS
    return int(seed) % MODULUS


def effective_actions(numbered: Sequence[tuple[int, Raw]]) -> list[Raw]:
    """The actions left after undos and redos, each with its id; messages are dropped. Ids increase.

    An undo only lowers how many actions of one stack stand, and remembers how many stood; the actions above
    stay there until the next move replaces them. So no undo or redo costs more than a search for an id.
    """
    ids: list[int] = []
    stack: list[Raw] = []
    standing = 0
    undone: list[int] = []
    for number, action in numbered:
        kind = action["type"]
        if kind == "undo":
            undone.append(standing)
            standing = _standing_after(ids, standing, action.get("action_id"))
        elif kind == "redo":
            standing = undone.pop() if undone else standing
        elif kind != "message":
            undone.clear()
            del ids[standing:], stack[standing:]
            ids.append(number)
            stack.append(action)
            standing += 1
    return stack[:standing]


def _standing_after(ids: list[int], standing: int, target: int | None) -> int:
    """Number of actions that stand after an undo: all but the last one, or those up to the named id, maybe a
    message's.
    """
    return max(standing - 1, 0) if target is None else bisect_right(ids, int(target), 0, standing)


def require_actions(actions: int) -> None:
    """Raise Unreadable for more actions than any game has."""
    _require(actions <= MOST_ACTIONS, fact("log.too_many_actions", count=actions, most=MOST_ACTIONS))


def require_names(names: Iterable[str]) -> None:
    """Raise Unreadable for a player's name or id that is empty, too long, or otherwise impossible."""
    for name in names:
        short = fact("log.name_too_long", begins=name[:20], count=len(name), most=LONGEST_NAME)
        _require(len(name) <= LONGEST_NAME, short)


def _require(holds: bool, problem: Fact) -> None:
    if not holds:
        raise Unreadable(problem)


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text; raises Unreadable with what is wrong."""
    _require(len(text) <= LARGEST, fact("log.too_large", size=len(text), most=LARGEST))
    try:
        written = text if isinstance(text, str) else text.decode("utf-8-sig")
        content = json.loads(written, parse_float=_number, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise Unreadable(fact("log.not_text")) from error
    except ValueError as error:
        raise Unreadable(fact("log.incomplete", detail=str(error))) from error
    except RecursionError as error:
        raise Unreadable(fact("log.too_deep", most=DEEPEST)) from error
    _require(json_depth(written) <= DEEPEST, fact("log.too_deep", most=DEEPEST))
    return content


def json_depth(written: str) -> int:
    """Depth of nested lists and objects in a JSON text."""
    return max(accumulate(map(_NESTING.__getitem__, _NOT_NESTING.sub("", written))), default=0)


def _number(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:20]} is not a number that can be read")
