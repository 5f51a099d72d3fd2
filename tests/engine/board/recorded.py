"""Recorded games, where they are at hand: positions of the board after every step of a trace."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.board.map import Map
from engine.core.spec import TitleSpec

SHARED = Path(__file__).resolve().parents[3] / ".." / "shared"
GAMES = SHARED / "conformance" / "18chesapeake"


@dataclass(frozen=True)
class Moment:
    """The board before a recorded step, the step's line of the trace, and the phase in force."""

    board: Map
    line: dict[str, Any]
    phase: str
    trains: dict[str, list[str]]


def traces(folder: Path = GAMES) -> list[Path]:
    """Every trace in a folder; empty where the recorded games are not at hand."""
    return sorted(folder.glob("*.trace.jsonl.gz"))


def moments(spec: TitleSpec, trace: Path) -> Iterator[Moment]:
    """Walk through a trace; the map changes in place between two moments."""
    board = Map(spec)
    with gzip.open(trace, "rt") as lines:
        before = json.loads(next(lines))
        _tokens(board, before)
        for text in lines:
            line = json.loads(text)
            trains = {name: c["trains"] for name, c in before["corps"].items()}
            yield Moment(board, line, before["phase"], trains)
            for coord, (tile, rotation) in line["map"].items():
                board.lay(coord, tile, rotation)
            _tokens(board, line)
            before = line


def _tokens(board: Map, line: dict[str, Any]) -> None:
    for company, facts in line["corps"].items():
        known = {coord for coord, _ in board.tokens_of(company)}
        for place in facts["tokens"]:
            coord, _, city = place.partition(":")
            if coord not in known:
                board.place_token(coord, int(city or 0), company)
