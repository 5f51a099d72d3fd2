"""Loads modules, titles and drawn maps in the process from which workers are forked, so every worker has them."""

import gc

from bot.table.drawing import recall_printed_maps
from bot.table.warming import warm_titles
from engine import TITLES
from render import load_art

# None of this is garbage. Objects that the garbage collector never visits stay in memory shared by all workers.
gc.disable()
warm_titles(TITLES)
load_art()
recall_printed_maps()
gc.freeze()
# Drawing makes many small objects but hardly any garbage, so collecting less often saves a tenth of the time.
gc.set_threshold(20_000)
gc.enable()
