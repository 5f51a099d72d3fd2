"""The standings of an event: in words, as pictures, and as a CSV file."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from bot.table.events.event_views import EventView
from bot.table.events.points import Standing, points_text, standings_csv
from bot.table.events.progress import next_season_groups
from bot.table.events.starting import group_name
from bot.table.markdown import strong
from engine.views import StandingsGroupView, StandingsView, StandingView
from storage import parse_timestamp

MAX_TEXT_LENGTH: Final = 1750
"""Maximum length of standings in a message, in characters; the rest is for its heading."""
MAX_GROUPS_IN_PICTURE: Final = 8
"""Maximum number of groups in one picture."""
MAX_ROWS: Final = 56
"""Maximum number of rows (players) in one picture."""
MAX_ROWS_OF_GROUP: Final = 28
"""Maximum number of rows (players) of a group in one column of a picture; others go to the next column."""
NOT_DRAWN_TEXT: Final = "The tables are not drawn yet."
GroupMove: TypeAlias = Literal["up", "down"]
_MOVE_ARROWS: Final[Mapping[GroupMove | None, str]] = {"up": " ▲", "down": " ▼", None: ""}


def moves_between_groups(view: EventView) -> dict[int, GroupMove]:
    """Each entrant's promotion or relegation, if the season ended now. Groups without results are left out."""
    if view.settings.kind != "season" or not view.games_played:
        return {}
    group_by_entrant = {entrant.number: entrant.division or 0 for entrant in view.present_entrants}
    groups = [[row.entrant_number for row in rows] for rows in view.standings.values()]
    absent_entrants = {number for group in groups for number in group if number not in group_by_entrant}
    groups_with_results = {
        division for division, rows in view.standings.items() if any(row.games_played for row in rows)
    }
    next_groups = next_season_groups(groups, view.settings.promoted, view.settings.relegated, absent_entrants)
    group_changes: dict[int, GroupMove] = {}
    for division, group in enumerate(next_groups, start=1):
        for number in group:
            if division != group_by_entrant[number] and group_by_entrant[number] in groups_with_results:
                group_changes[number] = "up" if division < group_by_entrant[number] else "down"
    return group_changes


def group_title(view: EventView, division: int) -> str:
    """The heading of the group with this number: `Group B`, or `Standings` if the event has one group."""
    return f"Group {group_name(division)}" if len(view.standings) > 1 else "Standings"


def progress_text(view: EventView) -> str:
    """The state of an event: `24 of 49 games are over, deadline 28 February 2027`, or that the event is cancelled."""
    if view.event.status == "cancelled":
        return "This event is cancelled."
    games_over = sum(game.status in ("finished", "abandoned") for game in view.games)
    text = f"{games_over} of {len(view.tables)} games are over"
    if view.event.deadline is None or view.event.status != "running":
        return text
    deadline = parse_timestamp(view.event.deadline)
    return f"{text}, deadline {deadline.day} {deadline:%B %Y}"


def mean_share_text(row: Standing) -> str:
    """An entrant's mean share (average percentage of the winners' scores) as text; empty before the first result."""
    return f"{float(row.mean_result_percent):.1f}" if row.games_played else ""


# --- in words --------------------------------------------------------------------------------------------------------


def standings_text(view: EventView) -> str:
    """The standings for a message; large groups show only their first players."""
    groups = view.standings
    group_changes = moves_between_groups(view)
    for max_rows in range(max(map(len, groups.values()), default=0), 0, -1):
        text = "\n".join(_standings_lines(view, group_changes, max_rows))
        if len(text) <= MAX_TEXT_LENGTH:
            return text
    if not groups:
        return NOT_DRAWN_TEXT
    shortened_text = text[:MAX_TEXT_LENGTH].rpartition("\n")[0]
    return f"{shortened_text}\n…"


def _standings_lines(view: EventView, group_changes: Mapping[int, GroupMove], max_rows: int) -> Iterator[str]:
    yield "-# Points (games played / games to play)"
    for division, rows in view.standings.items():
        if len(view.standings) > 1:
            yield strong(group_title(view, division))
        for row in rows[:max_rows]:
            # Without the backslash Discord would make a list and renumber it.
            yield (
                f"{row.rank}\\. {view.names[row.entrant_number]}: {points_text(row.points)} "
                f"({row.games_played} of {row.games_due}){_MOVE_ARROWS[group_changes.get(row.entrant_number)]}"
            )
        if len(rows) > max_rows:
            yield f"-# and {len(rows) - max_rows} more"


def standings_file(view: EventView) -> str:
    """The standings as CSV text, with a column for each game."""
    return standings_csv(view.standings, view.names)


# --- as pictures -----------------------------------------------------------------------------------------------------


def standings_views(view: EventView) -> list[StandingsView]:
    """The standings divided into pictures of up to MAX_GROUPS_IN_PICTURE groups each."""
    pages: list[list[StandingsGroupView]] = []
    for group in _group_views(view):
        rows_above = sum(len(other.rows) for other in pages[-1]) if pages else 0
        if not pages or len(pages[-1]) == MAX_GROUPS_IN_PICTURE or rows_above + len(group.rows) > MAX_ROWS:
            pages.append([])
        pages[-1].append(group)
    title, caption = view.event.name, progress_text(view)
    return [StandingsView(title, caption, tuple(page)) for page in pages]


def _group_views(view: EventView) -> Iterator[StandingsGroupView]:
    group_changes = moves_between_groups(view)
    for division, rows in view.standings.items():
        title = group_title(view, division)
        for first_index in range(0, len(rows), MAX_ROWS_OF_GROUP):
            group_rows = rows[first_index : first_index + MAX_ROWS_OF_GROUP]
            name = (
                title
                if len(group_rows) == len(rows)
                else f"{title}, {first_index + 1} to {first_index + len(group_rows)}"
            )
            yield StandingsGroupView(name, tuple(_row_views(view, group_rows, group_changes)))


def _row_views(
    view: EventView, rows: Sequence[Standing], group_changes: Mapping[int, GroupMove]
) -> Iterator[StandingView]:
    present_numbers = {entrant.number for entrant in view.present_entrants}
    for row in rows:
        yield StandingView(
            row.rank,
            view.names[row.entrant_number],
            points_text(row.points),
            row.games_played,
            row.games_due,
            row.wins,
            mean_share_text(row),
            group_changes.get(row.entrant_number, ""),
            row.entrant_number not in present_numbers,
        )
