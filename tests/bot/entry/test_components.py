"""What stands on messages: buttons with their styles and places, menus and forms; and what their ids say."""

from dataclasses import replace
from typing import Final, cast

import discord
import pytest

from bot.client.buttons import MAX_FORM_TITLE_LENGTH, MAX_LABEL_LENGTH, link_button, shortened_label
from bot.client.features.what_if import what_if_panel
from bot.client.features.wizard import OfferComponent
from bot.client.offer_menus_and_forms import (
    MAX_CHOICE_BUTTONS,
    amount_form,
    amount_typed_in_form,
    step_screen,
)
from bot.client.turn_panel import turn_panel
from bot.table.moves.completions import MenuItem
from bot.table.moves.menus import (
    ActingAs,
    AmountQuestion,
    MenuProgress,
    MenuState,
    ReadyMove,
    SlotQuestion,
)
from bot.table.moves.moves import OneClickMove
from bot.table.moves.turn_buttons import MAX_BUTTONS, TurnButton
from bot.table.orders.player_orders import SEAL_CHOICE, QuickOrder
from bot.table.rate_limits import RequestKind
from bot.table.what_ifs import WhatIfs, try_moves, typed_moves
from engine.core.actions import Pass
from engine.tell.move_preview import Preview
from tests.bot.support.declared import used
from tests.bot.support.table_service import ANN, TableService

VIEWS: Final = ["Map", "Market", "Table"]


def labels(view: discord.ui.View) -> list[str]:
    parts = [part for row in view.to_components() for part in row["components"]]
    return [str(part.get("label", part.get("placeholder"))) for part in parts]


def ids(view: discord.ui.View) -> list[str]:
    return [part["custom_id"] for row in view.to_components() for part in row["components"]]


def styles(view: discord.ui.View) -> list[str]:
    parts = [part for row in view.to_components() for part in row["components"]]
    return [discord.ButtonStyle(part["style"]).name for part in parts if "style" in part]


def entry(label: str, kind: str = "sell_shares", *, menu: bool = False, **more: object) -> TurnButton:
    return TurnButton("0123abcd", label, kind, menu, **more)  # type: ignore[arg-type]


MANY: Final = [entry(f"Sell {number}") for number in range(30)]
FORM: Final = TurnButton("0123abcd.C.V", "C.V: another bid …", "bid", opens_menu=True, picked_private="C.V")
TAPS: Final = [QuickOrder("pass", "", "Pass for now"), QuickOrder(SEAL_CHOICE, "", "Seal")]


async def panel(
    service: TableService,
    entries: list[TurnButton],
    taps: list[QuickOrder] | None = None,
    *,
    passes: int = 1,
    undone: bool = False,
    board: bool = False,
) -> discord.ui.View:
    """The buttons below the turn message of a game in which N have passed, and maybe undone that."""
    game = await service.game()
    for _ in range(passes):
        await service.pass_on(game)
    if undone:
        await service.undo(game, ANN)
    async with service.tables.reading(game) as live:
        return turn_panel(live, entries, taps or [], has_board_page=board)


async def test_turn_has_moves_views_and_undo(service: TableService) -> None:
    view = await panel(service, [entry("Sell"), entry("Lay", menu=True), FORM], board=True)
    assert labels(view) == [*("Sell", "Lay", FORM.label), "Board", *VIEWS, "Undo Ann's move 2"]
    assert ids(view)[:3] == ["g:1:2:0123abcd", "w:1:2:0123abcd", "a:1:2:0123abcd:C.V"]
    assert view.is_finished(), "the library stores what is not finished"


async def test_colours_of_moves(service: TableService) -> None:
    action = Pass(actor="p1", entity="p1")
    quick, risky = OneClickMove("Pass", action), OneClickMove("Pass", action, needs_confirmation=True)
    rows = {
        entry("a"): "primary",
        entry("b", "pass"): "secondary",
        entry("c", move=risky): "danger",
        entry("d", move=quick): "primary",
        entry("e", offer_reply="agree"): "success",
        entry("f", offer_reply="refuse"): "danger",
        entry("g", offer_reply="withdraw"): "secondary",
    }
    view = await panel(service, list(rows))
    assert dict(zip(rows, styles(view), strict=False)) == rows


async def test_redo_where_there_is_room(service: TableService) -> None:
    few = await panel(service, [entry("Sell")], undone=True)
    assert (labels(few)[-1], ids(few)[-1]) == ("Redo move 2", "e:1:3")
    full = await panel(service, MANY, undone=True)
    assert (len(labels(full)), labels(full)[-1]) == (MAX_BUTTONS + 1, "Redo move 2")
    busy = await panel(service, MANY)
    assert (len(labels(busy)), labels(busy)[-1]) == (MAX_BUTTONS + 1, "Undo Ann's move 2")


async def test_seal_comes_first_and_orders_last(service: TableService) -> None:
    view = await panel(service, [entry("Sell")], TAPS)
    assert labels(view)[:3] == ["Seal", "Sell", "Pass for now"]
    assert styles(view)[:3:2] == ["primary", "secondary"]
    full = labels(await panel(service, MANY, TAPS))
    assert (full[0], len(full), "Pass for now" in full) == ("Seal", MAX_BUTTONS + 1, False)
    almost = MANY[: MAX_BUTTONS - len(VIEWS) - 2]
    more = [*TAPS, QuickOrder("buy", "PRR", "Buy PRR")]
    left = labels(await panel(service, almost, more))
    assert ("Pass for now" in left, "Buy PRR" in left) == (True, False)


async def test_what_if_buttons(service: TableService) -> None:
    what_ifs, game = WhatIfs(), await service.game()
    async with service.tables.reading(game) as live:
        begun = what_ifs.begin(live, ANN)
    sight = try_moves(begun, typed_moves("pass", begun.viewer))
    tried = sight.what_if

    def shown(*entries: TurnButton) -> list[str]:
        return ids(what_if_panel(replace(sight, buttons=entries), tried.base_seq + 1))

    few = shown(entry("Sell"), entry("Lay", menu=True), FORM)
    made = f"1:{tried.token}:0123abcdw"
    assert few[:3] == [f"g:{made}", f"p:{made}:0:", f"a:{made}:C.V"]
    full = shown(*MANY)
    assert (len(full), full[-3:]) == (25, few[3:])
    assert [one.rpartition(":")[2] for one in few[3:]] == ["back", "over", "again"]


def test_long_labels_are_cut() -> None:
    assert shortened_label("x" * MAX_LABEL_LENGTH) == "x" * MAX_LABEL_LENGTH
    assert len(shortened_label("word " * 30)) <= MAX_LABEL_LENGTH
    assert link_button("word " * 30, "https://example.org").label == shortened_label("word " * 30)


# --- the questions of an offer ---------------------------------------------------------------------------------------


PLACE: Final = MenuState(5, 9, "0123abcd")
AT: Final = "5:9:0123abcd"


def way(*picked: str, back: tuple[str, ...] | None = None) -> MenuProgress:
    return MenuProgress(
        "Buy a train", picked, tuple(f"{pick}-train" for pick in picked), back, "PRR has $480"
    )


def question(
    count: int, page: int = 0, *, more: bool = False, way_: MenuProgress | None = None
) -> SlotQuestion:
    choices = tuple(MenuItem(f"X{number}", f"Choice {number}") for number in range(count))
    return SlotQuestion(way_ or way(), "train", choices, page, more)


def test_few_choices_are_buttons() -> None:
    few = step_screen(PLACE, question(MAX_CHOICE_BUTTONS))
    assert few.text == "**Buy a train**: which train? PRR has $480."
    assert (ids(few.view)[0], len(ids(few.view))) == (f"p:{AT}:0:X0", MAX_CHOICE_BUTTONS)
    many = step_screen(PLACE, question(MAX_CHOICE_BUTTONS + 1)).view
    [[menu]] = [row["components"] for row in many.to_components()]
    assert (ids(many), labels(many)) == ([f"s:{AT}:"], ["Choose the train"])
    assert len(menu["options"]) == MAX_CHOICE_BUTTONS + 1


@pytest.mark.parametrize(
    ("page", "more", "buttons", "pages"),
    [(0, True, ["More"], [1]), (2, True, ["Earlier", "More"], [1, 3]), (1, False, ["Earlier"], [0])],
)
def test_pages_of_a_menu(page: int, more: bool, buttons: list[str], pages: list[int]) -> None:
    shown = step_screen(PLACE, question(3, page, more=more)).view
    assert labels(shown) == ["Choose the train", *buttons]
    assert ids(shown)[1:] == [f"p:{AT}:{number}:" for number in pages]


def test_empty_choice_is_none() -> None:
    empty = step_screen(PLACE, SlotQuestion(way(), "train", (MenuItem("", ""),), 0, False)).view
    assert (labels(empty), ids(empty)) == (["none"], [f"p:{AT}:0:none"])
    several = SlotQuestion(way(), "city", (MenuItem("", ""), MenuItem(1, "Left")) * 6, 0, False)
    [[menu]] = [row["components"] for row in step_screen(PLACE, several).view.to_components()]
    assert [(one["label"], one["value"]) for one in menu["options"][:2]] == [("none", "none"), ("Left", "1")]


async def test_amounts() -> None:
    usual = (MenuItem(5, "Lowest: $5"), MenuItem(20, "Highest: $20"))
    asked = AmountQuestion(way("2"), "price", usual, "$5 to $20")
    shown = step_screen(PLACE, asked)
    assert labels(shown.view) == ["Lowest: $5", "Highest: $20", "Another price …"]
    assert ids(shown.view) == [f"p:{AT}:0:2,5", f"p:{AT}:0:2,20", f"a:{AT}:2"]
    assert shown.text == "**Buy a train** (2-train): which price? $5 to $20. PRR has $480."
    form = amount_form(5, 9, "0123abcd", "2", asked)
    [field] = form.to_dict()["components"]
    assert (form.title, form.custom_id) == ("Buy a train: 2-train", f"f:{AT}:2")
    assert (field["label"], field["component"]["custom_id"]) == ("Price, $5 to $20", "amount")
    assert (len(form.title) <= MAX_FORM_TITLE_LENGTH, form.is_finished()) == (True, True)
    second = AmountQuestion(way("2", "D"), "price", (), "$5 to $20")
    assert amount_form(5, 9, "0123abcd", "2,D", second).title == "Buy a train: 2-train"


@pytest.mark.parametrize(("typed", "amount"), [("$1,200", "1200"), (" 5 0 ", "50"), ("x", "x")])
def test_signs_around_an_amount(typed: str, amount: str) -> None:
    assert amount_typed_in_form({"amount": typed}) == amount


@pytest.mark.parametrize(
    ("full", "label"),
    [("x" * MAX_LABEL_LENGTH, "x" * MAX_LABEL_LENGTH), ("x" * (MAX_LABEL_LENGTH + 1), "in short")],
    ids=["fits", "long"],
)
def test_button_of_a_whole_move(full: str, label: str) -> None:
    preview = Preview("in short", full, ("PRR $100 → $20", "one train more"))
    quick = OneClickMove("Buy", Pass(actor="p1", entity="p1"))
    shown = step_screen(PLACE, ReadyMove(way("2"), quick, preview, None))
    assert (labels(shown.view), ids(shown.view)) == ([label], [f"c:{AT}:2"])
    assert shown.text == "**Buy a train** (2-train)\n> PRR $100 → $20\n> one train more"


# --- what ids say ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("custom_id", ["p:5:9:{}:0:", "s:5:9:{}:", "a:5:9:{}:", "f:5:9:{}:"])
@pytest.mark.parametrize(
    ("key", "right", "kind", "capacity"),
    [
        ("0123abcd", "play", RequestKind.MOVE, ActingAs.SELF),
        ("0123abcdm", "moderate", RequestKind.MOVE, ActingAs.MODERATOR),
        ("0123abcdw", "look", RequestKind.QUESTION, ActingAs.WHAT_IF),
        ("0123abcdt", "play", RequestKind.MOVE, ActingAs.GROUP),
    ],
)
def test_capacity_in_an_id(
    custom_id: str, key: str, right: str, kind: RequestKind, capacity: ActingAs
) -> None:
    found = cast(OfferComponent, used(custom_id.format(key)))
    assert (found.game, found.needed_right, found.request_kind, found.menu_state().acting_as) == (
        5,
        right,
        kind,
        capacity,
    )
