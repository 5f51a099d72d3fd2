"""18NewEngland: what the tables say (3, 6-8)."""

import pytest
from pydantic import ValidationError

from engine.core.events import CompaniesDrawn
from engine.core.spec import TitleSpec
from engine.tell.narrate import sentences
from engine.titles import TITLES
from tests.titles.builders import TitleGame, new_game

TITLE = "18newengland"


def game(players: int = 3, seed: int = 0, profile: str = "rulebook") -> TitleGame:
    return new_game(players, seed, profile, TITLE)


def test_minors_and_majors_of_18newengland() -> None:
    """One certificate; the home is the one of several cities that has the printed edge. Majors have three
    tokens (R-NE-002, R-NE-003)."""
    companies = game().table.state.companies.values()
    minors = [c for c in companies if game().table.kind_name(c) == "minor"]
    assert len(minors) == 15
    assert {(c.certificate, c.share, tuple(c.tokens), sum(c.shares.values())) for c in minors} == {
        (100, 50, (0,), 0)
    }
    board = game().table.map
    edges = {c: (h, sorted(board.topology(h).edges_of(stop))) for c, (h, stop) in board.homes.items()}
    assert edges == {
        "AWS": ("B3", [5]),
        "HRR": ("B3", [0]),
        "BL": ("L5", [2]),
        "ER": ("L5", [4]),
        "NYNH": ("F13", [1]),
        "HNH": ("F13", [3]),
        "NLN": ("F13", [5]),
        "BP": ("K10", [2, 3]),
        "CR": ("G8", [3]),
        "CV": ("E2", [0, 1, 5]),
        "FRR": ("J3", [0, 1]),
        "GR": ("L7", []),
        "NYW": ("B19", [2, 3]),
        "PE": ("B11", [0, 3]),
        "WNR": ("I6", [4, 5]),
    }
    table = game().table
    majors = [c for c in table.state.companies.values() if table.kind_name(c) == "major"]
    assert [c.id for c in majors] == ["B&A", "B&M", "CN", "CVT", "D&H", "NYC", "NYNHH", "P&W"]
    assert {(c.certificate, c.share, tuple(c.tokens)) for c in majors} == {(20, 10, (0, 40, 80))}
    assert {table.spec.companies[c.id].home for c in majors} == {None}


@pytest.mark.parametrize(
    ("seed", "drawn"),
    [
        (73885, "CV ER BL CR HRR PE NYNH NYW HNH WNR"),
        (23907952, "GR FRR CV NYNH HNH WNR ER AWS BP NLN"),
        (1, "NLN HRR ER BL GR NYW BP PE NYNH HNH"),
    ],
)
def test_seed_draws_ten_minors(seed: int, drawn: str) -> None:
    """As it does in recorded games (R-NE-004)."""
    table = game(seed=seed).table
    minors = (c for c in table.state.companies.values() if table.kind_name(c) == "minor")
    assert {c.id for c in minors if not c.waiting} == set(drawn.split())


def test_opening_names_later_minors() -> None:
    """With the phase that brings them (R-NE-004)."""
    new = game(seed=73885)
    (drawn,) = new.opening_events
    assert isinstance(drawn, CompaniesDrawn)
    assert sorted(drawn.companies) == ["AWS", "BP", "FRR", "GR", "NLN"]
    assert "not available before phase 3" in sentences([drawn], new)[0]


def test_printed_market_trains_and_red_areas() -> None:
    """Yellow spaces and, for later, green ones. The row of majors ends the game at 500, and nothing leads out
    of it. Limits of minors and of majors; two operating rounds in every set. New York and Burlington have a
    space for a station (R-NE-005, R-NE-006, R-NE-007, R-NE-008, R-NE-098)."""
    grid = game().table.grid
    found = [(value, zone.name) for value, cell in grid.spaces() if (zone := grid.zone(cell))]
    yellow = [(value, "yellow") for value in (50, 50, 55, 55, 60, 60, 65, 65, 70, 70)]
    assert found == yellow + [(value, "green") for value in (80, 80, 90, 90, 100, 100)]
    grid = game().table.grid
    prices = [square.price for square in grid.rows[2] if square]
    assert (prices[0], prices[-1], len(prices)) == (35, 500, 28)
    assert [price for price, _ in grid.pars()] == [100, 110, 120, 130, 145, 160, 180, 200]
    assert [c for c in range(28) if grid.ends_game((2, c))] == [27]
    assert (grid.left((2, 0)), grid.right((2, 27)), grid.up((2, 5))) == ((2, 0), (2, 27), (2, 5))
    spec = game().table.spec
    assert [(x.name, x.count, x.price, x.max_stops, x.rusts_on, x.run_as_one_train) for x in spec.trains] == [
        ("2", 10, 100, 2, "4", False),
        ("3", 7, 180, 3, "6", False),
        ("4", 4, 300, 4, "8", False),
        ("5E", 4, 500, 5, None, True),
        ("6E", 3, 600, 6, None, True),
        ("8E", None, 800, 8, None, True),
    ]
    assert [
        (p.name, p.train, p.train_limits["minor"], p.train_limit, p.tile_colours[-1]) for p in spec.phases
    ] == [
        ("2", None, 2, 4, "yellow"),
        ("3", "3", 2, 4, "green"),
        ("4", "4", 1, 3, "green"),
        ("5", "5E", 1, 3, "brown"),
        ("6", "6E", 1, 2, "brown"),
        ("8", "8E", 1, 2, "gray"),
    ]
    assert {phase.operating_rounds for phase in spec.phases} == {2}
    table = game().table
    values = {
        coord: (stop.revenue, stop.slots)
        for coord in table.map.coords
        if table.map.is_terminal(coord)
        for stop in table.map.topology(coord).stops
    }
    assert values == {
        "A2": ((0, 20, 30, 30), 0),
        "B19": ((40, 50, 70, 100), 1),
        "E2": ((30, 40, 50, 60), 1),
        "J1": ((20, 30, 40, 60), 0),
        "L1": ((20, 30, 40, 60), 0),
    }
    assert [phase.revenue_step for phase in table.spec.phases] == [0, 1, 1, 2, 2, 3]


@pytest.mark.parametrize(("profile", "plain"), [("rulebook", [None] * 3), ("18xx.games", [5, 18, 15])])
def test_box_has_164_tiles(profile: str, plain: list[int | None]) -> None:
    """With 7, 8 and 9, which never run out but on that site (R-NE-009, D-NE-4)."""
    supply = game(profile=profile).table.map.supply
    assert [supply[tile] for tile in "789"] == plain
    assert sum(left for tile, left in supply.items() if left is not None and tile not in "789") == 164 - 38


def test_names_of_companies() -> None:
    """Logs go by the letters (D-NE-19)."""
    companies = TITLES[TITLE].spec.companies
    assert companies["CN"].name == "Canadian National Railway"
    assert companies["D&H"].name == "Delaware and Hudson Railway"


@pytest.mark.parametrize(
    "change",
    [
        {"must_own_train": {"mayor": "always"}},
        {"company_draw": {"kind": "miner", "count": 10, "others_from_phase": "3"}},
        {"mergers": {"small_kind": "minor", "large_kind": "mayor", "from_phase": "3"}},
    ],
)
def test_unknown_kind_of_companies_is_refused(change: dict[str, object]) -> None:
    table = TITLES["18newengland"].spec.model_dump()
    assert TitleSpec.model_validate(table).mergers is not None
    with pytest.raises(ValidationError, match=r"no companies of kind (mayor|miner)"):
        TitleSpec.model_validate({**table, **change})
