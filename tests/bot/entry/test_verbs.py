"""The table of moves: what is typed of each, and how an action is written as its command."""

import pytest

from bot.table.moves.completions import LONGEST
from bot.table.moves.verbs import (
    LONGEST_NAME,
    VERBS,
    integer,
    name,
    number,
    optional,
    typed_form,
    verbs_of,
    word,
)
from engine.core.actions import Dividend, EndGame, LayTile, Pass, RunRoutes
from tests.titles.builders import new_game


def test_a_parameter_must_be_typed_unless_it_may_be_left_out() -> None:
    typed = (
        name("hex", "Where"),
        word("major", "Which"),
        number("price", "Dollars"),
        integer("city", "Which"),
    )
    assert all(parameter.required for parameter in typed)
    assert not any(optional(parameter).required for parameter in typed)
    assert optional(typed[0]).about == "Where"


def test_whatever_completes_a_name_may_be_typed() -> None:
    assert LONGEST_NAME == LONGEST


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
def test_values_are_typed_in_the_order_of_the_slots(verb: str, details: str, given: dict[str, str]) -> None:
    assert VERBS[verb].given(details) == given


def test_an_action_is_written_as_it_is_typed() -> None:
    lay = LayTile(actor="a", entity="PRR", hex="G5", tile="57", rotation=2)
    assert typed_form(lay) == "lay G5 57 2"
    assert typed_form(Pass(actor="a", entity="PRR")) == "pass"
    run = RunRoutes(actor="a", entity="PRR", routes=("2:H4 H6", "3:A1 B2"))
    assert typed_form(run) == "run 2:H4 H6 3:A1 B2"


@pytest.mark.parametrize(
    ("option", "typed"), [("pay", "pay"), ("half", "pay-half"), ("withhold", "withhold")]
)
def test_each_way_to_pay_has_its_own_command(option: str, typed: str) -> None:
    dividend = Dividend.model_validate({"actor": "a", "entity": "PRR", "option": option})
    assert typed_form(dividend) == typed


def test_what_no_command_makes_is_written_by_its_name() -> None:
    assert typed_form(EndGame(actor="a", entity="a")) == "end-game"


def test_a_title_has_the_moves_of_its_rounds_and_its_ways_to_pay() -> None:
    game = new_game()
    known = verbs_of(game)
    assert {"pay", "withhold", "lay", "pass", "buy-train"} <= set(known)
    assert not {"pay-half", "reissue", "merge"} & set(known)
    halves = [
        title for title in ("18c2c", "18newengland") if "half" in new_game(title=title).rules.spec.dividends
    ]
    assert halves
    assert all("pay-half" in verbs_of(new_game(title=title)) for title in halves)
