"""Handing a request to a sandbox that runs already: one line of JSON each way over a port of this machine.

Which port, and the word by which it knows that the other may read this folder, stands in a file.
"""

import asyncio
import json
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from bot.table.errors import Refused, error_sentence

Handle: TypeAlias = Callable[[Path, int | None], Awaitable[str]]
"""Loads a log up to an action and says where it is shown."""
HERE = "127.0.0.1"
"""Nobody on another machine reaches it."""
ANSWER_SECONDS = 60.0
"""How long to wait for an answer."""


@asynccontextmanager
async def listening(door: Path, handle: Handle) -> AsyncIterator[None]:
    """Take requests at a port that this file tells; only who may read the file is answered."""
    word = secrets.token_hex(16)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answer = {"said": await _answered(await reader.readline(), word, handle), "fine": True}
        except Exception as error:  # noqa: BLE001 - the other side waits for an answer
            answer = {"said": error_sentence(error), "fine": False}
        writer.write(json.dumps(answer).encode() + b"\n")
        with suppress(ConnectionError):
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, HERE, 0)
    port = server.sockets[0].getsockname()[1]
    await asyncio.to_thread(_tell, door, {"port": port, "word": word})
    try:
        yield
    finally:
        server.close()
        await asyncio.to_thread(door.unlink, missing_ok=True)


async def hand_over(door: Path, log: Path, until: int | None) -> str | None:
    """Ask the sandbox that this file tells of to show a log (absolute path); its answer, None if none runs.

    Raises Refused with what it said if it could not.
    """
    try:
        found = json.loads(await asyncio.to_thread(door.read_text, "utf-8"))
        reader, writer = await asyncio.open_connection(HERE, found["port"])
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    try:
        request = {"word": found["word"], "log": str(log), "until": until}
        writer.write(json.dumps(request).encode() + b"\n")
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


async def _answered(line: bytes, word: str, handle: Handle) -> str:
    request = json.loads(line)
    if not secrets.compare_digest(str(request["word"]), word):
        raise Refused("The sandbox that runs is another one. Stop it and try again.")
    return await handle(Path(request["log"]), request["until"])


def _tell(door: Path, error_sentence: Mapping[str, object]) -> None:
    door.parent.mkdir(parents=True, exist_ok=True)
    # A killed process leaves its file behind; the database's lock says that nobody else runs here.
    door.unlink(missing_ok=True)
    with os.fdopen(os.open(door, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(error_sentence, file)
