"""A stale direct message is deleted: users find only what waits for them."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot.client.anonymise_user import anonymise
from bot.client.features.pings import DIRECT_MESSAGES_CHECK, DUE_PINGS_CHECK, STALE_MESSAGES_CHECK
from bot.sandbox.model import Message
from bot.table.moves.moves import TypedMove
from bot.table.votes.acting_as import moderator_move
from storage import direct_messages as stored
from tests.bot.support.positions import actor_of, played_to, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.waiting import Clock, chosen, direct_messages, handed_over


async def pinged_directly(sandbox: SandboxBot) -> tuple[Clock, Seated, Message]:
    """Bob has been pinged by a direct message."""
    await chosen(sandbox, "Bob", how="direct")
    clock, game = await handed_over(sandbox)
    await clock.on(seconds=30)
    (letter,) = direct_messages(sandbox, "Bob")
    return clock, game, letter


def letters(sandbox: SandboxBot, *names: str) -> list[int]:
    return [len(direct_messages(sandbox, name)) for name in names]


async def test_message_goes_when_nothing_waits_any_more(patient: SandboxBot) -> None:
    """Its player has acted, or the turn was undone, or the game pauses; another comes afterwards."""
    clock, game, _ = await pinged_directly(patient)
    await clock.on(hours=1)
    assert letters(patient, "Bob") == [1]
    await game.slash("Ann", "undo")
    await clock.on(seconds=5)
    assert letters(patient, "Bob") == [0]
    await game.press("Ann", "Pass")
    await clock.on(seconds=30)
    assert letters(patient, "Bob") == [1]
    await game.slash("Ann", "game pause", days=2)
    await clock.on(seconds=5)
    assert letters(patient, "Bob") == [0]
    await game.slash("Ann", "game resume")
    await clock.on(seconds=30)
    assert letters(patient, "Bob") == [1]
    await game.press("Bob", "Pass")
    await clock.restart(minutes=1)
    assert letters(patient, "Bob") == [0]


async def test_reminder_replaces_the_message_before(patient: SandboxBot) -> None:
    """Which stays while none can be sent; one that is muted stays until the move."""
    clock, _, first = await pinged_directly(patient)
    patient.server.faults.fail(f"POST /api/v10/channels/{first.channel_id}/messages", status=400, times=1000)
    await clock.on(hours=12)
    assert [letter.id for letter in direct_messages(patient, "Bob")] == [first.id]
    patient.server.faults.clear()
    await clock.on(minutes=10)
    (reminder,) = direct_messages(patient, "Bob")
    assert reminder.id != first.id
    assert "Reminder 1" in reminder.content
    pressed = await patient.person("Bob").press(reminder, "Mute for this turn")
    assert await patient.hears(pressed, "no more reminders")
    await clock.on(hours=40)
    assert [one.id for one in direct_messages(patient, "Bob")] == [reminder.id]


async def test_late_message_waits_for_the_morning(patient: SandboxBot) -> None:
    """A ping that Discord did not take before the quiet hours comes after them, not in the night."""
    await chosen(patient, "Bob", how="direct", quiet_from="13:00", quiet_to="20:00", zone="UTC")
    patient.server.faults.fail("POST /api/v10/users/@me/channels", status=400, times=1000)
    clock, _ = await handed_over(patient)
    await clock.on(seconds=30)
    patient.server.faults.clear()
    for minutes, sent in ((180, 0), (240, 0), (120, 1)):
        await clock.on(minutes=minutes)
        assert letters(patient, "Bob") == [sent]


async def test_message_about_two_games_waits_for_both(patient: SandboxBot) -> None:
    clock = Clock(patient)
    await chosen(patient, "Bob", how="direct")
    tables = [await patient.game() for _ in range(2)]
    for game in tables:
        await game.press("Ann", "Pass")
    await clock.on(seconds=30)
    for game, left in zip(tables, (1, 0), strict=True):
        await game.press("Bob", "Pass")
        await clock.on(seconds=5)
        assert letters(patient, "Bob") == [left]


async def test_message_goes_with_the_seat(patient: SandboxBot) -> None:
    """And with the account of a user who is anonymised."""
    clock, game, _ = await pinged_directly(patient)
    await chosen(patient, "Dee", how="direct")
    dee = patient.person("Dee").id
    for command, values, found in (
        ("game substitute", {"who": dee}, [0, 1]),
        ("game back", {}, [1, 0]),
        ("game substitute", {"who": dee}, [0, 1]),
    ):
        await game.slash("Bob", command, **values)
        await clock.on(seconds=30)
        assert letters(patient, "Bob", "Dee") == found
    await anonymise(patient.client, dee)
    assert letters(patient, "Dee") == [0]


async def test_message_stays_until_a_ping_in_the_thread(patient: SandboxBot) -> None:
    clock, game, letter = await pinged_directly(patient)
    await chosen(patient, "Bob", how="thread")
    await clock.on(hours=11)
    assert [one.id for one in direct_messages(patient, "Bob")] == [letter.id]
    await clock.on(hours=1)
    assert (letters(patient, "Bob"), game.pings("Bob")) == ([0], 1)


async def test_undeletable_message_is_deleted_later(patient: SandboxBot) -> None:
    """It keeps nobody waiting; the same turn given back has its own message, though the way to Discord failed."""
    clock, game, first = await pinged_directly(patient)
    patient.server.faults.fail(f"DELETE /api/v10/channels/{first.channel_id}", status=400)
    await game.slash("Ann", "undo")
    await clock.on(seconds=5)
    await game.press("Ann", "Pass")
    patient.server.faults.fail(f"POST /api/v10/channels/{first.channel_id}/messages", status=400)
    await clock.on(seconds=30)
    await clock.on(seconds=30)
    await clock.on(minutes=8)
    assert letters(patient, "Bob") == [2]
    await clock.on(minutes=2)
    (left,) = direct_messages(patient, "Bob")
    assert left.id != first.id


@pytest.mark.parametrize("dies", [True, False])
async def test_message_out_of_reach_is_forgotten(patient: SandboxBot, dies: bool) -> None:
    """The process died between deleting it and noting that, or Bob is not to be written to any more."""
    clock, game, letter = await pinged_directly(patient)
    await game.press("Bob", "Pass")
    if dies:
        async with clock.dying_before(stored, "mark_deleted", minutes=1):
            with pytest.raises(ConnectionError):
                await clock.on(seconds=5)
    else:
        patient.server.faults.fail(f"DELETE /api/v10/channels/{letter.channel_id}", code=50007)
        await clock.on(seconds=5)
    assert await stored.stale_messages(patient.db) == []


async def test_slow_deletion_delays_no_message(patient: SandboxBot) -> None:
    clock, game, letter = await pinged_directly(patient)
    await chosen(patient, "Cy", how="direct")
    await game.press("Bob", "Pass")
    clock.now += timedelta(seconds=30)
    await DUE_PINGS_CHECK.check(patient.client)
    patient.server.faults.hold_up(f"DELETE /api/v10/channels/{letter.channel_id}", 600.0)
    deleting = asyncio.ensure_future(STALE_MESSAGES_CHECK.check(patient.client))
    await patient.learns(lambda: patient.server.faults.served == 1)
    await DIRECT_MESSAGES_CHECK.check(patient.client)
    assert letters(patient, "Bob", "Cy") == [1, 1]
    deleting.cancel()
    await asyncio.wait({deleting})


@pytest.mark.parametrize("by", ["moderator", "holder"])
async def test_message_stays_after_a_part_of_the_move(patient: SandboxBot, by: str) -> None:
    """A moderator has laid a tile for a player, or the holder for whom somebody else plays."""
    game = await seated_at(patient, played_to("lay_tile"))
    clock, who = Clock(patient, datetime.now(UTC)), actor_of(game)
    await chosen(patient, "Dee", how="direct")
    await game.slash(who, "game substitute", who=patient.person("Dee").id)
    await clock.on(seconds=30)
    assert letters(patient, "Dee") == [1]
    tables, owner = patient.client.tables, patient.person(who).id
    async with tables.reading(game.number) as live:
        player, seq = live.game.actors()[0], live.seq
    if by == "holder":
        await tables.submit(game.number, owner, TypedMove("pass", {}))
    else:
        await moderator_move(tables, game.number, player, owner, TypedMove("pass", {}), seq)
    async with tables.reading(game.number) as live:
        assert live.game.actors() == (player,)
    await clock.on(seconds=30)
    assert letters(patient, "Dee") == [1]
