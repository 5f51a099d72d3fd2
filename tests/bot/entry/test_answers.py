"""What a player is answered to a move, a menu, an undo, and to the commands about themselves and their server."""

import pytest

from bot.client.entry.replies import stored_but_not_shown
from bot.sandbox.guild import permissions, threads
from bot.sandbox.model import Message
from bot.table.errors import StoredButFailed
from tests.bot.support.sandbox_bot import SandboxBot, Seated

pytestmark = pytest.mark.usefixtures("undrawn")


async def menu(game: Seated, name: str, **values: object) -> Message:
    """The private menu of all moves of a person, or in somebody else's name."""
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
    """A command in words, a press by the turn message alone."""
    game = await sandbox.game()
    sandbox.client.tables.forget(game.number)
    assert (await game.slash("Ann", "pass")).text == "Done, move 2: **Ann** passes."
    assert (await game.press("Bob", "Pass")).text == ""
    assert (await game.press("Bob", "Undo Bob's move 3")).text == ""
    assert (await game.slash("Bob", "redo")).text.startswith("Done, move 5: ")
    assert (await game.slash("Bob", "undo")).text.startswith("Done, move 6: ")
    assert await game.seq() == 6


async def test_old_button_moves_nothing(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    turn, ann = game.turn, sandbox.person("Ann")
    old = {button.label: button.custom_id or "" for button in turn.buttons}
    await game.press("Ann", "Pass")
    for label in ("Pass", "CV: another bid …"):
        answer = await ann.press_late(turn, old[label])
        assert await sandbox.hears(answer, "moved on"), label
    assert await game.seq() == 2


async def test_move_menu(sandbox: SandboxBot) -> None:
    """The last button makes the move, and shows what it did in place of the menu."""
    game = await sandbox.game()
    asked = await menu(game, "Ann")
    offers = asked.selects[0].options
    assert asked.content == "Your moves:"
    assert {label for label, _ in offers} >= {"Pass"}
    assert not {label for label, _ in offers if "end the game" in label}, "no part of a turn"
    nothing = await menu(game, "Bob")
    assert nothing.content == "There is nothing for you to do now; it is Ann's turn."
    await chosen(game, "Ann", asked, "Pass")
    assert [button.label for button in asked.buttons][1:] == ["Back"]
    await game.press("Ann", asked.buttons[0].label, asked)
    assert asked.content == "Done, move 2: **Ann** passes."
    assert not asked.buttons


async def test_moderator_menu(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    nothing = await menu(game, "Ann", player="Bob")
    assert nothing.content == "There is nothing for Bob to do now; it is Ann's turn."
    await game.slash("Ann", "pass")
    asked = await menu(game, "Ann", player="Bob")
    assert asked.content == "**Bob**'s moves, in whose name you choose:"
    assert {value[-1] for _, value in asked.selects[0].options} == {"m"}
    await chosen(game, "Ann", asked, "Pass")
    await game.press("Ann", asked.buttons[0].label, asked)
    assert asked.content.startswith("Done, move 3: **Bob** passes.")


async def test_amount_below_the_turn_and_in_the_menu(sandbox: SandboxBot) -> None:
    """A form of the turn message leads to a private message, one of a private message stays in it."""
    game, ann = await sandbox.game(), sandbox.person("Ann")
    form = (await game.press("Ann", "CV: another bid …")).modal
    assert form is not None
    [private] = (await ann.submit(form, amount=" $2 05 ")).ephemeral
    assert private.content.startswith("**Bid** (Cornelius Vanderbilt, CV $200: bid at least $205, $205)")
    asked = await chosen(game, "Ann", await menu(game, "Ann"), "Bid")
    await ann.press(asked, next(b.label for b in asked.buttons if b.label.startswith("Cornelius")))
    assert await sandbox.world.wait_until(lambda: any("Another" in b.label for b in asked.buttons))
    again = (await ann.press(asked, "Another amount …")).modal
    assert again is not None
    result = await ann.submit(again, amount="210")
    assert await sandbox.world.wait_until(lambda: "CV" in asked.content and "which" not in asked.content)
    assert result.ephemeral in ([], [asked])


async def test_locked_thread_takes_no_moves(sandbox: SandboxBot) -> None:
    """The table could not see them; `/game move-here` helps."""
    game = await sandbox.game()
    await game.slash("Ann", "pass")
    await game.press("Bob", "Pass")
    asked = await chosen(game, "Cy", await menu(game, "Cy"), "Pass")
    [tried] = (await game.slash("Cy", "what-if", move="pass")).ephemeral
    await game.press("Cy", "Make this move …", tried)
    assert await sandbox.world.wait_until(lambda: tried.buttons[0].label == "Make this move")
    before = await game.digest()
    threads.change(sandbox.world, sandbox.world.channel(game.thread), {"locked": True})
    answers = [
        await game.press("Cy", "Pass"),
        await game.press("Bob", "Undo Bob's move 3"),
        await game.slash("Cy", "pass"),
        await game.slash("Bob", "undo"),
        await game.press("Cy", asked.buttons[0].label, asked),
        await game.press("Cy", "Make this move", tried),
    ]
    for answer in answers:
        assert await sandbox.hears(answer, "This thread is locked, so nothing was changed")
    assert "/game move-here" in answers[0].text
    assert await game.digest() == before


async def test_missing_permission_takes_no_moves(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    sandbox.world.withheld = permissions.SEND_IN_THREADS
    answer = await game.press("Ann", "Pass")
    assert await sandbox.hears(answer, "the permission Send Messages in Threads is missing")
    assert await game.seq() == 1


def test_stored_stays_stored() -> None:
    with (
        pytest.raises(StoredButFailed, match="This is stored") as found,
        stored_but_not_shown("Something else."),
    ):
        raise StoredButFailed("This is stored.", "It is seen later.")
    assert found.value.then == "It is seen later."
