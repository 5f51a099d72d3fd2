"""Connections of the page: admission and timeouts, so that the bot keeps some for itself."""

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any, Final

from aiohttp import web

from bot.web.entry.access import json_answer
from bot.web.entry.addresses import Proxies, limit_key
from bot.web.entry.page_and_stream_limits import AT_ONCE, PageRoom, Refusals
from bot.web.entry.security_headers import HEADERS

BACKLOG: Final = 128
"""Connections that wait in the system until they are let in."""
AT_A_TIME: Final = 32
"""Connections that are let in at a time: for a moment this many more than there is room for may be there."""
PAUSE: Final = 0.1
"""Seconds until the next attempt where the system gives no connection."""
UNREAD: Final = 60_000
"""Milliseconds after which the system ends a connection whose other end takes nothing that is sent."""
LINGERING: Final = 2.0
"""Seconds for which the rest of a request is read that was refused before its end."""
NO_HTTP: Final = "This is not a valid HTTP request."


class Connection(web.RequestHandler):
    """A connection of a browser or proxy, with a timeout between requests."""

    __slots__ = ("_connections", "_over", "peer")

    def __init__(self, connections: "Connections", server: web.Server, peer: str) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            access_log=None,  # type: ignore[arg-type]
            lingering_time=LINGERING,
            auto_decompress=False,
        )
        self._connections = connections
        self._over: asyncio.TimerHandle | None = None
        self.peer = peer

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection."""
        super().connection_made(transport)
        self._connections.add_connection(self)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Stop counting the connection."""
        self.busy()
        self._connections.remove_connection(self)
        super().connection_lost(exc)

    def wait(self, seconds: float) -> None:
        """End the connection unless a request comes in time."""
        self._over = asyncio.get_running_loop().call_later(seconds, self.end)

    def busy(self) -> None:
        """Stop the timeout, since a request has come."""
        if self._over is not None:
            self._over.cancel()

    def end(self) -> None:
        """End the connection now."""
        if self.transport is not None:
            self.transport.abort()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer an invalid request."""
        if status != HTTPStatus.BAD_REQUEST:
            return super().handle_error(request, status, exc, message)
        self._connections.refusals.add("what is no HTTP")
        return _refused(HTTPStatus.BAD_REQUEST, NO_HTTP)


class Connections:
    """Admits connections within limits; when full, the longest-waiting one is ended."""

    def __init__(self, capacity: PageRoom, factor: float, proxies: Proxies, refusals: Refusals) -> None:
        """`factor` multiplies the limit of an address."""
        self.refusals = refusals
        self._capacity = capacity
        self._from_address = AT_ONCE * factor
        self._proxies = proxies
        self._open: Counter[str] = Counter()
        self._beginning: set[asyncio.Task[Any]] = set()
        self._waiting: dict[Connection, None] = {}
        """Those without a request, the longest first."""

    @asynccontextmanager
    async def accepting(self, server: web.Server, host: str, port: int) -> AsyncIterator[int]:
        """Listen at this port (0: any), which is yielded; raises OSError if it is taken."""
        server.request_handler = self._counting(server.request_handler)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.create_server((host, port), family=family, backlog=BACKLOG) as listening:
            listening.setblocking(False)
            accepting = asyncio.create_task(self._accept(listening, server))
            try:
                yield int(listening.getsockname()[1])
            finally:
                accepting.cancel()
                await asyncio.wait({accepting, *self._beginning})

    def add_connection(self, connection: Connection) -> None:
        """Start the timeout of a new connection."""
        self._wait(connection, self._capacity.patience)

    def remove_connection(self, connection: Connection) -> None:
        """Remove an ended connection."""
        self._waiting.pop(connection, None)
        self._count_out(connection.peer)

    async def _accept(self, listening: socket.socket, server: web.Server) -> None:
        """Accept connections until cancelled, a few at a time."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                self._let_in(server, *await loop.sock_accept(listening))
                with suppress(BlockingIOError):  # all are in
                    for _ in range(AT_A_TIME):
                        self._let_in(server, *listening.accept())
            except OSError as error:  # the process has no file left
                self.refusals.add(f"connections, {error.strerror}")
                await asyncio.sleep(PAUSE)
            await asyncio.sleep(0)

    def _let_in(self, server: web.Server, server_socket: socket.socket, address: Any) -> None:
        if not self._has_room(address[0]):
            server_socket.close()
            return
        peer = limit_key(address[0])
        self._open[peer] += 1
        beginning = asyncio.create_task(self._start_connection(server, server_socket, peer))
        self._beginning.add(beginning)
        beginning.add_done_callback(self._beginning.discard)

    async def _start_connection(self, server: web.Server, server_socket: socket.socket, peer: str) -> None:
        try:
            server_socket.setblocking(False)
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
                server_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD)
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(lambda: Connection(self, server, peer), server_socket)
        except OSError:  # it has gone already
            server_socket.close()
            self._count_out(peer)

    def _has_room(self, peer: str) -> bool:
        """True if there is room for another connection from there, after ending a waiting one if necessary."""
        if self._open[limit_key(peer)] >= self._from_address and not self._proxies.trusts(peer):
            self.refusals.add("connections, too many from an address")
            return False
        if self._open.total() < self._capacity.connections:
            return True
        longest = next(iter(self._waiting), None)
        if longest is None:
            self.refusals.add("connections, too many in all")
            return False
        self.refusals.add("connections that wait, for new ones")
        del self._waiting[longest]
        longest.end()
        return True

    def _count_out(self, peer: str) -> None:
        self._open[peer] -= 1
        if not self._open[peer]:
            del self._open[peer]

    def _wait(self, connection: Connection, seconds: float) -> None:
        self._waiting[connection] = None
        connection.wait(seconds)

    def _counting(self, answer: Callable[[Any], Awaitable[Any]]) -> Callable[[Any], Awaitable[Any]]:
        """Answer a request with the connection's timeout suspended."""

        async def counting(request: web.BaseRequest) -> web.StreamResponse:
            connection = request.protocol
            assert isinstance(connection, Connection)
            self._waiting.pop(connection, None)
            connection.busy()
            try:
                if request.headers.get("Expect", "100-continue").lower() != "100-continue":
                    return _refused(HTTPStatus.EXPECTATION_FAILED, NO_HTTP)
                response: web.StreamResponse = await answer(request)
                return response
            finally:
                if connection.transport is not None:
                    self._wait(connection, self._capacity.idle)

        return counting


def _refused(status: HTTPStatus, sentence: str) -> web.Response:
    """The refusal of a connection."""
    answer = json_answer({"error": sentence}, status)
    answer.headers.update(HEADERS)
    answer.force_close()
    return answer
