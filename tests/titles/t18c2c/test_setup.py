"""18C2C before the first move: players, bank, limits, board, trains, phases, and what options change."""

import pytest

from engine.core.errors import TitleError
from engine.core.ids import OFFERING
from engine.core.spec import PhaseSpec
from engine.play.turn_order import start_next_round
from engine.titles import TITLES
from engine.titles.t18c2c.house_rules import certificate_limit_of
from engine.titles.t18c2c.rules import CoastToCoastRules
from tests.titles.builders import Position, TitleGame, new_game

SMALL, FULL = "18c2c", "18c2c-full"


def test_limit_follows_corporations_in_play() -> None:
    """R-C2C-004; example 1: with 10 in play four players may have 15, from the next stock round on."""
    position = Position(players=4, title=SMALL)
    table = position.t
    for name in ("CP", "ERIE"):
        table.state.companies[name].closed = True
    position.state.round = table.rules.next_round(table)
    assert table.state.certificate_limit == 0
    while table.state.round.kind != "stock":
        start_next_round(table)
    assert table.state.certificate_limit == 15


@pytest.mark.parametrize(
    ("companies", "players", "limit"), [(12, 5, 14), (10, 4, 15), (9, 4, 14), (32, 7, 27)]
)
def test_limit_is_rounded_half_up(companies: int, players: int, limit: int) -> None:
    """R-C2C-004: 14.4 is 14, 13.5 is 14."""
    assert certificate_limit_of(companies, players, 6) == limit


def test_companies_board_and_trains_of_18c2c() -> None:
    """R-C2C-001, R-C2C-005, R-C2C-007, R-C2C-00B, R-C2C-281: 12 and 32 with nine certificates each; nationals
    cannot be started; CP is bound for Thunder Bay; the small game has a third of the trains."""
    for title, count in ((SMALL, 12), (FULL, 32)):
        table = new_game(4, title=title).table
        singles = [c for c in table.state.companies.values() if table.rules.may_start(table, c)]
        assert len(singles) == count
        assert all((c.certificate, c.shares) == (20, {OFFERING: 80}) for c in singles)
        assert set(table.state.companies) - {c.id for c in singles} == {"AMTK", "CR"}
    small, full = TITLES[SMALL].spec.map.all_hexes, TITLES[FULL].spec.map.all_hexes
    assert (len(small), len(full)) == (274, 801)
    assert set(small) < set(full)
    for title in (SMALL, FULL):
        spec = TITLES[title].spec
        hexes = spec.map.all_hexes
        for company in spec.companies.values():
            places = [*company.destination, *([company.home.hex] if company.home else [])]
            assert all(hexes[coord].stops for coord in places)
    assert TITLES[SMALL].spec.companies["CP"].destination == ("A54",)
    few, many = TITLES[SMALL].spec.trains, TITLES[FULL].spec.trains
    assert [train.count for train in few] == [7, 6, 5, 4, 3, 3, 2, 6]
    assert [train.count for train in many] == [21, 18, 15, 12, 9, 9, 6, None]
    assert [train.price for train in few] == [80, 180, 300, 450, 630, 800, 950, 1100]
    assert sum(train.count or 0 for train in few) == 36


def test_trains_of_18c2c_are_sold_in_order() -> None:
    """R-C2C-006: the 3 comes when the 2s are gone."""
    position = Position(title=SMALL).start("PRR", 100, a=60).operating("PRR", "trains")
    assert _for_sale(position.game()) == {"2"}
    position = Position(title=SMALL).depot(t2=0).start("PRR", 100, a=60).operating("PRR", "trains")
    assert _for_sale(position.game()) == {"3"}


def _for_sale(game: TitleGame) -> set[str]:
    found = [offer.slots[0].domain({}) for offer in game.offers("a") if offer.kind == "buy_train"]
    return {str(choice.value) for domain in found for choice in domain.choices()}


PHASES = [
    ("2", ["yellow"], 4, 1, 0, (3, 3), 125),
    ("3", ["yellow", "green"], 4, 2, 0, (3, 3), 150),
    ("4", ["yellow", "green"], 3, 2, 0, (3, 4), 150),
    ("5", ["yellow", "green", "brown"], 2, 3, 1, (3, 4), 200),
    ("3D", ["yellow", "green", "brown", "gray"], 2, 3, 1, (4, 5), 300),
    ("4D", ["yellow", "green", "brown", "gray"], 2, 3, 2, (4, 5), 300),
    ("5D", ["yellow", "green", "brown", "gray"], 2, 3, 3, (5, 5), 300),
    ("6D", ["yellow", "green", "brown", "gray"], 2, 3, 4, (5, 5), 300),
]


def test_phases_of_18c2c() -> None:
    """R-C2C-010: tiles, limit, operating rounds, column of red places, tile points, privatization."""

    def row(phase: PhaseSpec) -> tuple[object, ...]:
        first = (phase.name, list(phase.tile_colours), phase.train_limit, phase.operating_rounds)
        return (*first, phase.revenue_step, phase.tile_points, phase.privatize_price_percent)

    assert [row(phase) for phase in TITLES[SMALL].spec.phases] == PHASES


def test_red_places_pay_and_open_by_phase() -> None:
    """R-C2C-00A, R-C2C-012: New Orleans goes from 30 by 50 and 70 to 100, a phase without a column keeps the
    value; it opens from 5 and 4D, Mackinaw has two spaces from the start."""
    spec = TITLES[SMALL].spec
    stop = spec.map.all_hexes["W54"].topology.stops[0]
    values = [stop.value(phase.revenue_step) for phase in spec.phases]
    assert values == [30, 30, 30, 50, 50, 70, 70, 100]
    table = Position(title=SMALL).t
    rooms = []
    for phase in ("2", "5", "4D"):
        table.state.phase = phase
        table.rules.on_phase(table)
        rooms.append([len(table.map.slots(coord, 0)) for coord in ("W54", "E62", "D81")])
    assert rooms == [[1, 2, 1], [2, 2, 2], [3, 2, 2]]


def test_supply_and_saint_louis() -> None:
    """R-C2C-008, R-C2C-114, R-C2C-124: the supply is the same for both boards, without the tiles that the kit
    takes away. Saint Louis is reached from the east, its other sides are dead; by an option it is not
    there."""
    small, full = TITLES[SMALL].spec.tiles, TITLES[FULL].spec.tiles
    assert {n: tile.count for n, tile in small.items()} == {n: tile.count for n, tile in full.items()}
    assert (small["8"].count, small["592"].count, small["131"].count) == (120, 7, 1)
    assert "594" not in small
    board = new_game(4, title=SMALL).table.map
    assert board.usable_edges("M52") == {3, 4}
    assert board.usable_edges("W54") == {2, 3}
    table = new_game(4, title=SMALL, options=["no_saint_louis"]).table
    assert "M52" not in table.map.coords
    unbound = [n for n, c in table.spec.companies.items() if c.kind == "single" and not c.destination]
    assert unbound == ["GM&O", "PRR"]


def test_options_change_house_rules() -> None:
    """R-C2C-003, R-C2C-009, R-C2C-021, R-C2C-282: each option's value is taken, but not two of one rule."""
    for title in (SMALL, FULL):
        house = TITLES[title].spec.house
        named = {name for rule in house.values() for name in rule.value_by_option}
        assert named == set(CoastToCoastRules.OPTIONS) - {"best_run_required"}
        assert len(house) >= 88
    table = new_game(4, title=SMALL, options=["two_eliminations", "less_cash", "overlays"]).table
    assert table.spec.auction.eliminations == 2
    assert {player.cash for player in table.state.players} == {450}
    assert table.map.label("L75") == "P"
    with pytest.raises(TitleError, match="the options one_elimination, two_eliminations exclude each other"):
        new_game(4, title=SMALL, options=["one_elimination", "two_eliminations"])
