"""Dependencies: whatever is imported is declared, so a bare machine gets it from `make test` alone."""

import re
import sys
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
OURS = {"bot", "engine", "render", "storage", "tests", "benchmarks"}
_OVERRIDES = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]["overrides"]
_IMPORT = re.compile(r"(?m)^ *(?:from|import) (\w+)(?:[\w.]*(?: import .*| as \w+)?)$")
SPARED = {
    name.removesuffix(".*")
    for override in _OVERRIDES
    if override.get("ignore_missing_imports")
    for name in override["module"]
}
"""Modules that the type check may miss: those of an extra that `make test` does not install."""


def test_every_import_is_declared() -> None:
    declared, givers = _installed("stationmaster", frozenset({"dev"})), packages_distributions()
    undeclared = {
        name
        for name in _imported() - set(sys.stdlib_module_names) - OURS - SPARED
        if declared.isdisjoint(canonicalize_name(giver) for giver in givers.get(name, ()))
    }
    assert undeclared == set()


def _imported() -> set[str]:
    """The topmost names of all modules that the sources import."""
    texts = (path.read_text("utf-8") for room in OURS for path in (ROOT / room).rglob("*.py"))
    return {name for text in texts for name in _IMPORT.findall(text)}


def _installed(project: str, extras: frozenset[str]) -> set[str]:
    """The distributions that an install of a project with these extras brings."""
    found, waiting = set[str](), {(project, extras)}
    while waiting:
        name, wanted = waiting.pop()
        found.add(name)
        for needed in map(Requirement, requires(name) or []):
            settings = [{"extra": extra} for extra in ("", *wanted)]
            if needed.marker is None or any(map(needed.marker.evaluate, settings)):
                step = (canonicalize_name(needed.name), frozenset(needed.extras))
                waiting |= {step} if needed.extras or step[0] not in found else set()
    return found
