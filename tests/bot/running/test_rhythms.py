"""How often each watch looks, and what it looks at."""

from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any

from bot.client.background import Chronicling
from storage import positions


async def test_the_history_of_a_game_is_written_once_for_each_stored_position() -> None:
    """One piece of work at a time for each game; of games that are not in memory nothing is written."""
    live: Any = SimpleNamespace(counting=[], row=SimpleNamespace(guild_id=1))
    tables: Any = SimpleNamespace(cached=lambda number: live if number == 5 else None)
    jobs: list[Coroutine[Any, Any, None]] = []
    history = Chronicling(tables, jobs.append)
    history.wake(6)
    states = [history.is_writing]
    for length in (1, positions.EVERY - 1, positions.EVERY, 2 * positions.EVERY):
        live.counting = [None] * length
        history.wake(5)
    states.append(history.is_writing)
    assert (len(jobs), states) == (1, [False, True]), "the first is under way still"
    history._under_way.clear()
    history.wake(5)
    history._under_way.clear()
    live.counting = [None] * (2 * positions.EVERY + 1)
    history.wake(5)
    assert len(jobs) == 2, "nothing has been added since"
    for job in jobs:
        job.close()
