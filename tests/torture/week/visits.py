"""Visits of people at a table: they come, move while it is their turn, and go again."""

import asyncio
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot.client.features.pings import ping_due_users
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.message_limits import ANSWER_SECONDS
from engine.caretaker import choose_move
from engine.core.actions import Action
from tests.torture.week.crowd import Somebody
from tests.torture.week.hearing import Hearing
from tests.torture.week.ledger import Table
from tests.torture.week.moving import make
from tests.torture.week.orders import order_for
from tests.torture.week.scene import Scene

UNDONE, LEFT, ORDERED, LINGERS = 0.02, 0.01, 0.25, 0.4
LONGEST: Final = 4
"""This many times somebody looks whether it is their turn again."""
RACES: Final = 0.1


class Visits:
    """Everybody's visits to all tables; each move is what the caretaker would do."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._hearing = Hearing(scene, self.comes)
        self._coming: set[tuple[int, int]] = set()

    @property
    def hearing(self) -> Hearing:
        return self._hearing

    def comes(self, who: Somebody, thread: int, called: datetime) -> None:
        """Somebody was pinged to a table, and comes in their own time, unless they are about to come anyway."""
        if (who.id, thread) not in self._coming:
            self._coming.add((who.id, thread))
            self._scene.agenda.at(who.comes(called, self._scene.chance), partial(self._turn, who, thread))

    async def _turn(self, who: Somebody, thread: int, moves: int = 0, waited: int = 0) -> None:
        """Somebody is at a table: moves if it is their turn, and stays or goes."""
        scene, table = self._scene, self._scene.tables[thread]
        if not scene.runs:
            await self._try_in_vain(who, thread)
        elif (action := self._chosen(who, table)) is None:
            if moves and waited < LONGEST and scene.chance.random() < LINGERS:
                self._stay(who, thread, moves, waited + 1)
            else:
                self._coming.discard((who.id, thread))
        elif moves and who.reminders and scene.chance.random() < LEFT:
            self._coming.discard((who.id, thread))
        else:
            await self._order(who, table, action)
            if (wanted := self._chosen(who, table)) is not None:
                await self._move(who, table, wanted)
            self._stay(who, thread, moves + 1, 0)

    def _stay(self, who: Somebody, thread: int, moves: int, waited: int) -> None:
        span = timedelta(seconds=self._scene.chance.uniform(8, 70))
        self._scene.agenda.after(span, partial(self._turn, who, thread, moves, waited))

    async def _try_in_vain(self, who: Somebody, thread: int) -> None:
        scene = self._scene
        scene.sandbox.world.answer_seconds = 0.0
        answer = await who.person.slash(thread, "pass")
        scene.sandbox.world.answer_seconds = ANSWER_SECONDS
        assert answer.failure_text is not None
        later = who.comes(scene.agenda.now + timedelta(minutes=30), scene.chance)
        scene.agenda.at(later, partial(self._turn, who, thread))

    def _chosen(self, who: Somebody, table: Table) -> Action | None:
        player = next((player for player, duty in table.duties.items() if duty.user == who.id), None)
        if player is None or table.game is None:
            return None
        return choose_move(table.game, player, table.number)

    async def _move(self, who: Somebody, table: Table, action: Action) -> None:
        scene, before = self._scene, table.seq
        answer = await self._made(who, table, action)
        await scene.sandbox.settled()
        await self._hearing.hear()
        if action not in table.made_after(before):
            scene.judge.faults.append(f"game {table.number}: {action} is not made: {answer.text}")
        if not table.ended and scene.chance.random() < UNDONE:
            scene.agenda.after(timedelta(seconds=5), partial(self._undo, who, table))
        self._hearing.look_soon()

    async def _made(self, who: Somebody, table: Table, action: Action) -> InteractionResult:
        """Make a move; sometimes the bot pings people at the same moment, or is killed."""
        scene, made = self._scene, make(self._scene.sandbox, who.person, table, action, self._scene.chance)
        if scene.doomed:
            scene.doomed = False
            scene.sandbox.slow_down()
            answer = await made
            await scene.sandbox.die()
        elif scene.chance.random() < RACES:
            self._hearing.remember()
            answer, _ = await asyncio.gather(made, ping_due_users(scene.sandbox.client))
        else:
            answer = await made
        return answer

    async def _undo(self, who: Somebody, table: Table) -> None:
        if not self._scene.runs:
            return
        await who.person.slash(table.thread, "undo")
        await self._scene.sandbox.settled()
        await self._hearing.hear()
        self._hearing.look_soon()

    async def _order(self, who: Somebody, table: Table, action: Action) -> None:
        """Somebody may give an order that fits what they are about to do."""
        assert table.game is not None
        given = order_for(table.game, action, self._scene.chance)
        if given is None or self._scene.chance.random() >= ORDERED:
            return
        name, values = given
        answer = await who.person.slash(table.thread, name, **values)
        await self._scene.sandbox.settled()
        await self._hearing.hear()
        assert answer.failure_text is None
        self._hearing.look_soon()
