"""Seats that a caretaker plays, as tests decide and see them."""

from bot.table.orders.caretakers import add_caretaker
from bot.table.votes.absent_seats import propose_absence
from bot.table.votes.proposal_kinds import ProposalWithVotes
from bot.table.votes.proposals import Proposals
from engine.core.ids import PlayerId
from storage import StoredProposal, log, seats
from tests.bot.orders.giving import MODERATOR
from tests.bot.support.table_service import ANN, TableService


async def decide(service: TableService, game: int, by: int, player: PlayerId = "p1") -> StoredProposal:
    proposals = Proposals(service.tables)
    return await proposals.propose(game, by, lambda live: propose_absence(live, by, player, "caretaker"))


async def accept(service: TableService, game: int, proposal: StoredProposal, who: int) -> ProposalWithVotes:
    proposals = Proposals(service.tables)
    return await proposals.vote(game, proposal.number, who, "yes", is_moderator=who == MODERATOR)


async def roles(service: TableService, game: int, player: PlayerId = "p1") -> list[str]:
    return [s.role for s in await seats.seat_entries(service.db, game) if s.player_id == player]


async def actors(service: TableService, game: int) -> tuple[PlayerId, ...]:
    async with service.tables.reading(game) as live:
        return live.game.actors()


async def made(service: TableService, game: int) -> list[tuple[str, int | None]]:
    return [(row.actor, row.user_id) for row in await log.read_rows(service.db, game) if row.kind == "action"]


async def against(service: TableService, *strengths: str) -> int:
    """A started game of Ann and caretakers, she first, who have not moved yet."""
    game = await service.lobby(((ANN, "Ann"),))
    for strength in strengths:
        await add_caretaker(service.lobbies, game, ANN, strength)
    await service.lobbies.set_seat_order(game, ANN, (ANN,))
    await service.lobbies.start(game, ANN)
    return game
