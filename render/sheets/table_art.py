"""The whole table as a scene: companies by players with all they have, players below, trains to come beside them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Final

from engine.views import Badge, CompanyView, PlayerView, TableView
from render.font_metrics import distinct_texts, fitting, heading, shortened, text_width
from render.scene import Align, Colour, Item, Placed, RoundedBox, Scene, Sprite, Text, Weight
from render.sheets.charter_art import run_words
from render.sheets.supply_art import coming_block
from render.theme import HIGHLIGHT, Theme, company, ink_on, palette, theme_named
from render.words import money

_EDGE: Final = 20
_HEAD: Final = 66
_CHIP: Final = 104
_PRICE: Final = 84
_SEAT: Final = 92
_WIDEST_SEAT: Final = 136
"""So wide at most is a player's column for the sake of a long name."""
_NAME: Final = 15
"""The smallest letters of a name."""
_COLUMNS: Final = {"Offer": 74, "Market": 84}
_OWN: Final = {"Own": 74}
"""Shares that companies have of themselves; only where one has."""
_MORE: Final = {"Treasury": 112, "Trains": 150, "Tokens": 82, "Last run": 106}
_PRIVATES: Final = {"Privates": 120}
"""Only where a company has some."""
_NARROWEST: Final = 1160
_NARROW: Final = 800
"""The same in large letters."""
_NOTE: Final = "Filled: president. [$]: withheld. (60%): floats when sold. 4*: last run."
_SMALL: Final = 20
_GAP: Final = 14
_ROW: Final = 44
"""Height of a row in pixels."""
_SMALL_ROW: Final = 32
_EM: Final = 26
_CELL_INSET: Final = 8


def table_scene(view: TableView, theme_name: str) -> Scene:
    """Companies by players with money below and trains beside; in large letters stacked."""
    theme = theme_named(theme_name)
    desk = _TableLayout(theme, [player.name for player in view.players], _columns(view))
    sprites = [desk.head(view), *desk.companies(view)]
    top = desk.bottom + _GAP
    money = list(desk.money(view.players, top))
    lowest = max(p.top + p.sprite.height for p in money)
    beside = desk.seats_end + _EDGE
    left, below = (_EDGE, lowest + _GAP) if theme.large else (beside, top)
    coming = coming_block(view, theme, _NOTE, desk.width - left - _EDGE)
    sprites.extend(money)
    sprites.append(Placed(Sprite(coming.width, coming.height, theme.page, coming.items), left, below))
    return _whole_scene(desk, view, theme_name, sprites, max(lowest, below + coming.height))


def holdings_scene(view: TableView, theme_name: str) -> Scene:
    """Holdings of each company and the players' money, in large letters."""
    desk = _TableLayout(theme_named(theme_name), [player.name for player in view.players], _columns(view))
    sprites = [desk.head(view), *desk.companies(view, assets=False)]
    sprites.extend(desk.money(view.players, desk.bottom + _GAP))
    return _whole_scene(desk, view, theme_name, sprites, max(p.top + p.sprite.height for p in sprites))


def assets_scene(view: TableView, theme_name: str) -> Scene:
    """Company assets and trains to come, in large letters."""
    desk = _TableLayout(theme_named(theme_name), [player.name for player in view.players], _columns(view))
    sprites = [desk.head(view), *desk.asset_table(_started_companies(view))]
    coming = coming_block(view, desk.theme, _NOTE, desk.width - 2 * _EDGE)
    below = Sprite(coming.width, coming.height, desk.theme.page, coming.items)
    sprites.append(Placed(below, _EDGE, desk.bottom + _GAP))
    return _whole_scene(desk, view, theme_name, sprites, desk.bottom + _GAP + coming.height)


def _whole_scene(
    desk: "_TableLayout", view: TableView, theme_name: str, sprites: Sequence[Placed], bottom: int
) -> Scene:
    colours = tuple(sorted({line.badge.colour for line in view.companies}))
    return Scene(desk.width, bottom + 14, desk.theme.page, tuple(sprites), palette(theme_name, colours))


def _started_companies(view: TableView) -> list[CompanyView]:
    return [line for line in view.companies if line.par is not None or line.holders]


def _columns(view: TableView) -> dict[str, int]:
    own = _OWN if any(line.own for line in view.companies) else {}
    privates = _PRIVATES if any(line.privates for line in view.companies) else {}
    return _COLUMNS | own | _MORE | privates


def _seat_width(names: Sequence[str]) -> int:
    """Pixels of a column in which each of the names stands whole, unless one is very long."""
    widest = max(text_width(name, "black") for name in names)
    return max(_SEAT, min(_WIDEST_SEAT, ceil(widest * _NAME) + 17))


@dataclass(frozen=True, slots=True)
class _Cell:
    """One cell: its words, how they stand, and whether they are a filled box in a company's colour."""

    text: str
    align: Align = "right"
    weight: Weight = "bold"
    paint: Colour | None = None
    """Ground of a box around the words, which says: president."""
    size: float = _EM


def _chip(badge: Badge) -> _Cell:
    return _Cell(badge.company, "middle", "black", company(badge.colour))


class _TableLayout:
    """Positions and colours of the columns."""

    def __init__(self, theme: Theme, names: Sequence[str], columns: Mapping[str, int]) -> None:
        self.theme = theme
        self.columns = columns
        rest = sum(columns.values()) + _EDGE
        self.first = _EDGE + _CHIP + _PRICE
        seats, least = len(names), _seat_width(names)
        if theme.large:
            self.width = max(_NARROW, _EDGE + _CHIP + rest, self.first + seats * least + _EDGE)
            self.seat = (self.width - self.first - _EDGE) // seats
            self.seats_end = self.first + seats * self.seat
            self.assets_at = self.width - rest
        else:
            self.seat = max(least, (_NARROWEST - self.first - rest) // seats)
            self.assets_at = self.seats_end = self.first + seats * self.seat
            self.width = self.seats_end + rest
        self.bottom = _HEAD
        """Below the last row so far."""

    def head(self, view: TableView) -> Placed:
        items = heading(view.title, view.caption, self.width - 50, self.theme.ink)
        return Placed(Sprite(self.width - 2 * _EDGE, _HEAD - 4, self.theme.page, items), _EDGE, 0)

    def companies(self, view: TableView, *, assets: bool = True) -> Iterator[Placed]:
        """Rows of started companies: price, holders, assets; the others in one row."""
        shown = _started_companies(view)
        yield from self._headings(view)
        if not self.theme.large:
            yield from self._asset_headings(self.bottom)
        self.bottom += _ROW
        for i, line in enumerate(shown):
            yield from self._ground(line, i)
            yield from self._holdings(line, view.players, self._row(i))
            if not self.theme.large:
                yield from self._assets(line, self._row(i))
            self.bottom += _ROW
        idle = [line for line in view.companies if line not in shown]
        if idle:
            yield from self.idle(idle, self.bottom)
            self.bottom += _ROW
        if self.theme.large and shown and assets:
            yield from self.asset_table(shown)

    def asset_table(self, shown: Sequence[CompanyView]) -> Iterator[Placed]:
        """The companies' possessions, in rows of their own."""
        self.bottom += _GAP
        yield from self._asset_headings(self.bottom)
        self.bottom += _ROW
        for i, line in enumerate(shown):
            yield from self._ground(line, i)
            yield from self._assets(line, self._row(i))
            self.bottom += _ROW

    def _headings(self, view: TableView) -> Iterator[Placed]:
        """The players, with a mark at those who act."""
        top = self.bottom
        yield self._cell(_Cell("Price", size=21), _EDGE + _CHIP, _PRICE, top, ink=self.theme.soft)
        names = distinct_texts([player.name for player in view.players], self.seat - 16, _NAME, "black")
        for i, player in enumerate(view.players):
            paint = HIGHLIGHT if player.player in view.actors else None
            name = player.name if fitting(player.name, self.seat - 16, 23, "black") >= _NAME else names[i]
            cell = _Cell(name, "middle", "black", paint, 23)
            yield self._seat_cell(i, cell, top)

    def _asset_headings(self, top: int) -> Iterator[Placed]:
        x = self.assets_at
        for words, width in self.columns.items():
            yield self._cell(_Cell(words, size=21), x, width, top, ink=self.theme.soft)
            x += width

    def _ground(self, company: CompanyView, number: int) -> Iterator[Placed]:
        ground = self._row(number)
        yield Placed(Sprite(self.width - 2 * _EDGE, _ROW, ground, ()), _EDGE, self.bottom)
        yield self._cell(_chip(company.badge), _EDGE, _CHIP, self.bottom, ground)

    def _holdings(self, line: CompanyView, players: Sequence[PlayerView], ground: str) -> Iterator[Placed]:
        """The price of a share, and the holders."""
        price = "-" if line.price is None else f"${line.price}"
        yield self._cell(_Cell(price, weight="black"), _EDGE + _CHIP, _PRICE, self.bottom, ground)
        for i, player in enumerate(players):
            held = next((h for h in player.holdings if h.badge == line.badge), None)
            if held is not None:
                paint = company(line.badge.colour) if held.president else None
                cell = _Cell(f"{held.percent}%", "middle", "black" if held.president else "bold", paint)
                yield self._seat_cell(i, cell, self.bottom, ground)

    def _assets(self, company: CompanyView, ground: str) -> Iterator[Placed]:
        x, has = self.assets_at, asset_texts(company)
        for words, width in self.columns.items():
            if has[words]:
                yield self._cell(_Cell(has[words]), x, width, self.bottom, ground)
            x += width

    def idle(self, companies: Sequence[CompanyView], top: int) -> Iterator[Placed]:
        """Companies nobody has started, in one row."""
        words = "Not started"
        wide = round(text_width(words) * 22) + 24
        yield self._cell(_Cell(words, "left", size=22), _EDGE, wide, top, ink=self.theme.soft)
        room = (self.width - 2 * _EDGE - wide) // max(1, len(companies))
        step = min(_CHIP, room)
        for i, line in enumerate(companies):
            yield self._cell(_chip(line.badge), _EDGE + wide + i * step, step, top)

    def money(self, players: Sequence[PlayerView], top: int) -> Iterator[Placed]:
        """Below each player's column cash, liquidity, certificates, net worth, privates."""
        for number, (words, values) in enumerate(_lines(players)):
            y, ground = top + number * _ROW, self._row(number)
            yield Placed(Sprite(self.seats_end - _EDGE, _ROW, ground, ()), _EDGE, y)
            yield self._cell(_Cell(words, "left", size=22), _EDGE, _CHIP + _PRICE, y, ground)
            for i, value in enumerate(values):
                cell = _Cell(value, "middle", "black" if words == "Worth" else "bold")
                yield self._seat_cell(i, cell, y, ground)
        yield from self._privates(players, top + len(_lines(players)) * _ROW)

    def _privates(self, players: Sequence[PlayerView], top: int) -> Iterator[Placed]:
        """One under the other, with their incomes."""
        most = max(len(player.privates) for player in players)
        if most:
            cell = _Cell("Privates", "left", size=22)
            yield self._cell(cell, _EDGE, _CHIP + _PRICE, top, ink=self.theme.soft, height=_SMALL_ROW)
        for number in range(most):
            y = top + number * _SMALL_ROW
            for i, player in enumerate(players):
                if number < len(player.privates):
                    short, _, _, income = player.privates[number]
                    cell = _Cell(f"{short} +{income}", "middle", size=_SMALL)
                    yield self._seat_cell(i, cell, y, height=_SMALL_ROW)

    def _row(self, number: int) -> str:
        return self.theme.pale if number % 2 else self.theme.sheet

    def _seat_cell(
        self, number: int, cell: _Cell, top: int, ground: str | None = None, height: int = _ROW
    ) -> Placed:
        return self._cell(cell, self.first + number * self.seat, self.seat, top, ground, height=height)

    def _cell(
        self,
        cell: _Cell,
        left: int,
        width: int,
        top: int,
        ground: str | None = None,
        ink: str | None = None,
        height: int = _ROW,
    ) -> Placed:
        theme = self.theme
        return Placed(_cell_sprite(cell, width, ground or theme.page, ink or theme.ink, height), left, top)


def asset_texts(company: CompanyView) -> Mapping[str, str]:
    """The texts of the asset columns."""
    unfloated = f"({company.float_percent}%)" if company.par is not None else ""
    trains = [*(train for train, _ in company.trains), *(f"{train}*" for train in company.obsolete)]
    return {
        "Offer": f"{company.offering}%" if company.offering else "",
        "Market": f"{company.market}%" if company.market else "",
        "Own": f"{company.own}%" if company.own else "",
        "Treasury": money(company.treasury) if company.floated else unfloated,
        "Trains": " ".join(trains),
        "Tokens": f"{len(company.tokens_left)}" if company.par is not None else "",
        "Last run": "" if company.last_run is None else run_words(company.last_run),
        "Privates": " ".join(company.privates),
    }


def _lines(players: Sequence[PlayerView]) -> list[tuple[str, list[str]]]:
    tied = any(player.available != player.cash for player in players)
    return [
        ("Cash", [money(player.cash) for player in players]),
        *([("Free cash", [money(player.available) for player in players])] if tied else []),
        ("Liquidity", [money(player.liquidity) for player in players]),
        ("Worth", [money(player.value) for player in players]),
        ("Certificates", [f"{player.certificates}/{player.certificate_limit}" for player in players]),
        ("Priority", ["●" if player.priority else "" for player in players]),
    ]


@lru_cache(maxsize=1024)
def _cell_sprite(cell: _Cell, width: int, ground: Colour, ink: Colour, height: int = _ROW) -> Sprite:
    return Sprite(width, height, ground, tuple(_cell_items(cell, width, height, ink)))


def _cell_items(cell: _Cell, width: int, height: int, ink: Colour) -> Iterator[Item]:
    if cell.paint is not None:
        yield RoundedBox(3, 4, width - 3, height - 4, 8, cell.paint, ink, 1)
        ink = ink_on(cell.paint)
    room = width - 2 * _CELL_INSET
    size = fitting(cell.text, room, cell.size, cell.weight, smallest=15)
    words = shortened(cell.text, room, size, cell.weight)
    x = {"left": _CELL_INSET, "middle": width / 2, "right": width - _CELL_INSET}[cell.align]
    yield Text(x, height / 2, words, size, ink, cell.weight, cell.align)
