from collections import Counter
from random import Random

import pytest

from engine.board.map import Map
from engine.board.network import (
    copy_cached_network,
    has_route,
    lay_is_connected,
    network_of,
    reached_hexes,
    reached_stops,
    reaches_hex,
    route_explorer_of,
)
from engine.board.reach import RouteExplorer
from engine.board.upgrades import rotations, upgrade_candidates

from .boards import Hexes, Plain, border_of, chesapeake, growing_grid, random_board, random_grid, small_map

CITY = {"stops": ["city 0"]}


@pytest.fixture
def board() -> Map:
    return Map(chesapeake())


def test_token_without_track_reaches_its_hex(board: Map) -> None:
    board.place_token("F2", 0, "PRR")
    network = network_of(board, "PRR")
    assert network.stops == {("F2", 0)}
    assert set(network.edges) == {"F2"}
    assert all(lay_is_connected(board, "PRR", "F2", "57", r) for r in rotations(board, "F2", "57"))
    assert not lay_is_connected(board, "PRR", "F4", "9", 0)


def test_company_without_token_reaches_nothing(board: Map) -> None:
    assert not network_of(board, "PRR").stops
    assert not lay_is_connected(board, "PRR", "F2", "57", 2)
    assert not has_route(board, "PRR")


def test_lay_prolongs_or_renews_a_route(board: Map) -> None:
    """Baltimore is at edge 4 of G7: a switch opening towards it is connected, one opening away is not; a city
    by any track."""
    board.place_token("H6", 0, "B&O")
    assert network_of(board, "B&O").edges["G7"] == {4}
    assert lay_is_connected(board, "B&O", "G7", "9", 1)
    assert not lay_is_connected(board, "B&O", "G7", "9", 0)
    board.lay("G7", "9", 1)
    assert lay_is_connected(board, "B&O", "F8", "X1", 0)
    assert not lay_is_connected(board, "B&O", "F8", "X1", 5)
    assert rotations(board, "G7", "24") == (1, 4)
    assert lay_is_connected(board, "B&O", "G7", "24", 4)
    assert not lay_is_connected(board, "B&O", "G7", "24", 1)
    board.lay("F8", "X1", 0)
    assert lay_is_connected(board, "B&O", "F8", "X2", 0)
    assert lay_is_connected(board, "B&O", "H6", "X3", 2)
    assert not lay_is_connected(board, "B&O", "J4", "X3", 0)


def test_what_is_not_passed() -> None:
    """Full cities and red areas; from the west leg of a switch one comes to the stem, not round the sharp
    angle to the east leg."""
    hexes: Hexes = {
        "A1": {**CITY, "colour": "gray", "stops": ["city 20"], "track": "0-a"},
        "A3": {"colour": "gray", "stops": ["city 20"], "track": "0-a 3-a"},
        "A5": {"colour": "red", "stops": ["offboard 30"], "track": "0-a 3-a"},
        "A7": {"colour": "gray", "stops": ["town 10"], "track": "0-a 3-a"},
    }
    board = small_map(hexes)
    board.place_token("A1", 0, "A")
    assert network_of(board, "A").stops == {("A1", 0), ("A3", 0), ("A5", 0)}
    board.place_token("A3", 0, "B")
    assert network_of(board, "A").stops == {("A1", 0), ("A3", 0)}
    assert network_of(board, "B").stops == {("A1", 0), ("A3", 0), ("A5", 0)}
    hexes = {
        "A3": {"colour": "gray", "stops": ["city 20"], "track": "4-a"},
        "B2": {"colour": "gray", "track": "1-3 5-3"},
        "C3": {"colour": "gray", "stops": ["city 20"], "track": "2-a"},
    }
    board = small_map(hexes)
    board.place_token("A3", 0, "A")
    assert network_of(board, "A").pieces == {("A3", 4, 6), ("B2", 1, 3)}
    assert not has_route(board, "A")


def test_new_track_reached_through_its_own_hex() -> None:
    """Over the old track of the hex, round, and back into it on its new track."""
    hexes: Hexes = {
        "A3": {"colour": "gray", "stops": ["city 20"], "track": "5-a"},
        "B4": {},
        "C5": {"colour": "gray", "stops": ["city 20"], "track": "1-a 2-a"},
        "B6": {"colour": "gray", "track": "3-4"},
        "C3": {"colour": "gray", "stops": ["town 10"], "track": "1-a"},
    }
    board = small_map(hexes)
    board.place_token("A3", 0, "A")
    board.lay("B4", "9", 2)
    network = network_of(board, "A")
    assert network.edges["B4"] == {0, 2, 5}
    assert lay_is_connected(board, "A", "B4", "19", 2)  # new: 4-0, by way of C5 and B6
    assert not lay_is_connected(board, "A", "B4", "26", 5)  # new: 5-4, whose stem the old track needs


@pytest.mark.parametrize("part", [False, True])
def test_part_of_new_track_will_do(part: bool) -> None:
    """R-AL-119: the way to the free end uses the stem on which the other end lies; it begins in between."""
    hexes: Hexes = {
        "A3": {"colour": "gray", "stops": ["city 20"], "track": "5-a"},
        "B4": {},
        "C5": {"colour": "gray", "track": "2-1"},
        "B6": {"colour": "gray", "track": "3-4"},
    }
    board = small_map(hexes, any_new_track_may_connect=part)
    board.place_token("A3", 0, "A")
    board.lay("B4", "9", 2)
    assert lay_is_connected(board, "A", "B4", "27", 5) is part
    assert not lay_is_connected(board, "A", "B4", "26", 5)  # new: 5-4, and 4 is not reached


def test_stops_of_one_group_are_one_place() -> None:
    hexes: dict[str, dict[str, object]] = {
        "A3": {"colour": "red", "stops": ["city 40"], "track": "5-a", "stop_group": "Town"},
        "B4": {"colour": "gray", "track": "2-3"},
        "B2": {"colour": "red", "stops": ["offboard 40"], "track": "0-a", "stop_group": "Town"},
    }
    board = small_map(hexes)
    board.place_token("A3", 0, "A")
    assert not has_route(board, "A")
    hexes["B2"]["stop_group"] = "Elsewhere"
    board = small_map(hexes)
    board.place_token("A3", 0, "A")
    assert has_route(board, "A")


@pytest.mark.parametrize("seed", range(6))
def test_reach_on_tiles(seed: int) -> None:
    for number, board in enumerate(random_board(seed, 120)):
        if number % 20 == 19:
            for company in ("PRR", "B&O", "LV"):
                plain, network = Plain(board, company), network_of(board, company)
                assert network.pieces == plain.pieces
                assert network.stops == plain.stops


@pytest.mark.parametrize("grouped", [0.1, 0.5])
@pytest.mark.parametrize("one_stop_a_hex", [False, True])
def test_reach_on_wild_track(one_stop_a_hex: bool, grouped: float, whole_games: bool) -> None:
    sizes = []
    for seed in range(150 if whole_games else 60):
        board = random_grid(seed, pieces=6, grouped=grouped, one_stop_a_hex=one_stop_a_hex)
        plain, network = Plain(board, "A"), network_of(board, "A")
        assert network.pieces == plain.pieces
        assert network.stops == plain.stops
        sizes.append(len(network.pieces))
    assert max(sizes) > 20


@pytest.mark.parametrize("grouped", [0.0, 0.5])
@pytest.mark.parametrize("one_stop_a_hex", [False, True])
def test_growing_network(one_stop_a_hex: bool, grouped: float, whole_games: bool) -> None:
    """After every lay: what is reached, and what is with a border left free."""
    grown = []
    for seed in range(60 if whole_games else 25):
        known = None
        for board in growing_grid(seed, grouped=grouped, one_stop_a_hex=one_stop_a_hex):
            network, afresh = network_of(board, "A"), RouteExplorer(board, "A")
            found = afresh.network()
            assert (network.stops, network.pieces, network.edges) == (found.stops, found.pieces, found.edges)
            assert network_of(board.copy(), "A").edges == network.edges
            kept = route_explorer_of(board, "A")
            borders = [(coord, edge) for coord, edges in network.edges.items() for edge in edges]
            bar = kept.crossing_bit(borders[0]) if borders else 0
            for border in borders:
                assert kept.route_enters_across(border, bar) == afresh.route_enters_across(border, bar)
            grown.append(kept is known)
            known = kept
    assert grown.count(True) > 80


@pytest.mark.parametrize("seed", range(4))
def test_questions_to_a_changing_map(seed: int) -> None:
    """One question at a time, each about a map on which only some of the changes were asked about."""
    answers = Counter[bool]()
    for number, board in enumerate(random_board(seed, 120)):
        afresh = board.copy()
        for company in ("PRR", "B&O", "LV")[number % 3 :: 2]:
            found = network_of(afresh, company)
            assert {*reached_stops(board, company)} == found.stops
            assert {*reached_hexes(board, company)} == {*found.edges}
            assert {coord for coord in board.coords if reaches_hex(board, company, coord)} == {*found.edges}
            for coord in list(found.edges)[number % 3 :: 3]:
                for tile in upgrade_candidates(board, coord, {"yellow", "green"})[:2]:
                    turns = rotations(board, coord, tile)
                    connected = lay_is_connected(afresh, company, coord, tile, *turns)
                    assert lay_is_connected(board, company, coord, tile, *turns) == connected
                    answers[connected] += 1
    assert min(answers[True], answers[False]) > 20


@pytest.mark.parametrize("one_stop_a_hex", [False, True])
def test_copied_networks_change_alone(one_stop_a_hex: bool) -> None:
    """Both maps know what was known of a network, and each stays right as it changes."""
    for seed in range(20):
        boards = growing_grid(seed, grouped=0.3, one_stop_a_hex=one_stop_a_hex)
        board = next(board for number, board in enumerate(boards) if number == 5)
        network_of(board, "A")
        other = board.copy()
        copy_cached_network(board, other, "A")
        before = network_of(board, "A")
        for coord in board.coords:
            if other.tile(coord) is None:
                other.lay(coord, coord, 0)
                there, afresh = network_of(other, "A"), RouteExplorer(other, "A").network()
                assert (there.stops, there.pieces, there.edges) == (afresh.stops, afresh.pieces, afresh.edges)
        assert network_of(board, "A") is before
        next(boards)
        here, afresh = network_of(board, "A"), RouteExplorer(board, "A").network()
        assert (here.stops, here.pieces, here.edges) == (afresh.stops, afresh.pieces, afresh.edges)


@pytest.mark.parametrize("one_stop_a_hex", [False, True])
def test_reach_with_a_border_barred(one_stop_a_hex: bool) -> None:
    shut = []
    for seed in range(40):
        board = random_grid(seed, pieces=6, grouped=0.3, one_stop_a_hex=one_stop_a_hex)
        explorer, free = RouteExplorer(board, "A"), Plain(board, "A")
        for barred in sorted(free.entered)[seed % 3 :: 3]:
            plain = Plain(board, "A", frozenset({border_of(board, *barred)}))
            bar = explorer.crossing_bit(barred)
            assert {
                border for border in free.entered if explorer.route_enters_across(border, bar)
            } == plain.entered
            assert {stop for stop in free.stops if explorer.route_reaches_stop(stop, bar)} == plain.stops
            shut.append(len(free.entered) - len(plain.entered) > 1)
    assert shut.count(True) > 20
    assert shut.count(False) > 20


def test_circle_is_travelled_both_ways() -> None:
    """From A3 one comes round by C3 and back to B4, and the other way; out of B4 to A5 only by C3."""
    hexes: Hexes = {
        "A3": {"colour": "gray", "stops": ["city 20"], "track": "5-a"},
        "A5": {"colour": "gray", "stops": ["town 10"], "track": "4-a"},
        "B4": {"colour": "gray", "track": "2-4 2-5 1-5"},
        "C3": {"colour": "gray", "track": "0-1"},
        "C5": {"colour": "gray", "track": "2-3"},
    }
    board = small_map(hexes)
    board.place_token("A3", 0, "A")
    network = network_of(board, "A")
    pieces = {piece for piece in network.pieces if piece[0] == "B4"}
    assert pieces == {("B4", 2, 4), ("B4", 2, 5), ("B4", 1, 5)}
    assert network.stops == {("A3", 0), ("A5", 0)}
    assert RouteExplorer(board, "A").route_enters_across(("B4", 4))
    assert not RouteExplorer(board, "A").route_enters_across(
        ("B4", 4), RouteExplorer(board, "A").crossing_bit(("B4", 2))
    )


def test_lay_is_connected() -> None:
    rng = Random(1)
    answers = []
    for number, board in enumerate(board for seed in range(10, 14) for board in random_board(seed, 100)):
        if number % 100 < 40 or number % 6:
            continue
        coord = rng.choice([c for c in network_of(board, "B&O").edges if board.topology(c).pieces] or ["H6"])
        for tile in upgrade_candidates(board, coord, ("green", "brown", "gray")):
            for rotation in rotations(board, coord, tile):
                expected = connected_afterwards(board, "B&O", coord, tile, rotation)
                assert lay_is_connected(board, "B&O", coord, tile, rotation) == expected
                answers.append(expected)
    assert answers.count(True) > 10
    assert answers.count(False) > 10


def connected_afterwards(board: Map, company: str, coord: str, tile: str, rotation: int) -> bool:
    old = board.topology(coord)
    later = board.copy()
    later.lay(coord, tile, rotation)
    found = {piece for piece in Plain(later, company).pieces if piece[0] == coord}
    if any(stop.kind == "city" for stop in old.stops):
        return bool(found)
    known = {frozenset(piece.ends()) for piece in old.pieces}
    return any(frozenset(piece[1:]) not in known for piece in found)
