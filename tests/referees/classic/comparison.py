"""What the engine and the second statement of the classic game say of a position, in the same plain words."""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from engine.core.ids import MARKET, OFFERING
from engine.core.offers import Domain, IntRange, OfferCursor
from engine.core.state import Company
from engine.game import Game
from tests.referees.classic.model import Corporation, Move, World
from tests.referees.classic.money import Ranges
from tests.referees.walk import Position, shares_said, shares_seen, stacks, table_said, table_seen

SOURCES = {OFFERING: "offering", MARKET: "pool"}
FREE_AMOUNTS = {"price", "amount"}
"""Slots whose legal values are compared as ranges."""


# --- the engine's position --------------------------------------------------------------------------------------------


def seen(game: Game) -> Position:
    state = game.table.state
    seats = {player.id: number for number, player in enumerate(state.players)}
    found = table_seen(game) | {
        "priority": 0 if state.round.kind == "auction" else state.priority,
        "tiles": dict(game.table.map.changes_in_play().tiles),
        "market": stacks((state.companies[name].cell, name) for name in state.market),
    }
    for name, private in state.privates.items():
        owner = seats.get(private.owner or "", private.owner)
        found[f"private {name}"] = "closed" if private.closed else (owner, private.power_used)
    for name, company in state.companies.items():
        found[name] = _company_seen(game, company)
    return found


def _company_seen(game: Game, company: Company) -> Position:
    return shares_seen(game, company) | {
        "par": company.par or 0,
        "floated": company.floated,
        "trains": sorted(company.trains),
        "retired": sorted(company.obsolete),
        "given": sorted(company.unsalable),
        "charter": company.tokens,
        "marks": sorted((*company.markers, *company.held)),
    }


# --- the second statement's position ----------------------------------------------------------------------------------


def said(world: World) -> Position:
    found = table_said(world) | {
        "tiles": world.tiles,
        "market": stacks((world.corporations[name].at, name) for name in world.row),
    }
    for private in world.privates.values():
        found[f"private {private.name}"] = "closed" if private.closed else (private.owner, private.spent)
    for corporation in world.corporations.values():
        found[corporation.name] = _said(corporation)
    return found


def _said(corporation: Corporation) -> Position:
    return shares_said(corporation) | {
        "par": corporation.par,
        "floated": corporation.floated,
        "trains": sorted(corporation.trains),
        "retired": sorted(corporation.retired),
        "given": sorted(corporation.given),
        "charter": corporation.charter,
        "marks": sorted(corporation.marks),
    }


# --- what may be done -------------------------------------------------------------------------------------------------

MAP_KINDS = {"lay_tile", "place_token", "return_token", "run_routes"}
LEFT_OUT = MAP_KINDS | {"end_game", "answer"}


def offered(game: Game) -> set[Move]:
    return {
        move(game, offer.kind, offer.entity, chosen)
        for offer in game.offers()
        if offer.kind not in LEFT_OUT
        for chosen in walk(OfferCursor(offer))
    }


def walk(here: OfferCursor) -> Iterator[dict[str, Any]]:
    """Every way to fill an offer; an amount that may be chosen freely is the ranges of its legal values."""
    if here.slot is None:
        yield dict(here.chosen)
    elif here.slot.name in FREE_AMOUNTS and here.offer.kind != "par":
        yield {**here.chosen, here.slot.name: _ranges(here.domain)}
    else:
        for way in here.next_cursors():
            yield from walk(way)


def _ranges(domain: Domain) -> Ranges:
    if isinstance(domain, IntRange) and domain.step == 1:
        return ((domain.low, domain.high),)
    values = enumerate(sorted(domain.values()))
    rows = [[value for _, value in row] for _, row in groupby(values, lambda pair: pair[1] - pair[0])]
    return tuple((row[0], row[-1]) for row in rows)


def move(game: Game, kind: str, entity: str, chosen: dict[str, Any]) -> Move:
    if kind == "bid":
        return _bid(game, chosen)
    return READERS[kind](entity, chosen)


def _bid(game: Game, chosen: dict[str, Any]) -> Move:
    """The cheapest is bought, unless it is fought for."""
    unsold = [p for p, private in game.table.state.privates.items() if not (private.owner or private.closed)]
    if game.table.auction.contested is None and chosen["private"] == unsold[0]:
        return ("take", chosen["private"])
    return ("bid", chosen["private"], chosen["amount"])


READERS: dict[str, Callable[[str, dict[str, Any]], Move]] = {
    "pass": lambda entity, c: ("pass",),
    "par": lambda entity, c: ("par", c["company"], c["price"]),
    "buy_share": lambda entity, c: ("buy", c["company"], SOURCES[c["source"]]),
    "sell_shares": lambda entity, c: ("sell", c["company"], c["shares"]),
    "buy_private": lambda entity, c: ("private", c["private"], c["price"]),
    "exchange_private": lambda entity, c: ("exchange", entity, SOURCES[c["source"]]),
    "dividend": lambda entity, c: ("dividend", c["option"]),
    "buy_train": lambda entity, c: ("train", c["train"], c["source"], c["trade_in"], c["price"]),
    "discard_train": lambda entity, c: ("discard", entity, c["train"]),
    "declare_bankruptcy": lambda entity, c: ("bankrupt",),
}
