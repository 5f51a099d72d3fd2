"""A process that is paused in the middle of a transaction."""

import asyncio

from storage import Database, Transaction, claims, games, log, open_database
from storage.leases import Fenced, claim
from storage.outbox import Notice
from tests.storage.makers import Act

NOW = "2026-01-02T03:04:05+00:00"

SHORT = 0.05


async def test_a_lease_is_not_taken_over_before_what_was_begun_under_it_has_ended(
    where: str, db: Database, game_id: int
) -> None:
    lease = await claim(db, 0, 1, "a", seconds=SHORT)
    assert lease is not None
    inside, go_on = asyncio.Event(), asyncio.Event()

    async def change(tx: Transaction) -> None:
        await tx.run("UPDATE games SET name = 'Saturday'")
        inside.set()
        await go_on.wait()

    async with await open_database(where) as other:
        writing = asyncio.create_task(Fenced(db, [lease]).write(change))
        await inside.wait()
        await asyncio.sleep(2 * SHORT)
        claiming = asyncio.create_task(claim(other, 0, 1, "b", seconds=30))
        await asyncio.sleep(2 * SHORT)
        assert not claiming.done()
        go_on.set()
        await writing
        assert await claiming is not None
    assert (await games.get_game(db, game_id)).name == "Saturday"


async def test_what_somebody_is_claiming_at_this_moment_is_passed_over(
    where: str, db: Database, game_id: int, act: Act
) -> None:
    await log.commit_move(db, game_id, 1, [act()], [Notice("line", "a"), Notice("line", "b")], now=NOW)

    async with await open_database(where) as other:

        async def change(tx: Transaction) -> int:
            await tx.rows(f"SELECT id FROM outbox ORDER BY id LIMIT 1{tx.locking('UPDATE')}")
            return len(await claims.claim(other, game_id, "b", seconds=30))

        assert await db.write(change) == 0
        assert len(await claims.claim(other, game_id, "b", seconds=30)) == 2
