"""Pauses: for a while no move is possible in a game, and nobody is pinged."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.orders.caretaking import resume
from bot.table.orders.sealed import waited_for
from bot.table.outbox import notices
from bot.table.outbox.notices import Line
from bot.table.tables import Tables
from storage.posts.outbox import OutboxMessage
from storage.tables import pauses
from storage.tables.pauses import Pause
from storage.timestamps import moment, stored

ALONE_AT_MOST: Final = 2
"""For this many days a player lets a game pause without asking the others."""
NOT_AGAIN: Final = timedelta(days=14)
"""For this long after such a pause its player asks the others for the next one."""


async def begin_pause(
    tables: Tables, game_id: int, user_id: int, days: int | None, *, alone: bool = False
) -> str:
    """Pause a game for N days, or (None) until it is resumed; `alone`: as a player who asks nobody."""
    async with tables.reading(game_id) as live:
        now = tables.clock()
        require_unpaused(live, now)
        pause = pause_of(user_id, days, now, alone=alone)
        text = f"<@{user_id}> lets the game pause {until(pause)}; `/game resume` ends the pause."
        await pauses.begin(tables.db, game_id, pause, seq=live.seq, notices=[Line(text).notice()])
    _changed(tables, game_id)
    return text


async def why_not_alone(tables: Tables, game_id: int, user_id: int, days: int | None) -> str | None:
    """Why a player asks the others for a pause, and from when on not; None where they may pause alone."""
    async with tables.reading(game_id) as live:
        require_unpaused(live, tables.clock())
        if not [user for user in present(live) if user != user_id]:
            return None
    if days is None or days > ALONE_AT_MOST:
        return f"A pause of more than {ALONE_AT_MOST} days needs more than half of the players."
    last = await pauses.ended_last(tables.db, game_id, user_id)
    again = None if last is None else moment(last) + NOT_AGAIN
    if again is None or again <= moment(tables.clock()):
        return None
    return (
        "You have let this game pause lately, so this needs more than half of the players; alone you may again "
        f"from <t:{int(again.timestamp())}:f> on."
    )


async def end_pause(tables: Tables, game_id: int, user_id: int) -> str:
    """Resume a paused game, or one whose caretakers wait; the player on turn is pinged again."""
    if await resume(tables, game_id):
        return f"<@{user_id}> resumes the caretaker."
    async with tables.reading(game_id) as live:
        now = tables.clock()
        text = f"<@{user_id}> resumes the game."
        posts = await _begins_again(tables, live, text)
        if not await pauses.end(tables.db, game_id, seq=live.seq, notices=posts, now=now):
            raise Refused(f"Game {game_id} does not pause.")
    _changed(tables, game_id)
    return text


async def expire_pause(tables: Tables, game_id: int) -> None:
    """End a pause whose time is over: the thread says so, and the player on turn is pinged; else nothing."""
    async with tables.reading(game_id) as live:
        now, pause = tables.clock(), await pauses.find(tables.db, game_id)
        if pause is None or pause.lasts(now):
            return
        posts = await _begins_again(tables, live, "The pause is over: the game continues.")
        await pauses.end(tables.db, game_id, seq=live.seq, notices=posts, now=now)
    _changed(tables, game_id)


async def _begins_again(tables: Tables, live: LiveGame, text: str) -> list[OutboxMessage]:
    """The line, and the ping to all that the game waits for, in one post below that of the pause."""
    over = notices.hand_over((), await waited_for(tables.db, live), None)
    return notices.aside(text, replace(over, passes=True).notice())


def _changed(tables: Tables, game_id: int) -> None:
    tables.forget(game_id)
    tables.on_notice(game_id)


def require_unpaused(live: LiveGame, now: str) -> None:
    """Raise Refused for a game that has ended or pauses already."""
    if live.row.status != "running":
        raise Refused(f"Game {live.id} has ended.")
    if live.pause is not None and live.pause.lasts(now):
        raise Refused(f"Game {live.id} pauses already. `/game resume` ends the pause.")


def present(live: LiveGame) -> tuple[int, ...]:
    """The holders of seats for whom nobody else plays because they have vanished."""
    vanished = live.by_group | live.by_caretaker
    return tuple(seat.user_id for seat in live.seats if seat.player_id not in vanished)


def pause_of(user_id: int, days: int | None, now: str, *, alone: bool = False) -> Pause:
    """A pause that begins now and lasts N days, or (None) until it is ended."""
    end = None if days is None else stored(moment(now) + timedelta(days=days))
    return Pause(user_id, end, now, alone)


def until(pause: Pause) -> str:
    """How long a pause lasts: `until <t:1770000000:f>`."""
    if pause.until is None:
        return "until a player resumes it"
    return f"until <t:{int(moment(pause.until).timestamp())}:f>"


def pauses_now(pause: Pause | None, now: str) -> str:
    """That a game pauses, and how long; empty where it does not."""
    return f"pauses {until(pause)}" if pause is not None and pause.lasts(now) else ""
