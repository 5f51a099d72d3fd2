"""Bot processes on sandbox servers with many running games, and players who continue the recorded moves."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.load.bots import Bot
from bot.sandbox.guild import seed
from bot.sandbox.guild.person import InteractionResult, Person
from bot.sandbox.guild.world import Change
from bot.sandbox.model import Channel, ChannelKind, Message
from bot.sandbox.server import LoopbackServer
from bot.table.imports import ImportTarget, moves_with_seated_players, read_recorded_game, store_recorded_game
from bot.table.moves.moves import OneClickMove
from bot.table.tables import Tables
from bot.tools.showcase import SANDBOX_TABLE
from engine.core.actions import Action
from engine.titles import TITLES
from storage import open_database, seats
from tests.bot.support.spelling import commands, spelt

PATIENCE: Final = 600.0
"""Seconds to wait for anything before giving up."""
SHARD: Final = 1 << 22
"""Difference between the ids of two servers that belong to neighbouring shards."""


@dataclass(frozen=True, slots=True)
class Table:
    """A running game, with the recorded moves to come and its players."""

    game_id: int
    thread: int
    title: str
    actions: tuple[Action, ...]
    people: dict[str, int]
    """User id of each player, by player id."""
    began: int
    """Number of the last move made before the benchmark."""

    def next_action(self, turn: Message) -> Action | None:
        """The recorded action that follows the position of a turn message; None after the last."""
        shown = _shown(turn, self.game_id)
        rest = () if shown is None else self.actions[shown - self.began :]
        return rest[0] if rest else None


class Club:
    """Sandbox servers, one for each bot process, with running games; the bot processes can be restarted."""

    def __init__(
        self, server: LoopbackServer, location: str | Path, processes: int, *, profiled: bool
    ) -> None:
        self.server = server
        self.bots: list[Bot] = []
        self.tables: list[Table] = []
        self._waiting: dict[int, tuple[str, tuple[Action, ...], dict[str, int]]] = {}
        """By game id, for games without a thread yet: title, recorded actions to come, and user ids by player."""
        self._where = location
        self._processes = processes
        self._profiled = profiled
        self._turns: dict[int, int] = {}
        """Id of the newest message with move buttons, by thread."""
        self._running: AsyncExitStack | None = None
        self._folders = [TemporaryDirectory() for _ in range(processes)]
        """Working folder of each bot process, kept over restarts."""
        server.world.listen(self._note)

    @classmethod
    @asynccontextmanager
    async def opened(
        cls, location: str | Path, processes: int, *, profiled: bool = False
    ) -> AsyncIterator["Club"]:
        """A club whose bot processes are not started yet."""
        async with LoopbackServer() as server:
            club = cls(server, location, processes, profiled=profiled)
            club._build()
            try:
                yield club
            finally:
                await club.stop()
                for folder in club._folders:
                    folder.cleanup()

    def _build(self) -> None:
        world, people = self.server.world, [number for number, _ in SANDBOX_TABLE.people]
        for place in self._places()[1:]:
            world.guilds[place.guild_id] = seed.new_guild(place.guild_id, "Another", people[0], people)
            world.channels[place.channel_id] = Channel(
                place.channel_id, ChannelKind.TEXT, "table", place.guild_id
            )

    def _places(self) -> list[ImportTarget]:
        """The server and channel for games of each bot process."""
        return [
            replace(
                SANDBOX_TABLE,
                guild_id=SANDBOX_TABLE.guild_id + number * SHARD,
                channel_id=SANDBOX_TABLE.channel_id + number * SHARD,
            )
            for number in range(self._processes)
        ]

    async def add_tables(self, logs: Sequence[Path], number: int, until: int) -> None:
        """Add `number` running games: the recorded ones, repeated as needed, each after its first `until` actions."""
        whole = [await asyncio.to_thread(read_recorded_game, log, None) for log in logs[:number]]
        places = self._places()
        async with await open_database(self._where) as db:
            tables = Tables(db)
            for index in range(number):
                record = whole[index % len(whole)]
                begun = replace(record, actions=record.actions[:until])
                game_id = await store_recorded_game(tables, begun, places[index % len(places)])
                taken = await seats.seats(db, game_id)
                people = {seat.player_id: seat.user_id for seat in taken}
                rest = tuple(takewhile(commands, moves_with_seated_players(record, taken)[until:]))
                self._waiting[game_id] = (record.title, rest, people)

    async def start(self) -> float:
        """Start all bot processes; returns the seconds until the last one is connected."""
        began = time.perf_counter()
        self._running = AsyncExitStack()
        for number, folder in enumerate(self._folders):
            shard = None if self._processes == 1 else (number, self._processes)
            bot = Bot(self.server.url, self._where, Path(folder.name), shard, profiled=self._profiled)
            self.bots.append(await self._running.enter_async_context(bot))
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(bot.wait_until_connected() for bot in self.bots))
        return time.perf_counter() - began

    async def stop(self) -> None:
        """Stop all bot processes; the sandbox servers keep running."""
        self.bots.clear()
        if self._running is not None:
            await self._running.aclose()
        self._running = None

    async def wait_until_posted(self) -> None:
        """Wait until all bot processes have posted everything."""
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(bot.wait_until_posted() for bot in self.bots))
        self._seat()

    def _seat(self) -> None:
        """Add the games that have got a thread to `tables`."""
        for thread, number in self._turns.items():
            turn = self.server.world.messages.get(number)
            if turn is None or (game_id := _game(turn)) not in self._waiting:
                continue
            if (began := _shown(turn, game_id)) is not None:
                self.tables.append(Table(game_id, thread, *self._waiting.pop(game_id), began))

    def turn_message(self, table: Table) -> Message | None:
        """A game's newest turn message; None without one."""
        return self.server.world.messages.get(self._turns.get(table.thread, 0))

    async def make(self, table: Table, turn: Message, action: Action) -> InteractionResult:
        """Make a move as its player, by button if possible, else by command."""
        person = self.person(table.people[action.actor])
        key = f":{OneClickMove('', action).key}"
        button = next((b.custom_id for b in turn.buttons if (b.custom_id or "").endswith(key)), None)
        if button is not None:
            return await person.press(turn, button)
        name, values = spelt(action, TITLES[table.title].spec.privates)
        return await person.slash(table.thread, name, **values)

    def person(self, user_id: int) -> Person:
        """The user with this id, to act as."""
        return Person(self.server.world, self.server.world.users[user_id])

    def _note(self, change: Change) -> None:
        """Remember the newest message with move buttons of each thread."""
        message = change.message
        if change.kind == "message_delete":
            return
        if message is not None and not message.ephemeral and _game(message):
            self._turns[message.channel_id] = message.id


def _game(message: Message) -> int:
    """Game id in the custom_ids of a message's buttons; 0 if it has no such buttons."""
    matches = (re.match(r"[a-z]:(\d+):\d+", button.custom_id or "") for button in message.buttons)
    return next((int(match[1]) for match in matches if match), 0)


def _shown(message: Message, game_id: int) -> int | None:
    """Number of the move after which a turn message shows the position; None without buttons for this game."""
    made_for = re.compile(rf"\w:{game_id}:(\d+)(:.*)?")
    matches = (made_for.fullmatch(button.custom_id or "") for button in message.buttons)
    return max((int(match[1]) for match in matches if match), default=None)
