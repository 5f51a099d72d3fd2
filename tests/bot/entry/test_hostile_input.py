"""Hostile input is refused with a sentence, never with an incident."""

import re
from pathlib import Path
from typing import Final

import pytest

from bot.client.component import Component
from bot.client.features import COMPONENTS
from bot.table.errors import Refused
from bot.table.markdown import markdown_teller
from bot.table.moves.moves import TypedMove
from bot.table.moves.slot_values import GivenValues
from bot.table.moves.verbs import MOVE_COMMANDS, SLOTS_BY_ACTION_KIND
from engine.core.errors import IllegalAction
from engine.game import Game
from engine.record import read_record
from storage import NoSuchGame, games
from tests.bot.support.table_service import TableService

GOLDEN: Final = Path(__file__).parents[2] / "golden" / "18chesapeake-bank-4p.json"
ODD: Final = (
    "x", "²", "٣", "1²", "-", "--1", "-5", "1e3", "NaN", "0", "9" * 30, "-" + "9" * 30, "1" * 5000, "J4", "H4 x",
    "", " ", "`", "**", "\u0000", "\u202e", "none", "a" * 6000, "3:H4.a-0", "2:Z9.a-0", "2:H4.z-z", 10**18, -1,
)  # fmt: skip


@pytest.fixture(scope="module")
def positions() -> tuple[Game, ...]:
    written = read_record(GOLDEN.read_text("utf-8"))
    game, found = written.initial_game(), []
    for until in (0, 131, 200, 300):
        game.apply_all(written.actions[game.seq : until])
        found.append(Game.load(game.dump()))
    return tuple(found)


def sentence(game: Game, move: TypedMove) -> str:
    try:
        move.partial_cursor(game, game.actors()[0])
    except IllegalAction as refused:
        return markdown_teller(game).refusal(refused)
    except Refused as refused:
        return str(refused)
    return "possible"


@pytest.mark.parametrize("verb", MOVE_COMMANDS)
def test_odd_values_are_answered(positions: tuple[Game, ...], verb: str) -> None:
    kind = MOVE_COMMANDS[verb].kind
    for game in positions:
        for odd in ODD:
            for name in SLOTS_BY_ACTION_KIND[kind]:
                alone: GivenValues = {name: odd}
                assert sentence(game, TypedMove(kind, alone))
            assert sentence(game, TypedMove(kind, dict.fromkeys(SLOTS_BY_ACTION_KIND[kind], odd)))


@pytest.mark.parametrize("verb", MOVE_COMMANDS)
def test_odd_details_are_answered(positions: tuple[Game, ...], verb: str) -> None:
    known = MOVE_COMMANDS[verb]
    for game in positions:
        for details in ("", "J4", "J4 x", "J4 x y", "J4 ²", "x " * 3000, *(f"H6 {odd}" for odd in ODD)):
            assert sentence(game, TypedMove(known.kind, known.split_values(details)))


@pytest.mark.parametrize("component", COMPONENTS, ids=lambda component: component.__name__)
@pytest.mark.parametrize(
    "number", ["9" * 60, "9" * 16, "٣" * 3], ids=["60 digits", "16 digits", "other digits"]
)
def test_odd_numbers_make_no_id(component: type[Component], number: str) -> None:
    assert _made_up(re.compile(component.id_pattern), number) is None


NAMING_A_GAME: Final = [
    component for component in COMPONENTS if "game" in re.compile(component.id_pattern).groupindex
]


@pytest.mark.parametrize("component", NAMING_A_GAME, ids=lambda component: component.__name__)
async def test_made_up_number_names_no_game(service: TableService, component: type[Component]) -> None:
    match = _made_up(re.compile(component.id_pattern), "9" * 15)
    assert match is not None
    made = component(match, {})
    with pytest.raises(NoSuchGame):
        await games.get_game(service.db, made.game)


def _made_up(template: re.Pattern[str], number: str) -> re.Match[str] | None:
    """An id of this form with this number of a game, if there can be one."""
    of_a_move = ("", ":", ":1:", "w", "w:", "w:1:")
    others = ":1 :join :profile :1:mend :1234 :1:yes :1:undo:1 :map :1:map :1:back :pass: :max"
    rests = ("", *others.split(), *(f":1:00000000{rest}" for rest in of_a_move))
    tried = (template.fullmatch(f"{template.pattern.partition(':')[0]}:{number}{rest}") for rest in rests)
    return next((match for match in tried if match is not None), None)
