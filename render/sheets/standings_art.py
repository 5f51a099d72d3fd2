"""The standings of a season or tournament as a picture: a table for each group of players."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.views import StandingsGroupView, StandingsView, StandingView
from render.font_metrics import distinct_texts, fitted_text, fitting_size, text_width
from render.scene import Colour, Item, PlacedSprite, Polygon, Scene, Sprite, Text, Weight
from render.theme import Theme, mix_colours, palette, theme_named

_MARGIN: Final = 24
_HEADING_HEIGHT: Final = 104
_GROUP_GAP: Final = 22
_ROW_HEIGHT: Final = 42
_LEGEND_LINE_HEIGHT: Final = 36
_LEGEND_EM: Final = 22
_CELL_EM: Final = 26
_LARGE_CELL_EM: Final = 33
_SMALLEST_NAME_EM: Final = 20
_NARROW_WIDTH: Final = 720
_WIDE_WIDTH: Final = 1200
_ARROW_WIDTH: Final = 30
_COLUMN_WIDTHS: Final = {"Points": 86, "Games": 74, "Wins": 62, "Share": 76}
_LARGE_COLUMN_WIDTHS: Final = {"Points": 112, "Games": 96}
"""With large text: the columns and their widths in pixels. Only some columns are shown, to leave room for names."""
_PROMOTED_OPACITY: Final = 0.4
"""Opacity (0-1) of the green background of a promoted player's row."""
_RELEGATED_OPACITY: Final = 0.3
"""Opacity (0-1) of the red background of a relegated player's row."""
_WITHDRAWN_OPACITY: Final = 0.66
"""Opacity (0-1) of the text of a player who has withdrawn."""


def standings_scene(view: StandingsView, theme_name: str) -> Scene:
    """Title, a table for each group, and a legend of arrows and columns."""
    theme = theme_named(theme_name)
    column_count = 1 if len(view.groups) == 1 else 2
    width = _NARROW_WIDTH if column_count == 1 else _WIDE_WIDTH
    group_width = (width - 2 * _MARGIN - (column_count - 1) * _MARGIN) // column_count
    table = _GroupTable.of_theme(theme, group_width)
    heading = Sprite(width, _HEADING_HEIGHT, theme.page, tuple(_heading_items(view, width, theme)))
    sprites, top = [PlacedSprite(heading, 0, 0)], _HEADING_HEIGHT
    for first_index in range(0, len(view.groups), column_count):
        groups_in_row = view.groups[first_index : first_index + column_count]
        for number, group in enumerate(groups_in_row):
            sprites += table.rows(group, _MARGIN + number * (group_width + _MARGIN), top)
        top += (1 + max(len(group.rows) for group in groups_in_row)) * _ROW_HEIGHT + _GROUP_GAP
    legend = _legend(view, width, theme)
    top -= _GROUP_GAP // 2
    sprites.append(PlacedSprite(legend, 0, top))
    colours = (*palette(theme_name, ()), *table.extra_palette_colours)
    return Scene(width, top + legend.height + 6, theme.page, tuple(sprites), tuple(dict.fromkeys(colours)))


def _heading_items(view: StandingsView, width: int, theme: Theme) -> Iterator[Item]:
    available_width = width - 2 * _MARGIN
    yield fitted_text(_MARGIN, 38, view.title, available_width, 40, theme.ink, "black", "left")
    yield fitted_text(_MARGIN, 80, view.caption, available_width, 25, theme.soft_ink, align="left")


@dataclass(frozen=True, slots=True)
class _GroupTable:
    theme: Theme
    width: int
    em: int
    column_widths: dict[str, int]

    @classmethod
    def of_theme(cls, theme: Theme, width: int) -> "_GroupTable":
        if theme.has_large_letters:
            return cls(theme, width, _LARGE_CELL_EM, _LARGE_COLUMN_WIDTHS)
        return cls(theme, width, _CELL_EM, _COLUMN_WIDTHS)

    @property
    def extra_palette_colours(self) -> tuple[Colour, ...]:
        """Colours to add to the palette: row tints, their blends with the text colour, and arrows."""
        tints = [self._tint(move) for move in ("up", "down")]
        return (
            *tints,
            *(mix_colours(tint, self.theme.ink, opacity) for tint in tints for opacity in (0.3, 0.6)),
            *(_arrow_colour(self.theme, move) for move in ("up", "down")),
        )

    def rows(self, group: StandingsGroupView, left: int, top: int) -> Iterator[PlacedSprite]:
        """A heading with the group's name and the column titles, then a row for each player."""
        heading_row = Sprite(
            self.width, _ROW_HEIGHT, self.theme.page, tuple(self._group_heading_items(group))
        )
        yield PlacedSprite(heading_row, left, top)
        names = self._fitting_names(group.rows)
        for number, (row, name) in enumerate(zip(group.rows, names, strict=True)):
            background = self._tint(row.move) if row.move else self._plain_background(number)
            sprite = Sprite(self.width, _ROW_HEIGHT - 2, background, tuple(self._row_items(row, name)))
            yield PlacedSprite(sprite, left, top + (number + 1) * _ROW_HEIGHT)

    def _plain_background(self, number: int) -> Colour:
        return self.theme.pale_background if number % 2 else self.theme.sheet

    def _tint(self, move: str) -> Colour:
        colour, opacity = ("green", _PROMOTED_OPACITY) if move == "up" else ("red", _RELEGATED_OPACITY)
        return mix_colours(self.theme.sheet, self.theme.tiles[colour], opacity)

    @property
    def _name_left(self) -> float:
        return _ARROW_WIDTH + 2 * 0.58 * self.em + 10

    @property
    def _name_width(self) -> float:
        return self.width - sum(self.column_widths.values()) - self._name_left - 8

    def _fitting_names(self, rows: Sequence[StandingView]) -> tuple[str, ...]:
        return distinct_texts([row.name for row in rows], self._name_width, _SMALLEST_NAME_EM)

    def _group_heading_items(self, group: StandingsGroupView) -> Iterator[Item]:
        y = _ROW_HEIGHT / 2 + 3
        yield fitted_text(
            4, y, group.name, self._name_left + self._name_width, 30, self.theme.ink, "black", "left"
        )
        for title, right in self._column_right_edges():
            yield Text(right, y, title, 21, self.theme.soft_ink, "bold", "right")

    def _row_items(self, row: StandingView, name: str) -> Iterator[Item]:
        y, theme = (_ROW_HEIGHT - 2) / 2, self.theme
        ink = mix_colours(theme.sheet, theme.ink, _WITHDRAWN_OPACITY) if row.has_withdrawn else theme.ink
        if row.move:
            yield _arrow(row.move, _ARROW_WIDTH / 2 + 2, y, _arrow_colour(theme, row.move))
        yield Text(self._name_left - 12, y, f"{row.rank}", self.em, ink, "bold", "right")
        size = fitting_size(name, self._name_width, self.em, smallest_size=_SMALLEST_NAME_EM)
        yield Text(self._name_left, y, name, size, ink, "bold", "left")
        text_by_title = {
            "Points": row.points,
            "Games": f"{row.played}/{row.due}",
            "Wins": f"{row.wins}",
            "Share": row.mean_result_percent,
        }
        for title, right in self._column_right_edges():
            available_width = self.column_widths[title] - 8
            weight: Weight = "black" if title == "Points" else "bold"
            size = fitting_size(text_by_title[title], available_width, self.em, "black")
            yield Text(right, y, text_by_title[title], size, ink, weight, "right")

    def _column_right_edges(self) -> Iterator[tuple[str, float]]:
        right = self.width - 8
        for title in reversed(self.column_widths):
            yield title, right
            right -= self.column_widths[title]


def _arrow_colour(theme: Theme, move: str) -> Colour:
    arrow_colour = theme.tiles["green" if move == "up" else "red"]
    return mix_colours(arrow_colour, theme.ink, 0.45)


def _arrow(move: str, x: float, y: float, arrow_colour: Colour) -> Polygon:
    tip_y = -9 if move == "up" else 9
    return Polygon(((x - 10, y - tip_y), (x + 10, y - tip_y), (x, y + tip_y)), arrow_colour)


def _legend(view: StandingsView, width: int, theme: Theme) -> Sprite:
    """The legend: arrows and gray names on the first line, column titles on the second."""
    rows = [row for group in view.groups for row in group.rows]
    items, x, y = list[Item](), float(_MARGIN), _LEGEND_LINE_HEIGHT / 2
    legend_arrows = [
        (move, f"goes {move}") for move in ("up", "down") if any(row.move == move for row in rows)
    ]
    for move, explanation in legend_arrows:
        items.append(_arrow(move, x + 10, y, _arrow_colour(theme, move)))
        items.append(Text(x + 28, y, explanation, _LEGEND_EM, theme.ink, "bold", "left"))
        x += 52 + text_width(explanation) * _LEGEND_EM
    if any(row.has_withdrawn for row in rows):
        items.append(Text(x, y, "Gray: withdrawn from the event", _LEGEND_EM, theme.soft_ink, "bold", "left"))
    y += _LEGEND_LINE_HEIGHT if items else 0
    if not theme.has_large_letters:
        explanation = "Games: played / planned.  Share: average percent of the winner's total."
        items.append(
            fitted_text(
                _MARGIN, y, explanation, width - 2 * _MARGIN, _LEGEND_EM, theme.soft_ink, align="left"
            )
        )
    return Sprite(width, round(y + _LEGEND_LINE_HEIGHT / 2), theme.page, tuple(items))
