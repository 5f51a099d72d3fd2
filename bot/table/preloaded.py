"""Preloads modules, titles and printed maps in the process from which workers are forked.

All workers share the preloaded data.
"""

import gc

from bot.table.drawing import load_printed_maps
from bot.table.warming import fill_title_caches
from engine import TITLES
from render import preload_drawing_modules

# None of this is garbage. Objects that the garbage collector never visits stay in memory shared by all workers.
gc.disable()
fill_title_caches(TITLES)
preload_drawing_modules()
load_printed_maps()
gc.freeze()
# Drawing makes many small objects but hardly any garbage, so collecting less often saves a tenth of the time.
gc.set_threshold(20_000)
gc.enable()
