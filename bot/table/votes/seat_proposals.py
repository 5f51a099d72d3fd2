"""Proposals about seats: a newcomer takes over, once the player has been absent long enough."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import ClassVar, Final, Literal

from bot.table.clocks.clocks_and_stops import GAP
from bot.table.clocks.time_banks import limited_quiet_hours
from bot.table.errors import NotYours, Refused
from bot.table.games.confirmed_writes import SEE_LOG, confirm_write, write_and_true
from bot.table.live import LiveGame, chosen_settings, pending_notifications
from bot.table.markdown import discord_time, strong
from bot.table.orders.sealed_auction import has_to_act, seals_again, waited_for
from bot.table.outbox import notices
from bot.table.player_names import distinct_name
from bot.table.settings.durations_and_zones import format_duration
from bot.table.settings.person_settings import PersonSettings, end_of_waking_time, person_settings
from bot.table.settings.table_settings import absence_span
from bot.table.tables import Tables
from bot.table.votes.proposal_kinds import Electorate, Subject, more_than_half
from engine import PlayerId
from storage import (
    ANONYMISED,
    CARETAKER,
    Notification,
    SeatEntry,
    StoredProposal,
    clocks,
    parse_timestamp,
    seats,
    shards,
)

INSTEAD: Final = "A moderator can give the seat away now, with `/mod replace`."
"""The way to decide about a seat whose player is present."""


async def require_absent(
    tables: Tables, live: LiveGame, player: PlayerId, newcomer: int | None = None
) -> None:
    """Raise Refused while others may not decide about a seat, with the reason and the time from which they may.

    They may about one that nobody holds, that others play already, or whose player has left the server.
    Where a substitute plays, the substitute must be absent; if the `newcomer` is the substitute, the
    holder.
    """
    if live.holder_of(player) in (CARETAKER, ANONYMISED):
        return
    if live.pause is not None and live.pause.lasts_at(tables.clock()):
        raise Refused(f"Game {live.id} is paused, so nobody counts as absent. {INSTEAD}")
    await _require_not_away(tables, live, player)
    substitute = live.substitutes.get(player)
    if substitute is not None and substitute.user_id == newcomer:
        await _require_long_substitute(tables, live, player, substitute)
    elif player not in live.by_group | live.by_caretaker:
        await _require_no_move(tables, live, player)


async def _require_not_away(tables: Tables, live: LiveGame, player: PlayerId) -> None:
    """Raise Refused if the holder or substitute is away for an announced time."""
    for user_id in dict.fromkeys((live.holder_of(player), live.user_of(player))):
        until = (await person_settings(tables.db, user_id)).away_until
        if until is not None and until > parse_timestamp(tables.clock()):
            name = _user_of_seat(live, player, substitute=user_id != live.holder_of(player))
            raise Refused(
                f"{name} is away until {discord_time(until)}, and until then nobody can take the "
                f"seat. {INSTEAD}"
            )


async def _require_long_substitute(
    tables: Tables, live: LiveGame, player: PlayerId, substitute: SeatEntry
) -> None:
    """Raise Refused unless a substitute has played so long that the holder counts as absent."""
    name, span = _user_of_seat(live, player), absence_span(await chosen_settings(tables.db, live))
    if substitute.until is not None:
        until = discord_time(parse_timestamp(substitute.until))
        raise Refused(
            f"{name} has a substitute until {until}, and until then nobody can take the seat. {INSTEAD}"
        )
    holder = await person_settings(tables.db, live.holder_of(player))
    end = end_of_waking_time(parse_timestamp(substitute.at), span, _by_day(holder))
    if end > parse_timestamp(tables.clock()):
        raise Refused(
            f"A substitute can take over a seat after {format_duration(span)} outside quiet hours: "
            f"the seat of {name} from {discord_time(end)} on. {INSTEAD}"
        )


async def _require_no_move(tables: Tables, live: LiveGame, player: PlayerId) -> None:
    """Raise Refused unless the seat's user was pinged and has not moved for long enough."""
    notifications, pings = await pending_notifications(tables.db, live)
    notification = next(
        (notification for notification in notifications if notification.player_id == player), None
    )
    if notification is not None and notification.departed:
        return
    span = absence_span(await chosen_settings(tables.db, live))
    time = format_duration(span)
    rule = (
        f"The others can decide about a seat when its player has not moved for {time} after the ping, "
        "not counting quiet hours."
    )
    name = _user_of_seat(live, player, substitute=True)
    if notification is None or player not in await waited_for(tables.db, live):
        raise Refused(f"{rule} {name} does not have to act now. {INSTEAD}")
    unposted = any("pending" in (ping.thread, ping.direct) for ping in pings if ping.player_id == player)
    if notification.pinged_at is None or unposted:
        raise Refused(f"{rule} The bot has not pinged {name} yet. {INSTEAD}")
    since = parse_timestamp(notification.pinged_at)
    plays = await person_settings(tables.db, live.user_of(player))
    end = end_of_waking_time(since, span, _by_day(plays)) + await _downtime_since(
        tables, live, notification, since
    )
    if end > parse_timestamp(tables.clock()):
        raise Refused(
            f"{rule} The bot pinged {name} {discord_time(since)}, so they count as absent from "
            f"{discord_time(end)} on ({discord_time(end, 'R')}). {INSTEAD}"
        )


async def _downtime_since(tables: Tables, live: LiveGame, found: Notification, since: datetime) -> timedelta:
    """The bot's downtime since a ping."""
    count = tables.share.shard_count
    last = await clocks.last_run(tables.db, shards.shard_of(live.row.guild_id, count), count)
    gap = timedelta() if last is None else parse_timestamp(tables.clock()) - max(since, parse_timestamp(last))
    return timedelta(milliseconds=found.down) + (gap if gap > GAP else timedelta())


def _user_of_seat(live: LiveGame, player: PlayerId, *, substitute: bool = False) -> str:
    """The seat's user: its holder or, if requested, the substitute."""
    holder, now = strong(live.name_of(player)), live.substitutes.get(player)
    return holder if now is None or not substitute else f"{strong(now.display_name)}, {holder}'s substitute,"


def _by_day(person: PersonSettings) -> PersonSettings:
    """The user without whole-day quiet hours, which would never let them be absent."""
    return person if person.quiet is None else replace(person, quiet=limited_quiet_hours(person.quiet))


Warrant = Literal["own", "group", "moderator"]
"""The word that gives a seat to somebody else: its holder's, the other players', or a moderator's."""


@dataclass(frozen=True, slots=True)
class SeatProposal(Subject):
    """A seat goes from its holder to a newcomer."""

    kind: ClassVar[str] = "replace"

    player: PlayerId
    leaving: int
    left_by: str
    newcomer: int
    taken_by: str
    warrant: Warrant

    def says(self) -> str:
        """The newcomer, and the seat."""
        return f"<@{self.newcomer}> takes over the seat of {strong(self.left_by)}"

    def electorate(self, live: LiveGame, by_user: int) -> Electorate:
        """The newcomer, and if the table decides more than half of the others."""
        others = live.others_than(self.player) if self.warrant == "group" else ()
        # A moderator's word needs nobody's but the newcomer's.
        objects = () if self.warrant == "moderator" or self.leaving == CARETAKER else (self.leaving,)
        # The others may have vanished since it was proposed: nobody gives a person's seat away alone.
        alone = self.warrant == "group" and len(others) < 2 and bool(objects)
        return Electorate(
            (self.newcomer,), others, more_than_half(others), objects, moderator=alone, by=by_user
        )

    def expiry_reason(self, live: LiveGame) -> str | None:
        """The reason: the seat changed hands, or the newcomer plays already."""
        if live.holder_of(self.player) != self.leaving:
            return "The seat has a new player, so this proposal is void."
        return plays_already(self.newcomer) if _plays(live, self.newcomer, self.player) else None

    def absent_user(self) -> int | None:
        """The holder, if the others decide."""
        return self.leaving if self.warrant == "group" else None

    async def require(self, tables: Tables, live: LiveGame, by_user: int) -> None:
        """Raise Refused unless the holder proposes it, has been absent long enough, or a moderator decides, too."""
        if self.warrant == "group" and not self.electorate(live, by_user).moderator:
            await require_absent(tables, live, self.player, self.newcomer)

    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Give the seat to the newcomer."""
        others = [seat.display_name for seat in live.seats if seat.player_id != self.player]
        name, now = distinct_name(self.taken_by, others), tables.clock()
        seat_entry = SeatEntry(self.player, "holder", self.newcomer, name, live.seq, None, now)
        text = (
            f"{strong(name)} takes over the seat of {strong(self.left_by)} (proposal {proposal.number}); "
            f"moves up to {live.seq} stay {self.left_by}'s."
        )
        again = await seals_again(tables.db, live, seat_entry)
        over = list(again)
        if again or await has_to_act(tables.db, live, self.player):
            over.append(notices.TurnChange((self.player,), None).notice())
        pending = [*notices.table_note(text, *over, new_post=True), notices.board_notice()]
        write = seats.replace_holder(
            tables.db, live.id, seat_entry, leaving=self.leaving, proposal=proposal, notices=pending
        )
        await confirm_write(write_and_true(write), lambda: self._handed(tables, live.id), SEE_LOG)

    async def _handed(self, tables: Tables, game_id: int) -> bool | None:
        taken = await seats.seats(tables.db, game_id)
        return any((seat.player_id, seat.user_id) == (self.player, self.newcomer) for seat in taken) or None


def propose_seat(
    live: LiveGame, by_user: int, player: PlayerId, newcomer: tuple[int, str], warrant: Warrant
) -> SeatProposal:
    """The proposal that a newcomer (id, name) takes over this seat; raises Refused."""
    if warrant != "moderator":
        own_seat(live, by_user)
    if warrant == "group" and live.holder_of(player) != CARETAKER and len(live.others_than(player)) < 2:
        raise Refused(
            "You cannot give away another player's seat. That player can, or a moderator with `/mod replace`."
        )
    if _plays(live, newcomer[0], player):
        raise Refused(plays_already(newcomer[0]))
    return SeatProposal(player, live.holder_of(player), live.name_of(player), *newcomer, warrant)


def seat_meant(live: LiveGame, typed_text: str) -> PlayerId:
    """The player with this id or name; raises Refused."""
    wanted = typed_text.strip().casefold()
    for seat in live.seats:
        if wanted in (seat.player_id.casefold(), seat.display_name.casefold(), f"<@{seat.user_id}>"):
            return seat.player_id
    names = ", ".join(seat.display_name for seat in live.seats)
    raise Refused(f"No player of this game has that name. The players are {names}.")


def own_seat(live: LiveGame, user_id: int) -> PlayerId:
    """The player whose seat a user holds; raises Refused, also for a substitute."""
    for seat in live.seats:
        if seat.user_id == user_id:
            return seat.player_id
    raise NotYours(f"Only a player of game {live.id} can do this.")


def _plays(live: LiveGame, newcomer: int, player: PlayerId) -> bool:
    return newcomer in live.people or live.player_of(newcomer) not in (None, player)


def plays_already(user_id: int) -> str:
    """The refusal of a second seat."""
    return f"<@{user_id}> already plays in this game."
