"""`/away`: for a time nobody pings the player, and no deadline of theirs runs, at any table."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.client.features.pings import ping_due_users
from bot.table.clocks.away import (
    begin_substitution,
    end_absence_early,
    end_absences,
    parse_absence_end,
    set_absence,
)
from bot.table.errors import Refused
from bot.table.settings.person_settings import AWAY_UNTIL_KEY
from storage import GAME_SETTINGS, PERSON_SETTINGS, games, personal_data
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.bot.support.timed import NOON, Timed

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NEW_YEAR = datetime(2031, 1, 1, tzinfo=UTC)


def stamp(at: datetime) -> str:
    return f"<t:{int(at.timestamp())}:f>"


def text(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")


# --- until when ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "until"),
    [
        ("10", NOON + 10 * DAY),
        ("10 days", NOON + 10 * DAY),
        ("until 2 weeks", NOON + 14 * DAY),
        ("36 hours", NOON + 36 * HOUR),
        ("365 days", NOON + 365 * DAY),
        ("2031-02-01", datetime(2031, 1, 31, 23, tzinfo=UTC)),
    ],
)
def test_absence_is_typed(typed: str, until: datetime) -> None:
    assert parse_absence_end(typed, NOON, "Europe/Berlin") == until


@pytest.mark.parametrize(
    ("typed", "now", "why"),
    [
        ("soon", NOON, "is neither a date"),
        ("0", NOON, "is neither a date"),
        ("2030-12-01", NOON, "is in the past"),
        ("2031-01-10", NOON, "is in the past"),
        ("2031-01-11", datetime(2031, 1, 11, tzinfo=UTC), "is in the past"),
        ("2033-01-01", NOON, "at most 365 days"),
        ("400 days", NOON, "a duration of up to 365 days"),
    ],
)
def test_absence_is_refused(typed: str, now: datetime, why: str) -> None:
    with pytest.raises(Refused, match=why):
        parse_absence_end(typed, now, "UTC")


# --- the service -----------------------------------------------------------------------------------------------------


async def test_games_hear_of_an_absence_and_its_end(service: TableService) -> None:
    now, game, other = NEW_YEAR, await service.game(), await service.lobby(((BOB, "Bob"), (CY, "Cy")))
    await service.lobbies.start(other, BOB)
    woken = service.woken()
    service.tables.clock = lambda: text(now)
    await set_absence(service.tables, ANN, "1 day")
    line = f"**Ann** is away until {stamp(NEW_YEAR + DAY)}: no deadlines and no pings."
    now = NEW_YEAR + DAY - timedelta(milliseconds=1)
    await end_absences(service.tables)
    assert (await service.lines(game))[-1] == line
    now = NEW_YEAR + DAY
    await end_absences(service.tables)
    assert ((await service.lines(game))[-1], woken) == ("**Ann** is back.", [game, game])
    assert await PERSON_SETTINGS.settings_of(service.db, ANN) == {}


async def test_longer_absence_keeps_its_beginning(service: TableService) -> None:
    for late, typed in ((timedelta(), "1 day"), (12 * HOUR, "5 days")):
        service.tables.clock = lambda late=late: text(NEW_YEAR + late)  # type: ignore[misc]
        await set_absence(service.tables, ANN, typed)
    until = {"away_until": text(NEW_YEAR + 5 * DAY + 12 * HOUR), "away_since": text(NEW_YEAR)}
    assert await PERSON_SETTINGS.settings_of(service.db, ANN) == until
    assert await PERSON_SETTINGS.settings_of(service.db, BOB) == {}
    stored = await personal_data.rows_about_user(service.db, ANN)
    assert {row["key"] for row in stored["own settings"]} == set(until)
    await personal_data.anonymise(service.db, ANN, lambda where, text, somebody: text)
    assert await PERSON_SETTINGS.settings_of(service.db, ANN) == {}


async def test_absence_without_a_beginning_ends(service: TableService) -> None:
    game = await service.game()
    await PERSON_SETTINGS.put(service.db, ANN, AWAY_UNTIL_KEY, text(NEW_YEAR))
    service.tables.clock = lambda: text(NEW_YEAR)
    await end_absences(service.tables)
    assert (await service.lines(game))[-1] == "**Ann** is back."
    assert await PERSON_SETTINGS.settings_of(service.db, ANN) == {}


async def test_substitute_is_away_in_their_name(service: TableService) -> None:
    game = await service.game()
    await begin_substitution(service.tables, game, ANN, (14, "Dee"), None)
    before = await service.lines(game)
    await set_absence(service.tables, ANN, "1 day")
    assert await service.lines(game) == before, "who does not play is not missed"
    await set_absence(service.tables, 14, "1 day")
    (line,) = (await service.lines(game))[len(before) :]
    assert line.startswith("**Dee** is away until")


async def test_away_budget_is_said(service: TableService) -> None:
    game = await service.game()
    for setting, value in (("bank", "5 days"), ("away", "2 days")):
        await GAME_SETTINGS.put(service.db, game, setting, value)
    service.tables.clock = lambda: text(NEW_YEAR)
    acts = "You can still play while you are away. `/away until:back` ends it."
    two, three = stamp(NEW_YEAR + 2 * DAY), stamp(NEW_YEAR + 3 * DAY)
    assert await set_absence(service.tables, ANN, "2 days") == (
        f"You are away until {two}. Your deadlines stop, and I do not ping you. {acts}"
    )
    line = f"**Ann** is away until {two}: no deadlines and no pings."
    assert (await service.lines(game))[-1] == line
    assert await set_absence(service.tables, ANN, "3 days") == (
        f"You are away until {three}. I do not ping you. In game {game} your away budget lasts "
        f"until {two}; after that your deadline runs again. {acts}"
    )
    assert (await service.lines(game))[-1] == (
        f"**Ann** is away until {three}: no deadlines until the away budget ends {two}, and no pings."
    )


async def test_ended_game_hears_nothing(service: TableService) -> None:
    game, lobby = await service.game(), await service.lobby()
    before = await service.lines(game)
    await games.finish_game(service.db, game)
    await set_absence(service.tables, ANN, "1 day")
    await end_absence_early(service.tables, ANN)
    assert (await service.lines(game), await service.lines(lobby)) == (before, [])


# --- at the tables ---------------------------------------------------------------------------------------------------


async def pinged(table: Timed) -> None:
    """Ping the players who are due."""
    await ping_due_users(table.sandbox.client)
    await table.sandbox.settled()


async def test_absence_stops_clock_and_pings(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, at_zero="pass")
    await table.game.slash("Bob", "away", until="10 days")
    until = table.now + 10 * DAY
    rung = table.game.pings("Bob")
    await table.game.press("Ann", "Pass")
    await pinged(table)
    assert table.game.pings("Bob") == rung
    assert f"**Bob** is away until {stamp(until)}." in table.game.turn.content
    await table.passes(2 * DAY)
    await table.restarted(HOUR)
    assert await table.counted("Bob") == timedelta()
    status = await table.status()
    assert "**Bob**'s clock is stopped" in status
    assert f"**Bob** is away until {stamp(until)}." in status
    await table.passes(7 * DAY)
    await table.restarted(2 * DAY)
    await table.look()
    await pinged(table)
    assert table.lines_with("**Bob** is back.") == 1
    assert table.game.turn_text.startswith(sandbox.person("Bob").mention)
    await table.passes(HOUR)
    assert await table.counted("Bob") == HOUR
    await table.passes(DAY)
    assert table.lines_with("**Bob** is back.") == 1


async def test_away_player_acts_and_comes_back(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await sandbox.person("Bob").slash("table", "pings", how="direct")
    for name in ("Ann", "Bob"):
        await table.game.slash(name, "away", until="10 days")
    await table.passes(DAY)
    await table.game.press("Ann", "Pass")
    assert (table.lines_with("**Ann** passes"), table.lines_with("is back")) == (1, 0)
    assert "**Bob** is away until" in table.game.turn.content.splitlines()[-1]
    await table.game.slash("Bob", "away", until="back")
    assert "away" not in table.game.turn.content.splitlines()[-1]
    for name in ("Bob", "Cy"):
        await table.game.press(name, "Pass")
    rung = table.game.pings("Ann")
    assert "You are back" in (await table.game.slash("Ann", "away", until="back")).text
    await pinged(table)
    assert table.lines_with("**Ann** is back.") == 1
    assert table.game.pings("Ann") == rung + 1
    assert "You are not away" in (await table.game.slash("Ann", "away", until="back")).text
    assert "Type days or a date" in (await table.game.slash("Ann", "away")).text
    await table.game.slash("Ann", "away", until="10")
    assert "You are away until" in (await table.game.slash("Ann", "away")).text


async def test_away_budget_holds_for_the_game(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, bank="30 days")
    await table.game.slash("Ann", "away", until="20 days")
    await table.passes(15 * DAY)
    await table.game.slash("Ann", "away", until="back")
    assert await table.counted("Ann") == timedelta()
    for name in ("Ann", "Bob", "Cy"):
        await table.game.press(name, "Pass")
    left = table.now + 6 * DAY
    answer = await table.game.slash("Ann", "away", until="50 days")
    assert f"your away budget lasts until {stamp(left)}; after that your deadline runs again" in answer.text
    await table.passes(10 * DAY)
    assert await table.counted("Ann") == 4 * DAY
    assert f"Their away budget lasts until {stamp(left)}." in await table.status()
