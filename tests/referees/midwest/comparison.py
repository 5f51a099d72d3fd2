"""What the engine and the second statement of 1846 say of a position, in the same plain words."""

from collections.abc import Callable
from typing import Any

from engine.core.ids import MARKET
from engine.core.offers import OfferCursor
from engine.game import Game
from tests.referees.classic import comparison as classic
from tests.referees.classic.model import Move
from tests.referees.midwest.model import INDEPENDENTS, T1846, Midwest
from tests.referees.walk import Position

LEFT_OUT = {"lay_tile", "place_token", "run_routes", "end_game", "answer"}
SHARED = {"president", "shares", "offering", "pool", "marks", "par", "floated"}
"""Facts that a company in the game has alone."""


def seen(game: Game) -> Position:
    state, grid = game.table.state, game.table.grid
    found = classic.seen(game)
    found["out"] = [player.bankrupt for player in state.players]
    found["market"] = [
        (name, grid.price(cell)) for name in state.market if (cell := state.companies[name].cell)
    ]
    for name, company in state.companies.items():
        found[name]["offering"] = company.percent(company.treasury) // 10
        found[name]["marks"] = {name: coord for name, coord in company.markers.items() if coord}
        found[name]["operated"] = company.operated
        found[name]["closed"] = company.closed
    return _plain(found)


def said(world: Midwest) -> Position:
    found = classic.said(world)
    found["out"] = [seat in world.out for seat in range(len(world.seats))]
    found["market"] = [(name, world.price(world.corporations[name])) for name in world.row]
    for name, line in world.corporations.items():
        found[name]["marks"] = line.bonuses
        found[name]["operated"] = line.operated
        found[name]["closed"] = line.closed
    return _plain(found)


def _plain(found: Position) -> Position:
    """Each fact by itself; what no longer matters of a closed company, and never of an independent, is left out."""
    plain: Position = {}
    for name, facts in found.items():
        if name not in T1846.homes:
            plain[name] = facts
            continue
        shared = SHARED if facts["closed"] or name in INDEPENDENTS else set()
        plain |= {f"{fact} of {name}": value for fact, value in facts.items() if fact not in shared}
    return plain


def offered(game: Game) -> set[Move]:
    return {
        read(offer.kind, offer.entity, chosen)
        for offer in game.offers()
        if offer.kind not in LEFT_OUT
        for chosen in classic.walk(OfferCursor(offer))
    }


def read(kind: str, entity: str, chosen: dict[str, Any]) -> Move:
    return READERS[kind](entity, chosen)


READERS: dict[str, Callable[[str, dict[str, Any]], Move]] = {
    **classic.READERS,
    "bid": lambda entity, c: ("take", c["private"], c["amount"]),
    "buy_share": lambda entity, c: (*("buy", c["company"]), "pool" if c["source"] == MARKET else "treasury"),
    "issue": lambda entity, c: ("issue", entity, c["offering"] + c["treasury"]),
    "redeem": lambda entity, c: ("redeem", entity, c["shares"]),
    "place_marker": lambda entity, c: ("mark", entity, c["hex"]),
    "give_marker": lambda entity, c: ("give", c["company"]),
}
