"""Login by Logins: users who may see a game's thread get in; nobody by the answer for another browser."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import discord
import pytest
from aiohttp import ClientSession, CookieJar, web
from aiohttp.test_utils import TestServer
from discord.http import Route

from bot.client.places.who_may_see import may_see
from bot.sandbox.guild import threads
from bot.sandbox.guild.permissions import MANAGE_THREADS, VIEW_CHANNEL
from bot.sandbox.guild.seed import APPLICATION_ID, GUILD_ID, PLAYERS_ROLE_OFFSET
from bot.sandbox.model import ChannelKind
from bot.sandbox.redirect import discord_redirected_to
from bot.table.events.event_settings import EventSettings
from bot.table.events.events import Events, Organiser
from bot.tools.board_page import page_services
from bot.web.board_server import BoardPage
from bot.web.context import OAuthClient
from bot.web.entry.login_and_sessions import (
    AUTHORIZE_URL,
    LOGIN_COOKIE,
    LOGIN_EXPIRED,
    LOGIN_FAILED,
    THREAD_NOT_VISIBLE,
)
from storage import games
from tests.bot.support import changes
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.table_service import TableService
from tests.bot.web.visitors import PUBLIC, Answer, Site, answered

FORWARDED = ("Authorization", "Content-Type", "X-Audit-Log-Reason")


class Logins:
    """A sandbox at which people log in: the code is their name. The rest it is asked is the sandbox's."""

    def __init__(self, sandbox: SandboxBot) -> None:
        self._house = sandbox
        self.asked: list[dict[str, Any]] = []

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/api/v10/oauth2/token", self._token)
        app.router.add_route("*", "/{rest:.*}", self._other)
        return app

    async def _token(self, request: web.Request) -> web.Response:
        self.asked.append(dict(await request.post()))
        if self.asked[-1]["code"] == "bad":
            return web.json_response({"error": "invalid_grant"}, status=400)
        return web.json_response({"access_token": self.asked[-1]["code"]})

    async def _other(self, request: web.Request) -> web.Response:
        scheme, _, name = request.headers.get("Authorization", "").partition(" ")
        if scheme == "Bearer":
            assert request.path == "/api/v10/users/@me"
            person = self._house.person(name)
            return web.json_response({"id": str(person.id), "username": name.lower(), "global_name": name})
        address, body = f"{self._house.server.url}{request.path_qs}", await request.read()
        kept = {name: request.headers[name] for name in FORWARDED if name in request.headers}
        async with (
            ClientSession() as session,
            session.request(request.method, address, headers=kept, data=body or None) as found,
        ):
            kind = {"Content-Type": found.headers.get("Content-Type", "")}
            return web.Response(body=await found.read(), status=found.status, headers=kind)


@dataclass
class Door:
    """The page of a bot, and a browser that comes to it by Logins."""

    sandbox: SandboxBot
    logins: Logins
    url: str
    session: ClientSession = field(default_factory=lambda: ClientSession(cookie_jar=CookieJar(unsafe=True)))

    async def get(self, path: str) -> Answer:
        async with self.session.get(self.url + path, allow_redirects=False) as found:
            return await answered(found)

    async def begun(self, number: int, kind: str = "board") -> str:
        """Go to Logins: the state that it sends back."""
        answer = await self.get(f"/{kind}/login/{number}")
        where = urlsplit(answer.headers["Location"])
        asked = parse_qs(where.query)
        assert (answer.status, f"{where.scheme}://{where.netloc}{where.path}") == (303, AUTHORIZE_URL)
        assert (asked["client_id"], asked["scope"]) == ([str(APPLICATION_ID)], ["identify"])
        assert asked["redirect_uri"] == [f"{PUBLIC}/board/login/back"]
        assert {"HttpOnly", "SameSite=Lax"} <= set(answer.headers["Set-Cookie"].split("; "))
        return asked["state"][0]

    async def came_back(self, state: str, code: str) -> Answer:
        """Come back from Logins, and where that leads."""
        answer = await self.get(f"/board/login/back?state={state}&code={code}")
        if answer.status != 303:
            return answer
        return await self.get(answer.headers["Location"].removeprefix(PUBLIC))

    async def log_in(self, number: int, name: str, kind: str = "board") -> Answer:
        return await self.came_back(await self.begun(number, kind), name)


@pytest.fixture
async def door(sandbox: SandboxBot) -> AsyncIterator[Door]:
    client, logins = sandbox.client, Logins(sandbox)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(TestServer(logins.app()))
        stack.enter_context(discord_redirected_to(str(server.make_url(""))))
        oauth_client = OAuthClient(APPLICATION_ID, "quiet", Route.BASE)
        page = BoardPage(page_services(client), client.admission.rate_limiter, 1000.0, oauth_client)
        port = await stack.enter_async_context(page.serving(0, PUBLIC))
        door = Door(sandbox, logins, f"http://127.0.0.1:{port}")
        stack.push_async_callback(door.session.close)
        yield door


def hide(sandbox: SandboxBot, game: Seated, names: tuple[str, ...] = ()) -> None:
    """Only these members see the channel of a game, and the bot."""
    parent = sandbox.world.channel(sandbox.world.channel(game.thread).parent_id or 0)
    changes.overwrite(sandbox.world, parent, GUILD_ID + PLAYERS_ROLE_OFFSET, deny=VIEW_CHANNEL)
    for name in names:
        changes.overwrite(sandbox.world, parent, sandbox.person(name).id, allow=VIEW_CHANNEL)


async def test_player_logs_in(door: Door) -> None:
    game = await door.sandbox.game()
    refused = await door.get(f"/board/{game.number}/position")
    assert (refused.status, refused.json["login"]) == (401, f"/board/login/{game.number}")
    door.sandbox.server.faults.fail(f"/guilds/{GUILD_ID}/members/", status=400, code=0, message="no", times=1)
    answer = await door.log_in(game.number, "Bob")
    assert (answer.status, LOGIN_FAILED in answer.body.decode()) == (403, True), (
        "Discord does not say who may see"
    )
    for name, seat in (("Bob", "Bob"), ("Dee", None)):
        answer = await door.log_in(game.number, name)
        assert (answer.status, answer.headers["Location"]) == (303, f"/board/{game.number}")
        you = (await door.get(f"/board/{game.number}/position")).json["you"]
        assert (you["name"], you["user_name"], you["is_moderator"]) == (seat, name, False)
        door.session.cookie_jar.clear()
    assert door.logins.asked[0]["client_secret"] == "quiet"


async def test_login_wants_sight_of_the_channel(door: Door) -> None:
    game, world = await door.sandbox.game(), door.sandbox.world
    hide(door.sandbox, game, ("Bob", "Dee"))
    for name, status in (("Bob", 303), ("Dee", 303), ("Cy", 403), ("Eve", 403)):
        assert (await door.log_in(game.number, name)).status == status
        door.session.cookie_jar.clear()
    for name in ("Bob", "Dee"):
        changes.leave(world, world.guild(GUILD_ID), door.sandbox.person(name).id)
        answer = await door.log_in(game.number, name)
        assert (answer.status, THREAD_NOT_VISIBLE in answer.body.decode()) == (403, True)


async def test_login_wants_a_private_thread(door: Door) -> None:
    sandbox, game = door.sandbox, await door.sandbox.game()
    thread = sandbox.world.channel(game.thread)
    thread.kind = ChannelKind.PRIVATE_THREAD
    parent = sandbox.world.channel(thread.parent_id or 0)
    changes.overwrite(sandbox.world, parent, sandbox.person("Eve").id, allow=MANAGE_THREADS)
    thread.people = [*thread.people, sandbox.person("Bob").id]
    thread.people = [user for user in thread.people if user != sandbox.person("Dee").id]
    found = {name: (await door.log_in(game.number, name)).status for name in ("Dee", "Bob")}
    door.session.cookie_jar.clear()
    found["Eve"] = (await door.log_in(game.number, "Eve")).status
    assert found["Dee"] == 403
    assert [found["Bob"], found["Eve"]] == [303, 303]


async def test_login_leads_to_the_page_of_an_event(door: Door) -> None:
    """Those who see its channel."""
    game, client = await door.sandbox.game(), door.sandbox.client
    row = await games.get_game(client.tables.db, game.number)
    event = await Events(client.tables).open_event(
        row.guild_id, Organiser(1, row.channel_id), "Spring", EventSettings(titles=("1889",))
    )
    hide(door.sandbox, game, ("Bob",))
    refused = await door.get(f"/event/{event.id}")
    assert (refused.status, f"/event/login/{event.id}" in refused.body.decode()) == (401, True)
    for name, status in (("Bob", 303), ("Cy", 403)):
        assert (await door.log_in(event.id, name, "event")).status == status
        assert (await door.get(f"/event/{event.id}")).status == (200 if name == "Bob" else 401)
        door.session.cookie_jar.clear()


async def test_login_leads_to_the_games_of_a_server(door: Door) -> None:
    """Those that the user sees."""
    hide(door.sandbox, await door.sandbox.game(), ("Bob",))
    for name, cards in (("Bob", 1), ("Cy", 0)):
        assert (await door.log_in(GUILD_ID, name, "server")).status == 303
        assert (await door.get(f"/server/{GUILD_ID}")).body.count(b'<li class="card"') == cards
        door.session.cookie_jar.clear()


async def test_standby_asks_discord(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    hide(sandbox, game, ("Bob",))
    row = await games.get_game(sandbox.db, game.number)
    async with discord.Client(intents=discord.Intents.none()) as client:
        await client.login(sandbox.server.token)
        assert client.application_id == APPLICATION_ID
        seen = [await may_see(client, row, sandbox.person(name).id) for name in ("Bob", "Cy")]
    assert seen == [True, False]


async def test_login_wants_the_channel_of_a_lost_thread(door: Door) -> None:
    game = await door.sandbox.game()
    hide(door.sandbox, game, ("Bob",))
    threads.delete_channel(door.sandbox.world, door.sandbox.world.channel(game.thread))
    found = [(await door.log_in(game.number, name)).status for name in ("Cy", "Bob")]
    assert found == [403, 303]


async def test_login_asks_before_it_replaces(door: Door) -> None:
    game = await door.sandbox.game()
    await door.log_in(game.number, "Ann")
    answer = await door.log_in(game.number, "Bob")
    assert (answer.status, "Continue as Bob" in answer.body.decode()) == (200, True)
    assert (await door.get(f"/board/{game.number}/position")).json["you"]["user_name"] == "Ann"


async def test_login_of_another_browser_is_refused(door: Door) -> None:
    game = (await door.sandbox.game()).number
    foreign, _ = await door.begun(game), await door.begun(game)
    for state in (foreign, "", "x"):
        answer = await door.came_back(state, "Ann")
        assert (answer.status, LOGIN_EXPIRED in answer.body.decode()) == (403, True)
    door.session.cookie_jar.clear()
    for cookie, state, status in (
        (f".{game}", "", 403),
        *((f"state.{odd}", "state", 400) for odd in ("abc", "", "9" * 10, "-1", "%D9%A1")),
    ):
        path, headers = f"/board/login/back?state={state}&code=Ann", {"Cookie": f"{LOGIN_COOKIE}={cookie}"}
        async with door.session.get(door.url + path, headers=headers) as found:
            assert (found.status, LOGIN_EXPIRED in await found.text()) == (status, True)
    assert door.logins.asked == [], "Logins is not even asked"


async def test_unknown_code_lets_nobody_in(door: Door) -> None:
    answer = await door.log_in((await door.sandbox.game()).number, "bad")
    assert (answer.status, LOGIN_FAILED in answer.body.decode()) == (403, True)


async def test_no_secret_no_login(service: TableService) -> None:
    async with Site.open_on(service) as site:
        game = await service.game()
        assert "login" not in (await site.stranger(game).get("/position")).json
        assert (await site.stranger(game).ask("GET", f"/board/login/{game}")).status == 404
        assert (await site.stranger(game).ask("GET", "/board/login/back")).status == 404
