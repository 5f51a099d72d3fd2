"""The views of the map, of the best run on it, of the tiles, and of the ways to lay them."""

from collections.abc import Sequence
from typing import Final

from engine.board.hexes import position, river_edges, zone_edges
from engine.board.map import Map
from engine.core.ids import CompanyId, Coord, PrivateId, TileId
from engine.core.spec import COLOURS, MapSpec
from engine.core.topology import Stop, Topology
from engine.game import Game
from engine.play.table import Table
from engine.play.track.lay_rules import blocked_by, blocking_privates
from engine.routes.legal_routes import Run
from engine.tell.differences import as_if_operating
from engine.tell.map_marks import has_open_objective, mark_facts, marks
from engine.tell.teller import teller_of
from engine.tell.view_builders.view_parts import badge_of, board_caption, caption_of, reserver
from engine.tell.views import (
    BestRunView,
    HexView,
    MapView,
    MarkView,
    RunView,
    SlotView,
    StopView,
    TilesView,
    TileView,
)

MOST: Final = 8192
"""Hexes of a title that are kept as they were shown; then all are worked out anew."""


def map_view(game: Game, runs: Sequence[str] = ()) -> MapView:
    """The whole map; `runs` are routes of the operating company drawn over it."""
    t = game.table
    hexes = t.map.cached(_HexViewCache).hexes(t)
    judged = game.run_step().judge(t, runs) if runs else ()
    left = tuple(
        (name, count, t.spec.train(name).price)
        for name, count in t.state.depot.items()
        if count is None or count
    )
    pool = tuple((name, t.spec.train(name).price) for name in t.state.pool)
    fresh, say = t.state.fresh, teller_of(game).say
    return MapView(
        layout=t.spec.map.layout,
        letters=t.spec.map.letters,
        hexes=hexes,
        revenue_steps=t.spec.revenue_steps,
        title=t.spec.name,
        caption=board_caption(game),
        trains_left=left,
        trains_in_pool=pool,
        fresh_hexes=tuple(fresh.hexes),
        fresh_tokens=tuple(
            (coord, stop, t.map.slots(coord, stop).index(fresh.company))
            for coord, stop in fresh.tokens
            if fresh.company in t.map.slots(coord, stop)
        ),
        runs=tuple(_run_view(run, t.rules.terms(t).joined_name(run.route.train)) for run in judged),
        mark_words=tuple((mark, say(words)) for mark, words in mark_facts(t)),
    )


class _HexViewCache:
    """Cached views of the hexes of a map."""

    def __init__(self, board: Map) -> None:
        self._version = board.version
        self._outside_the_map: object = None
        """Facts apart from the hex: the same whatever else it shows."""
        self._marks: dict[Coord, tuple[MarkView, ...]] = {}
        self._views: dict[Coord, HexView] = {}
        self._all: tuple[HexView, ...] = ()

    def hexes(self, t: Table) -> tuple[HexView, ...]:
        """The views of all hexes; unchanged ones are the same objects."""
        outside, marked = _outside_the_map(t), marks(t)
        if outside != self._outside_the_map:
            self._outside_the_map = outside
            self._views.clear()
        for coord in t.map.changes[self._version :]:
            self._views.pop(coord, None)
        for coord in self._marks.keys() | marked.keys() if marked != self._marks else ():
            if self._marks.get(coord) != marked.get(coord):
                self._views.pop(coord, None)
        self._version, self._marks = t.map.version, marked
        if len(self._views) < len(t.map.coords):
            self._all = tuple(self._hex(t, coord) for coord in t.map.coords)
        return self._all

    def _hex(self, t: Table, coord: Coord) -> HexView:
        view = self._views.get(coord)
        if view is None:
            view = self._views[coord] = hex_view(t, coord, self._marks.get(coord, ()))
        return view


def _outside_the_map(t: Table) -> object:
    """Everything in a hex's view that the map itself does not know, except marks."""
    companies = tuple(
        (company.waiting, has_open_objective(t, company)) for company in t.state.companies.values()
    )
    kept = tuple(reserver(t, home) for home in t.map.homes)
    names = tuple(t.state.player(one).name for one in kept if one is not None)
    return t.phase.revenue_step, companies, kept, names, blocking_privates(t)


def hex_view(t: Table, coord: Coord, marked: tuple[MarkView, ...]) -> HexView:
    """One hex with these marks; the same object while nothing changes there."""
    board, kept = t.map, t.spec.map.cached(_cached_hex_views)
    topology = board.topology(coord)
    stops = tuple([_stop_view(t, coord, i, stop) for i, stop in enumerate(topology.stops)])
    closed = blocked_by(t, coord)
    lies = (coord, board.tile(coord), board.rotation(coord), board.label(coord), stops, closed, marked)
    view = kept.get(lies)
    if view is None or view[0] != topology:
        if len(kept) >= MOST:
            kept.clear()
        view = topology, _hex_view(t, coord, stops, closed, marked)
        kept[lies] = view
    return view[1]


def _cached_hex_views(_: MapSpec) -> dict[object, tuple[Topology, HexView]]:
    """Cached hex views of a title."""
    return {}


def _hex_view(
    t: Table,
    coord: Coord,
    stops: tuple[StopView, ...],
    closed: PrivateId | None,
    marked: tuple[MarkView, ...],
) -> HexView:
    printed = t.map.hexes[coord]
    x, y = position(coord, t.spec.map.layout, t.spec.map.letters)
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
        name=printed.name,
        cost=t.map.cost(coord),
        terrain=printed.terrain if t.map.cost(coord) else (),
        blocked_by=closed,
        joined=printed.joined,
        impassable=printed.impassable,
        river=tuple(t.spec.map.cached(river_edges).get(coord, ())),
        frontier=tuple(t.spec.map.cached(zone_edges).get(coord, ())),
        terminal=t.map.terminal(coord),
        marks=marked,
    )


def _stop_view(t: Table, coord: Coord, index: int, stop: Stop) -> StopView:
    current = min(t.phase.revenue_step, len(stop.revenue) - 1)
    slots = [
        SlotView("token", badge_of(t, owner), _seeks_from(t, owner, coord)) if owner else SlotView("empty")
        for owner in t.map.slots(coord, index)
    ]
    homes = [c for c, home in t.map.homes.items() if home == (coord, index)] if slots else []
    for place, slot in enumerate(slots):
        if slot.state == "empty" and homes:
            slots[place] = _home(t, homes.pop(0), coord)
    return StopView(stop.kind, stop.revenue, current, tuple(slots))


def _home(t: Table, company: CompanyId, coord: Coord) -> SlotView:
    """A space reserved for a company's home token."""
    player = reserver(t, company)
    return SlotView(
        "waiting" if t.state.companies[company].waiting else "home",
        badge_of(t, company),
        _seeks_from(t, company, coord),
        "" if player is None else t.state.player(player).name,
    )


def _seeks_from(t: Table, company: CompanyId, coord: Coord) -> bool:
    """True if this is the home of a company with an open objective."""
    home = t.spec.companies[company].home
    return home is not None and coord == home.hex and has_open_objective(t, t.state.companies[company])


def _run_view(run: Run, train: str) -> RunView:
    return RunView(
        train=train,
        sum_text=run.sum_text(),
        value=run.value,
        pieces=run.route.pieces,
        stops=tuple(
            (coord, stop, value > 0) for (coord, stop), value in zip(run.stops, run.values, strict=False)
        ),
    )


def tiles_view(game: Game) -> TilesView:
    """Every kind of tile, yellow ones first."""
    t = game.table
    numbers = sorted(t.spec.tiles, key=lambda number: COLOURS.index(t.spec.tiles[number].colour))
    tiles = tuple(tile_view(t, number) for number in numbers)
    return TilesView(t.spec.name, caption_of(game), t.spec.map.layout, tiles)


def tile_view(t: Table, number: TileId) -> TileView:
    """A type of tile as a hex without a place."""
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
    drawn = HexView("", 0, 0, spec.colour, pieces, stops, tile=number, label=spec.label)
    return TileView(drawn, t.map.supply[number], spec.count)


def best_run_view(game: Game, company: CompanyId) -> BestRunView | None:
    """The best routes of a company as if it ran now; None without a train or route."""
    then = as_if_operating(game, company)
    best = None if then is None else then.best_run()
    if then is None or best is None or not best.runs:
        return None
    return BestRunView(map_view(then, best.routes), best.routes, best.revenue, best.upper)
