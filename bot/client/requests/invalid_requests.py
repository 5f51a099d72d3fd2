"""The guard that every request to Discord must pass: circuit breaker, and the budget of invalid requests.

It also sees each retry of discord.py, and tells the circuit breaker about every result.
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
from bot.table.outbox.circuit_breaker import PROBE_TIMEOUT_SECONDS, CircuitBreaker, Timer
from storage import ShardSet

MAX_INVALID: Final = 9
"""The most requests in progress plus invalid ones of the last second.

Discord bans an address after 10,000 invalid requests in ten minutes, 16 a second (docs/discord.md, rate limits).
Processes for the same servers share this budget. With answers within 0.18 s it allows 50 requests a second, Discord's
limit.
"""
INVALID_SECONDS: Final = 1.0
RESERVED_PLACES: Final = 2
"""Places reserved for replies to users, and as many for other requests, so that neither blocks the other."""
MIN_PLACES: Final = 2
"""The fewest places of a process with few shards: one for replies, and one for other requests."""


def budget_of(shards: ShardSet) -> int:
    """The part of MAX_INVALID for a process with these shards."""
    return max(MIN_PLACES, MAX_INVALID * len(shards.shards) // shards.shard_count)


class InvalidRequestBudget:
    """Limits requests in progress plus recent invalid ones, so that Discord never bans our address."""

    def __init__(
        self, maximum: int = MAX_INVALID, timer: Callable[[], Timer] = asyncio.get_running_loop
    ) -> None:
        self._timer = timer
        self._places = asyncio.Semaphore(maximum)
        self._kinds = [
            asyncio.Semaphore(maximum - min(RESERVED_PLACES, maximum // MIN_PLACES)) for _ in range(2)
        ]
        """Places for other requests (index 0) and for replies to users (index 1)."""

    async def enter(self, *, is_answer: bool) -> None:
        """Wait until another request may be sent."""
        kind_places = self._kinds[is_answer]
        await kind_places.acquire()
        try:
            await self._places.acquire()
        except asyncio.CancelledError:
            kind_places.release()
            raise

    def leave(self, *, is_answer: bool, was_refused: bool) -> None:
        """Record the end of a request. A refused one keeps its place for INVALID_SECONDS."""
        if was_refused:
            self._timer().call_later(INVALID_SECONDS, self._release_place, is_answer)
        else:
            self._release_place(is_answer)

    def _release_place(self, is_answer: bool) -> None:
        self._kinds[is_answer].release()
        self._places.release()


ANSWER_PATH: Final = re.compile(r"/api/v\d+/(interactions|webhooks)/")
"""Paths of replies to users. They have places of their own, since users wait for them and nothing repeats them."""
FIRST_ANSWER_PATH: Final = re.compile(r"/api/v\d+/interactions/\d+/[^/]+/callback")
ALWAYS_SENT_PATH: Final = re.compile(r"/api/v\d+/gateway")
"""The path requested when the client connects; always sent, since discord.py gives up if it fails."""
ANSWER_WAIT_SECONDS: Final = 2.0
"""Seconds that a reply waits for a place; Discord waits three seconds for the reply."""
FIRST_ANSWER_SECONDS: Final = 3.0
"""Seconds after the first attempt in which a first response may be sent again.

Later Discord has forgotten the interaction.
"""
MIN_BLOCK_SECONDS: Final = 5.0
"""The fewest seconds without requests after Discord blocks this address."""
INVALID_STATUSES: Final = frozenset({401, 403, 429})
"""Statuses that Discord counts as invalid requests (docs/discord.md, rate limits)."""


class DiscordUnavailable(aiohttp.ClientError):
    """A request was not sent, or got no valid answer."""


@dataclass(eq=False)
class _SentRequest:
    """A request in progress; it counts as invalid if it is not answered in time."""

    is_answer: bool
    is_write: bool
    answer_timer: asyncio.TimerHandle | None = None


class RequestGuard:
    """Stops requests beyond the budget and, during an outage, all but probes and replies to users."""

    def __init__(self, breaker: CircuitBreaker, budget: InvalidRequestBudget) -> None:
        self._breaker, self._budget = breaker, budget
        self._first_attempt_at: BoundedDict[str, float] = BoundedDict(1_000)
        """Times of first attempts at first responses, by path."""

    def trace(self) -> aiohttp.TraceConfig:
        """The trace for discord.py's `http_trace`, which aiohttp calls for each request."""
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._on_start)
        trace.on_request_end.append(self._on_end)
        trace.on_request_exception.append(self._on_exception)
        return trace

    async def _on_start(
        self, _: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams
    ) -> None:
        """Let a request start, or raise DiscordUnavailable."""
        path = params.url.path
        if not path.startswith("/api/"):
            return  # the gateway, or a picture
        self._require_not_late(path)
        is_answer = ANSWER_PATH.match(path) is not None
        try:
            async with asyncio.timeout(ANSWER_WAIT_SECONDS if is_answer else None):
                await self._budget.enter(is_answer=is_answer)
        except TimeoutError as error:
            raise DiscordUnavailable("not sent: Discord refuses too many requests right now") from error
        may_send = not self._breaker.is_blocked if is_answer else self._breaker.admits_request()
        if not (may_send or ALWAYS_SENT_PATH.match(path)):
            self._budget.leave(is_answer=is_answer, was_refused=False)
            raise DiscordUnavailable("not sent: Discord is failing")
        context.request = request = _SentRequest(is_answer, params.method != "GET")
        request.answer_timer = asyncio.get_running_loop().call_later(
            PROBE_TIMEOUT_SECONDS, self._on_no_answer, request
        )

    def _require_not_late(self, path: str) -> None:
        if FIRST_ANSWER_PATH.fullmatch(path):
            now = asyncio.get_running_loop().time()
            first_attempt = self._first_attempt_at.get(path, now)
            self._first_attempt_at[path] = first_attempt
            if now - first_attempt > FIRST_ANSWER_SECONDS:
                raise DiscordUnavailable("nobody is waiting for this answer any more")

    async def _on_end(
        self, _: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        request: _SentRequest | None = getattr(context, "request", None)
        if request is None:
            return
        response, status = params.response, params.response.status
        self._finish_request(request, was_refused=status in INVALID_STATUSES or status >= 500)
        if status == 429 and "Via" not in response.headers:
            retry_after = response.headers.get("Retry-After", "")
            self._breaker.record_block(
                "Discord blocks this address",
                max(float(retry_after) if retry_after.isdecimal() else 0.0, MIN_BLOCK_SECONDS),
            )
        elif request.is_answer:
            # discord.py would look for the number of seconds in a text that has none.
            if status == 429 and response.headers.get("Content-Type") != "application/json":
                raise DiscordUnavailable("Discord limits requests without saying for how long")
        elif is_outage(status, response.content_type):
            self._breaker.record_failure("refuses", f"it answers {status}")
        else:
            self._breaker.record_success(was_write=request.is_write)

    async def _on_exception(
        self, _: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        request: _SentRequest | None = getattr(context, "request", None)
        if request is None:
            return
        cancelled = isinstance(params.exception, asyncio.CancelledError)
        self._finish_request(request, was_refused=not cancelled)
        if not cancelled and not request.is_answer:
            self._breaker.record_failure("unreachable", "it is unreachable")

    def _on_no_answer(self, request: _SentRequest) -> None:
        """Count a request that was not answered in time as invalid."""
        self._finish_request(request, was_refused=True)
        if not request.is_answer:
            self._breaker.record_failure(
                "unreachable", f"it does not answer within {PROBE_TIMEOUT_SECONDS:.0f} s"
            )

    def _finish_request(self, request: _SentRequest, *, was_refused: bool) -> None:
        if request.answer_timer is not None:
            request.answer_timer.cancel()
            request.answer_timer = None
            self._budget.leave(is_answer=request.is_answer, was_refused=was_refused)
