"""How often a press or a command goes to the database: on the way to a server each trip is time that somebody waits."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.client.app import Stationmaster
from bot.sandbox.guild.person import InteractionResult, Person
from bot.table.imports import moves_with_seated_players, store_recorded_game
from bot.tools.showcase import SANDBOX_TABLE
from storage import ALL_SHARDS, Database, games, log, open_database, orders
from storage.postgres.database import FencedDatabase, ServerDatabase
from tests.bot.support.positions import recorded
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot
from tests.bot.support.spelling import typed
from tests.support.own_postgres import Server
from tests.support.round_trips import way_to
from tests.support.unsent import unsent

WAYS = (
    # What is done; before which move of the recorded game; trips until it is stored.
    ("press Bid", 1, 2),
    ("press Best", 44, 2),
    ("undo", 30, 3),
    ("order", 3, 4),
)
POSTED = 17
"""Trips until all is posted that a move leads to: lines, turn message and board."""
TRIES = 4
"""Queues woken while they post look once more, which is three trips: the least of these tries counts."""


class Counter:
    """A house whose trips to its database are counted."""

    def __init__(
        self, sandbox: SandboxBot, trips: Callable[[], int], left: Callable[[], Awaitable[bool]]
    ) -> None:
        self.sandbox = sandbox
        self._trips = trips
        self._left = left
        self._stored = 0

    def noting(self, write: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """The same, noted when it is stored."""

        async def then(*given: Any, **named: Any) -> Any:
            result = await write(*given, **named)
            self._stored = self._stored or self._trips()
            return result

        return then

    async def settled(self) -> None:
        """Wait until all is posted; what this looks at is not counted."""
        async with asyncio.timeout(PATIENCE):
            while await self._left():  # noqa: ASYNC110 - the database tells nobody
                await asyncio.sleep(0.01)

    async def count(self, act: Callable[[], Awaitable[InteractionResult]]) -> tuple[int, int]:
        """The trips until something was stored, or answered where nothing is; and until all that follows is posted."""
        await self.settled()
        self._stored, before = 0, self._trips()
        result = await act()
        assert result.failure_text is None, result.failure_text
        answered = self._trips()
        await self.settled()
        return (self._stored or answered) - before, self._trips() - before


async def done(counter: Counter, what: str, at: int) -> tuple[int, int]:
    """Do this at a new table, before a move of the recorded game; the trips it took."""
    sandbox = counter.sandbox
    tables, world = sandbox.client.tables, sandbox.world
    record = recorded("18chesapeake-bank-4p")
    action = record.actions[at]
    game_id = await store_recorded_game(tables, replace(record, actions=record.actions[:at]), SANDBOX_TABLE)
    await counter.settled()
    row = await games.get_game(tables.db, game_id)
    async with tables.reading(game_id) as live:
        (meant,) = moves_with_seated_players(replace(record, actions=(action,)), live.seats)
        person = Person(world, world.users[live.user_of(meant.actor)])
        other = next(Person(world, world.users[user]) for user in live.users if user != person.id)
        command, values = typed(live.game, meant)
    turn, thread = world.messages[row.turn_message_id or 0], row.thread_id or 0
    if what.startswith("press"):
        button = next(one for one in turn.buttons if one.label.startswith(what.removeprefix("press ")))
        return await counter.count(lambda: person.press(turn, button.custom_id or ""))
    if what == "order":
        return await counter.count(lambda: other.slash(thread, "orders bid", private="CV", maximum=300))
    await counter.count(lambda: person.slash(thread, command, **values))
    return await counter.count(lambda: person.slash(thread, "undo"))


class OwningBot(SandboxBot):
    """A house that owns its shard in a database on a server."""

    def hired(self, db: Database) -> Stationmaster:
        assert isinstance(db, ServerDatabase)
        bot = super().hired(FencedDatabase(db.pool, {0: 1}, ALL_SHARDS, asyncio.Event()))
        bot.periodic_checks = ()
        return bot


@asynccontextmanager
async def counted(server: Server) -> AsyncIterator[Counter]:
    """A house whose requests to its database are counted on the way."""
    async with server.fresh() as url, await open_database(url) as beside, way_to(url) as (through, way):
        await beside.write(lambda tx: tx.run("INSERT INTO shards VALUES (0, 1, 1)"))

        async def left() -> bool:
            return bool(await unsent(beside))

        async with OwningBot.opened(through, ping_delay=600) as sandbox:
            yield Counter(sandbox, lambda: way.trips, left)


@pytest.mark.usefixtures("undrawn")
async def test_presses_take_few_round_trips(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the press to the stored move, and on until all of it is posted; what is prepared once is left out."""
    found = {}
    async with counted(postgres) as counter:
        for module, name in ((log, "commit_move"), (orders, "store_order")):
            # Nothing that is seen outside says when the database has confirmed a move.
            monkeypatch.setattr(module, name, counter.noting(getattr(module, name)))
        for what, at, most in WAYS:
            for _ in range(TRIES):
                found[what, at] = *await done(counter, what, at), most
                if found[what, at][0] <= most and found[what, at][1] <= POSTED:
                    break
    assert {way: stored for way, (stored, _, _) in found.items()} == {
        way: most for way, (_, _, most) in found.items()
    }
    assert {way: posted for way, (_, posted, _) in found.items() if posted > POSTED} == {}
