"""Deadlines: remaining time in words, and what happens when time is up."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.table.clocks import clocks_and_stops as clocks
from bot.table.clocks.clocks_and_stops import Clocks, live_clocks, ticking_players
from bot.table.clocks.time_banks import bank_left, charged, is_up_at, read_quiet, turns_after_moves
from bot.table.live import LiveGame, ask_worker, standing_orders
from bot.table.markdown import discord_time, sentence_list, strong
from bot.table.orders import automatic
from bot.table.orders.automatic import MOST, AutomaticMoves, AutomaticRun, FoundMove, may_search_routes
from bot.table.outbox import notices
from bot.table.outbox.notices import Line, ThreadPing, TurnChange
from bot.table.settings.durations_and_zones import format_duration
from bot.table.settings.server_settings import moderator_role
from bot.table.tables import Tables
from engine import Game, PlayerId, orders
from engine.views import turn_view
from storage import Database, OutboxMessage, parse_timestamp
from storage import clocks as stored_clocks
from storage import orders as stored_orders


async def turn_time_line(tables: Tables, live: LiveGame) -> str:
    """A line about the time for this turn; empty without a time bank.

    As it was when the turn began: a message that says the same is known again after a crash.
    """
    there = await live_clocks(tables.db, tables.share, live, tables.clock())
    players = await ticking_players(tables.db, live)
    if there is None or not players:
        return ""
    banks = {
        p: bank_left(there.allowed, there.turns, p, lambda turn: timedelta(milliseconds=turn.used))
        for p in players
    }
    owned = sentence_list(_owned(strong(live.name_of(p)), bank) for p, bank in banks.items())
    grace, away = format_duration(there.allowed.grace), _away(live, there, players)
    return f"\n-# Time at the start of the turn: {grace}, then {owned}.{away}"


async def time_left_text(tables: Tables, live: LiveGame) -> str:
    """All players' remaining time, and the deadline of the player on turn; empty without a time bank."""
    there = await live_clocks(tables.db, tables.share, live, tables.clock())
    if there is None or live.game.over:
        return ""
    owned = sentence_list(
        f"{strong(seat.display_name)} "
        f"{_left(bank_left(there.allowed, there.turns, seat.player_id, there.counted_time))}"
        for seat in live.seats
    )
    ups = [_up(live, there, turn) for turn in there.running_turns]
    away = _away(live, there, await ticking_players(tables.db, live))
    return "\n".join([f"Time banks: {owned}.", *ups]) + away


def _up(live: LiveGame, clocks: Clocks, turn: stored_clocks.ClockTurn) -> str:
    name, rest = strong(live.name_of(turn.player_id)), clocks.time_left(turn)
    if rest <= timedelta():
        return f"{name}'s time is up."
    if clocks.is_stopped(turn):
        return f"{name}'s clock is stopped, with {format_duration(rest)} left."
    at = is_up_at(rest, clocks.now, read_quiet(turn.quiet))
    return f"{name}'s time is up {discord_time(at, 'R')}."


def _away(live: LiveGame, clocks: Clocks, players: Sequence[PlayerId]) -> str:
    """Players on turn who are away."""
    ends = {
        stop.player_id: parse_timestamp(stop.until)
        for stop in clocks.stops
        if stop.why == "away" and stop.until is not None and parse_timestamp(stop.until) > clocks.now
    }
    return "".join(
        f" {strong(live.name_of(player))} is away until {discord_time(ends[player])}."
        f"{_used_up(clocks, player, ends[player])}"
        for player in players
        if player in ends
    )


def _used_up(clocks: Clocks, player: PlayerId, until: datetime) -> str:
    """The end of a clock stop by the away budget, if that comes before the player is back."""
    end = clocks.budget_ends(player, until)
    return f" Their away budget lasts until {discord_time(end)}." if end < until else ""


def _owned(name: str, bank: timedelta) -> str:
    return (
        f"{name}'s bank of {format_duration(bank)}"
        if bank > timedelta()
        else f"nothing more: {name}'s bank is empty"
    )


def _left(bank: timedelta) -> str:
    return format_duration(bank) if bank > timedelta() else "nothing"


TIME_UP_MARK: Final = "*(time is up)*"
"""Mark behind a move that was made because its player's time was up."""
MODERATORS_CAN: Final = (
    "Moderators: `/mod act` makes the move, `/mod replace` gives the seat to another member, `/mod "
    "settings` gives more time, `/mod pause` stops all clocks."
)


async def check_time(tables: Tables, game_id: int) -> None:
    """Update turns of a game, and handle expired time. Raises Refused, StorageError."""
    async with tables.writing(game_id) as live:
        # What is done for one player may be the turn of another: the clocks are read again each time.
        for _ in live.seats:
            now = tables.clock()
            there = await _kept(tables, live, now)
            if there is None or not there.due_turns:
                break
            await _time_is_up(tables, live, there, there.due_turns[0], now)
    tables.on_notice(game_id)


async def _kept(tables: Tables, live: LiveGame, now: str) -> Clocks | None:
    """The clocks after missing turns have begun and ended; None if none may run."""
    if live.row.status != "running" or live.move_obstacle(now) is not None:
        return None
    there = await clocks.live_clocks(tables.db, tables.share, live, now)
    if there is None:
        return None
    actors = await clocks.ticking_players(tables.db, live)
    begins = clocks.beginning(there, live, actors, live.seq, now)
    ticking = charged(turns_after_moves(there.turns, actors, (), begins, there.counted_time), there.allowed)
    if not ticking.turns:
        return there
    await stored_clocks.store_clock_changes(tables.db, live.id, ticking, seq=live.seq, now=now)
    return await clocks.live_clocks(tables.db, tables.share, live, now)


async def _time_is_up(
    tables: Tables, live: LiveGame, there: Clocks, turn: stored_clocks.ClockTurn, now: str
) -> None:
    before, player = notices.PositionBefore.of(live.game), turn.player_id
    following = AutomaticMoves(live, await standing_orders(tables.db, live))
    if there.at_zero == "pass":
        await _yield(live, player, following)
    if not following.result.entries:
        pending = await _time_up_line(tables.db, live, there, player)
        ticking = stored_clocks.Ticking((replace(turn, zero=now),))
        await stored_clocks.store_clock_changes(
            tables.db, live.id, ticking, seq=live.seq, notices=pending, now=now
        )
        return
    whole = await following.follow_move(tuple(following.result.events))
    acts = player in await clocks.ticking_players(tables.db, live)
    more = await _hand_over(tables.db, live, there, player) if acts else []
    # No line says so: the player who must act stays pinged.
    pending = [*notices.move_notices(live, None, whole.events, whole.lines, before), *more]
    await tables.commit(live, whole.entries, pending, live.counting, changes=whole.changes(live.seq + 1))


async def _yield(live: LiveGame, player: PlayerId, following: AutomaticMoves) -> None:
    """Make a player's timeout moves for one turn, as far as needed.

    After an automatic move, the player's orders for what follows are executed.
    """
    done, here = following.result, _turn(live.game)
    while len(done.entries) < MOST and _turn(live.game) == here:
        ready = following.standing if done.entries else ()
        if may_search_routes(live.game, player):
            move = await ask_worker(live, live.game, _next, player, ready)
        else:
            move = _next(live.game, player, ready)
        if move is None:
            return
        _make(live, player, move.move(live.game), done)


def _make(live: LiveGame, player: PlayerId, move: orders.AutomaticMove, done: AutomaticRun) -> None:
    person = live.user_of(player) if move.order else None
    up = move.order == stored_orders.TIME_UP
    made = live.make_move(move.walk, person, TIME_UP_MARK if up else automatic.MARK, aloud=up)
    done.add(made, move.order)


def _next(game: Game, player: PlayerId, standing: Sequence[orders.Standing]) -> FoundMove | None:
    """The player's ordered move, else the timeout move, or a forced move once one was made."""
    ordered = orders.next_order_move(game, player, standing)
    if isinstance(ordered, orders.AutomaticMove):
        return FoundMove.of(ordered)
    walk = orders.timeout_move(game, player)
    if walk is not None:
        return FoundMove.of(orders.AutomaticMove(walk, stored_orders.TIME_UP))
    forced = orders.forced_move(game)
    return FoundMove.of(forced) if forced is not None and forced.walk.offer.actor == player else None


async def _hand_over(db: Database, live: LiveGame, clocks: Clocks, player: PlayerId) -> list[OutboxMessage]:
    """Ping the next player; if the turn needs more, ping the moderators."""
    if not orders.may_have_timeout_move(live.game, player):
        return await _time_up_line(db, live, clocks, player)
    return [TurnChange((player,), None).notice()]


def _turn(game: Game) -> tuple[str, str] | None:
    if game.over:
        return None
    view = turn_view(game)
    return view.round_name, view.entity


async def _time_up_line(
    db: Database, live: LiveGame, clocks: Clocks, player: PlayerId
) -> list[OutboxMessage]:
    """The line about expired time, with a ping of moderators if the setting says so."""
    name = strong(live.name_of(player))
    free, bank = format_duration(clocks.allowed.grace), format_duration(clocks.allowed.bank)
    text = f"{name}'s time is up: they have used the {free} of this turn and the bank of {bank}."
    if clocks.at_zero == "nothing":
        return [Line(text).notice()]
    if clocks.at_zero == "pass":
        text = f"{text} The bot only passes, runs trains and pays out; this decision needs a player."
    role = await moderator_role(db, live.row.guild_id)
    text = f"{text}\n{MODERATORS_CAN}"
    return [Line(text).notice() if role is None else ThreadPing((), text, role).notice()]
