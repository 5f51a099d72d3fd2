"""Computer players in the lobby: seats that nobody has, and which a caretaker plays from the start."""

from typing import Final

from bot.table.lobby import Lobbies, Lobby
from bot.table.orders.automatic import strength_of
from engine.caretaker import STRONGEST
from storage.people import CARETAKER
from storage.seats import Seat

NAME: Final = "Caretaker"
"""What stands behind the name of a computer player whose strength nobody has chosen."""


async def add(lobbies: Lobbies, game_id: int, user_id: int, strength: str = STRONGEST) -> Lobby:
    """Give a computer player of this strength a seat; anybody seated may. Raises Refused, NotSeated, StorageError."""
    lobbies.require_seat(await lobbies.read(game_id), user_id)
    return await lobbies.join(game_id, CARETAKER, strength)


async def remove(lobbies: Lobbies, game_id: int, user_id: int) -> Lobby:
    """Free the last seat of a computer player."""
    lobbies.require_seat(await lobbies.read(game_id), user_id)
    return await lobbies.leave(game_id, CARETAKER)


async def join_again(lobbies: Lobbies, game_id: int, seat: Seat) -> Lobby:
    """Give a computer player a seat that plays as strongly as in this seat of an earlier game."""
    chosen = strength_of(seat)
    return await lobbies.join(game_id, CARETAKER, NAME if chosen is None else chosen)
