"""Presence: the others decide about a seat only once its player has been absent for as long as the table has set."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from bot.table.clocks.clocks import GAP
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.orders import known
from bot.table.orders.sealed import waited_for
from bot.table.settings.person_settings import PersonSettings, person_settings
from bot.table.settings.reminders import awake
from bot.table.settings.table_settings import absence_span
from bot.table.settings.time_banks import in_words, limited
from bot.table.style import strong
from bot.table.tables import Tables
from engine.core.ids import PlayerId
from storage.leases import shard_of
from storage.people import ANONYMISED, CARETAKER
from storage.posts.pings import Notification
from storage.tables import clocks
from storage.timestamps import moment

INSTEAD: Final = "A moderator of games can with `/mod replace`."
"""Who may decide about a seat whose player is present."""


class _Begun(NamedTuple):
    """Since when a player is absent, and for how long since then the bot was down."""

    since: datetime
    down: timedelta = timedelta()


async def require_absent(tables: Tables, live: LiveGame, player: PlayerId) -> None:
    """Raise Refused while the others may not decide about a seat: why, what is allowed, and from when on.

    They may about one that nobody holds, that others play already, or whose holder has left the server.
    """
    holder, now = live.holder_of(player), moment(tables.clock())
    if holder in (CARETAKER, ANONYMISED):
        return
    name, person = strong(live.name_of(player)), await person_settings(tables.db, holder)
    if live.pause is not None and live.pause.lasts(tables.clock()):
        raise Refused(f"Game {live.id} pauses, and nobody is absent meanwhile. {INSTEAD}")
    if person.away_until is not None and person.is_away(now):
        raise Refused(
            f"{name} has said to be away until {_stamp(person.away_until)}: until then nobody takes the seat. {INSTEAD}"
        )
    if player in live.by_group | live.by_caretaker:
        return
    notifications, pings = await known.notifications(tables.db, live)
    found = next((one for one in notifications if one.player_id == player), None)
    if found is not None and found.departed:
        return
    waits = found is not None and player in await waited_for(tables.db, live)
    span = absence_span(await known.chosen(tables.db, live))
    posted = all("pending" not in (one.thread, one.direct) for one in pings if one.player_id == player)
    begun = await _begun(tables, live, player, found if waits and posted else None)
    rule = f"The others decide about a seat once its player has not moved for {in_words(span)} awake after the ping."
    if begun is None:
        why = "has not been pinged yet" if waits else "is not on turn"
        raise Refused(f"{rule} {name} {why}. {INSTEAD}")
    end = awake(begun.since, span, _by_day(person)) + begun.down
    if end > now:
        raise Refused(
            f"{rule} {name} was pinged {_stamp(begun.since)} and counts as absent from {_stamp(end)} on "
            f"({_stamp(end, 'R')}). {INSTEAD}"
        )


async def _begun(
    tables: Tables, live: LiveGame, player: PlayerId, found: Notification | None
) -> _Begun | None:
    """Since when a player is absent: the ping for the turn, or when a substitute began to play."""
    if player in live.substitutes:
        return _Begun(moment(live.substitutes[player].at))
    if found is None or found.pinged_at is None:
        return None
    since = moment(found.pinged_at)
    return _Begun(since, timedelta(milliseconds=found.down) + await _down_now(tables, live, since))


async def _down_now(tables: Tables, live: LiveGame, since: datetime) -> timedelta:
    """How long the bot was down until just now; earlier times are noted with each notification."""
    count = tables.share.shard_count
    last = await clocks.last_run(tables.db, shard_of(live.row.guild_id, count), count)
    gap = timedelta() if last is None else moment(tables.clock()) - max(since, moment(last))
    return gap if gap > GAP else timedelta()


def _by_day(person: PersonSettings) -> PersonSettings:
    """The same person, whose quiet hours are not the whole day: they would never be absent."""
    return person if person.quiet is None else replace(person, quiet=limited(person.quiet))


def _stamp(at: datetime, form: str = "f") -> str:
    """A timestamp as Discord shows it, in each reader's own zone."""
    return f"<t:{int(at.timestamp())}:{form}>"
