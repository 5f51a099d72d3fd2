"""What the engine and the second statement of 18C2C say of a position, in the same plain words."""

from collections.abc import Callable, Iterator
from typing import Any

from engine.core.ids import MARKET, OFFERING, REISSUED
from engine.core.offers import OfferCursor
from engine.core.state import Company
from engine.game import Game
from tests.referees.c2c.model import Corporation, World
from tests.referees.c2c.packet import Move
from tests.referees.c2c.printed import HOMES
from tests.referees.newengland.comparison import amounts, walk
from tests.referees.walk import Position, shares_said, shares_seen, stands, table_said, table_seen

SOURCES = {OFFERING: "offering", MARKET: "pool", REISSUED: "pile"}


# --- the engine's position --------------------------------------------------------------------------------------------


def seen(game: Game) -> Position:
    state = game.table.state
    seats = {player.id: number for number, player in enumerate(state.players)}
    found = table_seen(game) | {
        "market": [(name, state.companies[name].cell) for name in state.market],
        "markers": sum(supply.left for supply in state.supplies.values()) if state.supplies else None,
    }
    for name, private in state.privates.items():
        owner = seats.get(private.owner or "", private.owner)
        found[name] = "gone" if private.closed else owner
    for name, company in state.companies.items():
        found[name] = (
            _company_seen(game, company) if company.is_started and not company.closed else company.closed
        )
    return found


def _company_seen(game: Game, company: Company) -> Position:
    extra = company.extra
    home_due = company.floated and not company.operated and not stands(game, company.id)
    return shares_seen(game, company) | {
        "par": company.par,
        "price": game.table.price(company),
        "piles": list(company.reissue_prices),
        "redeemed": company.percent(company.treasury) // company.share,
        "trains": sorted(company.runnable_trains),
        "charter": len(company.tokens) - home_due if company.floated else 0,
        "goals": sorted(HOMES[name] for name in extra.reserved) if extra else [],
        "bulls": extra.bulls if extra else 0,
        "engineers": sum(company.held.values()),
    }


# --- the second statement's position ----------------------------------------------------------------------------------


def said(world: World, game: Game) -> Position:
    found = table_said(world) | {
        "market": [(name, _cell(world.corporations[name])) for name in world.row],
        "markers": world.markers if game.table.state.supplies else None,
    }
    for private in world.privates.values():
        found[private.name] = "gone" if private.gone else private.owner
    for corporation in world.corporations.values():
        found[corporation.name] = _said(corporation) if corporation.open else corporation.closed
    return found


def _cell(corporation: Corporation) -> tuple[int, int]:
    assert corporation.at is not None
    return corporation.at[0] - 1, corporation.at[1] - 1


def _said(corporation: Corporation) -> Position:
    return shares_said(corporation) | {
        "par": corporation.par,
        "price": corporation.price,
        "piles": corporation.piles,
        "redeemed": corporation.redeemed,
        "trains": sorted(corporation.trains),
        "charter": corporation.charter,
        "goals": sorted(home for home, _ in corporation.goals),
        "bulls": corporation.bulls,
        "engineers": corporation.markers,
    }


# --- what may be done -------------------------------------------------------------------------------------------------


def offered(game: Game, kinds: set[str]) -> set[Move]:
    found = {
        move(game, offer.kind, offer.entity, chosen)
        for offer in game.offers()
        if offer.kind in kinds
        for chosen in walk(OfferCursor(offer))
    }
    return {way[:4] if way[0] == "deal" else way for way in found}


def move(game: Game, kind: str, entity: str, chosen: dict[str, Any]) -> Move:
    if kind in ("buy_private", "sell_private"):
        return _private(game, kind, entity, chosen)
    if kind == "bid":
        return _bid(game, chosen)
    reader: Callable[[Game, str, dict[str, Any]], Move] = READERS[kind]
    return reader(game, entity, chosen)


def _bid(game: Game, chosen: dict[str, Any]) -> Move:
    """On top a private is bought, unless it is fought for."""
    auction = game.table.auction
    name = str(chosen["private"])
    column = [p for p in game.table.spec.privates if _unsold(game, p)]
    if auction.contested is None and name == column[0]:
        return ("take", name)
    return ("bid", name, *amounts(chosen, "amount"))


def _unsold(game: Game, name: str) -> bool:
    private = game.table.state.privates[name]
    return private.owner is None and not private.closed


def _private(game: Game, kind: str, entity: str, chosen: dict[str, Any]) -> Move:
    seats = _seats(game)
    name = str(chosen["private"])
    dollars = amounts(chosen, "price")
    if entity not in seats:
        return ("private", name, *dollars)
    owner = seats[game.table.state.privates[name].owner or ""]
    buyer = seats[entity] if kind == "buy_private" else seats[chosen["buyer"]]
    return ("deal", name, owner, buyer, *dollars)


def _seats(game: Game) -> dict[str, int]:
    return {player: number for number, (player, _) in enumerate(game.players)}


def _who(game: Game, holder: str) -> int | str:
    return _seats(game).get(holder, "pool" if holder == MARKET else holder)


def _tokens(game: Game, entity: str, chosen: dict[str, Any]) -> Move:
    prices = [] if chosen["tokens"] == "none" else chosen["tokens"].split("+")
    return ("tokens", entity, *(int(price) for price in prices))


READERS: dict[str, Callable[[Game, str, dict[str, Any]], Move]] = {
    "remove_private": lambda game, entity, c: ("eliminate", c["private"]),
    "par": lambda game, entity, c: ("start", c["company"], c["price"]),
    "buy_share": lambda game, entity, c: ("buy", c["company"], SOURCES[c["source"]]),
    "sell_shares": lambda game, entity, c: ("sell", c["company"], c["shares"]),
    "redeem_share": lambda game, entity, c: ("redeem", c.get("company", entity), _who(game, c["source"])),
    "reissue": lambda game, entity, c: ("reissue", c.get("company", entity)),
    "privatize": lambda game, entity, c: ("privatize", c["company"], _who(game, c["seller"])),
    "buy_tokens": _tokens,
    "dividend": lambda game, entity, c: ("dividend", c["option"]),
    "buy_train": lambda game, entity, c: ("train", c["train"], c["source"], *amounts(c, "price")),
    "discard_train": lambda game, entity, c: ("discard", entity, c["train"]),
    "declare_bankruptcy": lambda game, entity, c: ("bankrupt",),
    "buy_marker": lambda game, entity, c: ("marker", c["source"]),
    "close_private": lambda game, entity, c: ("close", entity),
    "propose_merger": lambda game, entity, c: ("merge", *sorted((c["company"], c["partner"]))),
}


def listed(game: Game, kind: str) -> Iterator[tuple[Any, ...]]:
    for offer in game.offers():
        if offer.kind == kind:
            yield from ((offer.entity, *chosen.values()) for chosen in walk(OfferCursor(offer)))
