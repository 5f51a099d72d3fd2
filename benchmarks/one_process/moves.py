"""Moves at many tables at a steady rate: how long answers, turn messages and boards take, and the longest stall."""

import asyncio
import random
import time
from dataclasses import dataclass, field

from benchmarks.one_process.club import Club, Table
from bot.sandbox.guild.world import Change

TICK = 0.005
"""Seconds between two looks at whether the event loop still runs."""
POSTED = ("message_create", "message_update")
"""How the next buttons come: in a new message, or in one that is edited."""


@dataclass
class Load:
    """What was measured, in seconds: from a press to its answer, to the next turn message, to the board."""

    answers: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)
    boards: list[float] = field(default_factory=list)
    stall: float = 0.0
    skipped: int = 0
    """Presses that were due at a table where no single button moves."""


@dataclass
class _Watch:
    """When a press was made at each table, until turn and board have followed."""

    load: Load
    turn_due: dict[int, float] = field(default_factory=dict)
    board_due: dict[int, float] = field(default_factory=dict)

    def note(self, change: Change) -> None:
        """Something was posted or edited."""
        if change.kind == "answered" and change.interaction is not None:
            self.load.answers.append(time.monotonic() - change.interaction.opened)
        message = change.message
        if message is None or message.ephemeral:
            return
        now, place = time.perf_counter(), message.channel_id
        if change.kind in POSTED and message.buttons and place in self.turn_due:
            self.load.turns.append(now - self.turn_due.pop(place))
        elif change.kind == "message_update" and message.embeds and place in self.board_due:
            self.load.boards.append(now - self.board_due.pop(place))


async def measure_moves(club: Club, rate: float, seconds: float, chance: random.Random) -> Load:
    """Press at `rate` tables a second, each table in turn, for some seconds."""
    load = Load()
    watch = _Watch(load)
    stop = club.server.world.listen(watch.note)
    ticking = asyncio.create_task(_tick(load))
    began, jobs = time.perf_counter(), []
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
        table = club.tables[number % len(club.tables)]
        jobs.append(asyncio.create_task(_press(club, table, watch, chance)))
    await asyncio.gather(*jobs)
    await club.settled()
    ticking.cancel()
    stop()
    return load


async def _press(club: Club, table: Table, watch: _Watch, chance: random.Random) -> None:
    found = await club.move(table, chance)
    if found is None:
        watch.load.skipped += 1
        return
    person, turn, button = found
    began = time.perf_counter()
    watch.turn_due[table.thread_id] = watch.board_due[table.thread_id] = began
    result = await person.press(turn, button.custom_id or "")
    if result.ephemeral and result.ephemeral[0].buttons:
        # "Really?": nothing has moved yet.
        watch.turn_due.pop(table.thread_id, None)
        watch.board_due.pop(table.thread_id, None)


async def _tick(load: Load) -> None:
    while True:
        before = time.perf_counter()
        await asyncio.sleep(TICK)
        load.stall = max(load.stall, time.perf_counter() - before - TICK)
