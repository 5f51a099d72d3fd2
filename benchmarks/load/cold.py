"""Cold starts with many games: until connected, and until first answers."""

import random
import time
from dataclasses import dataclass

from benchmarks.load.club import Club
from bot.tools.showcase import SANDBOX_TABLE


@dataclass
class ColdStart:
    """Seconds of a start, and of first questions in games."""

    start: float
    questions: list[float]
    unanswered: int


async def measure_cold(club: Club, questions: int, chance: random.Random) -> ColdStart:
    """Restart the bot, and ask first questions in some games."""
    await club.stop()
    start = await club.start()
    ann = club.person(SANDBOX_TABLE.people[0][0])
    taken = []
    for table in chance.sample(club.tables, questions):
        began = time.perf_counter()
        result = await ann.slash(table.thread, "status")
        if result.failed is None:
            taken.append(time.perf_counter() - began)
    return ColdStart(start, taken, questions - len(taken))
