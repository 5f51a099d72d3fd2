"""HTTP routes for track plans and best routes of trains. Plans are not stored, so spectators can also plan."""

from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.table.rate_limits import RequestKind
from bot.web.change_requests import INVALID_REQUEST, MAX_TEXT_LENGTH
from bot.web.context import GAME_PATH, PageContext
from bot.web.entry.access import Denied, visitor_of
from bot.web.history_and_close_ups import detail_response
from bot.web.offers_as_json import BrowserPictures
from bot.web.plans_as_json import packed_plan, packed_plan_choices, packed_routes
from bot.web.position_answers import theme_of

HEX_PATH: Final = r"{coord:[A-Za-z0-9]{1,6}}"


def routes(page: PageContext) -> list[web.RouteDef]:
    """HTTP routes for track plans and best routes of trains."""
    planning = Planning(page)
    return [
        web.get(f"{GAME_PATH}/plan", planning.show_plan),
        web.get(f"{GAME_PATH}/plan/{HEX_PATH}", planning.show_choices),
        web.get(rf"{GAME_PATH}/routes/{{company:[^/]{{1,20}}}}", planning.show_routes),
    ]


class Planning:
    """Request handlers for plans and best routes."""

    def __init__(self, page: PageContext) -> None:
        self._page = page

    async def show_plan(self, request: web.Request) -> web.Response:
        """Respond with the parts of a plan, and the map with the plan's legal parts."""
        visitor = await visitor_of(self._page, request)
        plan, company = _text_in_query(request, "plan"), _text_in_query(request, "company") or None
        worker_arguments = plan, company, self._browser_pictures(request)
        return await detail_response(
            self._page, request, visitor, RequestKind.COMPLETION, packed_plan, *worker_arguments
        )

    async def show_choices(self, request: web.Request) -> web.Response:
        """Respond with the tiles and tokens that a plan could add in one hex."""
        visitor, coord = await visitor_of(self._page, request), request.match_info["coord"].upper()
        plan, company = _text_in_query(request, "plan"), _text_in_query(request, "company") or None
        worker_arguments = coord, plan, company, theme_of(request)
        return await detail_response(
            self._page, request, visitor, RequestKind.COMPLETION, packed_plan_choices, *worker_arguments
        )

    async def show_routes(self, request: web.Request) -> web.Response:
        """Respond with a company's best routes for its own or other trains, on the current map or on a planned one."""
        visitor, company = await visitor_of(self._page, request), request.match_info["company"]
        plan, trains = _text_in_query(request, "plan"), _text_in_query(request, "trains")
        worker_arguments = company, plan, trains, self._browser_pictures(request)
        return await detail_response(
            self._page, request, visitor, RequestKind.QUESTION, packed_routes, *worker_arguments
        )

    def _browser_pictures(self, request: web.Request) -> BrowserPictures:
        return BrowserPictures(theme_of(request), self._page.pictures.get(request.query.get("map_id", "")))


def _text_in_query(request: web.Request, name: str) -> str:
    """A text in the URL's query, empty if missing; raises Denied if it is too long."""
    text = request.query.get(name, "")
    if len(text) > MAX_TEXT_LENGTH:
        raise Denied(HTTPStatus.BAD_REQUEST, INVALID_REQUEST)
    return text
