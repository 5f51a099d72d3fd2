"""Undo and redo at a table on Discord: what is asked, by which buttons, and what everybody sees."""

import pytest

from bot.client.places.messages import WEEK_MINUTES
from bot.client.places.threads import HOUR_MINUTES
from bot.sandbox.model import Message
from storage import games, log
from tests.bot.support.positions import actor_of, recorded, seated_at
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot, Seated


def labels(message: Message) -> list[str]:
    return [button.label for button in message.buttons]


async def counting(game: Seated) -> list[int]:
    return [row.seq for row in log.effective_rows(await log.read_rows(game.sandbox.db, game.number))]


async def posted(game: Seated, text: str) -> bool:
    return await game.sandbox.world.wait_until(
        lambda: any(text in line for line in game.lines), timeout=PATIENCE
    )


@pytest.fixture
async def passed(sandbox: SandboxBot) -> Seated:
    game = await sandbox.game()
    for name in ("Ann", "Bob", "Cy"):
        await game.press(name, "Pass")
    return game


async def preview(game: Seated, name: str, to: int) -> Message:
    return (await game.slash(name, "undo", to=to)).ephemeral[0]


def question(game: Seated, number: int) -> Message:
    return next(m for m in game.messages if m.content.startswith(f"Proposal {number}:"))


async def test_others_are_asked_about_their_moves(sandbox: SandboxBot, passed: Seated) -> None:
    """From the preview, which nobody else sees, to the line that names who agreed; the bot restarts between."""
    offered = await sandbox.person("Bob").autocomplete(passed.thread, "undo", focused="to", to="")
    assert [value for _, value in offered] == [3, 2, 1]
    asked = await preview(passed, "Bob", 1)
    assert "These 3 moves will be undone if **Ann** and **Cy** agree" in asked.content
    assert all(f"> `{at}` **{name}** passes." in asked.content for at, name in ((2, "Ann"), (4, "Cy")))
    assert labels(asked) == ["Propose to undo back to move 1", "No"]
    assert len(await counting(passed)) == 4
    await passed.press("Bob", "Propose to undo back to move 1", asked)
    assert await sandbox.world.wait_until(
        lambda: asked.content.startswith("You have made proposal 1") and not asked.buttons
    )
    assert "Proposal 1 already asks for this" in (await passed.slash("Bob", "undo", to=1)).text
    proposal = question(passed, 1)
    assert "undo back to move 1: **moves 2 to 4**" in proposal.content
    assert passed.pings("Ann") >= 1
    await passed.press("Ann", "Agree", proposal)
    await sandbox.restart()
    await passed.press("Cy", "Agree", proposal)
    undone = "**Bob** undoes moves 2 to 4, with the consent of **Ann** and **Cy** (proposal 1)."
    assert await posted(passed, undone)
    assert await counting(passed) == [1]
    assert "Redo moves 2 to 4" in labels(passed.turn)
    history = (await passed.slash("Cy", "log")).text
    assert "`5` ~~moves 2 to 4~~, undone by **Bob**, agreed to by **Ann** and **Cy**." in history


async def test_own_moves_are_undone_and_redone_at_once(sandbox: SandboxBot) -> None:
    """The button below the turn message says whose move it is; no private answer has one."""
    game = await sandbox.game()
    answered = await game.press("Ann", "Pass")
    assert [label for label in labels(game.turn) if label.startswith("Undo")] == ["Undo Ann's move 2"]
    other = await game.press("Bob", "Undo Ann's move 2")
    assert await sandbox.hears(other, "The last move, number 2, is Ann's: you can undo your own move only")
    private = [label for said in (answered, other) for one in said.ephemeral for label in labels(one)]
    assert not any(label.startswith("Undo") for label in private)
    assert await counting(game) == [1, 2]
    done = await game.slash("Ann", "undo", to=1)
    assert await sandbox.hears(done, "Done, move 3: **Ann** undoes move 2.")
    assert await posted(game, "**Ann** undoes move 2.")
    assert await counting(game) == [1]
    redo = next(button.custom_id or "" for button in game.turn.buttons if button.label == "Redo move 2")
    assert await sandbox.hears(await game.press("Bob", "Redo move 2"), "Ann undid that")
    await game.press("Ann", "Redo move 2")
    assert await posted(game, "**Ann** redoes move 2 as 4.")
    assert "`4` **Ann** passes." in game.lines[-1]
    assert not any(label.startswith("Redo") for label in labels(game.turn))
    assert game.turn.content.startswith(sandbox.person("Bob").mention)
    await game.slash("Ann", "undo")
    late = await sandbox.person("Ann").press_removed_button(game.turn, redo)
    assert await sandbox.hears(late, "moved on")
    await game.slash("Ann", "bid", private="D&R", amount=20)
    assert "Ann has made move 6 since" in (await game.slash("Ann", "redo")).text


async def test_own_turn_goes_back_step_by_step(sandbox: SandboxBot) -> None:
    """A press for each step, back and forth, without a question."""
    game = await seated_at(sandbox, recorded("18al-price-3p", 97))
    name, digests = actor_of(game), [await game.digest()]
    for _ in range(2):
        await game.slash(name, "pass")
        digests.append(await game.digest())
    assert actor_of(game) == name, "it is the same turn"
    for way, wanted in (("Undo", digests[-2::-1]), ("Redo", digests[1:])):
        for digest in wanted:
            [label] = [label for label in labels(game.turn) if label.startswith(way)]
            assert (await game.press(name, label)).ephemeral == []
            assert await game.digest() == digest


async def test_undone_end_opens_the_thread_again(sandbox: SandboxBot) -> None:
    game = await sandbox.game(("Ann", "Bob"))
    for name in ("Ann", "Bob"):
        await game.slash(name, "game abandon")
    assert await sandbox.world.wait_until(
        lambda: sandbox.world.channel(game.thread).archive_minutes == HOUR_MINUTES
    )
    assert (await games.get_game(sandbox.db, game.number)).status == "finished"
    await game.slash("Bob", "undo")
    assert await posted(game, "The game continues, so the score above no longer counts.")
    assert (await games.get_game(sandbox.db, game.number)).status == "running"
    assert sandbox.world.channel(game.thread).archive_minutes == WEEK_MINUTES
    await game.press("Ann", "Pass")
    assert game.turn.content.startswith(sandbox.person("Bob").mention)
