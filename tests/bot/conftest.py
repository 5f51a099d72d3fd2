import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.client.pictures import Pictures
from storage import open_database
from tests.bot.support.new_posts import NewPosts
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot
from tests.bot.support.table_service import TableService
from tests.bot.support.threadless import without_threads
from tests.support.discord_description import description
from tests.support.held_to_description import Held


@pytest.fixture(autouse=True)
def as_described(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every request to the loopback server, and every answer, is as Discord's own description of its API says.

    The sandbox's own tests send what is wrong, to see it refused.
    """
    known = description()
    if known is None:
        yield
        return
    held = Held(known, refused_may_be_wrong="sandbox" in request.path.parts)
    held.listen(monkeypatch)
    yield
    assert not held.wrong, "\n".join(["not as Discord describes it:", *held.wrong])


@pytest.fixture(autouse=True)
def threadless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Database files have no threads."""
    without_threads(monkeypatch)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many tests share few processors: a press that takes long has its answer, and no other words before."""
    monkeypatch.setattr("bot.client.entry.replies.ACK_AFTER_SECONDS", PATIENCE)


@pytest.fixture(autouse=True)
def same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games opened in the lobby draw the same seeds whenever a test runs."""
    monkeypatch.setattr("bot.table.lobby.secrets.randbelow", random.Random(1830).randrange)


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[TableService]:
    async with await open_database(tmp_path / "games.db") as db:
        yield TableService.on(db)


@pytest.fixture
async def sandbox(tmp_path: Path) -> AsyncIterator[SandboxBot]:
    async with SandboxBot.opened(tmp_path / "games.db") as opened:
        yield opened


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:

    async def soon(seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.02))

    monkeypatch.setattr("discord.http.asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": soon}))
    monkeypatch.setattr("bot.table.outbox.sender.FIRST_PAUSE_SECONDS", 0.02)


def unmoved(_: object, **__: object) -> bytes:
    """An animation in which nothing moves; it has a name, by which it crosses to a worker."""
    return b"GIF89a"


@pytest.fixture
def unfilmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are over come without the map growing, which takes longer to draw than all else."""
    monkeypatch.setattr("bot.client.thread.final_posts.render_timelapse", unmoved)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are no pictures, and soon there."""

    async def drawn(_: Pictures, *pieces: object) -> list[bytes]:
        return [b"\x89PNG"] * len(pieces)

    monkeypatch.setattr(Pictures, "_draw_all", drawn)


@pytest.fixture
async def patient(tmp_path: Path) -> AsyncIterator[SandboxBot]:
    """A sandbox in which the next player is pinged half a minute later."""
    async with SandboxBot.opened(tmp_path / "games.db", ping_delay=30) as opened:
        yield opened


@pytest.fixture
def absent_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every player counts as absent for long enough, so that the others may decide about the seat."""

    async def absent(*_: object) -> None:
        return

    for module in ("absent_seats", "seat_proposals"):
        monkeypatch.setattr(f"bot.table.votes.{module}.require_absent", absent)


@pytest.fixture
async def thread(service: TableService) -> NewPosts:
    return await NewPosts.begun(service)
