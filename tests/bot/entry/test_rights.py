"""Rights: every command and every button has its place in a table, and every role its rights."""

from types import SimpleNamespace
from typing import Final, cast

import discord
import pytest

from bot.client.entry.rights import owner_ids
from bot.sandbox.guild import permissions, seed
from bot.sandbox.guild.person import NO_ANSWER_TEXT
from bot.table.errors import NotPermitted
from bot.table.moves.verbs import VERBS_WITH_OWN_COMMAND
from bot.table.rights import Right, UserFacts, refusal_of_right
from bot.table.settings.server_settings import choose_moderator_role
from storage import NotSeated
from tests.bot.sandbox.guild import guild
from tests.bot.support import changes
from tests.bot.support.declared import COMPONENT_NAMES, REQUIRED, used
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import GUILD, TableService

ROLES: Final = {
    "player": UserFacts(is_seated=True),
    "other player of the server": UserFacts(),
    "spectator": UserFacts(),
    "moderator": UserFacts(is_moderator=True),
    "moderator who plays": UserFacts(is_moderator=True, is_seated=True),
    "manager of the server": UserFacts(is_moderator=True, is_manager=True),
    "owner of the bot": UserFacts(is_owner=True),
    "somebody of another server": UserFacts(is_on_server=False),
    "moderator of another server": UserFacts(
        is_on_server=False, is_seated=True, is_moderator=True, is_manager=True
    ),
    "owner on another server": UserFacts(is_on_server=False, is_owner=True),
}
MAY: Final[dict[Right, set[str]]] = {
    "ask": set(ROLES),
    "look": {role for role in ROLES if "another" not in role},
    "play": {"player", "moderator who plays"},
    "sit": {"player", "moderator who plays"},
    "moderate": {"moderator", "moderator who plays", "manager of the server"},
    "manage": {"manager of the server"},
    "own": {"owner of the bot", "owner on another server"},
}


NEEDED: Final[dict[Right, str]] = {
    "ask": """away, board sessions, event games, event late, event list,
        event standings, game import, game list, game new, help, mine, pings, privacy, rules, stats,
        theme""",
    "look": """board open, chart, company, game abandon,
        game export, game join, game repair, log, map, market, player, private,
        redo, status, table, tiles, trains, what-if, why""",
    "sit": "game leave, game options, game seats, game settings, game start",
    "play": """game agreement, game back, game pause, game propose, game replace, game resume, game substitute, move,
        undo, orders bid, orders buy, orders done, orders list, orders merger, orders pass, orders run,
        orders skip, orders withdraw, board share""",
    "moderate": """event manage, event new, game move-here, mod abandon, mod act, mod close, mod end,
        mod options, mod pause, mod replace, mod resume, mod seats, mod settings, mod undo""",
    "manage": "mod role, setup",
    "own": "health",
}
"""The right of every command except the moves, which all need a seat."""


def test_rights_of_commands() -> None:
    needed = {name.strip(): right for right, names in NEEDED.items() for name in names.split(",")}
    commands = {name: required.right for name, required in REQUIRED.items()}
    assert commands == needed | dict.fromkeys(VERBS_WITH_OWN_COMMAND, "play")


@pytest.mark.parametrize("role", ROLES)
def test_rights_of_roles(role: str) -> None:
    assert {right for right in MAY if ROLES[role].has_right(right)} == {
        right for right, roles in MAY.items() if role in roles
    }


BUTTONS: Final[dict[Right, set[str]]] = {
    "play": {
        *("MoveButton", "ConfirmButton", "UndoButton", "OpenMenuButton", "StepButton", "AmountButton"),
        *("PickedMoveButton", "SlotSelect", "OfferSelect", "AmountModal", "ProposeUndoButton"),
        *("RematchButton", "OrderButton", "OrderModal", "SkipSelect", "MakeWhatIfButton"),
    },
    "look": {
        *("CancelButton", "RedoButton", "VoteButton", "LobbyButton"),
        *("ViewButton", "EarlierPositionButton", "PastMoveSelect", "WhatIfControlButton", "WhatIfMoveButton"),
        *("WhatIfStepButton", "WhatIfSlotSelect", "WhatIfAmountButton", "WhatIfAmountModal"),
    },
    "sit": {"RulesSelect", "StartMenu", "StartForm"},
    "ask": {
        *("PrivacyButton", "MuteButton", "ClaimButton", "ImportButton"),
        *("BoardButton", "ConfirmBoardButton", "EndSessionSelect", "EndAllSessionsButton", "EventButton"),
    },
    "moderate": {"RepairButton", "ModerationButton", "EventPanel", "EventNumbersForm"},
    "manage": {"SetupPageButton", "SetupMenu", "QuietHoursForm"},
}


def test_rights_of_components() -> None:
    stated = {name: right for right, names in BUTTONS.items() for name in names}
    assert stated == {name: component.user_right for name, component in COMPONENT_NAMES.items()}


@pytest.mark.parametrize(("hand", "right"), [("", "play"), ("m", "moderate"), ("t", "play")])
def test_rights_in_anothers_name(hand: str, right: Right) -> None:
    key = f"0a1b2c3d{hand}"
    for custom_id in (f"c:1:2:{key}:", "o:1:2"):
        assert used(custom_id, values=[key]).needed_right == right


def test_owners_of_the_bot() -> None:
    """A person, or the members of a team; only Discord makes such descriptions."""
    one, two, three = (SimpleNamespace(id=number) for number in (1, 2, 3))
    alone = SimpleNamespace(owner=one, team=None)
    team = SimpleNamespace(owner=one, team=SimpleNamespace(members=[two, three]))
    found = [owner_ids(cast(discord.AppInfo | None, app)) for app in (None, alone, team)]
    assert found == [set(), {1}, {2, 3}]


@pytest.mark.parametrize(
    ("right", "game", "server", "kind", "said"),
    [
        ("look", 1, GUILD + 1, NotPermitted, "not on this server"),
        ("own", None, GUILD, NotPermitted, "Only the owner of this bot"),
        ("manage", None, GUILD, NotPermitted, "who manage this server"),
        ("moderate", None, GUILD, NotPermitted, "the role <@&7>"),
        ("moderate", None, GUILD + 1, NotPermitted, "the permission Manage Threads here"),
        ("sit", 1, GUILD, NotSeated, "no seat in game 1"),
        ("play", 1, GUILD, NotPermitted, "Its players are Ann, Bob, Cy"),
        ("play", None, GUILD, NotPermitted, "in the thread of a game"),
        ("moderate", 1, GUILD + 1, NotPermitted, "not on this server"),
    ],
)
async def test_refusals_say_what_is_needed(
    service: TableService, right: Right, game: int | None, server: int, kind: type[Exception], said: str
) -> None:
    assert await service.game() == 1
    await choose_moderator_role(service.db, GUILD, 7)
    refused = await refusal_of_right(service.db, server, right, game)
    assert isinstance(refused, kind)
    assert said in str(refused)


# --- on Discord ------------------------------------------------------------------------------------------------------


async def test_onlookers_play_nothing(sandbox: SandboxBot) -> None:
    game, dee = await sandbox.game(), sandbox.person("Dee").id
    before = await game.digest()
    none = "You have no seat in game 1. Its players are Ann, Bob, Cy."
    assert none in (await game.slash("Eve", "pass")).text
    assert await sandbox.hears(await game.press("Eve", "Pass"), none)
    refused: dict[str, dict[str, object]] = {
        "game replace": {"newcomer": dee},
        "game agreement": {"player": "Ann"},
        "game propose": {},
        "game abandon": {},
    }
    for command, values in refused.items():
        assert " game 1" in (await game.slash("Eve", command, **values)).text, command
    assert "No moves yet" in (await game.slash("Eve", "log")).text
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
    [asked] = (await game.slash("Ann", "mod end")).ephemeral
    pressed = await sandbox.person("Bob").press_removed_button(game.turn, asked.buttons[0].custom_id or "")
    assert await sandbox.hears(pressed, "moderators of games")
    assert await game.digest() == before
    assert not any("moderator" in line for line in game.lines)


HELD: Final = seed.GUILD_ID + seed.PLAYERS_ROLE_OFFSET
MANAGE_GUILD: Final = 1 << 5


async def test_who_moderates(sandbox: SandboxBot) -> None:
    game, server = await sandbox.game(), guild(sandbox.world)
    usual = server.roles[HELD].permissions
    for role, may, said in (
        (None, permissions.MANAGE_THREADS, "Really end"),
        (None, 0, "the permission Manage Threads"),
        (HELD, 0, "Really end"),
        (7, permissions.MANAGE_THREADS, "the role <@&7>"),
        (7, permissions.MANAGE_THREADS | MANAGE_GUILD, "Really end"),
        (7, MANAGE_GUILD, "the role <@&7>"),
    ):
        await choose_moderator_role(sandbox.db, seed.GUILD_ID, role)
        changes.permit(sandbox.world, server, HELD, usual | may)
        assert said in (await game.slash("Bob", "mod end")).text, (role, may)


async def test_nobodys_component_is_ignored(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    sandbox.world.answer_seconds = 0.2
    assert (
        await sandbox.person("Ann").press_removed_button(game.turn, "nobodys")
    ).failure_text == NO_ANSWER_TEXT
