"""The wheel and its command: every command from another folder, with default settings and an empty environment."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import aiohttp
import pytest

from engine.record import read_record
from tests.bot.support.processes import PATIENCE, free_port, said
from tests.installed.conftest import COMMIT, ROOT

GOLDEN = ROOT / "tests" / "golden" / "18chesapeake-agreement-2p.json"
RUN = ROOT / "tests" / "golden" / "18chesapeake-bank-4p.json"


class Shell:
    """A folder in which the command is typed, with an empty environment."""

    def __init__(self, command: Path, folder: Path) -> None:
        self.folder, self._command, self._port = folder, command, free_port()

    async def begin(self, *arguments: str, **settings: str) -> asyncio.subprocess.Process:
        """Start it; its settings are the default ones, but for a port of the sandbox that nobody else has."""
        return await asyncio.create_subprocess_exec(
            *(str(self._command), *arguments),
            cwd=self.folder,
            env={"STATIONMASTER_SANDBOX_PORT": str(self._port), **settings},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )

    async def type(self, *arguments: str, code: int = 0) -> str:
        """Run it to its end; what it printed, or, where it fails, what it complained of, which is no traceback."""
        process = await self.begin(*arguments)
        async with asyncio.timeout(PATIENCE):
            out, complaint = await process.communicate()
        assert process.returncode == code, complaint.decode()
        assert "Traceback" not in complaint.decode()
        return (complaint if code else out).decode()

    @asynccontextmanager
    async def running(
        self, *arguments: str, until: str, **settings: str
    ) -> AsyncIterator[asyncio.subprocess.Process]:
        """A bot that has said these words, ended politely afterwards."""
        process = await self.begin(*arguments, **settings)
        try:
            await said(process, until)
            yield process
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(PATIENCE):
                _, rest = await process.communicate()
        assert process.returncode == 0, rest.decode()

    def left(self) -> set[str]:
        """The files that are there, but for old databases."""
        return {file.name for file in self.folder.iterdir() if "-before-" not in file.name}


@pytest.fixture
def shell(stationmaster: Path, tmp_path: Path) -> Shell:
    folder = tmp_path / "a folder"
    folder.mkdir()
    return Shell(stationmaster, folder)


def test_wheel_is_whole(wheel: Path) -> None:
    """Licences, words, games and the commit; no tests."""
    with ZipFile(wheel) as package:
        names = set(package.namelist())
        info = next(name.split("/")[0] for name in names if ".dist-info/" in name)
        metadata = Parser().parsestr(package.read(f"{info}/METADATA").decode())
        assert package.read("bot/commit.txt").decode().strip() == COMMIT
    assert {f"{info}/licenses/LICENSE", f"{info}/licenses/NOTICE", "render/fonts/OFL.txt"} <= names
    assert {"engine/tell/english.toml", "bot/tools/games/18chesapeake-bank-4p.json"} <= names
    assert metadata["Requires-Python"] == ">=3.11"
    assert not {name for name in names if name.startswith(("tests", "benchmarks", "setup"))}


async def test_commands_without_a_database(shell: Shell, pytestconfig: pytest.Config) -> None:
    commit = COMMIT if pytestconfig.getoption("--stationmaster") is None else ""
    version = await shell.type("--version")
    assert version.startswith("stationmaster ")
    assert f"(commit {commit}" in version
    assert json.loads(await shell.type("replay", str(GOLDEN)))["matches_recorded_result"] is True
    await shell.type("render", str(GOLDEN), "--at", "40", "--out", "pictures")
    assert {file.name for file in (shell.folder / "pictures").iterdir()} == {"map.png", "market.png"}
    at = [action.kind for action in read_record(RUN.read_bytes()).actions].index("run_routes")
    assert json.loads(await shell.type("routes", str(RUN), "--at", str(at), "--json"))["proven"] is True
    assert "Set DISCORD_TOKEN first" in await shell.type("invite", code=78)


async def test_one_sandbox_in_a_folder(shell: Shell) -> None:
    """A second one says who is there."""
    port = free_port()
    async with shell.running("run", until="SANDBOX", STATIONMASTER_HEALTH_PORT=str(port)) as first:
        second = await shell.type(code=1)
        assert "already running" in second
        assert f"(process {first.pid})" in second
        url = f"http://127.0.0.1:{port}/health"
        async with aiohttp.ClientSession() as session, session.get(url) as answer:
            assert (await answer.json())["version"]
    assert shell.left() == {"sandbox", "stationmaster.db", "stationmaster.db.lock"}


async def test_shown_game_is_stored(shell: Shell) -> None:
    """It is copied, checked, restored, exported and moved."""
    played = shell.running(
        "play", str(GOLDEN), "--until", "12", until="is open in the sandbox", STATIONMASTER_WORKERS="0"
    )
    async with played:
        assert "stationmaster.db: no damage found" in await shell.type("check")
        await shell.type("backup", "copy.db")
    await shell.type("restore", "copy.db")
    await shell.type("export", "1", "game.json")
    assert "Games: 1" in await shell.type("migrate", "stationmaster.db", "moved.db")
    databases = {"stationmaster.db", "stationmaster.db.lock", "copy.db", "moved.db", "moved.db.lock"}
    assert shell.left() == databases | {"sandbox", "game.json"}
