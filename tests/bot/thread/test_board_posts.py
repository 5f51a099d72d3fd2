"""The board post: posted once, edited where something else is to be seen, with no picture uploaded that it has."""

import pytest

from bot.sandbox.guild import threads
from bot.sandbox.model import Message, MessageFlag
from bot.table.outbox import notices
from bot.table.outbox.notices import Line, RoundStart, ThreadPing, TurnChange
from storage import games
from tests.bot.support.positions import actor_of, played_to, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated, is_board

AGAIN = notices.board_notice(post_may_be_deleted=True)


@pytest.fixture
async def game(sandbox: SandboxBot, undrawn: None) -> Seated:
    return await sandbox.game()


def board(game: Seated) -> Message:
    [found] = [message for message in game.messages if is_board(message)]
    return found


def pictures(game: Seated) -> dict[str, int]:
    return {file.filename: file.id for file in board(game).attachments}


async def test_board_is_posted_quietly_and_pinned(game: Seated) -> None:
    post = board(game)
    assert (post.pinned, post.flags & MessageFlag.SILENT) == (True, MessageFlag.SILENT)
    assert "It is **Ann**'s turn. After move 1 " in post.content
    assert (await games.get_game(game.sandbox.db, game.number)).board_message_id == post.id
    assert await game.post(notices.THREAD_NOTICE) == []


async def test_board_says_the_next_turn(game: Seated) -> None:
    """With the pictures as they are; nothing is said twice."""
    before = pictures(game)
    await game.press("Ann", "Pass")
    assert "It is **Bob**'s turn. After move 2 " in board(game).content
    assert pictures(game) == before
    assert await game.post(notices.board_notice()) == []
    assert await game.post(AGAIN) == ["PATCH"]
    assert not before.items() & pictures(game).items()


async def test_board_after_a_restart(game: Seated) -> None:
    """Both pictures are uploaded once: nobody knows what they show."""
    before = pictures(game)
    await game.sandbox.stop()
    await game.sandbox.start()
    assert await game.post(notices.board_notice()) == ["PATCH"]
    after = pictures(game)
    assert not before.items() & after.items()
    await game.press("Ann", "Pass")
    assert pictures(game) == after


async def test_only_changed_pictures_are_uploaded(sandbox: SandboxBot) -> None:
    """Here they are drawn."""
    game = await seated_at(sandbox, played_to("sell_shares"))
    name = actor_of(game)
    await game.post(AGAIN)
    before = pictures(game)
    (_, company), *_ = await sandbox.person(name).autocomplete(
        game.thread, "sell", focused="company", company=""
    )
    await game.slash(name, "sell", company=company, shares=1)
    await game.slash(name, "pass")
    after = pictures(game)
    assert after["market.png"] != before["market.png"]
    assert after["map.png"] == before["map.png"]


@pytest.mark.parametrize(("code", "status"), [(30003, 400), (50013, 403)])
async def test_board_that_cannot_be_pinned(sandbox: SandboxBot, code: int, status: int) -> None:
    sandbox.server.faults.fail("/pins/", status=status, code=code)
    game = await sandbox.game()
    assert not board(game).pinned
    await game.post(AGAIN)
    assert not board(game).pinned, "it is not tried again"


async def test_board_pinned_later(sandbox: SandboxBot, hasty: None) -> None:
    sandbox.server.faults.fail("/pins/", status=404, code=10008)
    game = await sandbox.game()
    await game.post(AGAIN)
    assert board(game).pinned


@pytest.mark.usefixtures("unfilmed")
@pytest.mark.parametrize("over", [False, True])
async def test_archived_thread_is_opened_for_the_board(game: Seated, over: bool) -> None:
    """That of a game which is over archives itself."""
    world, before = game.sandbox.world, pictures(game)
    for name in ("Ann", "Bob", "Cy") if over else ():
        await game.slash(name, "game abandon")
    threads.change_channel(world, world.channel(game.thread), {"archived": True})
    assert "PATCH" in await game.post(AGAIN)
    assert not world.channel(game.thread).archived
    assert not before.items() & pictures(game).items()


async def test_order_of_posts(game: Seated) -> None:
    """Words come before the turn, and moves with it."""
    begun = len(game.messages)
    passes = TurnChange((), None, is_new_turn=True)
    move, alone = Line("`2` A."), Line("The game pauses.")
    ping = ThreadPing((game.sandbox.person("Bob").id,), "Come here.")
    before, pinged = game.turn, game.pings("Bob")
    await game.post(*(one.notice() for one in (move, RoundStart("OR 1"), passes, alone, ping)))
    assert before.content == "`2` A."
    new = [message.content.split("\n")[-1] for message in game.messages[begun:]]
    assert new[:2] == ["Come here.", "The game pauses."]
    assert game.messages[-1].id == game.turn.id
    assert game.pings("Bob") == pinged + 1


@pytest.mark.usefixtures("unfilmed")
async def test_result_and_papers_are_posted_once(game: Seated) -> None:
    assert await game.post(notices.END_NOTICE, notices.GAME_FILES_NOTICE) == [], "it is not over"
    for name in ("Ann", "Bob", "Cy"):
        await game.slash(name, "game abandon")
    result, papers = game.messages[-2:]
    people = {game.sandbox.person(name).id for name in ("Ann", "Bob", "Cy")}
    assert (set(result.pinged), bool(result.flags & MessageFlag.SILENT)) == (people, False)
    assert [file.filename for file in result.attachments] == ["scores.png"]
    assert papers.content.startswith("The game in pictures and files, after move ")
    assert {"scores.csv", "game-1.json"} <= {file.filename for file in papers.attachments}
    assert "POST" not in await game.post(notices.END_NOTICE, notices.GAME_FILES_NOTICE)
