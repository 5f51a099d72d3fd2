"""The front door of the rules: its example plays, and each of its names leads to what it says."""

import ast
import inspect
import textwrap
from pathlib import Path

import engine
from engine import Event


def test_front_door_example() -> None:
    lines = inspect.getdoc(engine)
    assert lines is not None
    example = [line for line in lines.splitlines() if line.startswith("    ")]
    there = {name: getattr(engine, name) for name in dir(engine)}
    exec(textwrap.dedent("\n".join(example)), there)
    assert len(there["moves"]) == 3
    assert all(isinstance(event, Event) for event in there["moves"])


def test_front_door_names() -> None:
    tree = ast.parse(Path(inspect.getfile(engine)).read_text(encoding="utf-8"))
    typed = next(node for node in tree.body if isinstance(node, ast.If))
    names = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in typed.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(names) == sorted(dir(engine))
    for name, home in names.items():
        module, _, own = home.rpartition(".")
        found = getattr(__import__(module, fromlist=[own]), own)
        assert getattr(engine, name) is found
