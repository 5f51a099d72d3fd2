"""Ratings of tile lays, tokens and markers by the computer player: by the runs that the company makes with them."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from engine.board.map import Map
from engine.board.track import board_copy
from engine.caretaker.outlook import hexes_blocked_for
from engine.caretaker.railway import (
    FUTURE_RUNS_COUNTED,
    BestPlacesAhead,
    RailwayForecast,
    best_revenue,
    estimate_lay_value,
    hypothetical_table,
    table_operated_by,
    value_of_places_around,
)
from engine.caretaker.weighed_move import WeighedMove, completed_moves
from engine.core.ids import CompanyId
from engine.core.offers import Offer, OfferCursor
from engine.core.state import Operating
from engine.play.table import Table
from engine.play.token_prices_and_purchases import next_token_price
from engine.play.track.terrain import border_prices
from engine.seat import SeatedPlayer

MAX_SEARCHED_MOVES: Final = 16
"""Maximum number of moves (tile lays or tokens) that are rated with a route search."""
MAX_RATED_FOR_LATER_TRAINS: Final = 4
"""Number of the best-rated lays or tokens that are also rated for later trains."""
FIRST_ROUTE_VALUE: Final = 40.0
"""Extra value of a lay for a company that has no route yet."""
NEXT_LAY_WEIGHT: Final = 0.5
"""Weight of the best second lay that could follow a lay, as a fraction of the first lay's weight."""
MAX_NEXT_LAYS: Final = 8
"""Maximum number of possible second lays that are rated after a lay."""
TREASURY_WEIGHT: Final = 0.3
"""Cost of a dollar spent by the treasury, as a fraction of a dollar of revenue."""


def is_own_company_operating(seat: SeatedPlayer) -> bool:
    """True if a company of the player is operating.

    False if a private lets the player lay a tile in a stock round or in another player's company turn.
    """
    current_round = seat.table.state.round
    return (
        isinstance(current_round, Operating)
        and current_round.turn is not None
        and seat.table.controlling_player(current_round.turn.company) == seat.player
    )


def weigh_lays(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """The most promising lays, rated by the revenue that they add to runs and nearby places, less their cost."""
    forecast = RailwayForecast(seat.table)
    first_route_bonus = 0.0 if forecast.next_run_revenue(seat.table.map) else FIRST_ROUTE_VALUE
    return (
        WeighedMove(weighed_move.worth + first_route_bonus, weighed_move.cursor)
        for weighed_move, _ in _weighed_lays(forecast, seat.table, seat, offer)
    )


def weigh_lays_with_next_lay(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """The most promising lays, rated together with the best lay that could follow each."""
    t, step = seat.table, seat.game.step()
    assert step is not None
    forecast = RailwayForecast(t)
    first_route_bonus = 0.0 if forecast.next_run_revenue(t.map) else FIRST_ROUTE_VALUE
    for weighed_move, board in list(_weighed_lays(forecast, t, seat, offer)):
        later_table = hypothetical_table(t, board)
        offers = [step_offer for step_offer in step.offers(later_table) if step_offer.kind == offer.kind]
        later_gains = [
            worth for offer in offers for worth in _gains_of_lays(forecast, later_table, seat, offer)
        ]
        best_gain = max(later_gains, default=0.0)
        yield WeighedMove(
            weighed_move.worth + first_route_bonus + max(0.0, best_gain) * NEXT_LAY_WEIGHT,
            weighed_move.cursor,
        )


def _gains_of_lays(forecast: RailwayForecast, t: Table, seat: SeatedPlayer, offer: Offer) -> Iterator[float]:
    value_before = forecast.value_now(t.map)
    for cursor in _promising_lays(t, seat, offer)[:MAX_NEXT_LAYS]:
        board = board_copy(t.map)
        _lay_tile_on(t, board, cursor)
        yield forecast.value_now(board) - value_before - _lay_cost(t, cursor) * TREASURY_WEIGHT


def _weighed_lays(
    forecast: RailwayForecast, t: Table, seat: SeatedPlayer, offer: Offer
) -> Iterator[tuple[WeighedMove, Map]]:
    promising_lays = _promising_lays(t, seat, offer)[:MAX_SEARCHED_MOVES]
    return _best_moves_with_maps(
        forecast, t, [(cursor, _lay_cost(t, cursor)) for cursor in promising_lays], _lay_tile_on
    )


def _promising_lays(t: Table, seat: SeatedPlayer, offer: Offer) -> list[OfferCursor]:
    revenue_step = t.phase.revenue_step
    best_places_ahead = BestPlacesAhead(t.map, t.company.id, revenue_step, hexes_blocked_for(t, seat.player))

    def lay_value(lay: OfferCursor) -> float:
        return (
            estimate_lay_value(t.map, best_places_ahead, _picked_lay(lay), revenue_step)
            - _lay_cost(t, lay) / 10
        )

    return sorted(completed_moves(offer), key=lay_value, reverse=True)


def weigh_most_promising_lay(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """The most promising lay by a quick estimate, if it costs nothing or the company has no route."""
    t = seat.table
    for cursor in _promising_lays(t, seat, offer)[:1]:
        is_free = _lay_cost(t, cursor) == 0
        if is_free or not RailwayForecast(t).next_run_revenue(t.map):
            yield WeighedMove(FIRST_ROUTE_VALUE, cursor)


def weigh_markers(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Placements of private markers and tokens, rated by the revenue they add less their cost."""
    t = seat.table
    if not isinstance(t.state.round, Operating):
        return
    if t.state.round.turn is None:
        yield from _weigh_markers_before_turns(seat, offer)
        return
    revenue_before, cash = best_revenue(t), t.company.cash
    for cursor in islice(completed_moves(offer), MAX_SEARCHED_MOVES):
        table_after = seat.game.table_after(cursor)
        gain = (best_revenue(table_after) - revenue_before) * FUTURE_RUNS_COUNTED
        if table_after.state.proposal is None and gain > 0:
            yield WeighedMove(gain - (cash - table_after.company.cash) * TREASURY_WEIGHT, cursor)


def _weigh_markers_before_turns(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Assignments of a private's marker before companies operate, rated by the revenue that its company gains.

    The gain counts in proportion to the player's shares. A company without a marker counts slightly more.
    """
    t, companies = seat.table, seat.table.state.companies
    for cursor in islice(completed_moves(offer), MAX_SEARCHED_MOVES):
        table_after = seat.game.table_after(cursor)
        changed_companies = [
            c for c in table_after.state.companies.values() if c.markers != companies[c.id].markers
        ]
        gain = sum(
            (_next_run_revenue(table_after, c.id) - _next_run_revenue(t, c.id)) * c.percent(seat.player) / 100
            for c in changed_companies
        )
        if not any(companies[c.id].markers for c in changed_companies):
            gain += sum(c.percent(seat.player) / 100 for c in changed_companies)
        if gain > 0:
            yield WeighedMove(gain, cursor)


def _next_run_revenue(t: Table, company: CompanyId) -> int:
    return RailwayForecast(table_operated_by(t, company)).next_run_revenue(t.map)


def weigh_stations(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Token placements, rated by the revenue that they add, less their cost.

    Homes, private tokens and neutral tokens cost nothing.
    """
    t = seat.table
    if not isinstance(t.state.round, Operating):
        return _weigh_homes(t, seat, offer)
    owner = _token_owner(t, offer)
    is_free = t.turn.free_token is not None or t.turn.home_due is not None or owner != t.company.id
    price = 0 if is_free else next_token_price(t.company) or 0
    weighed_stations = _best_moves_with_maps(
        RailwayForecast(t),
        t,
        [(cursor, price) for cursor in list(completed_moves(offer))[:MAX_SEARCHED_MOVES]],
        lambda _, board, cursor: board.place_token(cursor.chosen["hex"], cursor.chosen["city"], owner),
    )
    return (weighed_move for weighed_move, _ in weighed_stations)


def weigh_moved_stations(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """Tokens to move to another place on the map, rated by the best place; none if no place is open."""
    if not isinstance(seat.table.state.round, Operating):
        return
    value_before = RailwayForecast(seat.table).value_now(seat.table.map)
    for cursor in islice(completed_moves(offer), MAX_SEARCHED_MOVES):
        values = list(_values_of_placements(seat, seat.game.table_after(cursor)))
        if values:
            yield WeighedMove(max(values) - value_before, cursor)


def _values_of_placements(seat: SeatedPlayer, table_after: Table) -> Iterator[float]:
    forecast = RailwayForecast(table_after)
    steps = (step for step in seat.game.rules.round(table_after).open_steps(table_after) if step.is_exclusive)
    offers = next(filter(None, (list(step.offers(table_after)) for step in steps)), [])
    for placement_offer in (offer for offer in offers if offer.kind == "place_token"):
        for cursor in islice(completed_moves(placement_offer), MAX_SEARCHED_MOVES):
            board = board_copy(table_after.map)
            board.place_token(cursor.chosen["hex"], cursor.chosen["city"], table_after.company.id)
            yield forecast.value_now(board)


def _weigh_homes(t: Table, seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    revenue_step, closed_hexes = t.phase.revenue_step, hexes_blocked_for(t, seat.player)
    for cursor in completed_moves(offer):
        yield WeighedMove(
            value_of_places_around(t.map, cursor.chosen["hex"], revenue_step, closed_hexes), cursor
        )


def _token_owner(t: Table, offer: Offer) -> CompanyId:
    if t.turn.home_due is not None:
        return t.turn.home_due
    if t.turn.taken_up:
        return t.turn.taken_up[0][0]
    return offer.entity if offer.entity in t.state.companies else t.company.id


def _best_moves_with_maps(
    forecast: RailwayForecast,
    t: Table,
    moves_with_costs: Sequence[tuple[OfferCursor, int]],
    apply_move: Callable[[Table, Map, OfferCursor], None],
) -> Iterator[tuple[WeighedMove, Map]]:
    """The best of these moves, rated by what they add to the company's track, each with the map after it.

    `moves_with_costs` has each move's cost in dollars; `apply_move` makes a move on a copy of the map.
    """
    value_before = forecast.value_now(t.map)
    weighed_moves = []
    for cursor, price in moves_with_costs:
        board = board_copy(t.map)
        apply_move(t, board, cursor)
        weighed_moves.append(
            (forecast.value_now(board) - value_before - price * TREASURY_WEIGHT, cursor, board)
        )
    if weighed_moves:
        later_revenue_before = forecast.later_run_revenue(t.map)
        for worth, cursor, board in sorted(weighed_moves, key=lambda rated_move: rated_move[0], reverse=True)[
            :MAX_RATED_FOR_LATER_TRAINS
        ]:
            yield WeighedMove(worth + forecast.later_run_revenue(board) - later_revenue_before, cursor), board


def _picked_lay(cursor: OfferCursor) -> tuple[str, str, int]:
    return cursor.chosen["hex"], cursor.chosen["tile"], cursor.chosen["rotation"]


def _lay_tile_on(t: Table, board: Map, cursor: OfferCursor) -> None:
    board.lay(*_picked_lay(cursor))


def _lay_cost(t: Table, lay: OfferCursor) -> int:
    """Cost of a lay in dollars: terrain and borders."""
    coord, tile, rotation = _picked_lay(lay)
    return t.map.cost(coord) + sum(border_prices(t, coord, tile, rotation))
