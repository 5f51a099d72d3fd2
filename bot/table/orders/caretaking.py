"""Caretakers that resume: their moves after a change that was no move, or after many moves at once."""

from bot.table.live import LiveGame
from bot.table.orders import automatic
from bot.table.outbox import notices
from bot.table.tables import Tables


async def play_caretakers(tables: Tables, game_id: int) -> None:
    """Let the caretakers of a game move until a person must decide; after an undo none of them moves."""
    while await _some(tables, game_id):
        pass


async def resume(tables: Tables, game_id: int) -> bool:
    """Let caretakers that wait after an undo resume; whether there were any. Raises Refused."""
    async with tables.writing(game_id) as live:
        if live.held_up(tables.clock()) is not None or not waits(live):
            return False
        return await _follow(tables, live)


def acting(live: LiveGame) -> bool:
    """Whether a caretaker has to act."""
    return not automatic.cared(live).isdisjoint(live.game.actors())


def waits(live: LiveGame) -> bool:
    """Whether a caretaker must act and waits, since an undo came after it sat down."""
    return live.taken_back and acting(live) and not _has_just_sat_down(live)


async def _some(tables: Tables, game_id: int) -> bool:
    """Some of their moves; False where there is nothing to do."""
    async with tables.writing(game_id) as live:
        if live.held_up(tables.clock()) is not None or not acting(live):
            return False
        return not waits(live) and await _follow(tables, live)


def _has_just_sat_down(live: LiveGame) -> bool:
    """Whether a seat that has to act was given to a caretaker after the last row of the log."""
    fresh = {one.player_id for one in live.seat_history if one.role == "caretaker" and one.since == live.seq}
    return not fresh.isdisjoint(live.game.actors())


async def _follow(tables: Tables, live: LiveGame) -> bool:
    before = notices.Before.of(live.game)
    then = await automatic.follow(tables.db, live, ())
    if not then.entries:
        return False
    pending = notices.of_move(live, then.entries[0].actor, then.events, then.lines, before)
    await tables.commit(live, then.entries, pending, live.counting, changes=then.changes(live.seq + 1))
    tables.on_notice(live.id)
    return True
