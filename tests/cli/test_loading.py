"""Each command loads what it needs and no more: loading is most of what a short one takes."""

import subprocess
import sys

import pytest

CODE = """
import contextlib, sys
from unittest.mock import patch
from bot.tools.cli import main
from bot.workers import worker
with contextlib.suppress(SystemExit), contextlib.redirect_stderr(None):
    with patch.object(worker, "start_nursery", side_effect=SystemExit):
        main({arguments})
print(*sys.modules, file=sys.stderr)
"""
RUN = "import bot.tools.run, sys; print(*sys.modules, file=sys.stderr)"
RULES = {"pydantic", "engine.game"}
DISCORD = {"discord", "aiohttp", "bot.tools.run"}


def loaded(code: str) -> set[str]:
    """The modules that a process has loaded that does this and nothing else."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("arguments", "needed", "not_needed"),
    [
        (["--version"], {"bot.tools.cli"}, RULES | DISCORD | {"PIL", "aiosqlite", "bot.tools.commands"}),
        (["chekc"], {"bot.tools.cli"}, RULES | DISCORD | {"PIL", "aiosqlite", "bot.tools.commands"}),
        (["replay", "nowhere.json"], {"engine.game"}, DISCORD | {"PIL"}),
        (["run"], {"bot.workers.worker"}, DISCORD),
    ],
)
def test_command_loads_little(arguments: list[str], needed: set[str], not_needed: set[str]) -> None:
    found = loaded(CODE.format(arguments=arguments))
    assert (found & (needed | not_needed)) == needed


def test_bot_leaves_drawing_to_workers() -> None:
    found = loaded(RUN)
    assert {"discord", "bot.client.app", "render"} <= found
    others = {
        "bot.sandbox.server",
        "bot.sandbox.guild.world",
        "PIL",
        "render.maps.map_art",
        "prometheus_client",
    }
    assert found & others == set()
