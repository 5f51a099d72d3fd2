"""Servers of tests that were killed do not stay."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.own_postgres import PATIENCE, PREFIX, remove_stale

WAITS = "import signal; signal.signal(signal.SIGQUIT, signal.SIG_DFL); print(flush=True); signal.pause()"
"""Ends on the signals that end a server, also where the process that runs the tests lets signals pass."""


@pytest.fixture
def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.fixture
def dead(gone: int, tmp_path: Path) -> Path:
    """The folder of tests that were killed."""
    return _folder(tmp_path, gone)


@pytest.fixture
def server(dead: Path) -> Iterator["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-c", WAITS, str(dead / "data")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def _folder(where: Path, owner: int) -> Path:
    folder = where / f"{PREFIX}{owner}-abc"
    (folder / "data").mkdir(parents=True)
    return folder


def _note(folder: Path, number: int) -> None:
    (folder / "data/postmaster.pid").write_text(f"{number}\n{folder}/data\n", "utf-8")


def test_folder_of_a_dead_process_is_removed(dead: Path, tmp_path: Path) -> None:
    mine, others = _folder(tmp_path, os.getpid()), tmp_path / "postgres-of-somebody"
    others.mkdir()
    remove_stale(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([mine, others])
    assert not dead.exists()


def test_server_that_continues_there_is_stopped(
    dead: Path, server: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    _note(dead, server.pid)
    remove_stale(tmp_path)
    assert server.wait(PATIENCE) < 0
    assert not dead.exists()


def test_process_with_the_same_number_continues(
    dead: Path, server: "subprocess.Popen[bytes]", tmp_path: Path, gone: int
) -> None:
    other = dead.rename(tmp_path / f"{PREFIX}{gone}-other")
    _note(other, server.pid)
    remove_stale(tmp_path)
    assert server.poll() is None
    assert not other.exists()
