"""A bot and a loopback server, connected over real sockets; and people at its tables."""

import asyncio
import pickle
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, Self

from bot.client.app import Stationmaster
from bot.client.command_sync import COMMANDS_DIGEST_KEY
from bot.client.features import absence_and_pauses, proposals
from bot.sandbox.guild.person import InteractionResult, Person
from bot.sandbox.guild.seed import GLOBAL_SCOPE
from bot.sandbox.guild.world import Change, World
from bot.sandbox.model import Message, MessageKind
from bot.sandbox.redirect import discord_redirected_to
from bot.table.outbox.notices import THREAD_WELCOME_TEXT
from bot.table.rate_limits import RateLimiter
from bot.table.tables import utc_now
from storage import GUILD_SETTINGS, Database, OutboxMessage, games, open_database, outbox
from tests.bot.sandbox.faults import FaultyServer
from tests.bot.support.records import asides, record_lines, turn_part
from tests.support.unsent import unsent

PATIENCE = 60.0
"""Seconds until a test gives up waiting; nothing measures time."""
TABLE = "table"
AT_A_RUN: Final = 1000.0
"""Tests ask faster than people."""


def is_board(message: Message) -> bool:
    return sorted(file.filename for file in message.attachments) == ["map.png", "market.png"]


def is_table_ping(message: Message) -> bool:
    return message.content.endswith(THREAD_WELCOME_TEXT)


def has_moves(message: Message) -> bool:
    return any(button.label != "Rematch" for button in message.buttons)


class KnownSolutions:
    """The commands that the first house of this process has registered: to later ones they are from an earlier start.

    A bot whose commands are others registers them, as always.
    """

    def __init__(self) -> None:
        self._digest: str | None = None
        self._commands = pickle.dumps([])

    async def take(self, db: Database, world: World) -> None:
        """Note what was registered for all servers, unless something is noted."""
        found = world.commands.get(GLOBAL_SCOPE)
        if found and self._digest is None:
            self._digest = await GUILD_SETTINGS.get(db, GLOBAL_SCOPE, COMMANDS_DIGEST_KEY)
            self._commands = pickle.dumps(found)

    async def bring(self, db: Database, world: World) -> None:
        """Have it registered where nothing is."""
        if (
            self._digest is not None
            and not world.commands
            and not await GUILD_SETTINGS.owners_with_setting(db, COMMANDS_DIGEST_KEY)
        ):
            world.commands[GLOBAL_SCOPE] = pickle.loads(self._commands)
            await GUILD_SETTINGS.put(db, GLOBAL_SCOPE, COMMANDS_DIGEST_KEY, self._digest)

    async def are_registered(self, db: Database) -> bool:
        return (
            self._digest is not None
            and await GUILD_SETTINGS.get(db, GLOBAL_SCOPE, COMMANDS_DIGEST_KEY) == self._digest
        )


KNOWN: Final = KnownSolutions()


class Hired(Stationmaster):
    """A bot that need not describe all its commands to find that those of another house are registered."""

    async def _register_commands(self) -> None:
        if not await KNOWN.are_registered(self.db):
            await super()._register_commands()


class SandboxBot:
    """One server with one bot; the bot can be stopped and started again."""

    def __init__(
        self, server: FaultyServer, database: str | Path, pace: RateLimiter, ping_delay: float
    ) -> None:
        self._pace = pace
        self._ping_after = ping_delay
        self.clock: Callable[[], str] = utc_now
        self.server = server
        self.world = server.world
        # The bot acknowledges a press when all that it led to is done: nothing more is to be looked for.
        self.world.later_message_seconds = 0.0
        # Many tests share few processors: a slow answer is no wrong one.
        self.world.answer_seconds = PATIENCE
        self.rung: list[tuple[int, int]] = []
        """Every notification: channel and person; turn messages are deleted, what rang has rung. Without the ping at
        the start, which everybody gets.
        """
        self.world.listen(self._note_pings)
        self.database = Path(database)
        """The file, where it is one."""
        self._where = database
        self._db: Database | None = None
        self._client: Stationmaster | None = None
        self._running: asyncio.Task[None] | None = None

    def _note_pings(self, change: Change) -> None:
        if (
            change.kind == "message_create"
            and change.message is not None
            and not is_table_ping(change.message)
        ):
            self.rung += [(change.message.channel_id, person) for person in change.message.pinged]

    @classmethod
    @asynccontextmanager
    async def opened(
        cls,
        database: str | Path,
        world: World | None = None,
        pace: RateLimiter | None = None,
        ping_delay: float = 0,
    ) -> AsyncIterator[Self]:
        """A sandbox whose bot is connected; the acting player is pinged after this many seconds."""
        async with FaultyServer(port=0, world=world) as server:
            with discord_redirected_to(server.url):
                sandbox = cls(server, database, RateLimiter(AT_A_RUN) if pace is None else pace, ping_delay)
                await sandbox.start()
                try:
                    yield sandbox
                finally:
                    await sandbox.stop()

    @property
    def client(self) -> Stationmaster:
        assert self._client is not None
        return self._client

    async def expire(self) -> None:
        """End what has expired: proposals, pauses and substitutions."""
        for loop in (proposals.EXPIRY_CHECK, absence_and_pauses.EXPIRY_CHECK):
            await loop.check(self.client)

    @property
    def db(self) -> Database:
        assert self._db is not None
        return self._db

    def person(self, name: str) -> Person:
        return self.server.person(name)

    async def start(self) -> None:
        self._db = await open_database(self._where)
        await KNOWN.bring(self._db, self.world)
        self._client = self.hired(self._db)
        await self._client.login(self.server.token)
        self._running = asyncio.create_task(self._client.connect())
        await asyncio.wait_for(self._client.wait_until_ready(), PATIENCE)
        await KNOWN.take(self._db, self.world)

    def hired(self, db: Database) -> Stationmaster:
        """The bot that is started next."""
        bot = Hired(db, guild_ready_timeout=0.02, rate_limiter=self._pace, ping_delay=self._ping_after)
        bot.tables.clock = lambda: self.clock()
        return bot

    async def stop(self) -> None:
        """Stop the bot; the server keeps running."""
        if self._client is not None:
            await self._client.close()
        if self._running is not None:
            await asyncio.wait_for(self._running, PATIENCE)
        if self._db is not None:
            await self._db.close()
        self._client = self._running = self._db = None

    async def restart(self) -> None:
        """Stop the bot and start it again; waits until what was left is posted."""
        await self.stop()
        await self.start()
        await self.settled()

    async def settled(self) -> None:
        """Wait until everything in the outbox has been posted."""
        left = await unsent(self.db)
        try:
            async with asyncio.timeout(PATIENCE):
                while left := await unsent(self.db):  # noqa: ASYNC110 - the database tells nobody
                    await asyncio.sleep(0.005)
        except TimeoutError as error:
            raise AssertionError(f"not posted: {left[:5]}, {len(left)} in all") from error

    async def learns(self, condition: Callable[[], bool]) -> None:
        """Wait until the bot knows something; it tells nobody when it does."""
        async with asyncio.timeout(20):
            while not condition():  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)

    async def hears(self, result: InteractionResult, text: str) -> bool:
        return await self.world.wait_until(lambda: text in result.text, timeout=PATIENCE)

    async def game(self, names: tuple[str, ...] = ("Ann", "Bob", "Cy")) -> "Seated":
        """A started game whose seats are in this order; the first of these people opens and starts it on Discord.

        The others have seats as if they had joined there.
        """
        people = [self.person(name) for name in names]
        await people[0].slash(TABLE, "game new", title="18chesapeake")
        lobby, lobbies = self.lobby(), self.client.lobbies
        number = (await games.games_with_status(self.db, "lobby"))[-1].id
        for person in people[1:]:
            await lobbies.join(number, person.id, person.name)
        await lobbies.set_seat_order(number, people[0].id, tuple(person.id for person in people))
        await people[0].press(lobby, "Start")
        await self.settled()
        row = await games.get_game(self.db, number)
        assert row.thread_id is not None
        return Seated(self, row.id, row.thread_id)

    @property
    def lobby_channel(self) -> int:
        return self.world.channel_named(TABLE).id

    def lobby(self) -> Message:
        return next(m for m in reversed(self.person("Ann").messages(TABLE)) if m.buttons)


class Seated:
    """A running game and its thread."""

    def __init__(self, sandbox: SandboxBot, number: int, thread: int) -> None:
        self.sandbox = sandbox
        self.number = number
        self.thread = thread

    @property
    def messages(self) -> list[Message]:
        return [m for m in self.sandbox.world.history(self.thread) if m.kind == MessageKind.DEFAULT]

    @property
    def turn(self) -> Message:
        return next(m for m in reversed(self.messages) if has_moves(m))

    @property
    def turn_text(self) -> str:
        return next((turn_part(m) for m in reversed(self.messages) if has_moves(m)), "")

    @property
    def lines(self) -> list[str]:
        """The texts of the thread without the board, the ping at the start and the turn text: of posts of turns the
        line of each move, and what stands above those.
        """
        lines: list[str] = []
        for message in self.messages:
            if not is_table_ping(message) and not is_board(message):
                rest = [] if has_moves(message) else [turn_part(message)]
                lines += [*asides(message), *record_lines(message), *(text for text in rest if text)]
        return lines

    @property
    def moves(self) -> list[str]:
        """The lines of moves alone, oldest first."""
        return [line for message in self.messages for line in record_lines(message)]

    async def slash(self, name: str, command: str, /, **values: object) -> InteractionResult:
        """A command in the thread; waits until all it led to is posted."""
        result = await self.sandbox.person(name).slash(self.thread, command, **values)
        await self.sandbox.settled()
        return result

    async def press(self, name: str, button: str, message: Message | None = None) -> InteractionResult:
        """A press, on the turn message unless another is named; waits until all it led to is posted."""
        result = await self.sandbox.person(name).press(message or self.turn, button)
        await self.sandbox.settled()
        return result

    async def post(self, *notices: OutboxMessage) -> list[str]:
        """Let these be posted, which come with no move; how messages of the thread were changed for that."""
        begun = len(self.sandbox.server.requests)
        now = self.sandbox.client.tables.clock()
        await outbox.queue_notices(self.sandbox.db, self.number, await self.seq(), notices, now)
        self.sandbox.client.tables.on_notice(self.number)
        await self.sandbox.settled()
        return self.changes(begun)

    def changes(self, begun: int) -> list[str]:
        """The methods of the requests that changed messages of the thread, after N requests of all."""
        here = f"/channels/{self.thread}/messages"
        said = [request.split()[0] for request in self.sandbox.server.requests[begun:] if here in request]
        return [method for method in said if method != "GET"]

    def proposal(self, number: int) -> Message:
        return next(m for m in self.messages if m.content.startswith(f"Proposal {number}:"))

    def pings(self, name: str) -> int:
        return self.sandbox.rung.count((self.thread, self.sandbox.person(name).id))

    async def seq(self) -> int:
        """The last row of the log."""
        async with self.sandbox.client.tables.reading(self.number) as live:
            return live.seq

    async def digest(self) -> str:
        async with self.sandbox.client.tables.reading(self.number) as live:
            return live.game.digest()
