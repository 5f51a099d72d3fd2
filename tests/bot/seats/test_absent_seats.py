"""A vanished player's seat is played by the table, by agreement, or by a caretaker, until the player is back."""

from typing import Any

import pytest

from bot.table.errors import NotPermitted, OtherPlayersTurn, Refused
from bot.table.live import LiveGame
from bot.table.moves.menus import ActingAs, MenuState
from bot.table.moves.moves import TypedMove, offer_key
from bot.table.votes.absent_seats import let_caretaker_play, propose_absence, propose_move
from bot.table.votes.acting_as import offer_in_capacity
from bot.table.votes.proposal_kinds import ProposalWithVotes
from bot.table.votes.proposals import Proposals
from engine.core.ids import PlayerId
from storage import SeatEntry, StoredProposal, log, proposals, seats
from tests.bot.support.new_posts import NOW, NewPosts, Posted
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, CY, TableService

pytestmark = pytest.mark.usefixtures("absent_players")

DEE, MODERATOR = 14, 99
PASS = TypedMove("pass")
KEPT = "`/game replace` gives the seat to another member."


async def decide(service: TableService, game: int, by: int, player: PlayerId = "p1") -> StoredProposal:
    return await Proposals(service.tables).propose(game, by, lambda live: propose_absence(live, by, player))


async def move(service: TableService, game: int, by: int, typed: TypedMove = PASS) -> StoredProposal:
    return await Proposals(service.tables).propose(game, by, lambda live: propose_move(live, "p1", typed))


async def answer(
    service: TableService, game: int, proposal: StoredProposal, who: int, choice: str = "yes"
) -> ProposalWithVotes:
    return await Proposals(service.tables).vote(
        game, proposal.number, who, choice, is_moderator=who == MODERATOR
    )


async def roles(service: TableService, game: int) -> list[str]:
    return [s.role for s in await seats.seat_entries(service.db, game) if s.player_id == "p1"]


def aside(text: str, *fresh: str, loud: bool = True) -> Posted:
    """A line of no move, and a turn that says something else since; these players have to act anew."""
    line = {"text": text, "aside": True} | ({"loud": True} if loud else {})
    turn: dict[str, Any] = {"fresh": list(fresh)} if fresh else {}
    return [("line", line), ("turn", turn)]


# --- the table plays a seat ------------------------------------------------------------------------------------------


async def test_table_plays_a_seat_until_its_player_acts(service: TableService, thread: NewPosts) -> None:
    game = thread.game
    seat = await decide(service, game, BOB)
    assert (await thread.new(), await roles(service, game)) == ([("proposal", {"proposal": 1})], ["holder"])
    with pytest.raises(Refused, match="does not play the seat"):
        await move(service, game, BOB)
    await answer(service, game, seat, CY)
    assert await thread.new() == aside(
        "From move 2 on the group plays the seat of **Ann** (proposal 1): one player proposes a "
        "move with `/game propose`, "
        f"another agrees. **Ann** takes the seat back by making a move; {KEPT}",
        "p1",
    )
    assert (await seats.seat_entries(service.db, game))[-1] == SeatEntry(
        "p1", "group", ANN, "Ann", 1, None, NOW
    )
    assert [one.user_id for one in await seats.seats(service.db, game)] == [ANN, BOB, CY]
    proposal = await move(service, game, BOB)
    subject = (await Proposals(service.tables).proposal_with_votes(game, proposal.number)).subject
    assert subject.describe() == "for **Ann**: Pass"
    await answer(service, game, proposal, CY)
    said = "`2` **Ann** passes.\n-# For Ann: proposed by <@12>, agreed by the group (proposal 2)."
    assert (await thread.new())[1] == ("line", {"text": said})
    assert [(row.actor, row.user_id) for row in await log.read_rows(service.db, game)][1:] == [("p1", BOB)]
    found = await proposals.find_proposal(service.db, game, proposal.number)
    assert found is not None
    assert (found[0].state, [(v.user_id, v.agrees) for v in found[1]]) == ("accepted", [(CY, True)])
    assert await Proposals(service.tables).record_activity(game, ANN) == []
    assert await thread.new() == aside("**Ann** is back from move 3 on.", loud=False)
    assert (await seats.seat_entries(service.db, game))[-1] == SeatEntry(
        "p1", "holder", ANN, "Ann", 2, None, NOW
    )


async def test_player_who_acts_ends_the_vote(service: TableService) -> None:
    game, asked = await service.game(), Proposals(service.tables)
    assert await asked.record_activity(game, ANN) == [], "nothing is asked yet"
    proposal, woken = await decide(service, game, BOB), service.woken()
    assert [await asked.record_activity(game, user) for user in (BOB, DEE)] == [[], []]
    assert woken == []
    assert [one.number for one in await asked.record_activity(game, ANN)] == [proposal.number]
    assert (await service.lines(game))[-1] == "Proposal 1 has ended, because **Ann** is back."
    assert woken == [game]
    with pytest.raises(Refused, match="already been decided"):
        await answer(service, game, proposal, CY)
    assert await roles(service, game) == ["holder"]
    proposal = await decide(service, game, BOB)
    restarted = Proposals(TableService.on(service.db).tables)
    assert [one.number for one in await restarted.record_activity(game, ANN)] == [proposal.number]


# --- a caretaker plays a seat ----------------------------------------------------------------------------------------


async def test_caretaker_is_announced(service: TableService, thread: NewPosts) -> None:
    game, woken = thread.game, service.woken()
    text = await let_caretaker_play(service.tables, game, MODERATOR, "p3")
    assert text == (
        "From move 2 on a caretaker (computer) plays the seat of **Cy** (decided by <@99> as a moderator). "
        f"**Cy** takes the seat back by making a move; {KEPT}"
    )
    assert (await thread.new())[0] == ("line", {"text": text, "aside": True, "loud": True})
    assert woken == [game]
    entry = SeatEntry("p3", "caretaker", CY, "Cy", 1, None, NOW)
    assert (await seats.seat_entries(service.db, game))[-1] == entry


async def test_player_back_on_turn_is_asked(service: TableService, thread: NewPosts) -> None:
    await let_caretaker_play(service.tables, thread.game, MODERATOR, "p1")
    woken = service.woken()
    await thread.new()
    await Proposals(service.tables).record_activity(thread.game, ANN)
    assert (await thread.new())[1] == ("turn", {"fresh": ["p1"]})
    assert woken == [thread.game]


# --- whose offers are used -------------------------------------------------------------------------------------------


async def seated(service: TableService, game: int) -> LiveGame:
    async with service.tables.reading(game) as live:
        return live


def first(live: LiveGame, capacity: ActingAs) -> MenuState:
    """Where the questions of Ann's first offer begin."""
    return MenuState(live.id, live.seq, offer_key(live.game.offers("p1")[0]), acting_as=capacity)


async def test_offer_is_used_in_a_capacity(service: TableService, away: int) -> None:
    own, absent = await seated(service, await service.game()), await seated(service, away)
    await let_caretaker_play(service.tables, own.id, MODERATOR, "p2")
    for live, user, capacity in (
        (own, ANN, ActingAs.SELF), (own, MODERATOR, ActingAs.MODERATOR), (absent, BOB, ActingAs.GROUP),
    ):  # fmt: skip
        assert offer_in_capacity(service.tables, live, user, first(live, capacity)).actor == "p1"
    for live, user, capacity, error in (
        (own, BOB, ActingAs.SELF, OtherPlayersTurn),
        (own, ANN, ActingAs.GROUP, Refused),
        (absent, MODERATOR, ActingAs.GROUP, NotPermitted),
    ):
        with pytest.raises(error):
            offer_in_capacity(service.tables, live, user, first(live, capacity))


# --- on Discord ------------------------------------------------------------------------------------------------------


async def agreed(sandbox: SandboxBot) -> Seated:
    """A table that plays the seat of Ann."""
    game = await sandbox.game()
    await game.slash("Bob", "game agreement", player="Ann")
    await accept(game, 1)
    return game


async def accept(game: Seated, number: int, name: str = "Cy") -> None:
    """Agree, and wait until the proposal is accepted."""
    question = game.proposal(number)
    await game.press(name, "Agree", question)
    world = game.sandbox.world
    assert await world.wait_until(lambda: "accepted" in world.messages[question.id].content)
    await game.sandbox.settled()


async def test_table_moves_by_menus_and_a_press(sandbox: SandboxBot) -> None:
    game = await agreed(sandbox)
    assert "The group plays this seat" in game.turn.content
    assert game.pings("Cy") >= 1
    menu = (await game.slash("Bob", "game propose")).ephemeral[0]
    [value] = [value for label, value in menu.selects[0].options if label == "Pass"]
    await sandbox.person("Bob").select(menu, menu.selects[0].custom_id, [value])
    assert await sandbox.world.wait_until(lambda: bool(sandbox.world.messages[menu.id].buttons))
    asked = sandbox.world.messages[menu.id]
    await game.press("Bob", asked.buttons[0].label, asked)
    await sandbox.settled()
    await accept(game, 2)
    assert any("**Ann** passes" in line and "agreed by the group" in line for line in game.lines)
    await game.press("Bob", "Pass")
    await game.press("Cy", "Pass")
    await game.press("Ann", "Pass")
    assert await sandbox.world.wait_until(lambda: any("**Ann** is back" in line for line in game.lines))
    assert sum("**Ann** passes" in line for line in game.lines) == 2


async def test_moderator_presses_the_second_vote(sandbox: SandboxBot) -> None:
    game = await sandbox.game(("Bob", "Cy"))
    await game.slash("Cy", "game agreement", player="Bob")
    question = game.proposal(1)
    assert "A moderator must also agree." in question.content
    for name in ("Cy", "Eve"):
        await game.press(name, "Agree", question)
    assert sandbox.world.messages[question.id].buttons
    await accept(game, 1, "Ann")
    assert any("the group plays the seat of **Bob** (proposal 1)" in line for line in game.lines)
