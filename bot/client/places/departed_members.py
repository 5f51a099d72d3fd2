"""Finds players who have left the Discord server, or returned.

Discord is asked when needed, since the bot receives no events about members.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.client.requests.permission_problems import DISCORD_ERRORS
from bot.table.bounded_caches import BoundedDict
from bot.table.live import LiveGame
from bot.table.markdown import strong
from bot.table.orders.sealed_auction import players_who_must_act
from bot.table.outbox.notices import Line
from bot.table.tables import Tables
from engine import PlayerId
from storage import fetch, outbox, parse_timestamp, pings

_log = logging.getLogger("stationmaster.announce")

MEMBERSHIP_CACHED_FOR: Final = timedelta(hours=1)
"""Time for which the membership of a user is cached, so that Discord is not asked again."""
MAX_MEMBERS: Final = 10_000
"""Maximum number of members whose membership is cached."""
UNKNOWN_MEMBER_CODE: Final = 10007
"""Discord's error code if a user is not a member of the server."""
REPLACE_ADVICE: Final = "- `/game replace newcomer: player:{}`: let a member take over the seat"
DEPARTURE_ADVICE: Final = (
    "- `/game pause`: pause the game for some days, or until `/game resume`\n"
    "-# A moderator can use `/mod replace`, `/mod act` and `/mod pause`."
)
"""Last lines of the text that tells the other players what to do after a player has left the server."""


class DepartedMembers:
    """Finds out which players have left the server or have returned."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._seen_at_by_member: BoundedDict[tuple[int, int], datetime] = BoundedDict(MAX_MEMBERS)
        """By server id and user id: the time at which the user was last found to be a member."""

    async def check_pinged_players(self, game_id: int, pinged_players: Iterable[PlayerId]) -> None:
        """Ask Discord if the players who were just pinged are still members. Each departure is posted once."""
        if self._all_players_seen_recently(self._tables.cached_game(game_id)):
            return
        async with self._tables.reading(game_id) as live:
            notifications = await fetch(self._tables.db, pings.notifications_query(game_id))
            waiting_players = await players_who_must_act(self._tables.db, live)
            reminded_players = (
                notification.player_id for notification in notifications if notification.stage > 1
            )
            acting_players = [
                player
                for player in dict.fromkeys((*pinged_players, *reminded_players))
                if player in waiting_players
            ]
            seats_played_by_others = live.group_players | live.caretaker_players
            user_by_player = {
                player: live.user_of(player)
                for player in acting_players
                if player not in seats_played_by_others
            }
            text_by_player = {player: departure_text(live, player) for player in user_by_player}
            seat_seq_by_user = {seat_entry.user_id: seat_entry.since for seat_entry in live.seat_history}
            guild = self._client.get_guild(live.row.guild_id)
        for player, user_id in user_by_player.items():
            if guild is not None and await self._has_left(guild, user_id, f"game {game_id}: seat {player}"):
                await pings.mark_departed(self._tables.db, game_id, player)
                await self._tables.board_links.end_sessions(user_id, game_id)
                # The row with which they took the seat makes this line unique, so it is posted once.
                notice, now = Line(text_by_player[player]).notice(), self._tables.clock()
                if await outbox.add_notice_once(
                    self._tables.db, game_id, seat_seq_by_user.get(user_id, 0), notice, now
                ):
                    self._tables.on_notice(game_id)

    async def check_departed(self, game_id: int) -> None:
        """Ask Discord if departed players who must act have rejoined the server."""
        async with self._tables.reading(game_id) as live:
            notifications = await fetch(self._tables.db, pings.notifications_query(game_id))
            user_by_departed_player = {
                notification.player_id: live.user_of(notification.player_id)
                for notification in notifications
                if notification.has_departed
            }
            guild = self._client.get_guild(live.row.guild_id)
        for player, user_id in user_by_departed_player.items():
            if guild is not None and await self._is_member(guild, user_id, f"game {game_id}: seat {player}"):
                await pings.mark_departed(self._tables.db, game_id, player, has_departed=False)

    async def _has_left(self, guild: discord.Guild, user_id: int, seat_label: str) -> bool:
        return (
            not self._was_member_recently(guild.id, user_id)
            and await self._is_member(guild, user_id, seat_label) is False
        )

    def _was_member_recently(self, guild_id: int, user_id: int) -> bool:
        seen_at = self._seen_at_by_member.get((guild_id, user_id))
        return seen_at is not None and parse_timestamp(self._tables.clock()) - seen_at < MEMBERSHIP_CACHED_FOR

    def _all_players_seen_recently(self, live: LiveGame | None) -> bool:
        if live is None:
            return False
        seats_played_by_others = live.group_players | live.caretaker_players
        user_ids = {
            live.user_of(seat.player_id)
            for seat in live.seats
            if seat.player_id not in seats_played_by_others
        }
        return all(self._was_member_recently(live.row.guild_id, user_id) for user_id in user_ids)

    async def _is_member(self, guild: discord.Guild, user_id: int, seat_label: str) -> bool | None:
        """True if the user is a member of the server; None if Discord gives no answer."""
        try:
            await guild.fetch_member(user_id)
        except discord.NotFound as error:
            return False if error.code == UNKNOWN_MEMBER_CODE else None
        except DISCORD_ERRORS as error:
            _log.info("%s: cannot check if its player has left the server: %r", seat_label, error)
            return None
        self._seen_at_by_member[guild.id, user_id] = parse_timestamp(self._tables.clock())
        return True


def departure_text(live: LiveGame, player: PlayerId) -> str:
    """The line posted when a player has left the server; it says what the other players or moderators can do."""
    name, substitute = live.name_of(player), live.substitutes.get(player)
    if substitute is not None:
        return (
            f"{strong(substitute.display_name)}, {strong(name)}'s substitute, has left this server, "
            f"so the game waits. {strong(name)} can return with `/game back` or name another "
            "substitute with `/game substitute`. The other players can use:\n"
            f"{REPLACE_ADVICE.format(name)}\n{DEPARTURE_ADVICE}"
        )
    if not live.other_users(player):
        return (
            f"{strong(name)} has left this server, and nobody else plays this game. A moderator can "
            f"give the seat to a member with `/mod replace player:{name} newcomer:`, or end the "
            "game with `/mod end`."
        )
    return (
        f"{strong(name)} has left this server while the game waits for them. The other players can use:\n"
        f"{REPLACE_ADVICE.format(name)}\n"
        f"- `/game agreement player:{name}`: play the seat as a group until somebody takes it over; with "
        "`how:caretaker` the computer plays it\n"
        f"{DEPARTURE_ADVICE}"
    )
