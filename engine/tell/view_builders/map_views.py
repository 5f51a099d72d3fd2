"""Builders for views of the map, of a company's best run, and of the tiles."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, get_args

from engine.board.hexes import border_costs, grid_position, river_edges, zone_edges
from engine.board.map import Map
from engine.core.facts import fact
from engine.core.ids import CompanyId, Coord, PrivateId, TileId
from engine.core.spec import COLOURS, MapSpec
from engine.core.topology import Stop, Topology
from engine.game import Game
from engine.play.table import Table
from engine.play.track.lay_rules import blocking_private, blocking_privates
from engine.routes.legal_routes import Run
from engine.tell.differences import game_operated_by
from engine.tell.map_marks import has_open_objective, mark_facts, marks
from engine.tell.teller import teller_of
from engine.tell.view_builders.view_parts import (
    board_picture_caption,
    company_badge,
    picture_caption,
    reserving_player,
)
from engine.tell.views import (
    Badge,
    BestRunView,
    HexView,
    MapView,
    MarkView,
    RunView,
    SignKind,
    SlotView,
    StopView,
    TilesView,
    TileView,
)

KEPT_SPACE_COLOUR: Final = "#6a6a6a"
"""Colour of the ring that marks a token space kept for a private."""
MAX_CACHED_HEX_VIEWS: Final = 8192
"""Maximum number of cached hex views per title; the cache is emptied when it is full."""


def map_view(game: Game, routes: Sequence[str] = ()) -> MapView:
    """View of the whole map; `routes` are routes of the operating company to draw on it."""
    t = game.table
    hexes = t.map.cached(_HexViewCache).hexes(t)
    checked_runs = game.run_step().check_run(t, routes) if routes else ()
    trains_left = tuple(
        (name, count, t.spec.train(name).price)
        for name, count in t.state.depot.items()
        if count is None or count
    )
    trains_in_pool = tuple((name, t.spec.train(name).price) for name in t.state.pool)
    recent_changes, say = t.state.fresh, teller_of(game).say
    return MapView(
        layout=t.spec.map.layout,
        letters=t.spec.map.letters,
        hexes=hexes,
        revenue_steps=t.spec.revenue_steps,
        title=t.spec.name,
        caption=board_picture_caption(game),
        trains_left=trains_left,
        trains_in_pool=trains_in_pool,
        fresh_hexes=tuple(recent_changes.hexes),
        fresh_tokens=tuple(
            (coord, stop, t.map.slots(coord, stop).index(recent_changes.company))
            for coord, stop in recent_changes.tokens
            if recent_changes.company in t.map.slots(coord, stop)
        ),
        runs=tuple(_run_view(t, run) for run in checked_runs),
        mark_meanings=tuple((mark, say(meaning_fact)) for mark, meaning_fact in mark_facts(t)),
        sign_meanings=tuple((kind, say(fact(f"sign.{kind}"))) for kind in get_args(SignKind)),
        currency=t.spec.currency,
    )


class _HexViewCache:
    def __init__(self, board: Map) -> None:
        self._version = board.version
        self._non_map_key: object = None
        """Other facts that hex views show, such as the phase; if they change, all hex views are built anew."""
        self._marks: dict[Coord, tuple[MarkView, ...]] = {}
        self._hex_views: dict[Coord, HexView] = {}
        self._all_hex_views: tuple[HexView, ...] = ()

    def hexes(self, t: Table) -> tuple[HexView, ...]:
        non_map_key, marks_by_hex = _non_map_key(t), marks(t)
        if non_map_key != self._non_map_key:
            self._non_map_key = non_map_key
            self._hex_views.clear()
        for coord in t.map.changed_hexes[self._version :]:
            self._hex_views.pop(coord, None)
        for coord in self._marks.keys() | marks_by_hex.keys() if marks_by_hex != self._marks else ():
            if self._marks.get(coord) != marks_by_hex.get(coord):
                self._hex_views.pop(coord, None)
        self._version, self._marks = t.map.version, marks_by_hex
        if len(self._hex_views) < len(t.map.coords):
            self._all_hex_views = tuple(self._cached_hex_view(t, coord) for coord in t.map.coords)
        return self._all_hex_views

    def _cached_hex_view(self, t: Table, coord: Coord) -> HexView:
        view = self._hex_views.get(coord)
        if view is None:
            view = self._hex_views[coord] = hex_view(t, coord, self._marks.get(coord, ()))
        return view


def _non_map_key(t: Table) -> object:
    companies = tuple(
        (company.waiting, has_open_objective(t, company)) for company in t.state.companies.values()
    )
    reserving_players = tuple(reserving_player(t, home) for home in t.map.homes)
    reserving_player_names = tuple(
        t.state.player(player_id).name for player_id in reserving_players if player_id is not None
    )
    return t.phase.revenue_step, companies, reserving_players, reserving_player_names, blocking_privates(t)


def hex_view(t: Table, coord: Coord, hex_marks: tuple[MarkView, ...]) -> HexView:
    """View of a hex with these marks; the same object is returned until the hex changes."""
    board, cached_views = t.map, t.spec.map.cached(_new_hex_view_cache)
    topology = board.topology(coord)
    stops = tuple([_stop_view(t, coord, i, stop) for i, stop in enumerate(topology.stops)])
    blocker = blocking_private(t, coord)
    view_key = (
        coord,
        board.tile(coord),
        board.rotation(coord),
        board.label(coord),
        stops,
        blocker,
        hex_marks,
    )
    view = cached_views.get(view_key)
    if view is None or view[0] != topology:
        if len(cached_views) >= MAX_CACHED_HEX_VIEWS:
            cached_views.clear()
        view = topology, _hex_view(t, coord, stops, blocker, hex_marks)
        cached_views[view_key] = view
    return view[1]


def _new_hex_view_cache(_: MapSpec) -> dict[object, tuple[Topology, HexView]]:
    return {}


def _hex_view(
    t: Table,
    coord: Coord,
    stops: tuple[StopView, ...],
    blocking_private: PrivateId | None,
    hex_marks: tuple[MarkView, ...],
) -> HexView:
    hex_spec, map_spec = t.map.hexes[coord], t.spec.map
    cost_by_edge = map_spec.cached(border_costs).get(coord, {})
    x, y = grid_position(coord, t.spec.map.layout, t.spec.map.letters)
    return HexView(
        coord=coord,
        x=x,
        y=y,
        colour=t.map.colour(coord),
        pieces=tuple(piece.ends() for piece in t.map.topology(coord).pieces),
        stops=stops,
        tile=t.map.tile(coord),
        rotation=t.map.rotation(coord),
        label=t.map.label(coord),
        name=hex_spec.name,
        cost=t.map.cost(coord),
        terrain=hex_spec.terrain if t.map.cost(coord) else (),
        blocked_by=blocking_private,
        joined_edges=hex_spec.borderless_edges,
        impassable_edges=hex_spec.impassable,
        river_edges=(*map_spec.cached(river_edges).get(coord, ()), *cost_by_edge),
        border_costs=tuple(cost_by_edge.items()),
        frontier_edges=tuple(map_spec.cached(zone_edges).get(coord, ())),
        is_terminal=t.map.is_terminal(coord),
        marks=hex_marks,
        currency=t.spec.currency,
    )


def _stop_view(t: Table, coord: Coord, index: int, stop: Stop) -> StopView:
    revenue_index = min(t.phase.revenue_step, len(stop.revenue) - 1)
    slots = [
        SlotView("token", company_badge(t, owner), _is_home_with_objective(t, owner, coord))
        if owner
        else SlotView("empty")
        for owner in t.map.slots(coord, index)
    ]
    reserved_slots = [_home_slot(t, c, coord) for c, home in t.map.homes.items() if home == (coord, index)]
    reserved_slots += [
        _kept_slot(t, owner) for owner, kept_stop in t.map.kept.items() if kept_stop == (coord, index)
    ]
    for slot_index, slot in enumerate(slots):
        if slot.state == "empty" and reserved_slots:
            slots[slot_index] = reserved_slots.pop(0)
    return StopView(stop.kind, stop.revenue, revenue_index, tuple(slots))


def _home_slot(t: Table, company: CompanyId, coord: Coord) -> SlotView:
    player = reserving_player(t, company)
    return SlotView(
        "waiting" if t.state.companies[company].waiting else "home",
        company_badge(t, company),
        _is_home_with_objective(t, company, coord),
        "" if player is None else t.state.player(player).name,
    )


def _kept_slot(t: Table, owner: CompanyId | PrivateId) -> SlotView:
    """View of a token space that is kept for a later token of a company, or for a private."""
    return SlotView(
        "kept", company_badge(t, owner) if owner in t.state.companies else Badge(owner, KEPT_SPACE_COLOUR)
    )


def _is_home_with_objective(t: Table, company: CompanyId, coord: Coord) -> bool:
    """True if the hex is the company's home and the company has not reached its historical objective."""
    home = t.spec.companies[company].home
    return home is not None and coord == home.hex and has_open_objective(t, t.state.companies[company])


def _run_view(t: Table, run: Run) -> RunView:
    return RunView(
        train=t.rules.route_rules(t).joined_train_name(run.route.train),
        sum_text=run.sum_text(),
        revenue=run.value,
        pieces=run.route.pieces,
        stops=tuple(
            (coord, stop, value > 0) for (coord, stop), value in zip(run.stops, run.values, strict=False)
        ),
        currency=t.spec.currency,
    )


def tiles_view(game: Game) -> TilesView:
    """View of all tile types, by colour, yellow first."""
    t = game.table
    tile_ids = sorted(t.spec.tiles, key=lambda number: COLOURS.index(t.spec.tiles[number].colour))
    tiles = tuple(tile_view(t, number) for number in tile_ids)
    return TilesView(t.spec.name, picture_caption(game), t.spec.map.layout, tiles)


def tile_view(t: Table, number: TileId) -> TileView:
    """View of a tile type, drawn as a single hex outside the map."""
    spec = t.spec.tiles[number]
    stops = tuple(
        StopView(
            stop.kind,
            stop.revenue,
            min(t.phase.revenue_step, len(stop.revenue) - 1),
            (SlotView("empty"),) * stop.slots,
        )
        for stop in spec.topology.stops
    )
    pieces = tuple(piece.ends() for piece in spec.topology.pieces)
    hex_view_of_tile = HexView("", 0, 0, spec.colour, pieces, stops, tile=number, label=spec.label)
    return TileView(hex_view_of_tile, t.map.supply[number], spec.count)


def best_run_view(game: Game, company: CompanyId) -> BestRunView | None:
    """A company's best routes if it ran now; None if it has no train or route."""
    game_if_operating = game_operated_by(game, company)
    best_run = None if game_if_operating is None else game_if_operating.best_run()
    if game_if_operating is None or best_run is None or not best_run.runs:
        return None
    run_map = replace(map_view(game_if_operating, best_run.routes), caption=board_picture_caption(game))
    return BestRunView(run_map, best_run.routes, best_run.revenue, best_run.upper_bound)
