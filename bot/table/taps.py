"""Orders of one tap: what is common at the moment, for the buttons of a turn message."""

from collections.abc import Iterator
from typing import NamedTuple

from bot.table.live import Live
from bot.table.sealed import BUTTON
from engine.core.actions import BuyShare, read_action
from engine.core.cursor import Cursor
from engine.core.ids import CompanyId, PlayerId
from engine.core.state import Draft, Stock
from engine.orders.moment import Moment
from engine.orders.sealing import sellable

PASS_UNTIL = "Pass until something concerns me"
MAXIMUM = "Sealed maximum …"


class Tap(NamedTuple):
    """An order of one tap: what is wished, about what, and what the button says."""

    wish: str
    what: str
    label: str


def taps(live: Live, *, sealing: bool) -> tuple[Tap, ...]:
    """The orders that are common now, for whoever acts and where they concern everybody for all; sealing: by seals."""
    if live.game.over or live.game.proposal is not None:
        return ()
    return tuple(_found(live, sealing=sealing))


def _found(live: Live, *, sealing: bool) -> Iterator[Tap]:
    if sellable(live.game.table):
        yield Tap("seal", "", BUTTON) if sealing else Tap("max", "", MAXIMUM)
        return
    for player in live.game.actors():
        here = Moment(live.game, player)
        run = here.offered("run_routes")
        if run is not None:
            yield Tap("run", run.entity, f"{run.entity}: run best and pay always")
        if isinstance(live.game.table.state.round, Stock | Draft) and not live.game.table.selling_privates:
            yield from _in_stock(live, here)


def _in_stock(live: Live, here: Moment) -> Iterator[Tap]:
    now = live.game.table.state.round
    last = _last_purchase(live, here.player)
    if isinstance(now, Stock) and last is not None and not live.game.table.state.companies[last[0]].floated:
        company, source = last
        yield Tap("buy", f"{company},{source}", f"{company}: same again until floated")
    acted = isinstance(now, Stock) and now.acted
    if here.decline() is not None and not acted:
        yield Tap("pass", "", PASS_UNTIL)


def _last_purchase(live: Live, player: PlayerId) -> tuple[CompanyId, str] | None:
    """What a player has bought last, and from where, if that is possible again or was done in this turn."""
    rows = (row for row in reversed(live.counting) if row.actor == player and row.kind == "action")
    actions = (read_action(row.payload) for row in rows)
    last = next((action for action in actions if isinstance(action, BuyShare)), None)
    if last is None:
        return None
    here, now = Moment(live.game, player), live.game.table.state.round
    again = isinstance(now, Stock) and now.bought == last.company
    walk = here.walk("buy_share", {"company": last.company, "source": last.source})
    return (last.company, last.source) if again or isinstance(walk, Cursor) else None
