"""Pings by direct message: how they are chosen, one for all games that wait, and the thread where none can be sent."""

from datetime import UTC, datetime, timedelta
from typing import Final

import discord
import pytest

from bot.client.direct_messages import MAX_LIST_LENGTH, MAX_RETRY_DELAY_SECONDS, DirectMessages
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.pings import send_due_pings
from bot.table.settings.person_settings import NO_DIRECT_MESSAGES_KEY, PersonSettings, person_settings
from storage import PERSON_SETTINGS
from storage import direct_messages as stored
from tests.bot.support.sandbox_bot import TABLE, SandboxBot
from tests.bot.support.table_service import ANN, TableService
from tests.bot.support.waiting import Clock, chosen, direct_messages, handed_over

EVENING = datetime(2026, 3, 28, 22, tzinfo=UTC)
"""In Berlin 23:00, in the night in which the clocks are put forward."""
MORNING = datetime(2026, 3, 29, 5, 0, tzinfo=UTC)
"""Seven there."""
NIGHT: Final = {"quiet_from": "22:00", "quiet_to": "7:00", "zone": "Europe/Berlin"}
OPENS = "POST /api/v10/users/@me/channels"
"""The request with which writing to somebody begins."""


def texts(sandbox: SandboxBot, name: str) -> list[str]:
    return [message.content for message in direct_messages(sandbox, name)]


# --- how they are chosen ---------------------------------------------------------------------------------------------


async def test_pings_says_how_a_player_is_pinged(patient: SandboxBot) -> None:
    Clock(patient, EVENING)
    bob = patient.person("Bob")
    assert "in the game's thread" in await chosen(patient, "Bob")
    said = (await bob.slash(patient.world.dm_channel_with(bob.id), "pings", how="both")).text
    assert "by direct message" in said, "it can be chosen in direct messages, too"
    said = await chosen(patient, "Bob", quiet_from="22:30", quiet_to="7:00", zone="berlin", digest="18:00")
    for part in (
        "by direct message",
        "Quiet hours: 22:30 to 07:00.",
        "Daily digest: at 18:00.",
        "Time zone: Europe/Berlin, where it is 23:00 now.",
    ):
        assert part in said
    assert "Quiet hours: none" in await chosen(patient, "Bob", quiet_from="Off")
    said = await chosen(patient, "Cy")
    assert "in the game's thread" in said
    assert "Time zone: UTC, where it is 22:00 now; choose your city." in said
    await patient.person("Cy").slash(TABLE, "away", until="3 days")
    assert "you are away until then" in await chosen(patient, "Cy")
    offered = await bob.autocomplete(TABLE, "pings", focused="zone", zone="new y")
    assert offered[0] == ("America/New_York", "America/New_York")


@pytest.mark.parametrize(
    ("key", "value"),
    [("zone", "Mars/Olympus"), ("digest", "late"), ("quiet_from", "25:00"), ("away_until", "soon")],
)
async def test_unreadable_setting_counts_as_none(service: TableService, key: str, value: str) -> None:
    """As another machine or version has stored it."""
    await PERSON_SETTINGS.put(service.db, ANN, key, value)
    await PERSON_SETTINGS.put(service.db, ANN, "how", "direct")
    assert await person_settings(service.db, ANN) == PersonSettings("direct")


# --- what they say ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("how", "rung"), [("direct", 0), ("both", 1)])
async def test_message_says_all_and_where(patient: SandboxBot, how: str, rung: int) -> None:
    await chosen(patient, "Bob", how=how)
    clock, game = await handed_over(patient)
    await clock.on(seconds=30)
    await clock.on(minutes=5)
    (letter,) = direct_messages(patient, "Bob")
    place = f"https://discord.com/channels/{patient.client.guilds[0].id}/{game.thread}"
    where = place if rung else f"{place}/{game.turn.id}"
    assert letter.content.split("\n") == [
        "It is your move:",
        "**18Chesapeake**, game 1: **Auction: Bob** (cash $800, certificates 0/20)",
        f"[Go there]({where})",
    ], "the turn message is about to be posted anew where it pings, too"
    assert [button.label for button in letter.buttons] == ["Mute for this turn"]
    assert (game.pings("Bob"), game.turn.content.startswith("**Bob**")) == (rung, not rung)
    patient.client.tables.board_links.address = "https://board.example"
    await clock.on(hours=12)
    (letter,) = direct_messages(patient, "Bob")
    assert letter.content.split("\n")[1].endswith(" Reminder 1.")
    assert [button.label for button in letter.buttons] == ["Board", "Mute for this turn"]


async def test_who_acts_in_time_gets_no_message(patient: SandboxBot) -> None:
    """Nor who has acted before Discord took one."""
    await chosen(patient, "Bob", how="direct")
    clock, game = await handed_over(patient)
    for name in ("Bob", "Cy", "Ann"):
        await game.press(name, "Pass")
    patient.server.faults.fail(OPENS, status=400, times=1000)
    await clock.on(seconds=60)
    await game.press("Bob", "Pass")
    patient.server.faults.clear()
    await clock.on(minutes=10)
    await clock.on(minutes=10)
    assert texts(patient, "Bob") == []


async def test_one_message_lists_games_after_the_night(patient: SandboxBot) -> None:
    """The clocks are put forward in this night."""
    clock = Clock(patient, EVENING)
    patient.client.tables.board_links.address = "https://board.example"
    await chosen(patient, "Bob", how="direct", **NIGHT)
    tables = [await patient.game() for _ in range(3)]
    for game in tables:
        await game.press("Ann", "Pass")
    await clock.on(seconds=30)
    await clock.on(hours=3)
    await clock.until(MORNING - timedelta(minutes=1))
    assert texts(patient, "Bob") == []
    await clock.until(MORNING)
    (letter,) = direct_messages(patient, "Bob")
    assert letter.content.startswith("It is your move in 3 games:\n")
    assert all(f"game {game.number}" in letter.content for game in tables)
    assert [button.label for button in letter.buttons] == [
        *("Board of game 1", "Board of game 2"),
        *("Mute game 1 for this turn", "Mute game 2 for this turn"),
    ]


async def test_message_lists_as_many_games_as_fit(service: TableService) -> None:
    """In an outage it is only written down."""
    breaker, client = CircuitBreaker(), discord.Client(intents=discord.Intents.none())
    breaker.record_block("Discord blocks this address", 60)
    await PERSON_SETTINGS.put(service.db, ANN, "how", "direct")
    for _ in range(20):
        await service.game()
    await send_due_pings(service.tables, timedelta())
    await DirectMessages(client, service.tables, breaker).send()
    [written] = await stored.unsent_messages(service.db)
    head, *lines, more = written.text.split("\n")
    fit = len(lines) // 2
    assert (head, more) == ("It is your move in 20 games:", f"And {20 - fit} more: `/mine` lists all.")
    assert len(written.notifications) == 20
    entries = ["\n".join(lines[2 * n : 2 * n + 2]) for n in range(fit)]
    assert sum(map(len, entries)) <= MAX_LIST_LENGTH < sum(map(len, entries)) + len(entries[-1])


# --- where none can be sent ------------------------------------------------------------------------------------------


async def test_closed_messages_lead_to_thread_pings(patient: SandboxBot) -> None:
    """They read why, once, until they have taken one again; also where Discord took nothing at first."""
    await chosen(patient, "Bob", how="direct")
    bob, why = patient.person("Bob"), "does not accept direct messages"
    clock, game = await handed_over(patient)
    patient.server.faults.fail(OPENS, status=400, times=1000)
    await clock.on(seconds=30)
    patient.server.faults.clear()
    bob.user.refuses_dms = True
    await clock.on(minutes=10)
    for closed, rung in ((True, 1), (True, 2), (False, 2), (True, 3)):
        bob.user.refuses_dms = closed
        await clock.on(seconds=30)
        assert game.pings("Bob") == rung
        assert (await PERSON_SETTINGS.get(patient.db, bob.id, NO_DIRECT_MESSAGES_KEY) is not None) == closed
        for name in ("Bob", "Cy", "Ann"):
            await game.press(name, "Pass")
    assert len(texts(patient, "Bob")) == 1
    assert sum(why in line for line in game.lines) == 2


async def test_pauses_between_attempts_double(patient: SandboxBot) -> None:
    await chosen(patient, "Bob", how="direct")
    clock, _ = await handed_over(patient)
    patient.server.faults.fail(OPENS, status=400, times=1000)
    await clock.on(seconds=30)
    for number, pause in enumerate([1, 2, 4, 8, 16, 32, 64, 128, 256, MAX_RETRY_DELAY_SECONDS], 1):
        await clock.on(seconds=pause - 0.5)
        assert patient.server.faults.served == number, pause
        await clock.on(seconds=0.5)
        assert patient.server.faults.served == number + 1, pause
    patient.server.faults.clear()
    await clock.restart(seconds=1)
    assert len(texts(patient, "Bob")) == 1, "a start tries at once"


async def test_message_before_a_crash_is_found_again(patient: SandboxBot) -> None:
    """The process died between sending it and noting that."""
    await chosen(patient, "Bob", how="direct")
    clock, _ = await handed_over(patient)
    async with clock.dying_before(stored, "mark_sent"):
        with pytest.raises(ConnectionError):
            await clock.on(seconds=30)
        (sent,) = direct_messages(patient, "Bob")
        sent.nonce = None  # Discord knows it for some minutes; the bot may take longer to come back
    assert len(texts(patient, "Bob")) == 1
    assert await stored.unsent_messages(patient.db) == []


# --- quiet hours and digests -----------------------------------------------------------------------------------------


async def test_nobody_is_pinged_in_quiet_hours(patient: SandboxBot) -> None:
    """In the thread either; who ends them is pinged at once."""
    clock = Clock(patient, EVENING)
    for name in ("Bob", "Cy"):
        await chosen(patient, name, **NIGHT)
    game = await patient.game()
    await game.press("Ann", "Pass")
    await clock.on(hours=5)
    assert game.pings("Bob") == 0
    await chosen(patient, "Bob", quiet_from="off")
    await clock.on(seconds=5)
    assert game.pings("Bob") == 1
    await game.press("Bob", "Pass")
    await clock.on(hours=1)
    assert game.pings("Cy") == 0
    await clock.restart(hours=1)
    await clock.on(minutes=5)
    assert game.pings("Cy") == 1


async def test_digest_comes_once_a_day_at_its_time(patient: SandboxBot) -> None:
    """None without a move; one after days of outage. It stays."""
    clock = Clock(patient)
    for name in ("Ann", "Bob"):
        await chosen(patient, name, digest="18:00", zone="Europe/Berlin")
    game = await patient.game()
    await game.press("Ann", "Pass")
    for past, count in (
        ({"hours": 4, "minutes": 59}, 0),
        ({"minutes": 1}, 1),
        ({"hours": 23, "minutes": 59}, 1),
    ):
        await clock.on(**past)
        assert len(texts(patient, "Bob")) == count
    assert "Your move in **1 game**" in texts(patient, "Bob")[0]
    await clock.restart(days=3)
    await clock.on(seconds=5)
    assert len(texts(patient, "Bob")) == 2
    await chosen(patient, "Bob", digest="off")
    await clock.on(hours=48)
    assert (len(texts(patient, "Bob")), texts(patient, "Ann")) == (2, [])
