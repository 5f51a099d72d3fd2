"""Preferences of the caretaker, each in a tiny position."""

from pathlib import Path

import pytest

from engine.board.network import network_of
from engine.caretaker import choose
from engine.caretaker.railway import lays_to_run
from engine.core.actions import Action
from engine.game import Game
from engine.record import read_record
from tests.titles.builders import Position, cash, new_game, offered, values

GOLDEN = Path(__file__).parents[2] / "golden"


def chosen(game: Game) -> Action:
    return choose(game, game.actors()[0], 1)


def railway() -> Position:
    """LV has track from its home to Easton, a 2-train, and $950; Ann presides."""
    return Position().start("LV", 95, a=60).cash(a=0, b=0, c=0).operated("LV").tile("J2", "57", 1)


# --- a company's turn ----------------------------------------------------------------------------------------------


def test_track_gives_a_first_run() -> None:
    game = Position().start("LV", 95, a=60).trains("LV", "2").operating("LV").game()
    action = chosen(game)
    assert action.kind == "lay_tile"
    game.apply(action)
    assert game.best_run().revenue > 0


@pytest.mark.parametrize(("owner", "leads"), [(None, True), ("a", True), ("b", False)])
def test_track_avoids_hexes_closed_by_others(owner: str | None, leads: bool) -> None:
    """B&S closes G5; one's own is taken over by the company when the time comes (7.1).

    A player who looks two lays ahead finds F8 instead, which leads on to more.
    """
    position = Position().start("B&O", 80, a=60).trains("B&O", "2")
    if owner:
        position.owns(owner, "B&S")
    game = position.operating("B&O").game()
    game.apply(choose(game, "a", 1, "Conductor"))
    assert ("G5" in network_of(game.table.map, "B&O").edges) == leads


def test_stations_are_placed_for_more_track() -> None:
    """In the cities that a recorded game comes to."""
    record = read_record((GOLDEN / "18chesapeake-bank-4p.json").read_text("utf-8"))
    game, placed, declined = record.initial_game(), 0, 0
    for action in record.actions:
        if action.kind in {"place_token", "pass"} and game.seq % 3 == 0 and offered(game, "place_token"):
            mine = chosen(game)
            placed += mine.kind == "place_token"
            declined += mine.kind == "pass"
        game.apply(action)
    assert placed
    assert declined


def test_run_is_withheld_for_a_forced_purchase() -> None:
    """The next train makes its only one rust, and neither treasury nor president could pay another."""
    position = railway().phase("3").depot(t3=0).trains("LV", "2").treasury("LV", 0)
    position.start("B&O", 80, b=60).start("PRR", 80, c=60)
    game = position.operating("LV", "run").game()
    game.apply(chosen(game))
    assert chosen(game).chosen() == {"option": "withhold"}


def test_forced_purchase_sells_before_ruin() -> None:
    """Where sales can pay for the train, the president does not give up."""
    position = railway().phase("4").treasury("LV", 0).start("B&O", 80, at=(3, 5), b=60, a=30)
    game = position.operating("LV", "trains").game()
    action = chosen(game)
    assert (action.kind, action.chosen()["company"]) == ("sell_shares", "B&O")


# --- stock rounds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "lays"),
    [
        ("18chesapeake", {"LV": 1, "B&O": 2}),  # Allentown lies beside New York; Baltimore is far from all
        ("18newengland", {"BL": 0, "GR": 2}),  # printed track leads from Burlington to its neighbour
    ],
)
def test_lays_before_the_first_run(title: str, lays: dict[str, int]) -> None:
    board = new_game(title=title).table.map
    homes = {company: board.spec.companies[company].home for company in lays}
    found = {c: lays_to_run(board, (home.hex, home.stop), frozenset()) for c, home in homes.items() if home}
    assert found == lays


def test_company_near_its_first_run_is_started() -> None:
    """There is more around the home of the B&O, which would lay one tile more than the C&A."""
    game = Position().start("LV", 80, b=60).cash(a=500, b=0, c=0).stock().game()
    assert chosen(game).chosen()["company"] == "C&A"


def test_no_presidency_is_sold_above_the_limit() -> None:
    """Six players may have eleven; Ann has twelve."""
    position = (
        Position(players=6).start("LV", 80, a=60).start("B&O", 80, b=30, a=20).start("PRR", 80, c=50, a=20)
    )
    position.start("SRR", 80, d=50, a=20).start("C&O", 80, e=60, a=10)
    game = position.cash(a=0, b=0, c=0, d=0, e=0, f=0).stock().game()
    assert not offered(game, "pass")
    action = chosen(game)
    assert action.kind == "sell_shares"
    assert action.chosen()["company"] != "LV"


# --- privates and other players ------------------------------------------------------------------------------------


def test_bids_leave_half_of_the_money() -> None:
    game = new_game(players=4)
    for _ in range(300):
        if game.table.state.round.kind == "stock":
            break
        action = chosen(game)
        if action.kind == "bid":
            assert action.chosen()["amount"] <= cash(game)[action.actor] / 2
        game.apply(action)
    assert game.table.state.round.kind == "stock"


@pytest.mark.parametrize("title", ["18chesapeake", "18al", "18tn"])
def test_nobody_raises_their_own_bid(title: str) -> None:
    """Also where money is left, and the private is worth more than the bid that leads."""
    game, bids = new_game(players=3, title=title), 0
    while game.table.selling_privates:
        action = chosen(game)
        if action.kind == "bid":
            standing = game.table.auction.bids.get(action.chosen()["private"], {})
            assert not standing or max(standing, key=standing.__getitem__) != action.actor
            bids += 1
        game.apply(action)
    assert bids


def test_private_is_taken_over_at_the_most() -> None:
    game = railway().phase("3").trains("LV", "3").owns("a", "D&R").operating("LV").game()
    most = max(values(game, "buy_private", "LV", "price", private="D&R"))
    for _ in range(6):
        action = chosen(game)
        if action.kind == "buy_private":
            break
        game.apply(action)
    assert action.chosen() == {"private": "D&R", "price": most}
