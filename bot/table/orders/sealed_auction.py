"""Sealed bids: once every player has sealed bids for the privates, ordinary bids resolve the whole auction."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.table.errors import Refused
from bot.table.live import LiveGame, chosen_settings, standing_orders
from bot.table.markdown import strong
from bot.table.orders.automatic import AutomaticMoves
from bot.table.outbox.notices import table_note, turn_change_between
from bot.table.settings.table_settings import SEALED as SETTING
from bot.table.settings.table_settings import value_of
from engine import PlayerId, Title, TitleSpec
from engine import orders as order_rules
from storage import Database, Order, OutboxMessage, SeatEntry, orders, pings

SEALED_SETTING: Final = SETTING.name
"""The name of the game setting for sealed bids."""
SEAL_BUTTON_LABEL: Final = "Seal my bids …"
"""The label of the button with which players seal their bids."""
SEAL_HINT: Final = f"-# Every player can press {strong(SEAL_BUTTON_LABEL)} at any time."
"""A line of the turn message at a table that seals."""
BIDS_ARE_OPEN: Final = (
    "-# That seat cannot seal bids, so bidding is open for now and sealed bids have no effect. "
    "`/orders bid` bids on one private up to a price."
)
"""The line when bids become open because a seat has no user of its own."""

KINDS_WITHOUT_BUTTON: Final = frozenset({"bid"})
"""Kinds of moves without one-click buttons while bids are sealed."""


async def has_sealed_bids(db: Database, game_id: int) -> bool:
    """True if the game's setting is sealed bids."""
    return await value_of(db, game_id, SEALED_SETTING) == "on"


async def is_sealing(db: Database, live: LiveGame) -> bool:
    """True if bids are sealed now: the setting is on, and privates are for sale.

    Bids are open while the group or a caretaker plays a seat, since nobody could seal bids for it.
    """
    return _could_seal(live) and (await chosen_settings(db, live))[SEALED_SETTING] == "on"


def _could_seal(live: LiveGame) -> bool:
    return bool(order_rules.privates_to_bid_on(live.game)) and not (
        live.group_players or live.caretaker_players
    )


async def require_sealing(db: Database, live: LiveGame) -> None:
    """Raise Refused unless bids are sealed now."""
    if not await is_sealing(db, live):
        raise Refused(
            "This game has no sealed auction, or one of its players cannot seal bids. `/orders bid` bids "
            "on one private up to a price."
        )


async def players_waited_for(
    db: Database, live: LiveGame, expected_orders: Sequence[Order] | None = None
) -> tuple[PlayerId, ...]:
    """The players for whom the game waits: those on turn, or all who have not sealed bids.

    `expected_orders` are the standing orders to assume; None: the stored ones.
    """
    if not await is_sealing(db, live):
        return live.game.actors()
    return _players_to_seal(
        live, await standing_orders(db, live) if expected_orders is None else expected_orders
    )


def _players_to_seal(live: LiveGame, stored_orders: Sequence[Order]) -> tuple[PlayerId, ...]:
    """Players who have not sealed bids; if all have, those on turn."""
    sealed_players = {
        seal.player for seal in order_rules.sealed_orders(AutomaticMoves(live, stored_orders).standing_orders)
    }
    return (
        tuple(player for player in live.game.players_in_game() if player not in sealed_players)
        or live.game.actors()
    )


async def must_act_at_once(db: Database, live: LiveGame, player: PlayerId) -> bool:
    """True if the user of this seat must act now: the player is on turn, or bids are sealed."""
    return player in live.game.actors() or await is_sealing(db, live)


async def sealing_notice(db: Database, live: LiveGame, value: str) -> OutboxMessage:
    """The notice of the change of players on turn when sealed bids are switched on or off (`value`)."""
    players_before, players_after = await players_waited_for(db, live), live.game.actors()
    if value == "on" and _could_seal(live):
        players_after = _players_to_seal(live, await standing_orders(db, live))
    return turn_change_between(players_before, players_after, None).notice()


async def seal_ping_after_seating(db: Database, live: LiveGame, seat_entry: SeatEntry) -> list[OutboxMessage]:
    """Pings of players who must seal bids, if this seat change makes bids sealed again; else empty."""
    live_after = replace(live, seat_history=(*live.seat_history, seat_entry))
    if await is_sealing(db, live) or not await is_sealing(db, live_after):
        return []
    turn_change = turn_change_between(
        await players_waited_for(db, live), await players_waited_for(db, live_after), None
    )
    return [turn_change.notice()]


async def notices_while_sealing(
    db: Database, live: LiveGame, pending: Sequence[OutboxMessage], changes: orders.OrderChanges
) -> Sequence[OutboxMessage]:
    """The notices after a move; while bids are sealed, only players who must seal bids get notifications."""
    if not await is_sealing(db, live):
        return pending
    to = changes.back_to
    orders_after = standing_orders(db, live) if to is None else orders.orders_standing_after(db, live.id, to)
    ended_numbers = {*changes.replaced, *(order.number for order in changes.ended)}
    expected_orders = [order for order in await orders_after if order.number not in ended_numbers]
    players_left = await players_waited_for(db, live, [*expected_orders, *changes.new_orders])
    return [
        replace(notice, notifications=_limit_notifications(notice.notifications, players_left))
        if notice.notifications
        else notice
        for notice in pending
    ]


def _limit_notifications(
    notifications: pings.NotificationChanges, players_left: tuple[PlayerId, ...]
) -> pings.NotificationChanges:
    return pings.NotificationChanges(
        tuple(player for player in notifications.new_players if player in players_left),
        notifications.mover,
        players_left,
    )


def require_title_with_auction(title: Title) -> None:
    """Raise Refused for a title without an auction."""
    if not title.spec.privates:
        raise Refused(f"{title.name} has no auction, so there are no bids to seal.")


def sale_rules(spec: TitleSpec) -> str:
    """The rules of a sealed auction, in five points."""
    auction = spec.auction
    of_each_column = " of each column" if len(auction.columns) > 1 else ""
    bid_kind = "every bid" if auction.all_bids_bind else "every high bid"
    return "\n- ".join(
        [
            "How sealed bids are resolved, once all players have sealed theirs:",
            "The highest bid wins a private, at the price of the second-highest bid or one raise above it. Of "
            "equal bids, the one sealed first wins.",
            "If only one player bids on a private, they pay the lowest legal bid.",
            f"The private on top{of_each_column} takes no bids. Starting at the priority deal, the first player who "
            "wants it buys it at its price, even if somebody sealed a higher bid.",
            f"Money is set aside for {bid_kind}, the cheapest private first: if your bids total more "
            "than your cash, "
            "you may lose some of them.",
            _after_sale_text(spec),
        ]
    )


def _after_sale_text(spec: TitleSpec) -> str:
    sentences = [
        "If a private comes with a par price to choose, the bot asks the player who wins it. If nobody bids on "
        "the remaining privates, the players seal new bids, or bid openly."
    ]
    if spec.auction.eliminations:
        sentences.insert(0, "Players first remove privates from the packet openly; then they seal bids.")
    if spec.auction.in_stock_rounds:
        sentences.append("When all pass and a price falls, sealed bids stay valid in the next stock round.")
    return " ".join(sentences)


def sale_hint(_: TitleSpec) -> str:
    """A short hint to the rules of a sealed auction, for a lobby."""
    return "-# How sealed bids are resolved: see the first message of the game."


async def ping_text(db: Database, game_id: int, text: str) -> str:
    """The text of the ping to a new thread, with a hint to seal bids if the setting is on."""
    if not await has_sealed_bids(db, game_id):
        return text
    label = strong(SEAL_BUTTON_LABEL)
    seal_hint = f"During the auction, each of you can press {label} below the turn message at any time."
    return f"{seal_hint}\n{text}"


async def seal_count_lines(
    db: Database, live: LiveGame, stored_orders: Sequence[Order]
) -> list[OutboxMessage]:
    """The public line with the number of players who have sealed bids, and notices.

    Pending notifications of players who have sealed bids end.
    """
    seal_count = len(
        {
            seal.player
            for seal in order_rules.sealed_orders(AutomaticMoves(live, stored_orders).standing_orders)
        }
    )
    line, *notices_after = table_note(
        f"Sealed bids: {seal_count} of {len(live.game.players_in_game())} players."
    )
    notification_changes = pings.NotificationChanges(
        (), None, await players_waited_for(db, live, stored_orders)
    )
    return [replace(line, notifications=notification_changes), *notices_after]


def all_sealed_lines(live: LiveGame) -> list[OutboxMessage]:
    """The public line before the moves that resolve the auction."""
    return table_note(
        f"All {len(live.game.players_in_game())} players have sealed their bids. The auction is resolved now."
    )
