"""Queues that are woken at once look into the outbox once; one that is woken later looks anew."""

import asyncio

from bot.table.outbox.sources import Together
from storage.posts.outbox import Posting


class Outbox:
    """An outbox that says how often it was looked into."""

    def __init__(self) -> None:
        self.rows: list[Posting] = []
        self.looks = 0
        self.begun = asyncio.Event()
        self.slow = asyncio.Event()
        self.slow.set()

    async def look(self, game_id: int) -> list[Posting]:
        """What is there when the look begins."""
        self.looks += 1
        self.begun.set()
        found = [row for row in self.rows if row.game_id == game_id]
        await self.slow.wait()
        return found


def row(number: int, game_id: int) -> Posting:
    return Posting(number, game_id, 1, "line", "", "", 0, None)


async def test_who_is_woken_at_once_has_part_in_one_look() -> None:
    outbox = Outbox()
    outbox.rows = [row(1, 7), row(2, 8)]
    together = Together(outbox.look)
    found = await asyncio.gather(together.fetch(7), together.fetch(7), together.fetch(8), together.fetch(7))
    assert tuple(found) == ([row(1, 7)], [row(1, 7)], [row(2, 8)], [row(1, 7)])
    assert outbox.looks == 2


async def test_what_comes_after_a_look_has_begun_is_seen_by_who_is_woken_by_it() -> None:
    outbox = Outbox()
    outbox.slow.clear()
    together = Together(outbox.look)
    early = asyncio.create_task(together.fetch(7))
    await outbox.begun.wait()
    outbox.rows.append(row(1, 7))
    late = asyncio.create_task(together.fetch(7))
    await asyncio.sleep(0)
    outbox.slow.set()
    assert (await early, await late) == ([], [row(1, 7)])


async def test_one_who_is_stopped_stops_no_other() -> None:
    outbox = Outbox()
    outbox.rows = [row(1, 7)]
    outbox.slow.clear()
    together = Together(outbox.look)
    stopped, other = (asyncio.create_task(together.fetch(7)) for _ in range(2))
    await outbox.begun.wait()
    stopped.cancel()
    outbox.slow.set()
    assert await other == [row(1, 7)]
    assert outbox.looks == 1
