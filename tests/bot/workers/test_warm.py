"""Workers of the bot begin loaded and with the printed maps that are kept, those that replace them, too."""

import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import render
from bot.table.warming import printed_map
from bot.workers.worker import START_METHOD
from engine.titles import TITLES
from render.draw_cache import DrawingLimitReached, limit_new_drawings
from render.font_metrics import FONT_FILES, text_width

ROOT = Path(__file__).parents[3]
KEEP = """
from bot.table import drawing
drawing.TITLES = {"18chesapeake": drawing.TITLES["18chesapeake"]}
drawing.store_printed_maps("ours")
"""
"""All titles take long."""
BOT = """
import asyncio, json, sys
from bot.workers import worker
from bot.workers.workers import Priority, QueuePlace, Workers
from tests.bot.workers.test_warm import found

async def main():
    worker.MAX_JOBS_PER_PROCESS = 1
    workers = Workers.of_processes(3, modules=worker.PRELOADED_MODULES)
    print(json.dumps([await workers.run(QueuePlace(Priority.MOVE), found, "18chesapeake") for _ in range(2)]))
    await workers.close()

if __name__ == "__main__":
    worker.start_fork_server()
    asyncio.run(main())
"""
"""Each piece of work is done by a process of its own, which replaces the one before."""


def found(title: str) -> dict[str, Any]:
    """State of a worker when it begins: titles and fonts that it reads, and whether a map is new to it."""
    read: list[str] = []
    unread = [name for name, title in TITLES.items() if "spec" not in vars(title)]
    sys.addaudithook(lambda event, given: read.append(str(given[0])) if event == "open" else None)
    for weight in FONT_FILES:
        text_width("not asked before", weight)
    try:
        with limit_new_drawings(0):
            render.render_map(printed_map(title))
        drawn = True
    except DrawingLimitReached:
        drawn = False
    collected = [gc.isenabled(), gc.get_freeze_count() > 10_000, gc.get_threshold()[0]]
    return {"pid": os.getpid(), "missing": unread + read, "drawn": drawn, "collected": collected}


def said(folder: Path, *arguments: str) -> bytes:
    """Output of a process that is started in a folder."""
    settings = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=settings, stdout=subprocess.PIPE, check=True).stdout


def test_workers_begin_loaded(tmp_path: Path) -> None:
    """With the maps that are kept; they are looked through for garbage seldom, what was loaded never."""
    assert START_METHOD == "forkserver"
    (tmp_path / "bot_with_workers.py").write_text(BOT)
    said(tmp_path, "-c", KEEP)
    workers = json.loads(said(tmp_path, "bot_with_workers.py"))
    assert len({worker.pop("pid") for worker in workers}) == 2
    assert workers == [{"missing": [], "drawn": True, "collected": [True, True, 20_000]}] * 2
