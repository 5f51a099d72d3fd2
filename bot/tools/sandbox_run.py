"""Runs the bot and a sandbox server (an imitation of Discord) in one process, and shows recorded games there.

`stationmaster play` asks a running sandbox to show a game. Request and answer are lines of JSON over a local port.
A file contains the port and a secret word, which the asking process must send to show that it may read the file.
"""

import asyncio
import json
import os
import secrets
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeAlias

from bot.client.app import Stationmaster
from bot.client.features.events.posts import advance_event_safely
from bot.sandbox.guild.world import GAME_IN_PREPARATION, World
from bot.sandbox.redirect import redirect_discord_to
from bot.sandbox.refusal import SandboxError
from bot.sandbox.server import LoopbackServer
from bot.table.errors import Refused, error_sentence
from bot.table.imports import read_recorded_game, store_recorded_game
from bot.table.tables import Tables
from bot.tools.environment import Environment, port_errors_as_setting_errors, require_folder
from bot.tools.serving import serve
from bot.tools.showcase import SANDBOX_TABLE, Showcase
from engine import Record
from storage import open_database

HandleRequest: TypeAlias = Callable[[Path, int | None], Awaitable[str]]
"""A function that shows a recorded game up to an action (None: all). It returns a sentence with the game's URL."""
LOOPBACK = "127.0.0.1"
"""Address for requests to a running sandbox. Only this machine can reach it."""
ANSWER_SECONDS = 60.0
"""Seconds to wait for the answer of a running sandbox."""


START_BANNER = """
======================================================================
  No DISCORD_TOKEN is set: this is the SANDBOX.
  Nothing goes to Discord. Open  {url}  in a browser
  and play every seat yourself. Ctrl-C stops it.
======================================================================
"""


async def run_sandbox(settings: Environment, recorded_game: Record | None = None) -> None:
    """Run the bot with a sandbox server. If a recorded game is given, the sandbox's page opens at that game."""
    settings = settings.for_sandbox()
    async with await open_database(settings.database_location) as db, AsyncExitStack() as stack:
        # After opening the database, since its lock also protects the folder.
        require_folder(settings.sandbox_folder, "STATIONMASTER_SANDBOX_STATE")
        world = World(settings.sandbox_folder / "world.jsonl")
        with port_errors_as_setting_errors(settings.sandbox_port, "STATIONMASTER_SANDBOX_PORT"):
            server = await stack.enter_async_context(LoopbackServer(port=settings.sandbox_port, world=world))
        redirect_discord_to(server.url)
        sys.stderr.write(START_BANNER.format(url=server.url))

        async def on_connected(client: Stationmaster) -> None:
            world.offer_games(Showcase(client.tables, partial(advance_event_safely, client)))
            if recorded_game is not None:
                sys.stderr.write(
                    f"{await show_recorded_game(client.tables, world, recorded_game, settings)}\n"
                )

        world.shown_channel_id = None if recorded_game is None else GAME_IN_PREPARATION
        await serve(
            db, settings, server.token, on_connected, lambda client: _listen_for_logs(client, world, settings)
        )


def _listen_for_logs(
    client: Stationmaster, world: World, settings: Environment
) -> AbstractAsyncContextManager[None]:
    async def show(log_file: Path, last_action_number: int | None) -> str:
        recorded_game = await asyncio.to_thread(read_recorded_game, log_file, last_action_number)
        await client.wait_until_ready()
        return await show_recorded_game(client.tables, world, recorded_game, settings)

    return listening_for_requests(settings.sandbox_request_file, show)


async def show_recorded_game(
    tables: Tables, world: World, recorded_game: Record, settings: Environment
) -> str:
    """Store a recorded game as a running game, and open the sandbox's page at it; returns a sentence with the URL."""
    game_id = await store_recorded_game(tables, recorded_game, SANDBOX_TABLE)
    # If the thread comes too late on a slow machine, the page opens where it was before.
    with suppress(SandboxError):
        world.show_channel(await Showcase(tables).thread(game_id))
    return f"Game {game_id} is open in the sandbox: {settings.sandbox_url}"


@asynccontextmanager
async def listening_for_requests(request_file: Path, handle_request: HandleRequest) -> AsyncIterator[None]:
    """Context manager: answers requests from processes that can read `request_file`. Listens on a free port."""
    secret_word = secrets.token_hex(16)

    async def take_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answer = {
                "said": await _answer_request(await reader.readline(), secret_word, handle_request),
                "fine": True,
            }
        except Exception as error:  # noqa: BLE001 - the other side waits for an answer
            answer = {"said": error_sentence(error), "fine": False}
        writer.write(json.dumps(answer).encode() + b"\n")
        with suppress(ConnectionError):
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(take_request, LOOPBACK, 0)
    port = server.sockets[0].getsockname()[1]
    await asyncio.to_thread(_write_request_file, request_file, {"port": port, "word": secret_word})
    try:
        yield
    finally:
        server.close()
        await asyncio.to_thread(request_file.unlink, missing_ok=True)


async def show_in_running_sandbox(
    request_file: Path, log_file: Path, last_action_number: int | None
) -> str | None:
    """Ask a running sandbox to show a recorded game. Returns its answer, or None if no sandbox is running.

    Raises Refused, with the sandbox's reason, if it cannot show the game.
    """
    try:
        address = json.loads(await asyncio.to_thread(request_file.read_text, "utf-8"))
        reader, writer = await asyncio.open_connection(LOOPBACK, address["port"])
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    try:
        request = {"word": address["word"], "log": str(log_file), "until": last_action_number}
        writer.write(json.dumps(request).encode() + b"\n")
        await writer.drain()
        async with asyncio.timeout(ANSWER_SECONDS):
            answer = json.loads(await reader.readline())
    except (TimeoutError, ConnectionError, ValueError) as error:
        raise Refused("The running sandbox does not answer. Stop it and try again.") from error
    finally:
        writer.close()
    if not answer["fine"]:
        raise Refused(answer["said"])
    return str(answer["said"])


async def _answer_request(request_line: bytes, secret_word: str, handle_request: HandleRequest) -> str:
    request = json.loads(request_line)
    if not secrets.compare_digest(str(request["word"]), secret_word):
        raise Refused("Another sandbox is running. Stop it and try again.")
    return await handle_request(Path(request["log"]), request["until"])


def _write_request_file(request_file: Path, contents: Mapping[str, object]) -> None:
    request_file.parent.mkdir(parents=True, exist_ok=True)
    # A killed process leaves its file behind. No other sandbox runs here, since this one holds the database's lock.
    request_file.unlink(missing_ok=True)
    with os.fdopen(
        os.open(request_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
    ) as file:
        json.dump(contents, file)
