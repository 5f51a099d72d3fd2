"""How pictures look, as it is stored in `looks.json`: a fingerprint of what is drawn where, and in which colours.

`python -m tests.render.looks` writes the file anew after a change on purpose; `make gallery` shows what has changed.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from engine.core.offers import OfferCursor
from engine.game import Game
from engine.tell.view_builders import (
    company_view,
    lay_hex_pages,
    lay_hex_views,
    lay_views,
    map_view,
    market_view,
    phases_view,
    player_view,
    privates_view,
    sale_view,
    score_view,
    table_view,
    tiles_view,
)
from engine.titles import TITLES
from render import map_svg, market_svg
from render.hexes.hex_art import Overlay, hex_items
from render.maps.map_art import close_up_scene, hex_scene, map_scene, timelapse_scene
from render.maps.numbered_hexes_and_tiles import (
    numbered_cities_scene,
    numbered_hexes_scene,
    numbered_lays_scene,
)
from render.maps.overlays import hexes_named_elsewhere
from render.maps.panel_art import panel_blocks
from render.scene import Scene
from render.sheets.chart_art import chart_scene
from render.sheets.charter_art import company_scene, player_scene
from render.sheets.market_art import market_scene
from render.sheets.sale_art import sale_scene
from render.sheets.score_art import score_scene
from render.sheets.standings_art import standings_scene
from render.sheets.supply_art import phases_scene, tiles_scene
from render.sheets.table_art import assets_scene, holdings_scene, table_scene
from render.theme import theme_named
from tests.golden.positions import FOLDER, golden, golden_at
from tests.render import sheets
from tests.render.courses import course
from tests.render.hexes.every_hex import boards, fullest
from tests.render.sales import sales, worst_sales
from tests.render.views import board, busy, coast_to_coast, long_row, long_table, many, routes, stack, wide

KEPT: Final = Path(__file__).with_name("looks.json")
LOOKS: Final = ("ours", "dark-large")
"""The themes in which a picture is looked at."""
NUMBER: Final = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
Draw = Callable[[str], Scene]
GAMES: Final = [
    *(("18chesapeake-bank-4p", 330), ("18chesapeake-bankruptcy-3p", 475), ("18al-price-3p", 273)),
    *(("18al-bankruptcy-3p", 500), ("18tn-bank-3p", 422), ("18newengland-bank-3p", 240)),
    *(("18newengland-bank-3p", 500), ("18c2c-bank-3p", 240)),
]
"""Golden games, and after how many actions they are shown."""
SEATS: Final = [("a", "Ann"), ("b", "Bob"), ("c", "Cy")]


def fingerprint(drawn: object) -> str:
    """Equal for pictures that differ by less than a hundredth of a pixel anywhere."""
    text = NUMBER.sub(lambda found: f"{float(found[0]) + 0.0:.2f}".replace("-0.00", "0.00"), repr(drawn))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def looks() -> dict[str, Callable[[], list[str]]]:
    """The fingerprints of each picture, by its name."""
    found: dict[str, Callable[[], list[str]]] = {
        name: partial(_in_themes, draw) for name, draw in (*hard_cases(), *_new())
    }
    found |= {
        f"{name} after {moves}": partial(_of_game, name, moves) for name, moves in GAMES if _known(name)
    }
    found |= {f"hexes of {title}": partial(_hexes, title) for title in TITLES}
    pool = replace(busy(), trains_in_pool=(("2", 80), ("3", 180)))
    found["facts of a map"] = lambda: [
        fingerprint([(panel, strip()) for panel, strip in panel_blocks(pool, theme_named(theme), 72, 1300)])
        for theme in LOOKS
    ]
    market = sheets.market({"PRR": (1, 16)})
    found["svg"] = lambda: [fingerprint(map_svg(busy())), fingerprint(market_svg(market))]
    found["chart"] = lambda: _in_themes(
        lambda theme: chart_scene(course(FOLDER / "18chesapeake-agreement-2p.json")[0], theme)
    )
    return found


def _in_themes(draw: Draw) -> list[str]:
    return [fingerprint(draw(theme)) for theme in LOOKS]


def _known(game: str) -> bool:
    return golden(game).title in TITLES


def hard_cases() -> Iterator[tuple[str, Draw]]:
    """The most that pictures may have to show, and the least."""
    yield from (*_sheets(), *_markets(), *_maps())


def _sheets() -> Iterator[tuple[str, Draw]]:
    company, player = sheets.company(), sheets.player()
    yield "company", partial(company_scene, company)
    unlike: dict[str, dict[str, Any]] = {
        "company not started": {"par": None, "price": None, "president": None},
        "company with obsolete trains": {"obsolete_trains": ("4",), "markers": ("war",)},
        "minor": {
            "is_price_fixed": True,
            "holders": (("Ada", 100, True),),
            "share_percent": 50,
            "president_share_percent": 100,
        },
    }
    for name, facts in unlike.items():
        yield name, partial(company_scene, replace(company, **facts))
    yield "player", partial(player_scene, player)
    yield "scores", partial(score_scene, sheets.scores())
    for groups in (1, 7):
        yield f"standings, {groups}", partial(standings_scene, sheets.standings(groups))
    for name, view in (("many companies", many()), ("long names", long_table())):
        for draw in (table_scene, holdings_scene, assets_scene):
            yield f"{name}, {draw.__name__}", partial(draw, view)
    for name, sale in {**sales(), **worst_sales()}.items():
        yield f"sale {name}", partial(sale_scene, sale)


def _markets() -> Iterator[tuple[str, Draw]]:
    moves = [("B&O", (2, 3), (4, 3)), ("LV", (4, 3), (6, 3))]
    yield "market without companies", partial(market_scene, sheets.market({}))
    yield "market with moves", partial(market_scene, sheets.market({"B&O": (4, 3), "LV": (6, 3)}, moves))
    for count in (2, 5, 8):
        yield f"stack of {count}", partial(market_scene, stack(count))
    narrow = tuple(row[:7] for row in stack(5).rows)
    yield "market narrow", partial(market_scene, replace(stack(5), rows=narrow))
    yield "market short", partial(market_scene, replace(stack(5), rows=stack(5).rows[:3]))
    yield "market of one row", partial(market_scene, long_row())
    for column in (11, 14):
        yield f"market wide, {column}", partial(market_scene, wide(column))
    if "18c2c-full" in TITLES:
        yield "coast to coast", partial(market_scene, coast_to_coast())


def _maps() -> Iterator[tuple[str, Draw]]:
    view = busy()
    yield "map", partial(map_scene, view)
    yield "routes", partial(map_scene, routes())
    yield "map growing", lambda theme: timelapse_scene(view, theme, view)
    yield "routes, to every eye", lambda theme: map_scene(routes(), theme.replace("ours", "safe"))
    yield "close-up", partial(close_up_scene, view, centre_coords=["H4"])
    yield "close-up of a corner", partial(close_up_scene, board(), centre_coords=["A13"])
    yield "hex", lambda theme: hex_scene(view, theme, next(h for h in view.hexes if h.coord == "J6"))
    yield "cities", partial(numbered_cities_scene, view, coord="J4", city_indexes=[0, 1])
    yield "spots", partial(numbered_hexes_scene, view, coords=["H4", "A13", "J6"])


def _new() -> Iterator[tuple[str, Draw]]:
    for title in TITLES:
        game = Game(title, SEATS, 1)
        yield f"map of {title}", partial(map_scene, map_view(game))
        cards = privates_view(game)
        if cards is not None:
            yield f"privates of {title}", partial(sale_scene, cards)


def _hexes(title: str) -> list[str]:
    """Each tile once in each rotation, where the longest name stands, and each hex as printed."""
    printed = next(boards(title))
    quiet = hexes_named_elsewhere(printed.layout, printed.hexes)
    drawn = (
        hex_items(h, printed.layout, "ours", Overlay(is_named_elsewhere=h.coord in quiet))
        for h in fullest(title)
    )
    return [fingerprint(list(map(tuple, drawn)))]


def _of_game(name: str, moves: int) -> list[str]:
    drawn = dict(drawings(golden_at(name, moves)))
    return [fingerprint([draw(theme) for draw in drawn.values()]) for theme in LOOKS]


def drawings(game: Game) -> Iterator[tuple[str, Draw]]:
    """Every kind of picture of one position, by its name."""
    state = game.table.state
    yield "map", partial(map_scene, map_view(game))
    yield "market", partial(market_scene, market_view(game))
    yield "table", partial(table_scene, table_view(game))
    yield "tiles", partial(tiles_scene, tiles_view(game))
    yield "phases", partial(phases_scene, phases_view(game))
    for company in (company.id for company in state.companies.values() if company.is_started):
        yield f"company-{company}", partial(company_scene, company_view(game, company))
    for player in (player.id for player in state.players):
        yield f"player-{player}", partial(player_scene, player_view(game, player))
    cards = sale_view(game) or privates_view(game)
    if cards is not None:
        yield "sale", partial(sale_scene, cards)
    yield "scores", partial(score_scene, score_view(game))
    lay = next((OfferCursor(offer) for offer in game.offers() if offer.kind == "lay_tile"), None)
    if lay is not None:
        spots = [spot.coord for spot in lay_hex_views(game, lay_hex_pages(game, lay, 100)[0])]
        yield "spots", partial(numbered_hexes_scene, map_view(game), coords=spots)
        lays = max((tuple(lay_views(game, lay.pick(coord))) for coord in spots), key=len)
        yield "lays", partial(numbered_lays_scene, map_view(game), lays=lays)


def main() -> None:
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(found())}" for name, found in looks().items())
    KEPT.write_text(f"{{\n{lines}\n}}\n", "utf-8")


if __name__ == "__main__":
    main()
