"""Quick orders: the most useful orders now, for the buttons of a turn message."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from bot.table.live import LiveGame
from bot.table.orders.sealed import BUTTON
from engine.core.actions import BuyShare, read_action
from engine.core.ids import PlayerId
from engine.game import Game
from engine.orders import Order, new_orders
from engine.orders.kinds import BuyShares, RunBest
from engine.orders.new_orders import biddable, usual_orders

PASS_UNTIL: Final = "Pass until something concerns me"
MAXIMUM: Final = "Sealed maximum …"
SEAL: Final = "seal"
"""What a player orders who seals their maximums for all privates."""


class Tap(NamedTuple):
    """A quick order: what is ordered, about what, and the button's label."""

    choice: str
    what: str
    label: str


def taps(live: LiveGame, *, sealing: bool) -> tuple[Tap, ...]:
    """The quick orders of the player on turn; of privates everybody's, `sealing` where they are sealed."""
    if live.game.proposal is not None:
        return ()
    if biddable(live.game):
        return (Tap(SEAL, "", BUTTON) if sealing else Tap("max", "", MAXIMUM),)
    return tuple(tap for player in live.game.actors() for tap in _of(live, player))


def running(company: str) -> Tap:
    """To let a company run its best routes, and pay."""
    return Tap("run", company, f"{company}: run best and pay always")


def meant(game: Game, choice: str, what: str) -> Order:
    """The order behind a button; raises IllegalAction."""
    if choice == "buy":
        company, _, source = what.partition(",")
        return new_orders.buy_shares(game, company, source, None)
    if choice == "run":
        return new_orders.run_best(game, what, "pay")
    if choice == "skip":
        company, _, step = what.rpartition(",")
        return new_orders.skip_step(game, company, "track" if step == "track" else "token", "withdrawn")
    return new_orders.pass_stock(game, "over" if choice == "over" else "concerned")


def _of(live: LiveGame, player: PlayerId) -> Iterator[Tap]:
    yield from (_tap(order) for order in usual_orders(live.game, player, _last_purchase(live, player)))


def _tap(order: Order) -> Tap:
    match order:
        case RunBest(company=company):
            return running(company)
        case BuyShares(company=company, source=source):
            return Tap("buy", f"{company},{source}", f"{company}: same again until floated")
        case _:
            return Tap("pass", "", PASS_UNTIL)


def _last_purchase(live: LiveGame, player: PlayerId) -> BuyShare | None:
    rows = (row for row in reversed(live.counting) if row.actor == player)
    actions = (read_action(row.payload) for row in rows)
    return next((action for action in actions if isinstance(action, BuyShare)), None)
