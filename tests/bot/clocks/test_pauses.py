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
    lone_pause_obstacle,
    pauses_now,
    present_users,
)
from bot.table.votes.proposals import Proposals
from bot.table.votes.seat_proposals import own_seat, propose_seat
from storage import SeatEntry, clocks, games, outbox, seats
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, BOB, CY, TableService

DEE = 14


async def test_no_move_is_taken_while_a_game_pauses_and_it_continues_where_it_stood(
    service: TableService,
) -> None:
    game = await service.game()
    before = await service.digest(game)
    await begin_pause(service.tables, game, BOB, None)
    for attempt in (service.do(game, ANN, "pass"), TableService.on(service.db).do(game, ANN, "pass")):
        with pytest.raises(Refused, match="pauses"):
            await attempt
    with pytest.raises(Refused, match="pauses already"):
        await begin_pause(service.tables, game, ANN, 3)
    with pytest.raises(Refused, match="pauses already"):
        await lone_pause_obstacle(service.tables, game, ANN, 3)
    woken = service.woken()
    assert await end_pause(service.tables, game, ANN) == f"<@{ANN}> resumes the game."
    assert woken == [game]
    turn = (await outbox.of_game(service.db, game))[-1]
    assert TurnChange.read(turn.payload) == TurnChange(("p1",), None, passes=True)
    assert await service.digest(game) == before
    await service.do(game, ANN, "pass")


async def test_a_pause_for_some_days_runs_out_automatically(service: TableService) -> None:
    game = await service.game()
    service.tables.clock = lambda: "2026-01-01T00:00:00.000+00:00"
    await begin_pause(service.tables, game, BOB, 2)
    with pytest.raises(Refused, match="pauses"):
        await service.do(game, ANN, "pass")
    service.tables.clock = lambda: "2026-01-03T00:00:01.000+00:00"
    await service.do(game, ANN, "pass")


async def test_what_does_not_pause_is_not_resumed(service: TableService) -> None:
    with pytest.raises(Refused, match="does not pause"):
        await end_pause(service.tables, await service.game(), ANN)


async def test_a_pause_and_its_end_are_posted_and_the_player_is_pinged_again(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.slash("Bob", "game pause", days=2)
    assert any("lets the game pause until" in line for line in game.lines)
    assert await sandbox.hears(await game.press("Ann", "Pass"), "pauses")
    rung = game.pings("Ann")
    await game.slash("Ann", "mod resume")
    assert any("resumes the game" in line for line in game.lines)
    assert game.pings("Ann") == rung + 1
    await game.press("Ann", "Pass")
    assert any("passes" in line for line in game.lines)


async def test_a_moderator_without_a_seat_asks_a_newcomer(sandbox: SandboxBot) -> None:
    game = await sandbox.game(("Bob", "Cy", "Dee"))
    assert (
        "moderators of games"
        in (await game.slash("Eve", "mod replace", newcomer=sandbox.person("Fay").id, player="Bob")).text
    )
    await game.slash("Ann", "mod replace", newcomer=sandbox.person("Fay").id, player="Bob")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    await game.press("Fay", "Agree", question)
    assert await sandbox.world.until(lambda: "accepted" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert game.turn_text.startswith(sandbox.person("Fay").mention)


async def test_a_pause_of_some_days_says_until_when_and_lasts_so_long(service: TableService) -> None:
    game, woken = await service.game(), service.woken()
    service.tables.clock = lambda: "2026-01-01T00:00:00.000+00:00"
    text = await begin_pause(service.tables, game, BOB, 2)
    assert text == f"<@{BOB}> lets the game pause until <t:1767398400:f>; `/game resume` ends the pause."
    assert (await service.lines(game))[-1] == text
    service.tables.clock = lambda: "2026-01-02T23:59:59.000+00:00"
    await expire_pause(service.tables, game)
    assert (await service.lines(game))[-1] == text
    assert woken == [game]
    service.tables.clock = lambda: "2026-01-03T00:00:00.000+00:00"
    await expire_pause(service.tables, game)
    await expire_pause(service.tables, game)
    assert (await service.lines(game)).count("The pause is over: the game continues.") == 1
    assert woken == [game, game]


async def test_a_pause_that_has_run_out_hinders_no_other(service: TableService) -> None:
    game = await service.game()
    service.tables.clock = lambda: "2026-01-01T00:00:00.000+00:00"
    await begin_pause(service.tables, game, BOB, 2)
    service.tables.clock = lambda: "2026-01-04T00:00:00.000+00:00"
    await begin_pause(service.tables, game, ANN, None)
    with pytest.raises(Refused, match="pauses"):
        await service.do(game, ANN, "pass")


async def test_a_game_that_has_ended_does_not_pause(service: TableService) -> None:
    game = await service.game()
    await games.abandon(service.db, game)
    service.tables.forget(game)
    with pytest.raises(Refused, match="has ended"):
        await begin_pause(service.tables, game, ANN, 3)


def test_a_game_is_said_to_pause_as_long_as_it_does() -> None:
    for_days = clocks.Pause(ANN, "2026-01-03T00:00:00.000+00:00", "2026-01-01T00:00:00.000+00:00")
    for_good = clocks.Pause(ANN, None, "2026-01-01T00:00:00.000+00:00")
    assert pauses_now(for_days, "2026-01-02T00:00:00.000+00:00") == "pauses until <t:1767398400:f>"
    assert pauses_now(for_days, "2026-01-03T00:00:00.000+00:00") == ""
    assert pauses_now(for_good, "2026-01-03T00:00:00.000+00:00") == "pauses until a player resumes it"
    assert pauses_now(None, "2026-01-03T00:00:00.000+00:00") == ""


async def test_a_pause_of_more_than_two_days_needs_more_than_half_of_the_players(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    answer = (await game.slash("Bob", "game pause", days=3)).text
    assert "A pause of more than 2 days needs more than half of the players. Proposal 1 is made" in answer
    await game.slash("Cy", "game pause")
    question, other = (m for m in game.messages if m.content.startswith("Proposal "))
    assert "the game pauses for 3 days" in question.content
    assert "1 of 2 needed so far" in question.content
    await game.press("Ann", "Agree", question)
    assert await sandbox.world.until(lambda: "accepted" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert any("The game pauses until <t:" in line and "(proposal 1)" in line for line in game.lines)
    assert await sandbox.hears(await game.slash("Ann", "pass"), "pauses")
    assert await sandbox.hears(await game.press("Ann", "Agree", other), "pauses already")


async def test_no_player_lets_a_game_pause_again_and_again_alone(sandbox: SandboxBot) -> None:
    game, now = await sandbox.game(), "2026-01-01T00:00:00.000+00:00"
    sandbox.client.tables.clock = lambda: now
    await game.slash("Bob", "game pause", days=2)
    now = "2026-01-02T00:00:00.000+00:00"
    await game.slash("Ann", "game resume")
    answer = (await game.slash("Bob", "game pause", days=1)).text
    assert "You have let this game pause lately" in answer
    assert "alone you may again from <t:1768521600:f> on. Proposal 1 is made" in answer
    await game.slash("Cy", "game pause", days=1)
    await game.slash("Ann", "game resume")
    now = "2026-01-16T00:00:00.000+00:00"
    await game.slash("Bob", "game pause", days=1)
    assert sum("lets the game pause until" in line for line in game.lines) == 3


async def test_only_a_pause_that_a_player_began_alone_counts_against_the_next_one(
    service: TableService,
) -> None:
    game = await service.game()
    await begin_pause(service.tables, game, BOB, 1)
    await end_pause(service.tables, game, BOB)
    proposals = Proposals(service.tables)
    proposal = await proposals.put(game, BOB, lambda live: PauseProposal(1))
    await proposals.answer(game, proposal.number, ANN, "yes")
    await end_pause(service.tables, game, BOB)
    assert await lone_pause_obstacle(service.tables, game, BOB, 1) is None
    await begin_pause(service.tables, game, BOB, 1, alone=True)
    await end_pause(service.tables, game, BOB)
    assert "lately" in (await lone_pause_obstacle(service.tables, game, BOB, 1) or "")


async def test_a_moderator_lets_a_game_pause_as_long_and_as_often_as_needed(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    for _ in range(2):
        await game.slash("Ann", "mod pause", days=30)
        await game.slash("Ann", "mod resume")
    assert sum("lets the game pause until" in line for line in game.lines) == 2


async def test_whoever_plays_with_computers_alone_asks_nobody_for_a_pause(service: TableService) -> None:
    game = await service.game()
    for player in ("p2", "p3"):
        await let_caretaker_play(service.tables, game, 99, player)
    assert await lone_pause_obstacle(service.tables, game, ANN, None) is None


async def test_for_whom_others_play_is_not_asked_for_a_pause(service: TableService) -> None:
    async with service.tables.reading(await service.game()) as live:
        assert present_users(live) == (ANN, BOB, CY)
        now, vanished = service.tables.clock(), dict[str, seats.Role](p2="group", p3="caretaker")
        for player, role in vanished.items():
            live.seat_history = (*live.seat_history, SeatEntry(player, role, BOB, "Bob", live.seq, None, now))
        assert present_users(live) == (ANN,)


async def test_a_pause_that_is_agreed_on_begins_unless_the_game_pauses_already(service: TableService) -> None:
    game, proposals = await service.game(), Proposals(service.tables)
    service.tables.clock = lambda: "2026-01-01T00:00:00.000+00:00"
    first = await proposals.put(game, ANN, lambda live: PauseProposal(3))
    second = await proposals.put(game, CY, lambda live: PauseProposal(None))
    await proposals.answer(game, first.number, BOB, "yes")
    with pytest.raises(Refused, match="pauses already"):
        await proposals.answer(game, second.number, BOB, "yes")
    assert "(proposal 1); `/game resume` ends the pause." in (await service.lines(game))[-1]
    with pytest.raises(Refused, match="pauses"):
        await service.do(game, ANN, "pass")
    service.tables.clock = lambda: "2026-01-04T00:00:01.000+00:00"
    await service.do(game, ANN, "pass")


async def test_a_seat_changes_hands_in_a_pause(service: TableService) -> None:
    """It is no act in the game."""
    game, proposals = await service.game(), Proposals(service.tables)
    handed = await proposals.put(
        game, ANN, lambda live: propose_seat(live, ANN, own_seat(live, ANN), (DEE, "Dee"), "own")
    )
    await begin_pause(service.tables, game, BOB, None)
    answered = await proposals.answer(game, handed.number, DEE, "yes")
    assert answered.proposal.state == "accepted"
