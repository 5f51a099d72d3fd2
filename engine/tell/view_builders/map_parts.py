"""Parts of a large map: a zone, or what a company reaches."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from engine.board.network import network_of
from engine.core.ids import CompanyId, Coord
from engine.core.state import Operating
from engine.game import Game
from engine.tell.views import MapView

LARGE: Final = 400
"""Hexes of a map that is easier to read in parts."""
_ROOM: Final = 3
"""Hexes shown on each side of those that are wanted."""


def map_part(view: MapView, coords: Collection[Coord]) -> MapView:
    """The smallest window of the map around these hexes, with a margin."""
    wanted = [(h.x, h.y) for h in view.hexes if h.coord in coords]
    if not wanted:
        return view
    (left, right), (top, bottom) = ((min(n), max(n)) for n in zip(*wanted, strict=True))
    across, down = (2 * _ROOM, _ROOM) if view.layout == "pointy" else (_ROOM, 2 * _ROOM)
    hexes = tuple(
        h for h in view.hexes if left - across <= h.x <= right + across and top - down <= h.y <= bottom + down
    )
    there = {h.coord for h in hexes}
    return replace(
        view,
        hexes=hexes,
        fresh_hexes=tuple(coord for coord in view.fresh_hexes if coord in there),
        fresh_tokens=tuple(token for token in view.fresh_tokens if token[0] in there),
    )


def map_part_in_play(game: Game, view: MapView) -> MapView:
    """The part of a large map that the operating company reaches and the last turn changed; else all of it."""
    now = game.table.state.round
    if len(view.hexes) < LARGE or not isinstance(now, Operating) or now.turn is None:
        return view
    return map_part(view, {*company_hexes(game, now.turn.company), *view.fresh_hexes})


def company_hexes(game: Game, company: CompanyId) -> Collection[Coord]:
    """Hexes of the company's tokens and network; its home if it has no token on the map."""
    board = game.table.map
    home = board.homes.get(company)
    tokens = {coord for coord, _ in board.tokens_of(company)}
    return {*network_of(board, company).coords, *tokens, *([home[0]] if home else ())}


def zone_hexes(game: Game, zone: str) -> Collection[Coord]:
    """Hexes of a zone, whose name is case-insensitive; none for an unknown zone."""
    wanted = zone.strip().casefold().replace(" ", "_")
    return {coord for coord, hex_ in game.table.map.hexes.items() if hex_.zone == wanted}
