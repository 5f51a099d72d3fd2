"""Modules and drawing results loaded once in the process from which workers are forked.

So it is there in each worker, and in one that replaces it; what is not kept is drawn when it is asked for.
"""

import gc

from bot.table.drawing import recall_printed_maps
from bot.table.warming import warm_titles
from engine import TITLES
from render import load_art

# None of it is garbage, and what is never looked through for garbage stays in memory that the workers share.
gc.disable()
warm_titles(TITLES)
load_art()
recall_printed_maps()
gc.freeze()
# Drawing makes many small values that stay and hardly any garbage: looking for it seldom saves a tenth of the time.
gc.set_threshold(20_000)
gc.enable()
