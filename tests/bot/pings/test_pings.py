"""The acting player is pinged once, after a while to act unasked, and nobody else is."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest

from bot.client.features.pings import ping_due
from bot.client.poster import Poster
from bot.sandbox.guild import registered_commands, threads
from bot.sandbox.guild.world import Change
from bot.sandbox.model import Message
from bot.table.moves.moves import TypedMove
from bot.table.outbox.notices import TurnChange
from bot.table.tables import Tables
from bot.table.undo import undo
from bot.table.votes.moderation import moderator_accept
from storage import DatabaseUnreachable, Posting, games, open_database, outbox, pings
from tests.bot.running.test_damaged import FLAWS, UNREADABLE_STATE, damage
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated
from tests.bot.support.waiting import Clock, direct_messages, handed_over
from tests.support.unsent import unsent

pytestmark = pytest.mark.usefixtures("absent_players")
ALL = ("Ann", "Bob", "Cy")
GROUP = "The table plays this seat"


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
    await ping_due(patient.client)
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
    """Nor where it begins between the ping and its post."""
    clock, game = await handed_over(patient)
    await held_up(patient, clock, game)
    await patient.person("Cy").slash(game.thread, "game pause", days=1)
    await taken_again(patient, game)
    await clock.on(hours=20)
    assert rung(game, "Bob") == (0,)
    await game.slash("Cy", "game resume")
    await clock.on(seconds=30)
    assert rung(game, "Bob") == (1,)


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
    assert "in no game" in (await game.slash("Dee", "mine")).text
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


async def test_stored_ping_is_posted_after_a_restart(
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


@pytest.mark.parametrize(("owner", "name"), [(pings, "mark_pinged"), (outbox, "mark_sent")])
async def test_posted_ping_is_not_posted_twice(patient: SandboxBot, owner: object, name: str) -> None:
    """The process died when Discord had the message, or when it had noted that it pinged Bob, and nothing else."""
    clock, game = await handed_over(patient)
    async with clock.dying_before(owner, name):
        clock.now += timedelta(minutes=1)
        await ping_due(patient.client)
        assert await patient.world.wait_until(lambda: rung(game, "Bob") == (1,), timeout=20)
        await asyncio.sleep(0.05)
    assert rung(game, "Bob") == (1,)
    assert turns(game) == [game.turn]


async def test_move_before_the_post_pings_the_next(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    await held_up(patient, clock, game)
    await patient.client.tables.submit(game.number, patient.person("Bob").id, TypedMove("pass"))
    await taken_again(patient, game)
    await clock.on(seconds=30)
    assert rung(game, "Bob", "Cy") == (0, 1)


async def test_ping_comes_in_another_thread(patient: SandboxBot) -> None:
    """The one before is gone."""
    clock, game = await handed_over(patient)
    threads.remove(patient.world, patient.world.channel(game.thread))
    await clock.on(seconds=30)
    row = await games.get_game(patient.db, game.number)
    assert row.thread_id not in (None, game.thread)
    bob = patient.person("Bob")
    found = [m for m in patient.world.history(row.thread_id or 0) if bob.id in m.pinged and m.buttons]
    assert len(found) == 1


async def test_unreadable_game_delays_no_other(patient: SandboxBot) -> None:
    clock = Clock(patient)
    broken, sound = await patient.game(), await patient.game()
    await patient.stop()
    damage(patient.database, UNREADABLE_STATE, FLAWS["an unreadable start"][0])
    await patient.start()
    await clock.on(seconds=30)
    assert (rung(broken, "Ann"), rung(sound, "Ann")) == ((0,), (1,))


async def test_accepted_game_pings_again(patient: SandboxBot) -> None:
    """While it waits for a moderator it is not read at each look."""
    clock, game = await handed_over(patient)
    live = patient.client.tables.cached(game.number)
    assert live is not None
    live.hold_reason = "It waits for a moderator."
    await clock.on(seconds=30)
    assert await pings.games_with_due_pings(patient.db, patient.clock(), patient.clock()) == []
    await moderator_accept(patient.client.tables, game.number, patient.person("Ann").id)
    await clock.on(seconds=30)
    assert rung(game, "Bob") == (1,)


async def test_two_looks_at_once_ping_once(patient: SandboxBot) -> None:
    clock, game = Clock(patient), await patient.game()
    clock.now += timedelta(minutes=1)
    await asyncio.gather(*(ping_due(patient.client) for _ in range(5)))
    await patient.settled()
    assert rung(game, "Ann") == (1,)


async def test_failing_database_delays_no_ping(patient: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, game = await handed_over(patient)

    async def unreachable(*_: object) -> tuple[str, ...]:
        raise DatabaseUnreachable("just now")

    monkeypatch.setattr("bot.table.pings.waited_for", unreachable)
    await clock.on(seconds=30)
    monkeypatch.undo()
    await clock.on(seconds=5)
    assert rung(game, "Bob") == (1,)


# --- late posts are batched ------------------------------------------------------------------------------------------


async def meanwhile(sandbox: SandboxBot, game: Seated, *moves: tuple[str, str]) -> list[str]:
    """The turn messages that are posted when the bot comes back after these moves."""
    await sandbox.client.tables.drain()
    await sandbox.stop()
    async with await open_database(sandbox.database) as db:
        tables = Tables(db)
        for name, kind in moves:
            user = sandbox.person(name).id
            if kind == "undo":
                await undo(tables, game.number, user, None)
            else:
                await tables.submit(game.number, user, TypedMove(kind))
    posted: list[str] = []

    def note(change: Change) -> None:
        if change.kind == "message_create" and change.message is not None and change.message.buttons:
            posted.append(change.message.content)

    stop = sandbox.world.listen(note)
    await sandbox.start()
    await sandbox.settled()
    stop()
    return posted


async def test_late_hand_overs_are_one_turn_message(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    posted = await meanwhile(sandbox, game, ("Ann", "pass"), ("Bob", "pass"))
    assert [text.startswith(sandbox.person("Cy").mention) for text in posted] == [True]
    assert turns(game) == [game.turn]
    assert [sum(f"`{number}`" in line for line in game.lines) for number in (2, 3)] == [1, 1]
    assert rung(game, *ALL) == (1, 0, 1)


async def test_first_due_is_pinged_after_anothers_move(sandbox: SandboxBot) -> None:
    """Ann hands over to Bob, then Cy agrees to stop: Bob has not heard of it yet."""
    game = await sandbox.game()
    posted = await meanwhile(sandbox, game, ("Ann", "pass"), ("Cy", "end_game"))
    assert [text.startswith(sandbox.person("Bob").mention) for text in posted] == [True]
    assert rung(game, "Bob", "Cy") == (1, 0)


async def test_undone_hand_over_pings_nobody(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await meanwhile(sandbox, game, ("Ann", "pass"), ("Ann", "undo"))
    assert rung(game, "Ann", "Bob") == (1, 0)
    assert game.turn.content.startswith("**Ann**")


async def test_overtaken_hand_over_waits_for_the_next(sandbox: SandboxBot) -> None:
    """Its row is not ticked off and nothing is posted: the player it made due is pinged with the newest."""
    game = await sandbox.game()
    turn, before = game.turn, game.pings("Ann")
    over = TurnChange(("p1",), None).notice()
    overtaken = Posting(1, game.number, await game.seq() - 1, over.kind, over.payload, "", 0, None)
    ticked: list[Posting] = []
    row = await games.get_game(sandbox.client.tables.db, game.number)

    async def mark(postings: Sequence[Posting], *_: object) -> None:
        ticked.extend(postings)

    await Poster(sandbox.client).deliver(row, [overtaken], mark)
    assert (ticked, game.turn.id, game.pings("Ann")) == ([], turn.id, before)


# --- names of commands -----------------------------------------------------------------------------------------------


async def test_old_command_says_its_new_name(patient: SandboxBot) -> None:
    """A client lists it still."""
    listed = {one["name"]: one for one in registered_commands.commands_of(patient.world, None)}
    for old in ("game mend", "game accept", "mod repair", "mod accept"):
        group, _, name = old.partition(" ")
        listed[group]["options"][0] |= {"name": name, "options": []}
        said = await patient.person("Bob").slash(TABLE, old)
        assert said.text == f"`/{old}` is now `/game repair`."
    listed["pings"]["name"] = "calls"
    assert (await patient.person("Bob").slash(TABLE, "calls")).text == "`/calls` is now `/pings`."
