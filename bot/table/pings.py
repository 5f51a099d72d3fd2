"""Pings: a player is pinged once, and reminded later; each step is worked out here and stored in one transaction."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeAlias

from bot.table.live import LiveGame, chosen_settings, pending_notifications
from bot.table.markdown import discord_time, strong
from bot.table.orders.sealed_auction import waited_for
from bot.table.outbox.notices import ThreadPing, TurnChange
from bot.table.settings.person_settings import (
    PersonSettings,
    end_of_waking_time,
    for_moderators,
    person_settings,
    reminder_gap,
)
from bot.table.settings.server_settings import moderator_role
from bot.table.settings.table_settings import REMINDERS
from bot.table.tables import Tables
from storage import (
    Game,
    Notification,
    OutboxMessage,
    Ping,
    StorageError,
    Transaction,
    format_timestamp,
    games,
    log,
    outbox,
    parse_timestamp,
    pings,
)

_log = logging.getLogger("stationmaster.pings")

PING_AFTER: Final = timedelta(seconds=30)
"""How long a player on turn has before they are pinged."""
WAITING: Final = timedelta(hours=1)
"""When a game is looked at again that could not be read, or in which no move is taken."""
UNSEEN: Final = timedelta(minutes=1)
"""When a game is looked at again whose thread could not show a move."""

Shows: TypeAlias = Callable[[Game], Awaitable[bool]]
"""Returns whether the thread of a game could show a move; where it could not, moves are refused."""


async def _always(_: Game) -> bool:
    return True


class Pings(NamedTuple):
    """The users whom a turn message names, and those of them whom it notifies now."""

    named: tuple[Ping, ...] = ()
    now: tuple[Ping, ...] = ()


class PingPlanner:
    """Looks for pings that are due."""

    def __init__(self, tables: Tables, after: timedelta = PING_AFTER, shows: Shows = _always) -> None:
        self._tables = tables
        self._db = tables.db
        self._after = after
        self._shows = shows

    async def look(self) -> None:
        """Take the next step for everybody of this share to whom one is due."""
        now = self._now()
        found = await pings.due(
            self._db, format_timestamp(now), format_timestamp(now - self._after), self._tables.share
        )
        for game_id in found:
            try:
                await self._look_at(game_id)
            except StorageError as error:
                _log.warning("game %s: ping postponed: %s", game_id, error)
            except Exception as error:  # noqa: BLE001 - whatever is wrong there keeps no other table waiting
                _log.warning("game %s: ping failed", game_id, exc_info=error)
                await self._later(game_id, now + WAITING)

    async def pending(self, live: LiveGame) -> Pings:
        """The pings of the turn message posted now; raises StorageError."""
        if live.held_up(self._tables.clock()) is not None:
            return Pings()
        notifications, found = await self._notifications(live)
        if await self._take(live, notifications, found, announced=()) is not None:
            _, found = await pings.of_game(self._db, live.id)
        mine = [one for one in found if one.thread != "no" and one.user_id in live.people_of(one.player_id)]
        unposted = [one for one in mine if one.thread == "pending"]
        put_off = [one for one in unposted if not await self._may_be_pinged(live, one)]
        named = tuple(one for one in mine if one not in put_off)
        return Pings(named, tuple(one for one in named if one.thread == "pending"))

    async def _may_be_pinged(self, live: LiveGame, one: Ping) -> bool:
        """True if a user may still be pinged now; in quiet hours they are pinged later."""
        now, person = self._now(), await person_settings(self._db, one.user_id)
        free = person.free(now)
        if free > now:
            await pings.put_off(self._db, live.id, one, format_timestamp(free))
        return free <= now

    async def _look_at(self, game_id: int) -> None:
        if not await self._shows(await games.get_game(self._db, game_id)):
            await self._later(game_id, self._now() + UNSEEN)
            return
        async with self._tables.reading(game_id) as live:
            # Posted anew, the turn message pings everybody who is due.
            announced = [TurnChange((), None).notice()]
            if live.held_up(self._tables.clock()) is not None:
                # The player on turn is pinged anew when the game resumes.
                await self._later(game_id, self._now() + WAITING)
                return
            changed = await self._take(live, *await self._notifications(live), announced)
        if changed:
            self._tables.on_notice(game_id)

    async def _take(
        self,
        live: LiveGame,
        notifications: Sequence[Notification],
        pinged: Sequence[Ping],
        announced: Sequence[OutboxMessage],
    ) -> bool | None:
        """Take the next step of each notification that is due: whether it posts anything, None where none is due."""
        now = self._now()
        due = [notification for notification in notifications if self._is_due(notification, now)]
        if not due:
            return None
        pace = (await chosen_settings(self._db, live))[REMINDERS.name]
        taken = [
            await self._step(
                live, notification, [one for one in pinged if one.player_id == notification.player_id], pace
            )
            for notification in due
        ]
        pings_thread = any(one.thread == "pending" for step in taken for one in step.pinged)
        warnings = [await self._warning(live, step) for step in taken if _warns(step, pace)]
        return await self._store(live, taken, [*warnings, *(announced if pings_thread else ())])

    async def _notifications(self, live: LiveGame) -> tuple[list[Notification], list[Ping]]:
        """The pending notifications of those who are waited for, and the pings sent; what does not fit is corrected."""
        notifications, pinged = await pending_notifications(self._db, live)
        acting = await waited_for(self._db, live)
        if {notification.player_id for notification in notifications} == set(acting):
            return notifications, pinged
        fitting, now = pings.NotificationChanges((), None, acting), self._tables.clock()
        await self._db.write(lambda tx: fitting.write(tx, live.id, live.seq, now))
        live.known = None
        return await pings.of_game(self._db, live.id)

    async def _store(
        self, live: LiveGame, taken: Sequence[pings.Step], announced: Sequence[OutboxMessage]
    ) -> bool:
        async def change(tx: Transaction) -> bool:
            await games.lock_and_read(tx, live.id)
            if await log.newest(tx, live.id) != live.seq:
                return False  # another process has moved it on
            stepped = [await pings.step(tx, live.id, one) for one in taken]
            posts = announced if any(stepped) else ()
            await outbox.add(tx, live.id, live.seq, posts, self._tables.clock())
            return bool(posts)

        live.known = None
        return await self._db.write(change)

    async def _step(
        self, live: LiveGame, notification: Notification, pinged: Sequence[Ping], pace: str
    ) -> pings.Step:
        asked = {
            user: await person_settings(self._db, user) for user in live.people_of(notification.player_id)
        }
        # Of several, those who are present do not wait for the absent.
        people = {user: one for user, one in asked.items() if not one.is_away(self._now())} or asked
        if notification.stage == 0:
            return self._call(notification, pinged, people, pace)
        return self._remind(notification, pinged, people, pace)

    def _call(
        self, notification: Notification, pinged: Sequence[Ping], people: dict[int, PersonSettings], pace: str
    ) -> pings.Step:
        """Ping everybody who may be pinged now; the others when they may."""
        now, done = self._now(), {one.user_id for one in pinged}
        free = {user: person.free(now) for user, person in people.items() if user not in done}
        new = tuple(_pinged(notification, user, people[user]) for user, at in free.items() if at <= now)
        later = [at for at in free.values() if at > now]
        if later:
            return pings.Step(notification, 0, notification.at, format_timestamp(min(later)), new)
        return pings.Step(notification, 1, format_timestamp(now), _next(now, people, pace, 1), new)

    def _remind(
        self, notification: Notification, pinged: Sequence[Ping], people: dict[int, PersonSettings], pace: str
    ) -> pings.Step:
        """Remind those who want reminders, if it is time."""
        now, at = self._now(), parse_timestamp(notification.at)
        ready = _next(at, people, pace, notification.stage)
        if ready is None or ready > format_timestamp(now):
            return pings.Step(notification, notification.stage, notification.at, ready)
        muted = {one.user_id for one in pinged if one.muted}
        wanting = [user for user, person in people.items() if user not in muted and person.reminders]
        wants = [] if for_moderators(pace, notification.stage) else wanting
        free = {user: people[user].free(now) for user in wants}
        new = tuple(_pinged(notification, user, people[user]) for user, at in free.items() if at <= now)
        if free and not new:
            return pings.Step(
                notification, notification.stage, notification.at, format_timestamp(min(free.values()))
            )
        stage = notification.stage + 1
        return pings.Step(notification, stage, format_timestamp(now), _next(now, people, pace, stage), new)

    async def _warning(self, live: LiveGame, step: pings.Step) -> OutboxMessage:
        role = await moderator_role(self._db, live.row.guild_id)
        since = discord_time(parse_timestamp(step.before.since))
        text = (
            f"This game has waited for {strong(live.name_of(step.before.player_id))} since {since}. "
            "Moderators: `/mod act` makes the move, `/mod replace` gives the seat to another member or the computer. "
            "Players: `/game agreement` and `/game replace` propose the same."
        )
        return ThreadPing((), text, role).notice()

    async def _later(self, game_id: int, at: datetime) -> None:
        notifications, _ = await pings.of_game(self._db, game_id)

        async def change(tx: Transaction) -> None:
            for notification in notifications:
                await pings.step(
                    tx,
                    game_id,
                    pings.Step(notification, notification.stage, notification.at, format_timestamp(at)),
                )

        await self._db.write(change)

    def _is_due(self, notification: Notification, now: datetime) -> bool:
        pinged = notification.stage > 0 or notification.since <= format_timestamp(now - self._after)
        return notification.due_at is not None and notification.due_at <= format_timestamp(now) and pinged

    def _now(self) -> datetime:
        return parse_timestamp(self._tables.clock())


def _pinged(notification: Notification, user: int, person: PersonSettings) -> Ping:
    thread: pings.Thread = "no" if person.how == "direct" else "pending"
    direct: pings.Direct = "no" if person.how == "thread" else "pending"
    return Ping(notification.player_id, user, notification.stage, thread, direct)


def _next(since: datetime, people: dict[int, PersonSettings], pace: str, stage: int) -> str | None:
    span = reminder_gap(pace, stage)
    if span is None or not people:
        return None
    return format_timestamp(min(end_of_waking_time(since, span, person) for person in people.values()))


def _warns(step: pings.Step, pace: str) -> bool:
    return step.stage > step.before.stage and for_moderators(pace, step.before.stage)
