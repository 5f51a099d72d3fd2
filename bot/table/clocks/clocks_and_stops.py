"""The clocks of a game, read from stored turns and stops, and their changes by moves."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

from bot.table.clocks.time_banks import (
    Span,
    TimeAllowance,
    TurnStart,
    charged,
    counting,
    first_spans,
    is_up,
    limited_quiet_hours,
    read_quiet,
    time_before_zero,
    turns_after_moves,
    turns_after_undo,
    with_zero_posted,
    within,
    write_quiet,
)
from bot.table.live import LiveGame, chosen_settings
from bot.table.orders.sealed_auction import is_sealing
from bot.table.settings.durations_and_zones import span_of
from bot.table.settings.person_settings import AWAY, read_settings
from bot.table.settings.table_settings import AT_ZERO, AWAY_BUDGET, BANK, GRACE, NO_BANK, SEALED, values_of
from engine import PlayerId, orders
from storage import (
    Database,
    Entry,
    GameRow,
    SeatEntry,
    ShardSet,
    SideEffects,
    ask,
    clocks,
    log,
    parse_timestamp,
    seats,
    shards,
)
from storage import orders as stored_orders

SINCE: Final = "away_since"
"""The key under which stands since when somebody is away (ISO 8601 in UTC)."""
GAP: Final = timedelta(minutes=3)
"""Time without a sign of life after which the bot was down; it gives one each minute."""
_PLAYING: Final = ("holder", "substitute")
"""Roles of people who play a seat."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of a game at a time: allowances, turns and stops."""

    allowed: TimeAllowance
    at_zero: str
    now: datetime
    turns: tuple[clocks.ClockTurn, ...]
    stops: tuple[clocks.ClockStop, ...]
    seats_since: str = ""
    """When somebody sat down last, where that lets a table seal again; else nothing."""
    budget: timedelta = timedelta()
    """Time for which a player's clock stands in the whole game because they are away."""
    people: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    """Settings of the users who have sat in the game, by their numbers and keys."""

    @property
    def running_turns(self) -> tuple[clocks.ClockTurn, ...]:
        """The turns of players who must act."""
        return tuple(turn for turn in self.turns if turn.ended is None)

    @property
    def due_turns(self) -> tuple[clocks.ClockTurn, ...]:
        """Turns whose time is up and that need an action."""
        return tuple(
            turn for turn in self.running_turns if is_up(turn, self.time_left(turn), self._since(turn))
        )

    @property
    def needs_update(self) -> bool:
        """True if no clock runs, or one may run that should not, after a seat changed hands."""
        return not self.running_turns or any(
            t.since <= self.seats_since and not self.is_stopped(t) for t in self.running_turns
        )

    def counted_time(self, turn: clocks.ClockTurn) -> timedelta:
        """Counted time of a turn until now."""
        return timedelta(milliseconds=turn.used) + (self._since(turn) if turn.ended is None else timedelta())

    def time_left(self, turn: clocks.ClockTurn) -> timedelta:
        """Time that a running turn may still count until its player's time is up."""
        return time_before_zero(self.allowed, self.turns, turn, self.counted_time(turn))

    def is_stopped(self, turn: clocks.ClockTurn) -> bool:
        """True if a turn's clock is stopped, quiet hours apart."""
        return any(end >= self.now for _, end in self._left_out(turn.player_id, parse_timestamp(turn.since)))

    def budget_ends(self, player: PlayerId, until: datetime) -> datetime:
        """The time when an absent player's clock runs again: at the end of the absence or of the away budget."""
        absent = first_spans([*self._absences(player), (self.now, until)], self.budget)
        return min(until, max((end for _, end in absent), default=self.now))

    def _since(self, turn: clocks.ClockTurn) -> timedelta:
        start, quiet = parse_timestamp(turn.since), read_quiet(turn.quiet)
        hours = [] if quiet is None else limited_quiet_hours(quiet).quiet_spans(start, self.now)
        return counting(start, self.now, [*hours, *self._left_out(turn.player_id, start)])

    def _left_out(self, player: PlayerId, start: datetime) -> list[Span]:
        """Spans in which a player's clock was stopped since a time; absences within the away budget."""
        mine = [
            stop for stop in self.stops if stop.player_id in (player, clocks.EVERYBODY) and stop.why != "away"
        ]
        absent = within(first_spans(self._absences(player), self.budget), start, self.now)
        return [*map(self._span, mine), *absent]

    def _absences(self, player: PlayerId) -> list[Span]:
        return [self._span(stop) for stop in self.stops if (stop.player_id, stop.why) == (player, "away")]

    def _span(self, stop: clocks.ClockStop) -> Span:
        return parse_timestamp(stop.since), self.now if stop.until is None else parse_timestamp(stop.until)


async def live_clocks(db: Database, shards: ShardSet, live: LiveGame, now: str) -> Clocks | None:
    """The clocks of a locked game; None without a time bank."""
    return await game_clocks(db, shards, live.row, now, await chosen_settings(db, live))


async def game_clocks(
    db: Database, share: ShardSet, row: GameRow, now: str, chosen: Mapping[str, str] | None = None
) -> Clocks | None:
    """The clocks of a game by its settings (None: as stored); None without a time bank."""
    chosen = await values_of(db, row.id) if chosen is None else chosen
    bank, grace = span_of(chosen[BANK.name]), span_of(chosen[GRACE.name])
    if bank is None or grace is None:
        return None
    sat, last_run, pause, people, stops, turned = await ask(
        db,
        seats.entries_question(row.id),
        clocks.last_run_question(shards.shard_of(row.guild_id, share.shard_count), share.shard_count),
        clocks.pause_question(row.id),
        seats.settings_question(row.id),
        clocks.stops_question(row.id),
        clocks.turns_question(row.id),
    )
    stood = [*_down(last_run, now), *_pause(pause), *_people(sat, people)]
    stood += [stop for stop in stops if not _is_predecessors(stop, sat)]
    turns = tuple(turn for turn in turned if not _is_anothers(turn, sat))
    newest = max((entry.at for entry in sat), default="") if chosen[SEALED.name] == "on" else ""
    return Clocks(
        *(
            TimeAllowance(bank, grace),
            chosen[AT_ZERO.name],
            parse_timestamp(now),
            turns,
            tuple(stood),
            newest,
        ),
        *(span_of(chosen[AWAY_BUDGET.name]) or timedelta(), people),
    )


async def timed_games(db: Database, shards: ShardSet) -> list[GameRow]:
    """The running games of these shards with time banks; open turns of others are dropped."""
    await clocks.forget_stray(db, BANK.name, NO_BANK)
    return await clocks.games_with(db, BANK.name, NO_BANK, shards)


async def side_effects(
    db: Database,
    shards: ShardSet,
    live: LiveGame,
    entries: Sequence[Entry],
    changes: stored_orders.OrderChanges,
    now: str,
) -> SideEffects:
    """Side effects of the next rows: changes of orders, and of clocks if there are any."""
    there = await live_clocks(db, shards, live, now)
    if there is None:
        return changes
    actors = await ticking_players(db, live)
    begins = beginning(there, live, actors, live.seq + len(entries), now)
    return log.AllOf((changes, _ticking(there, live, actors, entries, changes, begins)))


def beginning(clocks: Clocks, live: LiveGame, actors: Sequence[PlayerId], seq: int, now: str) -> TurnStart:
    """The start of turns with a row, with the quiet hours of each player."""
    chosen = {player: read_settings(clocks.people.get(live.user_of(player), {})) for player in actors}
    return TurnStart(seq, now, {player: write_quiet(own.quiet) for player, own in chosen.items()})


async def ticking_players(db: Database, live: LiveGame) -> list[PlayerId]:
    """Players whose clocks run: on turn, with seats played by people.

    During a sealed auction no clock runs: the player on turn may have sealed, and waits for the others.
    """
    if await is_sealing(db, live):
        return []
    return [p for p in live.game.actors() if p not in live.by_group | live.by_caretaker]


def _ticking(
    there: Clocks,
    live: LiveGame,
    actors: Collection[PlayerId],
    entries: Sequence[Entry],
    changes: stored_orders.OrderChanges,
    beginning: TurnStart,
) -> clocks.Ticking:
    if entries[0].kind == "undo":
        to, taker = log.undo_target(beginning.seq, entries[0].payload), entries[0].actor
        return charged(
            turns_after_undo(there.turns, actors, to, taker, beginning, there.counted_time), there.allowed
        )
    made = [entry.actor for entry in entries if entry.kind == "action"]
    yielded = {
        entries[seq - live.seq - 1].actor for seq, by in changes.automatic if by == stored_orders.TIME_UP
    }
    # What is left to them is another turn.
    left = (
        [clocks.EVERYBODY]
        if any(orders.may_have_timeout_move(live.game, player) for player in yielded)
        else []
    )
    ticking = charged(
        turns_after_moves(there.turns, actors, [*made, *left], beginning, there.counted_time), there.allowed
    )
    for turn in there.running_turns:
        if turn.player_id in yielded:
            ticking = with_zero_posted(ticking, turn, beginning.now)
    return ticking


def _pause(pause: clocks.Pause | None) -> list[clocks.ClockStop]:
    return [] if pause is None else [clocks.ClockStop(clocks.EVERYBODY, "pause", pause.at, pause.until)]


def _down(last: str | None, now: str) -> list[clocks.ClockStop]:
    """The bot's downtime since its last sign of life, if any."""
    was_down = last is not None and parse_timestamp(now) - parse_timestamp(last) > GAP
    return [clocks.ClockStop(clocks.EVERYBODY, "outage", last, now)] if was_down and last is not None else []


def _people(
    seat_entries: Sequence[SeatEntry], settings: Mapping[int, Mapping[str, str]]
) -> list[clocks.ClockStop]:
    """Times when seats were played by the group or a caretaker, and current absences."""
    stops = [
        clocks.ClockStop(one.player_id, "waits", one.at, end)
        for one, end in _ends(seat_entries)
        if one.role not in _PLAYING
    ]
    for user_id in sorted({entry.user_id for entry in seat_entries}):
        own = settings.get(user_id, {})
        until, since = own.get(AWAY), own.get(SINCE)
        if until is not None and since is not None:
            stops += away_stops(seat_entries, user_id, since, until)
    return stops


def away_stops(
    seat_entries: Sequence[SeatEntry], user_id: int, since: str, until: str
) -> list[clocks.ClockStop]:
    """Clock stops by a user's absence, while that user plays the seats."""
    mine = [(one, end) for one, end in _ends(seat_entries) if one.user_id == user_id and one.role in _PLAYING]
    spans = [
        (one.player_id, max(since, one.at), until if end is None else min(until, end)) for one, end in mine
    ]
    return [clocks.ClockStop(player, "away", begins, ends) for player, begins, ends in spans if begins < ends]


def _ends(seat_entries: Sequence[SeatEntry]) -> list[tuple[SeatEntry, str | None]]:
    """Seat history with the time when each entry was replaced (None: current)."""
    return [
        (one, next((then.at for then in seat_entries[later:] if then.player_id == one.player_id), None))
        for later, one in enumerate(seat_entries, start=1)
    ]


def _newcomer(seat_entries: Iterable[SeatEntry], player: PlayerId) -> SeatEntry | None:
    """The newest holder of a seat; each has their own bank."""
    holders = [
        seat_entry
        for seat_entry in seat_entries
        if (seat_entry.player_id, seat_entry.role) == (player, "holder")
    ]
    taken = [then for before, then in pairwise(holders) if then.user_id != before.user_id]
    return taken[-1] if taken else None


def _is_predecessors(stop: clocks.ClockStop, seat_entries: Iterable[SeatEntry]) -> bool:
    newcomer = _newcomer(seat_entries, stop.player_id) if stop.why == "away" else None
    return newcomer is not None and stop.since < newcomer.at


def _is_anothers(turn: clocks.ClockTurn, seat_entries: Iterable[SeatEntry]) -> bool:
    """True if a turn ended before its seat was taken over."""
    newcomer = _newcomer(seat_entries, turn.player_id)
    return newcomer is not None and turn.ended is not None and turn.ended <= newcomer.since
