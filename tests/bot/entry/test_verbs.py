"""The table of moves: what is typed of each, and how an action is written as its command."""

import pytest

from bot.table.moves.verbs import (
    MOVE_COMMANDS,
    action_as_typed,
    move_commands_of,
)
from engine.core.actions import Action, Dividend, EndGame, LayTile, Pass, RunRoutes
from tests.titles.builders import new_game


@pytest.mark.parametrize(
    ("verb", "details", "given"),
    [
        ("lay", "G5 57 2", {"hex": "G5", "tile": "57", "rotation": "2"}),
        ("lay", "  G5   57  ", {"hex": "G5", "tile": "57"}),
        ("lay", "G5 57 2 and more", {"hex": "G5", "tile": "57", "rotation": "2 and more"}),
        ("pass", "and go home", {}),
        ("shuffle", "2 3 4", {"first": "2 3 4"}),
        ("withhold", "", {"option": "withhold"}),
        ("pay", "half", {"option": "pay"}),
    ],
)
def test_details_in_the_order_of_the_slots(verb: str, details: str, given: dict[str, str]) -> None:
    assert MOVE_COMMANDS[verb].split_values(details) == given


@pytest.mark.parametrize(
    ("verb", "details", "given"),
    [
        ("sell-private", "MHE Bob 50", {"private": "MHE", "buyer": "Bob", "price": "50"}),
        (
            "sell-private",
            "private:MHE buyer:Ann Lee  price:50",
            {"private": "MHE", "buyer": "Ann Lee", "price": "50"},
        ),
        ("exchange", "source:market", {"source": "market"}),
        ("shuffle", "2 first:3", {"first": "2 first:3"}),
        ("agree", ":", {}),
    ],
)
def test_details_of_move(verb: str, details: str, given: dict[str, str]) -> None:
    """In a row, or named if one is left out or has spaces."""
    assert MOVE_COMMANDS[verb].parameter_values(details) == given


@pytest.mark.parametrize(
    ("action", "typed"),
    [
        (LayTile(actor="a", entity="PRR", hex="G5", tile="57", rotation=2), "lay G5 57 2"),
        (Pass(actor="a", entity="PRR"), "pass"),
        (RunRoutes(actor="a", entity="PRR", routes=("2:H4 H6", "3:A1 B2")), "run 2:H4 H6 3:A1 B2"),
        (Dividend(actor="a", entity="PRR", option="pay"), "pay"),
        (Dividend(actor="a", entity="PRR", option="half"), "pay-half"),
        (Dividend(actor="a", entity="PRR", option="withhold"), "withhold"),
        (EndGame(actor="a", entity="PRR"), "end-game"),
    ],
)
def test_typed_form(action: Action, typed: str) -> None:
    assert action_as_typed(action) == typed


def test_verbs_of_a_title() -> None:
    known = set(move_commands_of(new_game()))
    assert {"pay", "withhold", "lay", "pass", "buy-train"} <= known
    assert not {"pay-half", "reissue", "merge"} & known
    assert "pay-half" in move_commands_of(new_game(title="18newengland"))
