"""Nobody's absence ends a game: a seat goes to somebody else, who agrees, and what was played stays whose it was."""

from dataclasses import replace

import pytest

from bot.table.clocks.away import begin_substitution
from bot.table.errors import NotYours, Refused
from bot.table.votes.proposals import OPEN_FOR, Proposals
from bot.table.votes.seat_proposals import SeatProposal, Warrant, own_seat, propose_seat
from storage import log, seats
from tests.bot.support.harness import House
from tests.bot.support.tables import ANN, BOB, CY, Bench

pytestmark = pytest.mark.usefixtures("absent_players")

DEE = 14
NEW = (DEE, "Dee")


@pytest.fixture
async def played(bench: Bench) -> int:
    """A game of three moves."""
    game = await bench.game()
    for person in (ANN, BOB, CY):
        await bench.do(game, person, "pass")
    return game


async def propose(
    bench: Bench, game: int, by: int, leaving: int, newcomer: tuple[int, str], warrant: Warrant
) -> None:
    """Somebody proposes that a newcomer takes a seat over."""
    await Proposals(bench.tables).put(
        game, by, lambda live: propose_seat(live, by, own_seat(live, leaving), newcomer, warrant)
    )


async def holders(bench: Bench, game: int) -> list[int]:
    return [seat.user_id for seat in await seats.seats(bench.db, game)]


async def test_whoever_leaves_needs_nobody_but_the_newcomer(bench: Bench, played: int) -> None:
    proposals, before = Proposals(bench.tables), await bench.digest(played)
    await propose(bench, played, ANN, ANN, NEW, "own")
    assert await holders(bench, played) == [ANN, BOB, CY]
    await proposals.answer(played, 1, DEE, "yes")
    assert await holders(bench, played) == [DEE, BOB, CY]
    given = SeatProposal("p1", ANN, "Ann", DEE, "Dee", "own")
    elsewhere = (replace(given, player="p2"), replace(given, newcomer=CY))
    found = [await one._handed(bench.tables, played) for one in (given, *elsewhere)]
    assert found == [True, None, None], "what a lost connection to the database leaves open is found in it"
    assert await bench.digest(played) == before
    with pytest.raises(NotYours):
        await bench.do(played, ANN, "pass")
    await bench.do(played, DEE, "pass")


async def test_who_played_which_moves_stays_known(bench: Bench, played: int) -> None:
    proposals = Proposals(bench.tables)
    await propose(bench, played, ANN, ANN, NEW, "own")
    await proposals.answer(played, 1, DEE, "yes")
    await bench.do(played, DEE, "pass")
    by = [row.user_id for row in await log.read(bench.db, played) if row.actor == "p1"]
    assert by == [ANN, DEE]
    sat = [s for s in await seats.entries(bench.db, played) if s.player_id == "p1"]
    assert [(s.user_id, s.since) for s in sat] == [(ANN, 0), (DEE, 4)]


async def test_the_game_is_the_same_after_a_restart_and_names_the_newcomer(bench: Bench, played: int) -> None:
    proposals, before = Proposals(bench.tables), await bench.digest(played)
    await propose(bench, played, ANN, ANN, NEW, "own")
    await proposals.answer(played, 1, DEE, "yes")
    again = Bench.on(bench.db)
    assert await again.digest(played) == before
    async with again.tables.reading(played) as live:
        assert live.game.name("p1") == "Dee"
        assert live.player_of(DEE) == "p1"
    outcome = await again.do(played, DEE, "pass")
    assert "Dee" in outcome.lines[0]
    await again.undo(played, DEE)
    async with again.tables.reading(played) as live:
        assert live.game.name("p1") == "Dee"


async def test_the_others_give_a_seat_away_by_more_than_half_of_them(bench: Bench, played: int) -> None:
    proposals = Proposals(bench.tables)
    await propose(bench, played, BOB, ANN, NEW, "group")
    await proposals.answer(played, 1, DEE, "yes")
    assert await holders(bench, played) == [ANN, BOB, CY]
    await proposals.answer(played, 1, CY, "yes")
    assert await holders(bench, played) == [DEE, BOB, CY]


async def test_without_the_newcomer_nothing_changes(bench: Bench, played: int) -> None:
    proposals = Proposals(bench.tables)
    await propose(bench, played, BOB, ANN, NEW, "group")
    await proposals.answer(played, 1, CY, "yes")
    assert await holders(bench, played) == [ANN, BOB, CY]
    await propose(bench, played, 99, ANN, NEW, "moderator")
    with pytest.raises(NotYours):
        await proposals.answer(played, 2, 99, "yes")
    await proposals.answer(played, 2, DEE, "no")
    with pytest.raises(Refused, match="settled already"):
        await proposals.answer(played, 2, DEE, "yes")
    assert await holders(bench, played) == [ANN, BOB, CY]


async def test_whoever_is_still_there_keeps_the_seat(bench: Bench, played: int) -> None:
    proposals = Proposals(bench.tables)
    await propose(bench, played, BOB, ANN, NEW, "group")
    asking = await proposals.answer(played, 1, ANN, "no")
    assert asking.proposal.state == "refused"
    with pytest.raises(Refused, match="settled already"):
        await proposals.answer(played, 1, DEE, "yes")


async def test_onlookers_propose_and_answer_nothing(bench: Bench, played: int) -> None:
    proposals = Proposals(bench.tables)
    with pytest.raises(NotYours):
        await propose(bench, played, 99, ANN, NEW, "group")
    await propose(bench, played, BOB, ANN, NEW, "group")
    with pytest.raises(NotYours, match="not for you"):
        await proposals.answer(played, 1, 99, "yes")


async def test_nobody_plays_two_seats_of_one_game(bench: Bench, played: int) -> None:
    with pytest.raises(Refused, match="plays in this game already"):
        await propose(bench, played, ANN, ANN, (BOB, "Bob"), "own")


async def test_a_newcomer_who_has_come_to_play_meanwhile_takes_no_second_seat(
    bench: Bench, played: int
) -> None:
    proposals = Proposals(bench.tables)
    await propose(bench, played, ANN, ANN, NEW, "own")
    await propose(bench, played, BOB, BOB, NEW, "own")
    await proposals.answer(played, 1, DEE, "yes")
    with pytest.raises(Refused, match="plays in this game already"):
        await proposals.answer(played, 2, DEE, "yes")
    assert await holders(bench, played) == [DEE, BOB, CY]


async def test_a_substitute_takes_over_the_seat_that_they_play_and_no_other(
    bench: Bench, played: int
) -> None:
    """Also where the holder, who alone could say that they are back, has vanished."""
    await begin_substitution(bench.tables, played, ANN, NEW, None)
    with pytest.raises(Refused, match="plays in this game already"):
        await propose(bench, played, BOB, BOB, NEW, "own")
    with pytest.raises(Refused, match="plays in this game already"):
        await propose(bench, played, ANN, ANN, (ANN, "Ann"), "own")
    await propose(bench, played, BOB, ANN, NEW, "group")
    proposals = Proposals(bench.tables)
    await proposals.answer(played, 1, CY, "yes")
    await proposals.answer(played, 1, DEE, "yes")
    assert await holders(bench, played) == [DEE, BOB, CY]
    await bench.do(played, DEE, "pass")


async def test_a_proposal_expires(bench: Bench, played: int) -> None:
    proposals = Proposals(bench.tables)
    bench.tables.clock = lambda: "2026-01-01T00:00:00.000+00:00"
    await propose(bench, played, ANN, ANN, NEW, "own")
    bench.tables.clock = lambda: f"2026-01-{1 + OPEN_FOR.days:02}T00:00:01.000+00:00"
    with pytest.raises(Refused, match="expired"):
        await proposals.answer(played, 1, DEE, "yes")
    assert await holders(bench, played) == [ANN, BOB, CY]


async def test_a_newcomer_with_a_players_name_gets_a_distinct_one(bench: Bench, played: int) -> None:
    proposals = Proposals(bench.tables)
    await propose(bench, played, ANN, ANN, (DEE, "Bob"), "own")
    await proposals.answer(played, 1, DEE, "yes")
    async with bench.tables.reading(played) as live:
        assert live.name_of("p1") == "Bob (2)"


# --- on Discord ------------------------------------------------------------------------------------------------------


async def test_a_player_hands_the_seat_over_by_a_command_and_the_newcomers_press(house: House) -> None:
    game = await house.game()
    await game.slash("Ann", "game replace", newcomer=house.person("Dee").id)
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    assert house.person("Dee").id in question.pinged
    assert "not for you" in (await game.press("Eve", "Agree", question)).text
    await game.press("Dee", "Agree", question)
    assert await house.world.until(lambda: "accepted" in house.world.messages[question.id].content)
    await house.settled()
    assert not house.world.messages[question.id].buttons
    assert any("**Dee** takes over the seat of **Ann**" in line for line in game.lines)
    assert game.turn_text.startswith(house.person("Dee").mention)
    await game.press("Dee", "Pass")
    assert "**Dee** passes" in game.lines[-1]


async def test_a_question_that_waits_is_answered_after_a_restart(house: House) -> None:
    game = await house.game()
    await game.slash("Bob", "game replace", newcomer=house.person("Dee").id, player="Ann")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    await house.stop()
    await house.start()
    await game.press("Cy", "Agree", question)
    await game.press("Dee", "Agree", question)
    assert await house.world.until(lambda: "accepted" in house.world.messages[question.id].content)
    await house.settled()
    assert sum("**Dee** takes over the seat" in line for line in game.lines) == 1
