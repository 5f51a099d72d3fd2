"""A direct message that calls to nothing any more is deleted: whoever looks there sees only what waits for him."""

import pytest

from bot.sandbox.model import Message
from storage import letters as stored
from tests.bot.house import House, Seated
from tests.bot.test_calls_direct import chosen
from tests.bot.waiting import Clock, dead, handed_over, letters


async def called(house: House) -> tuple[Clock, Seated, Message]:
    """Bob has been called by a direct message."""
    await chosen(house, "Bob", how="direct")
    clock, game = await handed_over(house)
    await clock.on(seconds=30)
    (letter,) = letters(house, "Bob")
    return clock, game, letter


async def test_the_message_is_gone_once_the_person_has_acted(patient: House) -> None:
    clock, game, _ = await called(patient)
    await clock.on(hours=1)
    assert len(letters(patient, "Bob")) == 1
    await game.press("Bob", "Pass")
    await clock.on(seconds=5)
    assert letters(patient, "Bob") == []


async def test_the_message_is_gone_once_the_turn_was_taken_back(patient: House) -> None:
    clock, game, _ = await called(patient)
    await game.slash("Ann", "undo")
    await clock.on(seconds=5)
    assert letters(patient, "Bob") == []


async def test_a_reminder_takes_the_place_of_the_message_before(patient: House) -> None:
    clock, _, first = await called(patient)
    await clock.on(hours=12)
    (reminder,) = letters(patient, "Bob")
    assert reminder.id != first.id
    assert "Reminder 1" in reminder.content


async def test_while_no_reminder_can_be_sent_the_message_before_stays(patient: House) -> None:
    clock, _, first = await called(patient)
    patient.server.faults.fail(f"POST /api/v10/channels/{first.channel_id}/messages", status=400, times=1000)
    await clock.on(hours=12)
    assert [letter.id for letter in letters(patient, "Bob")] == [first.id]


async def test_a_message_about_two_games_stays_until_he_has_acted_in_both(patient: House) -> None:
    clock = Clock(patient)
    await chosen(patient, "Bob", how="direct")
    tables = [await patient.game() for _ in range(2)]
    for game in tables:
        await game.press("Ann", "Pass")
    await clock.on(seconds=30)
    await tables[0].press("Bob", "Pass")
    await clock.on(seconds=5)
    assert len(letters(patient, "Bob")) == 1
    await tables[1].press("Bob", "Pass")
    await clock.on(seconds=5)
    assert letters(patient, "Bob") == []


async def test_digests_stay(patient: House) -> None:
    clock, game = await handed_over(patient)
    await chosen(patient, "Bob", digest="18:00")
    await clock.on(hours=30)
    await game.press("Bob", "Pass")
    await clock.on(seconds=5)
    assert len(letters(patient, "Bob")) == 1


async def test_a_message_is_deleted_after_a_restart_too(patient: House) -> None:
    clock, game, _ = await called(patient)
    await game.press("Bob", "Pass")
    await clock.restart(minutes=1)
    assert letters(patient, "Bob") == []


async def test_a_crash_after_deleting_it_is_no_trouble(
    patient: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process died between deleting it and noting that."""
    clock, game, _ = await called(patient)
    await game.press("Bob", "Pass")
    monkeypatch.setattr(stored, "gone", dead)
    with pytest.raises(ConnectionError):
        await clock.on(seconds=5)
    await patient.stop()
    monkeypatch.undo()
    await clock.restart(minutes=1)
    assert await stored.outdated(patient.db) == []


async def test_what_cannot_be_deleted_keeps_nobody_waiting_and_is_deleted_later(patient: House) -> None:
    clock, game, letter = await called(patient)
    patient.server.faults.fail(f"DELETE /api/v10/channels/{letter.channel_id}", status=400, times=1)
    for name in ("Bob", "Cy", "Ann"):
        await game.press(name, "Pass")
    await clock.on(seconds=30)
    assert len(letters(patient, "Bob")) == 2
    await clock.on(minutes=10)
    (left,) = letters(patient, "Bob")
    assert left.id != letter.id


async def test_where_nobody_is_to_be_written_to_any_more_the_message_is_forgotten(patient: House) -> None:
    clock, game, letter = await called(patient)
    await game.press("Bob", "Pass")
    patient.server.faults.fail(f"DELETE /api/v10/channels/{letter.channel_id}", code=50007, times=1)
    await clock.on(seconds=5)
    assert await stored.outdated(patient.db) == []
