"""Workers of the bot, and those that replace them, begin with the printed maps that are kept, and wait for none."""

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

import render
from bot.table.drawing import FILE, keep_printed_maps
from bot.table.warming import printed
from bot.workers.worker import METHOD
from engine.titles import TITLES
from render import raster
from render.hexes import label_plan

ROOT = Path(__file__).parents[3]
SCRIPT = """
import asyncio, json, sys
from bot.workers import worker
from bot.workers.workers import Priority, Queue, Workers
from tests.bot.workers.test_warm import drawn_again

async def main():
    worker.TASKS = 1
    workers = Workers.processes(3, modules=worker.LOADED)
    done = [await workers.run(Queue(Priority.MOVE), drawn_again, title) for title in sys.argv[1:]]
    await workers.close()
    print(json.dumps(done))

if __name__ == "__main__":
    worker.start_nursery()
    asyncio.run(main())
"""
"""The printed maps of some titles are drawn by a process each, and each replaces the one before."""


class Drawn(NamedTuple):
    """A printed map that was drawn: by which process, hexes planned before and for it, and fonts opened for it."""

    pid: int
    planned_before: int
    planned: int
    fonts: int


@pytest.fixture(scope="session")
def stored_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of the printed maps."""
    for cached in (label_plan._plan, raster._stamp):
        cached.cache_clear()
    file = tmp_path_factory.mktemp("kept") / FILE
    keep_printed_maps("ours", file)
    return file.read_bytes()


def drawn_again(title: str) -> tuple[int, int, int, int]:
    """Draw the map of a game that begins."""
    kept = (label_plan._plan, raster._font)
    before = [one.cache_info().misses for one in kept]
    render.render_map(printed(title))
    planned, fonts = (one.cache_info().misses - was for one, was in zip(kept, before, strict=True))
    return os.getpid(), before[0], planned, fonts


async def _drawn(titles: Sequence[str], folder: Path) -> list[Drawn]:
    """What workers do that start in this folder."""
    script = folder / "bot_with_workers.py"
    script.write_text(SCRIPT)
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, str(script), *titles),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await bot.communicate()
    return [Drawn(*one) for one in json.loads(printed)]


async def test_a_worker_and_its_successors_begin_with_every_printed_map_that_is_stored(
    tmp_path: Path, stored_file: bytes
) -> None:
    assert METHOD == "forkserver"
    (tmp_path / FILE).write_bytes(stored_file)
    done = await _drawn(list(TITLES), tmp_path)
    assert len({one.pid for one in done}) == len(done) > 0
    assert all(one.fonts == 0 for one in done), done
    assert all(one.planned == 0 for one in done), done


async def test_where_none_is_stored_a_worker_draws_what_it_is_asked_for_and_no_other_titles_map(
    tmp_path: Path,
) -> None:
    (done,) = await _drawn(["18al"], tmp_path)
    assert done.planned_before == 0
    assert done.planned > 0
