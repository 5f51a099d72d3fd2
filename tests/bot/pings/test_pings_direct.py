"""Pings by direct message: one for all games that wait, none doubled, and the thread where none can be written."""

from datetime import UTC, datetime

import pytest

from bot.client.direct_messages import DirectMessages
from bot.client.features.pings import ping_due
from bot.table.digests import turn_link
from storage import PEOPLE, DatabaseUnreachable, games
from storage import direct_messages as stored
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import TableService
from tests.bot.support.waiting import Clock, direct_messages, handed_over

NO_PLACES = ("GMT+5", "Etc/GMT-3", "Factory", "localtime", "EST5EDT", "CET", "posixrules", "US/Eastern")
EVENING = datetime(2026, 3, 28, 22, tzinfo=UTC)
"""In Berlin 23:00, in the night in which the clocks are put forward."""


async def chosen(sandbox: SandboxBot, name: str, **how: str) -> str:
    """What a person chooses by `/pings`; the answer."""
    return (await sandbox.person(name).slash("table", "pings", **how)).text


async def test_pings_says_how_a_player_is_pinged(patient: SandboxBot) -> None:
    assert "in the game's thread" in await chosen(patient, "Bob")
    said = await chosen(
        patient, "Bob", how="both", quiet_from="22:30", quiet_to="7:00", zone="berlin", digest="18:00"
    )
    assert "by a direct message" in said
    assert "22:30 to 07:00" in said
    assert "Europe/Berlin" in said
    assert "at 18:00" in said
    assert "Quiet hours: none" in await chosen(patient, "Bob", quiet_from="Off")
    assert "in the game's thread" in await chosen(patient, "Cy")
    await patient.person("Cy").slash("table", "away", until="3 days")
    assert "until then you are away" in await chosen(patient, "Cy")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"quiet_from": "late"}, "is no time of day"),
        ({"quiet_from": "25:00"}, "**25:00** is no time of day."),
        ({"quiet_from": "22:00"}, "need both"),
        ({"quiet_from": "8:00", "quiet_to": "8:00"}, "never be over"),
        ({"zone": "Atlantis"}, "no time zone **Atlantis**. Time zones have the names of places, such as"),
        ({"zone": "Europe"}, "time zones: Europe/Amsterdam, "),
        *(({"zone": zone}, f"no time zone **{zone}**") for zone in NO_PLACES),
    ],
)
async def test_what_cannot_be_chosen_is_said_and_nothing_is_changed(
    patient: SandboxBot, typed: dict[str, str], said: str
) -> None:
    before = await chosen(patient, "Bob")
    assert said in await chosen(patient, "Bob", how="both", **typed)
    assert await chosen(patient, "Bob") == before


async def test_pings_can_be_chosen_in_direct_messages_too(patient: SandboxBot) -> None:
    bob = patient.person("Bob")
    said = await bob.slash(patient.world.dm_with(bob.id), "pings", how="both")
    assert "by a direct message" in said.text


async def test_time_zones_are_found_by_their_cities(patient: SandboxBot) -> None:
    offered = await patient.person("Bob").autocomplete("table", "pings", focused="zone", zone="new y")
    assert offered[0] == ("America/New_York", "America/New_York")


async def test_who_wants_it_is_pinged_by_a_message_that_says_all_and_not_in_the_thread(
    patient: SandboxBot,
) -> None:
    await chosen(patient, "Bob", how="direct")
    clock, game = await handed_over(patient)
    await clock.on(seconds=30)
    (letter,) = direct_messages(patient, "Bob")
    assert "18Chesapeake" in letter.content
    assert f"game {game.number}" in letter.content
    assert f"{game.thread}/{game.turn.id}" in letter.content
    assert game.pings("Bob") == 0
    assert game.turn.content.startswith("**Bob**")
    await clock.on(minutes=5)
    assert len(direct_messages(patient, "Bob")) == 1


async def test_who_wants_both_is_pinged_once_in_each(patient: SandboxBot) -> None:
    await chosen(patient, "Bob", how="both")
    clock, game = await handed_over(patient)
    await clock.on(seconds=30)
    await clock.on(seconds=30)
    assert (len(direct_messages(patient, "Bob")), game.pings("Bob")) == (1, 1)


async def test_the_acting_player_in_time_gets_no_message(patient: SandboxBot) -> None:
    await chosen(patient, "Bob", how="direct")
    clock, game = await handed_over(patient)
    await game.press("Bob", "Pass")
    await clock.on(seconds=60)
    assert direct_messages(patient, "Bob") == []


async def test_who_takes_no_messages_is_pinged_in_the_thread_and_reads_why_once(patient: SandboxBot) -> None:
    await chosen(patient, "Bob", how="direct")
    patient.person("Bob").user.closed = True
    clock, game = await handed_over(patient)
    await clock.on(seconds=30)
    assert game.pings("Bob") == 1
    for name in ("Bob", "Cy", "Ann"):
        await game.press(name, "Pass")
    await clock.on(seconds=30)
    assert game.pings("Bob") == 2
    assert direct_messages(patient, "Bob") == []
    assert sum("does not accept direct messages" in line for line in game.lines) == 1


async def test_whoever_is_gone_when_a_message_is_looked_for_is_pinged_in_the_thread(
    patient: SandboxBot,
) -> None:
    """Discord took nothing at first."""
    await chosen(patient, "Bob", how="direct")
    clock, game = await handed_over(patient)
    patient.server.faults.fail("POST /api/v10/users/@me/channels", status=400, times=1000)
    await clock.on(seconds=30)
    patient.server.faults.clear()
    patient.server.faults.fail("POST /api/v10/users/@me/channels", code=50007, times=1000)
    await clock.on(minutes=10)
    assert game.pings("Bob") == 1


async def test_a_message_that_may_have_been_sent_before_a_crash_is_looked_for(patient: SandboxBot) -> None:
    """The process died between sending it and noting that."""
    await chosen(patient, "Bob", how="direct")
    clock, _ = await handed_over(patient)
    async with clock.dying_before(stored, "sent"):
        with pytest.raises(ConnectionError):
            await clock.on(seconds=30)
        assert len(direct_messages(patient, "Bob")) == 1
    assert len(direct_messages(patient, "Bob")) == 1
    assert await stored.unsent(patient.db) == []


async def test_a_message_that_was_written_down_but_not_sent_is_sent_after_the_restart(
    patient: SandboxBot,
) -> None:
    await chosen(patient, "Bob", how="direct")
    clock, _ = await handed_over(patient)
    async with clock.dying_before(DirectMessages, "_deliver", minutes=1):
        with pytest.raises(ConnectionError):
            await clock.on(seconds=30)
    assert len(direct_messages(patient, "Bob")) == 1


async def test_whoever_has_acted_before_a_message_could_be_sent_gets_none(patient: SandboxBot) -> None:
    """Discord took nothing meanwhile."""
    await chosen(patient, "Bob", how="direct")
    clock, game = await handed_over(patient)
    patient.server.faults.fail("POST /api/v10/users/@me/channels", status=400, times=1000)
    await clock.on(seconds=30)
    await game.press("Bob", "Pass")
    patient.server.faults.clear()
    await clock.on(minutes=10)
    await clock.on(minutes=10)
    assert direct_messages(patient, "Bob") == []


async def test_after_quiet_hours_one_message_lists_all_games(patient: SandboxBot) -> None:
    clock = Clock(patient, EVENING)
    await chosen(patient, "Bob", how="direct", quiet_from="22:00", quiet_to="7:00", zone="Europe/Berlin")
    tables = [await patient.game() for _ in range(3)]
    for game in tables:
        await game.press("Ann", "Pass")
    await clock.on(seconds=30)
    await clock.on(hours=3)
    assert direct_messages(patient, "Bob") == []
    # The clocks are put forward in this night: seven in the morning is 5:00 UTC.
    await clock.until(datetime(2026, 3, 29, 4, 59, tzinfo=UTC))
    assert direct_messages(patient, "Bob") == []
    await clock.until(datetime(2026, 3, 29, 5, 0, tzinfo=UTC))
    (letter,) = direct_messages(patient, "Bob")
    assert "your move in 3 games" in letter.content
    for game in tables:
        assert f"game {game.number}" in letter.content


async def test_in_quiet_hours_nobody_is_pinged_in_the_thread_either(patient: SandboxBot) -> None:
    clock = Clock(patient, EVENING)
    await chosen(patient, "Bob", quiet_from="22:00", quiet_to="7:00", zone="Europe/Berlin")
    game = await patient.game()
    await game.press("Ann", "Pass")
    await clock.on(hours=5)
    assert game.pings("Bob") == 0
    await clock.restart(hours=2)
    assert game.pings("Bob") == 1
    await clock.on(minutes=5)
    assert game.pings("Bob") == 1


async def test_who_is_awake_before_their_hours_are_over_is_pinged_at_once(patient: SandboxBot) -> None:
    clock = Clock(patient, EVENING)
    await chosen(patient, "Bob", quiet_from="22:00", quiet_to="7:00", zone="Europe/Berlin")
    game = await patient.game()
    await game.press("Ann", "Pass")
    await clock.on(minutes=5)
    assert game.pings("Bob") == 0
    await chosen(patient, "Bob", quiet_from="off")
    await clock.on(seconds=5)
    assert game.pings("Bob") == 1


async def test_a_player_who_falls_asleep_before_a_ping_is_posted_is_pinged_in_the_morning(
    patient: SandboxBot,
) -> None:
    clock = Clock(patient, EVENING.replace(hour=20, minute=59))
    await chosen(patient, "Bob", quiet_from="22:00", quiet_to="7:00", zone="Europe/Berlin")
    game = await patient.game()
    await game.press("Ann", "Pass")
    # Not 500: discord.py would post once more what was written before.
    patient.server.faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=503, times=1000)
    clock.now = clock.now.replace(second=30)
    await ping_due(patient.client)
    await patient.learns(lambda: patient.client.delivery_problems.of(game.number) is not None)
    clock.now = EVENING
    patient.server.faults.clear()
    patient.client.sender.wake(game.number)
    await patient.settled()
    assert game.pings("Bob") == 0
    await clock.until(datetime(2026, 3, 29, 5, 0, tzinfo=UTC))
    assert game.pings("Bob") == 1


async def test_a_digest_comes_once_a_day_at_the_persons_own_time(patient: SandboxBot) -> None:
    clock = Clock(patient)
    await chosen(patient, "Bob", digest="18:00", zone="Europe/Berlin")
    tables = [await patient.game() for _ in range(2)]
    for game in tables:
        await game.press("Ann", "Pass")
    await clock.on(hours=4, minutes=59)
    assert direct_messages(patient, "Bob") == []
    await clock.on(minutes=1)
    (digest,) = direct_messages(patient, "Bob")
    assert "Your move in **2 games**" in digest.content
    await clock.restart(minutes=10)
    await clock.on(hours=23, minutes=49)
    assert len(direct_messages(patient, "Bob")) == 1
    await clock.restart(minutes=1)
    assert len(direct_messages(patient, "Bob")) == 2
    await chosen(patient, "Bob", digest="off")
    await clock.on(hours=48)
    assert len(direct_messages(patient, "Bob")) == 2


async def test_whoever_has_no_move_gets_no_digest(patient: SandboxBot) -> None:
    clock = Clock(patient)
    await patient.game()
    await chosen(patient, "Bob", digest="18:00")
    await clock.on(hours=30)
    assert direct_messages(patient, "Bob") == []


@pytest.mark.parametrize(
    ("key", "value"),
    [("zone", "Mars/Olympus"), ("digest", "late"), ("quiet_from", "25:00"), ("away_until", "soon")],
)
async def test_a_bad_setting_of_one_user_hurts_nobody_else(patient: SandboxBot, key: str, value: str) -> None:
    """As another machine or version has stored it; the user themselves is pinged without it."""
    clock = Clock(patient)
    for name in ("Ann", "Bob"):
        await chosen(patient, name, how="direct", digest="18:00", zone="Europe/Berlin")
        await chosen(patient, name, quiet_from="22:00", quiet_to="7:00")
    await PEOPLE.put(patient.db, patient.person("Ann").id, key, value)
    game = await patient.game()
    await game.press("Ann", "Pass")
    await clock.on(hours=5)
    assert [one.content[:12] for one in direct_messages(patient, "Bob")] == ["It is your m", "Your move in"]
    await game.press("Bob", "Pass")
    await game.press("Cy", "Pass")
    await clock.on(seconds=30)
    assert len(direct_messages(patient, "Ann")) == 1
    assert "Daily digest" in await chosen(patient, "Ann")


async def test_the_answer_shows_the_local_time(patient: SandboxBot) -> None:
    Clock(patient, EVENING)
    assert "Time zone: Europe/Berlin, where it is 23:00 now." in await chosen(patient, "Bob", zone="berlin")
    assert "Time zone: UTC, where it is 22:00 now; choose your city." in await chosen(patient, "Cy")


async def test_a_digest_after_days_of_outage_comes_once(patient: SandboxBot) -> None:
    clock, game = Clock(patient), await patient.game()
    await chosen(patient, "Bob", digest="18:00")
    await game.press("Ann", "Pass")
    await clock.restart(days=3)
    await clock.on(seconds=5)
    assert len([m for m in direct_messages(patient, "Bob") if "Your move in" in m.content]) == 1


async def test_a_database_that_fails_for_a_moment_loses_no_ping(
    patient: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    await chosen(patient, "Bob", how="direct")
    clock, _ = await handed_over(patient)

    async def unreachable(*_: object) -> tuple[str, ...]:
        raise DatabaseUnreachable("just now")

    monkeypatch.setattr("bot.client.direct_messages.waited_for", unreachable)
    await clock.on(seconds=30)
    assert direct_messages(patient, "Bob") == []
    monkeypatch.undo()
    await clock.on(seconds=5)
    assert len(direct_messages(patient, "Bob")) == 1


async def test_where_there_is_no_thread_yet_a_message_leads_to_the_channel(service: TableService) -> None:
    row = await games.get_game(service.db, await service.game())
    assert row.thread_id is None
    assert turn_link(row) == f"https://discord.com/channels/{row.guild_id}/{row.channel_id}"
