"""Standing orders by buttons: on the turn message, in the list of one's orders, and by a form."""

from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from bot.client.features.orders import OrderButton
from bot.client.features.what_if import what_if_panel
from bot.client.turn_panel import order_button, turn_panel
from bot.sandbox.guild.person import InteractionResult
from bot.table.games.game_log import Undone
from bot.table.live import LiveGame
from bot.table.moves.turn_buttons import TurnButton
from bot.table.orders.player_orders import QuickOrder, quick_orders
from engine.core.actions import BuyShare
from engine.game import Game
from engine.orders.new_orders import usual_orders
from engine.orders.order_kinds import BuyShares, RunBest, write_order
from engine.record import Record, load_record
from storage import GameRow, Row, orders
from tests.bot.moves.test_quick_orders import BEFORE_A_RUN, RECORDED
from tests.bot.support.declared import used
from tests.bot.support.positions import actor_of, played_to, seated_at
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot, Seated
from tests.titles.builders import Position, do, new_game

UNTIL = "Pass until something concerns me"


def labels(game: Seated) -> list[str]:
    return [button.label for button in game.turn.buttons]


async def answered(game: Seated, result: InteractionResult) -> str:
    """What a player reads, once they do."""
    assert await game.sandbox.world.until(lambda: bool(result.text), timeout=PATIENCE)
    await game.sandbox.settled()
    return result.text


@pytest.mark.parametrize(
    ("choice", "what"),
    [
        ("pass", ""),
        ("over", ""),
        ("buy", "B&O,offering"),
        ("run", "C&O"),
        ("max", ""),
        ("seal", ""),
        ("withdraw", "3"),
    ],
)
def test_an_id_is_read_back_by_its_component(choice: str, what: str) -> None:
    drawn: Any = order_button(7, choice, what, "Order")
    read = used(drawn.custom_id)
    assert isinstance(read, OrderButton)
    assert (read.game, read.choice, read.what) == (7, choice, what)


async def test_passing_until_something_concerns_one_takes_a_tap(sandbox: SandboxBot) -> None:
    """It passes at once, and in every later turn of this round."""
    game = await seated_at(sandbox, played_to("buy_share"))
    actor = actor_of(game)
    answer = await answered(game, await game.press(actor, UNTIL))
    assert "Order 1: Pass in stock round" in answer
    assert "*(automatic)*" in game.lines[-1]
    assert actor_of(game) != actor


async def test_somebody_who_does_not_act_orders_by_the_same_button_for_their_own_seat(
    sandbox: SandboxBot,
) -> None:
    game = await seated_at(sandbox, played_to("buy_share"))
    actor, before = actor_of(game), await game.digest()
    other = next(name for name in ("Ann", "Bob", "Cy") if name != actor)
    assert "Order 1" in await answered(game, await game.press(other, UNTIL))
    assert await game.digest() == before
    assert "That is your order 1 already" in await answered(game, await game.press(other, UNTIL))
    assert len(await orders.standing(sandbox.db, game.number)) == 1


async def test_what_is_withdrawn_is_said_also_where_the_list_cannot_be_shown_again(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await sandbox.game()
    await game.slash("Bob", "orders bid", private="CV", maximum=300)
    [shown] = (await game.slash("Bob", "orders list")).ephemeral

    async def fails(*_: object, **__: object) -> None:
        raise OSError("the connection broke")

    monkeypatch.setattr("bot.client.features.orders.edit_pressed", fails)
    pressed = await game.press("Bob", "Withdraw 1", sandbox.world.messages[shown.id])
    assert await sandbox.hears(pressed, "Order 1 is withdrawn. This is done")


async def test_an_onlooker_orders_nothing(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    assert await sandbox.hears(await game.press("Eve", "Sealed maximum …"), "You have no seat in game 1")


async def test_a_run_is_ordered_by_a_button_of_its_own_and_pays_at_once(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, load_record(RECORDED, BEFORE_A_RUN))
    actor = actor_of(game)
    label = next(label for label in labels(game) if label.endswith("run best and pay always"))
    before = await game.seq()
    result = await game.press(actor, label)
    await answered(game, result)
    assert await game.seq() == before + 2
    assert [message.content.startswith("Order 1: Run the best routes") for message in result.ephemeral] == [
        True
    ]
    assert label not in labels(game)
    assert any("*(automatic)*" in line and "ays" in line for line in game.lines[-2:])


def _after_a_purchase() -> Record:
    """A recorded game in which a player may again buy what they bought last, of a company that has not floated."""
    record = load_record(RECORDED)
    game = record.begin()
    for number, action in enumerate(record.actions):
        player = game.actors()[0]
        made = (past for past in reversed(record.actions[:number]) if past.actor == player)
        if any(isinstance(order, BuyShares) for order in usual_orders(game, player, made)):
            return load_record(RECORDED, number)
        game.apply(action)
    raise AssertionError("nobody may")


async def test_the_same_share_again_until_the_company_floats(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, _after_a_purchase())
    actor, before = actor_of(game), await game.seq()
    again = next(label for label in labels(game) if label.endswith("same again until floated"))
    answer = await answered(game, await game.press(actor, again))
    assert "Buy a share of" in answer
    assert await game.seq() > before
    assert answer.endswith(f"**{actor}** is done. *(automatic)*")
    assert game.lines[-1].startswith(f"`{before}` "), "to be done with a turn is no line of the thread"


async def test_a_sealed_maximum_is_typed_into_a_form(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    modal = (await game.press("Bob", "Sealed maximum …")).modal
    assert modal is not None
    result = await sandbox.person("Bob").submit(modal, private="CV", maximum="$1,317", then="ask")
    assert "Order 1: Bid on CV up to $1317, then ask me; until CV is sold, or costs more." in await answered(
        game, result
    )
    refused = await sandbox.person("Bob").submit(modal, private="CV", maximum="much", then="ask")
    assert "whole dollars" in await answered(game, refused)
    assert not any("1317" in line or "317" in line for line in game.lines)


async def test_another_maximum_takes_the_place_of_the_first(sandbox: SandboxBot) -> None:
    """And its place in the order: of equal maxima the earlier one wins."""
    game = await sandbox.game()
    await game.slash("Bob", "orders bid", private="CV", maximum=300)
    answer = (await game.slash("Bob", "orders bid", private="CV", maximum=250)).text
    assert "It takes the place of order 1." in answer
    assert [one.number for one in await orders.standing(sandbox.db, game.number)] == [2]


async def test_the_list_has_buttons_to_order_and_to_withdraw_and_stays_up_to_date(
    sandbox: SandboxBot,
) -> None:
    game = await sandbox.game()
    result = await game.slash("Bob", "orders list")
    [shown] = result.ephemeral

    def there() -> list[str]:
        return [button.label for button in sandbox.world.messages[shown.id].buttons]

    assert there() == [UNTIL, "Pass whatever happens", "Sealed maximum …"]
    await game.press("Bob", "Pass whatever happens", sandbox.world.messages[shown.id])
    assert await sandbox.world.until(lambda: "Withdraw 1" in there(), timeout=PATIENCE)
    assert "whatever happens" in sandbox.world.messages[shown.id].content
    await sandbox.stop()
    await sandbox.start()
    await game.press("Bob", "Withdraw 1", sandbox.world.messages[shown.id])
    assert await sandbox.world.until(lambda: "Withdraw 1" not in there(), timeout=PATIENCE)
    assert "Order 1 is withdrawn." in sandbox.world.messages[shown.id].content
    assert await orders.standing(sandbox.db, game.number) == []


async def test_track_is_skipped_from_the_list_at_once_and_marked(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, played_to("lay_tile"))
    actor, before = actor_of(game), await game.seq()
    [shown] = (await game.slash(actor, "orders list")).ephemeral
    [menu] = shown.selects
    value = next(value for label, value in menu.options if label.endswith("skip track"))
    company = value.partition(",")[0]
    await sandbox.person(actor).select(shown, menu.custom_id, [value])
    await sandbox.settled()
    assert await game.seq() > before
    assert any(company in line and "*(automatic)*" in line for line in game.lines)
    shown = sandbox.world.messages[shown.id]
    assert f"Skip track of {company}; until you withdraw it" in shown.content
    assert value not in [value for _, value in shown.selects[0].options]
    assert "Withdraw 1" in [button.label for button in shown.buttons]


async def test_track_is_skipped_by_command_until_the_phase_is_over(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, played_to("lay_tile"))
    actor = actor_of(game)
    [shown] = (await game.slash(actor, "orders list")).ephemeral
    company = shown.selects[0].options[0][1].partition(",")[0]
    answer = await answered(
        game, await game.slash(actor, "orders skip", step="track", company=company, until="phase")
    )
    assert f"Skip track of {company}; until phase 2 is over" in answer
    assert "*(automatic)*" in answer
    others = next(name for name in ("Ann", "Bob", "Cy") if name != actor)
    refused = await answered(game, await game.slash(others, "orders skip", step="track", company=company))
    assert f"You are not president of {company}" in refused


async def test_a_list_that_is_too_long_for_a_message_continues_in_another(sandbox: SandboxBot) -> None:
    """What was pressed is done, and the answer says so."""
    game = await sandbox.game()
    for number in range(1, 25):
        order = write_order(RunBest(company="B&O", dividend="pay"))
        given = orders.Order(number, "p2", sandbox.person("Bob").id, order, 0, "2026-01-01")
        await orders.give(sandbox.db, game.number, given)
    listing = await game.slash("Bob", "orders list")
    assert await sandbox.world.until(lambda: bool(listing.ephemeral[-1].buttons), timeout=PATIENCE)
    pressed = await game.press("Bob", "Withdraw 3", listing.ephemeral[-1])
    assert await sandbox.hears(pressed, "`24` Run the best routes of B&O and pay")
    assert "Order 3 is withdrawn." in sandbox.world.messages[listing.ephemeral[-1].id].content


class _Somewhere:
    """As much of a table as the buttons of a turn message need."""

    class _Row:
        kind, actor, seq = "start", "", 1

    class _Game:
        proposal = None

    id, seq, counting, game = 7, 12, (_Row,), _Game
    automatic: ClassVar[dict[int, int | None]] = {}
    undone = Undone()


def test_moves_come_before_orders_where_there_is_little_room_but_never_before_sealing() -> None:
    """Discord takes 25 buttons."""
    live: Any = _Somewhere
    many = [TurnButton(f"{n:08x}", f"Move {n}", "bid", menu=False) for n in range(30)]
    orders_ = (QuickOrder("pass", "", UNTIL), QuickOrder("max", "", "Sealed maximum …"))
    crowded = [getattr(item, "label", "") for item in turn_panel(live, many, orders_).children]
    assert UNTIL not in crowded
    roomy = [getattr(item, "label", "") for item in turn_panel(live, many[:20], orders_).children]
    assert roomy.count(UNTIL) == 1
    assert "Sealed maximum …" not in roomy
    sealing = [
        getattr(item, "label", "")
        for item in turn_panel(live, many, (QuickOrder("seal", "", "Seal"),)).children
    ]
    assert sealing[0] == "Seal"
    assert max(len(crowded), len(roomy), len(sealing)) <= 25


def test_passing_and_menus_have_their_buttons_however_many_moves_there_are() -> None:
    """Moves of one click make room for them, in a what-if, too; the order stays."""
    live: Any = _Somewhere
    many = [TurnButton(f"{n:08x}", f"Move {n}", "place_token", menu=False) for n in range(40)]
    last = [
        TurnButton("a" * 8, "Place a token …", "place_token", menu=True),
        TurnButton("b" * 8, "No token", "pass", menu=False),
    ]
    tried: Any = SimpleNamespace(row=SimpleNamespace(id=7), token=12, steps=[], own=[], base=9)
    sight: Any = SimpleNamespace(what_if=tried, entries=[*many, *last])
    for panel in (turn_panel(live, [*many, *last]), what_if_panel(sight, 9)):
        shown = [getattr(item, "label", "") for item in panel.children]
        assert len(shown) <= 25
        cut = shown.index("Place a token …")
        assert shown[: cut + 2] == [*(f"Move {n}" for n in range(cut)), "Place a token …", "No token"]


def at_table(game: Game, *bought: BuyShare) -> LiveGame:
    """A table that plays this, with purchases in its log."""
    rows = [
        Row(1, seq, "action", one.model_dump_json(), "", one.actor, 5, "") for seq, one in enumerate(bought)
    ]
    return LiveGame(GameRow(1, 2, 3, 4, None, None, "", "", "", 0, "running", "", ""), (), game, 9, rows)


def test_what_another_player_bought_is_not_offered_again() -> None:
    """Nor what was bought before the last purchase."""
    game = Position().cash(a=500, b=500).start("PRR", 80, b=20).start("C&O", 80, c=20).stock("a").game()
    mine, theirs = (
        BuyShare(actor="a", entity="a", company="PRR", source="offering"),
        BuyShare(actor="b", entity="b", company="C&O", source="offering"),
    )
    found = [
        tap.what for tap in quick_orders(at_table(game, mine, theirs), sealing=False) if tap.choice == "buy"
    ]
    assert found == ["PRR,offering"]
    assert not [tap for tap in quick_orders(at_table(game, theirs), sealing=False) if tap.choice == "buy"]


def test_nothing_is_ordered_in_a_game_that_is_over() -> None:
    """Though privates were left to bid on."""
    game = new_game(2)
    assert quick_orders(at_table(game), sealing=False)
    for player in ("a", "b"):
        do(game, "end_game", player)
    assert game.over
    assert quick_orders(at_table(game), sealing=False) == ()
