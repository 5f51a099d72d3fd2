"""Pieces of work for workers, which import them by name."""

import multiprocessing.connection
import multiprocessing.process
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

LONG = 600.0
"""Seconds that no test waits for."""


class Fussy(Exception):  # noqa: N818 - it is no error that anybody should raise
    """An error that can be pickled, and not be read again."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} and {two}")


def double(number: int) -> int:
    """Quickly done."""
    return 2 * number


def note(name: str, noted: str) -> None:
    """Write down that this was done."""
    with Path(noted).open("a") as lines:
        lines.write(f"{name}\n")


def wait_for(gate: str) -> int:
    """Wait until a file is there; which process did."""
    while not Path(gate).exists():
        time.sleep(0.005)
    return os.getpid()


def begin(begun: str) -> None:
    """Say in a file which process this is."""
    Path(f"{begun}.new").write_text(str(os.getpid()))
    Path(f"{begun}.new").rename(begun)


def sleep(begun: str) -> None:
    """Do nothing for very long."""
    begin(begun)
    time.sleep(LONG)


def keep_busy(begun: str) -> None:
    """Hold the interpreter for very long."""
    begin(begun)
    until = time.monotonic() + LONG
    while time.monotonic() < until:
        sum(range(1000))


def which() -> int:
    """The process that does this."""
    return os.getpid()


def niceness() -> int:
    return os.nice(0)


def die() -> None:
    """Be killed, as where no memory is left."""
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(died: str) -> int:
    """Be killed the first time; which process did it the second time."""
    if not Path(died).exists():
        Path(died).touch()
        die()
    return os.getpid()


def die_while_answering() -> bytes:
    """Be killed when half of the answer is written."""

    def write_half(file: int, data: memoryview) -> int:
        written = os.write(file, data[: len(data) // 2])
        die()
        return written

    multiprocessing.connection.Connection._send.__defaults__ = (write_half,)  # type: ignore[attr-defined]
    return b"x" * 100_000


def fail() -> None:
    """Raise what can be said."""
    raise LookupError("no such hex")


def fail_strangely() -> None:
    """Raise what cannot be read again."""
    raise Fussy("one", "two")


def loaded(name: str) -> bool:
    import sys

    return name in sys.modules


def outlive_the_bot() -> None:
    """Kill the bot, and end when that has happened."""
    bot = multiprocessing.parent_process()
    assert bot is not None
    assert bot.pid is not None
    with suppress(ProcessLookupError):  # another worker was faster
        os.kill(bot.pid, signal.SIGKILL)
    bot.join()
