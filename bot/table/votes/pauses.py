"""Pauses of a game, in which no move is possible and nobody is pinged. Long pauses need a vote."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import ClassVar, Final

from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.markdown import discord_time
from bot.table.orders.caretakers import resume_caretakers
from bot.table.orders.sealed_auction import players_who_must_act
from bot.table.outbox import notices
from bot.table.outbox.notices import Line
from bot.table.tables import Tables
from bot.table.votes.proposal_kinds import Electorate, ProposalSubject, more_than_half
from storage import OutboxMessage, StoredProposal, clocks, format_timestamp, parse_timestamp

MAX_DAYS_OF_UNVOTED_PAUSE: Final = 2
"""Maximum length, in days, of a pause that a player may start alone, without a vote."""
MIN_TIME_BETWEEN_UNVOTED_PAUSES: Final = timedelta(days=14)
"""Minimum time between two pauses that the same player starts without a vote."""


async def begin_pause(
    tables: Tables, game_id: int, user_id: int, days: int | None, *, is_unvoted: bool = False
) -> str:
    """Pause a game for `days` days, or until a player resumes it (None); returns the public line.

    `is_unvoted` is true if a player starts the pause without a vote.
    """
    async with tables.reading(game_id) as live:
        now = tables.clock()
        require_unpaused(live, now)
        pause = new_pause(user_id, days, now, is_unvoted=is_unvoted)
        text = f"<@{user_id}> pauses the game {pause_text(pause)}. `/game resume` ends the pause."
        await clocks.start_pause(tables.db, game_id, pause, seq=live.seq, notices=[Line(text).notice()])
    tables.reload_and_post(game_id)
    return text


async def unvoted_pause_obstacle(tables: Tables, game_id: int, user_id: int, days: int | None) -> str | None:
    """The reason why this pause needs a vote; None if the user may start it without one."""
    async with tables.reading(game_id) as live:
        require_unpaused(live, tables.clock())
        if not [user for user in present_users(live) if user != user_id]:
            return None
    if days is None or days > MAX_DAYS_OF_UNVOTED_PAUSE:
        return f"For a pause of more than {MAX_DAYS_OF_UNVOTED_PAUSE} days, more than half of the players must agree."
    last_pause_end = await clocks.end_of_last_unvoted_pause(tables.db, game_id, user_id)
    next_unvoted_pause_time = (
        None if last_pause_end is None else parse_timestamp(last_pause_end) + MIN_TIME_BETWEEN_UNVOTED_PAUSES
    )
    if next_unvoted_pause_time is None or next_unvoted_pause_time <= parse_timestamp(tables.clock()):
        return None
    return (
        "You paused this game recently, so more than half of the players must agree. You can pause "
        "it alone again from "
        f"<t:{int(next_unvoted_pause_time.timestamp())}:f>."
    )


async def end_pause(tables: Tables, game_id: int, user_id: int) -> str:
    """Resume a paused game, or computer players that wait after an undo; returns the public line."""
    if await resume_caretakers(tables, game_id):
        return f"<@{user_id}> resumes the caretaker."
    async with tables.reading(game_id) as live:
        now = tables.clock()
        text = f"<@{user_id}> resumes the game."
        resume_notices = await _resume_notices(tables, live, text)
        if not await clocks.end_pause(tables.db, game_id, seq=live.seq, notices=resume_notices, now=now):
            raise Refused(f"Game {game_id} is not paused.")
    tables.reload_and_post(game_id)
    return text


async def expire_pause(tables: Tables, game_id: int) -> None:
    """End a pause whose time is over: post this in the game's thread, and ping the players who must act."""
    async with tables.reading(game_id) as live:
        now, pause = tables.clock(), await clocks.find_pause(tables.db, game_id)
        if pause is None or pause.is_active_at(now):
            return
        posts = await _resume_notices(tables, live, "The pause is over: the game continues.")
        await clocks.end_pause(tables.db, game_id, seq=live.seq, notices=posts, now=now)
    tables.reload_and_post(game_id)


async def _resume_notices(tables: Tables, live: LiveGame, text: str) -> list[OutboxMessage]:
    """The notices that post this line and ping all players for whom the game waits."""
    turn_change = notices.turn_change_between((), await players_who_must_act(tables.db, live), None)
    return notices.note_notices(text, replace(turn_change, is_new_turn=True).notice())


def require_unpaused(live: LiveGame, now: str) -> None:
    """Raise Refused if the game has ended or is paused."""
    live.require_running()
    if live.pause is not None and live.pause.is_active_at(now):
        raise Refused(f"Game {live.id} is already paused. `/game resume` ends the pause.")


def present_users(live: LiveGame) -> tuple[int, ...]:
    """Users whose seats are not played by the other players together or by a computer player."""
    absent_players = live.group_players | live.caretaker_players
    return tuple(seat.user_id for seat in live.seats if seat.player_id not in absent_players)


def new_pause(user_id: int, days: int | None, now: str, *, is_unvoted: bool = False) -> clocks.Pause:
    """A pause that begins now and lasts `days` days, or until a player resumes the game (None)."""
    end = None if days is None else format_timestamp(parse_timestamp(now) + timedelta(days=days))
    return clocks.Pause(user_id, end, now, is_unvoted)


def pause_text(pause: clocks.Pause) -> str:
    """The end of a pause in words: `until <t:1770000000:f>`, or `until a player resumes it`."""
    if pause.until is None:
        return "until a player resumes it"
    return f"until {discord_time(parse_timestamp(pause.until))}"


def current_pause_text(pause: clocks.Pause | None, now: str) -> str:
    """The pause in words, if it still lasts at the time `now`; else empty."""
    return f"pauses {pause_text(pause)}" if pause is not None and pause.is_active_at(now) else ""


@dataclass(frozen=True, slots=True)
class PauseProposal(ProposalSubject):
    """A proposal to pause the game for `days` days, or until a player resumes it (None)."""

    kind: ClassVar[str] = "pause"

    days: int | None

    def describe(self) -> str:
        """The proposal in words: how long the game pauses."""
        return "the game pauses " + (
            "until a player resumes it" if self.days is None else f"for {self.days} days"
        )

    def electorate(self, live: LiveGame, by_user: int) -> Electorate:
        """The voters: more than half of the players must agree. Absent players do not vote."""
        voters = present_users(live)
        return Electorate((), voters, more_than_half(voters), proposer=by_user)

    def expiry_reason(self, live: LiveGame) -> str | None:
        return f"Game {live.id} has ended." if live.game.is_over else None

    async def require_allowed(self, tables: Tables, live: LiveGame, by_user: int) -> None:
        """Raise Refused if the game has ended or is already paused."""
        del by_user
        require_unpaused(live, tables.clock())

    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Start the pause now."""
        pause = new_pause(proposal.by_user, self.days, tables.clock())
        text = (
            f"The game pauses {pause_text(pause)} (proposal {proposal.number}). `/game resume` ends the "
            "pause."
        )
        posts = [Line(text).notice()]
        await clocks.start_pause(tables.db, live.id, pause, seq=live.seq, notices=posts, proposal=proposal)
