"""The kinds of standing orders, one frozen model each, with descriptions. Money in dollars, rounds by number."""

from functools import cache
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from engine.core.errors import Unreadable
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, EntityId, PhaseName, PlayerId, PrivateId

SkippableStep: TypeAlias = Literal["track", "token"]
SKIPPABLE_STEPS: Final[tuple[SkippableStep, ...]] = get_args(SkippableStep)
"""The steps of a company's turn that an order can skip."""


class _OrderModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class PassStock(_OrderModel):
    """Pass in the stock round with this number until an event concerns the player, or until its end."""

    kind: Literal["pass_stock"] = "pass_stock"
    round: int
    until: Literal["concerned", "over"]


class BuyShares(_OrderModel):
    """Buy one share of a company each turn of a stock round, then pass, until it floats or the player has enough."""

    kind: Literal["buy_shares"] = "buy_shares"
    round: int
    company: CompanyId
    source: str
    shares: int | None = Field(default=None, ge=1)
    """Number of shares that the player wants to hold; None: buy until the company floats."""


class BidUpTo(_OrderModel):
    """Bid on a private, or buy it at its price, up to a maximum, but never more than necessary."""

    kind: Literal["bid_up_to"] = "bid_up_to"
    private: PrivateId
    most: int = Field(ge=0)
    then: Literal["pass", "ask"]
    """The action if the maximum is not enough, or while the player's bid is the highest."""


class SealBids(_OrderModel):
    """Sealed bids: a maximum for each private, used once every player has sealed theirs."""

    kind: Literal["seal"] = "seal"
    maxima: dict[PrivateId, Annotated[int, Field(ge=0)]]
    """Maximum bids in dollars; a private without one is not wanted."""


class RunBest(_OrderModel):
    """Run a company's best routes and use the revenue in this way."""

    kind: Literal["run_best"] = "run_best"
    company: CompanyId
    dividend: Literal["pay", "withhold", "half"]


class SkipStep(_OrderModel):
    """Lay no track, or place no token, in a company's turns."""

    kind: Literal["skip_step"] = "skip_step"
    company: CompanyId
    step: SkippableStep
    phase: PhaseName | None = None
    """The phase with which the order ends; None: it does not depend on the phase."""


class PassMerger(_OrderModel):
    """Pass in the merger round that follows the round with this number of this set (0: its stock round)."""

    kind: Literal["pass_merger"] = "pass_merger"
    set: int
    number: int


class DoneAfter(_OrderModel):
    """End a step after the next move in it."""

    kind: Literal["done_after"] = "done_after"
    step: str
    entity: EntityId


Order: TypeAlias = PassStock | BuyShares | BidUpTo | SealBids | RunBest | SkipStep | PassMerger | DoneAfter
"""An order of any kind, told apart by `kind`."""


@cache
def order_adapter() -> TypeAdapter[Order]:
    """The validator that reads any order. Building it on the first call takes a while."""
    return TypeAdapter(Annotated[Order, Field(discriminator="kind")])


class StandingOrder(NamedTuple):
    """A standing order of a player; `number` numbers the game's orders, `since` counts the moves before it."""

    number: int
    player: PlayerId
    order: Order
    since: int


def write_order(order: Order) -> str:
    """An order as JSON text."""
    return order.model_dump_json()


def read_order(text: str) -> Order:
    """Read an order from JSON text. Raises Unreadable if the text is no order."""
    try:
        return order_adapter().validate_json(text)
    except ValidationError as error:
        raise Unreadable(fact("order.unreadable")) from error


def description(order: Order) -> Fact:
    """An order as a sentence."""
    match order:
        case PassStock():
            return fact("order.pass_stock", round=order.round)
        case BuyShares():
            return fact("order.buy_shares", company=order.company, source=order.source)
        case BidUpTo():
            then_fact = fact("order.then_pass" if order.then == "pass" else "order.then_ask")
            return fact("order.bid_up_to", private=order.private, most=order.most, then=then_fact)
        case SealBids(maxima=maxima):
            wanted_bids = [(private, most) for private, most in maxima.items() if most]
            if not wanted_bids:
                return fact("order.seal_nothing")
            bid_facts = tuple(
                fact("order.seal_one", private=private, most=most) for private, most in wanted_bids
            )
            return fact("order.seal", bids=bid_facts)
        case RunBest():
            dividend_facts = {
                "pay": "order.and_pay",
                "withhold": "order.and_withhold",
                "half": "order.and_half",
            }
            return fact("order.run_best", company=order.company, then=fact(dividend_facts[order.dividend]))
        case SkipStep():
            return fact(f"order.skip_{order.step}", company=order.company)
        case PassMerger(number=0):
            return fact("order.pass_union", set=order.set)
        case PassMerger():
            return fact("order.pass_merger", set=order.set, number=order.number)
        case DoneAfter():
            return fact("order.done_after", entity=order.entity, step=fact(f"step.{order.step}"))


def end_condition(order: Order) -> Fact:
    """The condition under which an order ends automatically."""
    match order:
        case PassStock():
            return fact("order.until_concerned" if order.until == "concerned" else "order.until_round_over")
        case BuyShares(shares=None):
            return fact("order.until_floated", company=order.company)
        case BuyShares():
            return fact("order.until_shares", company=order.company, shares=order.shares)
        case BidUpTo(then="pass"):
            return fact("order.until_sold_or_passed", private=order.private)
        case BidUpTo():
            return fact("order.until_sold_or_beyond", private=order.private)
        case SealBids():
            return fact("order.until_all_sold")
        case RunBest():
            return fact("order.until_rusted", company=order.company)
        case SkipStep(phase=None):
            return fact("order.until_withdrawn", company=order.company)
        case SkipStep():
            return fact("order.until_phase_over", company=order.company, phase=order.phase)
        case PassMerger():
            return fact("order.until_merged")
        case DoneAfter():
            return fact("order.until_step_over")
