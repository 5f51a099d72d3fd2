"""Bot processes under load, whose processor time and memory are measured from outside.

This reads `/proc`, so it runs only on Linux.
"""

import asyncio
import json
import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import aiohttp

LOOK: Final = 0.1
"""Seconds between two checks of the bot's health page."""
MAX_LINE_LENGTH: Final = 1 << 24
"""The most bytes in a line of a process's output."""
QUIET: Final = {
    "STATIONMASTER_PACE": "1000",
    "STATIONMASTER_BACKUPS": "off",
    "STATIONMASTER_LOG_LEVEL": "WARNING",
}
"""Settings that turn off everything but playing games."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Usage of a process since the last reading: processor seconds, and the event loop's longest stall in seconds."""

    main: float
    workers: float
    stall: float
    rooms: dict[str, float]
    """Processor seconds of the main process, by part of the code."""
    functions: dict[str, float]
    """Processor seconds of the main process by function, including callees."""


class Bot:
    """One bot process and its shard, (number, shard count)."""

    def __init__(
        self,
        discord_url: str,
        location: str | Path,
        folder: Path,
        shard: tuple[int, int] | None,
        *,
        profiled: bool,
    ) -> None:
        database = "DATABASE_URL" if str(location).startswith("postgresql://") else "STATIONMASTER_DATABASE"
        self._port = _free_port()
        self._folder = folder
        self._settings = {
            **QUIET,
            "STATIONMASTER_DISCORD_URL": discord_url,
            "STATIONMASTER_HEALTH_PORT": str(self._port),
            database: str(location),
        }
        if shard is not None:
            self._settings["STATIONMASTER_SHARDS"] = f"{shard[0]}/{shard[1]}"
        if profiled:
            self._settings["LOAD_PROFILE"] = "1"
        self._process: asyncio.subprocess.Process | None = None
        self._used = {"main": 0.0, "workers": 0.0}

    async def __aenter__(self) -> Self:
        paths = os.pathsep.join(filter(None, sys.path))
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.load.watched"),
            cwd=self._folder,
            env={**os.environ, **self._settings, "PYTHONPATH": paths},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MAX_LINE_LENGTH,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.terminate()
        await self._process.wait()

    async def wait_until_connected(self) -> None:
        """Wait until the bot is connected; raises RuntimeError if its process ends."""
        while not (await self._health()).get("connected"):  # noqa: ASYNC110 - another process tells nobody
            await asyncio.sleep(LOOK)

    async def wait_until_posted(self) -> None:
        """Wait until the bot has posted everything."""
        while (await self._health()).get("outbox") != 0:  # noqa: ASYNC110 - another process tells nobody
            await asyncio.sleep(LOOK)

    async def cost(self) -> Cost:
        """Usage of the process since the last call."""
        process = self._alive()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n")
        figures = json.loads(await process.stdout.readline())
        now = {
            "main": processor_seconds(process.pid),
            "workers": sum(map(processor_seconds, descendants(process.pid))),
        }
        used = {name: seconds - self._used[name] for name, seconds in now.items()}
        self._used = now
        return Cost(used["main"], used["workers"], figures["stall"], figures["rooms"], figures["functions"])

    async def _health(self) -> dict[str, object]:
        self._alive()
        try:
            async with aiohttp.request("GET", f"http://127.0.0.1:{self._port}/health") as answer:
                return dict(await answer.json())
        except aiohttp.ClientError:
            return {}

    def _alive(self) -> asyncio.subprocess.Process:
        assert self._process is not None
        if self._process.returncode is not None:
            raise RuntimeError(f"the bot ended with exit code {self._process.returncode}")
        return self._process


def processor_seconds(pid: int) -> float:
    """Processor seconds that a process has used; 0 if it has ended."""
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def descendants(pid: int) -> list[int]:
    """Ids of all processes started by a process, directly or indirectly."""
    parents = {
        int(p.name): int(_stat(int(p.name))[1]) for p in Path("/proc").glob("[0-9]*") if _stat(int(p.name))
    }
    descendants, new = list[int](), [pid]
    while new:
        new = [child for child, parent in parents.items() if parent in new]
        descendants += new
    return descendants


def memory(pid: int) -> int:
    """Memory of a process in bytes (PSS); 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def _stat(pid: int) -> list[str]:
    """Fields of `/proc/PID/stat` after the process name; empty if the process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    except OSError:
        return []


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
