"""What a player is answered to an order: in which order, where, and what is refused of a form or a button."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import aiohttp
import discord
import pytest

from bot.client.buttons import BUTTONS
from bot.client.entry.replies import tell_ended_orders
from bot.client.features.orders import MAXIMA, MAXIMUM, PRIVATE, THEN, give, list_panel
from bot.table.errors import NotYours, Refused
from bot.table.imports import TablePlace, add_recorded
from bot.table.orders.player_orders import PASS_UNTIL, OrderList, list_orders, more_quick_orders, order_behind
from bot.table.orders.sealed_auction import SEALED
from bot.table.votes.pauses import begin_pause
from engine.orders import new_orders, read_order
from engine.orders.order_kinds import BidUpTo, Skipped, SkipStep
from storage import GAMES
from storage import orders as stored
from tests.bot.support import declared
from tests.bot.support.asked import Asked, Client
from tests.bot.support.declared import used
from tests.bot.support.positions import played_to
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

PLACE = TablePlace(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")))
THREAD = 77
PRIVATELY: Any = type("Message", (), {"id": 7, "flags": type("Flags", (), {"ephemeral": True})})
NOTHING = OrderList("", (), (), passes=False, runs=(), skips=(), bids=False, seals=False)
"""Nothing is ordered, and nothing can be."""
FIRST = "Order 1: Bid on CV up to $300, then pass; until CV is sold, all have passed, or the round is over."


def asked_by(service: TableService, name: str = "Bob", user: int = BOB, *, message: Any = None) -> Any:
    found: Any = Asked(user, name, message=message, thread=THREAD)
    found.client = Client(service.tables)
    return found


async def click(asked: Any, game: int, choice: str, what: str = "") -> None:
    """A button of orders is pressed."""
    await used(f"z:{game}:{choice}:{what}").act(asked)


async def submit(asked: Any, game: int, choice: str, fields: Mapping[str, str]) -> None:
    """A form is sent with these fields."""
    parts = [{"component": {"custom_id": name, "value": value}} for name, value in fields.items()]
    await used(f"zf:{game}:{choice}", components=parts).act(asked)


async def ordered(
    service: TableService, game: int, user: int = BOB, private: str = "CV", most: int = 300
) -> None:
    """A player bids on a private up to this many dollars."""
    await give(
        asked_by(service, user=user), game, lambda now, _: new_orders.bid_up_to(now, private, most, "pass")
    )


async def maxima(service: TableService, game: int) -> list[int]:
    """Of the orders that stand."""
    found = [read_order(one.payload) for one in await stored.standing(service.db, game)]
    return [one.most for one in found if isinstance(one, BidUpTo)]


async def test_the_turn_message_shows_an_order_before_its_owner_is_answered(service: TableService) -> None:
    """The answer to a press on it is its edit."""
    game, asked = await service.game(), asked_by(service)
    await give(asked, game, lambda now, _: new_orders.bid_up_to(now, "CV", 300, "pass"))
    assert asked.answers == ["turn 1", FIRST]


async def test_in_the_list_of_orders_the_list_shows_what_is_ordered_and_withdrawn(
    service: TableService,
) -> None:
    game, asked = await service.game(), asked_by(service, message=PRIVATELY)
    await click(asked, game, "over", "")
    turn, edit = asked.answers
    assert turn == "turn 1"
    assert edit.startswith("edit Order 1: Pass in stock round")
    assert "**Standing**\n`1` Pass in stock round" in edit
    again = asked_by(service, message=PRIVATELY)
    await click(again, game, "withdraw", "1")
    assert again.answers == ["edit Order 1 is withdrawn.\nYou have given no orders in game 1."]


async def test_what_is_withdrawn_needs_a_number(service: TableService) -> None:
    game = await service.game()
    await ordered(service, game)
    for what, number in (("x", 0), ("", 0), ("2", 2)):
        with pytest.raises(Refused, match=f"You have no order {number} in game 1"):
            await click(asked_by(service), game, "withdraw", what)
    elsewhere = asked_by(service)
    await click(elsewhere, game, "withdraw", "1")
    assert (elsewhere.answers, await stored.standing(service.db, game)) == ([], [])


async def test_no_order_is_given_where_nothing_could_be_shown(service: TableService) -> None:
    game = await service.game()
    with pytest.raises(Refused, match="This thread is locked"):
        await click(asked_by(service).in_a_locked_thread(), game, "pass", "")
    assert await stored.standing(service.db, game) == []


@pytest.mark.parametrize(("step", "skipped"), [("track", "track"), ("tokens", "token")])
async def test_the_step_that_is_typed_is_skipped(service: TableService, step: str, skipped: Skipped) -> None:
    game = await add_recorded(service.tables, played_to("lay_tile"), PLACE)
    await service.tables.show_in(game, THREAD)
    async with service.tables.reading(game) as live:
        user = live.user_of(live.game.actors()[0]) or 0
    company = (await list_orders(service.tables, game, user)).skips[0].company
    await declared.typed(asked_by(service, user=user), "orders skip", step=step, company=company)
    found = [read_order(one.payload) for one in await stored.standing(service.db, game)]
    assert found == [SkipStep(company=company, step=skipped)]


# --- forms -----------------------------------------------------------------------------------------------------------


def parts(form: discord.ui.Modal) -> dict[str, Any]:
    """The fields of a form by their names."""
    return {item.component.custom_id: item.component for item in form.children if hasattr(item, "component")}


async def test_the_form_for_a_maximum_has_the_privates_that_are_left(service: TableService) -> None:
    game, asked = await service.game(), asked_by(service)
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    await click(asked, game, "max", "")
    [form] = asked.modals
    fields = parts(form)
    options = {option.value: option.label for option in fields[PRIVATE].options}
    assert list(options) == ["C-P", "B&S", "C&OC", "B&OR", "CV"]
    assert options["CV"] == "CV: Cornelius Vanderbilt, $200"
    assert asked.answers == []
    await GAMES.put(service.db, game, SEALED, "on")
    sealing = asked_by(service)
    await click(sealing, game, "seal", "")
    [form] = sealing.modals
    assert parts(form)[MAXIMA].default == "C-P: 0\nB&S: 0\nC&OC: 0\nB&OR: 0\nCV: 0"


async def test_a_form_is_no_answer_to_who_has_no_seat_or_to_a_game_that_pauses(service: TableService) -> None:
    game = await service.game()
    onlooker = asked_by(service, "Eve", 99)
    with pytest.raises(NotYours):
        await click(onlooker, game, "max", "")
    with pytest.raises(Refused, match="This table does not seal its maxima"):
        await click(asked_by(service), game, "seal", "")
    await begin_pause(service.tables, game, BOB, None)
    paused = asked_by(service)
    with pytest.raises(Refused, match="pauses"):
        await click(paused, game, "max", "")
    assert (onlooker.modals, paused.modals) == ([], [])


async def test_once_the_privates_are_sold_there_is_no_form_to_bid(service: TableService) -> None:
    number = await add_recorded(service.tables, played_to("lay_tile"), PLACE)
    asked = asked_by(service)
    with pytest.raises(Refused, match="No privates are bid on now"):
        await click(asked, number, "max", "")
    assert asked.modals == []


async def test_a_form_that_comes_too_late_is_asked_for_again(service: TableService) -> None:
    """It can only be the first answer."""
    game, asked = await service.game(), asked_by(service)
    await asked.response.defer()
    with pytest.raises(Refused, match="That took too long"):
        await click(asked, game, "max", "")
    assert asked.modals == []


@pytest.mark.parametrize(
    ("typed", "most"),
    [("120", 120), (" $1,200 ", 1200), ("$ 5", 5), ("much", None), ("", None), ("-5", None), ("12.5", None)],
)
async def test_a_maximum_is_typed_in_whole_dollars(
    service: TableService, typed: str, most: int | None
) -> None:
    game = await service.game()
    fields = {PRIVATE: "CV", MAXIMUM: typed}
    if most is None:
        with pytest.raises(Refused, match="A maximum is a number of whole dollars"):
            await submit(asked_by(service), game, "max", fields)
        assert await stored.standing(service.db, game) == []
        return
    await submit(asked_by(service), game, "max", fields)
    assert await maxima(service, game) == [most]


@pytest.mark.parametrize(("field", "then"), [({}, "pass"), ({THEN: "ask"}, "ask"), ({THEN: "pass"}, "pass")])
async def test_what_happens_beyond_a_maximum_is_to_pass_unless_the_owner_is_asked(
    service: TableService, field: Mapping[str, str], then: str
) -> None:
    game, asked = await service.game(), asked_by(service)
    await submit(asked, game, "max", {PRIVATE: "CV", MAXIMUM: "300", **field})
    assert f"then {then}" in asked.answers[1]


async def test_a_form_that_is_refused_gives_back_what_was_typed(service: TableService) -> None:
    """In a block of its own, which nothing that is typed ends."""
    game = await service.game()
    for text, why in (
        ("CV: 250\nmuch", "This is no private with a maximum: much."),
        ("CV: 250\n\ncv 240", "CV stands there twice: each private has one maximum."),
    ):
        with pytest.raises(Refused) as refused:
            await submit(asked_by(service), game, "seal", {MAXIMA: f"{text}\n```"})
        if "much" in text:
            assert str(refused.value).startswith(why)
        assert str(refused.value).endswith(f"You typed:\n```\n{text}\n'''\n```")


# --- orders that have ended ------------------------------------------------------------------------------------------


async def ended(service: TableService) -> int:
    """A game in which Bob's order has ended without an act of Bob's."""
    game = await service.game()
    await ordered(service, game, private="D&R", most=30)
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    return game


async def test_the_owner_of_an_ended_order_hears_of_it_once(service: TableService) -> None:
    game, asked = await ended(service), asked_by(service)
    for _ in range(2):
        await tell_ended_orders(asked, game)
    [said] = asked.answers
    assert said.startswith("Your order 1 has ended: Bid on D&R up to $30, then pass.")
    nobody = asked_by(service, "Ann", ANN)
    await tell_ended_orders(nobody, game)
    assert nobody.answers == []


@pytest.mark.parametrize("failure", [aiohttp.ClientError(), None])
async def test_what_could_not_be_said_of_an_ended_order_is_said_with_the_next_answer(
    service: TableService, monkeypatch: pytest.MonkeyPatch, failure: Exception | None
) -> None:
    """Where Discord is out of reach, or has dropped the interaction."""
    game, asked = await ended(service), asked_by(service)

    async def unheard(*_: object) -> bool:
        if failure is not None:
            raise failure
        return False

    with monkeypatch.context() as broken:
        broken.setattr("bot.client.entry.replies.reply", unheard)
        await tell_ended_orders(asked, game)
    assert asked.answers == []
    await tell_ended_orders(asked, game)
    assert len(asked.answers) == 1


async def test_below_a_form_nothing_is_said_of_ended_orders(service: TableService) -> None:
    """The form is the answer, and the only one."""
    game, asked = await ended(service), asked_by(service)
    asked.response.type = discord.InteractionResponseType.modal
    await tell_ended_orders(asked, game)
    assert asked.answers == []
    assert len(await stored.to_notify(service.db, game, BOB)) == 1


@pytest.mark.parametrize("shown", [True, False])
async def test_an_end_that_was_read_in_the_list_is_not_said_again(
    service: TableService, monkeypatch: pytest.MonkeyPatch, shown: bool
) -> None:
    game, asked = await ended(service), asked_by(service)

    async def heard(*_: object, **__: object) -> bool:
        return shown

    monkeypatch.setattr("bot.client.features.orders.reply", heard)
    await service.tables.show_in(game, THREAD)
    await declared.typed(asked, "orders list")
    assert (await stored.to_notify(service.db, game, BOB) == []) == shown


async def test_of_a_game_that_cannot_be_read_nothing_is_said_of_ended_orders(service: TableService) -> None:
    asked = asked_by(service)
    await tell_ended_orders(asked, 404)
    assert asked.answers == []


async def test_an_end_that_was_read_in_the_list_that_was_pressed_is_not_said_again(
    service: TableService,
) -> None:
    game, asked = await ended(service), asked_by(service, message=PRIVATELY)
    await click(asked, game, "over", "")
    assert "**Ended**\n`1` Bid on D&R up to $30, then pass." in asked.answers[1]
    assert await stored.to_notify(service.db, game, BOB) == []


# --- buttons ---------------------------------------------------------------------------------------------------------


def test_the_buttons_of_the_list_are_what_may_be_ordered_or_withdrawn() -> None:
    passes = [("pass", "", PASS_UNTIL), ("over", "", "Pass whatever happens")]
    assert list(more_quick_orders(NOTHING)) == []
    assert list(more_quick_orders(replace(NOTHING, passes=True))) == passes
    sealing = [choice for choice, *_ in more_quick_orders(replace(NOTHING, bids=True, seals=True))]
    bidding = [choice for choice, *_ in more_quick_orders(replace(NOTHING, bids=True))]
    assert (sealing, bidding) == (["seal"], ["max"])
    rest = list(more_quick_orders(replace(NOTHING, standing=(3,), runs=("PRR",))))
    assert [tuple(tap)[:2] for tap in rest] == [("run", "PRR"), ("withdraw", "3")]


def test_a_menu_of_steps_to_skip_takes_a_row_of_the_buttons() -> None:
    many = replace(NOTHING, standing=tuple(range(1, BUTTONS + 2)))
    skips = replace(many, skips=(SkipStep(company="PRR", step="track"),))
    assert len(list_panel(7, many).children) == BUTTONS
    items: list[Any] = list(list_panel(7, skips).children)
    assert (len(items), items[-1].options[0].value) == (BUTTONS - 5 + 1, "PRR,track")


def test_a_button_means_the_order_that_it_names() -> None:
    game = played_to("lay_tile").play()
    company = next(iter(game.title.spec.companies))
    assert order_behind(game, "pass", "") == new_orders.pass_stock(game, "concerned")
    assert order_behind(game, "over", "") == new_orders.pass_stock(game, "over")
    assert order_behind(game, "run", company) == new_orders.run_best(game, company, "pay")
    assert order_behind(game, "skip", f"{company},track") == SkipStep(company=company, step="track")
    assert order_behind(game, "skip", f"{company},token") == SkipStep(company=company, step="token")
    assert order_behind(game, "buy", f"{company},offering") == new_orders.buy_shares(
        game, company, "offering", None
    )
