"""Messages that may or may not have been sent, after a crash or a timeout.

Such a message is known by a mark that no rewording changes: the ids of its buttons, what it shows, the name
of a file; or, where it has none, by being ours and noted nowhere: a queue sends one after the other, so
that there is one at most.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

import discord

from bot.client.buttons import REMATCH_ID, VOTE_ID
from bot.client.places.threads import SKEW, Threads
from bot.client.thread.desired import BOARD, END, LINE, PAPERS, PROPOSAL, TURN
from bot.client.thread.final_posts import record_name
from bot.table.tables import Tables
from storage import GameRow, ShownMessage, messages, parse_timestamp, pings


@dataclass(slots=True)
class DoubtfulMessages:
    """Rows of doubtful messages, each with the messages found for it."""

    rows_and_messages: list[tuple[ShownMessage, list[discord.Message]]] = field(default_factory=list)

    @property
    def line_keys(self) -> list[str]:
        """Keys of lines among them."""
        return [row.key for row, _ in self.rows_and_messages if row.role == LINE]

    def has(self, role: str, key: str) -> bool:
        """True if a post was sent."""
        return any(sent for row, sent in self.rows_and_messages if (row.role, row.key) == (role, key))

    def take_row(self, role: str, key: str) -> tuple[ShownMessage | None, list[discord.Message]]:
        """The row of a post that may have been sent, with its messages.

        Else one of its role without a message, so that it is sent under the same nonce.
        """
        mine = [doubt for doubt in self.rows_and_messages if doubt[0].role == role]
        for one in [doubt for doubt in mine if doubt[0].key == key] + [
            doubt for doubt in mine if not doubt[1]
        ]:
            self.rows_and_messages.remove(one)
            return one
        return None, []


async def look_for_messages(
    tables: Tables, threads: Threads, game: GameRow, roles: Sequence[str]
) -> DoubtfulMessages:
    """Look for doubtful messages of these roles; boards and turns are recorded at once."""
    rows = await messages.in_doubt(tables.db, game.id) if game.in_doubt else []
    rows = [row for row in rows if row.role in roles]
    if not rows or game.thread_id is None:
        return DoubtfulMessages([(row, []) for row in rows])
    first = _time(rows[0], SKEW)
    # Nothing of a game is posted before its board.
    if game.board_message_id is not None and game.board_message_id < _time(rows[0]):
        first = max(first, game.board_message_id)
    known = await messages.numbers(tables.db, game.id, first)
    ours = [message for message in await threads.own_posts(game, first) if message.id not in known]
    marked = [(row, [message for message in ours if _bears_mark(message, row)]) for row in rows]
    doubts = DoubtfulMessages()
    for row, sent in marked:
        if sent and row.role in (BOARD, TURN):
            await _record_found(tables, row, sent[-1])
        elif not sent and parse_timestamp(row.at) + SKEW < parse_timestamp(tables.clock()):
            await messages.delete_rows(tables.db, row.id)  # it is on its way no more
        else:
            doubts.rows_and_messages.append((row, sent))
    return doubts


async def _record_found(tables: Tables, row: ShownMessage, sent: discord.Message) -> None:
    """Record a found message and its pings; it is edited, since another version may have made it."""
    if row.role == TURN:
        _, pinged = await pings.notifications_of_game(tables.db, row.game_id)
        mentioned = [
            user for user in pinged if user.thread == "pending" and user.user_id in sent.raw_mentions
        ]
        await pings.mark_pinged(tables.db, row.game_id, mentioned)
    await messages.record_changes(tables.db, replace(row, message_id=sent.id, shows=""))
    tables.record_message(row.game_id, row.role, sent.id)


def _bears_mark(message: discord.Message, row: ShownMessage) -> bool:
    """True if a message may belong to this row, whatever its text."""
    lines = [line for line in message.components if isinstance(line, discord.ActionRow)]
    ids = [getattr(part, "custom_id", "") or "" for line in lines for part in line.children]
    role = LINE
    if any(re.fullmatch(VOTE_ID, one) for one in ids):
        role = PROPOSAL
    elif any(re.fullmatch(REMATCH_ID, one) for one in ids):
        role = END
    elif any(re.fullmatch(rf"\w+:{row.game_id}(:.*)?", one) for one in ids):
        role = TURN
    elif len(message.embeds) > 1:
        role = BOARD
    elif any(file.filename == record_name(row.game_id) for file in message.attachments):
        role = PAPERS
    # A proposal that is settled already has no buttons; lines, rounds and pings have no mark at all.
    return role == row.role or (role == LINE and row.role not in (TURN, END, BOARD, PAPERS))


def _time(row: ShownMessage, before: timedelta = timedelta()) -> int:
    """The snowflake of the time when a row was begun, or earlier."""
    return discord.utils.time_snowflake(parse_timestamp(row.at) - before)
