"""A process that is asked to end while it still starts: it ends soon, as it would later, and says nothing odd."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests.bot.support.processes import ended, free_port, nursery_of, said, started

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="Linux alone lists child processes"
)


async def test_starting_workers_are_not_waited_for(tmp_path: Path) -> None:
    """Here none ever would start: what they are forked from is stopped."""
    process = await started(tmp_path, free_port(), STATIONMASTER_LOG_LEVEL="INFO")
    nursery = await nursery_of(process)
    os.kill(nursery, signal.SIGSTOP)
    try:
        async with ended(process):
            await said(process, "connected as")
    finally:
        with suppress(ProcessLookupError):  # it need not be left behind
            os.kill(nursery, signal.SIGCONT)


async def test_signals_to_all_spare_the_workers(tmp_path: Path) -> None:
    """Service managers and terminals tell every process of a group; what loads for workers is left alone."""
    process = await started(tmp_path, free_port(), STATIONMASTER_LOG_LEVEL="INFO")
    nursery = await nursery_of(process)
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(nursery, number)
    async with ended(process):
        assert "Traceback" not in await said(process, "connected as")
        assert await nursery_of(process) == nursery
