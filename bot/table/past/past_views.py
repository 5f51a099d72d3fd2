"""Views of a game's past: a position after an earlier move, the chart, turning points, and maps of a timelapse."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from bot.table.errors import Refused
from bot.table.games.loading import require_same_position
from bot.table.markdown import MARKDOWN
from bot.table.past.anonymise import named
from bot.table.past.chapters import Anchor, Chapter, Unsound
from bot.table.past.chronicle import Chronicle, PastGame, Work
from engine import EngineError, Fact, Game, PlayerId, actions, narrate, read_action
from engine import turning_points as story
from engine.views import HistoryView, MapView, MarketView, history_view, map_view, market_view, moment_view
from render import MOST_FRAMES
from storage import Row

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
class PastPosition:
    """The position after a move: its number, and the moves before and after it that count."""

    seq: int
    stood: Stood
    before: int | None
    after: int | None


async def past_position(chronicle: Chronicle, game: PastGame, seq: int, work: Work) -> PastPosition:
    """The position after row `seq`; raises Refused where there is none, or none can be shown."""
    found = await look_at_past(chronicle, game, seq, work, stood)
    numbers = game.numbers
    at = numbers.index(seq)
    return PastPosition(seq, found, numbers[at - 1] if at else None, next(iter(numbers[at + 1 :]), None))


async def look_at_past(
    chronicle: Chronicle, game: PastGame, seq: int, work: Work, look: Callable[..., T], *args: object
) -> T:
    """The result of `look(anchor, rows, names, ...)` in a worker, for the position after row `seq`.

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
    """The result of `look` in the position after the last of the rows that come after an anchor.

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
    require_same_position(game, row)
    return look(game, "\n".join(narrate.sentences(events, game, MARKDOWN)), ran)


def _routes(row: Row) -> tuple[str, ...] | None:
    action = read_action(row.payload)
    return action.routes if isinstance(action, actions.RunRoutes) else None


AT_ONCE: Final = 10
"""Positions whose maps are looked at in one piece of work: a quarter of a second late in the longest title."""
MOST_HEXES: Final = 30_000
"""Hexes in all maps of a timelapse together, which are some 6 MB: of the largest map fewer are shown."""


def at_present(game: Game) -> HistoryView:
    """Everybody's net worth now, and nothing of before."""
    return history_view(game, [moment_view(game)])


def chart(whole: Chapter, now: HistoryView) -> HistoryView:
    """Everybody's net worth as each round began, and now; where it is secret now, it was then.

    Moves that lead elsewhere under today's rules are left out, up to the next position from which the game continues.
    """
    rounds = whole.rounds if now.players else [replace(then, worth=()) for then in whole.rounds]
    return replace(now, moments=(*rounds, *now.moments))


def turning_points(whole: Chapter, now: Game) -> tuple[Fact, ...]:
    """The turning points of a game."""
    return story.Story(whole.story).turning_points(now)


class Stretch(NamedTuple):
    """Rows after an anchor, up to the last of those whose maps are wanted."""

    anchor: Anchor
    rows: tuple[Row, ...]
    wanted: tuple[int, ...]


async def timelapse(chronicle: Chronicle, game: PastGame, whole: Chapter, work: Work) -> list[MapView]:
    """The map as the game began, and after moves that changed it, as many as are shown, at equal distances."""
    begin = game.rows[0].seq
    found: list[MapView] = await work(maps, await _stretches(chronicle, game, [begin]))
    if not found:
        return found
    most = min(MOST_FRAMES, MOST_HEXES // len(found[0].hexes))
    stretches = await _stretches(chronicle, game, _thinned(whole.on_map, most - 1))
    for begin in range(0, len(stretches), AT_ONCE):
        found += await work(maps, stretches[begin : begin + AT_ONCE])
    return found


async def _stretches(chronicle: Chronicle, game: PastGame, wanted: Sequence[int]) -> list[Stretch]:
    marks, found = await chronicle.marks(game), list[Stretch]()
    for seq in wanted:
        anchor = await chronicle.anchor(game, marks, seq)
        before = found.pop() if found and found[-1].anchor.row.seq == anchor.row.seq else None
        seqs = (seq,) if before is None else (*before.wanted, seq)
        found.append(Stretch(anchor, game.between(anchor.row.seq, seq), seqs))
    return found


def _thinned(seqs: Sequence[int], most: int) -> list[int]:
    count = min(len(seqs), max(most, 0))
    return [seqs[(i + 1) * len(seqs) // count - 1] for i in range(count)]


def maps(stretches: Sequence[Stretch]) -> list[MapView]:
    """The maps after the wanted rows of each stretch, as far as they are what they were."""
    return [view for stretch in stretches for view in _maps(stretch)]


def _maps(stretch: Stretch) -> list[MapView]:
    found: list[MapView] = []
    try:
        for row, game, _ in stretch.anchor.follow(stretch.rows):
            if row.seq in stretch.wanted:
                require_same_position(game, row)
                found.append(map_view(game))
    except EngineError:
        pass  # the log says what is left out
    return found
