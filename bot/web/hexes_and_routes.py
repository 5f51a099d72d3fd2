"""Looking closer: what lies in a hex and may come there, and the best routes of a company."""

from collections.abc import Callable
from http import HTTPStatus

from aiohttp import web

from bot.table.board.links import Visitor
from bot.table.game_cache import Locks
from bot.table.moves.position_questions import ask
from bot.table.past.asked import PastGame
from bot.table.past.chronicle import Work
from bot.table.past.position import then
from bot.table.rate_limits import Kind
from bot.table.tables import Tables
from bot.web.close_ups_as_json import hex_packed, packed_then, routes_packed
from bot.web.entry.access import Access, Denied
from bot.web.entry.page_limits import Limits, asker_of
from bot.web.offers_as_json import Looks
from bot.web.packing import Packed, closing, finished
from bot.web.position_answers import Positions, number, question_of, require_there, seq_of, zipped
from render import THEME_NAMES


class Looking:
    """Answers to who looks closer; nothing changes a game."""

    def __init__(self, tables: Tables, access: Access, limits: Limits, positions: Positions) -> None:
        self._tables = tables
        self._access = access
        self._limits = limits
        self._positions = positions
        self._turns = Locks()
        """By who asks: one hex at a time."""

    async def hex(self, request: web.Request) -> web.Response:
        """What lies in a hex, what it earns in each phase, and which tiles may come."""
        visitor, coord = await self._access.visitor(request), request.match_info["coord"].upper()
        theme = looks_of(request).theme
        async with self._turns.of(asker_of(visitor)):
            require_there(request)
            return await self._asked(request, visitor, Kind.COMPLETION, hex_packed, coord, theme)

    async def routes(self, request: web.Request) -> web.Response:
        """The best routes of a company, over the map."""
        visitor, company = await self._access.visitor(request), request.match_info["company"]
        looks = Looks(looks_of(request).theme, self._positions.known(request.query.get("have", "")))
        return await self._asked(request, visitor, Kind.QUESTION, routes_packed, company, looks)

    async def _asked(
        self, request: web.Request, visitor: Visitor, kind: Kind, look: Callable[..., Packed], *values: object
    ) -> web.Response:
        """What a function of a game makes of the position that is asked about."""
        workers, at = self._tables.workers, number(request, "at")
        async with self._tables.reading(visitor.game_id) as live:
            guild_id, past, seq = live.row.guild_id, PastGame.of(live), seq_of(live, at)
            position = live.game.dump() if seq == past.rows[-1].seq else None
        self._limits.require(visitor, kind, guild_id)
        if position is not None:
            queue = question_of(visitor, guild_id, visitor.game_id)
            found = await ask(workers, queue, position, look, *values)
        else:
            work = Work(workers, question_of(visitor, guild_id))
            found = await then(self._tables.chronicle, past, seq, work, packed_then, look, *values)
        return zipped(request, finished(found, closing({"at": seq})))


def looks_of(request: web.Request) -> Looks:
    """The theme of a request; raises Denied for an unknown one."""
    theme = request.query.get("theme", "ours")
    if theme not in THEME_NAMES:
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, f"Themes: {', '.join(THEME_NAMES)}.")
    return Looks(theme)
