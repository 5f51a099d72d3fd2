"""Damage to files of JSON: one place anywhere in it is changed, taken away or doubled."""

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any, Final

ODD: Final[tuple[Any, ...]] = (
    None, True, 0, -1, 3.5, 10**30, -(10**400), float("inf"), float("nan"), "", "x", "p1", "²", "1" * 5000, "\u0000",
    [], {}, [[]], [None], ["x"], {"x": 1}, [["p1", "Ann"]], "bank", "offering", "B&O", 2**63,
)  # fmt: skip


def damaged(content: Any, seed: int) -> str:
    """The content as JSON text, with one damage that depends on the seed."""
    random = Random(seed)
    whole = deepcopy(content)
    holder, key = random.choice(list(_places(whole)))
    match random.randrange(4):
        case 0 if isinstance(holder, dict):
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.append(deepcopy(holder[key]))
        case 2 if isinstance(holder, list):
            del holder[key:]
        case _:
            holder[key] = deepcopy(random.choice(ODD))
    return json.dumps(whole)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a container, those nearer to the top not drowned in the others."""
    ahead = [value]
    for found in ahead:
        keys = range(len(found)) if isinstance(found, list) else list(found)
        yield from ((found, key) for key in keys)
        ahead.extend(found[key] for key in keys if isinstance(found[key], list | dict))
