"""Positions with pictures, histories, and details of hexes as compressed JSON; run by workers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.table.errors import Refused
from bot.table.past.history_lines import MoveHistory
from bot.table.past.past_games import GameToReplay
from bot.table.past.past_views import net_worth_chart
from bot.web.answers import Charts, HexTile, MoveLines, PositionFields, TileCount
from bot.web.wire import (
    PackedText,
    SentPicture,
    fields_of,
    map_picture,
    market_picture,
    open_json_object,
    pack_object,
    pack_text,
    plain_text,
)
from engine import Coord, Game, PlayerId, has_hidden_cards
from engine.views import (
    HexView,
    HistoryView,
    MapView,
    SlotView,
    StopView,
    map_view,
    market_view,
    phases_view,
    privates_view,
    proposed_deal_view,
    sale_view,
    score_view,
    table_view,
    tiles_view,
    trains_view,
    turn_view,
    upgrade_views,
)
from render import dash_pattern_indexes_of, hex_svg


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """A drawn position: its JSON text without the closing brace, and pictures of map and market."""

    text: str
    map: SentPicture
    market: SentPicture

    def unclosed_response(
        self, known_map: SentPicture | None, known_market: SentPicture | None
    ) -> PackedText:
        """The compressed start of the response to browsers that already have these pictures."""
        pictures = {"map": self.map.for_browser(known_map), "market": self.market.for_browser(known_market)}
        return pack_text(f"{open_json_object(pictures)},{self.text[1:]}")


def shown_position(
    game: Game, theme: str, viewer: PlayerId | None, run_map: MapView | None = None
) -> ShownPosition:
    """The position drawn for one viewer, or for everybody if `viewer` is None.

    `run_map` is the map with the routes of the last run.
    """
    shown_map = run_map or map_view(game)
    return ShownPosition(
        open_json_object(position_fields(game, viewer, shown_map)),
        map_picture(shown_map, theme),
        market_picture(market_view(game), theme),
    )


def shown_past_position(
    game: Game, _: str, run_map: MapView | None, theme: str, viewer: PlayerId | None
) -> ShownPosition:
    """An earlier position drawn for one viewer, or for everybody; called by a worker that has replayed the game."""
    return shown_position(game, theme, viewer, run_map)


def position_fields(game: Game, viewer: PlayerId | None, shown_map: MapView) -> PositionFields:
    """The fields of a position from the engine's views.

    In games with secrets, the state's digest is left out, because a player could use it to test guesses.
    """
    is_secret = has_hidden_cards(game) or (game.rules.spec.secret_cash and not game.is_over)
    return {
        "title": game.title.name,
        "currency": game.rules.spec.currency,
        "digest": "" if is_secret else game.digest(),
        "is_over": game.is_over,
        "round_kind": game.round_kind,
        "map_frame": {
            "layout": shown_map.layout,
            "caption": shown_map.caption,
            "revenue_steps": shown_map.revenue_steps,
            "mark_meanings": shown_map.mark_meanings,
        },
        "turn": turn_view(game),
        "table": table_view(game, viewer),
        "trains": trains_view(game),
        "phases": phases_view(game),
        "sale": sale_view(game, viewer) or privates_view(game),
        "proposed_deal": proposed_deal_view(game),
        "tiles": _tiles_json(game),
        "scores": score_view(game) if game.is_over else None,
    }


def _tiles_json(game: Game) -> list[TileCount]:
    return [
        {
            "tile": tile.hex.tile,
            "colour": tile.hex.colour,
            "label": tile.hex.label,
            "copies_left": tile.copies_left,
            "count": tile.count,
        }
        for tile in tiles_view(game).tiles
    ]


def _charts_json(view: HistoryView) -> Charts:
    started_indexes = [
        i
        for i, prices in enumerate(zip(*[moment.prices for moment in view.rounds], strict=True))
        if any(prices)
    ]
    dash_indexes = dict(
        zip(
            started_indexes,
            dash_pattern_indexes_of([view.companies[i].colour for i in started_indexes]),
            strict=True,
        )
    )
    return Charts(
        **fields_of(view), dash_indexes=[dash_indexes.get(i, 0) for i in range(len(view.companies))]
    )


def history_json(
    game_to_replay: GameToReplay,
    history: MoveHistory,
    current_chart: HistoryView,
    undo_lines: list[tuple[int, str]],
) -> PackedText:
    """The moves with log lines, undone moves and charts: the compressed start of a JSON object."""
    lines: dict[int, list[str]] = {}
    for seq, line in history.all_lines():
        lines.setdefault(seq, []).extend(plain_text(line_part) for line_part in line.split("\n"))
    names = game_to_replay.names.current_names
    moves: list[MoveLines] = [
        {
            "seq": row.seq,
            "player_name": names.get(row.actor),
            "player": row.actor or None,
            "lines": lines.get(row.seq, []),
        }
        for row in game_to_replay.rows
    ]
    undone_moves = [(seq, plain_text(line)) for seq, line in undo_lines]
    return pack_text(
        open_json_object(
            {
                "moves": moves,
                "undone_lines": undone_moves,
                "charts": _charts_json(net_worth_chart(history, current_chart)),
            }
        )
    )


def packed_hex(game: Game, coord: Coord, theme: str) -> PackedText:
    """Details of a hex as compressed JSON; raises Refused if the hex is not on the map."""
    shown_map = map_view(game)
    shown_hex = next((hex_view for hex_view in shown_map.hexes if hex_view.coord == coord), None)
    if shown_hex is None:
        raise Refused(f"There is no hex {coord} on this map.")
    tiles: list[HexTile] = [
        {
            "tile": view.tile,
            "colour": view.colour,
            "sides": view.sides,
            "copies_left": view.copies_left,
            "is_allowed_now": view.is_allowed_now,
            "svg": hex_svg(shown_map, view.hex, theme=theme),
        }
        for view in upgrade_views(game, coord)
    ]
    return pack_object(
        {"coord": coord, "hex": shown_hex, "facts": list(_hex_facts(shown_map, shown_hex)), "tiles": tiles}
    )


def packed_past(
    game: Game, _: str, run_map: MapView | None, view_function: Callable[..., PackedText], *values: object
) -> PackedText:
    """The compressed result of `view_function` for an earlier position; called by a worker that has replayed the game.

    Raises Refused.
    """
    del run_map
    return view_function(game, *values)


def _hex_facts(shown_map: MapView, shown_hex: HexView) -> Iterator[tuple[str, str]]:
    if shown_hex.tile:
        yield "Tile", f"{shown_hex.tile}, {shown_hex.colour}"
    for number, stop in enumerate(shown_hex.stops, 1):
        stop_number = f" {number}" if len(shown_hex.stops) > 1 else ""
        yield f"{stop.kind.capitalize()}{stop_number}", _revenue_text(shown_map, stop)
        if stop.slots:
            yield f"Tokens{stop_number}", ", ".join(map(_token_slot_text, stop.slots))
    if shown_hex.cost:
        yield "Terrain", " ".join([shown_hex.money(shown_hex.cost), *shown_hex.terrain])
    if shown_hex.blocked_by:
        yield "Closed", f"as long as a player owns {shown_hex.blocked_by}"
    mark_meanings = dict(shown_map.mark_meanings)
    for mark in shown_hex.marks:
        yield "Mark", mark_meanings.get(mark, mark.text)


def _revenue_text(shown_map: MapView, stop: StopView) -> str:
    """A stop's revenue, by phase if it changes, such as `yellow $30, green $40`."""
    if len(stop.revenue) == 1:
        return shown_map.money(stop.revenue[0])
    phase_values = zip(shown_map.revenue_steps, stop.revenue, strict=False)
    return ", ".join(f"{name} {shown_map.money(value)}" for name, value in phase_values)


def _token_slot_text(slot: SlotView) -> str:
    if slot.badge is None:
        return "a free space"
    if slot.state == "token":
        return slot.badge.company
    return f"kept for {slot.badge.company}"
