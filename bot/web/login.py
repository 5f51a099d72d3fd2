"""Login by Discord's OAuth2, where the operator has set a client secret: who comes without a link may get in, too."""

import hmac
import re
import secrets
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from aiohttp import ClientError, ClientSession, ClientTimeout, web
from discord.http import Route

from bot.table.board.links import BoardLinks, Opened
from bot.table.errors import Refused
from bot.table.tables import Tables
from bot.web.access import Access, Denied, address_of
from bot.web.page_files import let_in
from bot.web.page_limits import Limits

AUTHORIZE: Final = "https://discord.com/oauth2/authorize"
"""Where a person says whether they want to log in here."""
SCOPES: Final = "identify guilds"
"""Who they are, and of which servers they are a member; nothing else."""
COOKIE: Final = "stationmaster_login"
"""Ties the way back to the browser that went there."""
SECONDS: Final = 600
"""How long a person may take."""
BACK: Final = "/board/login/back"
NOT_THERE: Final = "You are not a member of the server on which this game is played."
FAILED: Final = "Discord did not confirm who you are. Please try again, or press Board in Discord."
STALE: Final = "This login was not begun in this browser, or took too long. Please begin again at the board."


@dataclass(frozen=True, slots=True)
class Secret:
    """The application, and the secret by which Discord knows this bot's server."""

    application_id: int
    text: str


@dataclass(frozen=True, slots=True)
class _Somebody:
    """Who has logged in, and the servers of which they are a member."""

    user_id: int
    guilds: frozenset[int]


class Login:
    """The way to Discord, and back."""

    def __init__(self, tables: Tables, access: Access, limits: Limits, secret: Secret | None) -> None:
        self._tables = tables
        self._links: BoardLinks = tables.board
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
            "scope": SCOPES,
            "redirect_uri": self._back,
            "state": state,
            "prompt": "none",
        }
        answer = _to(f"{AUTHORIZE}?{urlencode(asked)}")
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
        """Let in who comes back from Discord, if they belong to the game's server, or play."""
        self._limits.require_opening(address_of(request))
        try:
            opened = await self._admitted(request)
        except Refused as refused:  # a person reads it, not the page
            return web.Response(text=f"{refused}\n", status=HTTPStatus.FORBIDDEN)
        answer = let_in(opened, secure=self._access.secure)
        answer.del_cookie(COOKIE, path=BACK)
        return answer

    async def _admitted(self, request: web.Request) -> Opened:
        secret = self._require_secret()
        state, _, game = request.cookies.get(COOKIE, "").partition(".")
        if not state or not hmac.compare_digest(state.encode(), request.query.get("state", "").encode()):
            raise Refused(STALE)
        if not re.fullmatch("[0-9]{1,9}", game):  # no cookie of ours
            raise Denied(HTTPStatus.BAD_REQUEST, STALE)
        somebody = await self._somebody(secret, request.query.get("code", ""))
        async with self._tables.reading(int(game)) as live:
            plays = live.player_of(somebody.user_id) is not None
            if not plays and live.row.guild_id not in somebody.guilds:
                raise Refused(NOT_THERE)
        return await self._links.admit(int(game), somebody.user_id)

    async def _somebody(self, secret: Secret, code: str) -> _Somebody:
        """Whom Discord says this code is; raises Refused."""
        asked = {"grant_type": "authorization_code", "code": code, "redirect_uri": self._back}
        async with ClientSession(timeout=ClientTimeout(total=10)) as session:
            try:
                token = await _json(
                    session,
                    "POST",
                    "/oauth2/token",
                    data={**asked, "client_id": str(secret.application_id), "client_secret": secret.text},
                )
                bearer = {"Authorization": f"Bearer {token['access_token']}"}
                user = await _json(session, "GET", "/users/@me", headers=bearer)
                guilds = await _json(session, "GET", "/users/@me/guilds", headers=bearer)
                return _Somebody(int(user["id"]), frozenset(int(one["id"]) for one in guilds))
            except (ClientError, TimeoutError, LookupError, TypeError, ValueError) as error:
                raise Refused(FAILED) from error

    @property
    def _back(self) -> str:
        return f"{self._links.address}{BACK}"

    def _require_secret(self) -> Secret:
        if self._secret is None:
            raise web.HTTPNotFound
        return self._secret


async def _json(session: ClientSession, method: str, path: str, **sent: Any) -> Any:
    async with session.request(method, f"{Route.BASE}{path}", raise_for_status=True, **sent) as found:
        return await found.json()


def _to(address: str) -> web.Response:
    return web.Response(
        status=HTTPStatus.SEE_OTHER, headers={"Location": address, "Cache-Control": "no-store"}
    )
