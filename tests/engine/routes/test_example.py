"""The page about the search: the constants of its table."""

import re
from pathlib import Path

from engine.routes import graph, pricing, search, several_trains

PAGE = Path(search.__file__).with_name("README.md")


def test_constants_of_the_page() -> None:
    shown = dict(re.findall(r"^\| `(\w+\.\w+)` \| ([\d.]+) \|", PAGE.read_text(), re.MULTILINE))
    kept = {
        f"{module.__name__.rpartition('.')[2]}.{name}": str(value)
        for module in (search, several_trains, graph, pricing)
        for name, value in vars(module).items()
        if re.fullmatch(r"_?[A-Z][A-Z_]+", name) and isinstance(value, int | float)
    }
    apart = ("_PER_WORK_UNIT", ".PROHIBITIVE_PRICE", "._NO_TRAIN", ".DEAD_NODE", ".DONE_NODE")
    assert shown == {key: value for key, value in kept.items() if not key.endswith(apart)}
