"""Marks as drawn: one look for each kind, all of them on crowded hexes, a legend; charters and the order."""

from dataclasses import replace

import pytest

from engine.game import Game
from engine.tell.view_builders import map_view
from engine.tell.views import Badge, MapView, MarkView, OrderView
from render.hexes.mark_art import mark_items, mark_sizes
from render.maps.legend_art import legend_panel, map_entries
from render.maps.map_art import close_up_scene
from render.maps.panel_art import panel_blocks
from render.scene import Item, Polygon, Text
from render.sheets.market_art import operating_order_block
from render.theme import THEMES
from tests.golden.positions import golden_at

PLAYERS = [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")]
GREEN = Badge("ABC", "#008000")


def words(items: tuple[Item, ...]) -> list[str]:
    return [item.text for item in items if isinstance(item, Text)]


@pytest.mark.parametrize("size", [0, 1])
def test_flag_is_filled_when_reached(size: int) -> None:
    flags = [MarkView("objective", "ABC", GREEN, is_done=done) for done in (False, True)]
    drawn = [mark_items(flag, (0.0, 0.0), mark_sizes(flag)[size]) for flag in flags]
    cloths = [next(item.fill for item in items if isinstance(item, Polygon)) for items in drawn]
    assert cloths == ["#ffffff", "#008000"]


def legend(view: MapView) -> str:
    return " ".join(words(legend_panel(map_entries(view), THEMES["ours"], 414).items))


def test_legend_of_marks() -> None:
    view = map_view(Game("18al", PLAYERS, 1))
    assert "York (K2): $100 for the first token" in legend(view)
    assert "Robert E. Lee: Atlanta to Birmingham $20" in legend(view)
    plain = replace(view, mark_meanings=(), sign_meanings=())
    assert len(panel_blocks(plain, THEMES["ours"], 72, 1300)) == 1


@pytest.mark.parametrize(
    ("title", "sign"),
    [
        ("1830", "Red dashes: no track crosses here"),
        ("1882", "Blue line: crossing it with track costs this much"),
        ("1889", "Dashed ring: home token not placed yet"),
        ("18newengland", "Pale ring: home of a company not available yet"),
        ("18c2c", "Gray line: border of a zone"),
        ("18c2c-full", "Blue line: track may cross it once a company owns the bridge"),
    ],
)
def test_signs_are_explained_where_they_occur(title: str, sign: str) -> None:
    assert sign in legend(map_view(Game(title, PLAYERS, 1)))
    assert "Blue line" not in legend(map_view(Game("18ga", PLAYERS, 1)))


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_icons_of_privates_in_the_game(seed: int) -> None:
    """Each has a look of its own; those of privates that left the game are neither drawn nor explained."""
    game = Game("1846", [*PLAYERS, ("p4", "Dee"), ("p5", "Eve")], seed)
    icons = {"SC": "port", "MPC": "meat", "BT": "boom", "LM": "LM"}
    left = {icon for private, icon in icons.items() if not game.table.state.privates[private].closed}
    view = map_view(game)
    marks = {mark.icon or mark.text: mark for hex_ in view.hexes for mark in hex_.marks}
    assert left == set(marks) & set(icons.values())
    assert len({tuple(mark_items(marks[icon], (0.0, 0.0), (0.27, 0.27))) for icon in left}) == len(left)
    said = legend(view)
    assert {private for private in ("SC", "MPC", "BT") if f"({private}): $" in said} == {
        private for private in ("SC", "MPC", "BT") if icons[private] in left
    }
    assert ("The Little Miami joins" in said) == ("LM" in left)
    assert "Thin ring: slot reserved for a company or a private" in said


@pytest.mark.parametrize(("moves", "hatched"), [(40, True), (330, False)])
def test_hatching_is_explained_on_a_part(moves: int, hatched: bool) -> None:
    scene = close_up_scene(map_view(golden_at("18chesapeake-bank-4p", moves)), "ours", ["H2"])
    said = {text for placed in scene.sprites for text in words(placed.sprite.items)}
    assert ("Hatched: no track here while a player owns the private" in said) == hatched


def test_not_floated_is_never_cut() -> None:
    line = OrderView(GREEN, 100, "Maximiliane von Habsburg", is_floated=False, progress="waiting")
    said = words(operating_order_block((line,), THEMES["ours"], 430).items)
    assert said[-1].startswith("Maxi")
    assert said[-1].endswith("… (not floated)")
