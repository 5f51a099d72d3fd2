"""The upgrade test against the fact sheets of four titles, where they are at hand."""

import json
from typing import Any

import pytest

from engine.board.hexes import EDGES
from engine.board.map import Map
from engine.board.upgrades import upgrade_candidates
from engine.core.spec import TileSpec
from engine.core.topology import keeps_track

from .boards import small_map
from .recorded import SHARED

FACTS = SHARED / "facts"
TITLES = ("18al", "18chesapeake", "18newengland", "18tn")
NEXT = {"yellow": "green", "green": "brown", "brown": "gray"}
pytestmark = pytest.mark.skipif(not FACTS.is_dir(), reason="the fact sheets are not at hand")


def facts(title: str) -> dict[str, Any]:
    sheet: dict[str, Any] = json.loads((FACTS / f"{title}.json").read_text("utf-8"))
    return sheet


def tiles(title: dict[str, Any]) -> dict[str, dict[str, Any]]:
    sheet = json.loads((FACTS / "tiles.json").read_text("utf-8"))
    known = {**sheet["common"], **sheet["by_title"].get(title["title"], {})}
    return {number: known[number] for number in title["tile_manifest"] if number in known}


def _stop(node: dict[str, Any]) -> str:
    revenue = node["revenue"]
    values = revenue.values() if isinstance(revenue, dict) else [revenue]
    slots = f" x{node['slots']}" if node.get("slots", 1) > 1 else ""
    return f"{node['type']} {'/'.join(map(str, values))}{slots}"


def _end(end: dict[str, int]) -> str:
    return str(end["edge"]) if "edge" in end else "abcdefgh"[end["node"]]


def shape(fact: dict[str, Any]) -> dict[str, Any]:
    return {
        "colour": fact["colour"],
        "stops": [_stop(node) for node in fact["nodes"]],
        "track": " ".join(f"{_end(a)}-{_end(b)}" for a, b in fact["paths"]),
        "label": "".join(fact["labels"]),
    }


@pytest.mark.parametrize("name", TITLES)
def test_tile_upgrades_of_the_sheet(name: str) -> None:
    title = facts(name)
    known = tiles(title)
    specs = {number: TileSpec.model_validate(shape(fact)) for number, fact in known.items()}
    for number, successors in title["tile_upgrades"]["computed"].items():
        if known[number].get("special_lay_only"):
            continue  # a rule of the title keeps this tile as it is
        old = specs[number]
        label = (known[number].get("next_label") or {}).get("label", old.label)
        found = {
            other
            for other, new in specs.items()
            if new.colour == NEXT.get(old.colour)
            and new.label == label
            and any(
                keeps_track(old.topology, new.topology.turned(r), may_merge_cities=bool(new.label))
                for r in EDGES
            )
        }
        assert found == set(successors), number


def whole_map(title: dict[str, Any]) -> Map:
    hexes = {}
    for coord, fact in title["map"]["hexes"].items():
        hexes[coord] = {**shape(fact), "impassable": fact.get("impassable_edges", [])}
    known = {number: shape(fact) for number, fact in tiles(title).items()}
    layout = f"{title['map']['layout']} {title['map']['letter_axis']}s"
    board = small_map(hexes, known, layout=layout)
    board.supply = {number: None for number in title["tile_manifest"] if number in known}
    return board


@pytest.mark.parametrize("name", TITLES)
def test_first_tiles_of_the_sheet(name: str) -> None:
    title = facts(name)
    board = whole_map(title)
    special = {n for n, fact in tiles(title).items() if fact.get("special_lay_only")}
    named = {c for c, f in title["map"]["hexes"].items() if f.get("next_label")}
    named |= set(title["hex_tile_rules"])
    checked = 0
    for coord, expected in title["tile_upgrades"]["first_tile_by_hex"].items():
        if coord not in named or name == "18chesapeake":
            found = set(upgrade_candidates(board, coord, ("yellow", "green"))) - special
            assert found == set(expected), coord
            checked += 1
    assert checked > 30


@pytest.mark.parametrize("name", TITLES)
def test_edges_of_the_sheet(name: str) -> None:
    title = facts(name)
    board = whole_map(title)
    for coord, fact in title["map"]["hexes"].items():
        beside = {str(e): board.neighbour(coord, e) for e in EDGES if board.neighbour(coord, e)}
        assert beside == fact["neighbours"]
        assert sorted(e for e in EDGES if board.may_track_cross(coord, e)) == fact["usable_edges"], coord
