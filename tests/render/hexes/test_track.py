"""Geometry of track: the curves, where stops sit, what lies on top."""

import math
from itertools import pairwise

import pytest

from engine.core.topology import read_topology
from render.hexes.hex_geometry import (
    APOTHEM,
    NEIGHBOURS,
    HexGrid,
    Layout,
    StopPlace,
    corner,
    edge_to_edge,
    edge_to_point,
    edges_of,
    layers,
    line_of,
    overhang,
    side_middle,
    stacked,
    stop_places,
)
from render.hexes.stop_art import RIM, SLOT, slot_centres
from tests.render.boards import CHESAPEAKE, pieces

LAYOUTS: tuple[Layout, ...] = ("flat", "pointy")


def nearest(line: tuple[tuple[float, float], ...]) -> float:
    return min(math.hypot(x, y) for x, y in line)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("apart", "distance"), [(1, 0.5), (2, 0.232), (3, 0.0), (4, 0.232), (5, 0.5)])
def test_curves_pass_the_centre_at_their_distance(layout: Layout, apart: int, distance: float) -> None:
    for side in range(6):
        assert nearest(edge_to_edge(layout, side, (side + apart) % 6)) == pytest.approx(distance, abs=0.002)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_track_leaves_every_side_square_to_it(layout: Layout) -> None:
    for side in range(6):
        for other in range(6):
            if side != other:
                first, second = edge_to_edge(layout, side, other)[:2]
                heading = math.atan2(second[1] - first[1], second[0] - first[0])
                x, y = side_middle(layout, side)
                inward = math.atan2(-y, -x)
                assert math.cos(heading - inward) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_neighbours_share_a_side(layout: Layout) -> None:
    grid = HexGrid(layout, 200)
    for side, (dx, dy) in enumerate(NEIGHBOURS[layout]):
        px, py = grid.centre(dx, dy)
        x, y = side_middle(layout, side)
        assert (px / 200, py / 200) == pytest.approx((2 * x, 2 * y), abs=0.01)


def test_corner_lies_between_its_sides() -> None:
    for k in range(6):
        assert math.dist(corner("flat", k), side_middle("flat", k)) == pytest.approx(0.5)
        assert math.dist(corner("flat", k), side_middle("flat", (k + 1) % 6)) == pytest.approx(0.5)


def test_side_to_a_stop_off_centre_is_one_smooth_arc_that_ends_there() -> None:
    line = edge_to_point("flat", 0, (-0.4, -0.2))
    assert line[-1] == pytest.approx((-0.4, -0.2))
    turns = [math.atan2(q[1] - p[1], q[0] - p[0]) for p, q in pairwise(line[1:])]
    assert max(abs(b - a) for a, b in pairwise(turns)) < math.radians(6)


def test_town_on_through_track_is_a_bar_at_the_middle_of_it() -> None:
    for track, distance in (("0-a 3-a", 0.0), ("0-a 2-a", 0.232), ("0-a 1-a", 0.5)):
        topology = read_topology(("town 10",), track)
        (spot,) = stop_places("flat", ("town",), pieces(topology))
        assert spot.look == "bar"
        assert math.hypot(*spot.point) == pytest.approx(distance, abs=0.002)


def test_town_with_three_exits_and_loose_towns_are_dots() -> None:
    (spot,) = stop_places("flat", ("town",), ((0, 6), (2, 6), (3, 6)))
    assert (spot.look, spot.point) == ("dot", (0.0, 0.0))
    assert [s.look for s in stop_places("flat", ("town", "town"), ())] == ["dot", "dot"]


def test_two_bars_never_stand_on_one_another() -> None:
    for number in ("1", "2", "55", "56", "69"):
        for rotation in range(6):
            topology = CHESAPEAKE.tiles[number].topology.turned(rotation)
            one, other = stop_places("flat", ("town", "town"), pieces(topology))
            assert math.dist(one.point, other.point) >= 0.45


@pytest.mark.parametrize("number", ["X3", "X4", "X5"])
def test_two_cities_stand_apart_on_sides_of_their_own(number: str) -> None:
    for rotation in range(6):
        track = pieces(CHESAPEAKE.tiles[number].topology.turned(rotation))
        one, other = stop_places("flat", ("city", "city"), track)
        assert math.dist(one.point, other.point) >= 0.8
        for i, spot in enumerate((one, other)):
            assert math.hypot(*spot.point) == pytest.approx(0.5)
            near = sorted(range(6), key=lambda e: math.dist(side_middle("flat", e), spot.point))
            assert near[0] in edges_of(track, i)


def test_both_halves_of_through_track_meet_in_the_bar() -> None:
    for track in ("0-a 3-a", "0-a 2-a", "1-a 2-a"):
        topology = read_topology(("town 10",), track)
        spots = stop_places("flat", ("town",), pieces(topology))
        for a, b in pieces(topology):
            line = line_of("flat", spots, a, b)
            assert line[-1] == spots[0].point
            assert line_of("flat", spots, b, a) == line[::-1]


def test_crossing_has_two_layers_and_junction_one() -> None:
    assert len(layers(pieces(CHESAPEAKE.tiles["20"].topology), 0)) == 2
    assert len(layers(pieces(CHESAPEAKE.tiles["23"].topology), 0)) == 1
    assert len(layers(pieces(CHESAPEAKE.tiles["X5"].topology), 0)) == 2


@pytest.mark.parametrize("number", ["16", "19", "20", "55", "56", "69", "X5"])
def test_turning_a_tile_keeps_the_same_track_on_top(number: str) -> None:
    topology = CHESAPEAKE.tiles[number].topology
    wanted = [sorted(map(sorted, layer)) for layer in layers(pieces(topology), 0)]
    for rotation in range(6):
        found = layers(pieces(topology.turned(rotation)), rotation)
        back = [
            sorted(sorted((end - rotation) % 6 if end < 6 else end for end in pair) for pair in layer)
            for layer in found
        ]
        assert back == wanted


def test_overhang_counts_from_the_sides() -> None:
    assert overhang("flat", 0.0, 0.0, 0.5) == 0.0
    assert overhang("flat", 0.0, APOTHEM, 0.1) == pytest.approx(0.1)
    assert overhang("pointy", APOTHEM, 0.0, 0.1) == pytest.approx(0.1)
    assert overhang("flat", *side_middle("flat", 4), 0.2) == pytest.approx(0.2)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_two_cities_with_two_spaces_each_lie_on_their_hex_and_apart(layout: Layout) -> None:
    """Whatever sides their track leads to."""
    for turn in range(12):
        x, y = 0.5 * math.sin(math.radians(30 * turn)), 0.5 * math.cos(math.radians(30 * turn))
        for one in (StopPlace(-x, -y, "city"), StopPlace(-y, x, "city")):
            pair = [slot_centres(place, 2) for place in stacked(one, StopPlace(x, y, "city"))]
            assert all(overhang(layout, *at, SLOT) <= 0.01 for centres in pair for at in centres)
            assert min(math.dist(p, q) for p in pair[0] for q in pair[1]) >= 2 * (SLOT + RIM)
