"""Direct messages: one for each user and all their waiting games, and daily digests; stale ones are deleted."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

import discord

from bot.client.buttons import BOARD, board_button, mute_button, view_of
from bot.client.game_texts import heading, steps
from bot.client.places.threads import SKEW
from bot.client.requests.permission_problems import Problem
from bot.table.bounded_caches import BoundedDict
from bot.table.digests import turn_link, write_digests
from bot.table.live import LiveGame
from bot.table.markdown import strong
from bot.table.orders.ended_orders import write_ended
from bot.table.orders.sealed_auction import ASKS, waited_for
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.outbox.notices import TurnChange, table_note
from bot.table.settings.person_settings import CLOSED, person_settings
from bot.table.tables import Tables
from engine.views import turn_view
from storage import (
    PEOPLE,
    Ping,
    StorageError,
    Transaction,
    direct_messages,
    games,
    log,
    outbox,
    parse_timestamp,
)

_log = logging.getLogger("stationmaster.direct_messages")

CLOSES: Final = (discord.Forbidden, discord.NotFound)
"""Discord's answers where a person takes no messages, or is not there any more."""
ROOM: Final = 1700
"""Characters of the games that are listed, of the 2000 that a message takes."""
MUTES: Final = 5
"""At most this many games have a button that mutes them: one row."""
BY_GROUP: Final = "The group plays this seat: propose a move with `/game propose`, or agree to one."
"""Text for a user who is pinged for a seat that is not theirs."""
LONGEST_PAUSE: Final = 300
"""Seconds between attempts to write to somebody, at most."""
KEPT: Final = 1_000
"""At most this many people are remembered to whom writing has failed."""


class _Entry(NamedTuple):
    """A waiting game and its text in a direct message."""

    game_id: int
    player: str
    text: str


class DirectMessages:
    """Sends direct messages; a recorded one that may have been sent is looked for first."""

    def __init__(self, client: discord.Client, tables: Tables, breaker: CircuitBreaker) -> None:
        self._client = client
        self._tables = tables
        self._db = tables.db
        self._breaker = breaker
        self._lock = asyncio.Lock()
        self._failed: BoundedDict[int, tuple[int, datetime]] = BoundedDict(KEPT)
        """Number of failures in a row and time of the next attempt, by person."""

    async def send(self) -> None:
        """Send everything due, one message at a time."""
        async with self._lock:
            await self._send()

    async def _send(self) -> None:
        old = await direct_messages.unsent_messages(self._db, self._tables.share)
        left = [dm for dm in old if not await self._resumed(dm)]
        for user_id, wanted in (await direct_messages.wanted_pings(self._db, self._tables.share)).items():
            if self._may_try(user_id):
                await self._queue_message(user_id, wanted)
        await write_digests(self._tables)
        await write_ended(self._tables)
        for dm in await direct_messages.unsent_messages(self._db, self._tables.share):
            if dm not in left and not self._breaker.is_open:
                await self._deliver(dm)

    async def _queue_message(self, user_id: int, wanted: Sequence[direct_messages.WantedPing]) -> None:
        """Send one message about all games that wait for a user."""
        now = parse_timestamp(self._tables.clock())
        if (await person_settings(self._db, user_id)).free(now) > now:
            return  # quiet hours: one message names everything at their end
        found = await self._entries(wanted)
        entries = [entry for _, entry in found if entry is not None]
        gone = [(one.game_id, one.ping.player_id) for one, entry in found if entry is None]
        await direct_messages.mark_not_wanted(self._db, user_id, gone)
        if not entries:
            return
        notifications = [(entry.game_id, entry.player) for entry in entries]
        text, at = _list_text(entries), self._tables.clock()
        await self._db.write(
            lambda tx: direct_messages.queue_message(
                tx, user_id, text, notifications, notifications[0][0], at
            )
        )

    async def _entries(
        self, wanted: Sequence[direct_messages.WantedPing]
    ) -> list[tuple[direct_messages.WantedPing, _Entry | None]]:
        """An entry for each game; those that cannot be loaded now are retried."""
        entries = []
        for one in wanted:
            try:
                entries.append((one, await self._entry(one)))
            except StorageError as error:
                _log.warning("game %s: direct message delayed: %s", one.game_id, error)
        return entries

    async def _entry(self, wanted_ping: direct_messages.WantedPing) -> _Entry | None:
        """The entry of a game; None if the user is no longer to be pinged."""
        pinged = wanted_ping.ping
        try:
            async with self._tables.reading(wanted_ping.game_id) as live:
                if not await self._is_right(live, pinged):
                    return None
                return _Entry(live.id, pinged.player_id, _of_game(live, pinged))
        except StorageError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever is wrong there keeps no other table waiting
            _log.warning("game %s: cannot send a direct message", wanted_ping.game_id, exc_info=error)
            return None

    async def _is_right(self, live: LiveGame, ping: Ping) -> bool:
        waits = not live.game.over and ping.player_id in await waited_for(self._db, live)
        plays = ping.user_id in live.people_of(ping.player_id)
        return waits and plays and live.move_obstacle(self._tables.clock()) is None

    async def _resumed(self, dm: direct_messages.DirectMessage) -> bool:
        """True once it is known whether a message was sent before a crash or a timeout."""
        if not self._may_try(dm.user_id):
            return False
        try:
            there = await self._sent_message_id(dm)
        except CLOSES:
            await self._handle_closed_messages(dm)
            return True
        except Problem as error:
            self._note_failure(dm, error)
            return False
        if there is not None:
            await direct_messages.mark_sent(self._db, dm, self._tables.clock(), there)
        elif dm.notifications:
            await direct_messages.withdraw_message(self._db, dm)
        return True

    async def _sent_message_id(self, dm: direct_messages.DirectMessage) -> int | None:
        """The message with this content, if it was sent."""
        channel = await self._client.create_dm(discord.Object(dm.user_id))
        began = parse_timestamp(dm.created_at) - SKEW
        first = discord.Object(discord.utils.time_snowflake(began))
        me = self._client.user
        # An earlier message may say the very same, and stand there still.
        others = {
            posted.message_id for posted in await direct_messages.messages_of_user(self._db, dm.user_id)
        }
        async for message in channel.history(limit=None, after=first, oldest_first=True):
            ours = me is not None and message.author.id == me.id and message.id not in others
            if ours and message.content == dm.text:
                return message.id
        return None

    async def _deliver(self, dm: direct_messages.DirectMessage) -> None:
        try:
            channel = await self._client.create_dm(discord.Object(dm.user_id))
            message = await channel.send(
                dm.text, view=_buttons(dm, board=self._tables.board.address is not None), nonce=_nonce(dm)
            )
        except CLOSES as error:
            _log.info("%s: the player does not accept direct messages: %s", _recipient(dm), error)
            await self._handle_closed_messages(dm)
        except Problem as error:
            self._note_failure(dm, error)
        else:
            await direct_messages.mark_sent(self._db, dm, self._tables.clock(), message.id)
            self._failed.pop(dm.user_id, None)
            if await PEOPLE.get(self._db, dm.user_id, CLOSED) is not None:
                await PEOPLE.forget(self._db, dm.user_id, CLOSED)

    async def _handle_closed_messages(self, dm: direct_messages.DirectMessage) -> None:
        """Tell the user in the threads instead, with the reason, once."""
        known, now = await PEOPLE.get(self._db, dm.user_id, CLOSED), self._tables.clock()
        text = (
            f"<@{dm.user_id}> does not accept direct messages from me, so I ping them here. "
            "`/pings` changes how I ping you."
        )

        async def change(tx: Transaction) -> None:
            await direct_messages.mark_closed(tx, dm)
            for game_id in dict.fromkeys(game for game, _ in dm.notifications):
                seq = await log.newest_seq(tx, game_id)
                await outbox.add_notices(tx, game_id, seq, [TurnChange((), None).notice()], now)
            if known is None:
                await PEOPLE.write(tx, dm.user_id, CLOSED, "closed")
            # A lobby has no thread.
            if known is None and (await games.lock_and_read(tx, dm.game_id)).status == "running":
                seq = await log.newest_seq(tx, dm.game_id)
                await outbox.add_notices(tx, dm.game_id, seq, table_note(text), now)

        await self._db.write(change)
        for game_id in {dm.game_id, *(game for game, _ in dm.notifications)}:
            self._tables.on_notice(game_id)

    def _may_try(self, user_id: int) -> bool:
        failed = self._failed.get(user_id)
        return failed is None or failed[1] <= parse_timestamp(self._tables.clock())

    def _note_failure(self, dm: direct_messages.DirectMessage, error: Exception) -> None:
        if self._breaker.is_open:
            return  # it says nothing about the person
        times, _ = self._failed.get(dm.user_id) or (0, None)
        pause = timedelta(seconds=min(2**times, LONGEST_PAUSE))
        self._failed[dm.user_id] = times + 1, parse_timestamp(self._tables.clock()) + pause
        _log.warning("%s: cannot send a direct message: %r", _recipient(dm), error)


def _recipient(dm: direct_messages.DirectMessage) -> str:
    """The recipient for the log: `game 3: seat p2`, without the account."""
    seats = [f"seat {player}" for game_id, player in dm.notifications if game_id == dm.game_id]
    return ": ".join([f"game {dm.game_id}", *seats[:1]])


def _nonce(dm: direct_messages.DirectMessage) -> str:
    """The message's nonce; numbers of withdrawn messages are used again."""
    return f"l{dm.id}.{int(parse_timestamp(dm.created_at).timestamp())}"


def _of_game(live: LiveGame, ping: Ping) -> str:
    """A game's entry: title, round, action and link."""
    view, row, moves = turn_view(live.game), live.row, ping.thread == "pending"
    link = turn_link(row).rpartition("/")[0] if moves and row.turn_message_id else turn_link(row)
    again = f" Reminder {ping.stage}." if ping.stage else ""
    asked = BY_GROUP if ping.player_id in live.by_group else ""
    asked = asked or ("" if ping.player_id in live.game.actors() else ASKS)
    said = (f"{strong(row.name)}, game {live.id}: {heading(view)}{again}", *view.duty, steps(view), asked)
    return "\n".join([*(line for line in said if line), f"[Go there]({link})"])


def _list_text(entries: Sequence[_Entry]) -> str:
    kept: list[str] = []
    for entry in entries:
        if kept and sum(map(len, kept)) + len(entry.text) > ROOM:
            break
        kept.append(entry.text)
    more = len(entries) - len(kept)
    many = "It is your move:" if len(entries) == 1 else f"It is your move in {len(entries)} games:"
    return "\n".join([many, *kept, *([f"And {more} more: `/mine` lists all."] if more else [])])


def _buttons(dm: direct_messages.DirectMessage, *, board: bool) -> discord.ui.View:
    """Buttons for each game: its board page, and muting."""
    shown = list(dict.fromkeys(game for game, _ in dm.notifications))[: MUTES // 2 if board else MUTES]
    several = len(shown) > 1
    boards = [board_button(game, f"Board of game {game}" if several else BOARD) for game in shown if board]
    mutes = [
        mute_button(game, f"Mute game {game} for this turn" if several else "Mute for this turn")
        for game in shown
    ]
    return view_of([*boards, *mutes])


# --- stale messages --------------------------------------------------------------------------------------------------

PAUSE: Final = timedelta(minutes=10)
"""Between attempts to delete a message that could not be deleted."""


class ExpiredDirectMessages:
    """Deletes direct pings of users who have acted, or were pinged again."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._later: BoundedDict[int, datetime] = BoundedDict(KEPT)
        """Time of the next attempt, by direct message."""

    async def delete_stale(self) -> None:
        """Delete all stale messages."""
        now = parse_timestamp(self._tables.clock())
        for dm in await direct_messages.stale_messages(self._tables.db, self._tables.share):
            if self._later.get(dm.dm_id, now) <= now:
                await self._delete(dm, now)

    async def delete_messages(self, posted: Sequence[direct_messages.PostedMessage]) -> None:
        """Delete these messages."""
        now = parse_timestamp(self._tables.clock())
        for dm in posted:
            await self._delete(dm, now)

    async def _delete(self, dm: direct_messages.PostedMessage, now: datetime) -> None:
        try:
            channel = await self._client.create_dm(discord.Object(dm.user_id))
            await channel.get_partial_message(dm.message_id).delete()
        except CLOSES:
            pass  # deleted by hand, or the user accepts no messages any more
        except Problem as error:
            self._later[dm.dm_id] = now + PAUSE
            _log.warning("cannot delete message %s: %r", dm.message_id, error)
            return
        await direct_messages.mark_deleted(self._tables.db, dm.dm_id)
