"""The computer player's deals with other players: proposals and answers, mergers, and moves rated by their outcome.

It proposes each kind of deal at most once a round, so it does not repeat a refused one. It proposes nothing in games
with secret cash, because it could not tell what a deal is worth to the other player.
"""

from collections.abc import Iterator
from math import ceil
from typing import Final

from engine.caretaker import privates, trains
from engine.caretaker.outlook import (
    TREASURY_DOLLAR_VALUE,
    expected_price_rise,
    hexes_blocked_for,
    rounds_left,
    rounds_until_rust,
    train_reserve,
    train_shortage,
    wealth,
)
from engine.caretaker.privates import income_rounds_left, lowest_sale_price, value_sold_to_company
from engine.caretaker.railway import (
    NEARBY_PLACE_WEIGHT,
    best_revenue,
    hypothetical_table,
    value_of_places_ahead,
)
from engine.caretaker.weighed_move import WeighedMove, completed_moves
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import IntRange, Offer, OfferCursor
from engine.core.spec import TrainDiscountPower
from engine.core.state import Company, Stock
from engine.game import Game
from engine.play.privates.private_purchases import player_owning_private
from engine.play.shares.holdings import holding_limit
from engine.play.steps.agreements import do_action
from engine.play.table import Table
from engine.play.trains.phases import counted_train_count, train_limit, trains_for_sale
from engine.seat import SeatedPlayer

MIN_GAIN: Final = 30.0
"""Minimum gain in dollars for which a player is expected to agree to a deal."""
ISSUE_COST_FRACTION: Final = 1.5
"""Cost of each dollar raised by issuing shares, as a fraction of a dollar, because the treasury loses dividends."""
MISSING_DOLLAR_WEIGHT: Final = 5.0
"""Weight of each missing dollar, which the player may lack for a forced train purchase, in dollars."""


def weigh_answers(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """The answers to a proposal, rated; agreeing wins only if the player clearly gains."""
    for cursor in completed_moves(offer):
        if cursor.chosen["reply"] == "agree":
            yield WeighedMove(gain_after(seat, seat.game.table_after(cursor)) - MIN_GAIN, cursor)
        elif cursor.chosen["reply"] == "refuse":
            yield WeighedMove(0.0, cursor)


def gain_after(seat: SeatedPlayer, table_after: Table) -> float:
    """Dollars that the player gains if the game goes on from `table_after`.

    Counts wealth, the value of privates, dividends lost with trains, and the risk of bankruptcy.
    """
    table_before = seat.table
    gain = (
        wealth(table_after, seat.player)
        - wealth(table_before, seat.player)
        - _dividends_lost(table_before, table_after, seat)
    )
    gain -= _bankruptcy_risk(table_before, table_after, seat)
    return gain + _private_values(table_after, seat.player) - _private_values(table_before, seat.player)


def weigh_any_gain(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Complete moves that increase the player's wealth without risking bankruptcy, rated by the increase."""
    wealth_before = wealth(seat.table, seat.player)
    for cursor in completed_moves(offer):
        table_after = seat.game.table_after(cursor)
        gain = wealth(table_after, seat.player) - wealth_before
        if gain > 0 and not _bankruptcy_risk(seat.table, table_after, seat):
            yield WeighedMove(gain, cursor)


def weigh_issues(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Ways to issue shares that pay for a train, rated by the train's value less their cost.

    The train is one that the company must buy, or one that earns more than the issue costs.
    """
    t = seat.table
    shortage = train_shortage(t, t.company)
    useful_trains = [] if shortage else _trains_worth_issuing_for(t)
    for cursor in completed_moves(offer) if shortage or useful_trains else ():
        dollars_raised = seat.game.table_after(cursor).company.cash - t.company.cash
        if shortage:
            yield WeighedMove(min(dollars_raised, shortage) - abs(dollars_raised - shortage) / 10, cursor)
        values = [gain for missing_dollars, gain in useful_trains if missing_dollars <= dollars_raised]
        cost = dollars_raised * ISSUE_COST_FRACTION
        if values and max(values) > cost:
            yield WeighedMove(max(values) - cost, cursor)


def _trains_worth_issuing_for(t: Table) -> list[tuple[int, float]]:
    """Bank trains that the company cannot yet afford, as (missing dollars, dollars that the train would still earn)."""
    company = t.company
    if not company.trains or counted_train_count(t, company) >= train_limit(t, company):
        return []
    revenue = best_revenue(t)
    return [
        (missing_dollars, gain * rounds_until_rust(t, train))
        for train in trains_for_sale(t)
        if (missing_dollars := t.spec.train(train).price - company.cash) > 0
        and (gain := best_revenue(hypothetical_table(t, trains=[*company.trains, train])) - revenue) > 0
    ]


def weigh_mergers(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """All offered mergers, rated by the player's wealth afterwards.

    The wealth includes the expected growth of the new company's shares that the player holds or could buy.
    """
    table_before = seat.table
    wealth_before = wealth(table_before, seat.player)
    for cursor in completed_moves(offer):
        table_after = seat.game.table_after(cursor)
        ids_started_before = {c.id for c in table_before.state.companies.values() if c.is_started}
        new_companies = [
            c for c in table_after.state.companies.values() if c.is_started and c.id not in ids_started_before
        ]
        share_growth = sum(_share_growth_value(table_after, seat, company) for company in new_companies)
        yield WeighedMove(
            wealth(table_after, seat.player)
            - wealth_before
            + share_growth
            - _bankruptcy_risk(table_before, table_after, seat),
            cursor,
        )


def _private_values(t: Table, player: PlayerId) -> float:
    """Dollars by which the player's privates are worth more than face value; wealth counts face value only."""
    own_privates = [p.id for p in t.state.privates.values() if p.owner == player]
    return sum(
        lowest_sale_price(t, player, private) - t.spec.privates[private].face_value
        for private in own_privates
    )


def _dividends_lost(table_before: Table, table_after: Table, seat: SeatedPlayer) -> float:
    lost_dividends = 0.0
    for company in table_before.state.companies.values():
        old_trains, train_count = (
            company.runnable_trains,
            len(table_after.state.companies[company.id].runnable_trains),
        )
        if company.last_run is not None and train_count < len(old_trains):
            rounds = max(rounds_until_rust(table_before, train) for train in old_trains)
            lost_fraction = (
                company.percent(seat.player) / 100 * (len(old_trains) - train_count) / len(old_trains)
            )
            lost_dividends += company.last_run.revenue * lost_fraction * rounds
    return lost_dividends


def _bankruptcy_risk(table_before: Table, table_after: Table, seat: SeatedPlayer) -> float:
    return (
        max(0.0, _missing_train_money(table_after, seat) - _missing_train_money(table_before, seat))
        * MISSING_DOLLAR_WEIGHT
    )


def _missing_train_money(t: Table, seat: SeatedPlayer) -> float:
    return max(0.0, train_reserve(t, seat.player) - t.cash(seat.player))


def _share_growth_value(table_after: Table, seat: SeatedPlayer, company: Company) -> float:
    shares_held = company.percent(seat.player) / company.share
    shares_allowed = holding_limit(table_after, company) / company.share - shares_held
    affordable_shares = min(shares_allowed, table_after.cash(seat.player) // table_after.price(company))
    return (
        expected_price_rise(table_after, company)
        * rounds_left(table_after)
        * (shares_held + affordable_shares)
    )


TREASURY_DOLLAR_WEIGHT: Final = 0.3
"""Value of a dollar in the company's treasury to its president, as a fraction of a dollar in hand."""
MAX_PRICE_FACTOR: Final = 1.5
"""Highest price paid for another company's train, as a multiple of its bank price."""
PRICE_STEP: Final = 5
"""Step of proposed prices: they are rounded up to a multiple of this number of dollars."""


def weigh_train_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Train purchases from bank, pool and the player's companies, and proposals to other players' companies."""
    own_purchases = list(trains.weigh_own_train_purchases(seat, offer))
    yield from own_purchases
    if _may_propose(seat, offer):
        yield from _proposals_for_trains(
            seat, offer, max([0.0, *(weighed_move.worth for weighed_move in own_purchases)])
        )


def private_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Purchases of privates, rated.

    A company buys from its president or, by a proposal, from another player. A player buys from another player to sell
    the private to a company later.
    """
    yield from privates.weigh_own_private_purchases(seat, offer)
    if not _may_propose(seat, offer):
        return
    for private in (str(choice.value) for choice in offer.slots[0].domain({}).choices()):
        owner = player_owning_private(seat.table, private)
        if owner != seat.player:
            find_purchases = (
                _purchases_for_company
                if offer.entity in seat.table.state.companies
                else _purchases_for_player
            )
            yield from find_purchases(seat, offer, private, owner)


def weigh_private_sales(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Proposals in a stock round to sell the player's privates to players whose companies could buy them later."""
    t = seat.table
    if not isinstance(t.state.round, Stock) or not _may_propose(seat, offer):
        return
    for cursor in completed_moves(offer):
        private, buyer_id = str(cursor.chosen["private"]), str(cursor.chosen["buyer"])
        own_value, buyer_value = (
            lowest_sale_price(t, seat.player, private),
            value_sold_to_company(t, buyer_id, private),
        )
        for cursor_with_price in _cursor_at_halfway_price(
            cursor, own_value + MIN_GAIN, buyer_value - MIN_GAIN
        ):
            yield WeighedMove(int(cursor_with_price.chosen["price"]) - own_value, cursor_with_price)


def _may_propose(seat: SeatedPlayer, offer: Offer) -> bool:
    t = seat.table
    return not t.spec.secret_cash and offer.kind not in t.state.asked.get(seat.player, [])


def _purchases_for_company(
    seat: SeatedPlayer, offer: Offer, private: PrivateId, owner: PlayerId
) -> Iterator[WeighedMove]:
    """Proposals to buy another player's private for the company, rated by unblocked hexes, discount and income."""
    t = seat.table
    owned_fraction = t.company.percent(seat.player) / 100
    income = t.spec.privates[private].income * income_rounds_left(t, private) * owned_fraction
    worth = _value_of_opened_hexes(t, seat.player, private) + _train_discount_value(t, private) + income
    lowest_price = lowest_sale_price(t, owner, private) + MIN_GAIN
    for cursor in completed_moves(offer):
        if cursor.chosen["private"] == private:
            for cursor_with_price in _cursor_at_halfway_price(
                cursor, lowest_price, (worth - MIN_GAIN) / TREASURY_DOLLAR_WEIGHT
            ):
                yield WeighedMove(
                    worth - int(cursor_with_price.chosen["price"]) * TREASURY_DOLLAR_WEIGHT, cursor_with_price
                )


def _value_of_opened_hexes(t: Table, player: PlayerId, private: PrivateId) -> float:
    """Dollars of the additional revenue places near the company's track if the private did not block its hexes."""
    blocked_hexes = frozenset(t.spec.privates[private].blocked_hexes)
    closed_hexes, revenue_step = hexes_blocked_for(t, player), t.phase.revenue_step
    gain = value_of_places_ahead(
        t.map, t.company.id, revenue_step, closed_hexes - blocked_hexes
    ) - value_of_places_ahead(t.map, t.company.id, revenue_step, closed_hexes)
    return gain * NEARBY_PLACE_WEIGHT


def _train_discount_value(t: Table, private: PrivateId) -> float:
    savings = [
        t.spec.train(train).price - power.reduced_price(t.spec.train(train).price)
        for power in t.spec.privates[private].powers
        if isinstance(power, TrainDiscountPower)
        for train in power.trains
        if t.state.depot[train] != 0 and t.company.cash >= t.spec.train(train).price
    ]
    return max(savings, default=0.0) * TREASURY_DOLLAR_WEIGHT


def _purchases_for_player(
    seat: SeatedPlayer, offer: Offer, private: PrivateId, owner: PlayerId
) -> Iterator[WeighedMove]:
    t = seat.table
    own_value, owner_value = (
        value_sold_to_company(t, seat.player, private),
        lowest_sale_price(t, owner, private),
    )
    for cursor in completed_moves(offer):
        if cursor.chosen["private"] == private:
            for cursor_with_price in _cursor_at_halfway_price(
                cursor, owner_value + MIN_GAIN, own_value - MIN_GAIN
            ):
                yield WeighedMove(own_value - int(cursor_with_price.chosen["price"]), cursor_with_price)


def _proposals_for_trains(seat: SeatedPlayer, offer: Offer, best_worth: float) -> Iterator[WeighedMove]:
    """A proposal to buy a train from another player's company, if it is worth clearly more than `best_worth`.

    `best_worth` is the value in dollars of the best other purchase. The seller keeps at least one train,
    and the treasury alone pays.
    """
    t = seat.table
    revenue_before, min_worth = best_revenue(t), best_worth + MIN_GAIN
    for cursor in _spare_train_purchases(seat, offer):
        for cursor_with_price in _purchase_at_fair_price(
            seat, cursor, trains.train_worth(t, cursor, revenue_before) - min_worth
        ):
            worth = trains.train_worth(t, cursor_with_price, revenue_before)
            if worth > min_worth:
                yield WeighedMove(worth, cursor_with_price)


def _spare_train_purchases(seat: SeatedPlayer, offer: Offer) -> list[OfferCursor]:
    """One purchase of each train type from another player's company that has at least two trains.

    If several companies can sell the type, the one with the most trains is chosen.
    """
    companies = seat.table.state.companies
    cursor_by_train: dict[str, OfferCursor] = {}
    for cursor in completed_moves(offer):
        train, seller = str(cursor.chosen["train"]), companies.get(str(cursor.chosen["source"]))
        if seller is None or seller.president in {None, seat.player} or len(seller.trains) < 2:
            continue
        known_cursor = cursor_by_train.get(train)
        if known_cursor is None or len(companies[str(known_cursor.chosen["source"])].trains) < len(
            seller.trains
        ):
            cursor_by_train[train] = cursor
    return list(cursor_by_train.values())


def _purchase_at_fair_price(seat: SeatedPlayer, cursor: OfferCursor, surplus: float) -> Iterator[OfferCursor]:
    """The purchase of a train at a price that is fair to both sides.

    The price lies halfway between the lowest at which the owner gains and the highest that is worth paying. `surplus`
    is the dollars that the train is worth beyond its price and the best alternative.
    """
    t, price = seat.table, int(cursor.chosen["price"])
    table_after = _table_after_agreement(seat.game, cursor)
    if table_after is None:
        return
    source = str(cursor.chosen["source"])
    owner = t.president(source).id
    owner_dollar_value = t.state.companies[source].percent(owner) / 100 * TREASURY_DOLLAR_VALUE
    lowest_price = (
        price + (MIN_GAIN - gain_after(SeatedPlayer(seat.game, owner), table_after)) / owner_dollar_value
    )
    highest_price = t.spec.train(str(cursor.chosen["train"])).price * MAX_PRICE_FACTOR
    yield from _cursor_at_halfway_price(
        cursor, lowest_price, min(t.company.cash, price + surplus / TREASURY_DOLLAR_WEIGHT, highest_price)
    )


def _table_after_agreement(game: Game, cursor: OfferCursor) -> Table | None:
    """The game after the other player accepts this deal; None if it needs no consent."""
    table = game.table_after(cursor)
    step = next(iter(game.rules.round(table).open_steps(table)))
    answer_cursor = next((OfferCursor(offer) for offer in step.offers(table) if offer.blocking), None)
    if answer_cursor is None:
        return None
    do_action(table, step, answer_cursor.pick("agree").action())
    return table


def _cursor_at_halfway_price(
    cursor: OfferCursor, lowest_price: float, highest_price: float
) -> Iterator[OfferCursor]:
    choices_before_price = {name: value for name, value in cursor.chosen.items() if name != "price"}
    price_range = cursor.offer.slots[-1].domain(choices_before_price)
    if not isinstance(price_range, IntRange):
        return
    lower_price, upper_price = (
        max(float(price_range.low), lowest_price),
        min(float(price_range.high), highest_price),
    )
    if lower_price <= upper_price:
        halfway_price = ceil((lower_price + upper_price) / 2 / PRICE_STEP) * PRICE_STEP
        yield OfferCursor(
            cursor.offer, {**choices_before_price, "price": min(halfway_price, int(upper_price))}
        )
