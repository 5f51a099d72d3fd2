"""What the caretaker weighs, in dollars worked out by hand, and where it sees no move at all."""

from dataclasses import replace
from typing import Any

import pytest

from engine.board.network import network_of
from engine.board.track import board_copy
from engine.caretaker import deals, ideas, outlook, privates, railway, stock_rounds, track, trains
from engine.caretaker.ideas import View, ways
from engine.caretaker.railway import Attraction, promise
from engine.core.state import LastRun
from engine.game import Game
from engine.seat import SeatedPlayer
from tests.titles.builders import Position, do, find, new_game
from tests.titles.t18newengland.newengland import NewEngland

NOTHING: frozenset[str] = frozenset()


def worths(view: View, game: Game, kind: str, player: str = "a") -> dict[Any, float]:
    """What each way to take the offer is worth, by what is chosen in it."""
    found = {}
    for idea in view(SeatedPlayer(game, player), find(game, kind)):
        chosen = tuple(idea.walk.chosen.values())
        found[chosen[0] if len(chosen) == 1 else chosen] = idea.worth
    return found


def lehigh(*owned: str, step: str = "track", **facts: Any) -> Position:
    """LV, Ann's, at $95, with track from its home to Easton, in which it earns $50."""
    place = Position().start("LV", 95, a=60).cash(a=0, b=0, c=0).tile("J2", "57", 1)
    return place.trains("LV", *owned).operating("LV", step, **facts)


# --- shares ------------------------------------------------------------------------------------------------------


def shares(**lv: Any) -> SeatedPlayer:
    """Ann's seat: LV is held so, and of Bob's B&O she has two shares; both at $80."""
    place = Position().cash(a=500, b=0, c=0).start("LV", 80, **lv).start("B&O", 80, b=30, a=20)
    return SeatedPlayer(place.stock("a").game(), "a")


@pytest.mark.parametrize(("held", "may"), [(20, True), (40, True), (50, False)])
def test_a_president_sells_no_share_that_would_leave_another_with_as_many(held: int, may: bool) -> None:
    """Of Ann's 60% and Bob's; shares of a company that Bob presides over are free to go."""
    seat = shares(a=60, b=held - 10) if held < 50 else shares(a=50, b=40)
    companies = seat.table.state.companies
    assert stock_rounds._may_go(seat, companies["LV"]) == may
    assert stock_rounds._may_go(seat, companies["B&O"])


def test_a_sale_costs_what_the_other_shares_fall() -> None:
    """From $80 to $75: five shares of LV, and one of B&O."""
    seat = shares(a=60)
    companies = seat.table.state.companies
    assert [stock_rounds._fall(seat, companies[name]) for name in ("LV", "B&O")] == [25, 5]


def test_a_price_climbs_a_space_in_each_round_in_which_a_company_pays() -> None:
    """From $80 to $85, $95, and $225 in ten rounds; a company that is not started climbs nowhere."""
    t = shares(a=60).table
    found = [outlook.climbs(t, t.state.companies["LV"], rounds) for rounds in (0, 0.4, 0.6, 1, 2, 10)]
    assert found == [0, 0, 5, 5, 15, 145]
    assert outlook.climbs(t, t.state.companies["PRR"], 3) == 0


def test_a_price_on_a_space_of_a_small_company_neither_rises_nor_climbs() -> None:
    """18NewEngland: beside $60 stand $65, for others to start at."""
    t = NewEngland().minor("CV", 60, "a").stock("a").game().table
    minor = t.state.companies["CV"]
    assert (outlook.rises(t, minor), outlook.climbs(t, minor, 3)) == (0, 0)


def test_there_is_room_for_shares_below_the_limit_of_a_company_that_was_not_sold() -> None:
    place = Position().cash(a=500).start("LV", 80, a=60).start("B&O", 80, b=30, a=20).start("PRR", 80, b=60)
    place.start("SRR", 80, b=60)
    seat = SeatedPlayer(place.stock("a", sold={"a": ["PRR"], "b": ["SRR"]}).game(), "a")
    companies = seat.table.state.companies
    companies["C&O"].floated = companies["C&O"].closed = True
    found = {name: stock_rounds._has_room(seat, companies[name]) for name in companies}
    assert [name for name, room in found.items() if room] == ["SRR"], (
        "B&O has not floated, LV is at its limit"
    )


def test_shares_are_bought_with_money_that_no_train_needs() -> None:
    """LV lacks $80 for one: of $155 there are $75 left, and of $160 a share of B&O."""
    place = Position().start("LV", 95, a=60).treasury("LV", 0).start("B&O", 80, b=60).stock("a")
    assert ("B&O", "offering") not in worths(
        stock_rounds.share_purchases, place.cash(a=159).game(), "buy_share"
    )
    assert ("B&O", "offering") in worths(stock_rounds.share_purchases, place.cash(a=160).game(), "buy_share")


# --- privates ----------------------------------------------------------------------------------------------------


def test_a_private_is_bid_on_for_the_least_as_far_as_it_is_worth_more() -> None:
    """18Chesapeake: its value and four incomes, $70 for a share, less the bid."""
    found = worths(privates.bids, new_game(3), "bid")
    assert found == {
        **{("D&R", 20): 20, ("C-P", 45): 35, ("B&S", 55): 35, ("C&OC", 85): 55},
        **{("B&OR", 105): 65, ("CV", 205): 255},
    }


def test_bids_leave_half_of_the_money_and_what_the_cheapest_company_costs() -> None:
    """Of $400 five shares at $70 leave $50; of $800 a half is $400."""
    game = new_game(6)
    assert list(worths(privates.bids, game, "bid")) == [("D&R", 20), ("C-P", 45)]
    assert stock_rounds.least_start(game.table) == 350
    for company in game.table.state.companies.values():
        company.par = 70
    assert stock_rounds.least_start(game.table) == 0, "none is left to be started"
    game = new_game(3)
    do(game, "bid", "a", private="CV", amount=395)
    assert ("CV", 400) in worths(privates.bids, game, "bid", "b")
    do(game, "bid", "b", private="CV", amount=400)
    assert "CV" not in [private for private, _ in worths(privates.bids, game, "bid", "c")]


def test_in_stock_rounds_nothing_is_reserved_for_a_company() -> None:
    """18AL: of $400 a half may go into privates, though $300 start the cheapest company."""
    game = new_game(3, title="18al")
    game.table.state.player("a").cash = 400
    assert stock_rounds.least_start(game.table) == 300
    assert max(amount for _, amount in worths(privates.bids, game, "bid")) == 125


def test_ones_own_bid_is_raised_only_above_that_of_another() -> None:
    game = new_game(3)
    for player, amount in (("a", 205), ("b", 210)):
        do(game, "bid", player, private="CV", amount=amount)
    table = game.table
    assert [privates._leads(table, player, "CV") for player in "abc"] == [False, True, False]
    assert not privates._leads(table, "b", "B&OR")


@pytest.mark.parametrize(
    ("owner", "owned", "found"), [("a", ("3",), {("D&R", 40): 20}), ("b", ("3",), {}), ("a", (), {})]
)
def test_a_company_with_a_train_takes_over_its_presidents_private_at_twice_its_value(
    owner: str, owned: tuple[str, ...], found: dict[Any, float]
) -> None:
    game = lehigh(*owned).phase("3").owns(owner, "D&R").game()
    assert worths(privates.own_private_purchases, game, "buy_private") == found


# --- starting companies ------------------------------------------------------------------------------------------


def test_a_company_that_comes_with_a_certificate_is_started_as_high_as_money_pays_the_rest() -> None:
    """The PRR needs four more shares: $320 pay them at $80; each dollar above costs one."""
    seat = SeatedPlayer(Position().cash(a=320).stock("a").game(), "a")
    company = seat.table.state.companies["PRR"]
    assert [stock_rounds._received(seat, company, price) for price in (70, 80, 95, 700)] == [570, 580, 485, 1]


def test_a_home_is_worth_a_fifth_of_what_is_around_it_less_the_lays_before_the_first_run() -> None:
    """$60 each; a company without a home has nothing around it."""
    seat = SeatedPlayer(Position().stock("a").game(), "a")
    board = seat.table.map
    for company, coord, lays in (("LV", "J2", 1), ("B&O", "H6", 2)):
        around = railway.places_around(board, coord, 0, NOTHING)
        assert stock_rounds._home(seat, company) == pytest.approx(around * 0.2 - lays * 60)
    england = SeatedPlayer(NewEngland().stock("a").game(), "a")
    assert stock_rounds._home(england, "B&A") == 0


def test_as_many_small_companies_are_reserved_as_can_be_paid_for() -> None:
    """18NewEngland: $280 pay 1.2 trains of $100 twice, and not a third time."""
    game = new_game(4, title="18newengland")
    assert (game.table.cash("a"), outlook.next_price(game.table)) == (280, 100)
    assert min(worths(stock_rounds.reservations, game, "reserve").values()) > 0
    game.table.state.round.reserved.update({"CV": "a"})  # type: ignore[union-attr]
    assert min(worths(stock_rounds.reservations, game, "reserve").values()) > 0
    game.table.state.round.reserved.update({"ER": "a"})  # type: ignore[union-attr]
    assert set(worths(stock_rounds.reservations, game, "reserve").values()) == {stock_rounds.NO_START}


# --- looking ahead -----------------------------------------------------------------------------------------------


def pull() -> tuple[Any, Attraction]:
    """The map of the LV, which reaches J2 and K1 and comes out at K3."""
    board = lehigh().game().table.map
    return board, Attraction(board, "LV", 0, NOTHING)


def test_a_hex_leads_to_the_best_place_that_is_not_reached_yet() -> None:
    """L2 is worth $40: of a dollar there are 55 cents left in it, and 55% of these in the next hex."""
    _, towards = pull()
    assert towards.of("L2") == pytest.approx(40 * 0.55)
    assert towards.of("K3") == pytest.approx(40 * 0.55**2)
    assert towards.of("J4") == pytest.approx(30 * 0.55)
    assert towards.of("B2") == 0, "no track of the LV comes near it"


def test_a_hex_that_is_shut_leads_nowhere() -> None:
    board = lehigh().game().table.map
    assert Attraction(board, "LV", 0, frozenset({"L2"})).of("L2") == 0
    assert Attraction(board, "LV", 0, frozenset({"L2"})).of("K3") < 40 * 0.55**2


def test_a_tile_promises_twice_what_its_stops_earn_more_and_what_its_exits_lead_to() -> None:
    """A city of $20 with two pieces: one exit meets the track of K1, which counts twice."""
    board, towards = pull()
    found = promise(board, towards, ("K3", "57", 0), 0)
    assert found == pytest.approx(20 * 2 + 2 + towards.of("K5") + 2 * towards.of("K1"))
    other = promise(board, towards, ("K3", "7", 0), 0)
    assert other == pytest.approx(1 + sum(towards.of(coord) for coord in ("K5", "J4")))
    better = promise(board, towards, ("J2", "15", 1), 0)
    assert better == pytest.approx(10 * 2 + 2), "four pieces instead of two, and new exits off the map"


def test_no_track_leads_on_through_a_hex_at_the_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    """From A7 it would come to B6 and B8, and over K1, which is shut, nowhere."""
    board = lehigh().game().table.map
    seen = [
        *(("A7", 22.0), ("J2", 11.0), ("J4", 9.075), ("K3", 0), ("J6", 0), ("I5", 0), ("K5", 0)),
        *(("H4", 0), ("L2", 6.655), ("H6", 2.7451875), ("G3", 0)),
    ]
    found = list(railway._seen_from(board, ["J2", "A7"], 0, frozenset({"K1"})))
    assert [(coord, round(dollars, 9)) for coord, dollars in found] == seen
    at_the_edge = replace(network_of(board, "LV"), edges={"A7": frozenset({0})})
    monkeypatch.setattr(railway, "network_of", lambda *_: at_the_edge)
    towards = Attraction(board, "LV", 0, NOTHING)
    assert towards.of("A7") == pytest.approx(40 * 0.55)
    assert towards.of("B6") == towards.of("B8") == 0


def test_an_exit_off_the_map_leads_nowhere() -> None:
    board, towards = pull()
    off = [(hex_, edge) for hex_ in board.coords for edge in range(6) if board.neighbour(hex_, edge) is None]
    assert off
    assert {railway._exit(board, towards, *one) for one in off} == {0.0}


def test_only_the_best_places_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """With all hexes shut those on the company's own track are left: $20, and $30 in New York's neighbour."""
    board = lehigh().game().table.map
    everywhere = frozenset(board.coords)
    own = sorted(board.topology(coord).stops[0].value(0) for coord in ("J2", "K1"))
    assert railway.places(board, "LV", 0, everywhere) == sum(own)
    monkeypatch.setattr(railway, "COUNTED", 1)
    assert railway.places(board, "LV", 0, everywhere) == own[-1]


# --- ways --------------------------------------------------------------------------------------------------------


def test_of_amounts_the_lowest_is_looked_at_and_of_routes_the_suggested_first() -> None:
    """And none at all, last."""
    game = lehigh("2", step="run").game()
    routes = [walk.chosen["routes"] for walk in ways(find(game, "run_routes"))]
    assert (routes[0], routes[-1]) == (game.best_run().routes, ())
    bids = [walk.chosen["amount"] for walk in ways(find(new_game(3), "bid"))]
    assert bids == [20, 45, 55, 85, 105, 205]


def test_no_more_ways_are_looked_at_than_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ideas, "MOST_WAYS", 2)
    assert len(list(ways(find(new_game(3), "bid")))) == 2


# --- runs, dividends and trains ----------------------------------------------------------------------------------


def test_only_the_best_run_is_looked_at() -> None:
    game = lehigh("2", step="run").game()
    assert worths(trains.runs, game, "run_routes") == {game.best_run().routes: 10}


def test_to_pay_is_liked_best_and_to_withhold_least() -> None:
    """18NewEngland pays half, too."""
    game = lehigh("2", step="dividend", revenue=50).cash(a=900).game()
    assert worths(trains.forced_dividends, game, "dividend") == {"pay": 10, "withhold": 2.5}
    england = NewEngland().major("B&A", 100, treasury=500, a=40).trains("B&A", "4")
    found = worths(
        trains.forced_dividends, england.operating("B&A", "dividend", revenue=50).game(), "dividend"
    )
    assert found == {"pay": 10, "half": 5, "withhold": 2.5}


def test_to_withhold_is_liked_twice_as_well_as_to_pay_where_a_train_could_not_be_paid() -> None:
    place = Position().phase("3").depot(t3=0).cash(a=0, b=0, c=0).start("LV", 95, a=60).tile("J2", "57", 1)
    place.trains("LV", "2").treasury("LV", 0).start("B&O", 80, b=60).start("PRR", 80, c=60)
    found = worths(trains.forced_dividends, place.operating("LV", "dividend", revenue=50).game(), "dividend")
    assert found == {"pay": 10, "withhold": 20}


def test_a_train_that_must_go_costs_its_price_for_each_round_in_which_it_would_run() -> None:
    place = Position().phase("5").depot(t5=1, t6=2).start("LV", 95, a=60).tile("J2", "57", 1)
    game = place.trains("LV", "4", "4", "5").operating("LV", "trains").game()
    found = worths(trains.discards, game, "discard_train")
    expected = {
        name: -outlook.keeps_running(game.table, name) * game.table.spec.train(name).price for name in "45"
    }
    assert found == expected


def test_shares_are_issued_for_a_train_that_is_lacking_and_no_more_than_pay_it() -> None:
    """18NewEngland: B&A lacks $180; each share brings $100, and of what is missing or too much a tenth counts."""
    place = NewEngland().major("B&A", 100, treasury=0, a=40, market=20)
    found = worths(deals.issues, place.operating("B&A", "issue").game(), "issue")
    assert found == {(1, 0): 92, (2, 0): 178, (3, 0): 168}
    place = NewEngland().major("B&A", 100, treasury=20, a=40, market=20)
    found = worths(deals.issues, place.operating("B&A", "issue").game(), "issue")
    assert found == {(1, 0): 94, (2, 0): 156, (3, 0): 146}, "it has $20 of them"
    place = NewEngland().major("B&A", 100, treasury=500, a=40, market=20).trains("B&A", "3")
    assert worths(deals.issues, place.operating("B&A", "issue").game(), "issue") == {}


def test_a_small_company_without_a_train_lacks_nothing() -> None:
    """18NewEngland: it may be liquidated; a major must have one."""
    place = NewEngland().minor("CV", 60, "a").major("B&A", 100, treasury=0, a=40)
    t = place.stock("a").game().table
    lacks = {name: outlook.shortage(t, t.state.companies[name]) for name in ("CV", "B&A")}
    assert lacks == {"CV": 0, "B&A": outlook.next_price(t)}


# --- track -------------------------------------------------------------------------------------------------------


def test_an_apprentice_lays_the_most_promising_tile_where_it_is_free_or_leads_to_the_first_run() -> None:
    game = Position().start("LV", 95, a=60).trains("LV", "2").operating("LV").game()
    (worth,) = worths(track.first_sight, game, "lay_tile").values()
    assert worth == track.NO_ROUTE
    assert not railway.Railway(game.table).next_run(game.table.map)


def baltimore(monkeypatch: pytest.MonkeyPatch, promised: float) -> Game:
    """B&O may lay in G7 for nothing, which promises nothing, and at home in H6 for $40, which promises this."""
    monkeypatch.setattr(track, "promise", lambda *lay: promised if lay[2][0] == "H6" else 0.0)
    place = Position().phase("3").start("B&O", 80, a=60).cash(a=0).treasury("B&O", 500)
    return place.trains("B&O", "2").operating("B&O").game()


@pytest.mark.parametrize(("promised", "first"), [(3.9, "G7"), (4.1, "H6")])
def test_of_what_a_lay_promises_a_tenth_of_its_cost_is_taken(
    monkeypatch: pytest.MonkeyPatch, promised: float, first: str
) -> None:
    game = baltimore(monkeypatch, promised)
    found = track._promising(game.table, SeatedPlayer(game, "a"), find(game, "lay_tile"))
    assert found[0].chosen["hex"] == first


@pytest.mark.parametrize(("promised", "lays"), [(3.9, 1), (4.1, 0)])
def test_with_a_route_an_apprentice_lays_only_what_is_free(
    monkeypatch: pytest.MonkeyPatch, promised: float, lays: int
) -> None:
    game = baltimore(monkeypatch, promised)
    monkeypatch.setattr(railway.Railway, "next_run", lambda *_: 50.0)
    assert len(worths(track.first_sight, game, "lay_tile")) == lays


def test_lays_are_worth_what_they_add_at_once_and_later_less_a_part_of_their_cost() -> None:
    """Where the company has a route already."""
    game = lehigh("2").game()
    t, view = game.table, railway.Railway(game.table)
    for idea in track.lays(SeatedPlayer(game, "a"), find(game, "lay_tile")):
        board = game.after(idea.walk).map
        added = view.at_once(board) - view.at_once(t.map) + view.later(board) - view.later(t.map)
        assert idea.worth == pytest.approx(added - t.map.cost(idea.walk.chosen["hex"]) * track.TREASURY)


def test_a_station_that_a_private_brings_is_worth_what_it_adds() -> None:
    """LV has just laid the tile of the C&OC in D2: its next station, otherwise for $40, is free there."""
    place = lehigh("2", step="token", free_token="C&OC", lays=["D2"]).tile("D2", "57", 0).owns("LV", "C&OC")
    game = place.treasury("LV", 500).game()
    view, board = railway.Railway(game.table), game.table.map
    there = board_copy(board)
    there.place_token("D2", 0, "LV")
    added = view.at_once(there) - view.at_once(board) + view.later(there) - view.later(board)
    assert added > 0
    assert worths(track.stations, game, "place_token") == {("D2", 0): pytest.approx(added)}


def test_a_marker_that_costs_nothing_and_raises_no_run_is_worth_nothing_and_can_be_placed() -> None:
    """18C2C: the P city of the prospectors, for a company without a train."""
    place = Position(title="18c2c").start("PRR", 82, a=60).phase("3").treasury("PRR", 500)
    found = worths(track.markers, place.operating("PRR", "track").owns("PRR", "EPP").game(), "place_marker")
    assert found["I78"] == 0


def test_an_imagined_railway_is_another_and_changes_nothing() -> None:
    t = lehigh("2").game().table
    t.company.last_run = LastRun((), (), 50, "paid")
    other = railway.imagined(t, trains=["3", "3"])
    assert (other.company.trains, t.company.trains) == (["3", "3"], ["2"])
    assert other.map is t.map
    assert railway.earned(t) == 50
    assert railway.earned(railway.imagined(t, trains=[])) == 0
