"""How a game came out: a place for each player, stored with the move that ends it."""

from engine.game import Game
from engine.tell.view_builders import score_view
from storage.results import Result


def scored(game: Game) -> tuple[Result, ...]:
    """The result of a game for each player; nothing while it runs."""
    rows = score_view(game).rows if game.over else ()
    return tuple(Result(row.player, row.rank, row.total, row.rank == 1) for row in rows)
