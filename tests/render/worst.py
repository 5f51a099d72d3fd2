"""The worst that pictures may have to show: crowded tiles, stacks of markers, long names, everybody bidding."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from engine.game import Game
from engine.tell.view_builders import map_view, market_view, table_view
from engine.tell.views import HexView, MarketView, TableView, TilesView, TileView
from engine.titles import TITLES
from render import (
    render_company,
    render_map,
    render_market,
    render_player,
    render_sale,
    render_scores,
    render_table,
    render_tiles,
)
from tests.render import sheets
from tests.render.hexes.every_hex import boards, hexes
from tests.render.sales import worst_sales

EIGHT = [(f"p{i}", name) for i, name in enumerate(["Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal"], 1)]
MOST = 36
"""Hexes shown of each title: those with most on them."""
LONG = "Featherstonehaugh-Cholmondeley"
Draw = Callable[..., bytes]


def worst_cases() -> Iterator[tuple[str, Draw]]:
    """Name and picture; the theme is given when it is drawn."""
    for title in TITLES:
        yield f"crowded-{title}", partial(render_tiles, _crowded(title))
    for count in (2, 3, 4, 5, 8):
        yield f"stack-of-{count}", partial(render_market, stack(count))
    yield "long-names-table", partial(render_table, long_table())
    yield "long-names-player", partial(render_player, replace(sheets.player(), name=LONG))
    yield "long-names-company", partial(render_company, replace(sheets.company(), president=LONG))
    yield "long-names-scores", partial(render_scores, sheets.scores())
    if "18c2c-full" in TITLES:
        yield "coast-to-coast-market", partial(render_market, coast_to_coast())
        yield "coast-to-coast-table", partial(render_table, _eight_players())
        yield "coast-to-coast-values", partial(render_map, map_view(Game("18c2c-full", EIGHT, 1)))
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


def stack(count: int) -> MarketView:
    """This many companies in one cell."""
    names = ("PRR", "B&O", "C&O", "LV", "N&W", "SRR", "PLE", "C&A")
    return sheets.market(dict.fromkeys(names[:count], (2, 4)))


def coast_to_coast() -> MarketView:
    """Thirty-four markers, most of them on the par prices, eight of them just moved past one another."""
    title = TITLES["18c2c-full"].spec
    at = {name: (i % 6, 6) if i % 3 else (i % 4, 3 + i % 5) for i, name in enumerate(title.companies)}
    moves = [(name, (r + 2, c) if c == 6 else (r, c + 1), (r, c)) for name, (r, c) in list(at.items())[:8]]
    rows = [list(row) for row in market_view(Game("18c2c-full", EIGHT, 1)).rows]
    for name, (r, c) in at.items():
        cell = rows[r][c]
        assert cell is not None
        rows[r][c] = replace(cell, tokens=(*cell.tokens, sheets.badge(name, title)))
    return replace(sheets.market({}, moves), rows=tuple(map(tuple, rows)), title=title.name)


def _eight_players() -> TableView:
    """Every corporation has its line, and everybody presides over some."""
    game = Game("18c2c-full", EIGHT, 1)
    for i, company in enumerate(game.table.state.companies.values()):
        company.par, company.certificate_holder = 100, EIGHT[i % 8][0]
        company.shares = dict.fromkeys((player for player, _ in EIGHT), company.shares.get("ipo", 0) // 8)
    return table_view(game)


def long_table() -> TableView:
    """Six players with long names."""
    players = [(f"p{i}", f"{LONG} {i}") for i in range(1, 7)]
    return table_view(Game("18chesapeake", players, 1, "rulebook", frozenset()))
