"""PNG, SVG, GIF and text pictures of maps, stock markets, charters and scores, drawn from read-only views of a game.

Other packages use only the names in this module. Drawing code is loaded when first used, or by
`preload_drawing_modules`. Only worker processes draw, so the bot's main process need not load it.
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
    from render.theme import THEMES, Theme, dash_pattern_indexes_of


_LAZY_NAMES: Final = {
    "THEMES": "render.theme",
    "Theme": "render.theme",
    "dash_pattern_indexes_of": "render.theme",
}
"""Names exported by `render` but loaded on first access, each with its module."""
_DRAWING_MODULES: Final = (
    *("svg", "maps.map_art", "maps.numbered_hexes_and_tiles"),
    *(
        f"sheets.{name}_art"
        for name in ("chart", "charter", "market", "sale", "score", "standings", "supply", "table")
    ),
)
"""Modules that draw pictures; importing them loads all other modules of `render`."""
_MAX_LARGE_ROWS: Final = 8
"""Maximum number of companies in one large-text picture of the holdings table; for more, two pictures are drawn."""


if not TYPE_CHECKING:  # types are checked by the imports above

    def __getattr__(name: str) -> object:
        if name not in _LAZY_NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_LAZY_NAMES[name]), name)


def preload_drawing_modules() -> None:
    """Load all drawing modules and font widths, so that worker processes forked later already have them."""
    from render.font_metrics import FONT_FILES, text_width

    for module in _DRAWING_MODULES:
        import_module(f"render.{module}")
    for weight in FONT_FILES:
        text_width("", weight)


def _scene_png(scene: Scene) -> bytes:
    from render.raster import png

    return png(scene)


def render_map(view: MapView, *, theme: str = "ours", centre: Sequence[Coord] | None = None) -> bytes:
    """The map as a PNG: the whole map, or a close-up around the hexes in `centre`.

    Raises ValueError for an unknown theme or hex.
    """
    from render.maps.map_art import close_up_scene, map_scene

    return _scene_png(map_scene(view, theme) if centre is None else close_up_scene(view, theme, centre))


def render_numbered_hexes(
    view: MapView, coords: Sequence[Coord], *, first_number: int = 1, theme: str = "ours"
) -> bytes:
    """The map around the hexes `coords` as a PNG, with numbers from `first_number` in these hexes.

    Raises ValueError for an unknown theme or hex, or if `coords` is empty.
    """
    from render.maps.numbered_hexes_and_tiles import numbered_hexes_scene

    return _scene_png(numbered_hexes_scene(view, theme, coords, first_number))


def render_numbered_cities(
    view: MapView, coord: Coord, city_indexes: Sequence[int], *, theme: str = "ours"
) -> bytes:
    """The map around the hex `coord` as a PNG, with a number at each of the stops `city_indexes` (indexes from 0).

    Raises ValueError for an unknown theme or hex.
    """
    from render.maps.numbered_hexes_and_tiles import numbered_cities_scene

    return _scene_png(numbered_cities_scene(view, theme, coord, city_indexes))


def render_numbered_tiles(
    view: MapView, lays: Sequence[LayView], *, first_number: int = 1, theme: str = "ours"
) -> bytes:
    """Possible tile lays as a PNG, each drawn in its hex and numbered from `first_number`.

    Raises ValueError for an unknown theme, or if `lays` is empty.
    """
    from render.maps.numbered_hexes_and_tiles import numbered_lays_scene

    return _scene_png(numbered_lays_scene(view, theme, lays, first_number))


def render_market(view: MarketView, *, start_prices: Collection[int] = (), theme: str = "ours") -> bytes:
    """The stock market and the operating order as a PNG; par cells whose price is in `start_prices` are framed.

    Raises ValueError for an unknown theme.
    """
    from render.sheets.market_art import market_scene

    return _scene_png(market_scene(view, theme, start_prices=start_prices))


def render_scores(view: ScoreView, *, theme: str = "ours") -> bytes:
    """The final scores as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.score_art import score_scene

    return _scene_png(score_scene(view, theme))


def render_company(view: CompanyView, *, theme: str = "ours") -> bytes:
    """A company's charter as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.charter_art import company_scene

    return _scene_png(company_scene(view, theme))


def render_player(view: PlayerView, *, theme: str = "ours") -> bytes:
    """A player's cash, shares and privates as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.charter_art import player_scene

    return _scene_png(player_scene(view, theme))


def render_table(view: TableView, *, theme: str = "ours") -> bytes:
    """Every player's and company's holdings, money and trains as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.table_art import table_scene

    return _scene_png(table_scene(view, theme))


def render_holdings(view: TableView, *, theme: str = "ours") -> bytes:
    """Each company's shareholders and the players' money, in large text, as a PNG.

    The first half of the picture of `render_table`. Raises ValueError for an unknown theme.
    """
    from render.sheets.table_art import holdings_scene

    return _scene_png(holdings_scene(view, theme))


def render_assets(view: TableView, *, theme: str = "ours") -> bytes:
    """Each company's assets (treasury, trains, tokens, last run), and the remaining trains, in large text, as a PNG.

    The second half of the picture of `render_table`. Raises ValueError for an unknown theme.
    """
    from render.sheets.table_art import assets_scene

    return _scene_png(assets_scene(view, theme))


def table_pictures(view: TableView, theme: str) -> tuple[Callable[..., bytes], ...]:
    """Functions that draw the holdings table as PNGs: one, or two if a single large-text picture would be too tall."""
    company_row_count = sum(line.par is not None or bool(line.holders) for line in view.companies)
    return (
        (render_holdings, render_assets)
        if theme.endswith(LARGE_SUFFIX) and company_row_count > _MAX_LARGE_ROWS
        else (render_table,)
    )


def render_chart(view: HistoryView, *, theme: str = "ours") -> bytes:
    """Net worths and share prices over the rounds as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.chart_art import chart_scene

    return _scene_png(chart_scene(view, theme))


def render_timelapse(views: Sequence[MapView], *, theme: str = "ours") -> bytes:
    """An animated GIF of the map through the game.

    Raises ValueError for an unknown theme, or if `views` is empty.
    """
    from render.maps.timelapse import timelapse

    return timelapse(views, theme)


def render_tiles(view: TilesView, *, theme: str = "ours") -> bytes:
    """The remaining tiles with their counts as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.supply_art import tiles_scene

    return _scene_png(tiles_scene(view, theme))


def render_phases(view: PhasesView, *, theme: str = "ours") -> bytes:
    """The phase chart as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.supply_art import phases_scene

    return _scene_png(phases_scene(view, theme))


def render_sale(view: SaleView, *, theme: str = "ours") -> bytes:
    """The items on sale in an auction or draft, with bids, as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.sale_art import sale_scene

    return _scene_png(sale_scene(view, theme))


def render_standings(view: StandingsView, *, theme: str = "ours") -> bytes:
    """The standings of a season or tournament as a PNG; raises ValueError for an unknown theme."""
    from render.sheets.standings_art import standings_scene

    return _scene_png(standings_scene(view, theme))


def map_svg(view: MapView, *, theme: str = "ours") -> str:
    """The whole map as an SVG; each hex has an id such as `hex-J2`. Raises ValueError for an unknown theme."""
    from render.maps.map_art import map_scene
    from render.svg import svg

    return svg(map_scene(view, theme), prefix="m", title=f"{view.title}, {view.caption}")


def hex_svg(view: MapView, hexagon: HexView, *, theme: str = "ours") -> str:
    """One hex as an SVG, at the size that it has in the map's picture; raises ValueError for an unknown theme."""
    from render.maps.map_art import hex_scene
    from render.svg import svg

    return svg(hex_scene(view, theme, hexagon), prefix="h")


def market_svg(view: MarketView, *, theme: str = "ours") -> str:
    """The stock market as an SVG; each cell has an id such as `space-0-9`. Raises ValueError for an unknown theme."""
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
    """The final scores as CSV, one row per player.

    Columns: rank, name, cash, shares, privates and total, then percent held and value for each company.
    """
    from render.sheets.score_art import scores_csv

    return scores_csv(view)


def scores_text(view: ScoreView) -> str:
    """The final scores as fixed-width text of at most 60 columns: per player, one line of totals and one of shares."""
    from render.sheets.score_art import scores_text

    return scores_text(view)
