"""18Chesapeake: set-up and components (rulebook 2, 3, 7, 8, 14.1)."""

import pytest

from engine.core.errors import TitleError
from engine.core.events import CertificateDrawn
from engine.core.ids import OFFERING
from engine.tell.narrate import sentences
from tests.titles.builders import SEED_OF_LINKED, Position, TitleGame, new_game


@pytest.mark.parametrize("name", ["b", "PRR", "CV", "bank", "offering", "market", "removed", "pool"])
def test_seats_have_ids_of_their_own(name: str) -> None:
    """R-CH-006: not that of a company, a private, another player, or a place for shares or trains."""
    with pytest.raises(TitleError, match="each player needs a different id"):
        TitleGame("18chesapeake", [(name, "A"), ("b", "B"), ("c", "C")], seed=0)


def test_opening_names_vanderbilts_certificate() -> None:
    """R-CH-005 (3, 7.1): chance draws it at the start, and everybody knows."""
    game = new_game(3, SEED_OF_LINKED["LV"])
    assert game.opening_events == (CertificateDrawn("CV", "LV", is_president_certificate=True),)
    lines = sentences(game.opening_events, game)
    assert lines == ["CV comes with the president's certificate of LV."]
    assert new_game(3, title="18al").opening_events == ()


def test_first_seat_holds_priority() -> None:
    """R-CH-006 (3)"""
    game = new_game(4)
    assert game.table.state.priority == 0
    assert game.actors() == ("a",)


@pytest.mark.parametrize(("company", "seed"), [*SEED_OF_LINKED.items(), ("C&O", 22383)])
def test_seed_draws_vanderbilts_company(company: str, seed: int) -> None:
    """R-CH-005 (3, 7.1), worked example 1."""
    assert new_game(4, seed).table.state.privates["CV"].linked == company


def test_printed_companies_privates_trains() -> None:
    """R-CH-003, R-CH-004, R-CH-007, R-CH-008 (7.1, 7.2, 8, 10.4, 11.4, 11.7): nine certificates each."""
    companies = new_game(3).table.state.companies
    assert len(companies) == 8
    assert all(c.certificate == 20 and c.shares == {OFFERING: 80} for c in companies.values())
    game = new_game()
    homes = {name: home[0] for name, home in game.table.map.homes.items()}
    north = {"B&O": "H6", "C&A": "J6", "LV": "J2", "PRR": "F2", "PLE": "A3", "SRR": "H4"}
    assert homes == {**north, "C&O": "G13", "N&W": "C13"}
    prices = {c.id: c.tokens for c in game.table.state.companies.values()}
    count = {"B&O": 3, "C&A": 2, "C&O": 4, "LV": 2, "N&W": 3, "PRR": 4, "PLE": 3, "SRR": 2}
    assert prices == {name: [0, 40, 60, 80][:number] for name, number in count.items()}
    south_west = game.table.map.topology("H6").edges_of(game.table.map.homes["B&O"][1])
    assert south_west == {1}
    privates = new_game().title.spec.privates
    assert {name: (p.face_value, p.income, p.blocked_hexes) for name, p in privates.items()} == {
        "D&R": (20, 5, ("K3",)),
        "C-P": (40, 10, ("H2", "I3")),
        "B&S": (50, 10, ("F4", "G5")),
        "C&OC": (80, 15, ("D2",)),
        "B&OR": (100, 0, ()),
        "CV": (200, 30, ()),
    }
    spec = new_game().title.spec
    assert [(x.name, x.count, x.price, x.rusts_on) for x in spec.trains] == [
        ("2", 7, 80, "4"),
        ("3", 6, 180, "6"),
        ("4", 5, 300, "D"),
        ("5", 3, 500, None),
        ("6", 2, 630, None),
        ("D", None, 900, None),
    ]
    assert [(p.name, p.train_limit, p.tile_colours[-1], p.operating_rounds) for p in spec.phases] == [
        ("2", 4, "yellow", 1),
        ("3", 4, "green", 2),
        ("4", 3, "green", 2),
        ("5", 2, "brown", 3),
        ("6", 2, "brown", 3),
        ("D", 2, "gray", 3),
    ]


@pytest.mark.parametrize(
    ("phase", "values"),
    [
        ("2", (40, 40, 30)),
        ("3", (50, 60, 40)),
        ("4", (50, 60, 40)),
        ("6", (60, 80, 50)),
        ("D", (80, 100, 60)),
    ],
)
def test_red_areas_pay_by_phase(phase: str, values: tuple[int, ...]) -> None:
    """R-CH-010 (8, 11.5): Pittsburgh and the coal fields, Ohio and New York, Norfolk."""
    t = Position().phase(phase).game().table
    route_rules = t.rules.route_rules(t)
    train = next(iter(route_rules.trains))
    for coords, expected in zip(("A3 B2 A13 B14", "A7 L2", "H14"), values, strict=True):
        assert {route_rules.value(t.map, "PRR", (coord, 0), train) for coord in coords.split()} == {expected}


def test_plain_tiles_and_par_cells() -> None:
    """R-CH-011, R-CH-012 (10.4, 11.3), worked example 9: plain tiles never run out; the row of the par cell,
    from 1."""
    tiles = new_game().title.spec.tiles
    assert [number for number, tile in tiles.items() if tile.count is None] == ["7", "8", "9"]
    assert sum(tile.count or 0 for tile in tiles.values()) + 4 + 12 + 9 == 97
    pars = new_game().table.grid.pars()
    assert [(price, cell[0] + 1) for price, cell in pars] == [(70, 5), (80, 4), (95, 3)]


@pytest.mark.parametrize("linked", ["LV", "B&O"])
def test_two_players_have_triple_certificates(linked: str) -> None:
    """R-CH-240 (14.1)"""
    companies = new_game(2, SEED_OF_LINKED[linked]).table.state.companies
    assert {name: c.certificate for name, c in companies.items()} == {
        name: 20 if name == linked else 30 for name in companies
    }
    assert all(sum(c.shares.values()) + c.certificate == 100 for c in companies.values())
