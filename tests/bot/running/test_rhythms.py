"""How often each watch looks, and what it looks at."""

import inspect
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.app import Stationmaster
from bot.client.history_writer import Chronicling
from bot.client.requests.retry_loop import HOUR, MINUTE
from bot.table.rate_limits import RateLimiter
from storage.positions import EVERY
from tests.bot.support.tables import Bench


@pytest.mark.parametrize(
    ("part", "module", "pause"),
    [
        ("due", "pings.expirations", MINUTE),
        ("expiry", "pings.expirations", HOUR),
        ("deadlines", "pings.deadline_loop", MINUTE),
        ("caretakers", "pings.caretakers", MINUTE),
        ("departures", "guild_removals", HOUR),
    ],
)
async def test_a_watch_looks_again_and_again_in_its_rhythm(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, part: str, module: str, pause: float
) -> None:
    looked: list[tuple[object, float]] = []

    async def keep_looking(what: str, look: Any, seconds: float, *_: object) -> None:
        assert what
        assert inspect.iscoroutinefunction(look)
        looked.append((look, seconds))

    monkeypatch.setattr(f"bot.client.{module}.keep_looking", keep_looking)
    watch: Any = getattr(Stationmaster(bench.db, pace=RateLimiter(1.0)), part)
    await watch.watch()
    assert looked == [(watch.look, pause)]


async def test_the_history_of_a_game_is_written_once_for_each_stored_position() -> None:
    """One piece of work at a time for each game; of games that are not in memory nothing is written."""
    live: Any = SimpleNamespace(counting=[], row=SimpleNamespace(guild_id=1))
    tables: Any = SimpleNamespace(cached=lambda number: live if number == 5 else None)
    jobs: list[Coroutine[Any, Any, None]] = []
    history = Chronicling(tables, jobs.append)
    history.wake(6)
    states = [history.is_writing]
    for length in (1, EVERY - 1, EVERY, 2 * EVERY):
        live.counting = [None] * length
        history.wake(5)
    states.append(history.is_writing)
    assert (len(jobs), states) == (1, [False, True]), "the first is under way still"
    history._under_way.clear()
    history.wake(5)
    history._under_way.clear()
    live.counting = [None] * (2 * EVERY + 1)
    history.wake(5)
    assert len(jobs) == 2, "nothing has been added since"
    for job in jobs:
        job.close()
