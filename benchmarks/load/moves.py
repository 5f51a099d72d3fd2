"""Benchmark of moves at a steady rate in many games: times until answer, turn message and board, and bot costs."""

import asyncio
import re
import time
from dataclasses import dataclass, field

from benchmarks.load.bots import Cost
from benchmarks.load.club import Club, Table
from bot.client.features.moves import ConfirmButton
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.guild.world import Change
from bot.sandbox.model import Message
from engine.core.actions import Action

POSTED = ("message_create", "message_update")
"""Kinds of changes that may bring the next buttons: a new or an edited message."""


@dataclass
class Load:
    """Seconds from each press to its answer, to the next turn message, and to the board."""

    answers: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)
    boards: list[float] = field(default_factory=list)
    costs: list[Cost] = field(default_factory=list)
    """Usage of each bot process."""
    people: float = 0.0
    """Processor seconds of this process, which runs the sandbox server and the users."""
    skipped: int = 0
    """Number of moves skipped because the recorded game was over."""
    unanswered: int = 0

    @property
    def moves(self) -> int:
        """Number of moves made."""
        return len(self.turns)


@dataclass
class Watch:
    """Measures the times from presses to turn messages and boards, by thread."""

    load: Load = field(default_factory=Load)
    turn_due: dict[int, float] = field(default_factory=dict)
    board_due: dict[int, float] = field(default_factory=dict)

    def note(self, change: Change) -> None:
        """Record the time of a posted or edited message."""
        if change.kind == "answered" and change.interaction is not None:
            self.load.answers.append(time.monotonic() - change.interaction.opened_at)
        message = change.message
        if message is None or message.ephemeral:
            return
        now, place = time.perf_counter(), message.channel_id
        if change.kind in POSTED and message.buttons and place in self.turn_due:
            self.load.turns.append(now - self.turn_due.pop(place))
        elif change.kind == "message_update" and message.embeds and place in self.board_due:
            self.load.boards.append(now - self.board_due.pop(place))


async def measure_moves(club: Club, rate: float, seconds: float) -> Load:
    """Make recorded moves for some seconds, going from game to game; `rate` is in moves per second."""
    watch = Watch()
    load = watch.load
    stop = club.server.world.listen(watch.note)
    for bot in club.bots:
        await bot.cost()
    own = time.process_time()
    began, jobs = time.perf_counter(), []
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
        jobs.append(asyncio.create_task(_move(club, club.tables[number % len(club.tables)], watch)))
    await asyncio.gather(*jobs)
    await club.wait_until_posted()
    load.people = time.process_time() - own
    load.costs = [await bot.cost() for bot in club.bots]
    stop()
    return load


async def _move(club: Club, table: Table, watch: Watch) -> None:
    turn = club.turn_message(table)
    action = None if turn is None else table.next_action(turn)
    if turn is None or action is None:
        watch.load.skipped += 1
        return
    watch.turn_due[table.thread] = watch.board_due[table.thread] = time.perf_counter()
    watch.load.unanswered += (await make_confirmed(club, table, turn, action)).failure_text is not None


async def make_confirmed(club: Club, table: Table, turn: Message, action: Action) -> InteractionResult:
    """Make a move, and confirm it if asked; returns the first answer."""
    result = await club.make(table, turn, action)
    for message in result.ephemeral:
        for button in message.buttons:
            if re.fullmatch(ConfirmButton.id_pattern, button.custom_id or ""):
                await club.person(table.people[action.actor]).press(message, button.custom_id or "")
    return result
