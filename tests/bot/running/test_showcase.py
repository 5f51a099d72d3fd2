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


@pytest.fixture
def showcase(sandbox: SandboxBot) -> Showcase:
    return Showcase(sandbox.client.tables)


def test_shipped_games_are_golden_ones() -> None:
    shipped = sorted(FOLDER.iterdir())
    assert [path.stem for path in shipped] == sorted(file for file, _ in (WATCHED, CONTINUED))
    assert all(path.read_bytes() == (GOLDEN / path.name).read_bytes() for path in shipped)


async def test_recorded_game_is_watched(sandbox: SandboxBot, showcase: Showcase) -> None:
    """One that goes its own way is no recording until that is undone."""
    game = Seated(sandbox, 1, await showcase.begin("watch"))
    await sandbox.settled()
    assert await showcase.tape(game.thread) == Tape(0, 439)
    await game.slash("Ann", "pass")
    assert await showcase.tape(game.thread) is None
    with pytest.raises(SandboxError, match="no recorded move"):
        await showcase.step(game.thread, 1)
    await game.slash("Ann", "undo")
    steps = (showcase.step(game.thread, 1) for _ in range(3))
    await asyncio.gather(*steps)  # pressed again before it was done
    await sandbox.settled()
    assert await showcase.tape(game.thread) == Tape(3, 439)
    assert [line.partition("`")[2].partition(" ")[2] for line in game.lines if " wins " in line] == [
        "**Ann** wins Delaware and Raritan Canal (D&R) for $20.",
        "**Bob** wins Columbia-Philadelphia Railroad (C-P) for $40.",
    ]


async def test_first_game_is_against_computers(sandbox: SandboxBot, showcase: Showcase) -> None:
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


async def test_game_is_continued(showcase: Showcase) -> None:
    thread = await showcase.begin("continue")
    assert await showcase.tape(thread) == Tape(CONTINUED[1], 405)
    with pytest.raises(SandboxError, match="no such game"):
        await showcase.begin("nonsense")
    assert await showcase.tape(7) is None
