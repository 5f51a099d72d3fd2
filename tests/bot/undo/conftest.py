import pytest

from tests.bot.support.table_service import ANN, BOB, CY, TableService


@pytest.fixture
async def passed(service: TableService) -> int:
    """A game in which Ann, Bob and Cy have passed."""
    game = await service.game()
    for user in (ANN, BOB, CY):
        await service.do(game, user, "pass")
    return game
