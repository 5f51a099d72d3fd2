"""The acting player is pinged once, after a while to act unasked, and nobody else is."""

import asyncio
from datetime import timedelta

import pytest

from bot.client.features.pings import ping_due
from bot.sandbox.guild import registered_commands, threads
from bot.table.moves.moves import Typed
from bot.table.tables import Tables
from bot.table.votes.moderation import moderator_accept
from bot.table.votes.pauses import begin_pause, end_pause
from storage import DatabaseUnreachable, games, open_database, outbox, pings
from tests.bot.running.test_damaged import FLAWS, UNREADABLE_STATE, damage
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.waiting import Clock, direct_messages, handed_over
from tests.support.unsent import unsent

pytestmark = pytest.mark.usefixtures("absent_players")


def rung(game: Seated, *names: str) -> tuple[int, ...]:
    """How often each of these was notified in the thread."""
    return tuple(game.pings(name) for name in names)


async def test_whoever_has_to_act_is_pinged_once_after_a_while(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    assert (game.pings("Bob"), game.turn.content[:7]) == (0, "**Bob**")
    await clock.on(seconds=29)
    assert game.pings("Bob") == 0
    await clock.on(seconds=1)
    assert game.turn.content.startswith(patient.person("Bob").mention)
    for _ in range(3):
        await clock.on(minutes=1)
    assert rung(game, "Ann", "Bob", "Cy") == (0, 1, 0)


async def test_the_message_before_is_replaced_when_the_ping_comes(patient: SandboxBot) -> None:
    clock, game = Clock(patient), await patient.game()
    before = game.turn.id
    await clock.on(seconds=30)
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert game.turn.id != before


async def test_the_acting_player_in_time_is_not_pinged(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    await clock.on(seconds=20)
    await game.press("Bob", "Pass")
    await clock.on(seconds=20)
    assert rung(game, "Bob", "Cy") == (0, 0)
    await clock.on(seconds=10)
    assert rung(game, "Ann", "Bob", "Cy") == (0, 0, 1)


async def test_a_turn_message_that_pings_nobody_yet_gives_way_to_the_one_that_does(
    patient: SandboxBot,
) -> None:
    """It has the buttons of the acting player at once, and makes no sound."""
    clock = Clock(patient)
    game = await patient.game()
    before = game.turn.id
    await game.press("Ann", "Pass")
    quiet = game.turn
    assert (quiet.id != before, quiet.content[:7], quiet.pinged) == (True, "**Bob**", [])
    await clock.on(seconds=30)
    assert quiet.id not in {m.id for m in game.messages}
    assert game.turn.pinged == [patient.person("Bob").id]


async def test_an_undo_before_the_ping_pings_nobody(patient: SandboxBot) -> None:
    """Not even the player who undid the move: they know."""
    clock, game = await handed_over(patient)
    await clock.on(seconds=20)
    await game.slash("Ann", "undo")
    await clock.on(hours=11)
    assert rung(game, "Ann", "Bob", "Cy") == (0, 0, 0)
    await game.press("Ann", "Pass")
    await clock.on(seconds=30)
    assert rung(game, "Ann", "Bob", "Cy") == (0, 1, 0)


async def test_an_undo_after_the_ping_takes_the_ping_away_and_the_next_hand_over_pings_again(
    patient: SandboxBot,
) -> None:
    clock, game = await handed_over(patient)
    await clock.on(seconds=30)
    await game.slash("Ann", "undo")
    assert not any(patient.person("Bob").mention in m.content for m in game.messages if m.buttons)
    await clock.on(seconds=60)
    assert rung(game, "Ann", "Bob") == (0, 1)
    await game.press("Ann", "Pass")
    await clock.on(seconds=30)
    assert rung(game, "Ann", "Bob") == (0, 2)


async def test_nobody_is_pinged_in_a_pause(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    await begin_pause(patient.client.tables, game.number, patient.person("Cy").id, None)
    await clock.on(hours=50)
    assert rung(game, "Bob") == (0,)
    await end_pause(patient.client.tables, game.number, patient.person("Cy").id)
    await clock.on(seconds=30)
    assert rung(game, "Bob") == (1,)


async def test_a_pause_that_begins_between_the_ping_and_its_post_silences_it(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    patient.server.faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=403, times=1000)
    clock.now += timedelta(minutes=1)
    await ping_due(patient.client)
    await patient.learns(lambda: patient.client.delivery_problems.of(game.number) is not None)
    await begin_pause(patient.client.tables, game.number, patient.person("Cy").id, None)
    patient.server.faults.clear()
    patient.client.sender.wake(game.number)
    await patient.settled()
    assert rung(game, "Bob") == (0,)


async def test_a_substitute_is_pinged_and_the_holder_is_not(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    await game.slash("Bob", "game substitute", who=patient.person("Dee").id, days=5)
    await clock.on(seconds=30)
    assert rung(game, "Bob", "Dee") == (0, 1)
    assert "your turn" in (await game.slash("Dee", "mine")).text
    await game.slash("Bob", "game back")
    await clock.on(seconds=30)
    assert rung(game, "Bob", "Dee") == (1, 1)
    assert "in no game" in (await game.slash("Dee", "mine")).text


async def test_whoever_takes_a_seat_over_is_pinged_and_who_left_is_not(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    await game.slash("Bob", "game replace", newcomer=patient.person("Dee").id)
    asked = next(m for m in reversed(game.messages) if any(b.label == "Agree" for b in m.buttons))
    before = rung(game, "Dee")
    await game.press("Dee", "Agree", asked)
    await clock.on(seconds=30)
    assert (rung(game, "Bob"), rung(game, "Dee")) == ((0,), (before[0] + 1,))


async def test_for_a_seat_that_the_table_plays_all_others_are_pinged(patient: SandboxBot) -> None:
    """By a message, too, which says so; and reminded, even if one of them is away."""
    clock, game = Clock(patient), await patient.game()
    await patient.person("Bob").slash("table", "pings", how="both")
    await game.slash("Bob", "game agreement", player="p1")
    asked = next(m for m in reversed(game.messages) if any(b.label == "Agree" for b in m.buttons))
    ann, bob, cy = rung(game, "Ann", "Bob", "Cy")
    await game.press("Cy", "Agree", asked)
    await clock.on(seconds=30)
    assert rung(game, "Ann", "Bob", "Cy") == (ann, bob + 1, cy + 1)
    assert "The table plays this seat" in direct_messages(patient, "Bob")[-1].content


async def test_the_turn_message_says_at_once_who_plays_a_seat(patient: SandboxBot) -> None:
    """Though nobody is pinged in the thread."""
    clock, game = Clock(patient), await patient.game()
    for name in ("Ann", "Bob", "Cy"):
        await patient.person(name).slash("table", "pings", how="direct")
    await game.slash("Bob", "game agreement", player="p1")
    asked = next(m for m in reversed(game.messages) if any(b.label == "Agree" for b in m.buttons))
    await game.press("Cy", "Agree", asked)
    await clock.on(seconds=30)
    assert "The table plays this seat" in game.turn.content
    await game.slash("Ann", "game back")
    await clock.on(seconds=30)
    assert "The table plays this seat" not in game.turn.content


async def test_the_turn_message_says_at_once_whose_seat_it_is(patient: SandboxBot) -> None:
    clock, game = Clock(patient), await patient.game()
    await clock.on(seconds=30)
    await patient.person("Dee").slash("table", "pings", how="direct")
    await game.slash("Ann", "game substitute", who=patient.person("Dee").id)
    await clock.on(seconds=30)
    assert game.turn_text.startswith("**Ann**"), "who is not called any more"
    await game.slash("Ann", "game replace", newcomer=patient.person("Dee").id)
    asked = next(m for m in reversed(game.messages) if any(b.label == "Agree" for b in m.buttons))
    await game.press("Dee", "Agree", asked)
    await clock.on(seconds=30)
    assert game.turn_text.startswith("**Dee**")


async def test_who_is_away_keeps_no_other_from_being_reminded_of_a_seat_that_the_table_plays(
    patient: SandboxBot,
) -> None:
    clock, game = Clock(patient), await patient.game()
    await game.slash("Cy", "away", until="30 days")
    await game.slash("Bob", "game agreement", player="p1")
    asked = next(m for m in reversed(game.messages) if any(b.label == "Agree" for b in m.buttons))
    await game.press("Cy", "Agree", asked)
    bob, cy = rung(game, "Bob", "Cy")
    await clock.on(seconds=30)
    await clock.on(hours=12)
    assert rung(game, "Bob", "Cy") == (bob + 2, cy)


async def test_a_restart_neither_loses_nor_doubles_a_ping(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    await clock.restart(seconds=10)
    assert rung(game, "Bob") == (0,)
    await clock.restart(seconds=20)
    assert rung(game, "Bob") == (1,)
    await clock.restart(seconds=60)
    assert rung(game, "Bob") == (1,)


async def test_after_an_outage_of_hours_everybody_who_is_due_is_pinged_once(patient: SandboxBot) -> None:
    clock = Clock(patient)
    tables = [await patient.game() for _ in range(3)]
    for game in tables:
        await game.press("Ann", "Pass")
    await clock.restart(hours=6)
    assert [rung(game, "Ann", "Bob", "Cy") for game in tables] == [(0, 1, 0)] * 3
    await clock.on(minutes=5)
    assert [rung(game, "Bob") for game in tables] == [(1,)] * 3


async def test_a_ping_stored_but_not_posted_is_posted_after_the_restart(
    patient: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.table.outbox.sender.FINISHING_SECONDS", 0.1)
    clock, game = await handed_over(patient)
    patient.server.faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=500, times=1000)
    clock.now += timedelta(minutes=1)
    await ping_due(patient.client)
    assert len(await unsent(patient.db)) == 1
    await patient.stop()
    patient.server.faults.clear()
    await patient.start()
    await patient.settled()
    await clock.on(seconds=5)
    assert rung(game, "Bob") == (1,)


async def test_a_ping_posted_but_not_noted_is_not_posted_twice(patient: SandboxBot) -> None:
    """The process died when Discord had the message."""
    clock, game = await handed_over(patient)
    async with clock.dying_before(pings, "mark_pinged"):
        clock.now += timedelta(minutes=1)
        await ping_due(patient.client)
        assert await patient.world.until(lambda: rung(game, "Bob") == (1,), timeout=20)
    assert rung(game, "Bob") == (1,)
    assert [m for m in game.messages if m.buttons] == [game.turn]


async def test_a_ping_noted_but_not_ticked_off_is_not_posted_twice(patient: SandboxBot) -> None:
    """The process died when it had noted that the message pinged Bob, and nothing else."""
    clock, game = await handed_over(patient)
    async with clock.dying_before(outbox, "mark_sent"):
        clock.now += timedelta(minutes=1)
        await ping_due(patient.client)
        assert await patient.world.until(lambda: rung(game, "Bob") == (1,), timeout=20)
        await asyncio.sleep(0.05)
    assert rung(game, "Bob") == (1,)
    assert [m for m in game.messages if m.buttons] == [game.turn]


async def test_a_move_made_just_before_the_process_died_pings_whoever_is_next(patient: SandboxBot) -> None:
    clock, game = Clock(patient), await patient.game()
    ann = patient.person("Ann").id
    await patient.stop()
    async with await open_database(patient.database) as db:
        await Tables(db, patient.clock).submit(game.number, ann, Typed("pass"))
    await patient.start()
    await clock.on(seconds=30)
    assert rung(game, "Ann", "Bob") == (0, 1)


async def test_a_move_between_the_ping_and_its_post_pings_whoever_is_next_alone(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    patient.server.faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=403, times=1000)
    clock.now += timedelta(minutes=1)
    await ping_due(patient.client)
    await patient.learns(lambda: patient.client.delivery_problems.of(game.number) is not None)
    await patient.client.tables.submit(game.number, patient.person("Bob").id, Typed("pass"))
    patient.server.faults.clear()
    patient.client.sender.wake(game.number)
    await patient.settled()
    await clock.on(seconds=30)
    assert rung(game, "Bob", "Cy") == (0, 1)


async def test_where_the_thread_is_gone_the_ping_comes_in_the_next_one(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    threads.remove(patient.world, patient.world.channel(game.thread))
    await clock.on(seconds=30)
    row = await games.get_game(patient.db, game.number)
    assert row.thread_id not in (None, game.thread)
    bob = patient.person("Bob")
    turns = [m for m in patient.world.history(row.thread_id or 0) if bob.id in m.pinged and m.buttons]
    assert len(turns) == 1


async def test_quiet_servers_name_whoever_is_pinged_without_a_sound(patient: SandboxBot) -> None:
    clock = Clock(patient)
    await patient.person("Ann").slash("table", "setup", pings="quiet")
    game = await patient.game()
    await clock.on(seconds=30)
    assert game.turn.content.startswith(patient.person("Ann").mention)
    assert rung(game, "Ann") == (0,)


async def test_a_duty_that_does_not_fit_the_position_pings_nobody_and_is_repaired(
    patient: SandboxBot,
) -> None:
    """As in a game that was begun before anything was noted of notifications."""
    clock, game = await handed_over(patient)
    wrong = pings.NotificationChanges(("p3",), None, ("p3",))
    await patient.db.write(lambda tx: wrong.write(tx, game.number, 2, patient.clock()))
    await clock.on(seconds=30)
    assert rung(game, "Ann", "Bob", "Cy") == (0, 0, 0)
    assert [notification.player_id for notification in (await pings.of_game(patient.db, game.number))[0]] == [
        "p2"
    ]
    await clock.on(hours=12)
    assert rung(game, "Ann", "Bob", "Cy") == (0, 1, 0)


async def test_a_game_that_cannot_be_read_keeps_no_other_from_being_pinged(patient: SandboxBot) -> None:
    clock = Clock(patient)
    broken, sound = await patient.game(), await patient.game()
    await patient.stop()
    damage(patient.database, UNREADABLE_STATE, FLAWS["an unreadable start"][0])
    await patient.start()
    await clock.on(seconds=30)
    assert (rung(broken, "Ann"), rung(sound, "Ann")) == ((0,), (1,))


async def test_a_game_that_waits_is_not_read_at_each_look_and_pings_when_it_is_accepted(
    patient: SandboxBot,
) -> None:
    clock, game = Clock(patient), await patient.game()
    await game.press("Ann", "Pass")
    live = patient.client.tables.cached(game.number)
    assert live is not None
    live.waits = "It waits for a moderator."
    await clock.on(seconds=30)
    assert await pings.due(patient.db, patient.clock(), patient.clock()) == []
    await moderator_accept(patient.client.tables, game.number, patient.person("Ann").id)
    await clock.on(seconds=30)
    assert rung(game, "Bob") == (1,)


async def test_two_looks_at_once_ping_once(patient: SandboxBot) -> None:
    clock, game = Clock(patient), await patient.game()
    clock.now += timedelta(minutes=1)
    await asyncio.gather(*(ping_due(patient.client) for _ in range(5)))
    await patient.settled()
    assert rung(game, "Ann") == (1,)


async def test_a_database_that_fails_for_a_moment_delays_no_ping(
    patient: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, game = await handed_over(patient)

    async def unreachable(*_: object) -> tuple[str, ...]:
        raise DatabaseUnreachable("just now")

    monkeypatch.setattr("bot.table.pings.waited_for", unreachable)
    await clock.on(seconds=30)
    monkeypatch.undo()
    await clock.on(seconds=5)
    assert rung(game, "Bob") == (1,)


@pytest.mark.parametrize("old", ["game mend", "game accept", "mod repair", "mod accept"])
async def test_a_client_that_still_lists_a_merged_command_hears_its_new_name(
    patient: SandboxBot, old: str
) -> None:
    group, _, name = old.partition(" ")
    [listed] = [one for one in registered_commands.listed(patient.world, None) if one["name"] == group]
    listed["options"][0] |= {"name": name, "options": []}
    said = await patient.person("Bob").slash("table", old)
    assert said.text == f"`/{old}` is now `/game repair`."


async def test_a_client_that_still_lists_a_renamed_command_hears_its_new_name(patient: SandboxBot) -> None:
    [command] = [one for one in registered_commands.listed(patient.world, None) if one["name"] == "pings"]
    command["name"] = "calls"
    said = await patient.person("Bob").slash("table", "calls")
    assert said.text == "`/calls` is now `/pings`."
