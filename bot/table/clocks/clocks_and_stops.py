"""The clocks of a game, computed from stored turns and clock stops, and the changes that moves make to them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

from bot.table.clocks.time_banks import (
    Span,
    TimeAllowance,
    TurnStart,
    counted_time_between,
    earliest_spans,
    format_quiet_hours,
    limited_quiet_hours,
    must_handle_expiry,
    parse_quiet_hours,
    spans_between,
    turn_time_left,
    turns_after_moves,
    turns_after_undo,
    with_charged_time,
    with_expiry_timestamp,
)
from bot.table.live import LiveGame, chosen_settings
from bot.table.orders.sealed_auction import is_sealing
from bot.table.settings.durations_and_zones import parse_duration
from bot.table.settings.person_settings import AWAY_UNTIL_KEY, quiet_hours_query, read_settings
from bot.table.settings.table_settings import (
    AWAY_BUDGET,
    BANK,
    EMPTY_BANK_ACTION,
    GRACE,
    NO_TIME_BANK,
    SEALED,
    setting_values,
)
from engine import PlayerId, orders
from storage import (
    Database,
    GameRow,
    NewLogRow,
    SeatEntry,
    ShardSet,
    SideEffects,
    clocks,
    fetch,
    log,
    parse_timestamp,
    seats,
    shards,
)
from storage import orders as stored_orders

AWAY_SINCE_KEY: Final = "away_since"
"""Key of the user setting that stores the start of an absence (ISO 8601, UTC)."""
MIN_DOWNTIME: Final = timedelta(minutes=3)
"""Minimum gap between the bot's stored timestamps that counts as an outage; it stores one every minute."""
_USER_ROLES: Final = ("holder", "substitute")
"""Roles in the seat history that mean that a user plays the seat.

In the other roles, the other players together (`group`) or a computer player (`caretaker`) play it.
"""


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of a game at the time `now`: time allowances, turns, and clock stops (pauses, absences, outages).

    `at_zero` is the setting for what happens when a player's time is up.
    """

    allowance: TimeAllowance
    at_zero: str
    now: datetime
    turns: tuple[clocks.ClockTurn, ...]
    stops: tuple[clocks.ClockStop, ...]
    latest_seat_change: str = ""
    """The timestamp of the latest seat change in a game with sealed bids; empty in games with open bids."""
    away_budget: timedelta = timedelta()
    """The total time in a game for which absences may stop a player's clock."""
    user_settings: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    """Settings of all users who have played in the game: user id to key to value."""
    server_quiet_hours: Mapping[str, str] = field(default_factory=dict)
    """The server's quiet hours, by settings key; they apply to users who have not chosen quiet hours."""

    @property
    def running_turns(self) -> tuple[clocks.ClockTurn, ...]:
        """The turns that have not ended."""
        return tuple(turn for turn in self.turns if turn.ended is None)

    @property
    def due_turns(self) -> tuple[clocks.ClockTurn, ...]:
        """Running turns whose time is up and for which a post or a timeout move is due."""
        return tuple(
            turn
            for turn in self.running_turns
            if must_handle_expiry(turn, self.time_left(turn), self._counted_time_since_resumed(turn))
        )

    @property
    def needs_update(self) -> bool:
        """True if the stored turns need an update (must begin or end), for example after a seat change."""
        return not self.running_turns or any(
            t.since <= self.latest_seat_change and not self.is_stopped(t) for t in self.running_turns
        )

    def counted_time(self, turn: clocks.ClockTurn) -> timedelta:
        """The time that a turn has used until now, without stops and quiet hours."""
        return timedelta(milliseconds=turn.used) + (
            self._counted_time_since_resumed(turn) if turn.ended is None else timedelta()
        )

    def time_left(self, turn: clocks.ClockTurn) -> timedelta:
        """Grace and bank left for a running turn; zero or less when the player's time is up."""
        return turn_time_left(self.allowance, self.turns, turn, self.counted_time(turn))

    def is_stopped(self, turn: clocks.ClockTurn) -> bool:
        """True if this turn's clock is stopped by a pause, absence or outage. Quiet hours do not count."""
        return any(
            end >= self.now for _, end in self._stopped_spans(turn.player_id, parse_timestamp(turn.since))
        )

    def clock_resumes_at(self, player: PlayerId, absence_end: datetime) -> datetime:
        """The time when an absent player's clock runs again.

        This is the end of the absence (`absence_end`), or an earlier time at which the player's away budget is used
        up. The away budget is the total absence that a game allows.
        """
        absences = earliest_spans([*self._absence_spans(player), (self.now, absence_end)], self.away_budget)
        return min(absence_end, max((end for _, end in absences), default=self.now))

    def _counted_time_since_resumed(self, turn: clocks.ClockTurn) -> timedelta:
        start, quiet_hours = parse_timestamp(turn.since), parse_quiet_hours(turn.quiet)
        quiet_spans = (
            [] if quiet_hours is None else limited_quiet_hours(quiet_hours).quiet_spans(start, self.now)
        )
        return counted_time_between(
            start, self.now, [*quiet_spans, *self._stopped_spans(turn.player_id, start)]
        )

    def _stopped_spans(self, player: PlayerId, start: datetime) -> list[Span]:
        other_stops = [
            stop for stop in self.stops if stop.player_id in (player, clocks.EVERYBODY) and stop.why != "away"
        ]
        absences = spans_between(
            earliest_spans(self._absence_spans(player), self.away_budget), start, self.now
        )
        return [*map(self._span_of_stop, other_stops), *absences]

    def _absence_spans(self, player: PlayerId) -> list[Span]:
        return [
            self._span_of_stop(stop) for stop in self.stops if (stop.player_id, stop.why) == (player, "away")
        ]

    def _span_of_stop(self, stop: clocks.ClockStop) -> Span:
        return parse_timestamp(stop.since), self.now if stop.until is None else parse_timestamp(stop.until)


async def live_clocks(db: Database, shards: ShardSet, live: LiveGame, now: str) -> Clocks | None:
    """The clocks of a loaded and locked game; None without a time bank."""
    return await game_clocks(db, shards, live.row, now, await chosen_settings(db, live))


async def game_clocks(
    db: Database, shard_set: ShardSet, row: GameRow, now: str, settings: Mapping[str, str] | None = None
) -> Clocks | None:
    """The clocks of a game; None without a time bank.

    `settings` are the game's settings, if the caller has them; otherwise they are read from the database.
    """
    settings = await setting_values(db, row.id) if settings is None else settings
    bank, grace = parse_duration(settings[BANK.name]), parse_duration(settings[GRACE.name])
    if bank is None or grace is None:
        return None
    (
        seat_entries,
        last_run_timestamp,
        pause,
        user_settings,
        stops,
        stored_turns,
        server_quiet_hours,
    ) = await fetch(
        db,
        seats.seat_entries_query(row.id),
        clocks.last_bot_run_query(
            shards.shard_of(row.guild_id, shard_set.shard_count), shard_set.shard_count
        ),
        clocks.pause_query(row.id),
        seats.user_settings_query(row.id),
        clocks.clock_stops_query(row.id),
        clocks.turns_query(row.id),
        quiet_hours_query(row.guild_id),
    )
    all_stops = [
        *_downtime_stops(last_run_timestamp, now),
        *_pause_stops(pause),
        *_seat_stops(seat_entries, user_settings),
    ]
    all_stops += [stop for stop in stops if not _is_stop_of_former_holder(stop, seat_entries)]
    turns = tuple(turn for turn in stored_turns if not _is_turn_of_former_holder(turn, seat_entries))
    latest_seat_change = (
        max((entry.at for entry in seat_entries), default="") if settings[SEALED.name] == "on" else ""
    )
    return Clocks(
        *(
            TimeAllowance(bank, grace),
            settings[EMPTY_BANK_ACTION.name],
            parse_timestamp(now),
            turns,
            tuple(all_stops),
            latest_seat_change,
        ),
        *(parse_duration(settings[AWAY_BUDGET.name]) or timedelta(), user_settings, server_quiet_hours),
    )


async def timed_games(db: Database, shards: ShardSet) -> list[GameRow]:
    """Running games with a time bank in these shards. Stored turns of games without a time bank are deleted."""
    await clocks.delete_turns_without_clock(db, BANK.name, NO_TIME_BANK)
    return await clocks.games_with_setting(db, BANK.name, NO_TIME_BANK, shards)


async def clock_and_order_changes(
    db: Database,
    shards: ShardSet,
    live: LiveGame,
    entries: Sequence[NewLogRow],
    changes: stored_orders.OrderChanges,
    now: str,
) -> SideEffects:
    """Side effects (database changes) of new log rows: to standing orders and, with a time bank, to clocks."""
    clocks_now = await live_clocks(db, shards, live, now)
    if clocks_now is None:
        return changes
    actors = await players_with_running_clocks(db, live)
    turn_start_now = turn_start(clocks_now, live, actors, live.seq + len(entries), now)
    return log.CombinedEffects(
        (changes, _clock_changes(clocks_now, live, actors, entries, changes, turn_start_now))
    )


def turn_start(clocks: Clocks, live: LiveGame, actors: Sequence[PlayerId], seq: int, now: str) -> TurnStart:
    """Data for the turns that begin with log row `seq`: timestamp, and each player's quiet hours."""
    settings_by_player = {
        player: read_settings(clocks.user_settings.get(live.user_of(player), {}), clocks.server_quiet_hours)
        for player in actors
    }
    return TurnStart(
        seq,
        now,
        {player: format_quiet_hours(settings.quiet_hours) for player, settings in settings_by_player.items()},
    )


async def players_with_running_clocks(db: Database, live: LiveGame) -> list[PlayerId]:
    """Players whose clocks run: those whose turn it is, except seats that no user plays.

    During a sealed auction no clock runs, since a player whose turn it is may have bid already and wait for others.
    """
    if await is_sealing(db, live):
        return []
    return [p for p in live.game.actors() if p not in live.group_players | live.caretaker_players]


def _clock_changes(
    clocks_now: Clocks,
    live: LiveGame,
    actors: Collection[PlayerId],
    entries: Sequence[NewLogRow],
    changes: stored_orders.OrderChanges,
    start: TurnStart,
) -> clocks.ClockChanges:
    if entries[0].kind == "undo":
        target_seq, undoing_player = log.undo_target(start.seq, entries[0].payload), entries[0].actor
        return with_charged_time(
            turns_after_undo(
                clocks_now.turns, actors, target_seq, undoing_player, start, clocks_now.counted_time
            ),
            clocks_now.allowance,
        )
    movers = [entry.actor for entry in entries if entry.kind == "action"]
    timed_out_players = {
        entries[seq - live.seq - 1].actor
        for seq, order_number in changes.automatic_moves
        if order_number == stored_orders.TIME_UP_ORDER_NUMBER
    }
    # They have moves left, which count as another turn.
    other_movers = (
        [clocks.EVERYBODY]
        if any(orders.may_have_timeout_move(live.game, player) for player in timed_out_players)
        else []
    )
    clock_changes = with_charged_time(
        turns_after_moves(clocks_now.turns, actors, [*movers, *other_movers], start, clocks_now.counted_time),
        clocks_now.allowance,
    )
    for turn in clocks_now.running_turns:
        if turn.player_id in timed_out_players:
            clock_changes = with_expiry_timestamp(clock_changes, turn, start.now)
    return clock_changes


def _pause_stops(pause: clocks.Pause | None) -> list[clocks.ClockStop]:
    return [] if pause is None else [clocks.ClockStop(clocks.EVERYBODY, "pause", pause.at, pause.until)]


def _downtime_stops(last_run_timestamp: str | None, now: str) -> list[clocks.ClockStop]:
    """A clock stop for the time since the bot last ran, if that is long enough to count as an outage; else empty."""
    was_down = (
        last_run_timestamp is not None
        and parse_timestamp(now) - parse_timestamp(last_run_timestamp) > MIN_DOWNTIME
    )
    return (
        [clocks.ClockStop(clocks.EVERYBODY, "outage", last_run_timestamp, now)]
        if was_down and last_run_timestamp is not None
        else []
    )


def _seat_stops(
    seat_entries: Sequence[SeatEntry], settings_by_user: Mapping[int, Mapping[str, str]]
) -> list[clocks.ClockStop]:
    """Clock stops of all seats: absences of users, and times when no user played a seat."""
    stops = [
        clocks.ClockStop(seat_entry.player_id, "waits", seat_entry.at, end)
        for seat_entry, end in _entries_with_ends(seat_entries)
        if seat_entry.role not in _USER_ROLES
    ]
    for user_id in sorted({entry.user_id for entry in seat_entries}):
        own_settings = settings_by_user.get(user_id, {})
        away_until, away_since = own_settings.get(AWAY_UNTIL_KEY), own_settings.get(AWAY_SINCE_KEY)
        if away_until is not None and away_since is not None:
            stops += away_stops(seat_entries, user_id, away_since, away_until)
    return stops


def away_stops(
    seat_entries: Sequence[SeatEntry], user_id: int, since: str, until: str
) -> list[clocks.ClockStop]:
    """Clock stops for an absence, one for each seat that the user played during it."""
    own_entries = [
        (entry, end)
        for entry, end in _entries_with_ends(seat_entries)
        if entry.user_id == user_id and entry.role in _USER_ROLES
    ]
    spans = [
        (entry.player_id, max(since, entry.at), until if end is None else min(until, end))
        for entry, end in own_entries
    ]
    return [
        clocks.ClockStop(player, "away", start, stop_end)
        for player, start, stop_end in spans
        if start < stop_end
    ]


def _entries_with_ends(seat_entries: Sequence[SeatEntry]) -> list[tuple[SeatEntry, str | None]]:
    """Each entry of the seat history with its end: the time of the seat's next entry, or None for the latest entry."""
    return [
        (
            entry,
            next(
                (
                    later_entry.at
                    for later_entry in seat_entries[next_index:]
                    if later_entry.player_id == entry.player_id
                ),
                None,
            ),
        )
        for next_index, entry in enumerate(seat_entries, start=1)
    ]


def _newest_holder(seat_entries: Iterable[SeatEntry], player: PlayerId) -> SeatEntry | None:
    """The entry of the seat's current holder, if they took over the seat; None if the first holder still has it."""
    holder_entries = [
        seat_entry
        for seat_entry in seat_entries
        if (seat_entry.player_id, seat_entry.role) == (player, "holder")
    ]
    takeovers = [
        holder
        for former_holder, holder in pairwise(holder_entries)
        if holder.user_id != former_holder.user_id
    ]
    return takeovers[-1] if takeovers else None


def _is_stop_of_former_holder(stop: clocks.ClockStop, seat_entries: Iterable[SeatEntry]) -> bool:
    newest_holder = _newest_holder(seat_entries, stop.player_id) if stop.why == "away" else None
    return newest_holder is not None and stop.since < newest_holder.at


def _is_turn_of_former_holder(turn: clocks.ClockTurn, seat_entries: Iterable[SeatEntry]) -> bool:
    newest_holder = _newest_holder(seat_entries, turn.player_id)
    return newest_holder is not None and turn.ended is not None and turn.ended <= newest_holder.since
