"""A position as text, exactly; and its fingerprint."""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from pydantic import TypeAdapter, ValidationError

from engine.board.map import Map, MapChanges
from engine.core.errors import Unreadable
from engine.core.facts import fact
from engine.core.ids import PlayerId
from engine.core.state import State
from engine.play.table import Hooks, Table

MARK: Final = "2-"
"""Prefix of fingerprints; those of an earlier form had none. Raised when the same position gets another one."""


@dataclass(frozen=True, slots=True)
class Saved:
    """The stored form of a position; fields added later have defaults for older texts."""

    rules: str
    """The version of the rules under which it was written."""
    title: str
    profile: str
    options: tuple[str, ...]
    seed: int
    players: tuple[tuple[PlayerId, str], ...]
    from_log: int
    actions: int
    """Number of applied actions."""
    state: State
    map: MapChanges
    format: Literal["stationmaster position 1"] = "stationmaster position 1"

    def digest(self) -> str:
        """The fingerprint of the position as it was written."""
        return fingerprint(self.state, self.map)


_ANYTHING: Final[TypeAdapter[Any]] = TypeAdapter(Any)


@cache
def _saved() -> TypeAdapter[Saved]:
    return TypeAdapter(Saved)


@cache
def _state() -> TypeAdapter[State]:
    return TypeAdapter(State)


@cache
def _laid() -> TypeAdapter[MapChanges]:
    return TypeAdapter(MapChanges)


ADAPTERS: Final = (_saved, _state, _laid)
"""Readers and writers, each built when it is first called, which takes a while."""


def write_saved(saved: Saved) -> str:
    """A position as JSON text."""
    return _saved().dump_json(saved).decode()


def read_saved(text: str) -> Saved:
    """Read a position; raises Unreadable."""
    try:
        return _saved().validate_json(text, strict=True)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        where = ".".join(map(str, detail["loc"]))
        raise Unreadable(fact("log.position_unreadable", where=where, detail=detail["msg"])) from error


def saved_table(saved: Saved, rules: Hooks) -> Table:
    """The table that was saved, under these rules; raises Unreadable for a map that the title does not have."""
    try:
        board = Map.restore(rules.spec, saved.map)
    except LookupError as error:
        raise Unreadable(fact("log.position_unreadable", where="map", detail=str(error))) from error
    return Table(rules.spec, rules, saved.state, board)


def fingerprint(state: State, laid: MapChanges) -> str:
    """A hash of the position as the rules know it: without names, display data, and records of who asked."""
    plain = _state().dump_python(
        state, mode="json", exclude={"fresh": True, "asked": True, "players": {"__all__": {"name"}}}
    )
    whole = [_without_empty(plain), _without_empty(_laid().dump_python(laid, mode="json"))]
    text = _ANYTHING.dump_json(whole)
    if not text.isascii():  # what is plain ASCII is written alike, and several times faster
        text = json.dumps(whole, separators=(",", ":")).encode()
    return MARK + hashlib.sha256(text).hexdigest()[:32]


def fingerprints_match(digest: str, stored: str) -> bool:
    """True if a stored fingerprint matches this one, or is of an earlier form that cannot be compared."""
    return digest == stored or not is_comparable(stored)


def is_comparable(stored: str) -> bool:
    """True if a stored fingerprint can be compared with one of today."""
    return stored.startswith(MARK)


def _without_empty(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields in order, without empty, zero or False ones, so that a field added later keeps old digests."""
    content = {}
    for name in sorted(fields):
        held = fields[name]
        if held:
            if isinstance(held, dict):
                held = _without_empty(held)
            elif isinstance(held, list) and isinstance(held[0], dict):
                held = [_without_empty(value) for value in held]
            content[name] = held
    return content
