"""What owners read of their orders, word for word, and what buttons offer to order."""

from dataclasses import replace

import discord
import pytest

from bot.client.buttons import MAX_BUTTONS
from bot.client.features.orders import order_list_buttons
from bot.client.turn_panel import turn_panel
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.moves.turn_buttons import TurnButton
from bot.table.orders.player_orders import (
    MAX_ENDED_ORDERS,
    OrderList,
    list_orders,
    quick_orders_of_turn,
)
from bot.table.votes.pauses import begin_pause
from engine.core.actions import BuyShare
from engine.game import Game
from engine.orders.order_kinds import SkipStep
from storage import GameRow, LogRow, orders
from tests.bot.orders.giving import give, give_unreadable, passing, up_to, withdraw
from tests.bot.support.new_posts import NOW, NewPosts
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.titles.builders import Position, do, new_game

NOTHING = OrderList(
    "",
    (),
    (),
    can_order_pass=False,
    companies_to_run=(),
    steps_to_skip=(),
    can_order_bid=False,
    is_sealing=False,
)
UNTIL_SOLD = "Valid until CV is sold, all players pass, or the round ends."


async def test_order_is_private_to_its_owner(service: TableService, thread: NewPosts) -> None:
    game, woken = thread.game, service.woken()
    none = "You have no orders in game 1."
    begun = OrderList(
        none,
        (),
        (),
        can_order_pass=True,
        companies_to_run=(),
        steps_to_skip=(),
        can_order_bid=True,
        is_sealing=False,
    )
    said = f"Bid on CV up to $300, then pass. {UNTIL_SOLD}"
    assert await give(service, game, BOB, up_to("CV", 300)) == (f"Order 1: {said}",)
    [kept] = await orders.standing_orders(service.db, game)
    assert (kept.player_id, kept.user_id, kept.since, kept.at) == ("p2", BOB, 0, NOW)
    said = said.replace("300", "310")
    instead = f"Order 2: {said} It replaces order 1."
    assert await give(service, game, BOB, up_to("CV", 310)) == (instead,)
    with pytest.raises(Refused, match=r"^You already gave this order, number 2\.$"):
        await give(service, game, BOB, up_to("CV", 310))
    mine = await list_orders(service.tables, game, BOB)
    assert mine == replace(begun, text=f"**Standing**\n`2` {said}", standing_orders=(2,))
    assert await list_orders(service.tables, game, ANN) == begun
    assert await withdraw(service, game, BOB, 2) == "Order 2 is withdrawn."
    for user, number in ((BOB, 2), (CY, 2), (BOB, 3)):
        with pytest.raises(Refused, match=f"^You have no order {number} in game 1. `/orders list` shows"):
            await withdraw(service, game, user, number)
    assert await thread.new() == []
    assert woken == [game] * 3


async def test_paused_game_takes_no_orders(service: TableService, thread: NewPosts) -> None:
    await begin_pause(service.tables, thread.game, ANN, None)
    with pytest.raises(Refused, match="is paused"):
        await give(service, thread.game, BOB, up_to("CV", 300))
    assert await orders.orders_of_user(service.db, thread.game, BOB) == []


async def test_list_says_why_orders_ended(service: TableService) -> None:
    game = await service.game()
    await give(service, game, BOB, up_to("D&R", 30))
    await give(service, game, BOB, passing("over"))
    assert not (await list_orders(service.tables, game, BOB)).can_order_pass
    assert (await list_orders(service.tables, game, BOB)).text.splitlines() == [
        "**Standing**",
        "`1` Bid on D&R up to $30, then pass. Valid until D&R is sold, all players pass, or the round ends.",
        "`2` Pass in stock round 1. Valid until the round ends, whatever happens.",
    ]
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    await withdraw(service, game, BOB, 2)
    await give_unreadable(service, game, 3, BOB, "p2")
    shown = await list_orders(service.tables, game, BOB)
    assert shown.text.splitlines() == [
        "**Standing**",
        "`3` The stored order cannot be read.",
        "**Ended**",
        "`1` Bid on D&R up to $30, then pass. D&R has been sold to Ann.",
    ]
    assert (shown.standing_orders, shown.ended_orders) == ((3,), (1,))


async def test_list_has_the_last_ended_orders(service: TableService) -> None:
    game = await service.game()
    for number in range(1, MAX_ENDED_ORDERS + 3):
        await give_unreadable(service, game, number, BOB, "p2")
    await service.do(game, ANN, "pass")
    found = await list_orders(service.tables, game, BOB)
    assert (found.standing_orders, found.ended_orders) == ((), tuple(range(3, MAX_ENDED_ORDERS + 3)))
    first = "`3` The stored order cannot be read. The bot can no longer read it."
    assert found.text.splitlines()[:4] == ["**Standing**", "none", "**Ended**", first]


# --- buttons ---------------------------------------------------------------------------------------------------------


def test_skip_menu_takes_a_row_of_buttons() -> None:
    many = replace(NOTHING, standing_orders=tuple(range(1, MAX_BUTTONS + 2)))
    skips = replace(many, steps_to_skip=(SkipStep(company="PRR", step="track"),))
    assert len(order_list_buttons(7, many).children) == MAX_BUTTONS
    *buttons, menu = order_list_buttons(7, skips).children
    assert len(buttons) == MAX_BUTTONS - 5
    assert isinstance(menu, discord.ui.Select)
    assert menu.options[0].value == "PRR,track"


def at_table(game: Game, *bought: BuyShare) -> LiveGame:
    rows = [
        LogRow(1, n, "action", one.model_dump_json(), "", one.actor, 5, "") for n, one in enumerate(bought)
    ]
    return LiveGame(GameRow(1, 2, 3, 4, None, None, "", "", "", 0, "running", "", ""), (), game, 9, rows)


def test_only_ones_last_purchase_is_offered_again() -> None:
    game = Position().cash(a=500, b=500).start("PRR", 80, b=20).start("C&O", 80, c=20).stock("a").game()
    mine = BuyShare(actor="a", entity="a", company="PRR", source="offering")
    theirs = BuyShare(actor="b", entity="b", company="C&O", source="offering")

    def offered(*bought: BuyShare) -> list[str]:
        taps = quick_orders_of_turn(at_table(game, *bought), is_sealing=False)
        return [tap.subject for tap in taps if tap.choice == "buy"]

    assert (offered(mine, theirs), offered(theirs)) == (["PRR,offering"], [])


@pytest.mark.parametrize("sealing", [False, True])
def test_ended_game_offers_no_orders(*, sealing: bool) -> None:
    game = new_game(2)
    [tap] = quick_orders_of_turn(at_table(game), is_sealing=sealing)
    assert tap[:2] == ("seal" if sealing else "max", "")
    for player in ("a", "b"):
        do(game, "end_game", player)
    assert quick_orders_of_turn(at_table(game), is_sealing=sealing) == ()


def test_pass_and_menus_keep_their_buttons() -> None:
    live = at_table(new_game(2))
    live.effective_rows.append(LogRow(1, 1, "start", "", "", "", None, ""))
    many = [TurnButton(f"{n:08x}", f"Move {n}", "place_token", opens_menu=False) for n in range(40)]
    menu = TurnButton("a" * 8, "Place a token …", "place_token", opens_menu=True)
    done = TurnButton("b" * 8, "Place no token", "pass", opens_menu=False)
    panel = turn_panel(live, [*many, menu, done])
    labels = [item.label for item in panel.children if isinstance(item, discord.ui.Button)]
    cut = labels.index(menu.label)
    assert len(labels) <= 25
    assert labels[: cut + 2] == [*(f"Move {n}" for n in range(cut)), menu.label, done.label]
