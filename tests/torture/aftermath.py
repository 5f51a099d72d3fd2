"""Checks of a database and a wall of posts once processes have come and gone."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bot.table.games.loading import replayed_game
from storage import Database, games, log

Acknowledged = tuple[int, int]
"""A move that a process has reported as stored: its game and its number in the log."""
KINDS = ("open", "line", "turn", "end", "board")
"""Kinds of posts; those of one kind appear in order."""


async def lines(posts: Path) -> list[str]:
    """The posts on the wall, in the order in which they appeared."""
    return (await asyncio.to_thread(posts.read_text)).splitlines()


async def every_move_is_there_once(db: Database, acknowledged: Sequence[Acknowledged]) -> None:
    """No acknowledged move is lost or doubled, and every log leads to the position that was kept with it."""
    assert len(acknowledged) == len(set(acknowledged)), "one move was stored for two"
    ends = {}
    for status in ("running", "finished"):
        for row in await games.games_with_status(db, status):
            rows = await log.read_rows(db, row.id)
            assert [each.seq for each in rows] == list(range(1, len(rows) + 1))
            kept = await log.stored_state(db, row.id)
            assert kept is not None
            assert kept.seq == rows[-1].seq
            assert replayed_game(log.effective_rows(rows)).matches_digest(kept.digest)
            ends[row.id] = rows[-1].seq
    assert all(seq <= ends[game_id] for game_id, seq in acknowledged)


async def every_post_was_made_once(db: Database, made: Sequence[str]) -> None:
    twice = [line for line, times in Counter(made).items() if times > 1]
    assert not twice
    rows = await db.read(
        lambda tx: tx.rows("SELECT game_id, seq, kind, id FROM outbox WHERE sent_at IS NOT NULL ORDER BY id")
    )
    wanted = [" ".join(map(str, row)) for row in rows]
    assert sorted(made) == sorted(wanted)
    for kind in KINDS:
        for game_id in {row[0] for row in rows}:
            here = [row for row in rows if row[0] == game_id and row[2] == kind]
            posted = [line for line in made if line.split()[0] == str(game_id) and line.split()[2] == kind]
            assert posted == [" ".join(map(str, row)) for row in here], "out of order"
