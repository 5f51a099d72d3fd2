"""How a game ends and what everybody has then (rulebook 12)."""

from engine.core.events import EndTriggered, GameOver
from engine.core.spec import EndsAfter
from engine.core.state import Ending, Operating, Stock
from engine.play.shares.holdings import net_worth
from engine.play.table import Table

WORDS = {
    "bank": "the bank is broken",
    "bankruptcy": "a president is bankrupt",
    "agreement": "all players agreed to stop",
    "price": "a share price reached the end of the market",
}


def trigger(t: Table, ending: Ending) -> None:
    """The game will end: note why, unless something else ends it as soon, and tell what is still to be played."""
    before = t.state.ending
    if before is not None and not (ends_after(t, before) == "set" and ends_after(t, ending) == "round"):
        return
    t.state.ending = ending
    words = WORDS[ending.reason]
    t.emit(EndTriggered(words[0].upper() + words[1:], _remaining(t, ends_after(t, ending))))


def ends_after(t: Table, ending: Ending) -> EndsAfter:
    """Whether the game ends with the operating round going on, or with the set of them."""
    return t.spec.ends.price if ending.reason == "price" else t.spec.ends.bank


def ends_with_stock_round(t: Table) -> bool:
    """Whether the game ends with the stock round going on."""
    ending = t.state.ending
    stock = isinstance(t.state.round, Stock)
    return stock and ending is not None and ending.reason == "price" and t.spec.ends.price_in_stock_round


def _remaining(t: Table, after: EndsAfter) -> str:
    now = t.state.round
    operating = isinstance(now, Operating)
    if ends_with_stock_round(t):
        return "the game ends with this stock round"
    left = now.of - now.number if isinstance(now, Operating) and after == "set" else 0
    more = f" and {left} more" if left else ""
    one = "one operating round" if after == "round" else "one set of operating rounds"
    played = f"this operating round{more}" if operating else f"this stock round and {one}"
    return f"{played} will be played, then the game ends"


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
