"""The text of the turn message: players on turn, money, latest moves, and link."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from bot.client.game_texts import heading, steps
from bot.table.live import LiveGame
from bot.table.markdown import message_link, sentence_list, strong
from bot.table.orders.caretakers import caretaker_waits
from bot.table.outbox.notices import Line
from engine import PlayerId
from engine.views import OfferView, offer_view, turn_view
from storage import Ping, Row, messages

MOST_LINES: Final = 12
"""Lines that are repeated; of more, the last ones."""
ROOM: Final = 1200
"""Characters of them, of the 2000 that a message takes."""
WAITS: Final = "The caretaker waits after an undo. `/game resume` lets it continue."
"""Line where a caretaker must act after an undo."""


@dataclass(frozen=True, slots=True)
class MissedLines:
    """Lines, oldest first; the id of the first one's message, if known; `seen`: the user has moved since."""

    lines: tuple[str, ...] = ()
    first: int | None = None
    seen: bool = False


NOTHING: Final = MissedLines()
"""Nothing was missed."""


def turn_text(live: LiveGame, current_pings: Sequence[Ping] = (), missed: MissedLines = NOTHING) -> str:
    """The turn's text: players on turn, money, step, and missed lines. Mentions only pinged users."""
    view, offer = turn_view(live.game), offer_view(live.game)
    who = sentence_list(_pinged(live, player, current_pings) for player in view.actors)
    said = [heading(view), *view.duty, steps(view)] if offer is None else offer_lines(offer)
    parts = (
        f"{who}: {said[0]}",
        *said[1:],
        *_by_group(live, view.actors),
        *_reminder(current_pings),
        *_to_seal(view.actors, current_pings),
        *_caretaker_note(live),
        _missed_text(live, missed),
        _board(live),
    )
    return "\n".join(part for part in parts if part)


def offer_lines(offer: OfferView) -> list[str]:
    """A proposal between players in full, with everybody's changes."""
    parties = [f"> {strong(party.name)}: {', '.join(party.changes)}" for party in offer.parties]
    lines = [f"> {line}" for line in offer.lines]
    may = f"{offer.asker} can withdraw the offer, or end it with another move."
    ends = f"-# {offer.asked} must agree or refuse. {may}"
    return [f"an offer of {strong(offer.asker)}", f"{strong(offer.what)}.", *parties, *lines, ends]


def _pinged(live: LiveGame, player: PlayerId, current_pings: Sequence[Ping]) -> str:
    mentioned = player not in live.by_caretaker and any(one.player_id == player for one in current_pings)
    return f"<@{live.user_of(player)}>" if mentioned else strong(live.name_of(player))


def _reminder(current_pings: Sequence[Ping]) -> list[str]:
    """The number of the reminder, if it is one."""
    stage = max((player.stage for player in current_pings), default=0)
    return [f"-# Reminder {stage}: the others are waiting. `/pings` sets how I ping you."] if stage else []


def _to_seal(actors: Sequence[PlayerId], current_pings: Sequence[Ping]) -> list[str]:
    """Players pinged to seal bids."""
    asked = dict.fromkeys(
        f"<@{player.user_id}>" for player in current_pings if player.player_id not in actors
    )
    return [f"Pinged to seal bids: {sentence_list(asked)}."] if asked else []


def _by_group(live: LiveGame, actors: Sequence[PlayerId]) -> list[str]:
    """A note on who moves for seats played by the group."""
    people = dict.fromkeys(user for p in actors if p in live.by_group for user in live.people_of(p))
    if not people:
        return []
    names = sentence_list(f"<@{user}>" for user in people)
    return [f"The group plays this seat: {names} propose a move with `/game propose` and agree on one."]


def _caretaker_note(live: LiveGame) -> list[str]:
    """A note that a caretaker waits for `/game resume`."""
    return [WAITS] if caretaker_waits(live) else []


def _missed_text(live: LiveGame, missed: MissedLines) -> str:
    """Small lines since the last move of the player on turn, as many as fit; otherwise a link."""
    if not missed.lines:
        return ""
    where = None if missed.first is None else message_link(live.row, missed.first)
    kept = () if missed.seen else _last_fitting(missed.lines)
    if not kept:
        return f"-# [Before your turn]({where})" if where else ""
    more = len(missed.lines) - len(kept)
    head = f"[Since your last move]({where})" if where else "Since your last move"
    head += f", {more} earlier in `/log`:" if more else ":"
    parts = (part.removeprefix("-# ") for line in (head, *kept) for part in line.split("\n"))
    return "\n".join(f"-# {part}" for part in parts)


def _last_fitting(lines: Sequence[str]) -> Sequence[str]:
    """The last lines that fit."""
    kept: list[str] = []
    for line in reversed(lines):
        if len(kept) == MOST_LINES or sum(map(len, kept)) + len(line) > ROOM:
            break
        kept.insert(0, line)
    return kept


def _board(live: LiveGame) -> str:
    row = live.row
    if row.board_message_id is None:
        return ""
    return f"-# [Map and market]({message_link(row, row.board_message_id)})"


# --- what was missed -------------------------------------------------------------------------------------------------


def missed_since(live: LiveGame) -> int:
    """The row after which the player on turn missed something; None for several players."""
    actors = live.game.actors()
    return (
        _own_last_move(live, _rows_before_series(live.counting, actors[0])[0])
        if len(actors) == 1
        else live.seq
    )


def missed_lines(live: LiveGame, posted: Sequence[messages.StoredNotice]) -> MissedLines:
    """Lines that the player on turn missed; none for several players."""
    actors = live.game.actors()
    if len(actors) != 1:
        return MissedLines()
    before, seen = _rows_before_series(live.counting, actors[0])
    own = _own_last_move(live, before)
    counting = {row.seq for row in takewhile(lambda row: row.seq > own, reversed(before))}
    posted = [line for line in posted if line.seq in counting]
    if seen:  # their post may begin with lines of others, such as the end of an offer
        posted = [line for line in posted if line.waits or line.message_id != live.row.turn_message_id]
    read = ((row, Line.read(row.payload)) for row in posted)
    missed = [(row, line.text) for row, line in read if _is_of_move(line)]
    return MissedLines(
        tuple(text for _, text in missed), _message(live, missed[0][0]) if missed else None, seen
    )


def _is_of_move(line: Line) -> bool:
    """True if a line is about a move with an effect, or was a message of its own."""
    return not (line.silent or line.note or line.first)


def _message(live: LiveGame, line: messages.StoredNotice) -> int | None:
    """The message with a line, or the turn's post for a waiting one."""
    return live.row.turn_message_id if line.waits else line.message_id


def _own_last_move(live: LiveGame, before: Sequence[Row]) -> int:
    """The player's own last move among these."""
    # Nobody misses the first line of a game, which says how it is played: a thread begins with it.
    actor = live.game.actors()[0]
    return next((row.seq for row in reversed(before) if row.actor == actor), live.counting[0].seq)


def _rows_before_series(rows: list[Row], actor: str) -> tuple[list[Row], bool]:
    """The rows before the player's current series of moves, and True if there are any in it."""
    end = len(rows)
    while end and rows[end - 1].actor == actor:
        end -= 1
    return rows[:end], end < len(rows)
