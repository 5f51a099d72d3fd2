"""Long lists hold the event loop no longer than short ones: a thousand games of one user, and statistics."""

import asyncio
import gc
from collections.abc import AsyncIterator

import pytest

from bot.client.features.game_lists import running_games_of, server_games_text, user_games_text
from bot.client.requests.permission_problems import DeliveryProblems
from bot.table.past.statistics import head_to_head, statistics
from storage import Transaction
from tests.bot.support.table_service import ANN, BOB, GUILD, TableService
from tests.bot.workers.test_event_loop import Loop

HELD = 0.05
"""Seconds of processor that no callback takes."""
TRIES = 3
"""A machine that is busy may stretch one callback, but not one in each of these."""
GAMES, FINISHED = 1_000, 3_000
PEOPLE = 2_000
"""Users who have the third seat in games that are finished."""
COPY_GAMES = f"""INSERT INTO games (id, status, thread_id, {{0}})
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {GAMES} + {FINISHED} - 1)
SELECT i + ?, CASE WHEN i < {GAMES} THEN 'running' ELSE 'finished' END, i + 1000000, {{0}} FROM games, n WHERE id = ?"""
COPY_ROWS = """INSERT INTO {1} (game_id, {0}) SELECT g.id, {0} FROM {1}, (SELECT id FROM games) g
WHERE game_id = ? AND g.id <> ?"""
OTHERS = f"""UPDATE seats SET user_id = 1000 + game_id % {PEOPLE}
WHERE seat = 3 AND game_id IN (SELECT id FROM games WHERE status = 'finished')"""
RESULTS = """INSERT INTO results (game_id, player_id, place, total, won)
SELECT game_id, player_id, seat + 1, 1000 - seat, seat = 0 FROM seats
JOIN games ON games.id = game_id WHERE status = 'finished'"""


@pytest.fixture
async def played(service: TableService) -> AsyncIterator[TableService]:
    """A server on which three people play a thousand games, and two of them have finished more with others."""
    first = await service.game()
    await service.tables.check_running_games()

    async def columns(tx: Transaction, table: str, *but: str) -> str:
        found = await tx.rows(f"SELECT name FROM pragma_table_info('{table}') ORDER BY cid")
        return ", ".join(name for (name,) in found if name not in but)

    async def multiply(tx: Transaction) -> None:
        await tx.run(COPY_GAMES.format(await columns(tx, "games", "id", "status", "thread_id")), first, first)
        for table in ("seats", "seat_history", "notifications", "log"):
            named = await columns(tx, table, "game_id", *(["id"] if table == "seat_history" else []))
            await tx.run(COPY_ROWS.format(named, table), first, first)
        await tx.run(OTHERS)
        await tx.run(RESULTS)

    await service.db.write(multiply)
    gc.disable()  # the bot looks through all its memory only while nobody waits
    yield service
    gc.enable()


async def test_many_games_hold_no_loop(played: TableService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither their lists nor the statistics of them."""
    tables, troubles, loop = played.tables, DeliveryProblems(), Loop(monkeypatch, ())

    async def lists() -> None:
        mine = await user_games_text(tables, troubles, ANN)
        there, running = (
            await server_games_text(tables, troubles, GUILD),
            await running_games_of(tables, ANN),
        )
        assert [len(mine.splitlines()), len(there.splitlines()), len(running)] == [GAMES] * 3

    async def counts() -> None:
        everybody = await statistics(tables, GUILD, None, None)
        assert everybody.startswith(f"Games: {GAMES} running and {FINISHED} finished.")
        assert f"in {FINISHED} games" in await statistics(tables, GUILD, ANN, None)
        assert f": {FINISHED} games" in await head_to_head(tables, GUILD, (ANN, BOB), None)

    loop.begin()
    for asked in (lists, counts):
        held = []
        for _ in range(TRIES):
            loop.longest = 0.0
            await asked()
            await asyncio.sleep(0)  # a callback is timed when it is over
            held.append(loop.longest)
        assert min(held) < HELD
