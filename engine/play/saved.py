"""A saved position: its exact text, and a fingerprint (hash) to compare positions."""

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

FINGERPRINT_PREFIX: Final = "2-"
"""Version prefix of fingerprints (position hashes); the oldest fingerprints have no prefix.

Increased when a change to the program gives the same position another fingerprint.
"""


@dataclass(frozen=True, slots=True)
class SavedPosition:
    """The stored form of a position.

    Fields added later have defaults, so that older texts can still be read.
    """

    rules: str
    """The rules version that wrote the position."""
    title: str
    profile: str
    options: tuple[str, ...]
    seed: int
    players: tuple[tuple[PlayerId, str], ...]
    from_log: int
    actions: int
    """Number of actions applied before this position."""
    state: State
    map: MapChanges
    format: Literal["stationmaster position 1"] = "stationmaster position 1"

    def digest(self) -> str:
        """The fingerprint (hash) of the stored position."""
        return fingerprint(self.state, self.map)


_ANY_VALUE_ADAPTER: Final[TypeAdapter[Any]] = TypeAdapter(Any)


@cache
def _position_adapter() -> TypeAdapter[SavedPosition]:
    return TypeAdapter(SavedPosition)


@cache
def _state_adapter() -> TypeAdapter[State]:
    return TypeAdapter(State)


@cache
def _map_adapter() -> TypeAdapter[MapChanges]:
    return TypeAdapter(MapChanges)


JSON_ADAPTERS: Final = (_position_adapter, _state_adapter, _map_adapter)
"""Pydantic adapters, which read and write JSON, by type. The first use builds each one, which takes a while."""


def write_position(position: SavedPosition) -> str:
    """The saved position as JSON text."""
    return _position_adapter().dump_json(position).decode()


def read_position(text: str) -> SavedPosition:
    """Read a position from JSON text. Raises Unreadable if it is invalid."""
    try:
        return _position_adapter().validate_json(text, strict=True)
    except ValidationError as error:
        first_problem = error.errors(include_url=False)[0]
        path = ".".join(map(str, first_problem["loc"]))
        raise Unreadable(fact("log.position_unreadable", where=path, detail=first_problem["msg"])) from error


def restore_table(position: SavedPosition, rules: Hooks) -> Table:
    """The table of a saved position under these rules. Raises Unreadable if its map does not fit the title."""
    try:
        board = Map.restore(rules.spec, position.map)
    except LookupError as error:
        raise Unreadable(fact("log.position_unreadable", where="map", detail=str(error))) from error
    return Table(rules.spec, rules, position.state, board)


def fingerprint(state: State, map_changes: MapChanges) -> str:
    """A hash of everything in the position that matters to the rules; names and display data are left out."""
    fields = _state_adapter().dump_python(
        state, mode="json", exclude={"fresh": True, "asked": True, "players": {"__all__": {"name"}}}
    )
    hashed_fields = [
        _without_empty_fields(fields),
        _without_empty_fields(_map_adapter().dump_python(map_changes, mode="json")),
    ]
    text = _ANY_VALUE_ADAPTER.dump_json(hashed_fields)
    if not text.isascii():  # ASCII text is the same with `json.dumps`, and much faster this way
        text = json.dumps(hashed_fields, separators=(",", ":")).encode()
    return FINGERPRINT_PREFIX + hashlib.sha256(text).hexdigest()[:32]


def fingerprints_match(digest: str, stored_fingerprint: str) -> bool:
    """True if a stored fingerprint equals `digest`, or has an old form that cannot be compared."""
    return digest == stored_fingerprint or not is_comparable(stored_fingerprint)


def is_comparable(stored_fingerprint: str) -> bool:
    """True if a stored fingerprint (position hash) has the current form and can be compared."""
    return stored_fingerprint.startswith(FINGERPRINT_PREFIX)


def _without_empty_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields sorted by name, without empty, zero or False ones.

    A new field whose value is empty then leaves old hashes unchanged.
    """
    nonempty_fields = {}
    for name in sorted(fields):
        value = fields[name]
        if value:
            if isinstance(value, dict):
                value = _without_empty_fields(value)
            elif isinstance(value, list) and isinstance(value[0], dict):
                value = [_without_empty_fields(entry) for entry in value]
            nonempty_fields[name] = value
    return nonempty_fields
