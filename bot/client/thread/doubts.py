"""Messages that may have been sent before a crash or timeout.

They are recognised by the ids of their buttons, their embeds, or a file name. A message without any of these is
recognised because it is the bot's only message without a database row, as a game's posts are sent one at a time.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

import discord

from bot.client.buttons import REMATCH_BUTTON_ID, VOTE_BUTTON_ID
from bot.client.places.threads import MAX_CLOCK_SKEW, Threads
from bot.client.thread.desired import BOARD_ROLE, END_ROLE, FILES_ROLE, LINE_ROLE, PROPOSAL_ROLE, TURN_ROLE
from bot.client.thread.final_posts import record_name
from bot.table.tables import Tables
from storage import GameRow, ThreadMessage, messages, parse_timestamp, pings


@dataclass(slots=True)
class UnconfirmedMessages:
    """Database rows of posts that lack a message id, each with the messages in the thread that may be its post."""

    rows_and_messages: list[tuple[ThreadMessage, list[discord.Message]]] = field(default_factory=list)

    @property
    def line_keys(self) -> list[str]:
        """Keys of line posts that may have been sent before a crash."""
        return [row.key for row, _ in self.rows_and_messages if row.role == LINE_ROLE]

    def was_sent(self, role: str, key: str) -> bool:
        """True if the post with this role and key was found in the thread."""
        return any(sent for row, sent in self.rows_and_messages if (row.role, row.key) == (role, key))

    def take_row(self, role: str, key: str) -> tuple[ThreadMessage | None, list[discord.Message]]:
        """Remove and return the row of a post that may have been sent, with its messages.

        If there is none, an unsent post's row with the same role is reused, so that the message's nonce stays the same.
        """
        rows_with_candidates = [doubt for doubt in self.rows_and_messages if doubt[0].role == role]
        for candidate in [doubt for doubt in rows_with_candidates if doubt[0].key == key] + [
            doubt for doubt in rows_with_candidates if not doubt[1]
        ]:
            self.rows_and_messages.remove(candidate)
            return candidate
        return None, []


async def find_unconfirmed_messages(
    tables: Tables, threads: Threads, game: GameRow, roles: Sequence[str]
) -> UnconfirmedMessages:
    """Search a game's thread for posts with these roles that may have been sent before a crash.

    Board posts and turn messages that are found are recorded at once.
    """
    rows = await messages.possibly_unsent_messages(tables.db, game.id) if game.in_doubt else []
    rows = [row for row in rows if row.role in roles]
    if not rows or game.thread_id is None:
        return UnconfirmedMessages([(row, []) for row in rows])
    after_id = _snowflake_of_row(rows[0], MAX_CLOCK_SKEW)
    # A game's first post is its board.
    if game.board_message_id is not None and game.board_message_id < _snowflake_of_row(rows[0]):
        after_id = max(after_id, game.board_message_id)
    known_message_ids = await messages.message_ids_after(tables.db, game.id, after_id)
    own_messages = [
        message
        for message in await threads.bot_posts_in_thread(game, after_id)
        if message.id not in known_message_ids
    ]
    rows_with_candidates = [
        (row, [message for message in own_messages if _may_belong_to(message, row)]) for row in rows
    ]
    doubts = UnconfirmedMessages()
    for row, sent in rows_with_candidates:
        if sent and row.role in (BOARD_ROLE, TURN_ROLE):
            await _record_found(tables, row, sent[-1])
        elif not sent and parse_timestamp(row.at) + MAX_CLOCK_SKEW < parse_timestamp(tables.clock()):
            await messages.delete_message_rows(tables.db, row.id)  # too old to be on its way still
        else:
            doubts.rows_and_messages.append((row, sent))
    return doubts


async def _record_found(tables: Tables, row: ThreadMessage, sent_message: discord.Message) -> None:
    """Record a message found after a crash, and its pings. It will be edited, since its content may be outdated."""
    if row.role == TURN_ROLE:
        _, pinged = await pings.notifications_of_game(tables.db, row.game_id)
        mentioned = [
            user for user in pinged if user.thread == "pending" and user.user_id in sent_message.raw_mentions
        ]
        await pings.mark_pinged(tables.db, row.game_id, mentioned)
    await messages.record_message_changes(tables.db, replace(row, message_id=sent_message.id, shows=""))
    tables.record_message(row.game_id, row.role, sent_message.id)


def _may_belong_to(message: discord.Message, row: ThreadMessage) -> bool:
    """True if a message may be the post of this row, judged by buttons, embeds and files, not by its text."""
    lines = [line for line in message.components if isinstance(line, discord.ActionRow)]
    ids = [getattr(part, "custom_id", "") or "" for line in lines for part in line.children]
    role = LINE_ROLE
    if any(re.fullmatch(VOTE_BUTTON_ID, one) for one in ids):
        role = PROPOSAL_ROLE
    elif any(re.fullmatch(REMATCH_BUTTON_ID, one) for one in ids):
        role = END_ROLE
    elif any(re.fullmatch(rf"\w+:{row.game_id}(:.*)?", one) for one in ids):
        role = TURN_ROLE
    elif len(message.embeds) > 1:
        role = BOARD_ROLE
    elif any(file.filename == record_name(row.game_id) for file in message.attachments):
        role = FILES_ROLE
    # A closed proposal has no buttons; lines, rounds and pings have nothing to recognise them by.
    return role == row.role or (
        role == LINE_ROLE and row.role not in (TURN_ROLE, END_ROLE, BOARD_ROLE, FILES_ROLE)
    )


def _snowflake_of_row(row: ThreadMessage, clock_margin: timedelta = timedelta()) -> int:
    """A Discord id (snowflake) for the time at which a row was stored (the sending had begun), minus `clock_margin`."""
    return discord.utils.time_snowflake(parse_timestamp(row.at) - clock_margin)
