"""Lobbies: games before their first move, opened, joined, seated, started or abandoned; and rematches."""

import asyncio
import json
import random
import secrets
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from bot.table.errors import Damaged, NotYours, Refused, StoredButFailed
from bot.table.games.confirmed_writes import SEE_LIST, confirm_write, is_abandoned, stored_row, write_and_true
from bot.table.games.game_log import Opening
from bot.table.markdown import strong
from bot.table.orders.sealed_auction import ping_text, sale_hint, sale_rules, seals_maxima
from bot.table.outbox import notices
from bot.table.outbox.notices import PINGED_HERE, Line, ThreadPing
from bot.table.player_names import computer_name, distinct_name, harmless
from bot.table.settings.game_rules import (
    chosen_rules,
    damage_of,
    house_summary,
    options_of,
    read_options,
    read_profile,
    read_title,
    title_of,
)
from bot.table.settings.table_settings import summary
from bot.table.tables import Tables
from engine import TitleSpec, narrate
from storage import (
    ANONYMISED,
    CARETAKER,
    GAMES,
    GUILDS,
    Database,
    Entry,
    GameRow,
    NotSeated,
    Seat,
    games,
    log,
    parse_timestamp,
    seats,
)

OPEN_OF_ONE: Final = 5
"""Games in the lobby that one person may have a seat in, or have opened on a server, before opening another."""
OPEN_ON_A_SERVER: Final = 30
"""Games in the lobby that one server may have."""


LOBBY_LASTS: Final = timedelta(days=30)
"""Time for which a game may wait for players."""


def lobby_expires(created_at: str) -> datetime:
    """The expiry of a lobby opened at this time (ISO 8601)."""
    return parse_timestamp(created_at) + LOBBY_LASTS


async def opener_of(db: Database, game_id: int) -> seats.Membership | None:
    """The opener of a game, who took the first seat; None after a failure."""
    return next(iter(await seats.memberships(db, game_id)), None)


def may_give_up(user_id: int, opener_id: int, seated: Sequence[int]) -> bool:
    """True if a user may abandon a lobby: its opener, or any seated user once the opener left."""
    return user_id == opener_id or (opener_id not in seated and user_id in seated)


async def require_room(db: Database, guild_id: int, user_id: int) -> None:
    """Raise Refused beyond the open games allowed for a server or user."""
    here = await games.list_games(db, guild_id, "lobby")
    if len(here) >= OPEN_ON_A_SERVER:
        raise Refused(
            f"This server already has {len(here)} open games waiting for players, which is the "
            "limit. Join one of them, or abandon one with `/game abandon`."
        )
    own = {row.id for row in await games.games_of_user(db, user_id) if row.status == "lobby"}
    openers = {row.id: await opener_of(db, row.id) for row in here}
    own |= {
        game_id for game_id, opener in openers.items() if opener is not None and opener.user_id == user_id
    }
    if len(own) >= OPEN_OF_ONE:
        raise Refused(
            f"You already have {len(own)} open games waiting for players "
            f"({', '.join(map(str, sorted(own)))}), which is the limit. Start or leave one of them, "
            "or abandon one with `/game abandon`."
        )


PLAYED_AGAIN_AS: Final = "played again as"
"""Under this an old game has the number of the new one, as a setting that no table chooses."""
PLAYS_AGAIN: Final = "plays again"
"""Under this the new game has the number of the old one."""


async def rematch_of(db: Database, game_id: int) -> int | None:
    """The rematch of this game; None without one."""
    return _number(await GAMES.get(db, game_id, PLAYED_AGAIN_AS))


async def note_rematch(db: Database, old: int, new: int) -> None:
    """Record a rematch."""
    await GAMES.put(db, new, PLAYS_AGAIN, str(old))
    await GAMES.put(db, old, PLAYED_AGAIN_AS, str(new))


async def asked_again(db: Database, game_id: int, joined: Iterable[int]) -> tuple[int, ...]:
    """Players of the previous game who have not joined this rematch; none for other games."""
    old = _number(await GAMES.get(db, game_id, PLAYS_AGAIN))
    sat = [] if old is None else [seat.user_id for seat in await seats.seats(db, old)]
    there = {ANONYMISED, CARETAKER, *joined}
    return tuple(user for user in dict.fromkeys(sat) if user not in there)


def _number(text: str | None) -> int | None:
    return int(text) if text else None


SEEDS = 2**31
"""Seeds are drawn below this number."""


class Opener(NamedTuple):
    """The user who opens a game (id, name), and the channel."""

    user_id: int
    name: str
    channel_id: int


@dataclass(frozen=True, slots=True)
class Lobby:
    """A game in the lobby, with its seats in order."""

    row: GameRow
    seats: tuple[Seat, ...]
    fixed: bool
    """The seating order was chosen (True), or will be drawn at the start."""
    agreed: tuple[str, ...] = ()
    """The settings of the game, a line each."""
    asked: tuple[int, ...] = ()
    """Users of the game that this one plays again who have not joined."""

    @property
    def options(self) -> tuple[str, ...]:
        """The title's options that were chosen; raises Damaged."""
        return options_of(self.row)

    @property
    def people(self) -> tuple[int, ...]:
        """The users who have joined, without caretakers."""
        return tuple(seat.user_id for seat in self.seats if seat.user_id != CARETAKER)

    @property
    def player_counts(self) -> Collection[int]:
        """Numbers of players of the title; raises Damaged."""
        return title_of(self.row).spec.players

    @property
    def may_seal(self) -> bool:
        """True if sealed bids are possible: the title has privates, and all players are people; raises Damaged."""
        return bool(title_of(self.row).spec.privates) and len(self.people) == len(self.seats)


class Lobbies:
    """Opens, changes and starts lobbies; each method raises Refused or StorageError."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._db = tables.db
        self._opening = asyncio.Lock()

    async def new(
        self, guild_id: int, by: Opener, title: str, profile: str, options: Iterable[str] = ()
    ) -> Lobby:
        """Open a lobby with its opener seated; Refused beyond the limits."""
        known = read_title(title)
        chosen_profile, chosen = read_profile(known, profile), read_options(known, options)
        now, seed = self._tables.clock(), secrets.randbelow(SEEDS)
        async with self._opening:
            await require_room(self._db, guild_id, by.user_id)
            write = games.create_game(
                self._db,
                guild_id=guild_id,
                channel_id=by.channel_id,
                title=known.id,
                profile=chosen_profile,
                options=json.dumps(chosen),
                seed=seed,
                name=known.name,
                now=now,
            )
            row = await confirm_write(write, lambda: self._find_opened(guild_id, seed, now), SEE_LIST)
            try:
                await seats.join(self._db, row.id, by.user_id, harmless(by.name), now=now)
                return await self.read(row.id)
            except BaseException:
                await self.withdraw(row.id)
                raise

    async def withdraw(self, game_id: int) -> None:
        """Delete a lobby that could not be posted."""
        await games.abandon(self._db, game_id)

    async def clear(self) -> None:
        """Delete lobbies that were being opened when the bot died."""
        for row in await games.games_in(self._db, "lobby", self._tables.share):
            if row.thread_id is None:
                await self.withdraw(row.id)

    async def read(self, game_id: int) -> Lobby:
        """The lobby now; raises NoSuchGame, Refused once the game has started."""
        row = await games.get_game(self._db, game_id)
        if row.status != "lobby":
            raise Refused(f"Game {game_id} is no longer open.")
        return await self._lobby(row)

    async def join(self, game_id: int, user_id: int, user_name: str) -> Lobby:
        """Give the user a seat, or a computer player another one."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            held = sum(seat.user_id == user_id for seat in lobby.seats)
            if held and user_id != CARETAKER:
                raise Refused(f"You already have a seat in game {game_id}.")
            self._require_whole(lobby)
            most = max(lobby.player_counts)
            others = [seat.display_name for seat in lobby.seats]
            name = (computer_name if user_id == CARETAKER else distinct_name)(user_name, others)
            write = seats.join(self._db, game_id, user_id, name, maximum=most, now=self._tables.clock())
            await confirm_write(write, lambda: self._seat(game_id, user_id, held), SEE_LIST)
            return await self._lobby_after(game_id, f"You have a seat in game {game_id}.")

    async def leave(self, game_id: int, user_id: int) -> Lobby:
        """Free the user's seat, or the last one of a computer player."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            held = [seat for seat in lobby.seats if seat.user_id == user_id]
            write = seats.leave(self._db, game_id, user_id, now=self._tables.clock())
            await confirm_write(write, lambda: self._freed(game_id, held), SEE_LIST)
            return await self._lobby_after(game_id, f"You have left game {game_id}.")

    async def arrange(self, game_id: int, user_id: int | None, order: tuple[int, ...]) -> Lobby:
        """Fix the seating order; by any seated user, or (None) a moderator."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            self.require_seat(lobby, user_id)
            # A list of members names no caretakers: they sit behind them.
            order = (*order, *(CARETAKER for seat in lobby.seats if seat.user_id == CARETAKER))
            await confirm_write(
                seats.reorder(self._db, game_id, order), lambda: self._ordered(game_id, order), SEE_LIST
            )
            ordered = f"The seats of game {game_id} are in this order"
            try:
                await GUILDS.put(self._db, lobby.row.guild_id, _fixed_key(game_id), "yes")
            except Exception as error:
                raise StoredButFailed(
                    f"{ordered}, but the bot could not store that the order is fixed."
                ) from error
            return await self._lobby_after(game_id, f"{ordered}.")

    async def choose(
        self, game_id: int, user_id: int | None, profile: str | None, options: Iterable[str] | None
    ) -> Lobby:
        """Change profile or options (None: unchanged); by any seated user, or (None) a moderator."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            self.require_seat(lobby, user_id)
            title = title_of(lobby.row)
            now_profile = lobby.row.profile if profile is None else read_profile(title, profile)
            now_options = lobby.options if options is None else read_options(title, options)
            chosen = (now_profile, json.dumps(now_options))
            write = games.set_rules(self._db, game_id, *chosen)
            await confirm_write(write_and_true(write), lambda: self._find_chosen(game_id, chosen), SEE_LIST)
            return await self._lobby_after(game_id, f"Game {game_id} has new rules.")

    async def start(self, game_id: int, user_id: int) -> None:
        """Start the game: draw seats unless fixed, and store the first row with notices."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            self.require_seat(lobby, user_id)
            self._require_whole(lobby)
            self._require_count(lobby)
            taken = lobby.seats if lobby.fixed else await self._shuffled(lobby)
            await self._store_start(lobby.row, taken, user_id)
        self._tables.on_notice(game_id)

    async def give_up(self, game_id: int, user_id: int) -> None:
        """Close the lobby; by its opener, or any seated user once the opener left."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            opener = await opener_of(self._db, game_id)
            seated = lobby.people
            if opener is not None and not may_give_up(user_id, opener.user_id, seated):
                raise NotYours(f"{opener.display_name} opened game {game_id}, so only they can abandon it.")
            write = games.abandon(self._db, game_id)
            await confirm_write(write_and_true(write), lambda: is_abandoned(self._db, game_id), SEE_LIST)

    # --- what the database says when a write has failed --------------------------------------------------------------

    async def _find_opened(self, guild_id: int, seed: int, now: str) -> GameRow | None:
        rows = await games.list_games(self._db, guild_id, "lobby")
        return next((row for row in rows if (row.seed, row.created_at) == (seed, now)), None)

    async def _seat(self, game_id: int, user_id: int, held: int) -> Seat | None:
        mine = [seat for seat in await seats.seats(self._db, game_id) if seat.user_id == user_id]
        return mine[-1] if len(mine) > held else None

    async def _freed(self, game_id: int, held_seats: Sequence[Seat]) -> Seat | None:
        taken = await seats.seats(self._db, game_id)
        left = sum(seat.user_id == held_seats[-1].user_id for seat in taken)
        return held_seats[-1] if left < len(held_seats) else None

    async def _ordered(self, game_id: int, order: tuple[int, ...]) -> list[Seat] | None:
        taken = await seats.seats(self._db, game_id)
        return taken if tuple(seat.user_id for seat in taken) == order else None

    async def _find_chosen(self, game_id: int, chosen: tuple[str, str]) -> bool | None:
        row = await games.get_game(self._db, game_id)
        return (row.profile, row.options) == chosen or None

    async def _lobby_after(self, game_id: int, done: str) -> Lobby:
        """The lobby after a change; raises Stored."""
        try:
            return await self.read(game_id)
        except Exception as error:
            raise StoredButFailed(done) from error

    async def _lobby(self, row: GameRow) -> Lobby:
        taken = tuple(await seats.seats(self._db, row.id))
        fixed = await GUILDS.get(self._db, row.guild_id, _fixed_key(row.id)) is not None
        lines, there = await settings_lines(self._db, row, sale_hint), (seat.user_id for seat in taken)
        return Lobby(row, taken, fixed, lines, await asked_again(self._db, row.id, there))

    async def _shuffled(self, lobby: Lobby) -> tuple[Seat, ...]:
        order = [seat.user_id for seat in lobby.seats]
        # The seed was drawn when the game was opened and is shown to nobody, so this is as good as a new draw.
        random.Random(lobby.row.seed).shuffle(order)
        return tuple(await seats.reorder(self._db, lobby.row.id, order))

    async def _store_start(self, row: GameRow, taken_seats: tuple[Seat, ...], user_id: int) -> None:
        players = tuple((seat.player_id, seat.display_name) for seat in taken_seats)
        opening = Opening(row.title, row.profile, options_of(row), row.seed, players)
        game = opening.initial_game()
        names = ", ".join(name for _, name in players)
        drawn = " ".join(narrate.sentences(game.opening_events, game))
        begins = (
            f"`1` {strong(f'Game {row.id}: {row.name}')} begins. Seats in order: {names}. {chosen_rules(row)}"
        )
        house = house_summary(title_of(row).spec, opening.options)
        chosen = "".join(f"\n{line}" for line in await settings_lines(self._db, row, sale_rules))
        line = Line(f"{begins} {drawn}".rstrip() + house + chosen)
        over = notices.newly_on_turn((), game.actors(), None)
        entry, now = Entry("start", opening.payload(), game.digest(), "", user_id), self._tables.clock()
        people = dict.fromkeys(seat.user_id for seat in taken_seats if seat.user_id != CARETAKER)
        words = (
            await ping_text(self._db, row.id, PINGED_HERE) if len(people) == len(taken_seats) else PINGED_HERE
        )
        call = ThreadPing(tuple(people), words)
        pending = [notices.OPEN_NOTICE, notices.board_notice(), call.notice(), line.notice(), over.notice()]
        write = log.commit_start(self._db, row.id, [entry], pending, now=now, state=game.dump())
        await confirm_write(write, lambda: stored_row(self._db, row.id, 0, entry, now), SEE_LIST)

    def _require_whole(self, lobby: Lobby) -> None:
        problem = damage_of(lobby.row)
        if problem is not None:
            raise Damaged(problem)

    def require_seat(self, lobby: Lobby, user_id: int | None) -> None:
        """Raise NotSeated for a user without a seat; None is a moderator."""
        if user_id is not None and all(seat.user_id != user_id for seat in lobby.seats):
            raise NotSeated(f"You have no seat in game {lobby.row.id}. Join it first.")

    def _require_count(self, lobby: Lobby) -> None:
        counts = lobby.player_counts
        if len(lobby.seats) not in counts:
            raise Refused(
                f"{lobby.row.name} is for {min(counts)} to {max(counts)} players; "
                f"{len(lobby.seats)} {'has' if len(lobby.seats) == 1 else 'have'} joined."
            )


def _fixed_key(game_id: int) -> str:
    return f"seating of game {game_id} is fixed"


OPEN_BIDDING: Final = "A computer player cannot seal bids, so bidding is open in this game."


async def settings_lines(db: Database, row: GameRow, says: Callable[[TitleSpec], str]) -> tuple[str, ...]:
    """A line for each chosen setting, and the rules of a sealed sale; raises Damaged."""
    lines = [f"{line}." for line in await summary(db, row.id, whole=False)]
    if await seals_maxima(db, row.id):
        by_people = all(seat.user_id != CARETAKER for seat in await seats.seats(db, row.id))
        lines.append(says(title_of(row).spec) if by_people else f"-# {OPEN_BIDDING}")
    return tuple(lines)
