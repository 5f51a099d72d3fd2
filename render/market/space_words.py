"""The name of a space of the market in words, for readers who do not see its picture."""

from engine.core.ids import Cell
from engine.tell.views import CellView
from render.money import money
from render.scene import Mark


def space_mark(cell: Cell, view: CellView) -> Mark:
    """Its id, row and column as in `space-0-9`, and what stands there: `$70, par, PRR and C&O`."""
    names = [badge.company for badge in view.tokens]
    names += [space.badge.company for space in view.spaces if space.badge]
    words = [
        "closed" if view.closed else money(view.price),
        "par" if view.par else "",
        "end of the game" if view.end else "",
        " and ".join(names),
    ]
    return Mark(f"space-{cell[0]}-{cell[1]}", ", ".join(filter(None, words)))
