"""Rematches: new games with the title, profile, options and settings of an ended game."""

from bot.table.errors import Refused
from bot.table.game_cache import GameLocks
from bot.table.games.rematch_links import record_rematch, rematch_of
from bot.table.lobby import Lobbies, Lobby, LobbyOpener
from bot.table.orders.caretakers import join_with_same_strength
from bot.table.settings.game_rules import options_of
from bot.table.settings.table_settings import SETTINGS, start_time
from bot.table.tables import Tables
from storage import CARETAKER_USER, GAME_SETTINGS, GameRow, games, seats


class Rematches:
    """Opens rematches. An ended game has one rematch; it can have another only if that rematch was abandoned."""

    def __init__(self, tables: Tables, lobbies: Lobbies) -> None:
        self._tables = tables
        self._lobbies = lobbies
        self.locks = GameLocks()
        """A lock for each ended game.

        A request holds it until the rematch is posted, so that a second request at the same time finds that rematch.
        """

    async def ended_game(self, game_id: int) -> GameRow:
        """The game with this id; raises Refused if it is running."""
        row = await games.get_game(self._tables.db, game_id)
        if row.status == "running":
            raise Refused(f"Game {game_id} is not over, because its end was undone.")
        return row

    async def find_rematch(self, game_id: int) -> GameRow | None:
        """The rematch of a game; None if the game has no rematch, or only an abandoned one."""
        rematch_id = await rematch_of(self._tables.db, game_id)
        row = None if rematch_id is None else await games.get_game(self._tables.db, rematch_id)
        return None if row is None or row.status == "abandoned" else row

    async def open_rematch(self, old_game: GameRow, opener: LobbyOpener) -> Lobby:
        """Open a rematch of game `old_game` and seat its opener; raises Refused if there are too many lobbies."""
        lobby = await self._lobbies.open_lobby(
            old_game.guild_id, opener, old_game.title, old_game.profile, options_of(old_game)
        )
        try:
            for name, value in (await GAME_SETTINGS.settings_of(self._tables.db, old_game.id)).items():
                if name in SETTINGS and start_time(value) is None:  # the start date of the old game is past
                    await GAME_SETTINGS.put(self._tables.db, lobby.row.id, name, value)
            for seat in await seats.seats(self._tables.db, old_game.id):
                if seat.user_id == CARETAKER_USER:
                    await join_with_same_strength(self._lobbies, lobby.row.id, seat)
            await record_rematch(self._tables.db, old_game.id, lobby.row.id)
            return await self._lobbies.read(lobby.row.id)
        except BaseException:
            await self._lobbies.withdraw(lobby.row.id)
            raise
