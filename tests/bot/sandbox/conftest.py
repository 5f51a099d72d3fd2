"""A loopback server and toy bots connected to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import discord
import pytest

from bot.sandbox.guild import seed
from bot.sandbox.guild.world import World
from bot.sandbox.http.gateway import PRIVILEGED_INTENTS
from bot.sandbox.redirect import discord_redirected_to
from tests.bot.sandbox.faults import FaultyServer
from tests.bot.sandbox.toy import Toy

Start = Callable[..., Awaitable[Toy]]


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
async def server(world: World) -> AsyncIterator[FaultyServer]:
    async with FaultyServer(world=world) as server:
        with discord_redirected_to(server.url):
            yield server


@pytest.fixture
async def start(server: FaultyServer) -> AsyncIterator[Start]:
    """Starts a toy bot and waits until it is ready; every bot is closed at the end."""
    async with AsyncExitStack() as stack:

        async def starter(intents: discord.Intents | None = None) -> Toy:
            bot = Toy(intents)
            server.world.privileged_intents = bot.intents.value & PRIVILEGED_INTENTS
            task = asyncio.create_task(bot.start(server.token))

            async def end() -> None:
                await bot.close()
                await task

            stack.push_async_callback(end)
            await server.wait_until_ready()
            await bot.wait_until_ready()
            return bot

        yield starter


@pytest.fixture
async def bot(start: Start) -> Toy:
    return await start()


@pytest.fixture
def channel(bot: Toy) -> discord.TextChannel:
    """The table's channel as the client has it."""
    found = bot.get_channel(seed.TABLE_CHANNEL_ID)
    assert isinstance(found, discord.TextChannel)
    return found
