"""The outbox is posted in order; what fails is tried again or parked, and holds up no other game."""

import asyncio

import pytest

from bot.table.outbox.circuit_breaker import PROBE_TIMEOUT_SECONDS
from bot.table.outbox.sender import (
    DATABASE_RETRY_SECONDS,
    MAX_PARALLEL_CATCH_UPS,
    OUTBOX_CHECK_SECONDS,
    PARKED_RETRY_SECONDS,
)
from storage import outbox
from storage.outbox import MAX_ATTEMPTS
from tests.bot.posts.sending import Sending
from tests.bot.support.table_service import TableService


@pytest.fixture
def sending(service: TableService) -> Sending:
    return Sending(service)


# --- order -----------------------------------------------------------------------------------------------------------


async def test_lines_come_before_the_turn(sending: Sending) -> None:
    (game,) = await sending.games("turn", kind="turn")
    await sending.add(game, "of a later version", kind="new")
    await sending.add(game, "line")
    async with sending.runs():
        assert sending.sent == ["line", "turn", "of a later version"]


async def test_unready_row_holds_up_no_news(sending: Sending) -> None:
    (game,) = await sending.games("board", kind="board")
    sending.unready = {"board"}
    async with sending.runs():
        await sending.passes(OUTBOX_CHECK_SECONDS)
        assert len(sending.attempts) == 1, "nor is it tried before it is"
        await sending.news(game, "line")
        assert sending.sent == ["line"]
        sending.releases()
        await sending.passes(0)
        assert sending.sent == ["line", "board"]
    (row,) = await sending.service.db.rows("SELECT MAX(attempts) FROM outbox")
    assert row == (0,), "it has not failed"


async def test_news_during_an_attempt_is_posted(sending: Sending) -> None:
    (game,) = await sending.games("a")
    sending.held = {game}
    async with sending.runs():
        await sending.news(game, "b")
        sending.releases()
        await sending.passes(0)
        assert sending.sent == ["a", "b"]


async def test_stopped_sender_finishes_its_posts(sending: Sending) -> None:
    (game,) = await sending.games("a")
    sending.held = {game}
    async with sending.runs():
        await sending.news(game, "b")
        asyncio.get_running_loop().call_later(0.05, sending.releases)
    assert sending.sent == ["a"], "no other post begins"
    assert (await sending.left()).row_count == 1


# --- failures --------------------------------------------------------------------------------------------------------


async def test_failing_row_is_parked_after_six_tries(sending: Sending) -> None:
    (game,) = await sending.games("a")
    sending.broken = {game}
    async with sending.runs():
        await sending.passes(OUTBOX_CHECK_SECONDS - 1)
        assert sending.tried_at(game) == [0, 1, 3, 7, 15, 30]
        left = await sending.left()
        assert (left.row_count, left.parked_row_count) == (1, 1)
        (row,) = await outbox.unposted_notices_of_game(sending.service.db, game)
        assert (row.attempts, row.last_error) == (5 + MAX_ATTEMPTS, "RuntimeError('no such thread')")


async def test_cut_off_game_is_tried_for_ever(sending: Sending) -> None:
    """At least every fifteen seconds; no failure counts against a row, and pauses are short again after a success."""
    (game,) = await sending.games("a")
    sending.cut_off = {game}
    async with sending.runs():
        await sending.passes(59)
        assert sending.tried_at(game) == [0, 1, 3, 7, 15, 30, 45]
        (row,) = await outbox.unposted_notices_of_game(sending.service.db, game)
        assert row.attempts == 0
        sending.cut_off.clear()
        await sending.passes(15)
        assert sending.sent == ["a"]
        sending.cut_off = {game}
        await sending.news(game, "b")
        await sending.passes(1)
        assert sending.tried_at(game)[-2:] == [74, 75]


async def test_failing_row_holds_up_no_later_row(sending: Sending) -> None:
    (game,) = await sending.games("a", "bad", "c", "worse", "d")
    await sending.add(game, "turn", kind="turn")
    sending.broken = {"bad", "worse"}
    async with sending.runs():
        await sending.passes(70)
    assert sending.sent == ["a", "c", "d", "turn"]
    assert (await sending.left()).parked_row_count == 2


async def test_closed_thread_parks_all_its_rows(sending: Sending) -> None:
    """After the second row that fails it is the thread, not the row; it silences no other game."""
    (closed,) = await sending.games(*map(str, range(50)))
    (other,) = await sending.games("a")
    sending.broken = {closed}
    async with sending.runs():
        await sending.news(other, "b")
        assert sending.sent == ["a", "b"]
        await sending.passes(70)
    assert (await sending.left()).parked_row_count == 50
    assert len(sending.tried_at(closed)) == 2 * MAX_ATTEMPTS


async def test_unmarked_row_did_not_fail(sending: Sending) -> None:
    """A database that does not answer as a row is marked says nothing about the row."""
    (game,) = await sending.games("a")
    sending.unmarked = 1
    async with sending.runs():
        assert sending.sent == []
        (row,) = await outbox.unposted_notices_of_game(sending.service.db, game)
        assert row.attempts == 0
        await sending.passes(DATABASE_RETRY_SECONDS)
        assert sending.sent == ["a"]


async def test_unread_outbox_is_read_again(sending: Sending) -> None:
    await sending.games("a")
    db = sending.service.db
    await db.write(lambda tx: tx.run("ALTER TABLE outbox RENAME TO hidden"))
    async with sending.runs():
        await sending.passes(OUTBOX_CHECK_SECONDS - 1)
        await db.write(lambda tx: tx.run("ALTER TABLE hidden RENAME TO outbox"))
        await sending.passes(1)
        assert sending.sent == ["a"]


# --- trying again ----------------------------------------------------------------------------------------------------


async def test_player_who_acts_ends_the_pause(sending: Sending) -> None:
    (game, idle) = await sending.games("a", count=2)
    sending.cut_off = {game}
    async with sending.runs():
        await sending.passes(10)
        sending.cut_off.clear()
        sending.sender.wake(game, has_new_rows=False)
        sending.sender.wake(idle, has_new_rows=False)
        await sending.passes(0)
        assert (sending.tried_at(game)[-1], sending.tried_at(idle)) == (10, [0])
        assert sending.sent == ["a", "a"]


async def parked(sending: Sending, *payloads: str) -> int:
    """A game whose posts have been parked."""
    (game,) = await sending.games(*payloads)
    sending.broken = {game}
    async with sending.runs():
        await sending.passes(70)
    assert (await sending.left()).parked_row_count == len(payloads)
    return game


async def test_parked_rows_are_tried_once_an_hour(sending: Sending) -> None:
    """And after a restart."""
    game = await parked(sending, "a")
    async with sending.runs():
        assert len(sending.tried_at(game)) == MAX_ATTEMPTS + 1
        sending.broken.clear()
        await sending.passes(PARKED_RETRY_SECONDS - 1)
        assert sending.sent == []
        await sending.passes(OUTBOX_CHECK_SECONDS)
        assert sending.sent == ["a"]
    assert len(sending.tried_at(game)) == MAX_ATTEMPTS + 2


async def test_parked_rows_come_first_in_a_new_attempt(sending: Sending) -> None:
    game = await parked(sending, "a", "b")
    async with sending.runs():
        sending.broken = {"b"}
        sending.sender.wake(game, has_new_rows=False)
        await sending.passes(0)
        assert sending.sent == ["a"]
        sending.broken.clear()
        await sending.news(game, "c")
        assert sending.sent == ["a", "b", "c"]


async def test_parked_rows_are_tried_after_a_success(sending: Sending) -> None:
    (game,) = await sending.games("a", "b")
    sending.broken = {"a"}
    async with sending.runs():
        await sending.passes(31)
        assert sending.tried_at(game)[-3:] == [30, 30, 30], "a is parked, b is posted, a is tried again"


async def test_unannounced_rows_are_found_in_a_minute(sending: Sending) -> None:
    (game,) = await sending.games()
    async with sending.runs():
        await sending.add(game, "a")
        await sending.passes(OUTBOX_CHECK_SECONDS)
        assert sending.sent == ["a"]


# --- catching up -----------------------------------------------------------------------------------------------------


async def test_few_games_catch_up_at_a_time(sending: Sending) -> None:
    """Oldest first; a game with news waits for none of them."""
    games = await sending.games("a", count=3 * MAX_PARALLEL_CATCH_UPS)
    sending.held = set(games)
    async with sending.runs():
        assert [game for _, game in sending.attempts] == games[:MAX_PARALLEL_CATCH_UPS]
        sending.held.discard(games[-1])
        await sending.news(games[-1], "b")
        assert sending.sent == ["a", "b"]
        sending.releases()
        await sending.passes(0)
        assert len(sending.sent) == len(games) + 1


async def test_slow_games_hold_up_the_rest_for_a_minute(sending: Sending) -> None:
    games = await sending.games("a", count=2 * MAX_PARALLEL_CATCH_UPS)
    sending.held = set(games[:MAX_PARALLEL_CATCH_UPS])
    async with sending.runs():
        assert sending.sent == []
        await sending.passes(OUTBOX_CHECK_SECONDS)
        assert len(sending.sent) == MAX_PARALLEL_CATCH_UPS
        sending.releases()


# --- outages ---------------------------------------------------------------------------------------------------------


async def test_probes_take_turns_among_games(sending: Sending) -> None:
    """The longest wait first; one game that always fails keeps nobody from finding out that Discord works."""
    games = await sending.games("a", count=3)
    await sending.breaks_down()
    async with sending.runs():
        await sending.passes(18)
    assert [game for _, game in sending.attempts][:6] == games * 2
    assert sending.sent == []


async def test_long_outage_has_few_probes(sending: Sending) -> None:
    """However many games wait, and moves are made."""
    games = await sending.games("a", count=5)
    await sending.breaks_down()
    async with sending.runs():
        for _ in range(10):
            for game in games:
                await sending.news(game, "b")
            await sending.passes(60)
        assert 190 <= len(sending.attempts) <= 210
        assert {
            row.attempts for row in await outbox.unposted_notices_of_game(sending.service.db, games[0])
        } == {0}
        sending.down = False
        await sending.passes(5)
    assert len(sending.sent) == 5 * 11


async def test_probe_without_answer_gives_way(sending: Sending, monkeypatch: pytest.MonkeyPatch) -> None:
    # asyncio waits by the clock of the loop.
    monkeypatch.setattr("bot.table.outbox.sender.PROBE_TIMEOUT_SECONDS", 0.05)
    first, second = await sending.games("a", count=2)
    await sending.breaks_down()
    sending.down, sending.held = False, {first}
    async with sending.runs():
        await sending.passes(1)
        await asyncio.sleep(0.1)
        await sending.passes(PROBE_TIMEOUT_SECONDS)
        assert [game for _, game in sending.attempts] == [first, second]
        assert not sending.breaker.is_open
        sending.releases()


async def test_discord_is_asked_where_no_post_waits(sending: Sending) -> None:
    await sending.breaks_down()
    async with sending.runs():
        await sending.passes(1)
        assert sending.asked == 1
        sending.down = False
        await sending.passes(2)
        assert sending.asked == 2
        assert not sending.breaker.is_open
