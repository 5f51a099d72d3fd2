"""Sealed bids: once all players have sealed bids for the privates, the bot resolves the auction by making the bids."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.table.errors import Refused
from bot.table.live import LiveGame, chosen_settings, standing_orders
from bot.table.markdown import strong
from bot.table.orders.automatic import AutomaticMoves
from bot.table.outbox.notices import note_notices, turn_change_between
from bot.table.settings.table_settings import SEALED as SETTING
from bot.table.settings.table_settings import setting_value
from engine import PlayerId, Title, TitleSpec
from engine import orders as order_rules
from storage import Database, Order, OutboxMessage, SeatEntry, orders, pings

SEALED_SETTING: Final = SETTING.name
"""Name of the game setting for sealed bids."""
SEAL_BUTTON_LABEL: Final = "Seal my bids …"
"""Label of the button with which a player seals bids."""
SEAL_HINT: Final = f"-# Every player can press {strong(SEAL_BUTTON_LABEL)} at any time."
"""Hint in the turn message to the button that seals bids."""
BIDS_ARE_OPEN_LINE: Final = (
    "-# That seat cannot seal bids, so bidding is open for now and sealed bids have no effect. "
    "`/orders bid` bids on one private up to a price."
)
"""Line posted when bidding becomes open, because one seat is not played by a user who could seal bids."""

KINDS_WITHOUT_SEALING_BUTTON: Final = frozenset({"bid"})
"""Kinds of moves that get no button while players seal bids."""


async def has_sealed_bids(db: Database, game_id: int) -> bool:
    """True if the game was set to sealed bids, even if its auction is over."""
    return await setting_value(db, game_id, SEALED_SETTING) == "on"


async def is_sealing(db: Database, live: LiveGame) -> bool:
    """True if players seal bids now: the game is set to sealed bids, and privates are for sale.

    False while a seat is played by the other players together or by a computer player, since nobody could seal bids for
    it.
    """
    return _is_sealing_possible(live) and (await chosen_settings(db, live))[SEALED_SETTING] == "on"


def _is_sealing_possible(live: LiveGame) -> bool:
    return bool(order_rules.privates_to_bid_on(live.game)) and not (
        live.group_players or live.caretaker_players
    )


async def require_sealing(db: Database, live: LiveGame) -> None:
    """Raise Refused unless players seal bids now."""
    if not await is_sealing(db, live):
        raise Refused(
            "This game has no sealed auction, or one of its players cannot seal bids. `/orders bid` bids "
            "on one private up to a price."
        )


async def players_who_must_act(
    db: Database, live: LiveGame, expected_orders: Sequence[Order] | None = None
) -> tuple[PlayerId, ...]:
    """The players whose turn it is or, while players seal bids, all players who have not sealed theirs.

    `expected_orders` are the standing orders to assume, in place of the stored ones.
    """
    if not await is_sealing(db, live):
        return live.game.actors()
    return _players_to_seal(
        live, await standing_orders(db, live) if expected_orders is None else expected_orders
    )


def _players_to_seal(live: LiveGame, stored_orders: Sequence[Order]) -> tuple[PlayerId, ...]:
    sealed_players = {
        sealed_order.player
        for sealed_order in order_rules.sealed_orders(AutomaticMoves(live, stored_orders).standing_orders)
    }
    return (
        tuple(player for player in live.game.players_in_game() if player not in sealed_players)
        or live.game.actors()
    )


async def must_act_at_once(db: Database, live: LiveGame, player: PlayerId) -> bool:
    """True if it is this player's turn, or if players seal bids now."""
    return player in live.game.actors() or await is_sealing(db, live)


async def sealing_notice(db: Database, live: LiveGame, value: str) -> OutboxMessage:
    """The notice that changes who must act when sealed bids are switched to `value` (`on` or `off`)."""
    players_before, players_after = await players_who_must_act(db, live), live.game.actors()
    if value == "on" and _is_sealing_possible(live):
        players_after = _players_to_seal(live, await standing_orders(db, live))
    return turn_change_between(players_before, players_after, None).notice()


async def seal_pings_after_seat_change(
    db: Database, live: LiveGame, seat_entry: SeatEntry
) -> list[OutboxMessage]:
    """The ping of all players who must seal bids, if a seat change lets players seal bids again; else empty."""
    live_after_seat_change = replace(live, seat_history=(*live.seat_history, seat_entry))
    if await is_sealing(db, live) or not await is_sealing(db, live_after_seat_change):
        return []
    turn_change = turn_change_between(
        await players_who_must_act(db, live), await players_who_must_act(db, live_after_seat_change), None
    )
    return [turn_change.notice()]


async def notices_while_sealing(
    db: Database, live: LiveGame, notices_of_move: Sequence[OutboxMessage], changes: orders.OrderChanges
) -> Sequence[OutboxMessage]:
    """The notices after a move. While players seal bids, only players who have not sealed theirs are pinged."""
    if not await is_sealing(db, live):
        return notices_of_move
    target_seq = changes.undo_target_seq
    orders_after = (
        standing_orders(db, live)
        if target_seq is None
        else orders.orders_standing_after(db, live.id, target_seq)
    )
    ended_numbers = {*changes.replaced_order_numbers, *(order.number for order in changes.ended_orders)}
    expected_orders = [order for order in await orders_after if order.number not in ended_numbers]
    players_to_act = await players_who_must_act(db, live, [*expected_orders, *changes.new_orders])
    return [
        replace(notice, notifications=_limit_notifications(notice.notifications, players_to_act))
        if notice.notifications
        else notice
        for notice in notices_of_move
    ]


def _limit_notifications(
    notifications: pings.NotificationChanges, players_to_act: tuple[PlayerId, ...]
) -> pings.NotificationChanges:
    return pings.NotificationChanges(
        tuple(player for player in notifications.new_players if player in players_to_act),
        notifications.mover,
        players_to_act,
    )


def require_title_with_auction(title: Title) -> None:
    """Raise Refused for a title without an auction of privates."""
    if not title.spec.privates:
        raise Refused(f"{title.name} has no auction, so there are no bids to seal.")


def sealed_auction_rules(spec: TitleSpec) -> str:
    """The rules of a sealed auction for this title, as a list for players."""
    auction = spec.auction
    column_note = " of each column" if len(auction.columns) > 1 else ""
    bid_kind = "every bid" if auction.all_bids_bind else "every high bid"
    return "\n- ".join(
        [
            "How sealed bids are resolved, once all players have sealed theirs:",
            "The highest bid wins a private. Its bidder pays the lowest bid that would have won "
            "against the second-highest bid. Of equal bids, the one sealed first wins.",
            "If only one player bids on a private, they pay the lowest legal bid.",
            f"The private on top{column_note} takes no bids. Starting at the priority deal, the first player who "
            "wants it buys it at its price, even if somebody sealed a higher bid.",
            f"Money is set aside for {bid_kind}, the cheapest private first: if your bids total more "
            "than your cash, "
            "you may lose some of them.",
            _text_after_sale(spec),
        ]
    )


def _text_after_sale(spec: TitleSpec) -> str:
    rule_sentences = [
        "If a private comes with a par price to choose, the bot asks the player who wins it. If nobody bids on "
        "the remaining privates, the players seal new bids, or bid openly."
    ]
    if spec.auction.eliminations:
        rule_sentences.insert(0, "Players first remove privates from the packet openly; then they seal bids.")
    if spec.auction.in_stock_rounds:
        rule_sentences.append(
            "When all pass and a price falls, sealed bids stay valid in the next stock round."
        )
    return " ".join(rule_sentences)


def sealed_rules_hint(_: TitleSpec) -> str:
    """A line for the lobby that tells where the rules of a sealed auction will be posted."""
    return "-# How sealed bids are resolved: see the first message of the game."


async def first_ping_text(db: Database, game_id: int, text: str) -> str:
    """The text of the first ping in a new thread; with sealed bids, it also tells players how to seal them."""
    if not await has_sealed_bids(db, game_id):
        return text
    button_label = strong(SEAL_BUTTON_LABEL)
    seal_hint = (
        f"During the auction, each of you can press {button_label} below the turn message at any time."
    )
    return f"{seal_hint}\n{text}"


async def seal_count_notices(
    db: Database, live: LiveGame, stored_orders: Sequence[Order]
) -> list[OutboxMessage]:
    """The notices that post how many players have sealed bids.

    They also end the pending pings of those players.
    """
    seal_count = len(
        {
            sealed_order.player
            for sealed_order in order_rules.sealed_orders(AutomaticMoves(live, stored_orders).standing_orders)
        }
    )
    line, *notices_after = note_notices(
        f"Sealed bids: {seal_count} of {len(live.game.players_in_game())} players."
    )
    notification_changes = pings.NotificationChanges(
        (), None, await players_who_must_act(db, live, stored_orders)
    )
    return [replace(line, notifications=notification_changes), *notices_after]


def all_sealed_notices(live: LiveGame) -> list[OutboxMessage]:
    """The notices that post, before the auction is resolved, that all players have sealed bids."""
    return note_notices(
        f"All {len(live.game.players_in_game())} players have sealed their bids. The auction is resolved now."
    )
