"""`make gallery`: the pictures of the README, of one of our own games."""

import sys
from pathlib import Path

from engine.game import Game
from engine.record import load_game
from engine.tell.view_builders import map_view, market_view, table_view
from render import render_map, render_market, render_table

GAME = Path(__file__).parents[1] / "golden/18chesapeake-bank-4p.json"
MOVE = 330
"""In the second half, where most colours of track are on the map."""


def pieces(game: Game) -> dict[str, bytes]:
    """The pictures by name."""
    return {
        "map": render_map(map_view(game)),
        "market": render_market(market_view(game)),
        "table": render_table(table_view(game)),
    }


if __name__ == "__main__":
    for name, png in pieces(load_game(GAME.read_bytes(), MOVE)).items():
        (Path(sys.argv[1]) / f"{name}.png").write_bytes(png)
