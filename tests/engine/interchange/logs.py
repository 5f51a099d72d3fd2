"""Small logs as 18xx.games writes them."""

import json
from collections.abc import Sequence
from typing import Any

from engine.interchange import ReplayEnd, read_log, replay

Raw = dict[str, Any]


def passes(entity: str | int) -> Raw:
    """A pass as the log has it."""
    return {"type": "pass", "entity": entity}


def pars(entity: int, company: str, price: int) -> Raw:
    """A company started by a player."""
    return {"type": "par", "entity": entity, "corporation": company, "share_price": f"{price},0,0"}


def buys(entity: int, private: str, price: int) -> Raw:
    """The cheapest private bought by a player."""
    return {"type": "bid", "entity": entity, "company": private, "price": price}


AUCTION: Sequence[Raw] = (
    *(buys(1, "D&R", 20), buys(2, "C-P", 40), buys(3, "B&S", 50)),
    *(buys(1, "C&OC", 80), buys(2, "B&OR", 100), buys(3, "CV", 200)),
    pars(3, "PRR", 80),
)
"""Every private at its face value; player 1 begins the stock round."""


def lays(entity: str, coord: str, tile: str, rotation: int) -> Raw:
    """A tile with its number among those of its kind, as in `6-0`."""
    return {"type": "lay_tile", "entity": entity, "hex": coord, "tile": tile, "rotation": rotation}


GRANITE_SEED = 23907952
"""The GR is among the minors of 18NewEngland that are drawn."""
GRANITE: Sequence[Raw] = (
    *(pars(1, "GR", 50), passes(2), passes(3), passes(3), passes(2), pars(1, "GR", 50)),
    *(passes(1), passes(2), passes(3)),
)
"""Of three players one starts the GR, the only company: its first turn begins."""


def outcome(*actions: Raw) -> ReplayEnd:
    """A log of three players after the auction and these actions, replayed."""
    log = {
        "title": "18Chesapeake",
        "players": [{"id": number, "name": f"Player {number}"} for number in (1, 2, 3)],
        "settings": {"seed": 3},
        "actions": [{"id": number, **action} for number, action in enumerate((*AUCTION, *actions), 1)],
    }
    return replay(read_log(json.dumps(log)))
