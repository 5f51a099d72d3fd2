"""The view of the map."""

from collections.abc import Sequence

from engine.board.borders import river_edges, zone_edges
from engine.board.hexes import position
from engine.core.ids import CompanyId, Coord
from engine.core.topology import Stop
from engine.game import Game
from engine.play.lays import blocked_by
from engine.play.table import Table
from engine.routes.check import Run
from engine.tell.marking import has_open_objective, mark_facts, marks
from engine.tell.teller import tell
from engine.tell.viewing.parts import badge, caption, reserver
from engine.tell.views import HexView, MapView, MarkView, RunView, SlotView, StopView


def map_view(game: Game, runs: Sequence[str] = ()) -> MapView:
    """The whole map; `runs` are routes of the operating company (as an action carries them) drawn over it."""
    t = game.table
    marked = marks(t)
    hexes = tuple(hex_view(t, coord, marked.get(coord, ())) for coord in t.map.coords)
    judged = game.runner().judged(t, runs) if runs else ()
    left = tuple(
        (name, count, t.spec.train(name).price)
        for name, count in t.state.depot.items()
        if count is None or count
    )
    pool = tuple((name, t.spec.train(name).price) for name in t.state.pool)
    fresh = t.state.fresh
    return MapView(
        layout=t.spec.map.layout,
        letters=t.spec.map.letters,
        hexes=hexes,
        revenue_steps=t.spec.revenue_steps,
        title=t.spec.name,
        caption=caption(game),
        trains_left=left,
        trains_in_pool=pool,
        fresh_hexes=tuple(fresh.hexes),
        fresh_tokens=tuple(
            (coord, stop, t.map.slots(coord, stop).index(fresh.company))
            for coord, stop in fresh.tokens
            if fresh.company in t.map.slots(coord, stop)
        ),
        runs=tuple(_run(run, t.rules.terms(t).named(run.route.train)) for run in judged),
        mark_words=tuple((mark, tell(game).say(words)) for mark, words in mark_facts(t)),
    )


def hex_view(t: Table, coord: Coord, marked: tuple[MarkView, ...]) -> HexView:
    """One hex with these marks."""
    printed = t.map.hexes[coord]
    topology = t.map.topology(coord)
    x, y = position(coord, t.spec.map.layout, t.spec.map.letters)
    tile = t.map.tile(coord)
    return HexView(
        coord=coord,
        x=x,
        y=y,
        colour=t.map.colour(coord),
        pieces=tuple(piece.ends() for piece in topology.pieces),
        stops=tuple(_stop(t, coord, i, stop) for i, stop in enumerate(topology.stops)),
        tile=tile,
        rotation=t.map.rotation(coord),
        label=t.map.label(coord),
        name=printed.name,
        cost=t.map.cost(coord),
        terrain=printed.terrain if t.map.cost(coord) else (),
        blocked_by=blocked_by(t, coord),
        joined=printed.joined,
        impassable=printed.impassable,
        river=tuple(t.spec.map.worked_out(river_edges).get(coord, ())),
        frontier=tuple(t.spec.map.worked_out(zone_edges).get(coord, ())),
        terminal=t.map.terminal(coord),
        marks=marked,
    )


def _stop(t: Table, coord: Coord, index: int, stop: Stop) -> StopView:
    current = min(t.phase.revenue_step, len(stop.revenue) - 1)
    slots = [
        SlotView("token", badge(t, owner), _seeks_from(t, owner, coord)) if owner else SlotView("empty")
        for owner in t.map.slots(coord, index)
    ]
    homes = [company for company, home in t.map.homes.items() if home == (coord, index)]
    for place, slot in enumerate(slots):
        if slot.state == "empty" and homes:
            slots[place] = _home(t, homes.pop(0), coord)
    return StopView(stop.kind, stop.revenue, current, tuple(slots))


def _home(t: Table, company: CompanyId, coord: Coord) -> SlotView:
    """A space kept for a company's home token."""
    player = reserver(t, company)
    return SlotView(
        "waiting" if t.state.companies[company].waiting else "home",
        badge(t, company),
        _seeks_from(t, company, coord),
        "" if player is None else t.state.player(player).name,
    )


def _seeks_from(t: Table, company: CompanyId, coord: Coord) -> bool:
    """Whether this is the home of a company with an objective still open."""
    home = t.spec.companies[company].home
    return home is not None and coord == home.hex and has_open_objective(t, t.state.companies[company])


def _run(run: Run, train: str) -> RunView:
    return RunView(
        train=train,
        sum_text=run.sum_text(),
        value=run.value,
        pieces=run.route.pieces,
        stops=tuple(
            (coord, stop, value > 0) for (coord, stop), value in zip(run.stops, run.values, strict=False)
        ),
    )
