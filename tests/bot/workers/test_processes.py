"""Workers as processes: ended when nobody needs their work, replaced when they die, gone with the bot."""

import asyncio
import os
import signal
import sys
import textwrap
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest

from bot.workers import worker, workers
from bot.workers.errors import PositionOutdated, TookTooLong, WorkerDied, WorkersClosed
from bot.workers.workers import Priority, QueuePlace, Workers
from tests.bot.workers import pieces

MOVE, SEARCH, QUESTION = (QueuePlace(priority) for priority in Priority)
ROOT = Path(__file__).parents[3]
PATIENCE = 60.0
BOT = """
import asyncio
from bot.workers.workers import Priority, QueuePlace, Workers
from tests.bot.workers import pieces

async def main():
{main}

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.fixture
async def worker_groups(tmp_path: Path) -> AsyncIterator[Workers]:
    """A process for each kind of work; each has made a mark at first."""
    opened = Workers.of_processes(3, partial(pieces.note, "prepared", str(tmp_path / "prepared")))
    yield opened
    await opened.close()


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A file in which work that takes very long names its process."""
    return tmp_path / "begun"


async def pid_in(file: Path) -> int:
    async with asyncio.timeout(PATIENCE):
        while not file.exists():  # noqa: ASYNC110, ASYNC240 - another process writes it, and nothing else runs
            await asyncio.sleep(0.005)
    return int(file.read_text())  # noqa: ASYNC240 - it is short


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    if not Path("/proc/self/stat").exists():
        return True
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # buried in between
        return False


async def gone(pid: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while lives(pid):  # noqa: ASYNC110 - a process tells nobody
            await asyncio.sleep(0.01)


async def test_processes_are_prepared(worker_groups: Workers, tmp_path: Path) -> None:
    """One for each kind of work; questions give way to moves, none knows Discord, errors cross."""
    await worker_groups.start()
    pids = {await worker_groups.run(kind, pieces.which) for kind in (MOVE, SEARCH, QUESTION)}
    assert len(pids - {os.getpid()}) == 3
    assert (tmp_path / "prepared").read_text().split() == ["prepared"] * 3
    mine = os.nice(0)
    assert await worker_groups.run(MOVE, pieces.niceness) == mine
    assert await worker_groups.run(QUESTION, pieces.niceness) == min(19, mine + 10)
    assert not await worker_groups.run(QUESTION, pieces.loaded, "discord")
    with pytest.raises(LookupError, match="no such hex"):
        await worker_groups.run(QUESTION, pieces.fail)
    with pytest.raises(RuntimeError, match="one and two"):
        await worker_groups.run(QUESTION, pieces.fail_strangely)
    # Signals for the whole group: the bot ends its workers.
    pid = await worker_groups.run(QUESTION, pieces.which)
    os.kill(pid, signal.SIGTERM)
    os.kill(pid, signal.SIGINT)
    assert await worker_groups.run(QUESTION, pieces.which) == pid


async def test_cancelled_question_ends(worker_groups: Workers, begun: Path) -> None:
    asked = asyncio.create_task(worker_groups.run(QUESTION, pieces.keep_busy, str(begun)))
    pid = await pid_in(begun)
    asked.cancel()
    await gone(pid)
    assert await worker_groups.run(QUESTION, pieces.double, 2) == 4


async def test_question_ends_when_the_game_moves_on(worker_groups: Workers, begun: Path) -> None:
    asked = asyncio.create_task(worker_groups.run(QUESTION._replace(game_id=3), pieces.keep_busy, str(begun)))
    pid = await pid_in(begun)
    worker_groups.end_questions(4)
    worker_groups.end_questions(3)
    with pytest.raises(PositionOutdated):
        await asked
    await gone(pid)


async def test_question_takes_too_long(
    worker_groups: Workers, begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await worker_groups.start()
    monkeypatch.setitem(workers.MAX_JOB_SECONDS_BY_PRIORITY, Priority.QUESTION, 0.5)  # time
    with pytest.raises(TookTooLong, match="longer than"):
        await worker_groups.run(QUESTION, pieces.sleep, str(begun))
    if begun.exists():  # noqa: ASYNC240 - it is short
        await gone(await pid_in(begun))


async def test_move_is_done_again_after_a_death(worker_groups: Workers, tmp_path: Path) -> None:
    """Unless it kills every process."""
    first = await worker_groups.run(MOVE, pieces.which)
    assert await worker_groups.run(MOVE, pieces.die_once, str(tmp_path / "died")) not in (first, os.getpid())
    with pytest.raises(WorkerDied):
        await worker_groups.run(MOVE, pieces.die)


@pytest.mark.parametrize("dies", [pieces.die, pieces.die_while_answering])
async def test_question_is_refused_after_a_death(worker_groups: Workers, dies: Callable[[], object]) -> None:
    """Half an answer is not waited for."""
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(WorkerDied, match="Please try again"):
            await worker_groups.run(QUESTION, dies)
    assert await worker_groups.run(QUESTION, pieces.double, 3) == 6


async def test_idle_death_costs_no_answer(worker_groups: Workers) -> None:
    pid = await worker_groups.run(QUESTION, pieces.which)
    os.kill(pid, signal.SIGKILL)
    await gone(pid)
    async with asyncio.timeout(PATIENCE):
        while True:  # its end is noticed a moment later
            try:
                assert await worker_groups.run(QUESTION, pieces.double, 4) == 8
                return
            except WorkerDied:
                continue


async def test_process_is_replaced(worker_groups: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "MAX_JOBS_PER_PROCESS", 2)  # in place of hundreds
    pids = [await worker_groups.run(MOVE, pieces.which) for _ in range(3)]
    assert pids[0] == pids[1] != pids[2]
    await gone(pids[0])


async def test_closing_ends_everything(worker_groups: Workers, begun: Path) -> None:
    asked = asyncio.create_task(worker_groups.run(QUESTION, pieces.keep_busy, str(begun)))
    pids = [await worker_groups.run(MOVE, pieces.which), await pid_in(begun)]
    await worker_groups.close()
    assert not any(lives(pid) for pid in pids)
    with pytest.raises(WorkersClosed):
        await asked
    with pytest.raises(WorkersClosed):
        await worker_groups.run(MOVE, pieces.which)


async def test_closing_ends_starting_workers(begun: Path) -> None:
    worker_groups = Workers.of_processes(3, partial(pieces.sleep, str(begun)))
    starting = asyncio.create_task(worker_groups.start())
    pid = await pid_in(begun)
    async with asyncio.timeout(PATIENCE):
        await worker_groups.close()
    await gone(pid)
    with pytest.raises(WorkerDied):
        await starting


async def bot(folder: Path, main: str) -> asyncio.subprocess.Process:
    """A bot that has workers and nothing else."""
    program = folder / "bot_with_workers.py"
    program.write_text(BOT.format(main=textwrap.indent(textwrap.dedent(main), "    ")))
    paths = f"{ROOT}{os.pathsep}{folder}"
    return await asyncio.create_subprocess_exec(
        *(sys.executable, program), env={**os.environ, "PYTHONPATH": paths}, stderr=asyncio.subprocess.PIPE
    )


async def ends(process: asyncio.subprocess.Process) -> tuple[int | None, str]:
    """Its exit code, and what it and its workers have printed."""
    async with asyncio.timeout(PATIENCE):
        _, printed = await process.communicate()
    return process.returncode, printed.decode()


async def test_workers_of_a_killed_bot_say_nothing(tmp_path: Path) -> None:
    """Not even one that was about to say that it is ready."""
    process = await bot(
        tmp_path,
        """
        workers = Workers.of_processes(9, pieces.outlive_the_bot)
        await asyncio.gather(*(workers.run(QueuePlace(kind), pieces.which) for kind in Priority for _ in range(3)))
        """,
    )
    assert await ends(process) == (-signal.SIGKILL, "")


async def test_workers_of_a_killed_bot_end(tmp_path: Path) -> None:
    process = await bot(
        tmp_path,
        f"""
        workers = Workers.of_processes()
        await asyncio.gather(
            workers.run(QueuePlace(Priority.MOVE), pieces.sleep, {str(tmp_path / "idle")!r}),
            workers.run(QueuePlace(Priority.QUESTION), pieces.keep_busy, {str(tmp_path / "busy")!r}),
        )
        """,
    )
    pids = [await pid_in(tmp_path / name) for name in ("idle", "busy")]
    process.kill()
    await process.wait()
    for pid in pids:
        await gone(pid)
