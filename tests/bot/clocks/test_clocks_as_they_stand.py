"""The clocks of a game at a moment: what of a turn counts, whose clock stands and why, and whose bank it is."""

from datetime import timedelta

import pytest

from bot.table.clocks.clocks_and_stops import (
    Clocks,
    _down,
    _is_anothers,
    _is_predecessors,
    _pause,
    _people,
    away_stops,
)
from bot.table.clocks.time_banks import Allowed
from storage import SeatEntry, format_timestamp, seats
from storage import clocks as stored_clocks
from tests.bot.support.table_service import ANN, BOB, CY
from tests.bot.support.timed import NOON

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def at(hours: float) -> str:
    """A time N hours after noon."""
    return format_timestamp(NOON + timedelta(hours=hours))


def clocks(
    *stops: stored_clocks.ClockStop,
    turns: tuple[stored_clocks.Turn, ...] = (),
    sat: str = "",
    budget: timedelta = 2 * DAY,
) -> Clocks:
    """The clocks of a game at noon."""
    return Clocks(Allowed(DAY, 2 * HOUR), "nothing", NOON, turns, stops, sat, budget)


def seat(player: str, user: int, since: int, hours: float, role: seats.Role = "holder") -> SeatEntry:
    """Somebody plays for a player from a row and an hour on."""
    return SeatEntry(player, role, user, "Somebody", since, None, at(hours))


# --- turns -----------------------------------------------------------------------------------------------------------


def test_a_turn_counts_from_its_beginning_without_the_time_in_which_its_player_could_not_act() -> None:
    running = stored_clocks.Turn("p1", 4, at(-10), used=HOUR // timedelta(milliseconds=1))
    for stops, hours in (
        ((), 11),
        ((stored_clocks.ClockStop(stored_clocks.EVERYBODY, "pause", at(-3), at(-1)),), 9),
        ((stored_clocks.ClockStop("p1", "waits", at(-3)),), 8),
        ((stored_clocks.ClockStop("p2", "waits", at(-3)), stored_clocks.ClockStop("p2", "away", at(-9))), 11),
        ((stored_clocks.ClockStop("p1", "away", at(-3), at(-1)),), 9),
        (
            (
                stored_clocks.ClockStop("p1", "away", at(-80), at(-32)),
                stored_clocks.ClockStop("p1", "away", at(-3), at(-1)),
            ),
            11,
        ),
        (
            (
                stored_clocks.ClockStop("p1", "away", at(-80), at(-33)),
                stored_clocks.ClockStop("p1", "away", at(-3), at(-1)),
            ),
            10,
        ),
    ):
        assert clocks(*stops).counted(running) == hours * HOUR
    assert clocks().counted(stored_clocks.Turn("p1", 4, at(-10), 5, used=1000)) == timedelta(seconds=1)
    assert clocks().counted(stored_clocks.Turn("p1", 4, at(-10), quiet="06:00 08:00 UTC")) == 8 * HOUR


def test_only_turns_that_run_can_be_due() -> None:
    spent, ended = stored_clocks.Turn("p1", 4, at(-26)), stored_clocks.Turn("p1", 2, at(-90), 3)
    more = stored_clocks.Turn("p2", 4, at(-25))
    there = clocks(turns=(spent, ended, more))
    assert there.running == (spent, more)
    assert there.due == (spent,)
    assert [there.rest(turn) for turn in there.running] == [timedelta(), HOUR]


@pytest.mark.parametrize(
    ("until", "stands"),
    [(None, True), (at(1), True), (at(0), True), (format_timestamp(NOON - timedelta(milliseconds=1)), False)],
)
def test_a_clock_stands_as_long_as_its_player_cannot_act(until: str | None, stands: bool) -> None:
    turn = stored_clocks.Turn("p1", 4, at(-10))
    assert clocks(stored_clocks.ClockStop("p1", "waits", at(-2), until)).stands(turn) == stands
    assert (
        clocks(stored_clocks.ClockStop(stored_clocks.EVERYBODY, "pause", at(-2), until)).stands(turn)
        == stands
    )
    assert clocks(stored_clocks.ClockStop("p1", "away", at(-2), until)).stands(turn) == stands
    assert not clocks(stored_clocks.ClockStop("p2", "waits", at(-2), until)).stands(turn)


def test_clocks_are_looked_at_again_where_none_runs_or_one_may_that_should_not() -> None:
    turn, waits = stored_clocks.Turn("p1", 4, at(-10)), stored_clocks.ClockStop("p1", "waits", at(-2))
    assert clocks().doubtful
    assert clocks(turns=(stored_clocks.Turn("p1", 4, at(-10), 5),)).doubtful
    assert not clocks(turns=(turn,)).doubtful
    assert not clocks(turns=(turn,), sat=at(-11)).doubtful
    assert clocks(turns=(turn,), sat=at(-10)).doubtful
    assert not clocks(waits, turns=(turn,), sat=at(-10)).doubtful


def test_the_clock_of_who_is_away_runs_again_when_they_are_back_or_the_budget_is_used_up() -> None:
    before = stored_clocks.ClockStop("p1", "away", at(-100), at(-76))
    assert clocks(before).budget_ends("p1", NOON + 5 * DAY) == NOON + DAY
    assert clocks(before).budget_ends("p1", NOON + HOUR) == NOON + HOUR
    assert clocks(before).budget_ends("p2", NOON + 5 * DAY) == NOON + 2 * DAY
    assert clocks(budget=timedelta()).budget_ends("p1", NOON + DAY) == NOON


# --- stops -----------------------------------------------------------------------------------------------------------


def test_the_bot_was_down_where_nothing_was_heard_of_it_for_minutes() -> None:
    now, gap = format_timestamp(NOON), timedelta(minutes=3)
    last = format_timestamp(NOON - gap - timedelta(milliseconds=1))
    assert _down(last, now) == [stored_clocks.ClockStop(stored_clocks.EVERYBODY, "outage", last, now)]
    assert _down(format_timestamp(NOON - gap), now) == _down(None, now) == []


def test_in_a_pause_everybodys_clock_stands() -> None:
    assert _pause(stored_clocks.Pause(ANN, at(2), at(-1))) == [
        stored_clocks.ClockStop(stored_clocks.EVERYBODY, "pause", at(-1), at(2))
    ]
    assert _pause(None) == []


def test_a_seat_that_no_person_plays_waits_until_the_next_one_takes_over() -> None:
    sat = [
        seat("p1", ANN, 0, 0), seat("p2", BOB, 0, 0), seat("p1", ANN, 5, 1, "group"),
        seat("p2", BOB, 6, 2, "caretaker"), seat("p1", ANN, 7, 3), seat("p1", CY, 8, 4, "substitute"),
    ]  # fmt: skip
    assert _people(sat, {}) == [
        stored_clocks.ClockStop("p1", "waits", at(1), at(3)),
        stored_clocks.ClockStop("p2", "waits", at(2), None),
    ]
    assert _people(sat[2:3] + sat[4:5], {}) == [stored_clocks.ClockStop("p1", "waits", at(1), at(3))]


def test_who_is_away_stops_the_clock_of_the_seat_as_long_as_they_play_it() -> None:
    sat = [seat("p1", ANN, 0, 0), seat("p2", BOB, 0, 0), seat("p1", CY, 5, 4, "substitute")]
    absences = {ANN: {"away_until": at(9), "away_since": at(2)}, BOB: {"zone": "UTC"}}
    assert _people(sat, absences) == [stored_clocks.ClockStop("p1", "away", at(2), at(4))]
    absences[BOB] |= {"away_until": at(5), "away_since": at(1)}
    assert _people([*sat, seat("p2", CY, 6, 6, "group")], absences) == [
        stored_clocks.ClockStop("p2", "waits", at(6)),
        stored_clocks.ClockStop("p1", "away", at(2), at(4)),
        stored_clocks.ClockStop("p2", "away", at(1), at(5)),
    ]
    assert _people(sat, {CY: {"away_until": at(9), "away_since": at(2)}}) == [
        stored_clocks.ClockStop("p1", "away", at(4), at(9))
    ]
    assert _people(sat, {ANN: {"away_until": at(9)}}) == []
    assert away_stops(sat, ANN, at(4), at(9)) == []
    assert away_stops([seat("p1", ANN, 0, 0, "group")], ANN, at(1), at(9)) == []


def test_a_newcomer_has_a_bank_and_an_away_budget_of_their_own() -> None:
    sat = [seat("p1", ANN, 0, 0), seat("p2", BOB, 0, 0), seat("p1", CY, 5, 4)]
    absent = stored_clocks.ClockStop("p1", "away", at(1), at(9))
    assert _is_predecessors(absent, sat)
    assert not _is_predecessors(stored_clocks.ClockStop("p1", "away", at(4)), sat)
    assert not _is_predecessors(stored_clocks.ClockStop("p1", "waits", at(1)), sat)
    assert not _is_predecessors(stored_clocks.ClockStop("p2", "away", at(1)), sat)
    assert [_is_anothers(stored_clocks.Turn("p1", 2, at(1), ended), sat) for ended in (None, 4, 5, 6)] == [
        False, True, True, False,
    ]  # fmt: skip
    assert not _is_anothers(stored_clocks.Turn("p2", 2, at(1), 4), sat)


def test_who_comes_back_to_their_seat_is_no_newcomer() -> None:
    sat = [seat("p1", ANN, 0, 0), seat("p1", CY, 3, 2, "substitute"), seat("p1", ANN, 5, 4)]
    assert not _is_anothers(stored_clocks.Turn("p1", 2, at(1), 4), sat)
    assert not _is_predecessors(stored_clocks.ClockStop("p1", "away", at(1), at(2)), sat)
    assert _is_anothers(
        stored_clocks.Turn("p1", 2, at(1), 7), [*sat, seat("p1", BOB, 8, 6), seat("p1", BOB, 9, 7)]
    )
