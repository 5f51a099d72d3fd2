"""The history of a game: lines about its moves, and data for charts and the timelapse."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from bot.table.move_lines import changed_hexes
from engine import Event, Game, turning_points
from engine import events as game_events
from engine.views import MapView, RoundValuesView, round_values_view
from storage import LogRow, log

RULES_HAVE_CHANGED_REASON: Final = "the bot's rules have changed since"
"""Reason shown for missing moves that the current rules would play differently."""
LOG_WAS_CHANGED_REASON: Final = (
    "somebody changed the log in the database, so it no longer shows the moves; the position is "
    "unchanged, and a moderator can accept it with `/game repair`"
)
"""Reason shown for missing moves of a log that somebody changed in the database."""


class HiddenRows(NamedTuple):
    """A range of log rows that cannot be replayed, and the reason."""

    first_seq: int
    last_seq: int
    reason: str

    def line(self) -> str:
        moves_text = (
            f"Move {self.first_seq} is"
            if self.first_seq == self.last_seq
            else f"Moves {self.first_seq} to {self.last_seq} are"
        )
        return (
            f"`{self.first_seq}` {moves_text} missing here, because {self.reason}. The thread still has the "
            "original lines."
        )


@dataclass(slots=True)
class MoveHistory:
    """The effects of moves: public lines, and data for charts, timelapse and turning points."""

    lines: list[tuple[int, str]] = field(default_factory=list)
    """Public lines, each with the number of its log row. They use the players' names at the time of the move."""
    round_values: list[RoundValuesView] = field(default_factory=list)
    """Net worth and share prices at the start of each round."""
    map_change_seqs: list[int] = field(default_factory=list)
    """Numbers of log rows whose moves changed the map."""
    occurrences: list[turning_points.Occurrence] = field(default_factory=list)
    """Occurrences (events) that are candidates for the game's turning points."""
    hidden_rows: list[HiddenRows] = field(default_factory=list)
    maps: list[MapView] = field(default_factory=list)
    """The maps after the log rows for which the caller wanted one, in order."""

    def extend(self, later_history: "MoveHistory") -> None:
        """Append the history of later rows."""
        for name in self.__slots__:
            getattr(self, name).extend(getattr(later_history, name))

    def add_position(self, seq: int, game: Game, events: Sequence[Event], line: str) -> None:
        """Add the effects of log row `seq`: its line (may be empty), and the position after it."""
        if line:
            self.lines.append((seq, line))
        if any(isinstance(event, game_events.RoundStarted) for event in events):
            self.round_values.append(round_values_view(game))
        if changed_hexes(events):
            self.map_change_seqs.append(seq)

    def hide_rows(self, first_seq: int, last_seq: int, reason: str) -> None:
        """Add a range of log rows that cannot be replayed.

        The range is joined with the previous one if both have the same reason and no line is between them.
        """
        last_gap = self.hidden_rows[-1] if self.hidden_rows else None
        if (
            last_gap
            and last_gap.reason == reason
            and not any(last_gap.last_seq < seq < first_seq for seq, _ in self.lines)
        ):
            self.hidden_rows[-1] = last_gap._replace(last_seq=last_seq)
        else:
            self.hidden_rows.append(HiddenRows(first_seq, last_seq, reason))

    def all_lines(self) -> list[tuple[int, str]]:
        """All lines in order, including a line for each range of missing moves."""
        return sorted([*self.lines, *((gap.first_seq, gap.line()) for gap in self.hidden_rows)])


def accept_line(seq: int, rules: str, user_id: int | None) -> str:
    """The public line for a moderator's decision that a game continues under rules version `rules`."""
    return f"`{seq}` <@{user_id}> accepts: the game continues from here under version {rules} of the rules."


def line_of_accept_row(row: LogRow) -> str:
    """The public line for a stored accept row: a moderator's decision that the game continues."""
    return accept_line(row.seq, log.accepted_state(row.seq, row.payload).rules, row.user_id)
