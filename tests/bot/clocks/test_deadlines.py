"""What counts of a turn, what is left of a bank, what moves and undos do to turns: worked out from moments alone."""

from datetime import UTC, datetime, time, timedelta
from random import Random

import pytest

from bot.table.clocks.time_banks import (
    Allowed,
    Beginning,
    bank_left,
    before_zero,
    charged,
    counting,
    first_spans,
    is_up,
    is_up_at,
    limited_quiet_hours,
    merged,
    read_quiet,
    turns_after_moves,
    turns_after_undo,
    with_zero_posted,
    within,
    write_quiet,
)
from bot.table.settings.durations_and_zones import QuietHours, format_duration, span_of
from storage import clocks

NIGHT = QuietHours(time(22), time(8), "Europe/Berlin")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FIVE = Allowed(5 * DAY, 12 * HOUR)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def milliseconds(span: timedelta) -> int:
    return round(span / timedelta(milliseconds=1))


def turn(
    player: str, seq: int, ended: int | None = None, used: timedelta = timedelta(), **more: object
) -> clocks.Turn:
    return clocks.Turn(player, seq, "2026-01-01T00:00:00+00:00", ended, milliseconds(used), **more)  # type: ignore[arg-type]


def begins(seq: int) -> Beginning:
    return Beginning(seq, "2026-01-09T00:00:00+00:00", {"a": "22:00 08:00 Europe/Berlin"})


def as_used(one: clocks.Turn) -> timedelta:
    return timedelta(milliseconds=one.used)


def found(ticking: clocks.Ticking, player: str, seq: int) -> clocks.Turn:
    (one,) = [one for one in ticking.turns if (one.player_id, one.seq) == (player, seq)]
    return one


# --- what counts ---------------------------------------------------------------------------------------------------


def test_all_of_a_time_counts_where_nothing_is_left_out() -> None:
    assert counting(at("2026-01-01"), at("2026-01-03"), []) == 2 * DAY


def test_a_time_without_length_or_backwards_is_nothing() -> None:
    """A clock that was set back charges nobody."""
    assert counting(at("2026-01-01"), at("2026-01-01"), [(at("2025-01-01"), at("2027-01-01"))]) == timedelta()
    assert counting(at("2026-01-02"), at("2026-01-01"), []) == timedelta()


def test_what_overlaps_is_left_out_once() -> None:
    """An outage in a pause while somebody is away: one day of three counts."""
    pause = (at("2026-01-01T12:00"), at("2026-01-03"))
    outage = (at("2026-01-02"), at("2026-01-02T06:00"))
    away = (at("2026-01-02T12:00"), at("2026-01-03T12:00"))
    assert counting(at("2026-01-01"), at("2026-01-04"), [away, pause, outage, pause]) == DAY


def test_what_lies_before_and_after_is_ignored() -> None:
    before, after = (at("2025-01-01"), at("2026-01-01")), (at("2026-01-02"), at("2027-01-01"))
    assert counting(at("2026-01-01"), at("2026-01-02"), [before, after]) == DAY
    assert within([before, after], at("2026-01-01"), at("2026-01-02")) == []


def test_times_that_touch_are_one() -> None:
    days = [at("2026-01-02"), at("2026-01-03"), at("2026-01-01"), at("2026-01-02")]
    assert merged([(days[0], days[1]), (days[2], days[3])]) == [(at("2026-01-01"), at("2026-01-03"))]


@pytest.mark.parametrize(
    ("evening", "morning", "hours"),
    [
        (
            "2026-03-28T12:00",
            "2026-03-29T12:00",
            15,
        ),  # the hour from two to three is not there: the night has nine
        ("2026-10-24T12:00", "2026-10-25T12:00", 13),  # it comes twice: the night has eleven
        ("2026-01-10T12:00", "2026-01-11T12:00", 14),
    ],
)
def test_a_night_has_as_many_hours_as_it_has(evening: str, morning: str, hours: int) -> None:
    """Quiet hours across a change of daylight saving time, from noon to noon in UTC."""
    since, until = at(evening), at(morning)
    assert counting(since, until, NIGHT.between(since, until)) == hours * HOUR


def test_of_quiet_hours_only_sixteen_count_a_day() -> None:
    whole_day = QuietHours(time(9), time(9), "UTC")
    assert limited_quiet_hours(whole_day) == QuietHours(time(9), time(1), "UTC")
    assert limited_quiet_hours(QuietHours(time(9), time(8), "UTC")) == QuietHours(time(9), time(1), "UTC")
    assert limited_quiet_hours(NIGHT) == NIGHT
    since, until = at("2026-01-01T09:00"), at("2026-01-11T09:00")
    assert counting(since, until, limited_quiet_hours(whole_day).between(since, until)) == 80 * HOUR


def test_only_the_first_part_of_being_away_stops_a_clock() -> None:
    spans = [(at("2026-01-01"), at("2026-02-10")), (at("2026-03-01"), at("2026-05-01"))]
    assert first_spans(spans, 60 * DAY) == [spans[0], (at("2026-03-01"), at("2026-03-21"))]
    assert first_spans(spans, 10 * DAY) == [(at("2026-01-01"), at("2026-01-11"))]


def test_when_time_is_up_is_said_with_the_nights_between() -> None:
    noon = at("2026-01-10T12:00")
    assert is_up_at(8 * HOUR, noon, NIGHT) == noon + 8 * HOUR
    assert is_up_at(10 * HOUR, noon, NIGHT) == at("2026-01-11T08:00")
    assert is_up_at(28 * HOUR, noon, NIGHT) == at("2026-01-12T12:00")
    assert is_up_at(28 * HOUR, noon, None) == noon + 28 * HOUR
    assert is_up_at(-HOUR, noon, NIGHT) == noon


def test_quiet_hours_are_stored_as_text() -> None:
    assert read_quiet(write_quiet(NIGHT)) == NIGHT
    assert read_quiet(write_quiet(None)) is None
    assert read_quiet("22:00 07:00 Mars/Olympus") == QuietHours(time(22), time(7), "UTC"), (
        "of another machine"
    )


# --- banks ---------------------------------------------------------------------------------------------------------


def test_the_bank_runs_only_when_the_free_time_of_a_turn_is_over() -> None:
    turns = [turn("a", 1, 4, used=10 * HOUR), turn("a", 6), turn("b", 4, 6, charged=milliseconds(DAY))]
    used = {6: 12 * HOUR}
    assert bank_left(FIVE, turns, "a", lambda one: used[one.seq]) == 5 * DAY
    used[6] = 36 * HOUR
    assert bank_left(FIVE, turns, "a", lambda one: used[one.seq]) == 4 * DAY
    assert bank_left(FIVE, turns, "b", as_used) == 4 * DAY


def test_an_empty_bank_leaves_the_free_time_of_each_turn() -> None:
    """Overdrawn or not: no player is passed over who was hardly pinged."""
    spent = turn("a", 1, 4, charged=milliseconds(9 * DAY))
    now = turn("a", 6)
    assert before_zero(FIVE, [spent, now], now, 11 * HOUR) == HOUR
    assert before_zero(FIVE, [now], now, 11 * HOUR) == 5 * DAY + HOUR


def test_what_is_due_is_due_once_and_again_an_hour_after_the_turn_came_back() -> None:
    over, hour = timedelta(), HOUR
    assert is_up(turn("a", 1), over, hour)
    assert not is_up(turn("a", 1), timedelta(seconds=1), hour)
    assert not is_up(turn("a", 1, 3), over, hour)
    assert not is_up(turn("a", 1, zero="2026-01-05T00:00:00+00:00"), over, hour)
    for zero in ("2025-12-31T00:00:00+00:00", turn("a", 1).since):
        came_back = turn("a", 1, zero=zero)
        assert not is_up(came_back, over, hour - timedelta(seconds=1))
        assert is_up(came_back, over, hour)


# --- moves ---------------------------------------------------------------------------------------------------------


def test_a_turn_ends_with_the_move_after_which_somebody_else_acts() -> None:
    ticking = charged(turns_after_moves([turn("a", 1)], ["b"], ["a"], begins(5), lambda _: 20 * HOUR), FIVE)
    assert found(ticking, "a", 1).ended == 5
    assert found(ticking, "a", 1).charged == milliseconds(8 * HOUR)
    assert found(ticking, "b", 5) == clocks.Turn("b", 5, "2026-01-09T00:00:00+00:00")


def test_a_turn_continues_as_long_as_nobody_else_has_moved() -> None:
    """Steps of a company, or one company after the other of the same president."""
    assert turns_after_moves([turn("a", 1)], ["a"], ["a"], begins(5), as_used).turns == ()


def test_whoever_comes_again_after_others_have_moved_has_another_turn() -> None:
    """Ann moves, Bob's order passes, and it is Ann again: she is pinged again."""
    ticking = turns_after_moves([turn("a", 1)], ["a"], ["a", "b"], begins(5), as_used)
    assert found(ticking, "a", 1).ended == 5
    assert found(ticking, "a", 5).quiet == "22:00 08:00 Europe/Berlin"
    again = turns_after_moves([turn("a", 1)], ["a"], ["a", "b", "a"], begins(5), as_used)
    assert found(again, "a", 1).ended == 5


def test_of_two_who_act_at_once_each_has_a_turn() -> None:
    """The move of one leaves the other's as it is."""
    both = turns_after_moves([], ["a", "b"], (), begins(2), as_used)
    assert {one.player_id for one in both.turns} == {"a", "b"}
    ticking = turns_after_moves([turn("a", 2), turn("b", 2)], ["a"], ["b"], begins(5), as_used)
    assert [(one.player_id, one.ended) for one in ticking.turns] == [("b", 5)]


def test_a_turn_that_is_begun_again_with_the_same_row_keeps_what_was_used() -> None:
    ticking = turns_after_moves([turn("a", 5, 5, used=HOUR, charged=7)], ["a"], (), begins(5), as_used)
    assert found(ticking, "a", 5) == clocks.Turn("a", 5, begins(5).now, used=milliseconds(HOUR))


# --- undo ----------------------------------------------------------------------------------------------------------


def test_a_turn_that_comes_back_continues_from_what_was_used() -> None:
    """Neither given back nor charged twice: the time between belongs to nobody."""
    turns = [turn("a", 1, 5, used=20 * HOUR, charged=milliseconds(8 * HOUR)), turn("b", 5, used=30 * HOUR)]
    ticking = charged(turns_after_undo(turns, ["a"], 4, "a", begins(6), as_used), FIVE)
    assert ticking.back_to == 4
    assert ticking.turns == (clocks.Turn("a", 1, begins(6).now, used=milliseconds(20 * HOUR)),)
    assert bank_left(FIVE, ticking.turns, "a", as_used) == 5 * DAY - 8 * HOUR
    assert bank_left(FIVE, ticking.turns, "b", as_used) == 5 * DAY


def test_nobody_gets_time_back_by_undoing_their_own_move() -> None:
    """Ann moves, Bob's order passes, Ann thinks for two days, and takes her move back: the two days stay used."""
    turns = [turn("a", 1, 5, used=10 * HOUR), turn("b", 1, 5, used=HOUR), turn("a", 5, used=2 * DAY)]
    ticking = turns_after_undo(turns, ["a", "b"], 4, "a", begins(6), as_used)
    assert ticking.turns == (
        clocks.Turn("a", 1, begins(6).now, used=milliseconds(2 * DAY + 10 * HOUR)),
        clocks.Turn("b", 1, begins(6).now, used=milliseconds(HOUR)),
    )


def test_a_step_undone_within_a_turn_changes_no_clock() -> None:
    turns = [turn("a", 1)]
    assert turns_after_undo(turns, ["a"], 3, "a", begins(6), lambda _: HOUR).turns == (turns[0],)


def test_after_an_undo_a_turn_that_had_ended_begins_again() -> None:
    """Their turn had ended before."""
    for ended in (3, 4):
        ticking = turns_after_undo([turn("a", 1, ended, used=HOUR)], ["a"], 4, "b", begins(6), as_used)
        assert [(one.seq, one.used) for one in ticking.turns] == [(6, 0)]


def test_a_turn_that_began_with_the_row_to_which_an_undo_goes_back_continues() -> None:
    turns = [turn("b", 4, 5, used=HOUR), turn("c", 5, used=DAY)]
    ticking = turns_after_undo(turns, ["b"], 4, "b", begins(6), as_used)
    assert ticking.turns == (clocks.Turn("b", 4, begins(6).now, used=milliseconds(HOUR)),)


def test_an_undo_ends_the_turn_that_runs_of_who_need_not_act_after_it() -> None:
    """Not that of who had acted already."""
    turns = [turn("b", 1), turn("c", 2, 5)]
    ticking = turns_after_undo(turns, ["a"], 4, None, begins(6), lambda _: HOUR)
    assert ticking.turns == (begins(6).turn("a", ()), turn("b", 1, 6, used=HOUR))


def test_a_moderators_undo_charges_nobody_for_what_never_was() -> None:
    turns = [turn("a", 1, 3, used=HOUR), turn("b", 3, 5, used=DAY), turn("a", 5, used=DAY)]
    ticking = turns_after_undo(turns, ["a"], 2, None, begins(6), as_used)
    assert ticking.turns == (clocks.Turn("a", 1, begins(6).now, used=milliseconds(HOUR)),)


def test_a_turn_announced_as_over_stays_over_when_it_comes_back() -> None:
    zero = "2026-01-08T00:00:00+00:00"
    ended = turns_after_moves([turn("a", 1)], ["b"], ["a"], begins(5), as_used)
    over = with_zero_posted(ended, turn("a", 1), zero)
    assert found(over, "a", 1).zero == zero
    assert found(over, "a", 1).ended == 5
    back = turns_after_undo(over.turns, ["a"], 4, "a", begins(6), as_used)
    assert found(back, "a", 1).zero == zero
    assert found(with_zero_posted(clocks.Ticking(), turn("a", 1), zero), "a", 1).ended is None


# --- words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "span"),
    [
        ("36 hours", 36 * HOUR),
        ("1 hour", HOUR),
        ("5 days", 5 * DAY),
        ("2 Weeks", 14 * DAY),
        ("3days", 3 * DAY),
        ("365 days", 365 * DAY),
    ],
)
def test_times_are_typed_in_hours_days_and_weeks(typed: str, span: timedelta) -> None:
    assert span_of(typed) == span


@pytest.mark.parametrize(
    "typed", ["", "none", "5", "0 hours", "-1 days", "30 minutes", "366 days", "9999 weeks"]
)
def test_what_is_no_such_time_is_none(typed: str) -> None:
    assert span_of(typed) is None


def test_times_read_in_two_units() -> None:
    assert format_duration(2 * DAY + 3 * HOUR + timedelta(minutes=59)) == "2 days 3 hours"
    assert format_duration(DAY) == "1 day"
    assert format_duration(timedelta(minutes=61)) == "1 hour 1 minute"
    assert format_duration(-DAY) == "less than a minute"


@pytest.mark.parametrize("chance", range(20))
def test_what_counts_is_what_a_look_at_each_quarter_of_an_hour_counts(chance: int) -> None:
    """Nights, absences and outages at random, over both changes of daylight saving time."""
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
    counted = [
        one for one in looks if not quiet.quiet(one) and not any(start <= one < end for start, end in spans)
    ]
    assert counting(since, until, [*quiet.between(since, until), *spans]) == len(counted) * step
