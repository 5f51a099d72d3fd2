"""Deadlines at a table with several people: the clock is set by the test, and the bot stopped in the middle."""

from datetime import UTC, datetime, timedelta

from bot.sandbox.guild import seed
from bot.table.clocks.deadlines import TIME_UP_MARK
from bot.table.settings.person_settings import choose_server_quiet_hours, choose_user_settings
from storage import PERSON_SETTINGS, games, log, orders
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.timed import Timed

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


async def asleep(sandbox: SandboxBot, name: str, zone: str = "UTC") -> None:
    """Somebody chooses quiet hours."""
    for key, value in (("quiet_from", "22:00"), ("quiet_to", "08:00"), ("zone", zone)):
        await PERSON_SETTINGS.put(sandbox.db, sandbox.person(name).id, key, value)


# --- the clock -------------------------------------------------------------------------------------------------------


async def test_bank_runs_after_the_grace(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    assert "**Ann** 5 days, **Bob** 5 days and **Cy** 5 days." in await table.status()
    await table.passes(10 * HOUR)
    assert await table.bank("Ann") == 5 * DAY
    await table.passes(26 * HOUR)
    up = int((table.now + 4 * DAY).timestamp())
    banks = "**Ann** 4 days, **Bob** 5 days and **Cy** 5 days."
    assert f"{banks}\n**Ann**'s time is up <t:{up}:R>." in await table.status()
    await table.game.press("Ann", "Pass")
    assert (
        "Time at the start of the turn: 12 hours, then **Bob**'s bank of 5 days." in table.game.turn.content
    )
    await table.passes(3 * DAY)
    assert (await table.bank("Ann"), await table.bank("Bob")) == (4 * DAY, 2 * DAY + 12 * HOUR)
    await table.game.slash("Ann", "undo")
    await table.passes(2 * DAY)
    await table.game.press("Ann", "Pass")
    assert (await table.bank("Ann"), await table.bank("Bob")) == (2 * DAY, 5 * DAY)


async def test_table_agrees_on_a_bank_in_its_lobby(sandbox: SandboxBot) -> None:
    ann = sandbox.person("Ann")
    await ann.slash("table", "game new", title="18chesapeake")
    await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    for setting, value in (("bank", "36 hours"), ("grace", "1 hour")):
        await ann.slash("table", "game settings", setting=setting, value=value)
    assert "1 day 12 hours for each player" in sandbox.lobby().content
    await ann.press(sandbox.lobby(), "Start")
    await sandbox.settled()
    row = (await games.games_with_status(sandbox.db, "running"))[-1]
    assert row.thread_id is not None
    table = Timed(sandbox, Seated(sandbox, row.id, row.thread_id))
    assert "-# Time at the start of the turn: 1 hour, then **" in table.game.turn.content
    assert "bank of 1 day 12 hours." in table.game.turn.content
    table.set()
    await table.look()
    (turn,) = (await table.there()).running_turns
    assert turn.since == table.now.isoformat(timespec="milliseconds")


async def test_outage_and_pause_do_not_count(sandbox: SandboxBot) -> None:
    """Unless it is a matter of minutes."""
    table = await Timed.opened(sandbox)
    await table.passes(HOUR)
    await table.restarted(2 * MINUTE)
    await table.look()
    await table.passes(HOUR)
    counted = 2 * HOUR + 2 * MINUTE
    await table.restarted(6 * HOUR)
    for _ in range(2):
        assert await table.counted("Ann") == counted
        await table.look()
    await table.game.slash("Ann", "mod pause", days=10)
    await table.passes(2 * DAY)
    await table.restarted(MINUTE)
    await table.passes(DAY)
    assert await table.counted("Ann") == counted
    await table.game.slash("Bob", "game resume")
    await table.passes(HOUR)
    await table.game.slash("Bob", "game pause", days=1)
    await table.passes(3 * DAY)
    assert await table.counted("Ann") == counted + HOUR + 2 * DAY


async def test_quiet_hours_of_a_turn_do_not_count(sandbox: SandboxBot) -> None:
    # The night of March 30, 2031 in Berlin has nine hours between ten and eight.
    await asleep(sandbox, "Ann", "Europe/Berlin")
    table = await Timed.opened(sandbox, now=datetime(2031, 3, 29, 12, tzinfo=UTC))
    await table.restarted(MINUTE)
    await table.passes(DAY)
    assert await table.counted("Ann") == 15 * HOUR + MINUTE
    await table.game.press("Ann", "Pass")
    await table.passes(DAY)
    await asleep(sandbox, "Bob")
    assert await table.counted("Bob") == DAY, "those chosen in a turn count from the next one on"


async def test_quiet_hours_of_a_server_do_not_count(sandbox: SandboxBot) -> None:
    """For members without their own, in their own time zone if they chose one."""
    await choose_server_quiet_hours(sandbox.db, seed.GUILD_ID, "22:00", "08:00", "Berlin")
    await PERSON_SETTINGS.put(sandbox.db, sandbox.person("Ann").id, "zone", "Asia/Tokyo")
    await choose_user_settings(sandbox.db, sandbox.person("Bob").id, {"quiet_from": "off", "quiet_to": "off"})
    table = await Timed.opened(sandbox, now=datetime(2031, 3, 29, 13, tzinfo=UTC))
    for name, passed, counted in (("Ann", 10, 0), ("Bob", 10, 10), ("Cy", 13, 11)):
        await table.passes(passed * HOUR)
        assert await table.counted(name) == counted * HOUR, name
        await table.game.press(name, "Pass")


async def test_newcomer_has_a_whole_bank(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.passes(5 * DAY + 12 * HOUR)
    assert await table.bank("Ann") == timedelta()
    await asleep(sandbox, "Dee")
    await table.game.slash("Ann", "game replace", newcomer=sandbox.person("Dee").id)
    question = next(m for m in table.game.messages if m.content.startswith("Proposal 1:"))
    await table.game.press("Dee", "Agree", question)
    await table.look()
    assert await table.bank("Ann") == 5 * DAY
    await table.passes(DAY)
    assert await table.counted("Ann") == 14 * HOUR
    await table.passes(9 * DAY)
    assert table.lines_with("**Dee**'s time is up") == 1


# --- at zero ---------------------------------------------------------------------------------------------------------


async def test_settings_hold_when_time_is_up(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, bank="3 days", at_zero="moderator")
    await table.game.slash("Ann", "mod settings", setting="reminders", value="none")
    await table.passes(4 * DAY)
    await table.game.slash("Ann", "mod settings", setting="bank", value="5 days")
    await table.look()
    assert table.lines_with("time is up") == 1
    await table.passes(2 * DAY)
    assert table.lines_with("time is up") == 2, "more time is up again, and is posted again"
    await table.game.slash("Ann", "mod settings", setting="bank", value="none")
    await table.game.slash("Ann", "mod settings", setting="at_zero", value="pass")
    await table.passes(30 * DAY)
    assert table.lines_with(TIME_UP_MARK) == 0
    await table.game.slash("Ann", "mod settings", setting="bank", value="5 days")
    await table.look()
    await table.passes(6 * DAY)
    assert table.lines_with(TIME_UP_MARK) == 1, "the time without a bank does not count"


async def test_bot_passes_when_time_is_up(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, at_zero="pass")
    await table.passes(6 * DAY)
    assert table.game.moves[-1] == f"`2` **Ann** passes. {TIME_UP_MARK}"
    assert await orders.automatic_moves(sandbox.db, table.game.number) == {2: orders.TIME_UP_ORDER_NUMBER}
    row = (await log.read_rows(sandbox.db, table.game.number))[-1]
    assert (row.actor, row.user_id) == ("p1", None)
    assert table.game.turn.content.startswith(sandbox.person("Bob").mention)
    assert await table.bank("Ann") == 5 * DAY - (6 * DAY - 12 * HOUR)
    await table.passes(HOUR)
    assert await table.counted("Bob") == HOUR
    await table.game.press("Bob", "Pass")
    await table.game.press("Cy", "Pass")
    await table.passes(11 * HOUR)
    assert table.lines_with(TIME_UP_MARK) == 1, "an empty bank leaves the free time of each turn"
    await table.passes(HOUR)
    assert table.lines_with(TIME_UP_MARK) == 2


async def test_undone_pass_has_an_hour(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, at_zero="pass")
    await table.passes(6 * DAY)
    await table.game.slash("Ann", "undo")
    assert table.game.turn.content.startswith((sandbox.person("Ann").mention, "**Ann**"))
    spent = await table.bank("Ann")
    await table.passes(59 * MINUTE)
    assert (await table.game.seq(), await table.bank("Ann")) == (3, spent - 59 * MINUTE)
    await table.passes(2 * MINUTE)
    assert table.game.lines[-1] == f"`4` **Ann** passes. {TIME_UP_MARK}"
    await table.game.slash("Ann", "undo")
    await table.game.press("Ann", "Pass")
    assert "(time is up)" not in table.game.lines[-1]
