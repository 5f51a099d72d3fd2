"""What a moderator does to a running game; each leaves a public line that says who did it."""

from bot.table import notices
from bot.table.errors import Refused
from bot.table.history import accept_line
from bot.table.live import Live
from bot.table.notices import Line
from bot.table.service import Compose, Outcome, Tables
from bot.table.stopping import stop
from bot.table.style import strong
from engine.core.ids import PlayerId
from engine.play.rules import RULES_VERSION
from storage import log, outbox
from storage.ending import abandon
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
            self._tables.require_going_on(live)
            who = f"-# <@{user_id}> acts for {live.name_of(player)}, as a moderator."
            lines = await self._tables.make(live, player, user_id, compose, (who,))
        self._tables.on_notice(game_id)
        return Outcome(live.seq, lines)

    async def undo(self, game_id: int, user_id: int, to: int, expected_seq: int) -> Outcome:
        """Take a game back to where it stood after the row `to`."""
        async with self._tables.writing(game_id) as live:
            self._tables.require_seq(live, expected_seq)
            lost = lost_by(live, to)
            kept = live.counting[: -len(lost)]
            text = f"<@{user_id}> takes the game back, as a moderator: {_those(lost)}."
            await self._tables.go_back(live, kept, None, user_id, text)
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
            told = [Line(text).notice(), notices.hand_over((), (), None).notice()]
            await abandon(self._tables.db, game_id, seq=live.seq, notices=told, now=self._tables.clock())
        self._tables.forget(game_id)
        self._tables.on_notice(game_id)
        return text

    async def accept(self, game_id: int, user_id: int) -> Outcome:
        """Let a game that waits go on from where it stands."""
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

    async def tell(self, game_id: int, text: str) -> None:
        """Tell the table what a moderator has done that is no move."""
        seq = await log.last_seq(self._tables.db, game_id)
        await outbox.put(self._tables.db, game_id, seq, [Line(text).notice()], self._tables.clock())
        self._tables.on_notice(game_id)


def lost_by(live: Live, to: int) -> list[Row]:
    """The moves that no longer count when a game goes back to where it stood after the row `to`; raises Refused."""
    if live.row.status == "abandoned":
        raise Refused(f"Game {live.id} was abandoned.")
    if live.waits is not None:
        raise Refused(live.waits)
    if all(row.seq != to for row in live.counting):
        raise Refused(f"Move {to} is none of those that count in game {live.id}.")
    lost = [row for row in live.counting if row.seq > to]
    if not lost:
        raise Refused(f"Move {to} is the last one: there is nothing to take back after it.")
    accepted = next((row.seq for row in lost if row.kind == "accept"), None)
    if accepted is not None:
        raise Refused(
            f"The game goes on from the position that was accepted with move {accepted}; "
            "nothing before it can be taken back."
        )
    return lost


def _those(lost: list[Row]) -> str:
    """`move 7 no longer counts`."""
    if len(lost) == 1:
        return f"{strong(f'move {lost[0].seq}')} no longer counts"
    return f"{strong(f'moves {lost[0].seq} to {lost[-1].seq}')} no longer count"
