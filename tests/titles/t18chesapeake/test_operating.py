"""18Chesapeake: order of operating, stations, routes, dividends, privates (rulebook 7.1, 11)."""

from collections.abc import Iterable, Sequence

import pytest

from engine.board import upgrades
from engine.board.map import Map
from engine.board.network import network_of
from engine.core.events import IncomePaid, ProposalEnded, RoundStarted
from engine.core.facts import fact
from engine.core.offers import Cursor, Offer, Routes, Suggestion
from engine.game import Game
from engine.play.operating_order import operating_order
from engine.play.steps.run_trains import best_run
from engine.routes.legal_routes import Route, check_routes
from tests.titles.builders import (
    Position,
    cash,
    company,
    do,
    domain,
    find,
    kinds,
    label,
    offered,
    on_turn,
    passes,
    refused,
    round_name,
    values,
)

J2_K1 = "J2.a-4 K1.1-a"
"""LV's home to Easton; with tile 57 turned by 1."""


def price(game: Game, name: str) -> int:
    """Present share price."""
    return game.table.price(company(game, name))


# --- order ---------------------------------------------------------------------------------------------------------


def test_privates_pay_their_owners_in_every_operating_round() -> None:
    """R-CH-080 (11, 11.2): players and companies, from the bank."""
    position = (
        Position().phase("3").start("LV", 95, a=60).owns("a", "D&R", "CV").owns("LV", "C-P").owns("b", "B&OR")
    )
    game = position.stock().cash(a=100, b=100, c=0).game()
    bank = game.table.state.bank
    passes(game, "a", "b")
    assert round_name(game) == "OR 2.1"
    assert cash(game) == {"a": 135, "b": 100, "c": 0}
    assert company(game, "LV").cash == 960
    assert game.table.state.bank == bank - 45


def test_from_phase_5_on_privates_pay_nothing() -> None:
    """R-CH-080 (8, 11.2): the first 5-train closes them."""
    position = (
        Position().phase("4").depot(t4=0).start("LV", 95, a=60).owns("a", "D&R", "CV").owns("LV", "C-P")
    )
    game = position.treasury("LV", 500).operating("LV", "trains").game()
    do(game, "buy_train", "LV", train="5", source="bank", trade_in="", price=500)
    assert all(p.closed and p.owner is None for p in game.table.state.privates.values())


def test_the_highest_price_operates_first_and_at_equal_price_the_marker_further_right() -> None:
    """R-CH-081 (11), worked example 12."""
    position = Position().start("LV", 95, at=(1, 4), a=60).start("PRR", 80, at=(2, 5), b=60)
    position.start("SRR", 70, at=(1, 5), c=60)
    order = [c.id for c in operating_order(position.game().table)]
    assert order == ["SRR", "PRR", "LV"]


def test_in_the_same_cell_the_upper_marker_operates_first() -> None:
    """R-CH-081 (11), worked example 12."""
    for first, second in (("LV", "PRR"), ("PRR", "LV")):
        position = Position().start(first, 95, at=(1, 4), a=60).start(second, 80, at=(1, 4), b=60)
        game = position.game()
        passes(game, "a", "b", "c")
        assert game.table.turn.company == first


def test_every_floated_company_operates_once_in_a_round() -> None:
    """R-CH-081, R-CH-009 (11): a dividend does not give a second turn."""
    position = Position().phase("3").start("LV", 95, at=(1, 4), a=60).start("N&W", 80, at=(1, 3), b=60)
    game = position.tile("J2", "57", 1).tile("C13", "57", 1).trains("LV", "3").trains("N&W", "3").game()
    passes(game, "a", "b", "c")
    seen: list[tuple[str, str]] = []
    while round_name(game).startswith("OR"):
        turn = (round_name(game), game.table.turn.company)
        if not seen or seen[-1] != turn:
            seen.append(turn)
        kind = kinds(game)
        if "run_routes" in kind:
            do(game, "run_routes", turn[1], routes=())
        else:
            passes(game, turn[1])
    assert seen == [("OR 2.1", "LV"), ("OR 2.1", "N&W"), ("OR 2.2", "LV"), ("OR 2.2", "N&W")]


def test_the_number_of_operating_rounds_is_fixed_when_the_stock_round_ends() -> None:
    """R-CH-009 (11): a phase that starts in the set changes the next one."""
    position = Position().phase("2").depot(t2=0).start("LV", 95, a=60).tile("J2", "57", 1)
    game = position.operating("LV", "trains").game()
    do(game, "buy_train", "LV", train="3", source="bank", trade_in="", price=180)
    assert game.table.state.phase == "3"
    while round_name(game) == "OR 2.1":
        passes(game, "LV")
    assert round_name(game) == "SR 3"
    passes(game, "a", "b", "c")
    assert game.table.operating.of == 2


def test_a_turn_has_its_order() -> None:
    """R-CH-082 (11): track, station, run, dividend, trains; what is over does not come back."""
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", "2").tile("J2", "15", 4)
    game = position.operating("LV").game()
    seen = []
    while round_name(game) == "OR 2.1" and game.table.operating.turn is not None:
        step = game.step()
        assert step is not None
        seen.append(step.name)
        if step.name == "run":
            do(game, "run_routes", "LV", routes=(f"2:{J2_K1}",))
        elif step.name == "dividend":
            do(game, "dividend", "LV", option="withhold")
        else:
            passes(game, "LV")
    assert seen == ["track", "token", "run", "dividend", "trains"]


# --- stations ------------------------------------------------------------------------------------------------------


def stations() -> Position:
    """LV's green home leads to the northern city of Philadelphia."""
    return Position().phase("3").start("LV", 95, a=60).tile("J2", "15", 4).operating("LV", "token")


def test_one_station_is_placed_in_a_turn_for_the_next_price() -> None:
    """R-CH-112 (11.4)"""
    game = stations().game()
    assert values(game, "place_token", "LV", "hex") == ["J4"]
    refused(game, "11.4", "place_token", "LV", hex="H6", city=0)
    refused(game, "11.4", "place_token", "LV", hex="J2", city=0)
    refused(game, "11.4", "place_token", "LV", hex="K3", city=0)
    refused(game, "", "place_token", "LV", hex="Z1", city=0)
    for city in (0, -1, 5):
        refused(game, "11.4", "place_token", "LV", hex="J4", city=city)
    do(game, "place_token", "LV", hex="J4", city=1)
    assert company(game, "LV").cash == 910
    assert not offered(game, "place_token")


def test_the_prices_of_stations_are_40_60_80() -> None:
    """R-CH-112 (11.4)"""
    position = Position().phase("3").start("PRR", 95, a=60).tile("F2", "57", 1).tile("E3", "57", 1)
    position.tile("D4", "9", 1).tile("C5", "57", 1).tile("D12", "57", 1)
    game = position.token("PRR", "D12").operating("PRR", "token").game()
    assert label(game, find(game, "place_token")) == "Place a token for $60"
    do(game, "place_token", "PRR", hex="E3", city=0)
    assert company(game, "PRR").tokens == [80]
    assert company(game, "PRR").cash == 890


def test_without_the_money_no_station_is_placed() -> None:
    """R-CH-112 (11.4)"""
    game = stations().treasury("LV", 39).game()
    assert not offered(game, "place_token")


def test_there_is_one_station_of_a_company_in_a_hex() -> None:
    """R-CH-112 (11.4): two cities of a hex included."""
    position = stations().tile("J4", "X3", 0)
    position.t.map.place_token("J4", 1, "LV")
    game = position.game()
    assert not offered(game, "place_token")


def test_a_home_slot_stays_free_until_its_company_operates() -> None:
    """R-CH-113 (11.4)"""
    position = Position().phase("3").start("C&A", 70, a=60).tile("J6", "57", 0).tile("J4", "X4", 0)
    position.tile("I5", "4", 1).operating("C&A", "token")
    board = position.t.map
    assert not board.free_slot("H6", 0, "C&A")
    assert board.free_slot("H6", 1, "C&A")
    assert board.free_slot("H6", 0, "B&O")
    game = position.game()
    assert ("H6", 1) in network_of(game.table.map, "C&A").stops
    do(game, "place_token", "C&A", hex="H6", city=1)
    assert game.table.map.free_slot("H6", 0, "B&O")


def test_the_baltimores_slot_follows_its_city() -> None:
    """R-CH-113 (11.4): in the brown tile one of two slots is kept."""
    board = Position().phase("5").t.map
    board.lay("H6", "X3", turn(board, "H6", "X3"))
    board.lay("H6", "X7", turn(board, "H6", "X7"))
    assert board.free_slot("H6", 0, "PRR")
    board.place_token("H6", 0, "PRR")
    assert not board.free_slot("H6", 0, "SRR")
    assert board.free_slot("H6", 0, "B&O")


def turn(board: Map, coord: str, tile: str) -> int:
    """The first legal rotation."""
    return upgrades.rotations(board, coord, tile)[0]


def test_the_home_station_is_free_and_leaves_the_turns_station() -> None:
    """R-CH-114 (11.4)"""
    game = Position().phase("3").start("LV", 95, a=60).tile("J2", "15", 4).stock().game()
    passes(game, "a", "b", "c")
    assert game.table.map.tokens_of("LV") == [("J2", 0)]
    assert company(game, "LV").cash == 950
    passes(game, "LV")
    do(game, "place_token", "LV", hex="J4", city=1)


# --- routes --------------------------------------------------------------------------------------------------------


def runs(position: Position, *routes: str) -> int:
    """What these routes of LV earn; raises IllegalAction."""
    t = position.t
    read = tuple(Route.read(text) for text in routes)
    trains = [route.train for route in read]
    return sum(run.value for run in check_routes(t.map, "LV", trains, read, t.rules.terms(t)))


def test_a_route_has_two_stops_and_at_most_as_many_as_the_train() -> None:
    """R-CH-120 (11.1, 11.5)"""
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", "2", "3").tile("J2", "15", 4)
    game = position.operating("LV", "run").game()
    long = "J4.b-3 J2.0-a J2.a-4 K1.1-a"
    assert "runs 2 at most" in refused(game, "11.5", "run_routes", "LV", routes=(f"2:{long}",))
    assert "begins and ends" in refused(game, "11.1", "run_routes", "LV", routes=("2:J2.a-4",))
    do(game, "run_routes", "LV", routes=(f"3:{long}",))
    assert game.table.turn.revenue == 30 + 30 + 30


def test_a_diesel_counts_any_number_of_stops() -> None:
    """R-CH-120 (11.5)"""
    position = (
        Position().phase("D").start("LV", 95, a=60).trains("LV", "D").tile("J2", "15", 4).tile("J4", "X3", 0)
    )
    game = position.tile("K3", "1", 2).operating("LV", "run").game()
    do(game, "run_routes", "LV", routes=("D:J4.b-3 J2.0-a J2.a-4 K1.1-a",))


def test_trains_that_join_by_their_title_run_as_one() -> None:
    """In no 18Chesapeake: its trains, changed as a title may have them (18NewEngland R-NE-089)."""
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", "2", "3").tile("J2", "15", 4)
    game = position.operating("LV", "run").game()
    rules = game.table.rules
    joining = [train.model_copy(update={"joins": True}) for train in rules.spec.trains]
    rules.spec = rules.spec.model_copy(update={"trains": tuple(joining)})
    assert best_run(game.table).revenue == 2 * (30 + 30)
    assert [run.route.train for run in best_run(game.table).runs] == ["2"]
    refusal = refused(game, "11.5", "run_routes", "LV", routes=("3:J4.b-3 J2.0-a J2.a-4 K1.1-a",))
    assert "run together" in refusal


def test_a_route_needs_an_own_station() -> None:
    """R-CH-120 (11.1)"""
    position = Position().phase("3").start("LV", 95, a=60).start("C&A", 70, b=60).trains("LV", "2")
    game = position.tile("J6", "57", 0).tile("J2", "57", 1).operating("LV", "run").game()
    assert "no token of LV" in refused(game, "11.1", "run_routes", "LV", routes=("2:J6.a-3 J4.0-a",))


@pytest.mark.parametrize(
    ("route", "words"),
    [
        ("2:J2.a-0 J4.3-b", "no such track"),
        ("2:J2.a-4 K1.0-a", "does not continue"),
        ("2:Z9.a-4 K1.1-a", "no such track"),
        ("3:" + J2_K1, "each of them may run once"),
        ("9:" + J2_K1, "each of them may run once"),
        ("2:J2.a-4", "begins and ends"),
        ("2:J2.a-4 K1.1-a K1.a-1 J2.4-a", "twice"),
    ],
)
def test_a_route_follows_laid_track_once(route: str, words: str) -> None:
    """R-CH-121, R-CH-122 (11.1)"""
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", "2", "2").tile("J2", "57", 1)
    game = position.operating("LV", "run").game()
    assert words in refused(game, "", "run_routes", "LV", routes=(route,))


@pytest.mark.parametrize(
    "text", ["", "2", "2:", ":J2.a-4", "2:J2", "2:J2.a-9 K1.1-a", "nonsense", "2:J2.a-4,K1.1-a"]
)
def test_what_cannot_be_read_as_a_route_is_said_so(text: str) -> None:
    """R-CH-120: nothing changes."""
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", "2").tile("J2", "57", 1)
    game = position.operating("LV", "run").game()
    assert "Cannot read the route" in refused(game, "", "run_routes", "LV", routes=(text,))


def test_trains_share_stops_but_no_track() -> None:
    """R-CH-125 (11.5)"""
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", "2", "2").tile("J2", "15", 4)
    game = position.operating("LV", "run").game()
    assert "track of another train" in refused(
        game, "11.5", "run_routes", "LV", routes=(f"2:{J2_K1}", f"2:{J2_K1}")
    )
    do(game, "run_routes", "LV", routes=(f"2:{J2_K1}", "2:J2.a-0 J4.3-b"))
    assert game.table.turn.revenue == 120


def to_choose(offer: Offer) -> Sequence[Suggestion]:
    """The runs that are shown to choose from."""
    domain = Cursor(offer).domain
    assert isinstance(domain, Routes)
    return domain.ready()


def norfolk_and_western(options: Iterable[str] = ()) -> Position:
    """The printed example of running: two ways to the coal fields, one to the city in the north-east."""
    position = (
        Position(options=options).phase("3").start("N&W", 70, a=60, market=20).trains("N&W", "2", "2", "3")
    )
    position.tile("C13", "15", 1).tile("B12", "7", 5).tile("D12", "57", 1)
    return position.operating("N&W", "run")


NW_RUN = ("2:C13.a-1 B14.4-a", "2:C13.a-2 B12.5-0 B14.3-a", "3:C13.a-4 D12.1-a")


def test_the_printed_example_of_running() -> None:
    """R-CH-125, R-CH-126, R-CH-131 (11.5), worked example 11."""
    game = norfolk_and_western().game()
    suggestion = game.offers()[0].suggest()[0]
    assert "$210" in label(game, suggestion)
    do(game, "run_routes", "N&W", routes=NW_RUN)
    assert game.table.turn.revenue == 210
    treasury, before = company(game, "N&W").cash, cash(game)["a"]
    do(game, "dividend", "N&W", option="pay")
    assert cash(game)["a"] - before == 126
    assert company(game, "N&W").cash - treasury == 42
    assert price(game, "N&W") == 75


def test_a_red_area_is_visited_once_and_ends_a_route() -> None:
    """R-CH-121, R-CH-123 (11.1): the two coal hexes are one area."""
    game = norfolk_and_western().game()
    through = "3:C13.a-1 B14.4-a B14.a-3 B12.0-5 C13.2-a"
    refused(game, "11.1", "run_routes", "N&W", routes=(through,))
    assert game.table.map.hexes["A13"].group == game.table.map.hexes["B14"].group
    assert game.table.map.hexes["A3"].group == game.table.map.hexes["B2"].group


def test_a_city_full_of_others_stations_may_be_the_last_stop_only() -> None:
    """R-CH-123 (11.1)"""
    position = Position().phase("3").start("LV", 95, a=60).start("C&A", 70, b=60).trains("LV", "3", "2")
    position.tile("J6", "57", 0).tile("J2", "15", 4).tile("J4", "X4", 0)
    position.state.companies["C&A"].tokens = [40]
    position.t.map.place_token("J4", 1, "C&A")
    game = position.operating("LV", "run").game()
    assert game.table.map.blocks("J4", 1, "LV")
    do(game, "run_routes", "LV", routes=("2:J2.a-0 J4.3-b",))


def test_both_cities_of_a_double_hex_may_be_on_one_route() -> None:
    """R-CH-124 (11.1): Baltimore's north-eastern and south-western city, by a loop round."""
    position = Position().phase("3").start("LV", 95, a=60)
    stops = position.t.map.topology("H6").stops
    assert len(stops) == 2
    assert position.t.map.place(("H6", 0)) != position.t.map.place(("H6", 1))


def test_two_routes_typed_alike_take_the_two_ways_to_the_coal() -> None:
    """R-CH-125 (11.5): what leaves out the plain hexes means any legal way."""
    game = norfolk_and_western().game()
    assert set(game.read_routes("2: C13-B14, 2: C13-B14")) == set(NW_RUN[:2])
    assert game.read_routes("2: C13-B14") == NW_RUN[:1]


def test_the_president_may_run_less_than_the_best() -> None:
    """R-CH-127 (11.5), D-CH-15: nobody has to announce more."""
    game = norfolk_and_western().game()
    do(game, "run_routes", "N&W", routes=NW_RUN[:1])
    assert game.table.turn.revenue == 80


def test_a_table_may_require_the_best_run() -> None:
    """R-CH-127 (11.5), D-CH-15: then no less than the best routes earn is accepted, and they are suggested."""
    game = norfolk_and_western(options=["best_run_required"]).game()
    sentence = refused(game, "11.5", "run_routes", "N&W", routes=NW_RUN[:1])
    assert "$210" in sentence
    (offer,) = (offer for offer in game.offers() if offer.kind == "run_routes")
    assert [label(game, ready) for ready in to_choose(offer)] == ["Best run $210"]
    do(game, "run_routes", "N&W", **offer.suggest()[0].chosen)
    assert game.table.turn.revenue == 210


def test_other_runs_to_choose_from_leave_out_a_stop_of_the_best() -> None:
    """R-CH-127 (11.5), D-CH-15: the next best ones without one of its stops, and each may be run."""
    game = norfolk_and_western().game()
    (offer,) = (offer for offer in game.offers() if offer.kind == "run_routes")
    ready = to_choose(offer)
    assert [label(game, one) for one in ready] == [
        "Best run $210",
        "Run $160 without D12 (Charlottesville)",
        "Run $50 without B14 (West Virginia Coal)",
    ]
    for one in ready:
        Cursor(offer).take(one.chosen)


def test_revenue_is_always_a_multiple_of_ten() -> None:
    """R-CH-132 (11.6): every printed value is."""
    spec = Position().t.spec
    stops = [stop for tile in spec.tiles.values() for stop in tile.topology.stops]
    stops += [stop for hex_ in spec.map.all_hexes.values() for stop in hex_.topology.stops]
    assert all(value % 10 == 0 for stop in stops for value in stop.revenue)


# --- dividends -----------------------------------------------------------------------------------------------------


def halving(revenue: int, share: int = 10) -> Game:
    """LV is about to decide in a title that also lets it pay half; it holds 20 % itself, the market 10 %."""
    position = Position().start("LV", 95, at=(1, 4), a=50, market=10, LV=20).cash(a=0).treasury("LV", 0)
    position.state.companies["LV"].share = share
    spec = position.t.spec.model_copy(update={"dividends": ("pay", "half", "withhold")})
    position.t.spec = position.t.rules.spec = spec
    return position.operating("LV", "dividend", revenue=revenue).game()


@pytest.mark.parametrize(("revenue", "half"), [(210, 110), (390, 200), (10, 10), (40, 20)])
def test_half_is_rounded_up_for_the_shareholders(revenue: int, half: int) -> None:
    """In no 18Chesapeake: a title's data (18NewEngland R-NE-096); the rest stays with the company."""
    game = halving(revenue)
    assert values(game, "dividend", "LV", "option") == ["pay", "half", "withhold"]
    do(game, "dividend", "LV", option="half")
    assert cash(game)["a"] == half // 2
    assert company(game, "LV").cash == revenue - half + 3 * half // 10
    assert company(game, "LV").last_run.outcome == "half"  # type: ignore[union-attr]
    assert price(game, "LV") == 110


def test_shares_of_its_own_pay_the_company() -> None:
    """R-CH-131 (11.6), and the treasury of other titles: neither are those in the offering paid."""
    game = halving(100)
    do(game, "dividend", "LV", option="pay")
    assert (cash(game)["a"], company(game, "LV").cash) == (50, 30)


def test_shares_of_another_size_pay_by_their_percent() -> None:
    """In no 18Chesapeake: a share of 20 % is a fifth of the dividend, no matter who holds this much of it."""
    game = halving(100, share=20)
    (offer,) = (offer for offer in game.offers() if offer.kind == "dividend")
    assert label(game, offer.suggest()[0]) == "Pay $20 a share, price $100 → $110"
    assert label(game, offer.suggest()[1]) == "Pay half: $10 a share, keep $50, price $100 → $110"
    do(game, "dividend", "LV", option="pay")
    assert (cash(game)["a"], company(game, "LV").cash) == (50, 30)


def dividend(*, at: tuple[int, int], option: str | None, market: int = 0) -> Game:
    """LV has run for 50 at this cell and paid or withheld; without an option it runs for nothing."""
    position = (
        Position().start("LV", 95, at=at, a=60 - market, market=market).trains("LV", "2").tile("J2", "57", 1)
    )
    game = position.operating("LV", "run").game()
    do(game, "run_routes", "LV", routes=(f"2:{J2_K1}",) if option else ())
    if option:
        do(game, "dividend", "LV", option=option)
    return game


def test_withheld_revenue_goes_to_the_treasury_and_the_price_left() -> None:
    """R-CH-130 (11.6)"""
    game = dividend(at=(1, 4), option="withhold")
    assert (company(game, "LV").cash, price(game, "LV"), cash(game)["a"]) == (1000, 90, 800)


def test_a_run_for_nothing_moves_the_price_left() -> None:
    """R-CH-130 (11.6): there is nothing to decide."""
    game = dividend(at=(1, 4), option=None)
    assert (company(game, "LV").cash, price(game, "LV")) == (950, 90)


def test_a_company_without_trains_falls_too() -> None:
    """R-CH-130 (11.6)"""
    game = Position().start("LV", 95, at=(1, 4), a=60).tile("J2", "57", 1).operating("LV", "run").game()
    assert price(game, "LV") == 90


def test_a_dividend_pays_a_tenth_a_share() -> None:
    """R-CH-131 (11.6): pool shares pay the company, those of the offering nobody."""
    game = dividend(at=(1, 4), option="pay", market=20)
    assert cash(game)["a"] == 800 + 20
    assert company(game, "LV").cash == 950 + 10
    assert price(game, "LV") == 110


def test_there_is_nothing_between_paying_and_withholding() -> None:
    """R-CH-130 (11.6)"""
    position = Position().start("LV", 95, a=60).trains("LV", "2").tile("J2", "57", 1)
    game = position.operating("LV", "run").game()
    do(game, "run_routes", "LV", routes=(f"2:{J2_K1}",))
    assert values(game, "dividend", "LV", "option") == ["pay", "withhold"]
    refused(game, "11.6", "dividend", "LV", option="half")
    refused(game, "11.6", "pass", "LV")


@pytest.mark.parametrize(
    ("at", "option", "expected"),
    [
        ((3, 12), "pay", 225),
        ((7, 4), "pay", 70),
        ((8, 3), "pay", 60),
        ((1, 17), "pay", 375),
        ((4, 1), "withhold", 60),
        ((6, 1), "withhold", 50),
        ((8, 1), "withhold", 40),
    ],
)
def test_at_the_ends_of_a_row_the_price_moves_up_or_down(
    at: tuple[int, int], option: str, expected: int
) -> None:
    """R-CH-130, R-CH-131 (11.6), worked example 9: rows and columns counted from 1."""
    assert price(dividend(at=at, option=option), "LV") == expected


# --- buying privates -----------------------------------------------------------------------------------------------


def buyer(phase: str, treasury: int = 500) -> Position:
    """LV at the start of its turn; Ann, its president, owns everything."""
    position = Position().phase(phase).start("LV", 95, a=60).treasury("LV", treasury).tile("J2", "57", 1)
    return position.owns("a", "D&R", "C-P", "B&S", "C&OC", "B&OR", "CV").operating("LV")


@pytest.mark.parametrize("phase", ["3", "4"])
def test_privates_cost_half_to_double_their_face_value(phase: str) -> None:
    """R-CH-108 (7.1, 11), worked example 15."""
    game = buyer(phase).game()
    ranges = {}
    for name in values(game, "buy_private", "LV", "private"):
        prices = values(game, "buy_private", "LV", "price", private=name)
        ranges[name] = (prices[0], prices[-1])
    assert ranges == {
        "D&R": (10, 40),
        "C-P": (20, 80),
        "B&S": (25, 100),
        "C&OC": (40, 160),
        "B&OR": (50, 200),
    }
    assert "never sold" in refused(game, "7.1", "buy_private", "LV", private="CV", price=200)
    for wrong in (9, 41, 0, -10):
        refused(game, "7.1", "buy_private", "LV", private="D&R", price=wrong)
    refused(game, "", "buy_private", "LV", private="XX", price=20)


@pytest.mark.parametrize("phase", ["2", "5"])
def test_outside_phases_3_and_4_no_private_is_sold_to_a_company(phase: str) -> None:
    """R-CH-108 (7.1), worked example 15."""
    game = buyer(phase).game()
    assert "phases 3, 4" in refused(game, "7.1", "buy_private", "LV", private="D&R", price=20)


def test_only_the_treasury_pays_for_a_private() -> None:
    """R-CH-108 (7.1): and the player gets it."""
    game = buyer("3", treasury=60).game()
    assert values(game, "buy_private", "LV", "private") == ["D&R", "C-P", "B&S", "C&OC", "B&OR"]
    refused(game, "7.1", "buy_private", "LV", private="B&OR", price=61)
    do(game, "buy_private", "LV", private="B&OR", price=60)
    assert (company(game, "LV").cash, cash(game)["a"]) == (0, 860)
    assert game.table.state.privates["B&OR"].owner == "LV"


def test_any_number_of_privates_is_bought_at_any_time_of_the_turn() -> None:
    """R-CH-082, R-CH-108 (11)"""
    game = buyer("3").trains("LV", "2").game()
    do(game, "buy_private", "LV", private="D&R", price=10)
    passes(game, "LV")
    do(game, "buy_private", "LV", private="C-P", price=20)
    do(game, "run_routes", "LV", routes=())
    do(game, "buy_private", "LV", private="B&S", price=25)
    assert game.step().name == "trains"  # type: ignore[union-attr]
    do(game, "buy_private", "LV", private="C&OC", price=40)
    assert company(game, "LV").cash == 500 - 95


def step(game: Game) -> str:
    """The name of the step that waits."""
    found = game.step()
    assert found is not None
    return found.name


def test_being_done_with_trains_does_not_end_the_turn_while_privates_can_be_bought() -> None:
    """R-CH-082, R-CH-108 (7.1, 11): any number, until the company ends its turn."""
    game = buyer("3").trains("LV", "2").operating("LV", "trains").game()
    passes(game, "LV")
    assert step(game) == "last_chance"
    do(game, "buy_private", "LV", private="D&R", price=40)
    assert kinds(game) == ["pass"]
    assert label(game, find(game, "pass")) == "End the turn"
    do(game, "buy_private", "LV", private="C-P", price=80)
    passes(game, "LV")
    assert game.table.state.round.kind == "stock"


def test_one_press_ends_the_turn_when_nothing_else_is_possible() -> None:
    """R-CH-082 (11): no private is for sale."""
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", "2").tile("J2", "57", 1)
    game = position.operating("LV", "trains").game()
    passes(game, "LV")
    assert game.table.state.round.kind == "stock"


def test_a_turn_ends_automatically_when_the_last_private_is_bought() -> None:
    """R-CH-082 (11): nothing is left to ask about."""
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", "2").tile("J2", "57", 1)
    game = position.owns("a", "D&R").operating("LV", "trains").game()
    passes(game, "LV")
    do(game, "buy_private", "LV", private="D&R", price=20)
    assert game.table.state.round.kind == "stock"


def test_a_company_that_can_do_nothing_is_still_asked_about_privates() -> None:
    """R-CH-082, R-CH-108 (11): too poor for a train."""
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", "2").tile("J2", "57", 1)
    game = position.owns("a", "D&R").treasury("LV", 10).operating("LV", "trains").game()
    assert step(game) == "last_chance"
    assert offered(game, "buy_private", "LV")


def test_a_company_sells_no_private() -> None:
    """R-CH-108 (11): nor can another company buy it."""
    position = buyer("3").start("PRR", 80, b=60).owns("PRR", "D&R")
    game = position.game()
    assert "belongs to no player" in refused(game, "7.1", "buy_private", "LV", private="D&R", price=20)


def test_a_private_of_another_player_needs_their_consent() -> None:
    """R-CH-108, D-CH-17 (7.1, 11)"""
    game = buyer("3").owns("b", "D&R").game()
    do(game, "buy_private", "LV", private="D&R", price=40)
    assert game.table.state.privates["D&R"].owner == "b"
    assert game.actors() == ("b",)
    assert [(o.kind, o.actor) for o in game.offers() if o.kind == "answer"] == [
        ("answer", "b"),
        ("answer", "a"),
    ]
    assert {o.kind for o in game.offers("b")} == {"answer", "end_game"}
    refused(game, "7.1", "answer", "b", reply="withdraw")
    refused(game, "7.1", "answer", "a", reply="agree")
    do(game, "answer", "b", reply="refuse")
    assert game.table.state.privates["D&R"].owner == "b"
    do(game, "buy_private", "LV", private="D&R", price=40)
    do(game, "answer", "a", reply="withdraw")
    assert on_turn(game) == "a"
    do(game, "buy_private", "LV", private="D&R", price=40)
    do(game, "answer", "b", reply="agree")
    assert game.table.state.privates["D&R"].owner == "LV"
    assert cash(game)["b"] == 840


def test_a_proposal_ends_when_the_turn_continues() -> None:
    """R-CH-108 (11): the proposer need not wait; what they do instead ends the proposal."""
    game = buyer("3").owns("b", "D&R").game()
    do(game, "buy_private", "LV", private="D&R", price=40)
    events = do(game, "pass", "LV")
    assert any(isinstance(event, ProposalEnded) and event.withdrawn for event in events)
    assert game.table.state.proposal is None
    assert on_turn(game) == "a"
    assert refused(game, "", "answer", "b", reply="agree")
    assert game.table.state.privates["D&R"].owner == "b"


def test_what_stops_the_purchase_of_a_private_is_said() -> None:
    """R-CH-108 (7.1): owner, money, or phase."""
    game = buyer("3", treasury=39).owns("PRR", "D&R").start("PRR", 80, b=60).game()
    assert "D&R belongs to no player" in refused(game, "7.1", "buy_private", "LV", private="D&R", price=20)
    refusal = refused(game, "7.1", "buy_private", "LV", private="C&OC", price=40)
    assert "C&OC costs at least $40; LV has $39" in refusal
    poor = buyer("3", treasury=9).game()
    assert "D&R costs at least $10; LV has $9" in refused(
        poor, "7.1", "buy_private", "LV", private="D&R", price=10
    )
    late = buyer("2").game()
    assert "buy no privates now" in refused(late, "7.1", "buy_private", "LV", private="D&R", price=10)


def test_what_stops_a_token_is_said() -> None:
    """R-CH-112 (11.4): its price and the treasury, or that none is left."""
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", "2").tile("J2", "15", 4)
    game = position.treasury("LV", 39).operating("LV", "token").game()
    refusal = refused(game, "11.4", "place_token", "LV", hex="J4", city=1)
    assert "The next token of LV costs $40, and it has $39" in refusal
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", "2").tile("J2", "15", 4)
    position.operating("LV", "token").state.companies["LV"].tokens = []
    refusal = refused(position.game(), "11.4", "place_token", "LV", hex="J4", city=1)
    assert "LV has no token left" in refusal


def test_in_the_compatible_profile_consent_is_implied() -> None:
    """D-CH-17 under 18xx.games."""
    position = Position(profile="18xx.games", from_log=10**9).phase("3").start("LV", 95, a=60)
    game = position.owns("b", "D&R").operating("LV").game()
    do(game, "buy_private", "LV", private="D&R", price=40)
    assert game.table.state.privates["D&R"].owner == "LV"


def test_a_private_bought_after_the_track_step_lays_in_the_next_turn() -> None:
    """D-CH-14 (7.1)"""
    game = buyer("3").trains("LV", "2").game()
    passes(game, "LV")
    do(game, "buy_private", "LV", private="B&S", price=25)
    assert not offered(game, "lay_tile")


@pytest.mark.parametrize("seller", ["bank", "PRR"])
def test_vanderbilt_closes_when_its_company_buys_its_first_train(seller: str) -> None:
    """R-CH-104 (7.1): from anybody; trains of other companies do not matter."""
    position = Position(linked="LV").phase("3").start("LV", 95, a=60).start("PRR", 80, a=60).owns("b", "CV")
    position.trains("PRR", "2", "3").tile("J2", "57", 1).operating("LV", "trains")
    game = position.game()
    train, price_ = ("3", 180) if seller == "bank" else ("2", 1)
    assert not game.table.state.privates["CV"].closed
    do(game, "buy_train", "LV", train=train, source=seller, trade_in="", price=price_)
    assert game.table.state.privates["CV"].closed


def test_a_train_of_another_company_leaves_vanderbilt_open() -> None:
    """R-CH-104 (7.1)"""
    position = Position(linked="PRR").phase("3").start("LV", 95, a=60).start("PRR", 80, a=60).owns("b", "CV")
    game = position.operating("LV", "trains").game()
    do(game, "buy_train", "LV", train="3", source="bank", trade_in="", price=180)
    assert not game.table.state.privates["CV"].closed


def test_incomes_come_after_the_round_has_begun() -> None:
    """R-CH-080 (11.2)"""
    game = Position().start("LV", 95, a=60).owns("b", "D&R").game()
    passes(game, "a", "b")
    events = do(game, "pass", "c")
    kinds_of = [type(event) for event in events]
    assert kinds_of.index(RoundStarted) < kinds_of.index(IncomePaid)


def test_there_is_no_offer_to_others_in_a_companys_turn() -> None:
    """R-CH-082: only its president decides."""
    game = buyer("3").game()
    assert game.actors() == ("a",)
    assert {offer.actor for offer in game.offers() if offer.kind != "end_game"} == {"a"}
    assert domain(game, "buy_private", "LV", "price", private="D&R").allowed() == fact(
        "allowed.range", low=10, high=40, step=1
    )
