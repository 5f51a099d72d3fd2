from collections.abc import AsyncIterator

import pytest

from tests.bot.support.tables import Bench
from tests.bot.web.visitors import Desk


@pytest.fixture
async def desk(bench: Bench) -> AsyncIterator[Desk]:
    """The board page of a bench's tables."""
    async with Desk.open_on(bench) as opened:
        yield opened
