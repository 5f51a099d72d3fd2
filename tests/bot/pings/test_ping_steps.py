"""Pings and reminders of a game: each step is worked out and stored once."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from typing import Final, TypeAlias

import pytest

from bot.table.digests import MAX_LISTED_GAMES, NEXT_DIGEST_KEY, queue_digests
from bot.table.outbox.notices import PING_KIND
from bot.table.pings import (
    RETRY_DELAY,
    UNSHOWN_GAME_RETRY_DELAY,
    TurnPings,
    next_step,
    pings_of_turn,
    send_due_pings,
)
from bot.table.settings.durations_and_zones import QuietHours
from bot.table.settings.person_settings import AWAY_UNTIL_KEY, PersonSettings
from bot.table.votes.moderation import moderator_accept
from storage import (
    PERSON_SETTINGS,
    DatabaseUnreachable,
    GameRow,
    Notification,
    Ping,
    SeatEntry,
    Transaction,
    direct_messages,
    format_timestamp,
    outbox,
    pings,
    seats,
)
from tests.bot.support.table_service import ANN, BOB, CY, TableService

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
QUIET: Final = {"quiet_from": "11:00", "quiet_to": "14:00"}
"""At NOON two hours of these are left."""
ASLEEP, AWAKE = PersonSettings(quiet_hours=QuietHours(time(11), time(14), "UTC")), PersonSettings()


def at(hours: float = 0, **more: float) -> str:
    """The time so long after noon."""
    return format_timestamp(NOON + timedelta(hours=hours, **more))


def set_clock(service: TableService, now: str) -> None:
    """Let it be so late; the games are read anew then."""
    service.tables.clock = lambda: now
    for game in range(1, 5):
        service.tables.forget(game)


async def look(service: TableService, now: str) -> None:
    """Take the steps that are due then."""
    set_clock(service, now)
    await send_due_pings(service.tables)


async def table(service: TableService, *, by_group: bool = False) -> int:
    """A game in which Ann has been on turn for an hour at noon; where a group plays, Bob and Cy do it for her."""
    set_clock(service, at(-1))
    game = await service.game()
    if by_group:
        await seats.record_seat_change(
            service.db, game, SeatEntry("p1", "group", ANN, "Ann", 1, None, at(-1)), notices=[]
        )
    set_clock(service, at())
    return game


async def choose(service: TableService, user: int, **settings: str) -> None:
    for key, value in settings.items():
        await PERSON_SETTINGS.put(service.db, user, key, value)


async def pending(service: TableService, game: int) -> TurnPings:
    """The pings of the turn message that is posted now."""
    async with service.tables.reading(game) as live:
        return await pings_of_turn(service.tables, live, await pings.notifications_of_game(service.db, game))


async def rung(service: TableService, game: int) -> list[int]:
    found = (await pending(service, game)).now
    await pings.mark_pinged(service.db, game, found)
    return [one.user_id for one in found]


async def state(service: TableService, game: int) -> tuple[int, str | None]:
    """The stage of the only notification, and when it is looked at."""
    [one], _ = await pings.notifications_of_game(service.db, game)
    return one.stage, one.due_at


# --- one step --------------------------------------------------------------------------------------------------------


def ping(
    user: int,
    stage: int,
    thread: pings.ThreadPing = "pending",
    direct: pings.DirectPing = "no",
    *,
    is_muted: bool = False,
) -> Ping:
    return Ping("p1", user, stage, thread, direct, is_muted)


People: TypeAlias = dict[int, PersonSettings]
DIRECT, BOTH, UNWILLING = (
    PersonSettings("direct"),
    PersonSettings("both"),
    PersonSettings(wants_reminders=False),
)
NIGHT = PersonSettings(quiet_hours=QuietHours(time(20), time(8), "UTC"))
FIRST: Final[tuple[tuple[People, list[Ping], int, int | None, list[Ping]], ...]] = (
    ({ANN: AWAKE}, [], 1, 12, [ping(ANN, 0)]),
    ({ANN: DIRECT}, [], 1, 12, [ping(ANN, 0, "no", "pending")]),
    ({ANN: BOTH}, [], 1, 12, [ping(ANN, 0, "pending", "pending")]),
    ({ANN: ASLEEP}, [], 0, 2, []),
    ({ANN: AWAKE, BOB: ASLEEP}, [], 0, 2, [ping(ANN, 0)]),
    ({ANN: AWAKE, BOB: ASLEEP}, [ping(ANN, 0, "pinged")], 0, 2, []),
    ({ANN: AWAKE}, [ping(ANN, 0, "pinged")], 1, 12, []),
    ({}, [], 1, None, []),
    # The reminder comes after twelve hours awake.
    ({ANN: NIGHT}, [], 1, 24, [ping(ANN, 0)]),
)


def test_first_step_pings_who_is_awake() -> None:
    """And who sleeps afterwards. The reminder is 12 hours after the ping, once all are pinged."""
    one = Notification("p1", 3, at(-1), 0, at(-1), at(0))
    for people, done, stage, due, pinged in FIRST:
        due_at = None if due is None else at(due)
        step = pings.PingStep(one, stage, at(0) if stage else at(-1), due_at, tuple(pinged))
        assert next_step(one, done, people, "usual", NOON) == step


LATER: Final[tuple[tuple[int, int, People, list[Ping], int, int | None, list[Ping]], ...]] = (
    (1, -12, {ANN: AWAKE}, [], 2, 24, [ping(ANN, 1)]),
    (1, -11, {ANN: AWAKE}, [], 1, 1, []),
    (1, -12, {ANN: AWAKE}, [ping(ANN, 0, "pinged", is_muted=True)], 2, 24, []),
    (1, -12, {ANN: AWAKE}, [ping(ANN, 0, "pinged")], 2, 24, [ping(ANN, 1)]),
    (1, -12, {ANN: UNWILLING}, [], 2, 24, []),
    (1, -96, {ANN: ASLEEP}, [], 1, 2, []),
    (1, -96, {ANN: ASLEEP, BOB: AWAKE}, [], 2, 24, [ping(BOB, 1)]),
    (3, -48, {ANN: AWAKE}, [], 4, 48, [ping(ANN, 3)]),
    (4, -48, {ANN: AWAKE}, [], 5, None, []),
    (5, -99, {ANN: AWAKE}, [], 5, None, []),
)
"""The stage and hours since it; who is asked, what was pinged; the stage after, hours until the next, the pings."""


def test_later_step_reminds_who_wants_it() -> None:
    for stage, last, people, done, after, due, pinged in LATER:
        one, due_at = Notification("p1", 3, at(-99), stage, at(last), at(0)), None if due is None else at(due)
        step = pings.PingStep(one, after, at(last if after == stage else 0), due_at, tuple(pinged))
        assert next_step(one, done, people, "usual", NOON) == step


# --- of a game -------------------------------------------------------------------------------------------------------


async def test_who_falls_asleep_is_pinged_on_waking(service: TableService) -> None:
    """Between the ping and its post; who was pinged before is named without a sound."""
    game = await table(service)
    await send_due_pings(service.tables)
    await choose(service, ANN, **QUIET)
    assert await pending(service, game) == TurnPings()
    assert (await pings.notifications_of_game(service.db, game))[1] == []
    assert await state(service, game) == (0, at(2))
    await look(service, at(2))
    assert await rung(service, game) == [ANN]
    set_clock(service, at(24))
    assert await pending(service, game) == TurnPings((Ping("p1", ANN, 0, "pinged", "no"),))


async def test_last_of_a_group_is_pinged_on_waking(service: TableService) -> None:
    game = await table(service, by_group=True)
    await choose(service, CY, **QUIET)
    await send_due_pings(service.tables)
    assert await rung(service, game) == [BOB]
    assert await state(service, game) == (0, at(2))
    await look(service, at(2))
    assert [one.user_id for one in (await pending(service, game)).shown_pings] == [BOB, CY]
    assert await rung(service, game) == [CY]


@pytest.mark.parametrize(
    ("away", "stage", "due", "pinged"), [({BOB: 2}, 1, 12, [CY]), ({BOB: 3, CY: 2}, 0, 48, [])]
)
async def test_group_waits_for_nobody_who_is_away(
    service: TableService, away: dict[int, int], stage: int, due: int, pinged: list[int]
) -> None:
    """Unless all are: the first who is back is pinged then."""
    game = await table(service, by_group=True)
    for user, days in away.items():
        await choose(service, user, **{AWAY_UNTIL_KEY: at(24 * days)})
    await send_due_pings(service.tables)
    assert await rung(service, game) == pinged
    assert await state(service, game) == (stage, at(due))
    await look(service, at(48))
    assert CY in await rung(service, game)


async def test_moderators_are_pinged_with_a_turn(service: TableService) -> None:
    """The warning becomes due while a turn message is posted, and waits for no other post."""
    game = await table(service)
    for hours in (0, 12, 36, 84):
        await look(service, at(hours))
    set_clock(service, at(132))
    before, woken = len(await outbox.unposted_notices_of_game(service.db, game)), service.woken()
    await pending(service, game)
    assert [row.kind for row in (await outbox.unposted_notices_of_game(service.db, game))[before:]] == [
        PING_KIND
    ]
    assert woken == [game]


async def test_caretakers_seat_is_not_named(service: TableService) -> None:
    """Its holder was pinged before; the computer moves next."""
    game = await table(service)
    await send_due_pings(service.tables)
    assert await rung(service, game) == [ANN]
    entry = SeatEntry("p1", "caretaker", ANN, "Ann", 1, None, at())
    await seats.record_seat_change(service.db, game, entry, notices=[])
    service.tables.forget(game)
    assert await pending(service, game) == TurnPings()


async def test_wrong_notification_is_corrected(service: TableService) -> None:
    game = await table(service)
    wrong = pings.NotificationChanges(("p2",), None, ("p2",))
    await service.db.write(lambda tx: wrong.write(tx, game, 1, at(-1)))
    await send_due_pings(service.tables)
    notifications, pinged = await pings.notifications_of_game(service.db, game)
    assert ([one.player_id for one in notifications], pinged) == (["p1"], [])


async def test_who_acts_again_is_reminded_in_time(service: TableService) -> None:
    """They have just moved; a change of their settings, meanwhile, is a look at once."""
    game = await table(service)

    async def acts_on(tx: Transaction) -> None:
        await pings.NotificationChanges((), "p1", ("p1",)).write(tx, game, 2, at())
        await pings.make_due_for_user(tx, ANN, at())

    await service.db.write(acts_on)
    assert await state(service, game) == (1, at())
    await send_due_pings(service.tables)
    assert await state(service, game) == (1, at(12))
    assert (await pings.notifications_of_game(service.db, game))[1] == []


# --- what goes wrong -------------------------------------------------------------------------------------------------


def _unseen(_: GameRow) -> bool:
    return False


def _fails(error: Exception) -> Callable[[GameRow], bool]:
    def fails(_: GameRow) -> bool:
        raise error

    return fails


@pytest.mark.parametrize(
    ("shows", "again"),
    [
        (_unseen, UNSHOWN_GAME_RETRY_DELAY),
        (_fails(ValueError("nobody foresaw this")), RETRY_DELAY),
        (_fails(DatabaseUnreachable("gone")), None),
    ],
)
async def test_game_that_cannot_be_pinged_waits(
    service: TableService, shows: Callable[[GameRow], bool], again: timedelta | None
) -> None:
    """No other game waits for it."""
    first, second = await table(service), await service.game()
    set_clock(service, at(1))
    before, woken = (await state(service, first))[1], service.woken()

    async def of_first(row: GameRow) -> bool:
        return row.id != first or shows(row)

    await send_due_pings(service.tables, can_show_moves=of_first)
    assert woken == [second]
    assert await state(service, first) == (
        0,
        before if again is None else format_timestamp(NOON + timedelta(hours=1) + again),
    )
    _, pinged = await pings.notifications_of_game(service.db, second)
    assert [one.user_id for one in pinged] == [ANN]


async def test_game_that_takes_no_move_pings_nobody(service: TableService) -> None:
    """Until a moderator accepts it."""
    game = await table(service)
    async with service.tables.reading(game) as live:
        live.hold_reason = "It waits for a moderator."
    woken = service.woken()
    await send_due_pings(service.tables)
    assert await state(service, game) == (0, at(1))
    assert ((await pings.notifications_of_game(service.db, game))[1], woken) == ([], [])
    await moderator_accept(service.tables, game, ANN)
    await look(service, at(seconds=30))
    assert await rung(service, game) == [ANN]


async def test_game_moved_on_elsewhere_pings_nobody(service: TableService) -> None:
    """Cy has agreed to stop in another process, of which this one does not know yet."""
    game, other = await table(service), TableService.on(service.db)
    async with service.tables.reading(game):
        await other.do(game, CY, "end_game")
    woken = service.woken()
    for pinged in ([], [game]):
        await send_due_pings(service.tables)
        assert woken == pinged
        service.tables.forget(game)


async def test_of_two_processes_one_posts_a_ping(service: TableService) -> None:
    game, other = await table(service), TableService.on(service.db)
    other.tables.clock = service.tables.clock
    before = len(await outbox.unposted_notices_of_game(service.db, game))
    first, second = service.woken(), other.woken()
    await asyncio.gather(send_due_pings(service.tables), send_due_pings(other.tables))
    assert first + second == [game]
    assert len(await outbox.unposted_notices_of_game(service.db, game)) == before + 1


# --- digests ---------------------------------------------------------------------------------------------------------


async def test_digest_is_written_to_who_is_waited_for(service: TableService) -> None:
    """Once, when it is due; to nobody who is away."""
    game = await table(service)
    for person in (ANN, BOB):
        await choose(service, person, **{"digest": "18:00", NEXT_DIGEST_KEY: at()})
    for hours, count in ((-0.001, 0), (0, 1), (1, 1), (6, 2)):
        set_clock(service, at(hours))
        await queue_digests(service.tables)
        written = await direct_messages.unsent_messages(service.db)
        assert [(one.user_id, one.game_id) for one in written] == [(ANN, game)] * count
    assert [await PERSON_SETTINGS.get(service.db, person, NEXT_DIGEST_KEY) for person in (ANN, BOB)] == [
        at(30)
    ] * 2
    await choose(service, ANN, **{AWAY_UNTIL_KEY: at(24 * 9)})
    set_clock(service, at(48))
    await queue_digests(service.tables)
    assert len(await direct_messages.unsent_messages(service.db)) == 2


async def test_digest_lists_so_many_games(service: TableService) -> None:
    place = "https://discord.com/channels/1/2"
    for count, head, last in (
        (1, "Your move in **1 game**:", f"[**18Chesapeake**, game 1]({place})"),
        (
            MAX_LISTED_GAMES - 1,
            f"Your move in **{MAX_LISTED_GAMES} games**:",
            f"[**18Chesapeake**, game {MAX_LISTED_GAMES}]({place})",
        ),
        (2, f"Your move in **{MAX_LISTED_GAMES + 2} games**:", "and 2 more: `/mine` lists all."),
    ):
        for _ in range(count):
            await service.game()
        await choose(service, ANN, **{"digest": "18:00", NEXT_DIGEST_KEY: at()})
        await queue_digests(service.tables)
        lines = (await direct_messages.unsent_messages(service.db))[-1].text.splitlines()
        assert (lines[0], lines[-1]) == (head, last)
    assert len(lines) == MAX_LISTED_GAMES + 2
