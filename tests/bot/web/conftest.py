from collections.abc import AsyncIterator

import pytest

from tests.bot.support.table_service import TableService
from tests.bot.web.visitors import Desk


@pytest.fixture
async def desk(service: TableService) -> AsyncIterator[Desk]:
    """The board page of a bench's tables."""
    async with Desk.open_on(service) as opened:
        yield opened
