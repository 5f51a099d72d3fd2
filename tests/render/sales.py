"""Auctions and drafts for the tests of their cards."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from engine.core.actions import Bid, Pass
from engine.game import Game
from engine.tell.view_builders import sale_view
from engine.tell.views import SaleView

NAMES = ("Ann", "Bob", "Clementine", "Dorothea", "Edmund", "Featherstonehaugh")
BIDS = (("C-P", 45), ("C-P", 50), ("CV", 205), ("C-P", 55))


def auction(title: str, moves: Sequence[tuple[str, int] | None] = (), players: int = 4) -> Game:
    """A game whose players, in turn, have made these bids (None: passed)."""
    game = Game(title, [(f"p{i + 1}", NAMES[i]) for i in range(players)], 1)
    for move in moves:
        actor = game.actors()[0]
        if move is None:
            game.apply(Pass(actor=actor, entity=actor))
        else:
            game.apply(Bid(actor=actor, entity=actor, private=move[0], amount=move[1]))
    return game


@cache
def sales() -> dict[str, SaleView]:
    """Early, with bids, in a contest, in stock rounds, and a draft."""
    games = {
        "bids": auction("18chesapeake", BIDS, 6),
        "contest": auction("18chesapeake", (*BIDS[:3], ("D&R", 20))),
        "18al": auction("18al"),
        "18tn": auction("18tn", (("LNR", 180),)),
        "draft": auction("18newengland"),
    }
    found = {name: sale_view(game) for name, game in games.items()}
    return {name: view for name, view in found.items() if view is not None}


def worst_sales() -> dict[str, SaleView]:
    """Long names, many bids on one card, six players, two columns with powers."""
    view = sales()["bids"]
    lots = tuple(
        replace(
            lot,
            name="East Tennessee, Western North Carolina and Georgia Railroad",
            claims=tuple(
                replace(view.columns[0][1].claims[0], player=name, amount=1000 + i)
                for i, name in enumerate(NAMES)
            ),
        )
        for lot in view.columns[0]
    )
    return {"crowded": replace(view, columns=(lots,)), "columns": replace(view, columns=(lots, lots))}
