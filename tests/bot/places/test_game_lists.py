"""`/mine` and `/game list` say where each game stands and what is wrong with it."""

from typing import Final

import pytest

from bot.client.features.game_lists import (
    ALTERED_ROW_REMARK,
    running_games_of,
    server_games_text,
    user_games_text,
)
from bot.client.requests.permission_problems import DeliveryProblems
from bot.table.lobby import LobbyOpener
from storage import GAME_SETTINGS, GUILD_SETTINGS, pings, settings
from tests.bot.support.sandbox_bot import TABLE, SandboxBot
from tests.bot.support.table_service import ANN, BOB, CHANNEL, GUILD, TableService
from tests.support.noted import noted

DAMAGED: Final = (
    "UPDATE states SET state = '{' WHERE game_id = 1",
    "UPDATE seats SET player_id = 'p9' WHERE seat = 1 AND game_id = 1",
)


class Lists:
    """Games of Ann, Bob and Cy, which are listed; all were looked at after the start."""

    def __init__(self, service: TableService) -> None:
        self.service, self.problems = service, DeliveryProblems()
        service.tables.are_games_checked = True

    async def game(self, passes: int = 0) -> int:
        """A running game with its thread and board."""
        number = await self.service.game()
        await self.service.tables.record_thread_of_game(number, 100 + number)
        await noted(self.service.db, number, "board", 4)
        for _ in range(passes):
            await self.service.pass_on(number)
        return number

    async def mine(self, user: int = ANN) -> list[str]:
        return (await user_games_text(self.service.tables, self.problems, user)).split("\n")

    async def here(self, guild: int = GUILD) -> list[str]:
        return (await server_games_text(self.service.tables, self.problems, guild)).split("\n")

    async def change(self, *statements: str) -> None:
        """Change the database from outside."""
        for statement in statements:
            await self.service.db.write(lambda tx, statement=statement: tx.run(statement))  # type: ignore[misc]


@pytest.fixture
def lists(service: TableService) -> Lists:
    return Lists(service)


async def test_games_that_wait_for_one_come_first(lists: Lists) -> None:
    service = lists.service
    assert (await lists.mine())[0].startswith("You have no games.")
    assert (await lists.here())[0].startswith("No game is open or running here.")
    for passes in (1, 0):
        await lists.game(passes)
    await service.lobby()
    await service.lobbies.open_lobby(9, LobbyOpener(ANN, "Ann", CHANNEL), "18al", "rulebook")
    await GUILD_SETTINGS.put(service.db, 9, settings.LEFT_SERVER_KEY, "2026-01-01T00:00:00+00:00")
    assert await lists.mine() == [
        "**2. 18Chesapeake in <#102>: your turn**",
        "1. 18Chesapeake in <#101>: Bob's turn",
        "3. 18Chesapeake: not started, in <#2>",
        "4. 18AL: on hold, because the bot is no longer on that server",
    ]
    assert await lists.here() == [
        "1. 18Chesapeake, running, in <#101>: Bob's turn",
        "2. 18Chesapeake, running, in <#102>: Ann's turn",
        "3. 18Chesapeake, open, in <#2>",
    ]
    assert await running_games_of(service.tables, ANN) == [(2, "18Chesapeake"), (1, "18Chesapeake")]


async def test_sealing_game_says_whose_turn_it_is(lists: Lists) -> None:
    """By its position; others are waited for."""
    number = await lists.game()
    waited = pings.NotificationChanges(("p2",), None, ("p2",))
    await lists.service.db.write(lambda tx: waited.write(tx, number, 1, lists.service.tables.clock()))
    assert await lists.mine(BOB) == ["**1. 18Chesapeake in <#101>: your turn**"]
    await GAME_SETTINGS.put(lists.service.db, number, "sealed", "on")
    assert await lists.mine(BOB) == ["**1. 18Chesapeake in <#101>: your sealed bids are missing**"]
    assert await lists.mine() == ["1. 18Chesapeake in <#101>: Ann's turn"]


async def test_troubles_of_games_are_listed(lists: Lists) -> None:
    """It keeps no other from being listed."""
    for _ in range(3):
        await lists.game()
    await lists.service.lobby()
    await lists.change("UPDATE games SET profile = 'house' WHERE id IN (2, 4)")
    lists.problems.record(3, "place", "It is locked.")
    await lists.change(*DAMAGED)
    lists.service.tables.forget(1)
    damage = await lists.service.tables.damage(1)
    assert damage is not None
    assert await lists.here() == [
        f"1. 18Chesapeake, running, in <#101>. {damage}",
        f"2. 18Chesapeake, running, in <#102>: Ann's turn. {ALTERED_ROW_REMARK}",
        "3. 18Chesapeake, running, in <#103>: Ann's turn. It is locked.",
        "4. 18Chesapeake, open, in <#2>. There is no profile 'house'.",
    ]
    assert await lists.mine() == [
        f"**2. 18Chesapeake in <#102>: your turn. {ALTERED_ROW_REMARK}**",
        "**3. 18Chesapeake in <#103>: your turn. It is locked.**",
        f"1. 18Chesapeake in <#101>: {damage}",
        "4. 18Chesapeake: not started, in <#2>. There is no profile 'house'.",
    ]


async def test_pause_is_said_wherever_a_game_is_listed(sandbox: SandboxBot) -> None:
    """A game that pauses does not wait for the player whose turn it is."""
    game, ann = await sandbox.game(), sandbox.person("Ann")
    assert "**1. " in (await ann.slash(TABLE, "mine")).text
    for values, how_long in (({"days": 3}, "pauses until <t:"), ({}, "pauses until a player resumes it")):
        await game.slash("Ann", "mod pause", **values)
        for command in ("mine", "game list"):
            answer = (await ann.slash(TABLE, command)).text
            assert (how_long in answer, "turn" in answer, "**1. " in answer) == (True, True, False)
        assert how_long in (await game.slash("Ann", "status")).text
        await game.slash("Bob", "game resume")
        assert "pause" not in (await game.slash("Ann", "status")).text
        for command in ("mine", "game list"):
            assert "pauses" not in (await ann.slash(TABLE, command)).text


async def test_list_leads_to_the_first_boards(sandbox: SandboxBot) -> None:
    """Several games of one title each by its number."""
    for _ in range(6):
        await sandbox.game()
    sandbox.client.tables.board_links.address = "https://board.example"
    [message] = (await sandbox.person("Ann").slash(TABLE, "mine")).ephemeral
    assert [button.label for button in message.buttons] == [
        f"Board of 18Chesapeake, game {number}" for number in range(1, 6)
    ]
    assert all((button.url or "").startswith("https://board.example/") for button in message.buttons)
