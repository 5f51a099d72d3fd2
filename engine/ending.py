"""How a game ends and what everybody has then (rulebook 12)."""

from engine.events import EndTriggered, GameOver
from engine.market.shares import net_worth
from engine.state import Ending, Operating
from engine.table import Table

WORDS = {
    "bank": "the bank is broken",
    "bankruptcy": "a president is bankrupt",
    "agreement": "all players agreed to stop",
    "price": "a share price reached the end of the market",
}


def announce_bank(t: Table) -> None:
    """Tell what is still to be played after the bank broke."""
    now = t.state.round
    if isinstance(now, Operating):
        left = now.of - now.number
        more = f" and {left} more" if left else ""
        remaining = f"this operating round{more} will be played, then the game ends"
    else:
        remaining = "this stock round and one set of operating rounds will be played, then the game ends"
    t.emit(EndTriggered("The bank is broken", remaining))


def finish(t: Table, ending: Ending | None = None) -> None:
    """End the game now."""
    if ending is not None:
        t.state.ending = ending
    assert t.state.ending is not None
    t.state.over = True
    t.state.proposal = None
    t.emit(GameOver(WORDS[t.state.ending.reason], tuple(scores(t).items())))


def scores(t: Table) -> dict[str, int]:
    """Net worth in dollars by player, best first; equal totals in seat order."""
    worth = {player.id: net_worth(t, player) for player in t.state.players}
    return dict(sorted(worth.items(), key=lambda pair: -pair[1]))
