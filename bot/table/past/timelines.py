"""The history of a game: its chart, the turning points, and the maps of a timelapse."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from bot.table.games.loading import compare
from bot.table.past.asked import PastGame
from bot.table.past.binding import Anchor
from bot.table.past.chapters import Chapter
from bot.table.past.chronicle import Chronicle, Work
from engine.core.errors import EngineError
from engine.core.facts import Fact
from engine.game import Game
from engine.tell.turning_points import Story
from engine.tell.view_builders import history_view, map_view, moment_view
from engine.tell.views import HistoryView, MapView
from render import MOST_FRAMES
from storage.log import Row

AT_ONCE: Final = 10
"""Positions whose maps are looked at in one piece of work: a quarter of a second late in the longest title."""
MOST_HEXES: Final = 30_000
"""Hexes in all maps of a timelapse together, which are some 6 MB: of the largest map fewer are shown."""


def at_present(game: Game) -> HistoryView:
    """What everybody is worth now, and nothing of before."""
    return history_view(game, [moment_view(game)])


def chart(whole: Chapter, now: HistoryView) -> HistoryView:
    """What everybody was worth as each round began, and at last now; where worth is secret now, it was then.

    Moves that lead elsewhere under today's rules are left out, up to the next position from which the game continues.
    """
    rounds = whole.rounds if now.players else [replace(then, worth=()) for then in whole.rounds]
    return replace(now, moments=(*rounds, *now.moments))


def turning_points(whole: Chapter, now: Game) -> tuple[Fact, ...]:
    """What is worth telling of the game."""
    return Story(whole.story).turning_points(now)


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
                compare(game, row)
                found.append(map_view(game))
    except EngineError:
        pass  # the log says what is left out
    return found
