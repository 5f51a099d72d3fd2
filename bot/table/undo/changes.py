"""What a step back changes on map and market, in words: for those who are asked before it is done."""

from collections.abc import Iterator

from bot.table.style import sentence_list
from engine.game import Game
from engine.tell.viewing import map_view, market_view
from engine.tell.views import HexView

_Lies = tuple[str | None, int, tuple[tuple[str, ...], ...]]


def changes(now: Game, earlier: Game) -> list[str]:
    """What is otherwise in the earlier position, a sentence each."""
    return [*_track(now, earlier), *_prices(now, earlier)]


def _track(now: Game, earlier: Game) -> Iterator[str]:
    after = {one.coord: _lies(one) for one in map_view(earlier).hexes}
    changed = [(one.coord, _lies(one), after[one.coord]) for one in map_view(now).hexes]
    tiles = [coord for coord, new, old in changed if new[:2] != old[:2]]
    tokens = [coord for coord, new, old in changed if new[2] != old[2] and new[:2] == old[:2]]
    if tiles:
        yield f"Track is as before in {sentence_list(tiles)}."
    if tokens:
        yield f"Stations are as before in {sentence_list(tokens)}."


def _lies(one: HexView) -> _Lies:
    stations = tuple(tuple(s.badge.company if s.badge else "" for s in stop.slots) for stop in one.stops)
    return one.tile, one.rotation, stations


def _prices(now: Game, earlier: Game) -> Iterator[str]:
    new, old = _by_company(now), _by_company(earlier)
    moved = [f"{name} {new[name]} → {old[name]}" for name in new if old.get(name, new[name]) != new[name]]
    if moved:
        yield f"Prices go back: {', '.join(moved)}."
    gone = [name for name in new if name not in old]
    if gone:
        yield f"{sentence_list(gone)} {'has' if len(gone) == 1 else 'have'} no price yet."
    back = [f"{name} at {old[name]}" for name in old if name not in new]
    if back:
        yield f"On the market again: {', '.join(back)}."


def _by_company(game: Game) -> dict[str, int]:
    return {line.badge.company: line.price for line in market_view(game).order}
