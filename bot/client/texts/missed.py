"""What a player has missed: the lines since their last move, without what was undone."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.table.live import LiveGame
from bot.table.outbox.notices import Line
from storage.log import Row
from storage.outbox import StoredNotice


@dataclass(frozen=True, slots=True)
class Missed:
    """Lines, oldest first; the number of the message that tells the first of them, if known; and whether the person
    has moved since they last saw them.
    """

    lines: tuple[str, ...] = ()
    first: int | None = None
    seen: bool = False


def missed_since(live: LiveGame) -> int:
    """The row after which the player on turn has missed something; of several players nobody has."""
    actors = live.game.actors()
    return _own(live, _before(live.counting, actors[0])[0]) if len(actors) == 1 else live.seq


def missed(live: LiveGame, posted: Sequence[StoredNotice]) -> Missed:
    """What the player on turn has missed of these lines before they began to move; of several players nothing."""
    actors = live.game.actors()
    if len(actors) != 1:
        return Missed()
    before, seen = _before(live.counting, actors[0])
    own = _own(live, before)
    counting = {row.seq for row in before if row.seq > own}
    posted = [line for line in posted if line.seq in counting and _is_of_move(Line.read(line.payload))]
    if seen:  # their post may begin with lines of others, such as the end of an offer
        posted = [line for line in posted if line.waits or line.message_id != live.row.turn_message_id]
    lines = tuple(Line.read(line.payload).text for line in posted)
    return Missed(lines, _message(live, posted[0]) if posted else None, seen)


def _is_of_move(line: Line) -> bool:
    """Whether a line tells of a move in which something happened, or was a message of its own further on."""
    return not (line.silent or line.note or line.first)


def _message(live: LiveGame, line: StoredNotice) -> int | None:
    """The message with a line; one that waits is posted with the turn it belongs to."""
    return live.row.turn_message_id if line.waits else line.message_id


def _own(live: LiveGame, before: Sequence[Row]) -> int:
    """The last of these moves that was the player's own."""
    # Nobody misses the first line of a game, which says how it is played: a thread begins with it.
    actor = live.game.actors()[0]
    return max((row.seq for row in before if row.actor == actor), default=live.counting[0].seq)


def _before(rows: list[Row], actor: str) -> tuple[list[Row], bool]:
    """The rows before those with which a player keeps moving, and whether there are any of these."""
    end = len(rows)
    while end and rows[end - 1].actor == actor:
        end -= 1
    return rows[:end], end < len(rows)
