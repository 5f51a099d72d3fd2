"""What drawing has at hand from the first moment: loaded once, where all workers are forked from.

So it is there in each worker, and in one that replaces it; what is not kept is drawn when it is asked for.
"""

import gc

from bot.table.drawing.printed_maps import recall
from bot.table.warming import warm
from engine.titles import TITLES

# None of it is garbage, and what is never looked through for garbage stays in memory that the workers share.
gc.disable()
warm(TITLES)
recall()
gc.freeze()
gc.enable()
