"""Lobbies: games that wait for players, from opening to start or closing, with their seats, rules and settings."""

import asyncio
import json
import random
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from bot.table.errors import GameDamaged, NotPermitted, Refused, StoredButFailed
from bot.table.games.confirmed_writes import (
    CHECK_GAME_LIST_HINT,
    confirm_write,
    find_stored_row,
    is_abandoned,
    return_true_after,
)
from bot.table.games.game_log import GameStart
from bot.table.games.rematch_links import users_not_rejoined
from bot.table.markdown import strong
from bot.table.orders.sealed_auction import (
    first_ping_text,
    has_sealed_bids,
    sealed_auction_rules,
    sealed_rules_hint,
)
from bot.table.outbox import notices
from bot.table.outbox.notices import THREAD_WELCOME_TEXT, Line, ThreadPing
from bot.table.player_names import computer_name, distinct_name, harmless_name
from bot.table.settings.game_rules import (
    chosen_rules,
    house_rules_summary,
    options_of,
    read_options,
    read_profile,
    read_title,
    row_damage,
    title_of,
)
from bot.table.settings.lobby_starts import MISSED_START_KEY
from bot.table.settings.table_settings import (
    START,
    START_BY_HAND,
    START_WHEN_FULL,
    settings_summary,
    start_time,
)
from bot.table.tables import Tables
from engine import TitleSpec, narrate
from storage import (
    CARETAKER_USER,
    GAME_SETTINGS,
    GUILD_SETTINGS,
    Database,
    GameRow,
    NewLogRow,
    NotSeated,
    Seat,
    events,
    fetch,
    games,
    log,
    parse_timestamp,
    seats,
)

MAX_LOBBIES_OF_USER: Final = 5
"""Maximum number of lobbies that a user has joined on any server or opened on this server."""
MAX_LOBBIES_OF_SERVER: Final = 30
"""Maximum number of lobbies on one server."""

LOBBY_LIFETIME: Final = timedelta(days=30)
"""Time after which a lobby that has not started expires."""


def lobby_expiry(created_at: str) -> datetime:
    """The expiry time of a lobby that was opened at `created_at` (ISO 8601)."""
    return parse_timestamp(created_at) + LOBBY_LIFETIME


async def lobby_opener(db: Database, game_id: int) -> seats.LobbyChange | None:
    """The user who opened a game, and who therefore took the first seat; None if nobody has taken a seat."""
    return next(iter(await seats.lobby_changes(db, game_id)), None)


def may_close_lobby(user_id: int, opener_id: int, seated_users: Sequence[int]) -> bool:
    """True if this user opened the lobby, or has a seat in it and the opener has left."""
    return user_id == opener_id or (opener_id not in seated_users and user_id in seated_users)


async def require_lobby_limits(db: Database, guild_id: int, user_id: int) -> None:
    """Raise Refused if the server or the user already has the maximum number of lobbies."""
    open_lobbies = await games.list_games(db, guild_id, "lobby")
    if len(open_lobbies) >= MAX_LOBBIES_OF_SERVER:
        raise Refused(
            f"This server already has {len(open_lobbies)} open games waiting for players, which is the "
            "limit. Join one of them, or abandon one with `/game abandon`."
        )
    own_lobby_ids = {row.id for row in await games.games_of_user(db, user_id) if row.status == "lobby"}
    opener_by_game = {row.id: await lobby_opener(db, row.id) for row in open_lobbies}
    own_lobby_ids |= {
        game_id
        for game_id, opener in opener_by_game.items()
        if opener is not None and opener.user_id == user_id
    }
    if len(own_lobby_ids) >= MAX_LOBBIES_OF_USER:
        raise Refused(
            f"You already have {len(own_lobby_ids)} open games waiting for players "
            f"({', '.join(map(str, sorted(own_lobby_ids)))}), which is the limit. Start or leave one of them, "
            "or abandon one with `/game abandon`."
        )


SEED_LIMIT = 2**31
"""Random seeds are below this number."""


class LobbyOpener(NamedTuple):
    """The user (id, name) who opens a lobby, and the channel in which they open it."""

    user_id: int
    name: str
    channel_id: int


@dataclass(frozen=True, slots=True)
class Lobby:
    """A game that waits for players, with its seats in order."""

    row: GameRow
    seats: tuple[Seat, ...]
    has_fixed_order: bool
    """True if the users chose the seating order; False if it is drawn at the start."""
    settings_lines: tuple[str, ...] = ()
    """The game's settings in words, one line each."""
    users_not_rejoined: tuple[int, ...] = ()
    """Users of the previous game who have not joined this rematch; empty for other games."""
    start: str = START_BY_HAND
    """The value of the start setting: by hand, when full, or at a date."""
    missed_start: str | None = None
    """The reason why the game did not start at the chosen date; None if no chosen date has passed."""

    @property
    def options(self) -> tuple[str, ...]:
        """The chosen optional rules of the title; raises GameDamaged."""
        return options_of(self.row)

    @property
    def people(self) -> tuple[int, ...]:
        """User ids of the users who have joined. Computer players are left out."""
        return tuple(seat.user_id for seat in self.seats if seat.user_id != CARETAKER_USER)

    @property
    def player_counts(self) -> Collection[int]:
        """The player counts that the title supports; raises GameDamaged."""
        return title_of(self.row).spec.players

    def is_due(self, now: datetime) -> bool:
        """True if the game should start automatically now: it is full, or its start date has come.

        Raises GameDamaged.
        """
        if self.start == START_WHEN_FULL:
            return len(self.seats) == max(self.player_counts)
        start_at = start_time(self.start)
        return start_at is not None and start_at <= now

    @property
    def can_seal_bids(self) -> bool:
        """True if sealed bids are possible: the title has privates, and no computer player has joined.

        Raises GameDamaged.
        """
        return bool(title_of(self.row).spec.privates) and len(self.people) == len(self.seats)


class Lobbies:
    """Opens, changes and starts lobbies. All methods raise Refused or StorageError."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._db = tables.db
        self._opening_lock = asyncio.Lock()

    async def open_lobby(
        self,
        guild_id: int,
        opener: LobbyOpener,
        title: str,
        profile: str,
        options: Iterable[str] = (),
        settings: Mapping[str, str] | None = None,
    ) -> Lobby:
        """Open a lobby with these settings and seat its opener; raises Refused if there are too many lobbies."""
        known_title = read_title(title)
        chosen_profile, chosen_options = (
            read_profile(known_title, profile),
            read_options(known_title, options),
        )
        now, seed = self._tables.clock(), secrets.randbelow(SEED_LIMIT)
        async with self._opening_lock:
            await require_lobby_limits(self._db, guild_id, opener.user_id)
            write = games.create_game(
                self._db,
                guild_id=guild_id,
                channel_id=opener.channel_id,
                title=known_title.id,
                profile=chosen_profile,
                options=json.dumps(chosen_options),
                seed=seed,
                name=known_title.name,
                now=now,
            )
            row = await confirm_write(
                write, lambda: self._find_opened_lobby(guild_id, seed, now), CHECK_GAME_LIST_HINT
            )
            try:
                await seats.join_game(self._db, row.id, opener.user_id, harmless_name(opener.name), now=now)
                for name, value in (settings or {}).items():
                    await GAME_SETTINGS.put(self._db, row.id, name, value)
                return await self.read(row.id)
            except BaseException:
                await self.withdraw(row.id)
                raise

    async def withdraw(self, game_id: int) -> None:
        """Withdraw (abandon) a lobby whose message could not be posted."""
        await games.abandon_game(self._db, game_id)

    async def abandon_unposted_lobbies(self) -> None:
        """Abandon unposted lobbies, whose message is missing because the process crashed."""
        for row in await games.games_with_status(self._db, "lobby", self._tables.shards):
            if row.thread_id is None and await events.event_of_game(self._db, row.id) is None:
                await self.withdraw(row.id)

    async def read(self, game_id: int) -> Lobby:
        """The lobby as stored now; raises NoSuchGame, and Refused once the game has started."""
        row = await games.get_game(self._db, game_id)
        if row.status != "lobby":
            raise Refused(f"Game {game_id} is no longer open.")
        return await self._lobby(row)

    async def join(self, game_id: int, user_id: int, user_name: str) -> Lobby:
        """Give the user a seat. CARETAKER_USER adds another computer player."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            own_seat_count = sum(seat.user_id == user_id for seat in lobby.seats)
            if own_seat_count and user_id != CARETAKER_USER:
                raise Refused(f"You already have a seat in game {game_id}.")
            self._require_undamaged(lobby)
            seat_limit = max(lobby.player_counts)
            other_names = [seat.display_name for seat in lobby.seats]
            name = (computer_name if user_id == CARETAKER_USER else distinct_name)(user_name, other_names)
            write = seats.join_game(
                self._db, game_id, user_id, name, max_seats=seat_limit, now=self._tables.clock()
            )
            await confirm_write(
                write, lambda: self._find_new_seat(game_id, user_id, own_seat_count), CHECK_GAME_LIST_HINT
            )
            return await self._lobby_after_change(game_id, f"You have a seat in game {game_id}.")

    async def leave(self, game_id: int, user_id: int) -> Lobby:
        """Free the user's seat. CARETAKER_USER removes the last computer player."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            own_seats = [seat for seat in lobby.seats if seat.user_id == user_id]
            write = seats.leave_game(self._db, game_id, user_id, now=self._tables.clock())
            await confirm_write(
                write, lambda: self._find_freed_seat(game_id, own_seats), CHECK_GAME_LIST_HINT
            )
            return await self._lobby_after_change(game_id, f"You have left game {game_id}.")

    async def set_seat_order(self, game_id: int, user_id: int | None, order: tuple[int, ...]) -> Lobby:
        """Set the seating order. `user_id` is the seated user who asks; None for a moderator."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            self.require_seat(lobby, user_id)
            # `order` lists members only; computer players sit behind them.
            order = (*order, *(CARETAKER_USER for seat in lobby.seats if seat.user_id == CARETAKER_USER))
            await confirm_write(
                seats.reorder_seats(self._db, game_id, order),
                lambda: self._find_seats_in_order(game_id, order),
                CHECK_GAME_LIST_HINT,
            )
            order_text = f"The seats of game {game_id} are in this order"
            try:
                await GUILD_SETTINGS.put(self._db, lobby.row.guild_id, _fixed_order_key(game_id), "yes")
            except Exception as error:
                raise StoredButFailed(
                    f"{order_text}, but may be shuffled at the start: storing that failed. Set it again."
                ) from error
            return await self._lobby_after_change(game_id, f"{order_text}.")

    async def choose_rules(
        self, game_id: int, user_id: int | None, profile: str | None, options: Iterable[str] | None
    ) -> Lobby:
        """Change profile or options (None: unchanged). `user_id` is the seated user who asks; None for a moderator."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            self.require_seat(lobby, user_id)
            title = title_of(lobby.row)
            new_profile = lobby.row.profile if profile is None else read_profile(title, profile)
            new_options = lobby.options if options is None else read_options(title, options)
            new_rules = (new_profile, json.dumps(new_options))
            write = games.set_rules(self._db, game_id, *new_rules)
            await confirm_write(
                return_true_after(write),
                lambda: self._find_chosen_rules(game_id, new_rules),
                CHECK_GAME_LIST_HINT,
            )
            return await self._lobby_after_change(game_id, f"Game {game_id} has new rules.")

    async def start(self, game_id: int, user_id: int) -> None:
        """Start the game at the request of a seated user. Seats are drawn at random unless the users chose an order."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            self.require_seat(lobby, user_id)
            await self._start(lobby, user_id)
        self._tables.on_notice(game_id)

    async def start_without_pings(self, game_id: int, user_id: int) -> None:
        """Start a game in its current seating order, without pings; does nothing if it has started."""
        async with self._tables.lock(game_id):
            row = await games.get_game(self._db, game_id)
            if row.status != "lobby":
                return
            lobby = await self._lobby(row)
            self._require_undamaged(lobby)
            await self._store_start(row, lobby.seats, user_id, may_ping=False)
        self._tables.on_notice(game_id)

    async def start_if_due(self, game_id: int) -> bool:
        """Start the game if its start setting (when full, or at a date) says so; else return False. Raises Refused."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            if not lobby.is_due(parse_timestamp(self._tables.clock())):
                return False
            await self._start(lobby, None)
        self._tables.on_notice(game_id)
        return True

    async def close_lobby(self, game_id: int, user_id: int) -> None:
        """Close the lobby at the request of its opener or, once the opener has left, of any seated user."""
        async with self._tables.lock(game_id):
            lobby = await self.read(game_id)
            opener = await lobby_opener(self._db, game_id)
            users = lobby.people
            if opener is not None and not may_close_lobby(user_id, opener.user_id, users):
                raise NotPermitted(
                    f"{opener.display_name} opened game {game_id}, so only they can abandon it."
                )
            write = games.abandon_game(self._db, game_id)
            await confirm_write(
                return_true_after(write), lambda: is_abandoned(self._db, game_id), CHECK_GAME_LIST_HINT
            )

    # --- reading the database after a failed write -------------------------------------------------------------------

    async def _find_opened_lobby(self, guild_id: int, seed: int, now: str) -> GameRow | None:
        rows = await games.list_games(self._db, guild_id, "lobby")
        return next((row for row in rows if (row.seed, row.created_at) == (seed, now)), None)

    async def _find_new_seat(self, game_id: int, user_id: int, earlier_seat_count: int) -> Seat | None:
        user_seats = [seat for seat in await seats.seats(self._db, game_id) if seat.user_id == user_id]
        return user_seats[-1] if len(user_seats) > earlier_seat_count else None

    async def _find_freed_seat(self, game_id: int, earlier_seats: Sequence[Seat]) -> Seat | None:
        taken_seats = await seats.seats(self._db, game_id)
        seat_count = sum(seat.user_id == earlier_seats[-1].user_id for seat in taken_seats)
        return earlier_seats[-1] if seat_count < len(earlier_seats) else None

    async def _find_seats_in_order(self, game_id: int, order: tuple[int, ...]) -> list[Seat] | None:
        taken_seats = await seats.seats(self._db, game_id)
        return taken_seats if tuple(seat.user_id for seat in taken_seats) == order else None

    async def _find_chosen_rules(self, game_id: int, new_rules: tuple[str, str]) -> bool | None:
        row = await games.get_game(self._db, game_id)
        return (row.profile, row.options) == new_rules or None

    async def _lobby_after_change(self, game_id: int, stored_text: str) -> Lobby:
        try:
            return await self.read(game_id)
        except Exception as error:
            raise StoredButFailed(stored_text) from error

    async def _lobby(self, row: GameRow) -> Lobby:
        taken_seats = tuple(await seats.seats(self._db, row.id))
        has_fixed_order = (
            await GUILD_SETTINGS.get(self._db, row.guild_id, _fixed_order_key(row.id)) is not None
        )
        lines, user_ids = (
            await settings_lines(self._db, row, sealed_rules_hint),
            (seat.user_id for seat in taken_seats),
        )
        start_values = await fetch(
            self._db, GAME_SETTINGS.query_for_keys(row.id, (START.name, MISSED_START_KEY))
        )
        return Lobby(
            row,
            taken_seats,
            has_fixed_order,
            lines,
            await users_not_rejoined(self._db, row.id, user_ids),
            start_values.get(START.name, START_BY_HAND),
            start_values.get(MISSED_START_KEY),
        )

    async def _start(self, lobby: Lobby, user_id: int | None) -> None:
        self._require_undamaged(lobby)
        self._require_player_count(lobby)
        taken_seats = lobby.seats if lobby.has_fixed_order else await self._shuffled_seats(lobby)
        await self._store_start(lobby.row, taken_seats, user_id)

    async def _shuffled_seats(self, lobby: Lobby) -> tuple[Seat, ...]:
        user_ids = [seat.user_id for seat in lobby.seats]
        # The seed was drawn when the game was opened and nobody has seen it, so this is as good as a new draw.
        random.Random(lobby.row.seed).shuffle(user_ids)
        return tuple(await seats.reorder_seats(self._db, lobby.row.id, user_ids))

    async def _store_start(
        self, row: GameRow, taken_seats: tuple[Seat, ...], user_id: int | None, *, may_ping: bool = True
    ) -> None:
        players = tuple((seat.player_id, seat.display_name) for seat in taken_seats)
        game_start = GameStart(row.title, row.profile, options_of(row), row.seed, players)
        game = game_start.initial_game()
        names = ", ".join(name for _, name in players)
        opening_text = " ".join(narrate.sentences(game.opening_events, game))
        begin_text = (
            f"`1` {strong(f'Game {row.id}: {row.name}')} begins. Seats in order: {names}. {chosen_rules(row)}"
        )
        house_rules = house_rules_summary(title_of(row).spec, game_start.options)
        settings_text = "".join(
            f"\n{line}" for line in await settings_lines(self._db, row, sealed_auction_rules)
        )
        line = Line(f"{begin_text} {opening_text}".rstrip() + house_rules + settings_text)
        turn_change = notices.first_turn_change(game.actors(), may_ping=may_ping)
        entry, now = (
            NewLogRow("start", game_start.payload(), game.digest(), "", user_id),
            self._tables.clock(),
        )
        user_ids = dict.fromkeys(seat.user_id for seat in taken_seats if seat.user_id != CARETAKER_USER)
        ping_text = (
            await first_ping_text(self._db, row.id, THREAD_WELCOME_TEXT)
            if len(user_ids) == len(taken_seats)
            else THREAD_WELCOME_TEXT
        )
        thread_ping = ThreadPing(tuple(user_ids), ping_text, silent=not may_ping)
        start_notices = [
            notices.THREAD_NOTICE,
            notices.board_notice(),
            thread_ping.notice(),
            line.notice(),
            turn_change.notice(),
        ]
        write = log.commit_start(self._db, row.id, [entry], start_notices, now=now, state=game.dump())
        await confirm_write(
            write, lambda: find_stored_row(self._db, row.id, 0, entry, now), CHECK_GAME_LIST_HINT
        )

    def _require_undamaged(self, lobby: Lobby) -> None:
        problem = row_damage(lobby.row)
        if problem is not None:
            raise GameDamaged(problem)

    def require_seat(self, lobby: Lobby, user_id: int | None) -> None:
        """Raise NotSeated if the user has no seat in the lobby. None stands for a moderator, who needs no seat."""
        if user_id is not None and all(seat.user_id != user_id for seat in lobby.seats):
            raise NotSeated(f"You have no seat in game {lobby.row.id}. Join it first.")

    def _require_player_count(self, lobby: Lobby) -> None:
        player_counts = lobby.player_counts
        if len(lobby.seats) not in player_counts:
            raise Refused(
                f"{lobby.row.name} is for {min(player_counts)} to {max(player_counts)} players; "
                f"{len(lobby.seats)} {'has' if len(lobby.seats) == 1 else 'have'} joined."
            )


def _fixed_order_key(game_id: int) -> str:
    return f"seating of game {game_id} is fixed"


BIDDING_IS_OPEN_TEXT: Final = "A computer player cannot seal bids, so bidding is open in this game."


async def settings_lines(
    db: Database, row: GameRow, describe_sale: Callable[[TitleSpec], str]
) -> tuple[str, ...]:
    """A line for each chosen setting; raises GameDamaged.

    `describe_sale` is called if bids are sealed; it returns the line about the auction of this title's privates.
    """
    chosen_lines = await settings_summary(db, row.id, includes_defaults=False, omitted_settings=(START,))
    lines = [f"{line}." for line in chosen_lines]
    if await has_sealed_bids(db, row.id):
        has_no_caretaker = all(seat.user_id != CARETAKER_USER for seat in await seats.seats(db, row.id))
        lines.append(describe_sale(title_of(row).spec) if has_no_caretaker else f"-# {BIDDING_IS_OPEN_TEXT}")
    return tuple(lines)
