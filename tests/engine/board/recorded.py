"""Recorded games, where they are at hand: positions of the board after every step of a trace."""

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from engine.board.map import Map, StopId
from engine.core.spec import TitleSpec

SHARED = Path(__file__).resolve().parents[3] / ".." / "shared"
GAMES = SHARED / "conformance" / "18chesapeake"
NEW_ENGLAND = SHARED / "conformance" / "18newengland"


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
    before, *lines = _read(trace)
    _tokens(board, before, {})
    for line in lines:
        trains = {name: c["trains"] for name, c in before["corps"].items()}
        yield Moment(board, line, before["phase"], trains)
        for coord, (tile, rotation) in line["map"].items():
            board.lay(coord, tile, rotation)
        _tokens(board, line, before)
        before = line


@lru_cache(maxsize=1)
def _read(trace: Path) -> list[dict[str, Any]]:
    """The lines of a trace; several tests in a row look at the same."""
    with gzip.open(trace) as lines:
        return [from_json(line) for line in lines]


def _tokens(board: Map, line: dict[str, Any], before: dict[str, Any]) -> None:
    """Companies that are gone leave the map; minors of 18NewEngland hand their tokens over to majors.

    Where no tile was laid, only tokens of companies that have others than before are looked at.
    """
    for company in set(before.get("corps", ())) - set(line["corps"]):
        board.remove_company(company)
    known = {} if line.get("map") else before.get("corps", {})
    there = {
        company: stations(board, facts["tokens"])
        for company, facts in line["corps"].items()
        if company not in known or facts["tokens"] != known[company]["tokens"]
    }
    for company, stops in there.items():
        for stop in set(board.tokens_of(company)) - stops:
            board.remove_token(*stop, company)
    for company, stops in there.items():
        for stop in sorted(stops - set(board.tokens_of(company))):
            board.place_token(*stop, company)


def stations(board: Map, places: Sequence[str]) -> set[StopId]:
    """Stops written as `L5` or `L5:1`, the number being that of the city in its hex."""
    found = set()
    for place in places:
        coord, _, city = place.partition(":")
        cities = [i for i, stop in enumerate(board.topology(coord).stops) if stop.kind == "city"]
        found.add((coord, cities[int(city or 0)]))
    return found
