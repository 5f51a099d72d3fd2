"""How long people take to decide once it is their turn: from the times in logs."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import pairwise

from storage.decisions import Decision
from storage.moments import moment


def waits(rows: Sequence[Decision]) -> Iterator[tuple[int, timedelta]]:
    """Who has let the others wait for how long, once for each turn that became theirs.

    A turn becomes somebody's with the row before his decision, be it a move, an undo or the start; going on after
    an own row is no new turn. What was taken back has been waited for, too. Rows that were stored together were
    not waited for, and moves that were made by themselves or in another's name are nobody's decision.
    """
    for before, row in pairwise(rows):
        if row.own and row.actor != before.actor and row.at > before.at:
            yield row.user_id, moment(row.at) - moment(before.at)


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
