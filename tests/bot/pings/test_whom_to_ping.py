"""Whom a game pings: those who are there, each once; who comes later is pinged then, and at last the moderators are."""

from datetime import UTC, datetime, timedelta

from bot.table.outbox.notices import ThreadPing
from bot.table.pings import Pings, pings_of_turn, take_due_steps
from bot.table.settings.person_settings import AWAY
from bot.table.settings.server_settings import choose_moderator_role
from storage import PEOPLE, Ping, SeatEntry, format_timestamp, outbox, pings, seats
from tests.bot.support.table_service import ANN, BOB, CY, GUILD, TableService

QUIET = {"quiet_from": "11:00", "quiet_to": "14:00"}
"""At NOON two hours of these are left."""
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def at(service: TableService, hours: float) -> str:
    """It is this number of hours after noon."""
    now = format_timestamp(NOON + timedelta(hours=hours))
    service.tables.clock = lambda: now
    return now


async def choose(service: TableService, user: int, **settings: str) -> None:
    for key, value in settings.items():
        await PEOPLE.put(service.db, user, key, value)


async def table(service: TableService, *, by_group: bool = False) -> int:
    """A game in which Ann has been on turn for an hour at noon; Bob and Cy may play her seat."""
    at(service, -1)
    game = await service.game()
    if by_group:
        entry = SeatEntry("p1", "group", ANN, "Ann", 1, None, at(service, -1))
        await seats.assign(service.db, game, entry, notices=[])
        service.tables.forget(game)
    at(service, 0)
    return game


async def pending(service: TableService, game: int) -> Pings:
    async with service.tables.reading(game) as live:
        return await pings_of_turn(service.tables, live)


async def state(service: TableService, game: int) -> tuple[int, str | None]:
    """The stage of the only notification, and when it is looked at."""
    [one], _ = await pings.of_game(service.db, game)
    return one.stage, one.due_at


async def test_who_falls_asleep_between_the_ping_and_its_post_is_pinged_on_waking(
    service: TableService,
) -> None:
    game = await table(service)
    await take_due_steps(service.tables)
    await choose(service, ANN, **QUIET)
    assert await pending(service, game) == Pings()
    assert (await pings.of_game(service.db, game))[1] == []
    assert await state(service, game) == (0, at(service, 2))
    service.tables.forget(game)
    await take_due_steps(service.tables)
    assert [one.user_id for one in (await pending(service, game)).now] == [ANN]


async def test_who_was_pinged_before_their_quiet_hours_is_still_named_and_makes_no_sound(
    service: TableService,
) -> None:
    game = await table(service)
    await take_due_steps(service.tables)
    await pings.mark_pinged(service.db, game, (await pending(service, game)).now)
    await choose(service, ANN, **QUIET)
    assert await pending(service, game) == Pings((Ping("p1", ANN, 0, "pinged", "no"),))


async def test_of_several_each_is_pinged_once_the_last_on_waking(service: TableService) -> None:
    game = await table(service, by_group=True)
    await choose(service, CY, **QUIET)
    await take_due_steps(service.tables)
    first = (await pending(service, game)).now
    assert [one.user_id for one in first] == [BOB]
    await pings.mark_pinged(service.db, game, first)
    assert await state(service, game) == (0, at(service, 2))
    service.tables.forget(game)
    await take_due_steps(service.tables)
    found = await pending(service, game)
    assert [one.user_id for one in found.named] == [BOB, CY]
    assert [one.user_id for one in found.now] == [CY]


async def test_of_several_those_who_are_there_are_pinged_and_wait_for_nobody(service: TableService) -> None:
    game = await table(service, by_group=True)
    await choose(service, BOB, **{AWAY: format_timestamp(NOON + timedelta(days=2))})
    await take_due_steps(service.tables)
    assert [one.user_id for one in (await pending(service, game)).now] == [CY]
    assert await state(service, game) == (1, at(service, 12))


async def test_where_all_are_away_the_first_who_is_back_is_pinged_then(service: TableService) -> None:
    game = await table(service, by_group=True)
    for user, days in ((BOB, 3), (CY, 2)):
        await choose(service, user, **{AWAY: format_timestamp(NOON + timedelta(days=days))})
    await take_due_steps(service.tables)
    assert (await pings.of_game(service.db, game))[1] == []
    assert await state(service, game) == (0, at(service, 48))
    service.tables.forget(game)
    await take_due_steps(service.tables)
    assert [one.user_id for one in (await pending(service, game)).now] == [CY]


async def test_the_moderators_are_pinged_once_when_the_last_reminder_has_brought_nothing(
    service: TableService,
) -> None:
    """Not when the game is looked at earlier, as after a change of its settings."""
    game = await table(service)
    await choose_moderator_role(service.db, GUILD, 77)
    for hours in (0, 12, 36, 84):
        at(service, hours)
        service.tables.forget(game)
        await take_due_steps(service.tables)
    assert await state(service, game) == (4, format_timestamp(NOON + timedelta(hours=132)))
    before = len(await outbox.of_game(service.db, game))
    for hours, posts in ((100, 0), (132, 1), (500, 1)):
        now = at(service, hours)
        await service.db.write(lambda tx, now=now: pings.look_at(tx, game, now))  # type: ignore[misc]
        service.tables.forget(game)
        await take_due_steps(service.tables)
        more = (await outbox.of_game(service.db, game))[before:]
        assert len(more) == posts
    since = int((NOON - timedelta(hours=1)).timestamp())
    assert ThreadPing.read(more[0].payload) == ThreadPing(
        (),
        f"This game has waited for **Ann** since <t:{since}:f>. "
        "Moderators: `/mod act` makes the move, `/mod replace` gives the seat to another member or the computer. "
        "Players: `/game agreement` and `/game replace` propose the same.",
        77,
    )
