"""What the page asks for, and who may ask."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from bot.sandbox.guild import messages, registered_commands, seed
from bot.sandbox.guild.world import SampleOpening, Tape
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.toy import Toy

ANN = seed.OWNER_ID
BOB = ANN + 1
TABLE = str(seed.TABLE_ID)


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

    async def act(self, person: int, act: str, **body: Any) -> Any:
        url = f"{self._server.url}/sandbox/act/{act}?person={person}"
        async with self.session.post(url, json={"channel": TABLE, **body}, headers=self.origin) as reply:
            return await reply.json()

    def events(self, person: int) -> Any:
        return self.session.ws_connect(
            f"{self._server.url}/sandbox/events?person={person}", headers=self.origin
        )


@pytest.fixture
async def page(server: LoopbackServer) -> AsyncIterator[Page]:
    async with aiohttp.ClientSession() as session:
        yield Page(server, session)


SCRIPTS = ("app", "feed", "forms", "menus", "messages", "palette", "seats", "text", "welcome")


@pytest.mark.parametrize("name", ["", "style.css", *(f"{script}.js" for script in SCRIPTS)])
async def test_files_of_the_page_carry_a_strict_policy(server: LoopbackServer, page: Page, name: str) -> None:
    async with page.session.get(f"{server.url}/{name}") as reply:
        policy = reply.headers["Content-Security-Policy"]
        text = await reply.text()
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert "innerHTML" not in text


async def test_a_game_by_the_page(server: LoopbackServer, page: Page, bot: Toy) -> None:
    found = await page.act(ANN, "complete", command="game new", focused="title", values={"title": "al"})
    assert found["choices"] == [{"name": "18AL", "value": "18AL"}]
    assert (await page.act(ANN, "slash", command="game new", values={"title": "18AL"}))["failed"] is None
    state = await page.get("state", BOB)
    assert "18AL game" in [c["name"] for c in state["channels"]]
    assert "game new" in [c["name"] for c in state["commands"]]
    messages = await page.get("messages", BOB, channel=TABLE)
    post = next(m for m in messages if m["components"])
    assert post["embeds"][0]["image"]["url"].startswith("/cdn/")
    assert not any(m["ephemeral"] for m in messages)
    pressed = await page.act(BOB, "press", message=post["id"], custom_id="g:1:pass")
    assert pressed["failed"] is None
    private = [m for m in await page.get("messages", BOB, channel=TABLE) if m["ephemeral"]]
    assert [m["content"] for m in private] == ["Bob passed at 1"]
    assert "problem" in await page.act(ANN, "dismiss", message=private[0]["id"])
    assert await page.act(BOB, "dismiss", message=private[0]["id"]) == {}
    assert not any(m["ephemeral"] for m in await page.get("messages", BOB, channel=TABLE))


async def test_forms_and_menus_by_the_page(server: LoopbackServer, page: Page, bot: Toy) -> None:
    await page.act(ANN, "slash", command="menu")
    message = (await page.get("messages", ANN, channel=TABLE))[-1]
    opened = await page.act(ANN, "press", message=message["id"], custom_id="bid")
    modal = opened["modal"]
    assert (modal["title"], modal["fields"][0]["label"]) == ("Your bid", "Amount")
    stolen = await page.act(BOB, "submit", opened_by=modal["opened_by"], values={"amount": "5"})
    assert stolen["problem"] == "That form is gone."
    await page.act(ANN, "submit", opened_by=modal["opened_by"], values={"amount": "5"})
    await page.act(ANN, "select", message=message["id"], custom_id="company", values=["B&O"])
    texts = [m["content"] for m in await page.get("messages", ANN, channel=TABLE)]
    assert texts == ["chosen B&O", "bid 5"]


async def test_badges_count_unseen_pings(server: LoopbackServer, page: Page) -> None:
    table = server.world.channel(seed.TABLE_ID)
    messages.post(server.world, table, {"content": f"<@{BOB}>"}, [], messages.Origin(seed.BOT_ID))

    async def waiting() -> dict[str, int]:
        return {p["name"]: p["waiting"] for p in (await page.get("state", ANN))["people"]}

    assert (await waiting())["Bob"] == 1
    assert (await waiting())["Ann"] == 0
    await page.act(BOB, "look")
    assert (await waiting())["Bob"] == 0


async def test_news_carry_only_what_the_person_may_see(server: LoopbackServer, page: Page) -> None:
    world = server.world
    table, direct = world.channel(seed.TABLE_ID), world.dm_with(ANN)
    async with page.events(BOB) as socket:
        messages.post(world, direct, {"content": "secret"}, [], messages.Origin(seed.BOT_ID))
        messages.post(world, table, {"content": "private"}, [], messages.Origin(seed.BOT_ID, only_for=ANN))
        messages.post(world, table, {"content": "for all"}, [], messages.Origin(seed.BOT_ID))
        ping, news = await socket.receive_json(), await socket.receive_json()
    assert ping == {"kind": "message_create"}
    assert news["message"]["content"] == "for all"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://example.org"},
        {"Origin": "null"},
        {"Host": "rebound.example", "Origin": "http://rebound.example"},
    ],
)
async def test_other_origins_may_not_ask(server: LoopbackServer, page: Page, headers: dict[str, str]) -> None:
    url = f"{server.url}/sandbox/act/say?person={ANN}"
    async with page.session.post(url, json={"channel": TABLE, "text": "x"}, headers=headers) as reply:
        assert reply.status == 403
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await page.session.ws_connect(f"{server.url}/sandbox/events?person={ANN}", headers=headers)
    assert server.world.messages == {}


async def test_nonsense_is_answered_with_a_sentence(server: LoopbackServer, page: Page) -> None:
    for act, body in [
        ("dance", {}),
        ("press", {"message": "1", "custom_id": "x"}),
        ("slash", {"command": "nothing"}),
        ("slash", {}),
        ("say", {"text": ""}),
        ("say", {"channel": "7", "text": "x"}),
        ("look", {"channel": "x"}),
    ]:
        assert (await page.act(ANN, act, **body))["problem"], act
    assert (await page.get("state", seed.BOT_ID))["problem"] == "You cannot act as the bot."
    assert (await page.get("state", 5))["problem"] == "Unknown User"


class Stage:
    """Shows one game of three moves in the table's channel."""

    openings = (SampleOpening("watch", "Watch", "A short game."),)

    def __init__(self) -> None:
        self.made = 0

    async def begin(self, name: str) -> int:
        return seed.TABLE_ID

    async def tape(self, channel_id: int) -> Tape | None:
        return Tape(self.made, 3) if channel_id == seed.TABLE_ID else None

    async def step(self, channel_id: int, moves: int) -> None:
        self.made += moves

    def has_board(self, channel_id: int) -> bool:
        return channel_id == seed.TABLE_ID

    async def board(self, channel_id: int, user_id: int) -> str:
        return f"http://board.test/{channel_id}/{user_id}"


async def test_a_newcomer_is_offered_games_and_steps_through_one(server: LoopbackServer, page: Page) -> None:
    assert (await page.get("state", ANN))["openings"] == []
    assert await page.act(ANN, "tape") == {"tape": None, "board": False}
    assert (await page.act(ANN, "begin", name="watch"))["problem"] == "There are no games to begin with."
    async with page.events(ANN) as socket:
        server.world.offer(Stage())
        assert await socket.receive_json() == {"kind": "bot"}
    assert [o["label"] for o in (await page.get("state", ANN))["openings"]] == ["Watch"]
    assert await page.act(ANN, "begin", name="watch") == {"channel": TABLE}
    assert await page.act(ANN, "step", moves=2) == {}
    assert await page.act(ANN, "tape") == {"tape": {"made": 2, "moves": 3}, "board": True}
    assert await page.act(ANN, "tape", channel=str(seed.SECOND_ID)) == {"tape": None, "board": False}
    assert await page.act(ANN, "board") == {"url": f"http://board.test/{TABLE}/{ANN}"}


async def test_commands_are_listed_where_they_are_offered(server: LoopbackServer, page: Page) -> None:
    owners = {"name": "health", "description": "For its owner", "default_member_permissions": "32"}
    everybodys = {"name": "help", "description": "How to play", "dm_permission": False}
    registered_commands.sync(server.world, 0, [owners, everybodys])

    async def offered(person: int) -> dict[str, tuple[bool, bool]]:
        commands = (await page.get("state", person))["commands"]
        return {c["name"]: (c["guild"], c["direct"]) for c in commands}

    assert await offered(ANN) == {"health": (True, True), "help": (True, False)}
    assert await offered(BOB) == {"health": (False, True), "help": (True, False)}


async def test_earlier_messages_and_pins_are_reached(server: LoopbackServer, page: Page) -> None:
    world = server.world
    table, bot = world.channel(seed.TABLE_ID), messages.Origin(seed.BOT_ID)
    said = [messages.post(world, table, {"content": str(number)}, [], bot) for number in range(250)]

    async def numbers(**query: str) -> list[int]:
        found = await page.get("messages", ANN, channel=TABLE, **query)
        return [int(m["content"]) for m in found]

    assert await numbers() == list(range(150, 250))
    assert await numbers(before=str(said[150].id)) == list(range(50, 150))
    assert await numbers(around=str(said[100].id)) == list(range(50, 250))
    assert await numbers(around=str(said[240].id)) == list(range(150, 250))
    messages.pin(world, said[3])
    assert [m["content"] for m in await page.get("pins", BOB, channel=TABLE)] == ["3"]
