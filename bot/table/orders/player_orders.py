"""Standing orders of a player: give, withdraw, list, and quick orders by button."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from bot.table.errors import Refused
from bot.table.games.confirmed_writes import confirm_write, return_true_after
from bot.table.live import LiveGame, standing_orders
from bot.table.markdown import plain_teller, strong
from bot.table.move_lines import BiddingLine, UneventfulLine
from bot.table.orders import sealed_auction
from bot.table.orders.automatic import AutomaticMoves, AutomaticRun
from bot.table.orders.sealed_auction import SEAL_BUTTON_LABEL
from bot.table.outbox import notices
from bot.table.tables import Outcome, Tables
from engine import CompanyId, Game, PlayerId, Unreadable, read_action
from engine import actions as game_actions
from engine import orders as order_rules
from storage import Order, OutboxMessage, orders

OrderBuilder: TypeAlias = Callable[[Game, PlayerId], order_rules.Order]
"""A function that returns the standing order that a user wants in this position.

Raises IllegalAction or Refused.
"""
CHECK_ORDER_LIST_HINT: Final = "`/orders list` shows it."


class _NewOrder(NamedTuple):
    """A new standing order and the numbers of the orders that it replaces; `is_seal` is true for sealed bids."""

    order: Order
    replaced_order_numbers: tuple[int, ...]
    is_seal: bool


async def give_order(tables: Tables, game_id: int, user_id: int, build_order: OrderBuilder) -> Outcome:
    """Store a standing order for the user's seat and make the moves that it causes at once. Raises Refused.

    It replaces the user's earlier order about the same thing, such as to run the same company's trains.
    """
    async with tables.writing(game_id) as live:
        tables.require_playable(live)
        player = tables.seat_of(live, user_id)
        order_content = build_order(live.game, player)
        if isinstance(order_content, order_rules.SealBids):
            await sealed_auction.require_sealing(tables.db, live)
        order_rules.require_not_ended_at_once(live.game, player, order_content)
        stored_orders = await standing_orders(tables.db, live)
        number, now = await orders.next_order_number(tables.db, game_id), tables.clock()
        order = Order(number, player, user_id, order_rules.write_order(order_content), live.game.seq, now)
        await _require_new_order(live, stored_orders, order)
        new_order = _NewOrder(
            order,
            _replaced_order_numbers(stored_orders, order, order_content),
            isinstance(order_content, order_rules.SealBids),
        )
        lines = await _store_and_run(
            tables,
            live,
            [order for order in stored_orders if order.number not in new_order.replaced_order_numbers],
            new_order,
        )
        text = f"Order {number}: {order_text(live, order_content)}"
    tables.on_notice(game_id)
    replaced_text = "".join(
        f" It replaces order {replaced_number}." for replaced_number in new_order.replaced_order_numbers
    )
    return Outcome(live.seq, (text + replaced_text, *lines))


async def withdraw_order(tables: Tables, game_id: int, user_id: int, number: int) -> str:
    """Withdraw a user's standing order; raises Refused.

    If it was a sealed bid, the new number of sealed bids is posted.
    """
    async with tables.reading(game_id) as live:
        stored_orders = await standing_orders(tables.db, live)
        other_orders = [order for order in stored_orders if order.number != number]
        was_seal = any(
            order.number == number and isinstance(readable_order(order), order_rules.SealBids)
            for order in stored_orders
        )
        must_post_count = was_seal and live.row.status == "running"
        seal_count_notices = (
            await sealed_auction.seal_count_notices(tables.db, live, other_orders) if must_post_count else []
        )
        now = tables.clock()
        live.cached_rows = None
        if not await orders.withdraw_order(
            tables.db, game_id, number, user_id, seq=live.seq, notices=seal_count_notices, now=now
        ):
            raise Refused(f"You have no order {number} in game {game_id}. `/orders list` shows your orders.")
    tables.on_notice(game_id)
    return f"Order {number} is withdrawn."


def order_effect(live: LiveGame, order_content: order_rules.Order) -> str:
    """The effect of a standing order, in words."""
    return plain_teller(live.game).say(order_rules.order_description(order_content))


def order_text(live: LiveGame, order_content: order_rules.Order) -> str:
    """The effect of a standing order and when it ends, in words."""
    end_text = plain_teller(live.game).say(order_rules.end_condition(order_content))
    return f"{order_effect(live, order_content)}. Valid {end_text}."


async def _require_new_order(live: LiveGame, stored_orders: Sequence[Order], order: Order) -> None:
    """Raise Refused if the user has already given an identical standing order.

    After an undo, or if the order would make a move now, it may be given again.
    """
    identical_order = next(
        (other for other in _orders_of_owner(stored_orders, order) if other.payload == order.payload),
        None,
    )
    if identical_order is None or live.ends_with_undo:
        return
    if (
        await AutomaticMoves(live, stored_orders).order_number_of_next_move(live.game, order.player_id)
        is None
    ):
        raise Refused(f"You already gave this order, number {identical_order.number}.")


def _replaced_order_numbers(
    stored_orders: Sequence[Order], order: Order, new_content: order_rules.Order
) -> tuple[int, ...]:
    own_orders = [
        (earlier_order.number, readable_order(earlier_order))
        for earlier_order in _orders_of_owner(stored_orders, order)
    ]
    return tuple(
        number
        for number, earlier_content in own_orders
        if earlier_content is not None and order_rules.have_same_subject(earlier_content, new_content)
    )


def _orders_of_owner(stored_orders: Sequence[Order], order: Order) -> list[Order]:
    return [
        other_order
        for other_order in stored_orders
        if (other_order.player_id, other_order.user_id) == (order.player_id, order.user_id)
    ]


def readable_order(order: Order) -> order_rules.Order | None:
    """The content of a stored standing order; None if this version of the bot cannot read it."""
    try:
        return order_rules.read_order(order.payload)
    except Unreadable:
        return None


async def _store_and_run(
    tables: Tables, live: LiveGame, stored_orders: Sequence[Order], new_order: _NewOrder
) -> tuple[str, ...]:
    position_before, order = notices.PositionBeforeMove.of(live.game), new_order.order
    mover: PlayerId | None = order.player_id
    if mover not in position_before.actors:
        # The order was given out of turn, so even a player who stays on turn is pinged.
        position_before, mover = position_before._replace(actors=()), None
    automatic_moves = AutomaticMoves(live, [*stored_orders, order], order.user_id)
    resolves_auction = new_order.is_seal and automatic_moves.have_all_sealed()
    automatic_run = await automatic_moves.start_order(order)
    if automatic_run.entries:
        lines = _without_bidding_lines(automatic_run) if resolves_auction else automatic_run.lines
        ended_numbers = {ended_order.number for ended_order in automatic_run.ended_orders}
        remaining_orders = [
            remaining_order
            for remaining_order in (*stored_orders, order)
            if remaining_order.number not in ended_numbers
        ]
        auction_notices = (
            sealed_auction.all_sealed_notices(live)
            if resolves_auction
            else await _post_seal_count(tables, live, remaining_orders, new_order)
        )
        move_notices = notices.move_notices(live, mover, automatic_run.events, lines, position_before)
        return await _commit_moves(tables, live, new_order, automatic_run, [*auction_notices, *move_notices])
    refusal = next(
        (ended_order.why for ended_order in automatic_run.ended_orders if ended_order.number == order.number),
        None,
    )
    if refusal is not None:
        raise Refused(refusal)
    seal_count_notices = await _post_seal_count(tables, live, [*stored_orders, order], new_order)
    live.cached_rows = None
    write = orders.store_order(
        tables.db, live.id, order, new_order.replaced_order_numbers, seq=live.seq, notices=seal_count_notices
    )
    await confirm_write(
        return_true_after(write), lambda: _is_stored(tables, live.id, order), CHECK_ORDER_LIST_HINT
    )
    return ()


async def _post_seal_count(
    tables: Tables, live: LiveGame, stored_orders: Sequence[Order], new_order: _NewOrder
) -> list[OutboxMessage]:
    is_new_seal = new_order.is_seal and not new_order.replaced_order_numbers
    return await sealed_auction.seal_count_notices(tables.db, live, stored_orders) if is_new_seal else []


def _without_bidding_lines(automatic_run: AutomaticRun) -> list[tuple[str, ...]]:
    return [
        tuple(UneventfulLine(line) if isinstance(line, BiddingLine) else line for line in lines)
        for lines in automatic_run.lines
    ]


async def _commit_moves(
    tables: Tables,
    live: LiveGame,
    new_order: _NewOrder,
    automatic_run: AutomaticRun,
    pending_notices: list[OutboxMessage],
) -> tuple[str, ...]:
    changes = automatic_run.order_changes(live.seq + 1, (new_order.order,), new_order.replaced_order_numbers)
    await tables.commit(
        live, automatic_run.entries, pending_notices, live.effective_rows, order_changes=changes
    )
    return tuple(line for lines in automatic_run.lines for line in lines)


async def _is_stored(tables: Tables, game_id: int, order: Order) -> bool | None:
    return order in await orders.standing_orders(tables.db, game_id) or None


async def sealed_bids_of(tables: Tables, live: LiveGame, player: PlayerId) -> dict[str, int]:
    """A player's sealed bids in dollars, by private; empty if the player has not sealed any bids."""
    stored_orders = await standing_orders(tables.db, live)
    own_orders = (
        readable_order(order)
        for order in stored_orders
        if (order.player_id, order.user_id) == (player, live.user_of(player))
    )
    return next((dict(order.maxima) for order in own_orders if isinstance(order, order_rules.SealBids)), {})


PASS_UNTIL_CONCERNED_LABEL: Final = "Pass until something concerns me"
SEALED_BID_LABEL: Final = "Sealed bid …"
SEAL_CHOICE: Final = "seal"
"""The `choice` of the quick-order button that seals bids for all privates."""


class QuickOrder(NamedTuple):
    """A button that gives a standing order: its kind (such as `run`), its company or other subject, and the label."""

    choice: str
    subject: str
    label: str


def quick_orders_of_turn(live: LiveGame, *, is_sealing: bool) -> tuple[QuickOrder, ...]:
    """The quick-order buttons below a turn message.

    During an auction of privates, each player can press them; with `is_sealing`, they seal bids.
    """
    if live.game.proposal is not None:
        return ()
    if order_rules.privates_to_bid_on(live.game):
        return (_quick_order_to_bid(is_sealing=is_sealing),)
    return tuple(
        _as_quick_order(order)
        for player in live.game.actors()
        for order in order_rules.suggested_orders(
            live.game, player, _player_actions_newest_first(live, player)
        )
    )


def _quick_order_to_bid(*, is_sealing: bool) -> QuickOrder:
    return (
        QuickOrder(SEAL_CHOICE, "", SEAL_BUTTON_LABEL)
        if is_sealing
        else QuickOrder("max", "", SEALED_BID_LABEL)
    )


def quick_order_to_run(company: str) -> QuickOrder:
    """The quick-order button to always run a company's best routes and pay out."""
    return QuickOrder("run", company, f"{company}: always run the best routes and pay out")


def order_of_button(game: Game, choice: str, subject: str) -> order_rules.Order:
    """The standing order that a quick-order button gives; raises IllegalAction."""
    if choice == "buy":
        company, _, source = subject.partition(",")
        return order_rules.buy_shares_order(game, company, source, None)
    if choice == "run":
        return order_rules.run_best_order(game, subject, "pay")
    if choice == "skip":
        company, _, step = subject.rpartition(",")
        return order_rules.skip_step_order(
            game, company, "track" if step == "track" else "token", "withdrawn"
        )
    return order_rules.pass_stock_order(game, "over" if choice == "over" else "concerned")


def _as_quick_order(order: order_rules.Order) -> QuickOrder:
    match order:
        case order_rules.RunBest(company=company):
            return quick_order_to_run(company)
        case order_rules.BuyShares(company=company, source=source):
            return QuickOrder("buy", f"{company},{source}", f"{company}: same again until floated")
        case _:
            return QuickOrder("pass", "", PASS_UNTIL_CONCERNED_LABEL)


def _player_actions_newest_first(live: LiveGame, player: PlayerId) -> Iterator[game_actions.Action]:
    return (read_action(row.payload) for row in reversed(live.effective_rows) if row.actor == player)


MAX_ENDED_ORDERS: Final = 5
"""Maximum number of ended orders in a list; the newest are shown."""


@dataclass(frozen=True, slots=True)
class OrderList:
    """A user's standing orders in words, and the further orders that the user can give."""

    text: str
    standing_orders: tuple[int, ...]
    ended_orders: tuple[int, ...]
    """Numbers of the recently ended orders in the list."""
    can_order_pass: bool
    """True if the user can give an order to pass in stock rounds."""
    companies_to_run: tuple[CompanyId, ...]
    """The user's companies for which the user has given no order to run trains."""
    steps_to_skip: tuple[order_rules.SkipStep, ...]
    """Steps of the user's companies, such as track, for which the user has given no order to skip them."""
    can_order_bid: bool
    """True if privates are for sale, so that the user can give an order to bid."""
    is_sealing: bool
    """True if players seal their bids now."""


async def list_orders(tables: Tables, game_id: int, user_id: int) -> OrderList:
    """The user's standing orders, and the recently ended ones. Raises NotPermitted for a spectator."""
    async with tables.reading(game_id) as live:
        player = tables.seat_of(live, user_id)
        all_orders = await orders.orders_of_user(tables.db, game_id, user_id)
        current_orders = [order for order in all_orders if order.state == "standing"]
        ended_orders = [order for order in all_orders if order.state == "stopped"][-MAX_ENDED_ORDERS:]
        is_sealing = await sealed_auction.is_sealing(tables.db, live)
        text = _orders_text(live, current_orders, ended_orders)
        return OrderList(
            text,
            tuple(order.number for order in current_orders),
            tuple(order.number for order in ended_orders),
            not live.game.is_over
            and not any(isinstance(readable_order(order), order_rules.PassStock) for order in current_orders),
            _companies_without_run_order(live, player, current_orders),
            _steps_not_skipped(live, player, current_orders),
            bool(order_rules.privates_to_bid_on(live.game)),
            is_sealing,
        )


def _orders_text(live: LiveGame, stored_orders: list[Order], ended_orders: list[Order]) -> str:
    if not stored_orders and not ended_orders:
        return f"You have no orders in game {live.id}."
    standing_lines = [
        f"`{order.number}` {_order_description(live, order, order_text)}." for order in stored_orders
    ]
    list_parts = [strong("Standing"), *(standing_lines or ["none"])]
    if ended_orders:
        list_parts += [
            strong("Ended"),
            *(f"`{order.number}` {ended_order_text(live, order)}" for order in ended_orders),
        ]
    return "\n".join(list_parts)


def ended_order_text(live: LiveGame, order: Order) -> str:
    """An ended order in words, and the reason why it ended."""
    return f"{_order_description(live, order, order_effect)}. {order.why}"


def _order_description(
    live: LiveGame, order: Order, describe: Callable[[LiveGame, order_rules.Order], str]
) -> str:
    try:
        return describe(live, order_rules.read_order(order.payload)).removesuffix(".")
    except Unreadable as error:
        return plain_teller(live.game).refusal(error).removesuffix(".")


def _companies_without_run_order(
    live: LiveGame, player: PlayerId, stored_orders: list[Order]
) -> tuple[CompanyId, ...]:
    companies_with_order = {
        order.company
        for order in map(readable_order, stored_orders)
        if isinstance(order, order_rules.RunBest)
    }
    return tuple(
        company
        for company in order_rules.presided_companies(live.game, player)
        if company not in companies_with_order
    )


def _steps_not_skipped(
    live: LiveGame, player: PlayerId, stored_orders: list[Order]
) -> tuple[order_rules.SkipStep, ...]:
    readable_orders = [order for order in map(readable_order, stored_orders) if order is not None]
    return tuple(
        step
        for step in order_rules.skip_step_orders(live.game, player)
        if not any(order_rules.have_same_subject(step, order) for order in readable_orders)
    )


def quick_orders_of_list(order_list: OrderList) -> Iterator[QuickOrder]:
    """The quick-order buttons below the list of a user's orders. They give or withdraw orders."""
    if order_list.can_order_pass:
        yield QuickOrder("pass", "", PASS_UNTIL_CONCERNED_LABEL)
        yield QuickOrder("over", "", "Pass whatever happens")
    if order_list.can_order_bid:
        yield _quick_order_to_bid(is_sealing=order_list.is_sealing)
    yield from map(quick_order_to_run, order_list.companies_to_run)
    yield from (
        QuickOrder("withdraw", str(number), f"Withdraw {number}") for number in order_list.standing_orders
    )
