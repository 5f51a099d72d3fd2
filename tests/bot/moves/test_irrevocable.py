"""Moves that give up more than money are confirmed first, whichever way they were chosen: command, button or menu."""

import pytest

from bot.client.places.threads import HOUR_MINUTES
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.model import Message
from bot.table.moves.moves import confirmation_question
from engine.game import Game
from engine.titles import TITLES
from tests.bot.support.positions import actor_of, quick_moves, ruined
from tests.bot.support.sandbox_bot import SandboxBot, Seated


async def by_command(game: Seated, name: str) -> InteractionResult:
    """`/move move:bankrupt`."""
    return await game.slash(name, "move", move="bankrupt")


async def by_button(game: Seated, name: str) -> InteractionResult:
    """The button on the turn message."""
    [label] = [button.label for button in game.turn.buttons if "bankruptcy" in button.label]
    return await game.press(name, label)


async def by_menu(game: Seated, name: str) -> InteractionResult:
    """`/move`, and the entry of the menu."""
    menu = (await game.slash(name, "move")).ephemeral[0]
    [value] = [value for label, value in menu.selects[0].options if "bankruptcy" in label]
    return await game.sandbox.person(name).select(menu, menu.selects[0].custom_id, [value])


def question(result: InteractionResult) -> Message:
    [asked] = result.ephemeral
    assert result.public == []
    assert [button.custom_id[0] for button in asked.buttons if button.custom_id] == ["y", "n"]
    return asked


@pytest.mark.usefixtures("undrawn", "unfilmed")
async def test_bankruptcy_after_a_yes(sandbox: SandboxBot) -> None:
    """A no leaves everything as it was."""
    game = await ruined(sandbox)
    name, before, seq = actor_of(game), await game.digest(), await game.seq()
    for way, answer in ((by_command, 1), (by_button, 1), (by_menu, 0)):
        asked = question(await way(game, name))
        assert (await game.digest(), await game.seq()) == (before, seq)
        assert sandbox.world.channel(game.thread).archive_minutes != HOUR_MINUTES
        await game.press(name, asked.buttons[answer].label, asked)
        assert sandbox.world.messages[asked.id].buttons == []
        assert await game.seq() == (seq if answer else seq + 1)
    async with sandbox.client.tables.reading(game.number) as live:
        assert live.game.is_over
    assert sandbox.world.channel(game.thread).archive_minutes == HOUR_MINUTES


@pytest.mark.parametrize("title", TITLES)
def test_question_says_what_undo_helps(title: str) -> None:
    """The end of a game with secret money shows it to everybody."""
    game = Game(title, [(f"p{n}", f"Player {n}") for n in range(min(TITLES[title].spec.players))], 1)
    for player in game.players_in_game():
        quick = next(quick for quick in quick_moves(game, player) if quick.needs_confirmation)
        asked = confirmation_question(game, quick)
        game.apply(quick.action)
    assert game.is_over
    secret = TITLES[title].spec.secret_cash
    undo = "You cannot undo this." if secret else "You can undo it only until another player acts."
    assert asked == f"Confirm **Vote to end the game now**? {undo}"
