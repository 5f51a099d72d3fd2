"""A game of Ann, Bob and Cy whose turn messages are shown in a thread without Discord."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from bot.client.pictures import Pictures
from bot.client.requests.old_edits import OldEdits
from bot.client.thread.apply import Applier
from bot.client.thread.desired import Waiting
from bot.client.thread.doubts import Doubts
from bot.client.thread.turn_lines import is_of_turn
from bot.client.thread.turns import Turns
from bot.table.moves.turn_buttons import Buttons
from bot.table.outbox import notices
from bot.table.outbox.notices import Line, RoundBegun, TurnChange
from storage import Posting, ShownMessage, games, outbox
from tests.bot.support.asked import Asked
from tests.bot.support.table_service import ANN, TableService
from tests.bot.support.thread import Thread

GOES_ON = TurnChange((), None)
"""The same turn continues."""
PASSES = TurnChange((), None, passes=True)


class Press(Asked):
    """A press on a message, which is edited by the answer, or a command; `parts` is with what it was answered."""

    parts: dict[str, Any] | None = None

    # What is not given stays as it is.
    async def edit_original_response(  # type: ignore[override]
        self, content: str | None = None, view: Any = None, **more: Any
    ) -> None:
        self.parts = {"content": content, "view": view, **more}
        self.message._take(**self.parts)
        await super().edit_original_response(content, view)


class Shown:
    """The game, its thread, and what shows its turns there."""

    def __init__(self, service: TableService, game: int) -> None:
        self.service, self.game, self.thread = service, game, Thread()
        threads: Any = self.thread
        self.applier = Applier(service.tables, threads, Pictures(), OldEdits())
        self.turns = Turns(service.tables, self.applier, timedelta(), Buttons(service.tables))

    @classmethod
    async def begun(cls, service: TableService) -> "Shown":
        """A game has begun, which shows its first turn message."""
        shown = cls(service, await service.game())
        await service.tables.show_in(shown.game, shown.thread.id)
        await shown.tick_off(notices.LINE)
        assert await shown.post()
        return shown

    async def moved(self) -> None:
        """Ann passes and undoes that; all that is to be posted is that her turn continues."""
        await self.service.do(self.game, ANN, "pass")
        await self.service.undo(self.game, ANN)
        await self.tick_off(notices.LINE, notices.TURN, notices.BOARD)
        await self.say(GOES_ON)

    async def tick_off(self, *kinds: str) -> None:
        """What waits of these kinds is as good as posted."""
        await self.mark(
            [row for row in await outbox.of_game(self.service.db, self.game) if row.kind in kinds]
        )

    async def seq(self) -> int:
        """The last row of the log."""
        async with self.service.tables.reading(self.game) as live:
            return live.seq

    async def row(self) -> games.GameRow:
        """The game as it is stored."""
        return await games.get_game(self.service.db, self.game)

    async def say(self, *said: Line | RoundBegun | TurnChange) -> list[Posting]:
        """Let these be posted, which come with no move."""
        now, before = (
            self.service.tables.clock(),
            {row.id for row in await outbox.of_game(self.service.db, self.game)},
        )
        await outbox.put(self.service.db, self.game, await self.seq(), [one.notice() for one in said], now)
        return [row for row in await outbox.of_game(self.service.db, self.game) if row.id not in before]

    async def post(self, *said: Line | RoundBegun | TurnChange) -> bool:
        """Show the turn, with these and with all else that waits: what is no part of it is taken as posted."""
        await self.say(*said)
        kinds: dict[str, list[Posting]] = {}
        for row in await outbox.of_game(self.service.db, self.game):
            mine = row.kind in (notices.TURN, notices.TABLE) or (
                row.kind == notices.LINE and is_of_turn(row.payload)
            )
            kinds.setdefault(row.kind if mine else "", []).append(row)
        turns, lines = kinds.get(notices.TURN, []), kinds.get(notices.LINE, [])
        waiting = Waiting(turns, lines, kinds.get(notices.TABLE, []))
        self.thread.done.clear()
        left = await self.turns.show(self.game, waiting, Doubts(), self.mark)
        if left is not None:
            await self.mark([*left, *kinds.get("", [])])
        return left is not None

    async def mark(
        self, postings: Sequence[Posting], message_id: int | None = None, noted: Sequence[ShownMessage] = ()
    ) -> None:
        """Tick these off."""
        ids = [row.id for row in postings]
        now = self.service.tables.clock()
        await outbox.mark_sent(self.service.db, *ids, now=now, message_id=message_id, noted=noted)

    async def lines(self) -> list[tuple[str, int | None, bool]]:
        """The lines of the game: what each says, in which message it stands, and whether it waits."""
        rows = await outbox.of_kind(self.service.db, self.game, notices.LINE, -1)
        return [(Line.read(row.payload).text, row.message_id, row.waits) for row in rows]

    @property
    def turn(self) -> Any:
        """The newest message with buttons."""
        return next(post for post in reversed(self.thread.posts.values()) if post.labels)

    @property
    def verbs(self) -> list[str]:
        """What was done in the thread when the turn was shown last."""
        return [kind for kind, *_ in self.thread.done]
