"""Workers of the bot begin with what drawing the printed maps has kept, and so do those that replace them."""

import asyncio
import json
import os
import sys
import textwrap
from pathlib import Path

import render
from bot.workers.worker import METHOD
from engine.game import Game
from engine.tell.viewing import map_view
from engine.titles import TITLES
from render import raster
from render.hexes import plan

ROOT = Path(__file__).parents[3]
SCRIPT = """
import asyncio, json
from bot.tools.serving import LOADED
from bot.workers import worker
from bot.workers.queues import Priority, Queue
from bot.workers.workers import Workers
from engine.titles import TITLES
from tests.bot.workers.test_warm import drawn_anew

async def main():
    worker.TASKS = 1
    workers = Workers.processes(3, modules=LOADED)
    done = [await workers.run(Queue(Priority.MOVE), drawn_anew, title) for title in TITLES]
    await workers.close()
    print(json.dumps(done))

if __name__ == "__main__":
    asyncio.run(main())
"""
"""Every title's printed map is drawn by a process of its own, each of which replaces the one before."""


def drawn_anew(title: str) -> tuple[int, int, int]:
    """Draw the map of a game that begins: which process, how many hexes it has planned for that, and fonts opened."""
    game = Game(title, [(f"p{i}", f"Player {i}") for i in range(min(TITLES[title].spec.players))], 1)
    kept = (plan._plan, raster._font)
    before = [one.cache_info().misses for one in kept]
    render.render_map(map_view(game))
    planned, fonts = (one.cache_info().misses - was for one, was in zip(kept, before, strict=True))
    return os.getpid(), planned, fonts


async def test_a_worker_and_its_successors_have_planned_every_printed_hex(tmp_path: Path) -> None:
    assert METHOD == "forkserver"
    script = tmp_path / "bot_with_workers.py"
    script.write_text(textwrap.dedent(SCRIPT))
    bot = await asyncio.create_subprocess_exec(
        sys.executable,
        script,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
    )
    told, _ = await bot.communicate()
    done = json.loads(told)
    assert len({pid for pid, _, _ in done}) == len(done) > 0
    assert all((planned, fonts) == (0, 0) for _, planned, fonts in done), done
