"""The printed map of every title, drawn when this is loaded: once, where all workers are forked from.

What drawing keeps (where writing goes, letters, hexes) is there in each worker from its first moment, and in one that
replaces it; no picture waits for that.
"""

import gc

from bot.table.drawing.drawing import draw_map
from bot.table.warming import printed, warm
from engine.titles import TITLES

warm(TITLES)
for _title in TITLES:
    draw_map("ours", printed(_title), ())
# What is never looked through for garbage stays in memory that the workers share.
gc.freeze()
