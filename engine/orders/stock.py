"""Orders for stock rounds and merger rounds: passing, buying, being done."""

from collections.abc import Sequence

from engine.core.cursor import Cursor
from engine.core.events import Event
from engine.core.facts import Fact, fact
from engine.core.state import Auction, Draft, Merger, Operating, Round, Stock
from engine.orders.concerns import concerns
from engine.orders.kinds import BuyShares, DoneAfter, PassMerger, PassStock
from engine.seat import Seat


def pass_stock(here: Seat, order: PassStock) -> Cursor | Fact | None:
    """To pass in the round it was given for; who must sell decides.

    So does who fights for a private, or is asked something else than what they do in their turn: the order stands.
    """
    now = here.table.state.round
    if not isinstance(now, Stock) or now.number != order.round or _fights(here):
        return None
    must_sell = here.offered("sell_shares") is not None
    return here.decline() or (fact("order.cannot_pass") if must_sell else None)


def pass_stock_ends(here: Seat, order: PassStock, events: Sequence[Event]) -> Fact | None:
    """The round is over, or something concerns the player who has not said that they pass whatever happens."""
    if when(here.table.state.round) > (order.round, 0):
        return fact("order.round_over")
    found = concerns(here, events) if order.until == "concerned" else iter(())
    return next((why for _, why in found), None)


def buy_shares(here: Seat, order: BuyShares) -> Cursor | Fact | None:
    """To buy one share in a turn, and to pass what is left of it; the rule that stops the purchase ends the order."""
    now = here.table.state.round
    if not isinstance(now, Stock) or now.number != order.round or not _trades(here, now):
        return None
    if now.bought is not None:
        return here.decline() or fact("order.cannot_pass")
    return here.walk("buy_share", {"company": order.company, "source": order.source})


def buy_shares_ends(here: Seat, order: BuyShares, events: Sequence[Event]) -> Fact | None:
    """It has what it was given for, the round is over, or something has happened in the company."""
    company = here.table.state.companies[order.company]
    now = here.table.state.round
    if when(now) > (order.round, 0):
        return fact("order.round_over")
    # What is left of the turn is still passed by the order that has bought.
    buying = isinstance(now, Stock) and now.bought == order.company and _on_turn(here, now)
    if order.shares is None and company.floated and not buying:
        return fact("order.floated", company=company.id)
    if order.shares is not None and here.shares(company.id) >= order.shares and not buying:
        return fact("order.has_shares", company=company.id, shares=order.shares)
    found = concerns(here, events)
    return next((why for about, why in found if about == company.id or why.name == "order.started"), None)


def pass_merger(here: Seat, order: PassMerger) -> Cursor | Fact | None:
    """To pass in the merger round; about a company just formed the player decides, and the order stands."""
    now = here.table.state.round
    passes = isinstance(now, Merger) and when(now) == _round(order) and now.formed is None
    return here.decline() if passes else None


def pass_merger_ends(here: Seat, order: PassMerger, events: Sequence[Event]) -> Fact | None:
    """The merger round is over."""
    return fact("order.round_over") if when(here.table.state.round) > _round(order) else None


def done_after(here: Seat, order: DoneAfter) -> Cursor | Fact | None:
    """To be done with the step."""
    return here.decline()


def done_after_ends(here: Seat, order: DoneAfter, events: Sequence[Event]) -> Fact | None:
    """The step is over, or the order has ended it."""
    step = here.game.step()
    going_on = step is not None and step.name == order.step
    going_on = going_on and any(offer.entity == order.entity for offer in here.asked)
    return None if going_on else fact("order.step_over")


def _fights(here: Seat) -> bool:
    """Whether a private is fought for, by those who have bid on it."""
    return here.table.selling_privates and here.table.auction.contested is not None


def _on_turn(here: Seat, now: Stock) -> bool:
    return here.table.state.players[now.turn].id == here.player


def _trades(here: Seat, now: Stock) -> bool:
    """Whether it is the player's turn to trade: privates are sold before, and tokens bought in between."""
    return _on_turn(here, now) and not here.table.selling_privates and now.tokens_due is None


def _round(order: PassMerger) -> tuple[int, int]:
    return order.set, order.number


def when(round_: Round) -> tuple[int, int]:
    """Set and number of a round: stock rounds have 0, and a draft is the first of them."""
    if isinstance(round_, Operating | Merger):
        return round_.set, round_.number
    if isinstance(round_, Auction):
        return 0, 0
    return (1 if isinstance(round_, Draft) else round_.number), 0
