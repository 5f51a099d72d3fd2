"""A vanished player's seat is played by the table, by agreement, until the player is back or somebody is found."""

import pytest

from bot.table.errors import NotYours, Refused
from bot.table.moves.moves import Typed
from bot.table.orders import caretakers
from bot.table.votes.absent_seats import propose_absence, propose_move
from bot.table.votes.pauses import PauseProposal, begin_pause
from bot.table.votes.proposal_kinds import Asking, settled_text
from bot.table.votes.proposals import OPEN_FOR, Proposals
from bot.table.votes.seat_proposals import own_seat, propose_seat
from engine.core.ids import PlayerId
from storage import CARETAKER, StoredProposal, log, outbox, proposals, seats
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, CY, TableService

pytestmark = pytest.mark.usefixtures("absent_players")

DEE = 14
MODERATOR = 99
PASS = Typed("pass")


async def decide(service: TableService, game: int, by: int, player: PlayerId = "p1") -> StoredProposal:
    """Somebody proposes that the table plays a seat."""
    return await Proposals(service.tables).put(game, by, lambda live: propose_absence(live, by, player))


async def move(service: TableService, game: int, by: int, typed: Typed = PASS) -> StoredProposal:
    """Somebody proposes a move for Ann's seat."""
    return await Proposals(service.tables).put(game, by, lambda live: propose_move(live, "p1", typed))


async def answer(
    service: TableService, game: int, proposal: StoredProposal, who: int, choice: str = "yes"
) -> Asking:
    """What somebody says to it."""
    return await Proposals(service.tables).answer(
        game, proposal.number, who, choice, moderates=who == MODERATOR
    )


async def roles(service: TableService, game: int) -> list[str]:
    """Who has sat in Ann's seat."""
    return [s.role for s in await seats.entries(service.db, game) if s.player_id == "p1"]


@pytest.fixture
async def away(service: TableService) -> int:
    """A game in which the table plays the seat of Ann, whose turn it is."""
    game = await service.game()
    await answer(service, game, await decide(service, game, BOB), CY)
    return game


async def test_the_table_plays_a_seat_only_after_more_than_half_of_the_others_have_said_so(
    service: TableService,
) -> None:
    game = await service.game()
    proposal = await decide(service, game, BOB)
    assert await roles(service, game) == ["holder"]
    with pytest.raises(Refused, match="does not play the seat"):
        await move(service, game, BOB)
    await answer(service, game, proposal, CY)
    assert await roles(service, game) == ["holder", "group"]
    assert [seat.user_id for seat in await seats.seats(service.db, game)] == [ANN, BOB, CY]


async def test_one_proposes_a_move_another_agrees_and_the_log_and_the_proposal_say_who(
    service: TableService, away: int
) -> None:
    proposal = await move(service, away, BOB)
    with pytest.raises(NotYours):
        await answer(service, away, proposal, BOB)
    assert await log.last_seq(service.db, away) == 1
    await answer(service, away, proposal, CY)
    assert [(row.actor, row.user_id) for row in await log.read(service.db, away)][1:] == [("p1", BOB)]
    found = await proposals.find(service.db, away, proposal.number)
    assert found is not None
    assert (found[0].state, [(v.user_id, v.agrees) for v in found[1]]) == ("accepted", [(CY, True)])


async def test_of_two_moves_the_one_agreed_to_first_is_made(service: TableService, away: int) -> None:
    one, other = (
        await move(service, away, BOB),
        await move(service, away, CY, Typed("bid", {"private": "D&R", "amount": 20})),
    )
    await answer(service, away, one, CY)
    with pytest.raises(Refused, match="moved on"):
        await answer(service, away, other, BOB)
    assert await log.last_seq(service.db, away) == 2
    found = await proposals.find(service.db, away, other.number)
    assert found is not None
    assert found[0].state == "expired"


async def test_two_who_agree_at_once_make_one_move(service: TableService) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"), (DEE, "Dee")))
    await service.lobbies.arrange(game, ANN, (ANN, BOB, CY, DEE))
    await service.lobbies.start(game, ANN)
    proposal = await decide(service, game, BOB)
    await answer(service, game, proposal, CY)
    proposal = await move(service, game, BOB)
    await answer(service, game, proposal, CY)
    with pytest.raises(Refused, match="settled already"):
        await answer(service, game, proposal, DEE)
    assert await log.last_seq(service.db, game) == 2


async def test_while_the_game_pauses_no_proposed_move_is_agreed_to(service: TableService, away: int) -> None:
    proposal = await move(service, away, BOB)
    await begin_pause(service.tables, away, BOB, None)
    with pytest.raises(Refused, match="pauses"):
        await answer(service, away, proposal, CY)
    assert await log.last_seq(service.db, away) == 1


async def test_nobody_acts_to_get_back_the_seat_of_a_computer_player_from_the_table(
    service: TableService,
) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    await caretakers.add_caretaker(service.lobbies, game, ANN)
    await service.lobbies.start(game, ANN)
    async with service.tables.reading(game) as live:
        [(player, name)] = [
            (seat.player_id, seat.display_name) for seat in live.seats if seat.user_id == CARETAKER
        ]
    proposal = await decide(service, game, ANN, player)
    await answer(service, game, proposal, BOB)
    assert (await service.lines(game))[-1] == (
        f"From move 2 on the table plays the seat of **{name}** (proposal 1): one proposes a move with "
        "`/game propose`, another agrees. `/game replace` gives the seat to another member."
    )


async def test_who_is_absent_has_the_seat_back_by_acting(service: TableService, away: int) -> None:
    proposal = await move(service, away, BOB)
    await Proposals(service.tables).seen(away, ANN)
    assert await roles(service, away) == ["holder", "group", "holder"]
    with pytest.raises(Refused, match="does not play the seat of Ann any more"):
        await answer(service, away, proposal, CY)
    await service.do(away, ANN, "pass")


async def test_who_acts_while_the_vote_for_the_seat_is_open_ends_it(service: TableService) -> None:
    game = await service.game()
    proposal = await decide(service, game, BOB)
    assert await Proposals(service.tables).seen(game, BOB) == []
    assert [over.number for over in await Proposals(service.tables).seen(game, ANN)] == [proposal.number]
    with pytest.raises(Refused, match="settled already"):
        await answer(service, game, proposal, CY)
    assert await roles(service, game) == ["holder"]


async def test_the_position_and_who_sits_there_are_the_same_after_a_restart(
    service: TableService, away: int
) -> None:
    proposal = await move(service, away, BOB)
    again = TableService.on(service.db)
    assert await again.digest(away) == await service.digest(away)
    await answer(again, away, proposal, CY)
    assert await log.last_seq(service.db, away) == 2


async def test_somebody_found_takes_the_seat_over_from_the_table(service: TableService, away: int) -> None:
    proposal = await Proposals(service.tables).put(
        away, BOB, lambda live: propose_seat(live, BOB, own_seat(live, ANN), (DEE, "Dee"), "group")
    )
    await answer(service, away, proposal, CY)
    await answer(service, away, proposal, DEE)
    assert await roles(service, away) == ["holder", "group", "holder"]
    await service.do(away, DEE, "pass")


async def test_of_two_players_a_moderator_is_the_second_vote(service: TableService) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    await service.lobbies.arrange(game, ANN, (ANN, BOB))
    await service.lobbies.start(game, ANN)
    proposal = await decide(service, game, BOB)
    with pytest.raises(NotYours):
        await Proposals(service.tables).answer(game, proposal.number, DEE, "yes")
    await answer(service, game, proposal, MODERATOR)
    proposal = await move(service, game, BOB)
    assert await log.last_seq(service.db, game) == 1
    await answer(service, game, proposal, MODERATOR)
    assert (await log.read(service.db, game))[-1].user_id == BOB


async def test_who_has_given_the_seat_away_has_no_vote_any_more(service: TableService) -> None:
    game = await service.game()
    proposal = await decide(service, game, BOB)
    handed = await Proposals(service.tables).put(
        game, BOB, lambda live: propose_seat(live, BOB, own_seat(live, BOB), (DEE, "Dee"), "own")
    )
    await answer(service, game, handed, DEE)
    await answer(service, game, proposal, CY)
    assert await roles(service, game) == ["holder"]
    await answer(service, game, proposal, DEE)
    assert await roles(service, game) == ["holder", "group"]


async def test_an_onlooker_proposes_nothing(service: TableService, away: int) -> None:
    with pytest.raises(Refused, match="Another player"):
        await decide(service, await service.game(), DEE)
    with pytest.raises(Refused, match="plays the seat of Ann already"):
        await decide(service, away, BOB)


async def test_a_proposal_that_expires_is_posted_once(service: TableService) -> None:
    game = await service.game()
    service.tables.clock = lambda: "2026-01-01T00:00:00.000+00:00"
    proposal = await decide(service, game, BOB)
    service.tables.clock = lambda: f"2026-01-{1 + OPEN_FOR.days:02}T00:00:01.000+00:00"
    assert await proposals.run_out(service.db, service.tables.clock()) == [proposal]
    await Proposals(service.tables).expire(proposal)
    await Proposals(service.tables).expire(proposal)
    assert await proposals.run_out(service.db, service.tables.clock()) == []
    assert (
        sum("has expired" in one.payload for one in await outbox.of_kind(service.db, game, "line", -1)) == 1
    )


# --- on Discord ------------------------------------------------------------------------------------------------------


async def agreed(sandbox: SandboxBot) -> Seated:
    """A table that plays the seat of Ann."""
    game = await sandbox.game()
    await game.slash("Bob", "game agreement", player="Ann")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    await game.press("Cy", "Agree", question)
    assert await sandbox.world.until(lambda: "accepted" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    return game


async def test_the_others_are_pinged_and_move_by_menus_and_a_press(sandbox: SandboxBot) -> None:
    game = await agreed(sandbox)
    assert "The table plays this seat" in game.turn.content
    assert game.pings("Cy") >= 1
    menu = (await game.slash("Bob", "game propose")).ephemeral[0]
    [value] = [value for label, value in menu.selects[0].options if label == "Pass"]
    await sandbox.person("Bob").select(menu, menu.selects[0].custom_id, [value])
    assert await sandbox.world.until(lambda: bool(sandbox.world.messages[menu.id].buttons))
    asked = sandbox.world.messages[menu.id]
    await game.press("Bob", asked.buttons[0].label, asked)
    await sandbox.settled()
    question = next(m for m in game.messages if m.content.startswith("Proposal 2:"))
    await game.press("Cy", "Agree", question)
    assert await sandbox.world.until(lambda: "accepted" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert any("**Ann** passes" in line and "agreed to by the table" in line for line in game.lines)


async def test_who_presses_is_back(sandbox: SandboxBot) -> None:
    game = await agreed(sandbox)
    await game.press("Ann", "Pass")
    assert await sandbox.world.until(lambda: any("**Ann** is back" in line for line in game.lines))
    assert await sandbox.world.until(lambda: any("**Ann** passes" in line for line in game.lines))


async def test_a_vote_survives_a_restart_and_ends_when_the_absent_player_acts(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.slash("Bob", "game agreement", player="Ann")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    await sandbox.stop()
    await sandbox.start()
    turn = next(m for m in game.messages if any(button.label == "Pass" for button in m.buttons))
    await game.press("Ann", "Pass", turn)
    assert await sandbox.world.until(lambda: not sandbox.world.messages[question.id].buttons)
    assert await sandbox.world.until(
        lambda: any("Proposal 1 is over: **Ann** is here." in t for t in game.lines)
    )


async def test_of_two_players_a_moderators_press_is_the_second_vote(sandbox: SandboxBot) -> None:
    game = await sandbox.game(("Bob", "Cy"))
    await game.slash("Cy", "game agreement", player="Bob")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    assert "A moderator must agree, too." in question.content
    for name in ("Cy", "Eve"):
        await game.press(name, "Agree", question)
    assert sandbox.world.messages[question.id].buttons
    await game.press("Ann", "Agree", question)
    assert await sandbox.world.until(lambda: "accepted" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert any("the table plays the seat of **Bob** (proposal 1)" in line for line in game.lines)


async def test_a_proposal_is_open_for_a_week_to_the_moment(service: TableService) -> None:
    game = await service.game()
    service.tables.clock = lambda: "2026-01-01T00:00:00.000+00:00"
    proposal = await decide(service, game, BOB)
    woken = service.woken()
    service.tables.clock = lambda: "2026-01-08T00:00:00.000+00:00"
    with pytest.raises(Refused, match="has expired: not everybody answered in time"):
        await answer(service, game, proposal, CY)
    said = "Proposal 1 has expired: not everybody answered in time. It can be made anew."
    assert (await service.lines(game))[-1] == said
    with pytest.raises(Refused, match="settled already"):
        await answer(service, game, proposal, CY)
    assert woken == [game]


async def test_a_proposal_that_nobody_answered_has_a_line_and_one_outdated_by_a_move_has_none(
    service: TableService, away: int
) -> None:
    first, woken = await move(service, away, BOB), service.woken()
    await Proposals(service.tables).expire(first)
    assert woken == [away]
    assert (await service.lines(away))[-1].endswith(
        "has expired: not everybody who was asked agreed in time."
    )
    closed = await Proposals(service.tables).settled(away, first.number)
    assert settled_text(*closed).endswith("It has expired.")
    second, third = await move(service, away, BOB), await move(service, away, CY)
    assert await Proposals(service.tables).overtaken() == []
    await answer(service, away, third, BOB)
    proposals = Proposals(service.tables)
    assert [one.number for one in await proposals.overtaken()] == [second.number]
    assert (proposals.may_be_overtaken(away), await proposals.overtaken(away + 1)) == (True, [])
    assert (proposals.may_be_overtaken(away), proposals.may_be_overtaken(away + 1)) == (True, False)
    before = await service.lines(away)
    woken = service.woken()
    await Proposals(service.tables).expire(second)
    assert (await service.lines(away), woken) == (before, [])
    assert (await proposals.overtaken(), proposals.may_be_overtaken(away)) == ([], False)
    over, subject = await Proposals(service.tables).settled(away, second.number)
    assert settled_text(over, subject).endswith("It has expired: the game has moved on.")


async def test_only_a_proposal_about_the_position_can_be_outdated_by_a_move(
    service: TableService, away: int
) -> None:
    asked = Proposals(service.tables)
    await asked.put(away, BOB, lambda _: PauseProposal(9))
    assert not asked.may_be_overtaken(away)
    await asked.put(away, BOB, lambda live: propose_move(live, "p1", PASS))
    assert asked.may_be_overtaken(away)


async def test_a_proposal_that_expires_in_a_game_that_has_ended_has_no_line(service: TableService) -> None:
    game = await service.game()
    proposal = await decide(service, game, BOB)
    for user in (ANN, BOB, CY):
        await service.do(game, user, "end_game")
    before, woken = await service.lines(game), service.woken()
    await Proposals(service.tables).expire(proposal)
    assert (await service.lines(game), woken) == (before, [])


async def test_an_answer_to_a_proposal_that_a_move_has_outdated_closes_it_without_a_line(
    service: TableService, away: int
) -> None:
    first, second = await move(service, away, BOB), await move(service, away, CY)
    await answer(service, away, second, BOB)
    before = await service.lines(away)
    with pytest.raises(Refused, match="moved on"):
        await answer(service, away, first, CY)
    assert await service.lines(away) == before
    closed = await Proposals(service.tables).settled(away, first.number)
    assert settled_text(*closed).endswith("It has expired: the game has moved on.")


async def test_who_is_not_asked_answers_nothing_and_a_moderator_only_where_one_is_asked(
    service: TableService, away: int
) -> None:
    proposal = await move(service, away, BOB)
    for who in (DEE, MODERATOR):
        with pytest.raises(NotYours, match="not for you"):
            await answer(service, away, proposal, who)


async def test_whoever_acts_again_has_their_seat_and_ends_the_votes_on_it(service: TableService) -> None:
    game, asked = await service.game(), Proposals(service.tables)
    assert await asked.seen(game, ANN) == [], "nothing is asked yet"
    proposal, woken = await decide(service, game, BOB), service.woken()
    assert await asked.seen(game, BOB) == []
    assert await asked.seen(game, DEE) == []
    assert woken == []
    assert [one.number for one in await asked.seen(game, ANN)] == [proposal.number]
    assert (await service.lines(game))[-1] == "Proposal 1 is over: **Ann** is here."
    assert woken == [game]
    assert await roles(service, game) == ["holder"]


async def test_a_vote_wakes_the_table_and_the_last_word_is_named(service: TableService) -> None:
    game, woken = await service.game(), service.woken()
    proposal = await decide(service, game, BOB)
    assert woken == [game]
    assert (await answer(service, game, proposal, CY, "no")).proposal.state == "refused"
    assert (await service.lines(game))[-1].endswith(f"is refused by <@{CY}>.")
    assert set(woken) == {game}
