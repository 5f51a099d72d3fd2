"""Proposals without spam: one of a kind at a time, withdrawn by a press, gone with the move that outdates them."""

import pytest

from bot.sandbox.model import Message
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.waiting import Clock

pytestmark = pytest.mark.usefixtures("absent_players")


def proposal(game: Seated, number: int) -> Message:
    """The message of a proposal as it stands."""
    return next(m for m in game.messages if m.content.startswith(f"Proposal {number}:"))


async def newcomer(game: Seated, name: str, player: str = "Ann", by: str = "Bob") -> None:
    """Somebody proposes that a member takes over a seat."""
    await game.slash(by, "game replace", newcomer=game.sandbox.person(name).id, player=player)


async def test_a_second_proposal_of_a_kind_replaces_the_first_whose_buttons_go(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await newcomer(game, "Dee")
    late = sandbox.person("Cy").hold(proposal(game, 1), "Agree")
    await newcomer(game, "Eve")
    assert proposal(game, 1).content.endswith("It was replaced by proposal 2.")
    assert not proposal(game, 1).buttons
    assert [button.label for button in proposal(game, 2).buttons] == ["Agree", "Refuse", "Withdraw"]
    assert await sandbox.hears(await late(), "settled already")
    assert sum("Proposal 1" in message.content for message in game.messages) == 1


async def test_other_kinds_and_other_players_proposals_stay_open(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await newcomer(game, "Dee")
    await newcomer(game, "Eve", by="Cy")
    await game.slash("Bob", "game agreement", player="Ann")
    assert all(proposal(game, number).buttons for number in (1, 2, 3))


async def test_the_proposer_withdraws_a_proposal_and_nobody_else_does(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await newcomer(game, "Dee")
    question, count = proposal(game, 1), len(game.messages)
    refused = await game.press("Cy", "Withdraw", question)
    assert await sandbox.hears(refused, "Only the player who made this proposal can withdraw it.")
    late = sandbox.person("Dee").hold(question, "Agree")
    await game.press("Bob", "Withdraw", question)
    assert await sandbox.world.until(lambda: proposal(game, 1).content.endswith("It was withdrawn."))
    assert not proposal(game, 1).buttons
    assert len(game.messages) == count
    assert await sandbox.hears(await late(), "settled already")


async def test_the_buttons_of_a_proposal_go_with_the_move_that_outdates_it(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    await game.press("Bob", "Pass")
    asked = await game.slash("Ann", "undo", to=1)
    await game.press("Ann", "Propose to go back to move 1", asked.ephemeral[0])
    assert proposal(game, 1).buttons
    await game.slash("Cy", "pass")
    assert await sandbox.world.until(lambda: not proposal(game, 1).buttons)
    assert proposal(game, 1).content.endswith("It has expired: the game has moved on.")
    assert sum("Proposal 1" in message.content for message in game.messages) == 1


async def test_a_restart_forgets_no_proposal_that_a_move_outdates(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    await game.press("Bob", "Pass")
    asked = await game.slash("Ann", "undo", to=1)
    await game.press("Ann", "Propose to go back to move 1", asked.ephemeral[0])
    await sandbox.stop()
    await sandbox.start()
    await game.slash("Cy", "pass")
    await sandbox.expire()
    assert not proposal(game, 1).buttons


async def test_nobody_is_pinged_for_proposals_of_a_game_twice_in_ten_minutes(patient: SandboxBot) -> None:
    clock = Clock(patient)
    game = await patient.game()
    dee, cy = patient.person("Dee").id, patient.person("Cy").id
    await newcomer(game, "Dee")
    assert {dee, cy} <= set(proposal(game, 1).pinged)
    await clock.on(minutes=9)
    await newcomer(game, "Eve")
    assert cy not in proposal(game, 2).pinged
    assert f"<@{cy}>" in proposal(game, 2).content
    assert patient.person("Eve").id in proposal(game, 2).pinged
    await clock.on(minutes=1)
    await newcomer(game, "Fay")
    assert cy in proposal(game, 3).pinged


async def test_another_game_has_its_own_ten_minutes(sandbox: SandboxBot) -> None:
    for game in (await sandbox.game(), await sandbox.game()):
        await newcomer(game, "Dee")
        assert sandbox.person("Cy").id in proposal(game, 1).pinged


async def test_a_crash_before_the_newer_proposal_is_posted_posts_it_once_and_settles_the_older(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.table.outbox.sender.FINISHING_SECONDS", 0.1)
    game = await sandbox.game()
    await newcomer(game, "Dee")
    sandbox.server.faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=500, times=1000)
    eve = sandbox.person("Eve").id
    await sandbox.person("Bob").slash(game.thread, "game replace", newcomer=eve, player="Ann")
    assert proposal(game, 1).buttons
    await sandbox.stop()
    sandbox.server.faults.clear()
    await sandbox.start()
    await sandbox.settled()
    assert proposal(game, 1).content.endswith("It was replaced by proposal 2.")
    assert not proposal(game, 1).buttons
    assert sum(message.content.startswith("Proposal 2:") for message in game.messages) == 1


async def test_a_crash_before_a_proposal_is_posted_posts_none_that_was_replaced_meanwhile(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.table.outbox.sender.FINISHING_SECONDS", 0.1)
    game = await sandbox.game()
    sandbox.server.faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=500, times=1000)
    for name in ("Dee", "Eve"):
        who = sandbox.person(name).id
        await sandbox.person("Bob").slash(game.thread, "game replace", newcomer=who, player="Ann")
    await sandbox.stop()
    sandbox.server.faults.clear()
    await sandbox.start()
    await sandbox.settled()
    assert [m.content[:11] for m in game.messages if m.content.startswith("Proposal ")] == ["Proposal 2:"]
