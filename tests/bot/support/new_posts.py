"""What waits to be posted in a game: whole posts, word for word."""

import json
from typing import Any

from storage import outbox
from tests.bot.support.table_service import TableService

NOW = "2026-01-01T00:00:00.000+00:00"
Posted = list[tuple[str, dict[str, Any]]]


class NewPosts:
    """What waits to be posted in a game, each time only what is new."""

    def __init__(self, service: TableService, game: int) -> None:
        self._bench = service
        self.game = game
        self._seen = 0

    async def new(self) -> Posted:
        """The kind of each post, and its content without what is empty."""
        rows = await outbox.unposted_notices_of_game(self._bench.db, self.game)
        new, self._seen = rows[self._seen :], len(rows)
        return [(row.kind, {k: v for k, v in json.loads(row.payload).items() if v}) for row in new]

    @classmethod
    async def begun(cls, service: TableService) -> "NewPosts":
        """Those of a new game of Ann, Bob and Cy, in which Ann is on turn."""
        service.tables.clock = lambda: NOW
        found = cls(service, await service.game())
        await found.new()
        return found
