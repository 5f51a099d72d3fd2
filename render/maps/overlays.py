"""Overlays of a map: the last move, routes, and the label of a joined area."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from engine import Coord, topology
from engine.views import HexView, MapView, RunView
from render.hexes.hex_art import SELF, Lit, Overlay
from render.hexes.hex_geometry import NEIGHBOURS, Layout
from render.hexes.route_art import Ring, RouteStart, Strand


@dataclass(frozen=True, slots=True)
class EmptyPlace:
    """A place beside the map: its sides that border hexes, and those that border new tiles."""

    x: int
    y: int
    sides: tuple[int, ...]
    lit: tuple[int, ...]


def overlays(view: MapView, large: bool) -> dict[Coord, Overlay]:
    """The overlay of every hex."""
    strands, rings, starts = _runs(view.runs)
    quiet = quiet_hexes(view.layout, view.hexes)
    lit = _lit(view)
    fresh: dict[Coord, list[tuple[int, int]]] = defaultdict(list)
    for coord, stop, slot in view.fresh_tokens:
        fresh[coord].append((stop, slot))
    overlays = {}
    for h in view.hexes:
        coord = h.coord
        several = bool(h.stops) and any(len(stop.revenue) > 1 for stop in h.stops)
        over = _plain(lit.get((h.x, h.y), ()), coord in quiet, large, view.revenue_steps if several else ())
        if coord in fresh or coord in strands or coord in rings or coord in starts:
            over = replace(
                over,
                fresh_slots=tuple(fresh.get(coord, ())),
                strands=tuple(strands.get(coord, ())),
                rings=tuple(rings.get(coord, ())),
                starts=tuple(starts.get(coord, ())),
            )
        overlays[coord] = over
    return overlays


@lru_cache(maxsize=256)
def _plain(lit: tuple[Lit, ...], quiet: bool, large: bool, steps: tuple[str, ...]) -> Overlay:
    """The overlay of a hex without new tokens and routes; cached."""
    return Overlay(lit=lit, quiet=quiet, large=large, steps=steps)


def voids(view: MapView) -> tuple[EmptyPlace, ...]:
    """All places beside the map that border a hex of it."""
    lit = _lit(view)
    beside = _places_beside(view.layout, tuple((h.x, h.y) for h in view.hexes))
    return tuple(EmptyPlace(x, y, sides, lit.get((x, y), ())) for (x, y), sides in beside)


@lru_cache(maxsize=64)
def _places_beside(
    layout: Layout, hexes: tuple[tuple[int, int], ...]
) -> tuple[tuple[tuple[int, int], tuple[int, ...]], ...]:
    there = set(hexes)
    pairs: dict[tuple[int, int], list[int]] = defaultdict(list)
    for x, y in hexes:
        for side, (dx, dy) in enumerate(NEIGHBOURS[layout]):
            if (x + dx, y + dy) not in there:
                pairs[(x + dx, y + dy)].append((side + 3) % 6)
    return tuple((place, tuple(sorted(sides))) for place, sides in sorted(pairs.items()))


def _lit(view: MapView) -> dict[tuple[int, int], tuple[int, ...]]:
    """Highlights by place: SELF for a hex laid last turn, and the sides of such neighbours."""
    at = {h.coord: (h.x, h.y) for h in view.hexes}
    lit: dict[tuple[int, int], list[int]] = defaultdict(list)
    for coord in view.fresh_hexes:
        x, y = at[coord]
        lit[(x, y)].append(SELF)
        for side, (dx, dy) in enumerate(NEIGHBOURS[view.layout]):
            lit[(x + dx, y + dy)].append((side + 3) % 6)
    return {place: tuple(sorted(sides)) for place, sides in lit.items()}


@lru_cache(maxsize=64)
def quiet_hexes(layout: Layout, hexes: tuple[HexView, ...]) -> frozenset[Coord]:
    """Hexes whose name and values are shown in another hex of their joined area."""
    at = {(h.x, h.y): h for h in hexes}
    seen: set[Coord] = set()
    quiet: set[Coord] = set()
    for start in hexes:
        if start.joined and start.coord not in seen:
            area = _area(layout, at, start)
            seen.update(h.coord for h in area)
            speaker = min(area, key=lambda h: (not h.name, h.coord))
            quiet.update(h.coord for h in area if h is not speaker)
    return frozenset(quiet)


def _area(layout: Layout, at: dict[tuple[int, int], HexView], start: HexView) -> list[HexView]:
    area, todo = {start.coord: start}, [start]
    while todo:
        here = todo.pop()
        for side in here.joined:
            dx, dy = NEIGHBOURS[layout][side]
            there = at.get((here.x + dx, here.y + dy))
            if there is not None and there.coord not in area:
                area[there.coord] = there
                todo.append(there)
    return list(area.values())


_ByHex = tuple[dict[Coord, list[Strand]], dict[Coord, list[Ring]], dict[Coord, list[RouteStart]]]


def _runs(runs: Iterable[RunView]) -> _ByHex:
    runs = tuple(runs)
    # Parallel lines follow the direction of the first route on a piece, so they never change sides on the way.
    users: dict[tuple[Coord, frozenset[int]], tuple[int, int, list[int]]] = {}
    for i, run in enumerate(runs):
        for coord, a, b in run.pieces:
            users.setdefault((coord, frozenset((a, b))), (a, b, []))[2].append(i)
    strands: dict[Coord, list[Strand]] = defaultdict(list)
    for (coord, _), (a, b, routes) in users.items():
        strands[coord].extend(Strand(a, b, i, lane, len(routes)) for lane, i in enumerate(routes))
    rings: dict[Coord, list[Ring]] = defaultdict(list)
    starts: dict[Coord, list[RouteStart]] = defaultdict(list)
    for i, run in enumerate(runs):
        for coord, stop, counted in run.stops:
            if counted:
                depth = sum(ring.stop == stop for ring in rings[coord])
                rings[coord].append(Ring(stop, i, depth))
        start = _route_start(i, run)
        if start is not None:
            starts[start[0]].append(start[1])
    return strands, rings, starts


def _route_start(i: int, run: RunView) -> tuple[Coord, RouteStart] | None:
    if not run.stops:
        return None
    coord, stop, _ = run.stops[0]
    mine = topology.FIRST_STOP + stop
    for where, a, b in run.pieces:
        if where == coord and mine in (a, b):
            return coord, RouteStart(mine, b if a == mine else a, i, run.short)
    return None
