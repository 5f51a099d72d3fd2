"""The games that ship with the bot, on tables of the sandbox."""

import asyncio
from pathlib import Path

import pytest

from bot.sandbox.guild.world import Tape
from bot.sandbox.refusal import SandboxError
from bot.table.orders.automatic import CARED
from bot.tools.showcase import CONTINUED, FOLDER, WATCHED, Showcase
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot, Seated

GOLDEN = Path(__file__).parents[2] / "golden"


def test_the_games_that_ship_are_golden_ones() -> None:
    shipped = sorted(FOLDER.iterdir())
    assert [path.stem for path in shipped] == sorted(file for file, _ in (WATCHED, CONTINUED))
    assert all(path.read_bytes() == (GOLDEN / path.name).read_bytes() for path in shipped)


async def test_a_recorded_game_is_played_again_by_the_people_here(sandbox: SandboxBot) -> None:
    showcase = Showcase(sandbox.client.tables)
    thread = await showcase.begin("watch")
    assert await showcase.tape(thread) == Tape(0, 439)
    await asyncio.gather(*(showcase.step(thread, 1) for _ in range(3)))  # pressed again before it was done
    await sandbox.settled()
    assert await showcase.tape(thread) == Tape(3, 439)
    assert [line for line in Seated(sandbox, 1, thread).lines if " wins " in line] == [
        "`2` **Ann** wins Delaware and Raritan Canal (D&R) for $20.",
        "`3` **Bob** wins Columbia-Philadelphia Railroad (C-P) for $40.",
    ]


async def test_a_game_that_goes_its_own_way_is_no_recording_until_that_is_undone(sandbox: SandboxBot) -> None:
    showcase = Showcase(sandbox.client.tables)
    game = Seated(sandbox, 1, await showcase.begin("watch"))
    await sandbox.settled()
    await game.slash("Ann", "pass")
    assert await showcase.tape(game.thread) is None
    with pytest.raises(SandboxError, match="no recorded move"):
        await showcase.step(game.thread, 1)
    await game.slash("Ann", "undo")
    assert await showcase.tape(game.thread) == Tape(0, 439)


async def test_a_first_game_is_played_against_two_computers_which_move_automatically(
    sandbox: SandboxBot,
) -> None:
    showcase = Showcase(sandbox.client.tables)
    game = Seated(sandbox, 1, await showcase.begin("first"))

    async def hers() -> bool:
        async with sandbox.client.tables.reading(1) as live:
            return live.game.actors() == (live.player_of(sandbox.person("Ann").id),)

    for _ in range(3):
        async with asyncio.timeout(PATIENCE):
            while not await hers():  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.02)
        await sandbox.settled()
        await game.press("Ann", "Pass")
    assert sum(line.endswith(CARED) for line in game.lines) >= 4
    assert await showcase.tape(game.thread) is None


async def test_a_game_is_opened_in_the_middle(sandbox: SandboxBot) -> None:
    showcase = Showcase(sandbox.client.tables)
    file, moves = CONTINUED
    thread = await showcase.begin("continue")
    assert await showcase.tape(thread) == Tape(moves, 405), file
    with pytest.raises(SandboxError, match="no such game"):
        await showcase.begin("nonsense")
    assert await showcase.tape(7) is None
