"""A process that was asked to stop does not stay for ever."""

import subprocess
import sys

import pytest

from bot.tools.process import TOO_LATE_EXIT_CODE

STOPS = """
import asyncio
from bot.tools.process import enforce_stop_time
async def main():
    stop = asyncio.get_running_loop().create_future()
    with enforce_stop_time(stop, seconds=0.2):
        stop.set_result(None)
        await {waits}
    print("stopped", flush=True)
asyncio.run(main())
"""
LATE = (TOO_LATE_EXIT_CODE, "", ("did not stop in time", "line 8, in main"))


@pytest.mark.parametrize(
    ("waits", "ends"),
    [
        ("asyncio.Event().wait()", LATE),
        ("asyncio.to_thread(__import__('time').sleep, 600)", LATE),
        ("asyncio.sleep(0)", (0, "stopped\n", ())),
    ],
)
def test_process_ends_in_time(waits: str, ends: tuple[int, str, tuple[str, ...]]) -> None:
    """Or says what it waits for."""
    code = [sys.executable, "-c", STOPS.format(waits=waits)]
    ended = subprocess.run(code, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == ends[:2]
    assert all(words in ended.stderr for words in ends[2])
    assert bool(ended.stderr) == bool(ends[2])
