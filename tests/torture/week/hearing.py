"""Notifications as people get them: each goes to the judge, and lets somebody come, later."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot.sandbox.guild.world import Change
from bot.sandbox.model import Message
from tests.bot.support.sandbox_bot import is_table_ping
from tests.torture.week.crowd import Somebody
from tests.torture.week.ledger import Leadership
from tests.torture.week.scene import Scene

DIGEST: Final = "Your move in"
ENDED: Final = "has ended:"
LINK: Final = re.compile(r"channels/\d+/(\d+)")


@dataclass(frozen=True)
class Ping:
    """A notification as it reached a person."""

    at: datetime
    user: int
    message: Message
    direct: bool


class Hearing:
    """Listens for everybody; a pinged player `comes` to a table (by thread) a while after a time."""

    def __init__(self, scene: Scene, comes: Callable[[Somebody, int, datetime], None]) -> None:
        self._scene = scene
        self._comes = comes
        self._pings: list[Ping] = []
        self._touched: set[int] = set()
        """Threads in which something was posted, or edited."""
        self._were_due: dict[tuple[int, int], Leadership] = {}
        self._digests: dict[int, set[int]] = {}
        self._direct: dict[int, Ping] = {}
        """Direct messages that have pinged somebody, by their numbers."""
        self._useless: dict[int, datetime] = {}
        """Since when nothing stands of what a direct message pings for."""
        scene.sandbox.world.listen(self._note)

    def _note(self, change: Change) -> None:
        message, scene = change.message, self._scene
        if change.kind not in ("message_create", "message_update") or message is None:
            return
        self._touched.add(message.channel_id)
        # As others join, the lobby's channel pings the player who has opened the game.
        in_lobby = message.channel_id == scene.sandbox.lobby_channel
        if change.kind == "message_create" and not is_table_ping(message) and not in_lobby:
            direct = scene.sandbox.world.channel(message.channel_id).is_dm
            self._pings += [Ping(scene.agenda.now, user, message, direct) for user in message.pinged]

    async def look(self) -> None:
        """Let the bot look for what is due, if it runs, and hear what comes of it."""
        if not self._scene.runs:
            return
        if self._scene.ambushed:
            await self._caught()
        await self._scene.sandbox.look()
        await self.hear()

    async def _caught(self) -> None:
        """Let it look, and kill it should it ping somebody."""
        sandbox = self._scene.sandbox
        sandbox.slow_down()
        count = self._scene.chance.choice((sandbox.pinged, sandbox.written))
        if await sandbox.caught(asyncio.create_task(sandbox.look()), count):
            self._scene.ambushed = False
            await sandbox.die()
        sandbox.server.faults.clear()

    def look_soon(self) -> None:
        """Let it look again when the player who is due now may be pinged."""
        self._scene.agenda.after(timedelta(seconds=self._scene.chance.uniform(31, 60)), self.look)

    async def look_over(self) -> None:
        """Look at every table, and let the judge do so."""
        self._touched |= self._scene.tables.keys()
        await self.look()
        for table in self._scene.tables.values():
            self._scene.judge.look_over(table, self._scene.agenda.now)
        self._look_at_direct_messages(self._scene.agenda.now)

    def _look_at_direct_messages(self, now: datetime) -> None:
        """Let the judge know of direct messages that stay though nothing stands of what they ping for."""
        if not self._scene.runs:
            self._useless.clear()
        there = self._scene.sandbox.world.messages
        self._direct = {number: ping for number, ping in self._direct.items() if number in there}
        stands = {n: any(self._due(p.user, t) for t in self._threads(p)) for n, p in self._direct.items()}
        self._useless = {n: self._useless.get(n, now) for n, calls in stands.items() if not calls}
        for number, since in self._useless.items():
            ping = self._direct[number]
            self._scene.judge.stays(ping.at, self._scene.people[ping.user], now - since)

    def _due(self, user: int, thread: int) -> bool:
        return self._scene.tables[thread].due(user) is not None

    def remember(self) -> None:
        """Until something is heard next, players who have something to do now may be pinged, too."""
        for thread, table in self._scene.tables.items():
            self._were_due |= {(thread, duty.user): duty for duty in table.duties.values()}

    async def hear(self) -> None:
        """Take in what was stored and who was pinged since the last time, where something was posted."""
        pings, self._pings = self._pings, []
        touched, self._touched = self._touched & self._scene.tables.keys(), set()
        for thread in sorted(touched):
            await self._scene.tables[thread].catch_up(self._scene.sandbox.db)
        for ping in pings:
            self._pinged(ping)
        self._were_due.clear()

    def _pinged(self, ping: Ping) -> None:
        who, threads = self._scene.people[ping.user], self._threads(ping)
        if ping.direct and ping.message.content.startswith(DIGEST):
            self._digests[who.id] = set(threads)
            return
        if ping.direct and ENDED in ping.message.content:
            self._scene.judge.order_ended(ping.at, who)
            return
        if ping.direct and not threads:
            return  # who has joined a lobby is news, and stays
        if ping.direct:
            self._direct[ping.message.id] = ping
        for thread in threads:
            table = self._scene.tables[thread]
            if table.ended:
                continue  # the farewell thanks everybody
            duty = table.due(who.id) or self._were_due.get((thread, who.id))
            self._scene.judge.heard(ping.at, who, table.number, duty, direct=ping.direct)
            if who.digest is None:
                self._comes(who, thread, self._scene.agenda.now)

    def _threads(self, ping: Ping) -> list[int]:
        if not ping.direct:
            return [ping.message.channel_id]
        return [int(found) for found in LINK.findall(ping.message.content)]

    # --- digests ---

    def expect_digest(self, who: Somebody) -> None:
        """Somebody reads their next digest when it comes."""
        at = who.reads_digest(self._scene.agenda.now)
        self._scene.agenda.at(at, partial(self._read_digest, who))

    async def _read_digest(self, who: Somebody) -> None:
        """It is time for a digest, which must list what is due at this moment; they come for that alone."""
        self.expect_digest(who)
        if not self._scene.runs:
            return
        due = {table.number for table in self._scene.tables.values() if table.due(who.id) is not None}
        await self.look()
        listed = self._digests.get(who.id)
        numbers = None if listed is None else {self._scene.tables[thread].number for thread in listed}
        self._scene.judge.digest(self._scene.agenda.now, who, due, numbers)
        self.read_digests()

    def read_digests(self) -> None:
        """Everybody reads the digest that has come."""
        for user, threads in self._digests.items():
            for thread in sorted(threads):
                self._comes(self._scene.people[user], thread, self._scene.agenda.now)
        self._digests.clear()
