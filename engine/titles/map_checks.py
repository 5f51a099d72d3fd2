"""Checks of a title's map, homes and tile lays against the grid, each other, and the available tiles.

Each check yields a sentence for each mistake.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from engine.board.hexes import FIXED_COLOURS, grid_position
from engine.board.map import Map
from engine.board.upgrades import is_legal_upgrade, rotations
from engine.core.errors import TitleError
from engine.core.ids import Coord, TileId
from engine.core.spec import COLOURS, HexSpec, HomeSpec, TileLayPower, TileSpec, TitleSpec
from engine.core.topology import Stop, Topology
from engine.titles.problem_sentences import repeated_names, unknown_name

_LISTED: Final = 12
"""Maximum number of fitting tiles listed in a sentence."""


def _check_hexes(spec: TitleSpec) -> Iterator[str]:
    """Check that each hex is printed once, at a place of the same grid."""
    board = spec.map
    grouped = [coord for group in board.groups for coord in group.hexes.split()]
    yield from repeated_names("map", "hex", [*board.plain, *grouped, *board.hexes])
    sides: dict[Coord, int] = {}
    for coord in dict.fromkeys(
        [*board.all_hexes, *(end for border in board.river for end in border.split("-"))]
    ):
        try:
            sides[coord] = sum(grid_position(coord, board.layout, board.letters)) % 2
        except TitleError as error:
            yield f"map: {error}"
    usual = Counter(sides.values()).most_common(1)[0][0] if sides else 0
    for coord, side in sides.items():
        if side != usual:
            numbers = "even" if usual else "odd"
            yield f"map: {coord} does not fit the grid of the other hexes; with the letter A, numbers must be {numbers}"
    costs = [
        (f"map.border_costs.{cost}", border)
        for cost, borders in board.border_costs.items()
        for border in borders
    ]
    for key, border in [*(("map.river", border) for border in board.river), *costs]:
        for coord in border.split("-"):
            if coord not in board.all_hexes:
                yield unknown_name(key, "hex", coord, list(board.all_hexes))
    for coord, printed in board.hexes.items():
        for key in ("joined", "impassable"):
            if strange := [edge for edge in getattr(printed, key) if not 0 <= edge <= 5]:
                yield f"map.hexes.{coord}.{key}: {', '.join(map(str, strange))} is not an edge; edges are 0 to 5"


def _check_track(spec: TitleSpec) -> Iterator[str]:
    """Check that stops and track can be read, and that each stop has one value or one for each column."""
    printed: dict[str, HexSpec | TileSpec] = {
        f"map.hexes.{coord}": printed_track for coord, printed_track in spec.map.hexes.items()
    }
    printed |= {f"tiles.{number}": tile for number, tile in spec.tiles.items()}
    for key, printed_track in printed.items():
        try:
            topology = printed_track.topology
        except TitleError as error:
            yield f"{key}: {error}"
            continue
        columns = len(spec.revenue_steps)
        for stop in topology.stops:
            if len(stop.revenue) not in (1, columns):
                yield (
                    f"{key}.stops: {len(stop.revenue)} values; give 1, or {columns} for "
                    f"{', '.join(spec.revenue_steps)}"
                )
        if (
            isinstance(printed_track, HexSpec)
            and printed_track.opens
            and len(printed_track.opens) != _slots(topology)
        ):
            yield (
                f"{key}.opens: {len(printed_track.opens)} phases for {_slots(topology)} "
                "slots; give one phase for each slot"
            )


def _slots(topology: Topology) -> int:
    return topology.stops[0].slots if topology.stops else 0


def _check_labels(spec: TitleSpec) -> Iterator[str]:
    """Check that for each labelled hex that takes tiles, there are tiles with the label."""
    on_tiles = {tile.label for tile in spec.tiles.values()} - {""}
    for coord, printed in spec.map.hexes.items():
        if printed.label not in {"", *on_tiles} and printed.colour not in FIXED_COLOURS:
            yield unknown_name(
                f"map.hexes.{coord}.label", "tile with the label", printed.label, sorted(on_tiles)
            )


def _check_homes(spec: TitleSpec) -> Iterator[str]:
    """Check that homes are in cities, and that there are several cities if one is chosen."""
    for name, company in spec.companies.items():
        if company.home is None or (printed := spec.map.all_hexes.get(company.home.hex)) is None:
            continue
        cities = [number for number, stop in enumerate(_printed_stops(printed)) if stop.kind == "city"]
        if company.home.stop not in cities:
            where = f"its cities are stops {', '.join(map(str, cities))}" if cities else "the hex has no city"
            yield f"companies.{name}.home: stop {company.home.stop} of {company.home.hex} is not a city; {where}"
        elif company.home.chosen and len(cities) == 1:
            yield f"companies.{name}.home.chosen: {company.home.hex} has only one city, so there is nothing to choose"


def _check_spaces_of_homes(spec: TitleSpec) -> Iterator[str]:
    """Check that each home has its own token space."""
    homes_by_hex: defaultdict[Coord, list[tuple[str, HomeSpec]]] = defaultdict(list)
    for name, company in spec.companies.items():
        for home in (company.home, *company.more_homes):
            if home is not None and home.hex in spec.map.all_hexes:
                homes_by_hex[home.hex].append((name, home))
    for coord, homes in homes_by_hex.items():
        cities = [stop.slots for stop in _printed_stops(spec.map.all_hexes[coord])]
        in_city = Counter(home.stop for _, home in homes if not home.chosen)
        overfull = any(in_city[stop] > spaces > 0 for stop, spaces in enumerate(cities))
        if overfull or len(homes) > sum(cities) > 0:
            names = ", ".join(name for name, _ in homes)
            spaces = ", ".join(f"stop {stop} has {count}" for stop, count in enumerate(cities))
            yield (
                f"companies.{homes[-1][0]}.home: {coord} is the home of {names}, which "
                f"need more token slots than it has: {spaces}"
            )


def _printed_stops(printed: HexSpec) -> Sequence[Stop]:
    try:
        return printed.topology.stops
    except TitleError:
        return ()


def _check_lays(spec: TitleSpec) -> Iterator[str]:
    """Check that the tiles of privates are laid in hexes that take tiles."""
    for name, private in spec.privates.items():
        for number, power in enumerate(private.powers, 1):
            if not isinstance(power, TileLayPower):
                continue
            for key, given in (("hexes", power.hexes), ("tiles", power.tiles)):
                if not given:
                    yield f"privates.{name}.powers.{number}.{key} is empty; list at least one"
            for coord in power.hexes:
                printed = spec.map.all_hexes.get(coord)
                if printed is not None and printed.colour in FIXED_COLOURS:
                    where = f"privates.{name}.powers.{number}.hexes"
                    yield f"{where}: {coord} is {printed.colour}; no tile can be laid there"


MAP_CHECKS: Final = (
    _check_hexes,
    _check_track,
    _check_labels,
    _check_homes,
    _check_spaces_of_homes,
    _check_lays,
)


def unfitting_tiles(spec: TitleSpec) -> Iterator[str]:
    """A sentence for each tile of a private that fits none of its hexes, and for each hex that none of its tiles fits.

    The data must have passed the other checks.
    """
    board = Map(spec)
    for name, private in spec.privates.items():
        for number, power in enumerate(private.powers, 1):
            if isinstance(power, TileLayPower):
                for key, problem in _unfitting(board, power):
                    yield f"privates.{name}.powers.{number}.{key}: {problem}"


def _unfitting(board: Map, power: TileLayPower) -> Iterator[tuple[str, str]]:
    fitting = {
        coord: [tile for tile in board.spec.tiles if _may_lie_in_hex(board, coord, tile)]
        for coord in power.hexes
    }
    for tile in power.tiles:
        if not any(tile in tiles for tiles in fitting.values()):
            possible = list(dict.fromkeys(one for tiles in fitting.values() for one in tiles))
            yield (
                "tiles",
                f"{tile} does not fit {', '.join(power.hexes)}; tiles that fit: {_shortened_list(possible)}",
            )
    if len(power.hexes) > 1:
        for coord, tiles in fitting.items():
            if not set(tiles) & set(power.tiles):
                yield (
                    "hexes",
                    f"{coord} takes none of the tiles {', '.join(power.tiles)}; tiles "
                    f"that fit: {_shortened_list(tiles)}",
                )


def _shortened_list(tiles: Sequence[TileId]) -> str:
    return ", ".join(tiles[:_LISTED]) + ", ..." * (len(tiles) > _LISTED) if tiles else "none"


def _may_lie_in_hex(board: Map, coord: Coord, tile: TileId) -> bool:
    """True if the tile can be in the hex at some time in a game."""
    new = board.spec.tiles[tile]
    if COLOURS.index(new.colour) <= COLOURS.index(board.hexes[coord].colour):
        return False
    return (new.by_power_only or is_legal_upgrade(board, coord, tile)) and bool(rotations(board, coord, tile))
