"""A start with many running games: until connected, and until the first question in a game is answered."""

import random
import time
from dataclasses import dataclass

from benchmarks.load.club import Club
from bot.tools.showcase import PLACE


@dataclass
class Cold:
    """Measured seconds; `questions` are those in games nobody has asked about yet."""

    start: float
    questions: list[float]
    unanswered: int


async def measure_cold(club: Club, questions: int, chance: random.Random) -> Cold:
    """Stop the bot, start it again, and ask in some games for the first time."""
    await club.stop()
    start = await club.start()
    ann = club.person(PLACE.people[0][0])
    taken = []
    for table in chance.sample(club.tables, questions):
        began = time.perf_counter()
        result = await ann.slash(table.thread, "status")
        if result.failed is None:
            taken.append(time.perf_counter() - began)
    return Cold(start, taken, questions - len(taken))
