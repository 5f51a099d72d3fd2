"""Time banks: counted time, remaining time, and changes of turns by moves and undos."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Final, TypeAlias

from bot.table.settings.durations_and_zones import A_DAY, NOTHING, QuietHours, zone_here
from engine import PlayerId
from storage import clocks, parse_timestamp

Span: TypeAlias = tuple[datetime, datetime]
"""Start and end of a span of time."""
Counted: TypeAlias = Callable[[clocks.ClockTurn], timedelta]
"""The time of a turn that has counted by now."""

QUIET_AT_MOST: Final = timedelta(hours=16)
"""At most this much of a day may be quiet: a player who is never pinged would never have to play."""
AGAIN: Final = timedelta(hours=1)
"""Time a player has after undoing a move that was made because their time was up."""


@dataclass(frozen=True, slots=True)
class TimeAllowance:
    """Each player's time: a bank for the game, and grace in each turn before the bank runs."""

    bank: timedelta
    grace: timedelta

    def charge(self, counted: timedelta) -> timedelta:
        """The bank's charge for a turn with this counted time."""
        return max(NOTHING, counted - self.grace)


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """The spans in order without overlaps."""
    found: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def within(spans: Iterable[Span], since: datetime, until: datetime) -> list[Span]:
    """The parts of spans between two times."""
    return merge_spans((max(start, since), min(end, until)) for start, end in spans)


def total_length(spans: Iterable[Span]) -> timedelta:
    """Total length of all spans."""
    return sum((end - start for start, end in spans), NOTHING)


def first_spans(spans: Iterable[Span], most: timedelta) -> list[Span]:
    """The first spans up to a total length."""
    found: list[Span] = []
    for start, end in merge_spans(spans):
        room = most - total_length(found)
        if room > NOTHING:
            found.append((start, min(end, start + room)))
    return found


def counting(since: datetime, until: datetime, left_out: Iterable[Span]) -> timedelta:
    """Length of a time without these spans; at least 0."""
    return max(NOTHING, until - since) - total_length(within(left_out, since, until))


def limited_quiet_hours(quiet: QuietHours) -> QuietHours:
    """The quiet hours up to the daily maximum."""
    lasts = min(_a_day_of(quiet), QUIET_AT_MOST)
    return replace(quiet, ends=(datetime.combine(date.min, quiet.begins) + lasts).time())


def write_quiet(quiet: QuietHours | None) -> str | None:
    """Quiet hours as stored with a turn."""
    return None if quiet is None else f"{quiet.begins:%H:%M} {quiet.ends:%H:%M} {quiet.zone}"


def read_quiet(text: str | None) -> QuietHours | None:
    """Quiet hours as `write_quiet` wrote them."""
    if text is None:
        return None
    begins, ends, zone = text.split(" ")
    return QuietHours(time.fromisoformat(begins), time.fromisoformat(ends), zone_here(zone))


def bank_left(
    allowed: TimeAllowance, turns: Iterable[clocks.ClockTurn], player: PlayerId, counted: Counted
) -> timedelta:
    """The rest of a player's bank, negative if overdrawn."""
    own = [turn for turn in turns if turn.player_id == player]
    spent = sum((timedelta(milliseconds=turn.charged) for turn in own), NOTHING)
    running = sum((allowed.charge(counted(turn)) for turn in own if turn.ended is None), NOTHING)
    return allowed.bank - spent - running


def time_before_zero(
    allowed: TimeAllowance, turns: Iterable[clocks.ClockTurn], turn: clocks.ClockTurn, counted: timedelta
) -> timedelta:
    """Time that a running turn may still count until its player's time is up."""
    bank = bank_left(allowed, turns, turn.player_id, lambda _: NOTHING)
    return max(NOTHING, bank) + allowed.grace - counted


def is_up(turn: clocks.ClockTurn, rest: timedelta, since: timedelta) -> bool:
    """True if the expiry needs an action: no line was posted yet, or the turn came back long ago.

    `since` is how much has counted since the turn came back.
    """
    if turn.ended is not None or rest > NOTHING:
        return False
    return turn.zero is None or (parse_timestamp(turn.zero) <= parse_timestamp(turn.since) and since >= AGAIN)


def is_up_at(rest: timedelta, now: datetime, quiet: QuietHours | None) -> datetime:
    """The time when this much will have counted, considering only quiet hours."""
    end = now + max(NOTHING, rest)
    if quiet is None:
        return end
    hours = limited_quiet_hours(quiet)
    while (missing := rest - counting(now, end, hours.quiet_spans(now, end))) > NOTHING:
        end = hours.ends_at(end) + missing
    return end


@dataclass(frozen=True, slots=True)
class TurnStart:
    """The start of turns: log row, time, and players' quiet hours as text."""

    seq: int
    now: str
    quiet: Mapping[PlayerId, str | None] = field(default_factory=dict)

    def turn(self, player: PlayerId, turns: Iterable[clocks.ClockTurn]) -> clocks.ClockTurn:
        """A player's turn; one that began with the same row continues."""
        old = next((turn for turn in turns if (turn.player_id, turn.seq) == (player, self.seq)), None)
        fresh = clocks.ClockTurn(player, self.seq, self.now, quiet=self.quiet.get(player))
        return fresh if old is None else replace(old, ended=None, charged=0, since=self.now)


def turns_after_moves(
    turns: Sequence[clocks.ClockTurn],
    actors: Collection[PlayerId],
    made: Sequence[PlayerId],
    beginning: TurnStart,
    counted: Counted,
) -> clocks.Ticking:
    """Turn changes after moves of these players in order, with `actors` now on turn.

    A turn ends when anybody else has moved: what follows is another turn. Without moves, turns begin and
    end as `actors` say.
    """
    over = {player for at, player in enumerate(made) if set(made[at:]) != {player}}
    running = [turn for turn in turns if turn.ended is None]
    ended = [turn for turn in running if turn.player_id not in actors or turn.player_id in over]
    there = {turn.player_id for turn in running if turn not in ended}
    fresh = [beginning.turn(player, turns) for player in actors if player not in there]
    return clocks.Ticking((*(_ended(turn, beginning.seq, counted(turn)) for turn in ended), *fresh))


def turns_after_undo(
    turns: Sequence[clocks.ClockTurn],
    actors: Collection[PlayerId],
    to: int,
    taker: PlayerId | None,
    beginning: TurnStart,
    counted: Counted,
) -> clocks.Ticking:
    """Turn changes after an undo: later turns are dropped, and former ones continue.

    The player who undoes keeps the time used in turns that never were; nobody else is charged for it.
    """
    lost = sum((counted(turn) for turn in turns if turn.seq > to and turn.player_id == taker), NOTHING)
    there = [turn for turn in turns if turn.seq <= to and (turn.ended is None or turn.ended > to)]
    then = {turn.player_id: turn for turn in there}
    fresh = (beginning.turn(player, ()) for player in actors if player not in then)
    banked = (then[player] for player in actors if player in then)
    back = (
        _resumed(turn, lost if turn.player_id == taker else NOTHING, beginning, counted) for turn in banked
    )
    stray = (turn for turn in there if turn.ended is None and turn.player_id not in actors)
    return clocks.Ticking(
        (*back, *fresh, *(_ended(turn, beginning.seq, counted(turn)) for turn in stray)), back_to=to
    )


def with_zero_posted(ticking: clocks.Ticking, turn: clocks.ClockTurn, at: str) -> clocks.Ticking:
    """The changes with a turn's expiry marked as posted."""
    others = [one for one in ticking.turns if (one.player_id, one.seq) != (turn.player_id, turn.seq)]
    now = next((turn for turn in ticking.turns if turn not in others), turn)
    return replace(ticking, turns=(replace(now, zero=at), *others))


def charged(ticking: clocks.Ticking, allowed: TimeAllowance) -> clocks.Ticking:
    """The changes with the banks' charges for ended turns."""
    return replace(ticking, turns=tuple(_charged(turn, allowed) for turn in ticking.turns))


def _resumed(
    turn: clocks.ClockTurn, more: timedelta, beginning: TurnStart, counted: Counted
) -> clocks.ClockTurn:
    """A resumed turn with additional used time; an unended one stays."""
    if turn.ended is None:
        return turn
    return replace(turn, ended=None, charged=0, since=beginning.now, used=_milliseconds(counted(turn) + more))


def _ended(turn: clocks.ClockTurn, seq: int, counted: timedelta) -> clocks.ClockTurn:
    return replace(turn, ended=seq, used=_milliseconds(counted))


def _charged(turn: clocks.ClockTurn, allowed: TimeAllowance) -> clocks.ClockTurn:
    used = timedelta(milliseconds=turn.used)
    return turn if turn.ended is None else replace(turn, charged=_milliseconds(allowed.charge(used)))


def _milliseconds(span: timedelta) -> int:
    return round(span / timedelta(milliseconds=1))


def _a_day_of(quiet: QuietHours) -> timedelta:
    """Length of daily quiet hours by the clock; equal start and end mean a whole day."""
    length = datetime.combine(date.min, quiet.ends) - datetime.combine(date.min, quiet.begins)
    return length if length > NOTHING else length + A_DAY
