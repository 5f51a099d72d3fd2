"""Nothing holds the event loop for 50 ms of processor, through the longest games that are played and their end.

The bot is a process of its own, with the real client and real workers; people and Discord are this process.
"""

import asyncio
import json
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest

from bot.sandbox.guild import seed
from bot.sandbox.guild.world import World
from bot.sandbox.model import Message
from bot.sandbox.server import LoopbackServer
from bot.table.imports import TablePlace, add_recorded, moves_of_seats
from bot.table.moves.moves import OneClickMove
from bot.table.tables import Tables
from engine.core.actions import Action
from engine.game import Game
from engine.record import Record, read_record
from storage import open_database, seats
from tests.bot.support.player import Players, position
from tests.bot.support.processes import environment
from tests.bot.support.spelling import to_confirm, typed

GOLDEN = Path(__file__).parents[2] / "golden"
HELD: Final = 0.05
"""Seconds of processor that no callback takes."""
PATIENCE = 120.0
"""Seconds until a test gives up waiting; nothing measures time."""
LEAST: Final = 20
"""Moves that somebody makes; many others follow from these."""
ASKED_EVERY: Final = 5
"""Moves from one question of somebody to the next."""
QUESTIONS: Final = ("map", "log", "chart", "market", "status")


@dataclass
class Replayed:
    """A recorded game that is played on by its people: who they are, how it stands, and what comes."""

    names: dict[str, str]
    game: Game
    actions: tuple[Action, ...]

    @classmethod
    async def stored(cls, record: Record, first: int, database: Path) -> "Replayed":
        """The game in a database, after its first moves."""
        people = enumerate(seed.PEOPLE_NAMES[: len(record.players)], seed.OWNER_ID)
        place = TablePlace(seed.GUILD_ID, seed.TABLE_ID, tuple(people))
        begun = replace(record, actions=record.actions[:first])
        async with await open_database(database) as db:
            number = await add_recorded(Tables(db), begun, place)
            taken = await seats.seats(db, number)
        game = record.initial_game()
        game.apply_all(begun.actions)
        return cls({s.player_id: s.display_name for s in taken}, game, tuple(moves_of_seats(record, taken)))

    async def play(self, server: LoopbackServer, thread: int) -> int:
        """Make every move that is left, and ask now and then; how many moves were made by hand."""
        players, made = Players(server, thread, (), random.Random(0)), 0
        while not self.game.over:
            turn = players.turn()
            assert turn is not None
            self._follow(position(turn) - 1)
            await self._make(server, turn, self.actions[self.game.seq])
            seq, made = self.game.seq, made + 1
            if made % ASKED_EVERY == 0:
                person = server.person(seed.PEOPLE_NAMES[-1])
                await person.slash(thread, QUESTIONS[made // ASKED_EVERY % len(QUESTIONS)])
            assert await self._continues(players), (seq, self.actions[seq])
            if players.over():
                self._follow(len(self.actions))
        return made

    async def _continues(self, players: Players) -> bool:

        def later() -> bool:
            turn = players.turn()
            return players.over() or (turn is not None and position(turn) - 1 > self.game.seq)

        return await players.server.world.wait_until(later, timeout=PATIENCE)

    def _follow(self, number: int) -> None:
        """Let the moves up to this one be made here, too."""
        self.game.apply_all(self.actions[self.game.seq : number])

    async def _make(self, server: LoopbackServer, turn: Message, action: Action) -> None:
        person, asks = server.person(self.names[action.actor]), to_confirm(self.game, action)
        key = f":{OneClickMove('', action).key}"
        button = next((b.custom_id for b in turn.buttons if (b.custom_id or "").endswith(key)), None)
        if button is not None:
            result = await person.press(turn, button)
        else:
            name, values = typed(self.game, action)
            result = await person.slash(turn.channel_id, name, **values)
        if asks:
            assert await server.world.wait_until(lambda: bool(result.ephemeral), timeout=PATIENCE)
            question = result.ephemeral[-1]
            await person.press(question, question.buttons[0].label)


@asynccontextmanager
async def watched(server: LoopbackServer, folder: Path) -> AsyncIterator[Path]:
    """The running bot; where it writes what has held its loop."""
    record = folder / "held"
    settings = {
        "STATIONMASTER_DISCORD_URL": server.url,
        "STATIONMASTER_PACE": "1000",
        "STATIONMASTER_BACKUPS": "off",
        "STATIONMASTER_PING_AFTER": "0",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bot.support.held_bot", str(record)),
        cwd=folder,
        env=environment(folder, 0) | settings,
    )
    try:
        assert await server.ready(timeout=PATIENCE)
        record.write_text("")  # while it starts nobody waits
        yield record
    finally:
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            await process.wait()


def held(record: Path, seconds: float) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    return [line for line in lines if line["seconds"] > seconds]


@pytest.mark.long
async def test_game_of_18c2c_holds_no_loop(tmp_path: Path) -> None:
    record = read_record((GOLDEN / "18c2c_full-bank-2p.json").read_text("utf-8"))
    game = await Replayed.stored(record, 0, tmp_path / "games.db")
    async with LoopbackServer(world=World(grace=0.0)) as server:
        server.world.answer_limit = PATIENCE
        async with watched(server, tmp_path) as raised:
            assert await server.world.wait_until(lambda: _thread(server) is not None, timeout=PATIENCE)
            made = await game.play(server, _thread(server) or 0)
    assert game.game.digest() == record.digest
    assert made > LEAST
    assert held(raised, HELD) == []


def _thread(server: LoopbackServer) -> int | None:
    return next((m.channel_id for m in server.world.messages.values() if position(m)), None)
