import pytest

from bot.table.votes.absent_seats import propose_absence
from bot.table.votes.proposals import Proposals
from tests.bot.support.table_service import ANN, BOB, CY, TableService


@pytest.fixture
async def played(service: TableService) -> int:
    """A game of three moves."""
    game = await service.game()
    for person in (ANN, BOB, CY):
        await service.do(game, person, "pass")
    return game


@pytest.fixture
async def away(service: TableService) -> int:
    """A game in which the table plays the seat of Ann, whose turn it is."""
    game, proposals = await service.game(), Proposals(service.tables)
    asked = await proposals.propose(game, BOB, lambda live: propose_absence(live, BOB, "p1"))
    await proposals.vote(game, asked.number, CY, "yes")
    return game
