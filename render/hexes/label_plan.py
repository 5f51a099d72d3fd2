"""Positions of the labels on a hex, chosen with the least overlap."""

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Final, Literal, NamedTuple, TypeAlias

from engine import topology
from engine.views import HexView, MarkView
from render.draw_cache import LABEL_PLAN_EFFORT, cached_drawing, spend_effort
from render.font_metrics import text_width
from render.hexes import labels, mark_art
from render.hexes.hex_geometry import (
    Layout,
    Pieces,
    side_middle,
)
from render.hexes.label_slots import (
    LabelSlot,
    LabelSlots,
    Obstacles,
    Placement,
    ShapeDisc,
    best_slot,
    box_discs,
    corner_slots,
    lowest_cost_slot,
    slot_over_track,
)
from render.hexes.unlabelled_hex import unlabelled_hex
from render.scene import Point

_MAX_MARK_COST: Final = 0.08
_MISSING_MARK_COST: Final = 0.09
_UNBOXED_NAME_COST: Final = 0.07
_UNBOXED_NAME_NEAR_MARKS_COST: Final = 0.25
_SMALL_ROW_SCALE: Final = 0.72
"""Scale of a row of revenue values in a hex that also contains a city or track."""
_INVISIBLE_OVERLAP: Final = 0.02

_LabelKind: TypeAlias = Literal["revenue", "label", "cost", "chip", "marks", "name"]


class _StopLabels(NamedTuple):
    kind: topology.StopKind
    revenue: tuple[int, ...]
    current_index: int
    slot_count: int


class _LabelledHex(NamedTuple):
    """The properties of a hex that decide where its labels go. Hexes with equal properties share one plan."""

    layout: Layout
    pieces: Pieces
    stops: tuple[_StopLabels, ...]
    has_tile: bool
    has_pips: bool
    label: str
    name: str
    cost: int
    cost_text: str
    """The terrain cost with a currency sign; empty without a cost."""
    sign_count: int
    blocked_by: str | None
    river_sides: tuple[int, ...]
    side_costs: tuple[tuple[int, int], ...]
    is_terminal: bool
    marks: tuple[MarkView, ...]
    is_named_elsewhere: bool


@dataclass(frozen=True, slots=True)
class _PlacingOrder:
    """An order in which kinds of labels are placed on a hex, with two options.

    With `may_share_disc`, two stops with equal values share one value disc. With `has_corner_values`, a row of revenue
    values is placed in a corner.
    """

    label_kinds: tuple[_LabelKind, ...]
    may_share_disc: bool
    has_corner_values: bool = False


_NAME_FIRST: Final[tuple[_LabelKind, ...]] = ("name", "revenue", "label", "cost", "chip", "marks")
_NAME_LAST: Final[tuple[_LabelKind, ...]] = ("revenue", "label", "cost", "chip", "marks", "name")
_PLACING_ORDERS: Final = (
    _PlacingOrder(_NAME_LAST, may_share_disc=False),
    _PlacingOrder(_NAME_FIRST, may_share_disc=False),
    _PlacingOrder(("revenue", "label", "cost", "chip", "name", "marks"), may_share_disc=False),
    _PlacingOrder(_NAME_FIRST, may_share_disc=False, has_corner_values=True),
    _PlacingOrder(_NAME_LAST, may_share_disc=True),
    _PlacingOrder(_NAME_FIRST, may_share_disc=True),
)


def label_plan(layout: Layout, view: HexView, is_named_elsewhere: bool = False) -> labels.LabelPlan:
    """Positions of all labels on a hex; with `is_named_elsewhere`, the name and values are left out."""
    stops = tuple(
        [_StopLabels(stop.kind, stop.revenue, stop.revenue_index, len(stop.slots)) for stop in view.stops]
    )
    return _plan_labels(
        _LabelledHex(
            layout,
            view.pieces,
            stops,
            view.tile is not None,
            view.colour in ("yellow", "green", "brown", "gray"),
            view.label,
            view.name,
            view.cost,
            view.money(view.cost) if view.cost else "",
            len(view.terrain),
            view.blocked_by,
            view.river_edges,
            view.border_costs,
            view.is_terminal,
            view.marks,
            is_named_elsewhere,
        )
    )


@lru_cache(maxsize=2048)
@cached_drawing
def _plan_labels(view: _LabelledHex) -> labels.LabelPlan:
    """The first plan without a visible overlap; if no plan is free of overlap, the plan with the lowest cost."""
    spend_effort(LABEL_PLAN_EFFORT)
    tried_plans: list[tuple[_LabelPlacer, labels.LabelPlan]] = []
    empty_placer = _LabelPlacer(view)
    for order in empty_placer.placing_orders_to_try():
        placer = empty_placer.copy()
        tried_plans.append((placer, _plan_in_order(placer, order)))
        if placer.worst_cost <= _INVISIBLE_OVERLAP:
            break
    tried_plans.sort(key=lambda tried: round(tried[0].worst_cost, 2))
    if view.is_named_elsewhere:
        return tried_plans[0][1]
    complete_plans = (
        plan
        for plan in (_completed_plan(placer, plan) for placer, plan in tried_plans)
        if plan.name or not view.name
    )
    return next(complete_plans, tried_plans[0][1])


def _completed_plan(placer: "_LabelPlacer", plan: labels.LabelPlan) -> labels.LabelPlan:
    if placer.view.name and plan.name is None:
        plan = replace(plan, name=placer.place_unboxed_name())
    if len(plan.marks) < len(placer.view.marks):
        plan = replace(plan, marks=placer.place_marks_over_track(plan.marks))
    return plan


def _plan_in_order(placer: "_LabelPlacer", order: _PlacingOrder) -> labels.LabelPlan:
    view = placer.view
    value_row = None if view.is_named_elsewhere else placer.place_value_row(order.has_corner_values)
    plan = labels.LabelPlan(
        placer.places,
        placer.unlabelled_hex.coordinate_point,
        placer.unlabelled_hex.number_point,
        value_row=value_row,
    )
    for label_kind in order.label_kinds:
        if label_kind == "revenue":
            plan = replace(plan, revenues=placer.place_revenues(order.may_share_disc))
        elif label_kind == "label" and view.label:
            plan = replace(plan, label=placer.place_label(view.label))
        elif label_kind == "cost":
            cost_label, arrangement = placer.place_cost()
            plan = replace(plan, cost=cost_label, cost_arrangement=arrangement)
        elif label_kind == "chip" and view.blocked_by:
            plan = replace(plan, chip=placer.place_chip(view.blocked_by))
        elif label_kind == "marks":
            plan = replace(plan, marks=placer.place_marks())
        elif label_kind == "name":
            plan = replace(plan, name=placer.place_name())
    return plan


@lru_cache(maxsize=2)
def _mark_slots(layout: Layout) -> LabelSlots:
    columns, rows = range(-5, 6), (-6, -5, -4, -3, 3, 4, 5, 6)
    return LabelSlots(
        [*corner_slots(layout).sorted_slots, *(LabelSlot(x / 8, y / 8, 0.06) for y in rows for x in columns)]
    )


@lru_cache(maxsize=2)
def _chip_slots(layout: Layout) -> LabelSlots:
    middle_slots = (LabelSlot(0.0, y, abs(y) / 10) for y in (0.0, -0.45, 0.45, -0.6, 0.6))
    return LabelSlots([*middle_slots, *corner_slots(layout).sorted_slots])


class _LabelPlacer:
    """Places the labels of a hex one after another, and keeps track of the occupied space."""

    def __init__(self, view: _LabelledHex) -> None:
        stops = tuple([(stop.kind, stop.slot_count) for stop in view.stops])
        rivers_and_side_costs, has_number = (
            (view.river_sides, view.side_costs),
            view.has_tile or view.has_pips,
        )
        self.layout: Layout = view.layout
        self.view = view
        self.unlabelled_hex = unlabelled_hex(
            view.layout, view.pieces, stops, view.is_terminal, rivers_and_side_costs, has_number
        )
        self.places = self.unlabelled_hex.places
        self.obstacles = self.unlabelled_hex.obstacles
        self.worst_cost = 0.0

    def copy(self) -> "_LabelPlacer":
        copied_placer = copy(self)
        copied_placer.obstacles = self.obstacles.copy()
        return copied_placer

    def placing_orders_to_try(self) -> Iterable[_PlacingOrder]:
        view = self.view
        is_written_by_kind: dict[_LabelKind, bool] = {
            "revenue": not view.is_named_elsewhere,
            "label": bool(view.label),
            "cost": bool(view.cost),
            "chip": bool(view.blocked_by),
            "marks": bool(view.marks),
            "name": bool(view.name) and not view.is_named_elsewhere,
        }
        has_several_discs = (
            not view.is_named_elsewhere and sum(len(stop.revenue) == 1 for stop in view.stops) > 1
        )
        has_value_row = not view.is_named_elsewhere and any(len(stop.revenue) > 1 for stop in view.stops)
        orders = (
            _PlacingOrder(
                tuple([label_kind for label_kind in order.label_kinds if is_written_by_kind[label_kind]]),
                order.may_share_disc and has_several_discs,
                order.has_corner_values and has_value_row,
            )
            for order in _PLACING_ORDERS
        )
        return dict.fromkeys(orders)

    def take_slot(
        self, slots: LabelSlots, shape: tuple[ShapeDisc, ...], near_point: Point | None = None
    ) -> Placement:
        return self._occupy(best_slot(self.layout, slots, shape, self.obstacles, near_point))

    def _occupy(self, placement: Placement) -> Placement:
        self.obstacles.add(placement.discs)
        self.worst_cost = max(self.worst_cost, placement.overlap)
        return placement

    def place_revenues(self, may_share_disc: bool) -> tuple[labels.Label, ...]:
        """Place a value disc for each stop, or one disc for all stops if their values are equal.

        Two stops with equal values share a disc only if `may_share_disc` is set; three or more always share one.
        """
        stop_values = [
            (i, s.revenue[0]) for i, s in enumerate(self.view.stops) if len(s.revenue) == 1 and s.revenue[0]
        ]
        has_equal_values = len({value for _, value in stop_values}) == 1
        if has_equal_values and (len(stop_values) >= 3 or (may_share_disc and len(stop_values) == 2)):
            return (self._value_disc(None, stop_values[0][1]),)
        return tuple(self._value_disc(self.places[i].point, value) for i, value in stop_values)

    def _value_disc(self, near_point: Point | None, value: int) -> labels.Label:
        radius = 0.185 if value < 100 else 0.205
        slot = self.take_slot(corner_slots(self.layout), ((0.0, 0.0, radius),), near_point)
        return labels.Label(slot.x, slot.y, str(value), radius)

    def place_value_row(self, is_in_corner: bool) -> labels.ValueRow | None:
        """Place the row of revenue values of a stop whose revenue changes by phase; None if there is no such stop."""
        stop = next((s for s in self.view.stops if len(s.revenue) > 1), None)
        if stop is None:
            return None
        width = sum(labels.row_widths(stop.revenue, stop.current_index))
        if any(s.slot_count for s in self.view.stops) or not self.view.is_terminal:
            if len(stop.revenue) > labels.MAX_VALUES_IN_ROW:
                # The present value alone: letters of all that will follow would be too small to read.
                value_width = labels.row_widths(stop.revenue, stop.current_index)[stop.current_index] + 0.04
                slot = self.take_slot(corner_slots(self.layout), box_discs(0.0, 0.0, value_width, 0.40))
                return labels.ValueRow(slot.x, slot.y, 1.0, shows_current_only=True)
            corner_xs = (-0.30, 0.30, -0.42, 0.42)
            all_xs = (0.0, -0.15, 0.15, *corner_xs)
            slot_points = product(
                corner_xs if is_in_corner else all_xs, (0.52, -0.52, 0.56, -0.48, 0.47, -0.45)
            )
            slots = LabelSlots(LabelSlot(x, y, abs(y) / 20 + abs(x) / 10) for x, y in slot_points)
            slot = self.take_slot(slots, box_discs(0.0, 0.0, width * _SMALL_ROW_SCALE + 0.08, 0.30))
            return labels.ValueRow(slot.x, slot.y, _SMALL_ROW_SCALE)
        side_middles = [side_middle(self.layout, e) for e in {min(pair) for pair in self.view.pieces}]
        total_x, total_y = sum(x for x, _ in side_middles), sum(y for _, y in side_middles)
        length = max(0.01, (total_x * total_x + total_y * total_y) ** 0.5)
        max_shift = max(0.0, 0.90 - width / 2)
        x, y = max(-max_shift, min(max_shift, -0.15 * total_x / length)), -0.15 * total_y / length
        self.obstacles.add(box_discs(x, y, width, 0.42))
        return labels.ValueRow(x, y, 1.0)

    def place_label(self, text: str) -> labels.Label:
        """Place the tile's label, such as `B` or `NY`, smaller where there is little room."""
        return self._place_text(text, text_width(text, "black"), 0.06, (0.28, 0.23, 0.19))

    def _place_text(self, text: str, width: float, margin: float, sizes: Sequence[float]) -> labels.Label:
        for size in sizes:
            shape = box_discs(0.0, 0.0, width * size + margin, size * 0.85)
            slot = best_slot(self.layout, corner_slots(self.layout), shape, self.obstacles)
            if slot.overlap <= _INVISIBLE_OVERLAP:
                break
        self._occupy(slot)
        return labels.Label(slot.x, slot.y, text, size)

    def place_cost(self) -> tuple[labels.Label, Literal["stacked", "beside"]]:
        """Place the terrain cost, with terrain symbols above or to the left of the number.

        A cost without terrain is shown with its currency sign, as in `$40`.
        """
        slots, sign_count = corner_slots(self.layout), self.view.sign_count
        if not sign_count:
            text = self.view.cost_text
            return self._place_text(text, text_width(text), 0.0, (0.24, 0.2, 0.17)), "stacked"
        text = str(self.view.cost)
        digits_width = text_width(text) * 0.24
        stacked_shape = (
            *box_discs(0.0, 0.13, digits_width, 0.19),
            *box_discs(0.0, -0.12, (sign_count - 1) * labels.SIGN_SPACING + 0.26, 0.26),
        )
        beside_shape = (*box_discs(0.16, 0.0, digits_width, 0.19), (-digits_width / 2 - 0.02, 0.0, 0.13))
        stacked_placement = best_slot(self.layout, slots, stacked_shape, self.obstacles)
        beside_placement = best_slot(self.layout, slots, beside_shape, self.obstacles)
        best_placement = (
            stacked_placement
            if sign_count > 1 or stacked_placement.cost <= beside_placement.cost + 0.05
            else beside_placement
        )
        self._occupy(best_placement)
        return labels.Label(
            best_placement.x, best_placement.y, text, 0.24
        ), "stacked" if best_placement is stacked_placement else "beside"

    def place_chip(self, text: str) -> labels.Label:
        slot = self.take_slot(_chip_slots(self.layout), box_discs(0.0, 0.0, labels.chip_width(text), 0.32))
        return labels.Label(slot.x, slot.y, text, 0.19)

    def place_marks(self) -> tuple[labels.MarkPlace, ...]:
        """Place the marks, all in small size if room is short. Marks that still cover something are left out."""
        earlier_obstacles, earlier_cost = self.obstacles.copy(), self.worst_cost
        sizes = [mark_art.mark_sizes(mark) for mark in self.view.marks]
        places = [self._place_mark(i, mark_sizes) for i, mark_sizes in enumerate(sizes)]
        if None in places:
            self.obstacles, self.worst_cost = earlier_obstacles, earlier_cost
            places = [self._place_mark(i, mark_sizes[-1:]) for i, mark_sizes in enumerate(sizes)]
        return tuple(mark for mark in places if mark is not None)

    def _place_mark(self, index: int, sizes: Sequence[mark_art.MarkSize]) -> labels.MarkPlace | None:
        for size in sizes:
            slot = lowest_cost_slot(
                self.layout,
                _mark_slots(self.layout),
                mark_art.mark_discs(size),
                self.obstacles,
                _MAX_MARK_COST,
            )
            if slot is not None:
                self._occupy(slot)
                return labels.MarkPlace(index, slot.x, slot.y, size)
        self.worst_cost += _MISSING_MARK_COST
        return None

    def place_name(self) -> labels.NameLabel | None:
        """Place the name in a background box; return None if the box would cover something."""
        placed_name = labels.boxed_name(self.layout, self.view.name, self.obstacles)
        if placed_name is None:
            has_map_marks = self.view.marks and not self.view.has_tile
            self.worst_cost = max(
                self.worst_cost, _UNBOXED_NAME_NEAR_MARKS_COST if has_map_marks else _UNBOXED_NAME_COST
            )
        return self._occupy_name(placed_name)

    def place_unboxed_name(self) -> labels.NameLabel | None:
        """Place the name without a background box, over track if necessary; return None if there is no room."""
        return self._occupy_name(
            labels.unboxed_name(self.layout, self.view.name, *self._track_and_other_obstacles())
        )

    def _occupy_name(self, placed_name: labels.PlacedName | None) -> labels.NameLabel | None:
        if placed_name is None:
            return None
        self._occupy(placed_name.placement)
        return placed_name.name

    def _track_and_other_obstacles(self) -> tuple[Obstacles, Obstacles]:
        discs, track_disc_count = self.obstacles.discs, self.unlabelled_hex.track_disc_count
        return Obstacles(discs[:track_disc_count]), Obstacles(discs[track_disc_count:])

    def place_marks_over_track(
        self, placed_marks: tuple[labels.MarkPlace, ...]
    ) -> tuple[labels.MarkPlace, ...]:
        places = list(placed_marks)
        for i in sorted(set(range(len(self.view.marks))) - {mark.index for mark in placed_marks}):
            size = mark_art.mark_sizes(self.view.marks[i])[-1]
            placement = slot_over_track(
                self.layout, mark_art.mark_discs(size), *self._track_and_other_obstacles(), 2 * _MAX_MARK_COST
            )
            if placement is not None:
                self._occupy(placement)
                places.append(labels.MarkPlace(i, placement.x, placement.y, size))
        return tuple(places)
