"""A table whose thread is deleted, archived, locked or closed to us: nobody plays unseen, and no game ends by it."""

from datetime import UTC, datetime, timedelta

from discord.utils import time_snowflake

from bot.client.places.lost_threads import MAX_REPEATED_LINES
from bot.sandbox.guild import permissions, threads
from bot.table.moves.moves import TypedMove
from storage import games
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated

SECOND = "second-table"
ALL = ("Ann", "Bob", "Cy")


async def lose(sandbox: SandboxBot, game: Seated) -> None:
    """Delete the thread of a game, and wait until the bot has heard of it."""
    thread = sandbox.world.channel(game.thread)
    threads.delete_channel(sandbox.world, thread)
    places = sandbox.client.tables.game_threads
    await sandbox.learns(lambda: game.number in places.games_without_thread(thread.parent_id or 0))


async def now_in(sandbox: SandboxBot, game: Seated) -> Seated:
    """The game where it is shown now, all of it posted."""
    await sandbox.settled()
    row = await games.get_game(sandbox.db, game.number)
    assert row.thread_id is not None
    return Seated(sandbox, game.number, row.thread_id)


async def repaired(sandbox: SandboxBot, game: Seated, by: str = "Cy") -> Seated:
    """The game in the thread that `/game repair` makes."""
    answer = await sandbox.person(by).slash(TABLE, "game repair", number=game.number)
    new = await now_in(sandbox, game)
    assert f"<#{new.thread}>" in answer.text
    return new


def is_whole(sandbox: SandboxBot, game: Seated) -> None:
    """Board, last lines and one turn message stand in a thread, and everybody was pinged there."""
    board = next(m for m in game.messages if m.embeds)
    assert board.pinned
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert {sandbox.person(name).id for name in ALL} <= set(sandbox.world.channel(game.thread).people)


# --- a thread that is gone -------------------------------------------------------------------------------------------


async def test_repair_makes_a_new_thread(sandbox: SandboxBot) -> None:
    """With board, turn and the last lines; a second loss within minutes leads to a third."""
    game = await sandbox.game()
    for number in range(MAX_REPEATED_LINES + 2):
        bid = TypedMove("bid", {"private": "CV", "amount": 205 + 5 * number})
        await sandbox.client.tables.submit(game.number, sandbox.person(ALL[number % 3]).id, bid)
    await sandbox.settled()
    before = await game.digest()
    await lose(sandbox, game)
    new = await repaired(sandbox, game)
    assert new.thread != game.thread
    is_whole(sandbox, new)
    why, head, *last = new.lines[0].splitlines()[-MAX_REPEATED_LINES - 2 :]
    assert (why, head) == (
        "The old thread of this game was deleted; the game continues here.",
        "What happened last:",
    )
    assert [line.split("`")[1] for line in last] == [
        str(number) for number in range(4, MAX_REPEATED_LINES + 4)
    ]
    assert await new.digest() == before
    await new.press("Ann", "Pass")
    assert "Ann" in new.lines[-1]
    await lose(sandbox, new)
    is_whole(sandbox, await repaired(sandbox, new))


async def test_open_proposals_are_asked_again(sandbox: SandboxBot) -> None:
    """In a new thread; who stands in for a player is pinged there, too."""
    game = await sandbox.game()
    await game.slash("Cy", "game substitute", who=sandbox.person("Dee").id)
    await game.slash("Ann", "game abandon")
    await lose(sandbox, game)
    new = await repaired(sandbox, game, "Ann")
    (asked,) = [m for m in new.messages if m.content.startswith("Proposal 1")]
    assert [button.label for button in asked.buttons] == ["Agree", "Refuse", "Withdraw"]
    assert sandbox.person("Dee").id in sandbox.world.channel(new.thread).people
    await sandbox.person("Bob").press(asked, "Refuse")
    assert "refused" in asked.content


async def test_channel_of_a_lost_thread_says_what_helps(sandbox: SandboxBot) -> None:
    """So do the lists; the next move makes a new thread, by command in the channel, which stands for it."""
    game = await sandbox.game()
    await lose(sandbox, game)
    helps = "`/game repair number:1`"
    said = sandbox.person("Ann").messages
    assert await sandbox.world.wait_until(lambda: any(helps in m.content for m in said(TABLE)), timeout=20)
    for command in ("mine", "game list"):
        assert helps in (await sandbox.person("Bob").slash(TABLE, command)).text
    assert "Done, move 2" in (await sandbox.person("Ann").slash(TABLE, "pass")).text
    new = await now_in(sandbox, game)
    is_whole(sandbox, new)
    assert [line for line in new.lines if line.startswith("`2`")]
    assert new.turn.content.startswith(sandbox.person("Bob").mention)
    assert "not a game's thread" in (await sandbox.person("Bob").slash(TABLE, "pass")).text


async def test_of_two_lost_games_none_is_guessed(sandbox: SandboxBot) -> None:
    lost = [await sandbox.game() for _ in range(2)]
    for game in lost:
        await lose(sandbox, game)
    answer = (await sandbox.person("Ann").slash(TABLE, "pass")).text
    for game in lost:
        assert f"`/game repair number:{game.number}`" in answer
        assert await game.seq() == 1


async def test_thread_that_goes_unheard_is_made_again(sandbox: SandboxBot) -> None:
    """No event said so: Discord does not know the thread when a line is posted. Each line comes once."""
    game = await sandbox.game()
    sandbox.server.faults.fail(f"/channels/{game.thread}/", status=404, code=10003)
    threads.delete_channel(sandbox.world, sandbox.world.channel(game.thread))
    await sandbox.client.tables.submit(game.number, sandbox.person("Ann").id, TypedMove("pass"))
    new = await now_in(sandbox, game)
    is_whole(sandbox, new)
    assert sum(line.startswith("`2`") for line in new.lines) == 1


async def test_game_that_moves_leaves_no_buttons(sandbox: SandboxBot) -> None:
    game, elsewhere = await sandbox.game(), sandbox.world.channel_named(SECOND)
    await sandbox.person("Ann").slash(elsewhere, "game move-here", number=game.number)
    new = await now_in(sandbox, game)
    assert not [m for m in game.messages if m.buttons]
    assert game.lines[-1] == f"This game continues in <#{elsewhere.id}>."
    assert "not a game's thread" in (await sandbox.person("Ann").slash(game.thread, "pass")).text
    await new.press("Ann", "Pass")
    assert new.lines[-1].startswith("`2`")


# --- a thread that is there, but closed ------------------------------------------------------------------------------


async def test_locked_thread_takes_no_move(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    turn, thread = game.turn, sandbox.world.channel(game.thread)
    threads.change_channel(sandbox.world, thread, {"locked": True})
    for answer in (await game.slash("Ann", "pass"), await sandbox.person("Ann").press(turn, "Pass")):
        assert await sandbox.hears(answer, "this thread is locked")
    assert await game.seq() == 1
    threads.change_channel(sandbox.world, thread, {"locked": True, "archived": True})
    await sandbox.client.tables.submit(game.number, sandbox.person("Ann").id, TypedMove("pass"))
    await sandbox.learns(lambda: sandbox.client.delivery_problems.problem_of(game.number) is not None)
    opens = f"PATCH /api/v10/channels/{game.thread}"
    assert (thread.archived, opens in sandbox.server.requests) == (True, False), "who has locked it opens it"
    threads.change_channel(sandbox.world, thread, {"locked": False, "archived": False})
    sandbox.client.sender.wake(game.number)
    await sandbox.settled()
    await game.press("Bob", "Pass")
    assert [line[:3] for line in game.lines][-2:] == ["`2`", "`3`"]


async def test_missing_permission_takes_no_move(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    for bit, named in (
        (permissions.SEND_IN_THREADS, "Send Messages in Threads"),
        (permissions.VIEW_CHANNEL, "View Channel"),
        (permissions.ATTACH_FILES, "Attach Files"),
    ):
        sandbox.world.withheld_permissions = bit
        answer = (await sandbox.person("Ann").slash(game.thread, "pass")).text
        assert ("Nothing was changed" in answer, named in answer) == (True, True)
        assert await game.seq() == 1
    sandbox.world.withheld_permissions = 0
    await game.slash("Ann", "pass")
    assert await game.seq() == 2


async def test_idle_thread_stays_open(sandbox: SandboxBot) -> None:
    """Nobody wrote there for a week; one that was closed by hand stays so."""
    game = await sandbox.game()
    thread = sandbox.world.channel(game.thread)
    threads.change_channel(sandbox.world, thread, {"archived": True})
    await sandbox.person("Ann").slash(TABLE, "mine")
    assert thread.archived
    threads.change_channel(sandbox.world, thread, {"archived": False})
    thread.last_message_id = time_snowflake(datetime.now(UTC) - timedelta(days=8))
    threads.change_channel(sandbox.world, thread, {"archived": True})
    assert await sandbox.world.wait_until(lambda: not thread.archived, timeout=20)


async def test_repair_opens_an_archived_thread(sandbox: SandboxBot) -> None:
    """And posts a turn message that was deleted."""
    game = await sandbox.game()
    sandbox.world.messages.pop(game.turn.id)
    threads.change_channel(sandbox.world, sandbox.world.channel(game.thread), {"archived": True})
    answer = await game.slash("Bob", "game repair")
    assert f"<#{game.thread}> exists" in answer.text
    assert not sandbox.world.channel(game.thread).archived
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert game.pings("Ann") == 1
