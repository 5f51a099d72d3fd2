"""A position as exact text, and its fingerprint."""

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
"""Prefix of fingerprints (the oldest have none). Increased when equal positions get new fingerprints."""


@dataclass(frozen=True, slots=True)
class SavedPosition:
    """The stored form of a position. Fields added later have defaults, so that older texts can be read."""

    rules: str
    """The version of the rules that wrote the position."""
    title: str
    profile: str
    options: tuple[str, ...]
    seed: int
    players: tuple[tuple[PlayerId, str], ...]
    from_log: int
    actions: int
    """Number of actions applied."""
    state: State
    map: MapChanges
    format: Literal["stationmaster position 1"] = "stationmaster position 1"

    def digest(self) -> str:
        """The fingerprint of the stored position."""
        return fingerprint(self.state, self.map)


_ANY_ADAPTER: Final[TypeAdapter[Any]] = TypeAdapter(Any)


@cache
def _saved_adapter() -> TypeAdapter[SavedPosition]:
    return TypeAdapter(SavedPosition)


@cache
def _state_adapter() -> TypeAdapter[State]:
    return TypeAdapter(State)


@cache
def _map_adapter() -> TypeAdapter[MapChanges]:
    return TypeAdapter(MapChanges)


JSON_ADAPTERS: Final = (_saved_adapter, _state_adapter, _map_adapter)
"""JSON readers and writers; building each on its first call takes a while."""


def write_saved(saved: SavedPosition) -> str:
    """A position as JSON text."""
    return _saved_adapter().dump_json(saved).decode()


def read_saved(text: str) -> SavedPosition:
    """Read a position from JSON text. Raises Unreadable if it is invalid."""
    try:
        return _saved_adapter().validate_json(text, strict=True)
    except ValidationError as error:
        first_problem = error.errors(include_url=False)[0]
        path = ".".join(map(str, first_problem["loc"]))
        raise Unreadable(fact("log.position_unreadable", where=path, detail=first_problem["msg"])) from error


def saved_table(saved: SavedPosition, rules: Hooks) -> Table:
    """The saved table under these rules. Raises Unreadable if the saved map does not fit the title."""
    try:
        board = Map.restore(rules.spec, saved.map)
    except LookupError as error:
        raise Unreadable(fact("log.position_unreadable", where="map", detail=str(error))) from error
    return Table(rules.spec, rules, saved.state, board)


def fingerprint(state: State, changes: MapChanges) -> str:
    """A hash of everything in the position that matters to the rules: without names and display data."""
    fields = _state_adapter().dump_python(
        state, mode="json", exclude={"fresh": True, "asked": True, "players": {"__all__": {"name"}}}
    )
    hashed_fields = [
        _without_empty_fields(fields),
        _without_empty_fields(_map_adapter().dump_python(changes, mode="json")),
    ]
    text = _ANY_ADAPTER.dump_json(hashed_fields)
    if not text.isascii():  # ASCII text is the same with `json.dumps`, and much faster this way
        text = json.dumps(hashed_fields, separators=(",", ":")).encode()
    return FINGERPRINT_PREFIX + hashlib.sha256(text).hexdigest()[:32]


def fingerprints_match(digest: str, stored_fingerprint: str) -> bool:
    """True if a stored fingerprint is equal to this one, or has an earlier form that cannot be compared."""
    return digest == stored_fingerprint or not is_comparable(stored_fingerprint)


def is_comparable(stored_fingerprint: str) -> bool:
    """True if a stored fingerprint has today's form and can be compared."""
    return stored_fingerprint.startswith(FINGERPRINT_PREFIX)


def _without_empty_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields sorted by name, without empty, zero or False ones, so that a new field keeps old digests."""
    kept_fields = {}
    for name in sorted(fields):
        value = fields[name]
        if value:
            if isinstance(value, dict):
                value = _without_empty_fields(value)
            elif isinstance(value, list) and isinstance(value[0], dict):
                value = [_without_empty_fields(entry) for entry in value]
            kept_fields[name] = value
    return kept_fields
