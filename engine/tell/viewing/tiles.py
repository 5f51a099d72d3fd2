"""The view of the tiles that are left."""

from engine.core.ids import TileId
from engine.core.spec import COLOURS
from engine.game import Game
from engine.play.table import Table
from engine.tell.viewing.parts import caption
from engine.tell.views import HexView, SlotView, StopView, TilesView, TileView


def tiles_view(game: Game) -> TilesView:
    """Every kind of tile, yellow ones first."""
    t = game.table
    numbers = sorted(t.spec.tiles, key=lambda number: COLOURS.index(t.spec.tiles[number].colour))
    tiles = tuple(_tile(t, number) for number in numbers)
    return TilesView(t.spec.name, caption(game), t.spec.map.layout, tiles)


def _tile(t: Table, number: TileId) -> TileView:
    spec = t.spec.tiles[number]
    stops = tuple(
        StopView(
            stop.kind, stop.revenue, min(t.phase.revenue_step, len(stop.revenue) - 1), _empty(stop.slots)
        )
        for stop in spec.topology.stops
    )
    pieces = tuple(piece.ends() for piece in spec.topology.pieces)
    drawn = HexView("", 0, 0, spec.colour, pieces, stops, tile=number, label=spec.label)
    return TileView(drawn, t.map.supply[number], spec.count)


def _empty(slots: int) -> tuple[SlotView, ...]:
    return (SlotView("empty"),) * slots
