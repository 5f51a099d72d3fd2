"""Pictures with numbered choices: hexes, cities of a hex, tiles in each rotation, or prices on the market."""

from dataclasses import dataclass
from time import monotonic
from typing import ClassVar, Final, TypeAlias

from bot.table.markdown import plain_teller
from bot.table.moves.completions import MenuItem, domain_items
from engine import Coord, Game, OfferCursor
from engine.views import (
    LayHexView,
    LayView,
    MapView,
    MarketView,
    lay_hex_pages,
    lay_hex_views,
    lay_view,
    lay_views,
    map_part,
    map_view,
    market_view,
)

TILE_LAY_SLOTS: Final = ("hex", "tile", "rotation")
"""The values that a tile lay needs, in order."""
COMPANY_START_SLOTS: Final = ("price", "value", "space")
"""Values for starting a company that are chosen on a picture of the market: par price, or a minor's value and space."""
PAGE_SIZE: Final = 25
"""Maximum number of options in a Discord select menu, which shows one page of choices."""
ROUTE_SEARCH_SECONDS: Final = 1.0
"""Time limit for computing the best run with each tile. A tile whose run is not found in time is shown without it."""


@dataclass(frozen=True, slots=True)
class HexChoices:
    """A picture of the map on which the hexes to choose from are numbered; at most PAGE_SIZE hexes are on one page."""

    view: MapView
    hex_items: tuple[MenuItem, ...]
    page: int
    page_count: int

    @property
    def first_number(self) -> int:
        """The number shown for the first hex of this page."""
        return self.page * PAGE_SIZE + 1

    @property
    def hexes(self) -> tuple[Coord, ...]:
        """The coordinates of the hexes on this page."""
        return tuple(str(coord) for coord, _ in self.hex_items)

    def choices(self) -> list[MenuItem]:
        """The hexes as menu items."""
        return [
            MenuItem(coord, f"{i} · {label}")
            for i, (coord, label) in enumerate(self.hex_items, self.first_number)
        ]

    def cursor_for_choices(self, cursor: OfferCursor) -> OfferCursor:
        """The unfinished move to which the chosen hex is added: `cursor` itself."""
        return cursor


@dataclass(frozen=True, slots=True)
class CityChoices:
    """A picture of one hex in which the cities to choose from are numbered."""

    view: MapView
    hex: Coord
    cities: tuple[MenuItem, ...]
    page: ClassVar[int] = 0
    page_count: ClassVar[int] = 1

    @property
    def stop_indexes(self) -> tuple[int, ...]:
        """The index of each of these cities among all stops (cities and towns) of the hex."""
        return tuple(int(stop) for stop, _ in self.cities)

    def choices(self) -> list[MenuItem]:
        """The cities as menu items."""
        return [*self.cities]

    def cursor_for_choices(self, cursor: OfferCursor) -> OfferCursor:
        """The unfinished move to which the chosen city is added: `cursor` itself."""
        return cursor


@dataclass(frozen=True, slots=True)
class LayChoices:
    """A picture of the tiles to choose from, each numbered and drawn in its hex and rotation; one page of them."""

    view: MapView
    lays: tuple[LayView, ...]
    page: int
    page_count: int

    @property
    def first_number(self) -> int:
        """The number shown for the first tile of this page."""
        return self.page * PAGE_SIZE + 1

    def choices(self) -> list[MenuItem]:
        """The tiles in their rotations as menu items."""
        return [
            MenuItem(f"{lay.tile},{lay.rotation}", f"{i} · {lay_label(lay)}")
            for i, lay in enumerate(self.lays, self.first_number)
        ]

    def cursor_for_choices(self, cursor: OfferCursor) -> OfferCursor:
        """The unfinished move to which tile and rotation are added: only its hex is chosen."""
        return OfferCursor(cursor.offer, {"hex": cursor.chosen["hex"]})


@dataclass(frozen=True, slots=True)
class MarketChoices:
    """A picture of the stock market, with frames around the start prices (or spaces of one price) to choose from."""

    view: MarketView
    items: tuple[MenuItem, ...]
    start_prices: tuple[int, ...]
    page: ClassVar[int] = 0
    page_count: ClassVar[int] = 1

    def choices(self) -> list[MenuItem]:
        """The prices or spaces as menu items."""
        return [*self.items]

    def cursor_for_choices(self, cursor: OfferCursor) -> OfferCursor:
        """The unfinished move to which the chosen price or space is added: `cursor` itself."""
        return cursor


ChoicePicture: TypeAlias = HexChoices | CityChoices | LayChoices | MarketChoices


def picture_of_choices(game: Game, cursor: OfferCursor, page: int) -> ChoicePicture | None:
    """The picture for the next choice in a move: of hexes, cities, tiles or start prices; None for other choices."""
    if cursor.slot is not None and cursor.slot.name == "hex":
        return _hex_choices(game, cursor, page)
    if cursor.slot is not None and cursor.slot.name == "city":
        return CityChoices(
            _map_around(game, cursor),
            cursor.chosen["hex"],
            tuple(domain_items(plain_teller(game), cursor.domain)),
        )
    if cursor.slot is not None and cursor.slot.name in COMPANY_START_SLOTS:
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


def picture_of_lay(game: Game, cursor: OfferCursor) -> LayChoices | None:
    """The picture of a tile lay whose hex, tile and rotation are chosen; None for other moves."""
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
    hex_pages = lay_hex_pages(game, cursor, PAGE_SIZE)
    hex_cursors = hex_pages[page] if page < len(hex_pages) else ()
    if _is_tile_lay(cursor):
        hex_items = tuple(
            MenuItem(lay_hex.coord, _lay_hex_label(lay_hex)) for lay_hex in lay_hex_views(game, hex_cursors)
        )
    else:
        label_by_hex = dict(domain_items(plain_teller(game), cursor.domain))
        hex_items = tuple(
            MenuItem(coord, label_by_hex[coord])
            for coord in (hex_cursor.chosen["hex"] for hex_cursor in hex_cursors)
        )
    return HexChoices(
        map_part(map_view(game), [hex_cursor.chosen["hex"] for hex_cursor in hex_cursors]),
        hex_items,
        page,
        len(hex_pages),
    )


def _lay_hex_label(lay_hex: LayHexView) -> str:
    return " ".join(
        filter(None, (lay_hex.coord, lay_hex.name, lay_hex.money(lay_hex.cost) if lay_hex.cost else ""))
    )


def lay_label(lay: LayView) -> str:
    """The label of a tile lay: `#57 SW-NE, 3 left, $40, best run $100 → $140`."""
    label_parts = [f"#{lay.tile} {lay.sides}"]
    label_parts += [] if lay.copies_left is None else [f"{lay.copies_left} left"]
    label_parts += [lay.money(lay.cost)] if lay.cost else []
    label_parts += (
        ["best run {} → {}".format(*map(lay.money, lay.revenue_change))] if lay.revenue_change else []
    )
    return ", ".join(label_parts)
