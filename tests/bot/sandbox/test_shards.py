"""The event socket tells each shard of its own guilds only."""

from __future__ import annotations

import aiohttp

from bot.sandbox.guild import seed
from bot.sandbox.refusal import Json
from bot.sandbox.server import LoopbackServer


async def identified(server: LoopbackServer, shard: list[int] | None) -> Json:
    """What a client that names this shard receives first; how the socket closed where it is not let in."""
    identify: Json = {"op": 2, "d": {"token": seed.DUMMY_TOKEN, "intents": 1, "shard": shard}}
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{server.url}/gateway") as socket:
        await socket.receive_json()
        await socket.send_json(identify)
        answer = await socket.receive()
        if answer.type is not aiohttp.WSMsgType.TEXT:
            return {"closed": socket.close_code}
        ready: Json = answer.json()
        guilds: list[Json] = ready["d"]["guilds"]
        return {"guilds": len(guilds)}


async def test_a_guild_is_sent_in_its_shard_only(server: LoopbackServer) -> None:
    own = (seed.GUILD_ID >> 22) % 4
    assert [(await identified(server, [number, 4]))["guilds"] for number in range(4)] == [
        number == own for number in range(4)
    ]


async def test_who_names_no_shard_gets_everything(server: LoopbackServer) -> None:
    assert await identified(server, None) == {"guilds": 1}


async def test_a_shard_that_there_cannot_be_is_not_let_in(server: LoopbackServer) -> None:
    assert await identified(server, [2, 2]) == {"closed": 4010}
