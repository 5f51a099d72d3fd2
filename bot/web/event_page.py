"""HTTP routes for events' pages: standings and schedule, a CSV file, and redirects to boards."""

from http import HTTPStatus

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.events.event_settings import post_channel
from bot.table.events.event_standings import standings_file
from bot.table.events.event_views import EventView, event_view
from bot.table.rate_limits import RequestKind
from bot.web.context import PageContext
from bot.web.entry.access import redirect
from bot.web.entry.login_and_sessions import THREAD_NOT_VISIBLE
from bot.web.event_html import event_html
from bot.web.html_pages import PageSessions, html_response
from bot.workers.workers import Priority, QueuePlace
from storage import games


def routes(page: PageContext) -> list[web.RouteDef]:
    """HTTP routes for events' pages."""
    pages = EventPages(page)
    path = pages.page_sessions.path
    return [
        *pages.page_sessions.routes(),
        web.get(path, pages.show),
        web.get(f"{path}.csv", pages.send_standings),
        web.get(f"{path}/board/{{game:[0-9]{{1,9}}}}", pages.open_board, allow_head=False),
    ]


class EventPages:
    """Request handlers for events' pages."""

    def __init__(self, page: PageContext) -> None:
        self._page = page
        self.page_sessions = PageSessions(page, "event", "Event")

    async def show(self, request: web.Request) -> web.Response:
        """Respond with the event's page."""
        view, user_id = await self._event_and_user(request)
        if view is None:
            return self.page_sessions.no_session_response(request)
        body = await self._page.tables.workers.run(_worker_queue(view, user_id), event_html, view)
        return html_response(self._page, view.event.name, body)

    async def send_standings(self, request: web.Request) -> web.Response:
        """Respond with the standings as a CSV file."""
        view, user_id = await self._event_and_user(request)
        if view is None:
            return self.page_sessions.no_session_response(request)
        text = await self._page.tables.workers.run(_worker_queue(view, user_id), standings_file, view)
        headers = {
            "Cache-Control": "no-store",
            "Content-Disposition": f'attachment; filename="event-{view.event.id}-standings.csv"',
        }
        return web.Response(text=text, content_type="text/csv", charset="utf-8", headers=headers)

    async def open_board(self, request: web.Request) -> web.Response:
        """Redirect to the spectators' board of one of the event's games.

        If the browser has a player's session at this game, the board is the player's own.
        """
        page = self._page
        view, user_id = await self._event_and_user(request)
        if view is None:
            return self.page_sessions.no_session_response(request)
        game_id = int(request.match_info["game"])
        if not any(game.game_id == game_id and game.status != "lobby" for game in view.games):
            raise web.HTTPNotFound
        row = await games.get_game(page.tables.db, game_id)
        # In the event's channel its games are seen with it; a game may have moved to another one.
        if row.channel_id != post_channel(view.event) and not await page.services.may_see(row, user_id):
            return self.page_sessions.sentence(HTTPStatus.FORBIDDEN, THREAD_NOT_VISIBLE)
        return redirect(await page.links.spectator_url(game_id))

    async def _event_and_user(self, request: web.Request) -> tuple[EventView | None, int]:
        """The event and the id of the visiting user; (None, 0) without a session."""
        user_id = await self.page_sessions.user_id_of(request)
        if user_id is None:
            return None, 0
        self._page.limits.count_request(Visitor(0, user_id), RequestKind.QUESTION)
        return await event_view(self._page.tables.db, self.page_sessions.requested_number(request)), user_id


def _worker_queue(view: EventView, user_id: int) -> QueuePlace:
    return QueuePlace(Priority.QUESTION, view.event.guild_id, user_id)
