"""What people read of their clocks: in the turn message, and where they ask how a game stands."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.table.clocks.clocks import Clocks, acting, of_live
from bot.table.clocks.time_banks import is_up_at, left, read_quiet
from bot.table.durations import in_words
from bot.table.live import LiveGame
from bot.table.style import sentence_list, strong
from bot.table.tables import Tables
from engine.core.ids import PlayerId
from storage.clocks import Turn
from storage.contract import parse_timestamp


async def of_turn(tables: Tables, live: LiveGame) -> str:
    """The time that the player on turn has for this turn, as a line; nothing without a time bank.

    As it was when the turn began: a message that says the same is known again after a crash.
    """
    there = await of_live(tables.db, tables.share, live, tables.clock())
    players = await acting(tables.db, live)
    if there is None or not players:
        return ""
    banks = {
        p: left(there.allowed, there.turns, p, lambda turn: timedelta(milliseconds=turn.used))
        for p in players
    }
    owned = sentence_list(_owned(strong(live.name_of(p)), bank) for p, bank in banks.items())
    return f"\n-# Time as the turn began: {in_words(there.allowed.grace)}, then {owned}.{_away(live, there, players)}"


async def of_status(tables: Tables, live: LiveGame) -> str:
    """Everybody's time left now, and the deadline of the player on turn; nothing without a time bank."""
    there = await of_live(tables.db, tables.share, live, tables.clock())
    if there is None or live.game.over:
        return ""
    owned = sentence_list(
        f"{strong(seat.display_name)} {_left(left(there.allowed, there.turns, seat.player_id, there.counted))}"
        for seat in live.seats
    )
    ups = [_up(live, there, turn) for turn in there.running]
    away = _away(live, there, await acting(tables.db, live))
    return "\n".join([f"Time banks: {owned}.", *ups]) + away


def _up(live: LiveGame, there: Clocks, turn: Turn) -> str:
    """When a turn's time is up."""
    name, rest = strong(live.name_of(turn.player_id)), there.rest(turn)
    if rest <= timedelta():
        return f"{name}'s time is up."
    if there.stands(turn):
        return f"{name}'s clock stands; left of turn and bank: {in_words(rest)}."
    at = is_up_at(rest, there.now, read_quiet(turn.quiet))
    return f"{name}'s time is up <t:{int(at.timestamp())}:R>."


def _away(live: LiveGame, there: Clocks, players: Sequence[PlayerId]) -> str:
    """Who of those who act is away."""
    ends = {
        stop.player_id: parse_timestamp(stop.until)
        for stop in there.stops
        if stop.why == "away" and stop.until is not None and parse_timestamp(stop.until) > there.now
    }
    return "".join(
        f" {strong(live.name_of(player))} is away until {_stamp(ends[player])}."
        f"{_used_up(there, player, ends[player])}"
        for player in players
        if player in ends
    )


def _used_up(there: Clocks, player: PlayerId, until: datetime) -> str:
    """Where the away budget is used up before a player is back, until when their clock stands."""
    end = there.budget_ends(player, until)
    return f" Their away budget lasts until {_stamp(end)}." if end < until else ""


def _stamp(at: datetime) -> str:
    return f"<t:{int(at.timestamp())}:f>"


def _owned(name: str, bank: timedelta) -> str:
    return f"{name}'s bank of {in_words(bank)}" if bank > timedelta() else f"nothing: {name}'s bank is empty"


def _left(bank: timedelta) -> str:
    """What is left of a bank; one that is overdrawn is empty."""
    return in_words(bank) if bank > timedelta() else "nothing"
