"""Work for workers: a hex with what may come there, and the best routes of a company, as JSON."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict

from bot.table.errors import Refused
from bot.table.past.binding import Anchor
from bot.table.past.position import reached
from bot.web.offers_as_json import Looks, run_fields
from bot.web.packing import Packed, whole
from engine.core.ids import CompanyId, Coord, PlayerId
from engine.game import Game
from engine.tell.view_builders import best_run_view, map_view, upgrade_views
from engine.tell.views import HexView, MapView, SlotView, StopView
from render import hex_svg
from storage.log.log import Row


def hex_packed(game: Game, coord: Coord, theme: str) -> Packed:
    """A hex as JSON; work for a worker. Raises Refused for one that is not on the map."""
    on_map = map_view(game)
    found = next((one for one in on_map.hexes if one.coord == coord), None)
    if found is None:
        raise Refused(f"There is no hex {coord} on this map.")
    tiles = [
        {**asdict(one), "hex": coord, "svg": hex_svg(on_map, one.hex, theme=theme)}
        for one in upgrade_views(game, coord)
    ]
    return whole({"coord": coord, "hex": asdict(found), "facts": list(_facts(on_map, found)), "tiles": tiles})


def routes_packed(game: Game, company: CompanyId, looks: Looks) -> Packed:
    """A company's best routes as JSON; work for a worker. Raises Refused where it has none."""
    if company not in game.title.spec.companies:
        raise Refused(f"There is no company {company}.")
    found = best_run_view(game, company)
    if found is None:
        raise Refused(f"{company} has no train, or no route for one.")
    return whole(
        {
            "company": company,
            **run_fields(found.map, looks),
            "total": found.revenue,
            "text": ";".join(found.routes),
            "proven": found.revenue == found.upper,
        }
    )


def packed_then(
    anchor: Anchor,
    rows: Sequence[Row],
    names: Mapping[PlayerId, str],
    look: Callable[..., Packed],
    *values: object,
) -> Packed:
    """A look at the position after the last of the rows that come after an anchor.

    Raises Refused, Unsound, EngineError.
    """
    return reached(anchor, rows, names, lambda game, line, ran: look(game, *values))


def _facts(on_map: MapView, found: HexView) -> Iterator[tuple[str, str]]:
    """What is said of a hex, line by line: a heading, and words."""
    if found.tile:
        yield "Tile", f"{found.tile}, {found.colour}"
    for number, stop in enumerate(found.stops, 1):
        which = f" {number}" if len(found.stops) > 1 else ""
        yield f"{stop.kind.capitalize()}{which}", _revenue(on_map, stop)
        if stop.slots:
            yield f"Tokens{which}", ", ".join(map(_slot, stop.slots))
    if found.cost:
        yield "Terrain", " ".join([f"${found.cost}", *found.terrain])
    if found.blocked_by:
        yield "Closed", f"as long as a player owns {found.blocked_by}"
    words = dict(on_map.mark_words)
    for mark in found.marks:
        yield "Mark", words.get(mark, mark.text)


def _revenue(on_map: MapView, stop: StopView) -> str:
    """`yellow 30, green 40`; one figure where it never changes."""
    if len(stop.revenue) == 1:
        return f"${stop.revenue[0]}"
    steps = zip(on_map.revenue_steps, stop.revenue, strict=False)
    return ", ".join(f"{name} ${value}" for name, value in steps)


def _slot(slot: SlotView) -> str:
    if slot.badge is None:
        return "a free space"
    if slot.state == "token":
        return slot.badge.company
    return f"kept for {slot.badge.company}"
