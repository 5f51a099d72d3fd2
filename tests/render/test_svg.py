"""Pictures as SVG: the scenes of the PNGs, with text as text, names for what can be chosen, nothing from outside."""

import gzip
from collections import Counter
from xml.etree import ElementTree

import pytest

from engine.game import Game
from engine.tell.view_builders import map_view, market_view
from engine.tell.views import MapView
from render import hex_svg, map_svg, market_svg
from render.maps.map_art import map_scene
from render.raster import png
from render.scene import Disc, Mark, Placed, Polyline, RoundedBox, Scene, Sprite, Text
from render.sheets.market_art import market_scene
from render.svg import svg
from tests.render.boards import board
from tests.render.sheets import market
from tests.render.views import LAID, busy, words_of

SVG = "{http://www.w3.org/2000/svg}"
LARGEST, LARGEST_SENT = 480_000, 40_000
"""Bytes of the largest map as it is, and as it is sent."""
SEATS = [("a", "Ann"), ("b", "Bob"), ("c", "Cy")]


def read(document: str) -> ElementTree.Element:
    return ElementTree.fromstring(document)


def shown(root: ElementTree.Element, part: ElementTree.Element | None = None) -> list[ElementTree.Element]:
    """Every element that is drawn (of a part), those by reference in full."""
    by_id = {one.get("id"): one for one in root.iter() if one.get("id")}
    found: list[ElementTree.Element] = []

    def walk(node: ElementTree.Element) -> None:
        found.append(node)
        if node.tag == f"{SVG}use":
            walk(by_id[(node.get("href") or "").removeprefix("#")])
        for child in node:
            if child.tag != f"{SVG}defs":
                walk(child)

    walk(root if part is None else part)
    return found


def texts(root: ElementTree.Element) -> Counter[str]:
    return Counter(one.text or "" for one in shown(root) if one.tag == f"{SVG}text")


def named(document: str) -> dict[str, ElementTree.Element]:
    return {one.get("id") or "": one for one in read(document).iter() if one.get("role")}


def simple(*items: Disc | RoundedBox | Text | Polyline, mark: Mark | None = None) -> Scene:
    placed = Placed(Sprite(40, 30, "#ffffff", items), 5, 6, mark)
    return Scene(100, 50, "#102030", (placed,), ("#ffffff", "#102030"))


@pytest.fixture(scope="module")
def largest() -> MapView:
    return map_view(Game("18c2c-full", SEATS, 1))


@pytest.mark.parametrize("theme", ["ours", "safe", "dark", "dark-large"])
def test_svg_says_the_same_as_the_picture(theme: str) -> None:
    scene = map_scene(busy(), theme)
    root = read(map_svg(busy(), theme=theme))
    assert texts(root) == Counter(words_of(scene))
    assert (root.get("width"), root.get("height")) == (str(scene.width), str(scene.height))
    view = market({"PRR": (1, 16), "B&O": (0, 9), "C&O": (0, 9)})
    if not theme.endswith("large"):
        assert texts(read(market_svg(view, theme=theme))) == Counter(words_of(market_scene(view, theme)))


def test_hexes_have_names() -> None:
    """Each can be chosen, one of all by the tab key."""
    marked = named(map_svg(busy()))
    assert {*marked} == {f"hex-{h.coord}" for h in busy().hexes}
    assert {one.get("role") for one in marked.values()} == {"button"}
    names = {id_: one.get("aria-label") for id_, one in marked.items()}
    assert names["hex-J6"] == "J6 Camden, yellow tile 57, revenue 20, home of C&A"
    assert names["hex-H4"] == "H4 Strasburg, green tile 14, revenue 30, token of SRR and B&O"
    assert names["hex-D2"] == "D2 Berlin, white, 1 free space, $80 mountain, blocked by C&OC"
    stops = Counter(one.get("tabindex") for one in marked.values())
    assert (stops["0"], stops["-1"]) == (1, len(busy().hexes) - 1)


def test_hex_with_several_stops_says_where() -> None:
    """So that one of its cities can be chosen."""
    root = read(map_svg(busy()))
    marked = {one.get("id"): one for one in root.iter() if one.get("role")}
    cities = [tuple(map(float, at.split(","))) for at in (marked["hex-J4"].get("data-stops") or "").split()]
    drawn = shown(root, marked["hex-J4"])
    assert len(cities) == 2
    assert set(cities) <= {(float(one.get("cx", 0)), float(one.get("cy", 0))) for one in drawn}
    assert marked["hex-J6"].get("data-stops") is None


def test_market_spaces_have_names() -> None:
    """Also those of a folded market, by their row."""
    view = market({"PRR": (1, 16), "B&O": (0, 9)})
    names = named(market_svg(view))
    assert {*names} == {
        f"space-{r}-{c}" for r, row in enumerate(view.rows) for c, cell in enumerate(row) if cell
    }
    assert (names["space-0-9"].get("aria-label") or "").endswith(", B&O")
    folded = market_view(Game("18newengland", SEATS, 1))
    assert {*named(market_svg(folded))} == {f"space-0-{c}" for c, cell in enumerate(folded.rows[0]) if cell}


def test_names_change_no_pixel() -> None:
    scene = map_scene(busy(), "ours")
    bare = tuple(Placed(placed.sprite, placed.left, placed.top) for placed in scene.sprites)
    assert png(Scene(scene.width, scene.height, scene.ground, bare, scene.palette)) == png(scene)


@pytest.mark.parametrize("theme", ["ours", "dark"])
def test_largest_map_is_sent_quickly(largest: MapView, theme: str) -> None:
    data = map_svg(largest, theme=theme).encode()
    assert len(largest.hexes) == 801
    assert len(data) < LARGEST
    assert len(gzip.compress(data)) < LARGEST_SENT


def test_themes_paint_the_same_shapes() -> None:
    light, dark = (map_svg(busy(), theme=theme) for theme in ("ours", "dark"))
    assert light != dark
    assert [one.tag for one in read(light)] == [one.tag for one in read(dark)]


def test_svg_is_closed_in_itself(largest: MapView) -> None:
    """Nothing from outside, no style; ids are used once, and all that is referred to is there."""
    for document in (map_svg(largest), map_svg(busy()), market_svg(market({}))):
        assert document.count("http") == 1, "only the name of the language"
        root = read(document)
        for one in root.iter():
            assert one.tag not in {f"{SVG}style", f"{SVG}script", f"{SVG}image", f"{SVG}foreignObject"}
            assert one.get("style") is None
            assert (one.get("href") or "#").startswith("#")
            assert not any(name.startswith("on") for name in one.attrib)
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


def test_hex_alone_is_as_large_as_on_the_map() -> None:
    root = read(hex_svg(busy(), next(h for h in busy().hexes if h.coord == "J6")))
    sprite = next(p.sprite for p in map_scene(busy(), "ours").sprites if p.mark and p.mark.id == "hex-J6")
    assert (root.get("width"), root.get("height")) == (str(sprite.width), str(sprite.height))
    assert "Camden" in texts(root)


def test_names_are_escaped() -> None:
    wild = '<script>"&\n\0'
    root = read(svg(simple(Text(1, 2, wild, 10, "#000000"), mark=Mark('a"b', wild)), title=wild))
    assert texts(root) == Counter(['<script>"&\ufffd\ufffd'])
    (marked,) = (one for one in root.iter() if one.get("role"))
    assert (marked.get("aria-label"), marked.get("id")) == ('<script>"&\ufffd\ufffd', 'a"b')


def test_shapes_of_svg() -> None:
    """Rims lie inside their edge; a line keeps the points that are seen."""
    disc, box = Disc(10, 11, 8, "#00ff00", "#ff0000", 2), RoundedBox(9, 8, 1, 2, 3, None, "#ff0000", 2)
    root = read(svg(simple(disc, box)))
    circle, rect = root.find(f".//{SVG}circle"), root.findall(f".//{SVG}rect")[1]
    assert circle is not None
    assert circle.get("r") == "7"
    assert [rect.get(name) for name in ("x", "y", "width", "height", "rx")] == ["2", "3", "6", "4", "2"]
    straight = Polyline(((0.0, 0.0), (5.0, 0.01), (10.0, 0.0)), "#000000", 1)
    bent = Polyline(((0.0, 0.0), (5.0, 3.0), (10.0, 0.0)), "#000000", 2, closed=True)
    paths = [one.get("d") for one in read(svg(simple(straight, bent))).iter(f"{SVG}path")]
    assert paths[1:] == ["M0 0h10", "M0 0l5 3l5 -3z"]


def test_texts_keep_their_planned_width() -> None:
    """Whatever fonts a browser has: a wider one would cover what stands beside."""
    for one in shown(read(map_svg(busy()))):
        if one.tag == f"{SVG}text" and len(one.text or "") > 1:
            assert one.get("textLength"), one.text
