"""Profiler of processor time in all threads, by function and by part of the code."""

import cProfile
import threading
import time
from collections import defaultdict
from types import CodeType
from typing import Any, Final, TypeAlias, TypeVar

Code: TypeAlias = CodeType | str
"""A function: its code object, or its name if it is written in C."""
Key = TypeVar("Key")
Seconds: TypeAlias = defaultdict[Key, float]

ROOMS: Final = (
    ("/engine/tell/", "words and views"),
    ("/engine/", "rules"),
    ("/render/", "pictures"),
    ("/PIL/", "pictures"),
    ("/storage/", "storage"),
    ("/aiosqlite/", "storage"),
    ("/psycopg/", "storage"),
    ("/aiohttp/", "Discord"),
    ("/discord/", "Discord"),
    ("/asyncio/", "event loop"),
    ("/bot/", "table and client"),
)
"""Part of the code by a piece of the file path; the first match counts.

Time in files without a match is charged to the callers.
"""
REST: Final = "rest"
STEPS: Final = 12
"""The most calls through files without a part of the code that are traced back to a caller."""


class Profile:
    """Processor seconds by function since the last reading."""

    def __init__(self) -> None:
        self._threads: list[cProfile.Profile] = []
        self._own: Seconds[Code] = defaultdict(float)
        self._edges: Seconds[tuple[Code, Code]] = defaultdict(float)
        self._whole: Seconds[Code] = defaultdict(float)

    def start(self) -> None:
        """Profile this thread and all threads started later."""
        self._begin()
        threading.setprofile(self._begin)

    def _begin(self, *_: Any) -> None:
        profile = cProfile.Profile(time.thread_time)
        self._threads.append(profile)
        profile.enable()

    def since(self) -> tuple[dict[str, float], dict[str, float]]:
        """Processor seconds since the last call: by part of the code, and by function including callees."""
        own, edges, whole = Seconds[Code](float), Seconds[tuple[Code, Code]](float), Seconds[Code](float)
        for entry in [entry for profile in self._threads for entry in profile.getstats()]:
            own[entry.code] += entry.inlinetime
            whole[entry.code] += entry.totaltime
            for called in entry.calls or ():
                edges[entry.code, called.code] += called.inlinetime
        made = [_less(own, self._own), _less(whole, self._whole)]
        rooms = _by_room(made[0], _less(edges, self._edges))
        self._own, self._edges, self._whole = own, edges, whole
        functions: Seconds[str] = defaultdict(float)
        for code, seconds in made[1].items():
            functions[_name(code)] += seconds
        return rooms, dict(functions)


def _less(now: Seconds[Key], before: Seconds[Key]) -> Seconds[Key]:
    return defaultdict(float, {key: seconds - before.get(key, 0.0) for key, seconds in now.items()})


def _by_room(own: Seconds[Code], edges: Seconds[tuple[Code, Code]]) -> dict[str, float]:
    """Seconds by part of the code; time in files without a part is divided among the callers."""
    callers: defaultdict[Code, list[tuple[Code, float]]] = defaultdict(list)
    for (caller, called), seconds in edges.items():
        callers[called].append((caller, seconds))
    found: Seconds[str] = defaultdict(float)
    left = own
    for _ in range(STEPS):
        passed_on: Seconds[Code] = defaultdict(float)
        for code, seconds in left.items():
            if (room := _room(code)) is not None:
                found[room] += seconds
                continue
            caused = sum(share for _, share in callers[code])
            if not caused:
                found[REST] += seconds
            for caller, share in callers[code] if caused else ():
                passed_on[caller] += seconds * share / caused
        left = passed_on
    found[REST] += sum(left.values())
    return dict(found)


def _room(code: Code) -> str | None:
    if isinstance(code, str):
        return None
    return next((room for part, room in ROOMS if part in code.co_filename), None)


def _name(code: Code) -> str:
    if isinstance(code, str):
        return code
    return f"{'/'.join(code.co_filename.split('/')[-3:])}:{code.co_qualname}"
