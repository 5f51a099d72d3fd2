"""Charters and players' sheets as text."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.client.features.views import company_sheet, player_sheet, trains_sheet
from engine.game import Game
from engine.record import load_game
from engine.tell.view_builders import company_view, player_view, trains_view
from engine.tell.views import LastRunView
from render import render_company

GAME = Path(__file__).parents[2] / "golden" / "18al-price-3p.json"


@pytest.fixture
def game() -> Game:
    """Well into a game."""
    return load_game(GAME.read_text("utf-8"), 300)


def test_the_charter_of_a_started_company_shows_all_it_has(game: Game) -> None:
    assert company_sheet(company_view(game, "L&N")).splitlines() == [
        "**L&N**, Louisville & Nashville Railroad: price $170, par $105",
        "President: Cy. Treasury: $104.",
        "Trains: 5. Tokens left: $100, $100; placed: A4, C4.",
        "Shares: Cy 50% (president); IPO 40%, market 10%.",
        "Last run: $0, withheld.",
    ]


def test_a_players_sheet_shows_money_and_shares(game: Game) -> None:
    assert player_sheet(player_view(game, "p1")).splitlines() == [
        "**Ann**: cash $21, net worth $1941, certificates 12 of 15",
        "- M&O 40% (president): $420",
        "- WRA 60% (president): $540",
        "- ABC 40%: $960",
    ]


def test_the_picture_of_a_charter_does_not_depend_on_words(game: Game) -> None:
    """What was kept stands in brackets, whatever its name."""
    view = replace(company_view(game, "L&N"), last_run=LastRunView(90, True, "withheld"))
    other = replace(view, last_run=LastRunView(90, True, "einbehalten"))
    paid = replace(view, last_run=LastRunView(90, False, "paid"))
    assert render_company(other) == render_company(view) != render_company(paid)


def test_a_minors_sheet_shows_its_value_and_no_offering() -> None:
    """18NewEngland R-NE-002."""
    start = Game("18newengland", [("a", "Ann"), ("b", "Bob"), ("c", "Cy")], 0, "rulebook", frozenset())
    view = replace(
        company_view(start, "GR"), par=70, price=70, fixed=True, floated=True, holders=(("Ann", 100, True),)
    )
    assert company_sheet(replace(view, president="Ann")).splitlines() == [
        "**GR**, Granite Railway: value $70",
        "President: Ann. Treasury: $0.",
        "Trains: none. Tokens left: $0; placed: none.",
        "Shares: Ann 100% (president).",
    ]


def test_the_sheet_of_a_company_that_is_not_started_says_why() -> None:
    """18NewEngland R-NE-004, R-NE-021, R-NE-115."""
    start = Game("18newengland", [("a", "Ann"), ("b", "Bob"), ("c", "Cy")], 0, "rulebook", frozenset())
    view = replace(company_view(start, "GR"), waits_for="")
    head = "**GR**, Granite Railway: "
    assert company_sheet(view) == f"{head}not started. Home L7."
    assert company_sheet(replace(view, reserved_by="Ann")) == f"{head}not started. Home L7. Reserved by Ann."
    waiting = company_sheet(replace(view, waits_for="3"))
    assert waiting == f"{head}not started. Home L7. Available from phase 3 on."
    assert company_sheet(replace(view, closed=True)) == f"{head}out of the game."


def test_the_train_sheet_shows_the_limit_of_each_kind() -> None:
    """18NewEngland R-NE-007."""
    start = Game("18newengland", [("a", "Ann"), ("b", "Bob"), ("c", "Cy")], 0, "rulebook", frozenset())
    assert trains_sheet(trains_view(start)).splitlines()[0] == "Phase 2, train limit 4, of a minor 2."
