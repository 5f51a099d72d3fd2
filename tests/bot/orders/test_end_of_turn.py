"""A company's turn ends with one press: what is left of it to be declined is declined together, and undone together."""

from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest

from bot.table.moves.turn_buttons import offered_buttons
from engine.core.actions import Action, Pass
from engine.core.state import Operating
from engine.game import Game
from engine.orders import new_orders
from engine.record import Record, load_record, read_record
from tests.bot.orders.giving import ended, give, standing
from tests.bot.support.positions import actor_of, seated_at
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import BOB, TableService
from tests.support.long_runs import one_of

GOLDEN = Path(__file__).parents[2] / "golden"
RECORDED = (
    "18al-price-3p",
    "18c2c-bank-3p",
    "18chesapeake-bankruptcy-3p",
    "18newengland-bank-3p",
    "18tn-bank-3p",
)
END = "End the turn"
BEFORE_TRACK = 68
"""After this many actions of 18al-price-3p Bob's company has its track and its tokens before it, and nothing else."""


def _turn(game: Game) -> tuple[int, int, str] | None:
    now = game.table.state.round
    if game.is_over or not isinstance(now, Operating) or now.turn is None:
        return None
    return now.set, now.number, now.turn.company


def _declined(actions: tuple[Action, ...], at: int) -> int:
    same = takewhile(lambda one: isinstance(one, Pass) and one.entity == actions[at].entity, actions[at:])
    return len(list(same))


@cache
def _ended(name: str) -> tuple[int, ...]:
    """After how many actions several passes are left of a turn and nothing else, as recorded games come to it.

    Where one of them ended by two passes or more, that is such a position.
    """
    record = read_record((GOLDEN / f"{name}.json").read_text("utf-8"))
    game, found = record.initial_game(), list[int]()
    for number, action in enumerate(record.actions):
        turn = _turn(game)
        end = game.passes_ending_turn(action.actor) if isinstance(action, Pass) and turn else None
        left = 0 if end is None else len(end.passes)
        if left > 1:
            found.append(number)
        if isinstance(action, Pass) and turn and game.proposal is None:
            there = game.load(game.dump())
            declined = _declined(record.actions, number)
            there.apply_all(record.actions[number : number + declined])
            assert declined < 2 or _turn(there) == turn or left >= declined, (number, turn, left)
        game.apply(action)
    return tuple(found)


def _at(name: str, number: int) -> Record:
    return load_record((GOLDEN / f"{name}.json").read_text("utf-8"), number)


@pytest.mark.parametrize("name", one_of(len(RECORDED), RECORDED, str))
def test_offered_end_ends_the_turn(name: str) -> None:
    for number in _ended(name):
        game = _at(name, number).play()
        (player,) = game.actors()
        turn, end = _turn(game), game.passes_ending_turn(player)
        assert end is not None
        before = game.digest()
        game.apply_all(end.passes[:-1])
        assert (_turn(game), game.digest() != before) == (turn, True)
        game.apply(end.passes[-1])
        assert _turn(game) != turn
    assert _ended(name), "the record has such a turn"


@pytest.mark.parametrize("name", one_of(len(RECORDED), RECORDED, str))
async def test_one_press_ends_and_one_undoes_a_turn(sandbox: SandboxBot, name: str) -> None:
    game = await seated_at(sandbox, _at(name, _ended(name)[0]))
    person, turn, before, seq = actor_of(game), game.turn.id, await game.digest(), await game.seq()
    async with sandbox.client.tables.reading(game.number) as live:
        acts, end = _turn(live.game), live.game.passes_ending_turn(live.game.actors()[0])
    assert end is not None
    await game.press(person, END)
    async with sandbox.client.tables.reading(game.number) as live:
        assert _turn(live.game) != acts
        assert live.seq >= seq + len(end.passes)
    assert game.turn.id != turn
    undo = next(b.label for b in game.turn.buttons if b.label.startswith("Undo"))
    assert undo == f"Undo {person}'s move {seq + 1}"
    await game.press(person, undo)
    assert await game.digest() == before
    assert END in [b.label for b in game.turn.buttons]


async def test_end_of_turn_ends_orders_on_the_way(service: TableService) -> None:
    """Bob is done with the track, orders the end of the next step, goes back and ends the whole turn."""
    game = await service.at(_at("18al-price-3p", BEFORE_TRACK))
    await service.do(game, BOB, "pass")
    await give(service, game, BOB, new_orders.done_after_order)
    await service.undo(game, BOB)
    assert await standing(service, game) == [1]
    async with service.tables.reading(game) as live:
        [end] = [entry.move for entry in offered_buttons(live.game) if entry.label == END]
    assert end is not None
    await service.tables.submit(game, BOB, end)
    assert await ended(service, game) == [(1, "The step is over.")]
