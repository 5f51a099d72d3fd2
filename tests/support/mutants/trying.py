"""Tries faults: tests are collected once; for each fault a fork of the process runs those that reach it.

Run in the copy of the project, with the faults in `faults.json`; writes `tried.json`.
"""

import gc
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import coverage
import pytest
from _pytest.runner import runtestprotocol

from tests.support.mutants.copied import fingerprint
from tests.support.mutants.functions import mended

FAULTS, REACHED, TRIED = Path("faults.json"), Path("reached.json"), Path("tried.json")
ENOUGH = 10.0
"""Seconds of the processor that tests of one kind may take for a fault: the fastest of those that fit its module, those
that reach least else, and so are about it, and the fastest of all.
"""
SLOWER, GRACE = 4, 20
"""With a fault tests may take this many times as long, and N seconds more, of the processor."""
IDLE, WAITED = 1.0, 60
"""Tests wait for nothing any more that take less than this of it in N seconds: a busy machine is no fault."""
ON_SERVER = "storage/"
"""Of these modules, tests on a database server notice more than the same tests on a file, which take less time."""
MOST = 2000
"""As many tests a command line has room for."""
ENVIRONMENT = dict(os.environ)
"""As it was before tests began: a database server of theirs leaves word of itself in it."""
OPTIONS = ("-n0", "-q", "-pno:cacheprovider", "--boards=60", "--anew", "--basetemp=.tmp")


NAMED = re.compile(r"(\w+)(: [^=]+)? = ")
"""A value of a module, with its name."""


class Reach(NamedTuple):
    """Which tests, by places among the names, reach which lines, and how long each takes, in a copy with this print.

    What is run when a module is imported is reached by -1.
    """

    copy: str
    names: list[str]
    lines: dict[str, dict[str, list[int]]]
    seconds: dict[str, float]
    breadth: dict[str, int]

    def tests(self, fault: dict[str, Any], fitting: Sequence[str]) -> list[str]:
        """Tests that reach a fault, the fastest first; of one outside functions, such as read the name it stands under.

        Where nothing reads it, such as reach anything in its module. These folders hold those that fit the module; of
        one that is only imported, any of them may notice.
        """
        lines = self.lines.get(fault["module"], {})
        reached = next(
            (found for first, last in fault["ranges"] if (found := _within(lines, first, last))), None
        )
        numbers = reached or self._reading(fault) or _within(lines, 0, len(_source(fault["module"])))
        reaching = {self.names[number] for number in numbers} or {
            name for name in self.names if name.startswith(tuple(fitting))
        }
        kept = {name for name in reaching if not _on_server(name) or _is_of_server(fault)}
        near = {name for name in kept if name.startswith(tuple(fitting))}
        orders = ((near, self.seconds), (kept, self.breadth), (kept, self.seconds))
        return sorted(
            {name for order in orders for name in self._first(*order)}, key=self.seconds.__getitem__
        )

    def at_import(self, fault: dict[str, Any]) -> bool:
        first, last = fault["ranges"][0]
        lines = self.lines.get(fault["module"])
        return lines is None or any(-1 in lines.get(str(line), ()) for line in range(first, last + 1))

    def _reading(self, fault: dict[str, Any]) -> set[int]:
        """Tests that reach a line, there or where the module is imported from, that reads the name of this value."""
        own = fault["module"]
        name = NAMED.match(_source(own)[fault["ranges"][-1][0] - 1])
        if name is None:
            return set()
        read = re.compile(rf"\b{name[1]}\b")
        imported = f"from {own.removesuffix('.py').replace('/', '.')} import"
        return {
            test
            for module, lines in self.lines.items()
            if module == own or any(line.startswith(imported) for line in _source(module))
            for at, line in enumerate(_source(module), start=1)
            if read.search(line)
            for test in lines.get(str(at), ())
            if test >= 0
        }

    def _first(self, tests: set[str], order: Mapping[str, float]) -> Iterator[str]:
        """The first of some tests in an order, as many as there is time for, but one at least."""
        spent = 0.0
        for test in sorted(tests & self.seconds.keys(), key=lambda name: (order[name], name)):
            spent += self.seconds[test]
            if spent > ENOUGH and spent > self.seconds[test]:
                break
            yield test


def _on_server(test: str) -> bool:
    return "postgres" in test


def _is_of_server(fault: dict[str, Any]) -> bool:
    return str(fault["module"]).startswith(ON_SERVER)


@cache
def _source(module: str) -> list[str]:
    return Path(module).read_text("utf-8").splitlines()


def _within(lines: dict[str, list[int]], first: int, last: int) -> set[int]:
    return {test for line in range(first, last + 1) for test in lines.get(str(line), ()) if test >= 0}


class Trial:
    """A plugin that, in place of running all tests, finds out what they reach, and then tries the faults."""

    def __init__(self, measured: coverage.Coverage, copy: str) -> None:
        self._measured, self._copy = measured, copy

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        gc.unfreeze()
        faults, fitting = json.loads(FAULTS.read_text()).values()
        served = any(map(_is_of_server, faults))
        items = [item for item in session.items if served or not _on_server(item.nodeid)]
        for first in [item for item in items if "[postgres" in item.nodeid][:1]:
            # The database server of the tests runs before all forks.
            self._measured.switch_context(first.nodeid)
            _passes(first)
        if not REACHED.exists() or Reach(*json.loads(REACHED.read_text())).copy != self._copy:
            _in_fork(lambda: self._measure(items), limit=None)
        self._measured.stop()
        reach = Reach(*json.loads(REACHED.read_text()))
        Tried({item.nodeid: item for item in items}, reach, fitting).all(faults)
        return True

    def _measure(self, items: Sequence[pytest.Item]) -> int:
        seconds = {}
        for at, item in enumerate(items):
            self._measured.switch_context(item.nodeid)
            begun = time.process_time()
            if _passes(item):
                seconds[item.nodeid] = time.process_time() - begun
            if at % 100 == 0:
                print(f"{at} of {len(items)} tests measured", flush=True)
        self._measured.stop()
        names = [item.nodeid for item in items]
        lines = _lines(self._measured.get_data(), names)
        reached = Counter(test for module in lines.values() for tests in module.values() for test in tests)
        breadth = {name: reached[number] for number, name in enumerate(names)}
        REACHED.write_text(json.dumps([self._copy, names, lines, seconds, breadth]))
        return PASSED


def _lines(data: coverage.CoverageData, names: Sequence[str]) -> dict[str, dict[int, list[int]]]:
    here, numbers = Path.cwd(), {"": -1, **{name: number for number, name in enumerate(names)}}
    return {
        str(Path(path).relative_to(here)): {
            line: [numbers[test] for test in tests] for line, tests in data.contexts_by_lineno(path).items()
        }
        for path in data.measured_files()
    }


def _passes(item: pytest.Item) -> bool:
    """Run a test; only fixtures of the whole session stay for others."""
    reports = runtestprotocol(item, log=False, nextitem=cast(pytest.Item, item.session))
    return all(report.passed for report in reports)


NOTICED = ("noticed", "timeout")
PASSED, FAILED, FRESH, LATE = 0, 1, 90, 91


class Tried:
    """The faults, one after the other, and what became of them."""

    def __init__(
        self, items: dict[str, pytest.Item], reach: Reach, fitting: dict[str, Sequence[str]]
    ) -> None:
        self._items, self._reach, self._fitting = items, reach, fitting
        self._results: list[str] = []

    def all(self, faults: Sequence[dict[str, Any]]) -> None:
        """Try each, after one that is none, to see that tests pass where nothing is wrong."""
        if (
            faults
            and self._result(faults[0] | {"source": Path(faults[0]["module"]).read_text("utf-8")}) in NOTICED
        ):
            raise SystemExit("Tests fail without a fault.")
        for at, fault in enumerate(faults):
            self._results.append(self._result(fault))
            TRIED.write_text(json.dumps(self._results))
            place = f"{fault['module']}:{fault['ranges'][0][0]}"
            print(f"{at + 1} of {len(faults)}: {place} {self._results[-1]}", flush=True)

    def _result(self, fault: dict[str, Any]) -> str:
        tests = self._reach.tests(fault, self._fitting[fault["module"]])
        if not tests:
            return "reached by no test"
        path = Path(fault["module"])
        was, at = path.read_text("utf-8"), path.stat()
        path.write_text(fault["source"], "utf-8")
        try:
            return self._tried(path, was, fault, tests)
        finally:
            path.write_text(was, "utf-8")
            os.utime(path, ns=(at.st_atime_ns, at.st_mtime_ns))

    def _tried(self, path: Path, was: str, fault: dict[str, Any], tests: Sequence[str]) -> str:
        limit = GRACE + SLOWER * sum(self._reach.seconds[test] for test in tests)
        done = _in_fork(lambda: self._all_pass(path, was, fault, tests), limit)
        if done == FRESH or (done == PASSED and self._reach.at_import(fault)):
            done = _afresh(tests, limit)
        return {PASSED: "not noticed", LATE: "timeout"}.get(done, "noticed")

    def _all_pass(self, path: Path, was: str, fault: dict[str, Any], tests: Sequence[str]) -> int:
        if not mended(str(path.resolve()), was, fault["source"]):
            return FRESH
        return PASSED if all(_passes(self._items[test]) for test in tests) else FAILED


def _in_fork(work: Callable[[], int], limit: float | None) -> int:
    child = os.fork()
    if child:
        return _waited(child, limit)
    code = FAILED
    try:
        os.setsid()
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit)))
        code = work()
    finally:
        os._exit(code)


def _waited(child: int, limit: float | None) -> int:
    worked, end = 0.0, time.monotonic() + WAITED
    while not (ended := os.waitpid(child, os.WNOHANG if limit else 0))[0]:
        if time.monotonic() > end:
            if _worked(child) < worked + IDLE:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return LATE
            worked, end = _worked(child), time.monotonic() + WAITED
        time.sleep(0.02)
    return os.waitstatus_to_exitcode(ended[1])


def _worked(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _afresh(tests: Sequence[str], limit: float) -> int:
    """Run in a process that imports the fault; at most `MOST`."""
    command = [sys.executable, "-m", "pytest", *OPTIONS, "-x", *tests[:MOST]]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, stdout=quiet, stderr=quiet, start_new_session=True, env=ENVIRONMENT
    ) as run:
        try:
            return run.wait(limit + WAITED)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return LATE


def main() -> None:
    modules = sorted({fault["module"] for fault in json.loads(FAULTS.read_text())["faults"]})
    measured = coverage.Coverage(data_file=".reached", include=modules)
    trial = Trial(measured, fingerprint([*modules, *sys.argv[1:]]))
    measured.start()
    raise SystemExit(pytest.main([*OPTIONS, *sys.argv[1:]], plugins=[trial]))


if __name__ == "__main__":
    main()
