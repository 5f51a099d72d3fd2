"""Trains for the caretaker: runs, dividends, purchases and discards."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from engine.caretaker.outlook import next_price, rounds_until_rust, train_reserve, train_shortage, wealth
from engine.caretaker.railway import best_revenue, hypothetical_table, table_operated_by
from engine.caretaker.weighed_move import WeighedMove, complete_fillings
from engine.core.ids import BANK, POOL, TrainName
from engine.core.offers import Offer, OfferCursor
from engine.core.state import Company
from engine.play.shares.selling import liquidity
from engine.play.table import Table
from engine.play.trains.phases import counted_train_count, train_limit, trains_for_sale
from engine.seat import SeatedPlayer

RIGHT_MOVE_VALUE: Final = 10.0
"""Value of a move that is right without any comparison."""
NEEDED_MONEY_VALUE: Final = 1_000.0
"""Value of withholding revenue that the company needs."""
SALE_PROCEEDS_PART: Final = 0.5
"""Part of a player's liquidity that a forced sale is expected to bring."""
TREASURY_WEIGHT: Final = 0.15
"""Value of a treasury dollar spent on a train, compared with the president's: it has no better use."""
LONG_LIVED_TRAIN_PART: Final = 0.5
"""Value of a train for lasting longer than all others of the company, as a part of its price."""
TREASURY_WEIGHT_IF_RUSTING: Final = 0.6
"""The same for a train that rusts soon: the company will need its money for the next one."""
LONG_LIFE_ROUNDS: Final = 3.0
"""A train that runs for fewer operating rounds than this counts as rusting soon."""
MAX_USEFUL_TRAINS: Final = 2
"""Number of trains for which a company is expected to build enough track."""
MIN_GAIN_FACTOR: Final = 1.2
"""Factor by which a train must earn more with the company that buys it than with the seller."""
MIN_REVENUE_PART: Final = 0.08
"""The least that a train earns in a run once there is track for it, as a part of its price."""
FIRST_TRAIN_VALUE: Final = 1_000.0
"""Value of any train to a company without one."""


def suggested_runs(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """The suggested best run."""
    return (WeighedMove(RIGHT_MOVE_VALUE, cursor) for cursor in islice(complete_fillings(offer), 1))


def dividends(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Pay out; withhold only if that buys a better train, or one that must be bought and could not be paid."""
    return _weigh_dividends(
        seat, offer, should_withhold=_needs_money(seat.table, seat) or _withholding_buys_better(seat)
    )


def forced_dividends(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Pay out; withhold only if a train that must be bought could not be paid otherwise."""
    return _weigh_dividends(seat, offer, should_withhold=_needs_money(seat.table, seat))


def _weigh_dividends(seat: SeatedPlayer, offer: Offer, *, should_withhold: bool) -> Iterator[WeighedMove]:
    wealth_before = wealth(seat.table, seat.player)
    for cursor in complete_fillings(offer):
        gain = wealth(seat.game.table_after(cursor), seat.player) - wealth_before
        yield WeighedMove(
            gain + NEEDED_MONEY_VALUE if should_withhold and cursor.chosen["option"] == "withhold" else gain,
            cursor,
        )


def _needs_money(t: Table, seat: SeatedPlayer) -> bool:
    """True if the company will lack money for a train, and its president cannot help all such companies."""
    own_means = liquidity(t, t.state.player(seat.player)) * SALE_PROCEEDS_PART
    return train_shortage(t, t.company) > 0 and train_reserve(t, seat.player) > own_means


def _withholding_buys_better(seat: SeatedPlayer) -> bool:
    """True if withholding pays for a train at once that brings the player more than the dividend."""
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
                extra_revenue * (rounds_until_rust(t, train) - 1) + _replacement_saved(t, train)
                > forgone_dollars
            ):
                return True
    return False


def _replacement_saved(t: Table, train: TrainName) -> float:
    """Dollars for a train that the company need not find again when its own trains have rusted."""
    outlasts_others = rounds_until_rust(t, train) > max(
        (rounds_until_rust(t, own_train) for own_train in t.company.trains), default=0.0
    )
    return t.spec.train(train).price * LONG_LIVED_TRAIN_PART if outlasts_others else 0.0


def own_train_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Purchases from bank, pool and the player's other companies, valued by what the trains still earn."""
    t = seat.table
    revenue_before = best_revenue(t)
    for cursor in complete_fillings(offer):
        source = str(cursor.chosen["source"])
        if source in {BANK, POOL}:
            yield WeighedMove(train_worth(t, cursor, revenue_before), cursor)
        elif not t.company.trains and _may_sell(t, t.state.companies[source], seat):
            yield WeighedMove(train_worth(t, cursor, revenue_before) - _cost_to_seller(t, cursor), cursor)
        elif t.state.companies[source].president == seat.player:
            yield from _purchase_between_own_companies(seat, cursor, revenue_before)


def treasury_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Purchases that the treasury alone pays to bank or pool; for a company without trains, all."""
    company = seat.table.company
    for weighed_move in own_train_purchases(seat, offer):
        chosen = weighed_move.cursor.chosen
        if not company.trains or (chosen["source"] in {BANK, POOL} and int(chosen["price"]) <= company.cash):
            yield weighed_move


def _purchase_between_own_companies(
    seat: SeatedPlayer, cursor: OfferCursor, revenue_before: int
) -> Iterator[WeighedMove]:
    """A train between two companies of the player, if both together earn clearly more and the seller keeps one."""
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
    """Dollars that the seller's runs earn less without a train."""
    trains_left = list(seller.trains)
    trains_left.remove(train)
    seller_table = table_operated_by(t, seller.id)
    return best_revenue(seller_table) - best_revenue(hypothetical_table(seller_table, trains=trains_left))


def _cost_to_seller(t: Table, cursor: OfferCursor) -> float:
    """Dollars that a train is worth to the company that gives it up: its price, or what it still earns there."""
    train, seller = str(cursor.chosen["train"]), t.state.companies[str(cursor.chosen["source"])]
    return max(t.spec.train(train).price, _revenue_lost(t, seller, train) * rounds_until_rust(t, train))


def _may_sell(t: Table, company: Company, seat: SeatedPlayer) -> bool:
    """True if the seller is the player's and keeps a train, or if the player would otherwise be ruined."""
    return company.president == seat.player and (len(company.trains) > 1 or _cannot_pay_next_train(t, seat))


def _cannot_pay_next_train(t: Table, seat: SeatedPlayer) -> bool:
    """True if company and president together cannot pay the next train, whatever is sold."""
    return t.company.cash + liquidity(t, t.state.player(seat.player)) < next_price(t)


def train_worth(t: Table, cursor: OfferCursor, revenue_before: int) -> float:
    """Dollars that a train brings the president beyond its price; `revenue_before`: revenue without it."""
    train, traded_train = str(cursor.chosen["train"]), str(cursor.chosen["trade_in"])
    price = int(cursor.chosen["price"])
    trains = [*t.company.trains, train]
    if traded_train:
        trains.remove(traded_train)
    rounds_left = rounds_until_rust(t, train)
    revenue_gain = best_revenue(hypothetical_table(t, trains=trains)) - revenue_before
    extra_revenue = (
        max(revenue_gain, t.spec.train(train).price * MIN_REVENUE_PART)
        if len(trains) <= MAX_USEFUL_TRAINS
        else revenue_gain
    )
    president_pays = max(0, price - t.company.cash)
    treasury_weight = TREASURY_WEIGHT if rounds_left >= LONG_LIFE_ROUNDS else TREASURY_WEIGHT_IF_RUSTING
    worth_of_train = extra_revenue * rounds_left - (price - president_pays) * treasury_weight - president_pays
    if not t.company.trains:
        return worth_of_train + FIRST_TRAIN_VALUE
    outlasts_others = rounds_left > max(rounds_until_rust(t, name) for name in t.company.trains)
    return worth_of_train + (t.spec.train(train).price * LONG_LIVED_TRAIN_PART if outlasts_others else 0)


def liquidations(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Liquidations of a company, weighed by the player's loss."""
    wealth_before = wealth(seat.table, seat.player)
    for cursor in complete_fillings(offer):
        yield WeighedMove(
            min(-1.0, wealth(seat.game.table_after(cursor), seat.player) - wealth_before), cursor
        )


def discards(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """The discard that loses least value."""
    t = seat.table
    return (
        WeighedMove(-_remaining_value(t, cursor.chosen["train"]), cursor)
        for cursor in complete_fillings(offer)
    )


def _remaining_value(t: Table, train: TrainName) -> float:
    return rounds_until_rust(t, train) * t.spec.train(train).price
