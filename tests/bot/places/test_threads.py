"""A table whose thread is deleted, archived, locked or closed to us: nobody plays unseen, and no game ends by it."""

import asyncio
import random
from datetime import UTC, datetime, timedelta

from discord.utils import time_snowflake

from bot.sandbox.guild import permissions, threads
from bot.sandbox.guild.world import Change
from bot.table.moves.moves import Typed
from storage import games
from tests.bot.support.records import PostedLines
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated


async def _lose(sandbox: SandboxBot, game: Seated) -> None:
    """Delete the thread of a game, and wait until the bot has heard of it."""
    thread = sandbox.world.channel(game.thread)
    threads.remove(sandbox.world, thread)
    async with asyncio.timeout(20):
        while not sandbox.client.tables.places.lost_in(thread.parent_id or 0):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def now_in(sandbox: SandboxBot, game: Seated) -> Seated:
    """The game where it is shown now, all of it posted."""
    await sandbox.settled()
    row = await games.get_game(sandbox.db, game.number)
    assert row.thread_id is not None
    return Seated(sandbox, game.number, row.thread_id)


def is_whole(sandbox: SandboxBot, game: Seated) -> None:
    """Board, last lines and one turn message stand in a thread, and everybody was pinged there."""
    board = next(m for m in game.messages if m.embeds)
    assert board.pinned
    assert [m for m in game.messages if m.buttons] == [game.turn]
    people = {sandbox.person(name).id for name in ("Ann", "Bob", "Cy")}
    assert people <= set(sandbox.world.channel(game.thread).people)


# --- a thread that is gone -------------------------------------------------------------------------------------------


async def test_repair_makes_a_new_thread_with_board_turn_and_the_last_lines(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    before = await game.digest()
    await _lose(sandbox, game)
    answer = await sandbox.person("Cy").slash(TABLE, "game repair", number=game.number)
    new = await now_in(sandbox, game)
    assert new.thread != game.thread
    assert f"<#{new.thread}>" in answer.text
    is_whole(sandbox, new)
    assert "The thread of this game is gone" in new.lines[0]
    assert "Ann" in new.lines[0].splitlines()[-1]
    assert "passes" in new.lines[0]
    assert await new.digest() == before
    await new.press("Bob", "Pass")
    assert "Bob" in new.lines[-1]


async def test_what_the_table_was_asked_is_asked_again_and_who_stands_in_is_pinged(
    sandbox: SandboxBot,
) -> None:
    game = await sandbox.game()
    await game.slash("Cy", "game substitute", who=sandbox.person("Dee").id)
    await game.slash("Ann", "game abandon")
    await sandbox.settled()
    await _lose(sandbox, game)
    await sandbox.person("Ann").slash(TABLE, "game repair", number=game.number)
    new = await now_in(sandbox, game)
    (asked,) = [m for m in new.messages if m.content.startswith("Proposal 1")]
    assert [button.label for button in asked.buttons] == ["Agree", "Refuse", "Withdraw"]
    assert sandbox.person("Dee").id in sandbox.world.channel(new.thread).people
    await sandbox.person("Bob").press(asked, "Refuse")
    assert "refused" in new.messages[[m.id for m in new.messages].index(asked.id)].content


async def test_the_channel_of_a_lost_thread_reads_what_can_be_done(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await _lose(sandbox, game)
    assert await sandbox.world.until(
        lambda: any("`/game repair number:1`" in m.content for m in sandbox.person("Ann").messages(TABLE)),
        timeout=20,
    )
    for command in ("mine", "game list"):
        assert "`/game repair number:1`" in (await sandbox.person("Bob").slash(TABLE, command)).text


async def test_the_next_move_makes_a_new_thread(sandbox: SandboxBot) -> None:
    """It is made by command in the channel, which stands for the thread until there is another."""
    game = await sandbox.game()
    await _lose(sandbox, game)
    answer = await sandbox.person("Ann").slash(TABLE, "pass")
    assert "Done, move 2" in answer.text
    new = await now_in(sandbox, game)
    is_whole(sandbox, new)
    assert [line for line in new.lines if line.startswith("`2`")]
    assert new.turn.content.startswith(f"<@{sandbox.person('Bob').id}>")
    assert "not the thread of a game" in (await sandbox.person("Bob").slash(TABLE, "pass")).text


async def test_of_two_lost_games_none_is_guessed(sandbox: SandboxBot) -> None:
    first, second = await sandbox.game(), await sandbox.game()
    await _lose(sandbox, first)
    threads.remove(sandbox.world, sandbox.world.channel(second.thread))
    place = sandbox.world.channel_named(TABLE).id
    assert await sandbox.world.until(
        lambda: len(sandbox.client.tables.places.lost_in(place)) == 2, timeout=20
    )
    answer = (await sandbox.person("Ann").slash(TABLE, "pass")).text
    assert "`/game repair number:1`" in answer
    assert "`/game repair number:2`" in answer
    assert await first.seq() == await second.seq() == 1


async def test_a_thread_that_goes_while_lines_wait_is_made_again_and_each_line_comes_once(
    sandbox: SandboxBot,
) -> None:
    """No event said so: Discord does not know the thread when a line is posted."""
    game = await sandbox.game()
    sandbox.server.faults.fail(f"/channels/{game.thread}/", status=404, code=10003)
    threads.remove(sandbox.world, sandbox.world.channel(game.thread))
    await sandbox.client.tables.submit(game.number, sandbox.person("Ann").id, Typed("pass"))
    new = await now_in(sandbox, game)
    is_whole(sandbox, new)
    assert sum(line.startswith("`2`") for line in new.lines) == 1


async def test_a_game_lost_while_the_bot_was_away_is_repaired(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await sandbox.stop()
    threads.remove(sandbox.world, sandbox.world.channel(game.thread))
    await sandbox.start()
    await sandbox.person("Bob").slash(TABLE, "game repair", number=game.number)
    is_whole(sandbox, await now_in(sandbox, game))


async def test_a_second_loss_within_minutes_gets_a_third_thread(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    for _ in range(2):
        await _lose(sandbox, game)
        await sandbox.person("Ann").slash(TABLE, "game repair", number=game.number)
        game = await now_in(sandbox, game)
    is_whole(sandbox, game)


async def test_where_the_channel_is_gone_a_moderator_says_where_the_game_continues(
    sandbox: SandboxBot,
) -> None:
    game = await sandbox.game()
    elsewhere = sandbox.world.channel_named("second-table")
    threads.remove(sandbox.world, sandbox.world.channel_named(TABLE))
    answer = await sandbox.person("Bob").slash(elsewhere, "game repair", number=game.number)
    assert "`/game move-here number:1`" in answer.text
    refused = await sandbox.person("Bob").slash(elsewhere, "game move-here", number=game.number)
    assert "Manage Threads" in refused.text
    await sandbox.person("Ann").slash(elsewhere, "game move-here", number=game.number)
    new = await now_in(sandbox, game)
    assert sandbox.world.channel(new.thread).parent_id == elsewhere.id
    is_whole(sandbox, new)


async def test_a_game_that_moves_leaves_no_buttons_behind(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    elsewhere = sandbox.world.channel_named("second-table")
    await sandbox.person("Ann").slash(elsewhere, "game move-here", number=game.number)
    new = await now_in(sandbox, game)
    assert not [m for m in game.messages if m.buttons]
    assert game.lines[-1] == f"This game continues in <#{elsewhere.id}>."
    assert "not the thread of a game" in (await sandbox.person("Ann").slash(game.thread, "pass")).text
    await new.press("Ann", "Pass")
    assert new.lines[-1].startswith("`2`")


# --- a thread that is there, but closed ------------------------------------------------------------------------------


async def test_a_move_in_a_locked_thread_is_refused_with_the_reason(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    turn = game.turn
    threads.change(sandbox.world, sandbox.world.channel(game.thread), {"locked": True})
    for answer in (await game.slash("Ann", "pass"), await sandbox.person("Ann").press(turn, "Pass")):
        assert await sandbox.hears(answer, "This thread is locked, so nothing was changed")
    assert await game.seq() == 1
    threads.change(sandbox.world, sandbox.world.channel(game.thread), {"locked": False})
    await game.press("Ann", "Pass")
    assert await game.seq() == 2


async def test_a_move_where_a_permission_is_missing_is_not_made(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    for bit, called in (
        (permissions.SEND_IN_THREADS, "Send Messages in Threads"),
        (permissions.VIEW_CHANNEL, "View Channel"),
        (permissions.ATTACH_FILES, "Attach Files"),
    ):
        sandbox.world.withheld = bit
        answer = await sandbox.person("Ann").slash(game.thread, "pass")
        assert "Nothing was changed" in answer.text
        assert called in answer.text
        assert await game.seq() == 1
    sandbox.world.withheld = 0
    await game.slash("Ann", "pass")
    assert await game.seq() == 2


async def test_an_archived_thread_is_opened_before_anything_is_posted(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    threads.change(sandbox.world, sandbox.world.channel(game.thread), {"archived": True})
    await game.press("Ann", "Pass")
    assert not sandbox.world.channel(game.thread).archived
    assert not [refusal for refusal in sandbox.world.refusals if refusal]
    assert game.lines[-1].startswith("`2`")


async def test_a_thread_that_nobody_wrote_in_for_a_week_stays_open_and_one_closed_by_hand_is_not(
    sandbox: SandboxBot,
) -> None:
    game = await sandbox.game()
    thread = sandbox.world.channel(game.thread)
    threads.change(sandbox.world, thread, {"archived": True})
    await sandbox.person("Ann").slash(TABLE, "mine")
    assert thread.archived
    threads.change(sandbox.world, thread, {"archived": False})
    thread.last_message_id = time_snowflake(datetime.now(UTC) - timedelta(days=8))
    threads.change(sandbox.world, thread, {"archived": True})
    assert await sandbox.world.until(lambda: not thread.archived, timeout=20)


async def test_repair_opens_an_archived_thread_and_posts_a_turn_message_that_was_deleted(
    sandbox: SandboxBot,
) -> None:
    game = await sandbox.game()
    sandbox.world.messages.pop(game.turn.id)
    threads.change(sandbox.world, sandbox.world.channel(game.thread), {"archived": True})
    answer = await game.slash("Bob", "game repair")
    assert f"<#{game.thread}> is there" in answer.text
    assert not sandbox.world.channel(game.thread).archived
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert game.pings("Ann") == 1


# --- all of it in one game -------------------------------------------------------------------------------------------


async def _deleted(sandbox: SandboxBot, game: Seated) -> None:
    await _lose(sandbox, game)
    await sandbox.person("Cy").slash(TABLE, "game repair", number=game.number)


async def _archived(sandbox: SandboxBot, game: Seated) -> None:
    threads.change(sandbox.world, sandbox.world.channel(game.thread), {"archived": True})


async def _locked(sandbox: SandboxBot, game: Seated) -> None:
    """For a while, in which nobody can move."""
    thread, before = sandbox.world.channel(game.thread), await game.seq()
    threads.change(sandbox.world, thread, {"locked": True})
    for name in ("Ann", "Bob", "Cy"):
        await sandbox.person(name).slash(game.thread, "pass")
    assert await game.seq() == before
    threads.change(sandbox.world, thread, {"locked": False})


async def _forbidden(sandbox: SandboxBot, game: Seated) -> None:
    """For a while, in which nobody can move."""
    before, sandbox.world.withheld = await game.seq(), permissions.SEND_IN_THREADS
    for name in ("Ann", "Bob", "Cy"):
        await sandbox.person(name).slash(game.thread, "pass")
    assert await game.seq() == before
    sandbox.world.withheld = 0


async def _moved(sandbox: SandboxBot, game: Seated) -> None:
    await sandbox.person("Ann").slash("second-table", "game move-here", number=game.number)


FAULTS = (_deleted, _archived, _locked, _forbidden, _moved)


async def _moves(sandbox: SandboxBot, game: Seated) -> None:
    """The acting player passes, or bids where all would pass."""
    async with sandbox.client.tables.reading(game.number) as live:
        name, seq = live.name_of(live.game.actors()[0]), live.seq
    if seq % 3 == 1:
        await game.slash(name, "bid", private="CV", amount=200 + 5 * seq)
    else:
        await game.slash(name, "pass")
    assert await game.seq() == seq + 1


async def test_a_game_with_every_fault_goes_as_one_without(sandbox: SandboxBot) -> None:
    """Every line comes once, and the other table notices nothing."""
    posted = PostedLines()

    def note(change: Change) -> None:
        if change.kind in ("message_create", "message_update") and change.message is not None:
            posted.note(change.message)

    calm, rough = await sandbox.game(), await sandbox.game()
    faults = random.Random(4).sample(FAULTS * 2, 2 * len(FAULTS))
    for _ in faults:
        await _moves(sandbox, calm)
    quiet = calm.lines
    sandbox.world.listen(note)
    for fault in faults:
        await fault(sandbox, rough)
        rough = await now_in(sandbox, rough)
        await _moves(sandbox, rough)
    rough = await now_in(sandbox, rough)
    is_whole(sandbox, rough)
    assert posted.lines == quiet[1:]
    assert calm.lines == quiet
