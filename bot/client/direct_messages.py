"""Direct messages: pings that list all games in which a user must act, digests, and deletion of stale messages."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

import discord

from bot.client.buttons import BOARD_LABEL, board_button, mute_button, view_with_items
from bot.client.game_texts import heading, steps_text
from bot.client.places.threads import MAX_CLOCK_SKEW
from bot.client.requests.permission_problems import DISCORD_ERRORS
from bot.table.bounded_caches import BoundedDict
from bot.table.digests import queue_digests, turn_link
from bot.table.live import LiveGame
from bot.table.markdown import strong
from bot.table.orders.ended_orders import queue_ended_order_messages
from bot.table.orders.sealed_auction import SEAL_HINT, players_who_must_act
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.outbox.notices import TurnChange, note_notices
from bot.table.settings.person_settings import NO_DIRECT_MESSAGES_KEY, person_settings
from bot.table.tables import Tables
from engine.views import turn_view
from storage import (
    PERSON_SETTINGS,
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

CLOSED_DM_ERRORS: Final = (discord.Forbidden, discord.NotFound)
"""Exceptions raised if a user accepts no direct messages or their account no longer exists."""
MAX_LIST_LENGTH: Final = 1700
"""Character limit for the list of games in a direct message; Discord allows 2000 in all."""
MAX_MUTE_BUTTONS: Final = 5
"""Limit of *Mute* buttons in a direct message; they fill one row."""
GROUP_SEAT_TEXT: Final = "The group plays this seat: propose a move with `/game propose`, or agree to one."
"""Text for a user who is pinged because an absent player's seat is played by the group (the other players)."""
MAX_RETRY_DELAY_SECONDS: Final = 300
"""Longest pause, in seconds, between attempts to send a user a direct message."""
MAX_REMEMBERED_FAILURES: Final = 1_000
"""Size limit for each of two caches: users, and messages, whose last request failed."""


class _GameEntry(NamedTuple):
    """A game that waits for the user, with its text in the direct message."""

    game_id: int
    player: str
    text: str


class DirectMessages:
    """Sends queued direct messages. After a crash, it first checks which of them were already sent."""

    def __init__(self, client: discord.Client, tables: Tables, breaker: CircuitBreaker) -> None:
        self._client = client
        self._tables = tables
        self._db = tables.db
        self._breaker = breaker
        self._lock = asyncio.Lock()
        self._failure_by_user: BoundedDict[int, tuple[int, datetime]] = BoundedDict(MAX_REMEMBERED_FAILURES)
        """By user id: the number of consecutive failures, and the time of the next attempt."""

    async def send(self) -> None:
        """Queue and send all direct messages that are due, one at a time."""
        async with self._lock:
            await self._send()

    async def _send(self) -> None:
        unsent_dms = await direct_messages.unsent_messages(self._db, self._tables.shards)
        unsettled_dms = [dm for dm in unsent_dms if not await self._record_if_sent(dm)]
        for user_id, wanted_pings in (
            await direct_messages.wanted_pings(self._db, self._tables.shards)
        ).items():
            if self._may_try_to_send(user_id):
                await self._queue_message(user_id, wanted_pings)
        await queue_digests(self._tables)
        await queue_ended_order_messages(self._tables)
        for dm in await direct_messages.unsent_messages(self._db, self._tables.shards):
            if dm not in unsettled_dms and not self._breaker.is_open:
                await self._deliver(dm)

    async def _queue_message(self, user_id: int, wanted_pings: Sequence[direct_messages.WantedPing]) -> None:
        """Queue one direct message about all games that wait for the user and whose pings are due."""
        # Servers may have different quiet hours; after them, all games are in one message.
        due_pings = [
            wanted_ping for wanted_ping in wanted_pings if await self._may_ping(user_id, wanted_ping.game_id)
        ]
        pings_and_entries = await self._list_entries(due_pings)
        entries = [entry for _, entry in pings_and_entries if entry is not None]
        outdated_notifications = [
            (wanted_ping.game_id, wanted_ping.ping.player_id)
            for wanted_ping, entry in pings_and_entries
            if entry is None
        ]
        await direct_messages.mark_message_not_needed(self._db, user_id, outdated_notifications)
        if not entries:
            return
        notifications = [(entry.game_id, entry.player) for entry in entries]
        text, queued_at = _list_text(entries), self._tables.clock()
        await self._db.write(
            lambda tx: direct_messages.queue_message(
                tx, user_id, text, notifications, notifications[0][0], queued_at
            )
        )

    async def _may_ping(self, user_id: int, game_id: int) -> bool:
        """True if a user may be pinged about a game now, being neither absent nor in quiet hours."""
        now, row = parse_timestamp(self._tables.clock()), await games.get_game(self._db, game_id)
        return (await person_settings(self._db, user_id, row.guild_id)).next_ping_time(now) <= now

    async def _list_entries(
        self, wanted_pings: Sequence[direct_messages.WantedPing]
    ) -> list[tuple[direct_messages.WantedPing, _GameEntry | None]]:
        entries = []
        for wanted_ping in wanted_pings:
            try:
                entries.append((wanted_ping, await self._make_entry(wanted_ping)))
            except StorageError as error:
                _log.warning("game %s: direct message delayed: %s", wanted_ping.game_id, error)
        return entries

    async def _make_entry(self, wanted_ping: direct_messages.WantedPing) -> _GameEntry | None:
        """A game's entry in the direct message; None if the user no longer needs this ping."""
        ping = wanted_ping.ping
        try:
            async with self._tables.reading(wanted_ping.game_id) as live:
                if not await self._is_still_due(live, ping):
                    return None
                return _GameEntry(live.id, ping.player_id, _game_text(live, ping))
        except StorageError:
            raise
        except Exception as error:  # noqa: BLE001 - a failure in one game must not stop the others
            _log.warning("game %s: cannot send a direct message", wanted_ping.game_id, exc_info=error)
            return None

    async def _is_still_due(self, live: LiveGame, ping: Ping) -> bool:
        is_waited_for = not live.game.is_over and ping.player_id in await players_who_must_act(self._db, live)
        is_playing_seat = ping.user_id in live.users_to_ping(ping.player_id)
        return is_waited_for and is_playing_seat and live.move_obstacle(self._tables.clock()) is None

    async def _record_if_sent(self, dm: direct_messages.DirectMessage) -> bool:
        """Record whether a queued message was sent before a crash. False if Discord does not answer."""
        if not self._may_try_to_send(dm.user_id):
            return False
        try:
            message_id = await self._sent_message_id(dm)
        except CLOSED_DM_ERRORS:
            await self._handle_closed_dms(dm)
            return True
        except DISCORD_ERRORS as error:
            self._record_send_failure(dm, error)
            return False
        if message_id is not None:
            await direct_messages.mark_sent(self._db, dm, self._tables.clock(), message_id)
        elif dm.notifications:
            await direct_messages.withdraw_message(self._db, dm)
        return True

    async def _sent_message_id(self, dm: direct_messages.DirectMessage) -> int | None:
        """Discord's id of a message sent before a crash, found by its text; None if it was not sent."""
        channel = await self._client.create_dm(discord.Object(dm.user_id))
        search_start = parse_timestamp(dm.created_at) - MAX_CLOCK_SKEW
        after_message = discord.Object(discord.utils.time_snowflake(search_start))
        own_user = self._client.user
        # An earlier message may have the same text.
        known_ids = {
            sent_dm.message_id for sent_dm in await direct_messages.messages_of_user(self._db, dm.user_id)
        }
        async for message in channel.history(limit=None, after=after_message, oldest_first=True):
            is_ours = (
                own_user is not None and message.author.id == own_user.id and message.id not in known_ids
            )
            if is_ours and message.content == dm.text:
                return message.id
        return None

    async def _deliver(self, dm: direct_messages.DirectMessage) -> None:
        try:
            channel = await self._client.create_dm(discord.Object(dm.user_id))
            message = await channel.send(
                dm.text,
                view=_buttons(dm, has_board_page=self._tables.board_links.address is not None),
                nonce=_message_nonce(dm),
            )
        except CLOSED_DM_ERRORS as error:
            _log.info("%s: the player does not accept direct messages: %s", _recipient_text(dm), error)
            await self._handle_closed_dms(dm)
        except DISCORD_ERRORS as error:
            self._record_send_failure(dm, error)
        else:
            await direct_messages.mark_sent(self._db, dm, self._tables.clock(), message.id)
            self._failure_by_user.pop(dm.user_id, None)
            if await PERSON_SETTINGS.get(self._db, dm.user_id, NO_DIRECT_MESSAGES_KEY) is not None:
                await PERSON_SETTINGS.forget(self._db, dm.user_id, NO_DIRECT_MESSAGES_KEY)

    async def _handle_closed_dms(self, dm: direct_messages.DirectMessage) -> None:
        """Ping a user who accepts no DMs, in their games' threads. The first time, a line there explains why."""
        dms_closed_setting, now = (
            await PERSON_SETTINGS.get(self._db, dm.user_id, NO_DIRECT_MESSAGES_KEY),
            self._tables.clock(),
        )
        text = (
            f"<@{dm.user_id}> does not accept direct messages from me, so I ping them here. "
            "`/pings` changes how I ping you."
        )

        async def store_and_notify(tx: Transaction) -> None:
            await direct_messages.mark_direct_messages_closed(tx, dm)
            for game_id in dict.fromkeys(game for game, _ in dm.notifications):
                seq = await log.newest_seq(tx, game_id)
                await outbox.add_notices(tx, game_id, seq, [TurnChange((), None).notice()], now)
            if dms_closed_setting is None:
                await PERSON_SETTINGS.write(tx, dm.user_id, NO_DIRECT_MESSAGES_KEY, "closed")
            # Only a started game has a thread.
            if dms_closed_setting is None and (await games.lock_and_read(tx, dm.game_id)).status == "running":
                seq = await log.newest_seq(tx, dm.game_id)
                await outbox.add_notices(tx, dm.game_id, seq, note_notices(text), now)

        await self._db.write(store_and_notify)
        for game_id in {dm.game_id, *(game for game, _ in dm.notifications)}:
            self._tables.on_notice(game_id)

    def _may_try_to_send(self, user_id: int) -> bool:
        failure = self._failure_by_user.get(user_id)
        return failure is None or failure[1] <= parse_timestamp(self._tables.clock())

    def _record_send_failure(self, dm: direct_messages.DirectMessage, error: Exception) -> None:
        if self._breaker.is_open:
            return  # the failure is Discord's, not the user's
        failure_count, _ = self._failure_by_user.get(dm.user_id) or (0, None)
        retry_delay = timedelta(seconds=min(2**failure_count, MAX_RETRY_DELAY_SECONDS))
        self._failure_by_user[dm.user_id] = (
            failure_count + 1,
            parse_timestamp(self._tables.clock()) + retry_delay,
        )
        _log.warning("%s: cannot send a direct message: %r", _recipient_text(dm), error)


def _recipient_text(dm: direct_messages.DirectMessage) -> str:
    """Words for the recipient in log lines, by seat instead of user id: `game 3: seat p2`."""
    seat_texts = [f"seat {player}" for game_id, player in dm.notifications if game_id == dm.game_id]
    return ": ".join([f"game {dm.game_id}", *seat_texts[:1]])


def _message_nonce(dm: direct_messages.DirectMessage) -> str:
    """A nonce, so that Discord does not post a message twice. It contains the time, since databases reuse row ids."""
    return f"l{dm.id}.{int(parse_timestamp(dm.created_at).timestamp())}"


def _game_text(live: LiveGame, ping: Ping) -> str:
    view, row, is_in_turn_message = live.view(turn_view), live.row, ping.thread == "pending"
    turn_message_link = (
        turn_link(row).rpartition("/")[0] if is_in_turn_message and row.turn_message_id else turn_link(row)
    )
    reminder_text = f" Reminder {ping.stage}." if ping.stage else ""
    note = GROUP_SEAT_TEXT if ping.player_id in live.group_players else ""
    note = note or ("" if ping.player_id in live.game.actors() else SEAL_HINT)
    lines = (
        f"{strong(row.name)}, game {live.id}: {heading(view)}{reminder_text}",
        *view.duty_lines,
        steps_text(view),
        note,
    )
    return "\n".join([*(line for line in lines if line), f"[Go there]({turn_message_link})"])


def _list_text(entries: Sequence[_GameEntry]) -> str:
    entry_texts: list[str] = []
    for entry in entries:
        if entry_texts and sum(map(len, entry_texts)) + len(entry.text) > MAX_LIST_LENGTH:
            break
        entry_texts.append(entry.text)
    omitted_entry_count = len(entries) - len(entry_texts)
    heading = "It is your move:" if len(entries) == 1 else f"It is your move in {len(entries)} games:"
    return "\n".join(
        [
            heading,
            *entry_texts,
            *([f"And {omitted_entry_count} more: `/mine` lists all."] if omitted_entry_count else []),
        ]
    )


def _buttons(dm: direct_messages.DirectMessage, *, has_board_page: bool) -> discord.ui.View:
    game_ids = list(dict.fromkeys(game for game, _ in dm.notifications))[
        : MAX_MUTE_BUTTONS // 2 if has_board_page else MAX_MUTE_BUTTONS
    ]
    has_several_games = len(game_ids) > 1
    board_buttons = [
        board_button(game, f"Board of game {game}" if has_several_games else BOARD_LABEL)
        for game in game_ids
        if has_board_page
    ]
    mute_buttons = [
        mute_button(game, f"Mute game {game} for this turn" if has_several_games else "Mute for this turn")
        for game in game_ids
    ]
    return view_with_items([*board_buttons, *mute_buttons])


# --- stale messages --------------------------------------------------------------------------------------------------

DELETE_RETRY_DELAY: Final = timedelta(minutes=10)
"""Time until another attempt to delete a direct message."""


class ExpiredDirectMessages:
    """Deletes direct messages that are out of date: the user has acted or was pinged again."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._retry_at_by_message: BoundedDict[int, datetime] = BoundedDict(MAX_REMEMBERED_FAILURES)
        """By row id of a direct message: the time of the next attempt to delete it."""

    async def delete_stale(self) -> None:
        """Delete all direct messages that are out of date."""
        now = parse_timestamp(self._tables.clock())
        for dm in await direct_messages.stale_messages(self._tables.db, self._tables.shards):
            if self._retry_at_by_message.get(dm.dm_id, now) <= now:
                await self._delete(dm, now)

    async def delete_messages(self, sent_dms: Sequence[direct_messages.SentDirectMessage]) -> None:
        """Delete these direct messages on Discord."""
        now = parse_timestamp(self._tables.clock())
        for dm in sent_dms:
            await self._delete(dm, now)

    async def _delete(self, dm: direct_messages.SentDirectMessage, now: datetime) -> None:
        try:
            channel = await self._client.create_dm(discord.Object(dm.user_id))
            await channel.get_partial_message(dm.message_id).delete()
        except CLOSED_DM_ERRORS:
            pass  # deleted by the user, or they accept no direct messages any more
        except DISCORD_ERRORS as error:
            self._retry_at_by_message[dm.dm_id] = now + DELETE_RETRY_DELAY
            _log.warning("cannot delete message %s: %r", dm.message_id, error)
            return
        await direct_messages.mark_deleted(self._tables.db, dm.dm_id)
