from collections.abc import AsyncIterator

import pytest

from tests.bot.support.table_service import ANN, BOB, TableService
from tests.bot.web.visitors import Browser, Site


@pytest.fixture
async def site(service: TableService) -> AsyncIterator[Site]:
    """The board page of a service's tables."""
    async with Site.open_on(service) as opened:
        yield opened


@pytest.fixture
async def game(service: TableService) -> int:
    """A new game of Ann, Bob and Cy, in which it is Ann's turn."""
    return await service.game()


@pytest.fixture
async def ann(site: Site, game: int) -> Browser:
    return await site.browser(game, ANN)


@pytest.fixture
async def bob(site: Site, game: int) -> Browser:
    return await site.browser(game, BOB)
