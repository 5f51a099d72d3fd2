"""What lies over the hexes: last move, joined areas, routes side by side."""

from dataclasses import replace

from engine.tell.views import RunView
from render.hexes.hex_art import SELF
from render.hexes.label_plan import label_plan
from render.hexes.route_art import Ring, Strand
from render.maps.overlays import overlays, quiet_hexes
from tests.render.boards import board


def test_joined_area_is_named_once() -> None:
    view = board()
    assert quiet_hexes(view.layout, view.hexes) == {"A3", "A13"}
    over = overlays(view, large=False)
    rows = [h.coord for h in view.hexes if label_plan("flat", h, over[h.coord].quiet).row is not None]
    assert rows == ["A7", "B14", "B2", "H14", "L2"]


def test_last_tile_is_outlined() -> None:
    view = replace(board(), fresh_hexes=("F4",))
    lit = {coord: over.lit for coord, over in overlays(view, large=False).items() if over.lit}
    assert lit == {"F4": (SELF,), "F6": (3,), "E5": (4,), "E3": (5,), "F2": (0,), "G3": (1,), "G5": (2,)}


def test_two_routes_on_one_piece() -> None:
    view = board({"H4": ("57", 0), "H2": ("9", 0)})
    one = RunView("3", "20", 20, (("H4", 6, 3), ("H2", 0, 3)), (("H4", 0, True),))
    other = RunView("2", "20", 20, (("H2", 3, 0), ("H4", 3, 6)), (("H4", 0, True), ("H6", 0, False)))
    over = overlays(replace(view, runs=(one, other)), large=False)
    assert over["H2"].strands == (Strand(0, 3, 0, 0, 2), Strand(0, 3, 1, 1, 2))
    assert over["H4"].strands == (Strand(6, 3, 0, 0, 2), Strand(6, 3, 1, 1, 2))
    assert over["H4"].rings == (Ring(0, 0, 0), Ring(0, 1, 1))
    assert over["H6"].rings == ()
    assert [start.train for start in over["H4"].starts] == ["3", "2"]
