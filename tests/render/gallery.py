"""`make gallery`: pictures of own and recorded games, early, middle and late, in every theme, to be looked at."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.core.errors import EngineError
from engine.game import Game
from engine.interchange import read_log
from engine.record import is_record, load_game, read_record
from render import THEME_NAMES, render_chart, render_timelapse
from render.raster import png
from render.theme import THEMES
from tests.render.courses import course
from tests.render.looks import drawings
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
            for kind, draw in drawings(game):
                (folder / f"{stage}-{kind}-{theme}.png").write_bytes(png(draw(theme)))
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
