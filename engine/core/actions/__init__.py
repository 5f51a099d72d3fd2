"""What players choose: one frozen model per kind of action. Choices only, never costs or revenue.

`actor` is the player who decides, `entity` the player, company or private it is done for.
"""

from functools import cache
from typing import Annotated, Any, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError

from engine.core.actions.mergers import Convert, Liquidate, Merge, ProposeMerger, ReturnToken
from engine.core.actions.operating import (
    BuyMarker,
    ClosePrivate,
    Dividend,
    LayTile,
    PlaceBull,
    PlaceMarker,
    PlaceToken,
    ProveRun,
    RunRoutes,
)
from engine.core.actions.stock import (
    Bid,
    BuyShare,
    BuyTokens,
    ExchangePrivate,
    Issue,
    Par,
    Privatize,
    Redeem,
    RedeemShare,
    Reissue,
    RemovePrivate,
    Reserve,
    SellShares,
    StartMinor,
)
from engine.core.actions.table import Answer, BuyPrivate, EndGame, Pass, SellPrivate
from engine.core.actions.trains import BuyTrain, DeclareBankruptcy, DiscardTrain, Shuffle
from engine.core.errors import Unreadable
from engine.core.facts import fact
from engine.core.ids import EntityId, PlayerId

__all__ = [
    "Action",
    "Answer",
    "Bid",
    "BuyMarker",
    "BuyPrivate",
    "BuyShare",
    "BuyTokens",
    "BuyTrain",
    "ClosePrivate",
    "Convert",
    "DeclareBankruptcy",
    "DiscardTrain",
    "Dividend",
    "EndGame",
    "ExchangePrivate",
    "Issue",
    "LayTile",
    "Liquidate",
    "Merge",
    "Par",
    "Pass",
    "PlaceBull",
    "PlaceMarker",
    "PlaceToken",
    "Privatize",
    "ProposeMerger",
    "ProveRun",
    "Redeem",
    "RedeemShare",
    "Reissue",
    "RemovePrivate",
    "Reserve",
    "ReturnToken",
    "RunRoutes",
    "SellPrivate",
    "SellShares",
    "Shuffle",
    "StartMinor",
    "build_action",
    "read_action",
]

Action: TypeAlias = (
    Bid
    | RemovePrivate
    | Pass
    | Par
    | Reserve
    | StartMinor
    | BuyShare
    | SellShares
    | Redeem
    | RedeemShare
    | Reissue
    | Privatize
    | BuyTokens
    | ExchangePrivate
    | Issue
    | LayTile
    | PlaceToken
    | RunRoutes
    | ProveRun
    | Dividend
    | BuyTrain
    | DiscardTrain
    | BuyPrivate
    | SellPrivate
    | PlaceMarker
    | PlaceBull
    | ClosePrivate
    | BuyMarker
    | Answer
    | Merge
    | Convert
    | ProposeMerger
    | Shuffle
    | ReturnToken
    | Liquidate
    | DeclareBankruptcy
    | EndGame
)
"""Any action; `kind` tells which."""


@cache
def adapter() -> TypeAdapter[Action]:
    """Reads any action; built when it is first called, which takes a while."""
    return TypeAdapter(Annotated[Action, Field(discriminator="kind")])


def read_action(payload: str | bytes) -> Action:
    """Read an action from JSON text; raises Unreadable."""
    try:
        return adapter().validate_json(payload)
    except ValidationError as error:
        raise Unreadable(fact("log.action_unknown", detail=_first(error))) from error


def build_action(kind: str, actor: PlayerId, entity: EntityId, **chosen: Any) -> Action:
    """Build an action from its slots; raises Unreadable when a slot is missing or of the wrong type."""
    try:
        return adapter().validate_python({"kind": kind, "actor": actor, "entity": entity, **chosen})
    except ValidationError as error:
        raise Unreadable(fact("log.action_unreadable", kind=kind, detail=_first(error))) from error


def _first(error: ValidationError) -> str:
    detail = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in detail["loc"][1:])
    return f"{where}: {detail['msg']}" if where else str(detail["msg"])
