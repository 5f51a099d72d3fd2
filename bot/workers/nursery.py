"""Where worker processes are forked from: a process that loads what all of them need, as early as the bot begins."""

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import forkserver
from multiprocessing.context import BaseContext
from typing import Final

METHOD: Final = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
"""How processes start: never by forking the bot, whose threads would hold locks for ever in the copy."""
LOADED: Final = (
    "bot.table.past.export_formats",
    "bot.table.games.imported",
    "bot.web.close_ups_as_json",
    "bot.web.position_as_json",
    "engine.caretaker",
    "engine.orders",
    "engine.record",
    "bot.table.drawing.preloaded",
)
"""What workers of the bot need."""


def context(modules: Sequence[str]) -> BaseContext:
    """What starts worker processes; these modules are loaded once for all of them, if nothing was before."""
    found = multiprocessing.get_context(METHOD)
    found.set_forkserver_preload(list(modules))
    return found


def begin(modules: Sequence[str] = LOADED) -> None:
    """Load them from now on, where the system can do that, while this process keeps running."""
    if METHOD == "forkserver":
        context(modules)
        with _unheard(signal.SIGINT, signal.SIGTERM):
            forkserver.ensure_running()


def end() -> None:
    """End it at once, also while it loads; workers that it has forked count as dead from then on."""
    pid = getattr(forkserver, "_forkserver")._forkserver_pid  # noqa: B009 - nothing public says which process it is
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@contextmanager
def _unheard(*signals: signal.Signals) -> Iterator[None]:
    """Let processes that start within this ignore signals: a system that stops the bot tells all its processes."""
    before = [signal.signal(number, signal.SIG_IGN) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
