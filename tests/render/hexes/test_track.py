"""Geometry of track: the curves, where stops sit, what lies on top."""

import math

import pytest

from render.hexes.hex_geometry import (
    Layout,
    StopPlace,
    edges_of,
    layers,
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


def test_two_bars_stand_apart() -> None:
    for number in ("1", "2", "55", "56", "69"):
        for rotation in range(6):
            topology = CHESAPEAKE.tiles[number].topology.turned(rotation)
            one, other = stop_places("flat", ("town", "town"), pieces(topology))
            assert math.dist(one.point, other.point) >= 0.45


@pytest.mark.parametrize("number", ["X3", "X4", "X5"])
def test_two_cities_stand_apart(number: str) -> None:
    for rotation in range(6):
        track = pieces(CHESAPEAKE.tiles[number].topology.turned(rotation))
        one, other = stop_places("flat", ("city", "city"), track)
        assert math.dist(one.point, other.point) >= 0.8
        for i, spot in enumerate((one, other)):
            assert math.hypot(*spot.point) == pytest.approx(0.5)
            near = sorted(range(6), key=lambda e: math.dist(side_middle("flat", e), spot.point))
            assert near[0] in edges_of(track, i)


@pytest.mark.parametrize("number", ["16", "19", "20", "55", "56", "69", "X5"])
def test_turned_tile_keeps_its_layers(number: str) -> None:
    topology = CHESAPEAKE.tiles[number].topology
    wanted = [sorted(map(sorted, layer)) for layer in layers(pieces(topology), 0)]
    for rotation in range(6):
        found = layers(pieces(topology.turned(rotation)), rotation)
        back = [
            sorted(sorted((end - rotation) % 6 if end < 6 else end for end in pair) for pair in layer)
            for layer in found
        ]
        assert back == wanted


@pytest.mark.parametrize("layout", LAYOUTS)
def test_cities_of_two_spaces_stand_apart(layout: Layout) -> None:
    """Whatever sides their track leads to."""
    for turn in range(12):
        x, y = 0.5 * math.sin(math.radians(30 * turn)), 0.5 * math.cos(math.radians(30 * turn))
        for one in (StopPlace(-x, -y, "city"), StopPlace(-y, x, "city")):
            pair = [slot_centres(place, 2) for place in stacked(one, StopPlace(x, y, "city"))]
            assert all(overhang(layout, *at, SLOT) <= 0.01 for centres in pair for at in centres)
            assert min(math.dist(p, q) for p in pair[0] for q in pair[1]) >= 2 * (SLOT + RIM)
