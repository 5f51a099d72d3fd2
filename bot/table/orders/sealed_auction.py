"""Sealed bids: all privates are sold at once by ordinary bids, once every player has sealed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.table.errors import Refused
from bot.table.live import LiveGame, chosen_settings, standing_orders
from bot.table.markdown import strong
from bot.table.orders.automatic import AutomaticMoves
from bot.table.outbox.notices import newly_on_turn, table_note
from bot.table.settings.table_settings import SEALED as SETTING
from bot.table.settings.table_settings import value_of
from engine import PlayerId, Title, TitleSpec
from engine import orders as order_rules
from storage import Database, Order, OutboxMessage, SeatEntry, orders, pings

SEALED: Final = SETTING.name
"""The name of the setting."""
BUTTON: Final = "Seal my bids …"
"""The button's label."""
ASKS: Final = f"-# Every player can press {strong(BUTTON)} at any time."
"""A line of the turn message at a table that seals."""
OPEN_BIDS: Final = (
    "-# That seat cannot seal bids, so bidding is open for now and sealed bids have no effect. "
    "`/orders bid` bids on one private up to a price."
)
"""The line once a seat of a sealed auction has no player of its own."""

OPEN: Final = frozenset({"bid"})
"""Kinds of moves that no button makes at one press while seals are asked for."""


async def seals_maxima(db: Database, game_id: int) -> bool:
    """True if a table has chosen sealed bids."""
    return await value_of(db, game_id, SEALED) == "on"


async def is_sealing(db: Database, live: LiveGame) -> bool:
    """True if bids are sealed now: chosen, and privates are on sale.

    Where the table or a caretaker plays a seat nobody could seal for it, and all others would wait: bids
    are open.
    """
    return _could_seal(live) and (await chosen_settings(db, live))[SEALED] == "on"


def _could_seal(live: LiveGame) -> bool:
    return bool(order_rules.biddable(live.game)) and not (live.by_group or live.by_caretaker)


async def require_sealing(db: Database, live: LiveGame) -> None:
    """Raise Refused unless bids are sealed now."""
    if not await is_sealing(db, live):
        raise Refused(
            "This game has no sealed auction, or a player who cannot seal bids. `/orders bid` bids "
            "on one private up to a price."
        )


async def waited_for(
    db: Database, live: LiveGame, kept: Sequence[Order] | None = None
) -> tuple[PlayerId, ...]:
    """The players for whom the table waits: on turn, or all who have not sealed.

    `kept` are the orders that will stand; None: those that stand now.
    """
    if not await is_sealing(db, live):
        return live.game.actors()
    return _unsealed(live, await standing_orders(db, live) if kept is None else kept)


def _unsealed(live: LiveGame, stored_orders: Sequence[Order]) -> tuple[PlayerId, ...]:
    """Players who have not sealed, or those on turn if all have."""
    have = {seal.player for seal in order_rules.seals(AutomaticMoves(live, stored_orders).standing)}
    return tuple(player for player in live.game.in_game() if player not in have) or live.game.actors()


async def has_to_act(db: Database, live: LiveGame, player: PlayerId) -> bool:
    """True if a seat's new player must act at once; sealed bids of others for it end."""
    return player in live.game.actors() or await is_sealing(db, live)


async def sealing_notice(db: Database, live: LiveGame, value: str) -> OutboxMessage:
    """The notice about players on turn after a change to or from sealed bids."""
    before, after = await waited_for(db, live), live.game.actors()
    if value == "on" and _could_seal(live):
        after = _unsealed(live, await standing_orders(db, live))
    return newly_on_turn(before, after, None).notice()


async def seals_again(db: Database, live: LiveGame, seat_entry: SeatEntry) -> list[OutboxMessage]:
    """The player who must seal after sitting down."""
    then = replace(live, seat_history=(*live.seat_history, seat_entry))
    if await is_sealing(db, live) or not await is_sealing(db, then):
        return []
    over = newly_on_turn(await waited_for(db, live), await waited_for(db, then), None)
    return [over.notice()]


async def sealed_notices(
    db: Database, live: LiveGame, pending: Sequence[OutboxMessage], changes: orders.OrderChanges
) -> Sequence[OutboxMessage]:
    """The notices after a move with sealed bids, for all who have not sealed, else the player on turn."""
    if not await is_sealing(db, live):
        return pending
    to = changes.back_to
    stand = standing_orders(db, live) if to is None else orders.standing_after(db, live.id, to)
    gone = {*changes.replaced, *(order.number for order in changes.ended)}
    kept = [standing for standing in await stand if standing.number not in gone]
    left = await waited_for(db, live, [*kept, *changes.given])
    return [
        replace(standing, notifications=_only(standing.notifications, left))
        if standing.notifications
        else standing
        for standing in pending
    ]


def _only(
    notifications: pings.NotificationChanges, players_left: tuple[PlayerId, ...]
) -> pings.NotificationChanges:
    return pings.NotificationChanges(
        tuple(player for player in notifications.fresh if player in players_left),
        notifications.mover,
        players_left,
    )


def require_auction(title: Title) -> None:
    """Raise Refused for a title without bids."""
    if not title.spec.privates:
        raise Refused(f"{title.name} has no auction, so there are no bids to seal.")


def sale_rules(spec: TitleSpec) -> str:
    """The rules of a sealed sale, in five points."""
    auction = spec.auction
    column = " of each column" if len(auction.columns) > 1 else ""
    bids = "every bid" if auction.all_bids_bind else "every high bid"
    return "\n- ".join(
        [
            "Sealed bids, once all players have sealed:",
            "The highest bid wins a private, at the second bid or one raise above it. Of equal "
            "bids, the one sealed first wins.",
            "If only one player bids on a private, they pay the lowest legal bid.",
            f"Nobody bids on the private on top{column}: the first player, from the priority deal "
            "on, who wants it buys it at its price, even if somebody sealed a higher bid.",
            f"Money is set aside for {bids}, the cheapest private first: if your bids total more "
            "than your cash, "
            "you may lose some of them.",
            _afterwards(spec),
        ]
    )


def _afterwards(spec: TitleSpec) -> str:
    said = [
        "Players choose par prices when they are due. If nobody bids on the remaining privates, all "
        "players seal again or bid openly."
    ]
    if spec.auction.eliminations:
        said.insert(0, "Players first remove privates from the packet openly; then they seal bids.")
    if spec.auction.in_stock_rounds:
        said.append("When all pass and a price falls, sealed bids stay valid in the next stock round.")
    return " ".join(said)


def sale_hint(_: TitleSpec) -> str:
    """The rules of a sealed sale in short, for a lobby."""
    return "-# How sealed bids are resolved: see the first message of the game."


async def ping_text(db: Database, game_id: int, text: str) -> str:
    """The text of the ping to a new thread, mentioning sealed bids."""
    if not await seals_maxima(db, game_id):
        return text
    asked = f"During the auction, each of you can press {strong(BUTTON)} below the turn message at any time."
    return f"{asked}\n{text}"


async def seal_count_lines(
    db: Database, live: LiveGame, stored_orders: Sequence[Order]
) -> list[OutboxMessage]:
    """The public line on the number of sealed bids, and notices.

    Players who have sealed are not waited for any more.
    """
    number = len({seal.player for seal in order_rules.seals(AutomaticMoves(live, stored_orders).standing)})
    line, *shown = table_note(f"Sealed bids: {number} of {len(live.game.in_game())} players.")
    left = pings.NotificationChanges((), None, await waited_for(db, live, stored_orders))
    return [replace(line, notifications=left), *shown]


def all_sealed_lines(live: LiveGame) -> list[OutboxMessage]:
    """The public line before the moves of sealed bids."""
    return table_note(
        f"All {len(live.game.in_game())} players have sealed their bids. The auction is resolved now."
    )
