"""Buttons and menus: what their ids carry is read back when they are used, by one component and no other."""

import re
from typing import Final

import discord
import pytest

from bot.client import buttons, offer_menus_and_forms, turn_panel
from bot.client.buttons import Button, Menu
from bot.client.component import Component
from bot.client.features import COMPONENTS, moves, undo, wizard

KEY = "0a1b2c3d"
OPTIONS = [discord.SelectOption(label="D2")]
AT = {"game": "7", "seq": "12"}
OFFER = AT | {"key": KEY, "capacity_letter": ""}

DRAWN = [
    (turn_panel.move_button(7, 12, KEY, "Pass"), moves.MoveButton, AT | {"key": KEY}),
    (moves.confirm_button(7, 12, KEY, "Yes"), moves.ConfirmButton, AT | {"key": KEY}),
    (buttons.cancel_button(7), moves.CancelButton, {"game": "7"}),
    (turn_panel.undo_button(7, 12, "Undo"), undo.UndoButton, AT),
    (turn_panel.redo_button(7, 12, "Redo"), undo.RedoButton, AT),
    (undo.propose_button(7, 12, 5, "Propose"), undo.ProposeUndoButton, AT | {"number": "5"}),
    (turn_panel.menu_button(7, 12, KEY, "Lay"), wizard.OpenMenuButton, AT | {"key": KEY}),
    (
        offer_menus_and_forms.step_button(7, 12, KEY, "D2,57", "More", 3),
        wizard.StepButton,
        OFFER | {"page": "3", "picked": "D2,57"},
    ),
    (
        offer_menus_and_forms.amount_button(7, 12, KEY, "CV", "Another amount …"),
        wizard.AmountButton,
        OFFER | {"picked": "CV"},
    ),
    (
        offer_menus_and_forms.make_button(7, 12, KEY, "D2,57,3", "Lay"),
        wizard.PickedMoveButton,
        OFFER | {"picked": "D2,57,3"},
    ),
    (
        offer_menus_and_forms.pick_menu(7, 12, KEY, "D2,57", OPTIONS, "Which?"),
        wizard.SlotSelect,
        OFFER | {"picked": "D2,57"},
    ),
]


@pytest.mark.parametrize(
    ("drawn", "component", "carried"), DRAWN, ids=lambda value: getattr(value, "__name__", "")
)
def test_id_is_read_back(drawn: Button | Menu, component: type[Component], carried: dict[str, str]) -> None:
    assert drawn.custom_id is not None
    found = re.fullmatch(component.id_pattern, drawn.custom_id)
    assert found is not None
    assert found.groupdict() == carried
    assert [kind for kind in COMPONENTS if re.fullmatch(kind.id_pattern, drawn.custom_id)] == [component]


POSTED: Final = {
    "q:export": "PrivacyButton",
    "mute:7": "MuteButton",
    "i:2": "ClaimButton",
    "j": "ImportButton",
    "again:7": "RematchButton",
    "board:7": "BoardButton",
    "boardok:7:0042": "ConfirmBoardButton",
    "boardend": "EndBoardSelect",
    "boardend:all": "EndBoardsButton",
    "h:7": "PastSelect",
    "h:7:12:market": "PastViewButton",
    "v:7:table": "ViewButton",
    "m:7:12:mend": "RepairButton",
    "t:7:3:yes": "VoteButton",
    "d:7:34:undo:12": "ModerationButton",
    "l:7:join": "LobbyButton",
    "l:7:add": "LobbyButton",
    "l:7:conductor": "LobbyButton",
    "r:7:profile": "RulesSelect",
    "r:7:options": "RulesSelect",
    "x:7:12:back": "WhatIfButton",
    "xm:7:12": "MakeWhatIfButton",
    "g:7:12:0a1b2c3dw": "WhatIfMoveButton",
    "p:7:12:0a1b2c3dw:1:D2": "WhatIfStepButton",
    "s:7:12:0a1b2c3dw:D2": "WhatIfSlotSelect",
    "a:7:12:0a1b2c3dw:CV": "WhatIfAmountButton",
    "f:7:12:0a1b2c3dw:CV": "WhatIfAmountModal",
    "f:7:12:0a1b2c3dm:CV": "AmountModal",
    "o:7:12": "OfferSelect",
    "z:7:withdraw:3": "OrderButton",
    "zs:7": "SkipSelect",
    "zf:7:seal": "OrderModal",
}


@pytest.mark.parametrize("custom_id", POSTED)
def test_old_ids_work(custom_id: str) -> None:
    kinds = [kind.__name__ for kind in COMPONENTS if re.fullmatch(kind.id_pattern, custom_id)]
    assert kinds == [POSTED[custom_id]]


def test_every_component_is_drawn() -> None:
    drawn = {component for _, component, _ in DRAWN}
    made = {kind for kind in COMPONENTS if kind.__module__ in {one.__name__ for one in (moves, undo, wizard)}}
    assert made - drawn == {wizard.AmountModal, wizard.OfferSelect}, "which are no buttons"
