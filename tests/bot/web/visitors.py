"""The server of the board page on a bench, and browsers that ask it."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Self

from aiohttp import ClientResponse, ClientSession, DummyCookieJar, TCPConnector

from bot.table.rate_limits import RateLimiter
from bot.web.board_server import BoardPage
from bot.web.context import OAuthClient, PageServices
from bot.web.entry.access import SESSION_COOKIE
from bot.web.entry.addresses import LOOPBACK_NETWORKS
from bot.web.entry.page_and_stream_limits import USUAL_CAPACITY, PageCapacity
from bot.web.event_stream import KEEP_ALIVE_SECONDS
from storage import GameRow
from tests.bot.support.table_service import ANN, TableService

PUBLIC = "http://board.test"
OWN = {"Origin": PUBLIC, "Sec-Fetch-Site": "same-origin"}
AT_A_RUN = 1000.0


@dataclass
class Answer:
    """An answer of the server."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        return str(self.json["error"])


@dataclass
class Browser:
    """A browser at the board of one game: it keeps the cookie."""

    session: ClientSession
    url: str
    game: int
    secret: str

    async def get(self, path: str, **headers: str) -> Answer:
        return await self.ask("GET", f"/board/{self.game}{path}", headers)

    async def post(self, path: str, body: object, headers: Mapping[str, str] = OWN) -> Answer:
        return await self.ask("POST", f"/board/{self.game}{path}", headers, body)

    async def ask(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: object = None
    ) -> Answer:
        cookie = {"Cookie": f"{SESSION_COOKIE}={self.secret}"} if self.secret else {}
        async with self.session.request(
            method, self.url + path, headers={**cookie, **(headers or {})}, allow_redirects=False, json=body
        ) as found:
            return await answered(found)


async def answered(found: ClientResponse) -> Answer:
    return Answer(found.status, found.headers, await found.read())


class Site:
    """A page that is served."""

    def __init__(self, service: TableService, session: ClientSession) -> None:
        self.service = service
        self.links = service.tables.board_links
        self.followers = service.tables.followers
        self.session = session
        self.url = ""
        self.seen: list[tuple[int, int]] = []
        """Games and users who have acted there, each time."""
        self.renewed: list[tuple[int, int]] = []
        """Games and proposals that were answered there, each time."""
        self.hidden: set[int] = set()
        """Games whose threads nobody may see."""

    @classmethod
    @asynccontextmanager
    async def open_on(
        cls,
        service: TableService,
        public: str = PUBLIC,
        pace: RateLimiter | None = None,
        factor: float = AT_A_RUN,
        oauth_client: OAuthClient | None = None,
        capacity: PageCapacity = USUAL_CAPACITY,
        proxies: str = LOOPBACK_NETWORKS,
        alive: float = KEEP_ALIVE_SECONDS,
    ) -> AsyncIterator[Self]:
        """The page of these tables; nobody asks too often unless `pace` and `factor` say so."""
        service.tables.on_notice = service.tables.followers.wake
        seen: list[tuple[int, int]] = []
        renewed: list[tuple[int, int]] = []
        hidden: set[int] = set()

        async def visible(rows: Sequence[GameRow], user_id: int) -> frozenset[int]:
            return frozenset(row.id for row in rows if row.id not in hidden and user_id == ANN)

        page = BoardPage(
            replace(
                PageServices.without_client(service.tables),
                on_activity=lambda game, user: seen.append((game, user)),
                on_vote=lambda game, number: renewed.append((game, number)),
                visible_games=visible,
            ),
            RateLimiter(AT_A_RUN) if pace is None else pace,
            factor,
            oauth_client,
            capacity,
            proxies,
            alive,
        )
        async with (
            ClientSession(cookie_jar=DummyCookieJar(), connector=TCPConnector(limit=0)) as session,
            page.serving(0, public) as port,
        ):
            site = cls(service, session)
            site.url, site.seen, site.renewed = f"http://127.0.0.1:{port}", seen, renewed
            site.hidden = hidden
            yield site

    def stranger(self, game: int) -> Browser:
        return Browser(self.session, self.url, game, "")

    async def browser(self, game: int, user_id: int | None, *, moderates: bool = False) -> Browser:
        """The browser of a user, or (None) of a spectator, that has opened its link."""
        if user_id is None:
            token = await self.links.spectator_token(game)
        else:
            token = await self.links.personal_token(game, user_id, moderates=moderates)
        return Browser(self.session, self.url, game, (await self.links.open(token)).secret)
