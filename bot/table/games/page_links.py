"""Links to the web pages of servers and events, and the browser sessions that these links open."""

import hashlib
import secrets
from datetime import timedelta
from typing import Final, NamedTuple

from bot.table.board_links_and_sessions import PERSONAL_LINK_LIFETIME
from bot.table.errors import Refused
from bot.table.tables import Tables
from storage import PageId, board_page, later_timestamp

PAGE_SESSION_LIFETIME: Final = timedelta(days=14)
"""Lifetime of a browser session at the page of a server or event."""
NEW_LINK_HINTS: Final = {
    "server": "Use /game list in Discord for a new one.",
    "event": "Press Page under the event's post in Discord for a new one.",
}
"""Sentence that tells a user how to get a new link, by kind of page."""


class PageSession(NamedTuple):
    """The result of opening a link: the page's server or event, and the secret of the new session."""

    place: PageId
    secret: str


async def page_link(tables: Tables, page_id: PageId, user_id: int) -> str | None:
    """A link that opens a page once, within an hour; None if the bot serves no web pages.

    The caller must check that the user may see the event's channel. The page of a server shows only the games that the
    user may see.
    """
    if tables.board_links.address is None:
        return None
    token, expiry = secrets.token_urlsafe(16), later_timestamp(tables.clock(), PERSONAL_LINK_LIFETIME)
    await board_page.record_page_link(tables.db, _digest(token), page_id, user_id, expiry)
    return f"{tables.board_links.address}/{page_id.kind}/open/{token}"


async def open_page_link(tables: Tables, kind: str, token: str) -> PageSession:
    """Exchange a link for a browser session; raises Refused for a used or expired link."""
    secret, now = secrets.token_urlsafe(32), tables.clock()
    expiry = later_timestamp(now, PAGE_SESSION_LIFETIME)
    page_id = await board_page.open_page_link(tables.db, _digest(token), _digest(secret), now, expiry)
    if page_id is None:
        raise Refused(f"This link was already used, or has expired. {NEW_LINK_HINTS[kind]}")
    return PageSession(page_id, secret)


async def page_visitor(tables: Tables, page_id: PageId, secret: str) -> int | None:
    """The user id of the session with this secret; None if the session has ended or is for another page."""
    return await board_page.user_of_page_session(tables.db, page_id, _digest(secret), tables.clock())


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="backslashreplace")).hexdigest()
