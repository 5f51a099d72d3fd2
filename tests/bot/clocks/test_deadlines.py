"""Deadlines at a table with several people: the clock is set by the test, and the bot stopped in the middle."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.sandbox.guild import seed, threads
from bot.table.clocks.deadlines import TIME_UP_MARK
from bot.table.outbox import notices
from bot.table.settings.server_settings import choose_moderator_role
from storage import PEOPLE, games, log, orders
from tests.bot.pings.test_posted_once import crashed, dies_before_ticking_off
from tests.bot.support.positions import NAMES, actor_of, played_to, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.timed import PLAYERS, Timed

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


async def rows(sandbox: SandboxBot, table: str) -> int:
    found = await sandbox.db.read(lambda tx: tx.row(f"SELECT COUNT(*) FROM {table}"))
    assert found is not None
    return int(found[0])


async def asleep(sandbox: SandboxBot, name: str, zone: str = "UTC") -> None:
    """Somebody chooses quiet hours."""
    for key, value in (("quiet_from", "22:00"), ("quiet_to", "08:00"), ("zone", zone)):
        await PEOPLE.put(sandbox.db, sandbox.person(name).id, key, value)


# --- the clock -------------------------------------------------------------------------------------------------------


async def test_no_bank_no_clock(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    table = Timed(sandbox, game)
    table.set()
    for _ in range(3):
        table.now += 30 * DAY
        await table.look()
    await game.press("Ann", "Pass")
    await table.look()
    assert [await rows(sandbox, name) for name in ("turns", "clock_stops")] == [0, 0]
    assert table.lines_with("time is up") == 0
    assert "Time" not in game.turn.content + await table.status()


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
    assert "Time as the turn began: 12 hours, then **Bob**'s bank of 5 days." in table.game.turn.content
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
    row = (await games.games_in(sandbox.db, "running"))[-1]
    assert row.thread_id is not None
    table = Timed(sandbox, Seated(sandbox, row.id, row.thread_id))
    assert "-# Time as the turn began: 1 hour, then **" in table.game.turn.content
    assert "bank of 1 day 12 hours." in table.game.turn.content
    table.set()
    await table.look()
    (turn,) = (await table.there()).running_turns
    assert turn.since == table.now.isoformat(timespec="milliseconds")


async def test_outage_does_not_count(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.passes(HOUR)
    await table.restarted(2 * MINUTE)
    await table.look()
    assert (await table.counted("Ann"), await rows(sandbox, "clock_stops")) == (HOUR + 2 * MINUTE, 0)
    await table.passes(19 * HOUR)
    await table.restarted(6 * HOUR)
    for _ in range(2):
        assert await table.counted("Ann") == 20 * HOUR + 2 * MINUTE
        await table.look()
    await table.passes(HOUR)
    await table.restarted(6 * HOUR)
    await table.game.press("Ann", "Pass")
    assert await table.bank("Ann") == 5 * DAY - 9 * HOUR - 2 * MINUTE


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


async def test_pause_does_not_count(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.passes(HOUR)
    await table.game.slash("Ann", "mod pause", days=10)
    await table.passes(2 * DAY)
    await table.restarted(MINUTE)
    await table.passes(DAY)
    assert await table.counted("Ann") == HOUR
    await table.game.slash("Bob", "game resume")
    await table.passes(HOUR)
    await table.game.slash("Bob", "game pause", days=1)
    await table.passes(3 * DAY)
    assert await table.counted("Ann") == 2 * HOUR + 2 * DAY


async def test_lost_thread_stops_the_clock(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.passes(HOUR)
    threads.remove(sandbox.world, sandbox.world.channel(table.game.thread))
    await sandbox.learns(lambda: sandbox.client.tables.places.is_lost(table.game.number))
    await sandbox.client.deadlines.check_clocks()
    await table.passes(3 * DAY)
    await sandbox.person("Ann").slash("table", "game repair", number=table.game.number)
    await sandbox.settled()
    await table.look()
    await table.passes(HOUR)
    assert await table.counted("Ann") == 2 * HOUR


async def test_newcomer_has_a_whole_bank(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.passes(2 * DAY)
    for name in ("Ann", "Bob", "Cy"):
        await table.game.press(name, "Pass")
    await table.passes(4 * DAY)
    assert (await table.bank("Ann"), table.lines_with("**Ann**'s time is up")) == (timedelta(), 1)
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


async def test_end_of_time_is_announced_once(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.passes(5 * DAY + 11 * HOUR)
    assert table.lines_with("time is up") == 0
    await table.passes(HOUR)
    said = "**Ann**'s time is up: 12 hours of this turn and the bank of 5 days are used."
    assert table.lines_with(said) == 1
    assert (await table.status()).endswith("\n**Ann**'s time is up.")
    await table.passes(3 * DAY)
    await table.restarted(HOUR)
    await table.passes(DAY)
    assert table.lines_with("time is up") == 1
    await table.game.press("Ann", "Pass")
    assert "**Ann** passes" in table.game.lines[-1]


async def test_moderators_are_pinged_once(sandbox: SandboxBot) -> None:
    role = seed.GUILD_ID + seed.PLAYERS_ROLE
    table = await Timed.opened(sandbox, bank="36 hours", grace="1 hour", at_zero="moderator")
    sandbox.world.guilds[seed.GUILD_ID].roles[role].mentionable = True
    await choose_moderator_role(sandbox.db, seed.GUILD_ID, role)
    for _ in range(3):
        await table.passes(2 * DAY)
    (message,) = [m for m in table.game.messages if "time is up" in m.content]
    assert message.content.startswith(f"<@&{role}>\n**Ann**'s time is up: 1 hour")
    assert message.mention_roles == [role]
    assert "/mod act" in message.content


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
    assert await orders.automatic_moves(sandbox.db, table.game.number) == {2: orders.TIME_UP}
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


async def test_crash_posts_the_pass_once(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await Timed.opened(sandbox, at_zero="pass")
    dies_before_ticking_off(monkeypatch, notices.LINE)
    table.now += 6 * DAY
    now = table.now.isoformat()
    await sandbox.db.write(lambda tx: tx.run("UPDATE last_runs SET at = ?", now))
    await sandbox.client.deadlines.check_clocks()
    posted = lambda: any(TIME_UP_MARK in line for line in table.game.lines)  # noqa: E731
    await crashed(sandbox, monkeypatch, table.game, posted)
    table.set()
    await table.look()
    assert (table.lines_with(TIME_UP_MARK), await table.game.seq()) == (1, 2)


async def test_order_follows_the_pass(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, at_zero="pass", game=await seated_at(sandbox, played_to("buy_share")))
    first = actor_of(table.game)
    second, third = [NAMES[(NAMES.index(first) + number) % 3] for number in (1, 2)]
    await table.game.slash(second, "orders pass", until="over")
    await table.passes(6 * DAY)
    one, other = table.game.moves[-2:]
    assert f"**{first}** passes. {TIME_UP_MARK}" in one
    assert f"**{second}** passes. *(automatic)*" in other
    found = await orders.automatic_moves(sandbox.db, table.game.number)
    assert sorted(found.values(), key=str) == [orders.TIME_UP, 1]
    assert [turn.player_id for turn in (await table.there()).running_turns] == [PLAYERS[third]]
    await table.game.slash(first, "undo")
    await table.passes(59 * MINUTE)
    assert actor_of(table.game) == first
    await table.game.slash(first, "redo")
    assert [line.endswith(TIME_UP_MARK) for line in table.game.moves[-2:]] == [True, False]
    assert f"**{first}** redoes" in table.game.moves[-1]
