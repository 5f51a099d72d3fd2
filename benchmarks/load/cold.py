"""A start with many running games: until connected, and until the first question in a game is answered."""

import random
import time
from dataclasses import dataclass

from benchmarks.load.club import PLACE, Club
from bot.sandbox.people import Person


@dataclass
class Cold:
    """What was measured, in seconds; `questions` are those in games nobody has asked about yet."""

    start: float
    questions: list[float]


async def measure_cold(club: Club, questions: int, chance: random.Random) -> Cold:
    """Stop the bot, start it again, and ask in some games for the first time."""
    await club.stop()
    start = await club.start()
    world = club.server.world
    ann = Person(world, world.users[PLACE.people[0][0]])
    taken = []
    for table in chance.sample(club.tables, questions):
        began = time.perf_counter()
        result = await ann.slash(table.thread_id, "status")
        assert result.failed is None, result.failed
        taken.append(time.perf_counter() - began)
    return Cold(start, taken)
