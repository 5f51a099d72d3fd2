"""The end of the game: broken bank, final rounds, net worth (18Chesapeake 12)."""

from typing import Literal

from engine.core.events import EndTriggered, GameOver
from engine.core.ids import BANK, PlayerId
from engine.core.spec import EndsAfter
from engine.core.state import Ending, Merger, Operating, Stock
from engine.play.shares.holdings import is_out, net_worth
from engine.play.table import Table


def trigger(t: Table, ending: Ending) -> None:
    """Note the reason for the end, unless another one ends the game as soon, and announce the remaining rounds.

    Rules: R-NE-133.
    """
    if t.state.ending is not None and not _sooner(t, ending, t.state.ending):
        return
    t.state.ending = ending
    t.emit(end_to_come(t, ending))


def end_to_come(t: Table, ending: Ending) -> EndTriggered:
    """The announcement of an end: its reason, and the rounds still to be played."""
    match t.state.round:
        case Operating(number=number, of=of):
            more = of - number if ends_after(t, ending) == "set" else 0
            return EndTriggered(ending.reason, "operating", "round" if more else "nothing", more)
        case Merger(number=number, of=of):
            return EndTriggered(ending.reason, "merger", "round", of - number or rounds_of_set(t))
        case _:
            return EndTriggered(ending.reason, "stock", _after_stock_round(t, ending))


def end_if_bank_is_broken(t: Table) -> None:
    """The bank is broken when it is at $0 or could not pay (18Chesapeake 12).

    Rules: R-AL-210, R-CH-180, R-NE-130, R-TN-210.
    """
    bank = t.state.bank
    if bank < 0 or (bank == 0 and not t.rules.flag("bank_breaks_below_zero")):
        trigger(t, Ending("bank", BANK))


def _sooner(t: Table, ending: Ending, before: Ending) -> bool:
    return (ends_after(t, ending), ends_after(t, before)) == ("round", "set")


def ends_after(t: Table, ending: Ending) -> EndsAfter:
    """The game's last stretch: the current operating round, or the set of them.

    Rules: R-AL-210, R-AL-211, R-CH-180, R-NE-130, R-NE-131, R-TN-210, R-TN-211.
    """
    return t.spec.ends.price if ending.reason == "price" else t.spec.ends.bank


def ends_with_stock_round(t: Table) -> bool:
    """True if the game ends with the current stock round.

    Rules: R-CH-307.
    """
    ending = t.state.ending
    stock = isinstance(t.state.round, Stock)
    return stock and ending is not None and ending.reason == "price" and t.spec.ends.price_in_stock_round


def _after_stock_round(t: Table, ending: Ending) -> Literal["nothing", "round", "set"]:
    if ends_with_stock_round(t):
        return "nothing"
    return "round" if t.spec.ends.one_round_after_stock else ends_after(t, ending)


def rounds_of_set(t: Table) -> int:
    """Operating rounds in the set that begins now.

    Rules: R-C2C-260.
    """
    last = t.state.ending is not None and t.spec.ends.one_round_after_stock
    return 1 if last else t.phase.operating_rounds


def finish(t: Table, ending: Ending | None = None) -> None:
    """End the game now."""
    if ending is not None:
        t.state.ending = ending
    assert t.state.ending is not None
    t.state.over = True
    t.state.proposal = None
    t.emit(GameOver(t.state.ending.reason, tuple(scores(t).items())))


def ranks(t: Table) -> dict[PlayerId, int]:
    """Ranks from 1 by net worth, equal ones in seat order; players who are out come last (18NewEngland 13).

    Rules: R-AL-214, R-NE-132, R-NE-133, R-TN-213.
    """
    standing = {player.id: (not is_out(t, player), net_worth(t, player)) for player in t.state.players}
    best_first = sorted(standing, key=lambda player: standing[player], reverse=True)
    return {score: 1 + sum(other > standing[score] for other in standing.values()) for score in best_first}


def scores(t: Table) -> dict[PlayerId, int]:
    """Net worth in dollars by player, in the order of their ranks."""
    return {player: net_worth(t, t.state.player(player)) for player in ranks(t)}
