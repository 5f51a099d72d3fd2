"""`/game repair` finds out what is wrong with a game and helps; `/game move-here` shows it in another channel."""

import logging

import discord

from bot.client.administration.damaged_games import DamagedGames
from bot.client.entry.replies import say, think
from bot.client.entry.rights import moderates, require
from bot.client.entry.showable import LOCKED
from bot.client.places.forums import Forums
from bot.client.places.game_channels import require_place, suited
from bot.client.places.lost_threads import LostThreads, without_channel
from bot.client.places.threads import Threads
from bot.client.posts.lobby_posts import LobbyPosts
from bot.client.posts.turn_messages import Turns
from bot.client.requests.permission_problems import UNKNOWN_CHANNEL, Problem
from bot.table.errors import Refused
from bot.table.games.repair import RepairPlan
from bot.table.outbox import notices
from bot.table.outbox.notices import TurnChange
from bot.table.tables import Tables
from storage import games
from storage.games import Game
from storage.posts import outbox
from storage.tables import seats

_log = logging.getLogger("stationmaster.announce")


class Repairs:
    """Brings back what a table sees of its game, and asks a moderator about what else is wrong."""

    def __init__(
        self,
        tables: Tables,
        threads: Threads,
        homes: LostThreads,
        turns: Turns,
        forums: Forums,
        lobbies: LobbyPosts,
        damaged: DamagedGames,
    ) -> None:
        self._tables = tables
        self._threads = threads
        self._homes = homes
        self._forums = forums
        self._turns = turns
        self._lobbies = lobbies
        self._damaged = damaged

    async def repair(self, interaction: discord.Interaction, game_id: int) -> None:
        """Show a game again, and ask a moderator about a damaged log or changed rules."""
        await think(interaction)
        row = await self._of_this_server(interaction, game_id)
        people = [seat.user_id for seat in await seats.seats(self._tables.db, game_id)]
        if interaction.user.id not in people:
            await require(interaction, "moderate", game_id)
        if row.status == "lobby":
            await self._lobbies.show(game_id)
            await say(interaction, f"The message of game {game_id} is in <#{row.channel_id}>, up to date.")
            return
        plan = await self._damage(interaction, game_id)
        if plan is None:
            await self._show(interaction, row)
            await self._ask_if_on_hold(interaction, game_id)
            return
        if row.status == "running" and await self._thread(row) is None:
            await self._new_thread(interaction, row)
        await self._damaged.ask(interaction, game_id, plan)

    async def _damage(self, interaction: discord.Interaction, game_id: int) -> RepairPlan | None:
        """How a damaged game would be repaired. Where it can be played, only moderators have every move replayed."""
        if await moderates(interaction) or await self._tables.damage(game_id):
            return await self._damaged.find(game_id)
        return None

    async def _show(self, interaction: discord.Interaction, row: Game) -> None:
        _require_running(row)
        thread_id = await self._thread(row)
        if thread_id is None:
            await self._new_thread(interaction, row)
        else:
            await self._refresh(interaction, row, thread_id)

    async def _ask_if_on_hold(self, interaction: discord.Interaction, game_id: int) -> None:
        async with self._tables.reading(game_id) as live:
            why, seq = live.waits, live.seq
        if why is not None:
            await self._damaged.ask_to_accept(interaction, game_id, seq, why)

    async def move_here(self, interaction: discord.Interaction, game_id: int) -> None:
        """Show a game in a new thread of this channel from now on."""
        await think(interaction)
        await require(interaction, "moderate", game_id)
        row = await self._of_this_server(interaction, game_id)
        _require_running(row)
        channel = suited(interaction.channel)
        require_place(interaction, channel, "The game was not moved.")
        if isinstance(channel, discord.ForumChannel):
            await self._forums.ready(channel, row.name)
        await self._close_old(row, channel.id)
        why = f"<@{interaction.user.id}> has moved this game here."
        thread_id = await self._homes.move(row, channel.id, why)
        await say(interaction, f"Game {game_id} continues in <#{thread_id}>.")

    async def _of_this_server(self, interaction: discord.Interaction, game_id: int) -> Game:
        row = await games.get_game(self._tables.db, game_id)
        if row.guild_id != interaction.guild_id:
            raise Refused(f"Game {game_id} is not played on this server.")
        return row

    async def _thread(self, row: Game) -> int | None:
        """The number of the thread of a game, if it is there; an archived one is opened."""
        if row.thread_id is not None and await self._threads.ask(row.thread_id):
            return row.thread_id
        return None

    async def _refresh(self, interaction: discord.Interaction, row: Game, thread_id: int) -> None:
        """The thread is there: what is missing in it is posted."""
        channel = interaction.client.get_channel(thread_id)
        if isinstance(channel, discord.Thread) and channel.locked:
            raise Refused(LOCKED)
        async with self._tables.reading(row.id) as live:
            pending = [TurnChange((), None).notice(), notices.board(again=True)]
            await outbox.put(self._tables.db, row.id, live.seq, pending, self._tables.clock())
        self._turns.doubt(row.id)
        self._tables.on_notice(row.id)
        await say(
            interaction,
            f"<#{thread_id}> is there; its board and its turn message are brought up to date.",
        )

    async def _new_thread(self, interaction: discord.Interaction, row: Game) -> None:
        why = "The thread of this game is gone; it continues here."
        try:
            thread_id = await self._homes.move(row, row.channel_id, why)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
            raise Refused(without_channel(row.id)) from error
        await say(interaction, f"Game {row.id} continues in <#{thread_id}>.")

    async def _close_old(self, row: Game, channel_id: int) -> None:
        """Take the buttons out of the old thread, where it can be reached."""
        try:
            await self._turns.remove(row.id)
            thread = await self._threads.of(row.id)
            await thread.send(f"This game continues in <#{channel_id}>.", silent=True)
        except Problem as error:
            _log.info("game %s: its old thread keeps its buttons: %r", row.id, error)


def _require_running(row: Game) -> None:
    if row.status != "running":
        raise Refused(f"Game {row.id} is not running: there is nothing to repair or to move.")
