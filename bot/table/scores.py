"""How a game came out: a place for each player, stored with the move that ends it."""

from engine.game import Game
from storage.results import Result


def scored(game: Game) -> tuple[Result, ...]:
    """How a game came out for each player; nothing while it goes on."""
    totals = game.scores() if game.over else {}
    ranks = {player: 1 + sum(other > total for other in totals.values()) for player, total in totals.items()}
    return tuple(Result(player, rank, totals[player], rank == 1) for player, rank in ranks.items())
