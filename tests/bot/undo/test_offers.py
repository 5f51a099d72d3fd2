"""Offers between players at a table: one message, in full, with buttons for the one asked and for who asked."""

import pytest

from tests.bot.support.positions import recorded, seated_at
from tests.bot.support.records import numbers, record_lines, turn_part
from tests.bot.support.sandbox_bot import SandboxBot, Seated

SALE = 77
"""In this recorded game Cy offers the MCR to Ann for $89 with this action."""


@pytest.fixture
async def game(sandbox: SandboxBot) -> Seated:
    return await seated_at(sandbox, recorded("18tn-bankruptcy-3p", SALE))


async def owner(game: Seated) -> str | None:
    async with game.sandbox.client.tables.reading(game.number) as live:
        assert live.game.table.state.proposal is None
        return live.game.table.state.privates["MCR"].owner


def outcome(game: Seated, offer: int) -> list[str]:
    message = game.sandbox.world.messages[offer]
    assert message.buttons == []
    return [str(embed["description"]) for embed in message.embeds]


async def test_offer_is_accepted(game: Seated) -> None:
    """Also where it comes again with an undo of its refusal."""
    lines = game.turn.content.split("\n")
    assert lines[:5] == [
        f"{game.sandbox.person('Ann').mention}: an offer from **Cy**",
        "**Ann pays Cy $89 for Memphis & Charleston Railroad, MCR $70**.",
        "> **Ann**: cash $105 → $16, privates ETWCR → ETWCR, MCR",
        "> **Cy**: cash $15 → $104, privates MCR → none",
        "-# Ann must agree or refuse. Cy can withdraw the offer, or end it with another move.",
    ]
    looks = {"Map", "Market", "Table"}
    styles = {button.label: button.style for button in game.turn.buttons if button.label not in looks}
    assert styles == {"Agree": 3, "Refuse": 4, "Cy: Withdraw": 2}
    stranger = await game.press("Bob", "Agree")
    assert "Ann's turn" in stranger.ephemeral[0].content
    await game.slash("Ann", "move", move="refuse")
    await game.slash("Ann", "undo")
    assert "an offer from **Cy**" in game.turn.content
    offer, posts = game.turn, len(game.messages)
    await game.press("Ann", "Agree")
    assert await owner(game) == "p1"
    assert outcome(game, offer.id) == ["**Ann** agrees."]
    assert record_lines(game.turn) == ["`81` **Ann** buys MCR from Cy for $89."]
    assert turn_part(game.turn).startswith(f"{game.sandbox.person('Cy').mention}: **SR 4: Cy**")
    assert game.turn.content.count("buys MCR from Cy") == 1, "it is not repeated below"
    assert len(game.messages) == posts + 1


async def test_offer_is_withdrawn_by_its_maker(game: Seated) -> None:
    """Nobody is pinged then: the post of the offer becomes that of the turn."""
    offer, posts, rung = game.turn, len(game.messages), game.pings("Cy")
    other = await game.press("Ann", "Cy: Withdraw")
    assert "Only Cy can decide this, not you." in other.ephemeral[0].content
    await game.press("Cy", "Cy: Withdraw")
    assert await owner(game) == "p3"
    assert (game.turn.id, len(game.messages)) == (offer.id, posts)
    assert record_lines(game.turn) == ["`79` **Cy** withdraws the proposal: Cy sells MCR to Ann for $89."]
    assert "**SR 4: Cy**" in turn_part(game.turn)
    assert (game.pings("Cy"), game.turn.embeds) == (rung, [])


async def test_offer_is_refused_by_command(game: Seated) -> None:
    """The line stays where the turn brings no other."""
    offer = game.turn.id
    await game.slash("Ann", "move", move="refuse")
    assert await owner(game) == "p3"
    assert outcome(game, offer) == ["**Ann** refuses."]
    post = game.turn.id
    await game.slash("Cy", "pass")
    kept = game.sandbox.world.messages[post]
    assert (kept.content, kept.buttons) == (
        "`79` **Ann** refuses the proposal: Cy sells MCR to Ann for $89.",
        [],
    )
    assert game.turn.id != post
    assert numbers(game.messages).count(79) == 1


async def test_offer_ends_when_its_maker_continues(game: Seated) -> None:
    old = game.turn
    agree = next(button.custom_id or "" for button in old.buttons if button.label == "Agree")
    await game.slash("Cy", "pass")
    assert await owner(game) == "p3"
    assert any("**Cy** withdraws the proposal: Cy sells MCR" in line for line in game.lines)
    assert outcome(game, old.id) == ["**Cy** withdraws."]
    late = await game.sandbox.person("Ann").press_removed_button(game.turn, agree)
    assert "moved on" in late.ephemeral[0].content
    assert (await game.slash("Ann", "move", move="agree")).public == []
    assert await owner(game) == "p3"
