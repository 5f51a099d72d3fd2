"""Deadlines: players' remaining time in words, and what the bot does when it is up."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.table.clocks import clocks_and_stops as clocks
from bot.table.clocks.clocks_and_stops import Clocks, live_clocks, players_with_running_clocks
from bot.table.clocks.time_banks import (
    bank_time_left,
    parse_quiet_hours,
    time_when_clock_expires,
    turns_after_moves,
    with_charged_time,
)
from bot.table.live import LiveGame, ask_worker, standing_orders
from bot.table.markdown import discord_time, sentence_list, strong
from bot.table.orders import automatic
from bot.table.orders.automatic import (
    MAX_AUTOMATIC_MOVES,
    AutomaticMoves,
    AutomaticRun,
    FoundAutomaticMove,
    may_search_routes,
)
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
    """The line in the turn message about players' time at the start of the turn; empty without a time bank.

    The line stays the same during the turn, so that the bot can recognise its own turn message after a crash.
    """
    clocks_now = await live_clocks(tables.db, tables.shards, live, tables.clock())
    players = [] if clocks_now is None else await players_with_running_clocks(tables.db, live)
    if clocks_now is None or not players:
        return ""
    bank_by_player = {
        p: bank_time_left(
            clocks_now.allowance, clocks_now.turns, p, lambda turn: timedelta(milliseconds=turn.used)
        )
        for p in players
    }
    banks_text = sentence_list(
        _bank_text(strong(live.name_of(p)), bank) for p, bank in bank_by_player.items()
    )
    grace_text, absences_text = (
        format_duration(clocks_now.allowance.grace),
        _absences_text(live, clocks_now, players),
    )
    return f"\n-# Time at the start of the turn: {grace_text}, then {banks_text}.{absences_text}"


async def time_left_text(tables: Tables, live: LiveGame) -> str:
    """All players' remaining time, and the deadlines of the players whose clocks run; empty without a time bank."""
    clocks_now = await live_clocks(tables.db, tables.shards, live, tables.clock())
    if clocks_now is None or live.game.is_over:
        return ""
    banks_text = sentence_list(
        f"{strong(seat.display_name)} {_bank_time_text(clocks_now, seat.player_id)}" for seat in live.seats
    )
    deadline_lines = [_deadline_text(live, clocks_now, turn) for turn in clocks_now.running_turns]
    absences_text = _absences_text(live, clocks_now, await players_with_running_clocks(tables.db, live))
    return "\n".join([f"Time banks: {banks_text}.", *deadline_lines]) + absences_text


def _deadline_text(live: LiveGame, clocks: Clocks, turn: stored_clocks.ClockTurn) -> str:
    name, time_left = strong(live.name_of(turn.player_id)), clocks.time_left(turn)
    if time_left <= timedelta():
        return f"{name}'s time is up."
    if clocks.is_stopped(turn):
        return f"{name}'s clock is stopped, with {format_duration(time_left)} left."
    time_up_at = time_when_clock_expires(time_left, clocks.now, parse_quiet_hours(turn.quiet))
    return f"{name}'s time is up {discord_time(time_up_at, 'R')}."


def _absences_text(live: LiveGame, clocks: Clocks, players: Sequence[PlayerId]) -> str:
    absence_ends = {
        stop.player_id: parse_timestamp(stop.until)
        for stop in clocks.stops
        if stop.why == "away" and stop.until is not None and parse_timestamp(stop.until) > clocks.now
    }
    return "".join(
        f" {strong(live.name_of(player))} is away until {discord_time(absence_ends[player])}."
        f"{_away_budget_text(clocks, player, absence_ends[player])}"
        for player in players
        if player in absence_ends
    )


def _away_budget_text(clocks: Clocks, player: PlayerId, absence_end: datetime) -> str:
    end = clocks.clock_resumes_at(player, absence_end)
    return f" Their away budget lasts until {discord_time(end)}." if end < absence_end else ""


def _bank_text(name: str, bank: timedelta) -> str:
    return (
        f"{name}'s bank of {format_duration(bank)}"
        if bank > timedelta()
        else f"no more time for {name}, whose bank is empty"
    )


def _bank_time_text(clocks: Clocks, player: PlayerId) -> str:
    bank = bank_time_left(clocks.allowance, clocks.turns, player, clocks.counted_time)
    return format_duration(bank) if bank > timedelta() else "nothing"


TIME_UP_MARK: Final = "*(time is up)*"
"""Mark in the log line of a move that the bot made because the player's time was up."""
MODERATOR_COMMANDS_HINT: Final = (
    "Moderators: `/mod act` makes the move, `/mod replace` gives the seat to another member, `/mod "
    "settings` gives more time, `/mod pause` stops all clocks."
)


async def handle_expired_clocks(tables: Tables, game_id: int) -> None:
    """Update the clocks of a game. If a player's time is up, make timeout moves for them or post that it is up.

    Raises Refused, StorageError.
    """
    async with tables.writing(game_id) as live:
        # A move made for one player may begin another's turn, so the clocks are read again each time.
        for _ in live.seats:
            now = tables.clock()
            clocks_now = await _current_clocks(tables, live, now)
            if clocks_now is None or not clocks_now.due_turns:
                break
            await _handle_expired_time(tables, live, clocks_now, clocks_now.due_turns[0], now)
    tables.on_notice(game_id)


async def _current_clocks(tables: Tables, live: LiveGame, now: str) -> Clocks | None:
    """Update the stored turns and return the clocks; None if the game has no clocks, or no move is possible now."""
    if live.row.status != "running" or live.move_obstacle(now) is not None:
        return None
    clocks_now = await clocks.live_clocks(tables.db, tables.shards, live, now)
    if clocks_now is None:
        return None
    actors = await clocks.players_with_running_clocks(tables.db, live)
    start = clocks.turn_start(clocks_now, live, actors, live.seq, now)
    clock_changes = with_charged_time(
        turns_after_moves(clocks_now.turns, actors, (), start, clocks_now.counted_time), clocks_now.allowance
    )
    if not clock_changes.turns:
        return clocks_now
    await stored_clocks.store_clock_changes(tables.db, live.id, clock_changes, seq=live.seq, now=now)
    return await clocks.live_clocks(tables.db, tables.shards, live, now)


async def _handle_expired_time(
    tables: Tables, live: LiveGame, clocks_now: Clocks, turn: stored_clocks.ClockTurn, now: str
) -> None:
    position_before, player = notices.PositionBeforeMove.of(live.game), turn.player_id
    automatic_moves = AutomaticMoves(live, await standing_orders(tables.db, live))
    if clocks_now.at_zero == "pass":
        await _make_timeout_moves(live, player, automatic_moves)
    if not automatic_moves.result.entries:
        pending_notices = await _time_up_notices(tables.db, live, clocks_now, player)
        clock_changes = stored_clocks.ClockChanges((replace(turn, zero=now),))
        await stored_clocks.store_clock_changes(
            tables.db, live.id, clock_changes, seq=live.seq, notices=pending_notices, now=now
        )
        return
    automatic_run = await automatic_moves.follow_move(tuple(automatic_moves.result.events))
    must_act = player in await clocks.players_with_running_clocks(tables.db, live)
    next_notices = await _notices_of_next_turn(tables.db, live, clocks_now, player) if must_act else []
    # There is no line about expired time: the player who must act is pinged again.
    pending_notices = [
        *notices.move_notices(live, None, automatic_run.events, automatic_run.lines, position_before),
        *next_notices,
    ]
    await tables.commit(
        live,
        automatic_run.entries,
        pending_notices,
        live.effective_rows,
        order_changes=automatic_run.order_changes(live.seq + 1),
    )


async def _make_timeout_moves(live: LiveGame, player: PlayerId, automatic_moves: AutomaticMoves) -> None:
    """Make the moves of one turn for a player whose time is up.

    The first move is the timeout move or the only legal move. The moves after it can also come from standing orders.
    """
    automatic_run, round_and_entity = automatic_moves.result, _round_and_acting_entity(live.game)
    while (
        len(automatic_run.entries) < MAX_AUTOMATIC_MOVES
        and _round_and_acting_entity(live.game) == round_and_entity
    ):
        standing_orders = automatic_moves.standing_orders if automatic_run.entries else ()
        if may_search_routes(live.game, player):
            move = await ask_worker(live, live.game, _next_automatic_move, player, standing_orders)
        else:
            move = _next_automatic_move(live.game, player, standing_orders)
        if move is None:
            return
        _make_automatic_move(live, player, move.move(live.game), automatic_run)


def _make_automatic_move(
    live: LiveGame, player: PlayerId, move: orders.AutomaticMove, automatic_run: AutomaticRun
) -> None:
    acting_user = live.user_of(player) if move.order_number else None
    is_timeout_move = move.order_number == stored_orders.TIME_UP_ORDER_NUMBER
    made_move = live.make_move(
        move.cursor,
        acting_user,
        TIME_UP_MARK if is_timeout_move else automatic.AUTOMATIC_MARK,
        is_always_posted=is_timeout_move,
    )
    automatic_run.add_move(made_move, move.order_number)


def _next_automatic_move(
    game: Game, player: PlayerId, standing_orders: Sequence[orders.StandingOrder]
) -> FoundAutomaticMove | None:
    """The next move of a player whose time is up: by a standing order, by timeout, or the only legal move."""
    order_move = orders.next_order_move(game, player, standing_orders)
    if isinstance(order_move, orders.AutomaticMove):
        return FoundAutomaticMove.of(order_move)
    timeout_cursor = orders.timeout_move(game, player)
    if timeout_cursor is not None:
        return FoundAutomaticMove.of(orders.AutomaticMove(timeout_cursor, stored_orders.TIME_UP_ORDER_NUMBER))
    only_legal_move = orders.forced_move(game)
    return (
        FoundAutomaticMove.of(only_legal_move)
        if only_legal_move is not None and only_legal_move.cursor.offer.actor == player
        else None
    )


async def _notices_of_next_turn(
    db: Database, live: LiveGame, clocks: Clocks, player: PlayerId
) -> list[OutboxMessage]:
    """The notices to a player who must act again after their timeout moves.

    This is a ping, or the line that the player's time is up if the bot can make no timeout move for them.
    """
    if not orders.may_have_timeout_move(live.game, player):
        return await _time_up_notices(db, live, clocks, player)
    return [TurnChange((player,), None).notice()]


def _round_and_acting_entity(game: Game) -> tuple[str, str] | None:
    if game.is_over:
        return None
    current_turn = turn_view(game)
    return current_turn.round_name, current_turn.entity_name


async def _time_up_notices(
    db: Database, live: LiveGame, clocks: Clocks, player: PlayerId
) -> list[OutboxMessage]:
    """The notice that a player's time is up. It pings moderators, unless the game's setting for this is `nothing`."""
    name = strong(live.name_of(player))
    grace_text, bank_text = format_duration(clocks.allowance.grace), format_duration(clocks.allowance.bank)
    text = f"{name}'s time is up: they have used the {grace_text} of this turn and the bank of {bank_text}."
    if clocks.at_zero == "nothing":
        return [Line(text).notice()]
    if clocks.at_zero == "pass":
        text = f"{text} The bot only passes, runs trains and pays out; this decision needs a player."
    moderators_role = await moderator_role(db, live.row.guild_id)
    text = f"{text}\n{MODERATOR_COMMANDS_HINT}"
    return [
        Line(text).notice() if moderators_role is None else ThreadPing((), text, moderators_role).notice()
    ]
