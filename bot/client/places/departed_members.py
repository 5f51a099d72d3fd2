"""Players who left the server, or return: checked when it matters, as the bot gets no member events."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.client.requests.permission_problems import Problem
from bot.table.bounded_caches import BoundedDict
from bot.table.live import LiveGame
from bot.table.markdown import strong
from bot.table.orders.sealed_auction import waited_for
from bot.table.outbox.notices import Line
from bot.table.tables import Tables
from engine import PlayerId
from storage import ask, outbox, parse_timestamp, pings

_log = logging.getLogger("stationmaster.announce")

SEEN: Final = timedelta(hours=1)
"""Time for which a member who was there is not asked for again."""
MEMBERS: Final = 10_000
"""The most members remembered as having been there."""
UNKNOWN_MEMBER: Final = 10007
"""Discord's code for somebody who is not, or no more, a member of a server."""
REPLACE: Final = "- `/game replace newcomer: player:{}`: let a member take over the seat"
OTHERWISE: Final = (
    "- `/game pause`: pause the game for some days, or until `/game resume`\n"
    "-# A moderator can use `/mod replace`, `/mod act` and `/mod pause`."
)
"""Advice for the players, no matter who has left."""


class DepartedMembers:
    """Notices when players have left."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._seen: BoundedDict[tuple[int, int], datetime] = BoundedDict(MEMBERS)
        """When a user was a member of a server, by both their ids."""

    async def check_pinged(self, game_id: int, pinged: Iterable[PlayerId]) -> None:
        """Ask Discord whether the users just pinged are still members; each departure is posted once."""
        if self._all_seen(self._tables.cached_game(game_id)):
            return
        async with self._tables.reading(game_id) as live:
            notifications = await ask(self._tables.db, pings.notifications_question(game_id))
            waited = await waited_for(self._tables.db, live)
            reminded = (notification.player_id for notification in notifications if notification.stage > 1)
            acting = [player for player in dict.fromkeys((*pinged, *reminded)) if player in waited]
            played = live.by_group | live.by_caretaker
            people = {player: live.user_of(player) for player in acting if player not in played}
            says = {player: departure_text(live, player) for player in people}
            since = {seat_entry.user_id: seat_entry.since for seat_entry in live.seat_history}
            guild = self._client.get_guild(live.row.guild_id)
        for player, user_id in people.items():
            if guild is not None and await self._has_left(guild, user_id, f"game {game_id}: seat {player}"):
                await pings.mark_departed(self._tables.db, game_id, player)
                await self._tables.board.end(user_id, game_id)
                # By the row from which they hold the seat: once, whatever they are pinged for.
                notice, now = Line(says[player]).notice(), self._tables.clock()
                if await outbox.add_once(self._tables.db, game_id, since.get(user_id, 0), notice, now):
                    self._tables.on_notice(game_id)

    async def check_departed(self, game_id: int) -> None:
        """Ask Discord whether departed users on turn are members again."""
        async with self._tables.reading(game_id) as live:
            notifications = await ask(self._tables.db, pings.notifications_question(game_id))
            left = {
                notification.player_id: live.user_of(notification.player_id)
                for notification in notifications
                if notification.departed
            }
            guild = self._client.get_guild(live.row.guild_id)
        for player, user_id in left.items():
            if guild is not None and await self._is_member(guild, user_id, f"game {game_id}: seat {player}"):
                await pings.mark_departed(self._tables.db, game_id, player, departed=False)

    async def _has_left(self, guild: discord.Guild, user_id: int, whose: str) -> bool:
        """True if the account is no longer a member; the log names only the seat."""
        return not self._was_seen(guild.id, user_id) and await self._is_member(guild, user_id, whose) is False

    def _was_seen(self, guild_id: int, user_id: int) -> bool:
        seen = self._seen.get((guild_id, user_id))
        return seen is not None and parse_timestamp(self._tables.clock()) - seen < SEEN

    def _all_seen(self, live: LiveGame | None) -> bool:
        """True if every player who may be on turn was seen recently."""
        if live is None:
            return False
        played = live.by_group | live.by_caretaker
        people = {live.user_of(seat.player_id) for seat in live.seats if seat.player_id not in played}
        return all(self._was_seen(live.row.guild_id, user_id) for user_id in people)

    async def _is_member(self, guild: discord.Guild, user_id: int, whose: str) -> bool | None:
        """True if the account is a member; None if Discord does not say."""
        try:
            await guild.fetch_member(user_id)
        except discord.NotFound as error:
            return False if error.code == UNKNOWN_MEMBER else None
        except Problem as error:
            _log.info("%s: cannot check if its player has left the server: %r", whose, error)
            return None
        self._seen[guild.id, user_id] = parse_timestamp(self._tables.clock())
        return True


def departure_text(live: LiveGame, player: PlayerId) -> str:
    """The text about a departed player, with the options of group or moderators."""
    name, substitute = live.name_of(player), live.substitutes.get(player)
    if substitute is not None:
        return (
            f"{strong(substitute.display_name)}, {strong(name)}'s substitute, has left this server, "
            f"so the game waits. {strong(name)} can return with `/game back` or name another "
            "substitute with `/game substitute`. The other players can use:\n"
            f"{REPLACE.format(name)}\n{OTHERWISE}"
        )
    if not live.others_than(player):
        return (
            f"{strong(name)} has left this server, and nobody else plays this game. A moderator can "
            f"give the seat to a member with `/mod replace player:{name} newcomer:`, or end the "
            "game with `/mod end`."
        )
    return (
        f"{strong(name)} has left this server while the game waits for them. The other players can use:\n"
        f"{REPLACE.format(name)}\n"
        f"- `/game agreement player:{name}`: play the seat as a group until somebody takes it; with "
        "`how:caretaker` the computer plays it\n"
        f"{OTHERWISE}"
    )
