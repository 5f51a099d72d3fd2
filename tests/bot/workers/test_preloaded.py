"""What workers are forked from: all that drawing needs is loaded, none of it is looked through for garbage."""

import json
import subprocess
import sys

LOOK = """
import gc, json, sys
import bot.table.preloaded
from engine.titles import TITLES
from render.font_metrics import FONT_FILES, text_width
fonts = []
sys.addaudithook(lambda event, given: fonts.append(str(given[0])) if event == "open" else None)
[text_width("not asked before", weight) for weight in FONT_FILES]
missing = [name for name, title in TITLES.items() if "spec" not in vars(title)]
print(json.dumps([missing + fonts, gc.isenabled(), gc.get_freeze_count(), gc.get_threshold()[0]]))
"""


def test_workers_begin_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    missing, enabled, frozen, threshold = json.loads(done.stdout)
    assert (missing, enabled, threshold) == ([], True, 20_000)
    assert frozen > 10_000
