"""Work for workers: a position as the page gets it, in JSON, drawn, and packed for the way."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.table.past.asked import PastGame
from bot.table.past.binding import Anchor
from bot.table.past.chapters import Chapter
from bot.table.past.lines import chapter_lines
from bot.table.past.position import reached
from bot.table.past.timelines import chart
from bot.web.board_pictures import Picture, map_picture, market_picture
from bot.web.packing import Packed, opened, packed
from bot.web.texts import plain_text
from engine.core.ids import PlayerId
from engine.game import Game
from engine.tell.view_builders import (
    map_view,
    market_view,
    offer_view,
    phases_view,
    privates_view,
    sale_view,
    score_view,
    table_view,
    tiles_view,
    trains_view,
    turn_view,
)
from engine.tell.views import CourseView, MapView
from render.colour_vision import cores
from storage.log.log import Row


@dataclass(frozen=True, slots=True)
class Shown:
    """A position for everybody who sees the same of it: JSON without its last brace, and its pictures."""

    text: str
    map: Picture
    market: Picture

    def answer(self, on_map: Picture | None, on_market: Picture | None) -> Packed:
        """The beginning of the answer to who has these pictures."""
        pictures = {"map": self.map.sent(on_map), "market": self.market.sent(on_market)}
        return packed(f"{opened(pictures)},{self.text[1:]}")


def shown(game: Game, theme: str, looker: PlayerId | None, ran: MapView | None = None) -> Shown:
    """A position as a player sees it, or (None) everybody; `ran` is the map with the routes of the last move."""
    on_map = ran or map_view(game)
    return Shown(
        opened(position(game, looker)),
        map_picture(on_map, theme),
        market_picture(market_view(game), theme),
    )


def shown_then(
    anchor: Anchor, rows: Sequence[Row], names: Mapping[PlayerId, str], theme: str, looker: PlayerId | None
) -> Shown:
    """The same of the position after the last of the rows that come after an anchor; raises Unsound, EngineError."""
    return reached(anchor, rows, names, lambda game, line, ran: shown(game, theme, looker, ran))


def answer(whole: Shown, on_map: Picture | None, on_market: Picture | None) -> Packed:
    """The beginning of an answer."""
    return whole.answer(on_map, on_market)


def position(game: Game, looker: PlayerId | None) -> dict[str, Any]:
    """What stands on the table, as the engine's views say it."""
    on_map, sale, offer = map_view(game), sale_view(game) or privates_view(game), offer_view(game)
    return {
        "title": game.title.name,
        "digest": game.digest(),
        "over": game.over,
        "board": {
            "layout": on_map.layout,
            "caption": on_map.caption,
            "revenue_steps": on_map.revenue_steps,
            "mark_words": [(asdict(mark), words) for mark, words in on_map.mark_words],
        },
        "turn": asdict(turn_view(game)),
        "table": asdict(table_view(game, looker)),
        "trains": asdict(trains_view(game)),
        "phases": asdict(phases_view(game)),
        "sale": None if sale is None else asdict(sale),
        "offer": None if offer is None else asdict(offer),
        "tiles": _tiles(game),
        "scores": asdict(score_view(game)) if game.over else None,
    }


def _tiles(game: Game) -> list[dict[str, Any]]:
    """The tiles left; how they look is shown with the hexes that they may come to."""
    return [
        {
            "tile": one.hex.tile,
            "colour": one.hex.colour,
            "label": one.hex.label,
            "left": one.left,
            "count": one.count,
        }
        for one in tiles_view(game).tiles
    ]


def _charts(view: CourseView) -> dict[str, Any]:
    """The charts, and which dashes tell the line of a company from others of such a colour."""
    started = [
        i for i, prices in enumerate(zip(*[m.prices for m in view.moments], strict=True)) if any(prices)
    ]
    found = dict(zip(started, cores([view.companies[i].colour for i in started]), strict=True))
    return {**asdict(view), "cores": [found.get(i, 0) for i in range(len(view.companies))]}


def history_json(past: PastGame, chapter: Chapter, now: CourseView, gone: list[tuple[int, str]]) -> Packed:
    """The history as JSON without its last brace, packed; work for a worker."""
    lines: dict[int, list[str]] = {}
    for seq, line in chapter_lines(past.rows[0], chapter, past.names):
        lines.setdefault(seq, []).extend(plain_text(one) for one in line.split("\n"))
    names = past.names.now
    moves: list[dict[str, Any]] = [
        {
            "seq": row.seq,
            "who": names.get(row.actor),
            "player": row.actor or None,
            "lines": lines.get(row.seq, []),
        }
        for row in past.rows
    ]
    undone = [(seq, plain_text(line)) for seq, line in gone]
    return packed(opened({"moves": moves, "undone": undone, "charts": _charts(chart(chapter, now))}))
