"""Ratings of runs, dividends, train purchases and discarded trains by the computer player."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from engine.caretaker.outlook import (
    next_train_price,
    rounds_until_rust,
    train_reserve,
    train_shortage,
    wealth,
)
from engine.caretaker.railway import best_revenue, hypothetical_table, table_operated_by
from engine.caretaker.weighed_move import WeighedMove, completed_moves
from engine.core.ids import BANK, POOL, TrainName
from engine.core.offers import Offer, OfferCursor
from engine.core.state import Company
from engine.play.shares.selling import liquidity
from engine.play.table import Table
from engine.play.trains.phases import counted_train_count, train_limit, trains_for_sale
from engine.seat import SeatedPlayer

SUGGESTED_RUN_VALUE: Final = 10.0
"""Value of a suggested run, which is not compared with other runs."""
NEEDED_MONEY_VALUE: Final = 1_000.0
"""Extra value of withholding revenue that the company needs for a train."""
SALE_PROCEEDS_FRACTION: Final = 0.5
"""Money that a player can raise by sales in an emergency, as a fraction of cash and saleable shares."""
TREASURY_WEIGHT: Final = 0.15
"""Weight (cost) of a treasury dollar spent on a train, as a fraction of a dollar of the president."""
LONG_LIVED_TRAIN_FRACTION: Final = 0.5
"""Extra value of a long-lived train, which outlasts all others of the company, as a fraction of its price."""
TREASURY_WEIGHT_IF_RUSTING: Final = 0.6
"""Weight of a treasury dollar spent on a train that rusts soon; the company will need money for the next train."""
LONG_LIFE_ROUNDS: Final = 3.0
"""Minimum number of operating rounds in which a train with a long life can run; others count as rusting soon."""
MAX_USEFUL_TRAINS: Final = 2
"""Number of trains for which a company is expected to build enough track."""
MIN_GAIN_FACTOR: Final = 1.2
"""A train moves between a player's companies if the buyer gains more than this many times the seller's loss."""
MIN_REVENUE_FRACTION: Final = 0.08
"""Minimum revenue that a train is expected to earn per run, as a fraction of its price."""
FIRST_TRAIN_VALUE: Final = 1_000.0
"""Extra value of any train for a company that has none."""


def weigh_suggested_runs(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """The best run that the route search suggests."""
    return (WeighedMove(SUGGESTED_RUN_VALUE, cursor) for cursor in islice(completed_moves(offer), 1))


def weigh_dividends(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Dividend options, rated.

    Withholding wins if a better train can be bought with it, or a required one cannot be paid otherwise.
    """
    return _weigh_dividends(
        seat,
        offer,
        should_withhold=_needs_money_for_train(seat.table, seat) or _withholding_buys_better_train(seat),
    )


def weigh_forced_dividends(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Dividend options, rated. Withholding wins only if a required train cannot be paid otherwise."""
    return _weigh_dividends(seat, offer, should_withhold=_needs_money_for_train(seat.table, seat))


def _weigh_dividends(seat: SeatedPlayer, offer: Offer, *, should_withhold: bool) -> Iterator[WeighedMove]:
    wealth_before = wealth(seat.table, seat.player)
    for cursor in completed_moves(offer):
        gain = wealth(seat.game.table_after(cursor), seat.player) - wealth_before
        yield WeighedMove(
            gain + NEEDED_MONEY_VALUE if should_withhold and cursor.chosen["option"] == "withhold" else gain,
            cursor,
        )


def _needs_money_for_train(t: Table, seat: SeatedPlayer) -> bool:
    raisable_money = liquidity(t, t.state.player(seat.player)) * SALE_PROCEEDS_FRACTION
    return train_shortage(t, t.company) > 0 and train_reserve(t, seat.player) > raisable_money


def _withholding_buys_better_train(seat: SeatedPlayer) -> bool:
    """True if withholding pays for a train that earns the player more than the dividend and price rise given up."""
    t = seat.table
    company, revenue = t.company, t.turn.revenue
    if counted_train_count(t, company) >= train_limit(t, company) or company.cell is None:
        return False
    revenue_before = best_revenue(t)
    price_difference = t.price(company, t.grid.right(company.cell)) - t.price(
        company, t.grid.left(company.cell)
    )
    forgone_dollars = revenue + price_difference * 100 / company.share
    for train in dict.fromkeys([*trains_for_sale(t), *t.state.pool]):
        if company.cash < t.spec.train(train).price <= company.cash + revenue:
            extra_revenue = (
                best_revenue(hypothetical_table(t, trains=[*company.trains, train])) - revenue_before
            )
            if (
                extra_revenue * (rounds_until_rust(t, train) - 1) + _replacement_savings(t, train)
                > forgone_dollars
            ):
                return True
    return False


def _replacement_savings(t: Table, train: TrainName) -> float:
    """Dollars that the company later saves on a replacement if this train outlasts its present trains; else 0."""
    outlasts_others = rounds_until_rust(t, train) > max(
        (rounds_until_rust(t, own_train) for own_train in t.company.trains), default=0.0
    )
    return t.spec.train(train).price * LONG_LIVED_TRAIN_FRACTION if outlasts_others else 0.0


def weigh_own_train_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Train purchases from bank, pool and the player's own companies, rated by what the trains will still earn."""
    t = seat.table
    revenue_before = best_revenue(t)
    for cursor in completed_moves(offer):
        source = str(cursor.chosen["source"])
        if source in {BANK, POOL}:
            yield WeighedMove(train_worth(t, cursor, revenue_before), cursor)
        elif not t.company.trains and _may_sell(t, t.state.companies[source], seat):
            yield WeighedMove(train_worth(t, cursor, revenue_before) - _cost_to_seller(t, cursor), cursor)
        elif t.state.companies[source].president == seat.player:
            yield from _purchase_between_own_companies(seat, cursor, revenue_before)


def weigh_treasury_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Train purchases from bank or pool that the treasury pays alone; all purchases if the company has no train."""
    company = seat.table.company
    for weighed_move in weigh_own_train_purchases(seat, offer):
        chosen = weighed_move.cursor.chosen
        if not company.trains or (chosen["source"] in {BANK, POOL} and int(chosen["price"]) <= company.cash):
            yield weighed_move


def _purchase_between_own_companies(
    seat: SeatedPlayer, cursor: OfferCursor, revenue_before: int
) -> Iterator[WeighedMove]:
    """The purchase of a train from another company of the player; none unless the player clearly gains.

    The player's part of the buyer's revenue must rise clearly more than that of the seller's falls. The
    seller keeps at least one train.
    """
    t = seat.table
    train, seller = str(cursor.chosen["train"]), t.state.companies[str(cursor.chosen["source"])]
    if len(seller.trains) == 1 or cursor.chosen["trade_in"]:
        return
    revenue_gained = (
        best_revenue(hypothetical_table(t, trains=[*t.company.trains, train])) - revenue_before
    ) * t.company.percent(seat.player)
    revenue_lost = _revenue_lost(t, seller, train) * seller.percent(seat.player)
    if revenue_gained > revenue_lost * MIN_GAIN_FACTOR:
        yield WeighedMove((revenue_gained - revenue_lost) / 100 * rounds_until_rust(t, train), cursor)


def _revenue_lost(t: Table, seller: Company, train: TrainName) -> int:
    trains_left = list(seller.trains)
    trains_left.remove(train)
    seller_table = table_operated_by(t, seller.id)
    return best_revenue(seller_table) - best_revenue(hypothetical_table(seller_table, trains=trains_left))


def _cost_to_seller(t: Table, cursor: OfferCursor) -> float:
    """Dollars that the train is worth to its seller: its bank price, or its remaining revenue if that is more."""
    train, seller = str(cursor.chosen["train"]), t.state.companies[str(cursor.chosen["source"])]
    return max(t.spec.train(train).price, _revenue_lost(t, seller, train) * rounds_until_rust(t, train))


def _may_sell(t: Table, company: Company, seat: SeatedPlayer) -> bool:
    """True if the company is the player's own and can give up a train.

    A company must keep one train, unless the player would go bankrupt otherwise.
    """
    return company.president == seat.player and (len(company.trains) > 1 or _cannot_pay_next_train(t, seat))


def _cannot_pay_next_train(t: Table, seat: SeatedPlayer) -> bool:
    """True if company and president cannot pay for the bank's next train, even with all legal sales."""
    return t.company.cash + liquidity(t, t.state.player(seat.player)) < next_train_price(t)


def train_worth(t: Table, cursor: OfferCursor, revenue_before: int) -> float:
    """Dollars that a train purchase is worth to the president, less its price.

    `revenue_before` is the revenue of the company's run without the train.
    """
    train, traded_train = str(cursor.chosen["train"]), str(cursor.chosen["trade_in"])
    price = int(cursor.chosen["price"])
    trains = [*t.company.trains, train]
    if traded_train:
        trains.remove(traded_train)
    rounds_left = rounds_until_rust(t, train)
    revenue_gain = best_revenue(hypothetical_table(t, trains=trains)) - revenue_before
    extra_revenue = (
        max(revenue_gain, t.spec.train(train).price * MIN_REVENUE_FRACTION)
        if len(trains) <= MAX_USEFUL_TRAINS
        else revenue_gain
    )
    president_payment = max(0, price - t.company.cash)
    treasury_weight = TREASURY_WEIGHT if rounds_left >= LONG_LIFE_ROUNDS else TREASURY_WEIGHT_IF_RUSTING
    worth_of_train = (
        extra_revenue * rounds_left - (price - president_payment) * treasury_weight - president_payment
    )
    if not t.company.trains:
        return worth_of_train + FIRST_TRAIN_VALUE
    outlasts_others = rounds_left > max(rounds_until_rust(t, name) for name in t.company.trains)
    return worth_of_train + (t.spec.train(train).price * LONG_LIVED_TRAIN_FRACTION if outlasts_others else 0)


def weigh_liquidations(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Liquidations of the company, rated by the player's loss."""
    wealth_before = wealth(seat.table, seat.player)
    for cursor in completed_moves(offer):
        yield WeighedMove(
            min(-1.0, wealth(seat.game.table_after(cursor), seat.player) - wealth_before), cursor
        )


def weigh_discards(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Trains to discard, rated by the value lost."""
    t = seat.table
    return (
        WeighedMove(-_remaining_train_value(t, cursor.chosen["train"]), cursor)
        for cursor in completed_moves(offer)
    )


def _remaining_train_value(t: Table, train: TrainName) -> float:
    return rounds_until_rust(t, train) * t.spec.train(train).price
