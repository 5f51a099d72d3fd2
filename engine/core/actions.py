"""The actions of players: one frozen model per kind. An action holds only the player's choices, never costs or revenue.

`actor` is the player who decides. `entity` is the player, company or private for which the actor decides.
"""

from functools import cache
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from engine.core.errors import Unreadable
from engine.core.facts import fact
from engine.core.ids import CompanyId, Coord, EntityId, PlayerId, PrivateId, TileId, TrainName


class BaseAction(BaseModel):
    """Base class of all actions: `actor` is the player who decides, `entity` the player, company or private they act
    for.

    Subclasses add a field for each choice, such as `hex` and `tile`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    HEADER_FIELDS: ClassVar[frozenset[str]] = frozenset({"kind", "actor", "entity"})

    actor: PlayerId
    entity: EntityId

    def chosen(self) -> dict[str, Any]:
        """The player's choices by field name: every field except kind, actor and entity."""
        slot_values = dict(self.__dict__)
        for name in self.HEADER_FIELDS:
            del slot_values[name]
        return slot_values


# --- auctions and stock rounds --------------------------------------------------------------------------------------


class Bid(BaseAction):
    """Bid on a private, in dollars, or buy the cheapest private at its asking price."""

    kind: Literal["bid"] = "bid"
    private: PrivateId
    amount: int


class RemovePrivate(BaseAction):
    """Remove a private from the game before the auction's first bid."""

    kind: Literal["remove_private"] = "remove_private"
    private: PrivateId


class Par(BaseAction):
    """Start a company at a par price in dollars, or set the par price after a private brought the president's
    certificate.
    """

    kind: Literal["par"] = "par"
    company: CompanyId
    price: int


class Reserve(BaseAction):
    """Reserve a company in order to start it later in the same round."""

    kind: Literal["reserve"] = "reserve"
    company: CompanyId


class StartMinor(BaseAction):
    """Start a minor on a market space.

    Two spaces have each `value` (in dollars); `space` is the `top` or the `bottom` one.
    """

    kind: Literal["start_minor"] = "start_minor"
    company: CompanyId
    value: int
    space: Literal["top", "bottom"]


class BuyShare(BaseAction):
    """Buy one certificate of a company from `offering` (the IPO), `market`, or the company's treasury."""

    kind: Literal["buy_share"] = "buy_share"
    company: CompanyId
    source: str


class SellShares(BaseAction):
    """Sell a block of `shares` shares to the market."""

    kind: Literal["sell_shares"] = "sell_shares"
    company: CompanyId
    shares: int


class Redeem(BaseAction):
    """A company buys `shares` of its own shares from the market."""

    kind: Literal["redeem"] = "redeem"
    shares: int


class RedeemShare(BaseAction):
    """A company buys one of its own shares from `market` or from a player."""

    kind: Literal["redeem_share"] = "redeem_share"
    company: CompanyId
    source: str


class Reissue(BaseAction):
    """A company puts all its redeemed shares back on sale."""

    kind: Literal["reissue"] = "reissue"
    company: CompanyId


class Privatize(BaseAction):
    """A president buys a share of their company from another player, who cannot refuse."""

    kind: Literal["privatize"] = "privatize"
    company: CompanyId
    seller: PlayerId


class ExchangePrivate(BaseAction):
    """Exchange a private for a share of its linked company, from `offering` (the IPO) or `market`."""

    kind: Literal["exchange_private"] = "exchange_private"
    source: str


class BuyTokens(BaseAction):
    """A floating company buys tokens with these prices in dollars, such as `40+60`, or `none`."""

    kind: Literal["buy_tokens"] = "buy_tokens"
    tokens: str


class Issue(BaseAction):
    """A company puts shares from its offering and from its treasury into the market."""

    kind: Literal["issue"] = "issue"
    offering: int
    treasury: int


# --- a company's turn -----------------------------------------------------------------------------------------------


class LayTile(BaseAction):
    """Lay or upgrade a tile; `rotation` counts steps of 60 degrees clockwise (0-5)."""

    kind: Literal["lay_tile"] = "lay_tile"
    hex: Coord
    tile: TileId
    rotation: int


class PlaceToken(BaseAction):
    """Place a station token; `city` is the index of the city in the hex."""

    kind: Literal["place_token"] = "place_token"
    hex: Coord
    city: int


class RunRoutes(BaseAction):
    """Run trains. Each route is text such as `3:H4.a-0 H6.3-a`: a 3-train from a stop of H4 across edge 0 into H6."""

    kind: Literal["run_routes"] = "run_routes"
    routes: tuple[str, ...] = Field(strict=False)


class ProveCoastToCoastRun(BaseAction):
    """Prove that a company's train could run from coast to coast (18C2C)."""

    kind: Literal["prove_run"] = "prove_run"


class Dividend(BaseAction):
    """Pay out all of the run's revenue, pay out half of it, or withhold it."""

    kind: Literal["dividend"] = "dividend"
    option: Literal["pay", "withhold", "half"]


class PlaceMarker(BaseAction):
    """Place a private's own token (not a station token) in a hex."""

    kind: Literal["place_marker"] = "place_marker"
    hex: Coord


class GiveMarker(BaseAction):
    """Choose the company that benefits from a private's marker, such as the Steamboat Company's in 1846."""

    kind: Literal["give_marker"] = "give_marker"
    company: CompanyId


class PlaceBull(BaseAction):
    """Place a bull token (18C2C), which fits into a full city; `city` is the index of the city in the hex."""

    kind: Literal["place_bull"] = "place_bull"
    hex: Coord
    city: int


class ClosePrivate(BaseAction):
    """A company closes its own private and takes the benefit printed on it."""

    kind: Literal["close_private"] = "close_private"


class BuyMarker(BaseAction):
    """A company buys one of a private's markers from `bank` or from another company."""

    kind: Literal["buy_marker"] = "buy_marker"
    private: PrivateId
    source: str


# --- trains ---------------------------------------------------------------------------------------------------------


class BuyTrain(BaseAction):
    """Buy a train from `bank`, `pool` or a company, at a price in dollars. `trade_in`: the train handed in, if any."""

    kind: Literal["buy_train"] = "buy_train"
    train: TrainName
    source: str
    trade_in: str
    price: int


class DiscardTrain(BaseAction):
    """Discard a train above the train limit."""

    kind: Literal["discard_train"] = "discard_train"
    train: TrainName


class DeclareBankruptcy(BaseAction):
    """Declare bankruptcy because the president cannot pay for a train that the company must buy."""

    kind: Literal["declare_bankruptcy"] = "declare_bankruptcy"


class Shuffle(BaseAction):
    """Divide a merged company's trains between its two charters.

    `first` lists the trains on the first charter, separated by spaces.
    """

    kind: Literal["shuffle"] = "shuffle"
    first: str


# --- mergers --------------------------------------------------------------------------------------------------------


class Merge(BaseAction):
    """Merge two companies of one president into a larger company that has not started."""

    kind: Literal["merge"] = "merge"
    partner: CompanyId
    major: CompanyId


class Convert(BaseAction):
    """Convert a company into a larger company that has not started."""

    kind: Literal["convert"] = "convert"
    major: CompanyId


class ProposeMerger(BaseAction):
    """Propose a merger of two companies."""

    kind: Literal["propose_merger"] = "propose_merger"
    company: CompanyId
    partner: CompanyId


class ReturnToken(BaseAction):
    """Return a station token from the map to the charter; `city` is the index of the city in the hex."""

    kind: Literal["return_token"] = "return_token"
    hex: Coord
    city: int


class Liquidate(BaseAction):
    """Liquidate a company that has no train; it leaves the game."""

    kind: Literal["liquidate"] = "liquidate"


# --- any round, and between players ---------------------------------------------------------------------------------


class Pass(BaseAction):
    """Pass, or end the current step of a turn."""

    kind: Literal["pass"] = "pass"


class BuyPrivate(BaseAction):
    """A company buys a private from a player at a price in dollars; in stock rounds, players can also buy one."""

    kind: Literal["buy_private"] = "buy_private"
    private: PrivateId
    price: int


class SellPrivate(BaseAction):
    """A player sells a private to another player in a stock round, at a price in dollars."""

    kind: Literal["sell_private"] = "sell_private"
    private: PrivateId
    buyer: PlayerId
    price: int


class Answer(BaseAction):
    """Answer a proposal: the other president accepts or refuses it, or the proposer withdraws it."""

    kind: Literal["answer"] = "answer"
    reply: Literal["agree", "refuse", "withdraw"]


class EndGame(BaseAction):
    """Vote to end the game now; the game ends once all players have voted for it."""

    kind: Literal["end_game"] = "end_game"


# --- all actions ----------------------------------------------------------------------------------------------------


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
    | ProveCoastToCoastRun
    | Dividend
    | BuyTrain
    | DiscardTrain
    | BuyPrivate
    | SellPrivate
    | PlaceMarker
    | GiveMarker
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
"""Union of all action models; the field `kind` tells them apart."""


@cache
def action_adapter() -> TypeAdapter[Action]:
    """The Pydantic validator for all kinds of actions. The first call builds it, which takes a while."""
    return TypeAdapter(Annotated[Action, Field(discriminator="kind")])


def read_action(payload: str | bytes) -> Action:
    """Read an action from JSON text. Raises Unreadable if the text is not an action."""
    try:
        return action_adapter().validate_json(payload)
    except ValidationError as error:
        raise Unreadable(fact("log.action_unknown", detail=_first_problem(error))) from error


def build_action(kind: str, actor: PlayerId, entity: EntityId, **chosen: Any) -> Action:
    """Build an action from the values of its fields. Raises Unreadable if a value is missing or has the wrong type."""
    try:
        return action_adapter().validate_python({"kind": kind, "actor": actor, "entity": entity, **chosen})
    except ValidationError as error:
        raise Unreadable(fact("log.action_unreadable", kind=kind, detail=_first_problem(error))) from error


def _first_problem(error: ValidationError) -> str:
    first_error = error.errors(include_url=False)[0]
    field_path = ".".join(str(part) for part in first_error["loc"][1:])
    return f"{field_path}: {first_error['msg']}" if field_path else str(first_error["msg"])
