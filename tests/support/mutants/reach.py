"""Which tests reach which lines, and how long each takes: run in a copy of the project, with modules and `--pytest` ...

Writes `reached.json`.
"""

import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import coverage
import pytest

from tests.support.mutants.faults import Fault

OPTIONS = ("-n0", "-q", "-pno:cacheprovider", "--boards=60", "--anew", "--basetemp=.tmp")
REACHED = Path("reached.json")
ENOUGH = 10.0
"""Seconds that the tests of a fault may take, of which the fastest are run."""
NAMED = re.compile(r"(\w+)(: [^=]+)? = ")
"""A value of a module, with its name."""


class Measuring:
    """A plugin that notes what each test reaches that passes, and its seconds."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self._measured = measured
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._measured.switch_context(item.nodeid)
        begun = time.monotonic()
        self.seconds[item.nodeid] = 0.0
        result = yield
        if item.nodeid in self.seconds:
            self.seconds[item.nodeid] = time.monotonic() - begun
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.seconds.pop(report.nodeid, None)


class Reach(NamedTuple):
    """By module and line the tests that reach it, and the seconds of each test."""

    lines: dict[str, dict[str, list[str]]]
    seconds: dict[str, float]

    def tests(self, fault: Fault) -> list[str]:
        """Tests that reach a fault, the fastest first; of one that is reached in no test, such as read its name.

        Where nothing reads it, such as reach anything in its module; of one that is only imported, any.
        """
        lines = self.lines.get(fault.module, {})
        places = [range(first, last + 1) for first, last in fault.ranges]
        for place in (*places, _reading(fault), map(int, lines)):
            found = {test for line in place for test in lines.get(str(line), ()) if test in self.seconds}
            if found:
                return [*self._first(found)]
        return [*self._first(set(self.seconds))]

    def _first(self, tests: set[str]) -> Iterator[str]:
        spent = 0.0
        for number, test in enumerate(sorted(tests, key=lambda name: (self.seconds[name], name))):
            spent += self.seconds[test]
            if number and spent > ENOUGH:
                break
            yield test


def _reading(fault: Fault) -> list[int]:
    """The lines of the module that read the value in whose place the fault stands."""
    source = fault.source.splitlines()
    name = NAMED.match(source[fault.ranges[-1][0] - 1])
    read = re.compile(rf"\b{name[1]}\b" if name else "$^")
    return [number for number, line in enumerate(source, 1) if read.search(line)]


def main(modules: list[str], options: list[str]) -> None:
    measured = coverage.Coverage(data_file=".reached", include=modules)
    measuring = Measuring(measured)
    measured.start()
    pytest.main([*OPTIONS, *options], plugins=[measuring])
    measured.stop()
    data, here = measured.get_data(), Path.cwd()
    lines = {
        str(Path(path).relative_to(here)): data.contexts_by_lineno(path) for path in data.measured_files()
    }
    REACHED.write_text(json.dumps([lines, measuring.seconds]))


if __name__ == "__main__":
    between = sys.argv.index("--pytest")
    main(sys.argv[1:between], sys.argv[between + 1 :])
