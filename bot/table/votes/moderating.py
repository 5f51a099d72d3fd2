"""What a moderator does to a running game; each leaves a public line that says who did it."""

from collections.abc import Sequence

from bot.table.errors import Refused
from bot.table.games.redoable import those
from bot.table.outbox import notices
from bot.table.outbox.notices import Line
from bot.table.past.chapters import accept_line
from bot.table.style import strong
from bot.table.tables import Compose, Outcome, Tables
from bot.table.undo.undoing import go_back, lost_by
from bot.table.votes.stopping import stop
from engine.core.ids import PlayerId
from engine.play.rules import RULES_VERSION
from storage import log
from storage.log import Entry, Row


class Moderating:
    """Each method raises Refused or StorageError."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def act(
        self, game_id: int, player: PlayerId, user_id: int, compose: Compose, expected_seq: int
    ) -> Outcome:
        """Make a move for a player, which is recorded as done by the moderator."""
        async with self._tables.writing(game_id) as live:
            self._tables.require_seq(live, expected_seq)
            self._tables.require_playable(live)
            who = f"-# <@{user_id}> acts for {live.name_of(player)}, as a moderator."
            lines = await self._tables.make(live, player, user_id, compose, (who,))
        self._tables.on_notice(game_id)
        return Outcome(live.seq, lines)

    async def undo(self, game_id: int, user_id: int, to: int, expected_seq: int) -> Outcome:
        """Take a game back to where it stood after the row `to`."""
        async with self._tables.writing(game_id) as live:
            self._tables.require_seq(live, expected_seq)
            text = f"<@{user_id}> takes the game back, as a moderator: {_gone(lost_by(live, to))}."
            await go_back(self._tables, live, to, None, user_id, text)
        self._tables.on_notice(game_id)
        return Outcome(live.seq, (text,))

    async def end(self, game_id: int, user_id: int, expected_seq: int) -> str:
        """End a game, which is scored as it stands; the public line."""
        text = f"<@{user_id}> ends the game here, as a moderator. It is scored as it stands."
        async with self._tables.writing(game_id) as live:
            self._tables.require_seq(live, expected_seq)
            await stop(self._tables, live, lambda player: user_id, text)
        self._tables.on_notice(game_id)
        return text

    async def abandon(self, game_id: int, user_id: int, expected_seq: int) -> str:
        """End a game without a score; the public line."""
        text = f"<@{user_id}> abandons the game, as a moderator. It is not scored."
        async with self._tables.reading(game_id) as live:
            self._tables.require_seq(live, expected_seq)
            if live.row.status != "running":
                raise Refused(f"Game {game_id} has ended.")
            # The hand-over takes the turn message away.
            posts = [Line(text).notice(), notices.hand_over((), (), None).notice()]
            await log.commit_abandon(
                self._tables.db, game_id, seq=live.seq, notices=posts, now=self._tables.clock()
            )
        self._tables.forget(game_id)
        self._tables.on_notice(game_id)
        return text

    async def accept(self, game_id: int, user_id: int) -> Outcome:
        """Let a game on hold continue from its position."""
        async with self._tables.writing(game_id) as live:
            if live.waits is None:
                raise Refused(f"Game {live.id} does not wait: there is nothing to accept.")
            payload = log.accept_payload(RULES_VERSION, live.game.dump())
            text = accept_line(live.seq + 1, RULES_VERSION, user_id)
            over = notices.hand_over((), live.game.actors(), None)
            pending = [Line(text).notice(), notices.board(), over.notice(), *notices.ending(live)]
            entry = Entry("accept", payload, live.game.digest(), "", user_id)
            await self._tables.commit(live, [entry], pending, live.counting)
            live.waits = None
        self._tables.on_notice(game_id)
        return Outcome(live.seq, (text,))


def _gone(lost: Sequence[Row]) -> str:
    """`move 7 no longer counts`."""
    return f"{strong(those(lost))} no longer count{'s' if len(lost) == 1 else ''}"
