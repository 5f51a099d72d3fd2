"""Moves of caretakers (computer players), made in the background as soon as it is their turn."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from bot.table.orders.caretakers import play_caretakers
from bot.table.tables import Tables
from storage import seats

_log = logging.getLogger("stationmaster.background")


class CaretakerMoves:
    """Makes the moves of computer players. A slow move in one game does not delay other games."""

    def __init__(
        self, tables: Tables, run_in_background: Callable[[Coroutine[Any, Any, None]], object]
    ) -> None:
        self._tables = tables
        self._run_in_background = run_in_background
        self._games_being_played: set[int] = set()
        self._games_waiting_for_user: set[int] = set()

    async def wake_all(self) -> None:
        """Let computer players move in all games, except those known to wait for a user."""
        game_ids = await seats.games_with_caretaker(self._tables.db, self._tables.shards)
        self._games_waiting_for_user.intersection_update(game_ids)
        for game_id in game_ids:
            if game_id not in self._games_waiting_for_user:
                self.wake(game_id)

    def wake(self, game_id: int) -> None:
        """Let the computer players of a changed game move."""
        self._games_waiting_for_user.discard(game_id)
        live = self._tables.find_cached(game_id)
        if game_id not in self._games_being_played and (live is None or live.caretaker_players):
            self._games_being_played.add(game_id)
            self._run_in_background(self._play_game(game_id))

    async def _play_game(self, game_id: int) -> None:
        # A change from here on calls `wake`, which removes the game again.
        self._games_waiting_for_user.add(game_id)
        try:
            if await play_caretakers(self._tables, game_id):
                self._games_waiting_for_user.discard(game_id)
        except Exception as error:  # noqa: BLE001 - users who open the game are told about the problem
            self._games_waiting_for_user.discard(game_id)
            _log.info("game %s: the caretaker cannot move: %r", game_id, error)
        finally:
            self._games_being_played.discard(game_id)
