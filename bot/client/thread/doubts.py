"""Messages that may or may not have been sent before a crash or a timeout.

They are recognised by the ids of their buttons, their embeds, or the name of a file. A message without any of these is
recognised as the only message of the bot without a row, since a game's posts are sent one at a time.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

import discord

from bot.client.buttons import REMATCH_ID, VOTE_ID
from bot.client.places.threads import MAX_CLOCK_SKEW, Threads
from bot.client.thread.desired import BOARD_ROLE, END_ROLE, FILES_ROLE, LINE_ROLE, PROPOSAL_ROLE, TURN_ROLE
from bot.client.thread.final_posts import record_name
from bot.table.tables import Tables
from storage import GameRow, ShownMessage, messages, parse_timestamp, pings


@dataclass(slots=True)
class DoubtfulMessages:
    """Rows without a message id, each with the messages in the thread that may be theirs."""

    rows_and_messages: list[tuple[ShownMessage, list[discord.Message]]] = field(default_factory=list)

    @property
    def line_keys(self) -> list[str]:
        """Keys of the rows for posts of lines."""
        return [row.key for row, _ in self.rows_and_messages if row.role == LINE_ROLE]

    def was_sent(self, role: str, key: str) -> bool:
        """True if the post with this role and key was found in the thread."""
        return any(sent for row, sent in self.rows_and_messages if (row.role, row.key) == (role, key))

    def take_row(self, role: str, key: str) -> tuple[ShownMessage | None, list[discord.Message]]:
        """Take the row of a post that may have been sent, with its messages.

        If there is none, take the row of an unsent post with the same role, so that the nonce stays the same.
        """
        candidates = [doubt for doubt in self.rows_and_messages if doubt[0].role == role]
        for candidate in [doubt for doubt in candidates if doubt[0].key == key] + [
            doubt for doubt in candidates if not doubt[1]
        ]:
            self.rows_and_messages.remove(candidate)
            return candidate
        return None, []


async def look_for_messages(
    tables: Tables, threads: Threads, game: GameRow, roles: Sequence[str]
) -> DoubtfulMessages:
    """Look in a game's thread for messages of rows with these roles; boards and turns that are found are stored."""
    rows = await messages.doubtful_messages(tables.db, game.id) if game.in_doubt else []
    rows = [row for row in rows if row.role in roles]
    if not rows or game.thread_id is None:
        return DoubtfulMessages([(row, []) for row in rows])
    after_id = _begun_snowflake(rows[0], MAX_CLOCK_SKEW)
    # A game's first post is its board.
    if game.board_message_id is not None and game.board_message_id < _begun_snowflake(rows[0]):
        after_id = max(after_id, game.board_message_id)
    known_ids = await messages.message_numbers_after(tables.db, game.id, after_id)
    own_messages = [
        message for message in await threads.own_posts(game, after_id) if message.id not in known_ids
    ]
    candidates = [
        (row, [message for message in own_messages if _may_belong_to(message, row)]) for row in rows
    ]
    doubts = DoubtfulMessages()
    for row, sent in candidates:
        if sent and row.role in (BOARD_ROLE, TURN_ROLE):
            await _record_found(tables, row, sent[-1])
        elif not sent and parse_timestamp(row.at) + MAX_CLOCK_SKEW < parse_timestamp(tables.clock()):
            await messages.delete_message_rows(tables.db, row.id)  # too old to be on its way still
        else:
            doubts.rows_and_messages.append((row, sent))
    return doubts


async def _record_found(tables: Tables, row: ShownMessage, sent_message: discord.Message) -> None:
    """Store a found message and its pings; it will be edited, since it may have older content."""
    if row.role == TURN_ROLE:
        _, pinged = await pings.notifications_of_game(tables.db, row.game_id)
        mentioned = [
            user for user in pinged if user.thread == "pending" and user.user_id in sent_message.raw_mentions
        ]
        await pings.mark_pinged(tables.db, row.game_id, mentioned)
    await messages.record_changes(tables.db, replace(row, message_id=sent_message.id, shows=""))
    tables.record_message(row.game_id, row.role, sent_message.id)


def _may_belong_to(message: discord.Message, row: ShownMessage) -> bool:
    """True if a message may be this row's, judged without its text."""
    lines = [line for line in message.components if isinstance(line, discord.ActionRow)]
    ids = [getattr(part, "custom_id", "") or "" for line in lines for part in line.children]
    role = LINE_ROLE
    if any(re.fullmatch(VOTE_ID, one) for one in ids):
        role = PROPOSAL_ROLE
    elif any(re.fullmatch(REMATCH_ID, one) for one in ids):
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


def _begun_snowflake(row: ShownMessage, margin: timedelta = timedelta()) -> int:
    """The snowflake of the time when a row was stored, minus `margin`."""
    return discord.utils.time_snowflake(parse_timestamp(row.at) - margin)
