"""The course of a game, played again from its log: moments for charts, maps for a timelapse, turning points."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import UnionType

from bot.table.loading import begun, compare, is_earlier
from engine.core.actions import read_action
from engine.core.errors import EngineError
from engine.core.events import Event, HomePlaced, RoundStarted, TileLaid, TokenPlaced
from engine.core.facts import Fact
from engine.game import Game
from engine.interchange.earlier import EarlierMoves
from engine.play.steps.base import Wish
from engine.tell.turning_points import Story
from engine.tell.viewing import course_view, map_view, moment_view
from engine.tell.views import CourseView, MapView
from storage.log import Row

_ON_MAP = TileLaid | TokenPlaced | HomePlaced


def course_of(rows: Sequence[Row], now: Game) -> CourseView:
    """What everybody was worth as each round began, and how it stands now, from the rows that count.

    What today's rules lead elsewhere is left out, up to the next position that was accepted.
    """
    moments = [moment_view(game) for game, events in _positions(rows) if _any(events, RoundStarted)]
    return course_view(now, [*moments, moment_view(now)])


@dataclass(frozen=True, slots=True)
class Course:
    """All that a game is told by at its end; left out is what `course_of` leaves out."""

    chart: CourseView
    maps: tuple[MapView, ...]
    """The map as the game began, and after every move that changed it."""
    points: tuple[Fact, ...]
    """What is worth telling."""


def whole_course(rows: Sequence[Row], now: Game) -> Course:
    """The course of a game from the rows that count, which are played again once."""
    moments, maps, story = [], [], Story()
    for game, events in _positions(rows):
        story.follow(game, events)
        if _any(events, RoundStarted):
            moments.append(moment_view(game))
        if not events or _any(events, _ON_MAP):
            maps.append(map_view(game))
    chart = course_view(now, [*moments, moment_view(now)])
    return Course(chart, tuple(maps), story.turning_points(now))


def _any(events: Sequence[Event], kinds: type | UnionType) -> bool:
    return any(isinstance(event, kinds) for event in events)


def _positions(rows: Sequence[Row]) -> Iterator[tuple[Game, tuple[Event, ...]]]:
    """The game at its start and after every move, with what the move did."""
    begins = [number for number, row in enumerate(rows) if row.kind != "action"]
    for begin, end in zip(begins, [*begins[1:], len(rows)], strict=True):
        yield from _stretch(rows[begin:end])


def _stretch(rows: Sequence[Row]) -> Iterator[tuple[Game, tuple[Event, ...]]]:
    """The positions of one stretch, as far as they come out as they were played."""
    try:
        game, earlier = opened(rows)
        yield game, ()
        for row in rows[1:]:
            events = move_again(game, row, earlier)
            compare(game, row)
            yield game, events
    except EngineError:
        return


def opened(rows: Sequence[Row]) -> tuple[Game, EarlierMoves | None]:
    """The game as a stretch begins, and who takes its moves up, where they were made by the first rules."""
    game = begun(rows)
    return game, EarlierMoves(game) if is_earlier(rows[0]) else None


def move_again(game: Game, row: Row, earlier: EarlierMoves | None) -> tuple[Event, ...]:
    """Make the move of a row once more; raises EngineError."""
    action = read_action(row.payload)
    if earlier is not None:
        return tuple(earlier.apply(action) or ())
    return game.play(game.walk(Wish.of(action)))
