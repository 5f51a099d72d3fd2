"""HTTP routes for servers' pages, which list the running and ended games that the user can see on Discord."""

import time
from collections.abc import Sequence
from functools import partial
from gzip import compress
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.bounded_caches import BoundedDict
from bot.table.errors import NotPermitted, Refused, error_sentence
from bot.table.game_cache import GameLocks
from bot.table.games.page_links import page_link
from bot.table.live import ask_about_position
from bot.table.markdown import plain_teller, sentence_list
from bot.table.rate_limits import RequestKind
from bot.web.context import GAME_PATH, PageContext
from bot.web.entry.access import Denied, game_id_of, redirect, visitor_of
from bot.web.entry.login_and_sessions import THREAD_NOT_VISIBLE
from bot.web.games_html import EndedGame, RunningGame, games_html
from bot.web.html_pages import PageSessions, html_response, svg_response
from bot.web.position_answers import theme_of
from bot.web.wire import plain_text
from bot.workers.workers import Priority, QueuePlace
from engine import TITLES, Game
from engine.views import map_view
from render import map_svg
from storage import GameRow, PageId, StorageError, games, results

MAX_RUNNING_GAMES: Final = 60
"""Maximum number of running games on the page; the newest come first."""
MAX_ENDED_GAMES: Final = 30
"""Maximum number of ended games on the page; the newest come first."""
VISIBILITY_CACHE_SECONDS: Final = 120.0
"""Seconds until the bot asks Discord again if a user can see a game.

Each check costs three requests to Discord.
"""
MAX_VISIBILITY_CHECKS: Final = 20_000
"""Maximum number of cached checks of a user's access to a game."""
MAX_CACHED_MAPS: Final = 100
"""Maximum number of cached maps, about 20 KB each."""
MAP_CACHE_SECONDS: Final = 3600
"""Seconds for which a browser caches a map; the map's URL contains the number of the move."""
ONE_GAME_ONLY: Final = "Spectators of a game see only that game. Use /game list in Discord for the others."
GAMES_SCRIPT_TAG: Final = '<script type="module" src="/board/static/games.js"></script>\n'


def routes(page: PageContext) -> list[web.RouteDef]:
    """HTTP routes for servers' pages, and the route that redirects from a board to its server's page."""
    pages = GamesPages(page)
    path, game = pages.page_sessions.path, "{game:[0-9]{1,9}}"
    return [
        *pages.page_sessions.routes(),
        web.get(path, pages.show),
        web.get(f"{path}/map/{game}", pages.send_map),
        web.get(f"{path}/{{way:board|film|result}}/{game}", pages.open_game, allow_head=False),
        web.get(f"{GAME_PATH}/games", partial(open_from_board, page), allow_head=False),
    ]


async def open_from_board(page: PageContext, request: web.Request) -> web.Response:
    """Redirect a user from a game's board to the page of the game's server."""
    visitor = await visitor_of(page, request)
    page.limits.count_request(visitor, RequestKind.QUESTION)
    if visitor.user_id is None:
        raise NotPermitted(ONE_GAME_ONLY)
    row = await games.get_game(page.tables.db, visitor.game_id)
    link = await page_link(page.tables, PageId("server", row.guild_id), visitor.user_id)
    assert link is not None  # the page is served
    return redirect(link)


class GamesPages:
    """Request handlers for servers' pages."""

    def __init__(self, page: PageContext) -> None:
        self._page = page
        self.page_sessions = PageSessions(page, "server", "Games")
        self._visibility_checks: BoundedDict[tuple[int, int], tuple[float, bool]] = BoundedDict(
            MAX_VISIBILITY_CHECKS
        )
        """For each (user id, game id): when the cached check expires, and True if the user can see the game."""
        self._cached_maps: BoundedDict[tuple[int, int, str], bytes] = BoundedDict(MAX_CACHED_MAPS)
        self._locks = GameLocks()

    async def show(self, request: web.Request) -> web.Response:
        """Respond with the server's page."""
        user_id = await self.page_sessions.user_id_of(request)
        if user_id is None:
            return self.page_sessions.no_session_response(request)
        db, guild_id = self._page.tables.db, self.page_sessions.requested_number(request)
        self._page.limits.count_request(Visitor(0, user_id), RequestKind.QUESTION)
        running_rows = await games.newest_games(db, guild_id, "running", MAX_RUNNING_GAMES)
        ended_rows = await games.newest_games(db, guild_id, "finished", MAX_ENDED_GAMES)
        try:
            visible_ids = await self._visible_game_ids([*running_rows, *ended_rows], user_id)
        except Refused as refusal:
            return self.page_sessions.sentence(HTTPStatus.SERVICE_UNAVAILABLE, str(refusal))
        winners = await results.winners(db, [row.id for row in ended_rows])
        running_games = [await self._running_game(row) for row in running_rows if row.id in visible_ids]
        ended_games = [
            _ended_game(row, winners.get(row.id, [])) for row in ended_rows if row.id in visible_ids
        ]
        queue = QueuePlace(Priority.QUESTION, guild_id, user_id)
        workers, path = self._page.tables.workers, f"/server/{guild_id}"
        body = await workers.run(queue, games_html, path, running_games, ended_games)
        return html_response(self._page, "Games", body, head=GAMES_SCRIPT_TAG)

    async def send_map(self, request: web.Request) -> web.Response:
        """Respond with a game's current map as SVG, in the requested theme."""
        row, theme = await self._requested_game(request), theme_of(request)
        async with self._page.tables.reading(row.id) as live:
            key = row.id, live.seq, theme
            position = None if key in self._cached_maps else live.game.dump()
        async with self._locks.lock_of(hash(key)):
            if key not in self._cached_maps:
                if position is None:
                    raise Denied(
                        HTTPStatus.SERVICE_UNAVAILABLE,
                        "This map could not be loaded. Please reload the page.",
                    )
                queue = QueuePlace(Priority.QUESTION, row.guild_id)
                self._cached_maps[key] = await ask_about_position(
                    self._page.tables.workers, queue, position, _packed_map, theme
                )
        return svg_response(request, self._cached_maps[key], MAP_CACHE_SECONDS)

    async def open_game(self, request: web.Request) -> web.Response:
        """Redirect to a game's board, film (replay) or result, as spectators see it."""
        links = self._page.links
        try:
            row = await self._requested_game(request)
        except Denied as denial:
            return self.page_sessions.sentence(denial.status, str(denial))
        if request.match_info["way"] == "result":
            return redirect(await links.result_url(row.id))
        film_suffix = "/film" if request.match_info["way"] == "film" else ""
        return redirect(f"{await links.spectator_url(row.id)}{film_suffix}")

    async def _requested_game(self, request: web.Request) -> GameRow:
        """The started game named in the path, if the visitor can see it; raises Denied, NoSuchGame."""
        user_id = await self.page_sessions.user_id_of(request)
        if user_id is None:
            raise Denied(
                HTTPStatus.UNAUTHORIZED, "You are not logged in to this page, or your session has ended."
            )
        self._page.limits.count_request(Visitor(0, user_id), RequestKind.COMPLETION)
        row = await games.get_game(self._page.tables.db, game_id_of(request))
        if row.guild_id != self.page_sessions.requested_number(request) or row.status not in (
            "running",
            "finished",
        ):
            raise web.HTTPNotFound
        if row.id not in await self._visible_game_ids([row], user_id):
            raise Denied(HTTPStatus.FORBIDDEN, THREAD_NOT_VISIBLE)
        return row

    async def _visible_game_ids(self, rows: Sequence[GameRow], user_id: int) -> set[int]:
        """Ids of the games in `rows` that a user can see on Discord; raises Refused."""
        now = time.monotonic()
        unchecked_rows = [
            row for row in rows if self._visibility_checks.get((user_id, row.id), (0.0, False))[0] <= now
        ]
        if unchecked_rows:
            visible_ids = await self._page.services.visible_games(unchecked_rows, user_id)
            for row in unchecked_rows:
                self._visibility_checks[user_id, row.id] = (
                    now + VISIBILITY_CACHE_SECONDS,
                    row.id in visible_ids,
                )
        return {row.id for row in rows if self._visibility_checks[user_id, row.id][1]}

    async def _running_game(self, row: GameRow) -> RunningGame:
        """A running game for the page; if the game cannot be loaded, its `note` says why."""
        tables, title = self._page.tables, _title_of(row)
        try:
            async with tables.reading(row.id) as live:
                last_row, game = live.effective_rows[-1], live.game
                obstacle = live.move_obstacle(tables.clock()) or ""
                names = tuple(live.name_of(player) for player in game.actors())
                round_name = plain_teller(game).round_name()
                move_number_and_time = last_row.seq, last_row.created_at
                return RunningGame(
                    row.id, title, row.name, round_name, names, *move_number_and_time, plain_text(obstacle)
                )
        except (Refused, StorageError) as error:
            return RunningGame(row.id, title, row.name, note=plain_text(error_sentence(error)))


def _packed_map(game: Game, theme: str) -> bytes:
    return compress(map_svg(map_view(game), theme=theme).encode())


def _ended_game(row: GameRow, winners: Sequence[tuple[str, int]]) -> EndedGame:
    title, result = TITLES.get(row.title), ""
    if winners and title is not None:
        verb, total = "wins" if len(winners) == 1 else "win", title.spec.money(winners[0][1])
        result = f"{sentence_list(name for name, _ in winners)} {verb} with {total}"
    return EndedGame(row.id, _title_of(row), row.name, result)


def _title_of(row: GameRow) -> str:
    return TITLES[row.title].name if row.title in TITLES else row.title
