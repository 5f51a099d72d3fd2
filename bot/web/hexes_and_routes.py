"""Looking closer: what lies in a hex and may come there, and the best routes of a company."""

from http import HTTPStatus
from typing import Any

from aiohttp import web

from bot.client.entry.rate_limits import Kind
from bot.table.board.links import Visitor
from bot.table.moves.position_questions import ask
from bot.table.tables import Tables
from bot.web.access import Access, Denied
from bot.web.close_ups_as_json import hex_packed, routes_packed
from bot.web.offers_as_json import Looks
from bot.web.page_limits import Limits
from bot.web.playing import packed_answer
from bot.web.position_answers import Positions, question_of
from render import THEME_NAMES


class Looking:
    """Answers to who looks closer; nothing changes a game."""

    def __init__(self, tables: Tables, access: Access, limits: Limits, positions: Positions) -> None:
        self._tables = tables
        self._access = access
        self._limits = limits
        self._positions = positions

    async def hex(self, request: web.Request) -> web.Response:
        """What lies in a hex, what it earns in each phase, and which tiles may come."""
        coord = request.match_info["coord"].upper()
        return await self._asked(request, Kind.COMPLETION, hex_packed, coord, looks_of(request).theme)

    async def routes(self, request: web.Request) -> web.Response:
        """The best routes of a company, over the map."""
        looks, known = looks_of(request), self._positions.known(request.query.get("have", ""))
        return await self._asked(
            *(request, Kind.QUESTION, routes_packed, request.match_info["company"], Looks(looks.theme, known))
        )

    async def _asked(self, request: web.Request, kind: Kind, function: Any, *values: object) -> web.Response:
        visitor = await self._access.visitor(request)
        position, guild_id = await self._position(visitor)
        self._limits.require(visitor, kind, guild_id)
        queue = question_of(visitor, guild_id, visitor.game_id)
        return packed_answer(request, await ask(self._tables.workers, queue, position, function, *values))

    async def _position(self, visitor: Visitor) -> tuple[str, int]:
        async with self._tables.reading(visitor.game_id) as live:
            return live.game.dump(), live.row.guild_id


def looks_of(request: web.Request) -> Looks:
    """The theme of a request; raises Denied for an unknown one."""
    theme = request.query.get("theme", "ours")
    if theme not in THEME_NAMES:
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, f"Themes: {', '.join(THEME_NAMES)}.")
    return Looks(theme)
