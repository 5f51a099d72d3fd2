"""Small logs as 18xx.games writes them."""

import json
from collections.abc import Sequence
from typing import Any

from engine.core.errors import ReplayDiverged
from engine.interchange import ReplayResult, read_log, replay
from engine.interchange.log_replay import ReplayWatcher

RawAction = dict[str, Any]


def by(kind: str, entity: str | int, **values: Any) -> RawAction:
    return {"type": kind, "entity": entity, **values}


def passes(entity: str | int) -> RawAction:
    return by("pass", entity)


def pars(entity: int, company: str, price: int) -> RawAction:
    return by("par", entity, corporation=company, share_price=f"{price},0,0")


def buys(entity: int, private: str, price: int) -> RawAction:
    return by("bid", entity, company=private, price=price)


def runs(company: str, *connections: list[str]) -> RawAction:
    """A run of a company's first train; none without connections."""
    routes = [{"train": "2-0", "connections": [*connections]}] if connections else []
    return by("run_routes", company, routes=routes)


AUCTION: Sequence[RawAction] = (
    *(buys(1, "D&R", 20), buys(2, "C-P", 40), buys(3, "B&S", 50)),
    *(buys(1, "C&OC", 80), buys(2, "B&OR", 100), buys(3, "CV", 200)),
    pars(3, "PRR", 80),
)
"""Every private at its face value; player 1 begins the stock round."""


def lays(entity: str, coord: str, tile: str, rotation: int) -> RawAction:
    """A tile with its number among those of its kind, as in `6-0`."""
    return by("lay_tile", entity, hex=coord, tile=tile, rotation=rotation)


GRANITE_SEED = 23907952
"""The GR is among the minors of 18NewEngland that are drawn."""
GRANITE: Sequence[RawAction] = (
    *(pars(1, "GR", 50), passes(2), passes(3), passes(3), passes(2), pars(1, "GR", 50)),
    *(passes(1), passes(2), passes(3)),
)
"""Of three players one starts the GR, the only company: its first turn begins."""
MINORS_SEED = 73885


def minor(entity: int, name: str, space: str = "70,0,7") -> RawAction:
    """A minor reserved, or started by the player who has reserved it."""
    return by("par", entity, corporation=name, share_price=space)


def log_of(*actions: RawAction, title: str = "18Chesapeake", seed: int = 3) -> str:
    log = {
        "title": title,
        "players": [{"id": number, "name": f"Player {number}"} for number in (1, 2, 3)],
        "settings": {"seed": seed},
        "actions": [{"id": number, **action} for number, action in enumerate(actions, 1)],
    }
    return json.dumps(log)


def outcome(*actions: RawAction, watch: ReplayWatcher | None = None) -> ReplayResult:
    return replay(read_log(log_of(*AUCTION, *actions)), watcher=watch)


def stopped(*actions: RawAction) -> ReplayDiverged:
    found = outcome(*actions).problem
    assert isinstance(found, ReplayDiverged)
    return found


def draft(*actions: RawAction) -> ReplayResult:
    """A log of 18NewEngland from the first action on, replayed."""
    found = replay(read_log(log_of(*actions, title="18NewEngland", seed=MINORS_SEED)))
    assert found.problem is None
    return found
