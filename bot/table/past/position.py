"""How a game stood after an earlier move: reached from the nearest position that was kept."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

from bot.table.errors import Refused
from bot.table.games.loading import compare
from bot.table.past.asked import PastGame
from bot.table.past.binding import Anchor, Unsound
from bot.table.past.chronicle import Chronicle, Work
from bot.table.past.names import named
from bot.table.style import MARKDOWN
from engine.core.actions import RunRoutes, read_action
from engine.core.errors import EngineError
from engine.core.ids import PlayerId
from engine.game import Game
from engine.tell.narrate import sentences
from engine.tell.view_builders import map_view, market_view
from engine.tell.views import MapView, MarketView
from storage.log import Row

T = TypeVar("T")

FAR: Final = 2
"""Times the usual distance from the nearest position that is kept; where it is further, positions are missing."""


@dataclass(frozen=True, slots=True)
class Stood:
    """The position after a move, and what the move did."""

    line: str
    map: MapView
    """With the routes over it, where the move was a run."""
    market: MarketView


@dataclass(frozen=True, slots=True)
class Past:
    """The position after a move: its number, and the moves before and after it that count."""

    seq: int
    stood: Stood
    before: int | None
    after: int | None


async def past(chronicle: Chronicle, game: PastGame, seq: int, work: Work) -> Past:
    """The position after row `seq`; raises Refused where there is none, or none can be shown."""
    found = await then(chronicle, game, seq, work, stood)
    numbers = game.numbers
    at = numbers.index(seq)
    return Past(seq, found, numbers[at - 1] if at else None, next(iter(numbers[at + 1 :]), None))


async def then(
    chronicle: Chronicle, game: PastGame, seq: int, work: Work, look: Callable[..., T], *args: object
) -> T:
    """What a worker sees who looks at the position after row `seq`: `look(anchor, rows, names, ...)`.

    Raises Refused where there is no such position, or none can be shown.
    """
    numbers = game.numbers
    if game.row(seq) is None:
        undone = f"Move {seq} was undone, or is none" if seq <= game.last else f"There is no move {seq}"
        raise Refused(f"{undone}. The last one is {numbers[-1]}.")
    # A start and an accept have done nothing that is seen only from the position before.
    before = seq if game.first(seq).seq == seq else numbers[numbers.index(seq) - 1]
    while True:
        anchor = await chronicle.near(game, before)
        rows = game.between(anchor.row.seq, seq)
        if len(rows) > FAR * game.every:
            # What an imported game lacks is made once, for all who will ask.
            marks = await chronicle.complete(game, work, game.last)
            anchor = await chronicle.anchor(game, marks, before)
            rows = game.between(anchor.row.seq, seq)
        try:
            return await work(look, anchor, rows, game.names.at(seq), *args)
        except Unsound:
            await chronicle.distrust(game, anchor)
        except EngineError as error:
            raise Refused(f"Move {seq} cannot be shown: the rules have changed since.") from error


def stood(anchor: Anchor, rows: Sequence[Row], names: Mapping[PlayerId, str]) -> Stood:
    """The position after the last of the rows that come after an anchor; raises Unsound, EngineError."""
    return reached(anchor, rows, names, _stood)


def _stood(game: Game, line: str, ran: MapView | None) -> Stood:
    return Stood(line, ran or map_view(game), market_view(game))


def reached(
    anchor: Anchor,
    rows: Sequence[Row],
    names: Mapping[PlayerId, str],
    look: Callable[[Game, str, MapView | None], T],
) -> T:
    """What is seen in the position after the last of the rows that come after an anchor.

    `look` gets the game, what the last move did, and the map with its routes over it where it was a run. Raises
    Unsound, EngineError.
    """
    try:
        return _reached(anchor, rows, names, look)
    except EngineError:
        anchor.require_sound()
        raise


def _reached(
    anchor: Anchor,
    rows: Sequence[Row],
    names: Mapping[PlayerId, str],
    look: Callable[[Game, str, MapView | None], T],
) -> T:
    followed = anchor.follow(rows)
    _, game, _ = next(followed)
    if not rows:
        return look(named(game, names), "", None)
    for _, game, _ in islice(followed, len(rows) - 1):  # noqa: B007 - as it stands before the last
        pass
    game = named(game, names)
    # A company runs on the map as it is before its turn continues.
    routes = _routes(rows[-1])
    ran = None if routes is None else map_view(game, routes)
    row, game, events = next(followed)
    compare(game, row)
    return look(game, "\n".join(sentences(events, game, MARKDOWN)), ran)


def _routes(row: Row) -> tuple[str, ...] | None:
    """What a row ran, if it is a run."""
    action = read_action(row.payload)
    return action.routes if isinstance(action, RunRoutes) else None
