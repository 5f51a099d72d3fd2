"""Events in games of 18C2C, by names that can be counted."""

from collections import Counter
from collections.abc import Iterable, Iterator

from engine.core.actions import Action
from engine.core.events import Event
from engine.core.events.company_events import (
    BullPlaced,
    CoastsJoined,
    DestinationReached,
    GivenUp,
    MarkerBought,
    NationalFormed,
    NoNational,
    Paid,
    PrivateSold,
    Relabelled,
    Shuffled,
    TileLaid,
    TrainBought,
    TrainDiscarded,
    United,
)
from engine.core.events.table_events import (
    CompanyClosed,
    GameOver,
    PresidentChanged,
    PriceReduced,
    PrivateRemoved,
    Privatized,
    ProposalEnded,
    Redeemed,
    Reissued,
    TokensBought,
    TokensReceived,
)
from engine.game import Game

NAMES: dict[type, str] = {
    Shuffled: "shuffled",
    CoastsJoined: "run proven between the coasts",
    GivenUp: "given up",
    MarkerBought: "marker bought",
    NoNational: "national not formed",
    PresidentChanged: "president changed",
    PriceReduced: "packet cheaper",
    PrivateSold: "private sold",
    Relabelled: "city relabelled",
    CompanyClosed: "closed",
    PrivateRemoved: "removed",
    Privatized: "privatized",
    Reissued: "reissued",
    TokensReceived: "tokens received",
    TrainDiscarded: "discarded",
    BullPlaced: "bull placed",
}


def counted(game: Game, actions: Iterable[Action]) -> Counter[str]:
    seen: Counter[str] = Counter()
    for action in actions:
        seen[action.kind] += 1
        seen.update(name for event in game.apply(action) for name in _names(action, event))
    return seen


def _names(action: Action, event: Event) -> Iterator[str]:
    if (name := NAMES.get(type(event))) is not None:
        yield name
    yield from _of_track(event)
    yield from _of_shares(event)
    yield from _of_companies(action, event)


def _of_track(event: Event) -> Iterable[str]:
    match event:
        case BullPlaced(beside=True):
            return ("bull in a full city",)
        case DestinationReached():
            beside = ("destination in an extra place",) if event.beside else ()
            merged = ("destination of a merged corporation",) if event.of != event.company else ()
            return ("destination reached", *beside, *merged)
        case TileLaid() if event.private:
            return ("private used for a lay",)
    return ()


def _of_shares(event: Event) -> Iterable[str]:
    match event:
        case Redeemed():
            return (
                "redeemed",
                "redeemed from the pool" if event.source == "market" else "redeemed by consent",
            )
        case TokensBought() if event.bulls:
            return ("bull received",)
        case Paid() if event.new < event.old and event.old == 500:
            return ("price beyond 500",)
    return ()


def _of_companies(action: Action, event: Event) -> Iterable[str]:
    match event:
        case United():
            return ("united", "united by consent" if action.kind == "answer" else "united by one president")
        case ProposalEnded() if event.action.kind == "propose_merger":
            return ("merger refused",)
        case NationalFormed():
            return (f"{event.company} formed", *(("twenty shares",) if event.percent == 5 else ()))
        case TrainBought() if event.contribution:
            return ("forced purchase",)
        case GameOver():
            return (f"ended by {event.reason}",)
    return ()
