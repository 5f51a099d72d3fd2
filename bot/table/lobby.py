"""Games before their first move: opened, joined, seated, started, or given up."""

import asyncio
import json
import random
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot.table import notices
from bot.table.errors import NotYours, Refused
from bot.table.names import harmless, told_apart
from bot.table.notices import Line
from bot.table.opening import Opening
from bot.table.readings import chosen_rules, read_options, read_profile, read_title
from bot.table.service import Tables
from bot.table.style import strong
from engine.tell.narrate import sentences
from engine.titles import TITLES
from storage import games, guilds, log, seats
from storage.errors import NotSeated
from storage.games import Game as GameRow
from storage.log import Entry
from storage.seats import Seat

SEEDS = 2**31
"""Seeds are drawn below this number."""
OPEN_OF_ONE: Final = 5
"""Games in the lobby that one person may have a seat in, or have opened on a server, before opening another."""
OPEN_ON_A_SERVER: Final = 30
"""Games in the lobby that one server may have."""


@dataclass(frozen=True, slots=True)
class Lobby:
    """A game in the lobby and who has joined, in seating order."""

    row: GameRow
    seats: tuple[Seat, ...]
    fixed: bool
    """The seating order was chosen (True), or will be drawn at the start."""

    @property
    def options(self) -> tuple[str, ...]:
        """The title's options that were chosen."""
        return tuple(json.loads(self.row.options))


class Lobbies:
    """What people do with a game before it starts; each method raises Refused or StorageError."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._db = tables.db
        self._opening = asyncio.Lock()

    async def new(
        self,
        *,
        guild_id: int,
        channel_id: int,
        user_id: int,
        user_name: str,
        title: str,
        profile: str,
        options: Iterable[str] = (),
    ) -> Lobby:
        """Open a game in the lobby and seat the person who asked; Refused where too many are open already."""
        known = read_title(title)
        chosen_profile, chosen = read_profile(known, profile), read_options(known, options)
        now = self._tables.clock()
        async with self._opening:
            await self._require_room(guild_id, user_id)
            row = await games.create_game(
                self._db,
                guild_id=guild_id,
                channel_id=channel_id,
                title=known.id,
                profile=chosen_profile,
                options=json.dumps(chosen),
                seed=secrets.randbelow(SEEDS),
                name=known.name,
                now=now,
            )
            await seats.join(self._db, row.id, user_id, harmless(user_name), now=now)
        return await self.read(row.id)

    async def read(self, game_id: int) -> Lobby:
        """The lobby as it is now; raises NoSuchGame, Refused once the game has started."""
        row = await games.get_game(self._db, game_id)
        if row.status != "lobby":
            raise Refused(f"Game {game_id} is not in the lobby any more.")
        return await self._lobby(row)

    async def join(self, game_id: int, user_id: int, user_name: str) -> Lobby:
        """Give the person a seat."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            if any(seat.user_id == user_id for seat in lobby.seats):
                raise Refused(f"You have a seat in game {game_id} already.")
            most = max(TITLES[lobby.row.title].spec.players)
            name = told_apart(user_name, [seat.display_name for seat in lobby.seats])
            await seats.join(self._db, game_id, user_id, name, most=most, now=self._tables.clock())
            return await self.read(game_id)

    async def leave(self, game_id: int, user_id: int) -> Lobby:
        """Free the person's seat."""
        async with self._tables.lock(game_id):
            await self.read(game_id)
            await seats.leave(self._db, game_id, user_id, now=self._tables.clock())
            return await self.read(game_id)

    async def arrange(self, game_id: int, user_id: int, order: tuple[int, ...]) -> Lobby:
        """Fix the seating order; any seated person may."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            self._require_seat(lobby, user_id)
            await seats.reorder(self._db, game_id, order)
            await guilds.put(self._db, lobby.row.guild_id, _fixed_key(game_id), "yes")
            return await self.read(game_id)

    async def choose(
        self, game_id: int, user_id: int, profile: str | None, options: Iterable[str] | None
    ) -> Lobby:
        """Change profile or options (None: they stay); any seated person may."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            self._require_seat(lobby, user_id)
            title = TITLES[lobby.row.title]
            now_profile = lobby.row.profile if profile is None else read_profile(title, profile)
            now_options = lobby.options if options is None else read_options(title, options)
            await games.set_rules(self._db, game_id, now_profile, json.dumps(now_options))
            return await self.read(game_id)

    async def start(self, game_id: int, user_id: int) -> None:
        """Draw the seats unless they were fixed, and store the first row with its notices."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            self._require_seat(lobby, user_id)
            self._require_count(lobby)
            taken = lobby.seats if lobby.fixed else await self._shuffled(lobby)
            await self._store_start(lobby.row, taken, user_id)
        self._tables.on_notice()

    async def give_up(self, game_id: int, user_id: int) -> None:
        """Close the lobby; whoever opened the game may, and anybody seated once that person has left."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            opener = await self._opener(game_id)
            seated = [seat.user_id for seat in lobby.seats]
            if user_id != opener.user_id and (opener.user_id in seated or user_id not in seated):
                raise NotYours(f"Game {game_id} was opened by {opener.display_name}, who may give it up.")
            await games.abandon(self._db, game_id)

    async def _lobby(self, row: GameRow) -> Lobby:
        taken = tuple(await seats.seats(self._db, row.id))
        fixed = await guilds.get(self._db, row.guild_id, _fixed_key(row.id)) is not None
        return Lobby(row, taken, fixed)

    async def _shuffled(self, lobby: Lobby) -> tuple[Seat, ...]:
        order = [seat.user_id for seat in lobby.seats]
        # The seed was drawn when the game was opened and is told to nobody, so this is as good as a new draw.
        random.Random(lobby.row.seed).shuffle(order)
        return tuple(await seats.reorder(self._db, lobby.row.id, order))

    async def _store_start(self, row: GameRow, taken: tuple[Seat, ...], user_id: int) -> None:
        players = tuple((seat.player_id, seat.display_name) for seat in taken)
        opening = Opening(row.title, row.profile, tuple(json.loads(row.options)), row.seed, players)
        game = opening.begin()
        names = ", ".join(name for _, name in players)
        drawn = " ".join(sentences(game.opening_events, game))
        begins = (
            f"`1` {strong(f'Game {row.id}: {row.name}')} begins. Seats in order: {names}. {chosen_rules(row)}"
        )
        line = Line(f"{begins} {drawn}".rstrip())
        over = notices.hand_over((), game.actors(), None)
        await log.commit_start(
            self._db,
            row.id,
            [Entry("start", opening.payload(), game.digest(), "", user_id)],
            [notices.opened(), notices.board(), line.notice(), over.notice()],
            now=self._tables.clock(),
            state=game.dump(),
        )

    async def _opener(self, game_id: int) -> seats.Membership:
        """Who opened a game: whoever sat down first."""
        return (await seats.history(self._db, game_id))[0]

    async def _require_room(self, guild_id: int, user_id: int) -> None:
        here = await games.list_games(self._db, guild_id, "lobby")
        if len(here) >= OPEN_ON_A_SERVER:
            raise Refused(
                f"{len(here)} games of this server wait for players already, which is as many as may. "
                "Join one of them, or have one given up with `/game abandon`."
            )
        own = {row.id for row in await games.games_of_user(self._db, user_id) if row.status == "lobby"}
        own |= {row.id for row in here if (await self._opener(row.id)).user_id == user_id}
        if len(own) >= OPEN_OF_ONE:
            raise Refused(
                f"You wait for players in {len(own)} games already ({', '.join(map(str, sorted(own)))}), which is "
                "as many as one person may. Start one of them, leave it, or give it up with `/game abandon`."
            )

    def _require_seat(self, lobby: Lobby, user_id: int) -> None:
        if all(seat.user_id != user_id for seat in lobby.seats):
            raise NotSeated(f"You have no seat in game {lobby.row.id}. Join it first.")

    def _require_count(self, lobby: Lobby) -> None:
        counts = TITLES[lobby.row.title].spec.players
        if len(lobby.seats) not in counts:
            raise Refused(
                f"{lobby.row.name} is for {min(counts)} to {max(counts)} players; "
                f"{len(lobby.seats)} {'has' if len(lobby.seats) == 1 else 'have'} joined."
            )


def _fixed_key(game_id: int) -> str:
    return f"seats of game {game_id} are fixed"
