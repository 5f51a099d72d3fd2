"""A stale direct message is deleted: users find only what waits for them."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot.client.anonymise_user import anonymise
from bot.client.direct_messages import ExpiredDirectMessages
from bot.client.features.pings import DIRECT_MESSAGES, PINGS, STALE_DIRECT_MESSAGES
from bot.sandbox.model import Message
from bot.table.moves.moves import Typed
from bot.table.votes.acting_as import moderator_move
from storage import direct_messages as stored
from tests.bot.pings.test_pings_direct import chosen
from tests.bot.support.positions import actor_of, played_to, seated_at
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot, Seated
from tests.bot.support.waiting import Clock, direct_messages, handed_over


async def pinged_directly(sandbox: SandboxBot) -> tuple[Clock, Seated, Message]:
    """Bob has been pinged by a direct message."""
    await chosen(sandbox, "Bob", how="direct")
    clock, game = await handed_over(sandbox)
    await clock.on(seconds=30)
    (letter,) = direct_messages(sandbox, "Bob")
    return clock, game, letter


async def test_the_message_is_gone_once_the_person_has_acted(patient: SandboxBot) -> None:
    clock, game, _ = await pinged_directly(patient)
    await clock.on(hours=1)
    assert len(direct_messages(patient, "Bob")) == 1
    await game.press("Bob", "Pass")
    await clock.on(seconds=5)
    assert direct_messages(patient, "Bob") == []


async def test_the_message_is_gone_once_the_turn_was_undone(patient: SandboxBot) -> None:
    clock, game, _ = await pinged_directly(patient)
    await game.slash("Ann", "undo")
    await clock.on(seconds=5)
    assert direct_messages(patient, "Bob") == []


async def test_a_reminder_takes_the_place_of_the_message_before(patient: SandboxBot) -> None:
    clock, _, first = await pinged_directly(patient)
    await clock.on(hours=12)
    (reminder,) = direct_messages(patient, "Bob")
    assert reminder.id != first.id
    assert "Reminder 1" in reminder.content


async def test_while_no_reminder_can_be_sent_the_message_before_stays(patient: SandboxBot) -> None:
    clock, _, first = await pinged_directly(patient)
    patient.server.faults.fail(f"POST /api/v10/channels/{first.channel_id}/messages", status=400, times=1000)
    await clock.on(hours=12)
    assert [letter.id for letter in direct_messages(patient, "Bob")] == [first.id]


async def test_a_message_about_two_games_stays_until_they_have_acted_in_both(patient: SandboxBot) -> None:
    clock = Clock(patient)
    await chosen(patient, "Bob", how="direct")
    tables = [await patient.game() for _ in range(2)]
    for game in tables:
        await game.press("Ann", "Pass")
    await clock.on(seconds=30)
    await tables[0].press("Bob", "Pass")
    await clock.on(seconds=5)
    assert len(direct_messages(patient, "Bob")) == 1
    await tables[1].press("Bob", "Pass")
    await clock.on(seconds=5)
    assert direct_messages(patient, "Bob") == []


async def test_while_the_game_pauses_the_message_is_gone_and_another_comes_afterwards(
    patient: SandboxBot,
) -> None:
    clock, game, _ = await pinged_directly(patient)
    await game.slash("Ann", "game pause", days=2)
    await clock.on(seconds=5)
    assert direct_messages(patient, "Bob") == []
    await game.slash("Ann", "game resume")
    await clock.on(seconds=30)
    assert len(direct_messages(patient, "Bob")) == 1


async def test_the_message_is_gone_once_somebody_else_plays_the_seat(patient: SandboxBot) -> None:
    clock, game, _ = await pinged_directly(patient)
    await chosen(patient, "Dee", how="direct")
    await game.slash("Bob", "game substitute", who=patient.person("Dee").id)
    await clock.on(seconds=30)
    assert (len(direct_messages(patient, "Bob")), len(direct_messages(patient, "Dee"))) == (0, 1)
    await game.slash("Bob", "game back")
    await clock.on(seconds=30)
    assert (len(direct_messages(patient, "Bob")), len(direct_messages(patient, "Dee"))) == (1, 0)


async def test_a_muted_message_stays_until_they_have_acted(patient: SandboxBot) -> None:
    clock, game, letter = await pinged_directly(patient)
    await patient.person("Bob").press(letter, "Mute for this turn")
    await clock.on(hours=13)
    assert [one.id for one in direct_messages(patient, "Bob")] == [letter.id]
    await game.press("Bob", "Pass")
    await clock.on(seconds=5)
    assert direct_messages(patient, "Bob") == []


async def test_whoever_wants_to_be_pinged_in_the_thread_keeps_the_message_until_they_are(
    patient: SandboxBot,
) -> None:
    clock, game, letter = await pinged_directly(patient)
    await chosen(patient, "Bob", how="thread")
    await clock.on(hours=11)
    assert [one.id for one in direct_messages(patient, "Bob")] == [letter.id]
    await clock.on(hours=1)
    assert (direct_messages(patient, "Bob"), game.pings("Bob")) == ([], 1)


async def test_the_same_turn_given_back_pings_by_a_message_of_its_own(patient: SandboxBot) -> None:
    """The message before says the same and could not be deleted, and the way to Discord failed with this one."""
    await chosen(patient, "Bob", how="both")
    clock, game = await handed_over(patient)
    await clock.on(seconds=30)
    (first,) = direct_messages(patient, "Bob")
    patient.server.faults.fail(f"DELETE /api/v10/channels/{first.channel_id}", status=400)
    await game.slash("Ann", "undo")
    await clock.on(seconds=5)
    await game.press("Ann", "Pass")
    patient.server.faults.fail(f"POST /api/v10/channels/{first.channel_id}/messages", status=400)
    await clock.on(seconds=30)
    await clock.on(seconds=30)
    assert len(direct_messages(patient, "Bob")) == 2
    await clock.on(minutes=10)
    (left,) = direct_messages(patient, "Bob")
    assert left.id != first.id


async def test_whoever_is_forgotten_has_no_message_any_more(patient: SandboxBot) -> None:
    clock, game, _ = await pinged_directly(patient)
    await chosen(patient, "Dee", how="direct")
    await game.slash("Bob", "game substitute", who=patient.person("Dee").id)
    await clock.on(seconds=30)
    assert len(direct_messages(patient, "Dee")) == 1
    await anonymise(patient.client, patient.person("Dee").id)
    assert direct_messages(patient, "Dee") == []


async def test_digests_stay(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    await chosen(patient, "Bob", digest="18:00")
    await clock.on(hours=30)
    await game.press("Bob", "Pass")
    await clock.on(seconds=5)
    assert len(direct_messages(patient, "Bob")) == 1


async def test_a_message_is_deleted_after_a_restart_too(patient: SandboxBot) -> None:
    clock, game, _ = await pinged_directly(patient)
    await game.press("Bob", "Pass")
    await clock.restart(minutes=1)
    assert direct_messages(patient, "Bob") == []


async def test_a_crash_after_deleting_it_is_no_trouble(patient: SandboxBot) -> None:
    """The process died between deleting it and noting that."""
    clock, game, _ = await pinged_directly(patient)
    await game.press("Bob", "Pass")
    async with clock.dying_before(stored, "gone", minutes=1):
        with pytest.raises(ConnectionError):
            await clock.on(seconds=5)
    assert await stored.outdated(patient.db) == []


async def test_what_cannot_be_deleted_keeps_nobody_waiting_and_is_deleted_later(patient: SandboxBot) -> None:
    clock, game, letter = await pinged_directly(patient)
    patient.server.faults.fail(f"DELETE /api/v10/channels/{letter.channel_id}", status=400, times=1)
    for name in ("Bob", "Cy", "Ann"):
        await game.press(name, "Pass")
    await clock.on(seconds=30)
    assert len(direct_messages(patient, "Bob")) == 2
    await clock.on(minutes=10)
    (left,) = direct_messages(patient, "Bob")
    assert left.id != letter.id


async def test_what_takes_long_to_be_deleted_keeps_nobody_from_being_written_to(
    patient: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, game, _ = await pinged_directly(patient)
    await chosen(patient, "Cy", how="direct")
    await game.press("Bob", "Pass")
    clock.now += timedelta(seconds=30)
    begun = asyncio.Event()

    async def takes_long(*_: object) -> None:
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(ExpiredDirectMessages, "_delete", takes_long)
    watching = asyncio.gather(*(loop.look(patient.client) for loop in (PINGS, STALE_DIRECT_MESSAGES)))
    await DIRECT_MESSAGES.look(patient.client)
    assert await patient.world.until(lambda: len(direct_messages(patient, "Cy")) == 1, timeout=PATIENCE)
    await asyncio.wait_for(begun.wait(), PATIENCE)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


async def test_where_nobody_is_to_be_written_to_any_more_the_message_is_forgotten(
    patient: SandboxBot,
) -> None:
    clock, game, letter = await pinged_directly(patient)
    await game.press("Bob", "Pass")
    patient.server.faults.fail(f"DELETE /api/v10/channels/{letter.channel_id}", code=50007, times=1)
    await clock.on(seconds=5)
    assert await stored.outdated(patient.db) == []


@pytest.mark.parametrize("by", ["moderator", "holder"])
async def test_the_message_stays_while_it_is_their_move_though_another_has_made_a_part_of_it(
    patient: SandboxBot, by: str
) -> None:
    """A moderator has laid a tile for Bob, or for another player."""
    game = await seated_at(patient, played_to("lay_tile"))
    clock, who = Clock(patient, datetime.now(UTC)), actor_of(game)
    await chosen(patient, "Dee", how="direct")
    await game.slash(who, "game substitute", who=patient.person("Dee").id)
    await clock.on(seconds=30)
    assert len(direct_messages(patient, "Dee")) == 1
    tables, owner = patient.client.tables, patient.person(who).id
    async with tables.reading(game.number) as live:
        player, seq = live.game.actors()[0], live.seq
    if by == "holder":
        await tables.submit(game.number, owner, Typed("pass", {}))
    else:
        await moderator_move(tables, game.number, player, owner, Typed("pass", {}), seq)
    async with tables.reading(game.number) as live:
        assert live.game.actors() == (player,)
    await clock.on(seconds=30)
    assert len(direct_messages(patient, "Dee")) == 1
