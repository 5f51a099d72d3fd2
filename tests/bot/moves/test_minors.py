"""Minors at a table, by commands that complete themselves: draft and liquidation."""

from pathlib import Path

import pytest

from tests.bot.support.positions import NAMES, actor_of, first_moves, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated

pytestmark = pytest.mark.usefixtures("undrawn")

RECORDED = (Path(__file__).parents[2] / "golden" / "18newengland-bank-3p.json").read_text("utf-8")
LIQUIDATING = 24
"""After this move a minor may be liquidated."""


async def _completed(game: Seated, verb: str, slot: str, **typed: object) -> dict[str, str]:
    person = game.sandbox.person(actor_of(game))
    offered = await person.autocomplete(game.thread, verb, focused=slot, **{**typed, slot: ""})
    return {str(value): label for label, value in offered}


async def test_draft_by_commands(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, first_moves(RECORDED, 0))
    first = actor_of(game)
    reserved: list[str] = []
    for _ in range(2 * len(NAMES) - 1):
        minors = await _completed(game, "reserve", "company")
        assert len(minors) == 10 - len(reserved)
        reserved.append(next(iter(minors)))
        await game.slash(actor_of(game), "reserve", company=reserved[-1])
    assert actor_of(game) == first  # the snake has come back
    assert f"{first}, $400: reserved {reserved[0]}; spaces up to $70 can be paid." in game.turn.content
    assert all(f"{name}, $400: reserved" in game.turn.content for name in NAMES)
    assert f"{reserved[0]} at $70: pay $140" in [b.label for b in game.turn.buttons]
    assert list(await _completed(game, "start-minor", "company")) == [reserved[0]]
    values = await _completed(game, "start-minor", "value", company=reserved[0])
    assert values["60"] == "$60: $120 to the treasury"
    spaces = await _completed(game, "start-minor", "space", company=reserved[0], value=60)
    assert list(spaces) == ["top", "bottom"]
    done = await game.slash(first, "start-minor", company=reserved[0], value=60, space="bottom")
    assert "Done" in done.text
    taken = await game.slash(actor_of(game), "reserve", company=reserved[1])
    assert "has reserved" in taken.ephemeral[0].content


async def test_liquidation_after_a_yes(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, first_moves(RECORDED, LIQUIDATING))
    name, seq = actor_of(game), await game.seq()
    asked = (await game.slash(name, "liquidate")).ephemeral[0]
    assert "You can undo it only until another player acts." in asked.content
    assert await game.seq() == seq
    await game.press(name, asked.buttons[0].label, asked)
    assert await game.seq() == seq + 1
    assert any("is liquidated" in line for line in game.lines)
