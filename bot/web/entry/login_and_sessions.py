"""Users of the page: login by Discord's OAuth2, if configured, and sessions by device."""

import hmac
import re
import secrets
from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from aiohttp import ClientError, ClientSession, ClientTimeout, web

from bot.table.errors import NotYours, Refused
from bot.table.live import LiveGame
from bot.table.rate_limits import Kind
from bot.web.change_requests import body_of
from bot.web.context import GAME, LoginSecret, Page
from bot.web.entry.access import Denied, address_of, json_answer, redirect, visitor_of
from storage import board_page, games

AUTHORIZE: Final = "https://discord.com/oauth2/authorize"
"""Where a person says whether they want to log in here."""
SCOPE: Final = "identify"
"""Discord's scope: the user's identity, nothing else."""
COOKIE: Final = "stationmaster_login"
"""Ties the way back to the browser that went there."""
SECONDS: Final = 600
"""Seconds that a person may take."""
BACK: Final = "/board/login/back"
NOT_THERE: Final = "You cannot see the thread in which this game is played."
FAILED: Final = "Discord did not confirm your account. Please try again, or press Board in Discord."
STALE: Final = (
    "You started this login in another browser, or it took too long. Please start again from the board."
)
ALL: Final = "all"
"""Ends every session of the user, and every link that was given out."""
OWN_ALONE: Final = "Spectators can end only their own session."
NO_NAME: Final = "a member"
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
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
        web.get("/board/login/{game:[0-9]{1,9}}", partial(begin_login, page), allow_head=False),
        web.get(BACK, partial(end_login, page), allow_head=False),
        web.get(f"{GAME}/sessions", partial(list_sessions, page)),
        web.post(f"{GAME}/sessions", partial(end_sessions, page)),
    ]


async def begin_login(page: Page, request: web.Request) -> web.Response:
    """Send a browser to Discord's login for a game's board."""
    page.limits.require_opening(address_of(request))
    state = secrets.token_urlsafe(16)
    asked = {
        "client_id": _secret(page).application_id,
        "response_type": "code",
        "scope": SCOPE,
        "redirect_uri": _return_address(page),
        "state": state,
        "prompt": "none",
    }
    answer = redirect(f"{AUTHORIZE}?{urlencode(asked)}")
    # Lax, as another site sends the browser back.
    answer.set_cookie(
        COOKIE,
        f"{state}.{request.match_info['game']}",
        path=BACK,
        max_age=SECONDS,
        httponly=True,
        secure=page.secure,
        samesite="Lax",
    )
    return answer


async def end_login(page: Page, request: web.Request) -> web.Response:
    """Give a returning user a link, if they may see the game, and open it."""
    page.limits.require_opening(address_of(request))
    try:
        link = await _link(page, request)
    except Refused as refused:  # a person reads it, not the page
        return web.Response(text=f"{refused}\n", status=HTTPStatus.FORBIDDEN)
    answer = redirect(link)
    answer.del_cookie(COOKIE, path=BACK)
    return answer


async def _link(page: Page, request: web.Request) -> str:
    secret = _secret(page)
    state, _, game = request.cookies.get(COOKIE, "").partition(".")
    if not state or not hmac.compare_digest(state.encode(), request.query.get("state", "").encode()):
        raise Refused(STALE)
    if not re.fullmatch("[0-9]{1,9}", game):  # no cookie of ours
        raise Denied(HTTPStatus.BAD_REQUEST, STALE)
    user_id, name = await _user(secret, _return_address(page), request.query.get("code", ""))
    row = await games.get_game(page.tables.db, int(game))
    if not await page.behind.may_see(row, user_id):
        raise Refused(NOT_THERE)
    return await page.links.personal_url(row.id, user_id, moderates=False, name=name)


async def _user(secret: LoginSecret, back: str, code: str) -> tuple[int, str]:
    """The account and name for an OAuth2 code; raises Refused."""
    asked = {"grant_type": "authorization_code", "code": code, "redirect_uri": back}
    async with ClientSession(timeout=ClientTimeout(total=10)) as session:
        try:
            token = await _json(
                session,
                "POST",
                f"{secret.api}/oauth2/token",
                data={**asked, "client_id": str(secret.application_id), "client_secret": secret.text},
            )
            bearer = {"Authorization": f"Bearer {token['access_token']}"}
            user = await _json(session, "GET", f"{secret.api}/users/@me", headers=bearer)
            return int(user["id"]), str(user.get("global_name") or user["username"])
        except (ClientError, TimeoutError, LookupError, TypeError, ValueError) as error:
            raise Refused(FAILED) from error


def _return_address(page: Page) -> str:
    return f"{page.address}{BACK}"


def _secret(page: Page) -> LoginSecret:
    if page.secret is None:
        raise web.HTTPNotFound
    return page.secret


async def _json(session: ClientSession, method: str, address: str, **sent: Any) -> Any:
    async with session.request(method, address, raise_for_status=True, **sent) as content:
        return await content.json()


async def list_sessions(page: Page, request: web.Request) -> web.Response:
    """All sessions of the user; none for spectators."""
    visitor = await visitor_of(page, request)
    page.limits.require(visitor, Kind.QUESTION)
    sessions = [] if visitor.user_id is None else await page.links.sessions(visitor.user_id)
    return json_answer(
        {"sessions": [await _session_json(page, session, visitor.session) for session in sessions]}
    )


async def end_sessions(page: Page, request: web.Request) -> web.Response:
    """End one session, or all; a spectator can end their own."""
    visitor = await visitor_of(page, request)
    page.limits.require(visitor, Kind.QUESTION)
    body = await body_of(page, request)
    if body.what == visitor.session:
        await page.links.end_session(body.what)
    elif visitor.user_id is None:
        raise NotYours(OWN_ALONE)
    elif body.what == ALL:
        await page.links.end(visitor.user_id)
    else:
        await page.links.end_session(body.what, visitor.user_id)
    return json_answer({"ended": body.what})


async def _session_json(page: Page, session: board_page.Session, own: str) -> dict[str, Any]:
    game = await games.get_game(page.tables.db, session.game_id)
    return {
        "id": session.digest,
        "game": game.id,
        "name": game.name,
        "device": session.device,
        "opened": session.created_at,
        "here": session.digest == own,
    }


def user_name(live: LiveGame, user_id: int, known: str) -> str:
    """A user's name in a game: of the seat or substitution, else the known one."""
    player = live.player_of(user_id)
    if player is None:
        return known or NO_NAME
    holds = live.holder_of(player) == user_id
    return live.name_of(player) if holds else live.substitutes[player].display_name


def device(user_agent: str) -> str:
    """Browser and system of a user agent, such as `Firefox on Linux`; empty if unknown."""
    names = (_first_match(_BROWSERS, user_agent), _first_match(_SYSTEMS, user_agent))
    return " on ".join(filter(None, names))


def _first_match(words: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for word, name in words if word in text), "")
