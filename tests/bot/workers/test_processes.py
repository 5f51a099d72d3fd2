"""Workers as processes: ended when nobody needs their work, replaced when they die, gone with the bot."""

import asyncio
import os
import signal
import sys
import textwrap
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from bot.workers import worker, workers
from bot.workers.errors import Closed, PositionGone, TookTooLong, WorkerDied
from bot.workers.workers import Priority, Queue, Workers
from tests.bot.workers import pieces

MOVE, SEARCH, QUESTION = (Queue(priority) for priority in Priority)
ROOT = Path(__file__).parents[3]
PATIENCE = 60.0
BOT = """
import asyncio
from bot.workers.workers import Priority, Queue
from bot.workers.workers import Workers
from tests.bot.workers import pieces
"""
BEGUN = """
if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.fixture
async def crews(tmp_path: Path) -> AsyncIterator[Workers]:
    """A process for each kind of work; each has made a mark at first."""
    opened = Workers.processes(3, partial(pieces.note, "prepared", str(tmp_path / "prepared")))
    yield opened
    await opened.close()


async def there(file: Path) -> str:
    """What is in a file as soon as it is there."""
    async with asyncio.timeout(PATIENCE):
        while not file.exists():  # noqa: ASYNC110, ASYNC240 - another process writes it, and nothing else runs
            await asyncio.sleep(0.005)
    return file.read_text()  # noqa: ASYNC240 - it is short


def lives(pid: int) -> bool:
    """Whether a process is there; one that is dead and not yet buried is not, where the system says so."""
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
    """Wait until a process is gone."""
    async with asyncio.timeout(PATIENCE):
        while lives(pid):  # noqa: ASYNC110 - a process tells nobody
            await asyncio.sleep(0.01)


async def test_work_is_done_in_other_processes_prepared_first(crews: Workers, tmp_path: Path) -> None:
    await crews.start()
    pids = {await crews.run(kind, pieces.which) for kind in (MOVE, SEARCH, QUESTION)}
    assert len(pids - {os.getpid()}) == 3
    assert (tmp_path / "prepared").read_text().split() == ["prepared"] * 3


async def test_questions_give_way_to_moves(crews: Workers) -> None:
    mine = os.nice(0)
    assert await crews.run(MOVE, pieces.niceness) == mine
    assert await crews.run(QUESTION, pieces.niceness) == min(19, mine + 10)


async def test_what_a_worker_returns_and_raises_crosses(crews: Workers) -> None:
    assert await crews.run(QUESTION, pieces.double, 21) == 42
    with pytest.raises(LookupError, match="no such hex"):
        await crews.run(QUESTION, pieces.fail)
    with pytest.raises(RuntimeError, match="one and two"):
        await crews.run(QUESTION, pieces.fail_strangely)
    assert await crews.run(QUESTION, pieces.double, 1) == 2


async def test_a_cancelled_question_ends_its_process(crews: Workers, tmp_path: Path) -> None:
    asked = asyncio.create_task(crews.run(QUESTION, pieces.keep_busy, str(tmp_path / "begun")))
    pid = int(await there(tmp_path / "begun"))
    asked.cancel()
    await gone(pid)
    assert await crews.run(QUESTION, pieces.double, 2) == 4


async def test_a_question_ends_when_the_game_moves_on(crews: Workers, tmp_path: Path) -> None:
    about = QUESTION._replace(game=3)
    asked = asyncio.create_task(crews.run(about, pieces.keep_busy, str(tmp_path / "begun")))
    pid = int(await there(tmp_path / "begun"))
    crews.moved_on(4)
    crews.moved_on(3)
    with pytest.raises(PositionGone):
        await asked
    await gone(pid)


async def test_a_question_ends_after_its_time(
    crews: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await crews.start()
    monkeypatch.setitem(workers.SECONDS, Priority.QUESTION, 0.5)
    with pytest.raises(TookTooLong, match="longer than"):
        await crews.run(QUESTION, pieces.sleep, str(tmp_path / "begun"))
    if (tmp_path / "begun").exists():
        await gone(int((tmp_path / "begun").read_text()))


async def test_work_for_a_move_is_done_again_where_its_process_dies(crews: Workers, tmp_path: Path) -> None:
    first = await crews.run(MOVE, pieces.which)
    assert await crews.run(MOVE, pieces.die_once, str(tmp_path / "died")) not in (first, os.getpid())


async def test_a_question_whose_process_dies_is_answered_in_words(crews: Workers) -> None:
    with pytest.raises(WorkerDied, match="Please try again"):
        await crews.run(QUESTION, pieces.die)
    assert await crews.run(QUESTION, pieces.double, 3) == 6


async def test_half_an_answer_of_a_dead_process_is_not_waited_for(crews: Workers) -> None:
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(WorkerDied):
            await crews.run(QUESTION, pieces.die_while_answering)
    assert await crews.run(QUESTION, pieces.double, 5) == 10


async def test_work_that_kills_every_process_is_given_up(crews: Workers) -> None:
    with pytest.raises(WorkerDied):
        await crews.run(MOVE, pieces.die)


async def test_a_process_that_died_idle_costs_no_answer(crews: Workers) -> None:
    pid = await crews.run(QUESTION, pieces.which)
    os.kill(pid, signal.SIGKILL)
    await gone(pid)
    async with asyncio.timeout(PATIENCE):
        while True:  # its end is noticed a moment later
            try:
                assert await crews.run(QUESTION, pieces.double, 4) == 8
                return
            except WorkerDied:
                continue


async def test_signals_for_the_whole_group_leave_workers_to_the_bot(crews: Workers) -> None:
    pid = await crews.run(QUESTION, pieces.which)
    os.kill(pid, signal.SIGTERM)
    os.kill(pid, signal.SIGINT)
    assert await crews.run(QUESTION, pieces.which) == pid


async def test_a_process_is_replaced_after_many_tasks(
    crews: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "TASKS", 2)
    pids = [await crews.run(MOVE, pieces.which) for _ in range(3)]
    assert pids[0] == pids[1] != pids[2]
    await gone(pids[0])


async def test_closing_ends_all_processes_and_work(crews: Workers, tmp_path: Path) -> None:
    await crews.run(MOVE, pieces.which)
    asked = asyncio.create_task(crews.run(QUESTION, pieces.keep_busy, str(tmp_path / "begun")))
    pids = [await crews.run(MOVE, pieces.which), int(await there(tmp_path / "begun"))]
    await crews.close()
    assert not any(lives(pid) for pid in pids)
    with pytest.raises(Closed):
        await asked
    with pytest.raises(Closed):
        await crews.run(MOVE, pieces.which)


async def test_closing_ends_workers_that_still_start(tmp_path: Path) -> None:
    crews = Workers.processes(3, partial(pieces.sleep, str(tmp_path / "begun")))
    starting = asyncio.create_task(crews.start())
    pid = int(await there(tmp_path / "begun"))
    async with asyncio.timeout(PATIENCE):
        await crews.close()
    await gone(pid)
    with pytest.raises(WorkerDied):
        await starting


async def test_closing_waits_for_nothing_that_loads(tmp_path: Path) -> None:
    """Nothing has been forked yet: what workers are forked from loads a module for very long."""
    (tmp_path / "endless.py").write_text("import time\ntime.sleep(600)\n")
    ended = await script(
        tmp_path,
        """
        async def main():
            workers = Workers.processes(3, modules=["endless"])
            starting = asyncio.create_task(workers.start())
            await asyncio.sleep(0.5)
            await workers.close()
            await asyncio.gather(starting, return_exceptions=True)
        """,
    )
    assert ended == (0, "")


async def test_a_worker_whose_bot_was_killed_says_nothing(tmp_path: Path) -> None:
    """Not even one that was about to say that it is ready."""
    ended = await script(
        tmp_path,
        """
        async def main():
            workers = Workers.processes(9, pieces.outlive_the_bot)
            await asyncio.gather(*(workers.run(Queue(kind), pieces.which) for kind in Priority for _ in range(3)))
        """,
    )
    assert ended == (-signal.SIGKILL, "")


async def script(folder: Path, main: str) -> tuple[int | None, str]:
    """A bot that has workers and nothing else, run to its end: its exit code, and what it and they have printed."""
    program = folder / "bot_with_workers.py"
    program.write_text(BOT + textwrap.dedent(main) + BEGUN)
    bot = await asyncio.create_subprocess_exec(
        sys.executable,
        program,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"},
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE):
        _, printed = await bot.communicate()
    return bot.returncode, printed.decode()


async def test_a_killed_bot_leaves_no_process_behind(tmp_path: Path) -> None:
    script = tmp_path / "bot_with_workers.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import asyncio
            from bot.workers.workers import Priority, Queue
            from bot.workers.workers import Workers
            from tests.bot.workers import pieces

            async def main():
                workers = Workers.processes()
                await asyncio.gather(
                    workers.run(Queue(Priority.MOVE), pieces.sleep, {str(tmp_path / "idle")!r}),
                    workers.run(Queue(Priority.QUESTION), pieces.keep_busy, {str(tmp_path / "busy")!r}),
                )

            if __name__ == "__main__":
                asyncio.run(main())
            """
        )
    )
    bot = await asyncio.create_subprocess_exec(
        sys.executable, script, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    pids = [int(await there(tmp_path / name)) for name in ("idle", "busy")]
    bot.kill()
    await bot.wait()
    for pid in pids:
        await gone(pid)


async def test_workers_know_nothing_of_discord(crews: Workers) -> None:
    assert not await crews.run(QUESTION, pieces.loaded, "discord")
