"""When a reminder is due, and a digest: by the clock on the wall, and only of time awake."""

from datetime import UTC, datetime, time, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.table.clocks.time_banks import is_up_at
from bot.table.digests import LISTED, NEXT, _digest_text, next_digest, plan_digest, write_digests
from bot.table.live import LiveGame
from bot.table.pings import is_due, next_step, pings_of_turn, take_due_steps
from bot.table.settings.durations_and_zones import QuietHours
from bot.table.settings.person_settings import (
    AWAY,
    LONGEST,
    PersonSettings,
    end_of_waking_time,
    for_moderators,
    reminder_gap,
)
from storage import (
    PEOPLE,
    Notification,
    Ping,
    Transaction,
    direct_messages,
    format_timestamp,
    log,
    parse_timestamp,
    pings,
)
from tests.bot.support.table_service import ANN, BOB, TableService

BERLIN = QuietHours(time(22), time(7), "Europe/Berlin")
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def test_gaps_grow_and_end_with_the_moderators() -> None:
    for pace, reminders in (("usual", 3), ("slow", 3)):
        gaps = [reminder_gap(pace, stage) for stage in range(1, reminders + 3)]
        assert gaps == [*sorted(filter(None, gaps)), None]
        assert [for_moderators(pace, stage) for stage in (reminders, reminders + 1)] == [False, True]
    assert reminder_gap("none", 1) is None


@pytest.mark.parametrize(
    ("person", "end"),
    [
        (PersonSettings(), NOON + timedelta(hours=12)),
        # Awake until 21:00 UTC and from 6:00 UTC on: nine hours and three.
        (PersonSettings(quiet=BERLIN), datetime(2026, 1, 6, 9, tzinfo=UTC)),
        (PersonSettings(away_until=NOON + timedelta(days=2)), NOON + timedelta(days=2, hours=12)),
    ],
)
def test_only_time_counts_in_which_somebody_is_there_and_awake(person: PersonSettings, end: datetime) -> None:
    assert end_of_waking_time(NOON, timedelta(hours=12), person) == end


def test_a_night_in_which_the_clocks_are_put_forward_is_an_hour_shorter() -> None:
    evening = datetime(2026, 3, 28, 20, tzinfo=UTC)  # 21:00 in Berlin, one hour before the night
    assert end_of_waking_time(evening, timedelta(hours=2), PersonSettings(quiet=BERLIN)) == datetime(
        2026, 3, 29, 6, tzinfo=UTC
    )


def test_a_moment_after_somebody_falls_asleep_the_morning_is_found_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A player awake for twelve hours, pinged on waking, is asleep again a moment before the reminder."""
    looked, between = [], QuietHours.between

    def counted(self: QuietHours, start: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
        looked.append(end)
        return between(self, start, end)

    monkeypatch.setattr(QuietHours, "between", counted)
    night = QuietHours(time(20), time(8), "UTC")
    called = datetime(2026, 1, 5, 8, 1, tzinfo=UTC)
    due = datetime(2026, 1, 6, 8, 1, tzinfo=UTC)
    assert end_of_waking_time(called, timedelta(hours=12), PersonSettings(quiet=night)) == due
    assert is_up_at(timedelta(hours=12), called, night) == due
    assert len(looked) < 10


def test_who_hardly_wakes_is_reminded_all_the_same() -> None:
    always = PersonSettings(quiet=QuietHours(time(0), time(23, 59), "UTC"))
    assert end_of_waking_time(NOON, timedelta(hours=12), always) == datetime(2026, 3, 6, 23, 59, tzinfo=UTC)
    midnight = datetime(2026, 1, 5, tzinfo=UTC)
    assert end_of_waking_time(midnight, timedelta(hours=1), always) < midnight + LONGEST, (
        "a minute a day makes an hour in two months"
    )


@pytest.mark.parametrize(
    ("now", "then"),
    [
        (datetime(2026, 3, 28, 16, 59, tzinfo=UTC), datetime(2026, 3, 28, 17, tzinfo=UTC)),
        # Summer time begins: the same hour there comes an hour earlier.
        (datetime(2026, 3, 28, 17, tzinfo=UTC), datetime(2026, 3, 29, 16, tzinfo=UTC)),
        (datetime(2026, 10, 24, 16, tzinfo=UTC), datetime(2026, 10, 25, 17, tzinfo=UTC)),
    ],
)
def test_a_digest_is_due_at_the_same_hour_there_whatever_is_done_to_the_clocks(
    now: datetime, then: datetime
) -> None:
    assert next_digest(now, time(18), "Europe/Berlin") == then


async def test_a_player_has_half_a_minute_before_they_are_pinged(service: TableService) -> None:
    game = await service.game()
    [notification], _ = await pings.of_game(service.db, game)
    since = parse_timestamp(notification.since)
    for seconds, stage in ((29.999, 0), (30, 1)):
        service.tables.clock = lambda seconds=seconds: format_timestamp(since + timedelta(seconds=seconds))  # type: ignore[misc]
        service.tables.forget(game)
        await take_due_steps(service.tables)
        assert (service.tables.cached(game) is not None) == (stage > 0), "nor is the game read before"
        async with service.tables.reading(game) as live:
            pinged = await pings_of_turn(service.tables, live)
        [notification], _ = await pings.of_game(service.db, game)
        assert notification.stage == stage
        assert [one.user_id for one in pinged.now] == [ANN] * stage, "nor does a turn message ping before"


async def test_a_turn_message_posted_once_half_a_minute_is_over_pings_the_player(
    service: TableService,
) -> None:
    game = await service.game()
    [notification], _ = await pings.of_game(service.db, game)
    service.tables.clock = lambda: format_timestamp(
        parse_timestamp(notification.since) + timedelta(seconds=30)
    )
    async with service.tables.reading(game) as live:
        pinged = await pings_of_turn(service.tables, live)
    assert [one.user_id for one in pinged.now] == [one.user_id for one in pinged.named] == [ANN]


async def test_a_game_that_another_process_has_moved_on_meanwhile_pings_nobody_here(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.game()
    [before], _ = await pings.of_game(service.db, game)
    service.tables.clock = lambda: format_timestamp(parse_timestamp(before.since) + timedelta(minutes=5))
    woken = service.woken()

    async def moved_on(*_: object) -> int:
        return before.seq + 1

    monkeypatch.setattr(log, "newest", moved_on)
    await take_due_steps(service.tables)
    assert (await pings.of_game(service.db, game), woken) == (([before], []), [])


async def test_a_game_whose_ping_fails_is_looked_at_again_in_an_hour(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.game()

    def fails(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr(LiveGame, "held_up", fails)
    [before], _ = await pings.of_game(service.db, game)
    now = parse_timestamp(before.since) + timedelta(minutes=5)
    service.tables.clock = lambda: format_timestamp(now)
    await take_due_steps(service.tables)
    [after], pinged = await pings.of_game(service.db, game)
    assert (after.stage, after.due_at, pinged) == (0, format_timestamp(now + timedelta(hours=1)), [])


def at(hours: float) -> str:
    """The time N hours after noon."""
    return format_timestamp(NOON + timedelta(hours=hours))


ASLEEP = PersonSettings(quiet=QuietHours(time(11), time(14), "UTC"))


def ping(user: int, stage: int, thread: Any = "pending", direct: Any = "no", *, muted: bool = False) -> Ping:
    return Ping("p1", user, stage, thread, direct, muted)


@pytest.mark.parametrize(
    ("stage", "since", "due", "expected"),
    [
        (0, -30, 0, True),
        (0, -29, 0, False),
        (1, 0, 0, True),
        (1, -60, 1, False),
        (1, -60, None, False),
    ],
)
def test_a_ping_is_due_at_its_time_and_the_first_after_half_a_minute(
    stage: int, since: int, due: int | None, expected: bool
) -> None:
    due_at = None if due is None else format_timestamp(NOON + timedelta(seconds=due))
    one = Notification("p1", 3, format_timestamp(NOON + timedelta(seconds=since)), stage, at(-1), due_at)
    assert is_due(one, NOON) == expected


@pytest.mark.parametrize(
    ("people", "done", "stage", "due", "pinged"),
    [
        ({ANN: PersonSettings()}, [], 1, 12, [ping(ANN, 0)]),
        ({ANN: PersonSettings("direct")}, [], 1, 12, [ping(ANN, 0, "no", "pending")]),
        ({ANN: PersonSettings("both")}, [], 1, 12, [ping(ANN, 0, "pending", "pending")]),
        ({ANN: ASLEEP}, [], 0, 2, []),
        ({ANN: PersonSettings(), BOB: ASLEEP}, [], 0, 2, [ping(ANN, 0)]),
        ({ANN: PersonSettings(), BOB: ASLEEP}, [ping(ANN, 0, "pinged")], 0, 2, []),
        ({ANN: PersonSettings()}, [ping(ANN, 0, "pinged")], 1, 12, []),
        ({}, [], 1, None, []),
    ],
)
def test_everybody_who_may_be_is_pinged_at_once_and_who_sleeps_afterwards(
    people: dict[int, PersonSettings], done: list[Ping], stage: int, due: int | None, pinged: list[Ping]
) -> None:
    """The reminder is 12 hours after the ping, once all are pinged."""
    one = Notification("p1", 3, at(-1), 0, at(-1), at(0))
    last = at(0) if stage else at(-1)
    assert next_step(one, done, people, "usual", NOON) == pings.PingStep(
        one, stage, last, None if due is None else at(due), tuple(pinged)
    )


@pytest.mark.parametrize(
    ("stage", "last", "people", "done", "after", "due", "pinged"),
    [
        (1, -12, {ANN: PersonSettings()}, [], 2, 24, [ping(ANN, 1)]),
        (1, -11, {ANN: PersonSettings()}, [], 1, 1, []),
        (1, -12, {ANN: PersonSettings()}, [ping(ANN, 0, "pinged", muted=True)], 2, 24, []),
        (1, -12, {ANN: PersonSettings()}, [ping(ANN, 0, "pinged")], 2, 24, [ping(ANN, 1)]),
        (1, -12, {ANN: PersonSettings(reminders=False)}, [], 2, 24, []),
        (1, -96, {ANN: ASLEEP}, [], 1, 2, []),
        (1, -96, {ANN: ASLEEP, BOB: PersonSettings()}, [], 2, 24, [ping(BOB, 1)]),
        (3, -48, {ANN: PersonSettings()}, [], 4, 48, [ping(ANN, 3)]),
        (4, -48, {ANN: PersonSettings()}, [], 5, None, []),
        (5, -99, {ANN: PersonSettings()}, [], 5, None, []),
    ],
)
def test_whoever_wants_it_is_reminded_when_it_is_time_and_they_are_awake(
    stage: int,
    last: int,
    people: dict[int, PersonSettings],
    done: list[Ping],
    after: int,
    due: int | None,
    pinged: list[Ping],
) -> None:
    one = Notification("p1", 3, at(-99), stage, at(last), at(0))
    assert next_step(one, done, people, "usual", NOON) == pings.PingStep(
        one, after, at(last if after == stage else 0), None if due is None else at(due), tuple(pinged)
    )


async def test_a_game_in_which_no_move_is_taken_is_looked_at_again_in_an_hour(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.game()
    monkeypatch.setattr(LiveGame, "held_up", lambda *_: "It waits.")
    [notification], _ = await pings.of_game(service.db, game)
    now, woken = parse_timestamp(notification.since) + timedelta(minutes=5), service.woken()
    service.tables.clock = lambda: format_timestamp(now)
    await take_due_steps(service.tables)
    [notification], pinged = await pings.of_game(service.db, game)
    assert (notification.stage, notification.due_at) == (0, format_timestamp(now + timedelta(hours=1)))
    assert (pinged, woken) == ([], [])


async def test_who_has_chosen_a_time_has_a_next_digest_until_they_take_it_back(service: TableService) -> None:
    service.tables.clock = lambda: format_timestamp(NOON)
    await PEOPLE.put(service.db, ANN, "digest", "18:00")
    await plan_digest(service.tables, ANN)
    assert await PEOPLE.get(service.db, ANN, NEXT) == format_timestamp(NOON + timedelta(hours=6))
    await PEOPLE.forget(service.db, ANN, "digest")
    await plan_digest(service.tables, ANN)
    assert await PEOPLE.get(service.db, ANN, NEXT) is None


async def test_a_digest_is_written_when_it_is_due_where_a_move_is_waited_for_and_nobody_is_away(
    service: TableService,
) -> None:
    game = await service.game()
    for person in (ANN, BOB):
        await PEOPLE.put(service.db, person, "digest", "18:00")
        await PEOPLE.put(service.db, person, NEXT, format_timestamp(NOON))
    notification = pings.NotificationChanges((), "p1", ("p1",))
    await service.db.write(lambda tx: notification.write(tx, game, 1, format_timestamp(NOON)))
    expected = []
    for hours, count in ((-0.001, 0), (0, 1), (1, 1), (6, 2)):
        service.tables.clock = lambda hours=hours: format_timestamp(NOON + timedelta(hours=hours))  # type: ignore[misc]
        await write_digests(service.tables)
        written = await direct_messages.unsent(service.db)
        assert [(one.user_id, one.game_id) for one in written] == [(ANN, game)] * count
        expected = [await PEOPLE.get(service.db, person, NEXT) for person in (ANN, BOB)]
    assert expected == [format_timestamp(NOON + timedelta(hours=30))] * 2
    await PEOPLE.put(service.db, ANN, AWAY, format_timestamp(NOON + timedelta(days=9)))
    service.tables.clock = lambda: format_timestamp(NOON + timedelta(days=2))
    await write_digests(service.tables)
    assert len(await direct_messages.unsent(service.db)) == 2


def _row(number: int, **more: object) -> Any:
    """A stored game."""
    given = {"id": number, "name": "18AL", "guild_id": 1, "channel_id": 2, "thread_id": None} | more
    return SimpleNamespace(**({"turn_message_id": None} | given))


def test_a_digest_counts_the_games_and_lists_so_many() -> None:
    assert _digest_text([_row(7, thread_id=3, turn_message_id=4)]) == (
        "Your move in **1 game**:\n[**18AL**, game 7](https://discord.com/channels/1/3/4)"
    )
    lines = _digest_text([_row(number) for number in range(LISTED)]).splitlines()
    assert (lines[0], len(lines)) == (f"Your move in **{LISTED} games**:", LISTED + 1)
    lines = _digest_text([_row(number) for number in range(LISTED + 2)]).splitlines()
    assert lines[LISTED:] == [
        f"[**18AL**, game {LISTED - 1}](https://discord.com/channels/1/2)",
        "and 2 more: `/mine` lists all.",
    ]


async def test_who_knows_that_they_act_is_looked_at_again_when_a_reminder_is_due(
    service: TableService,
) -> None:
    """They have just moved and act again; a change of their settings, meanwhile, is a look at once."""
    game, now = await service.game(), "2026-01-05T12:00:00.000+00:00"
    service.tables.clock = lambda: now

    async def acts_on(tx: Transaction) -> None:
        await pings.NotificationChanges((), "p1", ("p1",)).write(tx, game, 2, now)
        await pings.look_again(tx, ANN, now)

    await service.db.write(acts_on)
    [before], _ = await pings.of_game(service.db, game)
    assert (before.stage, before.since, before.due_at) == (1, now, now)
    await take_due_steps(service.tables)
    [after], pinged = await pings.of_game(service.db, game)
    assert (after.stage, after.due_at, pinged) == (1, "2026-01-06T00:00:00.000+00:00", [])
