"""Texts of clocks, whole, in the turn message and in `/status`."""

from datetime import timedelta

import pytest

from bot.table.clocks.deadlines import time_left_text, turn_time_line
from storage import GAME_SETTINGS, PERSON_SETTINGS, SeatEntry, clocks, format_timestamp
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.bot.support.timed import NOON

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def at(span: timedelta) -> str:
    """A time so long after noon."""
    return format_timestamp(NOON + span)


def stamp(span: timedelta, form: str = "f") -> str:
    """The same as Discord shows it."""
    return f"<t:{int((NOON + span).timestamp())}:{form}>"


async def timed(service: TableService, *turns: clocks.ClockTurn) -> int:
    """A game with a bank of a day, and these turns."""
    service.tables.clock = lambda: at(-DAY)
    game = await service.game()
    for setting, value in (("bank", "1 day"), ("grace", "1 hour"), ("away", "7 days")):
        await GAME_SETTINGS.put(service.db, game, setting, value)
    await clocks.store_clock_changes(service.db, game, clocks.ClockChanges(turns), seq=1, now=at(-DAY))
    service.tables.clock = lambda: format_timestamp(NOON)
    return game


async def texts(service: TableService, game: int) -> tuple[str, str]:
    async with service.tables.reading(game) as live:
        return await turn_time_line(service.tables, live), await time_left_text(service.tables, live)


def charged(player: str, span: timedelta) -> clocks.ClockTurn:
    """A turn that has taken this from the bank."""
    return clocks.ClockTurn(player, 1, at(-DAY), 1, charged=span // timedelta(milliseconds=1))


async def test_banks_and_deadline_are_said(service: TableService) -> None:
    game = await timed(
        service, clocks.ClockTurn("p1", 2, at(-2 * HOUR)), charged("p2", DAY), charged("p3", 2 * DAY)
    )
    assert await texts(service, game) == (
        "\n-# Time at the start of the turn: 1 hour, then **Ann**'s bank of 1 day.",
        f"Time banks: **Ann** 23 hours, **Bob** nothing and **Cy** nothing.\n"
        f"**Ann**'s time is up {stamp(23 * HOUR, 'R')}.",
    )


async def test_empty_bank_leaves_the_grace(service: TableService) -> None:
    game = await timed(service, charged("p1", DAY), clocks.ClockTurn("p1", 2, at(-HOUR)))
    assert await texts(service, game) == (
        "\n-# Time at the start of the turn: 1 hour, then no more time for **Ann**, whose bank is empty.",
        "Time banks: **Ann** nothing, **Bob** 1 day and **Cy** 1 day.\n**Ann**'s time is up.",
    )


@pytest.mark.parametrize(
    ("until", "says"),
    [
        (DAY, f" **Ann** is away until {stamp(DAY)}."),
        (
            7 * DAY,
            f" **Ann** is away until {stamp(7 * DAY)}. Their away budget lasts until {stamp(6 * DAY)}.",
        ),
        (timedelta(), ""),
        (-HOUR, ""),
    ],
)
async def test_absence_is_said_until_it_ends(service: TableService, until: timedelta, says: str) -> None:
    game = await timed(service, clocks.ClockTurn("p1", 2, at(-2 * HOUR)))
    for user in (ANN, BOB):
        await PERSON_SETTINGS.put(service.db, user, "away_since", at(-DAY))
        await PERSON_SETTINGS.put(service.db, user, "away_until", at(until))
    turn, status = await texts(service, game)
    assert turn == f"\n-# Time at the start of the turn: 1 hour, then **Ann**'s bank of 1 day.{says}"
    if says:
        stands = "**Ann**'s clock is stopped, with 1 day 1 hour left."
        assert status == f"Time banks: **Ann** 1 day, **Bob** 1 day and **Cy** 1 day.\n{stands}{says}"


async def test_outage_is_no_absence(service: TableService) -> None:
    game = await timed(service, clocks.ClockTurn("p1", 2, at(-2 * HOUR)))
    await clocks.store_clock_stop(service.db, game, clocks.ClockStop("p1", "outage", at(-HOUR), at(HOUR)))
    turn, status = await texts(service, game)
    assert "away" not in turn + status
    assert "**Ann**'s clock is stopped, with 1 day left." in status


async def test_no_clock_no_words(
    service: TableService,
) -> None:
    game = await timed(service, clocks.ClockTurn("p1", 2, at(-HOUR)))
    async with service.tables.reading(game) as live:
        live.seat_history = (*live.seat_history, SeatEntry("p1", "group", ANN, "Ann", 2, None, at(-HOUR)))
        assert await turn_time_line(service.tables, live) == ""
    for user in (ANN, BOB, CY):
        await service.do(game, user, "end_game")
    async with service.tables.reading(game) as live:
        assert live.game.is_over
        assert await time_left_text(service.tables, live) == ""
    assert await texts(service, await service.game()) == ("", ""), "without a bank"
