"""Login with Discord's OAuth2, if set up, and management of a user's browser sessions."""

import hmac
import re
import secrets
from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from aiohttp import ClientError, ClientSession, ClientTimeout, web

from bot.table.errors import NotPermitted, Refused
from bot.table.games.page_links import page_link
from bot.table.live import LiveGame
from bot.table.rate_limits import RequestKind
from bot.web.change_requests import MAX_NUMBER, read_body
from bot.web.context import GAME_PATH, OAuthClient, PageContext
from bot.web.entry.access import (
    MAX_STORABLE_ID,
    Denied,
    address_of,
    redirect,
    uncached_json_response,
    visitor_of,
)
from storage import PageId, board_page, events, games

AUTHORIZE_URL: Final = "https://discord.com/oauth2/authorize"
"""Discord's OAuth2 page on which a user permits the login."""
OAUTH_SCOPE: Final = "identify"
"""The OAuth2 scope: only the user's identity."""
LOGIN_COOKIE: Final = "stationmaster_login"
"""Name of the cookie that ties the redirect back from Discord to the browser that started the login."""
LOGIN_SECONDS: Final = 600
"""Seconds within which a user must complete the login."""
LOGIN_RETURN_PATH: Final = "/board/login/back"
LOGIN_PATH_BY_PAGE_LETTER: Final = {"s": "/server/login", "e": "/event/login"}
"""URL paths at which a user logs in to a server's page (`s`) or an event's page (`e`).

In the login cookie, the letter stands before the id of the server or event. The id of a game has no letter.
"""
THREAD_NOT_VISIBLE: Final = "You cannot see the thread in which this game is played."
CHANNEL_NOT_VISIBLE: Final = "You cannot see the channel of this event."
LOGIN_FAILED: Final = "Discord did not confirm your account. Please try again, or press Board in Discord."
LOGIN_EXPIRED: Final = (
    "You started this login in another browser, or it took too long. Please start again from the board."
)
ALL_SESSIONS: Final = "all"
"""Value with which a request ends all of the user's sessions and links."""
OWN_SESSION_ONLY: Final = "Spectators can end only their own session."
UNKNOWN_USER_NAME: Final = "a member"
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
"""Words in a User-Agent, each with the name of an operating system; the first match counts."""


def routes(page: PageContext) -> list[web.RouteDef]:
    """HTTP routes for login, and for listing and ending sessions."""
    return [
        web.get("/board/login/{game:[0-9]{1,9}}", partial(begin_login, page, ""), allow_head=False),
        *(
            web.get(
                rf"{path}/{{page:[0-9]{{1,19}}}}", partial(begin_login, page, page_letter), allow_head=False
            )
            for page_letter, path in LOGIN_PATH_BY_PAGE_LETTER.items()
        ),
        web.get(LOGIN_RETURN_PATH, partial(end_login, page), allow_head=False),
        web.get(f"{GAME_PATH}/sessions", partial(list_sessions, page)),
        web.post(f"{GAME_PATH}/sessions", partial(end_sessions, page)),
    ]


async def begin_login(page: PageContext, page_letter: str, request: web.Request) -> web.Response:
    """Redirect a browser to Discord's login.

    `page_letter` is empty for a game's board, otherwise a key of PAGE_LOGIN_PATHS.
    """
    page.limits.count_opened_link(address_of(request))
    state = secrets.token_urlsafe(16)
    query_fields = {
        "client_id": _oauth_client(page).application_id,
        "response_type": "code",
        "scope": OAUTH_SCOPE,
        "redirect_uri": _return_url(page),
        "state": state,
        "prompt": "none",
    }
    login_target = f"{page_letter}{request.match_info['page' if page_letter else 'game']}"
    redirect_response = redirect(f"{AUTHORIZE_URL}?{urlencode(query_fields)}")
    # Lax, as another site sends the browser back.
    redirect_response.set_cookie(
        LOGIN_COOKIE,
        f"{state}.{login_target}",
        path=LOGIN_RETURN_PATH,
        max_age=LOGIN_SECONDS,
        httponly=True,
        secure=page.uses_tls,
        samesite="Lax",
    )
    return redirect_response


async def end_login(page: PageContext, request: web.Request) -> web.Response:
    """Complete a login: redirect to the game, server or event for which it began, if the user may see it."""
    page.limits.count_opened_link(address_of(request))
    try:
        link = await _login_link(page, request)
    except Refused as refusal:  # a person reads it, not the page
        return web.Response(text=f"{refusal}\n", status=HTTPStatus.FORBIDDEN)
    redirect_response = redirect(link)
    redirect_response.del_cookie(LOGIN_COOKIE, path=LOGIN_RETURN_PATH)
    return redirect_response


async def _login_link(page: PageContext, request: web.Request) -> str:
    oauth_client = _oauth_client(page)
    state, _, login_target = request.cookies.get(LOGIN_COOKIE, "").partition(".")
    if not state or not hmac.compare_digest(state.encode(), request.query.get("state", "").encode()):
        raise Refused(LOGIN_EXPIRED)
    target_match = re.fullmatch("([se]?)([0-9]{1,19})", login_target, re.ASCII)
    if target_match is None or int(target_match[2]) > (
        MAX_STORABLE_ID if target_match[1] else MAX_NUMBER
    ):  # no cookie of ours
        raise Denied(HTTPStatus.BAD_REQUEST, LOGIN_EXPIRED)
    user_id, name = await _fetch_user(oauth_client, _return_url(page), request.query.get("code", ""))
    target_id = int(target_match[2])
    if target_match[1]:
        return await _page_link(
            page, PageId("event" if target_match[1] == "e" else "server", target_id), user_id
        )
    row = await games.get_game(page.tables.db, target_id)
    if not await page.services.may_see(row, user_id):
        raise Refused(THREAD_NOT_VISIBLE)
    return await page.links.personal_url(row.id, user_id, moderates=False, name=name)


async def _page_link(page: PageContext, place: PageId, user_id: int) -> str:
    """A link to a server's or event's page; raises Refused if the user cannot see the event's channel."""
    if place.kind == "event":
        event = await events.get_event(page.tables.db, place.number)
        if not await page.services.may_see_event(event, user_id):
            raise Refused(CHANNEL_NOT_VISIBLE)
    link = await page_link(page.tables, place, user_id)
    assert link is not None  # the page is served
    return link


async def _fetch_user(oauth_client: OAuthClient, return_url: str, code: str) -> tuple[int, str]:
    """The Discord user id and name for an OAuth2 code; raises Refused."""
    token_request = {"grant_type": "authorization_code", "code": code, "redirect_uri": return_url}
    async with ClientSession(timeout=ClientTimeout(total=10)) as http_session:
        try:
            token = await _fetch_json(
                http_session,
                "POST",
                f"{oauth_client.api_url}/oauth2/token",
                data={
                    **token_request,
                    "client_id": str(oauth_client.application_id),
                    "client_secret": oauth_client.client_secret,
                },
            )
            auth_headers = {"Authorization": f"Bearer {token['access_token']}"}
            user = await _fetch_json(
                http_session, "GET", f"{oauth_client.api_url}/users/@me", headers=auth_headers
            )
            return int(user["id"]), str(user.get("global_name") or user["username"])
        except (ClientError, TimeoutError, LookupError, TypeError, ValueError) as error:
            raise Refused(LOGIN_FAILED) from error


def _return_url(page: PageContext) -> str:
    return f"{page.address}{LOGIN_RETURN_PATH}"


def _oauth_client(page: PageContext) -> OAuthClient:
    if page.oauth_client is None:
        raise web.HTTPNotFound
    return page.oauth_client


async def _fetch_json(http_session: ClientSession, method: str, url: str, **options: Any) -> Any:
    async with http_session.request(method, url, raise_for_status=True, **options) as response:
        return await response.json()


async def list_sessions(page: PageContext, request: web.Request) -> web.Response:
    """Respond with all sessions of the user; none for a spectator."""
    visitor = await visitor_of(page, request)
    page.limits.count_request(visitor, RequestKind.QUESTION)
    sessions = [] if visitor.user_id is None else await page.links.sessions_of(visitor.user_id)
    return uncached_json_response(
        {"sessions": [await _session_json(page, session, visitor.session) for session in sessions]}
    )


async def end_sessions(page: PageContext, request: web.Request) -> web.Response:
    """End one or all of the user's sessions; a spectator can end only the session of the request."""
    visitor = await visitor_of(page, request)
    page.limits.count_request(visitor, RequestKind.QUESTION)
    body = await read_body(page, request)
    if body.session_id == visitor.session:
        await page.links.end_session(body.session_id)
    elif visitor.user_id is None:
        raise NotPermitted(OWN_SESSION_ONLY)
    elif body.session_id == ALL_SESSIONS:
        await page.links.end_sessions(visitor.user_id)
    else:
        await page.links.end_session(body.session_id, visitor.user_id)
    return uncached_json_response({"ended": body.session_id})


async def _session_json(
    page: PageContext, session: board_page.BoardSession, own_session: str
) -> dict[str, Any]:
    row = await games.get_game(page.tables.db, session.game_id)
    return {
        "id": session.digest,
        "game_id": row.id,
        "game_name": row.name,
        "device": session.device,
        "opened_at": session.created_at,
        "is_current": session.digest == own_session,
    }


def user_name(live: LiveGame, user_id: int, fallback_name: str) -> str:
    """The display name of a user who holds a seat or substitutes in a game, otherwise `fallback_name`."""
    player = live.player_of(user_id)
    if player is None:
        return fallback_name or UNKNOWN_USER_NAME
    holds_seat = live.holder_of(player) == user_id
    return live.name_of(player) if holds_seat else live.substitutes[player].display_name


def device_name(user_agent: str) -> str:
    """Browser and operating system in a User-Agent header, such as `Firefox on Linux`; empty if unknown."""
    names = (_first_match(_BROWSER_NAMES, user_agent), _first_match(_SYSTEM_NAMES, user_agent))
    return " on ".join(filter(None, names))


def _first_match(words_and_names: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for word, name in words_and_names if word in text), "")
