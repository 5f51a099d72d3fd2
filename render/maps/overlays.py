"""Overlays of a map's hexes: highlights of new tiles and tokens, and routes."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from engine import Coord, topology
from engine.views import HexView, MapView, RunView
from render.hexes.hex_art import WHOLE_HEX, HighlightedSide, Overlay
from render.hexes.hex_geometry import NEIGHBOUR_STEPS, Layout
from render.hexes.route_art import RouteSegment, RouteStart, StopRing


@dataclass(frozen=True, slots=True)
class OffMapPosition:
    """An empty position next to the map.

    `sides` are its sides toward hexes of the map; `highlighted_sides` are those toward a newly laid tile.
    """

    x: int
    y: int
    sides: tuple[int, ...]
    highlighted_sides: tuple[int, ...]


def overlays(view: MapView, is_close_up: bool) -> dict[Coord, Overlay]:
    """The overlay of each hex, by coordinate."""
    segments_by_hex, rings_by_hex, route_starts_by_hex = _route_art(view.runs)
    coords_named_elsewhere = hexes_named_elsewhere(view.layout, view.hexes)
    highlighted_sides = _highlighted_sides(view)
    new_slots_by_hex: dict[Coord, list[tuple[int, int]]] = defaultdict(list)
    for coord, stop, slot in view.fresh_tokens:
        new_slots_by_hex[coord].append((stop, slot))
    overlay_by_hex = {}
    for hex_view in view.hexes:
        coord = hex_view.coord
        has_value_row = bool(hex_view.stops) and any(len(stop.revenue) > 1 for stop in hex_view.stops)
        overlay = _plain_overlay(
            highlighted_sides.get((hex_view.x, hex_view.y), ()),
            coord in coords_named_elsewhere,
            is_close_up,
            view.revenue_steps if has_value_row else (),
        )
        if (
            coord in new_slots_by_hex
            or coord in segments_by_hex
            or coord in rings_by_hex
            or coord in route_starts_by_hex
        ):
            overlay = replace(
                overlay,
                new_token_slots=tuple(new_slots_by_hex.get(coord, ())),
                route_segments=tuple(segments_by_hex.get(coord, ())),
                stop_rings=tuple(rings_by_hex.get(coord, ())),
                route_starts=tuple(route_starts_by_hex.get(coord, ())),
            )
        overlay_by_hex[coord] = overlay
    return overlay_by_hex


@lru_cache(maxsize=256)
def _plain_overlay(
    highlighted_sides: tuple[HighlightedSide, ...],
    is_named_elsewhere: bool,
    is_close_up: bool,
    revenue_steps: tuple[str, ...],
) -> Overlay:
    """The overlay of a hex without new tokens or routes. It is cached, so equal overlays are the same object."""
    return Overlay(
        highlighted_sides=highlighted_sides,
        is_named_elsewhere=is_named_elsewhere,
        is_close_up=is_close_up,
        revenue_steps=revenue_steps,
    )


def off_map_positions(view: MapView) -> tuple[OffMapPosition, ...]:
    """All empty positions next to the map."""
    highlighted_sides = _highlighted_sides(view)
    positions_and_sides = _off_map_positions_and_sides(view.layout, tuple((h.x, h.y) for h in view.hexes))
    return tuple(
        OffMapPosition(x, y, sides, highlighted_sides.get((x, y), ()))
        for (x, y), sides in positions_and_sides
    )


@lru_cache(maxsize=64)
def _off_map_positions_and_sides(
    layout: Layout, hexes: tuple[tuple[int, int], ...]
) -> tuple[tuple[tuple[int, int], tuple[int, ...]], ...]:
    hex_positions = set(hexes)
    sides_by_position: dict[tuple[int, int], list[int]] = defaultdict(list)
    for x, y in hexes:
        for side, (dx, dy) in enumerate(NEIGHBOUR_STEPS[layout]):
            if (x + dx, y + dy) not in hex_positions:
                sides_by_position[(x + dx, y + dy)].append((side + 3) % 6)
    return tuple((position, tuple(sorted(sides))) for position, sides in sorted(sides_by_position.items()))


def _highlighted_sides(view: MapView) -> dict[tuple[int, int], tuple[int, ...]]:
    """Sides to highlight, by hex position: WHOLE_HEX for a newly laid hex, else the sides toward newly laid hexes."""
    position_by_coord = {h.coord: (h.x, h.y) for h in view.hexes}
    sides_by_position: dict[tuple[int, int], list[int]] = defaultdict(list)
    for coord in view.fresh_hexes:
        x, y = position_by_coord[coord]
        sides_by_position[(x, y)].append(WHOLE_HEX)
        for side, (dx, dy) in enumerate(NEIGHBOUR_STEPS[view.layout]):
            sides_by_position[(x + dx, y + dy)].append((side + 3) % 6)
    return {position: tuple(sorted(sides)) for position, sides in sides_by_position.items()}


@lru_cache(maxsize=64)
def hexes_named_elsewhere(layout: Layout, hexes: tuple[HexView, ...]) -> frozenset[Coord]:
    """Hexes that belong to an area of several hexes, and whose name and revenue another hex of the area shows."""
    hexes_by_position = {(h.x, h.y): h for h in hexes}
    grouped_coords: set[Coord] = set()
    coords_named_elsewhere: set[Coord] = set()
    for start in hexes:
        if start.joined_edges and start.coord not in grouped_coords:
            area = _joined_area(layout, hexes_by_position, start)
            grouped_coords.update(h.coord for h in area)
            labelled_hex = min(area, key=lambda h: (not h.name, h.coord))
            coords_named_elsewhere.update(h.coord for h in area if h is not labelled_hex)
    return frozenset(coords_named_elsewhere)


def _joined_area(
    layout: Layout, hexes_by_position: dict[tuple[int, int], HexView], start: HexView
) -> list[HexView]:
    hex_by_coord, unvisited_hexes = {start.coord: start}, [start]
    while unvisited_hexes:
        current_hex = unvisited_hexes.pop()
        for side in current_hex.joined_edges:
            dx, dy = NEIGHBOUR_STEPS[layout][side]
            neighbour = hexes_by_position.get((current_hex.x + dx, current_hex.y + dy))
            if neighbour is not None and neighbour.coord not in hex_by_coord:
                hex_by_coord[neighbour.coord] = neighbour
                unvisited_hexes.append(neighbour)
    return list(hex_by_coord.values())


_RouteArtByHex = tuple[
    dict[Coord, list[RouteSegment]], dict[Coord, list[StopRing]], dict[Coord, list[RouteStart]]
]


def _route_art(runs: Iterable[RunView]) -> _RouteArtByHex:
    runs = tuple(runs)
    # Parallel lines follow the direction of the first route on a piece, so they never change sides on the way.
    routes_by_piece: dict[tuple[Coord, frozenset[int]], tuple[int, int, list[int]]] = {}
    for route_index, run in enumerate(runs):
        for coord, first_end, last_end in run.pieces:
            routes_by_piece.setdefault((coord, frozenset((first_end, last_end))), (first_end, last_end, []))[
                2
            ].append(route_index)
    segments_by_hex: dict[Coord, list[RouteSegment]] = defaultdict(list)
    for (coord, _), (first_end, last_end, route_indexes) in routes_by_piece.items():
        segments_by_hex[coord].extend(
            RouteSegment(first_end, last_end, route_index, lane, len(route_indexes))
            for lane, route_index in enumerate(route_indexes)
        )
    rings_by_hex: dict[Coord, list[StopRing]] = defaultdict(list)
    route_starts_by_hex: dict[Coord, list[RouteStart]] = defaultdict(list)
    for route_index, run in enumerate(runs):
        for coord, stop, is_counted in run.stops:
            if is_counted:
                inner_ring_count = sum(ring.stop == stop for ring in rings_by_hex[coord])
                rings_by_hex[coord].append(StopRing(stop, route_index, inner_ring_count))
        route_start = _route_start(route_index, run)
        if route_start is not None:
            route_starts_by_hex[route_start[0]].append(route_start[1])
    return segments_by_hex, rings_by_hex, route_starts_by_hex


def _route_start(route_index: int, run: RunView) -> tuple[Coord, RouteStart] | None:
    if not run.stops:
        return None
    coord, stop, _ = run.stops[0]
    stop_end = topology.FIRST_STOP + stop
    for piece_coord, first_end, last_end in run.pieces:
        if piece_coord == coord and stop_end in (first_end, last_end):
            return coord, RouteStart(
                stop_end, last_end if first_end == stop_end else first_end, route_index, run.short_train_name
            )
    return None
