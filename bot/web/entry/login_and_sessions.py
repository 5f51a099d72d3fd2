"""Users of the page: login by Discord's OAuth2, where the operator has set a client secret, and sessions by device."""

import hmac
import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, TypeAlias
from urllib.parse import urlencode

from aiohttp import ClientError, ClientSession, ClientTimeout, web

from bot.table.board_access import BoardLinks
from bot.table.errors import NotYours, Refused
from bot.table.live import LiveGame
from bot.table.rate_limits import Kind
from bot.table.tables import Tables
from bot.web.change_requests import body_of
from bot.web.entry.access import Access, Denied, address_of, json_answer, redirect
from bot.web.entry.page_limits import Limits
from storage import Game, board_page, games

AUTHORIZE: Final = "https://discord.com/oauth2/authorize"
"""Where a person says whether they want to log in here."""
SCOPE: Final = "identify"
"""Who they are; nothing else."""
COOKIE: Final = "stationmaster_login"
"""Ties the way back to the browser that went there."""
SECONDS: Final = 600
"""How long a person may take."""
BACK: Final = "/board/login/back"
NOT_THERE: Final = "You cannot see the thread in which this game is played."
FAILED: Final = "Discord did not confirm who you are. Please try again, or press Board in Discord."
STALE: Final = "This login was not begun in this browser, or took too long. Please begin again at the board."
ALL: Final = "all"
"""Ends every session of the user, and every link that was given out."""
OWN_ALONE: Final = "Spectators end their own session only."
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


@dataclass(frozen=True, slots=True)
class Secret:
    """The application, the secret by which Discord knows this bot's server, and the address of Discord's API."""

    application_id: int
    text: str
    api: str


MaySee: TypeAlias = Callable[[Game, int], Awaitable[bool]]
"""True if a user may see the thread of a game; raises Refused where Discord does not say."""


class Login:
    """The way to Discord, and back."""

    def __init__(
        self, tables: Tables, access: Access, limits: Limits, secret: Secret | None, may_see: MaySee
    ) -> None:
        self._tables = tables
        self._links: BoardLinks = tables.board
        self._may_see = may_see
        self._access = access
        self._limits = limits
        self._secret = secret

    async def begin(self, request: web.Request) -> web.Response:
        """Send a browser to Discord, to come back to a game's board."""
        self._limits.require_opening(address_of(request))
        secret, game = self._require_secret(), request.match_info["game"]
        state = secrets.token_urlsafe(16)
        asked = {
            "client_id": secret.application_id,
            "response_type": "code",
            "scope": SCOPE,
            "redirect_uri": self._back,
            "state": state,
            "prompt": "none",
        }
        answer = redirect(f"{AUTHORIZE}?{urlencode(asked)}")
        # Lax, as another site sends the browser back.
        answer.set_cookie(
            COOKIE,
            f"{state}.{game}",
            path=BACK,
            max_age=SECONDS,
            httponly=True,
            secure=self._access.secure,
            samesite="Lax",
        )
        return answer

    async def back(self, request: web.Request) -> web.Response:
        """Give a user who comes back from Discord a link, if they may see the game, and have the browser open it."""
        self._limits.require_opening(address_of(request))
        try:
            link = await self._link(request)
        except Refused as refused:  # a person reads it, not the page
            return web.Response(text=f"{refused}\n", status=HTTPStatus.FORBIDDEN)
        answer = redirect(link)
        answer.del_cookie(COOKIE, path=BACK)
        return answer

    async def _link(self, request: web.Request) -> str:
        secret = self._require_secret()
        state, _, game = request.cookies.get(COOKIE, "").partition(".")
        if not state or not hmac.compare_digest(state.encode(), request.query.get("state", "").encode()):
            raise Refused(STALE)
        if not re.fullmatch("[0-9]{1,9}", game):  # no cookie of ours
            raise Denied(HTTPStatus.BAD_REQUEST, STALE)
        user_id, name = await self._user(secret, request.query.get("code", ""))
        row = await games.get_game(self._tables.db, int(game))
        if not await self._may_see(row, user_id):
            raise Refused(NOT_THERE)
        return await self._links.personal_url(row.id, user_id, moderates=False, name=name)

    async def _user(self, secret: Secret, code: str) -> tuple[int, str]:
        """The account of which Discord says that this code is, and its name; raises Refused."""
        asked = {"grant_type": "authorization_code", "code": code, "redirect_uri": self._back}
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

    @property
    def _back(self) -> str:
        return f"{self._links.address}{BACK}"

    def _require_secret(self) -> Secret:
        if self._secret is None:
            raise web.HTTPNotFound
        return self._secret


async def _json(session: ClientSession, method: str, address: str, **sent: Any) -> Any:
    async with session.request(method, address, raise_for_status=True, **sent) as found:
        return await found.json()


class Sessions:
    """Lists the sessions of a visitor, and ends them."""

    def __init__(self, tables: Tables, access: Access, limits: Limits) -> None:
        self._tables = tables
        self._links = tables.board
        self._access = access
        self._limits = limits

    async def list(self, request: web.Request) -> web.Response:
        """Every session of the user, at all games; none for spectators."""
        visitor = await self._access.visitor(request)
        self._limits.require(visitor, Kind.QUESTION)
        found = [] if visitor.user_id is None else await self._links.sessions(visitor.user_id)
        return json_answer({"sessions": [await self._session_json(one, visitor.session) for one in found]})

    async def end(self, request: web.Request) -> web.Response:
        """End one session, or all; a spectator can end their own."""
        visitor = await self._access.visitor(request)
        self._limits.require(visitor, Kind.QUESTION)
        body = await body_of(request, self._limits.patience)
        if body.what == visitor.session:
            await self._links.end_one(body.what)
        elif visitor.user_id is None:
            raise NotYours(OWN_ALONE)
        elif body.what == ALL:
            await self._links.end(visitor.user_id)
        else:
            await self._links.end_one(body.what, visitor.user_id)
        return json_answer({"ended": body.what})

    async def _session_json(self, session: board_page.Session, own: str) -> dict[str, Any]:
        game = await games.get_game(self._tables.db, session.game_id)
        return {
            "id": session.digest,
            "game": game.id,
            "name": game.name,
            "device": session.device,
            "opened": session.created_at,
            "here": session.digest == own,
        }


def user_name(live: LiveGame, user_id: int, known: str) -> str:
    """The name of a user in a game: that of their seat or as a substitute, else the one that is known."""
    player = live.player_of(user_id)
    if player is None:
        return known or NO_NAME
    holds = live.holder_of(player) == user_id
    return live.name_of(player) if holds else live.substitutes[player].display_name


def device(user_agent: str) -> str:
    """Browser and system in words, such as `Firefox on Linux`; empty where neither is known."""
    names = (_first(_BROWSERS, user_agent), _first(_SYSTEMS, user_agent))
    return " on ".join(filter(None, names))


def _first(words: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for word, name in words if word in text), "")
