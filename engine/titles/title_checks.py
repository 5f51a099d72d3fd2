"""Checks of a title's data as a whole: every name refers to something, and the parts are consistent.

The models in `engine.core.spec` have already checked keys, types and single entries. Each check yields one sentence
for each mistake, such as `trains.2.rusts_on: there is no phase 9; there are 2, 3, 4`.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from engine.core.errors import TitleError
from engine.core.spec import COLOURS, TitleSpec
from engine.market.grid import Grid
from engine.titles.map_checks import MAP_CHECKS, private_tile_errors
from engine.titles.name_errors import repeated_name_errors, unknown_name_error

REFERENCE_PATHS: Final[Mapping[str, tuple[str, ...]]] = {
    "phase": (
        "trains.*.rusts_on",
        "trains.*.obsolete_on",
        "trains.*.available_from",
        "map.hexes.*.opens.*",
        "market.zones.*.from_phase",
        "privates.*.closes_in",
        "privates.*.powers.*.until_phase",
        "privates.*.powers.*.bank_sells_from",
        "company_draw.others_from_phase",
        "mergers.from_phase",
        "unions.from_phase",
        "nationals.national_by_phase.names",
    ),
    "train": (
        "phases.*.train",
        "trains.*.trade_in.accepts.*",
        "trains.*.face_of",
        "exported_trains.*",
        "privates.*.powers.*.train",
        "event_trains.*",
        "privates.*.powers.*.trains.*",
    ),
    "hex": (
        "companies.*.home.hex",
        "companies.*.more_homes.*.hex",
        "companies.*.objective.hex",
        "companies.*.destination.*",
        "coast_to_coast.west_hexes.*",
        "privates.*.blocked_hexes.*",
        "privates.*.powers.*.hexes.*",
    ),
    "tile": ("map.hexes.*.allowed_tiles.*", "tiles.*.gives_way_to", "privates.*.powers.*.tiles.*"),
    "company": (
        "nationals.national_by_phase.*",
        "privates.*.powers.*.company",
        "privates.*.powers.*.random_companies.*",
    ),
    "private": ("auction.columns.*.*",),
    "zone": (
        "companies.*.base_zone",
        "coast_to_coast.east_zones.*",
        "tile_points.open_zones.*",
        "privates.*.powers.*.zone",
        "privates.*.powers.*.zones.*",
    ),
    "icon": ("privates.*.powers.*.icon", "icons.names"),
}
"""Paths in the data whose values must be names of a phase, a train or another kind of thing, by kind.

`*` stands for every item of a list or table, and `names` for the keys of a table.
"""

NAMES_FOR_RANDOM_CHOICES: Final = {"company": frozenset({"random"})}
"""Names that stand for something drawn at random, such as the company `random`, by kind."""

PROFILES: Final = ("rulebook", "18xx.games")
"""Names of the rules profiles: `rulebook` follows the printed rules, `18xx.games` that website."""

_COMPANY_COLOUR_PATTERN: Final = re.compile(r"#[0-9a-fA-F]{6}")


def check_title(file: str, spec: TitleSpec) -> None:
    """Check a title's data. Raises TitleError with all mistakes, one per line."""
    problems = [problem for check in _CHECKS for problem in check(spec)]
    if problems := problems or list(private_tile_errors(spec)):
        raise TitleError("\n".join(f"{file}: {problem}" for problem in problems))


def check_sections(file: str, spec: TitleSpec, fact_names: Collection[str]) -> None:
    """Raise TitleError if the title gives a rulebook section for a topic or fact that is not in `fact_names`."""
    topics = {fact_name.partition(".")[0] for fact_name in fact_names}
    if problems := [
        unknown_name_error(f"sections.{name}", "fact" if "." in name else "topic", name, sorted(known_names))
        for name in spec.sections
        if name not in (known_names := fact_names if "." in name else topics)
    ]:
        raise TitleError("\n".join(f"{file}: {problem}" for problem in problems))


def check_choices(file: str, spec: TitleSpec, flags: Collection[str], options: Collection[str]) -> None:
    """Raise TitleError if the title's data uses a flag or option that its rules do not define."""
    used_names = [
        *(
            ("flag", f"profiles.{name}", flag)
            for name, percentages_by_key in spec.profiles.items()
            for flag in percentages_by_key
        ),
        *(
            ("option", f"house.{name}.value_by_option", used_name)
            for name, rule in spec.house.items()
            for used_name in rule.value_by_option
        ),
        *(("option", "options_not_on_18xx_games", used_name) for used_name in spec.options_not_on_18xx_games),
    ]
    known_names = {"flag": flags, "option": options}
    if problems := [
        unknown_name_error(key, kind, used_name, known_names[kind])
        for kind, key, used_name in used_names
        if used_name not in known_names[kind]
    ]:
        raise TitleError("\n".join(f"{file}: {problem}" for problem in problems))


def _check_references(spec: TitleSpec) -> Iterator[str]:
    printed_hexes = spec.map.all_hexes.values()
    known_names: dict[str, list[str]] = {
        "phase": [phase.name for phase in spec.phases],
        "train": [train.name for train in spec.trains],
        "hex": list(spec.map.all_hexes),
        "tile": list(spec.tiles),
        "company": list(spec.companies),
        "private": list(spec.privates),
        "zone": sorted({hex_.zone for hex_ in printed_hexes} - {""}),
        "icon": sorted({icon for hex_ in printed_hexes for icon in hex_.icons}),
    }
    for kind, keys in REFERENCE_PATHS.items():
        for key in keys:
            for full_key, name in _names_at_path(spec, key.split(".")):
                if name not in known_names[kind] and name not in NAMES_FOR_RANDOM_CHOICES.get(kind, ()):
                    yield unknown_name_error(full_key, kind, name, known_names[kind])


def _names_at_path(data: object, path: Sequence[str], key: str = "") -> Iterator[tuple[str, object]]:
    """Names at a path in the data, each with its key, such as `trains.2.rusts_on`. Empty values are left out."""
    if not path:
        if data not in (None, ""):
            yield key, data
    elif path[0] == "*":
        for name, item in _items_by_key(data):
            yield from _names_at_path(item, path[1:], f"{key}.{name}")
    elif path[0] == "names":
        yield from ((f"{key}.{name}", name) for name, _ in _items_by_key(data))
    else:
        yield from _names_at_path(getattr(data, path[0], None), path[1:], f"{key}.{path[0]}".lstrip("."))


def _items_by_key(data: object) -> Iterable[tuple[object, object]]:
    """Items of a table with their keys, or of a list with their names. Items without a name are numbered from 1."""
    if isinstance(data, Mapping):
        return data.items()
    numbered_items = data if isinstance(data, tuple) else ()
    return [(getattr(item, "name", number), item) for number, item in enumerate(numbered_items, 1)]


def _check_names(spec: TitleSpec) -> Iterator[str]:
    yield from repeated_name_errors("trains", "train", [train.name for train in spec.trains])
    yield from repeated_name_errors("phases", "phase", [phase.name for phase in spec.phases])
    yield from repeated_name_errors("market.zones", "letter", [zone.letter for zone in spec.market.zones])
    yield from repeated_name_errors(
        "privates", "number", [private.number for private in spec.privates.values()]
    )
    shared_names = spec.privates.keys() & spec.companies.keys()
    for name in sorted(shared_names):
        yield f"privates.{name}: a company is also called {name}; privates and companies need different names"
    yield from repeated_name_errors(
        "companies", "name", [company.name for company in spec.companies.values()]
    )
    yield from repeated_name_errors("privates", "name", [private.name for private in spec.privates.values()])
    for profile in spec.profiles:
        if profile not in PROFILES:
            yield f"profiles.{profile}: there is no such profile; the profiles are {', '.join(PROFILES)}"
    for key in ("companies", "trains", "phases", "players", "profiles", "revenue_steps"):
        if not getattr(spec, key):
            yield f"{key} is missing; a title needs at least one"


def _check_colours(spec: TitleSpec) -> Iterator[str]:
    first_company_by_colour: dict[tuple[str, str], str] = {}
    for name, company in spec.companies.items():
        key = f"companies.{name}.colour: {company.colour}"
        if not _COMPANY_COLOUR_PATTERN.fullmatch(company.colour):
            yield f"{key} is not a colour; write it as #rrggbb"
        first_company = first_company_by_colour.setdefault((company.kind, company.colour.lower()), name)
        if first_company != name and not spec.colours_repeat:
            yield (
                f"{key} is also the colour of {first_company}; give each company a different "
                "colour, or set `colours_repeat` to true"
            )


def _check_money(spec: TitleSpec) -> Iterator[str]:
    for number, player_count_spec in spec.players.items():
        if not 0 < number * player_count_spec.cash <= spec.bank:
            yield (
                f"players.{number}.cash: {number} times ${player_count_spec.cash} is not between "
                f"$1 and the bank's ${spec.bank}"
            )
        if player_count_spec.certificate_limit < 1:
            limit = player_count_spec.certificate_limit
            yield f"players.{number}.certificate_limit: {limit} is too low; it must be 1 or more"
    for train in spec.trains:
        if train.price < 1:
            yield f"trains.{train.name}.price: ${train.price} is too low; it must be $1 or more"
        if train.max_stops is not None and train.max_stops < 1:
            yield (
                f"trains.{train.name}.max_stops: {train.max_stops} is too low; it must be 1 or "
                "more; leave the key out for a train without a limit"
            )
        if train.count is not None and train.count < 1:
            yield f"trains.{train.name}.count: {train.count} is too low; it must be 1 or more, or `unlimited`"
    for name, private in spec.privates.items():
        percents = private.early_price_percents
        if percents is not None and percents[0] > percents[1]:
            yield f"privates.{name}.early_price_percents: {list(percents)}; put the lower percentage first"
        if private.face_value < 1 or private.income < 0:
            yield (
                f"privates.{name}: face_value ${private.face_value}, income ${private.income}; the "
                "value must be at least $1 and the income at least $0"
            )
    for name, company in spec.companies.items():
        if any(price < 0 for price in company.token_prices):
            yield f"companies.{name}.token_prices: {list(company.token_prices)}; no price may be below $0"
        if company.home is not None and not company.token_prices:
            yield f"companies.{name}.token_prices: the home token is missing; it comes first in the list"


def _check_percentages(spec: TitleSpec) -> Iterator[str]:
    percentages_by_key = {"pool_limit": spec.pool_limit, "holding_limit": spec.holding_limit}
    percentages_by_key |= {
        f"companies.{name}.float_percent": company.float_percent for name, company in spec.companies.items()
    }
    for key, percent in percentages_by_key.items():
        if not 1 <= percent <= 100:
            yield f"{key}: {percent} is not possible; it must be from 1 to 100 percent"


def _check_phases(spec: TitleSpec) -> Iterator[str]:
    count_by_train = {train.name: train.count for train in spec.trains}
    train_order = list(count_by_train)
    for phase in spec.phases[1:]:
        if phase.train is None and phase.starting_round is None:
            yield (
                f"phases.{phase.name}.train is missing; only the first phase has no train; "
                f"the trains are {', '.join(train_order)}"
            )
        elif phase.train is not None and phase.starting_round is not None:
            yield (
                f"phases.{phase.name}.starting_round: the phase also starts with train "
                f"{phase.train}; give either a train or a round"
            )
        elif phase.train in count_by_train and not 1 <= phase.train_number <= (
            count_by_train[phase.train] or phase.train_number
        ):
            yield (
                f"phases.{phase.name}.train_number: {phase.train_number} is not possible; "
                f"it must be from 1 to {count_by_train[phase.train]}"
            )
    if spec.phases and spec.phases[0].train is not None:
        yield f"phases.{spec.phases[0].name}.train: leave this out; the game begins with the first phase"
    phase_counts = Counter((phase.train, phase.train_number) for phase in spec.phases if phase.train)
    for (train, train_number), count in phase_counts.items():
        if count > 1:
            yield (
                f"phases: {count} phases begin with {train}-train number {train_number}; "
                "each phase needs a different train"
            )
    phases_with_position = [
        (phase.name, train_order.index(phase.train)) for phase in spec.phases if phase.train in count_by_train
    ]
    for (_, previous_position), (name, position) in pairwise(phases_with_position):
        if position < previous_position:
            yield (
                f"phases.{name}: its train is sold before the train of the previous phase; "
                "list the phases in the order of their trains"
            )
    for phase in spec.phases:
        if not 0 <= phase.revenue_step < len(spec.revenue_steps):
            last_revenue_step = len(spec.revenue_steps) - 1
            yield (
                f"phases.{phase.name}.revenue_step: {phase.revenue_step} is not possible; "
                f"it must be from 0 to {last_revenue_step}"
            )
        percents = phase.private_price_percents
        if percents is not None and percents[0] > percents[1]:
            yield f"phases.{phase.name}.private_price_percents: {list(percents)}; put the lower percentage first"
        if phase.operating_rounds < 1 or phase.train_limit < 1:
            yield f"phases.{phase.name}: operating_rounds and train_limit must be 1 or more"
        if unknown_colours := [colour for colour in phase.tile_colours if colour not in COLOURS]:
            yield (
                f"phases.{phase.name}.tile_colours: tiles have no colour {', '.join(unknown_colours)}; "
                f"the colours are {', '.join(COLOURS[1:])}"
            )


def _check_trains(spec: TitleSpec) -> Iterator[str]:
    index_by_phase = {phase.name: number for number, phase in enumerate(spec.phases)}
    first_phase_by_train = {
        phase.train: number
        for number, phase in enumerate(spec.phases)
        if phase.train and phase.train_number == 1
    }
    for train in spec.trains:
        for key, end_phase in (("rusts_on", train.rusts_on), ("obsolete_on", train.obsolete_on)):
            if end_phase in index_by_phase and index_by_phase[end_phase] <= first_phase_by_train.get(
                train.name, 0
            ):
                later_phases = list(index_by_phase)[first_phase_by_train.get(train.name, 0) + 1 :]
                yield (
                    f"trains.{train.name}.{key}: phase {end_phase} does not come after the "
                    f"train's first phase; later phases are {', '.join(later_phases)}"
                )
    count_by_train = {train.name: train.count for train in spec.trains}
    for train in spec.trains:
        if train.face_of in count_by_train and train.count != count_by_train[train.face_of]:
            other_side_text = f"{train.face_of} has {count_by_train[train.face_of]}"
            yield (
                f"trains.{train.name}.count: {train.count}; its other side {other_side_text}, and "
                "both sides need the same count"
            )
    for train, next_train in pairwise(spec.trains):
        if train.count is None and next_train.available_from is None:
            yield (
                f"trains.{train.name}.count: unlimited, so no {next_train.name}-train could be "
                "sold; only the last train may be unlimited"
            )


def _check_market(spec: TitleSpec) -> Iterator[str]:
    try:
        grid = Grid(spec.market)
    except TitleError as error:
        yield f"market.rows: {error}"
        return
    squares = [square for row in grid.rows for square in row if square is not None]
    if not any(square.is_par for square in squares):
        yield "market.rows: there is no par cell; write one as `80P`"
    yield from repeated_name_errors(
        "market.rows", "par price", [str(par_square.price) for par_square in squares if par_square.is_par]
    )
    letters = {zone.letter for zone in spec.market.zones}
    used_letters = {square.zone for square in squares if square.zone}
    for letter in sorted(used_letters - letters):
        yield unknown_name_error("market.rows", "zone with the letter", letter, sorted(letters))
    for letter in sorted(letters - used_letters):
        yield f"market.zones.{letter}: no cell has this letter; write one as `55{letter}`"


def _check_auction(spec: TitleSpec) -> Iterator[str]:
    listed_privates = [name for column in spec.auction.columns for name in column]
    yield from repeated_name_errors("auction.columns", "private", listed_privates)
    if listed_privates and (missing_privates := spec.privates.keys() - set(listed_privates)):
        yield f"auction.columns: {', '.join(sorted(missing_privates))} is missing; every private must be in a column"
    if spec.auction.bid_multiple < 1:
        yield f"auction.bid_multiple: ${spec.auction.bid_multiple} is too low; it must be $1 or more"
    if not listed_privates:
        for (cheaper_name, cheaper_private), (name, dearer_private) in pairwise(spec.privates.items()):
            if dearer_private.face_value < cheaper_private.face_value:
                yield (
                    f"privates.{name}: its value is below that of {cheaper_name} before it; "
                    "list the privates in the order of their value"
                )


_CHECKS: Final = (
    *(_check_names, _check_references, _check_money, _check_percentages, _check_phases, _check_trains),
    *(_check_colours, *MAP_CHECKS, _check_market, _check_auction),
)
