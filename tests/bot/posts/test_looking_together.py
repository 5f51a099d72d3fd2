"""Queues that are woken at once look into the outbox once; one that is woken later looks anew."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bot.table.outbox.retrying_queue import ClaimedElsewhere, RowSource
from storage import DatabaseUnreachable, Posting
from storage import outbox as stored


class Outbox:
    """An outbox that says how often it was looked into."""

    def __init__(self) -> None:
        self.rows: list[Posting] = []
        self.looks = 0
        self.begun = asyncio.Event()
        self.slow = asyncio.Event()
        self.slow.set()

    async def look(self, _: object, game_id: int) -> list[Posting]:
        """What is there when the look begins."""
        self.looks += 1
        self.begun.set()
        found = [row for row in self.rows if row.game_id == game_id]
        await self.slow.wait()
        return found


SHARED: Any = SimpleNamespace(shared=True)
ALONE: Any = SimpleNamespace(shared=False)


@pytest.fixture
def outbox(monkeypatch: pytest.MonkeyPatch) -> Outbox:
    found = Outbox()
    monkeypatch.setattr(stored, "of_game", found.look)
    return found


def row(number: int, game_id: int) -> Posting:
    return Posting(number, game_id, 1, "line", "", "", 0, None)


async def test_who_is_woken_at_once_has_part_in_one_look(outbox: Outbox) -> None:
    outbox.rows = [row(1, 7), row(2, 8)]
    together = RowSource(ALONE)
    found = await asyncio.gather(together.fetch(7), together.fetch(7), together.fetch(8), together.fetch(7))
    assert tuple(found) == ([row(1, 7)], [row(1, 7)], [row(2, 8)], [row(1, 7)])
    assert outbox.looks == 2


async def test_what_comes_after_a_look_has_begun_is_seen_by_who_is_woken_by_it(outbox: Outbox) -> None:
    outbox.slow.clear()
    together = RowSource(ALONE)
    early = asyncio.create_task(together.fetch(7))
    await outbox.begun.wait()
    outbox.rows.append(row(1, 7))
    late = asyncio.create_task(together.fetch(7))
    await asyncio.sleep(0)
    outbox.slow.set()
    assert (await early, await late) == ([], [row(1, 7)])


async def test_one_who_is_stopped_stops_no_other(outbox: Outbox) -> None:
    outbox.rows = [row(1, 7)]
    outbox.slow.clear()
    together = RowSource(ALONE)
    stopped, other = (asyncio.create_task(together.fetch(7)) for _ in range(2))
    await outbox.begun.wait()
    stopped.cancel()
    outbox.slow.set()
    assert await other == [row(1, 7)]
    assert outbox.looks == 1


class Tables:
    """What is stored for other processes, too: rows, and who has claimed them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rows = [row(1, 7)]
        self.mine = True
        self.sent: list[tuple[int, ...]] = []
        self.given_up: list[str] = []
        self.holders: set[str] = set()
        for name in ("claim", "of_game", "mark_sent", "give_up"):
            monkeypatch.setattr(stored, name, getattr(self, name))

    async def claim(self, _: object, __: int, holder: str, *, seconds: float) -> list[Posting]:
        assert seconds == 15
        self.holders.add(holder)
        return self.rows if self.mine else []

    async def of_game(self, _: object, __: int) -> list[Posting]:
        return self.rows

    async def mark_sent(self, _: object, *numbers: int, now: str, message_id: int | None) -> None:
        assert (now, message_id) == ("now", 99)
        self.sent.append(numbers)

    async def give_up(self, _: object, holder: str) -> None:
        self.given_up.append(holder)


async def test_what_another_process_posts_is_left_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing waits, nobody has taken anything."""
    tables, source = Tables(monkeypatch), RowSource(SHARED, 15)
    assert await source.fetch(7) == [row(1, 7)]
    tables.mine = False
    with pytest.raises(ClaimedElsewhere):
        await source.fetch(7)
    tables.rows = []
    assert await source.fetch(7) == []


@pytest.mark.parametrize("database", [ALONE, SHARED])
async def test_what_was_posted_is_ticked_off_with_its_message(
    monkeypatch: pytest.MonkeyPatch, database: Any
) -> None:
    tables = Tables(monkeypatch)
    await RowSource(database, 15).mark(7, [1, 2], "now", 99)
    assert tables.sent == [(1, 2)]


async def test_a_process_that_ends_gives_up_what_it_claimed_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables, source, other = Tables(monkeypatch), RowSource(SHARED, 15), RowSource(SHARED, 15)
    await source.fetch(7)
    await source.give_up()
    assert set(tables.given_up) == tables.holders
    await other.give_up()
    assert len(set(tables.given_up)) == 2, "each process has its own name"

    async def gone(*_: object) -> None:
        raise DatabaseUnreachable("gone")

    monkeypatch.setattr(stored, "give_up", gone)
    await source.give_up()


async def test_a_database_of_one_process_is_read_without_a_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    tables, source = Tables(monkeypatch), RowSource(ALONE, 15)
    assert await source.fetch(7) == [row(1, 7)]
    await source.give_up()
    assert (tables.holders, tables.given_up) == (set(), [])
