"""The games that ship with the bot, on tables of the sandbox."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import ClientSession

from bot.sandbox.guild.world import Playback
from bot.sandbox.refusal import SandboxError
from bot.table.orders.automatic import CARETAKER_MARK
from bot.tools.showcase import GAME_TO_CONTINUE, GAME_TO_WATCH, GAMES_FOLDER, SAMPLE_OPENINGS, Showcase
from tests.bot.sandbox.test_page import Page
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot, Seated

GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.fixture
def showcase(sandbox: SandboxBot) -> Showcase:
    return Showcase(sandbox.client.tables)


def test_shipped_games_are_golden_ones() -> None:
    shipped = sorted(GAMES_FOLDER.iterdir())
    assert [path.stem for path in shipped] == sorted(file for file, _ in (GAME_TO_WATCH, GAME_TO_CONTINUE))
    assert all(path.read_bytes() == (GOLDEN / path.name).read_bytes() for path in shipped)


async def test_recorded_game_is_watched(sandbox: SandboxBot, showcase: Showcase) -> None:
    """On the page; one that goes its own way is no recording until that is undone."""
    ann = sandbox.person("Ann").id
    async with ClientSession() as session:
        page = Page(sandbox.server, session)
        async with page.events(ann) as news:
            sandbox.world.offer_games(showcase)
            assert await news.receive_json() == {"kind": "bot"}
        openings = (await page.get("state", ann))["openings"]
        assert [one["label"] for one in openings] == [one.label for one in SAMPLE_OPENINGS]
        channel = (await page.act(ann, "begin", name="watch"))["channel"]
        game = Seated(sandbox, 1, int(channel))
        await sandbox.settled()

        async def tape() -> tuple[int, int] | None:
            found = await page.act(ann, "tape", channel=channel)
            assert found["board"] is False
            return found["tape"] and (found["tape"]["made"], found["tape"]["moves"])

        assert await tape() == (0, 439)
        await game.slash("Ann", "pass")
        assert await tape() is None
        assert "no recorded move" in (await page.act(ann, "step", channel=channel, moves=1))["problem"]
        await game.slash("Ann", "undo")
        steps = (page.act(ann, "step", channel=channel, moves=1) for _ in range(3))
        assert await asyncio.gather(*steps) == [{}] * 3  # pressed again before it was done
        await sandbox.settled()
        assert await tape() == (3, 439)
        assert len([line for line in game.lines if " wins " in line]) == 2
        sandbox.client.tables.board_links.address = "http://board.test"
        assert (await page.act(ann, "tape", channel=channel))["board"] is True
        assert (await page.act(ann, "board", channel=channel))["url"].startswith("http://board.test/")


async def test_first_game_is_against_computers(sandbox: SandboxBot, showcase: Showcase) -> None:
    game = Seated(sandbox, 1, await showcase.open_game("first"))

    async def hers() -> bool:
        async with sandbox.client.tables.reading(1) as live:
            return live.game.actors() == (live.player_of(sandbox.person("Ann").id),)

    for _ in range(3):
        async with asyncio.timeout(PATIENCE):
            while not await hers():  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.02)
        await sandbox.settled()
        await game.press("Ann", "Pass")
    assert sum(line.endswith(CARETAKER_MARK) for line in game.lines) >= 4
    assert await showcase.playback(game.thread) is None


async def test_game_is_continued(showcase: Showcase) -> None:
    thread = await showcase.open_game("continue")
    assert await showcase.playback(thread) == Playback(GAME_TO_CONTINUE[1], 405)
    with pytest.raises(SandboxError, match="no sample game"):
        await showcase.open_game("nonsense")
    assert await showcase.playback(7) is None
