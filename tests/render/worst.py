"""The worst that pictures may have to show: crowded tiles, stacks of markers, long names, everybody bidding."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from engine.game import Game
from engine.tell.viewing import table_view
from engine.tell.views import HexView, MarketView, TableView, TilesView, TileView
from engine.titles import TITLES
from render import (
    render_company,
    render_market,
    render_player,
    render_sale,
    render_scores,
    render_table,
    render_tiles,
)
from tests.render import sheets
from tests.render.every_hex import boards, hexes
from tests.render.sales import worst_sales

MOST = 36
"""Hexes shown of each title: those with most on them."""
LONG = "Featherstonehaugh-Cholmondeley"
Draw = Callable[..., bytes]


def worst_cases() -> Iterator[tuple[str, Draw]]:
    """Name and picture; the theme is given when it is drawn."""
    for title in TITLES:
        yield f"crowded-{title}", partial(render_tiles, _crowded(title))
    for count in (2, 3, 4, 5, 8):
        yield f"stack-of-{count}", partial(render_market, _stack(count))
    yield "long-names-table", partial(render_table, _long_table())
    yield "long-names-player", partial(render_player, replace(sheets.player(), name=LONG))
    yield "long-names-company", partial(render_company, replace(sheets.company(), president=LONG))
    yield "long-names-scores", partial(render_scores, sheets.scores())
    for name, view in worst_sales().items():
        yield f"sale-{name}", partial(render_sale, view)


def _crowded(title: str) -> TilesView:
    """The hexes with most written, drawn and marked on them."""
    shown = sorted(hexes(title), key=_load, reverse=True)[:MOST]
    tiles = tuple(TileView(replace(h, tile=h.tile or h.coord), None, None) for h in shown)
    return TilesView(TITLES[title].name, "the most crowded hexes", next(boards(title)).layout, tiles)


def _load(view: HexView) -> int:
    slots = sum(max(1, len(stop.slots)) + len(stop.revenue) for stop in view.stops)
    extras = bool(view.name) + bool(view.label) + bool(view.cost) + bool(view.blocked_by)
    return 2 * len(view.pieces) + 3 * slots + 3 * extras + 4 * len(view.marks)


def _stack(count: int) -> MarketView:
    names = ("PRR", "B&O", "C&O", "LV", "N&W", "SRR", "PLE", "C&A")
    return sheets.market(dict.fromkeys(names[:count], (2, 4)))


def _long_table() -> TableView:
    """Six players with long names."""
    players = [(f"p{i}", f"{LONG} {i}") for i in range(1, 7)]
    return table_view(Game("18chesapeake", players, 1, "rulebook", frozenset()))
