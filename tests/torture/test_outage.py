"""An outage of Discord, and a server that takes nothing: no other table waits, and nothing is tried for ever."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from bot.sandbox.guild.world import Change
from bot.table.imports import add_recorded, read_recorded
from bot.table.outbox import notices
from bot.table.outbox.sender import CATCHING_UP, MarkSent
from bot.table.tables import Tables
from bot.tools.showcase import PLACE
from storage import GameRow, OutboxMessage, Posting, open_database, outbox
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, TableService
from tests.torture.sending import sending

GOLDEN = Path(__file__).parents[1] / "golden" / "18chesapeake-bank-4p.json"
PATIENCE = 300.0
"""Seconds until a test gives up waiting; nothing measures time."""
MOVES = 60
"""Moves at each table during the outage."""


class Discord:
    """Takes posts, unless it is down or a game is shut; counts how often it was tried."""

    def __init__(self, service: TableService) -> None:
        self.down = True
        self.shut: set[int] = set()
        self.tried: Counter[int] = Counter()
        self.lines: dict[int, list[str]] = {}
        self.turns: Counter[int] = Counter()
        self._bench = service

    async def deliver(self, game: GameRow, postings: Sequence[Posting], mark: MarkSent) -> None:
        """As the real one: lines in order, a turn only of the newest position, a board once."""
        self.tried[game.id] += 1
        if self.down:
            raise ConnectionError("unreachable")
        if game.id in self.shut:
            raise PermissionError("the bot may not post here")
        for posting in postings:
            if posting.kind == notices.LINE:
                self.lines.setdefault(game.id, []).append(posting.payload)
                await mark([posting], None, ())
        turns = [posting for posting in postings if posting.kind == notices.TURN]
        async with self._bench.tables.reading(game.id) as live:
            newest = bool(turns) and live.seq == turns[-1].seq
        self.turns[game.id] += newest
        rest = [p for p in postings if p.kind != notices.LINE and (newest or p.kind != notices.TURN)]
        await mark(rest, None, ())


def passing(error: Exception) -> bool:
    """As with Discord: the network passes; a missing permission does not."""
    return isinstance(error, ConnectionError)


@pytest.fixture
async def service(where: str | Path) -> AsyncIterator[TableService]:
    """Tables on a database of each kind."""
    async with await open_database(where) as db:
        yield TableService.on(db)


async def emptied(service: TableService, left: int = 0) -> None:
    """Wait until no more rows than these are in the outbox, and all of them are parked."""
    async with asyncio.timeout(PATIENCE):
        backlog = await outbox.backlog(service.db)
        while backlog.rows > left or backlog.parked < backlog.rows:
            await asyncio.sleep(0.02)
            backlog = await outbox.backlog(service.db)


async def played(service: TableService, game_id: int) -> None:
    """Moves at a table that are not posted yet."""
    for _ in range(MOVES // 2):
        await service.do(game_id, ANN, "pass")
        await service.undo(game_id, ANN)


async def test_shut_server_silences_nobody(
    service: TableService, tables: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their server takes no post; they have moved more often than all others together."""
    monkeypatch.setattr("bot.table.outbox.sender.FIRST_PAUSE", 0.05)
    shut = await service.game()
    rows = [OutboxMessage("line", str(number)) for number in range(600)]
    await service.db.write(lambda tx: outbox.add_notices(tx, shut, 1, rows, "2026"))
    others = [await service.game() for _ in range(tables)]
    discord = Discord(service)
    discord.down, discord.shut = False, {shut}
    async with sending(service.tables, discord.deliver, passing) as sender:
        async with asyncio.timeout(PATIENCE):
            while sum(discord.turns.values()) < tables:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
        for game_id in others:
            await service.do(game_id, ANN, "pass")
        for _ in range(outbox.TRIES):
            sender.wake(shut, news=False)
            await asyncio.sleep(0.05)
        await emptied(service, left=600 + 5)
    assert all(discord.turns[game_id] == 2 for game_id in others)
    assert shut not in discord.lines
    assert discord.tried[shut] <= 4 * outbox.TRIES
    # The way is free again: somebody acts there, and everything comes, in order.
    discord.shut = set()
    async with sending(service.tables, discord.deliver, passing):
        await emptied(service)
    assert discord.lines[shut][-600:] == [row.payload for row in rows]


async def test_outage_leaves_lines_and_one_turn(service: TableService, tables: int) -> None:
    games = [await service.game() for _ in range(tables)]
    discord = Discord(service)
    async with sending(service.tables, discord.deliver, passing):
        for game_id in games:
            await played(service, game_id)
        down = dict(discord.tried)
        discord.down = False
        for game_id in games:
            await service.do(game_id, ANN, "pass")
        await emptied(service)
    for game_id in games:
        seqs = [int(line.split("`")[1]) for line in discord.lines[game_id][1:]]
        assert seqs == list(range(2, MOVES + 3))
        # Where a pause ended just before the last move, there is one for what was missed and one for the move.
        assert discord.turns[game_id] in (1, 2)
        # No busy loop: what could not be posted yet was not tried again and again.
        assert discord.tried[game_id] - down.get(game_id, 0) <= 3


async def test_question_is_answered_meanwhile(tmp_path: Path, tables: int) -> None:
    """Through the real client: at most a few boards and turns go before the answer."""
    async with SandboxBot.opened(tmp_path / "games.db") as sandbox:
        first = await sandbox.game()
        await sandbox.stop()
        async with await open_database(sandbox.database) as db:
            recorded = await asyncio.to_thread(read_recorded, GOLDEN, 40)
            for _ in range(tables):
                await add_recorded(Tables(db), recorded, PLACE)
        posted: list[int] = []

        def note(change: Change) -> None:
            message = change.message
            if change.kind == "message_create" and message is not None and not message.ephemeral:
                posted.append(message.channel_id)

        sandbox.world.listen(note)
        await sandbox.start()
        result = await sandbox.person("Ann").slash(first.thread, "why", move="pass")
        assert result.failed is None
        assert len(set(posted)) <= 4 * CATCHING_UP
        await sandbox.settled()
        assert len(set(posted)) >= tables
