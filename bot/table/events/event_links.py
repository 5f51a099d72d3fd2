"""Links to the page of an event, for members who may see its channel, and browser sessions."""

import hashlib
import secrets
from datetime import timedelta
from typing import Final, NamedTuple

from bot.table.board_links_and_sessions import PERSONAL_LINK_LASTS
from bot.table.errors import Refused
from bot.table.tables import Tables
from storage import board_page, later_timestamp

EVENT_SESSION_LASTS: Final = timedelta(days=14)
"""The duration of a browser's session at the page of an event."""
OPEN_PATH: Final = "/event/open"
INVALID_EVENT_LINK: Final = (
    "This link was already used, or has expired. Press Page under the event's post in Discord for a new one."
)


class OpenedEvent(NamedTuple):
    """An opened link: the event, and the secret of the new session."""

    event_id: int
    secret: str


async def event_link(tables: Tables, event_id: int, user_id: int) -> str | None:
    """A link that opens the page of an event once, within an hour; None if no page is served.

    The caller must check that the user may see the event's channel.
    """
    if tables.board.address is None:
        return None
    token, until = secrets.token_urlsafe(16), later_timestamp(tables.clock(), PERSONAL_LINK_LASTS)
    await board_page.record_event_link(tables.db, _digest(token), event_id, user_id, until)
    return f"{tables.board.address}{OPEN_PATH}/{token}"


async def open_event_link(tables: Tables, token: str) -> OpenedEvent:
    """Exchange a link for a session; raises Refused."""
    secret, now = secrets.token_urlsafe(32), tables.clock()
    until = later_timestamp(now, EVENT_SESSION_LASTS)
    event_id = await board_page.open_event_link(tables.db, _digest(token), _digest(secret), now, until)
    if event_id is None:
        raise Refused(INVALID_EVENT_LINK)
    return OpenedEvent(event_id, secret)


async def event_visitor(tables: Tables, event_id: int, secret: str) -> int | None:
    """The user with this session secret; None if the session has ended or is for another event."""
    return await board_page.user_of_event_session(tables.db, event_id, _digest(secret), tables.clock())


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="backslashreplace")).hexdigest()
