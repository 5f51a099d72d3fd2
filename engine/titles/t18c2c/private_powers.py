"""Other powers of privates: markers for sale, dollars for a turn's ground, a share in exchange (18C2C 4a, 4b)."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import BuyMarker, ClosePrivate, ExchangePrivate
from engine.core.events import GivenUp, ShareReceived
from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, OFFERING, CompanyId, EntityId, HolderId, PlayerId, PrivateId
from engine.core.offers import Choice, Choices, Filtered, Offer, Slot, Suggestion
from engine.core.spec import ExchangePower
from engine.core.state import Private
from engine.play.private_markers import buy_marker, is_last_marker, marker_powers, marker_sellers
from engine.play.shares import holdings, selling
from engine.play.shares.starting_and_floating import check_float
from engine.play.steps.agreements import propose
from engine.play.steps.base import AnytimeStep, Request
from engine.play.steps.lay_track import TrackStep
from engine.play.table import Table
from engine.play.track.lay_rules import next_lay
from engine.play.track.terrain import turn_discount
from engine.play.trains.phases import close_private
from engine.play.trains.train_prices import seller_name


class BuyMarkerStep(AnytimeStep):
    """At any time of its turn a company without such a marker may buy one, at its fixed price.

    Rules: R-C2C-164.
    """

    name = "buy_marker"
    kinds = frozenset({"buy_marker"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Markers that the treasury can pay and somebody has."""
        privates = [private for private in marker_powers(t.spec) if marker_sellers(t, private)]
        if not privates:
            return
        yield t.offer(
            "buy_marker",
            t.company.id,
            fact("offer.buy_marker"),
            Slot(
                "private",
                lambda _: Filtered(privates, lambda _p: True, lambda p: _marker_label(t, p)),
                lambda _, private: _why_no_marker(t, private),
            ),
            Slot(
                "source",
                lambda c: Choices([Choice(s, seller_name(s)) for s in marker_sellers(t, c["private"])]),
                lambda c, source: fact("privates.marker_not_from", private=c["private"], seller=source),
            ),
            blocking=False,
        )

    def apply(self, t: Table, action: BuyMarker) -> None:
        """Buy it; who parts with its only one is asked."""
        if is_last_marker(t, action.private, action.source):
            holder = t.president(action.source).id
            if holder != action.actor:
                propose(t, action, holder)
                return
        buy_marker(t, action.private, action.source)

    def agreed(self, t: Table, action: BuyMarker) -> None:
        buy_marker(t, action.private, action.source)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        named = request.given.get("private")
        return _why_no_marker(t, next(iter(marker_powers(t.spec))) if named is None else named)


def _marker_label(t: Table, private: PrivateId) -> Fact:
    power = marker_powers(t.spec)[private]
    return fact("choice.marker_of", marker=power.name, private=private, price=power.price)


def _why_no_marker(t: Table, private: Any) -> Fact:
    power, company = marker_powers(t.spec).get(private), t.company
    if power is None:
        return fact("privates.sells_no_markers", private=private)
    if company.held.get(power.name):
        return fact("privates.one_marker_is_enough", company=company.id, marker=power.name)
    if company.cash < power.price:
        return fact("privates.marker_too_dear", marker=power.name, price=power.price, company=company.id)
    return fact("privates.marker_not_sold", marker=power.name)


class PurseTrackStep(TrackStep):
    """Track as usual, before which privates may be given up that pay for the ground.

    Rules: R-C2C-151.
    """

    kinds = TrackStep.kinds | {"close_private"}

    def helps(self, t: Table) -> Iterator[Offer]:
        """Lays that privates help with, and privates that may be given up for them."""
        yield from super().helps(t)
        yield from _purses(t)

    def apply(self, t: Table, action: Any) -> None:
        if isinstance(action, ClosePrivate):
            _open_purse(t, t.state.privates[action.entity])
        else:
            super().apply(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return (
            _why_no_purse(t, request.entity)
            if request.kind == "close_private"
            else super().obstacle(t, request)
        )


def _purses(t: Table) -> Iterator[Offer]:
    if next_lay(t) is None:
        return
    for private in t.state.privates.values():
        power = turn_discount(t, private.id)
        if power is not None and private.owner == t.company.id and not private.power_used:
            label = fact("offer.open_purse", private=private.id, dollars=power.amount)
            yield t.offer("close_private", private.id, label)


def _open_purse(t: Table, private: Private) -> None:
    """It closes, and its dollars pay for the terrain of this turn's tiles in its zone; what is left over is lost."""
    power = turn_discount(t, private.id)
    assert power is not None
    t.turn.purses[private.id] = power.amount
    t.emit(GivenUp(t.company.id, private.id, power.amount))
    close_private(t, private.id)


def _why_no_purse(t: Table, private: EntityId | None) -> Fact | None:
    """Why the private that was named pays for no tiles of this turn."""
    known = t.state.privates.get(private or "")
    if known is None or turn_discount(t, known.id) is None:
        return None
    if known.owner != t.company.id:
        return fact("privates.closed_by_its_owner", private=known.id, company=t.company.id)
    if known.power_used:
        return fact("privates.label_given", private=known.id)
    return fact("track.points_used_up", company=t.company.id)


class ExchangeStep(AnytimeStep):
    """In addition to their own trading, for a share of the offering or the market; the private closes.

    Rules: R-C2C-02A.
    """

    name = "exchange"
    kinds = frozenset({"exchange_private"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """For each such private of the player on turn, while there is a share."""
        player = t.state.players[t.stock.turn].id
        for private in t.state.privates.values():
            company = _exchanged_company(t, private)
            if private.owner == player and not private.closed and company is not None:
                yield from _exchange_offer(t, private, company)

    def apply(self, t: Table, action: ExchangePrivate) -> None:
        """It counts as an action, not as the purchase; the share may float its company."""
        private = t.state.privates[action.entity]
        name = _exchanged_company(t, private)
        assert name is not None
        company = t.state.companies[name]
        t.stock.acted = True
        holdings.give(company, action.source, action.actor, company.share)
        t.emit(ShareReceived(action.actor, name, company.share, president=False))
        close_private(t, private.id)
        selling.settle_president(t, company)
        check_float(t, company)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        private = t.state.privates.get(request.entity or "") or _own(t, request.actor)
        company = None if private is None else _exchanged_company(t, private)
        if private is None:
            return fact("exchange.no_private", player=request.actor)
        if company is None:
            return fact("exchange.for_nothing", private=private.id)
        if private.closed or private.owner != request.actor:
            return fact("exchange.not_yours", player=request.actor, private=private.id)
        return fact("exchange.no_share", private=private.id, company=company)


def _exchange_offer(t: Table, private: Private, name: CompanyId) -> Iterator[Offer]:
    sources = _exchange_sources(t, name)
    if not sources:
        return
    choices = [Choice(source, fact("choice.exchanged", company=name, source=source)) for source in sources]
    yield t.offer(
        "exchange_private",
        private.id,
        fact("offer.exchange_private", private=private.id),
        Slot(
            "source",
            lambda _: Choices(choices),
            lambda _, source: fact("buying.none_there", company=name, source=source),
        ),
        suggest=lambda: [
            Suggestion(
                fact("choice.exchange", private=private.id, share=choice.label), {"source": choice.value}
            )
            for choice in choices
        ],
        blocking=False,
    )


def _own(t: Table, player: PlayerId) -> Private | None:
    owned = (private for private in t.state.privates.values() if private.owner == player)
    return next((private for private in owned if _exchanged_company(t, private) is not None), None)


def _exchanged_company(t: Table, private: Private) -> CompanyId | None:
    """The company of whose shares the private brings one; None: it is exchanged for nothing."""
    powers = t.spec.privates[private.id].powers
    return next((power.company for power in powers if isinstance(power, ExchangePower)), None)


def _exchange_sources(t: Table, name: CompanyId) -> list[HolderId]:
    company = t.state.companies[name]
    return [] if company.closed else [place for place in (OFFERING, MARKET) if company.shares.get(place)]
