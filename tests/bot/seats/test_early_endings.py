"""A game ends early when all agree within a time that is said, and says so."""

from bot.client.places.threads import HOUR
from bot.table.orders import caretakers
from bot.table.votes.moderation import EndProposal
from bot.table.votes.proposals import OPEN_FOR, Proposals
from storage import games, log
from tests.bot.sandbox.guild import send_away
from tests.bot.support.harness import House
from tests.bot.support.tables import ANN, BOB, CY, Bench

ENDING = EndProposal()


async def test_all_have_to_agree_and_each_word_stands_in_the_log(bench: Bench) -> None:
    game, proposals = await bench.game(), Proposals(bench.tables)
    proposal = await proposals.put(game, ANN, lambda live: ENDING)
    woken = bench.woken()
    await proposals.answer(game, proposal.number, BOB, "yes")
    assert woken == [game], "its message says who has agreed"
    assert await log.last_seq(bench.db, game) == 1
    await proposals.answer(game, proposal.number, CY, "yes")
    rows = [(row.actor, row.user_id) for row in await log.read(bench.db, game)][1:]
    assert rows == [("p1", ANN), ("p2", BOB), ("p3", CY)]
    assert (await games.get_game(bench.db, game)).status == "finished"
    again = Bench.on(bench.db)
    assert await again.digest(game) == await bench.digest(game)


async def test_the_computer_gives_its_word_with_nobody_for_it(bench: Bench) -> None:
    game, proposals = await bench.lobby(((ANN, "Ann"),)), Proposals(bench.tables)
    await caretakers.add_caretaker(bench.lobbies, game, ANN)
    await bench.lobbies.start(game, ANN)
    await proposals.put_or_join(game, ANN, lambda live: ENDING)
    words = {row.user_id for row in await log.read(bench.db, game) if "end_game" in row.payload}
    assert words == {ANN, None}


async def test_one_who_refuses_keeps_the_game_going(bench: Bench) -> None:
    game, proposals = await bench.game(), Proposals(bench.tables)
    proposal = await proposals.put(game, ANN, lambda live: ENDING)
    asking = await proposals.answer(game, proposal.number, CY, "no")
    assert asking.proposal.state == "refused"
    await bench.do(game, ANN, "pass")


async def test_two_who_propose_it_at_once_propose_one_thing(bench: Bench) -> None:
    game, proposals = await bench.game(), Proposals(bench.tables)
    for person in (ANN, BOB, CY):
        woken = bench.woken()
        asking = await proposals.put_or_join(game, person, lambda live: ENDING)
        assert set(woken) == {game}
    assert (asking.proposal.number, asking.proposal.state) == (1, "accepted")


async def test_what_was_undone_must_be_agreed_on_by_all_again(bench: Bench) -> None:
    game, proposals = await bench.game(), Proposals(bench.tables)
    for person in (ANN, BOB, CY):
        await proposals.put_or_join(game, person, lambda live: ENDING)
    await bench.undo(game, CY)
    asking = await proposals.put_or_join(game, CY, lambda live: ENDING)
    assert (asking.proposal.number, asking.proposal.state) == (2, "open")
    assert set(asking.electorate.must) == {ANN, BOB, CY}


# --- on Discord ------------------------------------------------------------------------------------------------------


async def test_the_table_is_asked_with_a_time_and_reads_how_the_game_ended(house: House) -> None:
    game = await house.game(("Ann", "Bob"))
    assert "the player who has a seat" in (await game.slash("Eve", "game abandon")).text
    await game.slash("Ann", "game abandon")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    assert "the game ends here, and is scored as it stands" in question.content
    assert "It expires <t:" in question.content
    await game.press("Bob", "Agree", question)
    assert await house.world.until(lambda: house.world.channel(game.thread).archive_minutes == HOUR)
    assert any("All players have agreed to end the game here (proposal 1)." in line for line in game.lines)
    assert any("All players agreed to stop" in message.content for message in game.messages[-2:])


async def test_the_question_outlives_a_restart_and_the_moves_after_it(house: House) -> None:
    game = await house.game(("Ann", "Bob"))
    turn = game.turn
    await game.slash("Ann", "game abandon")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    await house.stop()
    await house.start()
    await game.press("Ann", "Pass", turn)
    assert await house.world.until(lambda: not house.world.messages[turn.id].buttons)
    await game.press("Bob", "Agree", question)
    assert await house.world.until(lambda: house.world.channel(game.thread).archive_minutes == HOUR)


async def test_a_proposal_that_expired_is_posted_and_loses_its_buttons(house: House) -> None:
    game = await house.game()
    now = "2026-01-01T00:00:00.000+00:00"
    house.client.tables.clock = lambda: now
    await game.slash("Ann", "game abandon")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    pressed = house.person("Bob").hold(question, "Agree")
    await house.expire()
    assert house.world.messages[question.id].buttons
    now = f"2026-01-{1 + OPEN_FOR.days:02}T00:00:01.000+00:00"
    await house.expire()
    await house.settled()
    assert not house.world.messages[question.id].buttons
    assert "has expired" in house.world.messages[question.id].content
    assert sum("has expired: not everybody" in line for line in game.lines) == 1
    late = await pressed()
    assert await house.hears(late, "settled already")
    assert await game.seq() == 1


async def test_a_press_on_what_expired_a_moment_ago_says_so(house: House) -> None:
    game = await house.game()
    now = "2026-01-01T00:00:00.000+00:00"
    house.client.tables.clock = lambda: now
    await game.slash("Ann", "game abandon")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    now = f"2026-01-{1 + OPEN_FOR.days:02}T00:00:01.000+00:00"
    assert await house.hears(await game.press("Bob", "Agree", question), "has expired")
    assert await house.world.until(lambda: not house.world.messages[question.id].buttons)


async def test_the_end_of_a_pause_announces_itself(house: House) -> None:
    game = await house.game()
    now = "2026-01-01T00:00:00.000+00:00"
    house.client.tables.clock = lambda: now
    await game.slash("Bob", "game pause", days=2)
    rung = game.pings("Ann")
    await house.expire()
    assert game.pings("Ann") == rung
    now = "2026-01-03T00:00:01.000+00:00"
    for _ in range(2):
        await house.expire()
        await house.settled()
    assert sum("The pause is over" in line for line in game.lines) == 1
    assert game.pings("Ann") == rung + 1
    await game.press("Ann", "Pass")
    assert any("**Ann** passes" in line for line in game.lines)


async def test_who_has_left_the_server_is_noticed_when_pinged_and_announced_once(house: House) -> None:
    game = await house.game()
    send_away(house.world, house.person("Bob").id)
    await game.press("Ann", "Pass")
    await house.settled()
    found = [line for line in game.lines if "**Bob** has left this server" in line]
    assert len(found) == 1
    assert all(way in found[0] for way in ("/game replace", "/game agreement", "/game pause"))
    await game.slash("Ann", "undo")
    await game.press("Ann", "Pass")
    await house.settled()
    await game.slash("Cy", "game agreement", player="Bob")
    assert any(m.content.startswith("Proposal 1:") for m in game.messages), (
        "nobody waits for whoever has left"
    )
    assert sum("has left this server" in line for line in game.lines) == 1
