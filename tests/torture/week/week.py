"""The week itself: tables are opened, people come when they are called, the bot is stopped, killed and away."""

import asyncio
import random
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

from bot.sandbox.limits import ANSWER_SECONDS
from bot.sandbox.model import Message
from bot.sandbox.world import Change
from engine.caretaker import choose
from engine.core.actions import Action
from engine.game import Game
from storage import games
from tests.bot.house import TABLE, is_call
from tests.torture.week.agenda import Agenda
from tests.torture.week.crowd import Somebody
from tests.torture.week.house import WeekHouse
from tests.torture.week.judge import Judge
from tests.torture.week.ledger import Table
from tests.torture.week.moving import make
from tests.torture.week.orders import order_for

BEGINS: Final = datetime(2031, 10, 23, 6, tzinfo=UTC)
"""A Thursday; on Sunday the clocks of Europe go back."""
TITLES: Final = ("18chesapeake", "18al", "18tn", "18newengland")
SEATS: Final = 4
GRID: Final = timedelta(minutes=10)
"""The bot looks for what is due so often, and after every move."""
OPENED: Final = timedelta(hours=3)
"""Within this time all tables are opened."""
OUTAGE: Final = timedelta(hours=6)
UNDONE, LEFT, ORDERED, LINGERS = 0.02, 0.01, 0.25, 0.4
"""How often a move is taken back, a turn is left, an order given where one fits, and how often somebody looks on."""
IN_FLIGHT: Final = 0.2
"""Seconds for which a post is under way while the bot is killed."""
MUTES: Final = 0.04
"""How often somebody mutes who could."""
LATER: Final = timedelta(hours=20)
"""How much later he comes then."""
DIGEST: Final = "Your move in"
"""How the message begins that is written once a day."""
LINK: Final = re.compile(r"(?:channels/\d+/|<#)(\d+)")


@dataclass(frozen=True)
class Ping:
    """A notification as it reached a person."""

    at: datetime
    user: int
    message: Message
    direct: bool


class Week:
    """Everybody and everything; `judge` has the verdict."""

    def __init__(
        self, house: WeekHouse, agenda: Agenda, people: list[Somebody], chance: random.Random
    ) -> None:
        self._house = house
        self._agenda = agenda
        self._people = {somebody.id: somebody for somebody in people}
        self._chance = chance
        self.judge = Judge(self._people)
        self.tables: dict[int, Table] = {}
        """By thread."""
        self._pings: list[Ping] = []
        self._touched: set[int] = set()
        """Threads in which something was posted."""
        self._coming: set[tuple[int, int]] = set()
        """Who has been called to which table (by thread) and has not come yet, or is there."""
        self._digests: dict[int, set[int]] = {}
        """What somebody's digest lists that he has not read."""
        self._runs = True
        self._kill = False
        """Whether the bot is killed with the next move."""
        house.world.listen(self._note)

    # --- what people hear ---

    def _note(self, change: Change) -> None:
        message = change.message
        if change.kind != "message_create" or message is None:
            return
        self._touched.add(message.channel_id)
        if is_call(message):
            return
        direct = self._house.world.channel(message.channel_id).is_dm
        self._pings += [Ping(self._agenda.now, user, message, direct) for user in message.pinged]

    async def _hear(self) -> None:
        """Take in what was stored and who was called since the last time, where something was posted."""
        pings, self._pings = self._pings, []
        touched, self._touched = self._touched & self.tables.keys(), set()
        for thread in touched:
            await self.tables[thread].catch_up(self._house.db)
            self.judge.closed(self.tables[thread])
        for ping in pings:
            self._called(ping)

    def _called(self, ping: Ping) -> None:
        who, threads = self._people[ping.user], self._threads(ping)
        if ping.message.content.startswith(DIGEST):
            self._digests[who.id] = set(threads)
            return
        for thread in threads:
            table = self.tables[thread]
            if table.ended:
                continue  # the farewell thanks everybody
            self.judge.heard(ping.at, ping.user, table, direct=ping.direct)
            if who.digest is None:
                self._expect(who, thread, ping.message)

    def _threads(self, ping: Ping) -> list[int]:
        if not ping.direct:
            return [ping.message.channel_id]
        return [int(found) for found in LINK.findall(ping.message.content) if int(found) in self.tables]

    def _expect(self, who: Somebody, thread: int, message: Message | None = None) -> None:
        if (who.id, thread) in self._coming:
            return
        self._coming.add((who.id, thread))
        called = self._agenda.now
        mute = None if message is None else self._mute_button(message, thread)
        if message is not None and mute is not None and self._chance.random() < MUTES:
            self._agenda.after(timedelta(minutes=2), partial(self._mute, who, thread, message, mute))
            called += LATER
        self._agenda.at(who.comes(called, self._chance), partial(self._turn, who, thread))

    def _mute_button(self, message: Message, thread: int) -> str | None:
        said = ("Mute for this turn", f"Mute game {self.tables[thread].number} for this turn")
        return next((button.label for button in message.buttons if button.label in said), None)

    async def _mute(self, who: Somebody, thread: int, message: Message, label: str) -> None:
        """Somebody knows that it is his move, and wants no reminders."""
        duty = self.tables[thread].due(who.id)
        if not self._runs or duty is None or message.id not in self._house.world.messages:
            return
        told = await who.person.press(message, label)
        assert "not reminded" in told.text
        duty.muted = True
        self.judge.figures.count["muted"] += 1

    async def _read_digest(self, who: Somebody) -> None:
        """The time has come at which somebody is told where it is his move; he comes for that alone."""
        self._agenda.at(who.reads_digest(self._agenda.now), partial(self._read_digest, who))
        if not self._runs:
            return
        due = {thread for thread, table in self.tables.items() if table.due(who.id) is not None}
        await self._look()
        listed = self._digests.pop(who.id, None)
        numbers = None if listed is None else {self.tables[thread].number for thread in listed}
        self.judge.told(self._agenda.now, who, {self.tables[thread].number for thread in due}, numbers)
        for thread in listed or ():
            self._expect(who, thread)

    # --- what people do ---

    async def _open(self, title: str, people: list[Somebody]) -> None:
        """A table of these people is opened and started."""
        first, *others = (somebody.person for somebody in people)
        if not self._runs:
            self._agenda.after(GRID, partial(self._open, title, people))
            return
        await first.slash(TABLE, "game new", title=title)
        lobby = next(m for m in reversed(first.messages(TABLE)) if m.buttons)
        for person in others:
            await person.press(lobby, "Join")
        await first.press(lobby, "Start")
        await self._house.settled()
        row = (await games.games_in(self._house.db, "running"))[-1]
        assert row.thread_id == lobby.id
        self.tables[row.thread_id] = Table(row.id, row.thread_id, title)
        self._touched.add(row.thread_id)
        await self._hear()
        self._look_soon()

    async def _turn(self, who: Somebody, thread: int, moves: int = 0, waited: int = 0) -> None:
        """Somebody is at a table: moves if it is his turn, and stays or goes."""
        table = self.tables[thread]
        if not self._runs:
            await self._try_in_vain(who, thread)
            return
        chosen = await self._chosen(who, table)
        if chosen is None:
            self._linger(who, thread, moves, waited)
            return
        if moves and who.reminders and self._chance.random() < LEFT:
            self.judge.figures.count["turns left"] += 1
            self._coming.discard((who.id, thread))
            return
        game, action = chosen
        await self._order(who, table, game, action)
        if table.due(who.id) is not None and (chosen := await self._chosen(who, table)) is not None:
            await self._move(who, table, *chosen)
        self._stay(who, thread, moves + 1, 0)

    def _stay(self, who: Somebody, thread: int, moves: int, waited: int) -> None:
        span = timedelta(seconds=self._chance.uniform(8, 70))
        self._agenda.after(span, partial(self._turn, who, thread, moves, waited))

    def _linger(self, who: Somebody, thread: int, moves: int, waited: int) -> None:
        """It is not his turn: some wait a little for it to come back."""
        if moves and waited < 4 and self._chance.random() < LINGERS:
            self._stay(who, thread, moves, waited + 1)
        else:
            self._coming.discard((who.id, thread))

    async def _try_in_vain(self, who: Somebody, thread: int) -> None:
        self._house.world.answer_limit = 0.0
        told = await who.person.slash(thread, "pass")
        self._house.world.answer_limit = ANSWER_SECONDS
        assert told.failed is not None
        self.judge.figures.count["tries in vain"] += 1
        later = who.comes(self._agenda.now + timedelta(minutes=30), self._chance)
        self._agenda.at(later, partial(self._turn, who, thread))

    async def _chosen(self, who: Somebody, table: Table) -> tuple[Game, Action] | None:
        """What somebody would do now; None where it is not his turn."""
        async with self._house.client.tables.reading(table.number) as live:
            player = live.player_of(who.id)
            assert player is not None
            if player not in live.game.actors():
                return None
            assert table.game is not None
            return table.game, choose(table.game, player, table.number)

    async def _move(self, who: Somebody, table: Table, game: Game, action: Action) -> None:
        before = table.seq
        if self._kill:
            self._house.server.faults.hold_up("POST /api/v10/channels", IN_FLIGHT, times=50)
        told = await make(self._house, who.person, table, game, action, self._chance)
        if self._kill:
            await self._killed()
        await self._house.settled()
        await self._hear()
        if action not in table.made_after(before) and not self._kill:
            self.judge.faults.append(f"game {table.number}: {action} is not made: {told.text}")
        self._kill = False
        if not table.ended and self._chance.random() < UNDONE:
            self._agenda.after(timedelta(seconds=5), partial(self._undo, who, table))
        self._look_soon()

    async def _undo(self, who: Somebody, table: Table) -> None:
        if not self._runs:
            return
        told = await who.person.slash(table.thread, "undo")
        await self._house.settled()
        await self._hear()
        self.judge.figures.count["taken back" if "takes back" in told.text else "not taken back"] += 1

    async def _order(self, who: Somebody, table: Table, game: Game, action: Action) -> None:
        """Where one fits to what he does, somebody may give an order."""
        if self._chance.random() >= ORDERED:
            return
        given = order_for(game, action, self._chance)
        if given is None:
            return
        name, values = given
        told = await who.person.slash(table.thread, name, **values)
        await self._house.settled()
        await self._hear()
        assert told.failed is None
        self.judge.figures.count["orders"] += 1
        self._look_soon()

    # --- what happens to the bot ---

    def _look_soon(self) -> None:
        """The bot looks again when whoever is due now may be called."""
        self._agenda.after(timedelta(seconds=self._chance.uniform(31, 60)), self._look)

    async def _look(self) -> None:
        if self._runs:
            await self._house.look()
            await self._hear()

    async def _look_over(self) -> None:
        self._touched |= self.tables.keys()
        await self._look()
        for table in self.tables.values():
            self.judge.look_over(table, self._agenda.now)
        self._agenda.after(GRID, self._look_over)

    async def _restart(self) -> None:
        await self._house.stop()
        await self._back()

    async def _kill_soon(self) -> None:
        self._kill = True

    async def _killed(self) -> None:
        self.judge.figures.count["killed"] += 1
        await self._house.killed()
        self._house.server.faults.clear()
        await asyncio.sleep(2 * IN_FLIGHT)
        await self._back()

    async def _back(self) -> None:
        await self._house.start()
        await self._house.settled()
        await self._hear()

    async def _fail(self) -> None:
        """The bot is away, and nobody knows why."""
        await self._house.stop()
        self._runs = False
        began = self._agenda.now
        self.judge.down.append((began, began + OUTAGE))
        self._agenda.after(OUTAGE, self._recover)

    async def _recover(self) -> None:
        self._runs = True
        await self._back()
        await self._look()
        for user, threads in self._digests.items():
            for thread in threads:
                self._expect(self._people[user], thread)
        self._digests.clear()

    # --- the whole ---

    def told(self) -> dict[str, object]:
        """The figures."""
        tables, figures = self.tables.values(), self.judge.figures
        waits = sorted(figures.waits)
        return {
            "tables": len(tables),
            "games over": sum(table.ended for table in tables),
            "moves": sum(table.moves for table in tables),
            "fewest moves at a table": min(table.moves for table in tables),
            "moves that made themselves": sum(table.automatic for table in tables),
            "hand-overs": sum(table.handed for table in tables),
            "median wait": str(waits[len(waits) // 2]),
            **figures.count,
        }

    async def lasts(self, days: float, tables: int) -> None:
        """Everything that happens in so many days at so many tables."""
        everybody = list(self._people.values())
        for somebody in everybody:
            told = await somebody.person.slash(TABLE, "calls", **somebody.wishes)
            assert "You are called" in told.text
            if somebody.digest is not None:
                self._agenda.at(somebody.reads_digest(BEGINS), partial(self._read_digest, somebody))
        for number in range(tables):
            at = BEGINS + OPENED * self._chance.random()
            people = self._chance.sample(everybody, SEATS)
            self._agenda.at(at, partial(self._open, TITLES[number % len(TITLES)], people))
        whole = timedelta(days=days)
        for part, deed in ((0.3, self._restart), (0.45, self._kill_soon), (0.9, self._restart)):
            self._agenda.at(BEGINS + whole * part + self._chance.random() * GRID, deed)
        self._agenda.at(BEGINS + whole * 0.55, self._fail)
        self._agenda.after(GRID, self._look_over)
        await self._agenda.run(BEGINS + whole)
