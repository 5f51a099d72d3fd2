"""The text of the turn message: whose turn it is, money, steps, lines that the player missed, and links."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from bot.client.game_texts import heading, steps_text
from bot.table.live import LiveGame
from bot.table.markdown import message_link, sentence_list, strong
from bot.table.orders.caretakers import is_caretaker_waiting
from bot.table.outbox.notices import Line
from engine import PlayerId
from engine.views import ProposedDealView, proposed_deal_view, turn_view
from storage import LogRow, Ping, messages

MAX_MISSED_LINES: Final = 12
"""Number of lines that are repeated for a player who missed them; older ones are left out."""
MAX_MISSED_CHARACTERS: Final = 1200
"""Character limit for repeated lines in a turn message; Discord allows 2000 in all."""
CARETAKER_WAITS_TEXT: Final = "The caretaker waits after an undo. `/game resume` lets it continue."
"""Line shown while a computer player waits to move because of an undo."""


@dataclass(frozen=True, slots=True)
class MissedLines:
    """The lines about moves since a player's last turn, oldest first. Their turn message repeats these lines.

    `first_message_id` is the id of the message with the first line, None if unknown. `has_moved` is true if the player
    has already moved in this turn.
    """

    lines: tuple[str, ...] = ()
    first_message_id: int | None = None
    has_moved: bool = False


NO_MISSED_LINES: Final = MissedLines()
"""The MissedLines of a player who missed no lines."""


def turn_text(
    live: LiveGame, current_pings: Sequence[Ping] = (), missed: MissedLines = NO_MISSED_LINES
) -> str:
    """The text about a turn: whose turn it is, money, steps, and missed lines. Only pinged users are mentioned."""
    view, deal = live.view(turn_view), live.view(proposed_deal_view)
    players = sentence_list(_player_text(live, player, current_pings) for player in view.actors)
    lines = [heading(view), *view.duty_lines, steps_text(view)] if deal is None else deal_lines(deal)
    parts = (
        f"{players}: {lines[0]}",
        *lines[1:],
        *_group_lines(live, view.actors),
        *_reminder_lines(current_pings),
        *_sealing_note(view.actors, current_pings),
        *_caretaker_note(live),
        _missed_text(live, missed),
        _board_link(live),
    )
    return "\n".join(part for part in parts if part)


def deal_lines(deal: ProposedDealView) -> list[str]:
    """Lines about an offer between players, such as to sell a train, with the effects for both players."""
    party_lines = [f"> {strong(party.name)}: {', '.join(party.changes)}" for party in deal.parties]
    lines = [f"> {line}" for line in deal.lines]
    proposer_note = f"{deal.proposer} can withdraw the offer, or end it with another move."
    answer_note = f"-# {deal.asked_player} must agree or refuse. {proposer_note}"
    return [
        f"an offer from {strong(deal.proposer)}",
        f"{strong(deal.deal_text)}.",
        *party_lines,
        *lines,
        answer_note,
    ]


def _player_text(live: LiveGame, player: PlayerId, current_pings: Sequence[Ping]) -> str:
    is_mentioned = player not in live.caretaker_players and any(
        ping.player_id == player for ping in current_pings
    )
    return f"<@{live.user_of(player)}>" if is_mentioned else strong(live.name_of(player))


def _reminder_lines(current_pings: Sequence[Ping]) -> list[str]:
    stage = max((ping.stage for ping in current_pings), default=0)
    return [f"-# Reminder {stage}: the others are waiting. `/pings` sets how I ping you."] if stage else []


def _sealing_note(actors: Sequence[PlayerId], current_pings: Sequence[Ping]) -> list[str]:
    """A line that names players who were pinged to seal their bids."""
    mentions = dict.fromkeys(f"<@{ping.user_id}>" for ping in current_pings if ping.player_id not in actors)
    return [f"Pinged to seal bids: {sentence_list(mentions)}."] if mentions else []


def _group_lines(live: LiveGame, actors: Sequence[PlayerId]) -> list[str]:
    """A line that names the users who play an absent player's seat as a group."""
    group_users = dict.fromkeys(
        user_id for player in actors if player in live.group_players for user_id in live.users_to_ping(player)
    )
    if not group_users:
        return []
    names = sentence_list(f"<@{user_id}>" for user_id in group_users)
    return [f"The group plays this seat: {names} propose a move with `/game propose` and agree on one."]


def _caretaker_note(live: LiveGame) -> list[str]:
    """A line if a computer player must act but waits until somebody uses `/game resume`."""
    return [CARETAKER_WAITS_TEXT] if is_caretaker_waiting(live) else []


def _missed_text(live: LiveGame, missed: MissedLines) -> str:
    if not missed.lines:
        return ""
    link = None if missed.first_message_id is None else message_link(live.row, missed.first_message_id)
    kept_lines = () if missed.has_moved else _newest_lines_that_fit(missed.lines)
    if not kept_lines:
        return f"-# [Before your turn]({link})" if link else ""
    omitted_line_count = len(missed.lines) - len(kept_lines)
    heading = f"[Since your last move]({link})" if link else "Since your last move"
    heading += f", {omitted_line_count} earlier in `/log`:" if omitted_line_count else ":"
    parts = (part.removeprefix("-# ") for line in (heading, *kept_lines) for part in line.split("\n"))
    return "\n".join(f"-# {part}" for part in parts)


def _newest_lines_that_fit(lines: Sequence[str]) -> Sequence[str]:
    kept_lines: list[str] = []
    for line in reversed(lines):
        if (
            len(kept_lines) == MAX_MISSED_LINES
            or sum(map(len, kept_lines)) + len(line) > MAX_MISSED_CHARACTERS
        ):
            break
        kept_lines.insert(0, line)
    return kept_lines


def _board_link(live: LiveGame) -> str:
    row = live.row
    if row.board_message_id is None:
        return ""
    return f"-# [Map and market]({message_link(row, row.board_message_id)})"


# --- missed lines ----------------------------------------------------------------------------------------------------


def seq_before_missed_lines(live: LiveGame) -> int:
    """The log row of the last move of the player whose turn it is; if several must act, the newest log row."""
    actors = live.game.actors()
    return (
        _own_last_move_seq(live, _rows_before_latest_moves(live.effective_rows, actors[0])[0])
        if len(actors) == 1
        else live.seq
    )


def missed_lines(live: LiveGame, posted_rows: Sequence[messages.OutboxNotice]) -> MissedLines:
    """The lines missed by the player whose turn it is, except those shown right above the turn message.

    Empty if several players must act.
    """
    actors = live.game.actors()
    if len(actors) != 1:
        return MissedLines()
    earlier_rows, has_moved = _rows_before_latest_moves(live.effective_rows, actors[0])
    own_last_seq = _own_last_move_seq(live, earlier_rows)
    missed_seqs = {row.seq for row in takewhile(lambda row: row.seq > own_last_seq, reversed(earlier_rows))}
    message_ids_above = _message_ids_above(posted_rows, live.row.turn_message_id, has_moved=has_moved)
    read_lines = (
        (row, Line.read(row.payload))
        for row in posted_rows
        if row.seq in missed_seqs
        and not row.is_unposted
        and (row.message_id is None or row.message_id not in message_ids_above)
    )
    missed_rows = [(row, line.text) for row, line in read_lines if _is_about_move(line)]
    first_message_id = missed_rows[0][0].message_id if missed_rows else None
    return MissedLines(tuple(text for _, text in missed_rows), first_message_id, has_moved)


def _message_ids_above(
    posted_rows: Sequence[messages.OutboxNotice], turn_message_id: int | None, *, has_moved: bool
) -> set[int | None]:
    other_message_ids = {row.message_id or 0 for row in posted_rows} - {turn_message_id}
    is_ending = not has_moved and any(row.is_unposted for row in posted_rows)
    return {turn_message_id} if is_ending else {turn_message_id, max(other_message_ids, default=0)}


def _is_about_move(line: Line) -> bool:
    """True if a line is about a move with an effect; False for notes and a thread's first line."""
    return not (line.is_silent or line.is_note or line.is_first)


def _own_last_move_seq(live: LiveGame, earlier_rows: Sequence[LogRow]) -> int:
    """The last of these log rows with a move of the player whose turn it is; if there is none, the log's first row."""
    # The first line of a game explains it at the top of the thread, so nobody has missed it.
    actor = live.game.actors()[0]
    return next((row.seq for row in reversed(earlier_rows) if row.actor == actor), live.effective_rows[0].seq)


def _rows_before_latest_moves(rows: list[LogRow], actor: str) -> tuple[list[LogRow], bool]:
    """A pair: the log rows before the player's latest series of moves, and True if there is such a series."""
    latest_moves_start_index = len(rows)
    while latest_moves_start_index and rows[latest_moves_start_index - 1].actor == actor:
        latest_moves_start_index -= 1
    return rows[:latest_moves_start_index], latest_moves_start_index < len(rows)
