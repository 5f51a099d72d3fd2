"""Work on the past of a game that keeps a processor busy: functions of rows and texts alone, for another process."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.table.games.loading import begun, maker
from bot.table.past.chapters import FORM, Chapter, Scribe
from engine.core.actions import read_action
from engine.core.errors import EngineError
from engine.core.events import Event
from engine.game import Game
from engine.play.saved import read_saved, says_the_same
from storage.log import Row
from storage.positions import Position


class Unsound(Exception):  # noqa: N818 - named after what is wrong
    """A kept position is not the one after its row."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """From where moves are made again: a start or an accept, or the position kept after a later `row`."""

    first: Row
    row: Row
    state: str | None

    def scribe(self, rest: Sequence[Row]) -> Scribe:
        """Who writes what these rows did; raises Unsound."""
        self.require_sound()
        return Scribe(self.first, rest, self.state)

    def follow(self, rows: Sequence[Row]) -> Iterator[tuple[Row, Game, tuple[Event, ...]]]:
        """Make these moves again: the game after each, with what it did. Raises EngineError.

        Comparing the last position then proves that the first was right, too.
        """
        game = begun((self.first, *rows)) if self.state is None else Game.load(self.state)
        make = maker(self.first, game)
        yield self.row, game, ()
        for row in rows:
            yield row, game, make(read_action(row.payload))

    def require_sound(self) -> None:
        """Raise Unsound unless the position is the one after its row."""
        if self.state is None:
            return
        try:
            digest = read_saved(self.state).digest()
        except EngineError as error:
            raise Unsound from error
        if not says_the_same(digest, self.row.digest):
            raise Unsound


def bound(anchor: Anchor, rows: Sequence[Row], ends: frozenset[int]) -> list[Position]:
    """The chapters of the rows after an anchor that end with these rows, each with the position; raises Unsound."""
    scribe = anchor.scribe(rows)
    found, since = [], anchor.row.seq
    for part in _cut(rows, ends):
        chapter, last = scribe.chapter(part), part[-1]
        found.append(Position(last.seq, last.digest, scribe.position(), since, FORM, chapter.text()))
        since = last.seq
    return found


def read_on(anchor: Anchor, rows: Sequence[Row], after: int) -> Chapter:
    """The chapter of those rows after an anchor that come after row `after`; raises Unsound."""
    scribe = anchor.scribe(rows)
    scribe.chapter([row for row in rows if row.seq <= after])
    return scribe.chapter([row for row in rows if row.seq > after])


def _cut(rows: Sequence[Row], ends: frozenset[int]) -> Iterator[Sequence[Row]]:
    """Rows cut after each of these; what comes after the last is left out."""
    begin = 0
    for number, row in enumerate(rows, 1):
        if row.seq in ends:
            yield rows[begin:number]
            begin = number
