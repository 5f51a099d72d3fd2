"""What giving, withdrawing and sealing says to its owner, and what the thread learns of it, word for word."""

from dataclasses import replace
from typing import Any

import pytest

from bot.table.errors import Refused
from bot.table.live import chosen_settings
from bot.table.orders import player_orders, sealed_auction
from bot.table.orders.player_orders import LISTED, OrderList, QuickOrder, list_orders, quick_orders
from bot.table.outbox.notices import PINGED_HERE, TurnChange
from bot.table.settings.table_settings import SETTINGS
from bot.table.votes.pauses import begin_pause
from engine.core.ids import PlayerId
from engine.game import Game
from engine.orders import Order, new_orders
from engine.titles import TITLES
from storage import GAMES, orders
from tests.bot.support.new_posts import NOW, NewPosts
from tests.bot.support.table_service import ANN, BOB, CY, TableService

UNTIL_SOLD = "until CV is sold, all have passed, or the round is over."
UNTIL_ALL = "until all are sold, all have passed and nothing gets cheaper by it, or the round is over."


def up_to(most: int) -> player_orders.OrderBuilder:
    def make(game: Game, player: PlayerId) -> Order:
        del player
        return new_orders.bid_up_to(game, "CV", most, "pass")

    return make


def sealing(**maxima: int) -> player_orders.OrderBuilder:
    def make(game: Game, player: PlayerId) -> Order:
        del player
        return new_orders.seal(game, maxima)

    return make


async def give(
    service: TableService, game: int, user: int, make: player_orders.OrderBuilder
) -> tuple[str, ...]:
    return (await player_orders.give_order(service.tables, game, user, make)).lines


async def withdrawn(service: TableService, game: int, user: int, number: int) -> str:
    return await player_orders.withdraw_order(service.tables, game, user, number)


async def test_an_order_is_between_its_owner_and_the_bot(service: TableService, thread: NewPosts) -> None:
    game, woken = thread.game, service.woken()
    none = "You have given no orders in game 1."
    begun = OrderList(none, (), (), passes=True, runs=(), skips=(), bids=True, seals=False)
    said = f"Bid on CV up to $300, then pass; {UNTIL_SOLD}"
    assert await give(service, game, BOB, up_to(300)) == (f"Order 1: {said}",)
    [kept] = await orders.standing(service.db, game)
    assert (kept.player_id, kept.user_id, kept.since, kept.at) == ("p2", BOB, 0, NOW)
    said = said.replace("300", "310")
    assert await give(service, game, BOB, up_to(310)) == (f"Order 2: {said} It takes the place of order 1.",)
    with pytest.raises(Refused, match=r"^That is your order 2 already: it stands\.$"):
        await give(service, game, BOB, up_to(310))
    assert await list_orders(service.tables, game, BOB) == replace(
        begun, text=f"**Standing**\n`2` {said}", standing=(2,)
    )
    assert await list_orders(service.tables, game, ANN) == begun
    assert await withdrawn(service, game, BOB, 2) == "Order 2 is withdrawn."
    for user, number in ((BOB, 2), (CY, 2), (BOB, 3)):
        with pytest.raises(Refused, match=f"^You have no order {number} in game 1; `/orders list` has those"):
            await withdrawn(service, game, user, number)
    assert await thread.new() == []
    assert woken == [game] * 3


async def test_no_order_is_given_while_the_game_pauses(service: TableService, thread: NewPosts) -> None:
    await begin_pause(service.tables, thread.game, ANN, None)
    with pytest.raises(Refused, match="pauses"):
        await give(service, thread.game, BOB, up_to(300))
    assert await orders.given_by(service.db, thread.game, BOB) == []


async def test_the_thread_learns_how_many_have_sealed_and_nothing_else(
    service: TableService, thread: NewPosts
) -> None:
    game = thread.game

    async def learns(*lines: str) -> None:
        posts = [("line", {"text": line, "aside": True}) for line in lines]
        turns: list[Any] = [("turn", {})] * len(lines)
        assert await thread.new() == [post for both in zip(posts, turns, strict=True) for post in both]

    with pytest.raises(Refused, match=r"^This table does not seal its maxima, or not everybody at it could;"):
        await give(service, game, BOB, sealing(CV=300))
    await GAMES.put(service.db, game, sealed_auction.SEALED, "on")
    said = f"Sealed maxima: CV $300; {UNTIL_ALL}"
    assert await give(service, game, BOB, sealing(CV=300)) == (f"Order 1: {said}",)
    await learns("Sealed maxima: 1 of 3 players.")
    assert await list_orders(service.tables, game, BOB) == OrderList(
        f"**Standing**\n`1` {said}", (1,), (), passes=True, runs=(), skips=(), bids=True, seals=True
    )
    assert await give(service, game, BOB, sealing(CV=310)) == (
        f"Order 2: {said.replace('300', '310')} It takes the place of order 1.",
    )
    await learns()
    await give(service, game, CY, sealing(CV=330))
    await learns("Sealed maxima: 2 of 3 players.")
    async with service.tables.reading(game) as live:
        found = [await player_orders.sealed_by(service.tables, live, player) for player in ("p1", "p2", "p3")]
        assert await sealed_auction.waited_for(service.db, live) == ("p1",)
    assert [one.get("CV") for one in found] == [None, 310, 330]
    assert await withdrawn(service, game, BOB, 2) == "Order 2 is withdrawn."
    await learns("Sealed maxima: 1 of 3 players.")
    await give(service, game, BOB, lambda now, _: new_orders.pass_stock(now, "concerned"))
    assert not (await list_orders(service.tables, game, BOB)).passes
    assert await withdrawn(service, game, BOB, 4) == "Order 4 is withdrawn."
    await learns()
    assert await withdrawn(service, game, CY, 3) == "Order 3 is withdrawn."
    await learns("Sealed maxima: 0 of 3 players.")


async def test_of_a_sale_the_thread_has_what_came_of_it_and_the_log_has_every_bid(
    service: TableService, thread: NewPosts
) -> None:
    game = thread.game
    await GAMES.put(service.db, game, sealed_auction.SEALED, "on")
    await give(service, game, BOB, sealing(CV=310))
    await give(service, game, CY, sealing(CV=330))
    await thread.new()
    first, *rest = await give(service, game, ANN, sealing(**{"D&R": 30}))
    assert first.startswith("Order 3: Sealed maxima: D&R $30; ")
    assert all(line.endswith("*(automatic)*") for line in rest[:6])
    posts = await thread.new()
    begin = "All 3 players have sealed their maxima: what follows comes of it."
    assert posts[:2] == [("line", {"text": begin, "aside": True}), ("turn", {})]
    lines = [content for kind, content in posts[2:] if kind == "line"]
    assert [content.get("quiet") for content in lines] == [True, True, True, None, True, True, None], lines
    assert [content["text"].split(" ")[0] for content in lines] == [
        f"`{n}`" for n in range(2, 2 + len(lines))
    ]
    assert lines[-1]["text"] == "`8` Privates pay **Ann** $5 (D&R).\nA 2-train is exported (6 left)."


async def test_a_bid_that_an_order_makes_at_once_is_shown_as_one_made_by_hand(
    service: TableService, thread: NewPosts
) -> None:
    await give(service, thread.game, ANN, up_to(300))
    said = {"text": "`2` **Ann** bids $205 on CV. *(automatic)*"}
    assert [content for kind, content in await thread.new() if kind == "line"] == [said]


async def test_of_the_orders_that_have_ended_the_last_are_listed(
    service: TableService, thread: NewPosts
) -> None:
    game = thread.game
    for number in range(1, LISTED + 3):
        await orders.give(service.db, game, orders.Order(number, "p2", BOB, '{"kind": "nothing"}', 0, NOW))
    await service.do(game, ANN, "pass")
    found = await list_orders(service.tables, game, BOB)
    assert (found.standing, found.ended) == ((), tuple(range(3, LISTED + 3)))
    first = "`3` What is stored is no order. It is not readable any more."
    assert found.text.splitlines()[:4] == ["**Standing**", "none", "**Ended**", first]


async def test_of_privates_the_quick_order_is_a_maximum_or_a_seal_and_after_the_end_there_is_none(
    service: TableService, thread: NewPosts
) -> None:
    async with service.tables.reading(thread.game) as live:
        assert quick_orders(live, sealing=True) == (QuickOrder("seal", "", "Seal my maxima …"),)
        assert quick_orders(live, sealing=False) == (QuickOrder("max", "", "Sealed maximum …"),)
    for user in (ANN, BOB, CY):
        await service.do(thread.game, user, "end_game")
    async with service.tables.reading(thread.game) as live:
        assert quick_orders(live, sealing=True) == quick_orders(live, sealing=False) == ()
    assert not (await list_orders(service.tables, thread.game, ANN)).passes


async def test_what_a_table_has_not_chosen_holds_as_it_does_without_a_choice(
    service: TableService, thread: NewPosts
) -> None:
    async with service.tables.reading(thread.game) as live:
        assert await chosen_settings(service.db, live) == {n: one.default for n, one in SETTINGS.items()}
    assert await sealed_auction.ping_text(service.db, thread.game, PINGED_HERE) == PINGED_HERE
    await GAMES.put(service.db, thread.game, sealed_auction.SEALED, "on")
    async with service.tables.reading(thread.game) as live:
        live.known = None
        assert (await chosen_settings(service.db, live))[sealed_auction.SEALED] == "on"
    asked = "While privates are sold, **Seal my maxima …** below the turn message asks each of you, in turn or not."
    assert await sealed_auction.ping_text(service.db, thread.game, PINGED_HERE) == f"{asked}\n{PINGED_HERE}"


async def test_once_a_table_seals_or_not_the_turn_message_says_so_and_who_acts_then_is_waited_for(
    service: TableService, thread: NewPosts
) -> None:
    async with service.tables.reading(thread.game) as live:
        on = await sealed_auction.sealing_notice(service.db, live, "on")
        await GAMES.put(service.db, thread.game, sealed_auction.SEALED, "on")
        live.known = None
        off = await sealed_auction.sealing_notice(service.db, live, "off")
    assert [TurnChange.read(one.payload) for one in (on, off)] == [
        TurnChange(("p2", "p3"), None),
        TurnChange((), None),
    ]
    assert [one.notifications and one.notifications.acting for one in (on, off)] == [
        ("p1", "p2", "p3"),
        ("p1",),
    ]


@pytest.mark.parametrize("title", [name for name, title in TITLES.items() if title.spec.privates])
def test_what_is_said_of_a_sale_fits_the_auction_of_the_title(title: str) -> None:
    spec = TITLES[title].spec
    auction, said = spec.auction, sealed_auction.sale_rules(spec)
    assert said.startswith("Sealed maximums, once all players have sealed:\n- A private goes to")
    assert ("The private on top of each column takes" in said) == (len(auction.columns) > 1)
    assert ("The private on top takes" in said) == (len(auction.columns) <= 1)
    assert ("set aside for every bid," in said) == bool(auction.all_bids_bind)
    assert ("set aside for every high bid," in said) == (not auction.all_bids_bind)
    last = "When all pass and a price falls, maximums stay valid in the next stock round."
    assert said.endswith(f". {last}") == bool(auction.in_stock_rounds)
    assert said.count(last) <= 1
    first = "Privates are removed from the packet openly before anybody seals. Par prices"
    assert (f"\n- {first}" in said) == bool(auction.eliminations)
    sealed_auction.require_auction(TITLES[title])
