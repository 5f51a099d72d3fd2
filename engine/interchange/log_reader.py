"""Reads an 18xx.games log, which is the JSON file of one game: players, options, and actions without undone ones.

Files beyond the limits below are refused before any action is played. The longest known game on 18xx.games has 1,008
actions in 165,000 bytes, including 142 undos and redos. Our longest, an 18C2C game played to its end, has 4,024 actions
in 374,000 bytes.
"""

import json
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Any, Final, NoReturn

from engine.core.chance import MODULUS
from engine.core.errors import IllegalAction, Unreadable
from engine.core.facts import Fact, fact

MAX_LOG_BYTES: Final = 2_000_000
"""Maximum size of a log file: five times the longest known game."""
MAX_JSON_DEPTH: Final = 16
"""Maximum depth of nested JSON lists and objects; the connections of routes need 7."""
MAX_ACTIONS: Final = 12_000
"""Maximum number of actions, including automatic and undone ones: three times the longest known game."""
MAX_UNDOS: Final = 2_000
"""Maximum number of undos and redos: fourteen times that of any known game."""
MAX_NAME_LENGTH: Final = 100
"""Maximum length of a player's name or id: three times what Discord shows."""
PROFILE_OF_18XX_GAMES = "18xx.games"
"""Name of the rules profile for games that were played on 18xx.games."""
ONLY_FOR_18XX_GAMES_KEY = "asked_there"
"""Key in logs that we write: marks an action that only 18xx.games needs and that our game skips."""
OUR_ACTIONS_KEY = "here"
"""Key in logs that we write: the actions that our game plays instead, if 18xx.games needs different ones."""
NESTED_ACTION_KEYS = ("auto_actions", OUR_ACTIONS_KEY)
"""Fields of a log action that contain further actions."""
RawAction = dict[str, Any]
"""One raw (not yet translated) action of a log, as its JSON object."""


@dataclass(frozen=True)
class Log:
    """One game read from a log.

    `players` are pairs of id and name in seat order. `actions` are the actions left after undos. `result` and
    `end_reason` are the recorded scores and ending.
    """

    title: str
    players: tuple[tuple[str, str], ...]
    seed: int
    options: frozenset[str]
    actions: tuple[RawAction, ...]
    result: dict[str, int]
    end_reason: str | None
    profile: str = PROFILE_OF_18XX_GAMES
    from_log: int | None = None
    """Number of actions from the start that may break rules that 18xx.games did not enforce; None: all."""
    ids: tuple[int, ...] = ()
    """The log's id of each action; empty if actions are numbered from 1."""

    def numbered_actions(self) -> list[tuple[int, int, RawAction]]:
        """Actions to play, as (number, sub-number, action).

        Automatic actions have sub-numbers from 1; other actions have 0.
        """
        numbered_actions = []
        for number, action in enumerate(self.actions, 1):
            numbered_actions.append((number, 0, action))
            numbered_actions += [
                (number, sub_number, auto_action)
                for sub_number, auto_action in enumerate(action.get("auto_actions") or [], 1)
            ]
        return numbered_actions


def read_log(text: str | bytes, last_action_id: int | None = None) -> Log:
    """Read a log up to the action with id `last_action_id`, or to its end if None; later undos and redos are ignored.

    Raises Unreadable if the text is truncated or not a log, IllegalAction if the log ends before `last_action_id`.
    """
    log_data = read_json(text)
    if not isinstance(log_data, dict):
        raise Unreadable(fact("log.not_a_game"))
    for field, expected_type in (("title", str), ("players", list), ("actions", list)):
        if not isinstance(log_data.get(field), expected_type):
            raise Unreadable(fact("log.field_missing", field=field))
    _require_valid_entries(log_data["actions"])
    try:
        return _read_game(log_data, last_action_id)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Unreadable(fact("log.damaged", detail=f"{type(error).__name__} {error}")) from error


def _require_valid_entries(entries: list[Any]) -> None:
    action_counts = [_action_count(entry) for entry in entries]
    if not all(action_counts):
        raise Unreadable(fact("log.no_action", number=action_counts.index(0) + 1))
    require_few_actions(sum(action_counts))
    undo_count = sum(entry.get("type") in ("undo", "redo") for entry in entries)
    _require_condition(undo_count <= MAX_UNDOS, fact("log.too_many_undos", count=undo_count, most=MAX_UNDOS))


def _action_count(entry: Any) -> int:
    if not isinstance(entry, dict):
        return 0
    count = 1
    for field in NESTED_ACTION_KEYS:
        if nested_actions := entry.get(field):
            counts = (
                [_action_count(action) for action in nested_actions]
                if isinstance(nested_actions, list)
                else [0]
            )
            if not all(counts):
                return 0
            count += sum(counts)
    return count


def _require_order(ids: Sequence[int]) -> None:
    """Raise Unreadable unless the ids increase; undos to an id rely on it."""
    for previous_id, number in pairwise(ids):
        if number <= previous_id:
            raise Unreadable(fact("log.ids_out_of_order", number=number, before=previous_id))


def _read_game(log_data: RawAction, last_action_id: int | None) -> Log:
    settings, own_settings = log_data.get("settings") or {}, log_data.get("stationmaster") or {}
    numbered_actions = [
        (int(action.get("id", position)), action) for position, action in enumerate(log_data["actions"], 1)
    ]
    _require_order([number for number, _ in numbered_actions])
    last_id = numbered_actions[-1][0] if numbered_actions else 0
    if last_action_id is not None and last_action_id > last_id:
        raise IllegalAction(fact("log.ends_before", last=last_id, wanted=last_action_id))
    players = tuple(
        (str(player.get("id", player["name"])), str(player["name"])) for player in log_data["players"]
    )
    require_short_names(name for player in players for name in player)
    actions = effective_actions(
        [entry for entry in numbered_actions if last_action_id is None or entry[0] <= last_action_id]
    )
    if own_settings:
        actions = _own_actions(actions)
    ids, raw_actions = zip(*actions, strict=True) if actions else ((), ())
    return Log(
        title=log_data["title"],
        players=players,
        seed=_read_seed(settings.get("seed"), log_data.get("id")),
        options=frozenset(
            map(str, [*(settings.get("optional_rules") or ()), *own_settings.get("options", ())])
        ),
        actions=raw_actions,
        ids=ids,
        result={str(player): int(total) for player, total in (log_data.get("result") or {}).items()},
        end_reason=log_data.get("game_end_reason"),
        profile=str(own_settings.get("profile", PROFILE_OF_18XX_GAMES)),
        from_log=None if own_settings.get("from_log") is None else int(own_settings["from_log"]),
    )


def _own_actions(numbered_actions: Sequence[tuple[int, RawAction]]) -> list[tuple[int, RawAction]]:
    actions_of_our_game = [
        (number, action) for number, action in numbered_actions if not action.get(ONLY_FOR_18XX_GAMES_KEY)
    ]
    return [
        (number, own_action)
        for number, action in actions_of_our_game
        for own_action in action.get(OUR_ACTIONS_KEY, [action])
    ]


def _read_seed(seed: Any, game_id: Any) -> int:
    """The game's random seed: the log's seed, reduced to our range; without a seed, a number from the log's game id."""
    if seed in (None, ""):
        return int("".join(c for c in str(game_id) if c.isdecimal()) or 0) % MODULUS
    return int(seed) % MODULUS


def effective_actions(numbered_actions: Sequence[tuple[int, RawAction]]) -> list[tuple[int, RawAction]]:
    """Actions left after undos and redos, each with its id; chat messages are left out. Ids must increase.

    Undone actions stay in the list until the next move replaces them: an undo only lowers a counter, and a redo
    restores it. Each undo or redo costs at most one binary search.
    """
    ids: list[int] = []
    actions: list[RawAction] = []
    effective_count = 0
    undone_counts: list[int] = []
    for number, action in numbered_actions:
        kind = action["type"]
        if kind == "undo":
            undone_counts.append(effective_count)
            effective_count = _count_after_undo(ids, effective_count, action.get("action_id"))
        elif kind == "redo":
            effective_count = undone_counts.pop() if undone_counts else effective_count
        elif kind != "message":
            undone_counts.clear()
            del ids[effective_count:], actions[effective_count:]
            ids.append(number)
            actions.append(action)
            effective_count += 1
    return list(zip(ids[:effective_count], actions[:effective_count], strict=True))


def _count_after_undo(ids: list[int], effective_count: int, target_id: int | None) -> int:
    """Number of actions left after an undo.

    Without `target_id`, the undo removes only the last action; with it, all actions after that id.
    """
    return (
        max(effective_count - 1, 0)
        if target_id is None
        else bisect_right(ids, int(target_id), 0, effective_count)
    )


def require_few_actions(action_count: int) -> None:
    """Raise Unreadable if this number of actions is above the limit."""
    _require_condition(
        action_count <= MAX_ACTIONS, fact("log.too_many_actions", count=action_count, most=MAX_ACTIONS)
    )


def require_short_names(names: Iterable[str]) -> None:
    """Raise Unreadable if any of these player names or ids is too long."""
    for name in names:
        problem = fact("log.name_too_long", begins=name[:20], count=len(name), most=MAX_NAME_LENGTH)
        _require_condition(len(name) <= MAX_NAME_LENGTH, problem)


def _require_condition(condition: bool, problem: Fact) -> None:
    if not condition:
        raise Unreadable(problem)


def read_json(text: str | bytes) -> Any:
    """The parsed value of a JSON text. Raises Unreadable if it is too large, too deep or invalid."""
    _require_condition(len(text) <= MAX_LOG_BYTES, fact("log.too_large", size=len(text), most=MAX_LOG_BYTES))
    try:
        json_text = text if isinstance(text, str) else text.decode("utf-8-sig")
        content = json.loads(json_text, parse_float=_finite_number, parse_constant=_refuse_number)
    except UnicodeDecodeError as error:
        raise Unreadable(fact("log.not_text")) from error
    except ValueError as error:
        raise Unreadable(fact("log.incomplete", detail=str(error))) from error
    except RecursionError as error:
        raise Unreadable(fact("log.too_deep", most=MAX_JSON_DEPTH)) from error
    _require_condition(not _is_too_deep([content]), fact("log.too_deep", most=MAX_JSON_DEPTH))
    return content


def _is_too_deep(content: Any) -> bool:
    containers = [content]
    for _ in range(MAX_JSON_DEPTH + 1):
        containers = [
            value
            for container in containers
            for value in (container.values() if type(container) is dict else container)
            if type(value) is dict or type(value) is list
        ]
    return bool(containers)


def _finite_number(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _refuse_number(text)


def _refuse_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:20]} is not a number that can be read")
