"""Map views for the tests: the printed map of a title, with tiles and tokens laid by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.core.ids import CompanyId, Coord, TileId
from engine.core.spec import HexSpec, TitleSpec
from engine.core.topology import Topology
from engine.tell.views import Badge, HexView, MapView, SlotState, SlotView, StopView
from engine.titles.title_files import load_title

CHESAPEAKE = load_title("engine.titles.t18chesapeake")


def stops(topology: Topology, step: int) -> tuple[StopView, ...]:
    """Stops with empty slots at this revenue step."""
    return tuple(
        StopView(
            s.kind, s.revenue, min(step, len(s.revenue) - 1), tuple(SlotView("empty") for _ in range(s.slots))
        )
        for s in topology.stops
    )


def pieces(topology: Topology) -> tuple[tuple[int, int], ...]:
    """Track as pairs of ends."""
    return tuple(piece.ends() for piece in topology.pieces)


def printed_hex(coord: Coord, spec: HexSpec, step: int = 0) -> HexView:
    """A hex as printed, on a map whose letters name columns."""
    return HexView(
        coord=coord,
        x=ord(coord[0]) - ord("A"),
        y=int(coord[1:]) - 1,
        colour=spec.colour,
        pieces=pieces(spec.topology),
        stops=stops(spec.topology, step),
        label=spec.label,
        name=spec.name,
        cost=spec.cost,
        terrain=spec.terrain,
        joined=spec.joined,
        impassable=spec.impassable,
        terminal=spec.colour == "red",
    )


def lay(view: HexView, tile: TileId, rotation: int, title: TitleSpec = CHESAPEAKE, step: int = 0) -> HexView:
    """The hex with a tile laid on it; tokens stay with their stop as far as there are slots."""
    spec = title.tiles[tile]
    topology = spec.topology.turned(rotation)
    fresh = list(stops(topology, step))
    for i, old in enumerate(view.stops[: len(fresh)]):
        kept = [s for s in old.slots if s.state != "empty"]
        room = fresh[i].slots
        fresh[i] = replace(fresh[i], slots=(*kept, *room[len(kept) :])[: max(len(room), len(kept))])
    return replace(
        view,
        colour=spec.colour,
        pieces=pieces(topology),
        stops=tuple(fresh),
        tile=tile,
        rotation=rotation,
        label=spec.label,
        cost=0,
        terrain=(),
        blocked_by=None,
    )


def put(
    view: HexView, stop: int, company: CompanyId, state: SlotState, title: TitleSpec = CHESAPEAKE
) -> HexView:
    """The hex with a company's token or home in the first empty slot of a stop (at slot 0 for a home)."""
    badge = Badge(company, title.companies[company].colour)
    slots = list(view.stops[stop].slots)
    homes = [i for i, s in enumerate(slots) if s.badge == badge]
    at = homes[0] if homes else next(i for i, s in enumerate(slots) if s.state == "empty")
    slots[at] = SlotView(state, badge)
    changed = replace(view.stops[stop], slots=tuple(slots))
    return replace(view, stops=tuple(changed if i == stop else s for i, s in enumerate(view.stops)))


def board(
    laid: Mapping[Coord, tuple[TileId, int]] | None = None,
    tokens: Sequence[tuple[Coord, int, CompanyId]] = (),
    *,
    step: int = 0,
    blocks: bool = True,
    title: TitleSpec = CHESAPEAKE,
) -> MapView:
    """The title's map with these tiles (hex -> tile, rotation) and tokens; other homes are unused."""
    hexes = {coord: printed_hex(coord, spec, step) for coord, spec in title.map.all_hexes.items()}
    for name, company in title.companies.items():
        if company.home is not None:
            hexes[company.home.hex] = put(hexes[company.home.hex], company.home.stop, name, "home")
    if blocks:
        for name, private in title.privates.items():
            for coord in private.blocks:
                hexes[coord] = replace(hexes[coord], blocked_by=name)
    for coord, (tile, rotation) in (laid or {}).items():
        hexes[coord] = lay(hexes[coord], tile, rotation, title, step)
    for coord, stop, name in tokens:
        hexes[coord] = put(hexes[coord], min(stop, len(hexes[coord].stops) - 1), name, "token")
    trains = tuple((t.name, t.count, t.price) for t in title.trains)
    return MapView(
        layout=title.map.layout,
        letters=title.map.letters,
        hexes=tuple(hexes[coord] for coord in sorted(hexes)),
        revenue_steps=title.revenue_steps,
        title=title.name,
        caption=f"OR 2.1, phase {step + 2}, bank $5210",
        trains_left=trains,
    )
