"""Benchmark of a bot's restart with many games: until it is connected, and until its first answers."""

import random
import time
from dataclasses import dataclass

from benchmarks.load.club import Club
from bot.tools.showcase import SANDBOX_TABLE


@dataclass
class ColdStart:
    """Seconds that a restart took, and seconds until the first answer in each of some games."""

    start: float
    questions: list[float]
    unanswered: int


async def measure_cold(club: Club, questions: int, chance: random.Random) -> ColdStart:
    """Restart the bot, and ask a first question in this many random games."""
    await club.stop()
    start = await club.start()
    ann = club.person(SANDBOX_TABLE.people[0][0])
    taken = []
    for table in chance.sample(club.tables, questions):
        began = time.perf_counter()
        result = await ann.slash(table.thread, "status")
        if result.failure_text is None:
            taken.append(time.perf_counter() - began)
    return ColdStart(start, taken, questions - len(taken))
