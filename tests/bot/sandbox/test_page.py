"""Requests of the sandbox's page, and their users."""

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from bot.sandbox.guild import messages, registered_commands, seed
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.toy import Toy

ANN, BOB = seed.OWNER_ID, seed.OWNER_ID + 1
TABLE = str(seed.TABLE_CHANNEL_ID)
BOT = messages.MessageOrigin(seed.BOT_ID)


class Page:
    """A page that plays as people of the sandbox."""

    def __init__(self, server: LoopbackServer, session: aiohttp.ClientSession) -> None:
        self._server = server
        self.session = session
        self.origin = {"Origin": server.url}

    async def get(self, path: str, person: int, **query: str) -> Any:
        url = f"{self._server.url}/sandbox/{path}"
        async with self.session.get(url, params={"person": str(person), **query}) as reply:
            return await reply.json()

    async def messages(self, person: int, **query: str) -> Any:
        return await self.get("messages", person, channel=TABLE, **query)

    async def act(self, person: int, act: str, /, **body: Any) -> Any:
        url = f"{self._server.url}/sandbox/act/{act}?person={person}"
        async with self.session.post(url, json={"channel": TABLE, **body}, headers=self.origin) as reply:
            return await reply.json()

    def events(self, person: int) -> Any:
        url = f"{self._server.url}/sandbox/events?person={person}"
        return self.session.ws_connect(url, headers=self.origin)


@pytest.fixture
async def page(server: LoopbackServer) -> AsyncIterator[Page]:
    async with aiohttp.ClientSession() as session:
        yield Page(server, session)


SCRIPTS = ("app", "feed", "forms", "menus", "messages", "palette", "seats", "text", "welcome")


async def test_files_carry_a_strict_policy(server: LoopbackServer, page: Page) -> None:
    for name in ("", "style.css", *(f"{script}.js" for script in SCRIPTS)):
        async with page.session.get(f"{server.url}/{name}") as reply:
            policy = reply.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy, name
            assert "unsafe-inline" not in policy, name
            assert "innerHTML" not in await reply.text(), name


async def test_game_by_the_page(page: Page, bot: Toy) -> None:
    found = await page.act(ANN, "complete", command="game new", focused="title", values={"title": "al"})
    assert found["choices"] == [{"name": "18AL", "value": "18AL"}]
    assert (await page.act(ANN, "slash", command="game new", values={"title": "18AL"}))["failed"] is None
    state = await page.get("state", BOB)
    assert "18AL game" in [c["name"] for c in state["channels"]]
    assert "game new" in [c["name"] for c in state["commands"]]
    shown = await page.messages(BOB)
    post = next(m for m in shown if m["components"])
    assert post["embeds"][0]["image"]["url"].startswith("/cdn/")
    assert not any(m["ephemeral"] for m in shown)
    assert (await page.act(BOB, "press", message=post["id"], custom_id="g:1:pass"))["failed"] is None
    [private] = [m for m in await page.messages(BOB) if m["ephemeral"]]
    assert private["content"] == "Bob passed at 1"
    assert "problem" in await page.act(ANN, "dismiss", message=private["id"])
    assert await page.act(BOB, "dismiss", message=private["id"]) == {}
    assert not any(m["ephemeral"] for m in await page.messages(BOB))


async def test_badges_count_unseen_pings(server: LoopbackServer, page: Page) -> None:
    messages.post(
        server.world, server.world.channel(seed.TABLE_CHANNEL_ID), {"content": f"<@{BOB}>"}, [], BOT
    )

    async def waiting() -> list[int]:
        people = {p["name"]: p["waiting"] for p in (await page.get("state", ANN))["people"]}
        return [people["Ann"], people["Bob"]]

    assert await waiting() == [0, 1]
    await page.act(BOB, "look")
    assert await waiting() == [0, 0]


async def test_news_are_for_who_may_see(server: LoopbackServer, page: Page) -> None:
    world = server.world
    table, only = world.channel(seed.TABLE_CHANNEL_ID), messages.MessageOrigin(seed.BOT_ID, only_for=ANN)
    async with page.events(BOB) as socket:
        for place, text, origin in (
            (world.dm_channel_with(ANN), "secret", BOT),
            (table, "private", only),
            (table, "for all", BOT),
        ):
            messages.post(world, place, {"content": text}, [], origin)
        ping, news = await socket.receive_json(), await socket.receive_json()
    assert ping == {"kind": "message_create"}
    assert news["message"]["content"] == "for all"


ORIGINS: tuple[dict[str, str], ...] = (
    {},
    {"Origin": "http://example.org"},
    {"Origin": "null"},
    {"Host": "rebound.example", "Origin": "http://rebound.example"},
)


@pytest.mark.parametrize("headers", ORIGINS)
async def test_other_origins_may_not_ask(server: LoopbackServer, page: Page, headers: dict[str, str]) -> None:
    url = f"{server.url}/sandbox/act/say?person={ANN}"
    async with page.session.post(url, json={"channel": TABLE, "text": "x"}, headers=headers) as reply:
        assert reply.status == 403
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await page.session.ws_connect(f"{server.url}/sandbox/events?person={ANN}", headers=headers)
    assert server.world.messages == {}


NONSENSE: tuple[tuple[str, dict[str, str]], ...] = (
    ("dance", {}),
    ("press", {"message": "1", "custom_id": "x"}),
    ("slash", {"command": "nothing"}),
    ("slash", {}),
    ("say", {"text": ""}),
    ("say", {"channel": "7", "text": "x"}),
    ("look", {"channel": "x"}),
)


async def test_nonsense_is_a_problem(page: Page) -> None:
    for act, body in NONSENSE:
        assert (await page.act(ANN, act, **body))["problem"], act
    assert (await page.get("state", seed.BOT_ID))["problem"] == "You cannot act as the bot."
    assert (await page.get("state", 5))["problem"] == "Unknown User"


async def test_no_games_are_offered(page: Page) -> None:
    """Until a bot does: `tests/bot/running/test_showcase.py`."""
    assert (await page.get("state", ANN))["openings"] == []
    assert await page.act(ANN, "tape") == {"tape": None, "board": False}
    assert (await page.act(ANN, "begin", name="watch"))[
        "problem"
    ] == "This sandbox has no sample games to open."


async def test_commands_listed_where_offered(server: LoopbackServer, page: Page) -> None:
    owners = {"name": "health", "description": "For its owner", "default_member_permissions": "32"}
    everybodys = {"name": "help", "description": "How to play", "dm_permission": False}
    registered_commands.sync(server.world, 0, [owners, everybodys])
    for person, health in ((ANN, (True, True)), (BOB, (False, True))):
        commands = (await page.get("state", person))["commands"]
        offered = {c["name"]: (c["guild"], c["direct"]) for c in commands}
        assert offered == {"health": health, "help": (True, False)}


async def test_earlier_messages_and_pins(server: LoopbackServer, page: Page) -> None:
    table = server.world.channel(seed.TABLE_CHANNEL_ID)
    said = [messages.post(server.world, table, {"content": str(n)}, [], BOT) for n in range(250)]
    for query, first, last in (
        ({}, 150, 250),
        ({"before": str(said[150].id)}, 50, 150),
        ({"around": str(said[100].id)}, 50, 250),
        ({"around": str(said[240].id)}, 150, 250),
    ):
        found = await page.messages(ANN, **query)
        assert [int(m["content"]) for m in found] == list(range(first, last))
    messages.pin(server.world, said[3])
    assert [m["content"] for m in await page.get("pins", BOB, channel=TABLE)] == ["3"]
