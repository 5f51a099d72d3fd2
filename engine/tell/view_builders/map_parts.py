"""Parts of a large map to show alone: a zone, or the hexes that a company reaches."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from engine.board.network import network_of
from engine.core.ids import CompanyId, Coord
from engine.core.state import Operating
from engine.game import Game
from engine.tell.views import MapView

LARGE_MAP_HEXES: Final = 400
"""Minimum number of hexes of a map that is shown in parts."""
_MARGIN_HEXES: Final = 3


def map_part(view: MapView, coords: Collection[Coord]) -> MapView:
    """The smallest rectangle of the map that contains these hexes, with a margin."""
    grid_positions = [(h.x, h.y) for h in view.hexes if h.coord in coords]
    if not grid_positions:
        return view
    (left, right), (top, bottom) = ((min(n), max(n)) for n in zip(*grid_positions, strict=True))
    x_margin, y_margin = (
        (2 * _MARGIN_HEXES, _MARGIN_HEXES) if view.layout == "pointy" else (_MARGIN_HEXES, 2 * _MARGIN_HEXES)
    )
    hexes = tuple(
        h
        for h in view.hexes
        if left - x_margin <= h.x <= right + x_margin and top - y_margin <= h.y <= bottom + y_margin
    )
    shown_coords = {h.coord for h in hexes}
    return replace(
        view,
        hexes=hexes,
        fresh_hexes=tuple(coord for coord in view.fresh_hexes if coord in shown_coords),
        fresh_tokens=tuple(token for token in view.fresh_tokens if token[0] in shown_coords),
    )


def map_part_in_play(game: Game, view: MapView) -> MapView:
    """The part of a large map that the operating company reaches or that changed in the last turn.

    A small map is returned whole.
    """
    current_round = game.table.state.round
    if (
        len(view.hexes) < LARGE_MAP_HEXES
        or not isinstance(current_round, Operating)
        or current_round.turn is None
    ):
        return view
    return map_part(view, {*company_hexes(game, current_round.turn.company), *view.fresh_hexes})


def company_hexes(game: Game, company: CompanyId) -> Collection[Coord]:
    """Hexes with the company's tokens, hexes with track that it can reach, and its home hex."""
    board = game.table.map
    home = board.homes.get(company)
    tokens = {coord for coord, _ in board.token_stops_of(company)}
    return {*network_of(board, company).coords, *tokens, *([home[0]] if home else ())}


def zone_hexes(game: Game, zone: str) -> Collection[Coord]:
    """Hexes of a zone, empty for an unknown zone; the zone's name is case-insensitive."""
    zone_key = zone.strip().casefold().replace(" ", "_")
    return {coord for coord, hex_ in game.table.map.hexes.items() if hex_.zone == zone_key}
