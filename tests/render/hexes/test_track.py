"""Geometry of track: the curves, where stops sit, what lies on top."""

import math
from itertools import product

import pytest

from engine.core.topology import StopKind
from engine.titles import TITLES
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

LAYOUTS: tuple[Layout, ...] = ("flat", "pointy")


def track_of(number: str, rotation: int = 0) -> tuple[tuple[int, int], ...]:
    turned = TITLES["18chesapeake"].spec.tiles[number].topology.turned(rotation)
    return tuple(piece.ends() for piece in turned.pieces)


@pytest.mark.parametrize(
    ("numbers", "kind", "apart"),
    [(("1", "2", "55", "56", "69"), "town", 0.45), (("X3", "X4", "X5"), "city", 0.8)],
)
def test_two_stops_stand_apart(numbers: tuple[str, ...], kind: StopKind, apart: float) -> None:
    for number, rotation in product(numbers, range(6)):
        track = track_of(number, rotation)
        one, other = stop_places("flat", (kind, kind), track)
        assert math.dist(one.point, other.point) >= apart
        for i, spot in enumerate((one, other) if kind == "city" else ()):
            assert math.hypot(*spot.point) == pytest.approx(0.5)
            near = sorted(range(6), key=lambda e: math.dist(side_middle("flat", e), spot.point))
            assert near[0] in edges_of(track, i)


@pytest.mark.parametrize("number", ["16", "19", "20", "55", "56", "69", "X5"])
def test_turned_tile_keeps_its_layers(number: str) -> None:
    wanted = [sorted(map(sorted, layer)) for layer in layers(track_of(number), 0)]
    for rotation in range(6):
        found = layers(track_of(number, rotation), rotation)
        back = [
            sorted(sorted((end - rotation) % 6 if end < 6 else end for end in pair) for pair in layer)
            for layer in found
        ]
        assert back == wanted


@pytest.mark.parametrize("layout", LAYOUTS)
def test_cities_of_two_spaces_stand_apart(layout: Layout) -> None:
    for turn in range(12):
        x, y = 0.5 * math.sin(math.radians(30 * turn)), 0.5 * math.cos(math.radians(30 * turn))
        for one in (StopPlace(-x, -y, "city"), StopPlace(-y, x, "city")):
            pair = [slot_centres(place, 2) for place in stacked(one, StopPlace(x, y, "city"))]
            assert all(overhang(layout, *at, SLOT) <= 0.01 for centres in pair for at in centres)
            assert min(math.dist(p, q) for p in pair[0] for q in pair[1]) >= 2 * (SLOT + RIM)
