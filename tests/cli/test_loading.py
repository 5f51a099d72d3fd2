"""Each command loads what it needs and no more: loading is most of what a short one takes."""

import subprocess
import sys

import pytest

LOADED = """
import contextlib, sys
{what}
print(*{{name for name in sys.modules}}, file=sys.stderr)
"""
VERSION = """
from bot.tools.cli import main
with contextlib.suppress(SystemExit):
    main(["--version"])
"""
WRONG = """
from bot.tools.cli import main
with contextlib.suppress(SystemExit), contextlib.redirect_stderr(None):
    main(["chekc"])
"""
REPLAY = """
from bot.tools.cli import main
main(["replay", "nowhere.json"])
"""
RUN = "import bot.tools.run"
BEGUN = """
from unittest.mock import patch
from bot.tools.cli import main
from bot.workers import worker
with patch.object(worker, "start_nursery", side_effect=SystemExit), contextlib.suppress(SystemExit):
    main(["run"])
"""


def loaded(what: str) -> set[str]:
    """The modules that a process has loaded that does this and nothing else."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(what=what)], capture_output=True, text=True, check=True
    )
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("what", [VERSION, WRONG], ids=["version", "misspelt"])
def test_what_does_nothing_loads_neither_rules_nor_databases_nor_discord(what: str) -> None:
    found = loaded(what)
    assert "bot.tools.cli" in found
    assert found & {"discord", "pydantic", "PIL", "aiosqlite", "engine.game", "bot.tools.commands"} == set()


def test_replaying_loads_the_rules_and_not_discord() -> None:
    found = loaded(REPLAY)
    assert "engine.game" in found
    assert found & {"discord", "PIL"} == set()


def test_a_bot_on_discord_loads_no_sandbox_and_leaves_drawing_to_its_workers() -> None:
    found = loaded(RUN)
    assert {"discord", "bot.client.app", "render"} <= found
    assert found & {"bot.sandbox.server", "bot.sandbox.guild.world", "PIL", "render.maps.map_art"} == set()
    assert "prometheus_client" not in found


def test_what_workers_are_forked_from_begins_before_the_bot_is_loaded() -> None:
    found = loaded(BEGUN)
    assert "bot.workers.worker" in found
    assert found & {"discord", "aiohttp", "bot.tools.run"} == set()
