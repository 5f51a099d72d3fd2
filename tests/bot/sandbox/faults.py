"""A Discord in trouble: answers of a service that fails, lost connections, and interactions that come twice.

Nothing of this is in the package: it stands around the server's handlers and between its event socket and the client.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bot.sandbox.guild.wire import guild_json
from bot.sandbox.guild.world import World
from bot.sandbox.http.gateway import send_frame
from bot.sandbox.http.requests import json_response
from bot.sandbox.model import Guild
from bot.sandbox.refusal import Json
from bot.sandbox.server import LoopbackServer
from tests.support.held_to_description import PROXY

Serve = Callable[[web.Request, Handler], Awaitable[web.StreamResponse]]
RECONNECT, INVALID, HELLO = 7, 9, 10
"""Opcodes of frames (docs.discord.com, gateway opcodes)."""


@dataclass(slots=True)
class Trouble:
    """A fault that was ordered: the next ``times`` requests whose "METHOD /path" holds ``part`` are served so.

    A part that ends with a line end is the end of the path, too.
    """

    part: str
    times: int
    serve: Serve


class Faults:
    """Ordered faults of requests (the next N that fit) and of event sockets (until they are ended)."""

    def __init__(self) -> None:
        self._orders: list[Trouble] = []
        self.served = 0
        self.sockets = Sockets()

    # -- answers of a service in trouble --

    def rate_limit(self, part: str, *, retry_after: float = 0.05, times: int = 1) -> None:
        """Answer 429; with ``Via``, or the client takes it for a ban (docs/discord.md, client)."""
        body: Json = {"message": "You are being rate limited.", "code": 0, "global": False}
        body["retry_after"] = retry_after
        headers = {"Via": "1.1 sandbox", "Retry-After": str(retry_after)}
        self._order(part, times, _answering(429, body, headers))

    def fail(
        self,
        part: str,
        *,
        status: int = 403,
        code: int = 50013,
        message: str = "Missing Permissions",
        times: int = 1,
    ) -> None:
        """Answer with an error of the real service, by default a missing permission."""
        self._order(part, times, _answering(status, {"code": code, "message": message}, {}))

    def jam(self, part: str, body: str, content_type: str = "text/html", *, times: int = 1) -> None:
        """Answer 429 in words of somebody on the way to the service, who does not say when to come again."""

        async def serve(request: web.Request, _: Handler) -> web.StreamResponse:
            await request.read()
            return web.Response(status=429, text=body, content_type=content_type, headers={"Via": PROXY})

        self._order(part, times, serve)

    def lose_request(self, part: str, *, times: int = 1) -> None:
        """Cut the connection before anything is done."""
        self._order(part, times, _cut_before)

    def lose_answer(self, part: str, *, times: int = 1) -> None:
        """Do what is asked, and cut the connection instead of saying so."""
        self._order(part, times, _cut_after)

    def hold_up(self, part: str, seconds: float, *, times: int = 1) -> None:
        """Do what is asked this many seconds later."""

        async def serve(request: web.Request, handler: Handler) -> web.StreamResponse:
            await asyncio.sleep(seconds)
            return await handler(request)

        self._order(part, times, serve)

    def answer_late(self, part: str, seconds: float, *, times: int = 1) -> None:
        """Do what is asked at once, and say so this many seconds later."""

        async def serve(request: web.Request, handler: Handler) -> web.StreamResponse:
            done = await handler(request)
            await asyncio.sleep(seconds)
            return done

        self._order(part, times, serve)

    def clear(self) -> None:
        self._orders.clear()

    def _order(self, part: str, times: int, serve: Serve) -> None:
        self._orders.append(Trouble(part, times, serve))

    def around(self) -> Middleware:

        @web.middleware
        async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
            if request.path.startswith("/gateway"):
                self.sockets.came(request)
            order = self._order_for(f"{request.method} {request.path}")
            return await (handler(request) if order is None else order.serve(request, handler))

        return guard

    def _order_for(self, line: str) -> Trouble | None:
        for order in self._orders:
            if order.part in f"{line}\n":
                order.times -= 1
                if order.times <= 0:
                    self._orders.remove(order)
                self.served += 1
                return order
        return None


def _answering(status: int, body: Json, headers: dict[str, str]) -> Serve:
    async def serve(request: web.Request, _: Handler) -> web.StreamResponse:
        await request.read()
        return json_response(body, status, headers)

    return serve


def _hang_up(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()


async def _cut_before(request: web.Request, _: Handler) -> web.StreamResponse:
    _hang_up(request)
    return web.Response()


async def _cut_after(request: web.Request, handler: Handler) -> web.StreamResponse:
    done = await handler(request)
    _hang_up(request)
    return done


@dataclass(slots=True)
class Sockets:
    """The event sockets as they fail."""

    copies: int = 1
    """How often an interaction comes."""
    _open: list[web.WebSocketResponse] = field(default_factory=list)
    _requests: list[web.Request] = field(default_factory=list)

    def came(self, request: web.Request) -> None:
        self._requests.append(request)

    async def relay(self, socket: web.WebSocketResponse, frame: Json) -> None:
        """Send a frame as the present faults have it."""
        if frame["op"] == HELLO:
            self._open.append(socket)
        for _ in range(self.copies if frame.get("t") == "INTERACTION_CREATE" else 1):
            await send_frame(socket, frame)

    def cut(self) -> None:
        for request in self._requests:
            _hang_up(request)
        self._requests.clear()

    async def ask_to_reconnect(self) -> None:
        """Ask every client to come again (opcode 7), as before a restart of the service."""
        await self._say({"op": RECONNECT, "d": None, "s": None, "t": None})

    async def forget(self) -> None:
        """Tell every client that its session is no longer valid (opcode 9) and cannot be resumed."""
        await self._say({"op": INVALID, "d": False, "s": None, "t": None})

    async def take_down(self, guild: Guild) -> None:
        """Tell every client that a server cannot be reached for a time; the bot is in it still."""
        gone: Json = {"id": str(guild.id), "unavailable": True}
        await self._say({"op": 0, "t": "GUILD_DELETE", "s": None, "d": gone})

    async def bring_back(self, world: World, guild: Guild) -> None:
        await self._say({"op": 0, "t": "GUILD_CREATE", "s": None, "d": guild_json(world, guild)})

    async def _say(self, frame: Json) -> None:
        for socket in [socket for socket in self._open if not socket.closed]:
            await send_frame(socket, frame)


class FaultyServer(LoopbackServer):
    """A loopback server whose faults can be ordered."""

    def __init__(self, port: int = 0, world: World | None = None) -> None:
        self.faults = Faults()
        super().__init__(port, world, middlewares=[self.faults.around()], relay=self.faults.sockets.relay)
