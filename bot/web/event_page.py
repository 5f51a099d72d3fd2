"""The page of an event: its link, standings and schedule, the file of standings, and the way to its boards."""

import re
from functools import partial
from html import escape
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.errors import Refused
from bot.table.events.event_links import EVENT_SESSION_LASTS, OPEN_PATH, event_visitor, open_event_link
from bot.table.events.event_settings import post_channel
from bot.table.events.event_standings import standings_file
from bot.table.events.event_views import EventView, event_view
from bot.table.rate_limits import Kind
from bot.web.context import Page
from bot.web.entry.access import address_of, redirect, require_navigation
from bot.web.entry.login_and_sessions import EVENT_LOGIN_PATH, THREAD_NOT_VISIBLE
from bot.web.event_html import event_html, tag
from bot.workers.workers import Priority, Queue
from storage import games

EVENT_FILE: Final = "event.html"
EVENT_COOKIE: Final = "stationmaster_event_{}"
"""Cookie of a session at the page of an event, with the event's number: one browser may see several."""
COOKIE_PATH: Final = "/event"
NO_EVENT_SESSION: Final = (
    "You are not logged in to the page of this event, or your session has ended. Press Page under the event's post "
    "in Discord for a new link."
)


def routes(page: Page) -> list[web.RouteDef]:
    """Routes of the pages of events."""
    path = "/event/{event:[0-9]{1,9}}"
    return [
        web.get(rf"{OPEN_PATH}/{{token:[\w-]{{1,200}}}}", partial(open_link, page), allow_head=False),
        web.get(path, partial(show_event, page)),
        web.get(f"{path}.csv", partial(send_standings, page)),
        web.get(f"{path}/board/{{game:[0-9]{{1,9}}}}", partial(open_board, page), allow_head=False),
    ]


async def open_link(page: Page, request: web.Request) -> web.Response:
    """Exchange a link for a session, and show the page."""
    page.limits.count_opened_link(address_of(request))
    require_navigation(request)
    try:
        opened = await open_event_link(page.tables, request.match_info["token"])
    except Refused as refused:
        return _sentence_page(page, HTTPStatus.FORBIDDEN, str(refused))
    answer = redirect(f"/event/{opened.event_id}")
    # Lax, as people come from other sites, and the page changes nothing.
    answer.set_cookie(
        EVENT_COOKIE.format(opened.event_id),
        opened.secret,
        path=COOKIE_PATH,
        max_age=round(EVENT_SESSION_LASTS.total_seconds()),
        httponly=True,
        secure=page.uses_tls,
        samesite="Lax",
    )
    return answer


async def show_event(page: Page, request: web.Request) -> web.Response:
    """The page, as it is now."""
    view, visitor = await _visited(page, request)
    if view is None:
        return _no_session_page(page, request)
    body = await page.tables.workers.run(_queue(view, visitor), event_html, view)
    return html_answer(page, view.event.name, body)


async def send_standings(page: Page, request: web.Request) -> web.Response:
    """The standings as CSV."""
    view, visitor = await _visited(page, request)
    if view is None:
        return _no_session_page(page, request)
    text = await page.tables.workers.run(_queue(view, visitor), standings_file, view)
    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": f'attachment; filename="event-{view.event.id}-standings.csv"',
    }
    return web.Response(text=text, content_type="text/csv", charset="utf-8", headers=headers)


async def open_board(page: Page, request: web.Request) -> web.Response:
    """Lead to the board of a game: a player with a session to their own, others to that of spectators."""
    view, visitor = await _visited(page, request)
    if view is None:
        return _no_session_page(page, request)
    game_id = int(request.match_info["game"])
    if not any(game.game_id == game_id and game.status != "lobby" for game in view.games):
        raise web.HTTPNotFound
    row = await games.get_game(page.tables.db, game_id)
    # In the event's channel its games are seen with it; a game may have moved to another one.
    if row.channel_id != post_channel(view.event) and not await page.services.may_see(row, visitor):
        return _sentence_page(page, HTTPStatus.FORBIDDEN, THREAD_NOT_VISIBLE)
    return redirect(await page.links.spectator_url(game_id))


async def _visited(page: Page, request: web.Request) -> tuple[EventView | None, int]:
    """The event, and the user who has a session there; None without one."""
    event_id = int(request.match_info["event"])
    secret = request.cookies.get(EVENT_COOKIE.format(event_id), "")
    user_id = await event_visitor(page.tables, event_id, secret) if secret else None
    if user_id is None:
        return None, 0
    page.limits.count_request(Visitor(0, user_id), Kind.QUESTION)
    return await event_view(page.tables.db, event_id), user_id


def _queue(view: EventView, user_id: int) -> Queue:
    return Queue(Priority.QUESTION, view.event.guild_id, user_id)


def _no_session_page(page: Page, request: web.Request) -> web.Response:
    login = f"{EVENT_LOGIN_PATH}/{request.match_info['event']}"
    link = "" if page.secret is None else tag("p", tag("a", "Log in with Discord", href=login))
    return _sentence_page(page, HTTPStatus.UNAUTHORIZED, NO_EVENT_SESSION, link)


def _sentence_page(page: Page, status: HTTPStatus, sentence: str, link: str = "") -> web.Response:
    """A page with a sentence: a person reads it."""
    body = tag("main", tag("h1", "Event"), tag("p", sentence), link, class_="asks")
    return html_answer(page, "Event", body, status)


def html_answer(
    page: Page, title: str, body: str, status: HTTPStatus = HTTPStatus.OK, head: str = ""
) -> web.Response:
    """A page without scripts, from markup of its body and more of its head."""
    parts = {"title": escape(title), "body": body, "head": head}
    text = re.sub("{([a-z]+)}", lambda found: parts[found[1]], page.files.text(EVENT_FILE))
    headers = {"Cache-Control": "no-store"}
    answer = web.Response(text=text, status=status, content_type="text/html", headers=headers)
    answer.enable_compression()
    return answer
