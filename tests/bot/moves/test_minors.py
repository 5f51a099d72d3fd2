"""Minors and majors at a table, by commands that complete themselves: draft, half pay, issues, liquidation."""

from pathlib import Path

import pytest

from tests.bot.support.positions import NAMES, actor_of, first_moves, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated

pytestmark = pytest.mark.usefixtures("undrawn")

RECORDED = (Path(__file__).parents[2] / "golden" / "18newengland-bank-3p.json").read_text("utf-8")
LIQUIDATING, HALF, ISSUING, REDEEMING = 24, 148, 150, 199
"""After each of these moves it is first possible."""


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
    assert f"{first}, $400: reserved {reserved[0]}; can pay for spaces up to $70." in game.turn.content
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


async def test_half_pay_by_command(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, first_moves(RECORDED, HALF))
    name = actor_of(game)
    paid = await game.slash(name, "pay-half")
    assert "Done" in paid.text


async def test_issue_by_command(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, first_moves(RECORDED, ISSUING))
    name = actor_of(game)
    offering = await _completed(game, "issue", "offering")
    most = max(map(int, offering))
    treasury = await _completed(game, "issue", "treasury", offering=most)
    done = await game.slash(name, "issue", offering=most, treasury=int(next(iter(treasury))))
    assert "Done" in done.text


async def test_redemption_by_command(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, first_moves(RECORDED, REDEEMING))
    name = actor_of(game)
    shares = await _completed(game, "redeem", "shares")
    done = await game.slash(name, "redeem", shares=int(next(iter(shares))))
    assert "Done" in done.text
    why = await game.slash(name, "why", move="issue", details="1 0")
    assert "has redeemed shares in this turn (11.10)" in why.ephemeral[0].content


async def test_liquidation_after_a_yes(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, first_moves(RECORDED, LIQUIDATING))
    name, seq = actor_of(game), await game.seq()
    asked = (await game.slash(name, "liquidate")).ephemeral[0]
    assert "You can undo it only until another player acts." in asked.content
    assert await game.seq() == seq
    await game.press(name, asked.buttons[0].label, asked)
    assert await game.seq() == seq + 1
    assert any("is liquidated" in line for line in game.lines)
