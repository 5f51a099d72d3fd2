"""Seats that a caretaker plays: who decides, who is back, and a first game against computers."""

import asyncio
from dataclasses import replace

import pytest

from bot.client.places.departed_members import departure_text
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.orders.automatic import caretaker_players, caretaker_strength
from bot.table.orders.caretakers import add_caretaker, play_caretakers
from bot.table.votes.absent_seats import let_caretaker_play, propose_absence
from bot.table.votes.moderation import EndProposal
from bot.table.votes.proposals import Proposals
from bot.table.votes.seat_proposals import SeatProposal, propose_seat
from storage import (
    CARETAKER_USER,
    SeatEntry,
    outbox,
    personal_data,
    seats,
)
from tests.bot.orders.caretaken import accept, actors, against, decide, made, roles
from tests.bot.orders.giving import MODERATOR
from tests.bot.support.table_service import ANN, BOB, CY, DEE, EVERYBODY, GUILD, TableService

pytestmark = pytest.mark.usefixtures("absent_players")


@pytest.fixture
async def away(service: TableService) -> int:
    """A game in which a caretaker plays the seat of Bob, who has vanished; it is Ann's turn."""
    game = await service.game()
    await accept(service, game, await decide(service, game, ANN, "p2"), CY)
    return game


async def table_of(service: TableService, count: int) -> int:
    game = await service.lobby(EVERYBODY[:count])
    await service.lobbies.set_seat_order(game, ANN, tuple(user for user, _ in EVERYBODY[:count]))
    await service.lobbies.start(game, ANN)
    return game


# --- who decides -----------------------------------------------------------------------------------------------------


async def test_absent_player_has_no_vote(service: TableService, away: int) -> None:
    """Ann, who is left, decides with a moderator, until Bob is back."""
    proposal, proposals = await decide(service, away, ANN, "p3"), Proposals(service.tables)
    asked = (await proposals.proposal_with_votes(away, proposal.number)).electorate
    assert (asked.voters, asked.needs_moderator) == ((ANN,), True)
    await proposals.record_activity(away, BOB)
    asked = (await proposals.proposal_with_votes(away, proposal.number)).electorate
    assert (asked.voters, asked.votes_needed, asked.needs_moderator) == ((ANN, BOB), 2, False)


async def test_one_person_must_be_left(service: TableService) -> None:
    """For a seat of the table, too."""
    game = await service.game()
    for player in ("p1", "p2"):
        await let_caretaker_play(service.tables, game, MODERATOR, player)
    with pytest.raises(Refused, match="At least one seat must be played by a person"):
        await let_caretaker_play(service.tables, game, MODERATOR, "p3")
    with pytest.raises(Refused, match="At least one seat must be played by a person"):
        await decide(service, game, ANN, "p3")
    game, proposals = await table_of(service, 2), Proposals(service.tables)
    proposal = await proposals.propose(game, ANN, lambda live: propose_absence(live, ANN, "p2"))
    await accept(service, game, proposal, MODERATOR)
    with pytest.raises(Refused, match="At least one seat must be played by a person"):
        await let_caretaker_play(service.tables, game, MODERATOR, "p1")


async def test_caretakers_without_people_do_not_move(service: TableService, away: int) -> None:
    async with service.tables.reading(away) as live:
        assert caretaker_players(live) == {"p2"}
        left = [SeatEntry(p, "caretaker", u, "", live.seq, None, "") for p, u in (("p1", ANN), ("p3", CY))]
        assert caretaker_players(replace(live, seat_history=(*live.seat_history, *left))) == frozenset()


# --- who is back -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seen", [True, False])
async def test_holder_moves_before_the_caretaker(service: TableService, *, seen: bool) -> None:
    game = await service.game()
    await let_caretaker_play(service.tables, game, MODERATOR, "p1")
    if seen:
        await asyncio.gather(
            Proposals(service.tables).record_activity(game, ANN), play_caretakers(service.tables, game)
        )
        assert await made(service, game) == []
    await service.do(game, ANN, "pass")
    assert await made(service, game) == [("p1", ANN)]


async def test_newcomer_takes_over_from_a_caretaker(service: TableService, away: int) -> None:
    newcomer = await Proposals(service.tables).propose(
        away, ANN, lambda live: propose_seat(live, ANN, "p2", (DEE, "Dee"), "group")
    )
    await accept(service, away, newcomer, CY)
    await service.do(away, ANN, "pass")
    assert await made(service, away) == [("p1", ANN), ("p2", None)]
    await accept(service, away, newcomer, DEE)
    assert await roles(service, away, "p2") == ["holder", "caretaker", "holder"]
    while await actors(service, away) != ("p2",):
        await service.pass_on(away)
    await play_caretakers(service.tables, away)
    assert [actor for actor, _ in await made(service, away)].count("p2") == 1
    await service.do(away, DEE, "pass")


async def test_nobody_gives_a_seat_away_alone(service: TableService, away: int) -> None:
    """Because the others have vanished, before it is proposed or since."""

    def to_dee(live: LiveGame) -> SeatProposal:
        return propose_seat(live, ANN, "p3", (DEE, "Dee"), "group")

    proposals = Proposals(service.tables)
    with pytest.raises(Refused, match="a moderator with `/mod replace`"):
        await proposals.propose(away, ANN, to_dee)
    await proposals.record_activity(away, BOB)
    proposal = await proposals.propose(away, ANN, to_dee)
    for player in ("p2", "p1"):
        await let_caretaker_play(service.tables, away, MODERATOR, player)
    assert (await accept(service, away, proposal, DEE)).proposal.state == "open"
    assert (await accept(service, away, proposal, MODERATOR)).proposal.state == "accepted"


# --- a first game against computers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "strength"),
    [
        ("Comet (Conductor)", "Conductor"),
        ("Comet (Caretaker)", None),
        ("Apprentice", "Apprentice"),
        ("Apprentice (2)", "Apprentice"),
        ("Caretaker (2)", None),
    ],
)
def test_name_says_the_strength(name: str, strength: str | None) -> None:
    seat = seats.Seat(1, 1, "p1", CARETAKER_USER, name)
    assert caretaker_strength(seat) == strength
    assert caretaker_strength(replace(seat, user_id=ANN)) is None, "a person's seat"


async def test_computers_may_begin(service: TableService) -> None:
    game = await service.lobby(((ANN, "Ann"),))
    await add_caretaker(service.lobbies, game, ANN)
    await service.lobbies.set_seat_order(game, ANN, (ANN,))
    await seats.reorder_seats(service.db, game, (CARETAKER_USER, ANN))
    await service.lobbies.start(game, ANN)
    assert (await roles(service, game), await actors(service, game)) == (["caretaker"], ("p1",))
    await play_caretakers(service.tables, game)
    assert await actors(service, game) == ("p2",)
    with pytest.raises(Refused, match="no move to undo"):
        await service.undo(game, ANN)


async def test_computers_are_no_people(service: TableService) -> None:
    game = await against(service, "Superintendent", "Superintendent")
    async with service.tables.reading(game) as live:
        assert live.users == (ANN,)
        assert EndProposal().electorate(live, ANN).users_who_must_agree == (ANN,)
        text = departure_text(live, "p1")
    assert "/mod replace player:Ann" in text
    assert "/game" not in text, "nobody is left who could decide"
    assert CARETAKER_USER not in await personal_data.users_of_guild(service.db, GUILD)
    pinged = [row.payload for row in await outbox.notices_of_kind(service.db, game, "ping", -1)]
    assert pinged
    assert all(str(CARETAKER_USER) not in text for text in pinged)


async def test_single_person_gives_a_computer_seat(service: TableService) -> None:
    game = await against(service, "Superintendent", "Superintendent")
    proposal = await Proposals(service.tables).propose(
        game, ANN, lambda live: propose_seat(live, ANN, "p2", (BOB, "Bob"), "group")
    )
    await accept(service, game, proposal, BOB)
    assert await roles(service, game, "p2") == ["caretaker", "holder"]
    await service.do(game, ANN, "pass")
    assert await actors(service, game) == ("p2",)


async def test_two_people_cannot_give_each_others_seat(service: TableService) -> None:
    game = await service.lobby(EVERYBODY[:2])
    await add_caretaker(service.lobbies, game, ANN)
    await service.lobbies.start(game, ANN)
    async with service.tables.reading(game) as live:
        with pytest.raises(Refused, match="cannot give away another player's seat"):
            propose_seat(live, ANN, live.player_of(BOB) or "", (DEE, "Dee"), "group")
