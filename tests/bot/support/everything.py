"""Everything that may happen to a table: each once or several times at random moments of a whole game."""

import asyncio
import random
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from bot.sandbox.guild import messages, permissions, threads
from bot.sandbox.guild.world import World
from bot.sandbox.model import Channel, ChannelKind
from bot.sandbox.server import LoopbackServer
from bot.table.moves.moves import KINDS_WITHOUT_BUTTON
from engine.record import Record
from tests.bot.sandbox.faults import FaultyServer
from tests.bot.sandbox.guild import BOT_ROLE, guild
from tests.bot.support import changes
from tests.bot.support.faulted import SHORT, Faulted, lines, seated
from tests.bot.support.processes import environment
from tests.bot.support.records import NUMBERED, quiet
from tests.bot.support.sandbox_bot import PATIENCE

ROUGH: Final = ("Ann", "Bob", "Cy", "Dee")
CALM: Final = ("Cy", "Dee", "Eve", "Fay")
EVERY: Final = 6
"""After this many moves of the one table the other makes one."""


class Bot:
    """The bot as a process of its own."""

    def __init__(self, server: LoopbackServer, folder: Path) -> None:
        self._server = server
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None

    @classmethod
    @asynccontextmanager
    async def started(cls, server: LoopbackServer, folder: Path) -> AsyncIterator["Bot"]:
        """A running bot; ended politely."""
        bot = cls(server, folder)
        await bot.start()
        try:
            yield bot
        finally:
            await bot.end(signal.SIGTERM)

    async def start(self) -> None:
        """Start the process and wait until it is connected."""
        settings = {
            "STATIONMASTER_DISCORD_URL": self._server.url,
            "STATIONMASTER_PACE": "1000",
            # Players here act sooner than anybody would be pinged.
            "STATIONMASTER_PING_AFTER": "0",
        }
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot.tools.cli", "run"),
            cwd=self._folder,
            env=environment(self._folder, 0) | settings,
        )
        assert await self._server.wait_until_ready(timeout=PATIENCE)

    async def end(self, number: signal.Signals) -> int:
        """Send a signal and wait; the exit code."""
        assert self._process is not None
        self._process.send_signal(number)
        async with asyncio.timeout(PATIENCE):
            return await self._process.wait()


Fault = Callable[[Faulted, Bot], Awaitable[None]]


async def _thread(table: Faulted) -> Channel:
    """The game's thread; where it was deleted before, the bot makes another."""
    async with asyncio.timeout(PATIENCE):
        while (number := table.place()[1]) not in table.world.channels:  # noqa: ASYNC110 - another process tells nobody
            await asyncio.sleep(0.02)
    return table.world.channel(number)


async def thread_deleted(table: Faulted, _: Bot) -> None:
    threads.delete_channel(table.world, await _thread(table))


async def thread_locked(table: Faulted, _: Bot) -> None:
    thread = await _thread(table)
    threads.change_channel(table.world, thread, {"locked": True})
    await asyncio.sleep(SHORT)
    threads.change_channel(table.world, thread, {"locked": False})


async def thread_archived(table: Faulted, _: Bot) -> None:
    threads.change_channel(table.world, await _thread(table), {"archived": True})


async def channel_deleted(table: Faulted, _: Bot) -> None:
    """The channel goes with its thread; Ann, who owns the server, moves the game to another."""
    threads.delete_channel(table.world, table.world.channel(table.place()[0]))
    other = changes.add_channel(table.world, guild(table.world), ChannelKind.TEXT, f"room-{table.stored()}")
    while table.place()[0] != other.id:
        await table.server.person("Ann").slash(other, "game move-here", number=table.number)


async def board_deleted(table: Faulted, _: Bot) -> None:
    for message in table.boards:
        messages.delete(table.world, message)


async def turn_deleted(table: Faulted, _: Bot) -> None:
    for message in table.turns:
        messages.delete(table.world, message)


async def forbidden(table: Faulted, _: Bot) -> None:
    """A permission is taken away in the channel, and given back."""
    channel = table.world.channel(table.place()[0])
    changes.overwrite(table.world, channel, BOT_ROLE, deny=permissions.SEND_IN_THREADS)
    await asyncio.sleep(SHORT)
    changes.overwrite(table.world, channel, BOT_ROLE)


def refused(status: int) -> Fault:
    """Posting and editing in the thread is answered with this status a few times."""

    async def refuse(table: Faulted, _: Bot) -> None:
        part = f"/channels/{table.place()[1]}/messages"
        if status == 429:
            table.server.faults.rate_limit(part, retry_after=0.2, times=2)
        else:
            table.server.faults.fail(part, status=status, code=0, message="", times=2)

    return refuse


async def gateway_dropped(table: Faulted, _: Bot) -> None:
    await table.server.gateway.close_sockets()


async def session_lost(table: Faulted, _: Bot) -> None:
    """The session is not valid any more; the client begins another."""
    await table.server.faults.sockets.forget()


async def killed(_: Faulted, bot: Bot) -> None:
    await bot.end(signal.SIGKILL)
    await bot.start()


FAULTS: tuple[Fault, ...] = (
    thread_deleted,
    thread_locked,
    thread_archived,
    channel_deleted,
    board_deleted,
    turn_deleted,
    forbidden,
    *(refused(status) for status in (429, 500, 502, 503)),
    gateway_dropped,
    session_lost,
    killed,
)
"""Each of them happens."""


async def everything_happens(folder: Path, record: Record, seed: int, times: int = 1) -> None:
    """Play a game during which every fault happens N times, and another next to it; both are as without."""
    chance, count = random.Random(seed), len(record.players)
    database = folder / "games.db"
    async with FaultyServer(world=World(later_message_seconds=0.0)) as server:
        rough = await seated(server, database, record, "table", ROUGH[:count], chance)
        calm = await seated(server, database, record, "second-table", CALM[:count], chance)
        async with Bot.started(server, folder) as bot:
            await calm.settled()
            place, beside = calm.place(), server.world.channel_named("second-table")
            faults = chance.sample(FAULTS * times, len(FAULTS) * times)
            await _played(rough, calm, record, bot, faults)
            await rough.settled()
            await calm.settled()
        assert rough.digest() == record.digest
        _is_whole(
            rough, len(record.actions), sum(action.kind in KINDS_WITHOUT_BUTTON for action in record.actions)
        )
        assert not rough.turns
        made = -(-len(record.actions) // EVERY)
        _is_whole(calm, made)
        assert len(calm.turns) == 1
        assert calm.digest() == record.play(made).digest()
        assert calm.place() == place
        assert len(server.world.history(beside.id)) == 1, "nothing is posted in its channel"


async def _played(rough: Faulted, calm: Faulted, record: Record, bot: Bot, faults: Sequence[Fault]) -> None:
    """Each fault befalls the rough table in the middle of a move."""
    chance = rough.chance
    moves = [action for action in record.actions if action.kind not in KINDS_WITHOUT_BUTTON]
    moments = sorted(chance.sample(range(1, len(moves) - 1), len(faults)))
    when = dict(zip(moments, faults, strict=True))
    for number, action in enumerate(moves):
        making = asyncio.create_task(rough.make(action))
        if number % EVERY == 0:
            await calm.make(record.actions[number // EVERY])
        if number in when:
            await asyncio.sleep(chance.random() * SHORT)
            await when[number](rough, bot)
        await making
    if moves != list(record.actions):
        await rough.stop()


def _is_whole(table: Faulted, moves: int, words: int = 0) -> None:
    """All moves were posted once, in order, and a board and at most one turn message stand in the thread."""
    numbers = [int(found[1]) for found in map(NUMBERED.match, table.posted) if found]
    empty = quiet(table.database, table.number)
    made = [number for number in lines(moves + 1, words) if number not in empty]
    assert numbers == made, "a line is missing or posted twice"
    assert len(table.boards) == 1
    assert len(table.turns) <= 1
