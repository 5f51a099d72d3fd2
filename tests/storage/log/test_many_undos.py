"""Ten thousand undos in one log: what must be looked at grows no faster than the log."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest

from storage import BadEntry, Database, log
from storage.log import Entry, Row, fold
from tests.storage.makers import Act, Undo

NOW = "2026-01-02T03:04:05+00:00"
UNDOS = 10_000


class Watched:
    """A row that counts how often anything of it is asked for."""

    looks = 0

    def __init__(self, row: Row) -> None:
        self._row = row

    def __getattr__(self, name: str) -> Any:
        Watched.looks += 1
        return getattr(self._row, name)


def at_once(act: Entry, undo: Undo, times: int = UNDOS) -> list[Entry]:
    """Every move is undone at once, to the undo of the move before it."""
    return [entry for seq in range(1, 2 * times, 2) for entry in (act, undo(seq))]


def one_by_one(act: Entry, undo: Undo, times: int = UNDOS) -> list[Entry]:
    """All moves are made, and then undone one after the other."""
    return [act] * times + [undo(seq) for seq in range(times, 0, -1)]


SHAPES = pytest.mark.parametrize("shape", [at_once, one_by_one])
Shape = Callable[..., list[Entry]]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The undos whose targets were read, one for each time."""
    seen: list[int] = []
    real = log.undo_target

    def counted(seq: int, payload: str) -> int:
        seen.append(seq)
        return real(seq, payload)

    monkeypatch.setattr(log, "undo_target", counted)
    return seen


async def fill(db: Database, game_id: int, entries: Sequence[Entry]) -> int:
    """Put rows behind the first one, unchecked, and return the last sequence."""
    values = [
        (game_id, seq, entry.kind, entry.payload, entry.digest, entry.actor, entry.user_id, NOW)
        for seq, entry in enumerate(entries, start=2)
    ]
    await db.write(lambda tx: tx.run_many("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values))
    return len(entries) + 1


@SHAPES
async def test_each_row_is_folded_with_a_few_looks(
    db: Database, game_id: int, read: list[int], act: Act, undo: Undo, shape: Shape
) -> None:
    last = await fill(db, game_id, shape(act(), undo))
    Watched.looks = 0
    counting = fold(cast(list[Row], [Watched(row) for row in await log.read(db, game_id)]))
    assert [row.seq for row in counting] == [1]
    assert len(read) == UNDOS
    assert Watched.looks < 6 * last


@SHAPES
async def test_one_more_undo_looks_only_at_what_it_undoes(
    db: Database, game_id: int, read: list[int], act: Act, undo: Undo, shape: Shape
) -> None:
    last = await fill(db, game_id, shape(act(), undo))
    last = await log.commit_move(db, game_id, last, [act(), act()], now=NOW)
    await log.commit_move(db, game_id, last, [undo(last - 1)], now=NOW)
    assert read == [last + 1]


@SHAPES
async def test_a_whole_log_of_undos_is_checked_with_a_few_looks_at_each(
    db: Database, game_id: int, read: list[int], act: Act, undo: Undo, shape: Shape
) -> None:
    """Each on its way in, and in the end all of them once more, back to the start."""
    last = await log.commit_move(db, game_id, 1, shape(act(), undo, 200), now=NOW)
    await log.commit_move(db, game_id, last, [undo(1)], now=NOW)
    assert 200 <= len(read) < 3 * 200 + 3


async def test_what_was_undone_long_ago_stays_so(db: Database, game_id: int, act: Act, undo: Undo) -> None:
    last = await fill(db, game_id, at_once(act(), undo, 500))
    last = await log.commit_move(db, game_id, last, [undo(1)], now=NOW)
    for gone in (2, 5, last - 1):
        with pytest.raises(BadEntry, match=f"Move {gone} has been undone"):
            await log.commit_move(db, game_id, last, [undo(gone)], now=NOW)


async def test_a_log_is_searched_by_its_key(db: Database, game_id: int, act: Act, undo: Undo) -> None:
    """What an undo looks at is reached without going through the rows before it."""
    await fill(db, game_id, at_once(act(), undo, 2000))
    question = f"SELECT seq FROM log WHERE game_id = {game_id} AND seq > 3900 AND kind = 'undo'"
    explain = "EXPLAIN" if db.name.startswith("postgresql:") else "EXPLAIN QUERY PLAN"
    plan = str(await db.read(lambda tx: tx.rows(f"{explain} {question}")))
    assert "game_id=? AND seq>?" in plan or "Index Cond: ((game_id" in plan
