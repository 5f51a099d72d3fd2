"""Looking closer: what lies in a hex and may come there, and the best routes of a company."""

from collections.abc import Iterator
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from aiohttp import web

from bot.client.entry.rate_limits import Kind
from bot.table.board.links import Visitor
from bot.table.errors import Refused
from bot.table.moves.asking import ask
from bot.table.tables import Tables
from bot.web.access import Access, Denied
from bot.web.choices import Looks, run_fields
from bot.web.limits import Limits
from bot.web.packing import as_json
from bot.web.playing import json_text
from bot.web.positions import Positions, question_of
from engine.core.ids import CompanyId, Coord
from engine.game import Game
from engine.tell.view_builders import best_run_view, map_view, upgrade_views
from engine.tell.views import HexView, MapView, SlotView, StopView
from render import THEME_NAMES, hex_svg


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
        return await self._asked(request, Kind.COMPLETION, hex_text, coord, looks_of(request).theme)

    async def routes(self, request: web.Request) -> web.Response:
        """The best routes of a company, over the map."""
        looks, known = looks_of(request), self._positions.known(request.query.get("have", ""))
        return await self._asked(
            *(request, Kind.QUESTION, routes_text, request.match_info["company"], Looks(looks.theme, known))
        )

    async def _asked(self, request: web.Request, kind: Kind, function: Any, *values: object) -> web.Response:
        visitor = await self._access.visitor(request)
        position, guild_id = await self._position(visitor)
        self._limits.require(visitor, kind, guild_id)
        queue = question_of(visitor, guild_id, visitor.game_id)
        return json_text(request, await ask(self._tables.workers, queue, position, function, *values))

    async def _position(self, visitor: Visitor) -> tuple[str, int]:
        async with self._tables.reading(visitor.game_id) as live:
            return live.game.dump(), live.row.guild_id


def looks_of(request: web.Request) -> Looks:
    """The theme of a request; raises Denied for an unknown one."""
    theme = request.query.get("theme", "ours")
    if theme not in THEME_NAMES:
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, f"Themes: {', '.join(THEME_NAMES)}.")
    return Looks(theme)


def hex_text(game: Game, coord: Coord, theme: str) -> str:
    """A hex as JSON; work for a worker. Raises Refused for one that is not on the map."""
    on_map = map_view(game)
    found = next((one for one in on_map.hexes if one.coord == coord), None)
    if found is None:
        raise Refused(f"There is no hex {coord} on this map.")
    tiles = [
        {**asdict(one), "hex": coord, "svg": hex_svg(on_map, one.hex, theme=theme)}
        for one in upgrade_views(game, coord)
    ]
    return as_json({"coord": coord, "hex": asdict(found), "facts": list(_facts(on_map, found)), "tiles": tiles})


def routes_text(game: Game, company: CompanyId, looks: Looks) -> str:
    """A company's best routes as JSON; work for a worker. Raises Refused where it has none."""
    if company not in game.title.spec.companies:
        raise Refused(f"There is no company {company}.")
    found = best_run_view(game, company)
    if found is None:
        raise Refused(f"{company} has no train, or no route for one.")
    return as_json(
        {
            "company": company,
            **run_fields(found.map, looks),
            "total": found.revenue,
            "text": " ".join(found.routes),
            "proven": found.revenue == found.upper,
        }
    )


def _facts(on_map: MapView, found: HexView) -> Iterator[tuple[str, str]]:
    """What is said of a hex, line by line: a heading, and words."""
    if found.tile:
        yield "Tile", f"{found.tile}, {found.colour}"
    for number, stop in enumerate(found.stops, 1):
        which = f" {number}" if len(found.stops) > 1 else ""
        yield f"{stop.kind.capitalize()}{which}", _revenue(on_map, stop)
        if stop.slots:
            yield f"Tokens{which}", ", ".join(map(_slot, stop.slots))
    if found.cost:
        yield "Terrain", " ".join([f"${found.cost}", *found.terrain])
    if found.blocked_by:
        yield "Closed", f"as long as a player owns {found.blocked_by}"
    words = dict(on_map.mark_words)
    for mark in found.marks:
        yield "Mark", words.get(mark, mark.text)


def _revenue(on_map: MapView, stop: StopView) -> str:
    """`yellow 30, green 40`; one figure where it never changes."""
    if len(stop.revenue) == 1:
        return f"${stop.revenue[0]}"
    steps = zip(on_map.revenue_steps, stop.revenue, strict=False)
    return ", ".join(f"{name} ${value}" for name, value in steps)


def _slot(slot: SlotView) -> str:
    if slot.badge is None:
        return "a free space"
    if slot.state == "token":
        return slot.badge.company
    return f"kept for {slot.badge.company}"
