"""Preferences of the caretaker, each in a tiny position."""

import pytest

from engine.board.network import network_of
from engine.caretaker import choose_move
from engine.caretaker.railway import lay_count_to_run
from engine.core.actions import Action
from engine.game import Game
from tests.titles.builders import Position, new_game, offered, values


def chosen(game: Game) -> Action:
    return choose_move(game, game.actors()[0], 1)


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
    game.apply(choose_move(game, "a", 1, "Conductor"))
    assert ("G5" in network_of(game.table.map, "B&O").edges) == leads


def test_forced_purchase_sells_before_ruin() -> None:
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
    found = {
        c: lay_count_to_run(board, (home.hex, home.stop), frozenset()) for c, home in homes.items() if home
    }
    assert found == lays


def test_no_presidency_is_sold_above_the_limit() -> None:
    """Six players may have eleven; Ann has twelve."""
    position = Position(players=6).start("LV", 80, a=60).start("B&O", 80, b=30, a=20)
    position.start("PRR", 80, c=50, a=20).start("SRR", 80, d=50, a=20).start("C&O", 80, e=60, a=10)
    game = position.cash(a=0, b=0, c=0, d=0, e=0, f=0).stock().game()
    assert not offered(game, "pass")
    action = chosen(game)
    assert action.kind == "sell_shares"
    assert action.chosen()["company"] != "LV"


def test_private_is_taken_over_at_the_most() -> None:
    game = railway().phase("3").trains("LV", "3").owns("a", "D&R").operating("LV").game()
    most = max(values(game, "buy_private", "LV", "price", private="D&R"))
    for _ in range(6):
        action = chosen(game)
        if action.kind == "buy_private":
            break
        game.apply(action)
    assert action.chosen() == {"private": "D&R", "price": most}
