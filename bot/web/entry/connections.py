"""Limits and timeouts of the board page's TCP connections, which leave enough open files for the rest of the bot."""

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any, Final

from aiohttp import web

from bot.web.entry.access import uncached_json_response
from bot.web.entry.addresses import Proxies, rate_limit_key
from bot.web.entry.page_and_stream_limits import MAX_REQUESTS_PER_ADDRESS, PageCapacity, RefusalCounter
from bot.web.entry.security_headers import SECURITY_HEADERS

MAX_QUEUED_CONNECTIONS: Final = 128
"""Maximum number of connections that wait in the operating system's queue until the server accepts them."""
MAX_ACCEPTED_AT_ONCE: Final = 32
"""Number of connections accepted in one go. The server may briefly exceed its limit on connections by this number."""
ACCEPT_RETRY_SECONDS: Final = 0.1
"""Seconds to wait after the operating system failed to accept a connection."""
SEND_TIMEOUT_MILLISECONDS: Final = 60_000
"""Milliseconds after which the operating system closes a connection whose peer reads nothing."""
READ_AFTER_REFUSAL_SECONDS: Final = 2.0
"""Seconds for which the server still reads the rest of a request that it refused early."""
INVALID_HTTP: Final = "This is not a valid HTTP request."


class Connection(web.RequestHandler):
    """A TCP connection of a browser or proxy, closed after a time without a request."""

    __slots__ = ("_connections", "_timeout_handle", "peer")

    def __init__(self, connections: "Connections", server: web.Server, peer: str) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            access_log=None,  # type: ignore[arg-type]
            lingering_time=READ_AFTER_REFUSAL_SECONDS,
            auto_decompress=False,
        )
        self._connections = connections
        self._timeout_handle: asyncio.TimerHandle | None = None
        self.peer = peer

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the new connection; called by asyncio."""
        super().connection_made(transport)
        self._connections.add_connection(self)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Unregister the closed connection; called by asyncio."""
        self.stop_timeout()
        self._connections.remove_connection(self)
        super().connection_lost(exc)

    def start_timeout(self, seconds: float) -> None:
        """Close the connection after these seconds unless `stop_timeout` is called."""
        self._timeout_handle = asyncio.get_running_loop().call_later(seconds, self.close_now)

    def stop_timeout(self) -> None:
        """Cancel the timeout, since a request has arrived."""
        if self._timeout_handle is not None:
            self._timeout_handle.cancel()

    def close_now(self) -> None:
        """Close the connection at once."""
        if self.transport is not None:
            self.transport.abort()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Respond to bytes that are not valid HTTP."""
        if status != HTTPStatus.BAD_REQUEST:
            return super().handle_error(request, status, exc, message)
        self._connections.refusals.add("requests that are not HTTP")
        return _refusal_response(HTTPStatus.BAD_REQUEST, INVALID_HTTP)


class Connections:
    """Accepts TCP connections up to limits; when full, closes the one that has waited longest for a request."""

    def __init__(
        self, capacity: PageCapacity, limit_factor: float, proxies: Proxies, refusals: RefusalCounter
    ) -> None:
        """`limit_factor` multiplies the limit on connections from one client address."""
        self.refusals = refusals
        self._capacity = capacity
        self._max_connections_per_address = MAX_REQUESTS_PER_ADDRESS * limit_factor
        self._proxies = proxies
        self._open_counts: Counter[str] = Counter()
        self._connection_start_tasks: set[asyncio.Task[Any]] = set()
        self._waiting_connections: dict[Connection, None] = {}
        """Connections without a request in progress, longest-waiting first."""

    @asynccontextmanager
    async def accepting(self, server: web.Server, host: str, port: int) -> AsyncIterator[int]:
        """Within the context, accept connections on `port` (0: any free port), and yield the actual port.

        Raises OSError if the port is taken.
        """
        server.request_handler = self._with_timeout_suspended(server.request_handler)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.create_server(
            (host, port), family=family, backlog=MAX_QUEUED_CONNECTIONS
        ) as listening_socket:
            listening_socket.setblocking(False)
            accept_task = asyncio.create_task(self._accept(listening_socket, server))
            try:
                yield int(listening_socket.getsockname()[1])
            finally:
                accept_task.cancel()
                await asyncio.wait({accept_task, *self._connection_start_tasks})

    def add_connection(self, connection: Connection) -> None:
        """Start the timeout of a new connection."""
        self._start_timeout(connection, self._capacity.request_timeout)

    def remove_connection(self, connection: Connection) -> None:
        """Stop counting a closed connection."""
        self._waiting_connections.pop(connection, None)
        self._subtract_connection(connection.peer)

    async def _accept(self, listening_socket: socket.socket, server: web.Server) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                self._accept_or_refuse(server, *await loop.sock_accept(listening_socket))
                with suppress(BlockingIOError):  # all are in
                    for _ in range(MAX_ACCEPTED_AT_ONCE):
                        self._accept_or_refuse(server, *listening_socket.accept())
            except OSError as error:  # the process has no file left
                self.refusals.add(f"connections, {error.strerror}")
                await asyncio.sleep(ACCEPT_RETRY_SECONDS)
            await asyncio.sleep(0)

    def _accept_or_refuse(
        self, server: web.Server, server_socket: socket.socket, socket_address: Any
    ) -> None:
        if not self._make_room(socket_address[0]):
            server_socket.close()
            return
        counted_address = rate_limit_key(socket_address[0])
        self._open_counts[counted_address] += 1
        start_task = asyncio.create_task(self._start_connection(server, server_socket, counted_address))
        self._connection_start_tasks.add(start_task)
        start_task.add_done_callback(self._connection_start_tasks.discard)

    async def _start_connection(
        self, server: web.Server, server_socket: socket.socket, counted_address: str
    ) -> None:
        try:
            server_socket.setblocking(False)
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
                server_socket.setsockopt(
                    socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SEND_TIMEOUT_MILLISECONDS
                )
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(
                lambda: Connection(self, server, counted_address), server_socket
            )
        except OSError:  # it has gone already
            server_socket.close()
            self._subtract_connection(counted_address)

    def _make_room(self, peer: str) -> bool:
        """Make room for a connection from this peer, perhaps by closing a waiting one; return False if impossible."""
        if self._open_counts[
            rate_limit_key(peer)
        ] >= self._max_connections_per_address and not self._proxies.trusts(peer):
            self.refusals.add("connections, too many from an address")
            return False
        if self._open_counts.total() < self._capacity.connections:
            return True
        longest_waiting_connection = next(iter(self._waiting_connections), None)
        if longest_waiting_connection is None:
            self.refusals.add("connections, too many in total")
            return False
        self.refusals.add("idle connections, to make room for new ones")
        del self._waiting_connections[longest_waiting_connection]
        longest_waiting_connection.close_now()
        return True

    def _subtract_connection(self, counted_address: str) -> None:
        self._open_counts[counted_address] -= 1
        if not self._open_counts[counted_address]:
            del self._open_counts[counted_address]

    def _start_timeout(self, connection: Connection, seconds: float) -> None:
        self._waiting_connections[connection] = None
        connection.start_timeout(seconds)

    def _with_timeout_suspended(
        self, handler: Callable[[Any], Awaitable[Any]]
    ) -> Callable[[Any], Awaitable[Any]]:
        async def answer_without_timeout(request: web.BaseRequest) -> web.StreamResponse:
            connection = request.protocol
            assert isinstance(connection, Connection)
            self._waiting_connections.pop(connection, None)
            connection.stop_timeout()
            try:
                if request.headers.get("Expect", "100-continue").lower() != "100-continue":
                    return _refusal_response(HTTPStatus.EXPECTATION_FAILED, INVALID_HTTP)
                response: web.StreamResponse = await handler(request)
                return response
            finally:
                if connection.transport is not None:
                    self._start_timeout(connection, self._capacity.idle_timeout)

        return answer_without_timeout


def _refusal_response(status: HTTPStatus, sentence: str) -> web.Response:
    """An error response, after which the connection is closed."""
    response = uncached_json_response({"error": sentence}, status)
    response.headers.update(SECURITY_HEADERS)
    response.force_close()
    return response
