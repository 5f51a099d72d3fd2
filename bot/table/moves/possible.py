"""What is possible in a position: whether a move is, and the best routes. Slow, so workers answer."""

from bot.table.moves.moves import SEARCHED, Quick, Typed, quick_fillings
from bot.table.moves.walk import open_slot
from bot.table.style import plain
from engine.core.actions import RunRoutes
from engine.core.ids import PlayerId
from engine.game import Game
from engine.tell.viewing import map_view
from engine.tell.views import MapView


def possible(game: Game, player: PlayerId, move: Typed) -> str:
    """That a move is possible as far as typed, and what is still to be said; raises IllegalAction with the reason."""
    found = move.walk(game, player)
    rest = "" if found.slot is None else f" {open_slot(game, found)}"
    return f"That is possible now.{rest}"


def best_routes(game: Game, player: PlayerId) -> tuple[Quick, MapView]:
    """The best run that was found for a player's company, and the map with it; raises IllegalAction."""
    best, *_ = quick_fillings(plain(game), Typed(SEARCHED).offers(game, player)[0])
    assert isinstance(best.action, RunRoutes)
    return best, map_view(game, runs=best.action.routes)
