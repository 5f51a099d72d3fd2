"""Checks of a title's map data: hexes, track, labels, home cities, and the tiles that privates can lay.

A check yields one sentence for each mistake that it finds.
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
from engine.titles.name_errors import repeated_name_errors, unknown_name_error

_MAX_LISTED_TILES: Final = 12


def _check_hexes(spec: TitleSpec) -> Iterator[str]:
    board = spec.map
    hexes_in_groups = [coord for group in board.groups for coord in group.hexes.split()]
    yield from repeated_name_errors("map", "hex", [*board.plain_hexes, *hexes_in_groups, *board.hexes])
    parity_by_hex: dict[Coord, int] = {}
    for coord in dict.fromkeys(
        [*board.all_hexes, *(end for border in board.river for end in border.split("-"))]
    ):
        try:
            parity_by_hex[coord] = sum(grid_position(coord, board.layout, board.letters)) % 2
        except TitleError as error:
            yield f"map: {error}"
    usual_parity = Counter(parity_by_hex.values()).most_common(1)[0][0] if parity_by_hex else 0
    for coord, parity in parity_by_hex.items():
        if parity != usual_parity:
            parity_word = "even" if usual_parity else "odd"
            yield (
                f"map: {coord} does not fit the grid of the other hexes; "
                f"with the letter A, numbers must be {parity_word}"
            )
    borders_with_costs = [
        (f"map.border_costs.{cost}", border)
        for cost, borders in board.border_costs.items()
        for border in borders
    ]
    for key, border in [*(("map.river", border) for border in board.river), *borders_with_costs]:
        for coord in border.split("-"):
            if coord not in board.all_hexes:
                yield unknown_name_error(key, "hex", coord, list(board.all_hexes))
    for coord, printed_hex in board.hexes.items():
        for key in ("borderless_edges", "impassable"):
            if wrong_edges := [edge for edge in getattr(printed_hex, key) if not 0 <= edge <= 5]:
                yield f"map.hexes.{coord}.{key}: {', '.join(map(str, wrong_edges))} is not an edge; edges are 0 to 5"


def _check_track(spec: TitleSpec) -> Iterator[str]:
    """Check that stops and track can be parsed. A stop must have one revenue, or one for each phase column."""
    printed_track_by_key: dict[str, HexSpec | TileSpec] = {
        f"map.hexes.{coord}": printed_track for coord, printed_track in spec.map.hexes.items()
    }
    printed_track_by_key |= {f"tiles.{number}": tile for number, tile in spec.tiles.items()}
    for key, printed_track in printed_track_by_key.items():
        try:
            topology = printed_track.topology
        except TitleError as error:
            yield f"{key}: {error}"
            continue
        column_count = len(spec.revenue_steps)
        for stop in topology.stops:
            if len(stop.revenue) not in (1, column_count):
                yield (
                    f"{key}.stops: {len(stop.revenue)} values; give 1, or {column_count} for "
                    f"{', '.join(spec.revenue_steps)}"
                )
        if (
            isinstance(printed_track, HexSpec)
            and printed_track.opens
            and len(printed_track.opens) != _slot_count(topology)
        ):
            yield (
                f"{key}.opens: {len(printed_track.opens)} phases for {_slot_count(topology)} "
                "slots; give one phase for each slot"
            )


def _slot_count(topology: Topology) -> int:
    return topology.stops[0].slots if topology.stops else 0


def _check_labels(spec: TitleSpec) -> Iterator[str]:
    labels_on_tiles = {tile.label for tile in spec.tiles.values()} - {""}
    for coord, printed_hex in spec.map.hexes.items():
        if printed_hex.label not in {"", *labels_on_tiles} and printed_hex.colour not in FIXED_COLOURS:
            yield unknown_name_error(
                f"map.hexes.{coord}.label", "tile with the label", printed_hex.label, sorted(labels_on_tiles)
            )


def _check_homes(spec: TitleSpec) -> Iterator[str]:
    """Check that every home is a city. A company that chooses its home city must have at least two to choose from."""
    for name, company in spec.companies.items():
        if company.home is None or (printed_hex := spec.map.all_hexes.get(company.home.hex)) is None:
            continue
        city_numbers = [
            number for number, stop in enumerate(_printed_stops(printed_hex)) if stop.kind == "city"
        ]
        if company.home.stop not in city_numbers:
            city_hint = (
                f"its cities are stops {', '.join(map(str, city_numbers))}"
                if city_numbers
                else "the hex has no city"
            )
            yield f"companies.{name}.home: stop {company.home.stop} of {company.home.hex} is not a city; {city_hint}"
        elif company.home.chooses_city and len(city_numbers) == 1:
            yield (
                f"companies.{name}.home.chooses_city: {company.home.hex} has only one city, "
                "so there is nothing to choose"
            )


def _check_slots_for_homes(spec: TitleSpec) -> Iterator[str]:
    homes_by_hex: defaultdict[Coord, list[tuple[str, HomeSpec]]] = defaultdict(list)
    for name, company in spec.companies.items():
        for home in (company.home, *company.more_homes):
            if home is not None and home.hex in spec.map.all_hexes:
                homes_by_hex[home.hex].append((name, home))
    for coord, homes in homes_by_hex.items():
        slot_counts = [stop.slots for stop in _printed_stops(spec.map.all_hexes[coord])]
        home_count_by_stop = Counter(home.stop for _, home in homes if not home.chooses_city)
        is_overfull = any(home_count_by_stop[stop] > spaces > 0 for stop, spaces in enumerate(slot_counts))
        if is_overfull or len(homes) > sum(slot_counts) > 0:
            names = ", ".join(name for name, _ in homes)
            spaces = ", ".join(f"stop {stop} has {count}" for stop, count in enumerate(slot_counts))
            yield (
                f"companies.{homes[-1][0]}.home: {coord} is the home of {names}, which "
                f"need more token slots than it has: {spaces}"
            )


def _printed_stops(printed_hex: HexSpec) -> Sequence[Stop]:
    try:
        return printed_hex.topology.stops
    except TitleError:
        return ()


def _check_lays(spec: TitleSpec) -> Iterator[str]:
    for name, private in spec.privates.items():
        for number, power in enumerate(private.powers, 1):
            if not isinstance(power, TileLayPower):
                continue
            for key, listed_values in (("hexes", power.hexes), ("tiles", power.tiles)):
                if not listed_values:
                    yield f"privates.{name}.powers.{number}.{key} is empty; list at least one"
            for coord in power.hexes:
                printed_hex = spec.map.all_hexes.get(coord)
                if printed_hex is not None and printed_hex.colour in FIXED_COLOURS:
                    hexes_key = f"privates.{name}.powers.{number}.hexes"
                    yield f"{hexes_key}: {coord} is {printed_hex.colour}; no tile can be laid there"


MAP_CHECKS: Final = (
    _check_hexes,
    _check_track,
    _check_labels,
    _check_homes,
    _check_slots_for_homes,
    _check_lays,
)


def private_tile_errors(spec: TitleSpec) -> Iterator[str]:
    """Errors in the lists of tiles and hexes of tile-laying privates.

    Each listed tile must fit one of the private's hexes, and each hex must take one of its tiles. Call this only
    for data that has passed all other checks.
    """
    board = Map(spec)
    for name, private in spec.privates.items():
        for number, power in enumerate(private.powers, 1):
            if isinstance(power, TileLayPower):
                for key, problem in _private_tile_mistakes(board, power):
                    yield f"privates.{name}.powers.{number}.{key}: {problem}"


def _private_tile_mistakes(board: Map, power: TileLayPower) -> Iterator[tuple[str, str]]:
    fitting_tiles_by_hex = {
        coord: [tile for tile in board.spec.tiles if _may_lie_in_hex(board, coord, tile)]
        for coord in power.hexes
    }
    for tile in power.tiles:
        if not any(tile in tiles for tiles in fitting_tiles_by_hex.values()):
            fitting_tiles = list(
                dict.fromkeys(
                    fitting_tile for tiles in fitting_tiles_by_hex.values() for fitting_tile in tiles
                )
            )
            yield (
                "tiles",
                f"{tile} does not fit {', '.join(power.hexes)}; tiles that fit: {_shortened_list(fitting_tiles)}",
            )
    if len(power.hexes) > 1:
        for coord, tiles in fitting_tiles_by_hex.items():
            if not set(tiles) & set(power.tiles):
                yield (
                    "hexes",
                    f"{coord} takes none of the tiles {', '.join(power.tiles)}; tiles "
                    f"that fit: {_shortened_list(tiles)}",
                )


def _shortened_list(tiles: Sequence[TileId]) -> str:
    return (
        ", ".join(tiles[:_MAX_LISTED_TILES]) + ", ..." * (len(tiles) > _MAX_LISTED_TILES) if tiles else "none"
    )


def _may_lie_in_hex(board: Map, coord: Coord, tile: TileId) -> bool:
    new_tile = board.spec.tiles[tile]
    if COLOURS.index(new_tile.colour) <= COLOURS.index(board.hexes[coord].colour):
        return False
    return (new_tile.by_power_only or is_legal_upgrade(board, coord, tile)) and bool(
        rotations(board, coord, tile)
    )
