"""Answers to a proposal and to a vote, and the question in the thread, which comes once."""

import logging
from datetime import timedelta

import pytest

from bot.sandbox.guild import threads
from bot.sandbox.model import Message
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.waiting import Clock

AGREES = "You agree to proposal 1"


def questions(game: Seated) -> list[Message]:
    """The messages of proposals."""
    return [m for m in game.messages if m.content.startswith(("Proposal", "**Proposal"))]


async def asked(game: Seated, name: str, number: int = 1) -> Message:
    await game.slash(name, "game abandon")
    return questions(game)[number - 1]


async def test_same_proposal_again_is_a_yes(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    said = (await game.slash("Ann", "game abandon")).text
    assert said == "You have made proposal 1. The thread asks the players who must agree."
    (question,) = questions(game)
    assert (await game.slash("Bob", "game abandon")).text == AGREES
    assert len(question.buttons) == 3
    late = sandbox.person("Cy").prepare_press(question, "Refuse")
    assert (await game.slash("Cy", "game abandon")).text == AGREES
    assert (question.buttons, questions(game)) == ([], [question])
    assert question.content.endswith("It was accepted.")
    assert await sandbox.hears(await late(), "already been decided")


@pytest.mark.parametrize(("name", "choice", "posts"), [("Bob", "no", 1), ("Ann", "withdraw", 0)])
async def test_proposal_over_before_its_post(sandbox: SandboxBot, name: str, choice: str, posts: int) -> None:
    """It pings nobody then and has no buttons; one that was withdrawn is not posted at all."""
    game = await sandbox.game()
    sandbox.server.faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=403, times=1000)
    await sandbox.person("Ann").slash(game.thread, "game abandon")
    await sandbox.learns(lambda: sandbox.client.delivery_problems.problem_of(game.number) is not None)
    await sandbox.client.proposals.vote(game.number, 1, sandbox.person(name).id, choice)
    sandbox.server.faults.clear()
    sandbox.client.sender.wake(game.number)
    await sandbox.settled()
    assert [(list(m.pinged), m.buttons, "refused" in m.content) for m in questions(game)] == [
        ([], [], True)
    ] * posts


async def test_unreachable_proposal_keeps_its_buttons(
    sandbox: SandboxBot, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    clock, game = Clock(sandbox), await sandbox.game()
    question = await asked(game, "Ann")
    sandbox.server.faults.fail(f"PATCH /api/v10/channels/{game.thread}/messages", status=403, times=9)
    clock.now += timedelta(days=30)
    await sandbox.expire()
    assert "game 1: cannot remove the buttons of proposal 1: Forbidden" in caplog.text
    assert len(question.buttons) == 3
    sandbox.server.faults.clear()
    question = await asked(game, "Ann", 2)
    threads.delete_channel(sandbox.world, sandbox.world.channel(game.thread))
    clock.now += timedelta(days=30)
    await sandbox.expire()
    assert caplog.text.count("cannot remove the buttons") == 1, "there is no thread"


async def test_stored_vote_is_said_though_not_shown(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    question = await asked(game, "Ann")
    for name, button, said in (
        ("Bob", "Agree", "The bot has received your answer. "),
        ("Ann", "Withdraw", "Your proposal is withdrawn. "),
    ):
        sandbox.server.faults.fail("/callback", status=400, code=50035, message="too long")
        assert (await sandbox.person(name).press(question, button)).text.startswith(said)
