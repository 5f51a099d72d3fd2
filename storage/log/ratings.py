"""Ratings of a server's members in each title: a row for each user after each rated game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from storage import games
from storage.contract import Database, Transaction
from storage.settings import GUILDS

KEY = "ratings"
"""The setting of a server that rates the games of its members."""
ON = "on"
"""The value with which it does."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is held to be, and how uncertain that is, in thousandths."""

    mu: int
    sigma: int


Rate: TypeAlias = Callable[[Sequence[Rating | None], Sequence[int]], Sequence[Rating]]
"""Ratings after a game, from those before it (None: the first one) and the places from 1, in the same order."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A game that ended normally: its users with their places, to be rated with the move that ends it."""

    places: tuple[tuple[int, int], ...]
    rate: Rate
    now: str

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        """Store the new ratings where the server rates games, within a transaction."""
        del seq
        game = await games.find(tx, game_id)
        if await GUILDS.read(tx, game.guild_id, KEY) != ON:
            return
        users = [user_id for user_id, _ in self.places]
        before = [await _newest(tx, game.guild_id, game.title, user_id) for user_id in users]
        after = self.rate(before, [place for _, place in self.places])
        await tx.run_many(
            "INSERT INTO ratings (game_id, user_id, mu, sigma, at) VALUES (?, ?, ?, ?, ?)",
            [(game_id, user, one.mu, one.sigma, self.now) for user, one in zip(users, after, strict=True)],
        )


async def of_server(db: Database, guild_id: int) -> dict[tuple[int, str], Rating]:
    """Return the newest rating of each user of a server (guild) in each title; none where games are not rated."""
    if await GUILDS.get(db, guild_id, KEY) != ON:
        return {}
    rows = await db.rows(
        "SELECT user_id, title, mu, sigma FROM ratings JOIN games ON games.id = game_id "
        "WHERE guild_id = ? ORDER BY at, game_id",
        guild_id,
    )
    return {(user_id, title): Rating(mu, sigma) for user_id, title, mu, sigma in rows}


async def _newest(tx: Transaction, guild_id: int, title: str, user_id: int) -> Rating | None:
    found = await tx.row(
        "SELECT mu, sigma FROM ratings JOIN games ON games.id = game_id "
        "WHERE guild_id = ? AND title = ? AND user_id = ? ORDER BY at DESC, game_id DESC LIMIT 1",
        *(guild_id, title, user_id),
    )
    return None if found is None else Rating(*found)
