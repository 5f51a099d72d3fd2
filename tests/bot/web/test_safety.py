"""Nobody sees or does at the board what is not theirs: forged, used and foreign links, cross-site requests, floods."""

import pytest

from bot.table.rate_limits import RateLimiter
from bot.web.entry.access import COOKIE
from bot.web.page_files import FOLDER
from storage import games
from tests.bot.support.table_service import ANN, CY, TableService
from tests.bot.web.visitors import OWN, PUBLIC, Desk


async def test_a_link_sets_a_cookie_that_no_script_reads_and_no_other_site_sends(desk: Desk) -> None:
    game = await desk.service.game()
    token = await desk.links.personal(game, ANN, moderates=False)
    found = await desk.stranger(game).ask("GET", f"/board/open/{token}")
    cookie = found.headers["Set-Cookie"]
    assert (found.status, found.headers["Location"]) == (303, f"/board/{game}")
    assert cookie.startswith(f"{COOKIE}=")
    assert {"HttpOnly", f"Path=/board/{game}", "SameSite=Strict"} <= set(cookie.split("; "))
    assert "Secure" not in cookie, "by http a browser would not keep it"


async def test_by_tls_the_cookie_goes_by_tls_only(service: TableService) -> None:
    async with Desk.open_on(service, public="https://board.test") as desk:
        game = await service.game()
        token = await desk.links.personal(game, ANN, moderates=False)
        found = await desk.stranger(game).ask("GET", f"/board/open/{token}")
        assert "Secure" in found.headers["Set-Cookie"].split("; ")
        assert "Strict-Transport-Security" in found.headers


async def test_who_only_asks_for_headers_does_not_use_a_link_up(desk: Desk) -> None:
    """As programs do that look at links before people open them."""
    game = await desk.service.game()
    token = await desk.links.personal(game, ANN, moderates=False)
    assert (await desk.stranger(game).ask("HEAD", f"/board/open/{token}")).status == 405
    found = await desk.stranger(game).ask("GET", f"/board/open/{token}")
    assert (found.status, "code" in found.headers["Location"]) == (303, False)


async def test_the_token_is_nowhere_after_the_link_was_opened(desk: Desk) -> None:
    """Neither in the address to which the browser goes, nor in the cookie."""
    game = await desk.service.game()
    token = await desk.links.personal(game, ANN, moderates=False)
    found = await desk.stranger(game).ask("GET", f"/board/open/{token}")
    assert token not in "".join(found.headers.values())


async def test_a_forged_link_opens_nothing(desk: Desk) -> None:
    game = await desk.service.game()
    found = await desk.stranger(game).ask("GET", "/board/open/forged.0123")
    assert (found.status, "Set-Cookie" in found.headers) == (403, False)
    assert b"not valid" in found.body


async def test_a_used_link_shows_the_board_of_spectators_and_a_code(desk: Desk) -> None:
    game = await desk.service.game()
    token = await desk.links.personal(game, ANN, moderates=True)
    await desk.stranger(game).ask("GET", f"/board/open/{token}")
    again = await desk.stranger(game).ask("GET", f"/board/open/{token}")
    browser = desk.stranger(game)
    browser.secret = again.headers["Set-Cookie"].partition("=")[2].partition(";")[0]
    you = (await browser.get("/position")).json["you"]
    assert (you["player"], you["spectator"], you["moderator"]) == (None, True, False)
    assert again.headers["Location"] == f"/board/{game}?code={you['code']}"
    await desk.links.confirm(game, ANN, you["code"])
    assert (await browser.get("/position")).json["you"]["name"] == "Ann"


async def test_where_one_person_plays_every_seat_each_has_a_board_of_its_own(desk: Desk) -> None:
    """In a sandbox: the cookies of one browser do not replace each other."""
    game = await desk.service.game()
    desk.links.by_seat = True
    paths = []
    for user in (ANN, CY):
        token = await desk.links.personal(game, user, moderates=False)
        found = await desk.stranger(game).ask("GET", f"/board/open/{token}")
        paths.append(found.headers["Location"])
        assert f"Path={paths[-1]};" in found.headers["Set-Cookie"]
        assert (await desk.stranger(game).ask("GET", paths[-1])).status == 200
        cookie = {"Cookie": found.headers["Set-Cookie"].partition(";")[0]}
        seen = await desk.stranger(game).ask("GET", f"{paths[-1]}/position", cookie)
        assert seen.json["you"]["name"] == {ANN: "Ann", CY: "Cy"}[user]
    assert len(set(paths)) == 2
    assert all(path.startswith(f"/board/{game}~") for path in paths)


@pytest.mark.parametrize("path", ["/position", "/history", "/events"])
async def test_without_a_session_nothing_of_a_game_is_seen(desk: Desk, path: str) -> None:
    game, other = await desk.service.game(), await desk.service.game()
    foreign = await desk.browser(other, ANN)
    foreign.game = game
    for browser in (desk.stranger(game), foreign):
        found = await browser.get(path)
        assert (found.status, "Press Board" in found.error) == (401, True)


async def test_the_session_of_a_removed_user_is_over(desk: Desk) -> None:
    game = await desk.service.game()
    browser = await desk.browser(game, CY)
    assert (await browser.get("/position")).status == 200
    await games.finish(desk.service.db, game)
    await desk.service.forget(CY)
    assert (await browser.get("/position")).status == 401


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://evil.test", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://evil.test"},
        {**OWN, "Sec-Fetch-Site": "same-site"},
        {"Origin": f"{PUBLIC}.evil.test", "Sec-Fetch-Site": "same-origin"},
        {"Origin": "null", "Sec-Fetch-Site": "same-origin"},
    ],
)
async def test_a_change_that_another_site_asks_for_is_refused(desk: Desk, headers: dict[str, str]) -> None:
    game = await desk.service.game()
    browser = await desk.browser(game, ANN)
    before = await desk.service.digest(game)
    found = await browser.post("/play", {"seq": 1, "move": "00000000"}, headers)
    assert (found.status, found.error) == (403, "Only the board page itself may ask for that.")
    assert await desk.service.digest(game) == before


async def test_what_a_form_of_another_site_could_send_is_no_change(desk: Desk) -> None:
    """Forms send no JSON, and without asking first no other site can."""
    game = await desk.service.game()
    browser = await desk.browser(game, ANN)
    async with desk.session.post(
        f"{desk.url}/board/{game}/play",
        data={"seq": "1"},
        headers={**OWN, "Cookie": f"{COOKIE}={browser.secret}"},
    ) as found:
        assert found.status == 415


async def test_too_large_a_request_is_refused(desk: Desk) -> None:
    game = await desk.service.game()
    browser = await desk.browser(game, ANN)
    found = await browser.post("/play", {"seq": 1, "move": "x" * 20_000})
    assert (found.status, "16 KB" in found.error) == (413, True)


async def test_no_script_but_the_pages_own_runs_and_no_frame_shows_it(desk: Desk) -> None:
    game = await desk.service.game()
    for path in (f"/board/{game}", "/board/static/board.css", f"/board/{game}/position"):
        policy = (await desk.stranger(game).ask("GET", path)).headers["Content-Security-Policy"].split("; ")
        assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} <= set(policy)
        assert not any("http" in part or "*" in part for part in policy)
        assert not any(part.startswith(("script-src ", "style-src ")) and "unsafe" in part for part in policy)


async def test_the_shell_says_nothing_of_a_game(desk: Desk) -> None:
    """It is the same for everybody, whether there is such a game or not."""
    game = await desk.service.game()
    there, nowhere = await desk.stranger(game).get(""), await desk.stranger(987).get("")
    assert (there.status, nowhere.status) == (200, 200)
    assert there.body.replace(str(game).encode(), b"") == nowhere.body.replace(b"987", b"").replace(
        str(game).encode(), b""
    )


@pytest.mark.parametrize(
    "path", ["../server.py", "..%2fserver.py", "board.html", "__init__.py", ".env", "%2e%2e%2fserver.py"]
)
async def test_no_other_file_is_served(desk: Desk, path: str) -> None:
    found = await desk.stranger(1).ask("GET", f"/board/static/{path}")
    assert found.status == 404
    assert b"/" not in found.body.replace(b"application/json", b""), "no path of the machine"


async def test_files_are_sent_once(desk: Desk) -> None:
    path = f"/board/static/{next(file.name for file in FOLDER.iterdir() if file.suffix == '.js')}"
    first = await desk.stranger(1).ask("GET", path)
    again = await desk.stranger(1).ask("GET", path, {"If-None-Match": first.headers["ETag"]})
    assert (first.status, again.status, again.body) == (200, 304, b"")


async def test_who_asks_too_often_waits(service: TableService) -> None:
    """With the allowances that commands have: one user, however many browsers."""
    async with Desk.open_on(service, pace=RateLimiter(clock=lambda: 0.0)) as desk:
        game = await service.game()
        first, second = await desk.browser(game, ANN), await desk.browser(game, ANN)
        other = await desk.browser(game, CY)
        await first.get("/position")
        codes = [(await browser.get("/history")).status for browser in (first, second) * 60]
        found = await first.get("/position")
        assert (codes[0], codes[-1], found.status) == (200, 429, 429)
        assert int(found.headers["Retry-After"]) > 0
        assert (await other.get("/position")).status == 200


async def test_one_address_opens_few_links(service: TableService) -> None:
    async with Desk.open_on(service, factor=1) as desk:
        codes = [(await desk.stranger(1).ask("GET", "/board/open/guess.00")).status for _ in range(25)]
        assert (codes[0], codes[-1]) == (403, 429)


async def test_the_address_behind_a_proxy_counts(service: TableService) -> None:
    """The last that the proxy has added; what the browser itself claims stands before it."""
    async with Desk.open_on(service, factor=1) as desk:
        for _ in range(25):
            await desk.stranger(1).ask(
                "GET", "/board/open/x.0", {"X-Forwarded-For": "198.51.100.7, 203.0.113.9"}
            )
        same = await desk.stranger(1).ask(
            "GET", "/board/open/x.0", {"X-Forwarded-For": "192.0.2.1, 203.0.113.9"}
        )
        other = await desk.stranger(1).ask(
            "GET", "/board/open/x.0", {"X-Forwarded-For": "203.0.113.9, 192.0.2.1"}
        )
        assert (same.status, other.status) == (429, 403)


async def test_a_name_with_markup_is_text_everywhere(desk: Desk) -> None:
    """As the page gets it there is no markup in JSON; in pictures it is written so that it shows as it is."""
    hostile = "<img src=x onerror=alert(1)>&\"'"
    game = await desk.service.lobby(((ANN, hostile), (CY, "</text><script>alert(2)</script>")))
    await desk.service.lobbies.start(game, ANN)
    browser = await desk.browser(game, ANN)
    found = (await browser.get("/position")).json
    for name in ("map", "market"):
        assert not any(mark in found[name]["svg"] for mark in ("<script", "<img", "onerror=alert"))
    answer = await browser.get("/position")
    assert answer.headers["Content-Type"].startswith("application/json")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_a_game_that_is_not_there_is_said_to_be_so(desk: Desk) -> None:
    found = await desk.stranger(77).ask("GET", "/board/77/nothing")
    assert (found.status, found.error) == (404, "There is no such page.")
