"""A recorded game in other forms; for each it is played again, and what comes of that has to be what was played."""

from collections.abc import Callable, Sequence

from engine.core.actions import Action
from engine.core.errors import ReplayDiverged
from engine.game import Game
from engine.interchange.written import write_log
from engine.record import Record
from engine.tell.ledger import ledger_csv


def as_log(record: Record) -> str:
    """A log of 18xx.games; raises Unreadable, ReplayDiverged, also where today's rules lead elsewhere."""
    return _played_again(record, write_log)


def as_ledger(record: Record) -> str:
    """A line of CSV for each payment; raises ReplayDiverged, also where today's rules lead elsewhere."""
    return _played_again(record, ledger_csv)


def _played_again(record: Record, write: Callable[[Game, Sequence[Action]], str]) -> str:
    game = record.begin()
    text = write(game, record.actions)
    if not game.fits(record.digest):
        raise ReplayDiverged(len(record.actions))
    return text
