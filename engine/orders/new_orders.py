"""Creates and checks new standing orders (moves requested in advance), and suggests common ones."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from engine.core.actions import Action, BuyShare
from engine.core.errors import IllegalAction
from engine.core.facts import fact
from engine.core.ids import MARKET, OFFERING, REISSUED, REMOVED, CompanyId, PlayerId, PrivateId
from engine.core.offers import OfferCursor
from engine.core.state import Merger, Operating, Stock
from engine.game import Game
from engine.orders.auction_orders import have_all_sealed, unsold_auction_privates
from engine.orders.order_kinds import (
    SKIPPABLE_STEPS,
    BidUpTo,
    BuyShares,
    DoneAfter,
    Order,
    PassMerger,
    PassStock,
    RunBest,
    SealBids,
    SkippableStep,
    SkipStep,
    StandingOrder,
)
from engine.orders.order_moves import order_end_reason, round_key
from engine.seat import SeatedPlayer


def suggested_orders(game: Game, player: PlayerId, latest_actions: Iterable[Action]) -> tuple[Order, ...]:
    """Orders to suggest to the player in this position. `latest_actions`: the player's actions, newest first."""
    seat = SeatedPlayer(game, player)
    return (*_run_orders(seat), *_stock_orders(seat, latest_actions))


def pass_stock_order(game: Game, until: Literal["concerned", "over"]) -> PassStock:
    """A new order to pass in the current stock round, or else in the next one."""
    return PassStock(round=_stock_round_number(game), until=until)


def buy_shares_order(game: Game, company: str, source: str, shares: int | None) -> BuyShares:
    """A new order to buy shares in the current stock round, or else in the next one.

    Raises IllegalAction if the company does not exist, or if no shares are sold from the source.
    """
    _require_company(game, company)
    sources = (OFFERING, MARKET, REISSUED, REMOVED, game.table.state.companies[company].treasury)
    matching_source = next(
        (known_source for known_source in sources if known_source.casefold() == source.strip().casefold()),
        None,
    )
    if matching_source is None:
        raise IllegalAction(fact("buying.not_from_there", company=company, source=source))
    return BuyShares(round=_stock_round_number(game), company=company, source=matching_source, shares=shares)


def bid_up_to_order(game: Game, private: str, maximum: int, then: Literal["pass", "ask"]) -> BidUpTo:
    """A new order to bid on a private up to a maximum in dollars.

    Raises IllegalAction if the private does not exist.
    """
    if private not in game.table.state.privates:
        raise IllegalAction(fact("choice.no_private", private=private))
    return BidUpTo(private=private, most=maximum, then=then)


def seal_bids_order(game: Game, maxima: Mapping[str, int]) -> SealBids:
    """A new order with sealed bids: maxima in dollars by private; privates without one get $0.

    Raises IllegalAction if there is no auction or a private is not for sale.
    """
    privates_on_sale = unsold_auction_privates(game.table)
    if not privates_on_sale:
        raise IllegalAction(fact("order.no_auction"))
    for private in maxima:
        if private not in privates_on_sale:
            raise IllegalAction(fact("auction.not_up", private=private))
    return SealBids(maxima={private: maxima.get(private, 0) for private in privates_on_sale})


def run_best_order(game: Game, company: str, dividend: Literal["pay", "withhold", "half"]) -> RunBest:
    """A new order to run a company's best routes. Raises IllegalAction for an unknown company or dividend option."""
    _require_company(game, company)
    if dividend not in game.rules.spec.dividends:
        raise IllegalAction(fact("dividend.no_such_option", company=company, option=dividend))
    return RunBest(company=company, dividend=dividend)


def skip_step_order(
    game: Game, company: str, step: SkippableStep, until: Literal["withdrawn", "phase"]
) -> SkipStep:
    """A new order to skip a company's track or token step. Raises IllegalAction for an unknown company."""
    _require_company(game, company)
    phase = game.table.phase.name if until == "phase" else None
    return SkipStep(company=company, step=step, phase=phase)


def pass_merger_order(game: Game) -> PassMerger:
    """A new order to pass in the current or next merger round. Raises IllegalAction if the title has none."""
    current_round, spec = game.table.state.round, game.rules.spec
    set_number, number = round_key(current_round)
    if isinstance(current_round, Merger):
        return PassMerger(set=set_number, number=number)
    if spec.unions is not None:
        return PassMerger(set=set_number + (number > 0), number=0)
    if spec.mergers is not None:
        return PassMerger(set=set_number, number=max(number, 1))
    raise IllegalAction(fact("order.no_mergers"))


def done_after_order(game: Game, player: PlayerId) -> DoneAfter:
    """A new order to end the current step after the next move. Raises IllegalAction if the player cannot end it."""
    step, pass_offer = game.step(), SeatedPlayer(game, player).offer_of_kind("pass")
    if step is None or pass_offer is None:
        raise IllegalAction(fact("order.nothing_to_end"))
    return DoneAfter(step=step.name, entity=pass_offer.entity)


def require_not_ended_at_once(game: Game, player: PlayerId, order: Order) -> None:
    """Raise IllegalAction, with the reason, if the new order would end at once."""
    end_reason = order_end_reason(SeatedPlayer(game, player), order, ())
    if end_reason is not None:
        raise IllegalAction(end_reason)


def privates_to_bid_on(game: Game) -> tuple[PrivateId, ...]:
    """Privates on which a player can give orders to bid; empty outside auctions and after the end of the game."""
    return () if game.is_over else tuple(unsold_auction_privates(game.table))


def have_all_players_sealed(game: Game, orders: Sequence[StandingOrder]) -> bool:
    """True if every player has sealed their bids. `orders` are the orders of all players."""
    return have_all_sealed(game.table, orders)


def presided_companies(game: Game, player: PlayerId) -> tuple[CompanyId, ...]:
    """Companies for which the player can give orders: those of which they are president."""
    if not isinstance(game.table.state.round, Operating | Stock):
        return ()
    companies = game.table.state.companies.values()
    return tuple(company.id for company in companies if company.president == player)


def skip_step_orders(game: Game, player: PlayerId) -> tuple[SkipStep, ...]:
    """All possible orders of the player to skip a track or token step, by company."""
    companies = presided_companies(game, player)
    return tuple(
        skip_step_order(game, company, step, "withdrawn") for company in companies for step in SKIPPABLE_STEPS
    )


def _run_orders(seat: SeatedPlayer) -> Iterator[Order]:
    run_offer = seat.offer_of_kind("run_routes")
    if run_offer is not None:
        yield run_best_order(seat.game, run_offer.entity, "pay")


def _stock_orders(seat: SeatedPlayer, latest_actions: Iterable[Action]) -> Iterator[Order]:
    current_round = seat.table.state.round
    if not isinstance(current_round, Stock) or seat.table.is_selling_privates:
        return  # in a draft, a pass may return reservations, so it is not suggested
    last_purchase = next((action for action in latest_actions if isinstance(action, BuyShare)), None)
    if last_purchase is not None and _can_repeat_purchase(seat, current_round, last_purchase):
        yield buy_shares_order(seat.game, last_purchase.company, last_purchase.source, None)
    if seat.pass_move() is not None and not current_round.acted:
        yield pass_stock_order(seat.game, "concerned")


def _can_repeat_purchase(seat: SeatedPlayer, stock_round: Stock, last_purchase: BuyShare) -> bool:
    """True if an order could repeat the player's last purchase.

    The company must not have floated, and a share of it must still be for sale.
    """
    if seat.table.state.companies[last_purchase.company].floated:
        return False
    cursor = seat.cursor_for("buy_share", {"company": last_purchase.company, "source": last_purchase.source})
    return stock_round.bought == last_purchase.company or isinstance(cursor, OfferCursor)


def _require_company(game: Game, company: str) -> None:
    if company not in game.table.state.companies:
        raise IllegalAction(fact("choice.no_company", company=company))


def _stock_round_number(game: Game) -> int:
    current_round = game.table.state.round
    return round_key(current_round)[0] + (not isinstance(current_round, Stock))


def have_same_subject(order: Order, other_order: Order) -> bool:
    """True if two orders of a player are of the same kind and about the same thing, such as the same company.

    The later order then replaces the earlier one.
    """
    return _order_subject(order) == _order_subject(other_order)


def _order_subject(order: Order) -> tuple[str, ...]:
    match order:
        case BuyShares(company=entity) | RunBest(company=entity):
            return order.kind, entity
        case SkipStep(company=entity, step=step):
            return order.kind, entity, step
        case BidUpTo(private=entity):
            return order.kind, entity
        case _:
            return (order.kind,)


def replaced_order_numbers(orders: Sequence[StandingOrder]) -> list[int]:
    """Numbers of the orders that a later order of the same player replaces."""
    last_order_by_subject = {
        (order.player, _order_subject(order.order)): order.number
        for order in sorted(orders, key=lambda order: order.number)
    }
    return [
        order.number
        for order in orders
        if order.number < last_order_by_subject[order.player, _order_subject(order.order)]
    ]
