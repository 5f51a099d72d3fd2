"""Pictures for choosing places: hexes of an offer, cities of a hex, tiles in every rotation, cells of the market."""

from dataclasses import dataclass
from time import monotonic
from typing import ClassVar, Final, TypeAlias

from bot.table.markdown import plain_teller
from bot.table.moves.completions import MenuItem, domain_items
from engine import Coord, Game, OfferCursor
from engine.views import (
    LayView,
    MapView,
    MarketView,
    SpotView,
    lay_view,
    lay_views,
    map_part,
    map_view,
    market_view,
    spot_pages,
    spot_views,
)

TILE_LAY_SLOTS: Final = ("hex", "tile", "rotation")
"""Slots of an offer to lay a tile."""
START_SLOTS: Final = ("price", "value", "space")
"""Slots of an offer to start a company, if their values are listed: a par price, a minor's value, and its space."""
PAGE_SIZE: Final = 25
"""The most options of a select menu."""
ROUTE_SEARCH_SECONDS: Final = 1.0
"""Seconds to search for the best runs with each tile; runs not found by then are not shown."""


@dataclass(frozen=True, slots=True)
class HexChoices:
    """One page of hexes to pick from, numbered on the map."""

    view: MapView
    spots: tuple[MenuItem, ...]
    page: int
    page_count: int

    @property
    def first_number(self) -> int:
        """The number of the first hex shown."""
        return self.page * PAGE_SIZE + 1

    @property
    def hexes(self) -> tuple[Coord, ...]:
        """The hexes of this page."""
        return tuple(str(coord) for coord, _ in self.spots)

    def choices(self) -> list[MenuItem]:
        """The hexes as menu items."""
        return [
            MenuItem(coord, f"{i} · {label}")
            for i, (coord, label) in enumerate(self.spots, self.first_number)
        ]

    def cursor_for_choices(self, cursor: OfferCursor) -> OfferCursor:
        """The cursor whose next slot these choices fill."""
        return cursor


@dataclass(frozen=True, slots=True)
class CityChoices:
    """The cities of one hex to pick from, numbered in the picture."""

    view: MapView
    hex: Coord
    cities: tuple[MenuItem, ...]
    page: ClassVar[int] = 0
    page_count: ClassVar[int] = 1

    @property
    def stop_indexes(self) -> tuple[int, ...]:
        """The stop indexes of the cities."""
        return tuple(int(stop) for stop, _ in self.cities)

    def choices(self) -> list[MenuItem]:
        """The cities as menu items."""
        return [*self.cities]

    def cursor_for_choices(self, cursor: OfferCursor) -> OfferCursor:
        """The cursor whose next slot these choices fill."""
        return cursor


@dataclass(frozen=True, slots=True)
class LayChoices:
    """One page of tiles to pick from, numbered and shown in their places."""

    view: MapView
    lays: tuple[LayView, ...]
    page: int
    page_count: int

    @property
    def first_number(self) -> int:
        """The number of the first tile shown."""
        return self.page * PAGE_SIZE + 1

    def choices(self) -> list[MenuItem]:
        """The tiles with rotations as menu items."""
        return [
            MenuItem(f"{lay.tile},{lay.rotation}", f"{i} · {lay_label(lay)}")
            for i, lay in enumerate(self.lays, self.first_number)
        ]

    def cursor_for_choices(self, cursor: OfferCursor) -> OfferCursor:
        """The cursor whose next slots these choices fill: tile and rotation."""
        return OfferCursor(cursor.offer, {"hex": cursor.chosen["hex"]})


@dataclass(frozen=True, slots=True)
class MarketChoices:
    """Start prices, or the spaces of one, framed on the market."""

    view: MarketView
    items: tuple[MenuItem, ...]
    start_prices: tuple[int, ...]
    page: ClassVar[int] = 0
    page_count: ClassVar[int] = 1

    def choices(self) -> list[MenuItem]:
        """The prices or spaces as choices."""
        return [*self.items]

    def cursor_for_choices(self, cursor: OfferCursor) -> OfferCursor:
        """The cursor at the slot that these choices fill."""
        return cursor


ChoicePicture: TypeAlias = HexChoices | CityChoices | LayChoices | MarketChoices


def picture_of_choices(game: Game, cursor: OfferCursor, page: int) -> ChoicePicture | None:
    """The picture of the hexes, cities, tiles or start prices to choose from next; None for other choices."""
    if cursor.slot is not None and cursor.slot.name == "hex":
        return _hex_choices(game, cursor, page)
    if cursor.slot is not None and cursor.slot.name == "city":
        return CityChoices(
            _map_around(game, cursor),
            cursor.chosen["hex"],
            tuple(domain_items(plain_teller(game), cursor.domain)),
        )
    if cursor.slot is not None and cursor.slot.name in START_SLOTS:
        return _market_choices(game, cursor)
    return _lay_choices(game, cursor, page) if _is_tile_lay(cursor) else None


def _market_choices(game: Game, cursor: OfferCursor) -> MarketChoices:
    items = tuple(domain_items(plain_teller(game), cursor.domain))
    prices = [cursor.chosen["value"]] if "value" in cursor.chosen else [value for value, _ in items]
    return MarketChoices(market_view(game), items, tuple(map(int, prices)))


def _lay_choices(game: Game, cursor: OfferCursor, page: int) -> LayChoices:
    search_end = monotonic() + ROUTE_SEARCH_SECONDS
    cursor = OfferCursor(cursor.offer, {"hex": cursor.chosen["hex"]})
    lays = tuple(lay_views(game, cursor, lambda: monotonic() > search_end))
    lays_on_page = lays[page * PAGE_SIZE : (page + 1) * PAGE_SIZE]
    return LayChoices(_map_around(game, cursor), lays_on_page, page, -(-len(lays) // PAGE_SIZE))


def sketch_of_lay(game: Game, cursor: OfferCursor) -> LayChoices | None:
    """The picture of a tile lay whose values are all picked; None for other moves."""
    return (
        LayChoices(_map_around(game, cursor), (lay_view(game, cursor),), 0, 1)
        if _is_tile_lay(cursor)
        else None
    )


def _is_tile_lay(cursor: OfferCursor) -> bool:
    return tuple(slot.name for slot in cursor.offer.slots) == TILE_LAY_SLOTS


def _map_around(game: Game, cursor: OfferCursor) -> MapView:
    return map_part(map_view(game), [cursor.chosen["hex"]])


def _hex_choices(game: Game, cursor: OfferCursor, page: int) -> HexChoices:
    pages = spot_pages(game, cursor, PAGE_SIZE)
    hex_cursors = pages[page] if page < len(pages) else ()
    if _is_tile_lay(cursor):
        spots = tuple(MenuItem(spot.coord, _spot_label(spot)) for spot in spot_views(game, hex_cursors))
    else:
        labels = dict(domain_items(plain_teller(game), cursor.domain))
        spots = tuple(
            MenuItem(coord, labels[coord])
            for coord in (hex_cursor.chosen["hex"] for hex_cursor in hex_cursors)
        )
    return HexChoices(
        map_part(map_view(game), [hex_cursor.chosen["hex"] for hex_cursor in hex_cursors]),
        spots,
        page,
        len(pages),
    )


def _spot_label(spot: SpotView) -> str:
    return " ".join(filter(None, (spot.coord, spot.name, spot.money(spot.cost) if spot.cost else "")))


def lay_label(lay: LayView) -> str:
    """The label of a tile lay: `#57 SW-NE, 3 left, $40, best run $100 → $140`."""
    parts = [f"#{lay.tile} {lay.sides}"]
    parts += [] if lay.left is None else [f"{lay.left} left"]
    parts += [lay.money(lay.cost)] if lay.cost else []
    parts += ["best run {} → {}".format(*map(lay.money, lay.worth))] if lay.worth else []
    return ", ".join(parts)
