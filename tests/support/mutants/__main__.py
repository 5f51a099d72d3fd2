"""`make mutants`: one small fault after the other is put into the program, to find those that no test notices.

The faults are tried in a copy of the project; it and the results are in `mutants/`. First it is measured which test
reaches which line; then those that reach a fault are run, in a process of their own for each.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from tests.support.mutants.faults import Fault, faults
from tests.support.mutants.reach import OPTIONS, REACHED, Reach

COPIED = ("engine", "tests", "bot", "render", "storage", "benchmarks", "docs")
SLOWER, GRACE = 4, 60
"""With a fault tests may take this many times as long, and N seconds more."""
FITTING = {
    "engine": ("tests/titles", "tests/engine", "tests/golden", "tests/properties/test_best_routes.py"),
    "engine/orders": ("tests/engine/orders", "tests/bot/orders"),
    "engine/interchange": ("tests/engine/interchange", "tests/golden/test_earlier_games.py"),
    "engine/caretaker": ("tests/engine/caretaker", "tests/bot/orders"),
    "render": ("tests/render",),
    "storage": ("tests/storage",),
    "bot": ("tests/bot",),
    "bot/client/entry": ("tests/bot/entry",),
    "bot/client/places": ("tests/bot/places",),
    "bot/client/requests": ("tests/bot/entry", "tests/bot/posts"),
    "bot/client/thread": ("tests/bot/posts", "tests/bot/thread"),
    "bot/sandbox": ("tests/bot/sandbox",),
    "bot/table/clocks": ("tests/bot/clocks",),
    "bot/table/moves": ("tests/bot/moves", "tests/bot/entry", "tests/bot/workers"),
    "bot/table/orders": ("tests/bot/orders",),
    "bot/table/outbox": ("tests/bot/posts",),
    "bot/table/past": ("tests/bot/past", "tests/bot/seats"),
    "bot/table/settings": ("tests/bot/seats", "tests/bot/clocks", "tests/bot/pings"),
    "bot/table/votes": ("tests/bot/seats", "tests/bot/undo"),
    "bot/tools": ("tests/cli", "tests/bot/running"),
    "bot/web": ("tests/bot/web",),
    "bot/workers": ("tests/bot/workers",),
}
"""Tests of a package: those of the smallest that has a line here."""
LEFT_OUT = (
    "tests/engine/tell/test_words.py",
    "tests/bot/past/test_recorded_titles.py",
    "tests/bot/past/test_c2c_recorded.py",
)
"""Whole games reach everything and take longer than all other tests together; the test of words reads the source."""


def main() -> None:
    """Make the faults, try them, print how many are noticed in each module, and keep those that are not."""
    options = _options()
    modules = [module for path in options.only for module in _modules(path)]
    made = [fault for module in modules for fault in faults(module, options.sample, options.seed)]
    _copy(options.out)
    _measure(options.out, {fault.module for fault in made}, options.tests or _fitting(options.only))
    reach = Reach(*json.loads((options.out / REACHED).read_text()))
    results = []
    for number, fault in enumerate(made, 1):
        results.append(_tried(options.out, fault, reach))
        print(f"{number} of {len(made)}: {fault.module}:{fault.ranges[0][0]} {results[-1]}", flush=True)
    _report(made, results, options.out / "survivors.txt")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", default=["engine"], help="modules or packages, as engine/market")
    parser.add_argument("--sample", type=int, default=0, help="at most so many faults a module; 0: all")
    parser.add_argument("--seed", type=int, default=1830, help="chooses the sample")
    parser.add_argument("--tests", nargs="+", help="folders of tests, in place of those that fit the modules")
    parser.add_argument("--out", type=Path, default=Path("mutants"), help="where copy and results are kept")
    return parser.parse_args()


def _modules(path: str) -> list[Path]:
    if Path(path).is_dir():
        return sorted(Path(path).rglob("*.py"))
    found = Path(path).with_suffix(".py")
    if not found.is_file():
        raise SystemExit(f"There is no {path}.")
    return [found]


def _fitting(only: Sequence[str]) -> list[str]:
    return sorted({folder for path in only for folder in FITTING[_package(Path(path))]})


def _package(path: Path) -> str:
    return next(str(place) for place in (path, *path.parents) if str(place) in FITTING)


def _copy(out: Path) -> None:
    for name in COPIED:
        shutil.rmtree(out / name, ignore_errors=True)
        shutil.copytree(name, out / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy2("pyproject.toml", out)


def _measure(out: Path, modules: Collection[str], folders: Sequence[str]) -> None:
    """Tests on a database server notice more than the same tests on a file in storage alone."""
    chosen = () if any(module.startswith("storage/") for module in modules) else ("-knot postgres",)
    ignored = [f"--ignore={path}" for path in LEFT_OUT]
    command = ["tests.support.mutants.reach", *sorted(modules), "--pytest", *chosen, *ignored, *folders]
    subprocess.run([sys.executable, "-m", *command], cwd=out, env=_environment(out), check=True)


def _environment(out: Path) -> dict[str, str]:
    """Nothing is compiled that could be taken for another fault."""
    return os.environ | {"PYTHONPATH": str(out.resolve()), "PYTHONDONTWRITEBYTECODE": "1"}


def _tried(out: Path, fault: Fault, reach: Reach) -> str:
    """What became of a fault in the copy."""
    tests, path = reach.tests(fault), out / fault.module
    if not tests:
        return "reached by no test"
    was = path.read_text("utf-8")
    path.write_text(fault.source, "utf-8")
    command, quiet = [sys.executable, "-m", "pytest", *OPTIONS, "-x", *tests], subprocess.DEVNULL
    limit = GRACE + SLOWER * sum(reach.seconds[test] for test in tests)
    with subprocess.Popen(
        command, cwd=out, env=_environment(out), stdout=quiet, stderr=quiet, start_new_session=True
    ) as run:
        try:
            return "noticed" if run.wait(limit) else "not noticed"
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return "timeout"
        finally:
            path.write_text(was, "utf-8")


def _report(made: Sequence[Fault], results: Sequence[str], survivors: Path) -> None:
    tried, noticed, missed = Counter[str](), Counter[str](), list[str]()
    for fault, result in zip(made, results, strict=True):
        tried.update([fault.module, "all"])
        if result in ("noticed", "timeout"):
            noticed.update([fault.module, "all"])
        else:
            place = f"{fault.module}:{fault.ranges[0][0]}"
            missed.append(f"{place} {result}\n-{fault.was}\n+{fault.became}\n")
    survivors.write_text("\n".join(missed), "utf-8")
    print()
    for module in sorted(tried, key=lambda name: (name == "all", name)):
        share = noticed[module] / tried[module]
        print(f"{module:44} {noticed[module]:5} of {tried[module]:5} noticed {share:6.1%}")
    print(f"Those that were not: {survivors.resolve()}")


if __name__ == "__main__":
    main()
