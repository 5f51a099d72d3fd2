"""Pictures as SVG: the scenes of the PNGs, with text as text, names for what can be chosen, nothing from outside."""

import gzip
from collections import Counter
from xml.etree import ElementTree

import pytest

from engine.game import Game
from engine.tell.view_builders import map_view, market_view
from render import map_svg, market_svg
from render.maps.map_art import map_scene
from render.scene import PlacedSprite, Scene, Sprite, SvgMark, Text
from render.sheets.market_art import market_scene
from render.svg import svg
from tests.render.sheets import market
from tests.render.views import busy, words_of

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


def named(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {one.get("id") or "": one for one in root.iter() if one.get("role")}


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
    root = read(map_svg(busy()))
    marked = named(root)
    assert {*marked} == {f"hex-{h.coord}" for h in busy().hexes}
    assert {one.get("role") for one in marked.values()} == {"button"}
    names = {id_: one.get("aria-label") for id_, one in marked.items()}
    assert names["hex-J6"] == "J6 Camden, yellow tile 57, revenue 20, home of C&A"
    assert names["hex-H4"] == "H4 Strasburg, green tile 14, revenue 30, token of SRR and B&O"
    assert names["hex-D2"] == "D2 Berlin, white, 1 free space, $80 mountain, blocked by C&OC"
    stops = Counter(one.get("tabindex") for one in marked.values())
    assert (stops["0"], stops["-1"]) == (1, len(busy().hexes) - 1)
    # one with several stops says where they are, so that one of its cities can be chosen
    cities = [tuple(map(float, at.split(","))) for at in (marked["hex-J4"].get("data-stops") or "").split()]
    drawn = shown(root, marked["hex-J4"])
    assert len(cities) == 2
    assert set(cities) <= {(float(one.get("cx", 0)), float(one.get("cy", 0))) for one in drawn}
    assert marked["hex-J6"].get("data-stops") is None


def test_market_spaces_have_names() -> None:
    view = market({"PRR": (1, 16), "B&O": (0, 9)})
    names = named(read(market_svg(view)))
    assert {*names} == {
        f"space-{r}-{c}" for r, row in enumerate(view.rows) for c, cell in enumerate(row) if cell
    }
    assert (names["space-0-9"].get("aria-label") or "").endswith(", B&O")
    folded = market_view(Game("18newengland", SEATS, 1))
    assert {*named(read(market_svg(folded)))} == {
        f"space-0-{c}" for c, cell in enumerate(folded.rows[0]) if cell
    }


def test_svg_is_closed_in_itself() -> None:
    """Nothing from outside, no style; ids are used once, and all that is referred to is there; the largest is small."""
    largest = map_svg(map_view(Game("18c2c-full", SEATS, 1)))
    assert len(largest) < LARGEST
    assert len(gzip.compress(largest.encode())) < LARGEST_SENT
    for document in (largest, map_svg(busy()), market_svg(market({}))):
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


def test_names_are_escaped() -> None:
    wild = '<script>"&\n\0'
    sprite = Sprite(40, 30, "#ffffff", (Text(1, 2, wild, 10, "#000000"),))
    scene = Scene(
        100, 50, "#102030", (PlacedSprite(sprite, 5, 6, SvgMark('a"b', wild)),), ("#ffffff", "#102030")
    )
    root = read(svg(scene, title=wild))
    assert texts(root) == Counter(['<script>"&\ufffd\ufffd'])
    (marked,) = (one for one in root.iter() if one.get("role"))
    assert (marked.get("aria-label"), marked.get("id")) == ('<script>"&\ufffd\ufffd', 'a"b')


def test_texts_keep_their_planned_width() -> None:
    """Whatever fonts a browser has: a wider one would cover what stands beside."""
    for one in shown(read(map_svg(busy()))):
        if one.tag == f"{SVG}text" and len(one.text or "") > 1:
            assert one.get("textLength"), one.text
