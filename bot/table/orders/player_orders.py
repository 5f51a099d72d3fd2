"""A player's standing orders: giving, withdrawing, listing, and quick orders by button."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from bot.table.errors import Refused
from bot.table.games.confirmed_writes import confirm_write, write_and_true
from bot.table.live import LiveGame, standing_orders
from bot.table.markdown import plain_teller, strong
from bot.table.move_lines import BiddingLine, UneventfulLine
from bot.table.orders import sealed_auction
from bot.table.orders.automatic import AutomaticMoves, AutomaticRun
from bot.table.orders.sealed_auction import BUTTON
from bot.table.outbox import notices
from bot.table.tables import Outcome, Tables
from engine import CompanyId, Game, PlayerId, Unreadable, read_action
from engine import actions as game_actions
from engine import orders as order_rules
from storage import Order, OutboxMessage, orders

OrderBuilder: TypeAlias = Callable[[Game, PlayerId], order_rules.Order]
"""The order that a person means, in the position of the moment; raises IllegalAction or Refused."""
SEE_ORDERS: Final = "`/orders list` shows it."


class _Given(NamedTuple):
    """A new order with those it replaces; `seals`: its bids are sealed."""

    order: Order
    replaced: tuple[int, ...]
    seals: bool


async def give_order(tables: Tables, game_id: int, user_id: int, build_order: OrderBuilder) -> Outcome:
    """Give an order for the user's seat, with its immediate moves. Raises Refused.

    It takes the place of an earlier one about the same matter.
    """
    async with tables.writing(game_id) as live:
        tables.require_playable(live)
        player = tables.seat_of(live, user_id)
        wanted = build_order(live.game, player)
        if isinstance(wanted, order_rules.Seal):
            await sealed_auction.require_sealing(tables.db, live)
        order_rules.require_lasting(live.game, player, wanted)
        kept = await standing_orders(tables.db, live)
        number, now = await orders.next_number(tables.db, game_id), tables.clock()
        order = Order(number, player, user_id, order_rules.write_order(wanted), live.game.seq, now)
        await _require_new(live, kept, order)
        given = _Given(order, _replaced(kept, order, wanted), isinstance(wanted, order_rules.Seal))
        lines = await _store_and_run(
            tables, live, [order for order in kept if order.number not in given.replaced], given
        )
        text = f"Order {number}: {order_text(live, wanted)}"
    tables.on_notice(game_id)
    instead = "".join(f" It replaces order {old}." for old in given.replaced)
    return Outcome(live.seq, (text + instead, *lines))


async def withdraw_order(tables: Tables, game_id: int, user_id: int, number: int) -> str:
    """Withdraw the user's order; raises Refused. A change of sealed bids posts their number."""
    async with tables.reading(game_id) as live:
        kept = await standing_orders(tables.db, live)
        others = [order for order in kept if order.number != number]
        was_seal = any(
            order.number == number and isinstance(read_stored(order), order_rules.Seal) for order in kept
        )
        tells = was_seal and live.row.status == "running"
        posts = await sealed_auction.seal_count_lines(tables.db, live, others) if tells else []
        now = tables.clock()
        if not await orders.withdraw(
            tables.db, game_id, number, user_id, seq=live.seq, notices=posts, now=now
        ):
            raise Refused(f"You have no order {number} in game {game_id}. `/orders list` shows your orders.")
    tables.on_notice(game_id)
    return f"Order {number} is withdrawn."


def order_effect(live: LiveGame, wanted: order_rules.Order) -> str:
    """An order in words."""
    return plain_teller(live.game).say(order_rules.description(wanted))


def order_text(live: LiveGame, wanted: order_rules.Order) -> str:
    """An order in words, with its end."""
    return f"{order_effect(live, wanted)}; {plain_teller(live.game).say(order_rules.ends_when(wanted))}."


async def _require_new(live: LiveGame, stored_orders: Sequence[Order], order: Order) -> None:
    """Raise Refused if the user has the same order already, unless it waits: given again, it resumes.

    So it does since an undo, or where it was given between an undo and a redo that has led to its owner's
    turn.
    """
    same = next(
        (earlier for earlier in _orders_of_owner(stored_orders, order) if earlier.payload == order.payload),
        None,
    )
    if same is None or live.ends_with_undo:
        return
    if await AutomaticMoves(live, stored_orders).own_order_move(live.game, order.player_id) is None:
        raise Refused(f"You already gave this order, number {same.number}.")


def _replaced(stored_orders: Sequence[Order], order: Order, wanted: order_rules.Order) -> tuple[int, ...]:
    own = [(earlier.number, read_stored(earlier)) for earlier in _orders_of_owner(stored_orders, order)]
    return tuple(number for number, old in own if old is not None and order_rules.same_subject(old, wanted))


def _orders_of_owner(stored_orders: Sequence[Order], order: Order) -> list[Order]:
    return [one for one in stored_orders if (one.player_id, one.user_id) == (order.player_id, order.user_id)]


def read_stored(order: Order) -> order_rules.Order | None:
    """A stored order; None if another version's and unreadable."""
    try:
        return order_rules.read_order(order.payload)
    except Unreadable:
        return None


async def _store_and_run(
    tables: Tables, live: LiveGame, stored_orders: Sequence[Order], given_values: _Given
) -> tuple[str, ...]:
    """Store an order with its immediate moves; returns the public lines."""
    before, order = notices.PositionBefore.of(live.game), given_values.order
    mover: PlayerId | None = order.player_id
    if mover not in before.actors:
        # Given out of turn: the player on turn has waited for it, or does not expect it.
        before, mover = before._replace(actors=()), None
    following = AutomaticMoves(live, [*stored_orders, order], order.user_id)
    sells = given_values.seals and following.all_sealed()
    then = await following.start_order(order)
    if then.entries:
        lines = _of_sale(then) if sells else then.lines
        ended = {ended_order.number for ended_order in then.ended}
        left = [each for each in (*stored_orders, order) if each.number not in ended]
        announced = (
            sealed_auction.all_sealed_lines(live)
            if sells
            else await _post_seal_count(tables, live, left, given_values)
        )
        pending = notices.move_notices(live, mover, then.events, lines, before)
        return await _commit_moves(tables, live, given_values, then, [*announced, *pending])
    why = next((ended_order.why for ended_order in then.ended if ended_order.number == order.number), None)
    if why is not None:
        raise Refused(why)
    posts = await _post_seal_count(tables, live, [*stored_orders, order], given_values)
    write = orders.store_order(tables.db, live.id, order, given_values.replaced, seq=live.seq, notices=posts)
    await confirm_write(write_and_true(write), lambda: _stored(tables, live.id, order), SEE_ORDERS)
    return ()


async def _post_seal_count(
    tables: Tables, live: LiveGame, stored_orders: Sequence[Order], given_values: _Given
) -> list[OutboxMessage]:
    new = given_values.seals and not given_values.replaced
    return await sealed_auction.seal_count_lines(tables.db, live, stored_orders) if new else []


def _of_sale(automatic_run: AutomaticRun) -> list[tuple[str, ...]]:
    return [
        tuple(UneventfulLine(line) if isinstance(line, BiddingLine) else line for line in lines)
        for lines in automatic_run.lines
    ]


async def _commit_moves(
    tables: Tables,
    live: LiveGame,
    given_values: _Given,
    automatic_run: AutomaticRun,
    pending: list[OutboxMessage],
) -> tuple[str, ...]:
    changes = automatic_run.changes(live.seq + 1, (given_values.order,), given_values.replaced)
    await tables.commit(live, automatic_run.entries, pending, live.counting, changes=changes)
    return tuple(line for lines in automatic_run.lines for line in lines)


async def _stored(tables: Tables, game_id: int, order: Order) -> bool | None:
    return order in await orders.standing_orders(tables.db, game_id) or None


async def sealed_by(tables: Tables, live: LiveGame, player: PlayerId) -> dict[str, int]:
    """A player's sealed bids; empty if they have not sealed."""
    kept = await standing_orders(tables.db, live)
    mine = (
        read_stored(order)
        for order in kept
        if (order.player_id, order.user_id) == (player, live.user_of(player))
    )
    return next((dict(order.maxima) for order in mine if isinstance(order, order_rules.Seal)), {})


PASS_UNTIL: Final = "Pass until something concerns me"
MAXIMUM: Final = "Sealed bid …"
SEAL: Final = "seal"
"""The choice of a player who seals bids for all privates."""


class QuickOrder(NamedTuple):
    """A quick order: kind, subject, and label."""

    choice: str
    what: str
    label: str


def quick_orders(live: LiveGame, *, sealing: bool) -> tuple[QuickOrder, ...]:
    """The quick orders for the player on turn; for privates everybody's, sealed if `sealing`."""
    if live.game.proposal is not None:
        return ()
    if order_rules.biddable(live.game):
        return (_bid_order(sealing=sealing),)
    return tuple(
        _quick_order(order)
        for player in live.game.actors()
        for order in order_rules.usual_orders(live.game, player, _made_by(live, player))
    )


def _bid_order(*, sealing: bool) -> QuickOrder:
    return QuickOrder(SEAL, "", BUTTON) if sealing else QuickOrder("max", "", MAXIMUM)


def run_order(company: str) -> QuickOrder:
    """The order to run a company's best routes, and pay."""
    return QuickOrder("run", company, f"{company}: run best and pay always")


def order_behind(game: Game, choice: str, what: str) -> order_rules.Order:
    """The order of a button; raises IllegalAction."""
    if choice == "buy":
        company, _, source = what.partition(",")
        return order_rules.buy_shares(game, company, source, None)
    if choice == "run":
        return order_rules.run_best(game, what, "pay")
    if choice == "skip":
        company, _, step = what.rpartition(",")
        return order_rules.skip_step(game, company, "track" if step == "track" else "token", "withdrawn")
    return order_rules.pass_stock(game, "over" if choice == "over" else "concerned")


def _quick_order(order: order_rules.Order) -> QuickOrder:
    match order:
        case order_rules.RunBest(company=company):
            return run_order(company)
        case order_rules.BuyShares(company=company, source=source):
            return QuickOrder("buy", f"{company},{source}", f"{company}: same again until floated")
        case _:
            return QuickOrder("pass", "", PASS_UNTIL)


def _made_by(live: LiveGame, player: PlayerId) -> Iterator[game_actions.Action]:
    """The actions of a player, the last one first."""
    return (read_action(row.payload) for row in reversed(live.counting) if row.actor == player)


LISTED: Final = 5
"""Number of ended orders that are listed, the latest."""


@dataclass(frozen=True, slots=True)
class OrderList:
    """A user's orders in words, numbers of standing ones, and possible further orders."""

    text: str
    standing: tuple[int, ...]
    ended: tuple[int, ...]
    """Numbers of the ended orders that are listed with a reason."""
    passes: bool
    """True if passing in a stock round may be ordered."""
    runs: tuple[CompanyId, ...]
    """Own companies whose best run is not ordered."""
    skips: tuple[order_rules.SkipStep, ...]
    """Steps of own companies that are not skipped yet, as they may be ordered to be."""
    bids: bool
    """True if something is bid on."""
    seals: bool
    """True if this table seals its bids now."""


async def list_orders(tables: Tables, game_id: int, user_id: int) -> OrderList:
    """The user's orders in a game: standing ones, and recently ended ones with reasons. Raises NotYours."""
    async with tables.reading(game_id) as live:
        player = tables.seat_of(live, user_id)
        given = await orders.orders_of_user(tables.db, game_id, user_id)
        kept = [order for order in given if order.state == "standing"]
        ended = [order for order in given if order.state == "stopped"][-LISTED:]
        seals = await sealed_auction.is_sealing(tables.db, live)
        text = _list_text(live, kept, ended)
        return OrderList(
            text,
            tuple(order.number for order in kept),
            tuple(order.number for order in ended),
            not live.game.over
            and not any(isinstance(read_stored(order), order_rules.PassStock) for order in kept),
            _runs(live, player, kept),
            _skips(live, player, kept),
            bool(order_rules.biddable(live.game)),
            seals,
        )


def _list_text(live: LiveGame, stored_orders: list[Order], ended: list[Order]) -> str:
    if not stored_orders and not ended:
        return f"You have no orders in game {live.id}."
    standing = [f"`{order.number}` {_worded(live, order, order_text)}." for order in stored_orders]
    parts = [strong("Standing"), *(standing or ["none"])]
    if ended:
        parts += [strong("Ended"), *(f"`{order.number}` {ended_order_text(live, order)}" for order in ended)]
    return "\n".join(parts)


def ended_order_text(live: LiveGame, order: Order) -> str:
    """An ended order in words, with the reason."""
    return f"{_worded(live, order, order_effect)}. {order.why}"


def _worded(live: LiveGame, order: Order, words: Callable[[LiveGame, order_rules.Order], str]) -> str:
    """An order in words, also if it cannot be read."""
    try:
        return words(live, order_rules.read_order(order.payload)).removesuffix(".")
    except Unreadable as error:
        return plain_teller(live.game).refusal(error).removesuffix(".")


def _runs(live: LiveGame, player: PlayerId, stored_orders: list[Order]) -> tuple[CompanyId, ...]:
    ordered = {
        order.company for order in map(read_stored, stored_orders) if isinstance(order, order_rules.RunBest)
    }
    return tuple(company for company in order_rules.presided(live.game, player) if company not in ordered)


def _skips(live: LiveGame, player: PlayerId, stored_orders: list[Order]) -> tuple[order_rules.SkipStep, ...]:
    ordered = [order for order in map(read_stored, stored_orders) if order is not None]
    return tuple(
        skip
        for skip in order_rules.skippable(live.game, player)
        if not any(order_rules.same_subject(skip, order) for order in ordered)
    )


def more_quick_orders(order_list: OrderList) -> Iterator[QuickOrder]:
    """Further quick orders, and withdrawals."""
    if order_list.passes:
        yield QuickOrder("pass", "", PASS_UNTIL)
        yield QuickOrder("over", "", "Pass whatever happens")
    if order_list.bids:
        yield _bid_order(sealing=order_list.seals)
    yield from map(run_order, order_list.runs)
    yield from (QuickOrder("withdraw", str(number), f"Withdraw {number}") for number in order_list.standing)
