"""The program as a process of its own: started from a shell, listened to, and asked to end."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from bot.tools.environment import Environment

PATIENCE = 60.0
"""Seconds until a test gives up waiting."""
ALONE: Final = {"STATIONMASTER_WORKERS": "0"}
"""A setting for a process that has no heavy work to do: loading its workers takes as much as all else of its start."""


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def environment(folder: Path, port: int) -> dict[str, str]:
    """Settings for a sandbox in a folder of its own, without those of the user who runs the tests."""
    mine = {str(field.validation_alias) for field in Environment.model_fields.values()}
    return {key: value for key, value in os.environ.items() if key not in mine} | {
        "STATIONMASTER_DATABASE": str(folder / "games.db"),
        "STATIONMASTER_SANDBOX_STATE": "sandbox",
        "STATIONMASTER_SANDBOX_PORT": str(port),
        "STATIONMASTER_LOG_LEVEL": "WARNING",
    }


async def started(folder: Path, port: int, *arguments: str, **settings: str) -> asyncio.subprocess.Process:
    """The command in a process of its own, which has these additional settings."""
    return await _started((), arguments, folder, environment(folder, port) | settings)


async def started_within(
    files: int, folder: Path, port: int, settings: Mapping[str, str]
) -> asyncio.subprocess.Process:
    """The same where no more files may be open at a time."""
    limited = ("sh", "-c", f'ulimit -n {files} && exec "$@"', "sh")
    return await _started(limited, (), folder, environment(folder, port) | dict(settings))


async def _started(
    shell: Sequence[str], arguments: Sequence[str], folder: Path, settings: dict[str, str]
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(*shell, sys.executable, "-m", "bot.tools.cli", *arguments),
        cwd=folder,
        env=settings,
        stderr=asyncio.subprocess.PIPE,
    )


async def said(process: asyncio.subprocess.Process, words: str) -> str:
    """All that it has logged until these words, and they."""
    assert process.stderr is not None
    seen = ""
    async with asyncio.timeout(PATIENCE):
        while words not in seen:
            line = await process.stderr.readline()
            assert line, seen
            seen += line.decode()
    return seen


@asynccontextmanager
async def ended(process: asyncio.subprocess.Process) -> AsyncIterator[None]:
    """Tell it to end afterwards, and see that it does so politely."""
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            _, rest = await process.communicate()
    assert process.returncode == 0, rest.decode()


async def nursery_of(process: asyncio.subprocess.Process) -> int:
    """The process that workers of the bot are forked from, as soon as it is there; its number."""
    async with asyncio.timeout(PATIENCE):
        while not (found := _children(process.pid, "multiprocessing.forkserver")):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    return found[0]


def _children(pid: int, running: str) -> list[int]:
    """The processes that a process has started to run this."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    started = [int(child) for thread in threads for child in (thread / "children").read_text().split()]
    return [child for child in started if running in Path(f"/proc/{child}/cmdline").read_text()]
