"""The guard before every request to Discord: circuit breaker, and the budget of invalid requests.

The guard stands before retries of discord.py, too, and tells the circuit breaker how each request went.
"""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Final

import aiohttp

from bot.client.requests.permission_problems import is_outage
from bot.table.bounded_caches import BoundedDict
from bot.table.outbox.circuit_breaker import NO_ANSWER, CircuitBreaker, Timer
from storage import ShardSet

MOST_INVALID: Final = 9
"""Requests that may be refused within INVALID_SECONDS. Discord bans an address after 10,000 in ten minutes, 16 a second
(docs/discord.md, rate limits); processes on the same servers share them. As many may also be under way: answered
within 0.18 s they are the 50 a second that Discord takes.
"""
INVALID_SECONDS: Final = 1.0
KEPT: Final = 2
"""Requests kept for answers to people, and as many for everything else: neither keeps the other from being sent."""
FEWEST: Final = 2
"""The fewest places of a process with a small share: one for answers, and one for everything else."""


def budget_of(shards: ShardSet) -> int:
    """The budget of invalid requests for a process with these shards."""
    return max(FEWEST, MOST_INVALID * len(shards.shards) // shards.shard_count)


class InvalidRequestBudget:
    """Limits requests in progress plus recent invalid ones, so that Discord never bans our address."""

    def __init__(
        self, maximum: int = MOST_INVALID, timer: Callable[[], Timer] = asyncio.get_running_loop
    ) -> None:
        self._timer = timer
        self._places = asyncio.Semaphore(maximum)
        self._kinds = [asyncio.Semaphore(maximum - min(KEPT, maximum // FEWEST)) for _ in range(2)]
        """Places for everything else, and for answers to people."""

    async def enter(self, *, answer: bool) -> None:
        """Wait until another request may be sent."""
        kind = self._kinds[answer]
        await kind.acquire()
        try:
            await self._places.acquire()
        except asyncio.CancelledError:
            kind.release()
            raise

    def leave(self, *, answer: bool, refused: bool) -> None:
        """Record the end of a request."""
        if refused:
            self._timer().call_later(INVALID_SECONDS, self._free, answer)
        else:
            self._free(answer)

    def _free(self, answer: bool) -> None:
        self._kinds[answer].release()
        self._places.release()


ANSWER: Final = re.compile(r"/api/v\d+/(interactions|webhooks)/")
"""Answers to people, which fail and are limited separately: a person waits, and no queue repeats them."""
FIRST_ANSWER: Final = re.compile(r"/api/v\d+/interactions/\d+/[^/]+/callback")
ALWAYS: Final = re.compile(r"/api/v\d+/gateway")
"""Asked once, as the client connects; discord.py gives up where that fails."""
ANSWER_SECONDS: Final = 2.0
"""Seconds that an answer to a person waits for its place; Discord waits three seconds for it."""
FIRST_ANSWER_SECONDS: Final = 3.0
"""Seconds after the first attempt of such an answer until it is tried again; by then Discord has dropped the
interaction.
"""
SHORTEST_BLOCK: Final = 5.0
"""Seconds for which nothing is sent, at least, where Discord takes nothing from this address."""
REFUSED: Final = frozenset({401, 403, 429})
"""Statuses that Discord counts as invalid requests (docs/discord.md, rate limits)."""


class DiscordUnavailable(aiohttp.ClientError):
    """Raised for a request that was not sent, or got no valid answer."""


@dataclass(eq=False)
class _SentRequest:
    """A request in progress; it counts as invalid while unanswered for too long."""

    answer: bool
    writes: bool
    patience: asyncio.TimerHandle | None = None


class RequestGuard:
    """Stops requests during an outage, except probes and replies to users, and beyond the budget."""

    def __init__(self, breaker: CircuitBreaker, budget: InvalidRequestBudget) -> None:
        self._breaker, self._budget = breaker, budget
        self._first_tried: BoundedDict[str, float] = BoundedDict(1_000)
        """Time of the first attempt, by path of a first answer."""

    def trace(self) -> aiohttp.TraceConfig:
        """A trace for discord.py's `http_trace`, called for each single request."""
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._on_start)
        trace.on_request_end.append(self._on_end)
        trace.on_request_exception.append(self._on_exception)
        return trace

    async def _on_start(
        self, _: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams
    ) -> None:
        """Let a request start, or raise DiscordFails."""
        path = params.url.path
        if not path.startswith("/api/"):
            return  # the event socket, or a picture
        self._require_wanted(path)
        answer = ANSWER.match(path) is not None
        try:
            async with asyncio.timeout(ANSWER_SECONDS if answer else None):
                await self._budget.enter(answer=answer)
        except TimeoutError as error:
            raise DiscordUnavailable("not sent: Discord refuses too many requests right now") from error
        is_open = not self._breaker.is_blocked if answer else self._breaker.admits()
        if not (is_open or ALWAYS.match(path)):
            self._budget.leave(answer=answer, refused=False)
            raise DiscordUnavailable("not sent: Discord is failing")
        context.request = request = _SentRequest(answer, params.method != "GET")
        request.patience = asyncio.get_running_loop().call_later(NO_ANSWER, self._unanswered, request)

    def _require_wanted(self, path: str) -> None:
        if FIRST_ANSWER.fullmatch(path):
            now = asyncio.get_running_loop().time()
            first = self._first_tried.get(path, now)
            self._first_tried[path] = first
            if now - first > FIRST_ANSWER_SECONDS:
                raise DiscordUnavailable("nobody waits for this answer any more")

    async def _on_end(
        self, _: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        request: _SentRequest | None = getattr(context, "request", None)
        if request is None:
            return
        response, status = params.response, params.response.status
        self._leave(request, refused=status in REFUSED or status >= 500)
        if status == 429 and "Via" not in response.headers:
            said = response.headers.get("Retry-After", "")
            self._breaker.record_block(
                "Discord blocks this address", max(float(said) if said.isdecimal() else 0.0, SHORTEST_BLOCK)
            )
        elif request.answer:
            # discord.py takes anything else for text, in which it looks for the seconds.
            if status == 429 and response.headers.get("Content-Type") != "application/json":
                raise DiscordUnavailable("Discord limits requests without saying for how long")
        elif is_outage(status, response.content_type):
            self._breaker.record_failure("refuses", f"it answers {status}")
        else:
            self._breaker.record_success(writes=request.writes)

    async def _on_exception(
        self, _: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        request: _SentRequest | None = getattr(context, "request", None)
        if request is None:
            return
        cancelled = isinstance(params.exception, asyncio.CancelledError)
        self._leave(request, refused=not cancelled)
        if not cancelled and not request.answer:
            self._breaker.record_failure("unreachable", "it is unreachable")

    def _unanswered(self, request: _SentRequest) -> None:
        """Count a request that stays unanswered as invalid until it is answered."""
        self._leave(request, refused=True)
        if not request.answer:
            self._breaker.record_failure("unreachable", f"it does not answer within {NO_ANSWER:.0f} s")

    def _leave(self, request: _SentRequest, *, refused: bool) -> None:
        if request.patience is not None:
            request.patience.cancel()
            request.patience = None
            self._budget.leave(answer=request.answer, refused=refused)
