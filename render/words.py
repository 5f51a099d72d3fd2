"""Descriptions of hexes and stock market cells for screen readers."""

from engine import Cell
from engine.views import CellView, HexView, StopView
from render.scene import Point, SvgMark


def hex_svg_mark(view: HexView, stops: tuple[Point, ...] = ()) -> SvgMark:
    """The mark of a hex: its SVG id (`hex-J2`) and description (`J2 Allentown, yellow tile 57, revenue 20`)."""
    return SvgMark(f"hex-{view.coord}", ", ".join(_hex_descriptions(view)), stops)


def _hex_descriptions(view: HexView) -> list[str]:
    colour_words = (
        "off-board area" if view.is_terminal else "" if view.colour.startswith("#") else view.colour
    )
    tile_words = f"tile {view.tile}" if view.tile else ""
    descriptions = [f"{view.coord} {view.name}".strip(), f"{colour_words} {tile_words}".strip()]
    revenue_values = "/".join(
        str(stop.revenue[stop.revenue_index]) for stop in view.stops if any(stop.revenue)
    )
    if revenue_values:
        descriptions.append(f"revenue {revenue_values}")
    descriptions.extend(_token_words(view.stops))
    if view.cost:
        descriptions.append(" ".join([view.money(view.cost), *view.terrain]))
    if view.blocked_by:
        descriptions.append(f"blocked by {view.blocked_by}")
    return [description for description in descriptions if description]


def _token_words(stops: tuple[StopView, ...]) -> list[str]:
    slots = [slot for stop in stops for slot in stop.slots]
    token_companies = [slot.badge.company for slot in slots if slot.badge and slot.state == "token"]
    reserved_companies = [slot.badge.company for slot in slots if slot.badge and slot.state == "kept"]
    home_companies = [
        slot.badge.company for slot in slots if slot.badge and slot.state in ("home", "waiting")
    ]
    free_slot_count = sum(slot.state == "empty" for slot in slots)
    descriptions = [f"token of {' and '.join(token_companies)}"] if token_companies else []
    descriptions += [f"home of {' and '.join(home_companies)}"] if home_companies else []
    descriptions += [f"reserved for {' and '.join(reserved_companies)}"] if reserved_companies else []
    return (
        [*descriptions, f"{free_slot_count} free {'space' if free_slot_count == 1 else 'spaces'}"]
        if free_slot_count
        else descriptions
    )


def cell_svg_mark(cell: Cell, view: CellView) -> SvgMark:
    """The mark of a stock market cell: its SVG id (`space-0-9`) and description (`$70, par, PRR and C&O`)."""
    company_names = [badge.company for badge in view.tokens]
    company_names += [space.badge.company for space in view.spaces if space.badge]
    descriptions = [
        "closed" if view.closes_company else view.money(view.price),
        "par" if view.is_par else "",
        "end of the game" if view.ends_game else "",
        " and ".join(company_names),
    ]
    return SvgMark(f"space-{cell[0]}-{cell[1]}", ", ".join(filter(None, descriptions)))
