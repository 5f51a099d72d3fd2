"""The guard: stands before every request to Discord, retries of discord.py included, and learns how each went."""

import asyncio
import re
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Final

import aiohttp

from bot.client.requests.permission_problems import is_outage
from bot.client.requests.refusal_limit import RefusalLimit
from bot.table.bounded import BoundedDict
from bot.table.outbox.circuit_breaker import NO_ANSWER, CircuitBreaker

ANSWER: Final = re.compile(r"/api/v\d+/(interactions|webhooks)/")
"""Answers to people, which fail and are limited separately: a person waits, and no queue repeats them."""
ALWAYS: Final = re.compile(r"/api/v\d+/gateway")
"""Asked once, as the client connects; discord.py gives up where that fails."""
ANSWER_SECONDS: Final = 2.0
"""How long an answer to a person waits for its turn; Discord waits three seconds for it."""
FIRST_ANSWER: Final = re.compile(r"/api/v\d+/interactions/\d+/[^/]+/callback")
FIRST_ANSWER_SECONDS: Final = 3.0
"""How long after the first attempt of such an answer it is tried again; by then Discord has dropped the interaction."""
SHORTEST_BLOCK: Final = 5.0
"""Seconds for which nothing is sent, at least, where Discord takes nothing from this address."""
REFUSED: Final = frozenset({401, 403, 429})
"""What Discord counts as invalid requests (docs/discord.md, rate limits)."""


class DiscordFails(aiohttp.ClientError):
    """A request was not sent, since Discord as a whole fails."""


@dataclass
class _Request:
    """A request that was sent."""

    answer: bool
    writes: bool
    patience: asyncio.TimerHandle | None = None
    over: bool = False


class RequestGuard:
    """Sends nothing to Discord in an outage but probes and answers to people, and never too much that is refused."""

    def __init__(self, breaker: CircuitBreaker, limit: RefusalLimit | None = None) -> None:
        self._breaker = breaker
        self._limit = limit or RefusalLimit()
        self._first_tried: BoundedDict[str, float] = BoundedDict(1_000)
        """By path of a first answer."""

    def trace(self) -> aiohttp.TraceConfig:
        """What discord.py takes as `http_trace`: it runs for each single request."""
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._starts)
        trace.on_request_end.append(self._ends)
        trace.on_request_exception.append(self._breaks)
        return trace

    async def _starts(
        self, _: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams
    ) -> None:
        """Let a request pass when it may be sent; raises DiscordFails."""
        path = params.url.path
        if not path.startswith("/api/"):
            return  # the event socket, or a picture
        request = _Request(ANSWER.match(path) is not None, params.method != "GET")
        self._require(request, path)
        self._require_wanted(path)
        await self._room(request)
        try:
            self._require(request, path)  # it may have begun to fail meanwhile
        except DiscordFails:
            self._limit.leave(answer=request.answer, refused=False)
            raise
        context.request = request
        request.patience = asyncio.get_running_loop().call_later(NO_ANSWER, self._unanswered, request)

    def _require(self, request: _Request, path: str) -> None:
        may = not self._breaker.is_blocked if request.answer else self._breaker.admits()
        if not may and not ALWAYS.match(path):
            raise DiscordFails("Discord fails, so this was not sent")

    def _require_wanted(self, path: str) -> None:
        if FIRST_ANSWER.fullmatch(path):
            now = asyncio.get_running_loop().time()
            first = self._first_tried.get(path, now)
            self._first_tried[path] = first
            if now - first > FIRST_ANSWER_SECONDS:
                raise DiscordFails("this answer is no longer awaited")

    async def _room(self, request: _Request) -> None:
        try:
            async with asyncio.timeout(ANSWER_SECONDS if request.answer else None):
                await self._limit.enter(answer=request.answer)
        except TimeoutError as error:
            raise DiscordFails("too much is refused just now, so this was not sent") from error

    async def _ends(
        self, _: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        request: _Request | None = getattr(context, "request", None)
        if request is None:
            return
        response = params.response
        status = response.status
        self._leave(request, refused=status in REFUSED or status >= 500)
        if status == 429 and "Via" not in response.headers:
            self._breaker.blocked("this address is blocked", _retry_after(response))
        elif request.answer:
            await _require_readable(response)
        elif is_outage(status, response.content_type):
            self._breaker.failed("refuses", f"it answers {status}")
        else:
            self._breaker.worked(writes=request.writes)

    async def _breaks(
        self, _: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        request: _Request | None = getattr(context, "request", None)
        if request is None:
            return
        cancelled = isinstance(params.exception, asyncio.CancelledError)
        self._leave(request, refused=not cancelled)
        if not cancelled and not request.answer:
            self._breaker.failed("unreachable", "it cannot be reached")

    def _unanswered(self, request: _Request) -> None:
        """Nothing else waits for what is not answered: it counts as refused until it is."""
        self._leave(request, refused=True)
        if not request.answer:
            self._breaker.failed("unreachable", f"it does not answer within {NO_ANSWER:.0f} s")

    def _leave(self, request: _Request, *, refused: bool) -> None:
        if request.over:
            return  # it has been given up
        request.over = True
        if request.patience is not None:
            request.patience.cancel()
        self._limit.leave(answer=request.answer, refused=refused)


async def _require_readable(response: aiohttp.ClientResponse) -> None:
    """Raise DiscordFails for a limit that does not say how long it lasts: discord.py reads it without a look."""
    if response.status == 429 and not await _has_retry_after(response):
        raise DiscordFails("too much is sent just now, and nothing says for how long")


async def _has_retry_after(response: aiohttp.ClientResponse) -> bool:
    if response.headers.get("Content-Type") != "application/json":
        return False  # discord.py takes anything else for text
    try:
        body = await response.json()
    except ValueError:
        return False
    return isinstance(body, dict) and isinstance(body.get("retry_after"), int | float)


def _retry_after(response: aiohttp.ClientResponse) -> float:
    try:
        return max(float(response.headers["Retry-After"]), SHORTEST_BLOCK)
    except (KeyError, ValueError):
        return SHORTEST_BLOCK
