"""Proposals to give a seat to a newcomer. The other players may give away the seat of a player who is long absent."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import ClassVar, Final, Literal

from bot.table.clocks.clocks_and_stops import MIN_DOWNTIME
from bot.table.clocks.time_banks import limited_quiet_hours
from bot.table.errors import NotPermitted, Refused
from bot.table.games.confirmed_writes import CHECK_LOG_HINT, confirm_write, return_true_after
from bot.table.live import LiveGame, chosen_settings
from bot.table.markdown import discord_time, strong
from bot.table.orders.sealed_auction import (
    must_act_at_once,
    players_who_must_act,
    seal_pings_after_seat_change,
)
from bot.table.outbox import notices
from bot.table.player_names import distinct_name
from bot.table.settings.durations_and_zones import format_duration
from bot.table.settings.person_settings import PersonSettings, end_of_waking_time, person_settings
from bot.table.settings.table_settings import absence_span
from bot.table.tables import Tables
from bot.table.votes.proposal_kinds import Electorate, ProposalSubject, more_than_half
from engine import PlayerId
from storage import (
    ANONYMISED_USER,
    CARETAKER_USER,
    Notification,
    SeatEntry,
    StoredProposal,
    clocks,
    parse_timestamp,
    pings,
    seats,
    shards,
)

MODERATOR_CAN_REPLACE: Final = "A moderator can give the seat away now, with `/mod replace`."
"""Hint that a moderator can give the seat away, added to refusals if the other players cannot do it yet."""


async def require_absent(
    tables: Tables, live: LiveGame, player: PlayerId, newcomer: int | None = None
) -> None:
    """Raise Refused, with the reason, if the other players may not give away this seat now.

    A seat that a computer player or an anonymised user holds can always be given away. Any other seat cannot be given
    away while the game is paused, or while the holder or the substitute has announced an absence. If the `newcomer` is
    the seat's substitute, the substitute must have played for long enough. Otherwise, the user who plays the seat must
    have left the server, or must not have moved for long enough after a ping. This is not required if the other players
    together or a computer player play the seat.
    """
    if live.holder_of(player) in (CARETAKER_USER, ANONYMISED_USER):
        return
    if live.pause is not None and live.pause.is_active_at(tables.clock()):
        raise Refused(f"Game {live.id} is paused, so nobody counts as absent. {MODERATOR_CAN_REPLACE}")
    await _require_not_away(tables, live, player)
    substitute = live.substitutes.get(player)
    if substitute is not None and substitute.user_id == newcomer:
        await _require_long_substitute(tables, live, player, substitute)
    elif player not in live.group_players | live.caretaker_players:
        await _require_no_move(tables, live, player)


async def _require_not_away(tables: Tables, live: LiveGame, player: PlayerId) -> None:
    """Raise Refused if the seat's holder or substitute has announced an absence with `/away`."""
    for user_id in dict.fromkeys((live.holder_of(player), live.user_of(player))):
        away_until = (await person_settings(tables.db, user_id)).away_until
        if away_until is not None and away_until > parse_timestamp(tables.clock()):
            name = _name_of_seat_user(live, player, prefers_substitute=user_id != live.holder_of(player))
            raise Refused(
                f"{name} is away until {discord_time(away_until)}, and until then nobody can take the "
                f"seat. {MODERATOR_CAN_REPLACE}"
            )


async def _require_long_substitute(
    tables: Tables, live: LiveGame, player: PlayerId, substitute: SeatEntry
) -> None:
    """Raise Refused unless the seat's substitute has played long enough to take over the seat.

    This is the time for which a holder must be absent to lose a seat. A substitution with a planned end is always
    refused.
    """
    name, span = _name_of_seat_user(live, player), absence_span(await chosen_settings(tables.db, live))
    if substitute.until is not None:
        until_text = discord_time(parse_timestamp(substitute.until))
        raise Refused(
            f"{name} has a substitute until {until_text}, and until then nobody can take the seat. "
            f"{MODERATOR_CAN_REPLACE}"
        )
    holder_settings = await person_settings(tables.db, live.holder_of(player), live.row.guild_id)
    absent_at = end_of_waking_time(
        parse_timestamp(substitute.at), span, _with_limited_quiet_hours(holder_settings)
    )
    if absent_at > parse_timestamp(tables.clock()):
        raise Refused(
            f"A substitute must have played a seat for {format_duration(span)}, not counting quiet hours, before they "
            f"can take it over: the seat of {name} from {discord_time(absent_at)} on. {MODERATOR_CAN_REPLACE}"
        )


async def _require_no_move(tables: Tables, live: LiveGame, player: PlayerId) -> None:
    """Raise Refused unless the seat's user has left the server, or has not moved for the required time after a ping."""
    notifications, current_pings = await pings.notifications_of_game(tables.db, live.id)
    notification = next(
        (notification for notification in notifications if notification.player_id == player), None
    )
    if notification is not None and notification.has_departed:
        return
    span = absence_span(await chosen_settings(tables.db, live))
    span_text = format_duration(span)
    rule_text = (
        f"The others can decide about a seat when its player has not moved for {span_text} after the ping, "
        "not counting quiet hours."
    )
    name = _name_of_seat_user(live, player, prefers_substitute=True)
    if notification is None or player not in await players_who_must_act(tables.db, live):
        raise Refused(f"{rule_text} {name} does not have to act now. {MODERATOR_CAN_REPLACE}")
    has_unposted_ping = any(
        "pending" in (ping.thread, ping.direct) for ping in current_pings if ping.player_id == player
    )
    if notification.pinged_at is None or has_unposted_ping:
        raise Refused(f"{rule_text} The bot has not pinged {name} yet. {MODERATOR_CAN_REPLACE}")
    pinged_at = parse_timestamp(notification.pinged_at)
    settings = await person_settings(tables.db, live.user_of(player), live.row.guild_id)
    absent_at = end_of_waking_time(
        pinged_at, span, _with_limited_quiet_hours(settings)
    ) + await _downtime_since(tables, live, notification, pinged_at)
    if absent_at > parse_timestamp(tables.clock()):
        raise Refused(
            f"{rule_text} The bot pinged {name} {discord_time(pinged_at)}, so they count as absent from "
            f"{discord_time(absent_at)} on ({discord_time(absent_at, 'R')}). {MODERATOR_CAN_REPLACE}"
        )


async def _downtime_since(
    tables: Tables, live: LiveGame, notification: Notification, since: datetime
) -> timedelta:
    shard_count = tables.shards.shard_count
    last_run_at = await clocks.last_bot_run_time(
        tables.db, shards.shard_of(live.row.guild_id, shard_count), shard_count
    )
    downtime = (
        timedelta()
        if last_run_at is None
        else parse_timestamp(tables.clock()) - max(since, parse_timestamp(last_run_at))
    )
    return timedelta(milliseconds=notification.downtime_ms) + (
        downtime if downtime > MIN_DOWNTIME else timedelta()
    )


def _name_of_seat_user(live: LiveGame, player: PlayerId, *, prefers_substitute: bool = False) -> str:
    holder_name, substitute_entry = strong(live.name_of(player)), live.substitutes.get(player)
    return (
        holder_name
        if substitute_entry is None or not prefers_substitute
        else f"{strong(substitute_entry.display_name)}, {holder_name}'s substitute,"
    )


def _with_limited_quiet_hours(settings: PersonSettings) -> PersonSettings:
    """The settings with shorter quiet hours (see MAX_QUIET_TIME).

    Otherwise a user who is quiet all day could never count as absent.
    """
    return (
        settings
        if settings.quiet_hours is None
        else replace(settings, quiet_hours=limited_quiet_hours(settings.quiet_hours))
    )


DecidedBy = Literal["own", "group", "moderator"]
"""The users who decide to give a seat away: its holder (`own`), the other players (`group`), or a moderator."""


@dataclass(frozen=True, slots=True)
class SeatProposal(ProposalSubject):
    """A proposal that a newcomer takes over a seat from its holder."""

    kind: ClassVar[str] = "replace"

    player: PlayerId
    leaving: int
    left_by: str
    newcomer: int
    taken_by: str
    warrant: DecidedBy

    def describe(self) -> str:
        """The proposal in words: the newcomer and the seat."""
        return f"<@{self.newcomer}> takes over the seat of {strong(self.left_by)}"

    def electorate(self, live: LiveGame, by_user: int) -> Electorate:
        """The voters: the newcomer and, if the other players give the seat away, more than half of them must agree.

        The holder may refuse, unless a moderator gives the seat away. If fewer than two other players are left to give
        it away, a moderator must also agree.
        """
        other_users = live.other_users(self.player) if self.warrant == "group" else ()
        # If a moderator decides, only the newcomer votes.
        users_who_may_refuse = (
            () if self.warrant == "moderator" or self.leaving == CARETAKER_USER else (self.leaving,)
        )
        # If other players have left meanwhile, one person alone must not give the seat away.
        needs_moderator = self.warrant == "group" and len(other_users) < 2 and bool(users_who_may_refuse)
        return Electorate(
            (self.newcomer,),
            other_users,
            more_than_half(other_users),
            users_who_may_refuse,
            needs_moderator=needs_moderator,
            proposer=by_user,
        )

    def expiry_reason(self, live: LiveGame) -> str | None:
        """The reason why the proposal is void; None if it is valid.

        It is void if the seat has a new holder, or if the newcomer already plays in this game.
        """
        if live.holder_of(self.player) != self.leaving:
            return "The seat has a new player, so this proposal is void."
        return (
            already_plays_text(self.newcomer) if _has_other_seat(live, self.newcomer, self.player) else None
        )

    def absent_user(self) -> int | None:
        """The seat's holder, if the other players give the seat away; None if the holder or a moderator does."""
        return self.leaving if self.warrant == "group" else None

    async def require_allowed(self, tables: Tables, live: LiveGame, by_user: int) -> None:
        """Raise Refused if the other players may not give the seat away yet, unless a moderator must agree.

        See `require_absent` for the conditions.
        """
        if self.warrant == "group" and not self.electorate(live, by_user).needs_moderator:
            await require_absent(tables, live, self.player, self.newcomer)

    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Give the seat to the newcomer."""
        newcomer_and_name = self.newcomer, self.taken_by
        await hand_over_seat(
            tables, live, self.player, newcomer_and_name, f"(proposal {proposal.number})", proposal
        )


async def hand_over_seat(
    tables: Tables,
    live: LiveGame,
    player: PlayerId,
    newcomer: tuple[int, str],
    reason: str,
    proposal: StoredProposal | None = None,
) -> None:
    """Give a seat to a newcomer (user id, name). Raises Refused if the newcomer already plays in the game.

    `reason` is added to the public line. `proposal` is the proposal that led to this (None: no proposal).
    """
    user_id, wanted_name = newcomer
    if _has_other_seat(live, user_id, player):
        raise Refused(already_plays_text(user_id))
    leaving_user, leaving_name = live.holder_of(player), live.name_of(player)
    other_names = [seat.display_name for seat in live.seats if seat.player_id != player]
    name, now = distinct_name(wanted_name, other_names), tables.clock()
    seat_entry = SeatEntry(player, "holder", user_id, name, live.seq, None, now)
    text = (
        f"{strong(name)} takes over the seat of {strong(leaving_name)} {reason}; "
        f"in the log, moves up to {live.seq} keep {leaving_name}'s name."
    )
    seal_pings = await seal_pings_after_seat_change(tables.db, live, seat_entry)
    turn_notices = list(seal_pings)
    if seal_pings or await must_act_at_once(tables.db, live, player):
        turn_notices.append(notices.TurnChange((player,), None).notice())
    pending_notices = [*notices.note_notices(text, *turn_notices, is_new_post=True), notices.board_notice()]
    seat_write = seats.replace_holder(
        tables.db, live.id, seat_entry, leaving_user=leaving_user, proposal=proposal, notices=pending_notices
    )
    await confirm_write(
        return_true_after(seat_write),
        lambda: _is_seat_handed_over(tables, live.id, player, user_id),
        CHECK_LOG_HINT,
    )


async def _is_seat_handed_over(tables: Tables, game_id: int, player: PlayerId, user_id: int) -> bool | None:
    stored_seats = await seats.seats(tables.db, game_id)
    return any((seat.player_id, seat.user_id) == (player, user_id) for seat in stored_seats) or None


def propose_seat(
    live: LiveGame, by_user: int, player: PlayerId, newcomer: tuple[int, str], decided_by: DecidedBy
) -> SeatProposal:
    """The proposal that a newcomer (user id, name) takes over this seat; raises Refused.

    `decided_by` tells who gives the seat away: the holder, the other players, or a moderator.
    """
    if decided_by != "moderator":
        own_seat(live, by_user)
    if (
        decided_by == "group"
        and live.holder_of(player) != CARETAKER_USER
        and len(live.other_users(player)) < 2
    ):
        raise Refused(
            "You cannot give away another player's seat. That player can, or a moderator with `/mod replace`."
        )
    if _has_other_seat(live, newcomer[0], player):
        raise Refused(already_plays_text(newcomer[0]))
    return SeatProposal(player, live.holder_of(player), live.name_of(player), *newcomer, decided_by)


def seat_named(live: LiveGame, typed_text: str) -> PlayerId:
    """The player with this id, display name or mention; raises Refused if no player has it."""
    seat_name = typed_text.strip().casefold()
    for seat in live.seats:
        if seat_name in (seat.player_id.casefold(), seat.display_name.casefold(), f"<@{seat.user_id}>"):
            return seat.player_id
    names = ", ".join(seat.display_name for seat in live.seats)
    raise Refused(f"No player of this game has that name. The players are {names}.")


def own_seat(live: LiveGame, user_id: int) -> PlayerId:
    """The player whose seat this user holds. Raises NotPermitted for other users, even for a substitute."""
    for seat in live.seats:
        if seat.user_id == user_id:
            return seat.player_id
    raise NotPermitted(f"Only a player of game {live.id} can do this.")


def _has_other_seat(live: LiveGame, newcomer: int, player: PlayerId) -> bool:
    return newcomer in live.users or live.player_of(newcomer) not in (None, player)


def already_plays_text(user_id: int) -> str:
    """Refusal for a newcomer who already plays in this game."""
    return f"<@{user_id}> already plays in this game."
