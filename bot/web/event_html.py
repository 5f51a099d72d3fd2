"""HTML of an event's page: the schedule, and standings in which each row can be expanded to show its games."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from html import escape
from itertools import groupby
from typing import Final

from bot.table.events.event_standings import (
    GroupMove,
    group_title,
    mean_share_text,
    moves_between_groups,
    progress_text,
)
from bot.table.events.event_views import EventView
from bot.table.events.points import Standing, points_of_game, points_text
from bot.table.events.starting import group_name, stage_name
from bot.web.markup import screen_reader_text, tag
from engine import TITLES
from storage import event_tables

GAME_STATUS_TEXTS: Final = {
    "lobby": "starting",
    "running": "running",
    "finished": "over",
    "abandoned": "ended without a result",
}
"""Text for each status of a game."""
_PROMOTION_SIGNS: Final[Mapping[GroupMove, tuple[str, str]]] = {
    "up": ("▲", "goes up"),
    "down": ("▼", "goes down"),
}
_STANDING_COLUMNS: Final = ("Points", "Games", "Wins", "Share")


def event_html(view: EventView) -> str:
    """The header and main part of an event's page as HTML."""
    return "".join(_EventPage(view).parts())


class _EventPage:
    def __init__(self, view: EventView) -> None:
        self._view = view
        self._page_path = f"/event/{view.event.id}"
        self._promotion_moves = moves_between_groups(view)
        self._game_by_id = {game.game_id: game for game in view.games}
        self._played_game_by_id = {game.game_id: game for game in view.games_played}
        self._table_by_game_id = {table.game_id: table for table in view.tables if table.game_id is not None}
        self._present_numbers = {entrant.number for entrant in view.present_entrants}

    @cached_property
    def _points_by_entrant_and_game(self) -> dict[tuple[int, int], Fraction]:
        """Points by (entrant number, game id), as counted in the standings."""
        return {
            (row.entrant_number, game_id): points
            for rows in self._view.standings.values()
            for row in rows
            for game_id, _, points in row.games
        }

    def parts(self) -> Iterator[str]:
        view = self._view
        is_drawn = bool(view.tables)
        csv_link = tag("a", "Standings as CSV", href=f"{self._page_path}.csv", download="")
        yield tag(
            "header",
            tag("h1", escape(view.event.name)),
            tag("p", escape(progress_text(view) if is_drawn else "The tables are not drawn yet.")),
            tag("p", csv_link) if is_drawn else "",
        )
        contents = (
            [self._group_links(), self._standings(), self._schedule()]
            if is_drawn
            else [self._entrant_lists()]
        )
        yield tag("main", *contents)

    # --- standings ---------------------------------------------------------------------------------------------------

    def _group_links(self) -> str:
        names = {division: group_name(division) for division in self._view.standings}
        links = [
            tag("a", escape(name), href=f"#group-{division}", aria_label=f"Group {name}")
            for division, name in names.items()
        ]
        group_parts = ["Groups: ", *links] if len(links) > 1 else []
        return tag("nav", *group_parts, tag("a", "Schedule", href="#schedule"), aria_label="On this page")

    def _standings(self) -> str:
        groups = [self._group_section(division, rows) for division, rows in self._view.standings.items()]
        note = (
            "Press a row to see the player's games. Games: played / to play. Share: average percent of the "
            "winner's total."
        )
        return tag(
            "section",
            tag("h2", "Standings"),
            tag("p", note, class_="dim"),
            tag("div", *groups, class_="groups"),
            id="standings",
        )

    def _group_section(self, division: int, rows: Sequence[Standing]) -> str:
        name = f"group-{division}"
        columns = [tag("span", column, class_="number") for column in _STANDING_COLUMNS]
        column_headings = tag(
            "p", tag("span"), tag("span", "Player"), *columns, class_="columns dim", aria_hidden="true"
        )
        heading = tag("h3", escape(group_title(self._view, division)), id=name)
        if len(self._view.standings) == 1:
            return tag("div", column_headings, tag("ol", *map(self._standing_row, rows)), class_="group")
        return tag(
            "section",
            heading,
            column_headings,
            tag("ol", *map(self._standing_row, rows)),
            class_="group",
            aria_labelledby=name,
        )

    def _standing_row(self, row: Standing) -> str:
        texts_and_words = [
            (f"{points_text(row.points)}", "points"),
            (f"{row.games_played}/{row.games_due}", "games"),
            (f"{row.wins}", "wins"),
            (mean_share_text(row) or "–", "percent of the winner"),
        ]
        number_cells = [
            tag("span", text, screen_reader_text(f" {words}, "), class_="number")
            for text, words in texts_and_words
        ]
        summary = tag(
            "summary",
            tag("span", f"{row.rank}"),
            tag("span", self._player_name_html(row.entrant_number)),
            *number_cells,
        )
        move = self._promotion_moves.get(row.entrant_number, "stays")
        return tag("li", tag("details", summary, self._games_table(row)), class_=move)

    def _player_name_html(self, number: int) -> str:
        name = escape(self._view.names[number])
        if number not in self._present_numbers:
            return f"{name} {tag('span', '(has withdrawn)', class_='dim')}"
        move = self._promotion_moves.get(number)
        if move is None:
            return name
        sign, words = _PROMOTION_SIGNS[move]
        return (
            f"{name} {tag('span', sign, class_='sign', aria_hidden='true')}{screen_reader_text(f' {words}')}"
        )

    def _games_table(self, row: Standing) -> str:
        if not row.games:
            return tag("p", "No game is over yet.", class_="dim")
        lines = [self._game_row_html(row, game_id, place, points) for game_id, place, points in row.games]
        total_row = _table_row(
            "All", f"{row.wins} won", points_text(row.points), f"{row.total}", mean_share_text(row)
        )
        heading_row = _heading_row("Game", "Place", "Points", "Total", "Share")
        return tag("table", heading_row, tag("tbody", *lines), tag("tfoot", total_row))

    def _game_row_html(self, row: Standing, game_id: int, place: int, points: Fraction) -> str:
        played_game = self._played_game_by_id[game_id]
        total = next(seat.total for seat in played_game.seats if seat.entrant_number == row.entrant_number)
        share_points = points_of_game(played_game, "winner_share", {})[row.entrant_number]
        title = TITLES[self._table_by_game_id[game_id].title].name
        link = tag("a", escape(f"{title}, game {game_id}"), href=f"#game-{game_id}")
        texts = (
            f"{place} of {len(played_game.seats)}",
            points_text(points),
            f"{total}",
            f"{float(share_points):.1f}",
        )
        return _table_row(link, *texts)

    # --- schedule ----------------------------------------------------------------------------------------------------

    def _schedule(self) -> str:
        parts: list[str] = []
        for (stage, division), tables in groupby(
            self._view.tables, key=lambda table: (table.stage, table.division)
        ):
            name = stage_name(self._view, stage).capitalize() or group_title(self._view, division)
            heading = tag("h3", escape(name)) if name != "Standings" else ""
            parts.append(heading + tag("div", *map(self._table_card, tables), class_="tables"))
        return tag("section", tag("h2", "Schedule"), *parts, id="schedule")

    def _table_card(self, table: event_tables.EventTable) -> str:
        game = None if table.game_id is None else self._game_by_id.get(table.game_id)
        name = f"Table {table.number}: {TITLES[table.title].name}"
        if game is None:
            card_id, status_text = f"table-{table.stage}-{table.number}", "not started"
        else:
            card_id, status_text = (
                f"game-{game.game_id}",
                f"game {game.game_id}, {GAME_STATUS_TEXTS[game.status]}",
            )
        lines = [
            self._seat_line(table, seat, entrant) for seat, entrant in enumerate(table.entrants, start=1)
        ]
        return tag(
            "article",
            tag("h4", escape(name), id=f"{card_id}-name"),
            tag("p", tag("span", escape(status_text)), *self._game_links(game), class_="row"),
            tag("table", _heading_row("Player", "Place", "Points", "Total"), tag("tbody", *lines)),
            class_="card",
            id=card_id,
            aria_labelledby=f"{card_id}-name",
        )

    def _game_links(self, game: event_tables.EventGame | None) -> Iterator[str]:
        if game is None or game.status == "lobby":
            return
        name = screen_reader_text(f" of game {game.game_id}")
        yield tag("a", "Board", name, href=f"{self._page_path}/board/{game.game_id}")
        if game.thread_id is not None:
            thread = f"https://discord.com/channels/{self._view.event.guild_id}/{game.thread_id}"
            yield tag("a", "Thread", name, href=thread)

    def _seat_line(self, table: event_tables.EventTable, seat: int, entrant: int) -> str:
        name = f"{seat}. {escape(self._view.names[entrant])}"
        played_game = None if table.game_id is None else self._played_game_by_id.get(table.game_id)
        played_seat = (
            next((seat for seat in played_game.seats if seat.entrant_number == entrant), None)
            if played_game
            else None
        )
        if played_seat is None or table.game_id is None:
            return _table_row(name, "", "", "")
        points = self._points_by_entrant_and_game.get((entrant, table.game_id), Fraction(0))
        return _table_row(name, f"{played_seat.place}", points_text(points), f"{played_seat.total}")

    # --- before the draw ---------------------------------------------------------------------------------------------

    def _entrant_lists(self) -> str:
        view = self._view
        titled_entrants = [("Entrants", view.present_entrants), ("Reserves", view.reserves)]
        return "".join(
            tag(
                "section",
                tag("h2", f"{title} ({len(entrants)})"),
                _name_list(entrant.display_name for entrant in entrants),
            )
            for title, entrants in titled_entrants
            if entrants or title == "Entrants"
        )


def _name_list(names: Iterable[str]) -> str:
    return tag("ol", *(tag("li", escape(name)) for name in names), class_="names")


def _heading_row(first_heading: str, *other_headings: str) -> str:
    """The heading row of a table: the first heading is `first_heading`, the others head columns of numbers."""
    cells = [tag("th", other, scope="col", class_="number") for other in other_headings]
    return tag("thead", tag("tr", tag("th", first_heading, scope="col"), *cells))


def _table_row(first_cell: str, *texts: str) -> str:
    """A table row: the first cell is the HTML `first_cell`, the other cells are text."""
    cells = [tag("td", escape(text), class_="number") for text in texts]
    return tag("tr", tag("th", first_cell, scope="row"), *cells)
