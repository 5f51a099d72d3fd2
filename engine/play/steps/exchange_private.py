"""Exchanges of a private for a company's share, by the player who owns the private."""

from collections.abc import Iterator, Mapping, Sequence

from engine.core.actions import ExchangePrivate
from engine.core.events import ShareReceived
from engine.core.facts import Fact, fact
from engine.core.ids import HolderId, PlayerId, PrivateId
from engine.core.offers import Choice, Choices, Offer, Slot, Suggestion
from engine.core.spec import ExchangePower, TitleSpec
from engine.core.state import Private, Stock
from engine.play.shares import holdings, selling
from engine.play.shares.starting_and_floating import float_if_sold
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table
from engine.play.trains.phases import close_private


class ExchangeStep(AnytimeStep):
    """Exchange a private for a share of its linked company; this does not count as the turn's purchase.

    Rules: R-C2C-02A.
    """

    name = "exchange"
    kinds = frozenset({"exchange_private"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The legal exchanges now, for the owners of the privates; a share must be available."""
        for name in t.spec.cached(_exchange_power_by_private):
            private = t.state.privates[name]
            if private.owner is not None and _exchange_obstacle(t, private.owner, private) is None:
                yield _exchange_offer(t, private)

    def apply(self, t: Table, action: ExchangePrivate) -> None:
        """Exchange the private for a share. The company may float or change its president."""
        power = t.spec.cached(_exchange_power_by_private)[action.entity]
        company = t.state.companies[power.company]
        if isinstance(t.state.round, Stock) and not power.anytime:
            t.stock_round.acted = True
        holdings.give_shares(company, action.source, action.actor, company.share)
        t.emit(ShareReceived(action.actor, company.id, company.share, is_president_certificate=False))
        close_private(t, action.entity)
        selling.update_president(t, company)
        float_if_sold(t, company)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        exchangeable_privates = (t.state.privates[name] for name in t.spec.cached(_exchange_power_by_private))
        own_private = next(
            (private for private in exchangeable_privates if private.owner == request.actor), None
        )
        private = t.state.privates.get(request.entity or "", own_private)
        if private is None:
            return fact("exchange.no_private", player=request.actor)
        return _exchange_obstacle(t, request.actor, private)


def _exchange_power_by_private(spec: TitleSpec) -> Mapping[PrivateId, ExchangePower]:
    return {
        name: power
        for name, private in spec.privates.items()
        for power in private.powers
        if isinstance(power, ExchangePower)
    }


def _exchange_obstacle(t: Table, player: PlayerId, private: Private) -> Fact | None:
    power = t.spec.cached(_exchange_power_by_private).get(private.id)
    if power is None:
        return fact("exchange.for_nothing", private=private.id)
    if private.closed or private.owner != player or not t.state.is_player(player):
        return fact("exchange.not_yours", player=player, private=private.id)
    if not power.anytime and t.state.players[t.stock_round.turn].id != player:
        return fact("exchange.in_your_turn", private=private.id)
    company = t.state.companies[power.company]
    if not _exchange_sources(t, power):
        return fact("exchange.no_share", private=private.id, company=company.id)
    limit = holdings.holding_limit(t, company)
    if power.anytime and company.percent(player) + company.share > limit:
        return fact("limits.holding", player=player, company=company.id, limit=limit)
    return None


def _exchange_offer(t: Table, private: Private) -> Offer:
    power = t.spec.cached(_exchange_power_by_private)[private.id]
    source_choices = Choices(
        [
            Choice(source, fact("choice.exchanged", company=power.company, source=source))
            for source in _exchange_sources(t, power)
        ],
        lambda source: fact("buying.none_there", company=power.company, source=source),
    )
    return t.offer(
        "exchange_private",
        private.id,
        fact("offer.exchange_private", private=private.id),
        Slot("source", lambda _: source_choices),
        suggest=lambda: [
            Suggestion(
                fact("choice.exchange", private=private.id, share=choice.label), {"source": choice.value}
            )
            for choice in source_choices.choices()
        ],
        blocking=False,
    )


def _exchange_sources(t: Table, power: ExchangePower) -> Sequence[HolderId]:
    company = t.state.companies[power.company]
    return [] if company.closed else [source for source in power.sources if company.shares.get(source)]
