"""The acting player is pinged once, after a while to act unasked, and nobody else is."""

import asyncio
from datetime import timedelta

import pytest

from bot.client.features.pings import ping_due_users
from bot.sandbox.guild.seed import GUILD_ID, PLAYERS_ROLE_OFFSET
from bot.sandbox.model import Message
from bot.table.settings.server_settings import choose_moderator_role
from storage import pings
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated
from tests.bot.support.waiting import Clock, chosen, direct_messages, handed_over

pytestmark = pytest.mark.usefixtures("absent_players")
ALL = ("Ann", "Bob", "Cy")
GROUP = "The group plays this seat"


def rung(game: Seated, *names: str) -> tuple[int, ...]:
    return tuple(game.pings(name) for name in names)


def turns(game: Seated) -> list[Message]:
    """The messages with buttons."""
    return [message for message in game.messages if message.buttons]


async def agreed(game: Seated, name: str) -> None:
    """Somebody agrees to what was proposed last."""
    asked = next(m for m in reversed(game.messages) if any(b.label == "Agree" for b in m.buttons))
    await game.press(name, "Agree", asked)


async def held_up(patient: SandboxBot, clock: Clock, game: Seated) -> None:
    """Bob is to be pinged, and the thread takes no post."""
    patient.server.faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=403, times=1000)
    clock.now += timedelta(minutes=1)
    await ping_due_users(patient.client)
    await patient.learns(lambda: patient.client.delivery_problems.problem_of(game.number) is not None)


async def taken_again(patient: SandboxBot, game: Seated) -> None:
    """The thread takes posts again."""
    patient.server.faults.clear()
    patient.client.sender.wake(game.number)
    await patient.settled()


# --- who, and when ---------------------------------------------------------------------------------------------------


async def test_acting_player_is_pinged_once(patient: SandboxBot) -> None:
    """The message before has their buttons at once, makes no sound, and gives way to the one that pings."""
    clock, game = await handed_over(patient)
    quiet = game.turn
    assert (rung(game, *ALL), quiet.content[:7], quiet.pinged) == ((0, 0, 0), "**Bob**", [])
    await clock.on(seconds=29)
    assert game.pings("Bob") == 0
    await clock.on(seconds=1)
    assert game.turn.pinged == [patient.person("Bob").id]
    assert game.turn.content.startswith(patient.person("Bob").mention)
    assert (turns(game), game.turn.id != quiet.id) == ([game.turn], True)
    for _ in range(3):
        await clock.on(minutes=1)
    assert rung(game, *ALL) == (0, 1, 0)


async def test_player_who_acts_in_time_is_not_pinged(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    await clock.on(seconds=20)
    await game.press("Bob", "Pass")
    await clock.on(seconds=20)
    assert rung(game, "Bob", "Cy") == (0, 0)
    await clock.on(seconds=10)
    assert rung(game, *ALL) == (0, 0, 1)


async def test_undo_takes_the_ping_away(patient: SandboxBot) -> None:
    """Nobody is pinged for it, not even who undid the move: they know. The next hand-over pings again."""
    clock, game = await handed_over(patient)
    await clock.on(seconds=20)
    await game.slash("Ann", "undo")
    await clock.on(hours=11)
    assert rung(game, *ALL) == (0, 0, 0)
    for count in (1, 2):
        await game.press("Ann", "Pass")
        await clock.on(seconds=30)
        assert rung(game, *ALL) == (0, count, 0)
        await game.slash("Ann", "undo")
        assert not any(patient.person("Bob").mention in message.content for message in turns(game))
        await clock.on(seconds=60)
        assert rung(game, "Ann", "Bob") == (0, count)


async def test_nobody_is_pinged_in_a_pause(patient: SandboxBot) -> None:
    """Nor where it begins between the ping and its post; its end pings, and also who was pinged before."""
    clock, game = await handed_over(patient)
    await held_up(patient, clock, game)
    for count in (1, 2):
        await patient.person("Ann").slash(game.thread, "mod pause", days=1)
        await taken_again(patient, game)
        await clock.on(hours=20)
        assert rung(game, "Bob") == (count - 1,)
        await game.slash("Ann", "mod resume")
        await clock.on(seconds=30)
        assert rung(game, "Bob") == (count,)


async def test_who_plays_the_seat_is_pinged(patient: SandboxBot) -> None:
    """A substitute and not the holder; then who takes the seat over. The turn message says whose it is."""
    clock, game = await handed_over(patient)
    dee = patient.person("Dee").id
    await game.slash("Bob", "game substitute", who=dee, days=5)
    await clock.on(seconds=30)
    assert rung(game, "Bob", "Dee") == (0, 1)
    assert "your turn" in (await game.slash("Dee", "mine")).text
    await game.slash("Bob", "game back")
    await clock.on(seconds=30)
    assert rung(game, "Bob", "Dee") == (1, 1)
    assert "You have no games" in (await game.slash("Dee", "mine")).text
    await patient.person("Dee").slash(TABLE, "pings", how="direct")
    await game.slash("Bob", "game substitute", who=dee)
    await clock.on(seconds=30)
    assert game.turn_text.startswith("**Bob**"), "who is not mentioned any more"
    await game.slash("Bob", "game replace", newcomer=dee)
    before = rung(game, "Dee")
    await agreed(game, "Dee")
    await clock.on(seconds=30)
    assert game.turn_text.startswith("**Dee**")
    assert (rung(game, "Bob"), rung(game, "Dee")) == ((1,), before)
    assert len(direct_messages(patient, "Dee")) == 1


async def test_group_is_pinged_for_its_seat(patient: SandboxBot) -> None:
    """By a message, too, which says so; and reminded, even if one of them is away."""
    clock, game = Clock(patient), await patient.game()
    await patient.person("Bob").slash(TABLE, "pings", how="both")
    await game.slash("Bob", "game agreement", player="p1")
    ann, bob, cy = rung(game, *ALL)
    await agreed(game, "Cy")
    await clock.on(seconds=30)
    assert rung(game, *ALL) == (ann, bob + 1, cy + 1)
    assert GROUP in direct_messages(patient, "Bob")[-1].content
    assert GROUP in game.turn.content
    await game.slash("Cy", "away", until="30 days")
    await clock.on(hours=12)
    assert rung(game, *ALL) == (ann, bob + 2, cy + 1)
    await game.slash("Ann", "game back")
    await clock.on(seconds=30)
    assert GROUP not in game.turn.content


async def test_quiet_server_pings_without_a_sound(patient: SandboxBot) -> None:
    clock = Clock(patient)
    await patient.person("Ann").slash(TABLE, "setup", pings="quiet")
    game = await patient.game()
    await clock.on(seconds=30)
    assert game.turn.content.startswith(patient.person("Ann").mention)
    assert rung(game, "Ann") == (0,)


# --- reminders -------------------------------------------------------------------------------------------------------


async def pinged(sandbox: SandboxBot) -> tuple[Clock, Seated]:
    """A game in which Bob was pinged."""
    clock, game = await handed_over(sandbox)
    await clock.on(seconds=30)
    assert rung(game, "Bob") == (1,)
    return clock, game


def warned(game: Seated) -> list[Message]:
    return [m for m in game.messages if "This game has waited for **Bob**" in m.content]


async def test_reminders_come_after_growing_gaps(patient: SandboxBot) -> None:
    """One after an outage of days; then the moderators are notified once, by their role."""
    role = GUILD_ID + PLAYERS_ROLE_OFFSET
    patient.world.guilds[GUILD_ID].roles[role].mentionable = True
    await choose_moderator_role(patient.db, GUILD_ID, role)
    clock, game = await pinged(patient)
    await clock.on(hours=11)
    assert rung(game, "Bob") == (1,)
    await clock.restart(days=4)
    for hours, count in ((23, 2), (1, 3), (47, 3), (1, 4), (47, 4)):
        await clock.on(hours=hours)
        assert rung(game, "Bob") == (count,)
    assert "Reminder 3" in game.turn.content
    assert warned(game) == []
    await clock.on(hours=1)
    await clock.restart(hours=500)
    assert rung(game, *ALL) == (1, 5, 1), "all of them have that role"
    [message] = warned(game)
    assert (message.mention_roles, "/game replace" in message.content) == ([role], True)


async def test_reminders_end_with_the_move(patient: SandboxBot) -> None:
    """And with *Mute*, for those who were pinged alone, until they have acted."""
    clock, game = await pinged(patient)
    await clock.on(hours=12)
    assert "is not waiting for you" in (await game.press("Cy", "Mute for this turn")).text
    assert "no more reminders" in (await game.press("Bob", "Mute for this turn")).text
    await clock.on(hours=48)
    assert rung(game, "Bob") == (2,)
    for name in ("Bob", "Cy", "Ann"):
        await game.press(name, "Pass")
    await clock.on(seconds=30)
    await clock.on(hours=12)
    assert rung(game, "Bob") == (4,)
    await game.press("Bob", "Pass")
    await clock.on(hours=30)
    assert (rung(game, "Bob"), "Reminder" in game.lines[-1]) == ((4,), False)


async def test_table_sets_the_pace_of_reminders(patient: SandboxBot) -> None:
    clock, game = await pinged(patient)
    for pace, hours, count in (("slow", 23, 1), ("slow", 1, 2), ("none", 500, 2), ("usual", 1, 3)):
        await game.slash("Ann", "mod settings", setting="reminders", value=pace)
        await clock.on(hours=hours)
        assert (rung(game, "Bob"), warned(game)) == ((count,), [])


# --- what goes wrong -------------------------------------------------------------------------------------------------


async def test_restart_neither_loses_nor_doubles_a_ping(patient: SandboxBot) -> None:
    """After an outage of hours everybody who is due is pinged once."""
    clock, game = await handed_over(patient)
    for seconds, count in ((10, 0), (20, 1), (60, 1)):
        await clock.restart(seconds=seconds)
        assert rung(game, "Bob") == (count,)
    others = [await patient.game() for _ in range(2)]
    for other in others:
        await other.press("Ann", "Pass")
    await clock.restart(hours=6)
    await clock.on(minutes=5)
    assert [rung(other, *ALL) for other in others] == [(0, 1, 0)] * 2


async def test_outage_of_discord_leads_to_one_ping(patient: SandboxBot) -> None:
    await chosen(patient, "Bob", how="both")
    (clock, game), breaker = await handed_over(patient), patient.client.breaker
    breaker.record_block("this address is blocked", 10**6)
    for span, count in ((13, 0), (1, 1), (1, 1)):
        await clock.on(hours=span)
        assert (rung(game, "Bob"), len(direct_messages(patient, "Bob"))) == ((count,), count)
        breaker.record_success(was_write=True)


async def test_posted_ping_is_not_posted_twice(patient: SandboxBot) -> None:
    """The process died when Discord had the message, before it noted that Bob was pinged."""
    clock, game = await handed_over(patient)
    async with clock.dying_before(pings, "mark_pinged"):
        clock.now += timedelta(minutes=1)
        await ping_due_users(patient.client)
        assert await patient.world.wait_until(lambda: rung(game, "Bob") == (1,), timeout=20)
        await asyncio.sleep(0.05)
    assert (rung(game, "Bob"), turns(game)) == ((1,), [game.turn])
