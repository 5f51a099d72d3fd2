"""A title's files: its table, a variant's changes laid over it, its rules by topic, and an owner's corrections.

Corrections are what an owner of the printed game knows better than the table, in a text of their own:

```toml
[18c2c.house]
eliminations = 2

[18c2c.hexes]
T69 = { stops = ["city 30/50/50/30/30 x2"] }
```
"""

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.core.errors import TitleError
from engine.core.spec import CompanySpec, HexSpec, HouseRule, TitleSpec

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
    """The content of a package's file; cached, so never change it."""
    return tomllib.loads(files(package).joinpath(name).read_text("utf-8"))


def _with_defaults(package: str, companies: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """Each company's keys over the defaults of its kind; raises TitleError for an unknown kind."""
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
    if _is_named(base) and _is_named(changes):
        by_name = {item["name"]: item for item in changes}
        known = [patched(item, by_name.pop(item["name"], {})) for item in base]
        return known + list(by_name.values())
    return changes


def _is_named(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) and "name" in v for v in value)


class Topic(BaseModel):
    """One topic: its heading, where the rulebook has it, and the rules in short sentences."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    heading: str
    section: str
    lines: tuple[str, ...]


@cache
def load_topics(package: str, variant: str = "") -> dict[str, Topic]:
    """The topics in `help.toml` of a title package, with a variant's differences. Raises TitleError."""
    raw = tomllib.loads(files(package).joinpath("help.toml").read_text("utf-8"))
    if variant:
        raw = patched(raw, tomllib.loads(files(package).joinpath(variant).read_text("utf-8")))
    try:
        return {name: Topic.model_validate(topic) for name, topic in raw.items()}
    except ValidationError as error:
        raise TitleError(f"{package}: {error}") from error


_CORRECTED_TABLES: Final = {"house", "hexes"}
_CORRECTED_KEYS: Final = (
    *("name", "zone", "cost", "terrain", "icons", "impassable"),
    *("stops", "opens", "track", "label", "label_from"),
)
"""Keys of a hex that may be corrected."""


def read_corrections(text: str) -> Mapping[str, Mapping[str, Any]]:
    """Corrections by title id; raises TitleError for invalid text."""
    try:
        found = tomllib.loads(text)
    except ValueError as error:  # of TOML, and of numbers too long to be read
        raise TitleError(f"the corrections cannot be read: {error}") from error
    except RecursionError as error:
        raise TitleError("the corrections cannot be read: lists or tables are nested too deeply") from error
    for title, tables in found.items():
        strange = set(tables) - _CORRECTED_TABLES if isinstance(tables, dict) else {title}
        if strange or not all(isinstance(table, dict) for table in tables.values()):
            raise TitleError(
                f"the corrections of {title} are tables named house and hexes, not {', '.join(sorted(strange))}"
            )
    return found


def corrected(spec: TitleSpec, tables: Mapping[str, Mapping[str, Any]]) -> TitleSpec:
    """The spec with house rules and hexes corrected; raises TitleError that names the problem."""
    house = {
        **spec.house,
        **{name: _rule(spec, name, value) for name, value in tables.get("house", {}).items()},
    }
    hexes = {coord: _hex(spec, coord, changes) for coord, changes in tables.get("hexes", {}).items()}
    printed = spec.map.with_hexes({**spec.map.hexes, **hexes})
    return spec.model_copy(update={"house": house, "map": printed if hexes else spec.map})


def _rule(spec: TitleSpec, name: str, value: Any) -> HouseRule:
    if name not in spec.house:
        raise TitleError(f"{spec.name} has no house rule {name}; there are {', '.join(sorted(spec.house))}")
    try:
        return spec.house[name].corrected(value)
    except ValueError as error:
        raise TitleError(f"{spec.name}, house rule {name}: {error}") from error


def _hex(spec: TitleSpec, coord: str, changes: Any) -> HexSpec:
    known = spec.map.all_hexes.get(coord)
    if known is None or not isinstance(changes, dict):
        raise TitleError(f"{spec.name} has no hex {coord}" if known is None else f"hex {coord} needs a table")
    try:
        changed = HexSpec.model_validate({**known.model_dump(), **changes})
        wrong = next(_wrong(spec, coord, changed, changes.keys()), None)
    except ValidationError as error:
        raise TitleError(f"{spec.name}, hex {coord}: {_problems_text(error)}") from error
    except TitleError as error:
        raise TitleError(f"{spec.name}, hex {coord}: {error}") from error
    if wrong is not None:
        raise TitleError(f"{spec.name}, hex {coord}: {wrong}")
    return changed


def _wrong(spec: TitleSpec, coord: str, found: HexSpec, changed: Collection[str]) -> Iterator[str]:
    """Contradictions to the rest of the spec, with possible values; raises TitleError for stops and track."""
    if strange := [key for key in changed if key not in _CORRECTED_KEYS]:
        yield f"{', '.join(strange)}: what may be corrected is {', '.join(_CORRECTED_KEYS)}"
    stops = found.topology.stops
    homes = [c.home.stop for c in spec.companies.values() if c.home is not None and c.home.hex == coord]
    if any(stop >= len(stops) for stop in homes):
        yield "a company has its home where there is no stop any more"
    if not stops and any(coord in company.destination for company in spec.companies.values()):
        yield "a company has its destination where there is no stop any more"
    columns = len(spec.revenue_steps)
    for stop in stops:
        if len(stop.revenue) not in (1, columns):
            given, steps = "/".join(map(str, stop.revenue)), ", ".join(spec.revenue_steps)
            yield f"{given} has {len(stop.revenue)} values; a stop has one, or {columns}: {steps}"
    if found.opens and stops and len(found.opens) != stops[0].slots:
        yield f"opens has {len(found.opens)} phases for {stops[0].slots} places; each place needs one"
    printed = spec.map.all_hexes.values()
    yield from _unknown("opens", found.opens, [phase.name for phase in spec.phases])
    yield from _unknown("impassable", map(str, found.impassable), "012345")
    yield from _unknown("icons", found.icons, sorted({icon for item in printed for icon in item.icons}))
    yield from _unknown(
        "zone", [found.zone] * bool(found.zone), sorted({item.zone for item in printed} - {""})
    )
    labels = ({hex_.label for hex_ in printed} | {tile.label for tile in spec.tiles.values()}) - {""}
    yield from _unknown("label", [found.label] * bool(found.label), sorted(labels))


def _unknown(key: str, given: Iterable[str], known: Sequence[str]) -> Iterator[str]:
    for one in given:
        if one not in known:
            yield f"{key}: {one} is none of {', '.join(known)}"


def _problems_text(error: ValidationError) -> str:
    """Validation errors in one line: `cost: Input should be a valid integer`."""
    details = error.errors(include_url=False)
    where = (".".join(map(str, detail["loc"])) for detail in details)
    return "; ".join(
        f"{place}: {d['msg']}" if place else d["msg"] for place, d in zip(where, details, strict=True)
    )
