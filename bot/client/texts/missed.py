"""What a player has missed: the lines since their last move, without what was undone."""

from dataclasses import dataclass

from bot.table.live import LiveGame
from bot.table.outbox.notices import LINE, Line
from storage import Database
from storage.log.log import Row
from storage.posts import outbox


@dataclass(frozen=True, slots=True)
class Missed:
    """Lines, oldest first; the number of the message that tells the first of them, if known; and whether the person
    has moved since they last saw them.
    """

    lines: tuple[str, ...] = ()
    first: int | None = None
    seen: bool = False


async def missed(db: Database, live: LiveGame) -> Missed:
    """What the player on turn has missed before they began to move; of several players nothing."""
    actors = live.game.actors()
    if len(actors) != 1:
        return Missed()
    before, seen = _before(live.counting, actors[0])
    # Nobody misses the first line of a game, which says how it is played: a thread begins with it.
    own = max((row.seq for row in before if row.actor == actors[0]), default=live.counting[0].seq)
    counting = {row.seq for row in before if row.seq > own}
    told = [line for line in await outbox.of_kind(db, live.id, LINE, own) if line.seq in counting]
    lines = tuple(Line.read(line.payload).text for line in told)
    return Missed(lines, told[0].message_id if told else None, seen)


def _before(rows: list[Row], actor: str) -> tuple[list[Row], bool]:
    """The rows before those with which a player keeps moving, and whether there are any of these."""
    end = len(rows)
    while end and rows[end - 1].actor == actor:
        end -= 1
    return rows[:end], end < len(rows)
