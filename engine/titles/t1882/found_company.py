"""The SC: founded through its private, at home where its president likes, and lost with the private (3)."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from engine.board.map import StopId
from engine.core.actions import BuyPrivate, BuyShare, Par, Pass, PlaceToken, SellPrivate, SellShares
from engine.core.events import HomePlaced, Parred, TrainAdded
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, CompanyId, PlayerId
from engine.core.offers import Choice, Choices, FilteredChoices, Offer, Slot
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.shares import holdings, selling, stock_turn
from engine.play.shares.share_purchases import holding_obstacle
from engine.play.shares.starting_and_floating import set_par
from engine.play.steps.base import Request, Step
from engine.play.steps.private_sales import BuyPrivateStep
from engine.play.steps.trade import TradeStep
from engine.play.table import Table
from engine.play.trains.phases import close_private, next_new_train
from engine.titles.t1882.city_offers import city_offer
from engine.titles.t1882.neutral_tokens import CN

SC: Final = "SC"
SC_PRIVATE: Final = "SCP"


class FoundingTradeStep(TradeStep):
    """Trading; the purchase of the turn may also be the SC, by the owner of its private.

    Rules: R-1882-021, R-1882-023, D-1882-3.
    """

    def purchase_offers(self, t: Table, player: PlayerId) -> Iterator[Offer | None]:
        yield from super().purchase_offers(t, player)
        yield None if founding_obstacle(t, player) else _founding_offer(t, player)

    def apply(self, t: Table, action: SellShares | BuyShare | BuyPrivate | SellPrivate | Par | Pass) -> None:
        if isinstance(action, Par) and action.entity == SC_PRIVATE:
            _found_company(t, action)
        else:
            super().apply(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if request.kind == "par" and request.given_values.get("company") == SC:
            return founding_obstacle(t, stock_turn.player_on_turn(t))
        return super().obstacle(t, request)


def founding_obstacle(t: Table, player: PlayerId) -> Fact | None:
    """The rule that keeps the player from founding the SC now."""
    company, private = t.state.companies[SC], t.state.privates[SC_PRIVATE]
    if company.started:
        return fact("buying.started_already", company=SC, par=company.par)
    if private.owner != player:
        return fact("privates.founds_for_its_owner", private=SC_PRIVATE, company=SC)
    refusal = stock_turn.purchase_made_obstacle(t) or holding_obstacle(
        t, player, company, company.certificate
    )
    lowest_par, _ = t.grid.pars()[0]
    if refusal or lowest_par <= t.cash(player):
        return refusal
    values = {"percent": company.certificate, "cost": lowest_par, "cash": t.cash(player)}
    return fact("buying.certificate_too_dear", player=player, company=SC, **values)


def _founding_offer(t: Table, player: PlayerId) -> Offer:
    company = t.state.companies[SC]
    prices = [price for price, _ in t.grid.pars()]

    def price_obstacle(price: Any) -> Fact | None:
        if price in prices and price <= t.cash(player):
            return None
        values = {"percent": company.certificate, "cost": price, "cash": t.cash(player)}
        return fact("buying.par_too_dear", company=SC, price=price, **values)

    def price_label(price: int) -> Fact:
        return fact("choice.par", price=price, percent=company.certificate, cost=price)

    other_company = fact("privates.founds_for_its_owner", private=SC_PRIVATE, company=SC)
    return t.offer(
        "par",
        SC_PRIVATE,
        fact("offer.found_by", company=SC, private=SC_PRIVATE),
        Slot("company", lambda _: Choices([Choice(SC)], lambda _c: other_company)),
        Slot("price", lambda _: FilteredChoices(prices, price_obstacle, price_label)),
    )


def _found_company(t: Table, action: Par) -> None:
    """Pay for one share, get the president's certificate, and add a train in front of the bank's."""
    company = t.state.companies[SC]
    stock_turn.note_purchase(t, "par")
    set_par(t, company, action.price)
    t.pay(action.actor, BANK, action.price)
    holdings.give_certificate(company, action.actor)
    t.emit(Parred(action.actor, SC, action.price, company.certificate, action.price))
    selling.update_president(t, company)
    close_private(t, SC_PRIVATE)
    t.stock.home_due = SC
    train = next_new_train(t)
    trains_left = None if train not in t.spec.event_trains else t.state.depot[train]
    if train is not None and trains_left is not None:
        t.state.depot[train] = trains_left + 1
        t.emit(TrainAdded(train))


class FoundingHomeStep(Step):
    """The home of a company just founded: a free city, or the place of a neutral token, which is destroyed.

    Rules: R-1882-022.
    """

    name = "founding_home"
    kinds = frozenset({"place_token"})
    is_exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        if t.stock.home_due is None:
            return
        cities = [
            (coord, number)
            for coord in t.map.coords
            for number, stop in enumerate(t.map.topology(coord).stops)
            if stop.kind == "city"
        ]
        free = [stop for stop in cities if t.map.free_slot(*stop, SC)]
        label = fact("offer.founding_home", company=SC)
        yield _home_offer(t, SC, label, free, lambda spot: fact("choice.founding_home", spot=spot))
        neutral = t.map.tokens_of(CN)
        if neutral:
            label = fact("offer.home_for_neutral_token", company=SC)
            yield _home_offer(
                t, CN, label, neutral, lambda spot: fact("choice.home_for_neutral_token", spot=spot)
            )

    def apply(self, t: Table, action: PlaceToken) -> None:
        if action.entity == CN:
            t.map.replace_token(action.hex, action.city, CN, SC)
        else:
            t.map.place_token(action.hex, action.city, SC)
        t.state.companies[SC].tokens.pop(0)
        t.state.fresh.tokens.append((action.hex, action.city))
        t.stock.home_due = None
        t.emit(HomePlaced(SC, action.hex))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if t.stock.home_due is None:
            return None
        return fact("home.founding_first", company=SC, player=t.president(SC).id)


def _home_offer(
    t: Table, owner: CompanyId, label: Fact, stops: list[StopId], choice: Callable[..., Fact]
) -> Offer:
    """A home in one of these cities, in a free space or in that of the owner's token."""
    return city_offer(
        t,
        "place_token",
        owner,
        label,
        stops,
        choice=choice,
        elsewhere=lambda _: fact("home.in_no_such_city", company=SC),
        actor=t.president(SC).id,
    )


class BuyPrivateOnceStep(BuyPrivateStep):
    """Purchases of privates by companies; that of the SC's private takes the SC out of the game.

    Rules: R-1882-024.
    """

    def apply(self, t: Table, action: BuyPrivate) -> None:
        super().apply(t, action)
        close_unfounded(t)

    def carry_out_proposal(self, t: Table, action: BuyPrivate) -> None:
        super().carry_out_proposal(t, action)
        close_unfounded(t)


def close_unfounded(t: Table) -> None:
    """Take the SC out of the game if it cannot be founded any more."""
    company, private = t.state.companies[SC], t.state.privates[SC_PRIVATE]
    is_lost = private.closed or private.owner in t.state.companies
    if is_lost and not company.started and not company.closed:
        close_company(t, company)
