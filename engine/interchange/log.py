"""The log of one game as 18xx.games exports it: who played what, and the actions that count."""

import json
from dataclasses import dataclass
from typing import Any

from engine.core.errors import IllegalAction, Unreadable
from engine.core.facts import fact

Raw = dict[str, Any]
"""One action as the log has it."""


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

    def steps(self) -> list[tuple[int, int, Raw]]:
        """Every action to apply: its number (from 1), 0 or the number of the automatic action after it, the action."""
        found = []
        for number, action in enumerate(self.actions, 1):
            found.append((number, 0, action))
            found += [(number, sub, auto) for sub, auto in enumerate(action.get("auto_actions") or [], 1)]
        return found


def read_log(text: str | bytes, until: int | None = None) -> Log:
    """Read a log, up to the action with the id `until` as the game stood then; None: to its end.

    Raises Unreadable with what is missing where it is cut off or not such a log, IllegalAction where the log ends
    before `until`.
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        raise Unreadable(fact("log.incomplete", detail=str(error))) from error
    if not isinstance(data, dict):
        raise Unreadable(fact("log.not_a_game"))
    for field, kind in (("title", str), ("players", list), ("actions", list)):
        if not isinstance(data.get(field), kind):
            raise Unreadable(fact("log.field_missing", field=field))
    try:
        return _read(data, until)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Unreadable(fact("log.damaged", detail=f"{type(error).__name__} {error}")) from error


def _read(data: Raw, until: int | None) -> Log:
    settings = data.get("settings") or {}
    numbered = [(int(action.get("id", place)), action) for place, action in enumerate(data["actions"], 1)]
    last = numbered[-1][0] if numbered else 0
    if until is not None and until > last:
        raise IllegalAction(fact("log.ends_before", last=last, wanted=until))
    players = tuple(
        (str(player.get("id", player["name"])), str(player["name"])) for player in data["players"]
    )
    return Log(
        title=data["title"],
        players=players,
        seed=_seed(settings.get("seed"), data.get("id")),
        options=frozenset(settings.get("optional_rules") or ()),
        actions=tuple(effective([action for number, action in numbered if until is None or number <= until])),
        result={str(player): int(total) for player, total in (data.get("result") or {}).items()},
        ended_by=data.get("game_end_reason"),
    )


def _seed(seed: Any, game: Any) -> int:
    if seed in (None, ""):
        return int("".join(c for c in str(game) if c.isdigit()) or 0)
    return int(float(seed) % 2**31) if isinstance(seed, float) else int(seed)


def effective(actions: list[Raw]) -> list[Raw]:
    """What is left after every undo and redo; messages are dropped."""
    kept: list[Raw | None] = []
    undone: list[dict[int, Raw]] = []
    for action in actions:
        kept.append(None)
        kind = action["type"]
        if kind == "undo":
            undone.append(_undo(kept, action.get("action_id")))
        elif kind == "redo":
            for place, old in (undone.pop() if undone else {}).items():
                kept[place] = old
        elif kind != "message":
            undone.clear()
            kept[-1] = action
    return [action for action in kept if action is not None]


def _undo(kept: list[Raw | None], target: int | None) -> dict[int, Raw]:
    """Take away the last action, or everything after the one named."""
    standing = {place: action for place, action in enumerate(kept) if action is not None}
    if target is None:
        last = max(standing, default=None)
        gone = {} if last is None else {last: standing[last]}
    else:
        last = next((place for place, action in standing.items() if action["id"] == target), -1)
        gone = {place: action for place, action in standing.items() if place > last}
    for place in gone:
        kept[place] = None
    return gone
