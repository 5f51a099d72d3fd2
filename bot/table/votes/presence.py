"""Presence: the others decide about a seat only once its player has been absent for as long as the table has set."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.table.clocks.clocks import GAP
from bot.table.clocks.time_banks import limited
from bot.table.durations import in_words
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.orders import known
from bot.table.orders.sealed import waited_for
from bot.table.settings.person_settings import PersonSettings, person_settings
from bot.table.settings.reminders import awake
from bot.table.settings.table_settings import absence_span
from bot.table.style import strong
from bot.table.tables import Tables
from engine.core.ids import PlayerId
from storage import clocks
from storage.contract import parse_timestamp
from storage.leases import shard_of
from storage.people import ANONYMISED, CARETAKER
from storage.pings import Notification
from storage.seats import SeatEntry

INSTEAD: Final = "A moderator of games can with `/mod replace`."
"""Who may decide about a seat whose player is present."""


async def require_absent(
    tables: Tables, live: LiveGame, player: PlayerId, newcomer: int | None = None
) -> None:
    """Raise Refused while the others may not decide about a seat: why, what is allowed, and from when on.

    They may about one that nobody holds, that others play already, or whose player has left the server. Where a
    substitute plays, the substitute must be absent; if the `newcomer` is the substitute, the holder.
    """
    if live.holder_of(player) in (CARETAKER, ANONYMISED):
        return
    if live.pause is not None and live.pause.lasts(tables.clock()):
        raise Refused(f"Game {live.id} pauses, and nobody is absent meanwhile. {INSTEAD}")
    await _require_not_away(tables, live, player)
    substitute = live.substitutes.get(player)
    if substitute is not None and substitute.user_id == newcomer:
        await _require_long_substitute(tables, live, player, substitute)
    elif player not in live.by_group | live.by_caretaker:
        await _require_no_move(tables, live, player)


async def _require_not_away(tables: Tables, live: LiveGame, player: PlayerId) -> None:
    """Neither the holder nor their substitute is away for a time that they have said."""
    for user_id in dict.fromkeys((live.holder_of(player), live.user_of(player))):
        until = (await person_settings(tables.db, user_id)).away_until
        if until is not None and until > parse_timestamp(tables.clock()):
            name = _named(live, player, substitute=user_id != live.holder_of(player))
            raise Refused(
                f"{name} has said to be away until {_stamp(until)}: until then nobody takes the seat. {INSTEAD}"
            )


async def _require_long_substitute(
    tables: Tables, live: LiveGame, player: PlayerId, substitute: SeatEntry
) -> None:
    """A substitute has played for so long that the holder, who has not said until when, is absent."""
    name, span = _named(live, player), absence_span(await known.chosen(tables.db, live))
    if substitute.until is not None:
        until = _stamp(parse_timestamp(substitute.until))
        raise Refused(f"{name} has a substitute until {until}: until then nobody takes the seat. {INSTEAD}")
    holder = await person_settings(tables.db, live.holder_of(player))
    end = awake(parse_timestamp(substitute.at), span, _by_day(holder))
    if end > parse_timestamp(tables.clock()):
        raise Refused(
            f"A substitute takes over a seat after {in_words(span)} awake: that of {name} from {_stamp(end)} on. "
            f"{INSTEAD}"
        )


async def _require_no_move(tables: Tables, live: LiveGame, player: PlayerId) -> None:
    """The user who plays a seat was pinged for a turn, and has not moved for long enough."""
    notifications, pings = await known.notifications(tables.db, live)
    found = next((one for one in notifications if one.player_id == player), None)
    if found is not None and found.departed:
        return
    span = absence_span(await known.chosen(tables.db, live))
    rule = f"The others decide about a seat once its player has not moved for {in_words(span)} awake after the ping."
    name = _named(live, player, substitute=True)
    if found is None or player not in await waited_for(tables.db, live):
        raise Refused(f"{rule} {name} is not on turn. {INSTEAD}")
    unposted = any("pending" in (one.thread, one.direct) for one in pings if one.player_id == player)
    if found.pinged_at is None or unposted:
        raise Refused(f"{rule} {name} has not been pinged yet. {INSTEAD}")
    since = parse_timestamp(found.pinged_at)
    plays = await person_settings(tables.db, live.user_of(player))
    end = awake(since, span, _by_day(plays)) + await _down(tables, live, found, since)
    if end > parse_timestamp(tables.clock()):
        raise Refused(
            f"{rule} {name} was pinged {_stamp(since)} and counts as absent from {_stamp(end)} on "
            f"({_stamp(end, 'R')}). {INSTEAD}"
        )


async def _down(tables: Tables, live: LiveGame, found: Notification, since: datetime) -> timedelta:
    """How long the bot was down since a ping: as it is noted, and until just now."""
    count = tables.share.shard_count
    last = await clocks.last_run(tables.db, shard_of(live.row.guild_id, count), count)
    gap = timedelta() if last is None else parse_timestamp(tables.clock()) - max(since, parse_timestamp(last))
    return timedelta(milliseconds=found.down) + (gap if gap > GAP else timedelta())


def _named(live: LiveGame, player: PlayerId, *, substitute: bool = False) -> str:
    """The user of a seat: its holder or, if asked for and there is one, the substitute."""
    holder, now = strong(live.name_of(player)), live.substitutes.get(player)
    return holder if now is None or not substitute else f"{strong(now.display_name)}, {holder}'s substitute,"


def _by_day(person: PersonSettings) -> PersonSettings:
    """The same person, whose quiet hours are not the whole day: they would never be absent."""
    return person if person.quiet is None else replace(person, quiet=limited(person.quiet))


def _stamp(at: datetime, form: str = "f") -> str:
    """A timestamp as Discord shows it, in each reader's own zone."""
    return f"<t:{int(at.timestamp())}:{form}>"
