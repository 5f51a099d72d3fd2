"""Nobody sees or does at the board what is not theirs: forged, used and foreign links, cross-site requests, floods."""

import pytest

from bot.table.rate_limits import RateLimiter
from bot.web.entry.access import SESSION_COOKIE
from bot.web.page_files import PAGE_FOLDER
from tests.bot.support.table_service import ANN, CY, TableService
from tests.bot.web.test_playing import offers, passing
from tests.bot.web.visitors import OWN, PUBLIC, Browser, Site


@pytest.mark.parametrize("tls", [False, True])
async def test_cookies_are_for_this_page(service: TableService, game: int, *, tls: bool) -> None:
    async with Site.open_on(service, public=f"http{'s' * tls}://board.test") as site:
        token = await site.links.personal_token(game, ANN, moderates=False)
        assert (await site.stranger(game).ask("HEAD", f"/board/open/{token}")).status == 405, "no person"
        found = await site.stranger(game).ask("GET", f"/board/open/{token}")
    assert (found.status, found.headers["Location"]) == (303, f"/board/{game}")
    assert token not in "".join(found.headers.values())
    own, browsers = found.headers.getall("Set-Cookie")  # type: ignore[attr-defined]
    secure = {"Secure"} if tls else set()
    assert {"HttpOnly", f"Path=/board/{game}", "SameSite=Strict"} | secure <= set(own.split("; "))
    assert {"HttpOnly", "Path=/board/open", "SameSite=Lax"} | secure <= set(browsers.split("; "))
    assert ("Secure" in own, "Strict-Transport-Security" in found.headers) == (tls, tls)
    assert own.startswith(f"{SESSION_COOKIE}=")
    assert browsers.startswith("stationmaster_browser=")


async def test_seats_of_a_sandbox_have_a_board_each(site: Site, game: int) -> None:
    site.links.has_board_per_seat = True
    paths = []
    for user in (ANN, CY):
        token = await site.links.personal_token(game, user, moderates=False)
        found = await site.stranger(game).ask("GET", f"/board/open/{token}")
        paths.append(found.headers["Location"])
        assert f"Path={paths[-1]};" in found.headers["Set-Cookie"]
        assert (await site.stranger(game).ask("GET", paths[-1])).status == 200
        cookie = {"Cookie": found.headers["Set-Cookie"].partition(";")[0]}
        seen = await site.stranger(game).ask("GET", f"{paths[-1]}/position", cookie)
        assert seen.json["you"]["name"] == {ANN: "Ann", CY: "Cy"}[user]
    assert len(set(paths)) == 2
    assert all(path.startswith(f"/board/{game}~") for path in paths)


async def test_nothing_is_seen_without_a_session(site: Site, game: int) -> None:
    foreign = await site.browser(await site.service.game(), ANN)
    foreign.game = game
    for browser in (site.stranger(game), foreign):
        for path in ("/position", "/history", "/events"):
            found = await browser.get(path)
            assert (found.status, "Press Board" in found.error) == (401, True)


async def test_other_sites_change_nothing(ann: Browser) -> None:
    found = await offers(ann)
    for headers in (
        {},
        {"Origin": "http://evil.test", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://evil.test"},
        {**OWN, "Sec-Fetch-Site": "same-site"},
        {"Origin": f"{PUBLIC}.evil.test", "Sec-Fetch-Site": "same-origin"},
        {"Origin": "null", "Sec-Fetch-Site": "same-origin"},
    ):
        refused = await ann.post("/play", {"seq": 1, **passing(found)}, headers)
        assert (refused.status, refused.error) == (403, "Only the board page itself can send this request.")
    assert (await ann.get("/position")).json["last_seq"] == 1


async def test_only_own_scripts_run(site: Site, game: int) -> None:
    for path in (f"/board/{game}", "/board/static/board.css", f"/board/{game}/position"):
        policy = (await site.stranger(game).ask("GET", path)).headers["Content-Security-Policy"].split("; ")
        assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} <= set(policy)
        assert not any("http" in part or "*" in part for part in policy)
        assert not any(part.startswith(("script-src ", "style-src ")) and "unsafe" in part for part in policy)


async def test_shell_says_nothing_of_a_game(site: Site, game: int) -> None:
    there, nowhere = await site.stranger(game).get(""), await site.stranger(987).get("")
    assert (there.status, nowhere.status) == (200, 200)
    assert there.body.replace(str(game).encode(), b"") == nowhere.body.replace(b"987", b"").replace(
        str(game).encode(), b""
    )


async def test_no_other_file_is_served(site: Site) -> None:
    for path in ("../server.py", "..%2fserver.py", "board.html", "__init__.py", ".env", "%2e%2e%2fserver.py"):
        found = await site.stranger(1).ask("GET", f"/board/static/{path}")
        assert (found.status, b"/" in found.body) == (404, False), "no path of the machine"


async def test_files_are_sent_once(site: Site) -> None:
    path = f"/board/static/{next(file.name for file in PAGE_FOLDER.iterdir() if file.suffix == '.js')}"
    first = await site.stranger(1).ask("GET", path)
    again = await site.stranger(1).ask("GET", path, {"If-None-Match": first.headers["ETag"]})
    assert (first.status, again.status, again.body) == (200, 304, b"")


async def test_user_who_asks_often_waits(service: TableService) -> None:
    async with Site.open_on(service, pace=RateLimiter(clock=lambda: 0.0)) as site:
        game = await service.game()
        first, second = await site.browser(game, ANN), await site.browser(game, ANN)
        other = await site.browser(game, CY)
        await first.get("/position")
        codes = [(await browser.get("/history")).status for browser in (first, second) * 60]
        found = await first.get("/position")
        assert (codes[0], codes[-1], found.status) == (200, 429, 429)
        assert int(found.headers["Retry-After"]) > 0
        assert (await other.get("/position")).status == 200


async def test_name_with_markup_is_text(site: Site) -> None:
    hostile = "<img src=x onerror=alert(1)>&\"'"
    game = await site.service.lobby(((ANN, hostile), (CY, "</text><script>alert(2)</script>")))
    await site.service.lobbies.start(game, ANN)
    browser = await site.browser(game, ANN)
    found = (await browser.get("/position")).json
    for name in ("map", "market"):
        assert not any(mark in found[name]["svg"] for mark in ("<script", "<img", "onerror=alert"))
    answer = await browser.get("/position")
    assert answer.headers["Content-Type"].startswith("application/json")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_unknown_page_is_said_to_be_so(site: Site) -> None:
    found = await site.stranger(77).ask("GET", "/board/77/nothing")
    assert (found.status, found.error) == (404, "There is no such page.")
