"""The messages of lobbies: posted when a game is opened, edited at each change, at the start and at the end."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import discord

from bot.client import game_texts
from bot.client.entry.replies import edit_pressed
from bot.client.game_texts import thread_name
from bot.client.lobby_message import lobby_panel, lobby_text
from bot.client.places.forums import Forums
from bot.client.requests.old_edits import OldEdits
from bot.table.errors import Refused
from bot.table.game_cache import Locks
from bot.table.lobby import Lobbies, Lobby
from bot.table.settings.person_settings import CLOSED, person_settings
from bot.table.settings.server_settings import pings_quietly
from bot.table.style import sentence_list
from bot.table.tables import Tables
from storage import games
from storage.games import Game
from storage.posts import direct_messages
from storage.settings import PEOPLE
from storage.tables import seats
from storage.timestamps import moment


class LobbyPosts:
    """One message for each lobby, changed by one at a time; raises what Discord refuses."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._lobbies = Lobbies(tables)
        self._forums = Forums(client)
        self._locks = Locks()
        self._old = OldEdits()

    async def post(self, lobby: Lobby, pinged: Sequence[int] = ()) -> int:
        """Post the message of a lobby, and return where; the users mentioned are notified.

        If it cannot be noted which message it is, it is deleted again.
        """
        message = await self._post(lobby, discord.AllowedMentions(users=[*map(discord.Object, pinged)]))
        try:
            # A thread bears the number of the message it starts from: this is where the game will be.
            await self._tables.show_in(lobby.row.id, message.id)
        except BaseException:
            await message.delete()
            raise
        return message.channel.id

    async def _post(
        self, lobby: Lobby, mentions: discord.AllowedMentions
    ) -> discord.PartialMessage | discord.Message:
        """In a forum it is the first of a post, and has the number of the post."""
        row, text, view = lobby.row, lobby_text(lobby), lobby_panel(lobby)
        forum = self._forums.of(row)
        if forum is None:
            return await self._messageable(row, row.channel_id).send(
                text, view=view, allowed_mentions=mentions
            )
        people = [seat.display_name for seat in lobby.seats]
        post = await self._forums.post(
            forum,
            row,
            thread_name(row.id, row.name, people),
            content=text,
            view=view,
            allowed_mentions=mentions,
        )
        return self._messageable(row, post).get_partial_message(post)

    async def show(self, game_id: int, asked: discord.Interaction | None = None) -> None:
        """Bring the message up to date, in the answer to a click on it; one that is gone is posted anew."""
        async with self._locks.of(game_id):
            try:
                lobby = await self._lobbies.read(game_id)
            except Refused:
                return  # it has started or was closed meanwhile, which its message says
            try:
                await self._edit(
                    lobby.row,
                    asked,
                    content=lobby_text(lobby),
                    view=lobby_panel(lobby),
                )
            except discord.NotFound:
                await self.post(lobby)

    async def close(
        self, row: Game, people: list[str], fate: str, asked: discord.Interaction | None = None
    ) -> None:
        """Take the buttons away and say what became of the lobby."""
        text = f"{game_texts.game_title(row)} {fate}. {sentence_list(people)}"
        async with self._locks.of(row.id):
            try:
                await self._edit(row, asked, content=text[: game_texts.LONGEST_MESSAGE], view=None)
            except discord.NotFound:
                return  # somebody deleted the lobby message; the game does not need it
        await self._forums.show(await games.get_game(self._tables.db, row.id))

    async def _edit(self, row: Game, asked: discord.Interaction | None, **parts: Any) -> None:
        if asked is not None and asked.message is not None and asked.message.id == row.thread_id:
            try:
                await edit_pressed(asked, **parts)
                return
            except discord.NotFound:
                pass  # Discord may have waited for the answer no longer, or the message is gone
        message = self._message(row)
        async with self._old.place(message.channel.id, message.id):
            await message.edit(**parts)

    async def tell(self, row: Game, text: str) -> None:
        """Say something about a lobby in its channel, to nobody in particular."""
        channel = self._client.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
        await channel.send(f"{game_texts.game_title(row)}: {text}", silent=True)

    async def ping_host(self, lobby: Lobby, by: int) -> None:
        """Ping the player who opened a lobby once, when it is full, unless they have filled it themselves (`by`).

        They are pinged where their `/pings` say, and not while they are away or in quiet hours.
        """
        row, most = lobby.row, max(lobby.counts)
        if len(lobby.seats) < most:
            return
        history = await seats.history(self._tables.db, row.id)
        host = history[0].user_id
        taken = list(accumulate(1 if one.event == "joined" else -1 for one in history))
        if taken.count(most) > 1 or host == by or host not in lobby.people:
            return
        line = f"{game_texts.game_title(row)} has all its {most} players; *Start* begins it."
        if await self._pinged(host, row, line):
            await self._messageable(row, self._place(row)).send(
                f"<@{host}> {line}",
                allowed_mentions=discord.AllowedMentions(users=[discord.Object(host)]),
                silent=await pings_quietly(self._tables.db, row.guild_id),
            )

    async def _pinged(self, host: int, row: Game, line: str) -> bool:
        """Whether a player is pinged in the channel of a lobby; where they want it, a direct message says the line."""
        db, now = self._tables.db, self._tables.clock()
        person = await person_settings(db, host)
        if person.free(moment(now)) > moment(now):
            return False
        is_closed = await PEOPLE.get(db, host, CLOSED) is not None
        if person.how == "thread" or is_closed:
            return True
        said = f"{line} <#{self._place(row)}>"
        await db.write(lambda tx: direct_messages.write(tx, host, said, (), row.id, now))
        return person.how == "both"

    def _place(self, row: Game) -> int:
        """The channel of a lobby message; in a forum its post."""
        return row.channel_id if self._forums.of(row) is None else _number(row)

    def _message(self, row: Game) -> discord.PartialMessage:
        return self._messageable(row, self._place(row)).get_partial_message(_number(row))

    def _messageable(self, row: Game, channel_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id, guild_id=row.guild_id)


def _number(row: Game) -> int:
    """The number of a lobby message; 0 where it was not posted."""
    return row.thread_id or 0
