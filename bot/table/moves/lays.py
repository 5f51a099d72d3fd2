"""Choosing places by picture: the hexes of an offer, cities of one, and every tile in every way it may lie there."""

from dataclasses import dataclass
from time import monotonic
from typing import ClassVar, Final, TypeAlias

from bot.table.markdown import plain
from bot.table.moves.completions import Item, items
from engine import Coord, Cursor, Game
from engine.views import (
    LayView,
    MapView,
    SpotView,
    lay_view,
    lay_views,
    map_part,
    map_view,
    spot_pages,
    spot_views,
)

SLOTS: Final = ("hex", "tile", "rotation")
"""Slots of an offer to lay a tile."""
PAGE: Final = 25
"""A select menu holds this many options."""
ROUTE_SECONDS: Final = 1.0
"""Seconds of search for the best runs with each of the tiles; runs not found by then are not shown."""


@dataclass(frozen=True, slots=True)
class Spots:
    """Hexes to be shown on the map, numbered in their order: those of one page."""

    view: MapView
    spots: tuple[Item, ...]
    page: int
    pages: int

    @property
    def first(self) -> int:
        """The number of the first hex shown."""
        return self.page * PAGE + 1

    @property
    def hexes(self) -> tuple[Coord, ...]:
        """Hexes of the lays."""
        return tuple(str(coord) for coord, _ in self.spots)

    def choices(self) -> list[Item]:
        """The hexes as answers to a question."""
        return [Item(coord, f"{i} · {label}") for i, (coord, label) in enumerate(self.spots, self.first)]

    def asked(self, here: Cursor) -> Cursor:
        """The walk up to the question that these answer."""
        return here


@dataclass(frozen=True, slots=True)
class Cities:
    """Cities of one hex to be shown there, each with the number that it has in the hex."""

    view: MapView
    hex: Coord
    cities: tuple[Item, ...]
    page: ClassVar[int] = 0
    pages: ClassVar[int] = 1

    @property
    def stops(self) -> tuple[int, ...]:
        """Which of the stops of the hex they are."""
        return tuple(int(stop) for stop, _ in self.cities)

    def choices(self) -> list[Item]:
        """The cities as answers to a question."""
        return [*self.cities]

    def asked(self, here: Cursor) -> Cursor:
        """The walk up to the question that these answer."""
        return here


@dataclass(frozen=True, slots=True)
class Lays:
    """Tiles to be shown in their place, numbered in their order: those of one page."""

    view: MapView
    lays: tuple[LayView, ...]
    page: int
    pages: int

    @property
    def first(self) -> int:
        """The number of the first tile shown."""
        return self.page * PAGE + 1

    def choices(self) -> list[Item]:
        """The tiles, each with its rotation, as answers to a question."""
        return [
            Item(f"{lay.tile},{lay.rotation}", f"{i} · {lay_label(lay)}")
            for i, lay in enumerate(self.lays, self.first)
        ]

    def asked(self, here: Cursor) -> Cursor:
        """The walk up to the question that these answer: tile and rotation are picked together."""
        return Cursor(here.offer, {"hex": here.chosen["hex"]})


Sketch: TypeAlias = Spots | Cities | Lays


def sketched(game: Game, here: Cursor, page: int) -> Sketch | None:
    """The picture for the next question of a walk, where it is about a place on the map or a tile."""
    if here.slot is not None and here.slot.name == "hex":
        return _spots(game, here, page)
    if here.slot is not None and here.slot.name == "city":
        return Cities(_around(game, here), here.chosen["hex"], tuple(items(plain(game), here.domain)))
    return _tiles(game, here, page) if _lays(here) else None


def _tiles(game: Game, here: Cursor, page: int) -> Lays:
    until = monotonic() + ROUTE_SECONDS
    here = Cursor(here.offer, {"hex": here.chosen["hex"]})
    lays = tuple(lay_views(game, here, lambda: monotonic() > until))
    shown = lays[page * PAGE : (page + 1) * PAGE]
    return Lays(_around(game, here), shown, page, -(-len(lays) // PAGE))


def laid(game: Game, here: Cursor) -> Lays | None:
    """The picture for a whole walk, where it lays a tile: that tile in its place."""
    return Lays(_around(game, here), (lay_view(game, here),), 0, 1) if _lays(here) else None


def _lays(here: Cursor) -> bool:
    return tuple(slot.name for slot in here.offer.slots) == SLOTS


def _around(game: Game, here: Cursor) -> MapView:
    return map_part(map_view(game), [here.chosen["hex"]])


def _spots(game: Game, here: Cursor, page: int) -> Spots:
    pages = spot_pages(game, here, PAGE)
    ways = pages[page] if page < len(pages) else ()
    if _lays(here):
        spots = tuple(Item(spot.coord, _spot(spot)) for spot in spot_views(game, ways))
    else:
        labels = dict(items(plain(game), here.domain))
        spots = tuple(Item(coord, labels[coord]) for coord in (way.chosen["hex"] for way in ways))
    return Spots(map_part(map_view(game), [way.chosen["hex"] for way in ways]), spots, page, len(pages))


def _spot(spot: SpotView) -> str:
    return " ".join(filter(None, (spot.coord, spot.name, f"${spot.cost}" if spot.cost else "")))


def lay_label(lay: LayView) -> str:
    """A tile in its place: `#57 SW-NE, 3 left, $40, best run $100 → $140`, in dollars."""
    parts = [f"#{lay.tile} {lay.sides}"]
    parts += [] if lay.left is None else [f"{lay.left} left"]
    parts += [f"${lay.cost}"] if lay.cost else []
    parts += ["best run ${} → ${}".format(*lay.worth)] if lay.worth else []
    return ", ".join(parts)
