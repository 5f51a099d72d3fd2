"""Handing a request to a sandbox that runs already: one line of JSON each way over a local socket."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from bot.table.errors import Refused, told

Handle: TypeAlias = Callable[[Path, int | None], Awaitable[str]]
"""Loads a log up to an action and says where it is shown."""
ANSWER_SECONDS = 60.0
"""How long to wait for an answer."""


@asynccontextmanager
async def listening(socket: Path, handle: Handle) -> AsyncIterator[None]:
    """Take requests on this socket; only the owner of the folder can reach it."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answer = {"said": await _answered(await reader.readline(), handle), "fine": True}
        except Exception as error:  # noqa: BLE001 - the other side waits for an answer
            answer = {"said": told(error), "fine": False}
        writer.write(json.dumps(answer).encode() + b"\n")
        with suppress(ConnectionError):
            await writer.drain()
        writer.close()

    await asyncio.to_thread(_make_room, socket)
    server = await asyncio.start_unix_server(serve, socket)
    try:
        yield
    finally:
        server.close()
        await asyncio.to_thread(socket.unlink, missing_ok=True)


async def hand_over(socket: Path, log: Path, until: int | None) -> str | None:
    """Ask the sandbox behind this socket to show a log (absolute path); its answer, None if nobody listens.

    Raises Refused with what it said if it could not.
    """
    try:
        reader, writer = await asyncio.open_unix_connection(socket)
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    try:
        writer.write(json.dumps({"log": str(log), "until": until}).encode() + b"\n")
        await writer.drain()
        async with asyncio.timeout(ANSWER_SECONDS):
            answer = json.loads(await reader.readline())
    except (TimeoutError, ConnectionError, ValueError) as error:
        raise Refused("The sandbox that runs does not answer. Stop it and try again.") from error
    finally:
        writer.close()
    if not answer["fine"]:
        raise Refused(answer["said"])
    return str(answer["said"])


async def _answered(line: bytes, handle: Handle) -> str:
    request = json.loads(line)
    return await handle(Path(request["log"]), request["until"])


def _make_room(socket: Path) -> None:
    socket.parent.mkdir(parents=True, exist_ok=True)
    # A killed process leaves its socket behind; the database's lock says that nobody else runs here.
    socket.unlink(missing_ok=True)
