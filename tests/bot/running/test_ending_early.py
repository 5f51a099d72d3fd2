"""A process that is asked to end while it still starts: it ends soon, as it would later, and says nothing odd."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests.bot.support.processes import ended, free_port, nursery_of, said, started

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="Linux alone lists child processes"
)


async def test_early_end_spares_and_awaits_no_worker(tmp_path: Path) -> None:
    """Service managers and terminals tell every process of a group: what loads for workers is left alone.

    Here none ever would start, since what they are forked from is stopped.
    """
    process = await started(tmp_path, free_port(), STATIONMASTER_LOG_LEVEL="INFO")
    nursery = await nursery_of(process)
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(nursery, number)
    await asyncio.sleep(0.1)
    os.kill(nursery, signal.SIGSTOP)
    try:
        async with ended(process):
            assert "Traceback" not in await said(process, "connected as")
            assert await nursery_of(process) == nursery
    finally:
        with suppress(ProcessLookupError):  # it need not be left behind
            os.kill(nursery, signal.SIGCONT)
