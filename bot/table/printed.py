"""The printed map of every title, drawn when this is loaded: once, where all workers are forked from.

What drawing keeps (where writing goes, letters, hexes) is there in each worker from its first moment, and in one that
replaces it; no picture waits for that.
"""

import gc
from typing import Final

from bot.table.drawing import draw_map
from engine.game import Game
from engine.tell.viewing import map_view
from engine.tell.views import MapView
from engine.titles import TITLES

_SEED: Final = 1


def printed(title: str) -> MapView:
    """The map of a game that begins; raises TitleError for an unknown title."""
    count = min(TITLES[title].spec.players)
    return map_view(Game(title, [(f"p{i}", f"Player {i}") for i in range(count)], _SEED))


for _title in TITLES:
    draw_map("ours", printed(_title), ())
# What is never looked through for garbage stays in memory that the workers share.
gc.freeze()
