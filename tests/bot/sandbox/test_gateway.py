"""The event socket: who is let in, which guilds and texts a client gets, and resuming."""

import asyncio

import aiohttp
import discord
import pytest

from bot.sandbox.guild import seed
from bot.sandbox.refusal import Json
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.conftest import Start
from tests.bot.sandbox.faults import FaultyServer
from tests.bot.sandbox.toy import Toy


async def answered(server: LoopbackServer, frame: Json) -> Json:
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{server.url}/gateway") as socket:
        await socket.receive_json()
        await socket.send_json(frame)
        answer = await socket.receive()
        if answer.type is not aiohttp.WSMsgType.TEXT:
            return {"closed": socket.close_code}
        found: Json = answer.json()
        return found


async def guilds(server: LoopbackServer, shard: list[int] | None) -> int:
    identify: Json = {"op": 2, "d": {"token": seed.DUMMY_TOKEN, "intents": 1, "shard": shard}}
    return len((await answered(server, identify))["d"]["guilds"])


async def test_shard_gets_its_own_guilds(server: LoopbackServer) -> None:
    own = (seed.GUILD_ID >> 22) % 4
    assert [await guilds(server, [number, 4]) for number in range(4)] == [
        number == own for number in range(4)
    ]
    assert await guilds(server, None) == 1


@pytest.mark.parametrize(
    ("frame", "found"),
    [
        ({"op": 2, "d": {"token": seed.DUMMY_TOKEN, "intents": 1, "shard": [2, 2]}}, {"closed": 4010}),
        ({"op": 6, "d": {"token": seed.DUMMY_TOKEN, "session_id": "unknown", "seq": 0}}, {"op": 9}),
    ],
    ids=["a shard that cannot be", "an unknown session"],
)
async def test_client_is_not_let_in(server: LoopbackServer, frame: Json, found: Json) -> None:
    assert found.items() <= (await answered(server, frame)).items()


async def test_login_refused(server: LoopbackServer) -> None:
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        with pytest.raises(discord.LoginFailure):
            await client.login("another")
    async with discord.Client(intents=discord.Intents(guilds=True, members=True)) as client:
        with pytest.raises(discord.PrivilegedIntentsRequired):
            await client.start(server.token)


async def test_texts_of_others_need_the_intent(server: LoopbackServer, start: Start) -> None:
    heard: list[str] = []
    bot = await start(discord.Intents(guilds=True, guild_messages=True))

    @bot.event
    async def on_message(message: discord.Message) -> None:
        heard.append(message.content)

    ann = server.person("Ann")
    ann.say("table", "psst")
    ann.say("table", f"hey <@{seed.BOT_ID}>")
    await bot.get_partial_messageable(seed.TABLE_CHANNEL_ID).send("own words")
    await ann.slash("table", "menu")
    assert heard[:3] == ["", f"hey <@{seed.BOT_ID}>", "own words"]


# --- lost connections ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["cut", "drop", "ask_to_reconnect"])
async def test_lost_socket_is_resumed(server: FaultyServer, bot: Toy, way: str) -> None:
    sockets = server.faults.sockets
    if way == "cut":
        sockets.cut()
    else:
        await (server.gateway.close_sockets() if way == "drop" else sockets.ask_to_reconnect())
    assert (await server.person("Ann").slash("table", "menu")).text == "choose"
    assert (server.gateway.resume_count, bot.resumed) == (1, 1)


async def test_invalid_session_is_replaced(server: FaultyServer, bot: Toy) -> None:
    ready: list[int] = []

    @bot.event
    async def on_ready() -> None:
        ready.append(len(bot.guilds))

    await server.faults.sockets.forget()
    async with asyncio.timeout(20):
        while not ready:  # noqa: ASYNC110 - the client tells nobody
            await asyncio.sleep(0.02)
    assert (ready, server.gateway.resume_count) == ([1], 0)
    assert (await server.person("Ann").slash("table", "menu")).text == "choose"
