"""What users see of their own orders: those that stand, and why others have ended."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from bot.table.live import LiveGame
from bot.table.orders import sealed
from bot.table.orders.ordering import does, read, says
from bot.table.orders.quick_orders import MAXIMUM, PASS_UNTIL, SEAL, Tap, running
from bot.table.style import plain, strong
from bot.table.tables import Tables
from engine.core.errors import Unreadable
from engine.core.ids import CompanyId, PlayerId
from engine.orders import Order as Wanted
from engine.orders import read_order, same_subject
from engine.orders.kinds import PassStock, RunBest, SkipStep
from engine.orders.new_orders import biddable, presided, skippable
from storage import orders
from storage.orders import Order

LISTED: Final = 5
"""How many orders that have ended are listed, the latest."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A user's orders in words, the numbers of those that stand, and what else they may order by a button."""

    text: str
    standing: tuple[int, ...]
    ended: tuple[int, ...]
    """Those that are listed with the reason why they have ended."""
    passes: bool
    """Whether to pass a stock round may be ordered."""
    runs: tuple[CompanyId, ...]
    """Own companies whose best run is not ordered."""
    skips: tuple[SkipStep, ...]
    """Steps of own companies that are not skipped yet, as they may be ordered to be."""
    bids: bool
    """Whether something is bid on."""
    seals: bool
    """Whether this table seals its maxima now."""


async def listed(tables: Tables, game_id: int, user_id: int) -> Listed:
    """The person's orders in a game: those that stand, and why the last of the others have ended. Raises NotYours."""
    async with tables.reading(game_id) as live:
        player = tables.seat_of(live, user_id)
        found = await orders.given_by(tables.db, game_id, user_id)
        kept = [order for order in found if order.state == "standing"]
        ended = [order for order in found if order.state == "stopped"][-LISTED:]
        seals = await sealed.is_sealing(tables.db, live)
        text = _text(live, kept, ended)
        return Listed(
            text,
            tuple(order.number for order in kept),
            tuple(order.number for order in ended),
            not live.game.over and not _is_ordered(kept, PassStock),
            _runs(live, player, kept),
            _skips(live, player, kept),
            bool(biddable(live.game)),
            seals,
        )


def _text(live: LiveGame, kept: list[Order], ended: list[Order]) -> str:
    if not kept and not ended:
        return f"You have given no orders in game {live.id}."
    standing = [f"`{order.number}` {_worded(live, order, says)}." for order in kept]
    parts = [strong("Standing"), *(standing or ["none"])]
    if ended:
        parts += [strong("Ended"), *(f"`{order.number}` {was(live, order)}" for order in ended)]
    return "\n".join(parts)


def was(live: LiveGame, order: Order) -> str:
    """What an order that has ended did, and why it has; not what else would have ended it."""
    return f"{_worded(live, order, does)}. {order.why}"


def _worded(live: LiveGame, order: Order, words: Callable[[LiveGame, Wanted], str]) -> str:
    """An order in words; that it cannot be read, where another version has stored it."""
    try:
        return words(live, read_order(order.payload)).removesuffix(".")
    except Unreadable as error:
        return plain(live.game).refusal(error).removesuffix(".")


def _is_ordered(kept: list[Order], kind: type[PassStock]) -> bool:
    return any(isinstance(one, kind) for one in map(read, kept))


def _runs(live: LiveGame, player: PlayerId, kept: list[Order]) -> tuple[CompanyId, ...]:
    ordered = {one.company for one in map(read, kept) if isinstance(one, RunBest)}
    return tuple(company for company in presided(live.game, player) if company not in ordered)


def _skips(live: LiveGame, player: PlayerId, kept: list[Order]) -> tuple[SkipStep, ...]:
    ordered = [one for one in map(read, kept) if one is not None]
    return tuple(
        skip for skip in skippable(live.game, player) if not any(same_subject(skip, one) for one in ordered)
    )


def order_taps(found: Listed) -> Iterator[Tap]:
    """What else may be ordered by a button, and what may be withdrawn."""
    if found.passes:
        yield Tap("pass", "", PASS_UNTIL)
        yield Tap("over", "", "Pass whatever happens")
    if found.bids:
        yield Tap(SEAL, "", sealed.BUTTON) if found.seals else Tap("max", "", MAXIMUM)
    yield from map(running, found.runs)
    yield from (Tap("withdraw", str(number), f"Withdraw {number}") for number in found.standing)
