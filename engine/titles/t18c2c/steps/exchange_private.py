"""The owner of a private exchanges it for a share of a company, in their turn of a stock round."""

from collections.abc import Iterator

from engine.core.actions import ExchangePrivate
from engine.core.events import ShareReceived
from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, OFFERING, CompanyId, HolderId, PlayerId
from engine.core.offers import Choice, Choices, Offer, Suggestion
from engine.core.spec import ExchangePower
from engine.core.state import Private
from engine.play.shares import holdings, presidency
from engine.play.shares.floating import check_float
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table
from engine.play.trains.phases import close_private


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
            company = _company(t, private)
            if private.owner == player and not private.closed and company is not None:
                yield from _offer(t, private, company)

    def apply(self, t: Table, action: ExchangePrivate) -> None:
        """It counts as an action, not as the purchase; the share may float its company."""
        private = t.state.privates[action.entity]
        name = _company(t, private)
        assert name is not None
        company = t.state.companies[name]
        t.stock.acted = True
        holdings.give(company, action.source, action.actor, company.share)
        t.emit(ShareReceived(action.actor, name, company.share, president=False))
        close_private(t, private.id)
        presidency.settle_president(t, company)
        check_float(t, company)

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """Why the private that was named, or any, is not exchanged."""
        private = t.state.privates.get(request.entity or "") or _own(t, request.actor)
        company = None if private is None else _company(t, private)
        if private is None:
            return fact("exchange.no_private", player=request.actor)
        if company is None:
            return fact("exchange.for_nothing", private=private.id)
        if private.closed or private.owner != request.actor:
            return fact("exchange.not_yours", player=request.actor, private=private.id)
        return fact("exchange.no_share", private=private.id, company=company)


def _offer(t: Table, private: Private, name: CompanyId) -> Iterator[Offer]:
    sources = _sources(t, name)
    if not sources:
        return
    choices = [Choice(source, fact("choice.exchanged", company=name, source=source)) for source in sources]
    yield t.offer(
        "exchange_private",
        private.id,
        fact("offer.exchange_private", private=private.id),
        t.slot(
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
    """The first private of the player that is exchanged for a share."""
    owned = (private for private in t.state.privates.values() if private.owner == player)
    return next((private for private in owned if _company(t, private) is not None), None)


def _company(t: Table, private: Private) -> CompanyId | None:
    """The company of whose shares the private brings one; None: it is exchanged for nothing."""
    powers = t.spec.privates[private.id].powers
    return next((power.company for power in powers if isinstance(power, ExchangePower)), None)


def _sources(t: Table, name: CompanyId) -> list[HolderId]:
    company = t.state.companies[name]
    return [] if company.closed else [place for place in (OFFERING, MARKET) if company.shares.get(place)]
