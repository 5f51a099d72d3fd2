"""Loads a title's files: its data, the changes of a variant, help texts by topic, and an owner's corrections.

An owner of the printed game can correct a title's data with a TOML text:

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
from engine.titles.title_checks import check_sections, check_title

_DEFAULT_COMPANY_KIND: Final = CompanySpec.model_fields["kind"].default


@cache
def load_title(package: str, variant: str = "") -> TitleSpec:
    """A title's data from the `title.toml` of its package. A variant's file can change parts of it.

    If the title gives only the count of a tile, the tile comes from `engine/board/tiles.toml`. `[defaults]` has values
    for all companies of a kind. Raises TitleError if a file does not fit the data model.
    """
    common_tiles, file = _toml_content("engine.board", "tiles.toml"), short_file_path(package, variant)
    title_data = dict(_toml_content(package, "title.toml"))
    if variant:
        title_data = with_changes(title_data, _toml_content(package, variant))
    title_data["companies"] = _companies_with_defaults(
        file, title_data.get("companies", {}), title_data.pop("defaults", {})
    )
    title_data["tiles"] = _tiles_with_counts(
        file, title_data.pop("tile_counts", {}), title_data.pop("tiles", {}), common_tiles
    )
    try:
        spec = TitleSpec.model_validate(title_data)
    except ValidationError as error:
        raise TitleError(f"{file}: {_validation_errors_text(error)}") from error
    check_title(file, spec)
    check_sections(file, spec, _facts_with_text(package))
    return spec


def short_file_path(package: str, variant: str) -> str:
    """Short path of a title's or variant's file for error messages, such as `t18tn/title.toml`."""
    return f"{package.rpartition('.')[2]}/{variant or 'title.toml'}"


def _tiles_with_counts(
    file: str, count_by_tile: Mapping[str, Any], own_tiles: Mapping[str, Any], common_tiles: Mapping[str, Any]
) -> dict[str, Any]:
    """All tiles of the title, each with its count, stops and track.

    `own_tiles` has the title's own tiles, `common_tiles` those that all titles can use. Raises TitleError if a count
    or tile is missing.
    """
    if uncounted_tiles := own_tiles.keys() - count_by_tile.keys():
        raise TitleError(
            f"{file}: tile_counts: {', '.join(sorted(uncounted_tiles))} is missing; each of "
            "the title's own tiles needs a count"
        )
    if unknown_tiles := count_by_tile.keys() - own_tiles.keys() - common_tiles.keys():
        raise TitleError(
            f"{file}: tile_counts: there is no tile {', '.join(sorted(unknown_tiles))}; the tiles are in [tiles] "
            "and in engine/board/tiles.toml"
        )
    wrong_count_by_tile = {
        number: count
        for number, count in count_by_tile.items()
        if count != "unlimited" and not _is_tile_count(count)
    }
    for number, count in wrong_count_by_tile.items():
        raise TitleError(
            f"{file}: tile_counts.{number}: {count!r} is not possible; give a number of 1 or more, or `unlimited`"
        )
    return {
        number: {
            **(own_tiles.get(number) or common_tiles[number]),
            "count": None if count == "unlimited" else count,
        }
        for number, count in count_by_tile.items()
    }


def _is_tile_count(count: object) -> bool:
    return isinstance(count, int) and not isinstance(count, bool) and count > 0


def _facts_with_text(package: str) -> frozenset[str]:
    """Names of all facts that have a text, either in the common `english.toml` or in the title's."""
    own_file = (package, "english.toml") if files(package).joinpath("english.toml").is_file() else None
    english_files = [
        _toml_content(*english_file)
        for english_file in (("engine.tell", "english.toml"), own_file)
        if english_file is not None
    ]
    return frozenset(
        f"{topic}.{name}"
        for english_file in english_files
        for topic, names in english_file.items()
        for name in names
    )


@cache
def _toml_content(package: str, name: str) -> dict[str, Any]:
    """The parsed TOML file. It is cached, so do not change it. Raises TitleError if the file is not valid TOML."""
    try:
        return tomllib.loads(files(package).joinpath(name).read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise TitleError(f"{short_file_path(package, name)}: {error}") from error


def _companies_with_defaults(
    file: str, companies: dict[str, Any], defaults: dict[str, Any]
) -> dict[str, Any]:
    """Companies by name, with the defaults of their kind filled in.

    Raises TitleError if there are defaults for a kind that no company has.
    """
    kind_by_company = {
        name: company.get("kind", _DEFAULT_COMPANY_KIND) for name, company in companies.items()
    }
    if unknown_kinds := defaults.keys() - set(kind_by_company.values()):
        raise TitleError(
            f"{file}: defaults: there is no company of the kind {', '.join(sorted(unknown_kinds))}; "
            f"the kinds are {', '.join(sorted(set(kind_by_company.values())))}"
        )
    return {
        name: with_changes(defaults.get(kind_by_company[name], {}), company)
        for name, company in companies.items()
    }


def with_changes(base_data: Any, changes: Any) -> Any:
    """The data with changes merged in.

    Tables are merged key by key, and lists of named tables name by name. All other values are replaced.
    """
    if isinstance(base_data, dict) and isinstance(changes, dict):
        return {
            **base_data,
            **{key: with_changes(base_data.get(key), value) for key, value in changes.items()},
        }
    if _is_list_of_named_tables(base_data) and _is_list_of_named_tables(changes):
        changes_by_name = {item["name"]: item for item in changes}
        changed_items = [with_changes(item, changes_by_name.pop(item["name"], {})) for item in base_data]
        return changed_items + list(changes_by_name.values())
    return changes


def _is_list_of_named_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) and "name" in v for v in value)


class Topic(BaseModel):
    """A help text on one topic of the rules."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    heading: str
    section: str
    lines: tuple[str, ...]


@cache
def load_topics(package: str, variant: str = "") -> dict[str, Topic]:
    """The help texts in a title's `help.toml`, as changed by a variant. Raises TitleError if a file is invalid."""
    topic_data = tomllib.loads(files(package).joinpath("help.toml").read_text("utf-8"))
    if variant:
        topic_data = with_changes(
            topic_data, tomllib.loads(files(package).joinpath(variant).read_text("utf-8"))
        )
    try:
        return {name: Topic.model_validate(topic) for name, topic in topic_data.items()}
    except ValidationError as error:
        raise TitleError(f"{package}: {error}") from error


_CORRECTABLE_TABLES: Final = {"house", "hexes"}
_CORRECTABLE_HEX_KEYS: Final = (
    *("name", "zone", "cost", "terrain", "icons", "impassable"),
    *("stops", "opens", "track", "label", "label_from"),
)
"""Keys of a hex in a title's data that owners of the printed game can correct."""


def read_corrections(text: str) -> Mapping[str, Mapping[str, Any]]:
    """The corrections in an owner's TOML text, by title id. Raises TitleError if the text is invalid."""
    try:
        corrections = tomllib.loads(text)
    except ValueError as error:  # TOML errors, and numbers too long to be read
        raise TitleError(f"the corrections cannot be read: {error}") from error
    except RecursionError as error:
        raise TitleError("the corrections cannot be read: lists or tables are nested too deeply") from error
    for title, tables in corrections.items():
        unknown_tables = set(tables) - _CORRECTABLE_TABLES if isinstance(tables, dict) else {title}
        if unknown_tables or not all(isinstance(table, dict) for table in tables.values()):
            raise TitleError(
                f"the corrections of {title} must be in tables named house and hexes, "
                f"not {', '.join(sorted(unknown_tables))}"
            )
    return corrections


def corrected_spec(spec: TitleSpec, tables: Mapping[str, Mapping[str, Any]]) -> TitleSpec:
    """The title's data with corrected house rules and hexes. Raises TitleError if a correction is wrong."""
    house_rules = {
        **spec.house,
        **{name: _corrected_rule(spec, name, value) for name, value in tables.get("house", {}).items()},
    }
    hexes = {
        coord: _corrected_hex(spec, coord, changes) for coord, changes in tables.get("hexes", {}).items()
    }
    corrected_map = spec.map.with_hexes({**spec.map.hexes, **hexes})
    return spec.model_copy(update={"house": house_rules, "map": corrected_map if hexes else spec.map})


def _corrected_rule(spec: TitleSpec, name: str, value: Any) -> HouseRule:
    if name not in spec.house:
        raise TitleError(
            f"{spec.name} has no house rule {name}; the house rules are {', '.join(sorted(spec.house))}"
        )
    try:
        return spec.house[name].with_value(value)
    except ValueError as error:
        raise TitleError(f"{spec.name}, house rule {name}: {error}") from error


def _corrected_hex(spec: TitleSpec, coord: str, changes: Any) -> HexSpec:
    printed_hex = spec.map.all_hexes.get(coord)
    if printed_hex is None or not isinstance(changes, dict):
        raise TitleError(
            f"{spec.name} has no hex {coord}"
            if printed_hex is None
            else f"write the corrections of hex {coord} as a table"
        )
    try:
        changed_hex = HexSpec.model_validate({**printed_hex.model_dump(), **changes})
        contradiction = next(_contradictions_of_hex(spec, coord, changed_hex, changes.keys()), None)
    except ValidationError as error:
        raise TitleError(f"{spec.name}, hex {coord}: {_validation_errors_text(error)}") from error
    except TitleError as error:
        raise TitleError(f"{spec.name}, hex {coord}: {error}") from error
    if contradiction is not None:
        raise TitleError(f"{spec.name}, hex {coord}: {contradiction}")
    return changed_hex


def _contradictions_of_hex(
    spec: TitleSpec, coord: str, changed_hex: HexSpec, changed_keys: Collection[str]
) -> Iterator[str]:
    """Sentences about values of a corrected hex that contradict the title's data.

    Raises TitleError if the hex's stops or track cannot be parsed.
    """
    if unknown_keys := [key for key in changed_keys if key not in _CORRECTABLE_HEX_KEYS]:
        yield f"{', '.join(unknown_keys)} cannot be corrected; possible keys are {', '.join(_CORRECTABLE_HEX_KEYS)}"
    stops = changed_hex.topology.stops
    home_stops = [c.home.stop for c in spec.companies.values() if c.home is not None and c.home.hex == coord]
    if any(stop >= len(stops) for stop in home_stops):
        yield "a company has its home at a stop that the correction removes"
    if not stops and any(coord in company.destination for company in spec.companies.values()):
        yield "a company has its destination at a stop that the correction removes"
    column_count = len(spec.revenue_steps)
    for stop in stops:
        if len(stop.revenue) not in (1, column_count):
            values_text, steps_text = "/".join(map(str, stop.revenue)), ", ".join(spec.revenue_steps)
            yield f"{values_text} has {len(stop.revenue)} values; give one, or {column_count} for {steps_text}"
    if changed_hex.opens and stops and len(changed_hex.opens) != stops[0].slots:
        yield f"opens has {len(changed_hex.opens)} phases for {stops[0].slots} slots; give one phase for each slot"
    printed_hexes = spec.map.all_hexes.values()
    yield from _unknown_values("opens", changed_hex.opens, [phase.name for phase in spec.phases])
    yield from _unknown_values("impassable", map(str, changed_hex.impassable), "012345")
    yield from _unknown_values(
        "icons",
        changed_hex.icons,
        sorted({icon for printed_hex in printed_hexes for icon in printed_hex.icons}),
    )
    yield from _unknown_values(
        "zone",
        [changed_hex.zone] * bool(changed_hex.zone),
        sorted({printed_hex.zone for printed_hex in printed_hexes} - {""}),
    )
    labels = ({hex_.label for hex_ in printed_hexes} | {tile.label for tile in spec.tiles.values()}) - {""}
    yield from _unknown_values("label", [changed_hex.label] * bool(changed_hex.label), sorted(labels))


def _unknown_values(key: str, given_values: Iterable[str], known_values: Sequence[str]) -> Iterator[str]:
    for value in given_values:
        if value not in known_values:
            yield f"{key}: {value} is not possible; possible are {', '.join(known_values)}"


def _validation_errors_text(error: ValidationError) -> str:
    """Pydantic's errors joined in one line, such as `cost: Input should be a valid integer`."""
    error_details = error.errors(include_url=False)
    locations = (".".join(map(str, detail["loc"])) for detail in error_details)
    return "; ".join(
        f"{location}: {error_detail['msg']}" if location else error_detail["msg"]
        for location, error_detail in zip(locations, error_details, strict=True)
    )
