"""Dollars, hexes and market spaces in words, for screen readers."""

from engine import Cell
from engine.views import CellView, HexView, StopView
from render.scene import Mark, Point


def money(dollars: int | None) -> str:
    """A sum as text: `$70`; "secret" for None."""
    return "secret" if dollars is None else f"${dollars}"


def hex_mark(view: HexView, stops: tuple[Point, ...] = ()) -> Mark:
    """The mark of a hex: id `hex-J2`, content (`J2 Allentown, yellow tile 57, revenue 20`), and stops."""
    return Mark(f"hex-{view.coord}", ", ".join(_words(view)), stops)


def _words(view: HexView) -> list[str]:
    colour = "off-board area" if view.terminal else "" if view.colour.startswith("#") else view.colour
    tile = f"tile {view.tile}" if view.tile else ""
    found = [f"{view.coord} {view.name}".strip(), f"{colour} {tile}".strip()]
    revenue = "/".join(str(stop.revenue[stop.current]) for stop in view.stops if any(stop.revenue))
    if revenue:
        found.append(f"revenue {revenue}")
    found.extend(_tokens(view.stops))
    if view.cost:
        found.append(" ".join([money(view.cost), *view.terrain]))
    if view.blocked_by:
        found.append(f"blocked by {view.blocked_by}")
    return [words for words in found if words]


def _tokens(stops: tuple[StopView, ...]) -> list[str]:
    slots = [slot for stop in stops for slot in stop.slots]
    tokens = [slot.badge.company for slot in slots if slot.badge and slot.state == "token"]
    homes = [slot.badge.company for slot in slots if slot.badge and slot.state != "token"]
    free = sum(slot.state == "empty" for slot in slots)
    words = [f"token of {' and '.join(tokens)}"] if tokens else []
    words += [f"home of {' and '.join(homes)}"] if homes else []
    return [*words, f"{free} free {'space' if free == 1 else 'spaces'}"] if free else words


def space_mark(cell: Cell, view: CellView) -> Mark:
    """The mark of a market space: id `space-0-9`, and content (`$70, par, PRR and C&O`)."""
    names = [badge.company for badge in view.tokens]
    names += [space.badge.company for space in view.spaces if space.badge]
    words = [
        "closed" if view.closed else money(view.price),
        "par" if view.par else "",
        "end of the game" if view.end else "",
        " and ".join(names),
    ]
    return Mark(f"space-{cell[0]}-{cell[1]}", ", ".join(filter(None, words)))
