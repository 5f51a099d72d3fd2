"""How our actions are written in a log, and which numbers their shares, trains and tiles have there."""

from typing import Any

import pytest

from engine.core.actions import Answer, EndGame, build_action
from engine.core.errors import IllegalAction, Unreadable
from engine.core.events import TrainBought
from engine.core.ids import BANK, MARKET, OFFERING, POOL
from engine.game import Game
from engine.interchange.exporter import Exporter, _written_route, connections, written_city, written_id
from engine.interchange.log_ids import TrainIds
from engine.interchange.log_reader import Raw
from engine.interchange.log_routes import read_connections
from engine.routes.legal_routes import Route
from tests.titles.builders import Position, new_game
from tests.titles.t18al.alabama import Alabama
from tests.titles.t18newengland.newengland import NewEngland


def tells(exporter: Exporter, kind: str, actor: str, entity: str, **chosen: Any) -> list[Raw]:
    """What a log says of an action."""
    return exporter.do(build_action(kind, actor, entity, **chosen))


def test_a_city_is_named_by_its_place_among_the_cities_of_its_hex() -> None:
    """Towns count for nothing, as in Quincy; a tile that was laid is named in place of the hex."""
    board = NewEngland().t.map
    assert [stop.kind for stop in board.topology("L7").stops] == ["town", "city"]
    assert written_city(board, {}, ("L7", 1)) == "L7-0-0"
    assert [written_city(board, {"B3": "X1-0"}, ("B3", stop)) for stop in (0, 1)] == ["X1-0-0", "X1-0-1"]


def written(place: Position, kind: str, actor: str, entity: str, **chosen: Any) -> Raw:
    """The one action that a log has of it in a position."""
    (raw,) = tells(Exporter(place.game()), kind, actor, entity, **chosen)
    return raw


@pytest.mark.parametrize(
    ("ours", "theirs"), [("7", 7), ("07", "07"), ("-7", "-7"), ("p7", "p7"), ("PRR", "PRR"), ("0", 0)]
)
def test_an_id_that_is_a_number_is_written_as_one(ours: str, theirs: int | str) -> None:
    assert written_id(ours) == theirs


# --- who acts, and what of -------------------------------------------------------------------------------------


def test_it_is_written_whether_a_player_a_company_or_a_private_acts() -> None:
    place = Position().phase("3").start("LV", 95, a=60).owns("LV", "C&OC").operating("LV")
    assert written(place, "pass", "a", "LV")["entity_type"] == "corporation"
    place = Position().phase("3").start("LV", 95, a=60).owns("LV", "C&OC").operating("LV")
    private = written(place, "lay_tile", "a", "C&OC", hex="D2", tile="57", rotation=1)
    assert (private["entity_type"], private["entity"], private["tile"]) == ("company", "C&OC", "57-0")
    assert written(Position().stock("a"), "pass", "a", "a")["entity_type"] == "player"


def test_an_action_that_is_refused_leaves_everything_as_it_was() -> None:
    """Not the turn of Bob; no share of the LV lies in the market; the LV has no train."""
    exporter = Exporter(Position().phase("3").start("LV", 95, a=60).stock("a").game())
    for kind, entity, chosen in (
        ("pass", "b", {}),
        ("buy_share", "a", {"company": "LV", "source": MARKET}),
        ("discard_train", "LV", {"train": "2"}),
    ):
        with pytest.raises(IllegalAction):
            tells(exporter, kind, entity if entity == "b" else "a", entity, **chosen)
    assert exporter.game.seq == 0


def test_a_kind_of_action_that_no_log_has_is_named() -> None:
    with pytest.raises(Unreadable) as refused:
        Exporter(new_game(3, title="18c2c")).do(build_action("remove_private", "a", "a", private="KTC"))
    assert refused.value.reason.name == "log.not_in_logs"


def test_a_proposal_is_written_once_it_is_agreed_to() -> None:
    """And one that is refused never was."""
    for reply, kinds in (("agree", ["buy_company"]), ("refuse", [])):
        place = Position().phase("3").cash(a=500).start("LV", 80, a=60).treasury("LV", 500).owns("b", "D&R")
        exporter = Exporter(place.operating("LV", "trains").game())
        assert tells(exporter, "buy_private", "a", "LV", private="D&R", price=40) == []
        found = exporter.do(Answer(actor="b", entity="b", reply=reply))  # type: ignore[arg-type]
        assert [raw["type"] for raw in found] == kinds


def test_the_end_by_agreement_is_one_action_of_the_first_who_said_so() -> None:
    exporter = Exporter(new_game(3))
    votes = [exporter.do(EndGame(actor=player, entity=player)) for player in "bca"]
    assert votes[:2] == [[], []]
    assert [(raw["entity"], raw["agreed"]) for raw in votes[2]] == [("b", ["c", "a"])]


# --- shares ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "ids", "percent"),
    [(1, [5], 10), (2, [5, 6], 20), (3, [5, 6, 0], 30), (4, [5, 6, 0], 40)],
)
def test_shares_are_sold_oldest_first_and_the_certificate_after_all_others(
    shares: int, ids: list[int], percent: int
) -> None:
    """The PRR's is 20%: of three shares that are sold one is a half of it."""
    exporter = Exporter(Position().start("PRR", 80, a=40, b=40).stock("a").game())
    exporter._shares.moved([("PRR", share) for share in (0, 5, 6)], "a")
    exporter._shares.moved([("PRR", share) for share in (1, 2, 3, 4)], "b")
    (raw,) = tells(exporter, "sell_shares", "a", "a", company="PRR", shares=shares)
    assert raw["shares"] == [f"PRR_{share}" for share in ids]
    assert raw["percent"] == percent


def test_a_share_is_bought_oldest_first_from_where_it_lies() -> None:
    for source, share in ((OFFERING, 2), (MARKET, 7)):
        exporter = Exporter(Position().cash(b=500).start("PRR", 80, a=60, market=20).stock("b").game())
        exporter._shares.moved([("PRR", share) for share in (0, 1)], "a")
        exporter._shares.moved([("PRR", share) for share in (7, 5)], MARKET)
        (raw,) = tells(exporter, "buy_share", "b", "b", company="PRR", source=source)
        assert (raw["shares"], raw["percent"]) == ([f"PRR_{share}"], 10)
        assert exporter._shares.holder("PRR", share) == "b"


def test_shares_of_the_offering_are_issued_before_those_of_the_treasury_and_at_par() -> None:
    """R-NE-081; what is redeemed is the oldest of the market (R-NE-080)."""
    place = NewEngland().major("B&A", 100, treasury=500, a=40, market=20).trains("B&A", "3")
    exporter = Exporter(place.operating("B&A", "issue").game())
    exporter._shares.moved([("B&A", share) for share in (0, 1, 2)], "a")
    exporter._shares.moved([("B&A", share) for share in (4, 3)], MARKET)
    (issued,) = tells(exporter, "issue", "a", "B&A", offering=1, treasury=0)
    assert (issued["type"], issued["shares"], issued["share_price"]) == ("sell_shares", ["B&A_5"], 100)
    assert issued["percent"] == 10
    exporter = Exporter(place.operating("B&A", "issue").game())
    exporter._shares.moved([("B&A", share) for share in (4, 3)], MARKET)
    (redeemed,) = tells(exporter, "redeem", "a", "B&A", shares=1)
    assert (redeemed["type"], redeemed["shares"], redeemed["percent"]) == ("buy_shares", ["B&A_4"], 10)
    place = NewEngland().major("B&A", 100, treasury=500, a=40, market=20).trains("B&A", "3")
    exporter = Exporter(place.operating("B&A", "issue").game())
    exporter._shares.moved([("B&A", share) for share in (4, 3)], MARKET)
    (redeemed,) = tells(exporter, "redeem", "a", "B&A", shares=2)
    assert (redeemed["shares"], redeemed["percent"]) == (["B&A_4", "B&A_3"], 20)


def test_shares_of_offering_and_treasury_are_issued_apart() -> None:
    """R-NE-081: those of the offering first, at par; here both sales are one action (`here`)."""
    place = NewEngland().major("B&A", 120, price=100, treasury=500, a=40).trains("B&A", "3")
    place.state.companies["B&A"].shares |= {OFFERING: 20, "B&A": 20}
    exporter = Exporter(place.operating("B&A", "issue").game())
    exporter._shares.moved([("B&A", share) for share in (3, 4)], "B&A")
    first, second = tells(exporter, "issue", "a", "B&A", offering=1, treasury=2)
    sale = {"type": "sell_shares", "entity": "B&A", "entity_type": "corporation"}
    whole = sale | {"shares": ["B&A_1", "B&A_3", "B&A_4"], "percent": 30, "share_price": 120}
    assert first == sale | {"shares": ["B&A_1"], "percent": 10, "share_price": 120, "here": [whole]}
    assert second == sale | {"shares": ["B&A_3", "B&A_4"], "percent": 20, "asked_there": True}
    assert exporter._shares.held("B&A", MARKET)[-3:] == [1, 3, 4]


def test_shares_of_the_treasury_alone_are_issued_without_a_price() -> None:
    """R-NE-081"""
    place = NewEngland().major("B&A", 100, a=40, **{"B&A": 60}).trains("B&A", "3")
    exporter = Exporter(place.operating("B&A", "issue").game())
    exporter._shares.moved([("B&A", share) for share in (8, 1, 2)], "B&A")
    (issued,) = tells(exporter, "issue", "a", "B&A", offering=0, treasury=2)
    assert issued == {
        **{"type": "sell_shares", "entity": "B&A", "entity_type": "corporation"},
        **{"shares": ["B&A_8", "B&A_1"], "percent": 20},
    }


def test_a_minor_is_reserved_with_the_first_space_and_started_with_its_own() -> None:
    """R-NE-022: that site wants one to be named."""
    exporter = Exporter(Game("18newengland", [(player, player) for player in "123"], 73885))
    for player, name in (("1", "CV"), ("2", "ER"), ("3", "BL")):
        (reserved,) = tells(exporter, "reserve", player, player, company=name)
        assert (reserved["type"], reserved["corporation"]) == ("par", name)
        assert reserved["share_price"] == "50,0,3"
    (begun,) = tells(exporter, "start_minor", "3", "3", company="BL", value=65, space="bottom")
    assert (begun["type"], begun["entity"], begun["corporation"]) == ("par", 3, "BL")
    assert begun["share_price"] == "65,1,6"


# --- tiles and trains ------------------------------------------------------------------------------------------


def test_a_tile_has_the_first_number_of_those_that_do_not_lie() -> None:
    """The one that another tile has replaced is free again."""
    exporter = Exporter(Position().phase("3").start("LV", 95, a=60).operating("LV").game())
    exporter._laid = {"A1": "57-0", "A2": "57-2"}
    (raw,) = tells(exporter, "lay_tile", "a", "LV", hex="J2", tile="57", rotation=1)
    assert (raw["tile"], raw["hex"], raw["rotation"]) == ("57-1", "J2", 1)
    assert exporter._laid["J2"] == "57-1"


def ids(title: str = "18chesapeake") -> TrainIds:
    """Of a new game."""
    game = new_game(title=title)
    return TrainIds(game.rules.spec, game.table.state)


def bought(company: str, train: str) -> TrainBought:
    """From the bank."""
    return TrainBought(company, train, BANK, 80, 0, "", 0)


def test_trains_are_numbered_in_the_order_in_which_they_leave_the_bank() -> None:
    found = ids()
    found._state.companies["PRR"].trains = ["2", "2"]
    found._state.companies["LV"].trains = ["2"]
    found.followed([bought("PRR", "2"), bought("LV", "2"), bought("PRR", "2")])
    assert found.held("PRR", "2") == ["2-0", "2-2"]
    assert (found.held("LV", "2"), found.held("LV", "3"), found.held(BANK, "2")) == (["2-1"], [], ["2-3"])


def test_a_train_that_changes_hands_keeps_its_number_and_the_oldest_goes_first() -> None:
    """To another company, to the pool, or out of the game."""
    found = ids()
    companies = found._state.companies
    companies["PRR"].trains = ["2", "2", "2"]
    found.followed([bought("PRR", "2")] * 3)
    companies["PRR"].trains, companies["LV"].trains = ["2", "2"], ["2"]
    found.followed(())
    assert (found.held("PRR", "2"), found.held("LV", "2")) == (["2-1", "2-2"], ["2-0"])
    companies["PRR"].trains, found._state.pool = ["2"], ["2"]
    found.followed(())
    assert (found.held("PRR", "2"), found.held(POOL, "2")) == (["2-2"], ["2-1"])
    companies["LV"].trains = []
    found.followed(())
    assert (found.held("LV", "2"), found.held(BANK, "2")) == ([], ["2-3"])


def test_of_two_trains_of_a_type_the_oldest_is_bought() -> None:
    """By its number; what is before that is its kind there, too."""
    place = Position().phase("4").cash(a=500).start("PRR", 80, a=60).start("LV", 80, a=60)
    place.treasury("PRR", 2000).trains("LV", "4", "4").operated("PRR", "LV")
    exporter = Exporter(place.operating("PRR", "trains").game())
    exporter._trains._held = {("LV", "4"): ["4-D-3", "4-1"]}
    (raw,) = tells(exporter, "buy_train", "a", "PRR", train="4", source="LV", trade_in="", price=1)
    assert (raw["train"], raw["variant"], raw["price"], "exchange" in raw) == ("4-D-3", "4-D", 1, False)


def test_an_obsolete_train_keeps_its_number() -> None:
    found = ids("18al")
    company = found._state.companies["L&N"]
    company.trains = ["4", "5"]
    found.followed([bought("L&N", "4"), bought("L&N", "5")])
    company.trains, company.obsolete = ["5"], ["4"]
    found.followed(())
    assert (found.held("L&N", "4"), found.held("L&N", "5")) == (["4-0"], ["5-0"])


def test_a_train_that_is_bought_is_none_of_those_that_leave_the_game() -> None:
    """18Chesapeake: of seven 2-trains one is bought, then one is exported, another one is bought and one exported."""
    found = ids()
    trains, depot = found._state.companies["PRR"].trains, found._state.depot
    numbers = []
    for left, happened in ((6, [bought("PRR", "2")]), (5, []), (4, [bought("PRR", "2")]), (3, [])):
        trains += ["2"] * len(happened)
        depot["2"] = left
        found.followed(happened)
        numbers += found.held(BANK, "2")
    assert numbers == ["2-1", "2-2", "2-3", "2-4"]
    assert found.held("PRR", "2") == ["2-0", "2-2"]


def test_trains_without_limit_are_numbered_without_end() -> None:
    found = ids()
    found._state.companies["PRR"].trains = ["D", "D"]
    found.followed([bought("PRR", "D")] * 2)
    assert (found.held("PRR", "D"), found.held(BANK, "D")) == (["D-0", "D-1"], ["D-2"])


def test_trains_from_the_one_on_that_starts_a_phase_are_numbered_from_one() -> None:
    """18TN: the fourth 3-train starts phase 3'; those that the bank exports take their numbers with them."""
    found = ids("18tn")
    numbers = []
    for left in (5, 4, 3, 2, 1):
        numbers += found.held(BANK, "3")
        found._state.depot["3"] = left - 1 + (found._left["3"] or 0) - left
        found.followed(())
    assert numbers == ["3-0", "3-1", "3-2", "3'-0", "3'-1"]


# --- routes ----------------------------------------------------------------------------------------------------


def test_a_run_names_its_stops_their_hexes_and_what_they_earn() -> None:
    route = Route.read("2:J2.0-a K1.a-3")
    stops = route.stops()
    written = _written_route(route, "2-4", [20, 30])
    assert (written["train"], written["revenue"]) == ("2-4", 50)
    assert written["hexes"] == [coord for coord, _ in stops]
    assert written["revenue_str"] == "-".join(coord for coord, _ in stops)
    assert written["connections"] == connections(route)


def test_connections_are_read_in_any_order_and_direction() -> None:
    """K1, J2 and J4 in a row: LV's track, and on to Philadelphia."""
    place = Position().start("LV", 95, a=60).tile("J2", "15", 4).tile("K3", "2", 2).tile("L4", "7", 2)
    game = place.trains("LV", "3").operating("LV", "run").game()
    (text,) = game.best_run().routes
    route = Route.read(text)
    links = connections(route)
    assert len(links) > 1
    for mixed in (links, links[::-1], [link[::-1] for link in links]):
        found = read_connections(game.table.map, "3", mixed)
        assert {frozenset((coord, a, b)) for coord, a, b in found.pieces} == {
            frozenset((coord, a, b)) for coord, a, b in route.pieces
        }
    for wrong in ([links[0], links[0]], [links[0][:1] * 2], [["H4", "H6"]]):
        with pytest.raises(Unreadable):
            read_connections(game.table.map, "3", wrong)


def test_a_private_that_brings_a_train_follows_no_number_of_a_company() -> None:
    """18AL: a train without an owner is nobody's."""
    place = Alabama().start("L&N", 60, a=60)
    found = TrainIds(place.t.spec, place.state)
    assert found.held("L&N", "2") == []
