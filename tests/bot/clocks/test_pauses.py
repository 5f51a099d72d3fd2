"""A game may pause: no move is accepted meanwhile, and it continues where it stood."""

import pytest

from bot.table.errors import Refused
from bot.table.outbox.notices import TurnChange
from bot.table.votes.absent_seats import let_caretaker_play
from bot.table.votes.pauses import (
    PauseProposal,
    begin_pause,
    end_pause,
    expire_pause,
    unvoted_pause_obstacle,
)
from bot.table.votes.proposals import Proposals
from storage import outbox
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, BOB, CY, TableService

DAYS = {day: f"2026-01-{day:02}T00:00:00.000+00:00" for day in (1, 2, 3, 4, 16)}
BEFORE_THE_THIRD = "2026-01-02T23:59:59.000+00:00"


async def test_pausing_game_takes_no_move(service: TableService) -> None:
    game = await service.game()
    before = await service.digest(game)
    await begin_pause(service.tables, game, BOB, None)
    for attempt, why in (
        (service.do(game, ANN, "pass"), "is paused"),
        (TableService.on(service.db).do(game, ANN, "pass"), "is paused"),
        (begin_pause(service.tables, game, ANN, 3), "already paused"),
        (unvoted_pause_obstacle(service.tables, game, ANN, 3), "already paused"),
    ):
        with pytest.raises(Refused, match=why):
            await attempt
    woken = service.woken()
    assert await end_pause(service.tables, game, ANN) == f"<@{ANN}> resumes the game."
    assert woken == [game]
    turn = (await outbox.unposted_notices_of_game(service.db, game))[-1]
    assert TurnChange.read(turn.payload) == TurnChange(("p1",), None, is_new_turn=True)
    assert await service.digest(game) == before
    await service.do(game, ANN, "pass")
    with pytest.raises(Refused, match="is not paused"):
        await end_pause(service.tables, game, ANN)


async def test_pause_runs_out(service: TableService) -> None:
    game, woken = await service.game(), service.woken()
    service.tables.clock = lambda: DAYS[1]
    text = await begin_pause(service.tables, game, BOB, 2)
    assert text == f"<@{BOB}> pauses the game until <t:1767398400:f>. `/game resume` ends the pause."
    service.tables.clock = lambda: BEFORE_THE_THIRD
    await expire_pause(service.tables, game)
    assert ((await service.lines(game))[-1], woken) == (text, [game])
    service.tables.clock = lambda: DAYS[3]
    for _ in range(2):
        await expire_pause(service.tables, game)
    assert (await service.lines(game)).count("The pause is over: the game continues.") == 1
    assert woken == [game, game]


async def test_another_pause_follows(service: TableService) -> None:
    game = await service.game()
    service.tables.clock = lambda: DAYS[1]
    await begin_pause(service.tables, game, BOB, 2)
    service.tables.clock = lambda: DAYS[4]
    await service.do(game, ANN, "pass")
    await begin_pause(service.tables, game, ANN, None)
    with pytest.raises(Refused, match="is paused"):
        await service.do(game, BOB, "pass")


async def test_lone_pause_counts_against_the_next(service: TableService) -> None:
    """For two weeks; one that was agreed does not, nor does that of another player."""
    game, proposals = await service.game(), Proposals(service.tables)
    service.tables.clock = lambda: DAYS[2]
    await begin_pause(service.tables, game, BOB, 1)
    await end_pause(service.tables, game, BOB)
    proposal = await proposals.propose(game, BOB, lambda _: PauseProposal(1))
    await proposals.vote(game, proposal.number, ANN, "yes")
    await end_pause(service.tables, game, BOB)
    assert await unvoted_pause_obstacle(service.tables, game, BOB, 1) is None
    await begin_pause(service.tables, game, BOB, 1, is_unvoted=True)
    await end_pause(service.tables, game, BOB)
    why = await unvoted_pause_obstacle(service.tables, game, BOB, 1) or ""
    assert "You paused this game recently" in why
    assert "You can pause it alone again from <t:1768521600:f>." in why
    assert await unvoted_pause_obstacle(service.tables, game, CY, 1) is None
    service.tables.clock = lambda: DAYS[16]
    assert await unvoted_pause_obstacle(service.tables, game, BOB, 1) is None


async def test_computers_are_not_asked_for_a_pause(service: TableService) -> None:
    game = await service.game()
    for player in ("p2", "p3"):
        await let_caretaker_play(service.tables, game, 99, player)
    assert await unvoted_pause_obstacle(service.tables, game, ANN, None) is None


# --- on Discord ------------------------------------------------------------------------------------------------------


async def test_pause_is_posted_and_its_end_pings(sandbox: SandboxBot) -> None:
    game, now = await sandbox.game(), DAYS[1]
    sandbox.client.tables.clock = lambda: now
    await game.slash("Bob", "game pause", days=2)
    assert await sandbox.hears(await game.press("Ann", "Pass"), "is paused")
    rung = game.pings("Ann")
    await game.slash("Ann", "mod resume")
    assert any("resumes the game" in line for line in game.lines)
    assert game.pings("Ann") == rung + 1
    for _ in range(2):
        await game.slash("Ann", "mod pause", days=2)
        await sandbox.expire()
        await game.slash("Ann", "mod pause", days=2)
    assert (sum("pauses the game until" in line for line in game.lines), game.pings("Ann")) == (
        2,
        rung + 1,
    )
    now = DAYS[4]
    for _ in range(2):
        await sandbox.expire()
        await sandbox.settled()
    assert sum("The pause is over" in line for line in game.lines) == 1
    assert game.pings("Ann") == rung + 2
    await game.press("Ann", "Pass")
    assert "**Ann** passes" in game.lines[-1]


async def test_long_pause_is_voted_on(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    answer = (await game.slash("Bob", "game pause", days=3)).text
    assert (
        "For a pause of more than 2 days, more than half of the players must agree. You have made proposal 1."
        in answer
    )
    await game.slash("Cy", "game pause")
    question, other = (m for m in game.messages if m.content.startswith("Proposal "))
    assert "the game pauses for 3 days" in question.content
    assert "Votes so far: 1 of the 2 needed." in question.content
    await game.press("Ann", "Agree", question)
    assert await sandbox.world.wait_until(lambda: "accepted" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert any("The game pauses until <t:" in line and "(proposal 1)" in line for line in game.lines)
    assert await sandbox.hears(await game.slash("Ann", "pass"), "is paused")
    assert await sandbox.hears(await game.press("Ann", "Agree", other), "already paused")
