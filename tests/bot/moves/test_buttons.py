"""Buttons and menus: what their ids carry is read back when they are used, by one kind of press and no other."""

import discord
import pytest

from bot.client.callbacks import move_components, table_components
from bot.client.callbacks.component import Press
from bot.client.components import buttons
from bot.client.components.buttons import Button, Menu

KEY = "0a1b2c3d"
OPTIONS = [discord.SelectOption(label="D2")]
AT = {"game": "7", "seq": "12"}

DRAWN = [
    (buttons.move_button(7, 12, KEY, "Pass"), move_components.MoveButton, AT | {"key": KEY}),
    (buttons.confirm_button(7, 12, KEY, "Yes"), move_components.ConfirmPress, AT | {"key": KEY}),
    (buttons.cancel_button(7), move_components.CancelPress, {"game": "7"}),
    (buttons.undo_button(7, 12, "Undo"), move_components.UndoPress, AT),
    (buttons.redo_button(7, 12, "Redo"), move_components.RedoPress, AT),
    (buttons.propose_button(7, 12, 5, "Propose"), move_components.ProposePress, AT | {"number": "5"}),
    (
        buttons.privacy_button("export", "My data", discord.ButtonStyle.primary),
        table_components.PrivacyPress,
        {"wish": "export"},
    ),
    (buttons.mute_button(7, "Mute for this turn"), table_components.MutePress, {"game": "7"}),
    (buttons.claim_button(2, "Bob"), table_components.ClaimPress, {"number": "2"}),
    (buttons.rematch_button(7), table_components.RematchPress, {"game": "7"}),
    (buttons.import_button("Again"), table_components.ImportPress, {}),
    (buttons.menu_button(7, 12, KEY, "Lay"), move_components.MenuPress, AT | {"key": KEY}),
    (
        buttons.step_button(7, 12, KEY, "D2,57", "More", 3),
        move_components.StepPress,
        AT | {"key": KEY, "page": "3", "picked": "D2,57"},
    ),
    (
        buttons.amount_button(7, 12, KEY, "CV", "Another amount …"),
        move_components.AmountPress,
        AT | {"key": KEY, "picked": "CV"},
    ),
    (
        buttons.make_button(7, 12, KEY, "D2,57,3", "Lay"),
        move_components.MakePress,
        AT | {"key": KEY, "picked": "D2,57,3"},
    ),
    (
        buttons.pick_menu(7, 12, KEY, "D2,57", OPTIONS, "Which?"),
        move_components.Pick,
        AT | {"key": KEY, "picked": "D2,57"},
    ),
    (buttons.offer_menu(7, 12, OPTIONS), move_components.OfferPick, AT),
    (buttons.mend_button(7, 12, "mend", "Yes"), table_components.MendPress, AT | {"wish": "mend"}),
    (
        buttons.motion_button(7, 3, "yes", "Agree"),
        table_components.MotionPress,
        {"game": "7", "number": "3", "wish": "yes"},
    ),
    (
        buttons.deed_button(7, 34, "undo", 12, "Go back"),
        table_components.DeedPress,
        {"game": "7", "seq": "34", "wish": "undo", "number": "12"},
    ),
    (buttons.lobby_button(7, "join"), table_components.LobbyPress, {"game": "7", "wish": "join"}),
    (buttons.lobby_button(7, "add"), table_components.LobbyPress, {"game": "7", "wish": "add"}),
    (buttons.profile_menu(7, OPTIONS), table_components.RulesPick, {"game": "7", "what": "profile"}),
    (buttons.options_menu(7, OPTIONS), table_components.RulesPick, {"game": "7", "what": "options"}),
]


@pytest.mark.parametrize(
    ("drawn", "press", "carried"), DRAWN, ids=lambda value: getattr(value, "__name__", "")
)
def test_an_id_is_read_back_by_its_press(
    drawn: Button | Menu, press: type[Press], carried: dict[str, str]
) -> None:
    assert drawn.custom_id is not None
    found = press.TEMPLATE.fullmatch(drawn.custom_id)
    assert found is not None
    assert found.groupdict() == carried
    assert [kind for kind in move_components.PRESSES if kind.TEMPLATE.fullmatch(drawn.custom_id)] == [press]


def test_every_press_has_something_to_be_pressed() -> None:
    assert {press for _, press, _ in DRAWN} == set(move_components.PRESSES)


@pytest.mark.parametrize(
    "custom_id", [f"g:{'9' * 40}:1:{KEY}", f"u:7:{'9' * 40}", f"n:{'9' * 40}", f"l:{'9' * 40}:join"]
)
def test_a_number_that_no_database_takes_is_nobodys(custom_id: str) -> None:
    assert [press for press in move_components.PRESSES if press.TEMPLATE.fullmatch(custom_id)] == []


def test_a_label_that_is_too_long_ends_between_two_words() -> None:
    label = buttons.move_button(7, 12, KEY, "Sell shares of the company " * 4).label
    assert label is not None
    assert len(label) <= buttons.LABEL
    assert label.endswith("of the ...")
