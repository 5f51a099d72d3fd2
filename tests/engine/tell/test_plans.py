"""A plan is free of turns, and bound by the map; what it says of dividends is what the game then pays."""

from itertools import islice

import pytest

from engine.core.errors import Unreadable
from engine.game import Game
from engine.play.steps.base import Request
from engine.tell.view_builders import best_run_view, payouts_view, plan_view, planned_game, planned_lays
from tests.engine.tell.followed import ALL
from tests.golden.positions import golden, golden_at
from tests.support.long_runs import VARIED_GAMES, some_named

JUDGED = {
    "G4:441a:0": ("laid", []),
    "G4@M&O:0": ("laid", []),
    "K2:5:1": ("true", []),
    "C4@L&N:0": ("true", []),
    "L5:444m:2": ("laid", ["Brown tiles come in phase 5"]),
    "L5:57:0": ("misfit", ["Tile 57 may not be laid in L5 next"]),
    "K2:14:0": (
        "misfit",
        ["In this rotation, tile 14 in K2 breaks old track or points where no track may go"],
    ),
    "M8:57:0": ("misfit", ["Nobody can lay another tile in M8"]),
    "A9:57:0": ("misfit", ["There is no hex A9 on the map"]),
    "K2:777:0": ("misfit", ["There is no tile 777 in this game"]),
    "A4@M&O:0": (
        "misfit",
        ["No slot in A4 is free for M&O; home slots of other companies must stay free"],
    ),
    "C4@L&N:1": ("misfit", ["L&N already has a token in C4"]),
    "K2@M&O:1": ("misfit", ["K2 has no city with this number: its 1 stop is numbered from 1"]),
    "K2@PRR:0": ("misfit", ["There is no company PRR"]),
}
"""Parts of a plan in the position below, and what is said of them."""
UNREADABLE = ("K2", "K2:14", "K2:14:6", "K2@M&O", ",", "K2:14:1;", "K2:14:1," * 61 + "K2:14:1")
ENOUGH = 12
"""Dividends of each game that are compared."""


@pytest.fixture(scope="module")
def game() -> Game:
    return golden_at("18al-price-3p", 150)


@pytest.mark.parametrize("part", JUDGED)
def test_part_is_judged(game: Game, part: str) -> None:
    [found] = plan_view(game, part, None).parts
    assert (found.state, list(found.notes)) == JUDGED[part]


@pytest.mark.parametrize("plan", UNREADABLE, ids=lambda plan: plan[:9])
def test_unreadable_plan_is_refused(game: Game, plan: str) -> None:
    with pytest.raises(Unreadable):
        plan_view(game, plan, None)


def test_plan_has_cost_and_best_run(game: Game) -> None:
    plan, digest = "G4:441a:0,G4@M&O:0,K2:15:0", game.digest()
    assert [part.cost for part in plan_view(game, plan, "M&O").parts] == [60, 40, 0]
    assert plan_view(game, plan, "ABC").cost == 60
    runs = [
        best_run_view(planned_game(game, *asked), "M&O")
        for asked in (("", "M&O"), (plan, "M&O"), (plan, "M&O", ["4D"]))
    ]
    assert [run and run.revenue for run in runs] == [90, 100, 200]
    assert game.digest() == digest


def test_plan_builds_on_itself(game: Game) -> None:
    """Upgrades of planned tiles, tokens in planned cities, and each tile as often as there are copies."""
    view = plan_view(game, "G4:441a:0,G4:442a:0,G4@M&O:0,G4@WRA:0,N1:27:3,P3:27:1", "M&O")
    assert [part.state for part in view.parts] == [*["laid"] * 5, "misfit"]
    assert view.parts[-1].notes == ("No tile 27 is left",)
    assert "27" not in {one.lay.tile for one in planned_lays(game, "N1:27:3", "P3", None)}


@pytest.mark.parametrize("name", some_named(VARIED_GAMES, ALL))
def test_dividend_table_comes_true(name: str) -> None:
    for number in islice((n for n, one in enumerate(golden(name).actions) if one.kind == "dividend"), ENOUGH):
        game, action = golden_at(name, number), golden(name).actions[number]
        company, players = action.entity, game.table.state.players
        table = payouts_view(game, company, game.table.turn.revenue)
        assert table is not None
        cash = [player.cash for player in players]
        treasury = game.table.cash(company)
        after = game.table_after(game.cursor_for(Request.of_action(action)))
        run = after.state.companies[company].last_run
        assert run is not None
        [said] = [one for one in table.rows[-1][1] if one.outcome == run.outcome]
        paid = [player.cash - before for player, before in zip(after.state.players, cash, strict=True)]
        assert (list(said.player_amounts), said.treasury_amount) == (paid, after.cash(company) - treasury)
        assert said.price == after.price(after.state.companies[company])
