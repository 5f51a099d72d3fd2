"""Pictures of the phase chart and the remaining tiles, and a panel of the remaining trains."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from engine.views import PhasesView, PhaseView, TableView, TilesView, TileView, UpcomingTrainView
from render.font_metrics import fitted_text, fitting_size, heading, wrapped_lines
from render.hexes.hex_art import Overlay
from render.hexes.hex_geometry import HexGrid
from render.maps.map_art import hex_sprite
from render.scene import Block, Colour, Disc, Item, PlacedSprite, Polygon, RoundedBox, Scene, Sprite, Text
from render.theme import HIGHLIGHT_COLOUR, Theme, ink_on, palette, theme_named

_MARGIN: Final = 20
_HEADING_HEIGHT: Final = 66
_PHASE_LINE_HEIGHT: Final = 29
_PHASE_EM: Final = 24
_CARD_WIDTH: Final = 62
_UPCOMING_EM: Final = 21
_UPCOMING_LINE_HEIGHT: Final = 25


class _PhaseColumns(NamedTuple):
    """Column positions of the phase chart in pixels; `changes_x` is None if changes are on a line below."""

    width: int
    phase_x: int
    starts_x: int
    tiles_x: int
    limit_x: int
    rounds_x: int
    changes_x: int | None

    def headings(self) -> Iterator[tuple[str, int]]:
        yield from zip(("Phase", "Starts with", "Tiles", "Limit", "ORs"), self[1:6], strict=True)
        if self.changes_x is not None:
            yield "Changes", self.changes_x

    @property
    def width_for_changes(self) -> int:
        return self.width - _MARGIN - (self.starts_x if self.changes_x is None else self.changes_x) - 12


_WIDE_COLUMNS: Final = _PhaseColumns(1160, 40, 130, 372, 520, 606, 670)
_LARGE_COLUMNS: Final = _PhaseColumns(800, 40, 130, 400, 560, 660, None)


def phases_scene(view: PhasesView, theme_name: str) -> Scene:
    """The phase chart; past phases are pale and the current one is framed."""
    theme = theme_named(theme_name)
    columns = _LARGE_COLUMNS if theme.has_large_letters else _WIDE_COLUMNS
    sprites = [
        PlacedSprite(
            Sprite(
                columns.width, _HEADING_HEIGHT + 40, theme.page, tuple(_heading_items(view, theme, columns))
            ),
            0,
            0,
        )
    ]
    top = _HEADING_HEIGHT + 40
    for phase in view.phases:
        lines = wrapped_lines("; ".join(phase.changes), columns.width_for_changes, _PHASE_EM, "bold")
        height = (max(1, len(lines)) + (bool(lines) and columns.changes_x is None)) * _PHASE_LINE_HEIGHT + 20
        items = tuple(_phase_row(phase, lines, height, theme, columns))
        sprites.append(
            PlacedSprite(Sprite(columns.width - 2 * _MARGIN, height, theme.page, items), _MARGIN, top)
        )
        top += height
    return Scene(columns.width, top + 16, theme.page, tuple(sprites), palette(theme_name, ()))


def _heading_items(view: PhasesView, theme: Theme, columns: _PhaseColumns) -> Iterator[Item]:
    yield from heading(view.title, view.caption, columns.width - _MARGIN, theme.ink, x=_MARGIN)
    for title, x in columns.headings():
        yield Text(_MARGIN + x, _HEADING_HEIGHT + 18, title, 21, theme.soft_ink, "bold", "left")


def _phase_row(
    phase: PhaseView, lines: tuple[str, ...], height: int, theme: Theme, columns: _PhaseColumns
) -> Iterator[Item]:
    is_over = phase.is_reached and not phase.is_current
    background = theme.pale_background if is_over else theme.sheet
    ink = theme.soft_ink if is_over else theme.ink
    rim_colour = HIGHLIGHT_COLOUR if phase.is_current else None
    yield RoundedBox(0, 2, columns.width - 2 * _MARGIN, height - 2, 8, background, rim_colour, 3)
    y = 10 + _PHASE_LINE_HEIGHT / 2
    if phase.is_current:
        yield Polygon(((12, y - 9), (28, y), (12, y + 9)), HIGHLIGHT_COLOUR)
    yield fitted_text(columns.phase_x, y, phase.name, 84, 28, ink, "black", "left")
    starting_train = phase.started_by or "the game"
    yield fitted_text(columns.starts_x, y, starting_train, 232, _PHASE_EM, ink, align="left")
    for i, colour in enumerate(phase.tile_colours):
        phase_tile_colour = theme.tile_colour(colour)
        yield Disc(columns.tiles_x + 14 + i * 32, y, 13, phase_tile_colour, theme.ink, 1.5)
        yield Text(columns.tiles_x + 14 + i * 32, y, f"{i + 1}", 15, ink_on(phase_tile_colour), "bold")
    yield Text(columns.limit_x + 20, y, f"{phase.train_limit}", 26, ink, "bold")
    yield Text(columns.rounds_x + 16, y, f"{phase.operating_rounds}", 26, ink, "bold")
    x, changes_y = (
        (columns.starts_x, y + _PHASE_LINE_HEIGHT) if columns.changes_x is None else (columns.changes_x, y)
    )
    for i, line in enumerate(lines):
        yield Text(x, changes_y + i * _PHASE_LINE_HEIGHT, line, _PHASE_EM, ink, "bold", "left")


def remaining_trains_panel(view: TableView, theme: Theme, note: str, width: int) -> Block:
    """A panel of the trains left: in the bank (next first, with the changes they trigger), in the pool, and a note."""
    special_train_limits = "".join(f", {kind} {limit}" for kind, limit in view.train_limits)
    bank_text = "Trains in the bank" if view.trains else "No train is left in the bank"
    title = f"{bank_text} (limit {view.train_limit}{special_train_limits})"
    items: list[Item] = [fitted_text(0, 20, title, width, 23, theme.soft_ink, align="left")]
    y = 42.0
    for train in view.trains:
        lines = wrapped_lines(_changes_text(train), width - _CARD_WIDTH - 140, _UPCOMING_EM, "bold")
        items.extend(_upcoming_train_items(train, lines, theme, y))
        y += max(44, len(lines) * _UPCOMING_LINE_HEIGHT + 10)
    if view.pool:
        pool_text = "Pool: " + ", ".join(f"{name} {view.money(price)}" for name, price in view.pool)
        items.append(fitted_text(0, y + 16, pool_text, width, 24, theme.ink, align="left"))
        y += 40
    items.append(Text(0, y + 14, note, fitting_size(note, width, 19), theme.soft_ink, "regular", "left"))
    y += 30
    return Block(width, round(y), tuple(items))


def _changes_text(train: UpcomingTrainView) -> str:
    """The changes triggered by a train, such as `3 rust, green tiles, limit 3`."""
    return ", ".join(train.purchase_changes).replace(":,", ":")


def _upcoming_train_items(
    train: UpcomingTrainView, lines: tuple[str, ...], theme: Theme, top: float
) -> Iterator[Item]:
    y = top + 20
    ink = ink_on(theme.sheet)
    yield RoundedBox(0, top + 1, _CARD_WIDTH - 8, top + 39, 7, theme.sheet, theme.soft_ink, 1.5)
    yield fitted_text((_CARD_WIDTH - 8) / 2, y, train.train, _CARD_WIDTH - 18, 27, ink, "black")
    count_text = "∞" if train.number_left is None else f"×{train.number_left}"
    yield Text(_CARD_WIDTH, y, count_text, 24, theme.ink, "bold", "left")
    yield Text(_CARD_WIDTH + 126, y, train.money(train.price), 24, theme.ink, "bold", "right")
    for i, line in enumerate(lines):
        yield Text(
            _CARD_WIDTH + 140, y + i * _UPCOMING_LINE_HEIGHT, line, _UPCOMING_EM, theme.ink, "bold", "left"
        )


_TILE_RADIUS: Final = 52
_TILES_IN_ROW: Final = 9
_LARGE_TILES_IN_ROW: Final = 6
_TILE_STEP: Final = 126
_TILE_ROW_HEIGHT: Final = 150
_TILES_MARGIN: Final = 18


def tiles_scene(view: TilesView, theme_name: str) -> Scene:
    """The remaining tiles with their counts: nine per row, or six with large text."""
    theme = theme_named(theme_name)
    tiles_in_row = _LARGE_TILES_IN_ROW if theme.has_large_letters else _TILES_IN_ROW
    width = 2 * _TILES_MARGIN + tiles_in_row * _TILE_STEP
    row_count = -(-len(view.tiles) // tiles_in_row)
    sprites = [_tiles_heading(view, theme, width)]
    for i, tile in enumerate(view.tiles):
        row, column = divmod(i, tiles_in_row)
        sprites.extend(
            _tile_sprites(
                tile,
                view,
                theme,
                (_TILES_MARGIN + column * _TILE_STEP, _HEADING_HEIGHT + row * _TILE_ROW_HEIGHT),
            )
        )
    return Scene(
        width,
        _HEADING_HEIGHT + row_count * _TILE_ROW_HEIGHT + 8,
        theme.page,
        tuple(sprites),
        palette(theme_name, ()),
    )


def _tiles_heading(view: TilesView, theme: Theme, width: int) -> PlacedSprite:
    available_width = width - 2 * _TILES_MARGIN
    items = heading(view.title, f"Tiles left   {view.caption}", available_width, theme.ink)
    return PlacedSprite(Sprite(available_width, _HEADING_HEIGHT - 4, theme.page, items), _TILES_MARGIN, 0)


def _tile_sprites(
    tile: TileView, view: TilesView, theme: Theme, position: tuple[int, int]
) -> Iterator[PlacedSprite]:
    x, y = position
    sprite = hex_sprite(tile.hex, view.layout, _TILE_RADIUS, theme.name, Overlay())
    half_width, half_height = HexGrid(view.layout, _TILE_RADIUS).half_size
    yield PlacedSprite(sprite, x + _TILE_STEP // 2 - half_width - 2, y + 54 - half_height - 2)
    is_used_up = tile.copies_left == 0
    ink = theme.soft_ink if is_used_up else theme.ink
    yield PlacedSprite(
        _caption_sprite(f"{tile.hex.tile}", _remaining_text(tile), theme.page, ink), x, y + 108
    )


def _remaining_text(tile: TileView) -> str:
    if tile.copies_left is None:
        return "any number"
    return "none left" if tile.copies_left == 0 else f"{tile.copies_left} of {tile.count}"


@lru_cache(maxsize=512)
def _caption_sprite(number: str, remaining_text: str, background: Colour, ink: Colour) -> Sprite:
    text = f"{number}: {remaining_text}"
    return Sprite(
        _TILE_STEP, 34, background, (fitted_text(_TILE_STEP / 2, 15, text, _TILE_STEP - 6, 22, ink),)
    )
