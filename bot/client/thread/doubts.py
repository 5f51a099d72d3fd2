"""Messages that may have been sent before a crash or timeout.

They are recognised by the ids of their buttons, their embeds, or a file name. A message without any of these is
recognised because it is the bot's only message without a database row, as a game's posts are sent one at a time.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

import discord

from bot.client.buttons import REMATCH_BUTTON_PATTERN, VOTE_BUTTON_PATTERN
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
        return any(
            candidates for row, candidates in self.rows_and_messages if (row.role, row.key) == (role, key)
        )

    def take_row(self, role: str, key: str) -> tuple[ThreadMessage | None, list[discord.Message]]:
        """Remove and return the row of a post that may have been sent, with its messages.

        If there is none, an unsent post's row with the same role is reused, so that the message's nonce stays the same.
        """
        rows_with_candidates = [
            row_and_messages
            for row_and_messages in self.rows_and_messages
            if row_and_messages[0].role == role
        ]
        for candidate in [
            row_and_messages for row_and_messages in rows_with_candidates if row_and_messages[0].key == key
        ] + [row_and_messages for row_and_messages in rows_with_candidates if not row_and_messages[1]]:
            self.rows_and_messages.remove(candidate)
            return candidate
        return None, []


async def find_unconfirmed_messages(
    tables: Tables, threads: Threads, game: GameRow, roles: Sequence[str]
) -> UnconfirmedMessages:
    """Search a game's thread for posts of these kinds (`roles`) that may have been sent before a crash.

    Board posts and turn messages that are found are recorded at once.
    """
    rows = (
        await messages.possibly_unsent_messages(tables.db, game.id) if game.may_have_unsent_messages else []
    )
    rows = [row for row in rows if row.role in roles]
    if not rows or game.thread_id is None:
        return UnconfirmedMessages([(row, []) for row in rows])
    after_id = _snowflake_of_row(rows[0], MAX_CLOCK_SKEW)
    # A game's first post is its board.
    if game.board_message_id is not None and game.board_message_id < _snowflake_of_row(rows[0]):
        after_id = max(after_id, game.board_message_id)
    known_message_ids = await messages.message_ids_after(tables.db, game.id, after_id)
    bot_messages = [
        message
        for message in await threads.bot_posts_in_thread(game, after_id)
        if message.id not in known_message_ids
    ]
    rows_with_candidates = [
        (row, [message for message in bot_messages if _may_belong_to(message, row)]) for row in rows
    ]
    unconfirmed = UnconfirmedMessages()
    for row, candidates in rows_with_candidates:
        if candidates and row.role in (BOARD_ROLE, TURN_ROLE):
            await _record_found_message(tables, row, candidates[-1])
        elif not candidates and parse_timestamp(row.at) + MAX_CLOCK_SKEW < parse_timestamp(tables.clock()):
            await messages.delete_message_rows(tables.db, row.id)  # too old to be on its way still
        else:
            unconfirmed.rows_and_messages.append((row, candidates))
    return unconfirmed


async def _record_found_message(tables: Tables, row: ThreadMessage, sent_message: discord.Message) -> None:
    """Record a message found after a crash, and its pings. It will be edited, since its content may be outdated."""
    if row.role == TURN_ROLE:
        _, sent_pings = await pings.notifications_of_game(tables.db, row.game_id)
        mentioned_pings = [
            ping
            for ping in sent_pings
            if ping.thread == "pending" and ping.user_id in sent_message.raw_mentions
        ]
        await pings.mark_pinged(tables.db, row.game_id, mentioned_pings)
    await messages.record_message_changes(tables.db, replace(row, message_id=sent_message.id, shows=""))
    tables.record_message(row.game_id, row.role, sent_message.id)


def _may_belong_to(message: discord.Message, row: ThreadMessage) -> bool:
    """True if a message may be the post of this row, judged by buttons, embeds and files, not by its text."""
    action_rows = [
        action_row for action_row in message.components if isinstance(action_row, discord.ActionRow)
    ]
    custom_ids = [
        getattr(component, "custom_id", "") or ""
        for action_row in action_rows
        for component in action_row.children
    ]
    role = LINE_ROLE
    if any(re.fullmatch(VOTE_BUTTON_PATTERN, custom_id) for custom_id in custom_ids):
        role = PROPOSAL_ROLE
    elif any(re.fullmatch(REMATCH_BUTTON_PATTERN, custom_id) for custom_id in custom_ids):
        role = END_ROLE
    elif any(re.fullmatch(rf"\w+:{row.game_id}(:.*)?", custom_id) for custom_id in custom_ids):
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
