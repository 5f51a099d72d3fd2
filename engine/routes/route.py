"""Routes as values: a train and the track it runs over, in a form that can be written down and read back."""

import re
from dataclasses import dataclass
from functools import lru_cache

from engine.board.map import StopId
from engine.board.track import PieceId
from engine.core.errors import Unreadable
from engine.core.facts import fact
from engine.core.ids import TrainName
from engine.core.topology import FIRST_STOP, End, is_edge

_PIECE = re.compile(r"(?P<coord>[A-Za-z]+\d+)\.(?P<a>[0-5a-z])-(?P<b>[0-5a-z])")


@dataclass(frozen=True, slots=True)
class Route:
    """What one train runs: pieces of track in travelling order, from stop to stop; nothing is judged here."""

    train: TrainName
    pieces: tuple[PieceId, ...]

    def text(self) -> str:
        """The route in one line: `3:H4.a-0 H6.3-a` is a 3-train from a stop of H4 over edge 0 into H6."""
        return f"{self.train}:{' '.join(map(_written, self.pieces))}"

    @classmethod
    def read(cls, text: str) -> "Route":
        """The inverse of `text`; raises Unreadable."""
        train, colon, track = text.strip().partition(":")
        found = [_read(word) for word in track.split()]
        if not colon or not train or not found or None in found:
            raise Unreadable(fact("unreadable.route", text=text))
        return cls(train, tuple([piece for piece in found if piece]))

    def stops(self) -> tuple[StopId, ...]:
        """The stops in travelling order.

        Where the first piece starts, and wherever a piece ends at a stop.
        """
        if not self.pieces:
            return ()
        coord, start, _ = self.pieces[0]
        ends = [(coord, start), *((coord, far) for coord, _, far in self.pieces)]
        return tuple((coord, end - FIRST_STOP) for coord, end in ends if not is_edge(end))


@lru_cache(maxsize=8192)
def _written(piece: PieceId) -> str:
    coord, a, b = piece
    return f"{coord}.{_letter(a)}-{_letter(b)}"


@lru_cache(maxsize=8192)
def _read(word: str) -> PieceId | None:
    """The piece that `_written` wrote; None for any other word."""
    found = _PIECE.fullmatch(word)
    return None if found is None else (found["coord"], _end(found["a"]), _end(found["b"]))


def _letter(end: End) -> str:
    return str(end) if is_edge(end) else chr(ord("a") + end - FIRST_STOP)


def _end(letter: str) -> End:
    return int(letter) if letter.isdigit() else FIRST_STOP + ord(letter) - ord("a")
