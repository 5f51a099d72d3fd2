"""Deals with other players: proposals that help both sides, answers to theirs, mergers, and moves judged by their
outcome.

One proposal of each kind a round: a refusal is not asked about again. Where money is secret nobody is
asked, because what a deal is worth to the other side depends on theirs.
"""

from collections.abc import Iterator
from math import ceil
from typing import Final

from engine.caretaker import privates, trains
from engine.caretaker.ideas import Idea, complete_fillings
from engine.caretaker.outlook import (
    HELD,
    expected_rise,
    hexes_closed_to,
    rounds_left,
    rounds_until_rust,
    train_reserve,
    train_shortage,
    wealth,
)
from engine.caretaker.privates import held_value, income_rounds_left, takeover_value
from engine.caretaker.railway import PLACES, best_revenue, places_ahead
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import Cursor, IntRange, Offer
from engine.core.spec import TrainDiscountPower
from engine.core.state import Company, Stock
from engine.game import Game
from engine.play.privates.private_purchases import owner_of
from engine.play.shares.holdings import holding_limit
from engine.play.steps.agreements import do_action
from engine.play.table import Table
from engine.seat import SeatedPlayer

PLAINLY: Final = 30.0
"""By how many dollars one must be better off to agree."""
RISK: Final = 5.0
"""Weight of a dollar that may be missing for a train."""


def answer_ideas(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Refuse, unless the player would clearly gain."""
    for walk in complete_fillings(offer):
        if walk.chosen["reply"] == "agree":
            yield Idea(gain_after(seat, seat.game.after(walk)) - PLAINLY, walk)
        elif walk.chosen["reply"] == "refuse":
            yield Idea(0.0, walk)


def gain_after(seat: SeatedPlayer, after: Table) -> float:
    """Dollars that the player gains by a deal, less the income of runs and privates they lose by it."""
    before = seat.table
    gain = wealth(after, seat.player) - wealth(before, seat.player) - _runs_lost(before, after, seat)
    gain -= _risk(before, after, seat)
    return gain + _private_worths(after, seat.player) - _private_worths(before, seat.player)


def any_gain(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Every filling of the offer that leaves the player better off."""
    before = wealth(seat.table, seat.player)
    for walk in complete_fillings(offer):
        after = seat.game.after(walk)
        more = wealth(after, seat.player) - before
        if more > 0 and not _risk(seat.table, after, seat):
            yield Idea(more, walk)


def issues(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Issue the fewest shares that pay for a train the company lacks money for."""
    t = seat.table
    lacking = train_shortage(t, t.company)
    for walk in complete_fillings(offer) if lacking else ():
        raised = seat.game.after(walk).company.cash - t.company.cash
        yield Idea(min(raised, lacking) - abs(raised - lacking) / 10, walk)


def mergers(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Mergers, valued by the player's wealth afterwards and the growth of the new company's shares they hold or
    can buy.
    """
    before = seat.table
    had = wealth(before, seat.player)
    for walk in complete_fillings(offer):
        after = seat.game.after(walk)
        had_started = {c.id for c in before.state.companies.values() if c.started}
        new = [c for c in after.state.companies.values() if c.started and c.id not in had_started]
        gains = sum(_gain(after, seat, company) for company in new)
        yield Idea(wealth(after, seat.player) - had + gains - _risk(before, after, seat), walk)


def _private_worths(t: Table, player: PlayerId) -> float:
    """Values of the player's privates above their face values, which count as wealth."""
    mine = [p.id for p in t.state.privates.values() if p.owner == player]
    return sum(held_value(t, player, private) - t.spec.privates[private].value for private in mine)


def _runs_lost(before: Table, after: Table, seat: SeatedPlayer) -> float:
    """Dividends, in dollars, that the player loses with trains their companies give up."""
    lost = 0.0
    for company in before.state.companies.values():
        had, left = company.running, len(after.state.companies[company.id].running)
        if company.last_run is not None and left < len(had):
            rounds = max(rounds_until_rust(before, train) for train in had)
            part = company.percent(seat.player) / 100 * (len(had) - left) / len(had)
            lost += company.last_run.revenue * part * rounds
    return lost


def _risk(before: Table, after: Table, seat: SeatedPlayer) -> float:
    return max(0.0, _missing(after, seat) - _missing(before, seat)) * RISK


def _missing(t: Table, seat: SeatedPlayer) -> float:
    """Dollars that the player lacks for trains that their companies may soon be forced to buy."""
    return max(0.0, train_reserve(t, seat.player) - t.cash(seat.player))


def _gain(after: Table, seat: SeatedPlayer, company: Company) -> float:
    held = company.percent(seat.player) / company.share
    room = holding_limit(after, company) / company.share - held
    bought = min(room, after.cash(seat.player) // after.price(company))
    return expected_rise(after, company) * rounds_left(after) * (held + bought)


TREASURY_DOLLAR: Final = 0.3
"""Weight of a dollar of the company."""
MOST_FOR_TRAIN: Final = 1.5
"""The most paid for a train, as a multiple of its price in the bank."""
ROUNDED: Final = 5
"""Between two prices, in dollars."""


def train_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Trains from bank, pool and own companies, and one of another player's company."""
    alone = list(trains.own_train_purchases(seat, offer))
    yield from alone
    if _may_ask(seat, offer):
        yield from _trains_of_others(seat, offer, max([0.0, *(idea.worth for idea in alone)]))


def private_purchases(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Purchases of the president's own privates and of other players', for the company or for sale to it."""
    yield from privates.own_private_purchases(seat, offer)
    if not _may_ask(seat, offer):
        return
    for private in (str(choice.value) for choice in offer.slots[0].domain({}).choices()):
        owner = owner_of(seat.table, private)
        if owner != seat.player:
            look = _for_company if offer.entity in seat.table.state.companies else _for_oneself
            yield from look(seat, offer, private, owner)


def private_sales(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """Sales of the player's privates, in a stock round, to players whose companies could buy them."""
    t = seat.table
    if not isinstance(t.state.round, Stock) or not _may_ask(seat, offer):
        return
    for walk in complete_fillings(offer):
        private, buyer = str(walk.chosen["private"]), str(walk.chosen["buyer"])
        mine, theirs = held_value(t, seat.player, private), takeover_value(t, buyer, private)
        for priced in _halfway_price(walk, mine + PLAINLY, theirs - PLAINLY):
            yield Idea(int(priced.chosen["price"]) - mine, priced)


def _may_ask(seat: SeatedPlayer, offer: Offer) -> bool:
    t = seat.table
    return not t.spec.secret_cash and offer.kind not in t.state.asked.get(seat.player, [])


def _for_company(seat: SeatedPlayer, offer: Offer, private: PrivateId, owner: PlayerId) -> Iterator[Idea]:
    """Privates of others for the company, valued by the hexes they open and the income until privates close."""
    t = seat.table
    part = t.company.percent(seat.player) / 100
    income = t.spec.privates[private].income * income_rounds_left(t) * part
    worth = _value_of_opened_hexes(t, seat.player, private) + _cheaper(t, private) + income
    least = held_value(t, owner, private) + PLAINLY
    for walk in complete_fillings(offer):
        if walk.chosen["private"] == private:
            for priced in _halfway_price(walk, least, (worth - PLAINLY) / TREASURY_DOLLAR):
                yield Idea(worth - int(priced.chosen["price"]) * TREASURY_DOLLAR, priced)


def _value_of_opened_hexes(t: Table, player: PlayerId, private: PrivateId) -> float:
    """Dollars of the places that the company's track comes closer to when the private no longer blocks its hexes."""
    blocks = frozenset(t.spec.privates[private].blocks)
    closed, step = hexes_closed_to(t, player), t.phase.revenue_step
    more = places_ahead(t.map, t.company.id, step, closed - blocks) - places_ahead(
        t.map, t.company.id, step, closed
    )
    return more * PLACES


def _cheaper(t: Table, private: PrivateId) -> float:
    """Dollars that the company saves with the private on a train on sale."""
    saved = [
        t.spec.train(train).price * (100 - power.percent) / 100
        for power in t.spec.privates[private].powers
        if isinstance(power, TrainDiscountPower)
        for train in power.trains
        if t.state.depot[train] != 0 and t.company.cash >= t.spec.train(train).price
    ]
    return max(saved, default=0.0) * TREASURY_DOLLAR


def _for_oneself(seat: SeatedPlayer, offer: Offer, private: PrivateId, owner: PlayerId) -> Iterator[Idea]:
    t = seat.table
    mine, theirs = takeover_value(t, seat.player, private), held_value(t, owner, private)
    for walk in complete_fillings(offer):
        if walk.chosen["private"] == private:
            for priced in _halfway_price(walk, theirs + PLAINLY, mine - PLAINLY):
                yield Idea(mine - int(priced.chosen["price"]), priced)


def _trains_of_others(seat: SeatedPlayer, offer: Offer, best: float) -> Iterator[Idea]:
    """A train of a company that keeps another one, paid from the treasury alone, if no other idea is worth as much."""
    t = seat.table
    before, least = best_revenue(t), best + PLAINLY
    for walk in _spare_trains(seat, offer):
        for priced in _at_a_price(seat, walk, trains.train_worth(t, walk, before) - least):
            worth = trains.train_worth(t, priced, before)
            if worth > least:
                yield Idea(worth, priced)


def _spare_trains(seat: SeatedPlayer, offer: Offer) -> list[Cursor]:
    """One train of each kind from another player's company with the most trains, at least two."""
    companies = seat.table.state.companies
    spare: dict[str, Cursor] = {}
    for walk in complete_fillings(offer):
        train, giver = str(walk.chosen["train"]), companies.get(str(walk.chosen["source"]))
        if giver is None or giver.president in {None, seat.player} or len(giver.trains) < 2:
            continue
        known = spare.get(train)
        if known is None or len(companies[str(known.chosen["source"])].trains) < len(giver.trains):
            spare[train] = walk
    return list(spare.values())


def _at_a_price(seat: SeatedPlayer, cursor: Cursor, more: float) -> Iterator[Cursor]:
    """The purchase halfway between the owner's lowest useful price, found by trying, and the train's value."""
    t, price = seat.table, int(cursor.chosen["price"])
    after = _agreed(seat.game, cursor)
    if after is None:
        return
    source = str(cursor.chosen["source"])
    owner = t.president(source).id
    part = t.state.companies[source].percent(owner) / 100 * HELD
    least = price + (PLAINLY - gain_after(SeatedPlayer(seat.game, owner), after)) / part
    most = t.spec.train(str(cursor.chosen["train"])).price * MOST_FOR_TRAIN
    yield from _halfway_price(cursor, least, min(t.company.cash, price + more / TREASURY_DOLLAR, most))


def _agreed(game: Game, cursor: Cursor) -> Table | None:
    """The table after the deal is proposed and accepted; None where no consent is needed."""
    table = game.after(cursor)
    step = next(iter(game.rules.round(table).open_steps(table)))
    answer = next((Cursor(offer) for offer in step.offers(table) if offer.blocking), None)
    if answer is None:
        return None
    do_action(table, step, answer.pick("agree").action())
    return table


def _halfway_price(cursor: Cursor, least: float, most: float) -> Iterator[Cursor]:
    """The purchase at a price halfway between these, if it is legal."""
    chosen = {name: value for name, value in cursor.chosen.items() if name != "price"}
    prices = cursor.offer.slots[-1].domain(chosen)
    if not isinstance(prices, IntRange):
        return
    low, high = max(float(prices.low), least), min(float(prices.high), most)
    if low <= high:
        halfway = ceil((low + high) / 2 / ROUNDED) * ROUNDED
        yield Cursor(cursor.offer, {**chosen, "price": min(halfway, int(high))})
