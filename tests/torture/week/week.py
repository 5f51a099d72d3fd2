"""The week itself: tables are opened, people come when they are pinged, the bot is stopped, killed and away."""

import random
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

from storage import games
from tests.bot.support.sandbox_bot import TABLE
from tests.torture.week.agenda import Agenda, Deed
from tests.torture.week.crowd import Somebody
from tests.torture.week.judge import Judge
from tests.torture.week.ledger import Table
from tests.torture.week.sandbox import WeekBot
from tests.torture.week.scene import Scene
from tests.torture.week.visits import Visits

BEGINS: Final = datetime(2031, 10, 23, 6, tzinfo=UTC)
"""A Thursday; on Sunday the clocks of Europe go back."""
TITLES: Final = ("18chesapeake", "18al", "18tn", "18newengland")
SEATS: Final = 4
GRID: Final = timedelta(minutes=10)
"""The bot looks for what is due so often, and after every move."""
OPENED: Final = timedelta(hours=3)
"""Within this time all tables are opened."""
REPAIRED: Final = timedelta(hours=1)
"""So often a moderator has some table brought up to date."""
OUTAGE: Final = timedelta(hours=6)


class Week:
    """Everybody and everything; `judge` has the verdict."""

    def __init__(
        self, sandbox: WeekBot, agenda: Agenda, people: list[Somebody], chance: random.Random
    ) -> None:
        known = {somebody.id: somebody for somebody in people}
        self._scene = Scene(sandbox, agenda, chance, known, Judge(known))
        self._hearing = Visits(self._scene).hearing

    @property
    def judge(self) -> Judge:
        return self._scene.judge

    @property
    def tables(self) -> list[Table]:
        """All of them, with what was stored."""
        return list(self._scene.tables.values())

    async def lasts(self, days: float, tables: int) -> None:
        """Everything that happens in this many days at this many tables."""
        agenda, chance, everybody = self._scene.agenda, self._scene.chance, list(self._scene.people.values())
        for somebody in everybody:
            await self._introduce(somebody)
        for number in range(tables):
            people, title = chance.sample(everybody, SEATS), TITLES[number % len(TITLES)]
            agenda.at(BEGINS + OPENED * chance.random(), partial(self._open, title, people))
        whole = timedelta(days=days)
        for part, deed in self._fate():
            agenda.at(BEGINS + whole * part + GRID * chance.random(), deed)
        agenda.after(OPENED, self._repair)
        agenda.after(GRID, self._look_over)
        await agenda.run(BEGINS + whole)
        for table in self.tables:
            async with self._scene.sandbox.client.tables.reading(table.number) as live:
                assert table.game is not None
                assert table.game.digest() == live.game.digest()

    async def _introduce(self, who: Somebody) -> None:
        """Somebody says how they want to be pinged."""
        answer = await who.person.slash(TABLE, "pings", **who.requests)
        assert "The bot pings you" in answer.text
        if who.digest is not None:
            self._hearing.expect_digest(who)

    async def _open(self, title: str, people: list[Somebody]) -> None:
        """A table of these people is opened and started."""
        first, *others = (somebody.person for somebody in people)
        await first.slash(TABLE, "game new", title=title)
        lobby = next(m for m in reversed(first.messages(TABLE)) if m.buttons)
        for person in others:
            await person.press(lobby, "Join")
        await first.press(lobby, "Start")
        await self._scene.sandbox.settled()
        row = (await games.games_with_status(self._scene.sandbox.db, "running"))[-1]
        assert row.thread_id == lobby.id
        table = self._scene.tables[row.thread_id] = Table(row.id, row.thread_id, title)
        await table.catch_up(self._scene.sandbox.db)
        await self._hearing.hear()
        self._hearing.look_soon()

    async def _look_over(self) -> None:
        await self._hearing.look_over()
        self._scene.agenda.after(GRID, self._look_over)

    async def _repair(self) -> None:
        """A moderator has a table refreshed, which is nobody's turn, and pings nobody."""
        if self._scene.runs:
            table = self._scene.chance.choice(self.tables)
            await self._scene.sandbox.person("Ann").slash(table.thread, "game repair")
            await self._scene.sandbox.settled()
            await self._hearing.hear()
        self._scene.agenda.after(REPAIRED, self._repair)

    # --- what befalls the bot ---

    def _fate(self) -> tuple[tuple[float, Deed], ...]:
        return (
            (0.2, self._ambush),
            (0.3, self._restart),
            (0.45, self._doom),
            (0.55, self._fail),
            (0.85, self._ambush),
            (0.9, self._restart),
        )

    async def _ambush(self) -> None:
        self._scene.ambushed = True

    async def _restart(self) -> None:
        await self._scene.sandbox.stop()
        await self._back()

    async def _doom(self) -> None:
        self._scene.doomed = True

    async def _fail(self) -> None:
        """The bot is away, and nobody knows why."""
        await self._scene.sandbox.stop()
        self._scene.runs = False
        began = self._scene.agenda.now
        self.judge.down.append((began, began + OUTAGE))
        self._scene.agenda.after(OUTAGE, self._recover)

    async def _recover(self) -> None:
        self._scene.runs = True
        await self._back()
        await self._hearing.look()
        self._hearing.read_digests()

    async def _back(self) -> None:
        await self._scene.sandbox.start()
        await self._scene.sandbox.settled()
        await self._hearing.hear()
