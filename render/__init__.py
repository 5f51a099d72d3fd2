"""Pictures of maps, markets and score sheets, drawn from the read-only views of a game.

Each loads its art when it is first drawn: the bot, whose workers draw, can name all of them and load none.
"""

from collections.abc import Sequence

from engine.core.ids import Coord
from engine.tell.views import (
    CompanyView,
    CourseView,
    HexView,
    LayView,
    MapView,
    MarketView,
    PhasesView,
    PlayerView,
    SaleView,
    ScoreView,
    TableView,
    TilesView,
)
from render.choices import LARGE, MOST_FRAMES, THEME_NAMES
from render.effort import TooMuch, at_most

__all__ = [
    "LARGE",
    "MOST_FRAMES",
    "THEME_NAMES",
    "TooMuch",
    "at_most",
    "hex_svg",
    "map_svg",
    "market_svg",
    "render_chart",
    "render_company",
    "render_lays",
    "render_map",
    "render_market",
    "render_phases",
    "render_player",
    "render_sale",
    "render_scores",
    "render_spots",
    "render_table",
    "render_tiles",
    "render_timelapse",
    "scores_csv",
    "scores_text",
]


def render_map(view: MapView, *, theme: str = "ours", centre: Sequence[Coord] | None = None) -> bytes:
    """The whole map as a PNG, or the close-up around these hexes.

    Raises ValueError for an unknown theme or hex.
    """
    from render.maps.map_art import close_up_scene, map_scene
    from render.raster import png

    if centre is None:
        return png(map_scene(view, theme))
    return png(close_up_scene(view, theme, centre))


def render_spots(view: MapView, spots: Sequence[Coord], *, first: int = 1, theme: str = "ours") -> bytes:
    """The map around these hexes, at least one, numbered from `first` on, as a PNG; raises ValueError."""
    from render.maps.track_picker import spots_scene
    from render.raster import png

    return png(spots_scene(view, theme, spots, first))


def render_lays(view: MapView, lays: Sequence[LayView], *, first: int = 1, theme: str = "ours") -> bytes:
    """These tiles, at least one, each in its place and numbered from `first` on, as a PNG; raises ValueError."""
    from render.maps.track_picker import lays_scene
    from render.raster import png

    return png(lays_scene(view, theme, lays, first))


def render_market(view: MarketView, *, theme: str = "ours") -> bytes:
    """The stock market with the operating order as a PNG; raises ValueError for an unknown theme."""
    from render.market.market_art import market_scene
    from render.raster import png

    return png(market_scene(view, theme))


def render_scores(view: ScoreView, *, theme: str = "ours") -> bytes:
    """The final table as a PNG; raises ValueError for an unknown theme."""
    from render.raster import png
    from render.sheets.score_art import score_scene

    return png(score_scene(view, theme))


def render_company(view: CompanyView, *, theme: str = "ours") -> bytes:
    """A company's charter as a PNG; raises ValueError for an unknown theme."""
    from render.raster import png
    from render.sheets.sheet_art import company_scene

    return png(company_scene(view, theme))


def render_player(view: PlayerView, *, theme: str = "ours") -> bytes:
    """A player's sheet as a PNG; raises ValueError for an unknown theme."""
    from render.raster import png
    from render.sheets.sheet_art import player_scene

    return png(player_scene(view, theme))


def render_table(view: TableView, *, theme: str = "ours") -> bytes:
    """The whole table as a PNG; raises ValueError for an unknown theme."""
    from render.raster import png
    from render.sheets.table_art import table_scene

    return png(table_scene(view, theme))


def render_chart(view: CourseView, *, theme: str = "ours") -> bytes:
    """Net worths and share prices over the rounds as a PNG; raises ValueError for an unknown theme."""
    from render.raster import png
    from render.sheets.chart_art import chart_scene

    return png(chart_scene(view, theme))


def render_timelapse(views: Sequence[MapView], *, theme: str = "ours") -> bytes:
    """The map growing as a GIF; raises ValueError for an unknown theme, and where there is no map."""
    from render.maps.map_art import timelapse

    return timelapse(views, theme)


def render_tiles(view: TilesView, *, theme: str = "ours") -> bytes:
    """The tiles that are left as a PNG; raises ValueError for an unknown theme."""
    from render.raster import png
    from render.sheets.tiles_art import tiles_scene

    return png(tiles_scene(view, theme))


def render_phases(view: PhasesView, *, theme: str = "ours") -> bytes:
    """The phase chart as a PNG; raises ValueError for an unknown theme."""
    from render.raster import png
    from render.sheets.phases_art import phases_scene

    return png(phases_scene(view, theme))


def render_sale(view: SaleView, *, theme: str = "ours") -> bytes:
    """The cards of an auction or a draft as a PNG; raises ValueError for an unknown theme."""
    from render.raster import png
    from render.sheets.sale_art import sale_scene

    return png(sale_scene(view, theme))


def map_svg(view: MapView, *, theme: str = "ours") -> str:
    """The whole map as an SVG, with a mark `hex-J2` on every hex; raises ValueError for an unknown theme."""
    from render.maps.map_art import map_scene
    from render.svg import svg

    return svg(map_scene(view, theme), prefix="m", title=f"{view.title}, {view.caption}")


def hex_svg(view: MapView, hexagon: HexView, *, theme: str = "ours") -> str:
    """One hex as it would lie on this map, as an SVG as large as there; raises ValueError for an unknown theme."""
    from render.maps.map_art import hex_scene
    from render.svg import svg

    return svg(hex_scene(view, theme, hexagon), prefix=f"h{hexagon.coord}-")


def market_svg(view: MarketView, *, theme: str = "ours") -> str:
    """The market as an SVG, with a mark `space-0-9` on every space; raises ValueError for an unknown theme."""
    from render.market.market_art import market_scene
    from render.svg import svg

    return svg(market_scene(view, theme, whole=True), prefix="k", title=f"{view.title}, {view.caption}")


def scores_csv(view: ScoreView) -> str:
    """One line a player: rank, name, cash, shares, privates, total, then percent and value per company."""
    from render.sheets import score_art

    return score_art.scores_csv(view)


def scores_text(view: ScoreView) -> str:
    """The table in fixed-width letters, at most 60 columns, one line of sums and one of shares a player."""
    from render.sheets import score_art

    return score_art.scores_text(view)
