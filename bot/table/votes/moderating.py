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
from storage.log import log
from storage.log.log import Entry, Row


async def moderator_move(
    tables: Tables, game_id: int, player: PlayerId, user_id: int, compose: Compose, expected_seq: int
) -> Outcome:
    """Make a move for a player, which is recorded as done by the moderator."""
    async with tables.writing(game_id) as live:
        tables.require_seq(live, expected_seq)
        tables.require_playable(live)
        who = f"-# <@{user_id}> acts for {live.name_of(player)}, as a moderator."
        lines = await tables.make(live, player, user_id, compose, (who,))
    tables.on_notice(game_id)
    return Outcome(live.seq, lines)


async def moderator_undo(tables: Tables, game_id: int, user_id: int, to: int, expected_seq: int) -> Outcome:
    """Take a game back to where it stood after the row `to`."""
    async with tables.writing(game_id) as live:
        tables.require_seq(live, expected_seq)
        text = f"<@{user_id}> takes the game back, as a moderator: {_gone(lost_by(live, to))}."
        await go_back(tables, live, to, None, user_id, text)
    tables.on_notice(game_id)
    return Outcome(live.seq, (text,))


async def moderator_end(tables: Tables, game_id: int, user_id: int, expected_seq: int) -> str:
    """End a game, which is scored as it stands; the public line."""
    text = f"<@{user_id}> ends the game here, as a moderator. It is scored as it stands."
    async with tables.writing(game_id) as live:
        tables.require_seq(live, expected_seq)
        await stop(tables, live, lambda player: user_id, text)
    tables.on_notice(game_id)
    return text


async def moderator_abandon(tables: Tables, game_id: int, user_id: int, expected_seq: int) -> str:
    """End a game without a score; the public line."""
    text = f"<@{user_id}> abandons the game, as a moderator. It is not scored."
    async with tables.reading(game_id) as live:
        tables.require_seq(live, expected_seq)
        if live.row.status != "running":
            raise Refused(f"Game {game_id} has ended.")
        # The hand-over takes the turn message away.
        posts = [Line(text).notice(), notices.hand_over((), (), None).notice()]
        await log.commit_abandon(tables.db, game_id, seq=live.seq, notices=posts, now=tables.clock())
    tables.forget(game_id)
    tables.on_notice(game_id)
    return text


async def moderator_accept(tables: Tables, game_id: int, user_id: int) -> Outcome:
    """Let a game on hold continue from its position."""
    async with tables.writing(game_id) as live:
        if live.waits is None:
            raise Refused(f"Game {live.id} does not wait: there is nothing to accept.")
        payload = log.accept_payload(RULES_VERSION, live.game.dump())
        text = accept_line(live.seq + 1, RULES_VERSION, user_id)
        over = notices.hand_over((), live.game.actors(), None)
        pending = [Line(text).notice(), notices.board(), over.notice(), *notices.ending(live)]
        entry = Entry("accept", payload, live.game.digest(), "", user_id)
        await tables.commit(live, [entry], pending, live.counting)
        live.waits = None
    tables.on_notice(game_id)
    return Outcome(live.seq, (text,))


def _gone(lost: Sequence[Row]) -> str:
    """`move 7 no longer counts`."""
    return f"{strong(those(lost))} no longer count{'s' if len(lost) == 1 else ''}"
