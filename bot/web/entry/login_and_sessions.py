"""Users of the page: login by Discord's OAuth2, if configured, and sessions by device."""

import hmac
import re
import secrets
from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from aiohttp import ClientError, ClientSession, ClientTimeout, web

from bot.table.errors import BelongsToAnother, Refused
from bot.table.games.page_links import page_link
from bot.table.live import LiveGame
from bot.table.rate_limits import RequestKind
from bot.web.change_requests import MAX_NUMBER, read_body
from bot.web.context import GAME_PATH, LoginSecret, Page
from bot.web.entry.access import MAX_ID, Denied, address_of, json_answer, redirect, visitor_of
from storage import PagePlace, board_page, events, games

AUTHORIZE_URL: Final = "https://discord.com/oauth2/authorize"
"""Discord's page on which a user permits the login."""
OAUTH_SCOPE: Final = "identify"
"""Discord's scope: the user's identity, nothing else."""
LOGIN_COOKIE: Final = "stationmaster_login"
"""Cookie that ties the return from Discord to the browser that began the login."""
LOGIN_SECONDS: Final = 600
"""Seconds that a user may take for the login."""
RETURN_PATH: Final = "/board/login/back"
PAGE_LOGIN_PATHS: Final = {"s": "/server/login", "e": "/event/login"}
"""Paths of logins at pages of servers and events, by the letter before their number in the cookie; a game has none."""
THREAD_NOT_VISIBLE: Final = "You cannot see the thread in which this game is played."
CHANNEL_NOT_VISIBLE: Final = "You cannot see the channel of this event."
LOGIN_FAILED: Final = "Discord did not confirm your account. Please try again, or press Board in Discord."
LOGIN_EXPIRED: Final = (
    "You started this login in another browser, or it took too long. Please start again from the board."
)
ALL_SESSIONS: Final = "all"
"""Value in a request that ends every session and link of the user."""
OWN_SESSION_ONLY: Final = "Spectators can end only their own session."
NAME_IF_UNKNOWN: Final = "a member"
_BROWSER_NAMES: Final = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEM_NAMES: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
"""Words of a User-Agent, and names that people know; the first that is found counts."""


def routes(page: Page) -> list[web.RouteDef]:
    """Routes of login and sessions."""
    return [
        web.get("/board/login/{game:[0-9]{1,9}}", partial(begin_login, page, ""), allow_head=False),
        *(
            web.get(rf"{path}/{{page:[0-9]{{1,19}}}}", partial(begin_login, page, mark), allow_head=False)
            for mark, path in PAGE_LOGIN_PATHS.items()
        ),
        web.get(RETURN_PATH, partial(end_login, page), allow_head=False),
        web.get(f"{GAME_PATH}/sessions", partial(list_sessions, page)),
        web.post(f"{GAME_PATH}/sessions", partial(end_sessions, page)),
    ]


async def begin_login(page: Page, mark: str, request: web.Request) -> web.Response:
    """Send a browser to Discord's login for a game's board, or the page of a server or an event."""
    page.limits.count_opened_link(address_of(request))
    state = secrets.token_urlsafe(16)
    query = {
        "client_id": _login_secret(page).application_id,
        "response_type": "code",
        "scope": OAUTH_SCOPE,
        "redirect_uri": _return_address(page),
        "state": state,
        "prompt": "none",
    }
    target = f"{mark}{request.match_info['page' if mark else 'game']}"
    answer = redirect(f"{AUTHORIZE_URL}?{urlencode(query)}")
    # Lax, as another site sends the browser back.
    answer.set_cookie(
        LOGIN_COOKIE,
        f"{state}.{target}",
        path=RETURN_PATH,
        max_age=LOGIN_SECONDS,
        httponly=True,
        secure=page.uses_tls,
        samesite="Lax",
    )
    return answer


async def end_login(page: Page, request: web.Request) -> web.Response:
    """Give a returning user a link, if they may see the game or event, and open it."""
    page.limits.count_opened_link(address_of(request))
    try:
        link = await _login_link(page, request)
    except Refused as refused:  # a person reads it, not the page
        return web.Response(text=f"{refused}\n", status=HTTPStatus.FORBIDDEN)
    answer = redirect(link)
    answer.del_cookie(LOGIN_COOKIE, path=RETURN_PATH)
    return answer


async def _login_link(page: Page, request: web.Request) -> str:
    secret = _login_secret(page)
    state, _, target = request.cookies.get(LOGIN_COOKIE, "").partition(".")
    if not state or not hmac.compare_digest(state.encode(), request.query.get("state", "").encode()):
        raise Refused(LOGIN_EXPIRED)
    target_match = re.fullmatch("([se]?)([0-9]{1,19})", target, re.ASCII)
    if target_match is None or int(target_match[2]) > (
        MAX_ID if target_match[1] else MAX_NUMBER
    ):  # no cookie of ours
        raise Denied(HTTPStatus.BAD_REQUEST, LOGIN_EXPIRED)
    user_id, name = await _fetch_user(secret, _return_address(page), request.query.get("code", ""))
    number = int(target_match[2])
    if target_match[1]:
        return await _page_link(
            page, PagePlace("event" if target_match[1] == "e" else "server", number), user_id
        )
    row = await games.get_game(page.tables.db, number)
    if not await page.services.may_see(row, user_id):
        raise Refused(THREAD_NOT_VISIBLE)
    return await page.links.personal_url(row.id, user_id, moderates=False, name=name)


async def _page_link(page: Page, place: PagePlace, user_id: int) -> str:
    """A link to the page of an event whose channel the user may see, or of any server: it shows what they may see."""
    if place.kind == "event":
        event = await events.get_event(page.tables.db, place.number)
        if not await page.services.may_see_event(event, user_id):
            raise Refused(CHANNEL_NOT_VISIBLE)
    link = await page_link(page.tables, place, user_id)
    assert link is not None  # the page is served
    return link


async def _fetch_user(secret: LoginSecret, return_address: str, code: str) -> tuple[int, str]:
    """The account and name for an OAuth2 code; raises Refused."""
    token_request = {"grant_type": "authorization_code", "code": code, "redirect_uri": return_address}
    async with ClientSession(timeout=ClientTimeout(total=10)) as session:
        try:
            token = await _fetch_json(
                session,
                "POST",
                f"{secret.api}/oauth2/token",
                data={**token_request, "client_id": str(secret.application_id), "client_secret": secret.text},
            )
            authorization = {"Authorization": f"Bearer {token['access_token']}"}
            user = await _fetch_json(session, "GET", f"{secret.api}/users/@me", headers=authorization)
            return int(user["id"]), str(user.get("global_name") or user["username"])
        except (ClientError, TimeoutError, LookupError, TypeError, ValueError) as error:
            raise Refused(LOGIN_FAILED) from error


def _return_address(page: Page) -> str:
    return f"{page.address}{RETURN_PATH}"


def _login_secret(page: Page) -> LoginSecret:
    if page.secret is None:
        raise web.HTTPNotFound
    return page.secret


async def _fetch_json(session: ClientSession, method: str, address: str, **options: Any) -> Any:
    async with session.request(method, address, raise_for_status=True, **options) as content:
        return await content.json()


async def list_sessions(page: Page, request: web.Request) -> web.Response:
    """All sessions of the user; none for spectators."""
    visitor = await visitor_of(page, request)
    page.limits.count_request(visitor, RequestKind.QUESTION)
    sessions = [] if visitor.user_id is None else await page.links.sessions_of(visitor.user_id)
    return json_answer(
        {"sessions": [await _session_json(page, session, visitor.session) for session in sessions]}
    )


async def end_sessions(page: Page, request: web.Request) -> web.Response:
    """End one session, or all; a spectator can end their own."""
    visitor = await visitor_of(page, request)
    page.limits.count_request(visitor, RequestKind.QUESTION)
    body = await read_body(page, request)
    if body.what == visitor.session:
        await page.links.end_session(body.what)
    elif visitor.user_id is None:
        raise BelongsToAnother(OWN_SESSION_ONLY)
    elif body.what == ALL_SESSIONS:
        await page.links.end_sessions(visitor.user_id)
    else:
        await page.links.end_session(body.what, visitor.user_id)
    return json_answer({"ended": body.what})


async def _session_json(page: Page, session: board_page.Session, own_session: str) -> dict[str, Any]:
    game = await games.get_game(page.tables.db, session.game_id)
    return {
        "id": session.digest,
        "game": game.id,
        "name": game.name,
        "device": session.device,
        "opened": session.created_at,
        "here": session.digest == own_session,
    }


def user_name(live: LiveGame, user_id: int, fallback_name: str) -> str:
    """A user's name in a game: of the seat or substitution, else the known one."""
    player = live.player_of(user_id)
    if player is None:
        return fallback_name or NAME_IF_UNKNOWN
    holds_seat = live.holder_of(player) == user_id
    return live.name_of(player) if holds_seat else live.substitutes[player].display_name


def device_name(user_agent: str) -> str:
    """Browser and system of a user agent, such as `Firefox on Linux`; empty if unknown."""
    names = (_first_match(_BROWSER_NAMES, user_agent), _first_match(_SYSTEM_NAMES, user_agent))
    return " on ".join(filter(None, names))


def _first_match(names_by_word: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for word, name in names_by_word if word in text), "")
