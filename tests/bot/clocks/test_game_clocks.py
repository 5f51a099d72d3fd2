"""The clocks of a game at a moment: what of a turn counts, whose clock stands and why, and what moves do to them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.table.clocks import clocks_and_stops as of_games
from bot.table.clocks.clocks_and_stops import (
    AWAY_SINCE_KEY,
    Clocks,
    away_stops,
    game_clocks,
    players_with_running_clocks,
)
from bot.table.clocks.time_banks import TimeAllowance
from bot.table.settings.person_settings import AWAY_UNTIL_KEY
from storage import (
    GAME_SETTINGS,
    PERSON_SETTINGS,
    SeatEntry,
    format_timestamp,
    games,
    log,
    seats,
)
from storage import clocks as stored
from storage.clocks import EVERYBODY, ClockStop, ClockTurn
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.bot.support.timed import NOON

HOUR, DAY, AN_HOUR = timedelta(hours=1), timedelta(days=1), 3_600_000
"""The last in milliseconds."""


def at(hours: float) -> str:
    """A time N hours after noon."""
    return format_timestamp(NOON + timedelta(hours=hours))


NOW, EARLIER = at(0), at(-2)
RUNS = ClockTurn("p1", 4, at(-10), used=AN_HOUR)


def clocks(
    *stops: ClockStop, turns: tuple[ClockTurn, ...] = (), sat: str = "", budget: timedelta = 2 * DAY
) -> Clocks:
    """The clocks of a game at noon."""
    return Clocks(TimeAllowance(DAY, 2 * HOUR), "nothing", NOON, turns, stops, sat, budget)


def seat(player: str, user: int, since: int, hours: float, role: seats.SeatRole = "holder") -> SeatEntry:
    """Somebody plays for a player from a row and an hour on."""
    return SeatEntry(player, role, user, "Somebody", since, None, at(hours))


# --- turns -----------------------------------------------------------------------------------------------------------


def away(since: float, until: float) -> ClockStop:
    return ClockStop("p1", "away", at(since), at(until))


@pytest.mark.parametrize(
    ("turn", "stops", "counted"),
    [
        (RUNS, [], 11),
        (RUNS, [ClockStop(EVERYBODY, "pause", at(-3), at(-1))], 9),
        (RUNS, [ClockStop("p1", "waits", at(-3))], 8),
        (RUNS, [ClockStop("p2", "waits", at(-3)), ClockStop("p2", "away", at(-9))], 11),
        (RUNS, [away(-3, -1)], 9),
        # Of an away budget of two days another absence has used all, or all but an hour.
        (RUNS, [away(-80, -32), away(-3, -1)], 11),
        (RUNS, [away(-80, -33), away(-3, -1)], 10),
        (ClockTurn("p1", 4, at(-10), 5, used=AN_HOUR), [], 1),
        (ClockTurn("p1", 4, at(-10), quiet="06:00 08:00 UTC"), [], 8),
    ],
)
def test_turn_counts_while_its_player_can_act(turn: ClockTurn, stops: list[ClockStop], counted: int) -> None:
    assert clocks(*stops).counted_time(turn) == counted * HOUR


def test_running_turns_are_due() -> None:
    spent, ended, more = (
        ClockTurn("p1", 4, at(-26)),
        ClockTurn("p1", 2, at(-90), 3),
        ClockTurn("p2", 4, at(-25)),
    )
    there = clocks(turns=(spent, ended, more))
    assert (there.running_turns, there.due_turns) == ((spent, more), (spent,))
    assert [there.time_left(turn) for turn in there.running_turns] == [timedelta(), HOUR]


@pytest.mark.parametrize(
    ("until", "stands"),
    [(None, True), (at(1), True), (at(0), True), (format_timestamp(NOON - timedelta(milliseconds=1)), False)],
)
def test_clock_stands_for_its_player(until: str | None, stands: bool) -> None:
    for stop in (
        ClockStop("p1", "waits", ""),
        ClockStop(EVERYBODY, "pause", ""),
        ClockStop("p1", "away", ""),
    ):
        assert clocks(replace(stop, since=at(-2), until=until)).is_stopped(RUNS) == stands
    assert not clocks(ClockStop("p2", "waits", at(-2), until)).is_stopped(RUNS)


@pytest.mark.parametrize(
    ("there", "doubtful"),
    [
        (clocks(), True),
        (clocks(turns=(replace(RUNS, ended=5),)), True),
        (clocks(turns=(RUNS,)), False),
        (clocks(turns=(RUNS,), sat=at(-11)), False),
        (clocks(turns=(RUNS,), sat=at(-10)), True),
        (clocks(ClockStop("p1", "waits", at(-2)), turns=(RUNS,), sat=at(-10)), False),
    ],
)
def test_clocks_are_doubtful(there: Clocks, doubtful: bool) -> None:
    assert there.needs_update == doubtful


# --- as they are stored ----------------------------------------------------------------------------------------------


async def timed(service: TableService) -> int:
    """A game with a bank, in which Ann has had the turn for two hours, one more than it is free."""
    service.tables.clock = lambda: EARLIER
    game = await service.game()
    for setting, value in (("bank", "1 day"), ("grace", "1 hour")):
        await GAME_SETTINGS.put(service.db, game, setting, value)
    seq = await log.last_seq(service.db, game)
    await stored.store_clock_changes(
        service.db, game, stored.ClockChanges((ClockTurn("p1", seq, EARLIER),)), seq=seq, now=EARLIER
    )
    return game


async def stored_clocks(service: TableService, game: int, now: str = NOW) -> Clocks:
    there = await game_clocks(service.db, service.tables.shards, await games.get_game(service.db, game), now)
    assert there is not None
    return there


async def sits(service: TableService, game: int, *entries: SeatEntry) -> None:
    for entry in entries:
        await seats.record_seat_change(service.db, game, entry, notices=[])


async def test_seats_stop_their_clocks(service: TableService) -> None:
    game = await timed(service)
    await sits(
        service, game, seat("p1", ANN, 5, 1, "group"), seat("p2", BOB, 6, 2, "caretaker"), seat("p1", ANN, 7, 3),
        seat("p1", CY, 8, 4, "substitute"),
    )  # fmt: skip
    waits = (ClockStop("p1", "waits", at(1), at(3)), ClockStop("p2", "waits", at(2), None))
    assert (await stored_clocks(service, game)).stops == waits
    for user, since, until in ((ANN, 3.5, 9), (BOB, -1, 5)):
        await PERSON_SETTINGS.put(service.db, user, AWAY_SINCE_KEY, at(since))
        await PERSON_SETTINGS.put(service.db, user, AWAY_UNTIL_KEY, at(until))
    absent = (ClockStop("p1", "away", at(3.5), at(4)), ClockStop("p2", "away", at(-1), at(2)))
    assert (await stored_clocks(service, game)).stops == (*waits, *absent)


@pytest.mark.parametrize(
    ("sat", "user", "since", "stops"),
    [
        ([seat("p1", ANN, 0, 0), seat("p1", CY, 5, 4, "substitute")], ANN, 2, [("p1", 2, 4)]),
        ([seat("p1", ANN, 0, 0), seat("p1", CY, 5, 4, "substitute")], CY, 2, [("p1", 4, 9)]),
        ([seat("p1", ANN, 0, 0), seat("p1", CY, 5, 4, "substitute")], ANN, 4, []),
        ([seat("p1", ANN, 0, 0, "group")], ANN, 1, []),
        # No clock stood before they had the seat: its holder before would be given time back.
        ([seat("p1", ANN, 9, 5)], ANN, 1, [("p1", 5, 9)]),
    ],
)
def test_absence_stops_the_seat_one_plays(
    sat: Sequence[SeatEntry], user: int, since: int, stops: list[tuple[str, int, int]]
) -> None:
    found = [ClockStop(player, "away", at(begins), at(ends)) for player, begins, ends in stops]
    assert away_stops(sat, user, at(since), at(9)) == found


@pytest.mark.parametrize("is_new", [True, False])
async def test_newcomer_has_their_own_bank(service: TableService, *, is_new: bool) -> None:
    game = await timed(service)
    before, later = ClockTurn("p1", 1, EARLIER, 5), ClockTurn("p1", 5, EARLIER, 6)
    await stored.store_clock_changes(service.db, game, stored.ClockChanges((before, later)), seq=6, now=NOW)
    stops = [away(1, 2), ClockStop("p1", "waits", at(1), at(2)), ClockStop("p2", "away", at(1), at(2))]
    for stop in (*stops, away(4, 5)):
        await stored.store_clock_stop(service.db, game, stop)
    if is_new:
        await sits(service, game, seat("p1", CY, 5, 4))
    else:
        await sits(service, game, seat("p1", CY, 3, 2, "substitute"), seat("p1", ANN, 5, 4))
    there = await stored_clocks(service, game)
    assert {turn.ended for turn in there.turns if turn.player_id == "p1"} == ({6} if is_new else {5, 6})
    assert (stops[0] in there.stops) != is_new
    assert {*stops[1:], away(4, 5)} <= set(there.stops)


@pytest.mark.parametrize(
    ("setting", "chosen", "doubtful", "budget"),
    [
        ("sealed", "on", True, 21 * DAY),
        ("sealed", "off", False, 21 * DAY),
        ("away", "7 days", False, 7 * DAY),
        ("away", "as long as it takes", False, timedelta()),
    ],
)
async def test_settings_of_clocks_are_read(
    service: TableService, setting: str, chosen: str, doubtful: bool, budget: timedelta
) -> None:
    game = await timed(service)
    await GAME_SETTINGS.put(service.db, game, setting, chosen)
    there = await stored_clocks(service, game)
    assert (there.needs_update, there.away_budget) == (doubtful, budget)


async def test_new_bank_finds_no_old_turn(service: TableService) -> None:
    game = await timed(service)
    assert [row.id for row in await of_games.timed_games(service.db, service.tables.shards)] == [game]
    await GAME_SETTINGS.put(service.db, game, "bank", "none")
    assert await of_games.timed_games(service.db, service.tables.shards) == []
    await GAME_SETTINGS.put(service.db, game, "bank", "1 day")
    assert (await stored_clocks(service, game)).turns == ()


# --- moves -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("role", "acts"), [("holder", ["p1"]), ("group", []), ("caretaker", [])])
async def test_clock_runs_for_a_person(service: TableService, role: seats.SeatRole, acts: list[str]) -> None:
    game = await service.game()
    await sits(service, game, seat("p1", ANN, 1, 0, role))
    async with service.tables.reading(game) as live:
        assert await players_with_running_clocks(service.db, live) == acts
