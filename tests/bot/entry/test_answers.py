"""What a player is answered to a move, a menu, an undo, and to the commands about themselves and their server."""

import pytest

from bot.sandbox.guild import permissions, threads
from bot.sandbox.model import Message
from tests.bot.sandbox.guild import grant
from tests.bot.support.sandbox_bot import SandboxBot, Seated

pytestmark = pytest.mark.usefixtures("undrawn")


async def menu(game: Seated, name: str, **values: object) -> Message:
    result = await game.slash(name, "mod act" if values else "move", **values)
    assert await game.sandbox.world.wait_until(lambda: bool(result.ephemeral))
    return result.ephemeral[0]


async def chosen(game: Seated, name: str, asked: Message, label: str) -> Message:
    """The same menu after an offer was chosen."""
    values = dict(asked.selects[0].options)
    before = asked.content
    await game.sandbox.person(name).select(asked, asked.selects[0].custom_id, [values[label]])
    assert await game.sandbox.world.wait_until(lambda: asked.content != before)
    return asked


async def test_moves_and_undos_are_answered(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    sandbox.client.tables.forget(game.number)
    assert (await game.slash("Ann", "pass")).text == "Done, move 2: **Ann** passes."
    assert (await game.press("Bob", "Pass")).text == ""
    assert (await game.press("Bob", "Undo Bob's move 3")).text == ""
    assert (await game.slash("Bob", "redo")).text.startswith("Done, move 5: ")
    assert (await game.slash("Bob", "undo")).text.startswith("Done, move 6: ")
    assert await game.seq() == 6


async def test_answer_goes_with_the_next_press(sandbox: SandboxBot) -> None:
    """Typed or by menus; another player's press deletes nothing."""
    game = await sandbox.game(("Ann", "Bob"))
    typed = (await game.slash("Ann", "pass")).ephemeral[0]
    await game.press("Bob", "Pass")
    assert typed.id in sandbox.world.messages
    asked = await chosen(game, "Ann", await menu(game, "Ann"), "Pass")
    assert await sandbox.world.wait_until(lambda: typed.id not in sandbox.world.messages)
    await game.press("Ann", asked.buttons[0].label, asked)
    await game.slash("Ann", "undo")
    assert await sandbox.world.wait_until(lambda: asked.id not in sandbox.world.messages)


async def test_old_button_moves_nothing(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    turn, ann = game.turn, sandbox.person("Ann")
    old = {button.label: button.custom_id or "" for button in turn.buttons}
    await game.press("Ann", "Pass")
    for label in ("Pass", "CV: another bid …"):
        answer = await ann.press_removed_button(turn, old[label])
        assert await sandbox.hears(answer, "moved on"), label
    assert await game.seq() == 2


async def test_move_menu(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    asked = await menu(game, "Ann")
    offers = asked.selects[0].options
    assert asked.content == "Your moves:"
    assert {label for label, _ in offers} >= {"Pass"}
    assert not {label for label, _ in offers if "end the game" in label}, "no part of a turn"
    nothing = await menu(game, "Bob")
    assert nothing.content == "You cannot do anything now; it is Ann's turn."
    await chosen(game, "Ann", asked, "Pass")
    assert [button.label for button in asked.buttons][1:] == ["Back"]
    await game.press("Ann", asked.buttons[0].label, asked)
    assert asked.content == "Done, move 2: **Ann** passes."
    assert not asked.buttons


async def test_locked_thread_takes_no_moves(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.slash("Ann", "pass")
    await game.press("Bob", "Pass")
    asked = await chosen(game, "Cy", await menu(game, "Cy"), "Pass")
    [tried] = (await game.slash("Cy", "what-if", move="pass")).ephemeral
    await game.press("Cy", "Make this move …", tried)
    assert await sandbox.world.wait_until(lambda: tried.buttons[0].label == "Make this move")
    before = await game.digest()
    threads.change_channel(sandbox.world, sandbox.world.channel(game.thread), {"locked": True})
    answers = [
        await game.press("Cy", "Pass"),
        await game.press("Bob", "Undo Bob's move 3"),
        await game.slash("Cy", "pass"),
        await game.slash("Bob", "undo"),
        await game.press("Cy", asked.buttons[0].label, asked),
        await game.press("Cy", "Make this move", tried),
    ]
    for answer in answers:
        assert await sandbox.hears(answer, "this thread is locked")
    assert "/game move-here" in answers[0].text
    assert await game.digest() == before
    grant(sandbox.world, permissions.MANAGE_THREADS)
    assert (await game.slash("Cy", "pass")).text.startswith("Done"), "who manages threads writes there, too"
