"""18C2C's table and its fact sheet, where that is at hand: every hex, the market, the companies, the upgrades."""

import json
from typing import Any

import pytest

from engine.board.hexes import EDGES
from engine.board.map import Map
from engine.core.topology import keeps_track
from engine.market.grid import Grid
from engine.titles import TITLES
from tests.engine.board.recorded import SHARED
from tests.titles.builders import new_game

SHEET = SHARED / "facts/18c2c.json"
pytestmark = pytest.mark.skipif(not SHEET.is_file(), reason="the fact sheet is not at hand")
TITLE = {"super_short": "18c2c", "full": "18c2c-full"}
STEPS = ("start", "5", "4D", "5D", "6D")
NEXT = {"yellow": "green", "green": "brown", "brown": "gray"}


def sheet() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SHEET.read_text("utf-8"))
    return found


def board(game: str) -> Map:
    return new_game(4, title=TITLE[game]).table.map


@pytest.mark.parametrize("game", TITLE)
def test_hexes_of_fact_sheet(game: str) -> None:
    """R-C2C-112, R-C2C-120, R-C2C-281: neighbours, open edges, terrain, label, icons and values of each."""
    lies = board(game)
    facts = {c: h for c, h in sheet()["map"]["hexes"].items() if game in h["games"]}
    assert set(lies.coords) == set(facts)
    for coord, fact in facts.items():
        usable = fact.get("usable_edges_super_short") if game == "super_short" else None
        hex_ = lies.hexes[coord]
        assert sorted(lies.usable_edges(coord)) == (usable or fact["usable_edges"]), coord
        assert hex_.cost == (fact["terrain"] or {"cost": 0})["cost"], coord
        assert list(hex_.terrain) == (fact["terrain"] or {"kinds": []})["kinds"], coord
        assert hex_.label == (fact.get("printed_label") or ""), coord
        assert set(hex_.icons) == set(fact.get("icons", [])) - {"bridge"}, coord
        assert len(hex_.stops) == len(fact["nodes"]), coord


def test_zones_of_fact_sheet() -> None:
    """R-C2C-102: of the whole board; a red place lies in none."""
    lies = board("full")
    facts = sheet()["map"]["hexes"]
    assert {c: lies.hexes[c].zone or "off_map" for c in facts} == {c: h["zone"] for c, h in facts.items()}


def test_red_places_of_fact_sheet() -> None:
    """R-C2C-009, R-C2C-00A, R-C2C-171."""
    lies = board("full")
    for coord, fact in sheet()["map"]["hexes"].items():
        if fact["colour"] == "red":
            node, hex_ = fact["nodes"][0], lies.hexes[coord]
            assert list(hex_.topology.stops[0].revenue) == [node["revenue"][step] for step in STEPS]
            assert [{"2": "start"}.get(phase, phase) for phase in hex_.opens] == node["slot_opens"]
            assert lies.is_terminal(coord) == fact["terminal"]


def test_companies_of_fact_sheet() -> None:
    """R-C2C-001, R-C2C-00B: homes, bases and destinations."""
    spec = TITLES["18c2c-full"].spec
    for fact in sheet()["companies"]:
        company = spec.companies[fact["abbrev"]]
        assert company.home is not None
        assert (company.home.hex, company.home.stop) == (fact["home"]["hex"], fact["home"]["node"])
        assert list(company.destination) == fact["destination"]["hexes"]
        assert company.base_zone == fact["based_in"]


def test_market_of_fact_sheet() -> None:
    """R-C2C-033, R-C2C-050, R-C2C-051: prices, zones, arrows and the ledge of each cell."""
    fact = sheet()["stock_market"]
    grid = Grid(TITLES["18c2c"].spec.market)
    ledge = {int(column): row for column, row in fact["ledge_line"]["row_above_by_column"].items()}
    for r, row in enumerate(fact["rows"]):
        assert len(grid.rows[r]) == len(row)
        for c, cell in enumerate(row):
            square = grid.square((r, c))
            assert square.closes_company == ("closed" in cell["zones"])
            assert square.price == (cell.get("price") or 0)
            assert square.is_par == ("par" in cell["zones"])
            assert square.zone == "".join(zone[0] for zone in cell["zones"] if zone in ("yellow", "brown"))
            assert square.turns_up == (cell.get("arrow") == "up")
            assert square.has_ledge == (ledge.get(c + 1) == r + 1)


@pytest.mark.parametrize("label", ["", "L", "P", "K", "C"])
def test_upgrades_of_fact_sheet(label: str) -> None:
    """R-C2C-110, R-C2C-115: without a printed label, and on cities that bear one."""
    upgrades, tiles = sheet()["tile_upgrades"], TITLES["18c2c"].spec.tiles
    expected = upgrades["by_hex_label"][label] if label else upgrades["computed"]
    for number, successors in expected.items():
        old = tiles[number]
        found = {
            other
            for other, new in tiles.items()
            if new.colour == NEXT.get(old.colour)
            and new.label == (old.label or label)
            and any(
                keeps_track(old.topology, new.topology.turned(r), may_merge_cities=bool(new.label))
                for r in EDGES
            )
        }
        assert found == set(successors), number


def test_privates_of_fact_sheet() -> None:
    """R-C2C-020: prices, incomes, blocked hexes, and their place in the packet."""
    facts = {fact["abbrev"]: fact for fact in sheet()["privates"]}
    for game, title in TITLE.items():
        spec = TITLES[title].spec
        assert [list(column) for column in spec.auction.columns] == sheet()["games"][game]["packet_columns"]
        for name, private in spec.privates.items():
            assert (private.face_value, private.income) == (facts[name]["value"], facts[name]["revenue"])
            assert list(private.blocked_hexes) == facts[name]["blocked_hexes"]
