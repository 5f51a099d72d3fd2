"""What the engine and the second statement of 18NewEngland say of a position, in the same plain words."""

from collections.abc import Callable, Iterator
from typing import Any

from engine.core.actions import Action
from engine.core.ids import MARKET, OFFERING
from engine.core.offers import IntRange, OfferCursor
from engine.core.state import Company
from engine.core.state import Draft as DraftState
from engine.game import Game
from tests.referees.newengland.draft import Draft, Move
from tests.referees.newengland.mergers import MergerRound
from tests.referees.newengland.model import HOMES, MAJORS, ROW, Space
from tests.referees.newengland.rounds import Play
from tests.referees.newengland.stock import StockRound
from tests.referees.newengland.turn import OperatingRound
from tests.referees.walk import (
    Position,
    shares_said,
    shares_seen,
    stacks,
    stands,
    table_said,
    table_seen,
)
from tests.support.legal_values import legal_values

ENGINE_SOURCES = {OFFERING: "offering", MARKET: "pool"}


# --- the engine's position --------------------------------------------------------------------------------------------


def seen(game: Game) -> Position:
    state = game.table.state
    seats = {player.id: number for number, player in enumerate(state.players)}
    companies = state.companies
    spaces = [c.cell for c in companies.values() if c.cell is not None and c.cell[0] < 2] + state.flipped
    found = table_seen(game) | {
        "out": [player.bankrupt for player in state.players],
        "spaces": sorted(_space(game, cell) for cell in spaces),
        "stacks": stacks((ROW[companies[n].cell[1]], n) for n in state.market if n in MAJORS),  # type: ignore[index]
    }
    reserved = state.round.reserved if isinstance(state.round, DraftState) else {}
    for name in HOMES:
        found[name] = _minor_seen(game, companies[name], seats, reserved)
    for name in MAJORS:
        found[name] = _major_seen(game, companies[name])
    return found


def _minor_seen(game: Game, minor: Company, seats: dict[str, int], reserved: dict[str, str]) -> Position:
    if minor.closed:
        return {"closed": True, "stands": stands(game, minor.id)}
    return {
        "closed": False,
        "reserved": seats[reserved[minor.id]] if minor.id in reserved else None,
        "owner": seats[minor.president] if minor.president else None,
        "space": _space(game, minor.cell) if minor.cell else None,
        "cash": minor.cash,
        "trains": sorted(minor.runnable_trains),
        "stands": stands(game, minor.id),
    }


def _major_seen(game: Game, major: Company) -> Position:
    if major.closed or not major.is_started:
        return {"closed": major.closed, "stands": stands(game, major.id)}
    assert major.cell is not None
    return shares_seen(game, major) | {
        "closed": False,
        "par": major.par,
        "price": ROW[major.cell[1]],
        "redeemed": major.shares.get(major.treasury, 0) // 10,
        "trains": sorted(major.runnable_trains),
        "stations": major.tokens,
    }


def _space(game: Game, cell: tuple[int, int]) -> Space:
    return game.table.grid.price(cell), cell[0]


# --- the second statement's position ----------------------------------------------------------------------------------


def said(play: Play) -> Position:
    world = play.world
    found = table_said(world) | {
        "out": [seat.out for seat in world.seats],
        "priority": world.first,
        "spaces": sorted(world.used),
        "stacks": stacks((world.majors[name].price, name) for name in world.row),
    }
    for minor in world.minors.values():
        found[minor.name] = {"closed": minor.closed, "stands": sorted(minor.stands)}
        if not minor.closed:
            found[minor.name] |= {
                "reserved": minor.reserved,
                "owner": minor.owner,
                "space": minor.space,
                "cash": minor.cash,
                "trains": sorted(minor.trains),
            }
    for major in world.majors.values():
        found[major.name] = {"closed": major.closed, "stands": sorted(major.stands)}
        if major.running:
            found[major.name] |= shares_said(major) | {
                "par": major.par,
                "price": major.price,
                "redeemed": major.redeemed,
                "trains": sorted(major.trains),
                "stations": major.stations,
            }
    return found


def due(play: Play) -> tuple[Any, ...]:
    match play.round:
        case Draft():
            return ("draft", play.player)
        case StockRound():
            return ("trade", play.set, play.player)
        case OperatingRound() as round_:
            company = round_.crowded or round_.now.company
            return (round_.step, play.set, play.number, company.name, play.player)
        case MergerRound() as merger:
            step = "return_token" if merger.station_due else "merge_shares" if merger.made else "merge"
            return (step, play.set, play.number, merger.made or merger.waiting[0], play.player)


# --- what may be done -------------------------------------------------------------------------------------------------


def offered(game: Game, kinds: set[str]) -> set[Move]:
    return {
        READERS[offer.kind](offer.entity, chosen)
        for offer in game.offers()
        if offer.kind in kinds
        for chosen in walk(OfferCursor(offer))
    }


def walk(here: OfferCursor) -> Iterator[dict[str, Any]]:
    """Every way to fill an offer; a price that may be chosen freely is its least and its highest value."""
    if here.slot is None:
        yield dict(here.chosen)
    elif isinstance(here.domain, IntRange):
        yield {**here.chosen, here.slot.name: here.domain.low, "most": here.domain.high}
    else:
        for value in legal_values(here.domain):
            yield from walk(here.pick(value))


def done(action: Action) -> Move:
    return READERS[action.kind](action.entity, action.chosen())


def amounts(chosen: dict[str, Any], name: str) -> tuple[int, ...]:
    """An amount that was chosen, or its least and its highest."""
    return (chosen[name], chosen["most"]) if "most" in chosen else (chosen[name],)


READERS: dict[str, Callable[[str, dict[str, Any]], Move]] = {
    "reserve": lambda entity, c: ("reserve", c["company"]),
    "start_minor": lambda entity, c: ("start", c["company"], c["value"], int(c["space"] == "bottom")),
    "buy_share": lambda entity, c: ("buy", c["company"], ENGINE_SOURCES.get(c["source"], "treasury")),
    "sell_shares": lambda entity, c: ("sell", c["company"], c["shares"]),
    "dividend": lambda entity, c: ("dividend", c["option"]),
    "buy_train": lambda entity, c: ("train", c["train"], c["source"], *amounts(c, "price")),
    "discard_train": lambda entity, c: ("discard", entity, c["train"]),
    "declare_bankruptcy": lambda entity, c: ("bankrupt",),
    "redeem": lambda entity, c: ("redeem", entity, c["shares"]),
    "issue": lambda entity, c: ("issue", entity, c["offering"], c["treasury"]),
    "liquidate": lambda entity, c: ("liquidate",),
    "convert": lambda entity, c: ("convert", entity, c["major"]),
    "merge": lambda entity, c: ("merge", entity, c["partner"], c["major"]),
    "return_token": lambda entity, c: ("take_back", entity),
}
