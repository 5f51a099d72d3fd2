"""Whom a game pings: those who are there, each once; who comes later is pinged then, and at last the moderators are."""

from datetime import UTC, datetime, timedelta

from bot.table.outbox.notices import ThreadPing
from bot.table.pings import Pings, pings_of_turn, take_due_steps
from bot.table.settings.person_settings import AWAY
from bot.table.settings.server_settings import choose_moderator_role
from storage import PEOPLE, Ping, SeatEntry, format_timestamp, outbox, pings, seats
from tests.bot.support.tables import ANN, BOB, CY, GUILD, Bench

QUIET = {"quiet_from": "11:00", "quiet_to": "14:00"}
"""At NOON two hours of these are left."""
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def at(bench: Bench, hours: float) -> str:
    """It is this number of hours after noon."""
    now = format_timestamp(NOON + timedelta(hours=hours))
    bench.tables.clock = lambda: now
    return now


async def choose(bench: Bench, user: int, **settings: str) -> None:
    for key, value in settings.items():
        await PEOPLE.put(bench.db, user, key, value)


async def table(bench: Bench, *, by_group: bool = False) -> int:
    """A game in which Ann has been on turn for an hour at noon; Bob and Cy may play her seat."""
    at(bench, -1)
    game = await bench.game()
    if by_group:
        entry = SeatEntry("p1", "group", ANN, "Ann", 1, None, at(bench, -1))
        await seats.assign(bench.db, game, entry, notices=[])
        bench.tables.forget(game)
    at(bench, 0)
    return game


async def pending(bench: Bench, game: int) -> Pings:
    async with bench.tables.reading(game) as live:
        return await pings_of_turn(bench.tables, live)


async def state(bench: Bench, game: int) -> tuple[int, str | None]:
    """The stage of the only notification, and when it is looked at."""
    [one], _ = await pings.of_game(bench.db, game)
    return one.stage, one.due_at


async def test_who_falls_asleep_between_the_ping_and_its_post_is_pinged_on_waking(bench: Bench) -> None:
    game = await table(bench)
    await take_due_steps(bench.tables)
    await choose(bench, ANN, **QUIET)
    assert await pending(bench, game) == Pings()
    assert (await pings.of_game(bench.db, game))[1] == []
    assert await state(bench, game) == (0, at(bench, 2))
    bench.tables.forget(game)
    await take_due_steps(bench.tables)
    assert [one.user_id for one in (await pending(bench, game)).now] == [ANN]


async def test_who_was_pinged_before_their_quiet_hours_is_still_named_and_makes_no_sound(
    bench: Bench,
) -> None:
    game = await table(bench)
    await take_due_steps(bench.tables)
    await pings.mark_pinged(bench.db, game, (await pending(bench, game)).now)
    await choose(bench, ANN, **QUIET)
    assert await pending(bench, game) == Pings((Ping("p1", ANN, 0, "pinged", "no"),))


async def test_of_several_each_is_pinged_once_the_last_on_waking(bench: Bench) -> None:
    game = await table(bench, by_group=True)
    await choose(bench, CY, **QUIET)
    await take_due_steps(bench.tables)
    first = (await pending(bench, game)).now
    assert [one.user_id for one in first] == [BOB]
    await pings.mark_pinged(bench.db, game, first)
    assert await state(bench, game) == (0, at(bench, 2))
    bench.tables.forget(game)
    await take_due_steps(bench.tables)
    found = await pending(bench, game)
    assert [one.user_id for one in found.named] == [BOB, CY]
    assert [one.user_id for one in found.now] == [CY]


async def test_of_several_those_who_are_there_are_pinged_and_wait_for_nobody(bench: Bench) -> None:
    game = await table(bench, by_group=True)
    await choose(bench, BOB, **{AWAY: format_timestamp(NOON + timedelta(days=2))})
    await take_due_steps(bench.tables)
    assert [one.user_id for one in (await pending(bench, game)).now] == [CY]
    assert await state(bench, game) == (1, at(bench, 12))


async def test_where_all_are_away_the_first_who_is_back_is_pinged_then(bench: Bench) -> None:
    game = await table(bench, by_group=True)
    for user, days in ((BOB, 3), (CY, 2)):
        await choose(bench, user, **{AWAY: format_timestamp(NOON + timedelta(days=days))})
    await take_due_steps(bench.tables)
    assert (await pings.of_game(bench.db, game))[1] == []
    assert await state(bench, game) == (0, at(bench, 48))
    bench.tables.forget(game)
    await take_due_steps(bench.tables)
    assert [one.user_id for one in (await pending(bench, game)).now] == [CY]


async def test_the_moderators_are_pinged_once_when_the_last_reminder_has_brought_nothing(
    bench: Bench,
) -> None:
    """Not when the game is looked at earlier, as after a change of its settings."""
    game = await table(bench)
    await choose_moderator_role(bench.db, GUILD, 77)
    for hours in (0, 12, 36, 84):
        at(bench, hours)
        bench.tables.forget(game)
        await take_due_steps(bench.tables)
    assert await state(bench, game) == (4, format_timestamp(NOON + timedelta(hours=132)))
    before = len(await outbox.of_game(bench.db, game))
    for hours, posts in ((100, 0), (132, 1), (500, 1)):
        now = at(bench, hours)
        await bench.db.write(lambda tx, now=now: pings.look_at(tx, game, now))  # type: ignore[misc]
        bench.tables.forget(game)
        await take_due_steps(bench.tables)
        more = (await outbox.of_game(bench.db, game))[before:]
        assert len(more) == posts
    since = int((NOON - timedelta(hours=1)).timestamp())
    assert ThreadPing.read(more[0].payload) == ThreadPing(
        (),
        f"This game has waited for **Ann** since <t:{since}:f>. "
        "Moderators: `/mod act` makes the move, `/mod replace` gives the seat to another member or the computer. "
        "Players: `/game agreement` and `/game replace` propose the same.",
        77,
    )
