"""Offers between players at a table: one message, in full, with buttons for the one asked and for who asked."""

from pathlib import Path

from bot.sandbox.model import Message
from tests.bot.support.positions import first_moves, seated_at
from tests.bot.support.records import numbers, record_lines, turn_part
from tests.bot.support.sandbox_bot import SandboxBot, Seated

GOLDEN = Path(__file__).parents[2] / "golden"
SALE = 77
"""In this recorded game Cy offers the MCR to Ann for $89 with this action."""


async def _asked(sandbox: SandboxBot) -> Seated:
    text = (GOLDEN / "18tn-bankruptcy-3p.json").read_text("utf-8")
    return await seated_at(sandbox, first_moves(text, SALE))


async def _owner(game: Seated) -> str | None:
    async with game.sandbox.client.tables.reading(game.number) as live:
        assert live.game.table.state.proposal is None
        return live.game.table.state.privates["MCR"].owner


def _styles(message: Message) -> dict[str, int]:
    looks = {"Map", "Market", "Table"}
    return {button.label: button.style for button in message.buttons if button.label not in looks}


async def test_the_offer_says_who_pays_whom_what_for_what_and_what_each_has_before_and_after(
    sandbox: SandboxBot,
) -> None:
    game = await _asked(sandbox)
    lines = game.turn.content.split("\n")
    assert lines[0] == f"{sandbox.person('Ann').mention}: an offer of **Cy**"
    assert lines[1] == "**Ann pays Cy $89 for Memphis & Charleston Railroad, MCR $70**."
    assert lines[2:4] == [
        "> **Ann**: cash $105 → $16, privates ETWCR → ETWCR, MCR",
        "> **Cy**: cash $15 → $104, privates MCR → none",
    ]


async def test_agree_is_green_refuse_is_red_and_nothing_else_is_offered(sandbox: SandboxBot) -> None:
    game = await _asked(sandbox)
    assert _styles(game.turn) == {"Agree": 3, "Refuse": 4, "Cy: Withdraw": 2}


async def test_whoever_is_asked_agrees_and_the_message_says_it_in_its_place(sandbox: SandboxBot) -> None:
    game = await _asked(sandbox)
    offer, posts = game.turn, len(game.messages)
    stranger = await game.press("Bob", "Agree")
    assert "Ann's turn" in stranger.ephemeral[0].content
    await game.press("Ann", "Agree")
    assert await _owner(game) == "p1"
    assert any("**Ann** buys MCR from Cy for $89" in line for line in game.lines)
    message = sandbox.world.messages[offer.id]
    assert (message.content, message.buttons) == (offer.content, [])
    assert [embed["description"] for embed in message.embeds] == ["**Ann** agrees."]
    assert record_lines(game.turn) == ["`79` **Ann** buys MCR from Cy for $89."]
    assert turn_part(game.turn).startswith(f"{sandbox.person('Cy').mention}: **SR 4: Cy**")
    assert game.turn.content.count("buys MCR from Cy") == 1, "it is not repeated below"
    assert len(game.messages) == posts + 1


async def test_whoever_asked_withdraws_and_nobody_else_does(sandbox: SandboxBot) -> None:
    """Nobody is pinged then: the post of the offer becomes that of the turn."""
    game = await _asked(sandbox)
    offer, posts, rung = game.turn, len(game.messages), game.pings("Cy")
    other = await game.press("Ann", "Cy: Withdraw")
    assert "That is for Cy to decide, not for you." in other.ephemeral[0].content
    await game.press("Cy", "Cy: Withdraw")
    assert await _owner(game) == "p3"
    assert (game.turn.id, len(game.messages)) == (offer.id, posts)
    assert record_lines(game.turn) == ["`79` **Cy** withdraws: Cy sells MCR to Ann for $89."]
    assert "**SR 4: Cy**" in turn_part(game.turn)
    assert game.pings("Cy") == rung
    assert not game.turn.embeds


async def test_whoever_is_asked_refuses_by_a_command(sandbox: SandboxBot) -> None:
    game = await _asked(sandbox)
    offer = game.turn
    await game.slash("Ann", "refuse")
    assert await _owner(game) == "p3"
    assert any("**Ann** refuses: Cy sells MCR" in line for line in game.lines)
    assert [embed["description"] for embed in sandbox.world.messages[offer.id].embeds] == ["**Ann** refuses."]


async def test_the_post_after_an_offer_keeps_its_line_where_the_turn_brings_no_other(
    sandbox: SandboxBot,
) -> None:
    game = await _asked(sandbox)
    await game.slash("Ann", "refuse")
    post = game.turn.id
    await game.slash("Cy", "pass")
    kept = sandbox.world.messages[post]
    assert (kept.content, kept.buttons) == ("`79` **Ann** refuses: Cy sells MCR to Ann for $89.", [])
    assert game.turn.id != post
    assert numbers(game.messages).count(79) == 1


async def test_an_offer_ends_when_its_maker_continues(sandbox: SandboxBot) -> None:
    game = await _asked(sandbox)
    old = game.turn
    agree = next(button.custom_id for button in old.buttons if button.label == "Agree")
    await game.slash("Cy", "pass")
    assert await _owner(game) == "p3"
    assert any("**Cy** withdraws: Cy sells MCR" in line for line in game.lines)
    assert [embed["description"] for embed in sandbox.world.messages[old.id].embeds] == ["**Cy** withdraws."]
    assert agree is not None
    late = await sandbox.person("Ann").press_late(game.turn, agree)
    assert "moved on" in late.ephemeral[0].content
    typed = await game.slash("Ann", "agree")
    assert typed.public == []
    assert await _owner(game) == "p3"


async def test_an_offer_taken_back_leaves_no_message(sandbox: SandboxBot) -> None:
    game = await _asked(sandbox)
    await game.slash("Ann", "refuse")
    await game.slash("Ann", "undo")
    again = game.turn
    assert "an offer of **Cy**" in again.content
    await game.press("Ann", "Agree")
    assert [embed["description"] for embed in sandbox.world.messages[again.id].embeds] == ["**Ann** agrees."]
