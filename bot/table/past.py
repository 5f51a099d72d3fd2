"""How a game stood after an earlier move, played again from its log."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.table.course import move_again, opened
from bot.table.errors import Refused
from bot.table.loading import compare
from bot.table.style import MARKDOWN
from engine.core.actions import RunRoutes, read_action
from engine.core.errors import EngineError
from engine.core.events import Event
from engine.game import Game
from engine.interchange.earlier import EarlierMoves
from engine.tell.narrate import sentences
from engine.tell.viewing import map_view, market_view
from engine.tell.views import MapView, MarketView
from storage.log import Row


@dataclass(frozen=True, slots=True)
class Past:
    """The position after a move: its number, what the move did, and the moves before and after it that count."""

    seq: int
    line: str
    map: MapView
    """With the routes over it, where the move was a run."""
    market: MarketView
    before: int | None
    after: int | None


def past(rows: Sequence[Row], seq: int) -> Past:
    """The position after row `seq` of those that count; raises Refused where there is none, or none can be shown."""
    numbers = [row.seq for row in rows]
    if seq not in numbers:
        taken_back = (
            f"Move {seq} was taken back, or is none" if seq <= numbers[-1] else f"There is no move {seq}"
        )
        raise Refused(f"{taken_back}. The last one is {numbers[-1]}.")
    at = numbers.index(seq)
    try:
        line, on_map, on_market = _played_to(_stretch(rows, at))
    except EngineError as error:
        raise Refused(f"Move {seq} cannot be shown: the rules have changed since.") from error
    before = numbers[at - 1] if at else None
    return Past(seq, line, on_map, on_market, before, next(iter(numbers[at + 1 : at + 2]), None))


def _stretch(rows: Sequence[Row], at: int) -> Sequence[Row]:
    """From the start or the accept before a row to the row."""
    begin = next(number for number in range(at, -1, -1) if rows[number].kind != "action")
    return rows[begin : at + 1]


def _played_to(rows: Sequence[Row]) -> tuple[str, MapView, MarketView]:
    """What the last of these rows did, and how map and market are after it."""
    game, earlier = opened(rows)
    if len(rows) == 1:
        return "", map_view(game), market_view(game)
    for row in rows[1:-1]:
        _again(game, row, earlier)
    action = read_action(rows[-1].payload)
    # A company runs on the map as it is before its turn goes on.
    ran = map_view(game, action.routes) if isinstance(action, RunRoutes) else None
    line = "\n".join(sentences(_again(game, rows[-1], earlier), game, MARKDOWN))
    return line, ran or map_view(game), market_view(game)


def _again(game: Game, row: Row, earlier: EarlierMoves | None) -> tuple[Event, ...]:
    events = move_again(game, row, earlier)
    compare(game, row)
    return events
