"""The kinds of standing orders, which are moves that players request in advance. Money is in dollars."""

from functools import cache
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from engine.core.errors import Unreadable
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, EntityId, PhaseName, PlayerId, PrivateId

SkippableStep: TypeAlias = Literal["track", "token"]
SKIPPABLE_STEPS: Final[tuple[SkippableStep, ...]] = get_args(SkippableStep)
"""Steps of a company's turn that an order can skip."""


class _OrderModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class PassStock(_OrderModel):
    """Order to pass in one stock round, until the round ends or an event affects the player."""

    kind: Literal["pass_stock"] = "pass_stock"
    round: int
    until: Literal["concerned", "over"]


class BuyShares(_OrderModel):
    """Order to buy one share of a company per turn in a stock round, and pass afterwards.

    It ends when the company floats or the player has `shares` shares.
    """

    kind: Literal["buy_shares"] = "buy_shares"
    round: int
    company: CompanyId
    source: str
    shares: int | None = Field(default=None, ge=1)
    """Number of shares that the player wants to own; None: buy until the company floats."""


class BidUpTo(_OrderModel):
    """Order to bid on a private, or buy it at its price, up to a maximum; it bids no more than necessary."""

    kind: Literal["bid_up_to"] = "bid_up_to"
    private: PrivateId
    most: int = Field(ge=0)
    then: Literal["pass", "ask"]
    """The action if the maximum is exceeded or the player already has the highest bid: pass, or ask the player."""


class SealBids(_OrderModel):
    """Order with a maximum bid for each private, kept secret and used once all players have sealed theirs."""

    kind: Literal["seal"] = "seal"
    maxima: dict[PrivateId, Annotated[int, Field(ge=0)]]
    """Maximum bids in dollars by private; missing or 0: the player does not want it."""


class RunBest(_OrderModel):
    """Order to run a company's best routes and then pay out, withhold or half pay."""

    kind: Literal["run_best"] = "run_best"
    company: CompanyId
    dividend: Literal["pay", "withhold", "half"]


class SkipStep(_OrderModel):
    """Order to lay no track, or place no token, in a company's turns."""

    kind: Literal["skip_step"] = "skip_step"
    company: CompanyId
    step: SkippableStep
    phase: PhaseName | None = None
    """Phase at whose end the order ends; None: it lasts until the player withdraws it."""


class PassMerger(_OrderModel):
    """Order to pass in one merger round.

    `set` and `number` name the operating round before the merger round; `number` 0 stands for the merger round after
    the set's stock round.
    """

    kind: Literal["pass_merger"] = "pass_merger"
    set: int
    number: int


class DoneAfter(_OrderModel):
    """Order to end the current step after the next move in it, instead of asking again."""

    kind: Literal["done_after"] = "done_after"
    step: str
    entity: EntityId


Order: TypeAlias = PassStock | BuyShares | BidUpTo | SealBids | RunBest | SkipStep | PassMerger | DoneAfter
"""Any kind of standing order; `kind` distinguishes them."""


@cache
def order_adapter() -> TypeAdapter[Order]:
    """Pydantic's validator for any kind of order. It is built on the first call, which takes a while."""
    return TypeAdapter(Annotated[Order, Field(discriminator="kind")])


class StandingOrder(NamedTuple):
    """An order that a player has given.

    `number` counts the game's orders; `given_after_move` is the number of moves that the game had when it was given.
    """

    number: int
    player: PlayerId
    order: Order
    given_after_move: int


def write_order(order: Order) -> str:
    """The order as JSON text."""
    return order.model_dump_json()


def read_order(text: str) -> Order:
    """The order in a JSON text. Raises Unreadable if the text is not an order."""
    try:
        return order_adapter().validate_json(text)
    except ValidationError as error:
        raise Unreadable(fact("order.unreadable")) from error


def order_description(order: Order) -> Fact:
    """The order as a sentence for players."""
    match order:
        case PassStock():
            return fact("order.pass_stock", round=order.round)
        case BuyShares():
            return fact("order.buy_shares", company=order.company, source=order.source)
        case BidUpTo():
            then_fact = fact("order.then_pass" if order.then == "pass" else "order.then_ask")
            return fact("order.bid_up_to", private=order.private, most=order.most, then=then_fact)
        case SealBids(maxima=maxima):
            wanted_bids = [(private, max_bid) for private, max_bid in maxima.items() if max_bid]
            if not wanted_bids:
                return fact("order.seal_nothing")
            bid_facts = tuple(
                fact("order.seal_one", private=private, most=max_bid) for private, max_bid in wanted_bids
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
    """A sentence for players that says when the order ends automatically."""
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
