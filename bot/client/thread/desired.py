"""Computes the posts that a game's thread should show, from the live game and its stored rows."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import accumulate, takewhile
from typing import Final, NamedTuple

import discord

from bot.client.game_texts import MAX_MESSAGE_LENGTH
from bot.client.thread.pictures_of_posts import (
    TABLE_PREFIX,
    Picture,
    close_up_pictures,
    digest,
    picture_names,
    sale_pictures,
    table_picture,
)
from bot.client.thread.turn_lines import (
    TurnLog,
    is_undone_move,
    leading_line_rows,
    line_text,
    strike_out_if_it_fits,
    strike_out_lines,
    with_undone_struck_out,
)
from bot.table.live import LiveGame
from bot.table.markdown import strong
from bot.table.outbox.notices import Line, RoundStart, TurnChange, offer_outcome
from engine import PlayerId
from engine.views import SaleView
from storage import Ping, Posting, ThreadMessage, messages, parse_timestamp

BOARD_ROLE: Final = "board"
TURN_ROLE: Final = "turn"
LINE_ROLE: Final = "line"
"""Role of a post that has only lines about moves: those of an ended turn, or those between turns."""
ROUND_ROLE: Final = "round"
PING_ROLE: Final = "ping"
PROPOSAL_ROLE: Final = "proposal"
END_ROLE: Final = "end"
FILES_ROLE: Final = "papers"
LATE_LINE_AGE: Final = timedelta(seconds=5)
"""Lines that have waited at least this long, such as in an outage, are posted together in one message."""
MAX_POSTS_WITH_UNDONE_LINES: Final = 10
"""Number of recent posts in which an undo strikes out lines."""


@dataclass(frozen=True)
class Post:
    """A desired post: a new message or, if `message` is given, the new content of that message."""

    role: str
    text: str | None
    """The post's text. If it is None, an existing message keeps its text."""
    key: str = ""
    view: discord.ui.View | None = None
    embeds: tuple[discord.Embed, ...] | None = None
    pictures: tuple[Picture, ...] | None = ()
    """The post's pictures. If this is None, an existing message keeps its pictures."""
    message: ThreadMessage | None = None
    rows: Sequence[Posting] = ()
    """Outbox rows that are marked as sent once this post exists."""
    users: tuple[int, ...] = ()
    """Ids of the users whom the post pings."""
    roles: tuple[int, ...] = ()
    pinged: tuple[Ping, ...] = ()
    silent: bool = True
    appearance: str = ""
    """If given, used instead of the text to detect changes, so that minor changes of the text cause no edit."""

    @cached_property
    def shows(self) -> str:
        """A digest of text, buttons and embeds; the message is edited if its stored digest differs."""
        buttons = [] if self.view is None else self.view.to_components()
        embeds = [embed.to_dict() for embed in self.embeds or ()]
        return digest(json.dumps([self.appearance or self.text, buttons, embeds]).encode())


class TurnDraft(NamedTuple):
    """The lower part of a turn message: whose turn it is, buttons, and privates for sale. Also the pings."""

    text: str
    view: discord.ui.View
    sale: SaleView | None
    pinged: tuple[Ping, ...] = ()
    silent: bool = True


class WaitingRows(NamedTuple):
    """Unposted outbox rows for a turn message: changes of turn, lines, and starts of rounds."""

    turns: Sequence[Posting]
    lines: Sequence[Posting] = ()
    rounds: Sequence[Posting] = ()
    unconfirmed_keys: Collection[str] = ()
    """Keys of doubtful posts of lines: they may have been sent before a crash."""

    @property
    def newly_on_turn(self) -> list[PlayerId]:
        """Players whose turn has begun according to unposted rows."""
        return [player for turn in self.turns for player in TurnChange.read(turn.payload).newly_on_turn]


# --- posts of lines --------------------------------------------------------------------------------------------------


def line_posts(
    postings: Sequence[Posting], unconfirmed_keys: Collection[str] = (), now: datetime | None = None
) -> list[Post]:
    """Posts of lines, one for each line. Lines older than LATE_LINE_AGE share posts, as do all lines if `now` is None.

    `unconfirmed_keys` are the keys of posts that may have been sent before a crash; their lines stay together.
    """
    return [_batch_post(line_batch) for line_batch in _line_batches(postings, unconfirmed_keys, now)]


def _batch_post(line_batch: Sequence[Posting]) -> Post:
    lines = [Line.read(row.payload) for row in line_batch]
    hexes = tuple(dict.fromkeys(coord for line in lines for coord in line.hexes))
    row_ids = tuple(row.id for row in line_batch)
    text = "\n".join(line.text for line in lines).strip()
    return Post(
        LINE_ROLE, text, _key_of_rows(line_batch), pictures=close_up_pictures(row_ids, hexes), rows=line_batch
    )


def _line_batches(
    rows: Sequence[Posting], unconfirmed_keys: Collection[str], now: datetime | None
) -> Iterator[Sequence[Posting]]:
    first_ids = {key.partition(",")[0] for key in unconfirmed_keys}
    while rows:
        unconfirmed_counts = [
            n for n in range(1, len(rows) + 1) if _key_of_rows(rows[:n]) in unconfirmed_keys
        ]
        is_late = now is None or now - parse_timestamp(rows[0].created_at) >= LATE_LINE_AGE
        count = (
            unconfirmed_counts[-1]
            if unconfirmed_counts
            else _line_count_that_fits(rows, first_ids)
            if is_late
            else 1
        )
        yield rows[:count]
        rows = rows[count:]


def _line_count_that_fits(rows: Sequence[Posting], first_ids: Collection[str]) -> int:
    rows_to_join = [rows[0], *takewhile(lambda row: str(row.id) not in first_ids, rows[1:])]
    line_lengths = accumulate(len(Line.read(row.payload).text) + 1 for row in rows_to_join)
    return max(1, len([*takewhile(lambda length: length <= MAX_MESSAGE_LENGTH + 1, line_lengths)]))


def _key_of_rows(rows: Sequence[Posting]) -> str:
    return ",".join(str(row.id) for row in rows)


def round_post(rounds: Sequence[Posting]) -> Post:
    """The post that announces a new round: lines, and the picture of all players and companies."""
    round_starts = [RoundStart.read(row.payload) for row in rounds]
    hexes = tuple(dict.fromkeys(coord for start in round_starts for coord in start.hexes))
    pictures = (table_picture(rounds[-1].id), *close_up_pictures(tuple(row.id for row in rounds), hexes))
    return Post(
        ROUND_ROLE,
        "\n".join(map(round_start_text, round_starts)),
        _key_of_rows(rounds),
        pictures=pictures,
        rows=rounds,
    )


def round_start_text(start: RoundStart) -> str:
    """The lines about the start of a round, or `OR 2.1 begins.` if there are none."""
    return start.text or f"{strong(start.name)} begins."


# --- turns -----------------------------------------------------------------------------------------------------------


def turn_posts(
    live: LiveGame,
    shown_turns: messages.ShownTurns,
    waiting_rows: WaitingRows,
    draft: TurnDraft,
    outcome: str = "",
) -> list[Post]:
    """Desired posts for the current turn, and for earlier turns that are still shown as open.

    `outcome` says how an offer between players ended; the offer's post keeps its text. The caller must delete messages
    of open turns for which no post is returned.
    """
    open_turn = shown_turns.turns[-1] if shown_turns.turns else None
    continued_turn_post = open_turn and _continued_turn_post(
        live, shown_turns, waiting_rows, draft, open_turn
    )
    posts = (
        [continued_turn_post]
        if continued_turn_post
        else _new_turn_posts(live, shown_turns, waiting_rows, draft, open_turn, outcome)
    )
    # After a crash, an earlier turn message may still be open though a later one was posted.
    unshown_changes = unshown_turn_changes(waiting_rows.turns, shown_turns.turns)
    outcome_of_offer = offer_outcome(
        [TurnChange.read(row.payload) for row in waiting_rows.turns[: -len(unshown_changes) or None]]
    )
    earlier_posts = [
        post
        for earlier_turn in shown_turns.turns[:-1]
        if (post := _earlier_turn_post(live, shown_turns, earlier_turn, outcome_of_offer)) is not None
    ]
    return [*posts, *earlier_posts]


def unshown_turn_changes(
    rows: Sequence[Posting | messages.OutboxNotice], turns: Sequence[ThreadMessage]
) -> list[TurnChange]:
    """Changes of turn (whose turn it is) that the newest turn message does not show yet."""
    newest_row_id = int(turns[-1].key or 0) if turns else 0
    return [TurnChange.read(row.payload) for row in rows if row.id > newest_row_id]


def _continued_turn_post(
    live: LiveGame,
    shown_turns: messages.ShownTurns,
    waiting_rows: WaitingRows,
    draft: TurnDraft,
    open_turn: ThreadMessage,
) -> Post | None:
    """The open turn message with new content; None if a new message is needed, such as for a new turn."""
    turn_log = TurnLog.of_message(live, shown_turns.lines, open_turn.message_id)
    changes = unshown_turn_changes(waiting_rows.turns, shown_turns.turns)
    needs_new_message = draft.pinged or (
        changes and (turn_log.must_show_at_once or any(change.is_new_turn for change in changes))
    )
    if (
        live.game.is_over
        or needs_new_message
        or waiting_rows.rounds
        or _lines_that_do_not_fit(waiting_rows.lines, turn_log)
    ):
        return None
    # The row of the turn is done last: when no other turn is open, and it pings no new players.
    is_newest_turn = len(shown_turns.turns) == 1 and not waiting_rows.newly_on_turn
    rows = [*waiting_rows.lines, *waiting_rows.turns] if is_newest_turn else waiting_rows.lines
    return turn_post(turn_log, draft, open_turn, _key_of_rows(waiting_rows.turns[-1:]), rows)


def turn_post(
    turn_log: TurnLog, draft: TurnDraft, open_turn: ThreadMessage, key: str, rows: Sequence[Posting] = ()
) -> Post | None:
    """A turn message: the lines about its moves, and whose turn it is; None if the text is too long."""
    text = turn_log.with_turn_text(draft.text)
    pictures = sale_pictures(draft.sale) or close_up_pictures(turn_log.pictured_row_ids, turn_log.hexes)
    return None if text is None else Post(TURN_ROLE, text, key, draft.view, None, pictures, open_turn, rows)


def ended_turn_post(turn_log: TurnLog, shown_message: ThreadMessage, rows: Sequence[Posting] = ()) -> Post:
    """An ended turn's message, without buttons: its lines, and the changed part of the map."""
    pictures = (
        *close_up_pictures(turn_log.pictured_row_ids, turn_log.hexes),
        *map(Picture, picture_names(shown_message, TABLE_PREFIX)),
    )
    return Post(
        LINE_ROLE, turn_log.text, shown_message.key, pictures=pictures, message=shown_message, rows=rows
    )


def _new_turn_posts(
    live: LiveGame,
    shown_turns: messages.ShownTurns,
    waiting_rows: WaitingRows,
    draft: TurnDraft,
    old_turn: ThreadMessage | None,
    outcome: str,
) -> list[Post]:
    """Posts that end the old turn, announce a round, and begin a new turn unless the game is over."""
    message_id = None if old_turn is None else old_turn.message_id
    round_row_id = waiting_rows.rounds[-1].id if waiting_rows.rounds else None
    first_turn_rows = leading_line_rows(shown_turns.lines, round_row_id)
    turn_log = TurnLog.of_message(live, shown_turns.lines if outcome else first_turn_rows, message_id)
    ended_turn_log = TurnLog.of_message(
        live, [row for row in shown_turns.lines if row not in first_turn_rows], message_id
    )
    full_turn_text = (
        turn_log.with_turn_text(draft.text)
        if not live.game.is_over and (outcome or turn_log.new_row_ids)
        else None
    )
    kept_turn = old_turn if ended_turn_log.text and not outcome else None
    rows_without_message = _lines_that_do_not_fit(
        waiting_rows.lines, *([ended_turn_log] if kept_turn else []), *([turn_log] if full_turn_text else [])
    )
    posts = list[Post]()
    if kept_turn:
        lines = [row for row in waiting_rows.lines if row.id in ended_turn_log.new_row_ids]
        posts = [ended_turn_post(ended_turn_log, kept_turn, lines)]
    silent_line_rows = [row for row in rows_without_message if Line.read(row.payload).is_silent]
    first_turn_row_ids = {row.id for row in first_turn_rows}
    rows_to_post = [row for row in rows_without_message if row not in silent_line_rows]
    posts += line_posts(
        [row for row in rows_to_post if row.id not in first_turn_row_ids], waiting_rows.unconfirmed_keys
    )
    posts += [Post(LINE_ROLE, "", rows=silent_line_rows)] if silent_line_rows else []
    posts += [round_post(waiting_rows.rounds)] if waiting_rows.rounds else []
    posts += line_posts(
        [row for row in rows_to_post if row.id in first_turn_row_ids], waiting_rows.unconfirmed_keys
    )
    if not live.game.is_over:
        shown_rows = [row for row in waiting_rows.lines if full_turn_text and row.id in turn_log.new_row_ids]
        post = Post(
            TURN_ROLE,
            full_turn_text or draft.text,
            _key_of_rows(waiting_rows.turns[-1:]),
            draft.view,
            rows=shown_rows,
        )
        pictures = sale_pictures(draft.sale) or (
            close_up_pictures(turn_log.pictured_row_ids, turn_log.hexes) if full_turn_text else ()
        )
        users = tuple(ping.user_id for ping in draft.pinged)
        posts.append(replace(post, pictures=pictures, users=users, pinged=draft.pinged, silent=draft.silent))
    return [*posts, *([_closed_proposal_post(old_turn, outcome)] if old_turn and outcome else [])]


def _closed_proposal_post(shown_message: ThreadMessage, outcome: str) -> Post:
    """The message of an answered offer between players: its outcome is added, its buttons are removed."""
    return Post(
        LINE_ROLE, None, shown_message.key, None, (discord.Embed(description=outcome),), None, shown_message
    )


def _earlier_turn_post(
    live: LiveGame, shown_turns: messages.ShownTurns, shown_message: ThreadMessage, outcome: str
) -> Post | None:
    if outcome:
        return _closed_proposal_post(shown_message, outcome)
    turn_log = TurnLog.of_message(
        live, [row for row in shown_turns.lines if not row.is_unposted], shown_message.message_id
    )
    return ended_turn_post(turn_log, shown_message) if turn_log.text else None


def _lines_that_do_not_fit(lines: Sequence[Posting], *turn_logs: TurnLog) -> list[Posting]:
    """The rows of lines that none of these turn messages shows, because the text would be too long."""
    shown_ids = {number for turn_log in turn_logs for number in turn_log.new_row_ids}
    return [row for row in lines if row.id not in shown_ids]


def posts_with_undone_lines(
    live: LiveGame,
    rows: Sequence[messages.OutboxNotice],
    rounds: Sequence[messages.OutboxNotice],
    turns: Sequence[ThreadMessage],
) -> list[Post]:
    """Earlier posts after an undo: lines of undone moves, and starts of undone rounds, are struck out."""
    open_turn_ids, text_pairs_by_message = (
        {turn.message_id for turn in turns},
        dict[int, list[tuple[str, str]]](),
    )
    for row in rows:
        if row.message_id is not None and row.message_id not in open_turn_ids:
            text = line_text(Line.read(row.payload))
            text_pairs_by_message.setdefault(row.message_id, []).append(
                (text, with_undone_struck_out(live, text))
            )
    for row in rounds:
        start = RoundStart.read(row.payload)
        text, is_undone = round_start_text(start), is_undone_move(live, start.seq)
        if row.message_id is not None:
            text_pairs_by_message.setdefault(row.message_id, []).append(
                (text, strike_out_lines(text) if is_undone else text)
            )
    posts = []
    for message_id, text_pairs in sorted(text_pairs_by_message.items())[-MAX_POSTS_WITH_UNDONE_LINES:]:
        plain_texts, struck_out_texts = ([text_pair[n] for text_pair in text_pairs] for n in (0, 1))
        if struck_out_texts != plain_texts and len("\n".join(plain_texts)) <= MAX_MESSAGE_LENGTH:
            shown_row = ThreadMessage(
                0, live.id, LINE_ROLE, "", message_id, "", "[]", ""
            )  # posts of lines have no stored content to compare
            posts.append(
                Post(
                    LINE_ROLE,
                    strike_out_if_it_fits(struck_out_texts, plain_texts),
                    pictures=None,
                    message=shown_row,
                )
            )
    return posts
