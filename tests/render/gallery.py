"""`make gallery`: pictures of own and recorded games, early, middle and late, in every theme, to be looked at."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.core.errors import EngineError
from engine.core.offers import Cursor
from engine.game import Game
from engine.interchange import read_log
from engine.record import is_record, load_game, read_record
from engine.tell.view_builders import (
    company_view,
    lay_views,
    map_view,
    market_view,
    phases_view,
    player_view,
    privates_view,
    sale_view,
    score_view,
    spot_pages,
    spot_views,
    table_view,
    tiles_view,
)
from render import (
    THEME_NAMES,
    render_chart,
    render_company,
    render_lays,
    render_map,
    render_market,
    render_phases,
    render_player,
    render_sale,
    render_scores,
    render_spots,
    render_table,
    render_tiles,
    render_timelapse,
)
from render.theme import THEMES
from tests.render.courses import course
from tests.render.worst import worst_cases

STAGES = {"early": 0.1, "middle": 0.5, "late": 0.95}
"""Share of a game's actions that have been played."""


def positions(log: Path) -> Iterator[tuple[str, Game]]:
    """The game at every stage, and as it ended."""
    data = log.read_bytes()
    actions = len((read_record(data) if is_record(data) else read_log(data)).actions)
    for stage, share in STAGES.items():
        yield stage, load_game(data, int(actions * share))
    yield "end", load_game(data)


def pictures(game: Game, theme: str) -> Iterator[tuple[str, bytes]]:
    """Every kind of picture of one position, by file name."""
    yield "map", render_map(map_view(game), theme=theme)
    yield "market", render_market(market_view(game), theme=theme)
    yield "table", render_table(table_view(game), theme=theme)
    yield "tiles", render_tiles(tiles_view(game), theme=theme)
    yield "phases", render_phases(phases_view(game), theme=theme)
    started = [c.id for c in game.table.state.companies.values() if c.started]
    for company in started[:2]:
        yield f"company-{company}", render_company(company_view(game, company), theme=theme)
    yield from track_pictures(game, theme)
    yield "player", render_player(player_view(game, game.table.state.players[0].id), theme=theme)
    cards = sale_view(game) or privates_view(game)
    if cards is not None:
        yield "sale", render_sale(cards, theme=theme)
    if game.over:
        yield "scores", render_scores(score_view(game), theme=theme)


def track_pictures(game: Game, theme: str) -> Iterator[tuple[str, bytes]]:
    """Where track may be laid now, and the tiles for the hex that takes most of them."""
    lay = next((Cursor(offer) for offer in game.offers() if offer.kind == "lay_tile"), None)
    if lay is not None:
        spots = [spot.coord for spot in spot_views(game, spot_pages(game, lay, 100)[0])]
        yield "spots", render_spots(map_view(game), spots, theme=theme)
        lays = max((tuple(lay_views(game, lay.pick(coord))) for coord in spots), key=len)
        yield "lays", render_lays(map_view(game), lays, theme=theme)


def courses(log: Path, theme: str) -> Iterator[tuple[str, bytes]]:
    """Charts and timelapse of one of our own games."""
    if is_record(log.read_bytes()):
        view, maps = course(log)
        yield "chart.png", render_chart(view, theme=theme)
        yield "timelapse.gif", render_timelapse(maps, theme=theme)


def write(logs: Sequence[Path], out: Path) -> int:
    """Draw every log that can be replayed into a folder of its own; returns how many files were written."""
    written = 0
    for log in logs:
        try:
            written += _write(log, out / f"{log.parent.name}-{log.stem}")
        except EngineError as problem:
            sys.stdout.write(f"{log.name} is left out: {problem}\n")
    return written


def _write(log: Path, folder: Path) -> int:
    written = 0
    for stage, game in positions(log):
        folder.mkdir(parents=True, exist_ok=True)
        for theme in THEME_NAMES:
            for kind, png in pictures(game, theme):
                (folder / f"{stage}-{kind}-{theme}.png").write_bytes(png)
                written += 1
    for theme in THEMES:
        for name, drawn in courses(log, theme):
            (folder / f"{theme}-{name}").write_bytes(drawn)
            written += 1
    return written


def write_worst(folder: Path) -> int:
    """The worst cases in every theme."""
    folder.mkdir(parents=True, exist_ok=True)
    cases = [(name, draw, theme) for name, draw in worst_cases() for theme in THEME_NAMES]
    for name, draw, theme in cases:
        (folder / f"{name}-{theme}.png").write_bytes(draw(theme=theme))
    return len(cases)


if __name__ == "__main__":
    folder, *found = (Path(argument) for argument in sys.argv[1:])
    sys.stdout.write(f"{write(found, folder) + write_worst(folder / 'worst')} pictures in {folder}\n")
