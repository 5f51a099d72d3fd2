"""Proposals: one of a kind at a time, withdrawn by a press, gone with time or with a move; ends of games."""

import pytest

from bot.table.errors import NotPermitted, Refused
from bot.table.live import LiveGame
from bot.table.moves.moves import TypedMove
from bot.table.votes.absent_seats import MoveProposal, let_caretaker_play, propose_absence, propose_move
from bot.table.votes.moderation import EndProposal, moderator_end
from bot.table.votes.pauses import PauseProposal
from bot.table.votes.proposal_kinds import closed_proposal_text
from bot.table.votes.proposals import WITHDRAW_CHOICE, Proposals
from storage import StoredProposal, games, log
from tests.bot.support.new_posts import NewPosts
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.bot.support.waiting import Clock

pytestmark = pytest.mark.usefixtures("absent_players")

ENDING = EndProposal()
BEGUN, A_WEEK_LATER = "2026-01-01T00:00:00.000+00:00", "2026-01-08T00:00:00.000+00:00"


def a_pass(live: LiveGame) -> MoveProposal:
    return propose_move(live, "p1", TypedMove("pass"))


async def decide(service: TableService, game: int) -> StoredProposal:
    """Bob proposes that the table plays Ann's seat."""
    return await Proposals(service.tables).propose(game, BOB, lambda live: propose_absence(live, BOB, "p1"))


# --- the service -----------------------------------------------------------------------------------------------------


async def test_proposer_withdraws_silently(service: TableService, thread: NewPosts) -> None:
    game, asked = thread.game, Proposals(service.tables)
    mine = await asked.propose(game, ANN, lambda _: ENDING)
    await thread.new()
    with pytest.raises(NotPermitted, match="Only the player who made this proposal can withdraw it"):
        await asked.vote(game, mine.number, BOB, WITHDRAW_CHOICE)
    woken = service.woken()
    gone = (await asked.vote(game, mine.number, ANN, WITHDRAW_CHOICE)).proposal
    assert (gone.state, gone.why, woken) == ("expired", "was withdrawn", [game])
    assert not [one for one in await thread.new() if one[0] == "line"]


async def test_proposal_is_open_for_a_week(service: TableService) -> None:
    game, asked = await service.game(), Proposals(service.tables)
    service.tables.clock = lambda: BEGUN
    proposal, woken = await decide(service, game), service.woken()
    service.tables.clock = lambda: A_WEEK_LATER
    with pytest.raises(Refused, match="has expired, because not everybody answered in time"):
        await asked.vote(game, proposal.number, CY, "yes")
    said = "Proposal 1 has expired, because not everybody answered in time. You can make it again."
    assert ((await service.lines(game))[-1], woken) == (said, [game])
    with pytest.raises(Refused, match="already been decided"):
        await asked.vote(game, proposal.number, CY, "yes")


async def test_outdated_proposal_expires_silently(service: TableService, away: int) -> None:
    asked = Proposals(service.tables)
    first, woken = await asked.propose(away, BOB, a_pass), service.woken()
    await asked.expire(first)
    assert woken == [away]
    assert (await service.lines(away))[-1].startswith(
        "Proposal 2 has expired, because not enough players agreed"
    )
    assert closed_proposal_text(*await asked.proposal_of_unloaded_game(away, first.number)).endswith(
        "It has expired."
    )
    second, third = [await asked.propose(away, who, a_pass) for who in (BOB, CY)]
    assert await asked.outdated_proposals() == []
    await asked.vote(away, third.number, BOB, "yes")
    assert [one.number for one in await asked.outdated_proposals()] == [second.number]
    assert await asked.outdated_proposals(away + 1) == []
    before, woken = await service.lines(away), service.woken()
    await asked.expire(second)
    assert (await service.lines(away), woken, await asked.outdated_proposals()) == (before, [], [])
    said = closed_proposal_text(*await asked.proposal_of_unloaded_game(away, second.number))
    assert said.endswith("It has expired, because the game has moved on.")


async def test_ended_game_says_nothing_of_expiry(service: TableService) -> None:
    game = await service.game()
    proposal = await decide(service, game)
    for user in (ANN, BOB, CY):
        await service.do(game, user, "end_game")
    before, woken = await service.lines(game), service.woken()
    await Proposals(service.tables).expire(proposal)
    assert (await service.lines(game), woken) == (before, [])


# --- pauses and ends -------------------------------------------------------------------------------------------------


async def test_table_agrees_on_a_pause_and_the_end(service: TableService, thread: NewPosts) -> None:
    game, asked = thread.game, Proposals(service.tables)
    pause = await asked.propose(game, ANN, lambda _: PauseProposal(9))
    await asked.vote(game, pause.number, BOB, "yes")
    said = "The game pauses until <t:1768003200:f> (proposal 1). `/game resume` ends the pause."
    assert (await thread.new())[1:] == [("line", {"text": said})]
    with pytest.raises(Refused, match="Game 1 is already paused"):
        await asked.propose(game, ANN, lambda _: PauseProposal(None))
    end = await asked.propose(game, ANN, lambda _: ENDING)
    woken = service.woken()
    await asked.vote(game, end.number, BOB, "yes")
    assert (woken, await log.last_seq(service.db, game)) == ([game], 1), "its message says who has agreed"
    await asked.vote(game, end.number, CY, "yes")
    said = "`4` All players have agreed to end the game here (proposal 2)."
    assert (await thread.new())[1:] == [("line", {"text": said}), ("board", {}), ("turn", {}), ("end", {})]
    rows = (await log.read_rows(service.db, game))[1:]
    assert [(row.actor, row.user_id) for row in rows] == [("p1", ANN), ("p2", BOB), ("p3", CY)]
    assert (await games.get_game(service.db, game)).status == "finished"
    assert await TableService.on(service.db).digest(game) == await service.digest(game)
    for late in (
        asked.propose(game, ANN, lambda _: ENDING),
        let_caretaker_play(service.tables, game, 99, "p3"),
        moderator_end(service.tables, game, 99, 4),
    ):
        with pytest.raises(Refused, match="Game 1 has ended"):
            await late


# --- on Discord ------------------------------------------------------------------------------------------------------


async def newcomer(game: Seated, name: str, player: str = "Ann", by: str = "Bob") -> None:
    await game.slash(by, "game replace", newcomer=game.sandbox.person(name).id, player=player)


async def test_second_proposal_replaces_the_first(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await newcomer(game, "Dee")
    late = sandbox.person("Cy").prepare_press(game.proposal(1), "Agree")
    await newcomer(game, "Eve")
    assert game.proposal(1).content.endswith("It was replaced by proposal 2.")
    assert not game.proposal(1).buttons
    assert [button.label for button in game.proposal(2).buttons] == ["Agree", "Refuse", "Withdraw"]
    assert await sandbox.hears(await late(), "already been decided")
    assert sum("Proposal 1" in message.content for message in game.messages) == 1
    await newcomer(game, "Fay", by="Cy")
    await game.slash("Bob", "game agreement", player="Ann")
    assert all(game.proposal(number).buttons for number in (2, 3, 4)), "of others, and of another kind"


async def test_proposals_ping_every_ten_minutes(patient: SandboxBot) -> None:
    clock, game, other = Clock(patient), await patient.game(), await patient.game()
    dee, cy = patient.person("Dee").id, patient.person("Cy").id
    await newcomer(game, "Dee")
    assert {dee, cy} <= set(game.proposal(1).pinged)
    await clock.on(minutes=9)
    await newcomer(game, "Eve")
    assert cy not in game.proposal(2).pinged
    assert f"<@{cy}>" in game.proposal(2).content
    assert patient.person("Eve").id in game.proposal(2).pinged
    await newcomer(other, "Dee")
    assert cy in other.proposal(1).pinged
    await clock.on(minutes=1)
    await newcomer(game, "Fay")
    assert cy in game.proposal(3).pinged
