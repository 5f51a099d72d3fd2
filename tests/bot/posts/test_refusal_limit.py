"""Refused requests: in no second are there more than a few, whatever Discord answers and no matter who asks."""

import asyncio
import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest

from bot.client.requests.request_limits import (
    INVALID_SECONDS,
    KEPT,
    MOST_INVALID,
    InvalidRequestBudget,
    of_share,
)
from storage import WHOLE, ShardSet
from tests.support.manual_timer import ManualTimer


class Service:
    """Answers each request after a while, or refuses it, and notes when."""

    def __init__(self, most: int = MOST_INVALID) -> None:
        self.timer = ManualTimer()
        self.limit = InvalidRequestBudget(most, lambda: self.timer)
        self.refused: list[float] = []
        self.under_way: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    def asked(self, name: str, seconds: float, *, refuses: bool, answer: bool = False) -> None:
        """Somebody sends a request that is answered after this many seconds."""
        self.tasks.append(asyncio.create_task(self._ask(name, seconds, refuses, answer)))

    async def _ask(self, name: str, seconds: float, refuses: bool, answer: bool) -> None:
        await self.limit.enter(answer=answer)
        self.under_way.append(name)
        answered = asyncio.Event()
        self.timer.call_later(seconds, answered.set)
        await answered.wait()
        self.under_way.remove(name)
        self.refused += [self.timer.now] if refuses else []
        self.limit.leave(answer=answer, refused=refuses)

    async def passes(self, seconds: float) -> None:
        """Seconds pass; whenever something was due, all that can happen happens."""
        await self.timer.lets_tasks_work(seconds, rounds=6)


def most_in_a_second(times: Sequence[float]) -> int:
    """The largest number of these within any second."""
    return max((sum(first <= at < first + INVALID_SECONDS for at in times) for first in times), default=0)


@pytest.mark.parametrize("seed", range(5))
async def test_in_no_second_more_are_refused_than_the_limit_says(seed: int) -> None:
    """Whatever part is refused, however long each takes, and however many ask at once."""
    chance, service = random.Random(seed), Service()
    part = chance.random()
    for number in range(300):
        refuses, answer = chance.random() < part, chance.random() < 0.2
        service.asked(str(number), chance.choice((0.0, 0.1, 0.5, 3.0)), refuses=refuses, answer=answer)
    await service.passes(150)
    assert all(task.done() for task in service.tasks)
    assert len(service.refused) > 10
    assert most_in_a_second(service.refused) <= MOST_INVALID


@pytest.mark.parametrize("processes", [1, 2, 3, 4])
async def test_processes_on_one_address_share_what_may_be_refused(processes: int) -> None:
    services = [Service(of_share(ShardSet((number,), processes))) for number in range(processes)]
    for service in services:
        for number in range(100):
            service.asked(str(number), 0.0, refuses=True, answer=number % 3 == 0)
        await service.passes(5)
    refused = [at for service in services for at in service.refused]
    assert refused
    assert most_in_a_second(refused) <= MOST_INVALID
    for task in (task for service in services for task in service.tasks):
        task.cancel()


def test_who_takes_over_all_servers_has_the_whole_limit() -> None:
    assert of_share(ShardSet((0, 1), 2)) == of_share(WHOLE) == MOST_INVALID


async def test_who_is_refused_waits_and_continues_a_second_later() -> None:
    service = Service()
    for number in range(3 * MOST_INVALID):
        service.asked(str(number), 0.0, refuses=True)
    await service.passes(10)
    assert len(service.refused) == 3 * MOST_INVALID
    ordered = [
        service.refused[number : number + MOST_INVALID - KEPT] for number in range(0, 3 * MOST_INVALID, 7)
    ]
    assert all(later[0] - sooner[0] >= INVALID_SECONDS for sooner, later in pairwise(ordered))


async def test_what_is_answered_well_waits_for_nothing_but_those_under_way() -> None:
    service = Service()
    for number in range(100):
        service.asked(str(number), 0.1, refuses=False)
    await service.passes(3)
    assert all(task.done() for task in service.tasks)


@pytest.mark.parametrize("answer", [True, False])
async def test_what_is_refused_of_one_kind_keeps_the_other_from_nothing(answer: bool) -> None:
    """In an outage people press: the probe is sent all the same, and so are answers when posts are refused."""
    service = Service()
    for number in range(300):
        service.asked(str(number), 0.0, refuses=True, answer=answer)
    await service.passes(5.5)
    service.asked("other", 0.5, refuses=False, answer=not answer)
    await service.passes(0.1)
    assert service.under_way == ["other"]
    for task in service.tasks:
        task.cancel()


async def test_answers_to_people_have_room_of_their_own_and_go_first() -> None:
    service = Service()
    for number in range(100):
        service.asked(str(number), 1.0, refuses=False)
    await service.passes(0.1)
    assert len(service.under_way) == MOST_INVALID - KEPT
    for name in "abc":
        service.asked(name, 1.0, refuses=False, answer=True)
    await service.passes(0.1)
    assert service.under_way[-KEPT:] == ["a", "b"]
    await service.passes(0.9)
    assert "c" in service.under_way
    for task in service.tasks:
        task.cancel()


async def test_who_gives_up_waiting_takes_nobodys_room() -> None:
    service = Service()
    for number in range(2 * MOST_INVALID):
        service.asked(str(number), 1.0, refuses=False)
    await service.passes(0.1)
    for task in service.tasks[MOST_INVALID:]:
        task.cancel()
    await service.passes(3)
    service.asked("last", 1.0, refuses=False)
    await service.passes(0.1)
    assert service.under_way == ["last"]


class Looks(ManualTimer):
    """A timer that notes after how many seconds each look is to come."""

    def __init__(self) -> None:
        super().__init__()
        self.delays: list[float] = []

    def call_later(self, delay: float, callback: Callable[..., object], /, *args: Any) -> None:
        """Note it, and run this then."""
        self.delays.append(delay)
        super().call_later(delay, callback, *args)


async def test_however_many_wait_one_look_comes_when_the_second_is_over() -> None:
    timer = Looks()
    limit = InvalidRequestBudget(2, lambda: timer)
    await limit.enter(answer=False)
    limit.leave(answer=False, refused=True)
    waiting = [asyncio.create_task(limit.enter(answer=False)) for _ in range(5)]
    await asyncio.sleep(0)
    [delay] = timer.delays
    assert delay > INVALID_SECONDS
    timer.passes(delay)
    await asyncio.sleep(0)
    assert [one.done() for one in waiting] == [True, False, False, False, False]
    for one in waiting:
        one.cancel()


async def test_what_was_refused_a_second_ago_counts_no_more() -> None:
    timer = ManualTimer()
    limit = InvalidRequestBudget(2, lambda: timer)
    await limit.enter(answer=False)
    limit.leave(answer=False, refused=True)
    timer.passes(INVALID_SECONDS)
    await asyncio.wait_for(limit.enter(answer=False), 1)
