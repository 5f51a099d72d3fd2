"""Moves, undos, pauses, restarts and looks in any order: each change of turn pings its player once."""

import random
from collections import Counter
from contextlib import suppress
from datetime import timedelta

import pytest

from bot.table.errors import Refused
from bot.table.pings import PING_DELAY, pings_of_turn, send_due_pings
from bot.table.votes.pauses import begin_pause, end_pause
from engine.core.errors import IllegalAction
from storage import pings
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.bot.support.waiting import MONDAY

PEOPLE = {"p1": ANN, "p2": BOB, "p3": CY}
STEPS = 60
THINGS = ("move", "move", "move", "undo", "pause", "resume", "resume", "look", "post", "restart")


class Doorbell:
    """A table whose turn messages are posted at once, or some time later."""

    def __init__(self, service: TableService) -> None:
        self.service, self.game, self.now = service, 0, MONDAY
        self.pending: Counter[tuple[str, str]] = Counter()
        self.start()

    def start(self) -> None:
        """Start the program again: nothing is known but what is stored."""
        self.service = TableService.on(self.service.db)
        self.service.tables.clock = lambda: self.now.isoformat(timespec="milliseconds")

    async def post(self) -> None:
        """Post the turn message."""
        async with self.service.tables.reading(self.game) as live:
            stored = await pings.notifications_of_game(self.service.db, self.game)
            pending = await pings_of_turn(self.service.tables, live, stored)
            notifications = {
                notification.player_id: notification
                for notification in (await pings.notifications_of_game(self.service.db, self.game))[0]
            }
            for one in pending.now:
                assert one.player_id in live.game.actors()
                assert one.user_id == PEOPLE[one.player_id]
                assert live.move_obstacle(self.service.tables.clock()) is None
                self.pending[one.player_id, notifications[one.player_id].since] += 1
        await pings.mark_pinged(self.service.db, self.game, pending.now)

    async def happens(self, what: str, who: int) -> None:
        """One thing happens, if it is possible."""
        with suppress(Refused, IllegalAction):
            if what == "move":
                await self.service.do(self.game, who, "pass")
            elif what == "undo":
                await self.service.undo(self.game, who, None)
            elif what == "pause":
                await begin_pause(self.service.tables, self.game, who, None)
            elif what == "resume":
                await end_pause(self.service.tables, self.game, who)
            elif what == "look":
                await send_due_pings(self.service.tables)
            elif what == "post":
                await self.post()
            else:
                self.start()


@pytest.mark.parametrize("seed", range(8))
async def test_each_hand_over_pings_its_person_once(service: TableService, seed: int) -> None:
    chance, door = random.Random(seed), Doorbell(service)
    door.game = await door.service.game()
    for _ in range(STEPS):
        door.now += timedelta(seconds=chance.choice((1, 10, 40)))
        await door.happens(chance.choice(THINGS), chance.choice((ANN, BOB, CY)))
    await door.happens("resume", ANN)
    door.now += timedelta(seconds=1)
    await door.service.pass_on(door.game)
    door.now += PING_DELAY
    for what in ("look", "post", "restart", "look", "post"):
        await door.happens(what, ANN)
    assert set(door.pending.values()) == {1}
    (notification,) = (await pings.notifications_of_game(service.db, door.game))[0]
    assert door.pending[notification.player_id, notification.since] == 1
