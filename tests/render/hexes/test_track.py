"""Geometry of track: the curves, where stops sit, what lies on top."""

import math
from itertools import product

import pytest

from engine.core.topology import StopKind
from engine.titles import TITLES
from render.hexes.hex_geometry import edges_of_stop, side_middle, stop_places


@pytest.mark.parametrize(
    ("numbers", "kind", "apart"),
    [(("1", "2", "55", "56", "69"), "town", 0.45), (("X3", "X4", "X5"), "city", 0.8)],
)
def test_two_stops_stand_apart(numbers: tuple[str, ...], kind: StopKind, apart: float) -> None:
    for number, rotation in product(numbers, range(6)):
        turned = TITLES["18chesapeake"].spec.tiles[number].topology.turned(rotation)
        track = tuple(piece.ends() for piece in turned.pieces)
        one, other = stop_places("flat", (kind, kind), track)
        assert math.dist(one.point, other.point) >= apart
        for i, spot in enumerate((one, other) if kind == "city" else ()):
            assert math.hypot(*spot.point) == pytest.approx(0.5)
            near = sorted(range(6), key=lambda e: math.dist(side_middle("flat", e), spot.point))
            assert near[0] in edges_of_stop(track, i)
