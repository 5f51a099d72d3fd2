"""Actions that only logs of 18NewEngland have."""

import json
from typing import Any

import pytest

from engine.core import actions as a
from engine.core.ids import MARKET, OFFERING
from engine.core.state import Draft
from engine.interchange import ReplayEnd, read_log, replay
from engine.interchange.importer import Importer
from tests.engine.interchange.logs import Raw, passes
from tests.titles.builders import cash, company
from tests.titles.t18newengland.newengland import NewEngland

SEED = 73885


def outcome(*actions: Raw) -> ReplayEnd:
    """A log of three players from the first action on, replayed."""
    log: dict[str, Any] = {
        "title": "18NewEngland",
        "players": [{"id": number, "name": f"Player {number}"} for number in (1, 2, 3)],
        "settings": {"seed": SEED},
        "actions": [{"id": number, **action} for number, action in enumerate(actions, 1)],
    }
    return replay(read_log(json.dumps(log)))


def minor(entity: int, name: str, space: str = "70,0,7") -> Raw:
    """A minor reserved, or started by the player who has reserved it."""
    return {"type": "par", "entity": entity, "corporation": name, "share_price": space}


def test_the_first_par_of_a_minor_reserves_it_and_the_second_sets_its_value() -> None:
    """The value named with a reservation means nothing; the row is the space (R-NE-022)."""
    found = outcome(minor(1, "CV"), minor(2, "ER"), minor(3, "BL"), minor(3, "BL", "65,1,6"))
    assert found.problem is None
    assert found.game is not None
    assert found.game.table.state.round == Draft(turn=4, reserved={"CV": "1", "ER": "2"})
    assert company(found.game, "BL").cell == (1, 6)
    assert cash(found.game) == {"1": 400, "2": 400, "3": 270}


def test_a_pass_with_reservations_gives_them_back() -> None:
    """It ends the draft where all have passed, and the first trains need no action (R-NE-023, R-NE-027)."""
    found = outcome(
        minor(1, "CV"), minor(2, "ER"), minor(3, "BL"), minor(3, "BL", "65,1,6"), passes(2), passes(1)
    )
    assert found.problem is None
    assert found.game is not None
    assert found.game.table.state.round == Draft(turn=8, out=["2", "1"], passed=["2", "1"])


def test_first_trains_are_followed_by_their_ids() -> None:
    """The minor that operates first has the first of them (R-NE-027)."""
    found = outcome(
        *(minor(1, "CV"), minor(2, "ER"), minor(3, "BL"), minor(3, "BL", "65,1,6"), minor(2, "ER", "70,0,7")),
        *(passes(1), passes(2), passes(3)),
    )
    assert found.problem is None
    assert found.game is not None
    state = found.game.table.state
    assert (state.companies["ER"].trains, state.companies["BL"].trains) == (["2"], ["2"])
    assert found.game.table.turn.company == "ER"


def importer(position: NewEngland) -> Importer:
    """Reads the actions of a log in a position; its share book begins with the offering, and is given what moved."""
    return Importer(position.game())


def test_a_company_redeems_by_buying_and_issues_by_selling() -> None:
    """Shares of the offering are known by their ids (R-NE-080, R-NE-081)."""
    position = NewEngland(profile="18xx.games", from_log=99).major("B&A", 100, treasury=500, a=40, market=20)
    read = importer(position.trains("B&A", "3").operating("B&A", "issue"))
    read._shares.moved([("B&A", 3), ("B&A", 4)], MARKET)
    read._shares.moved([("B&A", 5)], "B&A")
    raw = {"type": "buy_shares", "entity": "B&A", "shares": ["B&A_3"], "percent": 10}
    assert read.read(raw) == a.Redeem(actor="a", entity="B&A", shares=1)
    raw = {"type": "sell_shares", "entity": "B&A", "shares": ["B&A_5", "B&A_6"], "percent": 20}
    assert read.read(raw) == a.Issue(actor="a", entity="B&A", offering=1, treasury=1)


def test_redeemed_shares_are_bought_from_the_treasury_by_their_ids() -> None:
    """R-NE-043"""
    position = NewEngland(profile="18xx.games", from_log=99).cash(a=500)
    position.major("B&A", 100, treasury=500, b=40, market=20).trains("B&A", "3").operating("B&A", "issue")
    read = importer(position)
    read._shares.moved([("B&A", 3), ("B&A", 4)], MARKET)
    assert read.apply({"type": "buy_shares", "entity": "B&A", "shares": ["B&A_4"], "percent": 10})
    assert read._shares.holder("B&A", 4) == "B&A"
    position.stock("a")
    position.game()
    raw = {"type": "buy_shares", "entity": "a", "shares": ["B&A_4"], "percent": 10}
    assert read.read(raw) == a.BuyShare(actor="a", entity="a", company="B&A", source="B&A")
    raw = {"type": "buy_shares", "entity": "a", "shares": ["B&A_7"], "percent": 10}
    assert read.read(raw) == a.BuyShare(actor="a", entity="a", company="B&A", source=OFFERING)


@pytest.mark.parametrize("connections", [[["L7"]], [["L7 0.1"]], [["L7 1.0"]]])
def test_track_between_two_stops_of_a_hex_is_read_with_and_without_them(connections: list[list[str]]) -> None:
    """The Granite Railway runs in Quincy (R-NE-086)."""
    position = NewEngland(profile="18xx.games", from_log=99).minor("GR", 70, "a", "2").operating("GR", "run")
    raw = {"type": "run_routes", "entity": "GR", "routes": [{"train": "2-0", "connections": connections}]}
    read = importer(position).read(raw)
    assert isinstance(read, a.RunRoutes)
    assert read.routes == ("2:L7.a-b",)
