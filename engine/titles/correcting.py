"""Corrections: what an owner of the printed game knows better than a title's table, read from a text of their own.

```toml
[18c2c.house]
eliminations = 2

[18c2c.hexes]
T69 = { stops = ["city 30/50/50/30/30 x2"] }
```
"""

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from engine.core.errors import TitleError
from engine.core.spec import HexSpec, HouseRule, TitleSpec

_TABLES: Final = {"house", "hexes"}
_KEYS: Final = (
    *("name", "zone", "cost", "terrain", "icons", "impassable"),
    *("stops", "opens", "track", "label", "label_from"),
)
"""What may be corrected of a hex."""


def read_corrections(text: str) -> Mapping[str, Mapping[str, Any]]:
    """What is corrected, by the id of the title; raises TitleError for what is no such text."""
    try:
        found = tomllib.loads(text)
    except ValueError as error:  # of TOML, and of numbers too long to be read
        raise TitleError(f"the corrections cannot be read: {error}") from error
    except RecursionError as error:
        raise TitleError("the corrections cannot be read: lists or tables are nested too deeply") from error
    for title, tables in found.items():
        strange = set(tables) - _TABLES if isinstance(tables, dict) else {title}
        if strange or not all(isinstance(table, dict) for table in tables.values()):
            raise TitleError(
                f"the corrections of {title} are tables named house and hexes, not {', '.join(sorted(strange))}"
            )
    return found


def corrected(spec: TitleSpec, tables: Mapping[str, Mapping[str, Any]]) -> TitleSpec:
    """The title's table with house rules and hexes corrected; raises TitleError that names what is wrong."""
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
        found = HexSpec.model_validate({**known.model_dump(), **changes})
        wrong = next(_wrong(spec, coord, found, changes.keys()), None)
    except ValidationError as error:
        raise TitleError(f"{spec.name}, hex {coord}: {_said(error)}") from error
    except TitleError as error:
        raise TitleError(f"{spec.name}, hex {coord}: {error}") from error
    if wrong is not None:
        raise TitleError(f"{spec.name}, hex {coord}: {wrong}")
    return found


def _wrong(spec: TitleSpec, coord: str, found: HexSpec, changed: Collection[str]) -> Iterator[str]:
    """What does not fit the rest of the table, and what would; raises TitleError for stops and track."""
    if strange := [key for key in changed if key not in _KEYS]:
        yield f"{', '.join(strange)}: what may be corrected is {', '.join(_KEYS)}"
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
    yield from _unknown("icons", found.icons, sorted({icon for one in printed for icon in one.icons}))
    yield from _unknown("zone", [found.zone] * bool(found.zone), sorted({one.zone for one in printed} - {""}))
    labels = ({hex_.label for hex_ in printed} | {tile.label for tile in spec.tiles.values()}) - {""}
    yield from _unknown("label", [found.label] * bool(found.label), sorted(labels))


def _unknown(key: str, given: Iterable[str], known: Sequence[str]) -> Iterator[str]:
    for one in given:
        if one not in known:
            yield f"{key}: {one} is none of {', '.join(known)}"


def _said(error: ValidationError) -> str:
    """`cost: Input should be a valid integer`, for each thing that is wrong."""
    details = error.errors(include_url=False)
    where = (".".join(map(str, detail["loc"])) for detail in details)
    return "; ".join(
        f"{place}: {d['msg']}" if place else d["msg"] for place, d in zip(where, details, strict=True)
    )
