"""Pictures of all holdings: shares of each player by company, company assets, players' money, remaining trains."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Final

from engine.views import Badge, CompanyView, PlayerView, TableView
from render.font_metrics import distinct_texts, fitting_size, heading, shortened_text, text_width
from render.scene import Align, Colour, Item, PlacedSprite, RoundedBox, Scene, Sprite, Text, Weight
from render.sheets.charter_art import run_words
from render.sheets.supply_art import remaining_trains_panel
from render.theme import HIGHLIGHT_COLOUR, Theme, ink_on, palette, readable_company_colour, theme_named

_MARGIN: Final = 20
_HEADING_HEIGHT: Final = 66
_CHIP_WIDTH: Final = 104
_PRICE_WIDTH: Final = 84
_MIN_SEAT_WIDTH: Final = 92
_MAX_SEAT_WIDTH: Final = 136
"""Largest width of a player's column, in pixels; only long names need it."""
_MIN_NAME_EM: Final = 15
_SHARE_COLUMN_WIDTHS: Final = {"IPO": 74, "Market": 84}
_TREASURY_COLUMN_WIDTHS: Final = {"Own": 74}
"""The column of treasury shares; it is shown only if a company has any."""
_ASSET_COLUMN_WIDTHS: Final = {"Treasury": 112, "Trains": 150, "Tokens": 82, "Last run": 106}
_PRIVATES_COLUMN_WIDTHS: Final = {"Privates": 120}
"""The column of privates that companies own; it is shown only if a company owns one."""
_MIN_TABLE_WIDTH: Final = 1160
_MIN_LARGE_TABLE_WIDTH: Final = 800
_PRIVATE_EM: Final = 20
_BLOCK_GAP: Final = 14
_ROW_HEIGHT: Final = 44
_SMALL_ROW_HEIGHT: Final = 32
_CELL_EM: Final = 26
_CELL_INSET: Final = 8


def table_scene(view: TableView, theme_name: str) -> Scene:
    """A row per company with each player's shares and the company's assets, then money and remaining trains."""
    theme = theme_named(theme_name)
    layout = _TableLayout(theme, [player.name for player in view.players], _column_widths(view))
    sprites = [layout.heading(view), *layout.company_rows(view)]
    top = layout.bottom + _BLOCK_GAP
    money_sprites = list(layout.money_rows(view.players, top))
    bottom = max(p.top + p.sprite.height for p in money_sprites)
    assets_left = layout.seats_end + _MARGIN
    panel_left, panel_top = (_MARGIN, bottom + _BLOCK_GAP) if theme.has_large_letters else (assets_left, top)
    trains_panel = remaining_trains_panel(
        view, theme, _legend_text(view), layout.width - panel_left - _MARGIN
    )
    sprites.extend(money_sprites)
    sprites.append(
        PlacedSprite(
            Sprite(trains_panel.width, trains_panel.height, theme.page, trains_panel.items),
            panel_left,
            panel_top,
        )
    )
    return _whole_scene(layout, view, theme_name, sprites, max(bottom, panel_top + trains_panel.height))


def holdings_scene(view: TableView, theme_name: str) -> Scene:
    """A row per company with each player's shares, then the players' money, in large text."""
    layout = _TableLayout(
        theme_named(theme_name), [player.name for player in view.players], _column_widths(view)
    )
    sprites = [layout.heading(view), *layout.company_rows(view, has_assets=False)]
    sprites.extend(layout.money_rows(view.players, layout.bottom + _BLOCK_GAP))
    return _whole_scene(layout, view, theme_name, sprites, max(p.top + p.sprite.height for p in sprites))


def assets_scene(view: TableView, theme_name: str) -> Scene:
    """A row per company with its assets, then the remaining trains, in large text."""
    layout = _TableLayout(
        theme_named(theme_name), [player.name for player in view.players], _column_widths(view)
    )
    sprites = [layout.heading(view), *layout.asset_table(_started_companies(view))]
    trains_panel = remaining_trains_panel(view, layout.theme, _legend_text(view), layout.width - 2 * _MARGIN)
    trains_sprite = Sprite(trains_panel.width, trains_panel.height, layout.theme.page, trains_panel.items)
    sprites.append(PlacedSprite(trains_sprite, _MARGIN, layout.bottom + _BLOCK_GAP))
    return _whole_scene(layout, view, theme_name, sprites, layout.bottom + _BLOCK_GAP + trains_panel.height)


def _whole_scene(
    layout: "_TableLayout", view: TableView, theme_name: str, sprites: Sequence[PlacedSprite], bottom: int
) -> Scene:
    colours = tuple(sorted({company.badge.colour for company in view.companies}))
    return Scene(layout.width, bottom + 14, layout.theme.page, tuple(sprites), palette(theme_name, colours))


def _started_companies(view: TableView) -> list[CompanyView]:
    return [company for company in view.companies if company.par is not None or company.holders]


def _column_widths(view: TableView) -> dict[str, int]:
    treasury_widths = (
        _TREASURY_COLUMN_WIDTHS if any(company.treasury_percent for company in view.companies) else {}
    )
    privates_widths = _PRIVATES_COLUMN_WIDTHS if any(company.privates for company in view.companies) else {}
    return _SHARE_COLUMN_WIDTHS | treasury_widths | _ASSET_COLUMN_WIDTHS | privates_widths


def _seat_width(names: Sequence[str]) -> int:
    max_name_width = max(text_width(name, "black") for name in names)
    return max(_MIN_SEAT_WIDTH, min(_MAX_SEAT_WIDTH, ceil(max_name_width * _MIN_NAME_EM) + 17))


@dataclass(frozen=True, slots=True)
class _Cell:
    """A table cell: text, alignment, font, and colour of a box around the text (None: no box)."""

    text: str
    align: Align = "right"
    weight: Weight = "bold"
    box_colour: Colour | None = None
    """Colour of a box around the text: for the president's shares, a company, or a player who must act."""
    size: float = _CELL_EM


def _company_chip(badge: Badge) -> _Cell:
    return _Cell(badge.company, "middle", "black", readable_company_colour(badge.colour))


class _TableLayout:
    """Positions and colours of the holdings table's columns and rows."""

    def __init__(self, theme: Theme, names: Sequence[str], column_widths: Mapping[str, int]) -> None:
        self.theme = theme
        self.column_widths = column_widths
        assets_width = sum(column_widths.values()) + _MARGIN
        self.seats_start = _MARGIN + _CHIP_WIDTH + _PRICE_WIDTH
        seat_count, min_seat_width = len(names), _seat_width(names)
        if theme.has_large_letters:
            self.width = max(
                _MIN_LARGE_TABLE_WIDTH,
                _MARGIN + _CHIP_WIDTH + assets_width,
                self.seats_start + seat_count * min_seat_width + _MARGIN,
            )
            self.seat_width = (self.width - self.seats_start - _MARGIN) // seat_count
            self.seats_end = self.seats_start + seat_count * self.seat_width
            self.assets_start = self.width - assets_width
        else:
            self.seat_width = max(
                min_seat_width, (_MIN_TABLE_WIDTH - self.seats_start - assets_width) // seat_count
            )
            self.assets_start = self.seats_end = self.seats_start + seat_count * self.seat_width
            self.width = self.seats_end + assets_width
        self.bottom = _HEADING_HEIGHT

    def heading(self, view: TableView) -> PlacedSprite:
        items = heading(view.title, view.caption, self.width - 50, self.theme.ink)
        return PlacedSprite(
            Sprite(self.width - 2 * _MARGIN, _HEADING_HEIGHT - 4, self.theme.page, items), _MARGIN, 0
        )

    def company_rows(self, view: TableView, *, has_assets: bool = True) -> Iterator[PlacedSprite]:
        """One row for each started company (price, shareholders, assets), and one row for all other companies."""
        started_companies = _started_companies(view)
        yield from self._player_headings(view)
        if not self.theme.has_large_letters:
            yield from self._asset_headings(self.bottom)
        self.bottom += _ROW_HEIGHT
        for i, company in enumerate(started_companies):
            yield from self._row_start(company, i)
            yield from self._holding_cells(company, view.players, self._row_colour(i))
            if not self.theme.has_large_letters:
                yield from self._asset_cells(company, self._row_colour(i))
            self.bottom += _ROW_HEIGHT
        unstarted_companies = [company for company in view.companies if company not in started_companies]
        if unstarted_companies:
            yield from self.unstarted_companies_row(unstarted_companies, self.bottom)
            self.bottom += _ROW_HEIGHT
        if self.theme.has_large_letters and started_companies and has_assets:
            yield from self.asset_table(started_companies)

    def asset_table(self, started_companies: Sequence[CompanyView]) -> Iterator[PlacedSprite]:
        self.bottom += _BLOCK_GAP
        yield from self._asset_headings(self.bottom)
        self.bottom += _ROW_HEIGHT
        for i, company in enumerate(started_companies):
            yield from self._row_start(company, i)
            yield from self._asset_cells(company, self._row_colour(i))
            self.bottom += _ROW_HEIGHT

    def _player_headings(self, view: TableView) -> Iterator[PlacedSprite]:
        top = self.bottom
        yield self._placed_cell(
            _Cell("Price", size=21), _MARGIN + _CHIP_WIDTH, _PRICE_WIDTH, top, ink=self.theme.soft_ink
        )
        names = distinct_texts(
            [player.name for player in view.players], self.seat_width - 16, _MIN_NAME_EM, "black"
        )
        for i, player in enumerate(view.players):
            box_colour = HIGHLIGHT_COLOUR if player.player in view.actor_names else None
            name = (
                player.name
                if fitting_size(player.name, self.seat_width - 16, 23, "black") >= _MIN_NAME_EM
                else names[i]
            )
            cell = _Cell(name, "middle", "black", box_colour, 23)
            yield self._seat_cell(i, cell, top)

    def _asset_headings(self, top: int) -> Iterator[PlacedSprite]:
        x = self.assets_start
        for title, width in self.column_widths.items():
            yield self._placed_cell(_Cell(title, size=21), x, width, top, ink=self.theme.soft_ink)
            x += width

    def _row_start(self, company: CompanyView, row_index: int) -> Iterator[PlacedSprite]:
        background = self._row_colour(row_index)
        yield PlacedSprite(
            Sprite(self.width - 2 * _MARGIN, _ROW_HEIGHT, background, ()), _MARGIN, self.bottom
        )
        yield self._placed_cell(_company_chip(company.badge), _MARGIN, _CHIP_WIDTH, self.bottom, background)

    def _holding_cells(
        self, company: CompanyView, players: Sequence[PlayerView], background: str
    ) -> Iterator[PlacedSprite]:
        """A company's share price, and the percent held by each player."""
        price = "-" if company.price is None else company.money(company.price)
        yield self._placed_cell(
            _Cell(price, weight="black"), _MARGIN + _CHIP_WIDTH, _PRICE_WIDTH, self.bottom, background
        )
        for i, player in enumerate(players):
            holding = next((h for h in player.holdings if h.badge == company.badge), None)
            if holding is not None:
                box_colour = readable_company_colour(company.badge.colour) if holding.is_president else None
                cell = _Cell(
                    f"{holding.percent}%", "middle", "black" if holding.is_president else "bold", box_colour
                )
                yield self._seat_cell(i, cell, self.bottom, background)

    def _asset_cells(self, company: CompanyView, background: str) -> Iterator[PlacedSprite]:
        x, text_by_title = self.assets_start, asset_texts(company)
        for title, width in self.column_widths.items():
            if text_by_title[title]:
                yield self._placed_cell(_Cell(text_by_title[title]), x, width, self.bottom, background)
            x += width

    def unstarted_companies_row(self, companies: Sequence[CompanyView], top: int) -> Iterator[PlacedSprite]:
        title = "Not started"
        title_width = round(text_width(title) * 22) + 24
        yield self._placed_cell(
            _Cell(title, "left", size=22), _MARGIN, title_width, top, ink=self.theme.soft_ink
        )
        available_width = (self.width - 2 * _MARGIN - title_width) // max(1, len(companies))
        chip_step = min(_CHIP_WIDTH, available_width)
        for i, company in enumerate(companies):
            yield self._placed_cell(
                _company_chip(company.badge), _MARGIN + title_width + i * chip_step, chip_step, top
            )

    def money_rows(self, players: Sequence[PlayerView], top: int) -> Iterator[PlacedSprite]:
        """Rows below the players' columns: cash, liquidity, net worth, certificates, priority deal, privates."""
        for row_index, (title, values) in enumerate(_money_lines(players)):
            y, background = top + row_index * _ROW_HEIGHT, self._row_colour(row_index)
            yield PlacedSprite(Sprite(self.seats_end - _MARGIN, _ROW_HEIGHT, background, ()), _MARGIN, y)
            yield self._placed_cell(
                _Cell(title, "left", size=22), _MARGIN, _CHIP_WIDTH + _PRICE_WIDTH, y, background
            )
            for i, value in enumerate(values):
                cell = _Cell(value, "middle", "black" if title == "Net worth" else "bold")
                yield self._seat_cell(i, cell, y, background)
        yield from self._private_cells(players, top + len(_money_lines(players)) * _ROW_HEIGHT)

    def _private_cells(self, players: Sequence[PlayerView], top: int) -> Iterator[PlacedSprite]:
        max_private_count = max(len(player.privates) for player in players)
        if max_private_count:
            cell = _Cell("Privates", "left", size=22)
            yield self._placed_cell(
                cell,
                _MARGIN,
                _CHIP_WIDTH + _PRICE_WIDTH,
                top,
                ink=self.theme.soft_ink,
                height=_SMALL_ROW_HEIGHT,
            )
        for row_index in range(max_private_count):
            y = top + row_index * _SMALL_ROW_HEIGHT
            for i, player in enumerate(players):
                if row_index < len(player.privates):
                    short_name, _, _, income = player.privates[row_index]
                    cell = _Cell(f"{short_name} +{income}", "middle", size=_PRIVATE_EM)
                    yield self._seat_cell(i, cell, y, height=_SMALL_ROW_HEIGHT)

    def _row_colour(self, row_index: int) -> str:
        return self.theme.pale_background if row_index % 2 else self.theme.sheet

    def _seat_cell(
        self, seat_index: int, cell: _Cell, top: int, background: str | None = None, height: int = _ROW_HEIGHT
    ) -> PlacedSprite:
        return self._placed_cell(
            cell,
            self.seats_start + seat_index * self.seat_width,
            self.seat_width,
            top,
            background,
            height=height,
        )

    def _placed_cell(
        self,
        cell: _Cell,
        left: int,
        width: int,
        top: int,
        background: str | None = None,
        ink: str | None = None,
        height: int = _ROW_HEIGHT,
    ) -> PlacedSprite:
        theme = self.theme
        return PlacedSprite(
            _cell_sprite(cell, width, background or theme.page, ink or theme.ink, height), left, top
        )


def _legend_text(view: TableView) -> str:
    return f"Filled: president. [{view.currency}]: withheld. (60%): floats when sold. 4*: train's last run."


def asset_texts(company: CompanyView) -> Mapping[str, str]:
    """A company's texts by column title: shares in IPO and market, treasury, trains, tokens and so on."""
    float_text = f"({company.float_percent}%)" if company.par is not None else ""
    trains = [*(train for train, _ in company.trains), *(f"{train}*" for train in company.obsolete_trains)]
    return {
        "IPO": f"{company.offering_percent}%" if company.offering_percent else "",
        "Market": f"{company.market_percent}%" if company.market_percent else "",
        "Own": f"{company.treasury_percent}%" if company.treasury_percent else "",
        "Treasury": company.money(company.treasury) if company.is_floated else float_text,
        "Trains": " ".join(trains),
        "Tokens": f"{len(company.tokens_left)}" if company.par is not None else "",
        "Last run": "" if company.last_run is None else run_words(company.last_run),
        "Privates": " ".join(company.privates),
    }


def _money_lines(players: Sequence[PlayerView]) -> list[tuple[str, list[str]]]:
    has_bids = any(player.available_cash != player.cash for player in players)
    return [
        ("Cash", [player.money(player.cash) for player in players]),
        *([("Free cash", [player.money(player.available_cash) for player in players])] if has_bids else []),
        ("Liquidity", [player.money(player.liquidity) for player in players]),
        ("Net worth", [player.money(player.net_worth) for player in players]),
        ("Certificates", [f"{player.certificates}/{player.certificate_limit}" for player in players]),
        ("Priority", ["●" if player.has_priority_deal else "" for player in players]),
    ]


@lru_cache(maxsize=1024)
def _cell_sprite(
    cell: _Cell, width: int, background: Colour, ink: Colour, height: int = _ROW_HEIGHT
) -> Sprite:
    return Sprite(width, height, background, tuple(_cell_items(cell, width, height, ink)))


def _cell_items(cell: _Cell, width: int, height: int, ink: Colour) -> Iterator[Item]:
    if cell.box_colour is not None:
        yield RoundedBox(3, 4, width - 3, height - 4, 8, cell.box_colour, ink, 1)
        ink = ink_on(cell.box_colour)
    available_width = width - 2 * _CELL_INSET
    size = fitting_size(cell.text, available_width, cell.size, cell.weight, smallest_size=15)
    shown_text = shortened_text(cell.text, available_width, size, cell.weight)
    x = {"left": _CELL_INSET, "middle": width / 2, "right": width - _CELL_INSET}[cell.align]
    yield Text(x, height / 2, shown_text, size, ink, cell.weight, cell.align)
