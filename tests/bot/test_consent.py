"""Sales between players at a table: the other side answers by a button, or the offer ends with the turn."""

from pathlib import Path

from engine.record import load_record
from tests.bot.house import House, Seated
from tests.bot.positions import seated_at

SALE = 77
"""In this recorded game Cy offers the MCR to Ann for $89 with this action."""


async def _asked(house: House) -> Seated:
    path = Path(__file__).parents[1] / "golden" / "18tn-bankruptcy-3p.json"
    return await seated_at(house, load_record(path.read_text("utf-8"), SALE))


async def _owner(game: Seated) -> str | None:
    async with game.house.client.tables.reading(game.number) as live:
        assert live.game.table.state.proposal is None
        return live.game.table.state.privates["MCR"].owner


async def test_whoever_is_asked_agrees_by_a_button(house: House) -> None:
    game = await _asked(house)
    assert game.turn.content.startswith(house.person("Ann").mention)
    labels = [button.label for button in game.turn.buttons]
    assert "Agree: Cy sells MCR to Ann for $89" in [label.removeprefix("Ann: ") for label in labels]
    label = next(label for label in labels if "Agree: " in label)
    stranger = await game.press("Bob", label)
    assert "Ann's turn" in stranger.ephemeral[0].content
    await game.press("Ann", label)
    assert await _owner(game) == "p1"
    assert any("**Ann** buys MCR from Cy for $89" in line for line in game.lines)
    assert game.turn.content.startswith((house.person("Cy").mention, "**Cy**"))


async def test_whoever_is_asked_refuses_by_a_command(house: House) -> None:
    game = await _asked(house)
    await game.slash("Ann", "refuse")
    assert await _owner(game) == "p3"
    assert any("**Ann** refuses: Cy sells MCR" in line for line in game.lines)


async def test_an_offer_ends_when_its_maker_goes_on(house: House) -> None:
    game = await _asked(house)
    old = game.turn
    agree = next(button.custom_id for button in old.buttons if "Agree" in button.label)
    await game.slash("Cy", "pass")
    assert await _owner(game) == "p3"
    assert any("**Cy** withdraws: Cy sells MCR" in line for line in game.lines)
    assert agree is not None
    late = await house.person("Ann").press_late(game.turn, agree)
    assert "moved on" in late.ephemeral[0].content
    typed = await game.slash("Ann", "agree")
    assert typed.public == []
    assert await _owner(game) == "p3"
