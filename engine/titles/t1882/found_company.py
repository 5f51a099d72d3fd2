"""1882's company SC. Only the owner of its private (SCP) can found it, and they choose its home (§3)."""

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
from engine.titles.t1882.city_offers import city_choice_offer
from engine.titles.t1882.neutral_tokens import CN

SC: Final = "SC"
SC_PRIVATE: Final = "SCP"


class FoundingTradeStep(TradeStep):
    """Stock turn. The owner of the SC's private can found the SC instead of buying a share.

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
            return founding_obstacle(t, stock_turn.current_stock_player(t))
        return super().obstacle(t, request)


def founding_obstacle(t: Table, player: PlayerId) -> Fact | None:
    """The reason why the player cannot found the company SC now; None if they can."""
    company, private = t.state.companies[SC], t.state.privates[SC_PRIVATE]
    if company.is_started:
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

    wrong_company_refusal = fact("privates.founds_for_its_owner", private=SC_PRIVATE, company=SC)
    return t.offer(
        "par",
        SC_PRIVATE,
        fact("offer.found_by", company=SC, private=SC_PRIVATE),
        Slot("company", lambda _: Choices([Choice(SC)], lambda _c: wrong_company_refusal)),
        Slot("price", lambda _: FilteredChoices(prices, price_obstacle, price_label)),
    )


def _found_company(t: Table, action: Par) -> None:
    """Found the SC. The player pays the par price once for the president's certificate, and the private closes.

    If the next train for sale is of a type in `event_trains`, one more train of this type is added to the bank.
    """
    company = t.state.companies[SC]
    stock_turn.record_purchase(t, "par")
    set_par(t, company, action.price)
    t.pay(action.actor, BANK, action.price)
    holdings.give_presidents_certificate(company, action.actor)
    t.emit(Parred(action.actor, SC, action.price, company.certificate, action.price))
    selling.update_president(t, company)
    close_private(t, SC_PRIVATE)
    t.stock_round.home_due = SC
    train = next_new_train(t)
    trains_left = None if train not in t.spec.event_trains else t.state.depot[train]
    if train is not None and trains_left is not None:
        t.state.depot[train] = trains_left + 1
        t.emit(TrainAdded(train))


class FoundingHomeStep(Step):
    """The president places the SC's home token in a free city slot, or replaces a neutral token with it.

    Rules: R-1882-022.
    """

    name = "founding_home"
    kinds = frozenset({"place_token"})
    is_exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        if t.stock_round.home_due is None:
            return
        cities = [
            (coord, number)
            for coord in t.map.coords
            for number, stop in enumerate(t.map.topology(coord).stops)
            if stop.kind == "city"
        ]
        free_cities = [stop for stop in cities if t.map.has_space_for(*stop, SC)]
        label = fact("offer.founding_home", company=SC)
        yield _home_offer(t, SC, label, free_cities, lambda spot: fact("choice.founding_home", spot=spot))
        neutral_stops = t.map.token_stops_of(CN)
        if neutral_stops:
            label = fact("offer.home_for_neutral_token", company=SC)
            yield _home_offer(
                t, CN, label, neutral_stops, lambda spot: fact("choice.home_for_neutral_token", spot=spot)
            )

    def apply(self, t: Table, action: PlaceToken) -> None:
        if action.entity == CN:
            t.map.replace_token(action.hex, action.city, CN, SC)
        else:
            t.map.place_token(action.hex, action.city, SC)
        t.state.companies[SC].tokens.pop(0)
        t.state.fresh.tokens.append((action.hex, action.city))
        t.stock_round.home_due = None
        t.emit(HomePlaced(SC, action.hex))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if t.stock_round.home_due is None:
            return None
        return fact("home.founding_first", company=SC, player=t.president(SC).id)


def _home_offer(
    t: Table, owner: CompanyId, label: Fact, stops: list[StopId], choice_label: Callable[..., Fact]
) -> Offer:
    return city_choice_offer(
        t,
        "place_token",
        owner,
        label,
        stops,
        choice_label=choice_label,
        other_hex_refusal=lambda _: fact("home.in_no_such_city", company=SC),
        actor=t.president(SC).id,
    )


class BuyPrivateIn1882Step(BuyPrivateStep):
    """Companies buy privates from players. If a company buys the SC's private, the SC leaves the game.

    Rules: R-1882-024.
    """

    def apply(self, t: Table, action: BuyPrivate) -> None:
        super().apply(t, action)
        remove_unfounded_company(t)

    def carry_out_proposal(self, t: Table, action: BuyPrivate) -> None:
        super().carry_out_proposal(t, action)
        remove_unfounded_company(t)


def remove_unfounded_company(t: Table) -> None:
    """Remove the SC from the game if it was not founded and its private has closed or belongs to a company."""
    company, private = t.state.companies[SC], t.state.privates[SC_PRIVATE]
    is_private_lost = private.closed or private.owner in t.state.companies
    if is_private_lost and not company.is_started and not company.closed:
        close_company(t, company)
