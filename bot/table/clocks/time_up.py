"""What happens when a player's time is up: a line in the thread, and what the game's settings chose for that."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.table.clocks import clocks
from bot.table.clocks.clocks import Clocks
from bot.table.clocks.time_banks import charged, moved
from bot.table.durations import in_words
from bot.table.live import LiveGame
from bot.table.moves.position_questions import ask_for
from bot.table.orders import automatic, known
from bot.table.orders.automatic import MOST, AutomaticMoves, Followed, Ordered, runs
from bot.table.outbox import notices
from bot.table.outbox.notices import Line, ThreadPing, TurnChange
from bot.table.settings.server_settings import moderator_role
from bot.table.style import strong
from bot.table.tables import Tables
from engine.core.ids import PlayerId
from engine.game import Game
from engine.orders import Move, Standing, forced_move, would_do
from engine.orders.automatic_moves import may_have_timeout_move, timeout_move
from engine.tell.view_builders import turn_view
from storage import Database
from storage.clocks import Ticking, Turn
from storage.clocks import tick as store
from storage.orders import TIME_UP
from storage.outbox import OutboxMessage

MARK: Final = "*(time is up)*"
"""What stands behind a move that was made because its player's time was up."""
MODERATORS_CAN: Final = (
    "Moderators of games: `/mod act` makes the move, `/mod replace` gives the seat to another member, "
    "`/mod settings` gives more time, `/mod pause` stops all clocks."
)


async def look_at(tables: Tables, game_id: int) -> None:
    """Begin and end turns that are not kept yet, and do what is due in a game. Raises Refused, StorageError."""
    async with tables.writing(game_id) as live:
        # What is done for one player may be the turn of another: the clocks are read again each time.
        for _ in live.seats:
            now = tables.clock()
            there = await _kept(tables, live, now)
            if there is None or not there.due:
                break
            await _time_is_up(tables, live, there, there.due[0], now)
    tables.on_notice(game_id)


async def _kept(tables: Tables, live: LiveGame, now: str) -> Clocks | None:
    """The clocks, once turns that are not kept yet have begun and ended; None where none may run."""
    if live.row.status != "running" or live.held_up(now) is not None:
        return None
    there = await clocks.of_live(tables.db, tables.share, live, now)
    if there is None:
        return None
    actors = await clocks.acting(tables.db, live)
    begins = clocks.beginning(there, live, actors, live.seq, now)
    ticking = charged(moved(there.turns, actors, (), begins, there.counted), there.allowed)
    if not ticking.turns:
        return there
    await store(tables.db, live.id, ticking, seq=live.seq, now=now)
    return await clocks.of_live(tables.db, tables.share, live, now)


async def _time_is_up(tables: Tables, live: LiveGame, there: Clocks, turn: Turn, now: str) -> None:
    before, player = notices.Before.of(live.game), turn.player_id
    following = AutomaticMoves(live, await known.standing(tables.db, live))
    done = await _yielded(live, player, following.standing) if there.at_zero == "pass" else Followed()
    if not done.entries:
        pending = await _time_up_line(tables.db, live, there, player)
        ticking = Ticking((replace(turn, zero=now),))
        await store(tables.db, live.id, ticking, seq=live.seq, notices=pending, now=now)
        return
    then = await following.after(done.events)
    whole = Followed(
        [*done.entries, *then.entries],
        [*done.lines, *then.lines],
        [*done.events, *then.events],
        then.ended,
        [*done.by, *then.by],
    )
    acts = player in await clocks.acting(tables.db, live)
    more = await _hand_over(tables.db, live, there, player) if acts else []
    # No line says so: the player who must act stays pinged.
    pending = [*notices.of_move(live, None, whole.events, whole.lines, before), *more]
    await tables.commit(live, whole.entries, pending, live.counting, changes=whole.changes(live.seq + 1))


async def _yielded(live: LiveGame, player: PlayerId, standing: Sequence[Standing]) -> Followed:
    """Make the moves that are made for a player in one turn of the game, as far as only such are needed.

    After an automatic move, the player's orders for what follows are executed.
    """
    done, here = Followed(), _turn(live.game)
    while len(done.entries) < MOST and _turn(live.game) == here:
        ready = standing if done.entries else ()
        if runs(live.game, player):
            found = await ask_for(live, live.game, _next, player, ready)
        else:
            found = _next(live.game, player, ready)
        if found is None:
            break
        _make(live, player, found.move(live.game), done)
    return done


def _make(live: LiveGame, player: PlayerId, move: Move, done: Followed) -> None:
    person = live.user_of(player) if move.order else None
    up = move.order == TIME_UP
    made = live.make(move.walk, person, MARK if up else automatic.MARK, aloud=up)
    done.add(made, move.order)


def _next(game: Game, player: PlayerId, standing: Sequence[Standing]) -> Ordered | None:
    """What a player has ordered, else what is made for them, or the only move that there is once something was."""
    ordered = would_do(game, player, standing)
    if isinstance(ordered, Move):
        return Ordered.of(ordered)
    walk = timeout_move(game, player)
    if walk is not None:
        return Ordered.of(Move(walk, TIME_UP))
    forced = forced_move(game)
    return Ordered.of(forced) if forced is not None and forced.walk.offer.actor == player else None


async def _hand_over(db: Database, live: LiveGame, there: Clocks, player: PlayerId) -> list[OutboxMessage]:
    """Ping the next player; where the turn needs more, ping the moderators."""
    if not may_have_timeout_move(live.game, player):
        return await _time_up_line(db, live, there, player)
    return [TurnChange((player,), None).notice()]


def _turn(game: Game) -> tuple[str, str] | None:
    """Which turn of the game this is: the round, and who or what has its turn in it."""
    if game.over:
        return None
    view = turn_view(game)
    return view.round_name, view.entity


async def _time_up_line(db: Database, live: LiveGame, there: Clocks, player: PlayerId) -> list[OutboxMessage]:
    """The line about it, which pings the moderators where the setting says so."""
    name = strong(live.name_of(player))
    free, bank = in_words(there.allowed.grace), in_words(there.allowed.bank)
    text = f"{name}'s time is up: {free} of this turn and the bank of {bank} are used."
    if there.at_zero == "nothing":
        return [Line(text).notice()]
    if there.at_zero == "pass":
        text = f"{text} What is due is no move that is made for anybody: only passing, running and paying is."
    role = await moderator_role(db, live.row.guild_id)
    text = f"{text}\n{MODERATORS_CAN}"
    return [Line(text).notice() if role is None else ThreadPing((), text, role).notice()]
