"""Which standing order fits to what somebody is about to do."""

import random
from typing import Any

from engine.core.actions import Action
from engine.core.state import Stock
from engine.game import Game


def order_for(game: Game, action: Action, chance: random.Random) -> tuple[str, dict[str, Any]] | None:
    """The command that gives it, and its values; None where none fits."""
    chosen = action.chosen()
    if action.kind == "pass" and isinstance(game.table.state.round, Stock):
        return "orders pass", {"until": chance.choice(("concerned", "over"))}
    if action.kind == "bid":
        most = int(chosen["amount"]) + 5 * chance.randrange(1, 8)
        return "orders bid", {
            "private": chosen["private"],
            "maximum": most,
            "then": chance.choice(("ask", "pass")),
        }
    if action.kind == "buy_share":
        return "orders buy", {"company": chosen["company"], "source": chosen["source"]}
    if action.kind == "run_routes":
        return "orders run", {"company": action.entity}
    if action.kind == "lay_tile":
        return "orders done", {}
    return None
