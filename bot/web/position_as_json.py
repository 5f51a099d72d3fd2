"""Positions as packed JSON with pictures, for workers; also history, hexes and routes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bot.table.errors import Refused
from bot.table.past.history_lines import MoveHistory
from bot.table.past.past_games import PastGame
from bot.table.past.past_views import chart
from bot.web.offers_as_json import PictureLooks, run_fields
from bot.web.wire import (
    Packed,
    SentPicture,
    fields_of,
    map_picture,
    market_picture,
    pack_object,
    pack_text,
    plain_text,
    unclosed,
)
from engine import CompanyId, Coord, Game, PlayerId
from engine.views import (
    HexView,
    HistoryView,
    MapView,
    SlotView,
    StopView,
    best_run_view,
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
    upgrade_views,
)
from render import hex_svg, line_cores


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """A shared position: unclosed JSON, and pictures."""

    text: str
    map: SentPicture
    market: SentPicture

    def unclosed_answer(self, on_map: SentPicture | None, on_market: SentPicture | None) -> Packed:
        """The unclosed answer for browsers with these pictures."""
        pictures = {"map": self.map.for_browser(on_map), "market": self.market.for_browser(on_market)}
        return pack_text(f"{unclosed(pictures)},{self.text[1:]}")


def shown_position(
    game: Game, theme: str, viewer: PlayerId | None, run_map: MapView | None = None
) -> ShownPosition:
    """The position for a player or (None) everybody; `run_map` is the map with the last run."""
    on_map = run_map or map_view(game)
    return ShownPosition(
        unclosed(position_fields(game, viewer, on_map)),
        map_picture(on_map, theme),
        market_picture(market_view(game), theme),
    )


def shown_past_position(
    game: Game, _: str, run_map: MapView | None, theme: str, viewer: PlayerId | None
) -> ShownPosition:
    """An earlier position for a viewer, as a function for `look_at`."""
    return shown_position(game, theme, viewer, run_map)


def position_fields(game: Game, viewer: PlayerId | None, on_map: MapView) -> dict[str, Any]:
    """The position's fields from the engine's views."""
    return {
        "title": game.title.name,
        "digest": game.digest(),
        "over": game.over,
        "board": {
            "layout": on_map.layout,
            "caption": on_map.caption,
            "revenue_steps": on_map.revenue_steps,
            "mark_words": on_map.mark_words,
        },
        "turn": turn_view(game),
        "table": table_view(game, viewer),
        "trains": trains_view(game),
        "phases": phases_view(game),
        "sale": sale_view(game) or privates_view(game),
        "offer": offer_view(game),
        "tiles": _tiles(game),
        "scores": score_view(game) if game.over else None,
    }


def _tiles(game: Game) -> list[dict[str, Any]]:
    """The tiles left."""
    return [
        {
            "tile": tile.hex.tile,
            "colour": tile.hex.colour,
            "label": tile.hex.label,
            "left": tile.left,
            "count": tile.count,
        }
        for tile in tiles_view(game).tiles
    ]


def _charts(view: HistoryView) -> dict[str, Any]:
    """The charts, with dashes for confusable colours."""
    started = [
        i for i, prices in enumerate(zip(*[m.prices for m in view.moments], strict=True)) if any(prices)
    ]
    colours = dict(zip(started, line_cores([view.companies[i].colour for i in started]), strict=True))
    return {**fields_of(view), "cores": [colours.get(i, 0) for i in range(len(view.companies))]}


def history_json(
    past: PastGame, history: MoveHistory, now: HistoryView, gone: list[tuple[int, str]]
) -> Packed:
    """The history as packed, unclosed JSON; for a worker."""
    lines: dict[int, list[str]] = {}
    for seq, line in history.all_lines():
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
    return pack_text(unclosed({"moves": moves, "undone": undone, "charts": _charts(chart(history, now))}))


def hex_packed(game: Game, coord: Coord, theme: str) -> Packed:
    """A hex as packed JSON; for a worker. Raises Refused if it is not on the map."""
    on_map = map_view(game)
    shown = next((one for one in on_map.hexes if one.coord == coord), None)
    if shown is None:
        raise Refused(f"There is no hex {coord} on this map.")
    tiles = [
        {**fields_of(view), "hex": coord, "svg": hex_svg(on_map, view.hex, theme=theme)}
        for view in upgrade_views(game, coord)
    ]
    return pack_object({"coord": coord, "hex": shown, "facts": list(_facts(on_map, shown)), "tiles": tiles})


def routes_packed(game: Game, company: CompanyId, looks: PictureLooks) -> Packed:
    """A company's best routes as packed JSON; for a worker. Raises Refused without any."""
    if company not in game.title.spec.companies:
        raise Refused(f"There is no company {company}.")
    best = best_run_view(game, company)
    if best is None:
        raise Refused(f"{company} has no train or no route.")
    return pack_object(
        {
            "company": company,
            **run_fields(best.map, looks),
            "total": best.revenue,
            "text": ";".join(best.routes),
            "proven": best.revenue == best.upper,
        }
    )


def packed_past(
    game: Game, _: str, run_map: MapView | None, look: Callable[..., Packed], *values: object
) -> Packed:
    """A detail of an earlier position, for `look_at`; raises Refused."""
    del run_map
    return look(game, *values)


def _facts(on_map: MapView, found: HexView) -> Iterator[tuple[str, str]]:
    """Lines about a hex: heading and text."""
    if found.tile:
        yield "Tile", f"{found.tile}, {found.colour}"
    for number, stop in enumerate(found.stops, 1):
        which = f" {number}" if len(found.stops) > 1 else ""
        yield f"{stop.kind.capitalize()}{which}", _revenue(on_map, stop)
        if stop.slots:
            yield f"Tokens{which}", ", ".join(map(_slot, stop.slots))
    if found.cost:
        yield "Terrain", " ".join([f"${found.cost}", *found.terrain])
    if found.blocked_by:
        yield "Closed", f"as long as a player owns {found.blocked_by}"
    words = dict(on_map.mark_words)
    for mark in found.marks:
        yield "Mark", words.get(mark, mark.text)


def _revenue(on_map: MapView, stop: StopView) -> str:
    """A stop's revenue by phase: `yellow 30, green 40`."""
    if len(stop.revenue) == 1:
        return f"${stop.revenue[0]}"
    steps = zip(on_map.revenue_steps, stop.revenue, strict=False)
    return ", ".join(f"{name} ${value}" for name, value in steps)


def _slot(slot: SlotView) -> str:
    if slot.badge is None:
        return "a free space"
    if slot.state == "token":
        return slot.badge.company
    return f"kept for {slot.badge.company}"
