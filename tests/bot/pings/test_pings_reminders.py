"""Reminders come after growing gaps, of time awake; they stop with the move, and moderators are then notified once."""

from datetime import UTC, datetime

from bot.sandbox.guild.seed import GUILD_ID
from bot.table.settings.person_settings import AWAY
from bot.table.settings.server_settings import choose_moderator_role
from bot.table.votes.pauses import begin_pause, end_pause
from storage import GAMES, PEOPLE
from tests.bot.pings.test_pings_direct import chosen
from tests.bot.sandbox.guild import send_away
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.waiting import Clock, direct_messages, handed_over

WARNING = "This game has waited for **Bob**"


async def waiting(sandbox: SandboxBot) -> tuple[Clock, Seated]:
    """A game in which Bob was pinged."""
    clock, game = await handed_over(sandbox)
    await clock.on(seconds=30)
    assert game.pings("Bob") == 1
    return clock, game


def warned(game: Seated) -> int:
    """How often the moderators were notified."""
    return sum(WARNING in line for line in game.lines)


async def test_reminders_come_after_growing_gaps_and_then_the_moderators_are_notified_once(
    patient: SandboxBot,
) -> None:
    clock, game = await waiting(patient)
    for hours, rung in ((11, 1), (1, 2), (23, 2), (1, 3), (47, 3), (1, 4), (47, 4)):
        await clock.on(hours=hours)
        assert game.pings("Bob") == rung
    assert "Reminder 3" in game.turn.content
    assert warned(game) == 0
    await clock.on(hours=1)
    assert (warned(game), game.pings("Bob")) == (1, 4)
    await clock.restart(hours=500)
    assert (warned(game), game.pings("Bob")) == (1, 4)
    assert (game.pings("Ann"), game.pings("Cy")) == (0, 0)


async def test_reminders_end_when_the_person_acts(patient: SandboxBot) -> None:
    clock, game = await waiting(patient)
    await clock.on(hours=12)
    await game.press("Bob", "Pass")
    await clock.on(hours=30)
    assert game.pings("Bob") == 2
    assert "Reminder" not in game.lines[-1]


async def test_the_role_of_moderators_is_pinged(patient: SandboxBot) -> None:
    moderators = next(
        ident for guild in patient.world.guilds.values() for ident in guild.roles if ident != guild.id
    )
    await choose_moderator_role(patient.db, GUILD_ID, moderators)
    clock, game = await waiting(patient)
    for hours in (12, 24, 48, 48):
        await clock.on(hours=hours)
    assert any(f"<@&{moderators}>" in line and "/game replace" in line for line in game.lines)


async def test_an_outage_of_days_leads_to_one_reminder_not_to_all_that_were_missed(
    patient: SandboxBot,
) -> None:
    clock, game = await waiting(patient)
    await clock.restart(days=4)
    assert game.pings("Bob") == 2
    await clock.on(hours=23)
    assert game.pings("Bob") == 2
    await clock.on(hours=1)
    assert game.pings("Bob") == 3


async def test_only_time_awake_counts_for_a_reminder(patient: SandboxBot) -> None:
    """From noon on, and awake for ten hours until ten in the evening: two are left in the morning."""
    await chosen(patient, "Bob", quiet_from="22:00", quiet_to="7:00")
    clock, game = await waiting(patient)
    await clock.until(datetime(2026, 1, 6, 8, 59, tzinfo=UTC))
    assert game.pings("Bob") == 1
    await clock.until(datetime(2026, 1, 6, 9, 1, tzinfo=UTC))
    assert game.pings("Bob") == 2


async def test_a_table_may_want_no_reminders_or_slow_ones(patient: SandboxBot) -> None:
    clock, game = await waiting(patient)
    await GAMES.put(patient.db, game.number, "reminders", "slow")
    await clock.on(hours=23)
    assert game.pings("Bob") == 1
    await clock.on(hours=1)
    assert game.pings("Bob") == 2
    await GAMES.put(patient.db, game.number, "reminders", "none")
    await clock.on(hours=500)
    assert (game.pings("Bob"), warned(game)) == (2, 0)


async def test_who_has_been_pinged_is_reminded_as_soon_as_the_table_wants_it(patient: SandboxBot) -> None:
    clock, game = await waiting(patient)
    await game.slash("Ann", "mod settings", setting="reminders", value="none")
    await clock.on(hours=20)
    assert game.pings("Bob") == 1
    await game.slash("Ann", "mod settings", setting="reminders", value="usual")
    await clock.on(seconds=5)
    assert game.pings("Bob") == 2


async def test_who_wants_no_reminders_gets_none_and_the_moderators_are_notified_all_the_same(
    patient: SandboxBot,
) -> None:
    await chosen(patient, "Bob", reminders="off")
    clock, game = await waiting(patient)
    for hours in (12, 24, 48, 48):
        await clock.on(hours=hours)
    assert (game.pings("Bob"), warned(game)) == (1, 1)


async def test_who_has_muted_a_game_is_not_reminded_until_they_have_acted(patient: SandboxBot) -> None:
    clock, game = await waiting(patient)
    await clock.on(hours=12)
    assert "not reminded" in (await game.press("Bob", "Mute for this turn")).text
    await clock.on(hours=24)
    assert game.pings("Bob") == 2
    for name in ("Bob", "Cy", "Ann"):
        await game.press(name, "Pass")
    await clock.on(seconds=30)
    assert game.pings("Bob") == 3


async def test_a_message_has_a_button_that_mutes_the_game(patient: SandboxBot) -> None:
    await chosen(patient, "Bob", how="direct")
    clock, _ = await handed_over(patient)
    await clock.on(seconds=30)
    bob = patient.person("Bob")
    pressed = await bob.press(direct_messages(patient, "Bob")[0], "Mute for this turn")
    assert await patient.hears(pressed, "not reminded")
    await clock.on(hours=40)
    assert len(direct_messages(patient, "Bob")) == 1


async def test_nobody_but_who_was_pinged_mutes_anything(patient: SandboxBot) -> None:
    clock, game = await waiting(patient)
    await clock.on(hours=12)
    assert "You have no pending pings" in (await game.press("Cy", "Mute for this turn")).text
    await clock.on(hours=24)
    assert game.pings("Bob") == 3


async def test_nobody_is_pinged_or_reminded_while_away(patient: SandboxBot) -> None:
    clock, game = Clock(patient), await patient.game()
    await PEOPLE.put(patient.db, patient.person("Bob").id, AWAY, "2026-01-10T12:00:00.000+00:00")
    await game.press("Ann", "Pass")
    await clock.on(days=4)
    assert (game.pings("Bob"), warned(game)) == (0, 0)
    await clock.until(datetime(2026, 1, 10, 12, tzinfo=UTC))
    assert game.pings("Bob") == 1


async def test_after_an_outage_that_ends_at_night_the_reminder_comes_in_the_morning(
    patient: SandboxBot,
) -> None:
    await chosen(patient, "Bob", quiet_from="22:00", quiet_to="7:00")
    clock, game = await waiting(patient)
    await patient.stop()
    clock.now = datetime(2026, 1, 7, 23, tzinfo=UTC)
    await patient.start()
    await clock.on(minutes=1)
    assert game.pings("Bob") == 1
    await clock.until(datetime(2026, 1, 8, 7, tzinfo=UTC))
    assert game.pings("Bob") == 2


async def test_a_reminder_waits_for_the_end_of_a_pause_and_counts_again(patient: SandboxBot) -> None:
    clock, game = await waiting(patient)
    await begin_pause(patient.client.tables, game.number, patient.person("Cy").id, None)
    await clock.on(hours=30)
    await end_pause(patient.client.tables, game.number, patient.person("Cy").id)
    await clock.on(seconds=30)
    assert game.pings("Bob") == 2
    await clock.on(hours=11)
    assert game.pings("Bob") == 2


async def test_who_leaves_the_server_in_their_turn_is_noticed_when_they_are_reminded(
    patient: SandboxBot,
) -> None:
    clock, game = await handed_over(patient)
    await clock.on(seconds=30)
    send_away(patient.world, patient.person("Bob").id)
    for _ in range(2):
        await clock.on(hours=12)
    assert sum("**Bob** has left this server" in line for line in game.lines) == 1
