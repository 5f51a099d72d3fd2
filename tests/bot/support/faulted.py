"""A recorded game played again by people who play on whatever happens to Discord and to the bot."""

import asyncio
import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from bot.client.thread.final_posts import TURNING_POINTS_HEADING
from bot.sandbox.guild import seed
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.guild.world import Change
from bot.sandbox.model import Channel, Message
from bot.sandbox.refusal import Refusal, SandboxError
from bot.table.imports import ImportTarget, store_recorded_game
from bot.table.moves.moves import OneClickMove
from bot.table.tables import Tables
from engine.core.actions import Action
from engine.record import Record
from storage import open_database
from tests.bot.sandbox.faults import FaultyServer
from tests.bot.support.records import NUMBERED, PostedLines, unsent_lines
from tests.bot.support.sandbox_bot import has_moves
from tests.bot.support.spelling import to_confirm, typed

PATIENCE = 60.0
"""Seconds until a test gives up waiting; nothing measures time."""
UNANSWERED = 0.5
"""Seconds after which somebody tries again who has got no answer."""
SHORT = 0.3
"""Seconds for which a fault of a while lasts, and within which one begins after a move was begun."""


def lines(rows: int, words: int) -> list[int]:
    """The numbers of the lines for this many rows of a log, the last of them the words that end a game."""
    return [*range(1, rows - words + 1), *([rows] if words else [])]


class Faulted:
    """One table, and people who repeat a move until it is made; knows of the bot what is in its database."""

    def __init__(
        self,
        server: FaultyServer,
        database: Path,
        number: int,
        record: Record,
        names: Sequence[str],
        chance: random.Random,
    ) -> None:
        self.server, self.world, self.database, self.number = server, server.world, database, number
        self.chance = chance
        self._names = {player: name for (player, _), name in zip(record.players, names, strict=True)}
        self._game = record.initial_game()
        self._posted = PostedLines()
        self._threads: set[int] = set()
        self.world.listen(self._note)

    def _note(self, change: Change) -> None:
        if (
            change.kind == "channel_delete"
            and change.channel is not None
            and change.channel.id in self.place()
        ):
            # What a thread that is gone shows, but is not noted as posted, may come again in the next one.
            self._posted.may_come_again(unsent_lines(self.database, self.number))
        message = change.message
        if change.kind not in ("message_create", "message_update") or message is None:
            return
        ours = message.author_id == seed.BOT_ID and not message.ephemeral
        if ours and NUMBERED.search(message.content) and self.place()[1] == message.channel_id:
            self._posted.note(message)

    @property
    def posted(self) -> list[str]:
        return self._posted.lines

    # -- what is stored --

    def _asked(self, question: str) -> tuple[int, ...]:
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=30)) as conn:
            return tuple(int(value or 0) for value in conn.execute(question, (self.number,)).fetchone())

    def stored(self) -> int:
        return self._asked("SELECT MAX(seq) FROM log WHERE game_id = ?")[0]

    def place(self) -> tuple[int, int]:
        channel, thread = self._asked("SELECT channel_id, thread_id FROM games WHERE id = ?")
        return channel, thread

    def digest(self) -> str:
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=30)) as conn:
            rows = conn.execute("SELECT digest FROM log WHERE game_id = ? ORDER BY seq DESC", (self.number,))
            return str(rows.fetchone()[0])

    async def settled(self) -> None:
        question = "SELECT COUNT(*) FROM outbox WHERE sent_at IS NULL AND game_id = ?"
        async with asyncio.timeout(PATIENCE):
            while self._asked(question)[0]:  # noqa: ASYNC110 - the database tells nobody
                await asyncio.sleep(0.02)

    # -- what is seen --

    @property
    def messages(self) -> list[Message]:
        return self.world.history(self.place()[1])

    @property
    def turns(self) -> list[Message]:
        """Messages with buttons in the thread, but for the one for a rematch."""
        return [message for message in self.messages if has_moves(message)]

    @property
    def boards(self) -> list[Message]:
        """Board posts in the thread; an offer that was settled has no heading, and the end has another."""
        headed = ((message, [embed.get("title") for embed in message.embeds]) for message in self.messages)
        return [message for message, titles in headed if any(titles) and TURNING_POINTS_HEADING not in titles]

    # -- playing --

    async def make(self, action: Action) -> None:
        """Make this move, however often it must be tried."""
        before = self._game.seq + 1
        async with asyncio.timeout(PATIENCE):
            # A move that leaves nothing to choose has been made with the one before.
            while self.stored() == before:
                # What was to be used may be gone meanwhile.
                try:
                    await self._try(action, before)
                    await asyncio.sleep(0.02)
                except (SandboxError, Refusal):
                    await self._may_be_stored_late(before)
        self._game.apply(action)

    async def _may_be_stored_late(self, before: int) -> None:
        """Wait as people do who have got no answer, so that they do not pass twice."""
        with suppress(TimeoutError):
            async with asyncio.timeout(UNANSWERED):
                while self.stored() == before:  # noqa: ASYNC110 - the database tells nobody
                    await asyncio.sleep(0.02)

    async def stop(self) -> None:
        """Everybody agrees to end the game, however often that must be said."""
        question = "SELECT COUNT(*) FROM games WHERE status = 'finished' AND id = ?"
        async with asyncio.timeout(PATIENCE):
            while not self._asked(question)[0]:
                for name in self._names.values():
                    with suppress(SandboxError, Refusal):
                        await self.server.person(name).slash(self._where(), "game abandon")

    async def _try(self, action: Action, number: int) -> None:
        person = self.server.person(self._names[action.actor])
        wanted = f"g:{self.number}:{number}:{OneClickMove('', action).key}"
        turn = next((m for m in self.turns if any(b.custom_id == wanted for b in m.buttons)), None)
        if turn is not None and self.chance.random() < 0.5:
            answer = await person.press(turn, wanted)
        else:
            command, values = typed(self._game, action)
            answer = await person.slash(self._where(), command, **values)
        await self._confirm(answer, action)

    def _where(self) -> Channel:
        """The thread; where that is gone its channel, which stands for it."""
        channel, thread = self.place()
        return self.world.channel(thread if thread in self.world.channels else channel)

    async def _confirm(self, answer: InteractionResult, action: Action) -> None:
        if not to_confirm(self._game, action):
            return
        person = self.server.person(self._names[action.actor])
        if await self.world.wait_until(lambda: any(m.buttons for m in answer.ephemeral), timeout=3.0):
            question = next(m for m in answer.ephemeral if m.buttons)
            await person.press(question, question.buttons[0].label)


async def seated(
    server: FaultyServer,
    database: Path,
    record: Record,
    channel: str,
    names: Sequence[str],
    chance: random.Random,
) -> Faulted:
    """Store the beginning of a recorded game as a table of these people in a channel."""
    people = tuple((server.person(name).id, name) for name in names)
    place = ImportTarget(seed.GUILD_ID, server.world.channel_named(channel).id, people)
    async with await open_database(database) as db:
        number = await store_recorded_game(Tables(db), replace(record, actions=()), place)
    return Faulted(server, database, number, record, names, chance)
