"""The log of one game as 18xx.games exports it: who played what, and the actions that count."""

from dataclasses import dataclass
from typing import Any

from engine.core.chance import MODULUS
from engine.core.errors import IllegalAction, Unreadable
from engine.core.facts import fact
from engine.interchange.json_text import read_json

PROFILE = "18xx.games"
"""The rules under which that site recorded its games."""

ASKED_THERE = "asked_there"
"""Marks a pass in a log of ours that only that site asks for."""

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
    profile: str = PROFILE
    from_log: int | None = None
    """How many of our actions are read with the leniency that the profile has for logs; None: all."""

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
    """Raise Unreadable for an entry that is no action, or whose automatic actions are none."""
    for number, entry in enumerate(entries, 1):
        automatic = entry.get("auto_actions") or [] if isinstance(entry, dict) else None
        if not isinstance(automatic, list) or not all(isinstance(action, dict) for action in automatic):
            raise Unreadable(fact("log.no_action", number=number))


def _read(data: Raw, until: int | None) -> Log:
    settings, own = data.get("settings") or {}, data.get("stationmaster") or {}
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
        options=frozenset(map(str, [*(settings.get("optional_rules") or ()), *own.get("options", ())])),
        actions=tuple(
            action
            for action in effective([raw for number, raw in numbered if until is None or number <= until])
            if not (own and action.get(ASKED_THERE))
        ),
        result={str(player): int(total) for player, total in (data.get("result") or {}).items()},
        ended_by=data.get("game_end_reason"),
        profile=str(own.get("profile", PROFILE)),
        from_log=None if own.get("from_log") is None else int(own["from_log"]),
    )


def _seed(seed: Any, game: Any) -> int:
    """As chance takes it, which draws the same from a seed of any size."""
    if seed in (None, ""):
        return int("".join(c for c in str(game) if c.isdecimal()) or 0) % MODULUS
    return int(seed) % MODULUS


def effective(actions: list[Raw]) -> list[Raw]:
    """What is left after every undo and redo; messages are dropped."""
    standing: dict[int, Raw] = {}
    undone: list[list[tuple[int, Raw]]] = []
    for place, action in enumerate(actions):
        kind = action["type"]
        if kind == "undo":
            undone.append(_undo(standing, action.get("action_id")))
        elif kind == "redo":
            standing.update(reversed(undone.pop() if undone else []))
        elif kind != "message":
            undone.clear()
            standing[place] = action
    return list(standing.values())


def _undo(standing: dict[int, Raw], target: int | None) -> list[tuple[int, Raw]]:
    """Take away the last action, or everything after the one named, which may be a message; the last first."""
    gone = []
    while standing and (target is None or next(reversed(standing.values()))["id"] > target):
        gone.append(standing.popitem())
        if target is None:
            break
    return gone
