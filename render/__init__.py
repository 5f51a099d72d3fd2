"""Pictures of maps, markets and score sheets, drawn from the read-only views of a game.

Other packages use only the names in this module. Drawing code is loaded when first used, or by `load_art`: only the
bot's workers draw, so the bot itself need not load it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

from render.choices import LARGE_SUFFIX, MAX_TIMELAPSE_FRAMES, THEME_NAMES
from render.draw_cache import (
    DrawingLimitReached,
    DrawingResults,
    collect_results,
    limit_new_drawings,
    use_results,
)

if TYPE_CHECKING:
    from engine import Coord
    from engine.views import (
        CompanyView,
        HexView,
        HistoryView,
        LayView,
        MapView,
        MarketView,
        PhasesView,
        PlayerView,
        SaleView,
        ScoreView,
        StandingsView,
        TableView,
        TilesView,
    )
    from render.scene import Scene
    from render.theme import THEMES, Theme, line_cores


_LAZY_NAMES: Final = {
    "THEMES": "render.theme",
    "Theme": "render.theme",
    "line_cores": "render.theme",
}
"""Names that `render` offers, with the module that each is loaded from when first used."""
_DRAWING_MODULES: Final = (
    *("svg", "maps.map_art", "maps.numbered_hexes_and_tiles"),
    *(
        f"sheets.{name}_art"
        for name in ("chart", "charter", "market", "sale", "score", "standings", "supply", "table")
    ),
)
"""Modules that draw pictures; importing them loads all other modules of `render`."""
_MAX_LARGE_ROWS: Final = 8
"""The most companies in one picture of the table in large letters."""


if not TYPE_CHECKING:  # types are checked by the imports above

    def __getattr__(name: str) -> object:
        if name not in _LAZY_NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_LAZY_NAMES[name]), name)


def load_art() -> None:
    """Load all drawing modules and letter widths, for a process from which workers are forked."""
    from render.font_metrics import FONT_FILES, text_width

    for module in _DRAWING_MODULES:
        import_module(f"render.{module}")
    for weight in FONT_FILES:
        text_width("", weight)


def _scene_png(scene: Scene) -> bytes:
    from render.raster import png

    return png(scene)


def render_map(view: MapView, *, theme: str = "ours", centre: Sequence[Coord] | None = None) -> bytes:
    """The whole map as a PNG, or the close-up around these hexes.

    Raises ValueError for an unknown theme or hex.
    """
    from render.maps.map_art import close_up_scene, map_scene

    return _scene_png(map_scene(view, theme) if centre is None else close_up_scene(view, theme, centre))


def render_spots(
    view: MapView, spots: Sequence[Coord], *, first_number: int = 1, theme: str = "ours"
) -> bytes:
    """The map around these hexes, at least one, numbered from `first_number` on, as a PNG; raises ValueError."""
    from render.maps.numbered_hexes_and_tiles import spots_scene

    return _scene_png(spots_scene(view, theme, spots, first_number))


def render_cities(view: MapView, coord: Coord, cities: Sequence[int], *, theme: str = "ours") -> bytes:
    """The map around this hex, with numbers at these of its stops, counted from 0, as a PNG; raises ValueError."""
    from render.maps.numbered_hexes_and_tiles import cities_scene

    return _scene_png(cities_scene(view, theme, coord, cities))


def render_lays(
    view: MapView, lays: Sequence[LayView], *, first_number: int = 1, theme: str = "ours"
) -> bytes:
    """These tiles, at least one, each in its place and numbered from `first_number` on, as a PNG; raises ValueError."""
    from render.maps.numbered_hexes_and_tiles import lays_scene

    return _scene_png(lays_scene(view, theme, lays, first_number))


def render_market(view: MarketView, *, start_prices: Collection[int] = (), theme: str = "ours") -> bytes:
    """The stock market with the operating order as a PNG, the cells of these start prices framed.

    Raises ValueError for an unknown theme.
    """
    from render.sheets.market_art import market_scene

    return _scene_png(market_scene(view, theme, start_prices=start_prices))


def render_scores(view: ScoreView, *, theme: str = "ours") -> bytes:
    """The final table as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.score_art import score_scene

    return _scene_png(score_scene(view, theme))


def render_company(view: CompanyView, *, theme: str = "ours") -> bytes:
    """A company's charter as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.charter_art import company_scene

    return _scene_png(company_scene(view, theme))


def render_player(view: PlayerView, *, theme: str = "ours") -> bytes:
    """A player's sheet as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.charter_art import player_scene

    return _scene_png(player_scene(view, theme))


def render_table(view: TableView, *, theme: str = "ours") -> bytes:
    """The whole table as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.table_art import table_scene

    return _scene_png(table_scene(view, theme))


def render_holdings(view: TableView, *, theme: str = "ours") -> bytes:
    """The half of the table with the holdings, in large letters, as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.table_art import holdings_scene

    return _scene_png(holdings_scene(view, theme))


def render_assets(view: TableView, *, theme: str = "ours") -> bytes:
    """The half of the table with company assets, in large letters, as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.table_art import assets_scene

    return _scene_png(assets_scene(view, theme))


def table_pictures(view: TableView, theme: str) -> tuple[Callable[..., bytes], ...]:
    """Functions that render the whole table, as one picture, or as two if one in large letters would be too tall."""
    company_rows = sum(line.par is not None or bool(line.holders) for line in view.companies)
    return (
        (render_holdings, render_assets)
        if theme.endswith(LARGE_SUFFIX) and company_rows > _MAX_LARGE_ROWS
        else (render_table,)
    )


def render_chart(view: HistoryView, *, theme: str = "ours") -> bytes:
    """Net worths and share prices over the rounds as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.chart_art import chart_scene

    return _scene_png(chart_scene(view, theme))


def render_timelapse(views: Sequence[MapView], *, theme: str = "ours") -> bytes:
    """A GIF of the map as it grew; raises ValueError for an unknown theme, or without views."""
    from render.maps.timelapse import timelapse

    return timelapse(views, theme)


def render_tiles(view: TilesView, *, theme: str = "ours") -> bytes:
    """The tiles that are left as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.supply_art import tiles_scene

    return _scene_png(tiles_scene(view, theme))


def render_phases(view: PhasesView, *, theme: str = "ours") -> bytes:
    """The phase chart as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.supply_art import phases_scene

    return _scene_png(phases_scene(view, theme))


def render_sale(view: SaleView, *, theme: str = "ours") -> bytes:
    """The cards of an auction or a draft as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.sale_art import sale_scene

    return _scene_png(sale_scene(view, theme))


def render_standings(view: StandingsView, *, theme: str = "ours") -> bytes:
    """Standings of an event as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.standings_art import standings_scene

    return _scene_png(standings_scene(view, theme))


def map_svg(view: MapView, *, theme: str = "ours") -> str:
    """The whole map as an SVG, with a mark `hex-J2` on every hex; raises ValueError for an unknown theme."""
    from render.maps.map_art import map_scene
    from render.svg import svg

    return svg(map_scene(view, theme), prefix="m", title=f"{view.title}, {view.caption}")


def hex_svg(view: MapView, hexagon: HexView, *, theme: str = "ours") -> str:
    """One hex as it would lie on this map, as an SVG as large as there; raises ValueError for an unknown theme."""
    from render.maps.map_art import hex_scene
    from render.svg import svg

    return svg(hex_scene(view, theme, hexagon), prefix="h")


def market_svg(view: MarketView, *, theme: str = "ours") -> str:
    """The market as an SVG, with a mark `space-0-9` on every space; raises ValueError for an unknown theme."""
    from render.sheets.market_art import market_scene
    from render.svg import svg

    return svg(
        market_scene(view, theme, show_all_columns=True), prefix="k", title=f"{view.title}, {view.caption}"
    )


def chart_svg(view: HistoryView, *, theme: str = "ours") -> str:
    """Net worths and share prices over the rounds as an SVG; raises ValueError for an unknown theme."""
    from render.sheets.chart_art import chart_scene
    from render.svg import svg

    return svg(chart_scene(view, theme), prefix="c", title=f"{view.title}, {view.caption}")


def scores_csv(view: ScoreView) -> str:
    """One line a player: rank, name, cash, shares, privates, total, then percent and value per company."""
    from render.sheets.score_art import scores_csv

    return scores_csv(view)


def scores_text(view: ScoreView) -> str:
    """The table in fixed-width letters, at most 60 columns, one line of sums and one of shares a player."""
    from render.sheets.score_art import scores_text

    return scores_text(view)
