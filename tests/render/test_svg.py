"""Pictures as SVG: the scenes of the PNGs, with text as text, names for what can be chosen, nothing from outside."""

import gzip
from collections import Counter
from xml.etree import ElementTree

import pytest

from engine.game import Game
from engine.tell.view_builders import map_view, market_view
from engine.tell.views import MapView
from render import hex_svg, map_svg, market_svg
from render.maps.map_art import hex_sprite, map_scene
from render.raster import png
from render.scene import Disc, Mark, Placed, Polyline, RoundedBox, Scene, Sprite, Text
from render.sheets.market_art import market_scene
from render.svg import svg
from tests.render.boards import board
from tests.render.sheets import market
from tests.render.test_pictures import LAID, busy

SVG = "{http://www.w3.org/2000/svg}"
LARGEST, LARGEST_SENT = 480_000, 40_000
"""Bytes of the largest map as it is, and as it is sent."""


def read(document: str) -> ElementTree.Element:
    return ElementTree.fromstring(document)


def shown(root: ElementTree.Element) -> list[ElementTree.Element]:
    """Every element that is drawn, those by reference in full."""
    by_id = {one.get("id"): one for one in root.iter() if one.get("id")}
    found: list[ElementTree.Element] = []

    def walk(node: ElementTree.Element) -> None:
        found.append(node)
        if node.tag == f"{SVG}use":
            walk(by_id[(node.get("href") or "").removeprefix("#")])
        for child in node:
            if child.tag != f"{SVG}defs":
                walk(child)

    walk(root)
    return found


def shown_below(node: ElementTree.Element, document: str) -> list[ElementTree.Element]:
    """What is drawn of a part, those by reference in full."""
    root = read(document)
    part = next(one for one in root.iter() if one.get("id") == node.get("id"))
    whole = shown(root)
    names = {(one.get("href") or "#")[1:] for one in part.iter(f"{SVG}use")}
    return [*part.iter(), *(one for use in whole if use.get("id") in names for one in use.iter())]


def texts(root: ElementTree.Element) -> Counter[str]:
    return Counter(one.text or "" for one in shown(root) if one.tag == f"{SVG}text")


def written(scene: Scene) -> Counter[str]:
    return Counter(i.text for placed in scene.sprites for i in placed.sprite.items if isinstance(i, Text))


def simple(*items: Disc | RoundedBox | Text | Polyline, mark: Mark | None = None) -> Scene:
    placed = Placed(Sprite(40, 30, "#ffffff", items), 5, 6, mark)
    return Scene(100, 50, "#102030", (placed,), ("#ffffff", "#102030"))


@pytest.fixture(scope="module")
def largest() -> MapView:
    return map_view(Game("18c2c-full", [("a", "Ann"), ("b", "Bob"), ("c", "Cy")], 1))


@pytest.mark.parametrize("theme", ["ours", "safe", "dark", "dark-large"])
def test_a_map_says_the_same_in_lines_as_in_pixels(theme: str) -> None:
    root = read(map_svg(busy(), theme=theme))
    scene = map_scene(busy(), theme)
    assert texts(root) == written(scene)
    assert (root.get("width"), root.get("height")) == (str(scene.width), str(scene.height))


@pytest.mark.parametrize("theme", ["ours", "dark"])
def test_a_market_says_the_same_in_lines_as_in_pixels(theme: str) -> None:
    view = market({"PRR": (1, 16), "B&O": (0, 9), "C&O": (0, 9)})
    assert texts(read(market_svg(view, theme=theme))) == written(market_scene(view, theme))


def test_every_hex_can_be_found_and_has_a_name() -> None:
    marked = [one for one in read(map_svg(busy())).iter() if (one.get("id") or "").startswith("hex-")]
    assert Counter(one.get("id") for one in marked) == Counter(f"hex-{h.coord}" for h in busy().hexes)
    assert {one.get("role") for one in marked} == {"button"}
    names = {one.get("id"): one.get("aria-label") for one in marked}
    assert names["hex-J6"] == "J6 Camden, yellow tile 57, revenue 20, home of C&A"
    assert names["hex-H4"] == "H4 Strasburg, green tile 14, revenue 30, token of SRR and B&O"
    assert names["hex-D2"] == "D2 Berlin, white, 1 free space, $80 mountain, blocked by C&OC"


def test_a_hex_with_several_stops_says_where_they_are() -> None:
    """So that one of its cities can be chosen."""
    marked = {one.get("id"): one.get("data-stops") for one in read(map_svg(busy())).iter() if one.get("role")}
    cities = [tuple(map(float, at.split(","))) for at in (marked["hex-J4"] or "").split()]
    root = next(one for one in read(map_svg(busy())).iter() if one.get("id") == "hex-J4")
    rings = {(float(one.get("cx", 0)), float(one.get("cy", 0))) for one in shown_below(root, map_svg(busy()))}
    assert len(cities) == 2
    assert set(cities) <= rings
    assert marked["hex-J6"] is None


def test_one_hex_of_all_is_on_the_way_of_the_tab_key() -> None:
    stops = Counter(
        one.get("tabindex") for one in read(map_svg(board())).iter() if one.get("role") == "button"
    )
    assert stops["0"] == 1
    assert stops["-1"] == len(board().hexes) - 1


def test_every_space_of_the_market_can_be_found_and_has_a_name() -> None:
    view = market({"PRR": (1, 16), "B&O": (0, 9)})
    names = {one.get("id"): one.get("aria-label") for one in read(market_svg(view)).iter() if one.get("role")}
    cells = {f"space-{r}-{c}" for r, row in enumerate(view.rows) for c, cell in enumerate(row) if cell}
    assert set(names) == cells
    assert (names["space-0-9"] or "").endswith(", B&O")


def test_a_folded_market_names_its_cells_by_their_row() -> None:
    view = market_view(Game("18newengland", [("a", "Ann"), ("b", "Bob"), ("c", "Cy")], 1))
    assert len(view.rows) == 1
    names = {one.get("id") for one in read(market_svg(view)).iter() if one.get("role")}
    assert names == {f"space-0-{c}" for c, cell in enumerate(view.rows[0]) if cell}


def test_names_of_what_is_seen_change_no_pixel() -> None:
    scene = map_scene(busy(), "ours")
    bare = tuple(Placed(placed.sprite, placed.left, placed.top) for placed in scene.sprites)
    assert png(Scene(scene.width, scene.height, scene.ground, bare, scene.palette)) == png(scene)


@pytest.mark.parametrize("theme", ["ours", "dark"])
def test_the_largest_map_is_sent_quickly(largest: MapView, theme: str) -> None:
    data = map_svg(largest, theme=theme).encode()
    assert len(largest.hexes) == 801
    assert len(data) < LARGEST
    assert len(gzip.compress(data)) < LARGEST_SENT


def test_themes_paint_the_same_shapes_otherwise() -> None:
    light, dark = (map_svg(busy(), theme=theme) for theme in ("ours", "dark"))
    assert light != dark
    assert [one.tag for one in read(light)] == [one.tag for one in read(dark)]


def test_nothing_from_outside_and_no_style_is_named(largest: MapView) -> None:
    for document in (map_svg(largest), map_svg(busy()), market_svg(market({}))):
        assert document.count("http") == 1, "only the name of the language"
        for one in read(document).iter():
            assert one.tag not in {f"{SVG}style", f"{SVG}script", f"{SVG}image", f"{SVG}foreignObject"}
            assert one.get("style") is None
            assert (one.get("href") or "#").startswith("#")
            assert not any(name.startswith("on") for name in one.attrib)


def test_ids_are_used_once_and_all_that_is_referred_to_is_there(largest: MapView) -> None:
    root = read(map_svg(largest))
    ids = Counter(one.get("id") for one in root.iter() if one.get("id"))
    assert max(ids.values()) == 1
    referred = {one.get("href", "")[1:] for one in root.iter() if one.tag == f"{SVG}use"}
    referred |= {(one.get("clip-path") or "url(#)")[5:-1] for one in root.iter()} - {""}
    assert referred <= set(ids)


def test_two_positions_differ_in_few_lines() -> None:
    """A tile laid is its hex, and the sides of its neighbours that are lit."""
    before, after = (set(map_svg(board(laid)).split("\n")) for laid in (LAID, {**LAID, "K3": ("57", 0)}))
    assert 1 <= len(after - before) <= 4
    assert 1 <= len(before - after) <= 4


def test_a_hex_alone_is_as_large_as_on_the_map() -> None:
    h = next(h for h in busy().hexes if h.coord == "J6")
    root = read(hex_svg(busy(), h))
    sprite = next(p.sprite for p in map_scene(busy(), "ours").sprites if p.mark and p.mark.id == "hex-J6")
    assert (root.get("width"), root.get("height")) == (str(sprite.width), str(sprite.height))
    assert "Camden" in texts(root)
    assert hex_sprite.cache_info().currsize


def test_a_name_cannot_leave_its_place() -> None:
    """What people write is text, in labels and in names."""
    wild = '<script>"&\n\0'
    root = read(svg(simple(Text(1, 2, wild, 10, "#000000"), mark=Mark('a"b', wild)), title=wild))
    assert texts(root) == Counter(['<script>"&\ufffd\ufffd'])
    (marked,) = (one for one in root.iter() if one.get("role"))
    assert marked.get("aria-label") == '<script>"&\ufffd\ufffd'
    assert marked.get("id") == 'a"b'


def test_rims_lie_inside_their_edge() -> None:
    root = read(
        svg(simple(Disc(10, 11, 8, "#00ff00", "#ff0000", 2), RoundedBox(9, 8, 1, 2, 3, None, "#ff0000", 2)))
    )
    circle, box = root.find(f".//{SVG}circle"), root.findall(f".//{SVG}rect")[1]
    assert circle is not None
    assert circle.get("r") == "7"
    assert [box.get(name) for name in ("x", "y", "width", "height", "rx")] == ["2", "3", "6", "4", "2"]


def test_a_line_keeps_the_points_that_are_seen() -> None:
    straight = Polyline(((0.0, 0.0), (5.0, 0.01), (10.0, 0.0)), "#000000", 1)
    bent = Polyline(((0.0, 0.0), (5.0, 3.0), (10.0, 0.0)), "#000000", 2, closed=True)
    paths = [one.get("d") for one in read(svg(simple(straight, bent))).iter(f"{SVG}path")]
    assert paths[1:] == ["M0 0h10", "M0 0l5 3l5 -3z"]


def test_texts_keep_the_width_they_were_planned_with() -> None:
    """Whatever fonts a browser has: a wider one would cover what stands beside."""
    for one in shown(read(map_svg(busy()))):
        if one.tag == f"{SVG}text" and len(one.text or "") > 1:
            assert one.get("textLength"), one.text
