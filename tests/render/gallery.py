"""`make gallery`: pictures of own and recorded games, early, middle and late, in every theme, to be looked at.

And those of the README, into another folder.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from engine.core.errors import EngineError
from engine.interchange import read_log
from engine.record import is_record, load_game, read_record
from engine.tell.view_builders import map_view, market_view, table_view
from render import THEME_NAMES, render_chart, render_map, render_market, render_table, render_timelapse
from render.raster import png
from render.theme import THEMES
from tests.golden.positions import golden_at
from tests.render.courses import course
from tests.render.looks import drawings, hard_cases

STAGES = {"early": 0.1, "middle": 0.5, "late": 0.95}
"""Share of a game's actions that have been played."""
SHOWN = ("18chesapeake-bank-4p", 330)
"""In the second half, where most colours of track are on the map."""


def readme() -> Iterator[tuple[str, bytes]]:
    game = golden_at(*SHOWN)
    yield "map.png", render_map(map_view(game))
    yield "market.png", render_market(market_view(game))
    yield "table.png", render_table(table_view(game))


def pictures(log: Path) -> Iterator[tuple[str, bytes]]:
    """A game at every stage, and as it ended; of one of our own charts and timelapse, too."""
    data = log.read_bytes()
    actions = len((read_record(data) if is_record(data) else read_log(data)).actions)
    stages = {stage: load_game(data, int(actions * share)) for stage, share in STAGES.items()}
    for stage, game in {**stages, "end": load_game(data)}.items():
        for theme in THEME_NAMES:
            yield from ((f"{stage}-{kind}-{theme}.png", png(draw(theme))) for kind, draw in drawings(game))
    for theme in THEMES if is_record(data) else ():
        view, maps = course(log)
        yield f"{theme}-chart.png", render_chart(view, theme=theme)
        yield f"{theme}-timelapse.gif", render_timelapse(maps, theme=theme)


def write(folder: Path, drawn: Iterator[tuple[str, bytes]]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    return sum((folder / name).write_bytes(picture) > 0 for name, picture in drawn)


def main(shown: Path, folder: Path, *logs: Path) -> None:
    """Write all; a log that cannot be replayed is left out."""
    hard = ((f"{name}-{theme}.png", png(draw(theme))) for name, draw in hard_cases() for theme in THEME_NAMES)
    written = write(shown, readme()) + write(folder / "hard", hard)
    for log in logs:
        try:
            written += write(folder / f"{log.parent.name}-{log.stem}", pictures(log))
        except EngineError as problem:
            sys.stdout.write(f"{log.name} is left out: {problem}\n")
    sys.stdout.write(f"{written} pictures in {folder}\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
