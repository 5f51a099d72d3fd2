"""Who may do what: one table; every command and every button has its place in it, and every role its verdicts."""

from typing import Final

import pytest

from bot.table.moves.verbs import VERBS
from bot.table.rights import Right, UserStanding
from bot.table.settings.server_settings import choose_moderator_role, moderator_role
from tests.bot.support.declared import COMPONENT_NAMES, REQUIRED, used
from tests.bot.support.sandbox_bot import TABLE, SandboxBot
from tests.bot.support.table_service import GUILD, TableService

ROLES: Final = {
    "player": UserStanding(seated=True),
    "other player of the server": UserStanding(),
    "spectator": UserStanding(),
    "moderator": UserStanding(moderates=True),
    "moderator who plays": UserStanding(moderates=True, seated=True),
    "manager of the server": UserStanding(moderates=True, manages=True),
    "owner of the bot": UserStanding(owns=True),
    "somebody of another server": UserStanding(here=False),
    "moderator of another server": UserStanding(here=False, moderates=True, manages=True),
}
MAY: Final[dict[Right, set[str]]] = {
    "ask": set(ROLES),
    "look": set(ROLES) - {"somebody of another server", "moderator of another server"},
    "play": {"player", "moderator who plays"},
    "sit": {"player", "moderator who plays"},
    "moderate": {"moderator", "moderator who plays", "manager of the server"},
    "manage": {"manager of the server"},
    "own": {"owner of the bot"},
}
"""Who has each right."""


NEEDED: Final[dict[Right, str]] = {
    "ask": """away, board sessions, game import, game list, game new, help, mine, pings, privacy, rules, stats,
        theme""",
    "look": """board open, chart, company, game abandon,
        game export, game join, game repair, log, map, market, player, private,
        redo, status, table, tiles, trains, what-if, why""",
    "sit": "game leave, game options, game seats, game settings, game start",
    "play": """game agreement, game back, game pause, game propose, game replace, game resume, game substitute, move,
        undo, orders bid, orders buy, orders done, orders list, orders merger, orders pass, orders run,
        orders skip, orders withdraw, board share""",
    "moderate": """game move-here, mod abandon, mod act, mod close, mod end,
        mod options, mod pause, mod replace, mod resume, mod seats, mod settings, mod undo""",
    "manage": "mod role, setup",
    "own": "health",
}
"""The right of every command except the moves, which all need a seat."""


def test_what_each_command_needs_is_what_it_does() -> None:
    needed = {name.strip(): right for right, names in NEEDED.items() for name in names.split(",")}
    commands = {name: required.right for name, required in REQUIRED.items()}
    assert commands == needed | dict.fromkeys(VERBS, "play")


@pytest.mark.parametrize("role", ROLES)
def test_each_role_has_its_rights_and_no_others(role: str) -> None:
    assert {right for right in MAY if ROLES[role].has(right)} == {
        right for right, roles in MAY.items() if role in roles
    }


BUTTONS: Final[dict[Right, set[str]]] = {
    "play": {
        *("MoveButton", "ConfirmButton", "UndoButton", "OpenMenuButton", "StepButton", "AmountButton"),
        *("PickedMoveButton", "SlotSelect", "OfferSelect", "AmountModal", "ProposeUndoButton"),
        *("RematchButton", "OrderButton", "OrderModal", "SkipSelect", "MakeTriedButton"),
    },
    "look": {
        *("CancelButton", "RedoButton", "VoteButton", "LobbyButton"),
        *("ViewButton", "PastViewButton", "PastSelect", "WhatIfButton", "TriedMoveButton"),
        *("TriedStepButton", "TriedSlotSelect", "TriedAmountButton", "TriedAmountModal"),
    },
    "sit": {"RulesSelect"},
    "ask": {
        *("PrivacyButton", "MuteButton", "ClaimButton", "ImportButton"),
        *("BoardButton", "ConfirmBoardButton", "EndBoardSelect", "EndBoardsButton"),
    },
    "moderate": {"RepairButton", "ModerationButton"},
}
"""Who may use what: players, everybody on the server, seats of a lobby, users for themselves, moderators."""


def test_what_a_button_or_menu_needs_is_what_it_does() -> None:
    stated = {name: right for right, names in BUTTONS.items() for name in names}
    assert stated == {name: component.right for name, component in COMPONENT_NAMES.items()}


MENUS: Final = {
    "step": "p:1:2:{}:0:",
    "amount": "a:1:2:{}:",
    "modal": "f:1:2:{}:",
    "make": "c:1:2:{}:",
    "slot": "s:1:2:{}:",
    "offer": "o:1:2",
}
"""Ids of menus, with room for the key of their offer; a select menu of offers has the keys as its values."""


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("menu", MENUS)
def test_a_menu_in_anothers_name_needs_the_right_to_move_in_it(menu: str, role: str) -> None:
    """Whose name it is stands in the menu: one's own, any seat's for a moderator, one that the table plays."""
    names: tuple[tuple[str, Right], ...] = (("", "play"), ("m", "moderate"), ("t", "play"))
    for hand, right in names:
        assert ROLES[role].has(used(MENUS[menu].format(key := f"0a1b2c3d{hand}"), values=[key]).needs) == (
            role in MAY[right]
        ), hand


async def test_the_role_of_moderators_is_stored_for_each_server(service: TableService) -> None:
    assert await moderator_role(service.db, GUILD) is None
    await choose_moderator_role(service.db, GUILD, 77)
    assert await moderator_role(service.db, GUILD) == 77
    assert await moderator_role(service.db, GUILD + 1) is None
    await choose_moderator_role(service.db, GUILD, None)
    assert await moderator_role(service.db, GUILD) is None


# --- on Discord ------------------------------------------------------------------------------------------------------


async def test_onlookers_look_and_play_nothing(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    before = await game.digest()
    assert (
        "You have no seat in game 1; it is played by Ann, Bob, Cy." in (await game.slash("Eve", "pass")).text
    )
    assert await sandbox.hears(await game.press("Eve", "Pass"), "You have no seat in game 1")
    assert (
        "You have no seat"
        in (await game.slash("Eve", "game replace", newcomer=sandbox.person("Dee").id)).text
    )
    for command, values in (
        ("game agreement", {"player": "Ann"}),
        ("game propose", {}),
        ("game abandon", {}),
    ):
        assert " seat" in (await game.slash("Eve", command, **values)).text, command
    assert "There is no move yet" in (await game.slash("Eve", "log")).text
    assert await game.digest() == before


MODERATED: Final[dict[str, dict[str, object]]] = {
    "mod undo": {"to": 1},
    "mod act": {"player": "Ann"},
    "mod end": {},
    "mod abandon": {},
    "mod close": {"number": 1},
    "mod options": {"number": 1, "options": "none"},
    "mod pause": {},
    "mod resume": {},
}


async def test_players_moderate_nothing(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    before = await game.digest()
    for command, values in MODERATED.items():
        assert "moderators of games" in (await game.slash("Bob", command, **values)).text, command
    assert await game.digest() == before
    assert not any("moderator" in line for line in game.lines)


async def test_a_role_for_moderators_takes_the_place_of_managing_threads(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    assert "needs the permission Manage Threads" in (await game.slash("Bob", "mod end")).text
    await choose_moderator_role(sandbox.db, sandbox.client.guilds[0].id, 77)
    assert "needs the role <@&77>" in (await game.slash("Bob", "mod end")).text
    assert "Really end" in (await game.slash("Ann", "mod end")).text


async def test_a_game_of_another_server_is_not_reached_by_its_number(sandbox: SandboxBot) -> None:
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    await sandbox.db.write(lambda tx: tx.run("UPDATE games SET guild_id = 5"))
    for command in ("game join", "game start", "game abandon", "mod close"):
        answer = (await sandbox.person("Ann").slash(TABLE, command, number=1)).text
        assert "not played on this server" in answer, command
