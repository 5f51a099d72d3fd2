"""Places for a hex's labels: coordinate and number, then the others with least overlap."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Final, Literal, NamedTuple, TypeAlias

from engine import topology
from engine.views import HexView, MarkView
from render.draw_cache import PLAN, cached_drawing, spend
from render.font_metrics import text_width
from render.hexes import labels, mark_art
from render.hexes.hex_geometry import (
    APOTHEM,
    Layout,
    Pieces,
    StopPlace,
    corner,
    line_of,
    side_middle,
    stacked,
    stop_places,
)
from render.hexes.label_slots import (
    Blob,
    LabelSlot,
    LabelSlots,
    Obstacles,
    Placement,
    best_slot,
    box_blobs,
    corner_slots,
    line_blobs,
    slot_over_track,
    slot_within,
)
from render.hexes.stop_art import city_blobs, town_blobs
from render.scene import Point

TRACK_REACH, RIVER_REACH = 0.085, 0.08
_MARK_LIMIT: Final = 0.08
"""Overlap and other costs a mark may have."""
_MARK_MISSED: Final = 0.09
"""Weight of each missing mark among the overlaps of a hex: a name gives way to it."""
_NAME_MISSED: Final = 0.07
"""Weight of a name without a plate among the overlaps of a hex."""
_MARKED_NAME_MISSED: Final = 0.25
"""The same on a hex without a tile, where marks could do with less room."""
_SMALL_ROW: Final = 0.72
"""Scale of a row of values that shares its hex with a city or with track."""
_GOOD: Final = 0.02
"""Overlap that nobody sees."""

_Part: TypeAlias = Literal["revenue", "label", "cost", "chip", "marks", "name"]


class _Stop(NamedTuple):
    """A stop's values and number of token spaces."""

    kind: topology.StopKind
    revenue: tuple[int, ...]
    current: int
    slots: int


class _Labelled(NamedTuple):
    """Everything that decides the places of a hex's labels; equal hexes share one plan."""

    layout: Layout
    pieces: Pieces
    stops: tuple[_Stop, ...]
    tile: bool
    pips: bool
    label: str
    name: str
    cost: int
    signs: int
    blocked_by: str | None
    river: tuple[int, ...]
    terminal: bool
    marks: tuple[MarkView, ...]
    quiet: bool


@dataclass(frozen=True, slots=True)
class _Order:
    """The order in which labels are placed; `single`: one disc for equal values, `aside`: values in a corner."""

    parts: tuple[_Part, ...]
    single: bool
    aside: bool = False


_NAME_FIRST: Final[tuple[_Part, ...]] = ("name", "revenue", "label", "cost", "chip", "marks")
_NAME_LAST: Final[tuple[_Part, ...]] = ("revenue", "label", "cost", "chip", "marks", "name")
_ORDERS: Final = (
    _Order(_NAME_LAST, single=False),
    _Order(_NAME_FIRST, single=False),
    _Order(("revenue", "label", "cost", "chip", "name", "marks"), single=False),
    _Order(_NAME_FIRST, single=False, aside=True),
    _Order(_NAME_LAST, single=True),
    _Order(_NAME_FIRST, single=True),
)


def label_plan(layout: Layout, view: HexView, quiet: bool = False) -> labels.LabelPlan:
    """Places for everything written on a hex; `quiet`: another hex of its area shows name and values."""
    stops = tuple([_Stop(stop.kind, stop.revenue, stop.current, len(stop.slots)) for stop in view.stops])
    return _plan(
        _Labelled(
            layout,
            view.pieces,
            stops,
            view.tile is not None,
            view.colour in ("yellow", "gray"),
            view.label,
            view.name,
            view.cost,
            len(view.terrain),
            view.blocked_by,
            view.river,
            view.terminal,
            view.marks,
            quiet,
        )
    )


@lru_cache(maxsize=2048)
@cached_drawing
def _plan(view: _Labelled) -> labels.LabelPlan:
    """The first plan that places everything well, else the least bad one."""
    spend(PLAN)
    ways: list[tuple[_Placer, labels.LabelPlan]] = []
    fresh = _Placer(view)
    for order in fresh.orders():
        placer = fresh.copy()
        ways.append((placer, _plan_in_order(placer, order)))
        if placer.worst_cost <= _GOOD:
            break
    ways.sort(key=lambda way: round(way[0].worst_cost, 2))
    if view.quiet:
        return ways[0][1]
    whole = (
        made for made in (_completed(placer, made) for placer, made in ways) if made.name or not view.name
    )
    return next(whole, ways[0][1])


def _completed(placer: "_Placer", made: labels.LabelPlan) -> labels.LabelPlan:
    """The plan with labels that found no place put over track: the name without a plate, and marks."""
    if placer.view.name and made.name is None:
        made = replace(made, name=placer.bare_name())
    if len(made.marks) < len(placer.view.marks):
        made = replace(made, marks=placer.more_marks(made.marks))
    return made


def _plan_in_order(placer: "_Placer", order: _Order) -> labels.LabelPlan:
    view = placer.view
    row = None if view.quiet else placer.row(order.aside)
    made = labels.LabelPlan(placer.spots, placer.ground.coordinate, placer.ground.number, row=row)
    for part in order.parts:
        if part == "revenue":
            made = replace(made, revenues=placer.revenues(order.single))
        elif part == "label" and view.label:
            made = replace(made, label=placer.place_word(view.label))
        elif part == "cost":
            cost, look = placer.cost()
            made = replace(made, cost=cost, cost_look=look)
        elif part == "chip" and view.blocked_by:
            made = replace(made, chip=placer.chip(view.blocked_by))
        elif part == "marks":
            made = replace(made, marks=placer.marks())
        elif part == "name":
            made = replace(made, name=placer.name())
    return made


@lru_cache(maxsize=2)
def _mark_slots(layout: Layout) -> LabelSlots:
    across, down = range(-5, 6), (-6, -5, -4, -3, 3, 4, 5, 6)
    return LabelSlots(
        [*corner_slots(layout).cheapest, *(LabelSlot(x / 8, y / 8, 0.06) for y in down for x in across)]
    )


@lru_cache(maxsize=2)
def _chip_slots(layout: Layout) -> LabelSlots:
    middle = (LabelSlot(0.0, y, abs(y) / 10) for y in (0.0, -0.45, 0.45, -0.6, 0.6))
    return LabelSlots([*middle, *corner_slots(layout).cheapest])


@lru_cache(maxsize=8)
def _outer_slots(layout: Layout, order: tuple[int, ...], reach: float) -> LabelSlots:
    """Slots toward these corners; each corner costs more than the one before."""
    at = [corner(layout, k) for k in order]
    return LabelSlots(
        LabelSlot(x * out, y * out, 0.05 * i + abs(out - reach))
        for i, (x, y) in enumerate(at)
        for out in (reach, reach + 0.03, reach + 0.06)
    )


@dataclass(frozen=True, slots=True)
class _Ground:
    """A hex before any label; immutable."""

    spots: tuple[StopPlace, ...]
    obstacles: Obstacles
    rails: int
    """This many of the first discs taken are track."""
    coordinate: Point
    number: Point


@lru_cache(maxsize=512)
def _ground(
    layout: Layout,
    pieces: Pieces,
    stops: tuple[tuple[topology.StopKind, int], ...],
    terminal: bool,
    river: tuple[int, ...],
    numbered: bool,
) -> _Ground:
    """The ground shared by hexes with this track and these stops."""
    spots = stop_places(layout, tuple(kind for kind, _ in stops), pieces)
    if [slots for _, slots in stops] == [2, 2]:
        spots = stacked(*spots)
    track = tuple(_track(layout, spots, pieces, terminal))
    ground = [*track]
    for side in river:
        ground.extend(line_blobs([corner(layout, side - 1), corner(layout, side)], RIVER_REACH))
    for (_, slots), spot in zip(stops, spots, strict=True):
        if spot.look == "city":
            ground.extend(city_blobs(spot, max(1, slots)))
        elif spot.look != "area":
            ground.extend(town_blobs(spot))
    taken = Obstacles(ground)
    return _Ground(spots, taken, len(track), *_corners(layout, taken, numbered))


def _track(layout: Layout, spots: tuple[StopPlace, ...], pieces: Pieces, terminal: bool) -> Iterator[Blob]:
    for a, b in pieces:
        if terminal:
            x, y = side_middle(layout, min(a, b))
            tip = labels.SPIKE_TIP / APOTHEM
            yield from line_blobs([(x, y), (x * tip, y * tip)], TRACK_REACH)
        else:
            yield from line_blobs(line_of(layout, spots, a, b), TRACK_REACH)


def _corners(layout: Layout, obstacles: Obstacles, numbered: bool) -> tuple[Point, Point]:
    """Places of the coordinate, upper left or top, and of the number opposite.

    No track passes there; a city on a corner sends them to the next free one.
    """
    flat = layout == "flat"
    at = _corner(layout, obstacles, (2, 3, 4, 1) if flat else (2, 1, 3), 0.76, (0.37, 0.17))
    if not numbered:
        return at, (0.0, 0.0)
    return at, _corner(layout, obstacles, (5, 0, 4, 1) if flat else (5, 4, 0), 0.78, (0.26, 0.24))


def _corner(layout: Layout, obstacles: Obstacles, order: tuple[int, ...], reach: float, size: Point) -> Point:
    slot = best_slot(layout, _outer_slots(layout, order, reach), box_blobs(0.0, 0.0, *size), obstacles)
    obstacles.add(slot.blobs)
    return (slot.x, slot.y)


class _Placer:
    """Places labels on one hex, keeping track of occupied space."""

    def __init__(self, view: _Labelled) -> None:
        stops = tuple([(stop.kind, stop.slots) for stop in view.stops])
        numbered = view.tile or view.pips
        self.layout: Layout = view.layout
        self.view = view
        self.ground = _ground(view.layout, view.pieces, stops, view.terminal, view.river, numbered)
        self.spots = self.ground.spots
        self.obstacles = self.ground.obstacles
        self.worst_cost = 0.0

    def copy(self) -> "_Placer":
        other = copy(self)
        other.obstacles = self.obstacles.copy()
        return other

    def orders(self) -> Iterable[_Order]:
        """The orders worth trying for this hex."""
        view = self.view
        written: dict[_Part, bool] = {
            "revenue": not view.quiet,
            "label": bool(view.label),
            "cost": bool(view.cost),
            "chip": bool(view.blocked_by),
            "marks": bool(view.marks),
            "name": bool(view.name) and not view.quiet,
        }
        shared = not view.quiet and sum(len(stop.revenue) == 1 for stop in view.stops) > 1
        several = not view.quiet and any(len(stop.revenue) > 1 for stop in view.stops)
        orders = (
            _Order(
                tuple([part for part in order.parts if written[part]]),
                order.single and shared,
                order.aside and several,
            )
            for order in _ORDERS
        )
        return dict.fromkeys(orders)

    def take_slot(
        self, slots: LabelSlots, shape: tuple[Blob, ...], near_point: Point | None = None
    ) -> Placement:
        return self._take(best_slot(self.layout, slots, shape, self.obstacles, near_point))

    def _take(self, found: Placement) -> Placement:
        self.obstacles.add(found.blobs)
        self.worst_cost = max(self.worst_cost, found.overlap)
        return found

    def revenues(self, single: bool) -> tuple[labels.Label, ...]:
        """One disc per stop; a single one if all agree and there are three or more, or slots are few."""
        worth = [
            (i, s.revenue[0]) for i, s in enumerate(self.view.stops) if len(s.revenue) == 1 and s.revenue[0]
        ]
        agree = len({value for _, value in worth}) == 1
        if agree and (len(worth) >= 3 or (single and len(worth) == 2)):
            return (self._disc(None, worth[0][1]),)
        return tuple(self._disc(self.spots[i].point, value) for i, value in worth)

    def _disc(self, near_point: Point | None, value: int) -> labels.Label:
        r = 0.185 if value < 100 else 0.205
        slot = self.take_slot(corner_slots(self.layout), ((0.0, 0.0, r),), near_point)
        return labels.Label(slot.x, slot.y, str(value), r)

    def row(self, aside: bool) -> labels.ValueRow | None:
        """The row of values of a stop that has several: away from the spikes, or beside a city or track."""
        stop = next((s for s in self.view.stops if len(s.revenue) > 1), None)
        if stop is None:
            return None
        width = sum(labels.row_widths(stop.revenue, stop.current))
        if any(s.slots for s in self.view.stops) or not self.view.terminal:
            if len(stop.revenue) > labels.LONG_ROW:
                # The present value alone: letters of all that will follow would be too small to read.
                alone = labels.row_widths(stop.revenue, stop.current)[stop.current] + 0.04
                slot = self.take_slot(corner_slots(self.layout), box_blobs(0.0, 0.0, alone, 0.40))
                return labels.ValueRow(slot.x, slot.y, 1.0, alone=True)
            across = (-0.30, 0.30, -0.42, 0.42)
            middle = (0.0, -0.15, 0.15, *across)
            places = product(across if aside else middle, (0.52, -0.52, 0.56, -0.48, 0.47, -0.45))
            slots = LabelSlots(LabelSlot(x, y, abs(y) / 20 + abs(x) / 10) for x, y in places)
            slot = self.take_slot(slots, box_blobs(0.0, 0.0, width * _SMALL_ROW + 0.08, 0.30))
            return labels.ValueRow(slot.x, slot.y, _SMALL_ROW)
        middles = [side_middle(self.layout, e) for e in {min(pair) for pair in self.view.pieces}]
        mx, my = sum(x for x, _ in middles), sum(y for _, y in middles)
        length = max(0.01, (mx * mx + my * my) ** 0.5)
        room = max(0.0, 0.90 - width / 2)
        x, y = max(-room, min(room, -0.15 * mx / length)), -0.15 * my / length
        self.obstacles.add(box_blobs(x, y, width, 0.42))
        return labels.ValueRow(x, y, 1.0)

    def place_word(self, text: str) -> labels.Label:
        """A label, smaller where there is little room."""
        slots = corner_slots(self.layout)
        for size in (0.28, 0.23, 0.19):
            shape = box_blobs(0.0, 0.0, text_width(text, "black") * size + 0.06, size * 0.85)
            slot = best_slot(self.layout, slots, shape, self.obstacles)
            if slot.overlap <= _GOOD or size == 0.19:
                break
        self._take(slot)
        return labels.Label(slot.x, slot.y, text, size)

    def cost(self) -> tuple[labels.Label, Literal["stacked", "beside"]]:
        """Terrain: signs over digits, or beside them where that fits better; a cost without terrain is dollars."""
        slots, signs = corner_slots(self.layout), self.view.signs
        if not signs:
            text = f"${self.view.cost}"
            best = self.take_slot(slots, box_blobs(0.0, 0.0, text_width(text) * 0.24, 0.19))
            return labels.Label(best.x, best.y, text, 0.24), "stacked"
        text = str(self.view.cost)
        digits = text_width(text) * 0.24
        stacked = (
            *box_blobs(0.0, 0.13, digits, 0.19),
            *box_blobs(0.0, -0.12, (signs - 1) * labels.SIGN + 0.26, 0.26),
        )
        beside = (*box_blobs(0.16, 0.0, digits, 0.19), (-digits / 2 - 0.02, 0.0, 0.13))
        one = best_slot(self.layout, slots, stacked, self.obstacles)
        other = best_slot(self.layout, slots, beside, self.obstacles)
        best = one if signs > 1 or one.cost <= other.cost + 0.05 else other
        self._take(best)
        return labels.Label(best.x, best.y, text, 0.24), "stacked" if best is one else "beside"

    def chip(self, text: str) -> labels.Label:
        slot = self.take_slot(_chip_slots(self.layout), box_blobs(0.0, 0.0, labels.chip_width(text), 0.32))
        return labels.Label(slot.x, slot.y, text, 0.19)

    def marks(self) -> tuple[labels.MarkPlace, ...]:
        """Marks, all small if necessary; those that would cover something even then are left out."""
        before, worst = self.obstacles.copy(), self.worst_cost
        sizes = [mark_art.mark_sizes(mark) for mark in self.view.marks]
        made = [self._place_mark(i, possible) for i, possible in enumerate(sizes)]
        if None in made:
            self.obstacles, self.worst_cost = before, worst
            made = [self._place_mark(i, possible[-1:]) for i, possible in enumerate(sizes)]
        return tuple(mark for mark in made if mark is not None)

    def _place_mark(self, index: int, sizes: Sequence[mark_art.MarkSize]) -> labels.MarkPlace | None:
        for size in sizes:
            slot = slot_within(
                self.layout, _mark_slots(self.layout), mark_art.mark_blobs(size), self.obstacles, _MARK_LIMIT
            )
            if slot is not None:
                self._take(slot)
                return labels.MarkPlace(index, slot.x, slot.y, size)
        self.worst_cost += _MARK_MISSED
        return None

    def name(self) -> labels.NameLabel | None:
        """The name on a plate, unless it would cover something."""
        seated = labels.name_on_plate(self.layout, self.view.name, self.obstacles)
        if seated is None:
            marked = self.view.marks and not self.view.tile
            self.worst_cost = max(self.worst_cost, _MARKED_NAME_MISSED if marked else _NAME_MISSED)
        return self._with_name(seated)

    def bare_name(self) -> labels.NameLabel | None:
        """The name without a plate, over track where it must be."""
        return self._with_name(labels.bare_name(self.layout, self.view.name, *self._parted()))

    def _with_name(self, seated: labels.PlacedName | None) -> labels.NameLabel | None:
        if seated is None:
            return None
        self._take(seated.placement)
        return seated.name

    def _parted(self) -> tuple[Obstacles, Obstacles]:
        blobs, rails = self.obstacles.blobs, self.ground.rails
        return Obstacles(blobs[:rails]), Obstacles(blobs[rails:])

    def more_marks(self, seated: tuple[labels.MarkPlace, ...]) -> tuple[labels.MarkPlace, ...]:
        """The marks with missing ones added, small and over track."""
        places = list(seated)
        for i in sorted(set(range(len(self.view.marks))) - {mark.index for mark in seated}):
            size = mark_art.mark_sizes(self.view.marks[i])[-1]
            place = slot_over_track(self.layout, mark_art.mark_blobs(size), *self._parted(), 2 * _MARK_LIMIT)
            if place is not None:
                self._take(place)
                places.append(labels.MarkPlace(i, place.x, place.y, size))
        return tuple(places)
