"""Running trains by picture: the best run and others, each with its routes on the map. Slow, so workers answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.table.style import plain, strong
from engine.core.offers import Cursor, Offer, Routes, Suggestion
from engine.game import Game
from engine.tell.teller import Teller
from engine.tell.view_builders import map_view
from engine.tell.views import MapView, RunView


@dataclass(frozen=True, slots=True)
class Run:
    """One run to choose from."""

    label: str
    """`Best run $120`, `Run $110 without J2 (Allentown)`."""
    lines: tuple[str, ...]
    """What each train does: `**3** H4 (Lancaster), G5, F6 (Reading): 30+20+20 = $70`."""
    view: MapView
    """The map with the routes drawn over it."""


def runs_of(game: Game, offer: Offer) -> tuple[Run, ...]:
    """The runs worth showing of an offer, the best first; none where it is about something else."""
    return tuple(_runs(game, ready_runs(offer)))


def ready_runs(offer: Offer) -> Sequence[Suggestion]:
    """Whole sets of routes that fill an offer, the best first; none where it is about something else."""
    if len(offer.slots) != 1:
        return ()
    domain = Cursor(offer).domain
    return domain.ready() if isinstance(domain, Routes) else ()


def numbered_routes(domain: Routes, text: str) -> Any:
    """The routes that are meant by the number of a run worth showing, counted from 1; None for any other text."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) == 1 else 0
    ready = domain.ready() if number else ()
    return ready[number - 1].chosen["routes"] if number <= len(ready) and ready else None


def _runs(game: Game, ready: Sequence[Suggestion]) -> Iterator[Run]:
    words = plain(game)
    for suggestion in ready:
        view = map_view(game, suggestion.chosen["routes"])
        yield Run(words.say(suggestion.label), tuple(_line(words, run) for run in view.runs), view)


def _line(words: Teller, run: RunView) -> str:
    where = ", ".join(words.place(coord) for coord, _, _ in run.stops)
    return f"{strong(run.train)} {where}: {run.sum_text} = ${run.value}"
