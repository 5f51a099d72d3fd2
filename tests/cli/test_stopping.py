"""A process that was asked to stop does not stay for ever."""

import subprocess
import sys
import textwrap

import pytest

from bot.tools.process import TOO_LATE

STOPS = """
    import asyncio
    from bot.tools.process import in_time

    async def main():
        stop = asyncio.get_running_loop().create_future()
        with in_time(stop, seconds=0.2):
            stop.set_result(None)
            await {waits}
        print("stopped", flush=True)

    asyncio.run(main())
"""


def run(waits: str) -> subprocess.CompletedProcess[str]:
    """A process that waits for this after it was asked to stop."""
    code = textwrap.dedent(STOPS.format(waits=waits))
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "waits", ["asyncio.Event().wait()", "asyncio.to_thread(__import__('time').sleep, 600)"]
)
def test_a_process_that_hangs_ends_and_says_what_it_waits_for(waits: str) -> None:
    ended = run(waits)
    assert ended.returncode == TOO_LATE
    assert "has not stopped in time" in ended.stderr
    assert "line 9, in main" in ended.stderr


def test_a_process_that_stops_in_time_ends_as_it_likes() -> None:
    ended = run("asyncio.sleep(0)")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "stopped\n", "")
