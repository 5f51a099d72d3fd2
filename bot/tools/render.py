"""`stationmaster render`: the pictures of a recorded position, without any bot."""

from pathlib import Path

from bot.table.errors import Refused
from bot.tools.preflight import unwritable
from engine.record import load
from engine.tell.view_builders import map_view, market_view, score_view
from render import render_map, render_market, render_scores


def draw(log: Path, until: int | None, out: Path, *, theme: str = "ours") -> list[Path]:
    """Write map.png, market.png, and scores.png when the game is over; returns the files written.

    Raises EngineError for a log that cannot be read or is refused, Refused where the folder cannot be written.
    """
    game = load(log.read_bytes(), until)
    if (why := unwritable(out)) is not None:
        raise Refused(f"--out: {why}")
    pictures = {
        "map.png": render_map(map_view(game), theme=theme),
        "market.png": render_market(market_view(game), theme=theme),
    }
    if game.over:
        pictures["scores.png"] = render_scores(score_view(game), theme=theme)
    for name, png in pictures.items():
        (out / name).write_bytes(png)
    return [out / name for name in pictures]
