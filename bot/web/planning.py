"""Plans on the map, and best routes of any trains; nothing of them is stored, so that spectators plan, too."""

from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.table.rate_limits import RequestKind
from bot.web.change_requests import INVALID_REQUEST, MAX_TEXT_LENGTH
from bot.web.context import GAME_PATH, Page
from bot.web.entry.access import Denied, visitor_of
from bot.web.history_and_close_ups import detail_answer
from bot.web.offers_as_json import BrowserPictures
from bot.web.plans_as_json import packed_plan, packed_plan_choices, packed_routes
from bot.web.position_answers import theme_of

HEX_PATH: Final = r"{coord:[A-Za-z0-9]{1,6}}"


def routes(page: Page) -> list[web.RouteDef]:
    """Routes of plans."""
    planning = Planning(page)
    return [
        web.get(f"{GAME_PATH}/plan", planning.show_plan),
        web.get(f"{GAME_PATH}/plan/{HEX_PATH}", planning.show_choices),
        web.get(rf"{GAME_PATH}/routes/{{company:[^/]{{1,20}}}}", planning.show_routes),
    ]


class Planning:
    """Answers about plans."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def show_plan(self, request: web.Request) -> web.Response:
        """The parts of a plan, and the map with those that fit."""
        visitor = await visitor_of(self._page, request)
        plan, company = _text_in_query(request, "plan"), _text_in_query(request, "company") or None
        values = plan, company, self._browser_of(request)
        return await detail_answer(self._page, request, visitor, RequestKind.COMPLETION, packed_plan, *values)

    async def show_choices(self, request: web.Request) -> web.Response:
        """The tiles and tokens that can be added to a plan in a hex."""
        visitor, coord = await visitor_of(self._page, request), request.match_info["coord"].upper()
        plan, company = _text_in_query(request, "plan"), _text_in_query(request, "company") or None
        values = coord, plan, company, theme_of(request)
        return await detail_answer(
            self._page, request, visitor, RequestKind.COMPLETION, packed_plan_choices, *values
        )

    async def show_routes(self, request: web.Request) -> web.Response:
        """A company's best routes, of its own trains or others, on the map or on a plan."""
        visitor, company = await visitor_of(self._page, request), request.match_info["company"]
        plan, trains = _text_in_query(request, "plan"), _text_in_query(request, "trains")
        values = company, plan, trains, self._browser_of(request)
        return await detail_answer(self._page, request, visitor, RequestKind.QUESTION, packed_routes, *values)

    def _browser_of(self, request: web.Request) -> BrowserPictures:
        return BrowserPictures(theme_of(request), self._page.pictures.get(request.query.get("have", "")))


def _text_in_query(request: web.Request, name: str) -> str:
    """A text in the query, empty if missing; raises Denied if it is too long."""
    text = request.query.get(name, "")
    if len(text) > MAX_TEXT_LENGTH:
        raise Denied(HTTPStatus.BAD_REQUEST, INVALID_REQUEST)
    return text
