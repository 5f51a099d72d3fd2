"""What moderators of games do: confirmed first where it cannot be undone, and posted in the thread."""

from collections.abc import Sequence

import discord

from bot.client.administration.damaged_games import DamagedGames, close_question
from bot.client.components import turn_buttons
from bot.client.components.buttons import cancel_button, moderation_button
from bot.client.entry.replies import after, say, think, unless_stopped
from bot.client.posts.lobby_posts import LobbyPosts
from bot.table.errors import Refused
from bot.table.lobby import Lobbies, Lobby
from bot.table.settings.readings import chosen_rules
from bot.table.tables import Tables
from bot.table.undo.lost_moves import loss_text
from bot.table.undo.undoing import loss
from bot.table.votes.absence import let_caretaker_play
from bot.table.votes.moderating import Moderating
from bot.table.votes.seating import seat_meant
from storage import games


class Moderation:
    """From a `/mod` command, and the click that confirms it, to the public line."""

    def __init__(
        self,
        tables: Tables,
        moderating: Moderating,
        lobbies: Lobbies,
        posts: LobbyPosts,
        damaged: DamagedGames,
    ) -> None:
        self._tables = tables
        self._moderating = moderating
        self._lobbies = lobbies
        self._posts = posts
        self._damaged = damaged

    async def undo(self, interaction: discord.Interaction, game_id: int, to: int) -> None:
        """Show what would be lost if the game went back to where it stood after this move, and ask."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            found, seq = await loss(self._tables, live, to), live.seq
            lost = await loss_text(self._tables.db, live, found)
        count = "This move" if len(found.rows) == 1 else f"These {len(found.rows)} moves"
        stays = "seats stay as they are, and `/redo` redoes them until the next move"
        ask = f"{count} would no longer count; {stays}:\n{lost}"
        label = f"Go back to where it stood after move {to}"
        await say(interaction, ask, view=_sure(game_id, seq, "undo", to, label))

    async def end(self, interaction: discord.Interaction, game_id: int, choice: str) -> None:
        """Ask whether a running game is to end here, with a score (`end`) or without (`abandon`)."""
        await think(interaction)
        problem = await self._tables.damage(game_id)
        if problem is not None:
            await self._damaged.ask_to_end(interaction, game_id, problem)
            return
        async with self._tables.reading(game_id) as live:
            if live.row.status != "running":
                raise Refused(f"Game {game_id} has ended.")
            seq = live.seq
        how = "scored as it stands" if choice == "end" else "without a score"
        ask = f"Really end game {game_id} here, {how}? Its players are not asked."
        await say(interaction, ask, view=_sure(game_id, seq, choice, 0, f"End it, {how}"))

    async def close(self, interaction: discord.Interaction, game_id: int) -> None:
        """Ask whether a lobby is to be closed."""
        await think(interaction)
        lobby = await self._lobby(interaction, game_id)
        ask = f"Really close game {game_id}, {lobby.row.name}, which has not started? It cannot be opened again."
        await say(interaction, ask, view=_sure(game_id, 0, "close", 0, "Close it"))

    async def confirm(
        self, interaction: discord.Interaction, game_id: int, seq: int, choice: str, number: int
    ) -> None:
        """The `yes`: do it, and answer."""
        async with unless_stopped(interaction):
            done = await self._do(interaction, game_id, seq, choice, number)
        with after(done):
            await close_question(interaction, done)

    async def let_caretaker_play(self, interaction: discord.Interaction, game_id: int, player: str) -> None:
        """Let a caretaker play the seat that a text means."""
        by = interaction.user.id
        async with unless_stopped(interaction):
            async with self._tables.reading(game_id) as live:
                seat = seat_meant(live, player)
            done = await let_caretaker_play(self._tables, game_id, by, seat)
        with after(done):
            await say(interaction, done)

    async def choose(
        self,
        interaction: discord.Interaction,
        game_id: int,
        profile: str | None,
        options: Sequence[str] | None,
    ) -> None:
        """Correct the rules of a game that has not started."""
        await think(interaction)
        await self._lobby(interaction, game_id)
        lobby = await self._lobbies.choose(game_id, None, profile, options)
        await self._corrected(interaction, lobby, f"the rules: {chosen_rules(lobby.row)}")

    async def arrange(self, interaction: discord.Interaction, game_id: int, order: tuple[int, ...]) -> None:
        """Correct the seats of a game that has not started."""
        await self._lobby(interaction, game_id)
        lobby = await self._lobbies.arrange(game_id, None, order)
        names = ", ".join(seat.display_name for seat in lobby.seats)
        await self._corrected(interaction, lobby, f"the seats: {names}")

    async def _do(
        self, interaction: discord.Interaction, game_id: int, seq: int, choice: str, number: int
    ) -> str:
        user_id = interaction.user.id
        if choice == "undo":
            outcome = await self._moderating.undo(game_id, user_id, number, seq)
            return outcome.done()
        if choice == "accept":
            return (await self._moderating.accept(game_id, user_id)).done()
        if choice == "close":
            return await self._close(interaction, game_id)
        end = self._moderating.end if choice == "end" else self._moderating.abandon
        return await end(game_id, user_id, seq)

    async def _close(self, interaction: discord.Interaction, game_id: int) -> str:
        async with self._tables.lock(game_id):
            lobby = await self._lobby(interaction, game_id)
            await self._lobbies.withdraw(game_id)
        done = f"Game {game_id} is closed."
        with after(done):
            people = [seat.display_name for seat in lobby.seats]
            await self._posts.close(
                lobby.row, people, f"was closed by <@{interaction.user.id}>, as a moderator"
            )
        return done

    async def _corrected(self, interaction: discord.Interaction, lobby: Lobby, what: str) -> None:
        done = f"<@{interaction.user.id}> has corrected, as a moderator, {what}"
        with after(f"Game {lobby.row.id} is corrected."):
            await self._posts.show(lobby.row.id)
            await self._posts.tell(lobby.row, done)
            await say(interaction, done)

    async def _lobby(self, interaction: discord.Interaction, game_id: int) -> Lobby:
        row = await games.get_game(self._tables.db, game_id)
        if row.guild_id != interaction.guild_id:
            raise Refused(f"Game {game_id} is not played on this server.")
        return await self._lobbies.read(game_id)


def _sure(game_id: int, seq: int, choice: str, number: int, label: str) -> discord.ui.View:
    return turn_buttons.rows_of(
        [moderation_button(game_id, seq, choice, number, label), cancel_button(game_id)]
    )
