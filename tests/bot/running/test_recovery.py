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
from tests.bot.support.harness import House
from tests.bot.support.player import position
from tests.bot.support.positions import actor_of, played_to, seated_at
from tests.bot.support.records import numbers
from tests.bot.support.tables import Bench
from tests.support.unsent import unsent

NOW = "2026-01-02T03:04:05+00:00"


async def test_where_others_may_write_too_what_was_stored_is_looked_for_when_its_transaction_has_ended(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game's lock waits for one that a broken connection has left; a file has none."""
    game, entry = await bench.game(), log.Entry("action", "{}", "d", "p1", 7)
    await log.commit_move(bench.db, game, 1, [entry], now=NOW)
    held: list[int] = []

    async def hold(_: Transaction, game_id: int) -> None:
        held.append(game_id)

    monkeypatch.setattr(games, "lock_and_read", hold)
    assert await stored_row(bench.db, game, 1, entry, NOW) == 2
    assert held == []
    monkeypatch.setattr(bench.db, "shared", True)
    assert await stored_row(bench.db, game, 1, entry, NOW) == 2
    assert held == [game]
    assert await stored_row(bench.db, game, 1, replace(entry, digest="e"), NOW) is None
    assert await stored_row(bench.db, game, 2, entry, NOW) is None


async def test_a_move_stored_but_not_posted_is_posted_after_the_restart(house: House, tmp_path: Path) -> None:
    game = await house.game()
    ann = house.person("Ann").id
    await house.stop()
    # The process died right after the commit: the row is there, nothing was posted.
    async with await open_database(tmp_path / "games.db") as db:
        await Tables(db).submit(game.number, ann, Typed("bid", {"private": "D&R", "amount": 20}))
        assert len(await unsent(db)) == 3
    assert not any("D&R" in line for line in game.lines)
    await house.start()
    await house.settled()
    assert sum("D&R" in line for line in game.lines) == 1
    assert game.turn.content.startswith(f"<@{house.person('Bob').id}>")
    assert game.pings("Bob") == 1


async def test_the_post_of_a_turn_is_made_whole_after_the_restart(house: House, tmp_path: Path) -> None:
    """The process died in the middle of a turn, after the commit and before the edit."""
    game = await seated_at(house, played_to("sell_shares"))
    name, post = actor_of(game), game.turn.id
    offered = await house.person(name).autocomplete(
        game.thread, "sell", focused="company", company="", shares=1
    )
    await house.stop()
    async with await open_database(tmp_path / "games.db") as db:
        sale = Typed("sell_shares", {"company": str(offered[0][1]), "shares": 1})
        await Tables(db).submit(game.number, house.person(name).id, sale)
    assert numbers([game.turn]) == []
    rung = game.pings(name)
    await house.start()
    await house.settled()
    assert (game.turn.id, numbers([game.turn])) == (post, [await game.seq()])
    assert position(game.turn) == await game.seq(), "the buttons are those of the moment"
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert game.pings(name) == rung


async def test_the_post_of_a_turn_shows_a_line_once_that_was_edited_in_and_not_ticked_off(
    house: House,
) -> None:
    game = await seated_at(house, played_to("sell_shares"))
    name, post = actor_of(game), game.turn.id
    offered = await house.person(name).autocomplete(
        game.thread, "sell", focused="company", company="", shares=1
    )
    await game.slash(name, "sell", company=offered[0][1], shares=1)
    shown, made = game.turn.content, await game.seq()
    await house.stop()
    with closing(sqlite3.connect(house.database)) as conn, conn:
        conn.execute("UPDATE outbox SET sent_at = NULL, message_id = NULL WHERE seq = ?", (made,))
    await house.start()
    await house.settled()
    assert (game.turn.id, game.turn.content) == (post, shown)
    assert numbers(game.messages).count(made) == 1


async def test_what_was_undone_is_struck_out_in_the_post_that_has_it(house: House) -> None:
    """Also where the turn was another one's by then, and where the process died before the edit."""
    game = await house.game()
    first = game.turn.id
    await game.press("Ann", "Pass")
    await house.stop()
    async with await open_database(house.database) as db:
        await undo(Tables(db), game.number, house.person("Ann").id)
    assert house.world.messages[first].content == "`2` **Ann** passes."
    await house.start()
    await house.settled()
    assert house.world.messages[first].content == "`2` ~~**Ann** passes.~~"
    assert game.moves[1:] == ["`2` ~~**Ann** passes.~~", "`3` **Ann** undoes move 2."]
    assert game.turn_text.startswith("**Ann**")
    await game.press("Ann", "Pass")
    assert house.world.messages[first].content == "`2` ~~**Ann** passes.~~"
    assert game.moves[-1] == "`4` **Ann** passes."


async def test_a_turn_posted_but_not_ticked_off_is_not_posted_twice(house: House) -> None:
    game = await house.game()
    await game.press("Ann", "Pass")
    posted = [line for line in game.lines if "Ann" in line]
    await house.stop()
    # The process died between the post and its tick.
    _untick(house)
    await house.start()
    await house.settled()
    assert [line for line in game.lines if "Ann" in line] == posted
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert game.pings("Bob") == 1


async def test_a_turn_message_nobody_wrote_down_is_known_again(house: House) -> None:
    game = await house.game()
    await game.press("Ann", "Pass")
    first, lost = game.messages[-2], game.turn
    await house.stop()
    # The process died between posting the turn message and writing down which it is; then Bob moved.
    _untick(house)
    with closing(sqlite3.connect(house.database)) as conn, conn:
        conn.execute("UPDATE messages SET message_id = NULL WHERE message_id = ?", (lost.id,))
        conn.execute("UPDATE messages SET role = 'turn' WHERE message_id = ?", (first.id,))
        conn.execute("UPDATE pings SET thread = 'pending'")
    async with await open_database(house.database) as db:
        await Tables(db).submit(game.number, house.person("Bob").id, Typed("pass"))
    await house.start()
    await house.settled()
    said = [m.content for m in game.messages if m.id in (first.id, lost.id)]
    assert said == ["`2` **Ann** passes.", "`3` **Bob** passes."]
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert (game.pings("Bob"), game.pings("Cy")) == (1, 1)


def _untick(house: House) -> None:
    with closing(sqlite3.connect(house.database)) as conn, conn:
        conn.execute("UPDATE outbox SET sent_at = NULL WHERE seq = 2 AND kind = 'turn'")


async def test_a_game_stored_before_continues(house: House) -> None:
    """Its messages are known by number alone, as the columns said that were there before."""
    game = await seated_at(house, played_to("sell_shares"))
    name, board, turn = actor_of(game), game.messages[0].id, game.turn.id
    offered = await house.person(name).autocomplete(
        game.thread, "sell", focused="company", company="", shares=1
    )
    await house.stop()
    with closing(sqlite3.connect(house.database)) as conn, conn:
        conn.execute("DELETE FROM messages WHERE message_id NOT IN (?, ?)", (board, turn))
        conn.execute("UPDATE messages SET shows = '', files = '[]'")
        conn.execute("UPDATE messages SET key = '' WHERE role = 'turn'")
    await house.start()
    there = [m.id for m in game.messages]
    await game.slash(name, "sell", company=offered[0][1], shares=1)
    assert [m.id for m in game.messages] == there, "its turn goes on where it stands"
    await game.press(name, "Done")
    assert [m.id for m in game.messages] == [*there, game.turn.id]
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert len(house.world.messages[board].attachments) == 2
    assert f"After move {await game.seq()} " in house.world.messages[board].content


async def test_old_buttons_work_after_a_restart(house: House) -> None:
    game = await house.game()
    turn = game.turn
    before = await game.digest()
    await house.stop()
    await house.start()
    assert await game.digest() == before
    await game.press("Ann", "Pass", turn)
    assert await game.seq() == 2
    assert game.turn.content.startswith(f"<@{house.person('Bob').id}>")


async def test_autocomplete_works_from_the_first_keystroke_after_a_restart(house: House) -> None:
    game = await house.game()
    await house.stop()
    await house.start()
    offered = await house.person("Ann").autocomplete(game.thread, "bid", focused="private", private="")
    assert "D&R" in [value for _, value in offered]


async def test_a_full_disk_is_said_privately_and_the_move_can_be_made_later(house: House) -> None:
    game = await house.game()

    async def fill(tx: Transaction) -> None:
        pages = await tx.row("PRAGMA page_count")
        assert pages is not None
        await tx.run(f"PRAGMA max_page_count = {pages[0]}")

    await house.db.write(fill)
    answer = ""
    for _ in range(200):
        async with house.client.tables.reading(game.number) as live:
            name = live.name_of(live.game.actors()[0])
        before = await game.digest()
        answer = (await house.person(name).slash(game.thread, "pass")).text
        if "could not be stored" in answer:
            break
    assert "nothing was changed" in answer
    assert await game.digest() == before
    await house.db.write(lambda tx: tx.run("PRAGMA max_page_count = 1000000"))
    seq = await game.seq()
    await game.slash(name, "pass")
    assert await game.seq() == seq + 1
    assert sum("`" in line for line in game.lines) == seq + 1


async def test_a_lobby_survives_a_restart(house: House) -> None:
    await house.person("Ann").slash("table", "game new", title="18chesapeake")
    await house.stop()
    await house.start()
    await house.person("Bob").press(house.lobby(), "Join")
    await house.person("Bob").press(house.lobby(), "Start")
    await house.settled()
    assert len(await games.games_in(house.db, "running")) == 1


async def test_a_failing_post_is_tried_again_and_loses_nothing(house: House) -> None:
    game = await house.game()
    house.server.faults.fail(f"POST /api/v10/channels/{game.thread}/messages", status=403, times=1)
    await game.press("Ann", "Pass")
    assert house.server.faults.served == 1
    assert sum("`2`" in line for line in game.lines) == 1
    assert game.turn.content.startswith(f"<@{house.person('Bob').id}>")


async def test_a_rate_limit_is_waited_out(house: House) -> None:
    game = await house.game()
    house.server.faults.rate_limit(f"POST /api/v10/channels/{game.thread}/messages", times=2)
    await game.press("Ann", "Pass")
    assert sum("`2`" in line for line in game.lines) == 1


async def test_a_deleted_board_post_is_posted_again(house: House) -> None:
    """As soon as there is something new to be seen there."""
    game = await seated_at(house, played_to("sell_shares"))
    name = actor_of(game)
    messages.delete(house.world, game.messages[0])
    offered = await house.person(name).autocomplete(
        game.thread, "sell", focused="company", company="", shares=1
    )
    await game.slash(name, "sell", company=offered[0][1], shares=1)
    await game.press(name, "Done")
    boards = [m for m in game.messages if m.embeds]
    assert len(boards) == 1
    assert f"After move {await game.seq()} " in boards[0].content


async def test_a_deleted_board_post_is_posted_again_when_the_game_is_repaired(house: House) -> None:
    game = await house.game()
    messages.delete(house.world, game.messages[0])
    await game.slash("Ann", "game repair")
    assert [m.pinned for m in game.messages if m.embeds] == [True]


async def test_a_game_starts_although_its_lobby_message_is_gone(house: House) -> None:
    ann, bob = house.person("Ann"), house.person("Bob")
    await ann.slash("table", "game new", title="18chesapeake")
    await bob.press(house.lobby(), "Join")
    messages.delete(house.world, house.lobby())
    await ann.slash("table", "game start")
    await house.settled()
    row = (await games.games_in(house.db, "running"))[0]
    assert row.board_message_id is not None
    assert row.thread_id in house.world.channels


async def test_a_missing_permission_to_pin_stops_nothing(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    house.server.faults.fail("/pins/", times=1)
    game = await house.game()
    assert not game.messages[0].pinned
    assert "permission to pin" in caplog.text
    assert game.turn.buttons


async def test_two_games_continue_side_by_side(house: House) -> None:
    first = await house.game()
    second = await house.game(("Dee", "Eve"))
    await asyncio.gather(
        house.person("Ann").press(first.turn, "Pass"), house.person("Dee").press(second.turn, "Pass")
    )
    await house.settled()
    assert (await first.seq(), await second.seq()) == (2, 2)
    assert any("Ann" in line for line in first.lines[1:])
    assert not any("Dee" in line for line in first.lines)
    mine = await house.person("Eve").slash("table", "mine")
    assert f"<#{second.thread}>: your turn" in mine.text
    assert "1." not in mine.text


async def test_moves_of_one_game_are_posted_in_order(house: House) -> None:
    game = await house.game()
    for name in ("Ann", "Bob", "Cy") * 3:
        await house.client.tables.submit(game.number, house.person(name).id, Typed("pass"))
    await house.settled()
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
