"""Nobody's absence ends a game: a seat goes to somebody else, who agrees, and what was played stays whose it was."""

from dataclasses import replace

import pytest

from bot.table.clocks.away import begin_substitution
from bot.table.errors import NotYours, Refused
from bot.table.votes.proposals import OPEN_FOR, Proposals
from bot.table.votes.seat_proposals import SeatProposal, Warrant, own_seat, propose_seat
from storage import log, seats
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, BOB, CY, TableService

pytestmark = pytest.mark.usefixtures("absent_players")

DEE = 14
NEW = (DEE, "Dee")


@pytest.fixture
async def played(service: TableService) -> int:
    """A game of three moves."""
    game = await service.game()
    for person in (ANN, BOB, CY):
        await service.do(game, person, "pass")
    return game


async def propose(
    service: TableService, game: int, by: int, leaving: int, newcomer: tuple[int, str], warrant: Warrant
) -> None:
    """Somebody proposes that a newcomer takes a seat over."""
    await Proposals(service.tables).put(
        game, by, lambda live: propose_seat(live, by, own_seat(live, leaving), newcomer, warrant)
    )


async def holders(service: TableService, game: int) -> list[int]:
    return [seat.user_id for seat in await seats.seats(service.db, game)]


async def test_whoever_leaves_needs_nobody_but_the_newcomer(service: TableService, played: int) -> None:
    proposals, before = Proposals(service.tables), await service.digest(played)
    await propose(service, played, ANN, ANN, NEW, "own")
    assert await holders(service, played) == [ANN, BOB, CY]
    await proposals.answer(played, 1, DEE, "yes")
    assert await holders(service, played) == [DEE, BOB, CY]
    given = SeatProposal("p1", ANN, "Ann", DEE, "Dee", "own")
    elsewhere = (replace(given, player="p2"), replace(given, newcomer=CY))
    found = [await one._handed(service.tables, played) for one in (given, *elsewhere)]
    assert found == [True, None, None], "what a lost connection to the database leaves open is found in it"
    assert await service.digest(played) == before
    with pytest.raises(NotYours):
        await service.do(played, ANN, "pass")
    await service.do(played, DEE, "pass")


async def test_who_played_which_moves_stays_known(service: TableService, played: int) -> None:
    proposals = Proposals(service.tables)
    await propose(service, played, ANN, ANN, NEW, "own")
    await proposals.answer(played, 1, DEE, "yes")
    await service.do(played, DEE, "pass")
    by = [row.user_id for row in await log.read(service.db, played) if row.actor == "p1"]
    assert by == [ANN, DEE]
    sat = [s for s in await seats.entries(service.db, played) if s.player_id == "p1"]
    assert [(s.user_id, s.since) for s in sat] == [(ANN, 0), (DEE, 4)]


async def test_the_game_is_the_same_after_a_restart_and_names_the_newcomer(
    service: TableService, played: int
) -> None:
    proposals, before = Proposals(service.tables), await service.digest(played)
    await propose(service, played, ANN, ANN, NEW, "own")
    await proposals.answer(played, 1, DEE, "yes")
    again = TableService.on(service.db)
    assert await again.digest(played) == before
    async with again.tables.reading(played) as live:
        assert live.game.name("p1") == "Dee"
        assert live.player_of(DEE) == "p1"
    outcome = await again.do(played, DEE, "pass")
    assert "Dee" in outcome.lines[0]
    await again.undo(played, DEE)
    async with again.tables.reading(played) as live:
        assert live.game.name("p1") == "Dee"


async def test_the_others_give_a_seat_away_by_more_than_half_of_them(
    service: TableService, played: int
) -> None:
    proposals = Proposals(service.tables)
    await propose(service, played, BOB, ANN, NEW, "group")
    await proposals.answer(played, 1, DEE, "yes")
    assert await holders(service, played) == [ANN, BOB, CY]
    await proposals.answer(played, 1, CY, "yes")
    assert await holders(service, played) == [DEE, BOB, CY]


async def test_without_the_newcomer_nothing_changes(service: TableService, played: int) -> None:
    proposals = Proposals(service.tables)
    await propose(service, played, BOB, ANN, NEW, "group")
    await proposals.answer(played, 1, CY, "yes")
    assert await holders(service, played) == [ANN, BOB, CY]
    await propose(service, played, 99, ANN, NEW, "moderator")
    with pytest.raises(NotYours):
        await proposals.answer(played, 2, 99, "yes")
    await proposals.answer(played, 2, DEE, "no")
    with pytest.raises(Refused, match="settled already"):
        await proposals.answer(played, 2, DEE, "yes")
    assert await holders(service, played) == [ANN, BOB, CY]


async def test_whoever_is_still_there_keeps_the_seat(service: TableService, played: int) -> None:
    proposals = Proposals(service.tables)
    await propose(service, played, BOB, ANN, NEW, "group")
    asking = await proposals.answer(played, 1, ANN, "no")
    assert asking.proposal.state == "refused"
    with pytest.raises(Refused, match="settled already"):
        await proposals.answer(played, 1, DEE, "yes")


async def test_onlookers_propose_and_answer_nothing(service: TableService, played: int) -> None:
    proposals = Proposals(service.tables)
    with pytest.raises(NotYours):
        await propose(service, played, 99, ANN, NEW, "group")
    await propose(service, played, BOB, ANN, NEW, "group")
    with pytest.raises(NotYours, match="not for you"):
        await proposals.answer(played, 1, 99, "yes")


async def test_nobody_plays_two_seats_of_one_game(service: TableService, played: int) -> None:
    with pytest.raises(Refused, match="plays in this game already"):
        await propose(service, played, ANN, ANN, (BOB, "Bob"), "own")


async def test_a_newcomer_who_has_come_to_play_meanwhile_takes_no_second_seat(
    service: TableService, played: int
) -> None:
    proposals = Proposals(service.tables)
    await propose(service, played, ANN, ANN, NEW, "own")
    await propose(service, played, BOB, BOB, NEW, "own")
    await proposals.answer(played, 1, DEE, "yes")
    with pytest.raises(Refused, match="plays in this game already"):
        await proposals.answer(played, 2, DEE, "yes")
    assert await holders(service, played) == [DEE, BOB, CY]


async def test_a_substitute_takes_over_the_seat_that_they_play_and_no_other(
    service: TableService, played: int
) -> None:
    """Also where the holder, who alone could say that they are back, has vanished."""
    await begin_substitution(service.tables, played, ANN, NEW, None)
    with pytest.raises(Refused, match="plays in this game already"):
        await propose(service, played, BOB, BOB, NEW, "own")
    with pytest.raises(Refused, match="plays in this game already"):
        await propose(service, played, ANN, ANN, (ANN, "Ann"), "own")
    await propose(service, played, BOB, ANN, NEW, "group")
    proposals = Proposals(service.tables)
    await proposals.answer(played, 1, CY, "yes")
    await proposals.answer(played, 1, DEE, "yes")
    assert await holders(service, played) == [DEE, BOB, CY]
    await service.do(played, DEE, "pass")


async def test_a_proposal_expires(service: TableService, played: int) -> None:
    proposals = Proposals(service.tables)
    service.tables.clock = lambda: "2026-01-01T00:00:00.000+00:00"
    await propose(service, played, ANN, ANN, NEW, "own")
    service.tables.clock = lambda: f"2026-01-{1 + OPEN_FOR.days:02}T00:00:01.000+00:00"
    with pytest.raises(Refused, match="expired"):
        await proposals.answer(played, 1, DEE, "yes")
    assert await holders(service, played) == [ANN, BOB, CY]


async def test_a_newcomer_with_a_players_name_gets_a_distinct_one(service: TableService, played: int) -> None:
    proposals = Proposals(service.tables)
    await propose(service, played, ANN, ANN, (DEE, "Bob"), "own")
    await proposals.answer(played, 1, DEE, "yes")
    async with service.tables.reading(played) as live:
        assert live.name_of("p1") == "Bob (2)"


# --- on Discord ------------------------------------------------------------------------------------------------------


async def test_a_player_hands_the_seat_over_by_a_command_and_the_newcomers_press(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.slash("Ann", "game replace", newcomer=sandbox.person("Dee").id)
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    assert sandbox.person("Dee").id in question.pinged
    assert "not for you" in (await game.press("Eve", "Agree", question)).text
    await game.press("Dee", "Agree", question)
    assert await sandbox.world.until(lambda: "accepted" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert not sandbox.world.messages[question.id].buttons
    assert any("**Dee** takes over the seat of **Ann**" in line for line in game.lines)
    assert game.turn_text.startswith(sandbox.person("Dee").mention)
    await game.press("Dee", "Pass")
    assert "**Dee** passes" in game.lines[-1]


async def test_a_question_that_waits_is_answered_after_a_restart(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.slash("Bob", "game replace", newcomer=sandbox.person("Dee").id, player="Ann")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    await sandbox.stop()
    await sandbox.start()
    await game.press("Cy", "Agree", question)
    await game.press("Dee", "Agree", question)
    assert await sandbox.world.until(lambda: "accepted" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert sum("**Dee** takes over the seat" in line for line in game.lines) == 1
