"""Limits that Discord sets: the guard before every request, the budget of invalid requests, and edits of old messages.

The guard stands before retries of discord.py, too, and learns how each request went. The budget holds even if all
requests under way are refused. Discord takes few edits of messages older than an hour, so these wait for each other.
"""

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import inf
from time import monotonic
from types import SimpleNamespace
from typing import Final

import aiohttp
import discord

from bot.client.requests.problems import is_outage
from bot.table.bounded import BoundedDict
from bot.table.outbox.circuit_breaker import NO_ANSWER, CircuitBreaker, Timer
from storage import ShardSet

# --- the budget of invalid requests -----------------------------------------------------------------------------------

MOST_INVALID: Final = 9
"""Requests that may be refused within INVALID_SECONDS. Discord bans an address after 10,000 in ten minutes, 16 a second
(docs/discord.md, rate limits); processes on the same servers share them. As many may also be under way: answered
within 0.18 s they are the 50 a second that Discord takes.
"""
INVALID_SECONDS: Final = 1.0
SPARE: Final = 0.01
"""Seconds by which a look comes later, so that no rounding makes it come too early."""
KEPT: Final = 2
"""Requests kept for answers to people, and as many for everything else: neither keeps the other from being sent."""
FEWEST: Final = 2
"""For a process with a small share: one for answers, and one for everything else."""


def of_share(share: ShardSet) -> int:
    """How many requests may be refused of those that the process with this share of the servers sends."""
    return max(FEWEST, MOST_INVALID * len(share.shards) // share.shard_count)


class _Kind:
    """Requests of a kind: those that wait, how many are under way, and when those were refused that count still."""

    def __init__(self) -> None:
        self.waiting: deque[asyncio.Future[None]] = deque()
        self.under_way = 0
        self.refused: deque[float] = deque()

    @property
    def used(self) -> int:
        """What is refused, or may be."""
        return self.under_way + len(self.refused)


class InvalidRequestBudget:
    """Counts each request as refused until it is known not to be, so that the limit holds whatever happens."""

    def __init__(
        self, most: int = MOST_INVALID, timer: Callable[[], Timer] = asyncio.get_running_loop
    ) -> None:
        self._most = most
        self._kept = min(KEPT, most // FEWEST)
        self._timer = timer
        self._answers, self._others = _Kind(), _Kind()
        self._looking = False

    async def enter(self, *, answer: bool) -> None:
        """Wait until one more request may be sent; in order, answers to people before everything else."""
        kind = self._answers if answer else self._others
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        kind.waiting.append(mine)
        self._admit_waiting()
        try:
            await mine
        except asyncio.CancelledError:
            if mine in kind.waiting:
                kind.waiting.remove(mine)
            if not mine.cancelled():
                self.leave(answer=answer, refused=False)
            raise

    def leave(self, *, answer: bool, refused: bool) -> None:
        """A request is over."""
        kind = self._answers if answer else self._others
        kind.under_way -= 1
        if refused:
            kind.refused.append(self._timer().time())
        self._admit_waiting()

    def _admit_waiting(self) -> None:
        """Admit as many as there is room for."""
        now, kinds = self._timer().time(), (self._answers, self._others)
        for kind in kinds:
            while kind.refused and kind.refused[0] <= now - INVALID_SECONDS:
                kind.refused.popleft()
        for kind in kinds:
            while kind.waiting and self._has_room(kind):
                first = kind.waiting.popleft()
                if not first.done():
                    kind.under_way += 1
                    first.set_result(None)
        refused = [kind.refused[0] for kind in kinds if kind.refused]
        if refused and any(kind.waiting for kind in kinds) and not self._looking:
            self._looking = True
            self._timer().call_later(min(refused) + INVALID_SECONDS - now + SPARE, self._look_again)

    def _has_room(self, kind: _Kind) -> bool:
        return kind.used < self._most - self._kept and self._answers.used + self._others.used < self._most

    def _look_again(self) -> None:
        self._looking = False
        self._admit_waiting()


# --- the guard --------------------------------------------------------------------------------------------------------

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
    is_over: bool = False


class RequestGuard:
    """Sends nothing to Discord in an outage but probes and answers to people, and never too much that is refused."""

    def __init__(self, breaker: CircuitBreaker, limit: InvalidRequestBudget | None = None) -> None:
        self._breaker = breaker
        self._limit = limit or InvalidRequestBudget()
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
        if request.is_over:
            return  # it has been given up
        request.is_over = True
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


# --- edits of old messages --------------------------------------------------------------------------------------------

OLD: Final = timedelta(minutes=55)
"""A message of this age is edited rarely; Discord counts from an hour on."""
OLD_EDITS: Final = 2
"""At most N edits of old messages in a channel within OLD_EDIT_SECONDS; Discord allows three, one is left for others.

An edit counts until OLD_EDIT_SECONDS after its answer: when it came to Discord is known no better.
"""
OLD_EDIT_SECONDS: Final = 6.0
CHANNELS: Final = 1_000
"""Of how many channels the last edits are known."""


def is_old(message_id: int) -> bool:
    """Whether a message is so old that Discord takes few edits of it."""
    return datetime.now(UTC) - discord.utils.snowflake_time(message_id) >= OLD


class _Channel:
    """The places for edits in a channel: each is free again some time after the edit that had it is answered."""

    def __init__(self) -> None:
        self.free = asyncio.Semaphore(OLD_EDITS)
        self.ended = deque([-inf] * OLD_EDITS)
        """When the edits were answered that had the free places, longest ago first."""


class OldEdits:
    """When old messages of each channel were edited."""

    def __init__(
        self, now: Callable[[], float] = monotonic, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._now = now
        self._sleep = sleep
        self._channels: BoundedDict[int, _Channel] = BoundedDict(CHANNELS)

    @asynccontextmanager
    async def place(self, channel_id: int, message_id: int) -> AsyncIterator[None]:
        """Wait until a message may be edited, which is done within; what shall be shown is best found out there."""
        if not is_old(message_id):
            yield
            return
        channel = self._channels.get(channel_id) or _Channel()
        self._channels[channel_id] = channel
        async with channel.free:
            ended = channel.ended.popleft()
            try:
                await self._sleep(max(0.0, ended + OLD_EDIT_SECONDS - self._now()))
            except BaseException:
                channel.ended.appendleft(ended)  # nothing was edited
                raise
            try:
                yield
            finally:
                channel.ended.append(self._now())
