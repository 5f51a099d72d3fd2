"""Reads the files of a title's package: its table, a variant's changes laid over it, and its rules by topic."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.core.errors import TitleError
from engine.core.spec import CompanySpec, TitleSpec

_KIND: Final = CompanySpec.model_fields["kind"].default
"""The kind of a company whose table names none."""


@cache
def load_title(package: str, variant: str = "") -> TitleSpec:
    """Read `title.toml` of a title package, with tiles of `engine/board/tiles.toml` for numbers that only give a count.

    A variant's file in the same package says only what differs. `[defaults]` says what the companies of a
    kind have in common. Raises TitleError when the file does not fit the model.
    """
    common = _table("engine.board", "tiles.toml")
    raw = dict(_table(package, "title.toml"))
    if variant:
        raw = patched(raw, _table(package, variant))
    raw["companies"] = _with_defaults(package, raw.get("companies", {}), raw.pop("defaults", {}))
    counts = raw.pop("tile_counts", {})
    own = raw.pop("tiles", {})
    raw["tiles"] = {
        number: {
            **(own.get(number) or common.get(number) or {}),
            "count": None if count == "unlimited" else count,
        }
        for number, count in counts.items()
    }
    try:
        return TitleSpec.model_validate(raw)
    except ValidationError as error:
        raise TitleError(f"{package}: {error}") from error


@cache
def _table(package: str, name: str) -> dict[str, Any]:
    """What a file of a package says; never changed, since others may ask for it."""
    return tomllib.loads(files(package).joinpath(name).read_text("utf-8"))


def _with_defaults(package: str, companies: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """Each company's keys laid over those of its kind; raises TitleError for a kind that no company is of."""
    kinds = {name: company.get("kind", _KIND) for name, company in companies.items()}
    if strange := defaults.keys() - set(kinds.values()):
        raise TitleError(
            f"{package}: defaults for {', '.join(sorted(strange))}, and no company is of that kind"
        )
    return {name: patched(defaults.get(kinds[name], {}), company) for name, company in companies.items()}


def patched(base: Any, changes: Any) -> Any:
    """The data with changes laid over it: tables key by key, lists of named tables name by name, all else whole."""
    if isinstance(base, dict) and isinstance(changes, dict):
        return {**base, **{key: patched(base.get(key), value) for key, value in changes.items()}}
    if _named(base) and _named(changes):
        by_name = {item["name"]: item for item in changes}
        known = [patched(item, by_name.pop(item["name"], {})) for item in base]
        return known + list(by_name.values())
    return changes


def _named(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) and "name" in v for v in value)


class Topic(BaseModel):
    """One topic: its heading, where the rulebook has it, and the rules in short sentences."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    heading: str
    section: str
    lines: tuple[str, ...]


@cache
def load_topics(package: str, variant: str = "") -> dict[str, Topic]:
    """Read `help.toml` of a title package by topic; a variant's file says only what differs. Raises TitleError."""
    raw = tomllib.loads(files(package).joinpath("help.toml").read_text("utf-8"))
    if variant:
        raw = patched(raw, tomllib.loads(files(package).joinpath(variant).read_text("utf-8")))
    try:
        return {name: Topic.model_validate(topic) for name, topic in raw.items()}
    except ValidationError as error:
        raise TitleError(f"{package}: {error}") from error
