"""Reminders come after growing gaps, of time awake; they stop with the move, and moderators are then notified once."""

from datetime import UTC, datetime

from bot.sandbox.guild.seed import GUILD_ID
from bot.table.settings.person_settings import AWAY
from bot.table.settings.server_settings import choose_moderator_role
from storage import PEOPLE
from tests.bot.pings.test_pings_direct import chosen
from tests.bot.sandbox.guild import send_away
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.waiting import Clock, handed_over


async def waiting(sandbox: SandboxBot) -> tuple[Clock, Seated]:
    """A game in which Bob was pinged."""
    clock, game = await handed_over(sandbox)
    await clock.on(seconds=30)
    assert game.pings("Bob") == 1
    return clock, game


def warned(game: Seated) -> list[str]:
    return [line for line in game.lines if "This game has waited for **Bob**" in line]


async def test_reminders_come_after_growing_gaps(patient: SandboxBot) -> None:
    """Then the moderators are notified once, by their role."""
    moderators = next(
        role for guild in patient.world.guilds.values() for role in guild.roles if role != guild.id
    )
    await choose_moderator_role(patient.db, GUILD_ID, moderators)
    clock, game = await waiting(patient)
    for hours, rung in ((11, 1), (1, 2), (23, 2), (1, 3), (47, 3), (1, 4), (47, 4)):
        await clock.on(hours=hours)
        assert game.pings("Bob") == rung
    assert "Reminder 3" in game.turn.content
    assert warned(game) == []
    await clock.on(hours=1)
    await clock.restart(hours=500)
    assert [game.pings(name) for name in ("Ann", "Bob", "Cy")] == [0, 4, 0]
    [line] = warned(game)
    assert f"<@&{moderators}>" in line
    assert "/game replace" in line


async def test_who_wants_no_reminders_gets_none(patient: SandboxBot) -> None:
    """The moderators are notified all the same."""
    await chosen(patient, "Bob", reminders="off")
    clock, game = await waiting(patient)
    for hours in (12, 24, 48, 48):
        await clock.on(hours=hours)
    assert (game.pings("Bob"), len(warned(game))) == (1, 1)


async def test_reminders_end_with_the_move(patient: SandboxBot) -> None:
    """And with *Mute*, for those who were pinged alone, until they have acted."""
    clock, game = await waiting(patient)
    await clock.on(hours=12)
    assert "is not waiting for you" in (await game.press("Cy", "Mute for this turn")).text
    await clock.on(hours=24)
    assert game.pings("Bob") == 3
    assert "no more reminders" in (await game.press("Bob", "Mute for this turn")).text
    await clock.on(hours=48)
    assert game.pings("Bob") == 3
    for name in ("Bob", "Cy", "Ann"):
        await game.press(name, "Pass")
    await clock.on(seconds=30)
    assert game.pings("Bob") == 4
    await game.press("Bob", "Pass")
    await clock.on(hours=30)
    assert game.pings("Bob") == 4
    assert "Reminder" not in game.lines[-1]


async def test_outage_of_days_leads_to_one_reminder(patient: SandboxBot) -> None:
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
    await patient.stop()
    clock.now = datetime(2026, 1, 8, 23, tzinfo=UTC)
    await patient.start()
    await clock.on(minutes=1)
    assert game.pings("Bob") == 2, "an outage ends at night"
    await clock.until(datetime(2026, 1, 9, 7, tzinfo=UTC))
    assert game.pings("Bob") == 3


async def test_table_sets_the_pace_of_reminders(patient: SandboxBot) -> None:
    clock, game = await waiting(patient)
    for pace, hours, rung in (("slow", 23, 1), ("slow", 1, 2), ("none", 500, 2), ("usual", 1, 3)):
        await game.slash("Ann", "mod settings", setting="reminders", value=pace)
        await clock.on(hours=hours)
        assert (game.pings("Bob"), warned(game)) == (rung, [])


async def test_nobody_is_pinged_while_away(patient: SandboxBot) -> None:
    clock, game = Clock(patient), await patient.game()
    await PEOPLE.put(patient.db, patient.person("Bob").id, AWAY, "2026-01-10T12:00:00.000+00:00")
    await game.press("Ann", "Pass")
    await clock.on(days=4)
    assert (game.pings("Bob"), warned(game)) == (0, [])
    await clock.until(datetime(2026, 1, 10, 12, tzinfo=UTC))
    assert game.pings("Bob") == 1


async def test_reminder_waits_for_the_end_of_a_pause(patient: SandboxBot) -> None:
    """Then its time counts again."""
    clock, game = await waiting(patient)
    await game.slash("Cy", "game pause", days=2)
    await clock.on(hours=30)
    await game.slash("Cy", "game resume")
    await clock.on(seconds=30)
    assert game.pings("Bob") == 2
    await clock.on(hours=11)
    assert game.pings("Bob") == 2


async def test_departed_player_is_noticed_at_a_reminder(patient: SandboxBot) -> None:
    clock, game = await waiting(patient)
    send_away(patient.world, patient.person("Bob").id)
    for _ in range(2):
        await clock.on(hours=12)
    assert sum("**Bob** has left this server" in line for line in game.lines) == 1
