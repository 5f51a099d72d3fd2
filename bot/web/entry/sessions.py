"""Whose page it is: the user by name, their sessions with the device of each, and how these are ended."""

from typing import Any, Final

from aiohttp import web

from bot.table.errors import NotYours
from bot.table.live import LiveGame
from bot.table.rate_limits import Kind
from bot.table.tables import Tables
from bot.web.change_requests import body_of
from bot.web.entry.access import Access, json_answer
from bot.web.entry.page_limits import Limits
from storage import games
from storage.tables.board_page import Session

ALL: Final = "all"
"""Ends every session of the user, and every link that was given out."""
OWN_ALONE: Final = "Spectators end their own session only."
NO_NAME: Final = "a member"
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
"""Words of a User-Agent, and names that people know; the first that is found counts."""


class Sessions:
    """Lists the sessions of a visitor, and ends them."""

    def __init__(self, tables: Tables, access: Access, limits: Limits) -> None:
        self._tables = tables
        self._links = tables.board
        self._access = access
        self._limits = limits

    async def list(self, request: web.Request) -> web.Response:
        """Every session of the user, at all games; none for spectators."""
        visitor = await self._access.visitor(request)
        self._limits.require(visitor, Kind.QUESTION)
        found = [] if visitor.user_id is None else await self._links.sessions(visitor.user_id)
        return json_answer({"sessions": [await self._session_json(one, visitor.session) for one in found]})

    async def end(self, request: web.Request) -> web.Response:
        """End one session, or all; a spectator can end their own."""
        visitor = await self._access.visitor(request)
        self._limits.require(visitor, Kind.QUESTION)
        body = await body_of(request, self._limits.patience)
        if body.what == visitor.session:
            await self._links.end_one(body.what)
        elif visitor.user_id is None:
            raise NotYours(OWN_ALONE)
        elif body.what == ALL:
            await self._links.end(visitor.user_id)
        else:
            await self._links.end_one(body.what, visitor.user_id)
        return json_answer({"ended": body.what})

    async def _session_json(self, session: Session, own: str) -> dict[str, Any]:
        game = await games.get_game(self._tables.db, session.game_id)
        return {
            "id": session.digest,
            "game": game.id,
            "name": game.name,
            "device": session.device,
            "opened": session.created_at,
            "here": session.digest == own,
        }


def user_name(live: LiveGame, user_id: int, known: str) -> str:
    """The name of a user in a game: that of their seat or as a substitute, else the one that is known."""
    player = live.player_of(user_id)
    if player is None:
        return known or NO_NAME
    holds = live.holder_of(player) == user_id
    return live.name_of(player) if holds else live.substitutes[player].display_name


def device(user_agent: str) -> str:
    """Browser and system in words, such as `Firefox on Linux`; empty where neither is known."""
    names = (_first(_BROWSERS, user_agent), _first(_SYSTEMS, user_agent))
    return " on ".join(filter(None, names))


def _first(words: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for word, name in words if word in text), "")
