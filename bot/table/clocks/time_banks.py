"""Time-bank arithmetic: used time, remaining time, and changes of turns after moves and undos."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Final, TypeAlias

from bot.table.settings.durations_and_zones import ONE_DAY, ZERO_DURATION, QuietHours, zone_or_utc
from engine import PlayerId
from storage import clocks, parse_timestamp

Span: TypeAlias = tuple[datetime, datetime]
"""A time span: start and end."""
CountedTime: TypeAlias = Callable[[clocks.ClockTurn], timedelta]
"""A function that returns the time that a turn has used, without stops and quiet hours."""

MAX_QUIET_TIME: Final = timedelta(hours=16)
"""Maximum length of daily quiet hours for clocks and pings. A user who is quiet all day would never have to move."""
EXTRA_TIME_AFTER_UNDO: Final = timedelta(hours=1)
"""Extra time for a player who undid a move that the bot made because their time was up."""


@dataclass(frozen=True, slots=True)
class TimeAllowance:
    """The time that each player has: a bank for the whole game, and grace in each turn before the bank runs."""

    bank: timedelta
    grace: timedelta

    def charged_time_of(self, counted_time: timedelta) -> timedelta:
        """The time that a turn takes from the bank: all counted time beyond the turn's grace (free time)."""
        return max(ZERO_DURATION, counted_time - self.grace)


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Time spans in order; overlapping ones are joined."""
    merged_spans: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if merged_spans and start <= merged_spans[-1][1]:
            merged_spans[-1] = (merged_spans[-1][0], max(merged_spans[-1][1], end))
        else:
            merged_spans.append((start, end))
    return merged_spans


def spans_between(spans: Iterable[Span], since: datetime, until: datetime) -> list[Span]:
    """The parts of these time spans between `since` and `until`."""
    return merge_spans((max(start, since), min(end, until)) for start, end in spans)


def total_length(spans: Iterable[Span]) -> timedelta:
    """The sum of the lengths of these time spans."""
    return sum((end - start for start, end in spans), ZERO_DURATION)


def earliest_spans(spans: Iterable[Span], total: timedelta) -> list[Span]:
    """The earliest of these time spans, up to a total length of `total`; the last one may be cut short."""
    spans_so_far: list[Span] = []
    for start, end in merge_spans(spans):
        time_left = total - total_length(spans_so_far)
        if time_left > ZERO_DURATION:
            spans_so_far.append((start, min(end, start + time_left)))
    return spans_so_far


def counted_time_between(since: datetime, until: datetime, omitted_spans: Iterable[Span]) -> timedelta:
    """The time that counts between `since` and `until`: all of it except `omitted_spans`."""
    return max(ZERO_DURATION, until - since) - total_length(spans_between(omitted_spans, since, until))


def limited_quiet_hours(quiet_hours: QuietHours) -> QuietHours:
    """These quiet hours, shortened to MAX_QUIET_TIME if they are longer."""
    length = min(_quiet_time_per_day(quiet_hours), MAX_QUIET_TIME)
    return replace(quiet_hours, end_time=(datetime.combine(date.min, quiet_hours.start_time) + length).time())


def format_quiet_hours(quiet_hours: QuietHours | None) -> str | None:
    """Quiet hours as text for the database: `22:00 07:30 Europe/Berlin`."""
    return (
        None
        if quiet_hours is None
        else f"{quiet_hours.start_time:%H:%M} {quiet_hours.end_time:%H:%M} {quiet_hours.zone}"
    )


def parse_quiet_hours(text: str | None) -> QuietHours | None:
    """Quiet hours read from text that `format_quiet_hours` made."""
    if text is None:
        return None
    start_text, end_text, zone = text.split(" ")
    return QuietHours(time.fromisoformat(start_text), time.fromisoformat(end_text), zone_or_utc(zone))


def bank_time_left(
    time_allowance: TimeAllowance,
    turns: Iterable[clocks.ClockTurn],
    player: PlayerId,
    counted_time: CountedTime,
) -> timedelta:
    """The time left in a player's bank after all their turns, ended and running; negative if overdrawn."""
    own_turns = [turn for turn in turns if turn.player_id == player]
    charged_time = sum((timedelta(milliseconds=turn.charged) for turn in own_turns), ZERO_DURATION)
    running_charge = sum(
        (time_allowance.charged_time_of(counted_time(turn)) for turn in own_turns if turn.ended is None),
        ZERO_DURATION,
    )
    return time_allowance.bank - charged_time - running_charge


def turn_time_left(
    time_allowance: TimeAllowance,
    turns: Iterable[clocks.ClockTurn],
    turn: clocks.ClockTurn,
    counted_time: timedelta,
) -> timedelta:
    """The time left for a running turn (grace and bank) that has used `counted_time`; negative after it is up."""
    bank = bank_time_left(time_allowance, turns, turn.player_id, lambda _: ZERO_DURATION)
    return max(ZERO_DURATION, bank) + time_allowance.grace - counted_time


def must_handle_expiry(
    turn: clocks.ClockTurn, time_left: timedelta, counted_time_since_resumed: timedelta
) -> bool:
    """True if a turn's time is up and the bot has not yet reacted to this with a post or a timeout move.

    After an undo that resumed the turn, the bot reacts again once `counted_time_since_resumed` reaches
    EXTRA_TIME_AFTER_UNDO.
    """
    if turn.ended is not None or time_left > ZERO_DURATION:
        return False
    return turn.zero is None or (
        parse_timestamp(turn.zero) <= parse_timestamp(turn.since)
        and counted_time_since_resumed >= EXTRA_TIME_AFTER_UNDO
    )


def time_when_clock_expires(time_left: timedelta, now: datetime, quiet_hours: QuietHours | None) -> datetime:
    """The time when a running clock will reach zero, if only quiet hours interrupt it."""
    end = now + max(ZERO_DURATION, time_left)
    if quiet_hours is None:
        return end
    limited_hours = limited_quiet_hours(quiet_hours)
    while (
        missing_time := time_left - counted_time_between(now, end, limited_hours.quiet_spans(now, end))
    ) > ZERO_DURATION:
        end = limited_hours.end_of_quiet(end) + missing_time
    return end


@dataclass(frozen=True, slots=True)
class TurnStart:
    """Data for turns that begin: log row, timestamp, and each player's quiet hours as text."""

    seq: int
    now: str
    quiet: Mapping[PlayerId, str | None] = field(default_factory=dict)

    def turn_of(self, player: PlayerId, turns: Iterable[clocks.ClockTurn]) -> clocks.ClockTurn:
        """The player's turn that begins now. A stored turn that began at the same log row is resumed instead."""
        former_turn = next((turn for turn in turns if (turn.player_id, turn.seq) == (player, self.seq)), None)
        new_turn = clocks.ClockTurn(player, self.seq, self.now, quiet=self.quiet.get(player))
        return (
            new_turn if former_turn is None else replace(former_turn, ended=None, charged=0, since=self.now)
        )


def turns_after_moves(
    turns: Sequence[clocks.ClockTurn],
    actors: Collection[PlayerId],
    movers: Sequence[PlayerId],
    start: TurnStart,
    counted_time: CountedTime,
) -> clocks.ClockChanges:
    """Changes of turns after moves.

    `movers` are the players who moved, in order; `actors` are the players to act now. A player's turn ends if another
    player moved after them. Without moves, turns only begin and end to match `actors`.
    """
    players_who_finished = {player for index, player in enumerate(movers) if set(movers[index:]) != {player}}
    running_turns = [turn for turn in turns if turn.ended is None]
    ended_turns = [
        turn
        for turn in running_turns
        if turn.player_id not in actors or turn.player_id in players_who_finished
    ]
    continuing_players = {turn.player_id for turn in running_turns if turn not in ended_turns}
    new_turns = [start.turn_of(player, turns) for player in actors if player not in continuing_players]
    return clocks.ClockChanges(
        (*(_ended_turn(turn, start.seq, counted_time(turn)) for turn in ended_turns), *new_turns)
    )


def turns_after_undo(
    turns: Sequence[clocks.ClockTurn],
    actors: Collection[PlayerId],
    target_seq: int,
    undoing_player: PlayerId | None,
    start: TurnStart,
    counted_time: CountedTime,
) -> clocks.ClockChanges:
    """Changes of turns after an undo to log row `target_seq`.

    Turns that began later are deleted; turns that ran at that row are resumed. Only the player who undid is charged for
    the time that they used in deleted turns.
    """
    lost_time = sum(
        (counted_time(turn) for turn in turns if turn.seq > target_seq and turn.player_id == undoing_player),
        ZERO_DURATION,
    )
    turns_at_target = [
        turn for turn in turns if turn.seq <= target_seq and (turn.ended is None or turn.ended > target_seq)
    ]
    turn_by_player = {turn.player_id: turn for turn in turns_at_target}
    new_turns = (start.turn_of(player, ()) for player in actors if player not in turn_by_player)
    resumable_turns = (turn_by_player[player] for player in actors if player in turn_by_player)
    resumed_turns = (
        _resumed_turn(
            turn, lost_time if turn.player_id == undoing_player else ZERO_DURATION, start, counted_time
        )
        for turn in resumable_turns
    )
    ended_turns = (turn for turn in turns_at_target if turn.ended is None and turn.player_id not in actors)
    return clocks.ClockChanges(
        (
            *resumed_turns,
            *new_turns,
            *(_ended_turn(turn, start.seq, counted_time(turn)) for turn in ended_turns),
        ),
        undo_target_seq=target_seq,
    )


def with_expiry_timestamp(
    clock_changes: clocks.ClockChanges, turn: clocks.ClockTurn, timestamp: str
) -> clocks.ClockChanges:
    """These changes of turns, with `timestamp` stored as the time when the bot reacted to the end of a turn's time."""
    other_turns = [
        other_turn
        for other_turn in clock_changes.turns
        if (other_turn.player_id, other_turn.seq) != (turn.player_id, turn.seq)
    ]
    changed_turn = next((turn for turn in clock_changes.turns if turn not in other_turns), turn)
    return replace(clock_changes, turns=(replace(changed_turn, zero=timestamp), *other_turns))


def with_charged_time(
    clock_changes: clocks.ClockChanges, time_allowance: TimeAllowance
) -> clocks.ClockChanges:
    """These changes of turns, with the time that each ended turn takes from the time bank."""
    return replace(
        clock_changes, turns=tuple(_with_charged_time(turn, time_allowance) for turn in clock_changes.turns)
    )


def _resumed_turn(
    turn: clocks.ClockTurn, added_time: timedelta, start: TurnStart, counted_time: CountedTime
) -> clocks.ClockTurn:
    if turn.ended is None:
        return turn
    return replace(
        turn, ended=None, charged=0, since=start.now, used=_milliseconds(counted_time(turn) + added_time)
    )


def _ended_turn(turn: clocks.ClockTurn, seq: int, counted_time: timedelta) -> clocks.ClockTurn:
    return replace(turn, ended=seq, used=_milliseconds(counted_time))


def _with_charged_time(turn: clocks.ClockTurn, time_allowance: TimeAllowance) -> clocks.ClockTurn:
    used_time = timedelta(milliseconds=turn.used)
    return (
        turn
        if turn.ended is None
        else replace(turn, charged=_milliseconds(time_allowance.charged_time_of(used_time)))
    )


def _milliseconds(duration: timedelta) -> int:
    return round(duration / timedelta(milliseconds=1))


def _quiet_time_per_day(quiet_hours: QuietHours) -> timedelta:
    length = datetime.combine(date.min, quiet_hours.end_time) - datetime.combine(
        date.min, quiet_hours.start_time
    )
    return length if length > ZERO_DURATION else length + ONE_DAY
