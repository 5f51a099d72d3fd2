"""How long people take to decide once it is their turn: from the times in logs."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import pairwise
from typing import Final

from bot.table.bounded import BoundedDict
from storage import results
from storage.contract import Database, parse_timestamp
from storage.results import Decision

KEPT: Final = 500
"""Games whose times to decide are kept in memory, some ten numbers for each round."""

Spans = list[tuple[int, timedelta]]
"""People, and how long each has let the others wait."""


class DecisionTimes:
    """How long people have taken in each game: worked out once, and only what has come since is read."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._found: BoundedDict[int, tuple[Decision, Spans]] = BoundedDict(KEPT)

    async def of(self, game_id: int) -> Spans:
        """Those of one game; the log only grows."""
        last, spans = self._found.get(game_id, (None, []))
        rows = await results.decisions_of_game(self._db, game_id, 1 if last is None else last.seq)
        if rows:
            spans = [*spans, *await asyncio.to_thread(list, waits(rows))]
            self._found[game_id] = (rows[-1], spans)
        return spans


def waits(rows: Sequence[Decision]) -> Iterator[tuple[int, timedelta]]:
    """Who has let the others wait for how long, once for each turn that became theirs.

    A turn starts with the row before the decision, be it a move, an undo or the start; continuing after
    one's own row is no new turn. Undone moves count, too. Rows stored together were
    not waited for, and automatic moves or moves for others are no decisions.
    """
    for before, row in pairwise(rows):
        if row.own and row.actor != before.actor and row.at > before.at:
            yield row.user_id, parse_timestamp(row.at) - parse_timestamp(before.at)


def in_words(span: timedelta) -> str:
    """A span of time in its two largest units: `2 days 4 h`, `3 h 20 min`, `12 min`, `40 s`."""
    minutes, seconds = divmod(round(span.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} {'day' if days == 1 else 'days'}" + (f" {hours} h" if hours else "")
    if hours:
        return f"{hours} h" + (f" {minutes} min" if minutes else "")
    return f"{minutes} min" if minutes else f"{seconds} s"
