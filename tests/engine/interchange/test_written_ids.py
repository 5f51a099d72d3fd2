"""Shares, trains, tiles and cities are numbered in a log, and followed by their numbers."""

from typing import Any

import pytest

from engine.core.actions import Answer, EndGame, build_action
from engine.core.errors import IllegalAction, Unreadable
from engine.core.ids import MARKET
from engine.game import Game
from engine.interchange.exporter import Exporter, connections, id_in_log
from engine.interchange.log_reader import RawAction
from engine.interchange.log_routes import route_from_connections
from engine.routes.legal_routes import Route
from tests.titles.builders import Position, new_game


def tells(exporter: Exporter, kind: str, actor: str, entity: str, **chosen: Any) -> list[RawAction]:
    return exporter.write_action(build_action(kind, actor, entity, **chosen))


def written(place: Position, kind: str, actor: str, entity: str, **chosen: Any) -> RawAction:
    """The one action that a log has of it in a position."""
    (raw,) = tells(Exporter(place.game()), kind, actor, entity, **chosen)
    return raw


# --- names -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs"), [("7", 7), ("07", "07"), ("-7", "-7"), ("p7", "p7"), ("PRR", "PRR"), ("0", 0)]
)
def test_numeric_ids_are_numbers(ours: str, theirs: int | str) -> None:
    assert id_in_log(ours) == theirs


def test_entity_type_of_an_action() -> None:
    place = Position().phase("3").start("LV", 95, a=60).owns("LV", "C&OC").operating("LV")
    private = written(place, "lay_tile", "a", "C&OC", hex="D2", tile="57", rotation=1)
    assert (private["entity_type"], private["entity"], private["tile"]) == ("company", "C&OC", "57-0")
    own = written(Position().start("LV", 95, a=60).operating("LV"), "pass", "a", "LV")
    assert own["entity_type"] == "corporation"
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


def test_agreement_is_written_once() -> None:
    """As the last one agrees; the end names who said so first."""
    for reply, kinds in (("agree", ["buy_company"]), ("refuse", [])):
        place = Position().phase("3").cash(a=500).start("LV", 80, a=60).treasury("LV", 500).owns("b", "D&R")
        exporter = Exporter(place.operating("LV", "trains").game())
        assert tells(exporter, "buy_private", "a", "LV", private="D&R", price=40) == []
        found = exporter.write_action(Answer(actor="b", entity="b", reply=reply))  # type: ignore[arg-type]
        assert [raw["type"] for raw in found] == kinds
    exporter = Exporter(new_game(3))
    votes = [exporter.write_action(EndGame(actor=player, entity=player)) for player in "bca"]
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


# --- routes ----------------------------------------------------------------------------------------------------


def test_connections_are_read_in_any_order() -> None:
    """And direction. K1, J2 and J4 in a row: LV's track, and on to Philadelphia."""
    place = Position().start("LV", 95, a=60).tile("J2", "15", 4).tile("K3", "2", 2).tile("L4", "7", 2)
    game = place.trains("LV", "3").operating("LV", "run").game()
    (text,) = game.best_run().routes
    route = Route.read(text)
    links = connections(route)
    assert len(links) > 1
    for mixed in (links, links[::-1], [link[::-1] for link in links]):
        found = route_from_connections(game.table.map, "3", mixed)
        assert {frozenset((coord, a, b)) for coord, a, b in found.pieces} == {
            frozenset((coord, a, b)) for coord, a, b in route.pieces
        }
    for wrong in ([links[0], links[0]], [links[0][:1] * 2], [["H4", "H6"]]):
        with pytest.raises(Unreadable):
            route_from_connections(game.table.map, "3", wrong)
