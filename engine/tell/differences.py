"""Differences between two positions, as messages: money, holdings, prices, track, tokens and best runs."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, Coord, EntityId, PlayerId
from engine.core.state import Operating
from engine.game import Game
from engine.play.privates.auction import free_cash
from engine.play.shares.holdings import net_worth
from engine.play.steps.run_trains import BestRun, best_run
from engine.play.table import Table
from engine.play.turn_order import table_in_turn_of

# --- of a player or company ---------------------------------------------------------------------------------------


def money_changes(earlier_position: Table, later_position: Table, entity: EntityId) -> Iterator[Fact]:
    """The change of a player's cash or a company's treasury, as a message; nothing if it is unchanged.

    If a player's cash is unchanged during an auction, the message is about their cash that is not committed
    to bids.
    """
    is_company = entity in earlier_position.state.companies
    if earlier_position.cash(entity) != later_position.cash(entity):
        name = "change.treasury" if is_company else "change.cash"
        yield fact(name, old=earlier_position.cash(entity), new=later_position.cash(entity))
    elif not is_company and earlier_position.is_selling_privates and later_position.is_selling_privates:
        old_value, new_value = free_cash(earlier_position, entity), free_cash(later_position, entity)
        if old_value != new_value:
            yield fact("change.free_cash", old=old_value, new=new_value)


def holdings_changes(earlier_position: Table, later_position: Table, entity: EntityId) -> Iterator[Fact]:
    """The changes of a player's or company's trains, privates and shares, as messages."""
    if entity in earlier_position.state.companies:
        yield from _list_changes(
            "change.trains", _trains_of(earlier_position, entity), _trains_of(later_position, entity)
        )
    yield from _list_changes(
        "change.privates", _privates_of(earlier_position, entity), _privates_of(later_position, entity)
    )
    for company in earlier_position.state.companies.values():
        old_value, new_value = (
            company.percent(entity),
            later_position.state.companies[company.id].percent(entity),
        )
        if old_value != new_value:
            yield fact("change.shares", company=company.id, old=old_value, new=new_value)


def net_worth_change(earlier_position: Game, later_position: Game, player: PlayerId) -> Iterator[Fact]:
    """The changes of a player's cash and net worth, as messages to this player."""
    old_value, new_value = earlier_position.table.cash(player), later_position.table.cash(player)
    if old_value != new_value:
        yield fact("change.your_cash", old=old_value, new=new_value)
    old_value, new_value = (
        net_worth(game.table, game.table.state.player(player)) for game in (earlier_position, later_position)
    )
    if old_value != new_value:
        yield fact("change.your_worth", old=old_value, new=new_value)


def _list_changes(name: str, old_value: Sequence[str], new_value: Sequence[str]) -> Iterator[Fact]:
    if old_value != new_value:
        yield fact(name, old=_names_fact(old_value), new=_names_fact(new_value))


def _names_fact(names: Sequence[str]) -> Fact:
    return fact("change.some", names=tuple(names)) if names else fact("change.none")


def _trains_of(t: Table, company: EntityId) -> Sequence[str]:
    return t.state.companies[company].trains


def _privates_of(t: Table, owner: EntityId) -> Sequence[str]:
    return [private.id for private in t.state.privates.values() if private.owner == owner]


# --- of the stock market and the map ------------------------------------------------------------------------------


def share_prices(game: Game) -> dict[CompanyId, int]:
    """Share price in dollars of each company that has not closed; 0 before a par price is set."""
    companies = game.table.state.companies.values()
    return {company.id: game.table.price(company) for company in companies if not company.closed}


def price_changes(earlier_position: Game, later_position: Game) -> Iterator[Fact]:
    """The changes of share prices, as messages; also par prices that are set in only one of the positions."""
    earlier_prices = {
        company.id: earlier_position.table.price(company)
        for company in earlier_position.table.state.companies.values()
    }
    for company, new_value in share_prices(later_position).items():
        old_value = earlier_prices[company]
        if old_value != new_value:
            name = (
                "change.price"
                if old_value and new_value
                else "change.par"
                if new_value
                else "change.no_price"
            )
            yield fact(name, company=company, old=old_value, new=new_value)


def hex_changes(earlier_position: Game, later_position: Game) -> tuple[list[Coord], list[Coord]]:
    """Two lists: hexes with different track, and hexes with the same track but different tokens."""
    old_changes, new_changes = (
        earlier_position.table.map.changes_in_play(),
        later_position.table.map.changes_in_play(),
    )
    hexes_with_other_track = {coord for coord, _ in old_changes.tiles.items() ^ new_changes.tiles.items()}
    hexes_with_other_tokens = {
        coord
        for coord, *_ in _unequal_stations(
            [*old_changes.tokens, *old_changes.beside], [*new_changes.tokens, *new_changes.beside]
        )
    }
    return sorted(hexes_with_other_track), sorted(hexes_with_other_tokens - hexes_with_other_track)


_Stations: TypeAlias = Sequence[tuple[Coord, int, Sequence[CompanyId | None]]]


def _unequal_stations(old_value: _Stations, new_value: _Stations) -> _Stations:
    return [stations_of_stop for stations_of_stop in old_value if stations_of_stop not in new_value] + [
        stations_of_stop for stations_of_stop in new_value if stations_of_stop not in old_value
    ]


# --- of the best runs ---------------------------------------------------------------------------------------------


class Earnings(NamedTuple):
    """Revenue in dollars of a company's best run; `is_proven` is True if no routes earn more."""

    dollars: int
    is_proven: bool


def run_changes(
    earlier_position: Game, later_position: Game, is_time_up: Callable[[], bool] = lambda: False
) -> Iterator[Fact]:
    """Changes of companies' best runs, as messages; the search ends as soon as `is_time_up()` returns True.

    Companies with the same trains, track and tokens in both positions are skipped.
    """
    for company in _companies_with_possible_changes(earlier_position.table, later_position.table):
        if is_time_up():
            return
        old_value, new_value = earnings(earlier_position, company), earnings(later_position, company)
        if old_value != new_value:
            name = "change.run" if old_value.is_proven and new_value.is_proven else "change.run_at_least"
            yield fact(name, company=company, old=old_value.dollars, new=new_value.dollars)


def own_run_change(earlier_position: Table, later_position: Table) -> Fact | None:
    """The change of the operating company's best run, as a message; None if its revenue is unchanged."""
    old_value, new_value = best_run(earlier_position).revenue, best_run(later_position).revenue
    return None if old_value == new_value else fact("change.best_run", old=old_value, new=new_value)


def earnings(game: Game, company: CompanyId) -> Earnings:
    """Revenue in dollars of a company's best routes in this position; 0 without trains."""
    best_run_found = _best_run_of(game.table, company)
    return (
        Earnings(0, is_proven=True)
        if best_run_found is None
        else Earnings(best_run_found.revenue, best_run_found.is_proven)
    )


def game_operated_by(game: Game, company: CompanyId) -> Game | None:
    """A copy of the game in which this company operates now; None if it has no train to run."""
    t = _table_if_operating(game.table, company)
    return None if t is None else game.with_table(t)


def _table_if_operating(t: Table, company: CompanyId) -> Table | None:
    if t.state.companies[company].closed or not t.state.companies[company].runnable_trains:
        return None
    if _operating_company(t) == company:
        return t
    return table_in_turn_of(t, company)


def _best_run_of(t: Table, company: CompanyId) -> BestRun | None:
    table_if_operating = _table_if_operating(t, company)
    return None if table_if_operating is None else best_run(table_if_operating)


def _companies_with_possible_changes(earlier_position: Table, later_position: Table) -> list[CompanyId]:
    """Companies whose best runs may differ between the positions; operating companies come first."""
    are_run_conditions_equal = _run_conditions(earlier_position) == _run_conditions(later_position)
    companies = [
        company.id
        for company in later_position.state.companies.values()
        if not are_run_conditions_equal
        or company.runnable_trains != earlier_position.state.companies[company.id].runnable_trains
    ]
    operating_companies = {_operating_company(earlier_position), _operating_company(later_position)}
    return sorted(companies, key=lambda company: company not in operating_companies)


def _run_conditions(t: Table) -> tuple[object, ...]:
    return t.state.phase, t.map.changes_in_play(), [company.markers for company in t.state.companies.values()]


def _operating_company(t: Table) -> CompanyId | None:
    current_round = t.state.round
    return (
        current_round.turn.company
        if isinstance(current_round, Operating) and current_round.turn is not None
        else None
    )
