"""A channel without Discord in which the messages of lobbies stand."""

from types import SimpleNamespace
from typing import Any, Self

from bot.client.requests.old_edits import OldEdits
from bot.table.game_cache import Locks
from storage import GameRow
from tests.bot.support.table_service import CHANNEL, TableService
from tests.bot.support.thread import Thread


class Foyer:
    """A client whose lobbies are in one channel; in a forum their messages are posts."""

    def __init__(self, service: TableService) -> None:
        self.tables, self.lobbies = service.tables, service.lobbies
        self.lobby_locks, self.old_edits, self.threads = Locks(), OldEdits(), self
        self.channel = Thread(CHANNEL)
        self.places: list[tuple[int, int]] = []
        """Channel and server of each request."""
        self.tagged: list[int] = []
        """The games whose tags were brought up to date."""
        self.forum: object | None = None
        self.failure: Exception | None = None
        """What each request ends in."""

    def get_partial_messageable(self, number: int, guild_id: int) -> Any:
        """The channel; or one in which nothing succeeds."""
        self.places.append((number, guild_id))
        return (
            self.channel
            if self.failure is None
            else SimpleNamespace(
                send=self._fail,
                get_partial_message=lambda number: SimpleNamespace(
                    id=number, channel=self.channel, edit=self._fail
                ),
            )
        )

    @property
    def forums(self) -> Self:
        """Games in forums."""
        return self

    def forum_of(self, _: GameRow) -> object | None:
        """The forum of a game."""
        return self.forum

    async def show_tags(self, row: GameRow) -> None:
        """Bring the tags up to date."""
        self.tagged.append(row.id)

    async def _fail(self, *_: object, **__: object) -> None:
        assert self.failure is not None
        raise self.failure
