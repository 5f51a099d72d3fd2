"""Computer players in the lobby: seats that nobody has, and which a caretaker plays from the start."""

from typing import Final

from bot.table.lobby import Lobbies, Lobby
from storage.people import CARETAKER

NAME: Final = "Caretaker"
"""The name of a computer player; further ones have a number behind it."""


async def add(lobbies: Lobbies, game_id: int, user_id: int) -> Lobby:
    """Give a caretaker a seat; anybody seated may. Raises Refused, NotSeated, StorageError."""
    lobbies.require_seat(await lobbies.read(game_id), user_id)
    return await lobbies.join(game_id, CARETAKER, NAME)


async def remove(lobbies: Lobbies, game_id: int, user_id: int) -> Lobby:
    """Free the last seat of a caretaker."""
    lobbies.require_seat(await lobbies.read(game_id), user_id)
    return await lobbies.leave(game_id, CARETAKER)
