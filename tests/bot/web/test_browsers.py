"""A browser belongs to one user, who is named, until they agree to another; sessions are listed and ended."""

from collections.abc import AsyncIterator

import pytest
from aiohttp import ClientSession, CookieJar

from bot.table.board_links_and_sessions import SESSION_HAS_ENDED_TEXT
from bot.table.clocks.away import begin_substitution
from bot.web.entry.access import OTHER_SESSION_CODE, SESSION_HEADER
from bot.web.entry.login_and_sessions import OWN_SESSION_ONLY, UNKNOWN_USER_NAME, device_name
from tests.bot.support.table_service import ANN, BOB, CY
from tests.bot.web.visitors import OWN, Answer, Site, answered

DEE = 14
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


class Chrome:
    """A browser that keeps cookies as browsers do, at any game."""

    def __init__(self, site: Site, session: ClientSession) -> None:
        self._site = site
        self._session = session

    async def ask(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """A request."""
        async with self._session.request(
            method, self._site.url + path, json=body, headers=headers, allow_redirects=False
        ) as found:
            return await answered(found)

    async def open(self, token: str, **headers: str) -> Answer:
        return await self.ask("GET", f"/board/open/{token}", **{"User-Agent": FIREFOX, **headers})

    async def enter(self, game: int, user: int) -> Answer:
        return await self.open(await personal(self._site, game, user))

    async def agree(self, token: str) -> Answer:
        return await self.ask("POST", f"/board/open/{token}", {}, **OWN)

    async def user(self, game: int) -> str | None:
        user: str | None = (await self.ask("GET", f"/board/{game}/position")).json["you"]["user_name"]
        return user

    async def end(self, game: int, what: str) -> Answer:
        return await self.ask("POST", f"/board/{game}/sessions", {"seq": 0, "session_id": what}, **OWN)

    async def sessions(self, game: int) -> list[dict[str, object]]:
        """Those that the page lists."""
        found: list[dict[str, object]] = (await self.ask("GET", f"/board/{game}/sessions")).json["sessions"]
        return found


@pytest.fixture
async def chrome(site: Site) -> AsyncIterator[Chrome]:
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        yield Chrome(site, session)


async def personal(site: Site, game: int, user: int, name: str = "") -> str:
    return await site.links.personal_token(game, user, moderates=False, name=name)


# --- the name --------------------------------------------------------------------------------------------------------


async def test_page_names_its_user(site: Site, game: int, chrome: Chrome) -> None:
    for user, on_discord, name in ((ANN, "Annie", "Ann"), (DEE, "Dee", "Dee"), (DEE, "", UNKNOWN_USER_NAME)):
        token = await personal(site, game, user, on_discord)
        if "Continue" in (await chrome.open(token)).body.decode():
            await chrome.agree(token)
        assert await chrome.user(game) == name


async def test_substitute_and_holder_are_named(site: Site, game: int) -> None:
    await begin_substitution(site.service.tables, game, ANN, (DEE, "Dee"), None)
    names = [
        (await (await site.browser(game, user)).get("/position")).json["you"]["user_name"]
        for user in (ANN, DEE)
    ]
    assert names == ["Ann", "Dee"]


# --- another user's link ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("elsewhere", [False, True], ids=["same game", "other game"])
async def test_anothers_link_asks_first(site: Site, game: int, chrome: Chrome, elsewhere: bool) -> None:
    other = await site.service.game() if elsewhere else game
    await chrome.enter(game, ANN)
    token = await personal(site, other, BOB)
    for _ in range(2):
        asked = await chrome.open(token, **{"Sec-Fetch-Site": "cross-site"})
        assert (asked.status, "Set-Cookie" in asked.headers) == (200, False)
        assert "Stay logged in as Ann" in asked.body.decode()
        assert "Continue as Bob" in asked.body.decode()
    hostile = (await chrome.open(await personal(site, game, DEE, '<img src="x">{old}'))).body.decode()
    assert ("&lt;img src=&quot;x&quot;&gt;{old}" in hostile, "<img" in hostile) == (True, False)
    assert await chrome.user(game) == "Ann"
    assert (await chrome.agree(token)).json == {"board": f"/board/{other}"}
    assert await chrome.user(other) == "Bob"
    assert await site.links.sessions_of(ANN) == [], "nothing of Ann stays in this browser"


async def test_only_the_page_agrees(site: Site, game: int, chrome: Chrome) -> None:
    await chrome.enter(game, ANN)
    token = await personal(site, game, BOB)
    for headers in ({}, {"Origin": "http://evil.test", "Sec-Fetch-Site": "cross-site"}):
        assert (await chrome.ask("POST", f"/board/open/{token}", {}, **headers)).status == 403
    assert await chrome.user(game) == "Ann"


async def test_used_link_is_its_users(site: Site, chrome: Chrome) -> None:
    game, other = await site.service.game(), await site.service.game()
    token = await personal(site, game, BOB)
    await site.links.open(token)
    await chrome.open(token)
    assert len(await site.links.codes_to_confirm(game, BOB)) == 1
    await chrome.enter(other, ANN)
    assert await site.links.codes_to_confirm(game, BOB) == [], (
        "once the browser is Ann's, Bob cannot confirm it"
    )
    assert "Continue as Bob" in (await chrome.open(token)).body.decode()
    assert await site.links.codes_to_confirm(game, BOB) == []


async def test_own_links_lead_to_the_board(site: Site, game: int, chrome: Chrome) -> None:
    shared, board = await site.links.spectator_token(game), f"/board/{game}"
    token = await personal(site, game, ANN)
    for link in (shared, token, token, await personal(site, game, ANN), shared):
        found = await chrome.open(link)
        assert (found.status, found.headers["Location"]) == (303, board)
    assert (await chrome.user(game), await site.links.codes_to_confirm(game, ANN)) == ("Ann", [])
    assert len(await site.links.sessions_of(ANN)) == 1
    assert len(await site.service.db.rows("SELECT 1 FROM board_sessions")) == 1
    await site.links.end_sessions(ANN)
    await chrome.open(shared)
    assert await chrome.user(game) is None, "without a session of their own they look on"


async def test_only_a_person_opens_a_link(site: Site, game: int, chrome: Chrome) -> None:
    token = await personal(site, game, ANN)
    for place in ("iframe", "image", "empty", "script"):
        assert (await chrome.open(token, **{"Sec-Fetch-Dest": place})).status == 403
    assert (await chrome.open(token, **{"Sec-Fetch-Dest": "document"})).status == 303


async def test_page_of_an_earlier_session_is_refused(site: Site, game: int, chrome: Chrome) -> None:
    await chrome.enter(game, ANN)
    shown = (await chrome.ask("GET", f"/board/{game}/position")).json["you"]["session_id"]
    await chrome.agree(await personal(site, game, BOB))
    before = await site.service.digest(game)
    for method, path in (("POST", "play"), ("GET", "offers"), ("GET", "position")):
        body = {"seq": 1, "move_key": "00000000"} if method == "POST" else None
        found = await chrome.ask(method, f"/board/{game}/{path}", body, **OWN, **{SESSION_HEADER: shown})
        assert (found.status, found.json["code"]) == (409, OTHER_SESSION_CODE)
    assert await site.service.digest(game) == before


# --- sessions --------------------------------------------------------------------------------------------------------


async def test_sessions_are_listed(site: Site, chrome: Chrome) -> None:
    game, other = await site.service.game(), await site.service.game()
    site.service.tables.clock = lambda: "2026-01-02T03:04:05.000+00:00"
    await chrome.enter(game, ANN)
    site.service.tables.clock = lambda: "2026-01-02T03:05:05.000+00:00"
    await site.browser(other, ANN)
    await site.browser(game, BOB)
    found = await chrome.sessions(game)
    assert [(one["game_id"], one["device"], one["opened_at"], one["is_current"]) for one in found] == [
        (other, "", "2026-01-02T03:05:05.000+00:00", False),
        (game, "Firefox on Linux", "2026-01-02T03:04:05.000+00:00", True),
    ]
    site.service.tables.clock = lambda: "2026-01-16T03:05:04.000+00:00"
    await chrome.enter(game, ANN)
    assert [one["game_id"] for one in await chrome.sessions(game)] == [game, other], (
        "what has expired is not listed"
    )


async def test_user_ends_one_session_or_all(site: Site, chrome: Chrome) -> None:
    game, other = await site.service.game(), await site.service.game()
    await chrome.enter(game, ANN)
    first, second, bob = [await site.browser(*at) for at in ((other, ANN), (other, ANN), (game, BOB))]
    unused = await personal(site, game, ANN)

    async def open_now() -> list[int]:
        return [(await browser.get("/position")).status for browser in (first, second, bob)]

    ended = (await first.get("/position")).json["you"]["session_id"]
    assert (await chrome.end(game, ended)).status == 200
    assert (await open_now(), await chrome.user(game)) == ([401, 200, 200], "Ann")
    assert (await chrome.end(game, ended)).error == SESSION_HAS_ENDED_TEXT
    assert (await chrome.end(game, "all")).status == 200
    assert await open_now() == [401, 401, 200]
    assert (await chrome.ask("GET", f"/board/{game}/position")).status == 401
    assert (await chrome.open(unused)).status == 403, "a link that was not opened is void, too"


async def test_nobody_ends_anothers_session(site: Site, game: int) -> None:
    ann, bob, watcher, waits = [await site.browser(game, user) for user in (ANN, BOB, None, None)]
    token = await personal(site, game, CY)
    await site.links.open(token)
    waits.secret = (await site.links.open(token)).secret
    target = (await ann.get("/position")).json["you"]["session_id"]
    for browser, sentence in (
        (bob, SESSION_HAS_ENDED_TEXT),
        (watcher, OWN_SESSION_ONLY),
        (waits, OWN_SESSION_ONLY),
    ):
        for what in (target, "all"):
            found = await browser.post("/sessions", {"seq": 0, "session_id": what})
            assert found.status == 200 if (browser, what) == (bob, "all") else found.error == sentence
    assert (await ann.get("/position")).status == 200


async def test_spectator_ends_their_session(site: Site, game: int) -> None:
    watcher, other = await site.browser(game, None), await site.browser(game, None)
    assert (await watcher.get("/sessions")).json == {"sessions": []}
    own = (await watcher.get("/position")).json["you"]["session_id"]
    assert (await watcher.post("/sessions", {"seq": 0, "session_id": own})).status == 200
    assert [(await one.get("/position")).status for one in (watcher, other)] == [401, 200]


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (FIREFOX, "Firefox on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15", "Safari on Mac"),
        ("curl/8.0", ""),
        ("", ""),
    ],
)
def test_device_is_said_in_words(agent: str, words: str) -> None:
    assert device_name(agent) == words
