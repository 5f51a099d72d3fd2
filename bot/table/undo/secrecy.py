"""Secrets that moves have shown to everybody: a player who undoes them would play on with that knowledge."""

import json
from collections.abc import Sequence
from typing import Any, Final

from bot.table.errors import Refused
from bot.table.live import LiveGame
from engine.core.ids import PlayerId
from storage import Database, orders
from storage.log import Row
from storage.orders import Order

SEALED: Final = frozenset({"bid_up_to", "seal"})
"""Kinds of orders that keep a number to which others would answer. A sealed maximum shows of it, by each move it makes,
that it is no lower, and by a pass, that it is: an undo after that would reveal it, bid by bid.
The moves of other orders show no more than a hand would have.

Chance is no such limit: it is drawn as a game begins, before the first move, and never after.
"""


async def revealed(
    db: Database, live: LiveGame, lost: Sequence[Row], player: PlayerId | None = None
) -> list[str]:
    """What others than this player had kept secret and these moves have shown, a sentence each, the last one first."""
    acted = any(live.automatic.get(row.seq) for row in lost)
    given = {one.number: one for one in await orders.all_orders(db, live.id)} if acted else {}
    said: dict[str, str] = {}
    if live.game.over and live.game.rules.spec.secret_cash:
        said[""] = f"The end of the game, with move {lost[-1].seq}, has shown everybody's money."
    for row in reversed(lost):
        number = live.automatic.get(row.seq)
        what = _sealed(given[number]) if number in given and row.actor != player else None
        if what is not None:
            secret = f"{live.name_of(row.actor)}'s sealed maximum on {what}"
            said.setdefault(secret, f"{secret} was revealed by move {row.seq}, as far as it acted.")
    return list(said.values())


def require_nothing(shown: Sequence[str]) -> None:
    """Raise Refused where something secret has been shown."""
    if shown:
        raise Refused(
            f"{shown[0]} What came before it stays; only a moderator goes back further, with `/mod undo`."
        )


def _sealed(order: Order) -> str | None:
    """What a sealed order was about; None for one that kept no secret."""
    content: dict[str, Any] = json.loads(order.payload)
    return str(content.get("private", "the privates")) if content.get("kind") in SEALED else None
