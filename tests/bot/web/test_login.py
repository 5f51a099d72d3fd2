"""Login by Discord: who plays, or is a member of the server, gets in; nobody by the answer for another browser."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import Route

from bot.web.login import AUTHORIZE, COOKIE, FAILED, NOT_THERE, STALE, Secret
from tests.bot.support.tables import ANN, GUILD, Bench
from tests.bot.web.visitors import Answer, Desk

SECRET = Secret(77, "quiet")


class Discord:
    """What Discord answers to who logs in."""

    def __init__(self) -> None:
        self.user, self.guilds = ANN, [5]
        self.asked: list[dict[str, Any]] = []

    def app(self) -> web.Application:
        """Its routes."""
        app = web.Application()
        app.router.add_post("/api/oauth2/token", self._token)
        app.router.add_get("/api/users/@me", self._me)
        app.router.add_get("/api/users/@me/guilds", self._guilds)
        return app

    async def _token(self, request: web.Request) -> web.Response:
        self.asked.append(dict(await request.post()))
        if self.asked[-1]["code"] != "good":
            return web.json_response({"error": "invalid_grant"}, status=400)
        return web.json_response({"access_token": "bearer"})

    async def _me(self, request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == "Bearer bearer"
        return web.json_response({"id": str(self.user)})

    async def _guilds(self, request: web.Request) -> web.Response:
        return web.json_response([{"id": str(one)} for one in self.guilds])


@pytest.fixture
async def discord(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Discord]:
    found = Discord()
    async with TestServer(found.app()) as server:
        monkeypatch.setattr(Route, "BASE", str(server.make_url("/api")))
        yield found


@pytest.fixture
async def desk(bench: Bench) -> AsyncIterator[Desk]:
    async with Desk.open_on(bench, secret=SECRET) as opened:
        yield opened


async def begun(desk: Desk, game: int) -> tuple[str, str]:
    """Go to Discord: what the browser keeps, and the state that Discord sends back."""
    answer = await desk.stranger(game).ask("GET", f"/board/login/{game}")
    where = urlsplit(answer.headers["Location"])
    asked = parse_qs(where.query)
    assert (answer.status, f"{where.scheme}://{where.netloc}{where.path}") == (303, AUTHORIZE)
    assert (asked["client_id"], asked["scope"]) == (["77"], ["identify guilds"])
    assert asked["redirect_uri"] == ["http://board.test/board/login/back"]
    kept = answer.headers["Set-Cookie"].partition("=")[2].partition(";")[0]
    assert {"HttpOnly", "SameSite=Lax"} <= set(answer.headers["Set-Cookie"].split("; "))
    return kept, asked["state"][0]


async def came_back(desk: Desk, kept: str, state: str, code: str = "good") -> Answer:
    """Come back from Discord."""
    path = f"/board/login/back?state={state}&code={code}"
    return await desk.stranger(0).ask("GET", path, {"Cookie": f"{COOKIE}={kept}"})


async def test_a_player_without_a_link_logs_in(desk: Desk, discord: Discord) -> None:
    game = await desk.bench.game()
    refused = await desk.stranger(game).get("/position")
    assert (refused.status, refused.json["login"]) == (401, f"/board/login/{game}")
    answer = await came_back(desk, *await begun(desk, game))
    assert (answer.status, answer.headers["Location"]) == (303, f"/board/{game}")
    browser = desk.stranger(game)
    session = next(one for one in answer.headers.getall("Set-Cookie") if COOKIE not in one)  # type: ignore[attr-defined]
    browser.secret = session.partition("=")[2].partition(";")[0]
    you = (await browser.get("/position")).json["you"]
    assert (you["name"], you["moderator"]) == ("Ann", False)
    assert discord.asked[0]["client_secret"] == "quiet"


@pytest.mark.parametrize(("guilds", "status"), [([GUILD], 303), ([GUILD + 1], 403)])
async def test_who_has_no_seat_must_be_a_member_of_the_server(
    desk: Desk, discord: Discord, guilds: list[int], status: int
) -> None:
    discord.user, discord.guilds = 99, guilds
    answer = await came_back(desk, *await begun(desk, await desk.bench.game()))
    assert answer.status == status
    assert status == 303 or NOT_THERE in answer.body.decode()


async def test_a_login_of_another_browser_lets_nobody_in(desk: Desk, discord: Discord) -> None:
    game = await desk.bench.game()
    (kept, _), (_, state) = await begun(desk, game), await begun(desk, game)
    for cookie, given in ((kept, state), ("", state), ("", ""), (f".{game}", "")):
        answer = await came_back(desk, cookie, given)
        assert (answer.status, STALE in answer.body.decode()) == (403, True)
    assert discord.asked == [], "Discord is not even asked"


@pytest.mark.parametrize("game", ["abc", "", "9" * 10, "-1", "%D9%A1"])
async def test_a_login_cookie_without_a_game_is_refused(desk: Desk, discord: Discord, game: str) -> None:
    answer = await came_back(desk, f"state.{game}", "state")
    assert (answer.status, answer.error) == (400, STALE)
    assert discord.asked == [], "Discord is not even asked"


async def test_a_code_that_discord_does_not_know_lets_nobody_in(desk: Desk, discord: Discord) -> None:
    answer = await came_back(desk, *await begun(desk, await desk.bench.game()), code="bad")
    assert (answer.status, FAILED in answer.body.decode(), "Set-Cookie" in answer.headers) == (
        403,
        True,
        False,
    )


async def test_without_a_secret_there_is_no_login(bench: Bench) -> None:
    async with Desk.open_on(bench) as desk:
        game = await bench.game()
        assert "login" not in (await desk.stranger(game).get("/position")).json
        assert (await desk.stranger(game).ask("GET", f"/board/login/{game}")).status == 404
        assert (await desk.stranger(game).ask("GET", "/board/login/back")).status == 404
