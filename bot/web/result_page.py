"""HTTP routes for ended games' results, which anyone with the link can see, and for public links to a game."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import Final, TypeAlias

from aiohttp import web

from bot.table.board_links_and_sessions import RESULT_PATH, Visitor
from bot.table.bounded_caches import BoundedDict
from bot.table.errors import NotPermitted, Refused
from bot.table.game_cache import GameLocks
from bot.table.live import ask_about_position
from bot.table.past.game_record import moderator_who_ended
from bot.table.past.past_games import GameToReplay
from bot.table.rate_limits import RequestKind
from bot.web.context import GAME_PATH, PageContext
from bot.web.entry.access import game_id_of, redirect, uncached_json_response, visitor_of
from bot.web.html_pages import html_response, sentence_page, svg_response
from bot.web.position_answers import may_share, theme_of
from bot.web.result_html import (
    ResultKey,
    ResultView,
    draw_chart,
    draw_map,
    draw_scores,
    preview_tags,
    result_html,
    result_view,
)
from bot.workers.workers import Priority, QueuePlace

DrawResult: TypeAlias = Callable[[ResultView, str], bytes]
"""A function that draws a picture of a result in a theme; called by a worker."""
KEYED_RESULT_PATH: Final = rf"{RESULT_PATH}/{{game:[0-9]{{1,9}}}}.{{key:[0-9a-f]{{32}}}}"
MAX_CACHED_RESULTS: Final = 30
"""Maximum number of cached results, about 300 KB each with the map."""
MAX_CACHED_PICTURES: Final = 60
PICTURE_CACHE_SECONDS: Final = 600
"""Seconds for which a browser caches a picture; short, since players may change their names."""
ENDED_BY_MODERATOR: Final = "A moderator has ended the game. The current scores count."
NO_RESULT: Final = "There is no result here: the link is wrong, or the end of the game was undone."
NOT_OVER: Final = "The game is not over, so it has no result yet."
ONLY_PLAYERS_SHARE: Final = "Only players of this game can make a link to share it."


def routes(page: PageContext) -> list[web.RouteDef]:
    """HTTP routes for results, and for public links to a game."""
    pages = ResultPages(page)
    return [
        web.get(KEYED_RESULT_PATH, pages.show),
        web.get(f"{KEYED_RESULT_PATH}/scores.png", pages.send_scores),
        web.get(f"{KEYED_RESULT_PATH}/chart.svg", partial(pages.send_svg, draw_chart)),
        web.get(f"{KEYED_RESULT_PATH}/map.svg", partial(pages.send_svg, draw_map)),
        web.get(f"{KEYED_RESULT_PATH}/film", pages.open_film, allow_head=False),
        web.get(f"{KEYED_RESULT_PATH}/board", pages.open_board, allow_head=False),
        web.get(f"{GAME_PATH}/result", partial(open_result, page), allow_head=False),
        web.get(f"{GAME_PATH}/share", partial(share, page), allow_head=False),
    ]


async def share(page: PageContext, request: web.Request) -> web.Response:
    """Respond with a public link to the film (replay) of a game; the link never expires if the game has ended."""
    visitor, is_over = await _visitor_who_may_share(page, request)
    links = page.links
    url = await (links.result_url if is_over else links.spectator_url)(visitor.game_id)
    return uncached_json_response({"film_url": f"{url}/film"})


async def open_result(page: PageContext, request: web.Request) -> web.Response:
    """Redirect from the board of an ended game to its result page."""
    visitor, is_over = await _visitor_who_may_share(page, request)
    if not is_over:
        raise Refused(NOT_OVER)
    return redirect(await page.links.result_url(visitor.game_id))


async def _visitor_who_may_share(page: PageContext, request: web.Request) -> tuple[Visitor, bool]:
    """The visitor, who may share the game, and True if the game is over; raises NotPermitted."""
    visitor = await visitor_of(page, request)
    page.limits.count_request(visitor, RequestKind.QUESTION)
    async with page.tables.reading(visitor.game_id) as live:
        if not may_share(live, visitor):
            raise NotPermitted(ONLY_PLAYERS_SHARE)
        return visitor, live.game.is_over


class ResultPages:
    """Request handlers for results, with caches."""

    def __init__(self, page: PageContext) -> None:
        self._page = page
        self._locks = GameLocks()
        self._cached_results: BoundedDict[ResultKey, ResultView] = BoundedDict(MAX_CACHED_RESULTS)
        self._cached_pictures: BoundedDict[tuple[ResultKey, DrawResult, str], bytes] = BoundedDict(
            MAX_CACHED_PICTURES
        )

    async def show(self, request: web.Request) -> web.Response:
        """Respond with the result page, including tags for a link preview."""
        try:
            view = await self._requested_result(request)
        except web.HTTPNotFound:  # a person reads it
            return sentence_page(self._page, "Result", HTTPStatus.NOT_FOUND, NO_RESULT)
        page_url = f"{self._page.address}{request.path}"
        body = await self._page.tables.workers.run(_worker_queue(view), result_html, view, request.path)
        return html_response(self._page, view.title, body, head=preview_tags(view, page_url))

    async def send_scores(self, request: web.Request) -> web.Response:
        """Respond with the final scores as a PNG, for link previews."""
        body = await self._picture(draw_scores, request)
        headers = {"Cache-Control": f"private, max-age={PICTURE_CACHE_SECONDS}"}
        return web.Response(body=body, content_type="image/png", headers=headers)

    async def send_svg(self, draw: DrawResult, request: web.Request) -> web.Response:
        """Respond with the charts or the final map as SVG."""
        return svg_response(request, await self._picture(draw, request), PICTURE_CACHE_SECONDS)

    async def open_board(self, request: web.Request) -> web.Response:
        """Redirect to the game's board, as spectators see it."""
        await self._requested_result(request)
        return redirect(await self._page.links.spectator_url(game_id_of(request)))

    async def open_film(self, request: web.Request) -> web.Response:
        """Redirect to the film (replay) of the game."""
        await self._requested_result(request)
        return redirect(f"{await self._page.links.spectator_url(game_id_of(request))}/film")

    async def _requested_result(self, request: web.Request) -> ResultView:
        """The result of the game in the path; raises HTTPNotFound for a wrong key or an unfinished game."""
        tables, game_id = self._page.tables, game_id_of(request)
        if not await self._page.links.is_result_key(game_id, request.match_info["key"]):
            raise web.HTTPNotFound
        async with self._locks.lock_of(game_id):
            async with tables.reading(game_id) as live:
                if not live.game.is_over:
                    raise web.HTTPNotFound
                key = ResultKey(game_id, live.seq, live.game.players)
                if key in self._cached_results:
                    return self._cached_results[key]
                game_to_replay, position, row = GameToReplay.of(live), live.game.dump(), live.row
                is_ended_by_moderator = moderator_who_ended(live) is not None
            queue = QueuePlace(Priority.QUESTION, -row.guild_id)
            history = await tables.replayer.history(game_to_replay, queue)
            view = await ask_about_position(tables.workers, queue, position, result_view, history, key, row)
            if is_ended_by_moderator:
                view = replace(view, scores=replace(view.scores, ending=ENDED_BY_MODERATOR))
            self._cached_results[key] = view
            return view

    async def _picture(self, draw: DrawResult, request: web.Request) -> bytes:
        view, theme = await self._requested_result(request), theme_of(request)
        key = view.key, draw, theme
        async with self._locks.lock_of(hash(key)):
            if key not in self._cached_pictures:
                self._cached_pictures[key] = await self._page.tables.workers.run(
                    _worker_queue(view), draw, view, theme
                )
        return self._cached_pictures[key]


def _worker_queue(view: ResultView) -> QueuePlace:
    return QueuePlace(Priority.QUESTION, -view.guild_id)
