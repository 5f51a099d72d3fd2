"""A whole game by commands and buttons only, while the bot's process is killed and started again."""

import asyncio
import os
import random
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path

import pytest

from bot.sandbox.guild.world import Change, World
from bot.sandbox.server import LoopbackServer
from bot.table.moves.moves import KINDS_WITHOUT_BUTTON
from engine.record import load_game, read_record
from tests.bot.support.faulted import lines
from tests.bot.support.player import Players, position
from tests.bot.support.records import numbers, quiet

KILLED_AT = (20, 120)
"""Moves after which the process is killed."""
PATIENCE = 60.0
"""Seconds until a test gives up waiting; nothing measures time."""


class Bot:
    """The bot as a process of its own."""

    def __init__(self, server: LoopbackServer, folder: Path) -> None:
        self._server = server
        self._folder = folder
        self.database = folder / "games.db"
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
            "STATIONMASTER_DATABASE": str(self.database),
            "STATIONMASTER_LOG_LEVEL": "WARNING",
            "STATIONMASTER_PACE": "1000",
            # Players here act sooner than anybody would be pinged.
            "STATIONMASTER_PING_AFTER": "0",
        }
        environment = {key: value for key, value in os.environ.items() if key != "DISCORD_TOKEN"} | settings
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot.tools.cli", "run", cwd=self._folder, env=environment
        )
        assert await self._server.ready(timeout=PATIENCE)

    async def end(self, number: signal.Signals) -> int:
        """Send a signal and wait; the exit code."""
        assert self._process is not None
        self._process.send_signal(number)
        async with asyncio.timeout(PATIENCE):
            return await self._process.wait()

    def stored(self) -> int:
        """The last row of the log."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as conn, conn:
            return int(conn.execute("SELECT COALESCE(MAX(seq), 0) FROM log").fetchone()[0])


async def _opened(server: LoopbackServer, title: str, names: tuple[str, ...]) -> Players:
    first, *others = (server.person(name) for name in names)
    await first.slash("table", "game new", title=title)
    lobby = first.messages("table")[-1]
    for person in others:
        await person.press(lobby, "Join")
    await first.press(lobby, "Start")
    players = Players(server, lobby.id, names, random.Random(1830))
    assert await server.world.wait_until(
        lambda: lobby.id in server.world.channels and players.turn() is not None, timeout=PATIENCE
    )
    return players


@pytest.mark.long
@pytest.mark.parametrize(
    ("title", "names"), [("18chesapeake", ("Ann", "Bob")), ("1846", ("Ann", "Bob", "Cy", "Dee"))]
)
async def test_whole_game_with_kills(tmp_path: Path, title: str, names: tuple[str, ...]) -> None:
    async with LoopbackServer(world=World(grace=0.0)) as server, Bot.started(server, tmp_path) as bot:
        players = await _opened(server, title, names)
        calls = _Pings(players)
        server.world.listen(calls.note)
        killed = 0
        while not players.over():
            turn = players.turn()
            before = position(turn) if turn else 0
            if turn is not None:
                await players.act(turn)
            if killed < len(KILLED_AT) and before >= KILLED_AT[killed]:
                await bot.end(signal.SIGKILL)
                stored = bot.stored()
                assert stored >= before, "an acknowledged move is gone"
                await bot.start()
                killed += 1
                # Whatever was stored gets posted; a press that came too late has changed nothing.
                before = stored - 1
            assert await server.world.wait_until(
                partial(_over_or_moved, players, before), timeout=PATIENCE
            ), players.turn()
        assert killed == len(KILLED_AT)
        assert calls.wrong == []
        assert set(calls.rung) == set(names)
        assert await server.world.wait_until(partial(_with_papers, players), timeout=PATIENCE)
        _check_the_end(server, players, bot)


def _over_or_moved(players: Players, before: int) -> bool:
    turn = players.turn()
    return players.over() or (turn is not None and position(turn) > before)


def _with_papers(players: Players) -> bool:
    history = players.server.world.history(players.thread)
    return any(a.filename == "scores.csv" for m in history for a in m.attachments)


def _check_the_end(server: LoopbackServer, players: Players, bot: Bot) -> None:
    history = server.world.history(players.thread)
    sheet = next(m for m in history if any(a.filename == "scores.png" for a in m.attachments))
    assert "Thank you for the game, " in sheet.content
    below = next(m for m in history if any(a.filename == "scores.csv" for a in m.attachments))
    files = {a.filename: server.world.picture(a) for m in (sheet, below) for a in m.attachments}
    assert files["scores.png"].startswith(b"\x89PNG")
    assert files["chart.png"].startswith(b"\x89PNG")
    assert files["map.gif"].startswith(b"GIF89a")
    rounds = [m.content for m in history if any(a.filename == "table.png" for a in m.attachments)]
    assert rounds, "no table was posted as a round began"
    assert len(rounds) == len(set(rounds)), "a table was posted twice"
    game = load_game(files["game-1.json"].decode())
    assert game.over
    assert game.seq == bot.stored() - 1
    for player, total in game.scores().items():
        assert str(total) in files["scores.csv"].decode()
        assert game.name(player) in sheet.content
    found = numbers(history)
    words = [a for a in read_record(files["game-1.json"].decode()).actions if a.kind in KINDS_WITHOUT_BUTTON]
    # Where all have agreed to stop, one line tells of the word of each.
    empty = quiet(bot.database, 1)
    assert empty.isdisjoint(found), "nothing is posted where nothing happened"
    made = [number for number in lines(bot.stored(), len(words)) if number not in empty]
    assert found == made, "a line is missing or posted twice"
    assert [(position(m), m.content) for m in history if position(m)] == []
    assert "over" in next(m for m in history if m.embeds).content


class _Pings:
    """Notes who was pinged, and pings of somebody who was acting anyway."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self._acting = ""
        self.rung: list[str] = []
        self.wrong: list[str] = []

    def note(self, change: Change) -> None:
        """Look at a new message."""
        message = change.message
        if change.kind != "message_create" or message is None or not position(message):
            return
        actor = self._players.actor(message)
        if message.pinged:
            self.rung.append(actor.name)
            if message.pinged != [actor.id] or actor.name == self._acting:
                self.wrong.append(message.content)
        self._acting = actor.name
