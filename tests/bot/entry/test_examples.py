"""Every example that players are given is accepted where they type it."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from bot.table.clocks.away import parse_absence_end
from bot.table.errors import Refused
from bot.table.moves.verbs import MOVE_COMMANDS
from bot.table.settings.person_settings import time_of_day
from bot.table.settings.table_settings import SETTINGS
from bot.table.what_ifs import typed_moves
from engine.board.map import Map
from engine.routes.legal_routes import RouteProblem
from engine.routes.notation import read_routes
from engine.routes.revenue_rules import RouteRules, TrainRules
from engine.titles import TITLES
from tests.bot.support.declared import every_command
from tests.bot.support.timed import NOON

SPEC = TITLES["18chesapeake"].spec
EXAMPLES = re.compile(r"such as:? ([^;]+)|: (\d+:\d+)|\(([^()]+)\)")
"""The forms in which options give examples; what stands in parentheses without a digit is none."""


def reads_routes(text: str) -> None:
    """No track lies there yet, but every hex is known."""
    with pytest.raises(RouteProblem):
        read_routes(Map(SPEC), "PRR", ("3",), RouteRules({"3": TrainRules(3)}), text)


def reads_lay(text: str) -> None:
    lay = MOVE_COMMANDS["lay"].split_values(text)
    assert lay["hex"] in SPEC.map.all_hexes
    assert lay["tile"] in SPEC.tiles
    assert 0 <= int(lay["rotation"]) < 6


away = partial(parse_absence_end, now=NOON, zone="UTC")
READERS: dict[str, Callable[[str], Any]] = {
    "away until": away,
    "pings quiet_from": time_of_day,
    "pings quiet_to": time_of_day,
    "pings digest": time_of_day,
    "run routes": reads_routes,
    "why details": reads_lay,
    "what-if move": partial(typed_moves, viewer=None),
}


def examples() -> Iterator[tuple[str, str]]:
    for command in every_command():
        for option in command.parameters:
            for found in EXAMPLES.findall(str(option.description)):
                example = "".join(found)
                if re.search(r"\d", example):
                    yield f"{command.qualified_name} {option.display_name}", example


@pytest.mark.parametrize(("option", "example"), list(examples()))
def test_examples_are_accepted(option: str, example: str) -> None:
    READERS[option](example)


def test_every_reader_has_an_example() -> None:
    assert {option for option, _ in examples()} == set(READERS)


@pytest.mark.parametrize(
    "reads",
    [
        away,
        time_of_day,
        *(setting.meaning_of for setting in SETTINGS.values() if setting.unlisted_values_text),
    ],
)
def test_examples_in_refusals_are_accepted(reads: Callable[[str], Any]) -> None:
    with pytest.raises(Refused) as refused:
        reads("soon")
    found = re.findall(r"`(?:/away until:(?!back))?([^/`]+)`", str(refused.value))
    assert found
    for example in found:
        reads(example)
