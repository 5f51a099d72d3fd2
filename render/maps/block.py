"""A panel beside a map."""

from dataclasses import dataclass

from render.scene import Item


@dataclass(frozen=True, slots=True)
class Block:
    """A panel: size in pixels and its drawing from its upper left corner."""

    width: int
    height: int
    items: tuple[Item, ...]
