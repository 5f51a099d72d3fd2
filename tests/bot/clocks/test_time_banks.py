"""Time that counts of a turn and is left of a bank, and turns after moves and undos, from moments alone."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from random import Random

import pytest

from bot.table.clocks.time_banks import (
    TimeAllowance,
    TurnStart,
    counted_time_between,
    earliest_spans,
    format_quiet_hours,
    limited_quiet_hours,
    merge_spans,
    must_handle_expiry,
    parse_quiet_hours,
    spans_between,
    time_when_clock_expires,
    turns_after_moves,
    turns_after_undo,
    with_charged_time,
    with_expiry_timestamp,
)
from bot.table.settings.durations_and_zones import QuietHours, format_duration, parse_duration
from storage import clocks

NIGHT = QuietHours(time(22), time(8), "Europe/Berlin")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FIVE = TimeAllowance(5 * DAY, 12 * HOUR)
BEGUN, NOW = "2026-01-01T00:00:00+00:00", "2026-01-09T00:00:00+00:00"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def ms(span: timedelta) -> int:
    return round(span / timedelta(milliseconds=1))


def turn(
    player: str,
    seq: int,
    ended: int | None = None,
    used: timedelta = timedelta(),
    charged: timedelta = timedelta(),
    zero: str | None = None,
    since: str = BEGUN,
) -> clocks.ClockTurn:
    return clocks.ClockTurn(player, seq, since, ended, ms(used), charged=ms(charged), zero=zero)


def begins(seq: int) -> TurnStart:
    return TurnStart(seq, NOW, {"a": "22:00 08:00 Europe/Berlin"})


def as_used(one: clocks.ClockTurn) -> timedelta:
    return timedelta(milliseconds=one.used)


def found(ticking: clocks.ClockChanges, player: str, seq: int) -> clocks.ClockTurn:
    (one,) = [one for one in ticking.turns if (one.player_id, one.seq) == (player, seq)]
    return one


# --- what counts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("since", "until", "left_out", "counts"),
    [
        ("2026-01-01", "2026-01-03", [], 2 * DAY),
        # A clock that was set back charges nobody.
        ("2026-01-01", "2026-01-01", [("2025-01-01", "2027-01-01")], timedelta()),
        ("2026-01-02", "2026-01-01", [], timedelta()),
        # An outage in a pause while somebody is away is left out once.
        ("2026-01-01", "2026-01-04",
         [("2026-01-02T12:00", "2026-01-03T12:00"), ("2026-01-01T12:00", "2026-01-03"),
          ("2026-01-02", "2026-01-02T06:00"), ("2026-01-01T12:00", "2026-01-03")], DAY),
        ("2026-01-01", "2026-01-02", [("2025-01-01", "2026-01-01"), ("2026-01-02", "2027-01-01")], DAY),
    ],
)  # fmt: skip
def test_time_counts(since: str, until: str, left_out: list[tuple[str, str]], counts: timedelta) -> None:
    spans = [(at(start), at(end)) for start, end in left_out]
    assert counted_time_between(at(since), at(until), spans) == counts


def test_spans_are_merged_and_cut() -> None:
    before, after = (at("2025-01-01"), at("2026-01-01")), (at("2026-01-02"), at("2027-01-01"))
    assert spans_between([before, after], at("2026-01-01"), at("2026-01-02")) == []
    second, first = (at("2026-01-02"), at("2026-01-03")), (at("2026-01-01"), at("2026-01-02"))
    assert merge_spans([second, first]) == [(first[0], second[1])]
    spans = [(at("2026-01-01"), at("2026-02-10")), (at("2026-03-01"), at("2026-05-01"))]
    assert earliest_spans(spans, 60 * DAY) == [spans[0], (at("2026-03-01"), at("2026-03-21"))]
    assert earliest_spans(spans, 10 * DAY) == [(at("2026-01-01"), at("2026-01-11"))]


def test_sixteen_quiet_hours_count_a_day() -> None:
    whole_day = QuietHours(time(9), time(9), "UTC")
    for quiet in (whole_day, QuietHours(time(9), time(8), "UTC")):
        assert limited_quiet_hours(quiet) == QuietHours(time(9), time(1), "UTC")
    assert limited_quiet_hours(NIGHT) == NIGHT
    since, until = at("2026-01-01T09:00"), at("2026-01-11T09:00")
    assert (
        counted_time_between(since, until, limited_quiet_hours(whole_day).quiet_spans(since, until))
        == 80 * HOUR
    )


@pytest.mark.parametrize("chance", range(20))
def test_random_times_count_by_the_quarter_hour(chance: int) -> None:
    random = Random(chance)
    since = at("2026-03-20") if chance % 2 else at("2026-10-20")
    until = since + random.randint(1, 20) * DAY
    step = timedelta(minutes=15)
    starts = [since + random.randint(-100, 1900) * step for _ in range(random.randint(0, 8))]
    spans = [(start, start + random.randint(0, 200) * step) for start in starts]
    quiet = QuietHours(time(random.randint(0, 23), 30), time(random.randint(0, 23)), "Europe/Berlin")
    if random.random() < 0.2:
        quiet = QuietHours(time(3), time(4), "Australia/Lord_Howe")  # a change of half an hour
    looks = [since + number * step for number in range((until - since) // step)]
    awake = [one for one in looks if not quiet.is_quiet_at(one)]
    counted = [one for one in awake if not any(start <= one < end for start, end in spans)]
    assert (
        counted_time_between(since, until, [*quiet.quiet_spans(since, until), *spans]) == len(counted) * step
    )


@pytest.mark.parametrize(
    ("rest", "quiet", "up"),
    [
        (8 * HOUR, NIGHT, "2026-01-10T20:00"),
        (10 * HOUR, NIGHT, "2026-01-11T08:00"),
        (28 * HOUR, NIGHT, "2026-01-12T12:00"),
        (28 * HOUR, None, "2026-01-11T16:00"),
        (-HOUR, NIGHT, "2026-01-10T12:00"),
    ],
)
def test_time_is_up_after_the_nights(rest: timedelta, quiet: QuietHours | None, up: str) -> None:
    assert time_when_clock_expires(rest, at("2026-01-10T12:00"), quiet) == at(up)


def test_quiet_hours_are_stored_as_text() -> None:
    assert (parse_quiet_hours(format_quiet_hours(NIGHT)), parse_quiet_hours(format_quiet_hours(None))) == (
        NIGHT,
        None,
    )
    elsewhere = QuietHours(time(22), time(7), "UTC")
    assert parse_quiet_hours("22:00 07:00 Mars/Olympus") == elsewhere, "of another machine"


# --- banks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "rest", "since", "up"),
    [
        (turn("a", 1), timedelta(), HOUR, True),
        (turn("a", 1), timedelta(seconds=1), HOUR, False),
        (turn("a", 1, 3), timedelta(), HOUR, False),
        (turn("a", 1, zero="2026-01-05T00:00:00+00:00"), timedelta(), HOUR, False),
        # A turn that came back is due an hour later.
        (turn("a", 1, zero="2025-12-31T00:00:00+00:00"), timedelta(), HOUR - timedelta(seconds=1), False),
        (turn("a", 1, zero="2025-12-31T00:00:00+00:00"), timedelta(), HOUR, True),
        (turn("a", 1, zero=BEGUN), timedelta(), HOUR - timedelta(seconds=1), False),
        (turn("a", 1, zero=BEGUN), timedelta(), HOUR, True),
    ],
)
def test_turn_is_due_once(one: clocks.ClockTurn, rest: timedelta, since: timedelta, up: bool) -> None:
    assert must_handle_expiry(one, rest, since) == up


# --- moves -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turns", "actors", "made", "left"),
    [
        ([turn("a", 1, used=20 * HOUR)], ["b"], ["a"],
         [turn("a", 1, 5, 20 * HOUR, 8 * HOUR), begins(5).turn_of("b", ())]),
        ([turn("a", 1)], ["a"], ["a"], []),
        # A turn ends once another has moved.
        *(([turn("a", 1)], ["a"], made, [turn("a", 1, 5), begins(5).turn_of("a", ())]) for made in ("ab", "aba")),
        # Two who act have a turn each.
        ([], ["a", "b"], [], [begins(5).turn_of("a", ()), begins(5).turn_of("b", ())]),
        ([turn("a", 2), turn("b", 2)], ["a"], ["b"], [turn("b", 2, 5)]),
        # A turn that begins again keeps its used time.
        ([turn("a", 5, 5, HOUR, 7 * HOUR)], ["a"], [], [turn("a", 5, used=HOUR, since=NOW)]),
    ],
)  # fmt: skip
def test_moves_continue_or_end_turns(
    turns: list[clocks.ClockTurn], actors: list[str], made: Sequence[str], left: list[clocks.ClockTurn]
) -> None:
    ticking = with_charged_time(turns_after_moves(turns, actors, made, begins(5), as_used), FIVE)
    assert {*ticking.turns} == {*left}


def test_new_turn_has_its_quiet_hours() -> None:
    quiet = "22:00 08:00 Europe/Berlin"
    assert [begins(5).turn_of(player, ()) for player in "ab"] == [
        clocks.ClockTurn("a", 5, NOW, quiet=quiet), clocks.ClockTurn("b", 5, NOW),
    ]  # fmt: skip


# --- undo ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turns", "actors", "to", "by", "left"),
    [
        # The time between belongs to nobody: neither given back nor charged twice.
        ([turn("a", 1, 5, 20 * HOUR, 8 * HOUR), turn("b", 5, used=30 * HOUR)], ["a"], 4, "a",
         [turn("a", 1, used=20 * HOUR, since=NOW)]),
        # Ann's move, Bob's order, two days of Ann's, who takes her move back: they stay used.
        ([turn("a", 1, 5, 10 * HOUR), turn("b", 1, 5, HOUR), turn("a", 5, used=2 * DAY)], ["a", "b"], 4, "a",
         [turn("a", 1, used=2 * DAY + 10 * HOUR, since=NOW), turn("b", 1, used=HOUR, since=NOW)]),
        # A moderator's undo charges nobody for what never was.
        ([turn("a", 1, 3, HOUR), turn("b", 3, 5, DAY), turn("a", 5, used=DAY)], ["a"], 2, None,
         [turn("a", 1, used=HOUR, since=NOW)]),
        # A step undone within a turn changes no clock.
        ([turn("a", 1)], ["a"], 3, "a", [turn("a", 1)]),
        # A turn that had ended before begins again.
        ([turn("a", 1, 3, HOUR)], ["a"], 4, "b", [begins(6).turn_of("a", ())]),
        ([turn("a", 1, 4, HOUR)], ["a"], 4, "b", [begins(6).turn_of("a", ())]),
        # A turn that began with the row to which it goes back continues.
        ([turn("b", 4, 5, HOUR), turn("c", 5, used=DAY)], ["b"], 4, "b", [turn("b", 4, used=HOUR, since=NOW)]),
        # A turn ends whose player need not act any more, not that of one who had acted.
        ([turn("b", 1, used=HOUR), turn("c", 2, 5)], ["a"], 4, None,
         [begins(6).turn_of("a", ()), turn("b", 1, 6, HOUR)]),
    ],
)  # fmt: skip
def test_undo_gives_no_time_back(
    turns: list[clocks.ClockTurn], actors: list[str], to: int, by: str | None, left: list[clocks.ClockTurn]
) -> None:
    ticking = turns_after_undo(turns, actors, to, by, begins(6), as_used)
    assert (ticking.undo_target_seq, ticking.turns) == (to, tuple(left))


def test_announced_turn_stays_over() -> None:
    zero = "2026-01-08T00:00:00+00:00"
    over = with_expiry_timestamp(
        turns_after_moves([turn("a", 1)], ["b"], ["a"], begins(5), as_used), turn("a", 1), zero
    )
    assert (found(over, "a", 1).zero, found(over, "a", 1).ended) == (zero, 5)
    back = turns_after_undo(over.turns, ["a"], 4, "a", begins(6), as_used)
    assert found(back, "a", 1).zero == zero
    assert found(with_expiry_timestamp(clocks.ClockChanges(), turn("a", 1), zero), "a", 1).ended is None


# --- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "span"),
    [
        ("36 hours", 36 * HOUR),
        ("1 hour", HOUR),
        ("5 days", 5 * DAY),
        ("2 Weeks", 14 * DAY),
        ("3days", 3 * DAY),
        ("365 days", 365 * DAY),
        *((typed, None) for typed in ("", "none", "5", "0 hours", "-1 days", "30 minutes", "366 days", "9999 weeks")),
    ],
)  # fmt: skip
def test_time_is_typed(typed: str, span: timedelta | None) -> None:
    assert parse_duration(typed) == span


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (2 * DAY + 3 * HOUR + timedelta(minutes=59), "2 days 3 hours"),
        (DAY, "1 day"),
        (timedelta(minutes=61), "1 hour 1 minute"),
        (-DAY, "less than a minute"),
    ],
)
def test_time_reads_in_two_units(span: timedelta, said: str) -> None:
    assert format_duration(span) == said
