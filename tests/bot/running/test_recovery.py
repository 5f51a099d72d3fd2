"""Recovery: crashes between storing and posting, restarts, failing posts, missing messages."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing

import pytest

from bot.table.moves.moves import TypedMove
from bot.table.tables import Tables
from bot.table.undo import undo
from storage import open_database
from tests.bot.support.player import position
from tests.bot.support.positions import actor_of, played_to, seated_at
from tests.bot.support.records import numbers
from tests.bot.support.sandbox_bot import SandboxBot, Seated


@asynccontextmanager
async def killed(sandbox: SandboxBot) -> AsyncIterator[Tables]:
    """The process has died; what it had stored before, and then it starts again."""
    await sandbox.stop()
    async with await open_database(sandbox.database) as db:
        yield Tables(db)
    await sandbox.start()
    await sandbox.settled()


def edit(sandbox: SandboxBot, *statements: str) -> None:
    """Change rows as a process leaves them that dies before it has written them."""
    with closing(sqlite3.connect(sandbox.database)) as conn, conn:
        for statement in statements:
            conn.execute(statement)


@pytest.fixture
async def selling(sandbox: SandboxBot) -> Seated:
    """A game in whose turn shares may be sold, and then something else is done."""
    return await seated_at(sandbox, played_to("sell_shares"))


async def company(game: Seated) -> str:
    """A company whose shares may be sold."""
    person = game.sandbox.person(actor_of(game))
    offered = await person.autocomplete(game.thread, "sell", focused="company", company="", shares=1)
    return str(offered[0][1])


async def sell(game: Seated) -> str:
    """Sell a share; who did."""
    name = actor_of(game)
    await game.slash(name, "sell", company=await company(game), shares=1)
    return name


def one_turn(game: Seated) -> bool:
    return [m for m in game.messages if m.buttons] == [game.turn]


async def test_post_of_a_turn_is_made_whole(sandbox: SandboxBot, selling: Seated) -> None:
    """The process died in the middle of a turn, after the commit and before the edit."""
    name, post, sold = actor_of(selling), selling.turn.id, await company(selling)
    rung = selling.pings(name)
    async with killed(sandbox) as tables:
        sale = TypedMove("sell_shares", {"company": sold, "shares": 1})
        await tables.submit(selling.number, sandbox.person(name).id, sale)
        assert numbers([selling.turn]) == []
    assert (selling.turn.id, numbers([selling.turn])) == (post, [await selling.seq()])
    assert position(selling.turn) == await selling.seq(), "the buttons are those of the moment"
    assert one_turn(selling)
    assert selling.pings(name) == rung


async def test_undone_move_is_struck_out(sandbox: SandboxBot) -> None:
    """In the post that has it, also where the turn was another one's by then."""
    game = await sandbox.game()
    first = game.turn.id
    await game.press("Ann", "Pass")
    async with killed(sandbox) as tables:
        await undo(tables, game.number, sandbox.person("Ann").id)
        assert sandbox.world.messages[first].content == "`2` **Ann** passes."
    struck = "`2` ~~**Ann** passes.~~"
    assert sandbox.world.messages[first].content == struck
    assert game.moves[1:] == [struck, "`3` **Ann** undoes move 2."]
    assert game.turn_text.startswith("**Ann**")
    await game.press("Ann", "Pass")
    assert sandbox.world.messages[first].content == struck
    assert game.moves[-1] == "`4` **Ann** passes."


UNTICKED = "UPDATE outbox SET sent_at = NULL WHERE seq = 2 AND kind = 'turn'"
UNPINGED = "UPDATE pings SET thread = 'pending'"


def unnote(message: int) -> str:
    return f"UPDATE messages SET message_id = NULL WHERE message_id = {message}"


async def test_unnoted_turn_message_is_known_again(sandbox: SandboxBot) -> None:
    """The process died between posting it and writing down which it is; then Bob moved."""
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    first, lost = game.messages[-2].id, game.turn.id
    async with killed(sandbox) as tables:
        edit(
            sandbox,
            UNTICKED,
            unnote(lost),
            f"UPDATE messages SET role = 'turn' WHERE message_id = {first}",
            UNPINGED,
        )
        await tables.submit(game.number, sandbox.person("Bob").id, TypedMove("pass"))
    said = [m.content for m in game.messages if m.id in (first, lost)]
    assert said == ["`2` **Ann** passes.", "`3` **Bob** passes."]
    assert one_turn(game)
    assert (game.pings("Bob"), game.pings("Cy")) == (1, 1)


async def test_messages_known_by_number_alone(sandbox: SandboxBot, selling: Seated) -> None:
    """As the columns said that were there before."""
    board, turn = selling.messages[0].id, selling.turn.id
    async with killed(sandbox):
        edit(
            sandbox,
            f"DELETE FROM messages WHERE message_id NOT IN ({board}, {turn})",
            "UPDATE messages SET shows = '', files = '[]'",
            "UPDATE messages SET key = '' WHERE role = 'turn'",
        )
    there = [m.id for m in selling.messages]
    name = await sell(selling)
    assert [m.id for m in selling.messages] == there, "its turn goes on where it stands"
    await selling.press(name, "Done")
    assert [m.id for m in selling.messages] == [*there, selling.turn.id]
    assert one_turn(selling)
    assert len(sandbox.world.messages[board].attachments) == 2
    assert f"After move {await selling.seq()} " in sandbox.world.messages[board].content
