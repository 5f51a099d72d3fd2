"""Shares, trains, tiles and cities are numbered in a log, and followed by their numbers."""

from typing import Any

import pytest

from engine.core.actions import Answer, EndGame, Pass, build_action
from engine.core.errors import IllegalAction, Unreadable
from engine.core.events import (
    Event,
    Floated,
    Parred,
    PresidentChanged,
    ShareBought,
    ShareReceived,
    ShareRemoved,
)
from engine.core.ids import MARKET, OFFERING, REMOVED
from engine.game import Game
from engine.interchange.exporter import Exporter, connections, log_city, log_id
from engine.interchange.log_ids import ShareBook
from engine.interchange.log_reader import Raw
from engine.interchange.log_routes import read_connections
from engine.routes.legal_routes import Route
from engine.titles import TITLES
from tests.titles.builders import Position, new_game
from tests.titles.t18newengland.newengland import NewEngland


def tells(exporter: Exporter, kind: str, actor: str, entity: str, **chosen: Any) -> list[Raw]:
    return exporter.do(build_action(kind, actor, entity, **chosen))


def written(place: Position, kind: str, actor: str, entity: str, **chosen: Any) -> Raw:
    """The one action that a log has of it in a position."""
    (raw,) = tells(Exporter(place.game()), kind, actor, entity, **chosen)
    return raw


# --- names -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs"), [("7", 7), ("07", "07"), ("-7", "-7"), ("p7", "p7"), ("PRR", "PRR"), ("0", 0)]
)
def test_numeric_ids_are_numbers(ours: str, theirs: int | str) -> None:
    assert log_id(ours) == theirs


def test_city_is_named_by_its_place_in_the_hex() -> None:
    """Towns count for nothing, as in Quincy; a tile that was laid is named in place of the hex."""
    board = NewEngland().t.map
    assert [stop.kind for stop in board.topology("L7").stops] == ["town", "city"]
    assert log_city(board, {}, ("L7", 1)) == "L7-0-0"
    assert [log_city(board, {"B3": "X1-0"}, ("B3", stop)) for stop in (0, 1)] == ["X1-0-0", "X1-0-1"]


def test_token_goes_behind_reserved_places() -> None:
    """18Chesapeake: in brown Baltimore the first of two is kept for the B&O."""
    position = Position().phase("5").start("C&A", 70, a=60).tile("J6", "57", 0).tile("J4", "X4", 0)
    position.tile("I5", "4", 1).tile("H6", "X3", 1).tile("H6", "X7", 2).operating("C&A", "token")
    assert written(position, "place_token", "a", "C&A", hex="H6", city=0)["slot"] == 1


def test_entity_type_of_an_action() -> None:
    place = Position().phase("3").start("LV", 95, a=60).owns("LV", "C&OC").operating("LV")
    private = written(place, "lay_tile", "a", "C&OC", hex="D2", tile="57", rotation=1)
    assert (private["entity_type"], private["entity"], private["tile"]) == ("company", "C&OC", "57-0")
    assert (
        written(Position().start("LV", 95, a=60).operating("LV"), "pass", "a", "LV")["entity_type"]
        == "corporation"
    )
    assert written(Position().stock("a"), "pass", "a", "a")["entity_type"] == "player"


def test_refused_action_is_not_written() -> None:
    """Not the turn of Bob; no share of the LV lies in the market; the LV has no train."""
    exporter = Exporter(Position().phase("3").start("LV", 95, a=60).stock("a").game())
    for kind, actor, entity, chosen in (
        ("pass", "b", "b", {}),
        ("buy_share", "a", "a", {"company": "LV", "source": MARKET}),
        ("discard_train", "a", "LV", {"train": "2"}),
    ):
        with pytest.raises(IllegalAction):
            tells(exporter, kind, actor, entity, **chosen)
    assert exporter.game.seq == 0


def test_proposal_is_written_once_agreed_to() -> None:
    """And one that is refused never was."""
    for reply, kinds in (("agree", ["buy_company"]), ("refuse", [])):
        place = Position().phase("3").cash(a=500).start("LV", 80, a=60).treasury("LV", 500).owns("b", "D&R")
        exporter = Exporter(place.operating("LV", "trains").game())
        assert tells(exporter, "buy_private", "a", "LV", private="D&R", price=40) == []
        found = exporter.do(Answer(actor="b", entity="b", reply=reply))  # type: ignore[arg-type]
        assert [raw["type"] for raw in found] == kinds


def test_agreed_end_names_who_said_so_first() -> None:
    exporter = Exporter(new_game(3))
    votes = [exporter.do(EndGame(actor=player, entity=player)) for player in "bca"]
    assert votes[:2] == [[], []]
    assert [(raw["entity"], raw["agreed"]) for raw in votes[2]] == [("b", ["c", "a"])]


def test_minor_is_reserved_with_the_first_space() -> None:
    """R-NE-022: that site wants one to be named; it is started with its own."""
    exporter = Exporter(Game("18newengland", [(player, player) for player in "123"], 73885))
    found = [
        raw["share_price"]
        for player, name in (("1", "CV"), ("2", "ER"), ("3", "BL"))
        for raw in tells(exporter, "reserve", player, player, company=name)
    ]
    assert found == ["50,0,3"] * 3
    (begun,) = tells(exporter, "start_minor", "3", "3", company="BL", value=65, space="bottom")
    assert (begun["type"], begun["entity"], begun["corporation"]) == ("par", 3, "BL")
    assert begun["share_price"] == "65,1,6"


# --- shares ----------------------------------------------------------------------------------------------------

CHANGED = PresidentChanged("PRR", "a", "b")
BOUGHT = ShareBought(player="b", company="PRR", percent=10, source=OFFERING, price=80)
Held = dict[str, list[int]]


@pytest.mark.parametrize(
    ("before", "doing", "ids", "events", "after"),
    [
        # 18Chesapeake: the certificate, 0, is 20% of the PRR; what moves without an action of its own
        ({}, {}, [], [Parred("a", "PRR", 80, 20, 160)], {"a": [0]}),
        ({}, {}, [], [ShareReceived(player="a", company="PRR", percent=20, president=True)], {"a": [0]}),
        ({}, {}, [], [ShareReceived(player="b", company="PRR", percent=10, president=False)], {"b": [1]}),
        ({"a": [0, 1, 2, 3]}, {}, [], [Floated("PRR", 800, 40)], {OFFERING: [], MARKET: [4, 5, 6, 7, 8]}),
        ({"a": [0, 1, 2, 3]}, {}, [], [Floated("PRR", 800, 0)], {OFFERING: [4, 5, 6, 7, 8], MARKET: []}),
        # sales: shares; half of the certificate; all of it; and so that as much as it is kept
        ({"a": [0, 5, 7], "b": [1]}, {"sold": 2}, [5, 7], [], {"a": [0], MARKET: [5, 7], "b": [1]}),
        ({"a": [0], "b": [1, 2, 3]}, {"sold": 1}, [0], [CHANGED], {"a": [1], MARKET: [2], "b": [0, 3]}),
        ({"a": [0], "b": [1, 2, 3]}, {"sold": 2}, [0], [CHANGED], {"a": [], MARKET: [1, 2], "b": [0, 3]}),
        ({"a": [0, 5], "b": [1, 2, 3]}, {"sold": 1}, [5], [CHANGED], {"a": [1, 2], MARKET: [5], "b": [0, 3]}),
        # purchases: the oldest shares for the certificate; and by which the company floats
        ({"a": [0], "b": [2, 1]}, {"bought": 1}, [6], [BOUGHT, CHANGED], {"a": [2, 1], "b": [0, 6]}),
        (
            {"b": [0, 1, 2, 3]},
            {"bought": 1},
            [4],
            [BOUGHT, Floated("PRR", 800, 40)],
            {"b": [0, 1, 2, 3, 4], MARKET: [5, 6, 7, 8]},
        ),
        ({MARKET: [5, 7, 6]}, {"bought": 1}, [5], [ShareRemoved("PRR")], {MARKET: [5, 7], REMOVED: [6]}),
        # a company redeems and issues
        ({MARKET: [4, 3], "PRR": [6, 5]}, {"redeem": 1}, [4], [], {MARKET: [3], "PRR": [6, 5, 4]}),
        ({MARKET: [3], "PRR": [6, 5]}, {"issue": 1}, [1, 6], [], {MARKET: [3, 1, 6], "PRR": [5]}),
    ],
)
def test_shares_move(
    before: Held, doing: dict[str, int], ids: list[int], events: list[Event], after: Held
) -> None:
    book = ShareBook(new_game().table.state)
    for holder, shares in before.items():
        book.move_shares([("PRR", share) for share in shares], holder)
    action = {
        "sold": build_action("sell_shares", "a", "a", company="PRR", shares=doing.get("sold", 1)),
        "bought": build_action("buy_share", "b", "b", company="PRR", source=OFFERING),
        "redeem": build_action("redeem", "a", "PRR", shares=1),
        "issue": build_action("issue", "a", "PRR", offering=1, treasury=1),
        "": Pass(actor="a", entity="a"),
    }[next(iter(doing), "")]
    book.follow(action, ids, events)
    certificate = book.holder("PRR", 0)
    assert {
        holder: [0] * (holder == certificate) + book.shares_of("PRR", holder) for holder in after
    } == after


def test_share_book_of_a_new_game() -> None:
    """A certificate that is half of a company leaves five shares."""
    state = new_game().table.state
    assert ShareBook(state).shares_of("LV", OFFERING) == [1, 2, 3, 4, 5, 6, 7, 8]
    state.companies["PRR"].certificate = 50
    book = ShareBook(state)
    assert book.shares_of("PRR", OFFERING) == [1, 2, 3, 4, 5]
    book.move_shares([("PRR", share) for share in (5, 2, 4)], MARKET)
    assert [share for share in range(6) if book.leaves_next("PRR", share)] == [4], "the newest of the market"
    with pytest.raises(KeyError, match=r"PRR.*12"):
        book.holder("PRR", 12)


# --- routes ----------------------------------------------------------------------------------------------------


def test_connections_of_a_route() -> None:
    """The Granite Railway runs in Quincy; elsewhere every hex from one stop to the next is named."""
    assert connections(Route.read("2:L7.a-b")) == [["L7"]]
    assert connections(Route.read("3:F17.a-4 F19.1-4 F21.1-3 E22.0-a")) == [["F17", "F19", "F21", "E22"]]


@pytest.mark.parametrize("title", [known.id for known in TITLES.values() if known.spec.on_18xx_games])
def test_hex_alone_names_track_between_stops(title: str) -> None:
    """No hex of a title of that site has such track in two places."""
    board = new_game(title=title).table.map
    laid = [tile.topology for tile in board.spec.tiles.values()]
    for topology in (*laid, *(board.topology(coord) for coord in board.spec.map.hexes)):
        assert sum(piece.joins_stops for piece in topology.pieces) <= 1


def test_connections_are_read_in_any_order() -> None:
    """And direction. K1, J2 and J4 in a row: LV's track, and on to Philadelphia."""
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
