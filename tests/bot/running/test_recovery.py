"""What survives: crashes between storing and posting, restarts, failing posts, missing messages."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.sandbox.guild import messages
from bot.table.errors import NotStored, Refused, Untouched
from bot.table.games.confirmed_writes import evict_on_failure, stored_row, then_true
from bot.table.moves.moves import Typed
from bot.table.tables import Tables
from bot.table.undo import undo
from bot.tools.environment import Environment
from bot.tools.sandbox_run import sandbox
from storage import DatabaseTooNew, StorageError, Transaction, games, log, open_database
from tests.bot.support.player import position
from tests.bot.support.positions import actor_of, played_to, seated_at
from tests.bot.support.records import numbers
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import TableService
from tests.support.unsent import unsent

NOW = "2026-01-02T03:04:05+00:00"


async def test_where_others_may_write_too_what_was_stored_is_looked_for_when_its_transaction_has_ended(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game's lock waits for one that a broken connection has left; a file has none."""
    game, entry = await service.game(), log.Entry("action", "{}", "d", "p1", 7)
    await log.commit_move(service.db, game, 1, [entry], now=NOW)
    held: list[int] = []

    async def hold(_: Transaction, game_id: int) -> None:
        held.append(game_id)

    monkeypatch.setattr(games, "lock_and_read", hold)
    assert await stored_row(service.db, game, 1, entry, NOW) == 2
    assert held == []
    monkeypatch.setattr(service.db, "shared", True)
    assert await stored_row(service.db, game, 1, entry, NOW) == 2
    assert held == [game]
    assert await stored_row(service.db, game, 1, replace(entry, digest="e"), NOW) is None
    assert await stored_row(service.db, game, 2, entry, NOW) is None


async def test_a_move_stored_but_not_posted_is_posted_after_the_restart(
    sandbox: SandboxBot, tmp_path: Path
) -> None:
    game = await sandbox.game()
    ann = sandbox.person("Ann").id
    await sandbox.stop()
    # The process died right after the commit: the row is there, nothing was posted.
    async with await open_database(tmp_path / "games.db") as db:
        await Tables(db).submit(game.number, ann, Typed("bid", {"private": "D&R", "amount": 20}))
        assert len(await unsent(db)) == 3
    assert not any("D&R" in line for line in game.lines)
    await sandbox.start()
    await sandbox.settled()
    assert sum("D&R" in line for line in game.lines) == 1
    assert game.turn.content.startswith(f"<@{sandbox.person('Bob').id}>")
    assert game.pings("Bob") == 1


async def test_the_post_of_a_turn_is_made_whole_after_the_restart(
    sandbox: SandboxBot, tmp_path: Path
) -> None:
    """The process died in the middle of a turn, after the commit and before the edit."""
    game = await seated_at(sandbox, played_to("sell_shares"))
    name, post = actor_of(game), game.turn.id
    offered = await sandbox.person(name).autocomplete(
        game.thread, "sell", focused="company", company="", shares=1
    )
    await sandbox.stop()
    async with await open_database(tmp_path / "games.db") as db:
        sale = Typed("sell_shares", {"company": str(offered[0][1]), "shares": 1})
        await Tables(db).submit(game.number, sandbox.person(name).id, sale)
    assert numbers([game.turn]) == []
    rung = game.pings(name)
    await sandbox.start()
    await sandbox.settled()
    assert (game.turn.id, numbers([game.turn])) == (post, [await game.seq()])
    assert position(game.turn) == await game.seq(), "the buttons are those of the moment"
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert game.pings(name) == rung


async def test_the_post_of_a_turn_shows_a_line_once_that_was_edited_in_and_not_ticked_off(
    sandbox: SandboxBot,
) -> None:
    game = await seated_at(sandbox, played_to("sell_shares"))
    name, post = actor_of(game), game.turn.id
    offered = await sandbox.person(name).autocomplete(
        game.thread, "sell", focused="company", company="", shares=1
    )
    await game.slash(name, "sell", company=offered[0][1], shares=1)
    shown, made = game.turn.content, await game.seq()
    await sandbox.stop()
    with closing(sqlite3.connect(sandbox.database)) as conn, conn:
        conn.execute("UPDATE outbox SET sent_at = NULL, message_id = NULL WHERE seq = ?", (made,))
    await sandbox.start()
    await sandbox.settled()
    assert (game.turn.id, game.turn.content) == (post, shown)
    assert numbers(game.messages).count(made) == 1


async def test_what_was_undone_is_struck_out_in_the_post_that_has_it(sandbox: SandboxBot) -> None:
    """Also where the turn was another one's by then, and where the process died before the edit."""
    game = await sandbox.game()
    first = game.turn.id
    await game.press("Ann", "Pass")
    await sandbox.stop()
    async with await open_database(sandbox.database) as db:
        await undo(Tables(db), game.number, sandbox.person("Ann").id)
    assert sandbox.world.messages[first].content == "`2` **Ann** passes."
    await sandbox.start()
    await sandbox.settled()
    assert sandbox.world.messages[first].content == "`2` ~~**Ann** passes.~~"
    assert game.moves[1:] == ["`2` ~~**Ann** passes.~~", "`3` **Ann** undoes move 2."]
    assert game.turn_text.startswith("**Ann**")
    await game.press("Ann", "Pass")
    assert sandbox.world.messages[first].content == "`2` ~~**Ann** passes.~~"
    assert game.moves[-1] == "`4` **Ann** passes."


async def test_a_turn_posted_but_not_ticked_off_is_not_posted_twice(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    posted = [line for line in game.lines if "Ann" in line]
    await sandbox.stop()
    # The process died between the post and its tick.
    _untick(sandbox)
    await sandbox.start()
    await sandbox.settled()
    assert [line for line in game.lines if "Ann" in line] == posted
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert game.pings("Bob") == 1


async def test_a_turn_message_nobody_wrote_down_is_known_again(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    first, lost = game.messages[-2], game.turn
    await sandbox.stop()
    # The process died between posting the turn message and writing down which it is; then Bob moved.
    _untick(sandbox)
    with closing(sqlite3.connect(sandbox.database)) as conn, conn:
        conn.execute("UPDATE messages SET message_id = NULL WHERE message_id = ?", (lost.id,))
        conn.execute("UPDATE messages SET role = 'turn' WHERE message_id = ?", (first.id,))
        conn.execute("UPDATE pings SET thread = 'pending'")
    async with await open_database(sandbox.database) as db:
        await Tables(db).submit(game.number, sandbox.person("Bob").id, Typed("pass"))
    await sandbox.start()
    await sandbox.settled()
    said = [m.content for m in game.messages if m.id in (first.id, lost.id)]
    assert said == ["`2` **Ann** passes.", "`3` **Bob** passes."]
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert (game.pings("Bob"), game.pings("Cy")) == (1, 1)


def _untick(sandbox: SandboxBot) -> None:
    with closing(sqlite3.connect(sandbox.database)) as conn, conn:
        conn.execute("UPDATE outbox SET sent_at = NULL WHERE seq = 2 AND kind = 'turn'")


async def test_a_game_stored_before_continues(sandbox: SandboxBot) -> None:
    """Its messages are known by number alone, as the columns said that were there before."""
    game = await seated_at(sandbox, played_to("sell_shares"))
    name, board, turn = actor_of(game), game.messages[0].id, game.turn.id
    offered = await sandbox.person(name).autocomplete(
        game.thread, "sell", focused="company", company="", shares=1
    )
    await sandbox.stop()
    with closing(sqlite3.connect(sandbox.database)) as conn, conn:
        conn.execute("DELETE FROM messages WHERE message_id NOT IN (?, ?)", (board, turn))
        conn.execute("UPDATE messages SET shows = '', files = '[]'")
        conn.execute("UPDATE messages SET key = '' WHERE role = 'turn'")
    await sandbox.start()
    there = [m.id for m in game.messages]
    await game.slash(name, "sell", company=offered[0][1], shares=1)
    assert [m.id for m in game.messages] == there, "its turn goes on where it stands"
    await game.press(name, "Done")
    assert [m.id for m in game.messages] == [*there, game.turn.id]
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert len(sandbox.world.messages[board].attachments) == 2
    assert f"After move {await game.seq()} " in sandbox.world.messages[board].content


async def test_old_buttons_work_after_a_restart(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    turn = game.turn
    before = await game.digest()
    await sandbox.stop()
    await sandbox.start()
    assert await game.digest() == before
    await game.press("Ann", "Pass", turn)
    assert await game.seq() == 2
    assert game.turn.content.startswith(f"<@{sandbox.person('Bob').id}>")


async def test_autocomplete_works_from_the_first_keystroke_after_a_restart(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await sandbox.stop()
    await sandbox.start()
    offered = await sandbox.person("Ann").autocomplete(game.thread, "bid", focused="private", private="")
    assert "D&R" in [value for _, value in offered]


async def test_a_full_disk_is_said_privately_and_the_move_can_be_made_later(sandbox: SandboxBot) -> None:
    game = await sandbox.game()

    async def fill(tx: Transaction) -> None:
        pages = await tx.row("PRAGMA page_count")
        assert pages is not None
        await tx.run(f"PRAGMA max_page_count = {pages[0]}")

    await sandbox.db.write(fill)
    answer = ""
    for _ in range(200):
        async with sandbox.client.tables.reading(game.number) as live:
            name = live.name_of(live.game.actors()[0])
        before = await game.digest()
        answer = (await sandbox.person(name).slash(game.thread, "pass")).text
        if "could not be stored" in answer:
            break
    assert "nothing was changed" in answer
    assert await game.digest() == before
    await sandbox.db.write(lambda tx: tx.run("PRAGMA max_page_count = 1000000"))
    seq = await game.seq()
    await game.slash(name, "pass")
    assert await game.seq() == seq + 1
    assert sum("`" in line for line in game.lines) == seq + 1


async def test_a_lobby_survives_a_restart(sandbox: SandboxBot) -> None:
    await sandbox.person("Ann").slash("table", "game new", title="18chesapeake")
    await sandbox.stop()
    await sandbox.start()
    await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    await sandbox.person("Bob").press(sandbox.lobby(), "Start")
    await sandbox.settled()
    assert len(await games.games_in(sandbox.db, "running")) == 1


async def test_a_failing_post_is_tried_again_and_loses_nothing(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    sandbox.server.faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=403, times=1)
    await game.press("Ann", "Pass")
    assert sandbox.server.faults.served == 1
    assert sum("`2`" in line for line in game.lines) == 1
    assert game.turn.content.startswith(f"<@{sandbox.person('Bob').id}>")


async def test_a_rate_limit_is_waited_out(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    sandbox.server.faults.rate_limit(f"POST /api/v10/channels/{game.thread}/messages", times=2)
    await game.press("Ann", "Pass")
    assert sum("`2`" in line for line in game.lines) == 1


async def test_a_deleted_board_post_is_posted_again(sandbox: SandboxBot) -> None:
    """As soon as there is something new to be seen there."""
    game = await seated_at(sandbox, played_to("sell_shares"))
    name = actor_of(game)
    messages.delete(sandbox.world, game.messages[0])
    offered = await sandbox.person(name).autocomplete(
        game.thread, "sell", focused="company", company="", shares=1
    )
    await game.slash(name, "sell", company=offered[0][1], shares=1)
    await game.press(name, "Done")
    boards = [m for m in game.messages if m.embeds]
    assert len(boards) == 1
    assert f"After move {await game.seq()} " in boards[0].content


async def test_a_deleted_board_post_is_posted_again_when_the_game_is_repaired(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    messages.delete(sandbox.world, game.messages[0])
    await game.slash("Ann", "game repair")
    assert [m.pinned for m in game.messages if m.embeds] == [True]


async def test_a_game_starts_although_its_lobby_message_is_gone(sandbox: SandboxBot) -> None:
    ann, bob = sandbox.person("Ann"), sandbox.person("Bob")
    await ann.slash("table", "game new", title="18chesapeake")
    await bob.press(sandbox.lobby(), "Join")
    messages.delete(sandbox.world, sandbox.lobby())
    await ann.slash("table", "game start")
    await sandbox.settled()
    row = (await games.games_in(sandbox.db, "running"))[0]
    assert row.board_message_id is not None
    assert row.thread_id in sandbox.world.channels


async def test_a_missing_permission_to_pin_stops_nothing(
    sandbox: SandboxBot, caplog: pytest.LogCaptureFixture
) -> None:
    sandbox.server.faults.fail("/pins/", times=1)
    game = await sandbox.game()
    assert not game.messages[0].pinned
    assert "permission to pin" in caplog.text
    assert game.turn.buttons


async def test_two_games_continue_side_by_side(sandbox: SandboxBot) -> None:
    first = await sandbox.game()
    second = await sandbox.game(("Dee", "Eve"))
    await asyncio.gather(
        sandbox.person("Ann").press(first.turn, "Pass"), sandbox.person("Dee").press(second.turn, "Pass")
    )
    await sandbox.settled()
    assert (await first.seq(), await second.seq()) == (2, 2)
    assert any("Ann" in line for line in first.lines[1:])
    assert not any("Dee" in line for line in first.lines)
    mine = await sandbox.person("Eve").slash("table", "mine")
    assert f"<#{second.thread}>: your turn" in mine.text
    assert "1." not in mine.text


async def test_moves_of_one_game_are_posted_in_order(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    for name in ("Ann", "Bob", "Cy") * 3:
        await sandbox.client.tables.submit(game.number, sandbox.person(name).id, Typed("pass"))
    await sandbox.settled()
    numbers = [line.split("`")[1] for line in game.lines if line.startswith("`")]
    assert numbers == [str(number) for number in range(1, 11)]


async def test_a_database_of_a_newer_version_is_refused_with_a_sentence(
    tmp_path: Path,
) -> None:
    path = tmp_path / "games.db"
    async with await open_database(path):
        pass
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("PRAGMA user_version = 999")
    before = path.read_bytes()
    settings = Environment(
        STATIONMASTER_DATABASE=path,
        STATIONMASTER_SANDBOX_STATE=tmp_path / "sandbox",
        STATIONMASTER_SANDBOX_PORT=0,
        STATIONMASTER_WORKERS=0,
    )
    with pytest.raises(DatabaseTooNew, match="version 999"):
        await sandbox(settings)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("error", "forgotten"), [(Refused("no"), 0), (NotStored(StorageError("full")), 1), (ValueError("bug"), 1)]
)
async def test_a_game_leaves_memory_unless_it_was_only_refused(error: Exception, forgotten: int) -> None:
    """What is in memory may be ahead of what is stored."""
    seen: list[None] = []
    raised = type(error) if isinstance(error, Refused | NotStored) else Untouched
    with pytest.raises(raised):
        async with evict_on_failure(lambda: seen.append(None)):
            raise error
    assert len(seen) == forgotten


async def test_a_write_that_returns_nothing_is_known_to_be_done() -> None:
    """Else it would be looked for in the database."""
    assert await then_true(asyncio.sleep(0)) is True
