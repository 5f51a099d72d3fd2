"""Overlays of a map's hexes: highlights of new tiles and tokens, and routes."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from engine import Coord, topology
from engine.views import HexView, MapView, RunView
from render.hexes.hex_art import WHOLE_HEX, HighlightedSide, Overlay
from render.hexes.hex_geometry import NEIGHBOUR_STEPS, Layout
from render.hexes.route_art import RouteStart, RouteStrand, StopRing


@dataclass(frozen=True, slots=True)
class OffMapPlace:
    """An empty position next to the map.

    `sides` are its sides toward hexes of the map; `highlighted_sides` are those toward a newly laid tile.
    """

    x: int
    y: int
    sides: tuple[int, ...]
    highlighted_sides: tuple[int, ...]


def overlays(view: MapView, is_close_up: bool) -> dict[Coord, Overlay]:
    """The overlay of each hex, by coordinate."""
    strands, rings, starts = _route_art(view.runs)
    named_elsewhere = hexes_named_elsewhere(view.layout, view.hexes)
    highlighted_sides = _highlighted_sides(view)
    new_tokens: dict[Coord, list[tuple[int, int]]] = defaultdict(list)
    for coord, stop, slot in view.fresh_tokens:
        new_tokens[coord].append((stop, slot))
    overlay_by_hex = {}
    for h in view.hexes:
        coord = h.coord
        has_value_row = bool(h.stops) and any(len(stop.revenue) > 1 for stop in h.stops)
        overlay = _plain_overlay(
            highlighted_sides.get((h.x, h.y), ()),
            coord in named_elsewhere,
            is_close_up,
            view.revenue_steps if has_value_row else (),
        )
        if coord in new_tokens or coord in strands or coord in rings or coord in starts:
            overlay = replace(
                overlay,
                new_token_slots=tuple(new_tokens.get(coord, ())),
                strands=tuple(strands.get(coord, ())),
                rings=tuple(rings.get(coord, ())),
                route_starts=tuple(starts.get(coord, ())),
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


def off_map_places(view: MapView) -> tuple[OffMapPlace, ...]:
    """All empty positions next to the map."""
    highlighted_sides = _highlighted_sides(view)
    positions_and_sides = _off_map_positions_and_sides(view.layout, tuple((h.x, h.y) for h in view.hexes))
    return tuple(
        OffMapPlace(x, y, sides, highlighted_sides.get((x, y), ())) for (x, y), sides in positions_and_sides
    )


@lru_cache(maxsize=64)
def _off_map_positions_and_sides(
    layout: Layout, hexes: tuple[tuple[int, int], ...]
) -> tuple[tuple[tuple[int, int], tuple[int, ...]], ...]:
    hex_positions = set(hexes)
    sides_by_place: dict[tuple[int, int], list[int]] = defaultdict(list)
    for x, y in hexes:
        for side, (dx, dy) in enumerate(NEIGHBOUR_STEPS[layout]):
            if (x + dx, y + dy) not in hex_positions:
                sides_by_place[(x + dx, y + dy)].append((side + 3) % 6)
    return tuple((place, tuple(sorted(sides))) for place, sides in sorted(sides_by_place.items()))


def _highlighted_sides(view: MapView) -> dict[tuple[int, int], tuple[int, ...]]:
    """Sides to highlight, by hex position: WHOLE_HEX for a newly laid hex, else the sides toward newly laid hexes."""
    positions = {h.coord: (h.x, h.y) for h in view.hexes}
    sides_by_place: dict[tuple[int, int], list[int]] = defaultdict(list)
    for coord in view.fresh_hexes:
        x, y = positions[coord]
        sides_by_place[(x, y)].append(WHOLE_HEX)
        for side, (dx, dy) in enumerate(NEIGHBOUR_STEPS[view.layout]):
            sides_by_place[(x + dx, y + dy)].append((side + 3) % 6)
    return {place: tuple(sorted(sides)) for place, sides in sides_by_place.items()}


@lru_cache(maxsize=64)
def hexes_named_elsewhere(layout: Layout, hexes: tuple[HexView, ...]) -> frozenset[Coord]:
    """Hexes that belong to an area of several hexes, and whose name and revenue another hex of the area shows."""
    hexes_by_position = {(h.x, h.y): h for h in hexes}
    grouped_hexes: set[Coord] = set()
    named_elsewhere: set[Coord] = set()
    for start in hexes:
        if start.joined and start.coord not in grouped_hexes:
            area = _joined_area(layout, hexes_by_position, start)
            grouped_hexes.update(h.coord for h in area)
            labelled_hex = min(area, key=lambda h: (not h.name, h.coord))
            named_elsewhere.update(h.coord for h in area if h is not labelled_hex)
    return frozenset(named_elsewhere)


def _joined_area(
    layout: Layout, hexes_by_position: dict[tuple[int, int], HexView], start: HexView
) -> list[HexView]:
    area, unvisited = {start.coord: start}, [start]
    while unvisited:
        current_hex = unvisited.pop()
        for side in current_hex.joined:
            dx, dy = NEIGHBOUR_STEPS[layout][side]
            neighbour = hexes_by_position.get((current_hex.x + dx, current_hex.y + dy))
            if neighbour is not None and neighbour.coord not in area:
                area[neighbour.coord] = neighbour
                unvisited.append(neighbour)
    return list(area.values())


_RouteArtByHex = tuple[
    dict[Coord, list[RouteStrand]], dict[Coord, list[StopRing]], dict[Coord, list[RouteStart]]
]


def _route_art(runs: Iterable[RunView]) -> _RouteArtByHex:
    runs = tuple(runs)
    # Parallel lines follow the direction of the first route on a piece, so they never change sides on the way.
    routes_by_piece: dict[tuple[Coord, frozenset[int]], tuple[int, int, list[int]]] = {}
    for i, run in enumerate(runs):
        for coord, a, b in run.pieces:
            routes_by_piece.setdefault((coord, frozenset((a, b))), (a, b, []))[2].append(i)
    strands: dict[Coord, list[RouteStrand]] = defaultdict(list)
    for (coord, _), (a, b, routes) in routes_by_piece.items():
        strands[coord].extend(RouteStrand(a, b, i, lane, len(routes)) for lane, i in enumerate(routes))
    rings: dict[Coord, list[StopRing]] = defaultdict(list)
    starts: dict[Coord, list[RouteStart]] = defaultdict(list)
    for i, run in enumerate(runs):
        for coord, stop, counted in run.stops:
            if counted:
                inner_ring_count = sum(ring.stop == stop for ring in rings[coord])
                rings[coord].append(StopRing(stop, i, inner_ring_count))
        route_start = _route_start(i, run)
        if route_start is not None:
            starts[route_start[0]].append(route_start[1])
    return strands, rings, starts


def _route_start(i: int, run: RunView) -> tuple[Coord, RouteStart] | None:
    if not run.stops:
        return None
    coord, stop, _ = run.stops[0]
    stop_end = topology.FIRST_STOP + stop
    for piece_coord, a, b in run.pieces:
        if piece_coord == coord and stop_end in (a, b):
            return coord, RouteStart(stop_end, b if a == stop_end else a, i, run.short)
    return None
