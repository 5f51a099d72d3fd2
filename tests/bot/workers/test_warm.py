"""Workers of the bot, and those that replace them, begin with the printed maps that are kept, and wait for none."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import render
from bot.table.drawing import FILE
from bot.table.warming import printed
from bot.workers.worker import METHOD
from engine.titles import TITLES
from render.draw_cache import DrawingLimitReached, limit_new_drawings

ROOT = Path(__file__).parents[3]
KEEP = "from bot.table.drawing import keep_printed_maps; keep_printed_maps('ours')"
BOT = """
import asyncio, json, sys
from bot.workers import worker
from bot.workers.workers import Priority, Queue, Workers
from tests.bot.workers.test_warm import draws_nothing

async def main():
    worker.TASKS = 1
    workers = Workers.processes(3, modules=worker.LOADED)
    done = [await workers.run(Queue(Priority.MOVE), draws_nothing, title) for title in sys.argv[1:]]
    await workers.close()
    print(json.dumps(done))

if __name__ == "__main__":
    worker.start_nursery()
    asyncio.run(main())
"""
"""The printed maps of some titles are drawn by a process each, and each replaces the one before."""


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of the printed maps."""
    folder = tmp_path_factory.mktemp("kept")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", KEEP], cwd=folder, env=environment, check=True)
    return (folder / FILE).read_bytes()


def draws_nothing(title: str) -> tuple[int, bool]:
    """Which process draws the map of a game that begins, and whether nothing of it is new to it."""
    try:
        with limit_new_drawings(0):
            render.render_map(printed(title))
    except DrawingLimitReached:
        return os.getpid(), False
    return os.getpid(), True


async def workers_draw(titles: Sequence[str], folder: Path) -> list[tuple[int, bool]]:
    script = folder / "bot_with_workers.py"
    script.write_text(BOT)
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, str(script), *titles),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await bot.communicate()
    return [(pid, nothing) for pid, nothing in json.loads(said)]


async def test_workers_begin_with_stored_maps(tmp_path: Path, kept: bytes) -> None:
    """Their successors, too."""
    assert METHOD == "forkserver"
    (tmp_path / FILE).write_bytes(kept)
    done = await workers_draw(list(TITLES), tmp_path)
    assert len({pid for pid, _ in done}) == len(TITLES)
    assert all(nothing for _, nothing in done), done


async def test_workers_draw_what_is_not_stored(tmp_path: Path) -> None:
    ((_, nothing),) = await workers_draw(["18al"], tmp_path)
    assert not nothing
