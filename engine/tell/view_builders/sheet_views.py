"""Builders for views of companies, players, the whole table, trains and phases."""

from collections.abc import Iterator

from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, OFFERING, REMOVED, CompanyId, PlayerId
from engine.core.spec import PhaseSpec, TrainSpec
from engine.core.state import Company
from engine.game import Game
from engine.play.operating_order import operating_order
from engine.play.privates.auction import free_cash
from engine.play.shares import holdings, selling
from engine.play.shares.certificate_and_holding_limits import certificate_limit
from engine.play.table import Table
from engine.play.trains.phases import charters_text, trains_by_charter
from engine.tell.map_marks import marker_facts
from engine.tell.teller import teller_of
from engine.tell.title_facts import changed_phase_limits, phase_events, preceding_phase, special_train_limits
from engine.tell.view_builders.view_parts import (
    company_badge,
    may_see_cash,
    picture_caption,
    reserving_player,
    visible_cash,
)
from engine.tell.views import (
    CompanyView,
    HoldingView,
    LastRunView,
    PhasesView,
    PhaseView,
    PlayerView,
    TableView,
    TrainsView,
    UpcomingTrainView,
)


def phases_view(game: Game) -> PhasesView:
    """View of the phase chart: all phases with their changes."""
    t = game.table
    return PhasesView(
        t.spec.name, picture_caption(game), tuple(_phase_view(game, phase) for phase in t.spec.phases)
    )


def _phase_view(game: Game, phase: PhaseSpec) -> PhaseView:
    t, say = game.table, teller_of(game).say
    return PhaseView(
        name=phase.name,
        started_by="".join(map(say, _phase_start_facts(phase))),
        tile_colours=phase.tile_colours,
        train_limit=phase.train_limit,
        operating_rounds=phase.operating_rounds,
        changes=tuple(
            map(
                say,
                [*special_train_limits(preceding_phase(t.spec, phase), phase), *phase_events(t.spec, phase)],
            )
        ),
        is_reached=t.has_reached_phase(phase.name),
        is_current=phase.name == t.state.phase,
    )


def _phase_start_facts(phase: PhaseSpec) -> Iterator[Fact]:
    if phase.train is not None:
        yield fact(
            "coming.first" if phase.train_number == 1 else "coming.nth",
            train=phase.train,
            nth=phase.train_number,
        )
    elif phase.starting_round is not None:
        yield fact("round.operating", set=phase.starting_round[0], number=phase.starting_round[1])


def coming_train_views(game: Game) -> tuple[UpcomingTrainView, ...]:
    """Views of the trains left in the bank, by type, with the changes that each type's first purchase causes."""
    t = game.table
    return tuple(
        UpcomingTrainView(
            train.name,
            trains_left,
            train.price,
            _changes_after_purchase(game, train.name),
            currency=t.spec.currency,
        )
        for train in t.spec.trains
        if (trains_left := t.state.depot[train.name]) is None or trains_left
    )


def _changes_after_purchase(game: Game, train: str) -> tuple[str, ...]:
    t, say = game.table, teller_of(game).say
    spec = t.spec.train(train)
    event_texts = [] if spec.leaves_after_set is None else [_removal_text(game, spec)]
    for earlier_phase, phase in _phases_to_come(t):
        if phase.train == train:
            changes = [*changed_phase_limits(earlier_phase, phase), *phase_events(t.spec, phase)]
            number_facts = [] if phase.train_number == 1 else [fact("coming.number", nth=phase.train_number)]
            event_texts.extend(map(say, [*number_facts, *changes]))
    return tuple(event_texts)


def _phases_to_come(t: Table) -> Iterator[tuple[PhaseSpec, PhaseSpec]]:
    """(preceding phase, phase) for each phase that has not started."""
    phases = t.spec.phases
    current_index = phases.index(t.phase)
    yield from zip(phases[current_index:], phases[current_index + 1 :], strict=False)


def holding_views(t: Table, player: PlayerId) -> tuple[HoldingView, ...]:
    """The player's shareholdings, one view per company."""
    return tuple(
        HoldingView(
            company_badge(t, company.id),
            company.percent(player),
            t.price(company),
            t.price(company) * company.percent(player) // company.share,
            company.president == player,
            company.share,
            company.certificate,
            currency=t.spec.currency,
        )
        for company in t.state.companies.values()
        if company.percent(player)
    )


def player_view(game: Game, player: PlayerId, viewer: PlayerId | None = None) -> PlayerView:
    """A player's sheet as `viewer` sees it (None: the public). Raises KeyError if there is no such player."""
    t = game.table
    seat = t.state.player(player)
    is_cash_known = may_see_cash(t, player, viewer)
    available_cash = free_cash(t, player) if t.is_selling_privates else seat.cash
    return PlayerView(
        player=player,
        name=seat.name,
        cash=seat.cash if is_cash_known else None,
        available_cash=available_cash if is_cash_known else None,
        certificates=holdings.certificate_count(t, player),
        certificate_limit=certificate_limit(t),
        has_priority_deal=t.state.players[t.state.priority].id == player,
        holdings=holding_views(t, player),
        privates=tuple(
            (p.id, t.spec.privates[p.id].name, t.spec.privates[p.id].face_value, t.spec.privates[p.id].income)
            for p in t.state.privates.values()
            if p.owner == player
        ),
        net_worth=holdings.net_worth(t, seat) if is_cash_known else None,
        is_bankrupt=seat.bankrupt,
        liquidity=selling.liquidity(t, seat) if is_cash_known else None,
        currency=t.spec.currency,
    )


def company_view(game: Game, company: CompanyId, viewer: PlayerId | None = None) -> CompanyView:
    """A company's charter as `viewer` sees it (None: the public). Raises KeyError if there is no such company."""
    t = game.table
    company_state = t.state.companies[company]
    spec = t.spec.companies[company]
    zone = holdings.market_zone(t, company_state)
    president = company_state.president
    return CompanyView(
        badge=company_badge(t, company),
        name=spec.name,
        president=t.state.player(president).name if president else None,
        par=company_state.par,
        price=t.price(company_state) or None,
        zone=zone.name if zone else "",
        is_floated=company_state.floated,
        treasury=visible_cash(t, company, viewer),
        trains=tuple((train, _removal_text(game, t.spec.train(train))) for train in company_state.trains),
        tokens_left=tuple(company_state.tokens),
        tokens_placed=tuple(coord for coord, _ in t.map.token_stops_of(company)),
        home=spec.home.hex if spec.home else None,
        privates=tuple(p.id for p in t.state.privates.values() if p.owner == company),
        offering_percent=company_state.percent(OFFERING),
        market_percent=company_state.percent(MARKET),
        removed_percent=company_state.percent(REMOVED),
        holders=tuple(
            (seat.name, company_state.percent(seat.id), company_state.certificate_holder == seat.id)
            for seat in t.state.players
            if company_state.percent(seat.id)
        ),
        last_run=_last_run_view(game, company_state),
        float_percent=spec.float_percent,
        share_percent=company_state.share,
        president_share_percent=company_state.certificate,
        treasury_percent=company_state.percent(company_state.treasury),
        reissued=tuple(company_state.reissue_prices),
        reserved_token_texts=_reserved_tokens(game, company_state),
        currency=t.spec.currency,
        is_price_fixed=company_state.cell is not None and t.grid.is_space(company_state.cell),
        reserved_by=_reserving_player_name(t, company),
        is_closed=company_state.closed,
        waits_for_phase=t.spec.company_draw.others_from_phase
        if company_state.waiting and t.spec.company_draw
        else "",
        obsolete_trains=tuple(company_state.obsolete),
        shells_text=teller_of(game).say(charters_text(trains_by_charter(company_state)))
        if company_state.is_merged
        else "",
        merged_companies=tuple(company_state.parts),
        markers=tuple(map(teller_of(game).say, marker_facts(t, company_state))),
    )


def _reserved_tokens(game: Game, company: Company) -> tuple[str, ...]:
    if company.extra is None:
        return ()
    say, spec = teller_of(game).say, game.table.spec
    destinations = [" ".join(spec.companies[name].destination) for name in company.extra.reserved]
    bull_texts = [say(fact("sheet.bull"))] * company.extra.bulls
    return (*(say(fact("sheet.for_destination", place=place)) for place in destinations), *bull_texts)


def _reserving_player_name(t: Table, company: CompanyId) -> str:
    player = reserving_player(t, company)
    return "" if player is None else t.state.player(player).name


def _last_run_view(game: Game, company: Company) -> LastRunView | None:
    run = company.last_run
    if run is None:
        return None
    outcome_text = teller_of(game).say(fact(f"outcome.{run.outcome}"))
    is_revenue_kept = run.outcome not in {"paid", "half"}
    return LastRunView(run.revenue, is_revenue_kept, outcome_text, currency=game.table.spec.currency)


def _removal_text(game: Game, train: TrainSpec) -> str:
    """The event that removes trains of this type from the game, as text; empty if they stay."""
    say, phase = teller_of(game).say, train.rusts_on or train.obsolete_on
    if train.leaves_after_set is not None:
        return say(fact("coming.leaves", set=train.leaves_after_set))
    return say(fact("coming.rusts_on", phase=phase)) if phase else ""


def trains_view(game: Game) -> TrainsView:
    """View of the trains in bank and pool."""
    t = game.table
    bank_trains = tuple(
        (train.name, t.state.depot[train.name], train.price, train.max_stops, _removal_text(game, train))
        for train in t.spec.trains
    )
    pool_trains = tuple((name, t.spec.train(name).price) for name in t.state.pool)
    other_limits_by_kind = tuple((kind, limit) for kind, limit in t.phase.train_limits.items())
    return TrainsView(
        bank_trains,
        pool_trains,
        t.state.phase,
        t.phase.train_limit,
        other_limits_by_kind,
        currency=t.spec.currency,
    )


def table_view(game: Game, viewer: PlayerId | None = None) -> TableView:
    """The whole table as `viewer` sees it (None: the public): holdings, companies' assets, trains left."""
    t = game.table
    return TableView(
        title=t.spec.name,
        caption=picture_caption(game),
        companies=tuple(company_view(game, company, viewer) for company in _companies_in_order(t)),
        players=tuple(player_view(game, player.id, viewer) for player in t.state.players),
        actor_names=() if game.is_over else tuple(game.actors()),
        trains=coming_train_views(game),
        pool=tuple((name, t.spec.train(name).price) for name in t.state.pool),
        train_limit=t.phase.train_limit,
        train_limits=tuple(t.phase.train_limits.items()),
        currency=t.spec.currency,
    )


def _companies_in_order(t: Table) -> list[str]:
    started_companies = [company.id for company in operating_order(t)]
    other_companies = [
        c.id for c in t.state.companies.values() if c.id not in started_companies and not c.closed
    ]
    return [*started_companies, *other_companies]
