"""A recorded game as files; for each form it is replayed, and the result must be what was played."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from engine.core.actions import Action
from engine.core.errors import EngineError, ReplayDiverged
from engine.game import Game
from engine.interchange.writer import refused_there, write_log
from engine.record import Record, write_record
from engine.tell.ledger import ledger_csv
from engine.tell.teller import failure

ELSEWHERE: Final = "By the rules of today its moves lead elsewhere, so `/game import` refuses it."
"""What is said of a game whose rules have changed since it began."""


class Paper(NamedTuple):
    """A file: its name and its content."""

    name: str
    text: str


def papers_of(game_id: int, record: Record) -> tuple[list[Paper], list[str]]:
    """The files that can be made of a record, and a sentence about each."""
    own = Paper(f"game-{game_id}.json", write_record(record))
    papers, notes = [own], [f"`{own.name}` is the whole game in our own form; `/game import` reads it."]
    for name, about, write in (
        (f"game-{game_id}-ledger.csv", "has every payment and what it was for.", as_ledger),
        (f"game-{game_id}-18xx.games.json", "is a log as 18xx.games writes them.", as_log),
    ):
        try:
            papers.append(Paper(name, write(record)))
        except EngineError as problem:
            notes.append(f"There is no `{name}`: {failure(problem, record.begin()).rstrip('.')}.")
            if write is as_ledger:
                notes[0] = f"`{own.name}` is the whole game in our own form. {ELSEWHERE}"
        else:
            notes.append(f"`{name}` {about}")
            notes += warnings(papers[-1].text) if write is as_log else []
    return papers, notes


def warnings(log: str) -> list[str]:
    """Where 18xx.games, which plays by its own rules, would stop in a log as it is written; nothing if nowhere."""
    problem = refused_there(log)
    return (
        []
        if problem is None
        else [f"By its own rules that site would stop at {failure(problem).rstrip('.')}."]
    )


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
