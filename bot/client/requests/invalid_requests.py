"""The guard of all requests to Discord: limits invalid requests, and stops requests during an outage.

It also sees discord.py's retries, and reports every result to the circuit breaker.
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

MAX_INVALID_REQUESTS: Final = 9
"""Limit for the sum of requests in progress and invalid requests in the last second.

Discord bans an address after 10,000 invalid requests in ten minutes, 16 a second (docs/discord.md, rate limits).
All processes that serve the same servers share this limit. It allows Discord's 50 requests a second, if each is
answered within 0.18 s.
"""
INVALID_REQUEST_SECONDS: Final = 1.0
RESERVED_REQUEST_SLOTS: Final = 2
"""Number of places in the request budget that are reserved for replies to users; as many are reserved for the rest."""
MIN_REQUEST_SLOTS: Final = 2
"""Smallest request budget of a process: one request for replies to users, and one for all else."""


def request_budget_for_shards(shards: ShardSet) -> int:
    """A process's share of MAX_INVALID_REQUESTS, in proportion to its share of the shards."""
    return max(MIN_REQUEST_SLOTS, MAX_INVALID_REQUESTS * len(shards.shards) // shards.shard_count)


class InvalidRequestBudget:
    """Limits requests in progress plus recent invalid ones, so that Discord does not ban this address."""

    def __init__(
        self, max_requests: int = MAX_INVALID_REQUESTS, timer: Callable[[], Timer] = asyncio.get_running_loop
    ) -> None:
        self._timer = timer
        self._free_slots = asyncio.Semaphore(max_requests)
        self._free_slots_by_kind = [
            asyncio.Semaphore(max_requests - min(RESERVED_REQUEST_SLOTS, max_requests // MIN_REQUEST_SLOTS))
            for _ in range(2)
        ]
        """Free places for other requests (index 0) and for replies to users (index 1)."""

    async def begin_request(self, *, is_answer: bool) -> None:
        """Wait for a free place, so that a request may be sent. Replies to users (`is_answer`) have reserved places."""
        kind_slots = self._free_slots_by_kind[is_answer]
        await kind_slots.acquire()
        try:
            await self._free_slots.acquire()
        except asyncio.CancelledError:
            kind_slots.release()
            raise

    def end_request(self, *, is_answer: bool, was_refused: bool) -> None:
        """End a request. Its place becomes free at once or, if Discord refused it, after INVALID_REQUEST_SECONDS."""
        if was_refused:
            self._timer().call_later(INVALID_REQUEST_SECONDS, self._release_slot, is_answer)
        else:
            self._release_slot(is_answer)

    def _release_slot(self, is_answer: bool) -> None:
        self._free_slots_by_kind[is_answer].release()
        self._free_slots.release()


ANSWER_PATH: Final = re.compile(r"/api/v\d+/(interactions|webhooks)/")
"""Regex for the URL paths of replies to users. A part of the request budget is reserved for them, as users wait."""
FIRST_ANSWER_PATH: Final = re.compile(r"/api/v\d+/interactions/\d+/[^/]+/callback")
ALWAYS_SENT_PATH: Final = re.compile(r"/api/v\d+/gateway")
"""Regex for the URL path requested on connecting. It is always sent, since discord.py gives up if this fails."""
ANSWER_WAIT_SECONDS: Final = 2.0
"""Seconds that a reply to a user waits for a place in the request budget. Discord waits three for the reply."""
FIRST_ANSWER_SECONDS: Final = 3.0
"""Seconds for which a failed first response may be sent again. Later responses would be rejected."""
MIN_BLOCK_SECONDS: Final = 5.0
"""Shortest pause, in seconds, before the next request after Discord has blocked this address."""
INVALID_STATUSES: Final = frozenset({401, 403, 429})
"""HTTP statuses that Discord counts as invalid requests (docs/discord.md, rate limits)."""


class DiscordUnavailable(aiohttp.ClientError):
    """Raised if a request to Discord was not sent, or got no valid answer."""


@dataclass(eq=False)
class _SentRequest:
    """A request in progress. It counts as invalid if no answer comes in time."""

    is_answer: bool
    is_write: bool
    answer_timer: asyncio.TimerHandle | None = None


class RequestGuard:
    """Delays requests that exceed the budget. In an outage, only test requests and replies to users are sent."""

    def __init__(self, breaker: CircuitBreaker, budget: InvalidRequestBudget) -> None:
        self._breaker, self._budget = breaker, budget
        self._first_attempt_at_by_path: BoundedDict[str, float] = BoundedDict(1_000)
        """By URL path: the time at which the first response to an interaction was first sent."""

    def trace_config(self) -> aiohttp.TraceConfig:
        """The object to pass to discord.py as `http_trace`, so that aiohttp calls the guard for each request."""
        trace_config = aiohttp.TraceConfig()
        trace_config.on_request_start.append(self._on_start)
        trace_config.on_request_end.append(self._on_end)
        trace_config.on_request_exception.append(self._on_exception)
        return trace_config

    async def _on_start(
        self, _: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams
    ) -> None:
        """Wait until a request may be sent; raises DiscordUnavailable in an outage or if it is too late."""
        path = params.url.path
        if not path.startswith("/api/"):
            return  # the gateway, or a picture
        self._require_not_late(path)
        is_answer = ANSWER_PATH.match(path) is not None
        try:
            async with asyncio.timeout(ANSWER_WAIT_SECONDS if is_answer else None):
                await self._budget.begin_request(is_answer=is_answer)
        except TimeoutError as error:
            raise DiscordUnavailable("not sent: Discord refuses too many requests right now") from error
        may_send = not self._breaker.is_blocked if is_answer else self._breaker.admits_request()
        if not (may_send or ALWAYS_SENT_PATH.match(path)):
            self._budget.end_request(is_answer=is_answer, was_refused=False)
            raise DiscordUnavailable("not sent: Discord is failing")
        context.request = request = _SentRequest(is_answer, params.method != "GET")
        request.answer_timer = asyncio.get_running_loop().call_later(
            PROBE_TIMEOUT_SECONDS, self._on_no_answer, request
        )

    def _require_not_late(self, path: str) -> None:
        if FIRST_ANSWER_PATH.fullmatch(path):
            now = asyncio.get_running_loop().time()
            first_attempt_at = self._first_attempt_at_by_path.get(path, now)
            self._first_attempt_at_by_path[path] = first_attempt_at
            if now - first_attempt_at > FIRST_ANSWER_SECONDS:
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
        was_cancelled = isinstance(params.exception, asyncio.CancelledError)
        self._finish_request(request, was_refused=not was_cancelled)
        if not was_cancelled and not request.is_answer:
            self._breaker.record_failure("unreachable", "it is unreachable")

    def _on_no_answer(self, request: _SentRequest) -> None:
        """Count a request without an answer as invalid."""
        self._finish_request(request, was_refused=True)
        if not request.is_answer:
            self._breaker.record_failure(
                "unreachable", f"it does not answer within {PROBE_TIMEOUT_SECONDS:.0f} s"
            )

    def _finish_request(self, request: _SentRequest, *, was_refused: bool) -> None:
        if request.answer_timer is not None:
            request.answer_timer.cancel()
            request.answer_timer = None
            self._budget.end_request(is_answer=request.is_answer, was_refused=was_refused)
