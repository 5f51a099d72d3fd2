"""Deadlines at a table with several people: the clock is set by the test, and the bot stopped in the middle."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.sandbox.guild import seed, threads
from bot.table.clocks.deadlines import TIME_UP_MARK
from bot.table.outbox import notices
from bot.table.settings.server_settings import choose_moderator_role
from bot.table.votes.moderation import moderator_undo
from engine.core.actions import RunRoutes
from engine.record import read_record
from storage import PEOPLE, games, log, orders, pings
from tests.bot.pings.test_posted_once import crashed, dies_before_ticking_off
from tests.bot.support.positions import NAMES, actor_of, first_moves, played_to, ruined, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.timed import PLAYERS, Timed

pytestmark = pytest.mark.usefixtures("absent_players")

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MODERATOR = 99
GOLDEN = Path(__file__).parents[2] / "golden"
MUST_BUY = 156
"""In this recorded game a company without a train, which it must buy, begins its turn with this action."""
LAST_OF_ROUND = 63
"""In this recorded game the only company begins the last turn of an operating round with this action."""
SALE = 77
"""In this recorded game Cy offers the MCR to Ann for $89 with this action."""


async def rows(sandbox: SandboxBot, table: str) -> int:
    """How many rows there are in a table."""
    found = await sandbox.db.read(lambda tx: tx.row(f"SELECT COUNT(*) FROM {table}"))
    assert found is not None
    return int(found[0])


# --- the clock -----------------------------------------------------------------------------------------------------


async def test_where_nothing_was_chosen_nothing_happens_and_no_clock_is_written(sandbox: SandboxBot) -> None:
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
    assert "Time" not in game.turn.content
    assert "Time" not in await table.status()


async def test_the_bank_runs_when_the_free_time_of_the_turn_is_over_and_is_shown(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    assert "**Ann** 5 days, **Bob** 5 days and **Cy** 5 days." in await table.status()
    await table.passes(10 * HOUR)
    assert await table.bank("Ann") == 5 * DAY
    await table.passes(26 * HOUR)
    assert await table.bank("Ann") == 4 * DAY
    up = int((table.now + 4 * DAY).timestamp())
    assert (
        f"**Ann** 4 days, **Bob** 5 days and **Cy** 5 days.\n**Ann**'s time is up <t:{up}:R>."
        in await table.status()
    )
    await table.game.press("Ann", "Pass")
    assert "Time as the turn began: 12 hours, then **Bob**'s bank of 5 days." in table.game.turn.content
    await table.passes(3 * DAY)
    assert (await table.bank("Ann"), await table.bank("Bob")) == (4 * DAY, 2 * DAY + 12 * HOUR)


async def test_nothing_counts_while_the_bot_is_down_for_six_hours(sandbox: SandboxBot) -> None:
    """Neither for a player who moves at once when it is back, nor after it has looked."""
    table = await Timed.opened(sandbox)
    await table.passes(20 * HOUR)
    await table.restarted(6 * HOUR)
    assert await table.counted("Ann") == 20 * HOUR
    await table.look()
    assert await table.counted("Ann") == 20 * HOUR
    await table.passes(HOUR)
    assert await table.counted("Ann") == 21 * HOUR
    await table.restarted(6 * HOUR)
    await table.game.press("Ann", "Pass")
    assert await table.bank("Ann") == 5 * DAY - 9 * HOUR


async def test_a_restart_within_minutes_is_no_outage(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.passes(HOUR)
    await table.restarted(timedelta(minutes=2))
    await table.look()
    assert await table.counted("Ann") == HOUR + timedelta(minutes=2)
    assert await rows(sandbox, "clock_stops") == 0


async def test_quiet_hours_do_not_count_across_a_change_of_daylight_saving_time(sandbox: SandboxBot) -> None:
    """The night of March 30, 2031 in Berlin has nine hours between ten and eight."""
    for key, value in (("quiet_from", "22:00"), ("quiet_to", "08:00"), ("zone", "Europe/Berlin")):
        await PEOPLE.put(sandbox.db, sandbox.person("Ann").id, key, value)
    table = await Timed.opened(sandbox, now=datetime(2031, 3, 29, 12, tzinfo=UTC))
    await table.restarted(timedelta(minutes=1))
    await table.passes(DAY)
    assert await table.counted("Ann") == 15 * HOUR + timedelta(minutes=1)
    await table.game.press("Ann", "Pass")
    await table.passes(DAY)
    assert await table.counted("Bob") == DAY


async def test_quiet_hours_chosen_in_a_turn_count_from_the_next_one_on(sandbox: SandboxBot) -> None:
    """Nobody gets used time back, and nobody is always just asleep."""
    table = await Timed.opened(sandbox)
    await table.passes(2 * DAY)
    for key, value in (("quiet_from", "22:00"), ("quiet_to", "08:00")):
        await PEOPLE.put(sandbox.db, sandbox.person("Ann").id, key, value)
    assert await table.counted("Ann") == 2 * DAY


async def test_nothing_counts_while_the_game_pauses(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.passes(HOUR)
    await table.game.slash("Ann", "mod pause", days=10)
    await table.passes(2 * DAY)
    await table.restarted(timedelta(minutes=1))
    await table.passes(DAY)
    assert await table.counted("Ann") == HOUR
    await table.game.slash("Bob", "game resume")
    await table.passes(HOUR)
    assert await table.counted("Ann") == 2 * HOUR
    await table.game.slash("Bob", "game pause", days=1)
    await table.passes(3 * DAY)
    assert await table.counted("Ann") == 2 * HOUR + 2 * DAY


async def test_nothing_counts_while_the_thread_is_lost(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.passes(HOUR)
    thread = sandbox.world.channel(table.game.thread)
    threads.remove(sandbox.world, thread)
    await sandbox.learns(lambda: sandbox.client.tables.places.is_lost(table.game.number))
    await sandbox.client.deadlines.look()
    await table.passes(3 * DAY)
    await sandbox.person("Ann").slash("table", "game repair", number=table.game.number)
    await sandbox.settled()
    await table.look()
    await table.passes(HOUR)
    assert await table.counted("Ann") == 2 * HOUR


async def test_nothing_counts_while_the_table_plays_the_seat(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.passes(HOUR)
    await table.game.slash("Bob", "game agreement", player="Ann")
    question = next(m for m in table.game.messages if m.content.startswith("Proposal 1:"))
    await table.game.press("Cy", "Agree", question)
    await table.passes(9 * DAY)
    assert table.lines_with("time is up") == 0
    assert await table.counted("Ann") == HOUR


# --- at zero -------------------------------------------------------------------------------------------------------


async def test_the_end_of_time_is_announced_once_even_over_a_restart(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await table.passes(5 * DAY + 11 * HOUR)
    assert table.lines_with("time is up") == 0
    await table.passes(HOUR)
    assert (
        table.lines_with("**Ann**'s time is up: 12 hours of this turn and the bank of 5 days are used.") == 1
    )
    assert (await table.status()).endswith("\n**Ann**'s time is up.")
    await table.passes(3 * DAY)
    await table.restarted(HOUR)
    await table.passes(DAY)
    assert table.lines_with("time is up") == 1
    await table.game.press("Ann", "Pass")
    assert "**Ann** passes" in table.game.lines[-1]


async def test_moderators_are_pinged_by_their_role_once(sandbox: SandboxBot) -> None:
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


async def test_without_a_role_the_message_says_what_moderators_can_do(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, at_zero="moderator")
    await table.passes(6 * DAY)
    (message,) = [m for m in table.game.messages if "time is up" in m.content]
    assert not message.mention_roles
    assert "`/mod act` makes the move" in message.content


async def test_the_bot_passes_marks_it_and_the_game_continues(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, at_zero="pass")
    await table.passes(6 * DAY)
    assert table.game.moves[-1] == f"`2` **Ann** passes. {TIME_UP_MARK}"
    assert await orders.automatic_moves(sandbox.db, table.game.number) == {2: orders.TIME_UP}
    row = (await log.read(sandbox.db, table.game.number))[-1]
    assert (row.actor, row.user_id) == ("p1", None)
    assert table.game.turn.content.startswith(sandbox.person("Bob").mention)
    assert await table.bank("Ann") == 5 * DAY - (6 * DAY - 12 * HOUR)
    await table.passes(HOUR)
    assert await table.counted("Bob") == HOUR


async def test_an_empty_bank_leaves_the_free_time_of_each_turn(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, at_zero="pass")
    await table.passes(6 * DAY)
    await table.game.press("Bob", "Pass")
    await table.game.press("Cy", "Pass")
    await table.passes(11 * HOUR)
    assert await table.counted("Ann") == 11 * HOUR
    await table.passes(HOUR)
    assert table.lines_with(TIME_UP_MARK) == 2


async def test_a_crash_after_the_move_is_stored_posts_it_once(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Posted and not ticked off: it is found again, and no second move is made."""
    table = await Timed.opened(sandbox, at_zero="pass")
    dies_before_ticking_off(monkeypatch, notices.LINE)
    table.now += 6 * DAY
    await sandbox.client.tables.db.write(
        lambda tx: tx.run("UPDATE last_runs SET at = ?", table.now.isoformat())
    )
    await sandbox.client.deadlines.look()
    await crashed(
        sandbox, monkeypatch, table.game, lambda: any(TIME_UP_MARK in line for line in table.game.lines)
    )
    table.set()
    await table.look()
    assert table.lines_with(TIME_UP_MARK) == 1
    assert await table.game.seq() == 2


async def test_whoever_undoes_what_was_done_for_them_has_an_hour(sandbox: SandboxBot) -> None:
    """Undo at zero: the turn comes back as it was, with no time; nothing is done at once, nor never."""
    table = await Timed.opened(sandbox, at_zero="pass")
    await table.passes(6 * DAY)
    await table.game.slash("Ann", "undo")
    assert table.game.turn.content.startswith((sandbox.person("Ann").mention, "**Ann**"))
    spent = await table.bank("Ann")
    await table.passes(timedelta(minutes=59))
    assert await table.game.seq() == 3
    assert await table.bank("Ann") == spent - timedelta(minutes=59)
    await table.passes(timedelta(minutes=2))
    assert table.game.lines[-1] == f"`4` **Ann** passes. {TIME_UP_MARK}"
    await table.game.slash("Ann", "undo")
    await table.game.press("Ann", "Pass")
    assert "(time is up)" not in table.game.lines[-1]


async def test_an_undo_gives_back_no_time_and_charges_nobody_twice(sandbox: SandboxBot) -> None:
    """Ann has used two days, moves, and undoes it a day later: her clock continues, and Bob has lost nothing."""
    table = await Timed.opened(sandbox)
    await table.passes(2 * DAY)
    await table.game.press("Ann", "Pass")
    assert await table.bank("Ann") == 3 * DAY + 12 * HOUR
    await table.passes(DAY)
    await table.game.slash("Ann", "undo")
    assert await table.counted("Ann") == 2 * DAY
    assert await table.bank("Bob") == 5 * DAY
    await table.passes(DAY)
    await table.restarted(timedelta(minutes=1))
    await table.game.press("Ann", "Pass")
    assert await table.bank("Ann") == 2 * DAY + 12 * HOUR - timedelta(minutes=1)


async def test_a_company_is_run_and_pays_and_needs_no_train(sandbox: SandboxBot) -> None:
    """All steps that are left of the turn, each marked; the next turn is somebody else's."""
    text = (GOLDEN / "18chesapeake-bankruptcy-3p.json").read_text("utf-8")
    run = next(n for n, one in enumerate(read_record(text).actions) if isinstance(one, RunRoutes))
    table = await Timed.opened(sandbox, at_zero="pass", game=await seated_at(sandbox, first_moves(text, run)))
    await table.passes(6 * DAY)
    made = [line.split("\n")[0] for line in table.game.lines if TIME_UP_MARK in line]
    assert made == [
        f"`54` **PLE** (Cy) runs for $50: 2-train Charleroi & Connellsville-A3 (B4-A3) 10+40=50. {TIME_UP_MARK}",
        f"`55` **PLE** pays out $50, $5 a share: Ann $5, Bob $10, Cy $15. Share price $75 → $80. {TIME_UP_MARK}",
        f"`56` **PLE** declines trains. {TIME_UP_MARK}",
    ]


async def test_where_only_the_player_can_continue_nothing_is_done_and_the_thread_says_so(
    sandbox: SandboxBot,
) -> None:
    """A president who can do nothing but give up."""
    table = await Timed.opened(sandbox, at_zero="pass", game=await ruined(sandbox))
    before = await table.game.digest()
    await table.passes(6 * DAY)
    assert await table.game.digest() == before
    assert table.lines_with("What is due is no move that is made for anybody") == 1
    await table.passes(6 * DAY)
    assert table.lines_with("What is due is no move that is made for anybody") == 1


async def test_of_two_at_one_offer_the_one_who_is_asked_refuses_when_their_time_is_up(
    sandbox: SandboxBot,
) -> None:
    """Cy asks, Ann has to answer: Cy's clock stands, and runs on in a turn of its own."""
    text = (GOLDEN / "18tn-bankruptcy-3p.json").read_text("utf-8")
    game = await seated_at(sandbox, first_moves(text, SALE))
    table = await Timed.opened(sandbox, at_zero="pass", game=game)
    there = await table.there()
    assert [turn.player_id for turn in there.running] == ["p1"]
    await table.passes(6 * DAY)
    assert any("refuses" in line and TIME_UP_MARK in line for line in game.lines)
    there = await table.there()
    assert [turn.player_id for turn in there.running] == ["p3"]
    assert await table.counted("Cy") == timedelta()


async def test_a_moderator_gives_more_time_in_the_middle(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, bank="3 days", at_zero="pass")
    await table.passes(3 * DAY)
    await table.game.slash("Ann", "mod settings", setting="bank", value="10 days")
    await table.passes(3 * DAY)
    assert table.lines_with(TIME_UP_MARK) == 0
    await table.game.slash("Ann", "mod settings", setting="bank", value="none")
    await table.passes(30 * DAY)
    assert table.lines_with(TIME_UP_MARK) == 0


async def test_what_is_chosen_when_time_is_up_holds_for_that_turn_too(sandbox: SandboxBot) -> None:
    """More time is up again, and is posted again; what is to be done then is done."""
    table = await Timed.opened(sandbox, bank="3 days", at_zero="moderator")
    await table.passes(4 * DAY)
    await table.game.slash("Ann", "mod settings", setting="bank", value="5 days")
    await table.look()
    assert table.lines_with("time is up") == 1
    await table.passes(2 * DAY)
    assert table.lines_with("time is up") == 2
    await table.game.slash("Ann", "mod settings", setting="at_zero", value="pass")
    await table.look()
    assert table.lines_with(TIME_UP_MARK) == 1


async def test_what_is_no_bank_is_refused_with_what_may_be_chosen(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    answer = (await game.slash("Ann", "mod settings", setting="bank", value="30 minutes")).text
    assert "is no value of bank. It may be **none** or " in answer
    assert answer.endswith("or another number of hours, days or weeks, such as `36 hours`.")
    answer = (await game.slash("Ann", "mod settings", setting="bank", value="36 hours")).text
    assert "1 day 12 hours for each player" in answer


async def test_whoever_takes_a_seat_over_has_a_whole_bank(sandbox: SandboxBot) -> None:
    """What was used before, in this turn and in others, was used by somebody else."""
    table = await Timed.opened(sandbox)
    await table.passes(2 * DAY)
    for name in ("Ann", "Bob", "Cy"):
        await table.game.press(name, "Pass")
    await table.passes(4 * DAY)
    assert await table.bank("Ann") == timedelta()
    assert table.lines_with("**Ann**'s time is up") == 1
    await table.game.slash("Ann", "game replace", newcomer=sandbox.person("Dee").id)
    question = next(m for m in table.game.messages if m.content.startswith("Proposal 1:"))
    await table.game.press("Dee", "Agree", question)
    await table.look()
    assert await table.bank("Ann") == 5 * DAY
    await table.passes(DAY)
    assert await table.counted("Ann") == DAY
    await table.passes(5 * DAY)
    assert table.lines_with("**Dee**'s time is up") == 1


async def test_a_turn_that_ended_with_the_last_move_before_a_seat_changed_hands_is_not_the_newcomers(
    sandbox: SandboxBot,
) -> None:
    table = await Timed.opened(sandbox)
    await table.passes(2 * DAY)
    await table.game.press("Ann", "Pass")
    assert await table.bank("Ann") == 3 * DAY + 12 * HOUR
    await table.game.slash("Ann", "game replace", newcomer=sandbox.person("Dee").id)
    question = next(m for m in table.game.messages if m.content.startswith("Proposal 1:"))
    await table.game.press("Dee", "Agree", question)
    assert await table.bank("Ann") == 5 * DAY


async def test_whoever_takes_a_seat_over_in_a_turn_has_their_own_quiet_hours_in_it(
    sandbox: SandboxBot,
) -> None:
    table = await Timed.opened(sandbox)
    for key, value in (("quiet_from", "22:00"), ("quiet_to", "08:00")):
        await PEOPLE.put(sandbox.db, sandbox.person("Dee").id, key, value)
    await table.game.slash("Ann", "game replace", newcomer=sandbox.person("Dee").id)
    question = next(m for m in table.game.messages if m.content.startswith("Proposal 1:"))
    await table.game.press("Dee", "Agree", question)
    await table.look()
    await table.passes(DAY)
    assert await table.counted("Ann") == 14 * HOUR


async def test_a_bank_that_is_given_up_and_chosen_again_begins_with_the_turn_of_then(
    sandbox: SandboxBot,
) -> None:
    """Nothing that happened between counts for anybody, also who acts meanwhile."""
    table = await Timed.opened(sandbox)
    await table.passes(DAY)
    await table.game.slash("Ann", "mod settings", setting="bank", value="none")
    await table.passes(DAY)
    await table.game.press("Ann", "Pass")
    await table.passes(30 * DAY)
    await table.game.slash("Ann", "mod settings", setting="bank", value="5 days")
    await table.look()
    assert (await table.bank("Ann"), await table.bank("Bob")) == (5 * DAY, 5 * DAY)
    await table.passes(HOUR)
    assert await table.counted("Bob") == HOUR


async def test_an_order_that_waits_for_a_pass_made_so_follows_it_at_once(sandbox: SandboxBot) -> None:
    """Ann's time is up in a stock round; Bob has ordered to pass it: one move is marked so, the other automatic."""
    table = await Timed.opened(sandbox, at_zero="pass", game=await seated_at(sandbox, played_to("buy_share")))
    first = actor_of(table.game)
    second = NAMES[(NAMES.index(first) + 1) % 3]
    await table.game.slash(second, "orders pass", until="over")
    await table.passes(6 * DAY)
    one, other = table.game.moves[-2:]
    assert f"**{first}** passes. {TIME_UP_MARK}" in one
    assert f"**{second}** passes. *(automatic)*" in other
    found = await orders.automatic_moves(sandbox.db, table.game.number)
    assert sorted(found.values(), key=str) == [orders.TIME_UP, 1]
    there = await table.there()
    assert [turn.player_id for turn in there.running] == [PLAYERS[NAMES[(NAMES.index(first) + 2) % 3]]]
    await table.game.slash(first, "undo")
    await table.passes(timedelta(minutes=59))
    assert actor_of(table.game) == first
    await table.game.slash(first, "redo")
    assert [line.endswith(TIME_UP_MARK) for line in table.game.moves[-2:]] == [True, False]
    assert f"**{first}** redoes" in table.game.moves[-1]


async def test_an_order_that_waits_since_an_undo_is_not_done_because_time_is_up(sandbox: SandboxBot) -> None:
    """It waits for a word of its owner; the bot buys nothing for anybody."""
    table = await Timed.opened(sandbox, at_zero="pass", game=await seated_at(sandbox, played_to("buy_share")))
    first, stood = actor_of(table.game), await table.game.seq()
    await table.game.slash(first, "orders buy", company="SRR", source="offering")
    assert "SRR" in table.game.moves[-1]
    await moderator_undo(sandbox.client.tables, table.game.number, MODERATOR, stood, await table.game.seq())
    await table.passes(6 * DAY)
    assert f"**{first}** passes. {TIME_UP_MARK}" in table.game.moves[-1]


async def test_who_has_the_next_turn_as_well_has_the_free_time_of_a_turn_for_it(sandbox: SandboxBot) -> None:
    """The bot moves in the last turn of an operating round, and the same company begins the next round."""
    text = (GOLDEN / "18chesapeake-bankruptcy-3p.json").read_text("utf-8")
    table = await Timed.opened(
        sandbox, at_zero="pass", game=await seated_at(sandbox, first_moves(text, LAST_OF_ROUND))
    )
    await table.passes(6 * DAY)
    made = await table.game.seq()
    assert TIME_UP_MARK in table.game.moves[-2]
    await table.passes(11 * HOUR)
    assert await table.game.seq() == made
    await table.passes(2 * HOUR)
    assert await table.game.seq() > made


async def test_what_was_ordered_is_done_with_a_run_also_where_time_is_up_before_it(
    sandbox: SandboxBot,
) -> None:
    """Cy has ordered to keep what the company runs, and lays no track in time: nothing is paid against the order."""
    text = (GOLDEN / "18chesapeake-bankruptcy-3p.json").read_text("utf-8")
    run = next(n for n, one in enumerate(read_record(text).actions) if isinstance(one, RunRoutes))
    table = await Timed.opened(
        sandbox, at_zero="pass", game=await seated_at(sandbox, first_moves(text, run - 1))
    )
    await table.game.slash("Cy", "orders run", company="PLE", dividend="withhold")
    await table.passes(6 * DAY)
    track, ran, kept, trains = table.game.moves[-4:]
    assert [TIME_UP_MARK in line for line in (track, ran, kept, trains)] == [True, False, False, True]
    assert "runs for $50" in ran
    assert "withholds" in kept
    made = (await log.read(sandbox.db, table.game.number))[-4:]
    assert [row.user_id for row in made] == [None, sandbox.person("Cy").id, sandbox.person("Cy").id, None]
    assert set((await orders.automatic_moves(sandbox.db, table.game.number)).values()) == {orders.TIME_UP, 1}


async def test_what_is_due_after_automatic_moves_is_posted_with_them_and_once(sandbox: SandboxBot) -> None:
    """A company passes its track and its station; then it must buy a train, which nobody does for its president."""
    text = (GOLDEN / "18chesapeake-bankruptcy-3p.json").read_text("utf-8")
    table = await Timed.opened(
        sandbox, at_zero="pass", game=await seated_at(sandbox, first_moves(text, MUST_BUY))
    )
    await table.passes(6 * DAY)
    (*_, track, station), last = table.game.moves, table.game.lines[-1]
    assert [TIME_UP_MARK in line for line in (track, station, last)] == [True, True, False]
    assert "**Cy**'s time is up" in last
    assert "What is due is no move that is made for anybody" in last
    _, pinged = await pings.of_game(sandbox.db, table.game.number)
    assert [one.player_id for one in pinged] == ["p3"], "who has done nothing, and stays pinged"
    await table.restarted(timedelta(minutes=1))
    await table.passes(9 * DAY)
    assert table.game.lines[-1] == last
    there = await table.there()
    assert [turn.player_id for turn in there.running] == ["p3"]
    await table.game.slash("Cy", "undo")
    assert "undoes" in table.game.moves[-1]
    await table.look()
    assert "undoes" in table.game.moves[-1]
    assert table.game.lines.count(last) == 1


async def test_a_table_that_agrees_on_a_bank_in_its_lobby_begins_with_it(sandbox: SandboxBot) -> None:
    """The first turn message says what there is; the first turn is kept from the next look on."""
    ann = sandbox.person("Ann")
    await ann.slash("table", "game new", title="18chesapeake")
    await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    await ann.slash("table", "game settings", setting="bank", value="36 hours")
    await ann.slash("table", "game settings", setting="grace", value="1 hour")
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
    (turn,) = (await table.there()).running
    assert turn.since == table.now.isoformat(timespec="milliseconds")
