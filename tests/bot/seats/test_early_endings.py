"""A game ends early when all agree within a time that is said, and says so."""

from bot.client.places.threads import HOUR
from bot.table.orders import caretakers
from bot.table.votes.moderation import EndProposal
from bot.table.votes.proposals import OPEN_FOR, Proposals
from storage import games, log
from tests.bot.sandbox.guild import send_away
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, BOB, CY, TableService

ENDING = EndProposal()


async def test_all_have_to_agree_and_each_word_stands_in_the_log(service: TableService) -> None:
    game, proposals = await service.game(), Proposals(service.tables)
    proposal = await proposals.put(game, ANN, lambda live: ENDING)
    woken = service.woken()
    await proposals.answer(game, proposal.number, BOB, "yes")
    assert woken == [game], "its message says who has agreed"
    assert await log.last_seq(service.db, game) == 1
    await proposals.answer(game, proposal.number, CY, "yes")
    rows = [(row.actor, row.user_id) for row in await log.read(service.db, game)][1:]
    assert rows == [("p1", ANN), ("p2", BOB), ("p3", CY)]
    assert (await games.get_game(service.db, game)).status == "finished"
    again = TableService.on(service.db)
    assert await again.digest(game) == await service.digest(game)


async def test_the_computer_gives_its_word_with_nobody_for_it(service: TableService) -> None:
    game, proposals = await service.lobby(((ANN, "Ann"),)), Proposals(service.tables)
    await caretakers.add_caretaker(service.lobbies, game, ANN)
    await service.lobbies.start(game, ANN)
    await proposals.put_or_join(game, ANN, lambda live: ENDING)
    words = {row.user_id for row in await log.read(service.db, game) if "end_game" in row.payload}
    assert words == {ANN, None}


async def test_one_who_refuses_keeps_the_game_going(service: TableService) -> None:
    game, proposals = await service.game(), Proposals(service.tables)
    proposal = await proposals.put(game, ANN, lambda live: ENDING)
    asking = await proposals.answer(game, proposal.number, CY, "no")
    assert asking.proposal.state == "refused"
    await service.do(game, ANN, "pass")


async def test_two_who_propose_it_at_once_propose_one_thing(service: TableService) -> None:
    game, proposals = await service.game(), Proposals(service.tables)
    for person in (ANN, BOB, CY):
        woken = service.woken()
        asking = await proposals.put_or_join(game, person, lambda live: ENDING)
        assert set(woken) == {game}
    assert (asking.proposal.number, asking.proposal.state) == (1, "accepted")


async def test_what_was_undone_must_be_agreed_on_by_all_again(service: TableService) -> None:
    game, proposals = await service.game(), Proposals(service.tables)
    for person in (ANN, BOB, CY):
        await proposals.put_or_join(game, person, lambda live: ENDING)
    await service.undo(game, CY)
    asking = await proposals.put_or_join(game, CY, lambda live: ENDING)
    assert (asking.proposal.number, asking.proposal.state) == (2, "open")
    assert set(asking.electorate.must) == {ANN, BOB, CY}


# --- on Discord ------------------------------------------------------------------------------------------------------


async def test_the_table_is_asked_with_a_time_and_reads_how_the_game_ended(sandbox: SandboxBot) -> None:
    game = await sandbox.game(("Ann", "Bob"))
    assert "the player who has a seat" in (await game.slash("Eve", "game abandon")).text
    await game.slash("Ann", "game abandon")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    assert "the game ends here, and is scored as it stands" in question.content
    assert "It expires <t:" in question.content
    await game.press("Bob", "Agree", question)
    assert await sandbox.world.until(lambda: sandbox.world.channel(game.thread).archive_minutes == HOUR)
    assert any("All players have agreed to end the game here (proposal 1)." in line for line in game.lines)
    assert any("All players agreed to stop" in message.content for message in game.messages[-2:])


async def test_the_question_outlives_a_restart_and_the_moves_after_it(sandbox: SandboxBot) -> None:
    game = await sandbox.game(("Ann", "Bob"))
    turn = game.turn
    await game.slash("Ann", "game abandon")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    await sandbox.stop()
    await sandbox.start()
    await game.press("Ann", "Pass", turn)
    assert await sandbox.world.until(lambda: not sandbox.world.messages[turn.id].buttons)
    await game.press("Bob", "Agree", question)
    assert await sandbox.world.until(lambda: sandbox.world.channel(game.thread).archive_minutes == HOUR)


async def test_a_proposal_that_expired_is_posted_and_loses_its_buttons(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    now = "2026-01-01T00:00:00.000+00:00"
    sandbox.client.tables.clock = lambda: now
    await game.slash("Ann", "game abandon")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    pressed = sandbox.person("Bob").hold(question, "Agree")
    await sandbox.expire()
    assert sandbox.world.messages[question.id].buttons
    now = f"2026-01-{1 + OPEN_FOR.days:02}T00:00:01.000+00:00"
    await sandbox.expire()
    await sandbox.settled()
    assert not sandbox.world.messages[question.id].buttons
    assert "has expired" in sandbox.world.messages[question.id].content
    assert sum("has expired: not everybody" in line for line in game.lines) == 1
    late = await pressed()
    assert await sandbox.hears(late, "settled already")
    assert await game.seq() == 1


async def test_a_press_on_what_expired_a_moment_ago_says_so(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    now = "2026-01-01T00:00:00.000+00:00"
    sandbox.client.tables.clock = lambda: now
    await game.slash("Ann", "game abandon")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    now = f"2026-01-{1 + OPEN_FOR.days:02}T00:00:01.000+00:00"
    assert await sandbox.hears(await game.press("Bob", "Agree", question), "has expired")
    assert await sandbox.world.until(lambda: not sandbox.world.messages[question.id].buttons)


async def test_the_end_of_a_pause_announces_itself(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    now = "2026-01-01T00:00:00.000+00:00"
    sandbox.client.tables.clock = lambda: now
    await game.slash("Bob", "game pause", days=2)
    rung = game.pings("Ann")
    await sandbox.expire()
    assert game.pings("Ann") == rung
    now = "2026-01-03T00:00:01.000+00:00"
    for _ in range(2):
        await sandbox.expire()
        await sandbox.settled()
    assert sum("The pause is over" in line for line in game.lines) == 1
    assert game.pings("Ann") == rung + 1
    await game.press("Ann", "Pass")
    assert any("**Ann** passes" in line for line in game.lines)


async def test_who_has_left_the_server_is_noticed_when_pinged_and_announced_once(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    send_away(sandbox.world, sandbox.person("Bob").id)
    await game.press("Ann", "Pass")
    await sandbox.settled()
    found = [line for line in game.lines if "**Bob** has left this server" in line]
    assert len(found) == 1
    assert all(way in found[0] for way in ("/game replace", "/game agreement", "/game pause"))
    await game.slash("Ann", "undo")
    await game.press("Ann", "Pass")
    await sandbox.settled()
    await game.slash("Cy", "game agreement", player="Bob")
    assert any(m.content.startswith("Proposal 1:") for m in game.messages), (
        "nobody waits for whoever has left"
    )
    assert sum("has left this server" in line for line in game.lines) == 1
