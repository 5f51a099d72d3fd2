"""Requests to Discord: few are refused in a second, and in an outage few are sent."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import BaseTestServer, TestServer
from yarl import URL

from bot.client.requests.invalid_requests import (
    INVALID_REQUEST_SECONDS,
    MAX_INVALID_REQUESTS,
    MIN_BLOCK_SECONDS,
    DiscordUnavailable,
    InvalidRequestBudget,
    RequestGuard,
    request_budget_for_shards,
)
from bot.table.outbox.circuit_breaker import (
    FAILURES_TO_OPEN,
    FIRST_PAUSE_SECONDS,
    MIN_FAILING_SECONDS,
    CircuitBreaker,
)
from storage import ALL_SHARDS, ShardSet
from tests.support.manual_timer import ManualTimer

# --- the budget ------------------------------------------------------------------------------------------------------


class Service:
    """Answers each request after a while, or refuses it, and notes when."""

    def __init__(self, most: int = MAX_INVALID_REQUESTS) -> None:
        self.timer = ManualTimer()
        self.budget = InvalidRequestBudget(most, lambda: self.timer)
        self.refused: list[float] = []
        self.under_way: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    def asked(self, name: str, seconds: float, *, refuses: bool, answer: bool = False) -> None:
        """Somebody sends a request that is answered after this many seconds."""
        self.tasks.append(asyncio.create_task(self._ask(name, seconds, refuses, answer)))

    async def _ask(self, name: str, seconds: float, refuses: bool, answer: bool) -> None:
        await self.budget.begin_request(is_answer=answer)
        self.under_way.append(name)
        answered = asyncio.Event()
        self.timer.call_later(seconds, answered.set)
        await answered.wait()
        self.under_way.remove(name)
        self.refused += [self.timer.now] if refuses else []
        self.budget.end_request(is_answer=answer, was_refused=refuses)

    async def passes(self, seconds: float) -> None:
        """Seconds pass; whenever something was due, all that can happen happens."""
        await self.timer.lets_tasks_work(seconds, rounds=6)


def most_in_a_second(times: Sequence[float]) -> int:
    """The largest number of these within any second."""
    return max(
        (sum(first <= at < first + INVALID_REQUEST_SECONDS for at in times) for first in times), default=0
    )


@pytest.mark.parametrize("seed", range(3))
async def test_budget_holds_in_every_second(seed: int) -> None:
    """Whatever part is refused, however long each takes, and however many ask at once."""
    chance, service = random.Random(seed), Service()
    part = chance.random()
    for number in range(300):
        refuses, answer = chance.random() < part, chance.random() < 0.2
        service.asked(str(number), chance.choice((0.0, 0.1, 0.5, 3.0)), refuses=refuses, answer=answer)
    await service.passes(150)
    assert all(task.done() for task in service.tasks)
    assert len(service.refused) > 10
    assert most_in_a_second(service.refused) <= MAX_INVALID_REQUESTS


@pytest.mark.parametrize("processes", [1, 3])
async def test_processes_share_the_budget(processes: int) -> None:
    assert (
        request_budget_for_shards(ShardSet((0, 1), 2))
        == request_budget_for_shards(ALL_SHARDS)
        == MAX_INVALID_REQUESTS
    )
    services = [
        Service(request_budget_for_shards(ShardSet((number,), processes))) for number in range(processes)
    ]
    for service in services:
        for number in range(100):
            service.asked(str(number), 0.0, refuses=True, answer=number % 3 == 0)
        await service.passes(5)
    refused = [at for service in services for at in service.refused]
    assert refused
    assert most_in_a_second(refused) <= MAX_INVALID_REQUESTS
    for task in (task for service in services for task in service.tasks):
        task.cancel()


@pytest.mark.parametrize("answer", [True, False])
async def test_one_kind_leaves_room_for_the_other(answer: bool) -> None:
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


async def test_cancelled_request_takes_no_room() -> None:
    service = Service()
    for number in range(2 * MAX_INVALID_REQUESTS):
        service.asked(str(number), 1.0, refuses=False)
    await service.passes(0.1)
    for task in service.tasks[MAX_INVALID_REQUESTS:]:
        task.cancel()
    await service.passes(3)
    service.asked("last", 1.0, refuses=False)
    await service.passes(0.1)
    assert service.under_way == ["last"]


# --- the guard -------------------------------------------------------------------------------------------------------

POST, READ = "/api/v10/channels/9/messages", "/api/v10/users/@me"
FIRST = "/api/v10/interactions/1/token/callback"
ANSWER, GATEWAY = "/api/v10/webhooks/1/token/messages", "/api/v10/gateway/bot"


class Discord:
    """A server that answers as a test wants it, and a session whose requests pass the guard."""

    def __init__(self) -> None:
        self.timer = ManualTimer()
        self.breaker = CircuitBreaker(lambda: self.timer, random_between=lambda low, high: high)
        self.guard = RequestGuard(self.breaker, InvalidRequestBudget(2, lambda: self.timer))
        self.status, self.headers, self.kind = 200, {"Via": "1.1 google"}, "application/json"
        self.answers = asyncio.Event()
        self.answers.set()
        self.served: list[str] = []
        self.root: URL
        self.server: BaseTestServer
        self.session: aiohttp.ClientSession

    async def serve(self, request: web.Request) -> web.Response:
        self.served.append(request.path)
        await self.answers.wait()
        headers = {**self.headers, "Content-Type": self.kind}
        return web.Response(status=self.status, headers=headers, body=b"{}")

    async def sends(self, path: str = POST) -> int:
        """Send a request; the status it is answered with."""
        method = "GET" if path in (READ, GATEWAY) else "POST"
        async with self.session.request(method, self.root.join(URL(path))) as response:
            return response.status

    async def fails(self, path: str = POST, times: int = FAILURES_TO_OPEN) -> None:
        """Requests fail, one a second."""
        for _ in range(times):
            with pytest.raises(aiohttp.ClientError):
                await self.sends(path)
            self.timer.passes(MIN_FAILING_SECONDS)

    async def waits(self, request: "asyncio.Task[int]") -> bool:
        """True if a request is not sent yet."""
        done, _ = await asyncio.wait({request}, timeout=0.05)
        return not done


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    found, app = Discord(), web.Application()
    app.router.add_route("*", "/{path:.*}", found.serve)
    async with (
        TestServer(app) as found.server,
        aiohttp.ClientSession(trace_configs=[found.guard.trace_config()]) as found.session,
    ):
        found.root = found.server.make_url("/")
        yield found
        found.answers.set()


async def outage(discord: Discord, status: int = 503) -> None:
    """Discord fails, and the bot has noticed it."""
    before, discord.status = discord.status, status
    for _ in range(FAILURES_TO_OPEN):
        discord.timer.passes(MIN_FAILING_SECONDS)
        await discord.sends()
    assert discord.breaker.is_open
    discord.timer.passes(INVALID_REQUEST_SECONDS)
    discord.status = before
    discord.served.clear()


@pytest.mark.parametrize(
    ("status", "refused"), [(200, False), (401, True), (403, True), (404, False), (500, True), (499, False)]
)
async def test_refused_answer_takes_a_place(discord: Discord, status: int, refused: bool) -> None:
    discord.status = status
    await discord.sends()
    second = asyncio.create_task(discord.sends())
    assert await discord.waits(second) == refused
    discord.timer.passes(INVALID_REQUEST_SECONDS)
    await second


@pytest.mark.parametrize("status", [503, 429, 401])
async def test_answers_that_say_nothing_are_an_outage(discord: Discord, status: int) -> None:
    await outage(discord, status)
    assert discord.breaker.outage is not None
    assert (discord.breaker.outage.kind, discord.breaker.outage.detail) == (
        "refuses",
        f"it answers {status}",
    )


@pytest.mark.parametrize(("statuses", "path"), [((403, 404, 400), POST), ((503, 503, 503), ANSWER)])
async def test_refused_posts_and_answers_are_no_outage(
    discord: Discord, statuses: tuple[int, ...], path: str
) -> None:
    """A missing permission, or a thread that is gone."""
    for discord.status in statuses * FAILURES_TO_OPEN:
        await discord.sends(path)
        discord.timer.passes(MIN_FAILING_SECONDS)
    assert not discord.breaker.is_open


async def test_unreachable_server_is_an_outage(discord: Discord) -> None:
    discord.root = discord.root.with_port(1)
    await discord.fails()
    assert discord.breaker.outage is not None
    assert discord.breaker.outage.kind == "unreachable"


async def test_silent_server_is_an_outage(discord: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    # aiohttp waits by the clock of the loop.
    monkeypatch.setattr("bot.client.requests.invalid_requests.PROBE_TIMEOUT_SECONDS", 0.01)
    discord.answers.clear()
    tasks = []
    while not discord.breaker.is_open:
        tasks.append(asyncio.create_task(discord.sends()))
        await asyncio.sleep(0.02)
        discord.timer.passes(MIN_FAILING_SECONDS)
    discord.answers.set()
    assert {await task for task in tasks[:FAILURES_TO_OPEN]} == {200}
    assert not discord.breaker.is_open, "once it answers it is over"


async def test_cancelled_request_is_no_failure(discord: Discord) -> None:
    discord.answers.clear()
    for _ in range(FAILURES_TO_OPEN):
        request = asyncio.create_task(discord.sends())
        await discord.waits(request)
        request.cancel()
        await asyncio.wait({request})
        discord.timer.now += MIN_FAILING_SECONDS
    discord.answers.set()
    assert await discord.sends() == 200, "and takes no place"
    assert not discord.breaker.is_open


async def test_outage_lets_answers_and_gateway_through(discord: Discord) -> None:
    await outage(discord)
    await discord.fails(times=1)
    assert discord.served == []
    assert [await discord.sends(path) for path in (ANSWER, GATEWAY, "/attachments/1/map.png")] == [200] * 3
    assert discord.breaker.is_open, "answers to people say nothing of posts"


async def test_probe_that_is_answered_ends_the_outage(discord: Discord) -> None:
    await outage(discord)
    discord.timer.passes(FIRST_PAUSE_SECONDS)
    assert await discord.sends(READ) == 200
    assert discord.breaker.is_open, "a read says nothing of posts"
    assert await discord.sends() == 200
    assert not discord.breaker.is_open


async def test_waiting_request_is_not_sent_in_an_outage(discord: Discord) -> None:
    discord.status = 500
    await discord.sends()
    waiting = asyncio.create_task(discord.sends())
    assert await discord.waits(waiting)
    discord.breaker.record_block("Discord blocks this address", 60)
    discord.timer.passes(INVALID_REQUEST_SECONDS)
    with pytest.raises(DiscordUnavailable):
        await waiting
    assert len(discord.served) == 1


async def test_late_answer_is_not_sent(discord: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for its place for a while. discord.py would try a first one five times; Discord takes it for three
    seconds.
    """
    for name in ("ANSWER_WAIT_SECONDS", "FIRST_ANSWER_SECONDS"):  # time
        monkeypatch.setattr(f"bot.client.requests.invalid_requests.{name}", 0.05)
    assert [await discord.sends(FIRST), await discord.sends(FIRST)] == [200, 200]
    discord.status = 500
    await discord.sends(ANSWER)
    for _ in range(2):
        with pytest.raises(DiscordUnavailable, match="Discord refuses too many requests"):
            await discord.sends(ANSWER)
    with pytest.raises(DiscordUnavailable, match="nobody is waiting for this answer"):
        await discord.sends(FIRST)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("60", 60.0), ("1", MIN_BLOCK_SECONDS), (None, MIN_BLOCK_SECONDS), ("x", MIN_BLOCK_SECONDS)],
)
async def test_blocked_address_sends_nothing(discord: Discord, said: str | None, seconds: float) -> None:
    """A limit that does not come from Discord itself; even answers to people would count."""
    discord.status, discord.headers = 429, {} if said is None else {"Retry-After": said}
    await discord.sends()
    discord.timer.passes(seconds - 0.1)
    await discord.fails(ANSWER, times=1)
    assert len(discord.served) == 1
    discord.status = 200
    assert await discord.sends(ANSWER) == 200


@pytest.mark.parametrize("kind", ["text/html", "application/json; charset=utf-8", "application/json"])
async def test_limit_of_answers_needs_a_number(discord: Discord, kind: str) -> None:
    """discord.py reads how long it lasts without a look."""
    discord.status, discord.kind = 429, kind
    if kind == "application/json":
        assert await discord.sends(ANSWER) == 429
    else:
        with pytest.raises(DiscordUnavailable, match="without saying for how long"):
            await discord.sends(ANSWER)
